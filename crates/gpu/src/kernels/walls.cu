// Contacts with walls. A sphere near a wall has a slot for each touch that there may be: one, or one for each near face of a box. Slots
// of a row follow each other, by wall, then by sphere, then by face; so do their contacts in all sums.

#define WALL_NUMBERS 16
#define POSE 17
#define POSE_ORIGIN 3
#define POSE_VELOCITY 10
#define POSE_OMEGA 13
#define POSE_PRESENT 16

#define PLANE 0u
#define BOX 1u
#define CYLINDER_INSIDE 2u
#define CYLINDER_OUTSIDE 3u
#define FRUSTUM_INSIDE 4u
#define FRUSTUM_OUTSIDE 5u

// Where a wall is touched: part, distance, normal.
#define NEAREST 5

__device__ const double *pose_of(const World &w, u32 wall)
{
    return w.poses + ((w.step - w.first_step) * w.walls + wall) * POSE;
}

__device__ u32 faces_of(const World &w, u32 wall) { return w.wall_kind[wall] == BOX ? 6 : 1; }

// A point as the wall sees it, and a direction of the wall as the lab sees it.
__device__ void move_wall(const World &w, u32 wall, const double *point, const double *direction, double *out)
{
    double in[22];
    const double *pose = pose_of(w, wall);
    for (int k = 0; k < 3; ++k) {
        in[k] = point[k];
        in[19 + k] = direction[k];
    }
    for (int k = 0; k < 16; ++k)
        in[3 + k] = pose[k];
    wall_move(in, out);
}

// The nearest point of a face of a wall to a centre in the lab, with the normal in the lab.
__device__ void nearest_of(const World &w, u32 wall, u32 face, const double *centre, double *nearest)
{
    double in[3 + WALL_NUMBERS], out[6 * NEAREST], moved[9];
    const double nowhere[3] = {0.0, 0.0, 0.0};
    bool fixed = w.wall_fixed[wall];
    if (!fixed)
        move_wall(w, wall, centre, nowhere, moved);
    for (int k = 0; k < 3; ++k)
        in[k] = fixed ? centre[k] : moved[k];
    for (int k = 0; k < WALL_NUMBERS; ++k)
        in[3 + k] = w.wall_numbers[WALL_NUMBERS * wall + k];
    switch (w.wall_kind[wall]) {
    case PLANE: wall_plane(in, out); break;
    case BOX: wall_box(in, out); break;
    case CYLINDER_INSIDE: wall_cylinder_inside(in, out); break;
    case CYLINDER_OUTSIDE: wall_cylinder_outside(in, out); break;
    case FRUSTUM_INSIDE: wall_frustum_inside(in, out); break;
    default: wall_frustum_outside(in, out); break;
    }
    for (u32 k = 0; k < NEAREST; ++k)
        nearest[k] = out[face * NEAREST + k];
    if (!fixed) {
        move_wall(w, wall, centre, nearest + 2, moved);
        for (int k = 0; k < 3; ++k)
            nearest[2 + k] = moved[3 + k];
    }
}

// Whether a face is within reach of a point, here or where the point comes in again if it leaves a periodic domain soon.
__device__ bool near_wall(const World &w, u32 wall, u32 face, const double *point, double reach)
{
    for (u32 corner = 0; corner < (w.periodic ? 27u : 1u); ++corner) {
        double image[3], nearest[NEAREST];
        u32 steps = corner;
        bool same = true;
        for (int axis = 0; axis < 3; ++axis, steps /= 3) {
            u32 along = steps % 3;
            same = same && (along == 0 || w.length[axis] > 0.0);
            image[axis] = point[axis] + (along == 0 ? 0.0 : along == 1 ? w.length[axis] : -w.length[axis]);
        }
        if (!same)
            continue;
        nearest_of(w, wall, face, image, nearest);
        if (nearest[1] <= reach)
            return true;
    }
    return false;
}

