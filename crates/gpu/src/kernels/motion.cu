// From contacts to bodies, and from one force to the next: one thread for each body.
//
//   sum_row     weight, then all contacts of the row in their order: those in which it is the later one, those in which it is
//               the earlier one, those with walls
//   move_row    what the scheme has to do with the torque, the leapfrog, the body as laws see it, its spheres
//
// Between two steps of a batch both are one kernel, `sum_and_move`; `move` begins a batch, and `sum` ends it.

__device__ void sum_row(const World &w, u32 row, double *acting)
{
    double mass = kind_of(w, row)[KIND_MASS], lost[LOST + 1];
    for (int axis = 0; axis < 3; ++axis) {
        acting[axis] = w.gravity[axis] * mass;
        acting[3 + axis] = 0.0;
    }
    load_lost(w, row, lost);
    add_contacts(w, row, acting, lost);
    store_lost(w, row, lost);
#if ANY_FIELDS || ANY_HELD
    add_fields(w, row, acting);
#endif
}

// Takes the numbers of a hook: q, ω, what the scheme remembers; torque, moments, Δt.
#define SPIN (7 + SCHEME_MEMORY)

__device__ void load_hook(const World &w, const double *spin, const double *acting, const double *kind, double *in)
{
    for (int k = 0; k < SPIN; ++k)
        in[k] = spin[k];
    for (int k = 0; k < 3; ++k) {
        in[SPIN + k] = acting[3 + k];
        in[SPIN + 3 + k] = kind[KIND_MOMENTS + k];
    }
    in[SPIN + 6] = w.dt;
}

// A hook of the scheme. Torques do nothing to a body that is held.
#if ANY_HELD
#define HOOK(hook, in, out) (is_held(w, row) ? hook##_held(in, out) : hook(in, out))
#else
#define HOOK(hook, in, out) hook(in, out)
#endif

// The image of a coordinate inside a period: see Axis::wrap.
__device__ double wrap(double x, double low, double high)
{
    if (x >= low && x < high)
        return x;
    double length = high - low;
    double image = x - floor((x - low) / length) * length;
    return image >= high || image < low ? low : image;
}

// Counts a displacement against the skin.
__device__ void note_displacement(const World &w, u32 row, u64 to, double displacement)
{
    double travelled = w.travelled[row] + displacement;
    w.travelled[row] = travelled;
    u64 bits = (u64)__double_as_longlong(displacement);
    // Few are longer than the longest so far; the larger of two numbers that are not negative has the larger bits.
    if (bits > *w.longest)
        atomicMax(w.longest, bits);
    if (!(displacement - displacement == 0.0))
        halt(w, to, NOT_FINITE);
    // So far that a sphere might have gone through a thin wall.
    if (displacement > w.sheet_limit)
        halt(w, to, FAST);
    if (!(travelled + max(travelled, w.wall_travelled[to - w.first_step]) <= w.skin))
        halt(w, to, REBUILD);
}

__device__ void place_spheres(const World &w, u32 row, const double *centre, const double *q)
{
    u32 kind = w.kind[row], template_first = w.template_first[w.kind_template[kind]], first = w.first_sphere[row];
    double scale = kind_of(w, row)[KIND_SCALE], in[11], out[3];
    for (int k = 0; k < 4; ++k)
        in[k] = q[k];
    in[4] = scale;
    for (int axis = 0; axis < 3; ++axis)
        in[5 + axis] = centre[axis];
    for (u32 sphere = first; sphere < w.first_sphere[row + 1]; ++sphere) {
        const double *point = w.template_sphere + 4 * (u64)(template_first + sphere - first);
        for (int axis = 0; axis < 3; ++axis)
            in[8 + axis] = point[axis];
        body_place(in, out);
        store_two(w.placed + 4 * (u64)sphere, out[0], out[1]);
        store_two(w.placed + 4 * (u64)sphere + 2, out[2], point[3] * scale);
    }
}

