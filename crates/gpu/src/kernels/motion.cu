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

// Takes the numbers of a hook: q, ω, what the scheme remembers; torque, moments, inverses, Δt.
#define SPIN (7 + SCHEME_MEMORY)

__device__ void load_hook(const World &w, const Real *spin, const double *acting, const double *kind, Real *in)
{
    for (int k = 0; k < SPIN; ++k)
        in[k] = spin[k];
    for (int k = 0; k < 3; ++k) {
        in[SPIN + k] = (Real)(acting[3 + k] * kind[KIND_UNIT]);
        in[SPIN + 3 + k] = (Real)kind[KIND_MOMENTS + k];
        in[SPIN + 6 + k] = (Real)kind[KIND_SPIN_INVERSE + k];
    }
    in[SPIN + 9] = (Real)w.dt;
}

// The leapfrog: a kick, then a drift. What is added up from step to step is not rounded.
__device__ void leap(const World &w, const double *acting, const double *kind, double *position, double *velocity)
{
    Real kick[5], drift[4], by[3];
    for (int axis = 0; axis < 3; ++axis)
        kick[axis] = (Real)acting[axis];
    kick[3] = (Real)kind[KIND_INVERSE_MASS];
    kick[4] = drift[3] = (Real)w.dt;
    body_kick(kick, by);
    for (int axis = 0; axis < 3; ++axis) {
        velocity[axis] += (double)by[axis];
        drift[axis] = (Real)velocity[axis];
    }
    body_drift(drift, by);
    for (int axis = 0; axis < 3; ++axis)
        position[axis] += (double)by[axis];
}

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
    double scale = kind_of(w, row)[KIND_SCALE];
    Real in[8], offset[3];
    for (int k = 0; k < 4; ++k)
        in[k] = (Real)q[k];
    in[4] = (Real)scale;
    for (u32 sphere = first; sphere < w.first_sphere[row + 1]; ++sphere) {
        const double *point = w.template_sphere + 4 * (u64)(template_first + sphere - first);
        for (int axis = 0; axis < 3; ++axis)
            in[5 + axis] = (Real)point[axis];
        body_offset(in, offset);
        store_two(w.placed + 4 * (u64)sphere, centre[0] + (double)offset[0], centre[1] + (double)offset[1]);
        store_two(w.placed + 4 * (u64)sphere + 2, centre[2] + (double)offset[2], point[3] * scale);
    }
}