// Counts the slots of a row and, if there is room, writes them.
__device__ u32 near_walls(const World &w, u32 row, u32 to, bool write)
{
    u32 found = 0;
    double centre[3], bounding = kind_of(w, row)[KIND_BOUNDING];
    for (int axis = 0; axis < 3; ++axis)
        centre[axis] = w.position[axis * w.rows + row];
    for (u32 wall = 0; wall < w.walls; ++wall) {
        bool any = false;
        if (pose_of(w, wall)[POSE_PRESENT] == 0.0)
            continue;
        for (u32 face = 0; face < faces_of(w, wall); ++face) {
            double nearest[NEAREST];
            nearest_of(w, wall, face, centre, nearest);
            if (w.wall_solid[wall] && nearest[1] < 0.0)
                halt(w, w.step, ESCAPED);
            any = any || near_wall(w, wall, face, centre, bounding + w.skin);
        }
        if (!any)
            continue;
        for (u32 sphere = w.first_sphere[row]; sphere < w.first_sphere[row + 1]; ++sphere) {
            double placed[4];
            load_sphere(w, sphere, placed);
            for (u32 face = 0; face < faces_of(w, wall); ++face)
                if (near_wall(w, wall, face, placed, placed[3] + w.skin)) {
                    if (write) {
                        w.slot_sphere[to + found] = sphere;
                        w.slot_wall[to + found] = wall;
                        w.slot_face[to + found] = face;
                    }
                    ++found;
                }
        }
    }
    return found;
}

KERNEL(count_slots)
{
    u64 row = thread_index();
    if (row < w.rows)
        w.slot_count[row] = near_walls(w, (u32)row, 0, false);
}

KERNEL(find_slots)
{
    u64 row = thread_index();
    if (row < w.rows)
        near_walls(w, (u32)row, w.slot_first[row], true);
}

// Each contact of before finds its slot in the new lists, and takes along what it remembers.
KERNEL(carry_slots)
{
    u64 old = thread_index();
    if (old >= w.carried_slots || !w.carried_feature[old])
        return;
    u32 sphere = w.carried_sphere[old], wall = w.carried_wall[old], feature = w.carried_feature[old] - 1;
    u32 row = w.owner[sphere];
    for (u32 slot = w.slot_first[row]; slot < w.slot_first[row + 1]; ++slot) {
        bool same_face = w.wall_kind[wall] != BOX || w.slot_face[slot] == feature;
        if (w.slot_sphere[slot] != sphere || w.slot_wall[slot] != wall || !same_face)
            continue;
        w.slot_was[slot] = feature + 1;
        for (int k = 0; k < MEMORY; ++k)
            w.slot_memory_old[k * w.slots + slot] = w.carried_memory[k * w.carried_slots + old];
        return;
    }
    halt(w, w.step, LOST_CONTACT);
}

