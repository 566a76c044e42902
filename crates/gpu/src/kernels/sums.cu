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

// Goes through the contacts of a row: those in which it is the later one, then those with each later row, link by link. Each call of `next`
// finds one, so that the threads of a warp add up theirs together, however many each had to pass over. The next link, and what is known of
// its candidates, are on their way meanwhile.
struct Walk {
    u32 word, from, to;     // what is left of a range of candidates begins with this word
    u32 now, all, rank;     // contacts of the word before that are to come; all those of that word, and how many are before it
    u32 first;              // whose first body the row is, among them
    bool own;               // whether the row is the later one
    u32 link, links;
    uint2 ahead, after;
    Word word_ahead;

    __device__ void begin(const World &w, u32 row)
    {
        from = w.row_candidate[row];
        to = w.row_candidate[row + 1];
        word = from / 32;
        now = 0;
        own = true;
        link = w.link_first[row];
        links = w.link_first[row + 1];
        ahead = link_at(w, link);
        after = link_at(w, link + 1);
        word_ahead = word_at(w, ahead.x / 32);
    }

    __device__ bool next(const World &w, u32 row)
    {
        while (!now) {
            if (word * 32 < to) {
                look(w, row, word_at(w, word), own ? w.later_first[word] : first);
                continue;
            }
            if (link == links)
                return false;
            from = ahead.x;
            to = ahead.y & ~FIRST_IS_LATER;
            word = from / 32;
            own = false;
            look(w, row, word_ahead, ahead.y & FIRST_IS_LATER ? 0 : ~0u);
            ++link;
            ahead = after;
            after = link_at(w, link + 1);
            word_ahead = word_at(w, ahead.x / 32);
        }
        return true;
    }

    __device__ uint2 link_at(const World &w, u32 number) const
    {
        return number < links ? ((const uint2 *)w.link)[number] : make_uint2(0, 0);
    }

    // What contacts leave that ended is added to the books.
    __device__ void look(const World &w, u32 row, Word of, u32 first_bodies)
    {
        u32 mask = word == from / 32 ? ~below(from % 32) : ~0u;
        if (to - word * 32 < 32)
            mask &= below(to % 32);
        if (MODELS > 1)
            mask &= bits_of_model(w, MODEL)[word];
        all = of.now;
        rank = of.rank;
        now = all & mask;
        first = first_bodies;
        for (u32 ended = MEMORY ? of.before & ~all & mask & first : 0; ended; ended &= ended - 1) {
            u32 c = word * 32 + (u32)__ffs((i32)ended) - 1;
            w.books[SEPARATION * w.rows + row] += w.memory_old[ENDING * w.stride_old + old_place(w, c)];
        }
        ++word;
    }
};

__device__ void add_between(const World &w, u32 row, double *acting, double *lost)
{
    Walk walk;
    walk.begin(w, row);
    while (walk.next(w, row)) {
        u32 bit = walk.now & (0u - walk.now);
        bool is_first = walk.first & bit;
        walk.now ^= bit;
        const Real *from = w.deed + DEED_STRIDE * (u64)(walk.rank + __popc(walk.all & (bit - 1)));
        Real deed[DEED];
        for (int k = 0; k < 6; k += 2)
            load_two(from + k, deed + k);
        if (is_first)
            for (int k = 6; k < DEED; k += 2)
                load_two(from + k, deed + k);
        for (int axis = 0; axis < 3; ++axis)
            add_deed(deed[axis], is_first ? deed[6 + axis] : deed[3 + axis], axis, is_first, acting);
        if (is_first)
            post_deed(deed, lost);
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
    add_between(w, row, acting, lost);
    if (w.slots)
        add_slots(w, row, acting, lost);
}
