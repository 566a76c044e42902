// What the contacts of a body do to it, in their order: those in which it is the later one, those in which it is the earlier one, those
// with walls. In a world of several models each has these functions for its own contacts, and one comes after the other.

// Where the torque on the first body is among the outcome of a contact.
#define TORQUE_A 6
// Where the energy that ends with a contact is among what it remembers.
#define ENDING 7

__device__ void add_deed(double force, double torque, int axis, bool first, double *acting)
{
    acting[axis] = first ? acting[axis] + force : acting[axis] - force;
    acting[3 + axis] += torque;
}

// The contacts among some candidates, in their order, and what those leave that ended.
__device__ void add_candidates(const World &w, u32 row, u32 from, u32 to, bool later, double *acting, double *lost)
{
    for (u32 word = from / 32; word * 32 < to; ++word) {
        u32 mask = word == from / 32 ? ~below(from % 32) : ~0u;
        if (to - word * 32 < 32)
            mask &= below(to % 32);
        if (MODELS > 1)
            mask &= bits_of_model(w, MODEL)[word];
        u32 all = w.bits_new[word], now = all & mask, first = later ? w.later_first[word] : ~w.later_first[word];
        u32 ended = MEMORY ? w.bits_old[word] & ~all & mask & first : 0;
        u32 place = now ? w.rank_new[word] + __popc(all & below((u32)__ffs((i32)now) - 1)) : 0;
        for (; now; now &= now - 1, ++place) {
            // Contacts of other models may be between them.
            if (MODELS > 1)
                place = w.rank_new[word] + __popc(all & below((u32)__ffs((i32)now) - 1));
            bool is_first = first >> (__ffs((i32)now) - 1) & 1;
            Real deed[DEED];
            for (int k = 0; k < 6; k += 2)
                load_two(w.deed + DEED_STRIDE * (u64)place + k, deed + k);
            if (is_first)
                for (int k = 6; k < DEED; k += 2)
                    load_two(w.deed + DEED_STRIDE * (u64)place + k, deed + k);
            for (int axis = 0; axis < 3; ++axis)
                add_deed(deed[axis], is_first ? deed[6 + axis] : deed[3 + axis], axis, is_first, acting);
            if (is_first)
                post_deed(deed, lost);
        }
        for (; ended; ended &= ended - 1) {
            u32 c = word * 32 + (u32)__ffs((i32)ended) - 1;
            w.books[SEPARATION * w.rows + row] += w.memory_old[ENDING * w.stride_old + old_place(w, c)];
        }
    }
}

__device__ void add_slots(const World &w, u32 row, double *acting, double *lost)
{
    for (u32 slot = w.slot_first[row]; slot < w.slot_first[row + 1]; ++slot) {
        if (MODELS > 1 && !is_slot_of_model(w, slot))
            continue;
        if (MEMORY && w.slot_ended[slot])
            w.books[SEPARATION * w.rows + row] += w.slot_memory_old[ENDING * w.slots + slot];
        if (!w.slot_now[slot])
            continue;
        for (int axis = 0; axis < 3; ++axis) {
            double force = w.slot_outcome[axis * w.slots + slot], torque = w.slot_outcome[(TORQUE_A + axis) * w.slots + slot];
            add_deed(force, torque, axis, true, acting);
        }
        post_losses(w.slot_outcome, w.slots, slot, lost);
        if (!w.wall_fixed[w.slot_wall[slot]])
            w.books[WALL_WORK * w.rows + row] += wall_work(w, slot);
    }
}

__device__ void add_contacts(const World &w, u32 row, double *acting, double *lost)
{
    u32 from = w.row_candidate[row], to = w.row_candidate[row + 1];
    if (from < to)
        add_candidates(w, row, from, to, true, acting, lost);
    for (u32 k = w.link_first[row]; k < w.link_first[row + 1]; ++k)
        add_candidates(w, row, w.link[2 * (u64)k], w.link[2 * (u64)k + 1], false, acting, lost);
    if (w.slots)
        add_slots(w, row, acting, lost);
}
