// Lists: which bodies are near, which of their spheres, and which spheres are near walls. Built again when somebody may have moved
// by half the skin. Their order is that of all sums, whatever the skin and the cells.
//
//   bin_rows, fill_cells              rows by cells
//   count_near, find_near, sort_near  pairs of bodies whose balls are near, by the later row
//   count_pairs, find_pairs           pairs of spheres of those: candidates
//   count_links, find_links, sort_links   the same pairs of bodies by their earlier row
//   count_slots, find_slots           spheres near walls
//   note_carried, carry, carry_slots  contacts find their places in new lists

// In the key of a pair of bodies: the earlier row, and whether the later row has the lower id and so comes first in all contacts.
#define FIRST_IS_LATER 0x80000000u
#define EARLIER 0x7fffffffu

__device__ u32 cell_along(const World &w, int axis, double x)
{
    // Whoever is outside is in the last cell: near ones are in the same cell or the next.
    double at = (x - w.cell_low[axis]) / w.cell_size[axis];
    u32 last = (u32)w.cells_along[axis] - 1;
    return at > 0.0 ? (at < (double)last ? (u32)at : last) : 0;
}

KERNEL(bin_rows)
{
    u64 row = thread_index();
    if (row >= w.rows)
        return;
    u32 cell = 0;
    for (int axis = 2; axis >= 0; --axis)
        cell = cell * (u32)w.cells_along[axis] + cell_along(w, axis, w.position[axis * w.rows + row]);
    w.row_cell[row] = cell;
    w.row_slot[row] = atomicAdd(w.cell_count + cell, 1u);
}

KERNEL(fill_cells)
{
    u64 row = thread_index();
    if (row < w.rows)
        w.cell_rows[w.cell_first[w.row_cell[row]] + w.row_slot[row]] = (u32)row;
}

// Whether the balls of two bodies are near.
__device__ bool near_balls(const World &w, u32 row, u32 other)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double d = fabs(w.position[axis * w.rows + row] - w.position[axis * w.rows + other]);
        if (w.periodic && d > w.half[axis])
            d = w.length[axis] - d;
        square += d * d;
    }
    double reach = kind_of(w, row)[KIND_BOUNDING] + kind_of(w, other)[KIND_BOUNDING] + w.reach;
    return square <= reach * reach;
}

// Calls for the near bodies before a row: counts them and, if there is room, writes their keys.
__device__ u32 earlier_near(const World &w, u32 row, u32 *keys)
{
    u32 cell = w.row_cell[row], found = 0;
    i32 at[3], from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        i32 cells = (i32)w.cells_along[axis];
        at[axis] = (i32)(cell % (u32)cells);
        cell /= (u32)cells;
        bool round = w.periodic && w.length[axis] > 0.0;
        // Of three cells or fewer in a period each is looked at once.
        from[axis] = round ? (cells > 2 ? at[axis] - 1 : 0) : max(at[axis] - 1, 0);
        to[axis] = round ? (cells > 2 ? at[axis] + 1 : cells - 1) : min(at[axis] + 1, cells - 1);
    }
    for (i32 z = from[2]; z <= to[2]; ++z)
        for (i32 y = from[1]; y <= to[1]; ++y)
            for (i32 x = from[0]; x <= to[0]; ++x) {
                i32 place[3] = {x, y, z};
                u32 other_cell = 0;
                for (int axis = 2; axis >= 0; --axis) {
                    i32 cells = (i32)w.cells_along[axis];
                    other_cell = other_cell * (u32)cells + (u32)((place[axis] + cells) % cells);
                }
                for (u32 k = w.cell_first[other_cell]; k < w.cell_first[other_cell + 1]; ++k) {
                    u32 other = w.cell_rows[k];
                    if (other >= row || !near_balls(w, row, other))
                        continue;
                    // Of two that nothing moves, neither gives way.
                    if (is_held(w, row) && is_held(w, other))
                        continue;
                    if (keys)
                        keys[found] = other | (w.id[row] < w.id[other] ? FIRST_IS_LATER : 0);
                    ++found;
                }
            }
    return found;
}

KERNEL(count_near)
{
    u64 row = thread_index();
    if (row < w.rows)
        w.near_count[row] = earlier_near(w, (u32)row, 0);
}