// Which slots touch, on which part of their wall, with which geometry.
KERNEL_BOUNDS(touch_walls, 128, 4)
{
    u64 slot = thread_index();
    if (slot >= w.slots || *w.halt <= w.step)
        return;
    u32 wall = w.slot_wall[slot], now = 0;
    if (pose_of(w, wall)[POSE_PRESENT] != 0.0) {
        double in[9], nearest[NEAREST], geometry[GEOMETRY];
        load_sphere(w, w.slot_sphere[slot], in);
        nearest_of(w, wall, w.slot_face[slot], in, nearest);
        if (nearest[1] < in[3]) {
            now = (u32)nearest[0] + 1;
            for (int k = 0; k < 3; ++k)
                in[4 + k] = nearest[2 + k];
            in[7] = in[3] - nearest[1];
            in[8] = 1.0;
            touch_wall(in, geometry);
            for (int k = 0; k < GEOMETRY; ++k)
                w.slot_geometry[GEOMETRY * slot + k] = geometry[k];
        }
    }
    w.slot_now[slot] = now;
}

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
__device__ double shared_mass_on_wall(const World &w, u32 slot, u32 first, u32 row, u32 count, const double *constants,
                                      const double *a, double weight)
{
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

// The numbers that a contact of known geometry takes are those of two spheres, with the geometry in their place.
#define ON_WALL(at) ((at) - 8 + GEOMETRY)

__device__ void evaluate_slot(const World &w, u32 slot, u32 feature, const double *geometry)
{
    double in[ON_WALL(IN_MORE) + ACTION + 1], out[OUTCOME + MEMORY + 1], moved[9];
    u32 sphere = w.slot_sphere[slot], wall = w.slot_wall[slot], row = w.owner[sphere];
    for (int k = 0; k < GEOMETRY; ++k)
        in[k] = geometry[k];
    u32 kind = load_side(w, row, in + ON_WALL(IN_A));
    u64 materials = w.kind_material[kind] * w.materials + w.wall_material[wall];
    for (int k = 0; k < CONSTANTS; ++k)
        in[ON_WALL(IN_CONSTANTS) + k] = w.constants[materials * CONSTANTS + k];
    double weight = 1.0, mass = 0.0, part = 1.0;
    if (AVERAGE || w.masses_matter[materials]) {
        u32 count = 0, first = slot;
        while (first > 0 && is_touch_of(w, row, wall, first - 1))
            --first;
        for (u32 s = first; is_touch_of(w, row, wall, s); ++s)
            count += w.slot_now[s] != 0;
        if (count > 1) {
            weight = AVERAGE ? 1.0 / (double)count : 1.0;
            if (w.masses_matter[materials]) {
                mass = shared_mass_on_wall(w, slot, first, row, count, in + ON_WALL(IN_CONSTANTS), in + ON_WALL(IN_A), weight);
                part = 1.0 / (double)count;
            }
        }
    }
    double *b = in + ON_WALL(IN_B);
    resting_wall(geometry, b);
    move_wall(w, wall, geometry + 5, geometry + 2, moved);
    for (int k = 0; k < 3; ++k) {
        b[3 + k] = moved[6 + k];
        b[6 + k] = pose_of(w, wall)[POSE_OMEGA + k];
    }
    in[ON_WALL(IN_WEIGHT)] = weight;
    in[ON_WALL(IN_MASS)] = mass;
    in[ON_WALL(IN_PART)] = part;
    // A sphere that slides from one part of a wall onto the next takes along what it remembers, if the normal is much the same.
    u32 was = w.slot_was[slot];
    bool known = was != 0;
    if (MEMORY && known && was - 1 != feature) {
        double cosine = 0.0;
        for (int k = 0; k < 3; ++k)
            cosine += w.slot_memory_old[k * w.slots + slot] * geometry[2 + k];
        known = cosine > 0.9;
    }
    w.slot_ended[slot] = was && !known;
    in[ON_WALL(IN_KNOWN)] = known ? 1.0 : 0.0;
    for (int k = 0; k < MEMORY; ++k)
        in[ON_WALL(IN_MEMORY) + k] = known ? w.slot_memory_old[k * w.slots + slot] : 0.0;
    in[ON_WALL(IN_CLOCK)] = w.dt;
    in[ON_WALL(IN_CLOCK) + 1] = w.dt;
    in[ON_WALL(IN_CLOCK) + 2] = w.corrected;
    if (!(geometry[0] <= w.max_overlap * geometry[8]))
        halt(w, w.step, OVERLAPS);
    double *more = in + ON_WALL(IN_MORE);
    more[0] = 0.0;
    more[1] = 1.0;
    if (!known)
        wall_begin(in, more);
    wall_act(in, out);
    if (0.0 < out[OUTCOME + MEMORY] - geometry[0]) {
        for (int k = 0; k < ACTION; ++k)
            more[k] = out[k];
        more[ACTION] = out[OUTCOME + MEMORY];
        wall_correct(in, out);
    }
    for (int k = 0; k < OUTCOME; ++k)
        w.slot_outcome[k * w.slots + slot] = out[k];
    for (int k = 0; k < MEMORY; ++k)
        w.slot_memory_new[k * w.slots + slot] = out[OUTCOME + k];
}

KERNEL_BOUNDS(wall_contacts, 128, 3)
{
    // Those that touch are gathered first.
    __shared__ u32 touching[512], found;
    if (threadIdx.x == 0)
        found = 0;
    if (is_block_halted(w))
        return;
    for (u64 slot = (u64)blockIdx.x * 512 + threadIdx.x; slot < w.slots && slot < ((u64)blockIdx.x + 1) * 512; slot += 128) {
        if (w.slot_now[slot])
            touching[atomicAdd(&found, 1u)] = (u32)slot;
        else
            w.slot_ended[slot] = w.slot_was[slot] != 0;
    }
    __syncthreads();
    for (u32 k = threadIdx.x; k < found; k += 128) {
        u32 slot = touching[k];
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
