// Another order of the rows. The host has sorted them; tables follow, and so do the spheres that contacts are of.

// Columns one after the other: to[column][new] = from[column][order[new]].
KERNEL(permute_columns)
{
    u64 row = thread_index();
    if (row < w.rows)
        for (u64 column = 0; column < w.permuted; ++column)
            w.permute_to[column * w.rows + row] = w.permute_from[column * w.rows + w.order[row]];
}

// Rows one after the other.
KERNEL(permute_rows)
{
    u64 k = thread_index();
    if (k < w.rows * w.permuted)
        w.permute_to[k] = w.permute_from[w.order[k / w.permuted] * w.permuted + k % w.permuted];
}

KERNEL(permute_numbers)
{
    u64 row = thread_index();
    if (row < w.rows)
        w.permute_numbers_to[row] = w.permute_numbers_from[w.order[row]];
}

__device__ u32 renamed(const World &w, u32 sphere)
{
    u32 row = w.old_owner[sphere];
    return w.first_sphere[w.new_row[row]] + sphere - w.old_first_sphere[row];
}

KERNEL(rename_carried)
{
    u64 place = thread_index();
    if (place >= w.carried)
        return;
    w.carried_a[place] = renamed(w, w.carried_a[place]);
    w.carried_b[place] = renamed(w, w.carried_b[place]);
}

KERNEL(rename_carried_slots)
{
    u64 slot = thread_index();
    if (slot < w.carried_slots)
        w.carried_sphere[slot] = renamed(w, w.carried_sphere[slot]);
}