// To the instant of the force at the end of step `to`.
__device__ void move_row(const World &w, u32 row, u64 to, const double *acting)
{
    const double *kind = kind_of(w, row);
    Real spin[SPIN], in[SPIN + 10], out[SPIN];
    double position[3], velocity[3], before[4], after[4];
    for (int k = 0; k < 4; ++k)
        spin[k] = (Real)w.q[k * w.rows + row];
    for (int k = 0; k < 3; ++k)
        spin[4 + k] = (Real)w.omega[k * w.rows + row];
    for (int k = 0; k < SCHEME_MEMORY; ++k)
        spin[7 + k] = (Real)w.scheme_memory[k * w.rows + row];
    double *record = w.record + RECORD * (u64)row;
    for (int k = 0; k < 4; ++k)
        before[k] = STAGGERED ? record[9 + k] : (double)spin[k];
    // Every hundred steps, as the processor looks at it.
    double x = spin[4], y = spin[5], z = spin[6], turn = sqrt(x * x + y * y + z * z) * w.dt;
    if (to % 100 == 0 && turn > w.max_turn && kind[KIND_ARM] > 0.0 && !is_held(w, row))
        halt(w, to, TURNS);
    for (int axis = 0; axis < 3; ++axis) {
        position[axis] = w.position[axis * w.rows + row];
        velocity[axis] = w.velocity[axis * w.rows + row];
    }
#if ANY_HELD
    Hand hand(position, velocity, spin);
#endif
    // A fresh body is at the end of its step already.
    if (!(TORQUE_AT_END && w.any_fresh && w.fresh[row])) {
        load_hook(w, spin, acting, kind, in);
        after_torque(in, out);
        for (int k = 0; k < SPIN; ++k)
            spin[k] = out[k];
    }
    if (w.any_fresh)
        w.fresh[row] = 0;
    leap(w, acting, kind, position, velocity);
    if (TORQUE_AT_END) {
        load_hook(w, spin, acting, kind, in);
        before_torque(in, out);
        for (int k = 0; k < SPIN; ++k)
            spin[k] = out[k];
    }
#if ANY_HELD
    if (is_held(w, row))
        hand.move(w, position, velocity, spin);
#endif
    for (int axis = 0; axis < 3; ++axis) {
        if (w.periodic && w.length[axis] > 0.0)
            position[axis] = wrap(position[axis], w.low[axis], w.high[axis]);
        w.position[axis * w.rows + row] = position[axis];
        w.velocity[axis * w.rows + row] = velocity[axis];
    }
    for (int k = 0; k < 4; ++k)
        w.q[k * w.rows + row] = spin[k];
    for (int k = 0; k < 3; ++k)
        w.omega[k * w.rows + row] = spin[4 + k];
    for (int k = 0; k < SCHEME_MEMORY; ++k)
        w.scheme_memory[k * w.rows + row] = spin[7 + k];
    // As laws see it.
    double shown[RECORD];
    Real seen[7];
#if SHOWS
    Real show[15], showing[6];
    load_hook(w, spin, acting, kind, in);
    at_torque(in, seen);
    for (int k = 0; k < 7 && is_held(w, row); ++k)
        seen[k] = spin[k];
    for (int axis = 0; axis < 3; ++axis) {
        show[axis] = (Real)velocity[axis];
        show[3 + axis] = (Real)acting[axis];
        show[12 + axis] = seen[4 + axis];
    }
    show[6] = (Real)kind[KIND_INVERSE_MASS];
    show[7] = (Real)w.dt;
    for (int k = 0; k < 4; ++k)
        show[8 + k] = seen[k];
    body_show(show, showing);
    for (int k = 0; k < 6; ++k)
        shown[3 + k] = showing[k];
#else
    // Those that ask for no velocities at the instant of the force see those of the time level.
    double at_level[7];
    for (int k = 0; k < 7; ++k)
        at_level[k] = seen[k] = spin[k];
    for (int axis = 0; axis < 3; ++axis)
        shown[3 + axis] = velocity[axis];
    body_turning(at_level, shown + 6);
#endif
    for (int axis = 0; axis < 3; ++axis)
        shown[axis] = position[axis];
    for (int k = 0; k < 4; ++k) {
        shown[9 + k] = seen[k];
        after[k] = STAGGERED ? seen[k] : spin[k];
    }
    shown[RECORD_KIND] = (double)w.kind[row];
    for (int k = 0; k < RECORD; k += 2)
        store_two(record + k, shown[k], shown[k + 1]);
    double displace[13], displacement[1];
    for (int k = 0; k < 4; ++k) {
        displace[k] = before[k];
        displace[4 + k] = after[k];
    }
    for (int axis = 0; axis < 3; ++axis)
        displace[8 + axis] = velocity[axis];
    displace[11] = kind[KIND_ARM];
    displace[12] = w.dt;
    body_displace(displace, displacement);
    if (SINGLE)
        displacement[0] = displacement[0] * (1.0 + w.slack) + kind[KIND_ARM] * w.slack;
    note_displacement(w, row, to, displacement[0]);
    place_spheres(w, row, position, after);
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

#define MOVE_BLOCKS (SINGLE ? 7 : 6)
KERNEL_BOUNDS(sum_and_move, 128, MOVE_BLOCKS)
{
    u64 row = thread_index();
    if (row >= w.rows || *w.halt <= w.step)
        return;
    double acting[6];
    sum_row(w, (u32)row, acting);
    move_row(w, (u32)row, w.step + 1, acting);
}