// To the instant of the force at the end of step `to`.
__device__ void move_row(const World &w, u32 row, u64 to, const double *acting)
{
    const double *kind = kind_of(w, row);
    double spin[SPIN], in[SPIN + 7], out[SPIN], move[11], moved[6], before[4];
    for (int k = 0; k < 4; ++k)
        spin[k] = w.q[k * w.rows + row];
    for (int k = 0; k < 3; ++k)
        spin[4 + k] = w.omega[k * w.rows + row];
    for (int k = 0; k < SCHEME_MEMORY; ++k)
        spin[7 + k] = w.scheme_memory[k * w.rows + row];
    double *record = w.record + RECORD * (u64)row;
    for (int k = 0; k < 4; ++k)
        before[k] = STAGGERED ? record[9 + k] : spin[k];
    // Every hundred steps, as the processor looks at it.
    double turn = sqrt(spin[4] * spin[4] + spin[5] * spin[5] + spin[6] * spin[6]) * w.dt;
    if (to % 100 == 0 && turn > w.max_turn && kind[KIND_ARM] > 0.0 && !is_held(w, row))
        halt(w, to, TURNS);
#if ANY_HELD
    double held[7];
    for (int k = 0; k < 7; ++k)
        held[k] = spin[k];
#endif
    // A fresh body is at the end of its step already.
    if (!(TORQUE_AT_END && w.any_fresh && w.fresh[row])) {
        load_hook(w, spin, acting, kind, in);
        HOOK(after_torque, in, out);
        for (int k = 0; k < SPIN; ++k)
            spin[k] = out[k];
    }
    if (w.any_fresh)
        w.fresh[row] = 0;
    for (int axis = 0; axis < 3; ++axis) {
        move[axis] = w.position[axis * w.rows + row];
        move[3 + axis] = w.velocity[axis * w.rows + row];
        move[6 + axis] = acting[axis];
    }
    move[9] = kind[KIND_INVERSE_MASS];
    move[10] = w.dt;
    body_move(move, moved);
    if (TORQUE_AT_END) {
        load_hook(w, spin, acting, kind, in);
        HOOK(before_torque, in, out);
        for (int k = 0; k < SPIN; ++k)
            spin[k] = out[k];
    }
#if ANY_HELD
    if (is_held(w, row))
        move_by_hand(w, move, held, held + 4, moved, spin);
#endif
    for (int axis = 0; axis < 3; ++axis) {
        if (w.periodic && w.length[axis] > 0.0)
            moved[axis] = wrap(moved[axis], w.low[axis], w.high[axis]);
        w.position[axis * w.rows + row] = moved[axis];
        w.velocity[axis * w.rows + row] = moved[3 + axis];
    }
    for (int k = 0; k < 4; ++k)
        w.q[k * w.rows + row] = spin[k];
    for (int k = 0; k < 3; ++k)
        w.omega[k * w.rows + row] = spin[4 + k];
    for (int k = 0; k < SCHEME_MEMORY; ++k)
        w.scheme_memory[k * w.rows + row] = spin[7 + k];
    // As laws see it; those that ask for no velocities at the instant of the force see those of the time level.
    double seen[7], show[15], shown[6];
    if (SHOWS && !is_held(w, row)) {
        load_hook(w, spin, acting, kind, in);
        at_torque(in, seen);
    } else {
        for (int k = 0; k < 7; ++k)
            seen[k] = spin[k];
    }
    for (int axis = 0; axis < 3; ++axis) {
        show[axis] = moved[3 + axis];
        show[3 + axis] = acting[axis];
        show[12 + axis] = seen[4 + axis];
    }
    show[6] = kind[KIND_INVERSE_MASS];
    show[7] = w.dt;
    for (int k = 0; k < 4; ++k)
        show[8 + k] = seen[k];
    body_show(show, shown);
    const double *after = STAGGERED ? seen : spin;
    double shown_now[RECORD];
    for (int axis = 0; axis < 3; ++axis) {
        shown_now[axis] = moved[axis];
        shown_now[3 + axis] = SHOWS ? shown[axis] : moved[3 + axis];
        shown_now[6 + axis] = shown[3 + axis];
    }
    for (int k = 0; k < 4; ++k)
        shown_now[9 + k] = seen[k];
    shown_now[RECORD_KIND] = (double)w.kind[row];
    for (int k = 0; k < RECORD; k += 2)
        store_two(record + k, shown_now[k], shown_now[k + 1]);
    double displace[13], displacement[1];
    for (int k = 0; k < 4; ++k) {
        displace[k] = before[k];
        displace[4 + k] = after[k];
    }
    for (int axis = 0; axis < 3; ++axis)
        displace[8 + axis] = moved[3 + axis];
    displace[11] = kind[KIND_ARM];
    displace[12] = w.dt;
    body_displace(displace, displacement);
    note_displacement(w, row, to, displacement[0]);
    place_spheres(w, row, moved, after);
}


// Places all spheres of bodies that come from the host.
KERNEL(place)
{
    u64 row = thread_index();
    if (row >= w.rows)
        return;
    double centre[3], q[4];
    for (int axis = 0; axis < 3; ++axis)
        centre[axis] = w.position[axis * w.rows + row];
    for (int k = 0; k < 4; ++k)
        q[k] = STAGGERED ? w.record[RECORD * row + 9 + k] : w.q[k * w.rows + row];
    place_spheres(w, (u32)row, centre, q);
}

KERNEL_BOUNDS(move, 128, 1)
{
    u64 row = thread_index();
    if (row >= w.rows || *w.halt <= w.step - 1)
        return;
    double acting[6];
    for (int k = 0; k < 6; ++k)
        acting[k] = w.acting[k * w.rows + row];
    move_row(w, (u32)row, w.step, acting);
}

KERNEL_BOUNDS(sum, 128, 1)
{
    u64 row = thread_index();
    if (row >= w.rows || *w.halt <= w.step)
        return;
    double acting[6];
    sum_row(w, (u32)row, acting);
    for (int k = 0; k < 6; ++k)
        w.acting[k * w.rows + row] = acting[k];
}

#define MOVE_BLOCKS 5
KERNEL_BOUNDS(sum_and_move, 128, MOVE_BLOCKS)
{
    u64 row = thread_index();
    if (row >= w.rows || *w.halt <= w.step)
        return;
    double acting[6];
    sum_row(w, (u32)row, acting);
    move_row(w, (u32)row, w.step + 1, acting);
}
