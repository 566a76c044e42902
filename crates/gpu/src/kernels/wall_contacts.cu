// What contacts with walls do. In a world of several models each has these kernels for its own contacts.

// Whether a slot is of a body and a wall.
__device__ bool is_touch_of(const World &w, u32 row, u32 wall, u32 slot)
{
    return slot >= w.slot_first[row] && slot < w.slot_first[row + 1] && w.slot_wall[slot] == wall;
}

// The wall of a contact as a side that nothing moves; where it is touched.
__device__ void resting_wall(const double *geometry, double *side)
{
    for (int k = 0; k < SIDE; ++k)
        side[k] = 0.0;
    for (int k = 0; k < 3; ++k)
        side[k] = geometry[5 + k];
    side[SIDE_Q] = 1.0;
}

// The mass behind the contact of a slot, one of `count` of its body with its wall, the slots of which begin with `first`. A wall is
// where it is touched.
__device__ double shared_mass_on_wall(const World &w, u32 slot, u32 first, u32 row, u32 count, const double *a, const double *constants)
{
    double weight = weight_of(count);
    u32 wall = w.slot_wall[slot], found = 0, which = 0;
    double b[SIDE], parts[2][PART], both[2];
    Masses masses;
    for (int pass = 0; pass < 2; ++pass)
        for (u32 s = first; is_touch_of(w, row, wall, s); ++s) {
            const double *geometry = w.slot_geometry + GEOMETRY * (u64)s;
            if (!w.slot_now[s])
                continue;
            if (found == 0) {
                resting_wall(geometry, b);
                masses.begin(a, b);
            }
            part_of(constants, a, geometry + 5, geometry, weight, masses.part());
            if (found < 2)
                for (int k = 0; k < PART; ++k)
                    parts[found][k] = masses.part()[k];
            which = pass == 0 && s == slot ? found : which;
            if (pass == 0)
                masses.push();
            else
                masses.direct();
            ++found;
        }
    if (count == 2) {
        masses_of_two(a, b, parts[0], parts[1], both);
        return which == 0 ? both[0] : both[1];
    }
    const double *geometry = w.slot_geometry + GEOMETRY * (u64)slot;
    part_of(constants, a, geometry + 5, geometry, weight, masses.part());
    return masses.mass();
}

// The slot, from one on, that has what the contact of a slot remembers; none for one that has just begun. A sphere that slides from one
// part of a wall onto the next takes along what it remembers, if the normal is much the same.
__device__ u32 goes_on_from(const World &w, u32 slot, u32 feature, const double *geometry)
{
#if MESHES
    if (w.wall_kind[w.slot_wall[slot]] == MESH)
        return w.slot_from[slot];
#endif
    u32 was = w.slot_was[slot];
    bool known = was != 0;
    if (MEMORY && known && was - 1 != feature) {
        double cosine = 0.0;
        for (int k = 0; k < 3; ++k)
            cosine += w.slot_memory_old[k * w.slots + slot] * geometry[2 + k];
        known = cosine > 0.9;
    }
    w.slot_ended[slot] = was && !known;
    return known ? slot + 1 : 0;
}

__device__ void evaluate_slot(const World &w, u32 slot, u32 feature, const double *geometry)
{
    Real in[IN_MORE + ACTION + 1], out[OUTCOME + MEMORY + 1];
    double a[SIDE], b[SIDE], moved[9];
    u32 sphere = w.slot_sphere[slot], wall = w.slot_wall[slot], row = w.owner[sphere];
    u32 kind = load_seen(w, row, a), from = goes_on_from(w, slot, feature, geometry);
    u64 materials = w.kind_material[kind] * w.materials + w.wall_material[wall];
    bool matters = masses_matter(w, materials);
    load_rest(w, materials, from != 0, w.slot_memory_old + (from ? from - 1 : 0), w.slots, in);
    if (AVERAGE || matters) {
        u32 count = 0, first = slot;
        while (first > 0 && is_touch_of(w, row, wall, first - 1))
            --first;
        for (u32 s = first; is_touch_of(w, row, wall, s); ++s)
            count += w.slot_now[s] != 0;
        if (count > 1) {
            double mass = matters ? shared_mass_on_wall(w, slot, first, row, count, a, constants_of(w, materials)) : 0.0;
            share(count, matters, mass, in);
        }
    }
    resting_wall(geometry, b);
    move_wall(w, wall, geometry + 5, geometry + 2, moved);
    for (int k = 0; k < 3; ++k) {
        b[3 + k] = moved[6 + k];
        b[6 + k] = pose_of(w, wall)[POSE_OMEGA + k];
    }
    if (!(geometry[0] <= w.max_overlap * geometry[8]))
        halt(w, w.step, OVERLAPS);
    load_given(geometry, a, b, in);
    act(from != 0, in, out);
    for (int k = 0; k < OUTCOME; ++k)
        w.slot_outcome[k * w.slots + slot] = outcome_of(out, k, a);
    for (int k = 0; k < MEMORY; ++k)
        w.slot_memory_new[k * w.slots + slot] = out[OUTCOME + k];
}

// Whether the contact of a slot is one of this model.
__device__ bool is_slot_of_model(const World &w, u32 slot)
{
    return MODELS == 1 || is_of_model(w, materials_on_wall(w, slot), MODEL);
}

// Few slots for a block: contacts with walls are seldom many, and the last block is waited for.
#define WALL_TILE 128
#define WALL_THREADS 64

KERNEL_BOUNDS(wall_contacts, WALL_THREADS, 6)
{
    // Those that touch are gathered first.
    __shared__ u32 touching[WALL_TILE], found;
    if (threadIdx.x == 0)
        found = 0;
    if (is_block_halted(w))
        return;
    for (u32 k = threadIdx.x; k < WALL_TILE; k += WALL_THREADS) {
        u64 slot = (u64)blockIdx.x * WALL_TILE + k;
        if (slot >= w.slots)
            break;
        if (w.slot_now[slot])
            touching[atomicAdd(&found, 1u)] = (u32)slot;
        else if (!MESHES || w.wall_kind[w.slot_wall[slot]] != MESH)
            w.slot_ended[slot] = w.slot_was[slot] != 0;
    }
    __syncthreads();
    for (u32 k = threadIdx.x; k < found; k += WALL_THREADS) {
        u32 slot = touching[k];
        if (!is_slot_of_model(w, slot))
            continue;
        evaluate_slot(w, slot, w.slot_now[slot] - 1, w.slot_geometry + GEOMETRY * (u64)slot);
    }
}

// What a wall that moves spends on the body of a slot, in this step.
__device__ double wall_work(const World &w, u32 slot)
{
    double in[18], out[1];
    const double *pose = pose_of(w, w.slot_wall[slot]);
    for (int k = 0; k < 3; ++k) {
        in[k] = w.slot_outcome[k * w.slots + slot];
        in[3 + k] = TURNS_BODIES ? w.slot_outcome[(OUTCOME - 3 + k) * w.slots + slot] : 0.0;
        in[6 + k] = w.slot_outcome[(3 + k) * w.slots + slot];
        in[9 + k] = pose[POSE_ORIGIN + k];
        in[12 + k] = pose[POSE_VELOCITY + k];
        in[15 + k] = pose[POSE_OMEGA + k];
    }
    wall_power(in, out);
    return out[0] * w.dt;
}