KERNEL(find_near)
{
    u64 row = thread_index();
    if (row >= w.rows)
        return;
    u32 first = w.near_first[row], count = earlier_near(w, (u32)row, w.near_key + first);
    for (u32 k = 0; k < count; ++k)
        w.pair_later[first + k] = (u32)row;
}

// Those whose earlier row has the lower id come first, both by the earlier row: as the processor sorts them.
KERNEL(sort_near)
{
    u64 pair = thread_index();
    if (pair >= w.pairs)
        return;
    u32 later = w.pair_later[pair], key = w.near_key[pair], before = 0;
    u32 first = w.near_first[later];
    for (u32 k = first; k < w.near_first[later + 1]; ++k)
        before += w.near_key[k] < key;
    w.pair_key[first + before] = key;
}

// The two rows of a pair: the one with the lower id, and the other.
__device__ void rows_of_pair(const World &w, u32 pair, u32 *a, u32 *b)
{
    u32 key = w.pair_key[pair], later = w.pair_later[pair], earlier = key & EARLIER;
    *a = key & FIRST_IS_LATER ? later : earlier;
    *b = key & FIRST_IS_LATER ? earlier : later;
}

// Counts the near spheres of a pair of bodies and, if there is room, writes them. Other pieces are known by their first spheres.
__device__ u32 near_spheres(const World &w, u32 pair, u32 to, bool write)
{
    u32 a, b, found = 0;
    rows_of_pair(w, pair, &a, &b);
#if PIECES
    for (u32 i = w.first_sphere[a]; i < w.first_sphere[a + 1]; ++i)
        for (u32 j = w.first_sphere[b]; j < w.first_sphere[b + 1]; ++j) {
            bool pieces = role_of(w, i) < SECOND_END && role_of(w, j) < SECOND_END;
            if (!pieces || !near_pieces(w, i, j, w.reach))
                continue;
            if (write)
                ((uint4 *)w.candidate)[to + found] = make_uint4(i, j, a, b);
            ++found;
        }
    return found;
#endif
    double ball[3], reach_b = kind_of(w, b)[KIND_BOUNDING] + w.reach;
    for (int axis = 0; axis < 3; ++axis)
        ball[axis] = w.position[axis * w.rows + b];
    for (u32 i = w.first_sphere[a]; i < w.first_sphere[a + 1]; ++i) {
        double one[4], shift[3], d[3];
        load_sphere(w, i, one);
        nearest_image(w, one, ball, shift);
        for (int axis = 0; axis < 3; ++axis)
            d[axis] = one[axis] - (ball[axis] + shift[axis]);
        // Is it near the other body at all? A little more, for rounding.
        double reach = (one[3] + reach_b) * (1.0 + 1e-9);
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach)
            continue;
        for (u32 j = w.first_sphere[b]; j < w.first_sphere[b + 1]; ++j) {
            double other[4];
            load_sphere(w, j, other);
            nearest_image(w, one, other, shift);
            for (int axis = 0; axis < 3; ++axis)
                d[axis] = one[axis] - (other[axis] + shift[axis]);
            double near = one[3] + other[3] + w.reach;
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < near * near) {
                if (write) {
                    ((uint4 *)w.candidate)[to + found] = make_uint4(i, j, a, b);
                }
                ++found;
            }
        }
    }
    return found;
}

KERNEL(count_pairs)
{
    u64 pair = thread_index();
    if (pair < w.pairs)
        w.pair_count[pair] = near_spheres(w, (u32)pair, 0, false);
}

// The candidates of a pair also know where those of the pair begin and how many there are, and which of the two bodies comes first.
KERNEL(find_pairs)
{
    u64 pair = thread_index();
    if (pair >= w.pairs)
        return;
    u32 from = w.pair_first[pair], count = near_spheres(w, (u32)pair, from, true);
    if (count > 0xffff)
        halt(w, w.step, LOST_CONTACT);
    if (ANY_MASSES && count > 1)
        w.several[atomicAdd(w.several_found, 1u)] = from;
    for (u32 k = 0; k < count; ++k) {
        w.candidate_span[from + k] = k | count << 16;
        if (w.pair_key[pair] & FIRST_IS_LATER)
            atomicOr(w.later_first + (from + k) / 32, 1u << (from + k) % 32);
    }
#if MODELS > 1
    u32 a, b;
    rows_of_pair(w, (u32)pair, &a, &b);
    u32 *bits = bits_of_model(w, w.model_of[materials_of(w, w.kind[a], w.kind[b])]);
    for (u32 c = from; c < from + count; ++c)
        atomicOr(bits + c / 32, 1u << c % 32);
#endif
}

