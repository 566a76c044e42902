// Slots for contacts with walls. A sphere near a wall has a slot for each touch that there may be: one, one for each near face of a box,
// or as many as a mesh may give. Slots of a row follow each other, by wall, then by sphere, then by face; so do their contacts in all
// sums.

// Whether a face is within reach of a point, here or where the point comes in again if it leaves a periodic domain soon.
__device__ bool near_wall(const World &w, u32 wall, u32 face, const double *point, double reach)
{
    for (u32 number = 0; number < images(w); ++number) {
        double image[3], nearest[NEAREST];
        if (!image_of(w, number, point, image))
            continue;
#if MESHES
        if (w.wall_kind[wall] == MESH) {
            if (near_mesh(w, wall, image, reach))
                return true;
            continue;
        }
#endif
        nearest_of(w, wall, face, image, nearest);
        if (nearest[1] <= reach)
            return true;
    }
    return false;
}

#if MESHES
// The slots of a sphere near a mesh: as many as it may have touches. Counts its triangles as well, and lists them, if there is room.
__device__ u32 slots_on_mesh(const World &w, u32 wall, u32 sphere, const double *placed, u32 to, bool write, u32 *triangles)
{
    u32 first = *triangles;
    u32 listed = list_triangles(w, wall, placed, placed[3] + w.reach, write ? w.slot_triangles + first : 0);
    u32 room = min(listed, MESH_TOUCHES);
    for (u32 k = 0; k < room && write; ++k) {
        w.slot_sphere[to + k] = sphere;
        w.slot_wall[to + k] = wall;
        w.slot_face[to + k] = k;
        w.slot_room[to + k] = room;
        w.slot_triangle_first[to + k] = first;
        w.slot_triangle_count[to + k] = listed;
    }
    *triangles += listed;
    return room;
}
#endif

// Counts the slots of a row, and the triangles of meshes near it, and writes them if there is room.
__device__ u32 near_walls(const World &w, u32 row, u32 to, bool write, u32 *triangles)
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
            if (w.wall_solid[wall]) {
                double nearest[NEAREST];
                nearest_of(w, wall, face, centre, nearest);
                if (nearest[1] < 0.0)
                    halt(w, w.step, ESCAPED);
            }
            any = any || near_wall(w, wall, face, centre, bounding + w.reach);
        }
        // Of two that nothing moves, neither gives way.
        if (!any || is_held(w, row))
            continue;
        for (u32 sphere = w.first_sphere[row]; sphere < w.first_sphere[row + 1]; ++sphere) {
            double placed[4];
            load_sphere(w, sphere, placed);
#if ELLIPSOIDS
            // An ellipsoid is in the ball about its centre, and the ends of its axes are no spheres.
            double points[POINTS];
            if (role_of(w, sphere) == TIP)
                continue;
            if (role_of(w, sphere) == ELLIPSOID) {
                load_points(w, sphere, points);
                placed[3] = ball_of(points);
            }
#endif
#if MESHES
            if (w.wall_kind[wall] == MESH) {
                found += slots_on_mesh(w, wall, sphere, placed, to + found, write, triangles);
                continue;
            }
#endif
            for (u32 face = 0; face < faces_of(w, wall); ++face)
                if (near_wall(w, wall, face, placed, placed[3] + w.reach)) {
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
    if (row >= w.rows)
        return;
    u32 triangles = 0;
    w.slot_count[row] = near_walls(w, (u32)row, 0, false, &triangles);
#if MESHES
    w.triangle_count[row] = triangles;
#endif
}

KERNEL(find_slots)
{
    u64 row = thread_index();
    if (row >= w.rows)
        return;
    u32 triangles = MESHES ? w.triangle_first[row] : 0;
    near_walls(w, (u32)row, w.slot_first[row], true, &triangles);
}

// Each contact of before finds its slot in the new lists, and takes along what it remembers.
KERNEL(carry_slots)
{
    u64 old = thread_index();
    if (old >= w.carried_slots || !w.carried_feature[old])
        return;
    u32 sphere = w.carried_sphere[old], wall = w.carried_wall[old], feature = w.carried_feature[old] - 1;
    u32 row = w.owner[sphere], face = feature;
#if MESHES
    // Touches of a mesh are in the first of the slots of their sphere, by feature, and follow each other.
    if (w.wall_kind[wall] == MESH)
        for (face = 0; face < old && w.carried_sphere[old - face - 1] == sphere && w.carried_wall[old - face - 1] == wall; ++face) {
        }
#endif
    bool told_apart = w.wall_kind[wall] == BOX || w.wall_kind[wall] == MESH;
    for (u32 slot = w.slot_first[row]; slot < w.slot_first[row + 1]; ++slot) {
        bool same_face = !told_apart || w.slot_face[slot] == face;
        if (w.slot_sphere[slot] != sphere || w.slot_wall[slot] != wall || !same_face)
            continue;
        w.slot_was[slot] = feature + 1;
        for (int k = 0; k < MOST_MEMORY; ++k)
            w.slot_memory_old[k * w.slots + slot] = w.carried_memory[k * w.carried_slots + old];
        return;
    }
    halt(w, w.step, LOST_CONTACT);
}

#if RANGED
// How far beyond touch the contact of a slot acts.
__device__ double range_on_wall(const World &w, u32 slot, double radius)
{
    u64 materials = materials_on_wall(w, slot);
    return contact_range(constants_of(w, materials), w.model_of[materials], radius);
}

// Whether there is a contact without a touch: where it need not begin with one, or has begun.
__device__ bool may_last(const World &w, u32 slot, u32 part)
{
    return !w.model_lasting[w.model_of[materials_on_wall(w, slot)]] || w.slot_was[slot] == part;
}
#endif

// Which slots touch, on which part of their wall, with which geometry.
KERNEL_BOUNDS(touch_walls, 128, 4)
{
    u64 slot = thread_index();
    if (slot >= w.slots || *w.halt <= w.step)
        return;
    u32 wall = w.slot_wall[slot], now = 0;
    if (MESHES && w.wall_kind[wall] == MESH)
        return;
    if (pose_of(w, wall)[POSE_PRESENT] != 0.0) {
        double in[9], nearest[NEAREST], geometry[GEOMETRY];
        load_sphere(w, w.slot_sphere[slot], in);
        double range = 0.0;
#if RANGED
        range = range_on_wall(w, (u32)slot, in[3]);
#endif
        bool near;
#if ELLIPSOIDS
        double points[POINTS];
        if (role_of(w, w.slot_sphere[slot]) == ELLIPSOID) {
            load_points(w, w.slot_sphere[slot], points);
            deepest_of(w, wall, w.slot_face[slot], points, nearest);
            in[7] = nearest[1];
            near = in[7] > -range;
            sphere_behind(points, nearest + 2, in);
        } else
#endif
        {
            nearest_of(w, wall, w.slot_face[slot], in, nearest);
            double reach = in[3] + range;
            in[7] = reach - nearest[1] - range;
            near = nearest[1] < reach;
        }
        bool begun = true;
#if RANGED
        begun = in[7] > 0.0 || may_last(w, (u32)slot, (u32)nearest[0] + 1);
#endif
        if (near && begun) {
            now = (u32)nearest[0] + 1;
            for (int k = 0; k < 3; ++k)
                in[4 + k] = nearest[2 + k];
            in[8] = 1.0;
            touch_wall(in, geometry);
            for (int k = 0; k < GEOMETRY; ++k)
                w.slot_geometry[GEOMETRY * slot + k] = geometry[k];
        }
    }
    w.slot_now[slot] = now;
}