// Where the candidates of each row begin, of which it is the later body.
KERNEL(begin_rows)
{
    u64 row = thread_index();
    if (row <= w.rows)
        w.row_candidate[row] = w.pair_first[w.near_first[row]];
}

// The numbers of candidates are not needed any more: their room takes the place of each pair among those of its row.
KERNEL(count_links)
{
    u64 pair = thread_index();
    if (pair < w.pairs && w.pair_first[pair] < w.pair_first[pair + 1])
        w.pair_count[pair] = atomicAdd(w.link_count + (w.pair_key[pair] & EARLIER), 1u);
}

KERNEL(find_links)
{
    u64 pair = thread_index();
    if (pair < w.pairs && w.pair_first[pair] < w.pair_first[pair + 1])
        w.link_unsorted[w.link_first[w.pair_key[pair] & EARLIER] + w.pair_count[pair]] = (u32)pair;
}

// By the later row, which is the order of the pairs: their candidates.
KERNEL(sort_links)
{
    u64 link = thread_index();
    if (link >= w.links)
        return;
    u32 pair = w.link_unsorted[link], earlier = w.pair_key[pair] & EARLIER, before = 0;
    u32 first = w.link_first[earlier];
    for (u32 k = first; k < w.link_first[earlier + 1]; ++k)
        before += w.link_unsorted[k] < pair;
    w.link[2 * (u64)(first + before)] = w.pair_first[pair];
    w.link[2 * (u64)(first + before) + 1] = w.pair_first[pair + 1] | (w.pair_key[pair] & FIRST_IS_LATER);
}

// Contacts know the spheres that they are of while lists change.
KERNEL(note_carried)
{
    u64 c = thread_index();
    if (c >= w.candidates || !touched_before(w, (u32)c))
        return;
    u32 place = old_place(w, (u32)c);
    Candidate spheres = candidate_at(w, c);
    w.carried_a[place] = spheres.sphere_a;
    w.carried_b[place] = spheres.sphere_b;
}

// Each contact of before finds its candidate in the new lists, and stays in its place.
KERNEL(carry)
{
    u64 place = thread_index();
    if (place >= w.carried)
        return;
    u32 a = w.carried_a[place], b = w.carried_b[place];
    u32 row_a = w.owner[a], row_b = w.owner[b];
    u32 later = max(row_a, row_b), earlier = min(row_a, row_b);
    for (u32 pair = w.near_first[later]; pair < w.near_first[later + 1]; ++pair) {
        if ((w.pair_key[pair] & EARLIER) != earlier)
            continue;
        for (u32 c = w.pair_first[pair]; c < w.pair_first[pair + 1]; ++c) {
            Candidate spheres = candidate_at(w, c);
            if (spheres.sphere_a == a && spheres.sphere_b == b) {
                w.was[c] = (u32)place;
                atomicOr(&bits_old(w, c / 32), 1u << c % 32);
                return;
            }
        }
    }
    halt(w, w.step, LOST_CONTACT);
}

// The box that holds the centres of all bodies, as numbers that are ordered like those they stand for.
__device__ u64 ordered(double x)
{
    u64 bits = (u64)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

KERNEL(find_extent)
{
    __shared__ u64 low[256], high[256];
    for (int axis = 0; axis < 3; ++axis) {
        u64 least = ~0ull, most = 0;
        for (u64 row = thread_index(); row < w.rows; row += (u64)gridDim.x * blockDim.x) {
            u64 x = ordered(w.position[axis * w.rows + row]);
            least = min(least, x);
            most = max(most, x);
        }
        low[threadIdx.x] = least;
        high[threadIdx.x] = most;
        __syncthreads();
        for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                low[threadIdx.x] = min(low[threadIdx.x], low[threadIdx.x + half]);
                high[threadIdx.x] = max(high[threadIdx.x], high[threadIdx.x + half]);
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            atomicMin(w.extent + axis, low[0]);
            atomicMax(w.extent + 3 + axis, high[0]);
        }
        __syncthreads();
    }
}
