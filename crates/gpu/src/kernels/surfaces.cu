// What contacts bear on the triangles of meshes, added up from step to step: as crates/dem/src/step/surfaces.rs does it. Sums are exact:
// fixed-point numbers long enough for any, in limbs of 32 bits (crates/math/src/exact_sum.rs). Integers add up to the same in any order.

#if SURFACES

#define LIMBS 68
#define SURFACE_SUMS 6

__device__ void add_exactly(const World &w, u64 *limbs, double number)
{
    u64 bits = (u64)__double_as_longlong(number), exponent = bits >> 52 & 0x7ff, fraction = (1ull << 52) - 1;
    if (exponent == 0x7ff) {
        halt(w, w.step, NOT_FINITE);
        return;
    }
    u64 mantissa = exponent == 0 ? bits & fraction : (bits & fraction) | 1ull << 52, shift = exponent == 0 ? 0 : exponent - 1;
    u64 within = shift % 32, low = mantissa << within;
    u64 parts[3] = {low & 0xffffffffull, low >> 32, mantissa >> 1 >> (63 - within)};
    for (u64 k = 0; k < 3; ++k)
        if (parts[k])
            atomicAdd(limbs + shift / 32 + k, bits >> 63 ? 0ull - parts[k] : parts[k]);
}

// Of the triangles within the reach of a sphere that which is nearest to the point of a touch; of none, the nearest to the centre.
__device__ u32 nearest_triangle(const World &w, u32 slot, const double *centre, const double *point, double reach)
{
    Mesh mesh = mesh_of(w, w.slot_wall[slot]);
    u32 first = slot - w.slot_face[slot], nearest = ~0u;
    const u32 *listed = w.slot_triangles + w.slot_triangle_first[first];
    for (int pass = 0; pass < 2 && nearest == ~0u; ++pass) {
        double least = 0.0;
        for (u32 k = 0; k < w.slot_triangle_count[first]; ++k) {
            u32 triangle = listed[k];
            if (mesh.facet_indices[FACET_INDICES * (u64)triangle + 7] & NEEDLE)
                continue;
            double to_centre = distance_to_triangle(mesh, triangle, centre);
            if (pass == 0 && !(to_centre <= reach * reach))
                continue;
            double distance = pass == 0 ? distance_to_triangle(mesh, triangle, point) : to_centre;
            if (nearest == ~0u || distance < least) {
                nearest = triangle;
                least = distance;
            }
        }
    }
    return nearest;
}

KERNEL(add_surfaces)
{
    u64 slot = thread_index();
    if (slot >= w.slots || *w.halt <= w.step || !w.slot_now[slot] || w.wall_kind[w.slot_wall[slot]] != MESH)
        return;
    u32 wall = w.slot_wall[slot], model = MODELS == 1 ? 0 : w.model_of[materials_on_wall(w, (u32)slot)];
    double sphere[4], point[3], seen[9], place[3], in[15], out[SURFACE_SUMS];
    load_sphere(w, w.slot_sphere[slot], sphere);
    for (int k = 0; k < 3; ++k) {
        point[k] = w.slot_outcome[(3 + k) * w.slots + slot];
        in[k] = w.slot_outcome[k * w.slots + slot];
        in[3 + k] = sphere[k];
        in[6 + k] = point[k];
    }
    for (int k = 0; k < 4; ++k)
        in[9 + k] = pose_of(w, wall)[POSE_TURN + k];
    u32 sliding = w.model_sliding[model];
    in[13] = sliding ? w.slot_outcome[sliding * w.slots + slot] : 0.0;
    in[14] = w.dt;
    mesh_borne(in, out);
    move_wall(w, wall, point, point, seen);
    for (int k = 0; k < 3; ++k)
        place[k] = seen[k];
    move_wall(w, wall, sphere, point, seen);
    u32 triangle = nearest_triangle(w, (u32)slot, seen, place, sphere[3]);
    if (triangle == ~0u)
        return;
    u64 number = (u64)w.wall_numbers[WALL_NUMBERS * wall + 8] + triangle;
    w.surface_touched[number] = 1;
    for (int sum = 0; sum < SURFACE_SUMS; ++sum)
        add_exactly(w, w.surface_limbs + (number * SURFACE_SUMS + sum) * LIMBS, out[sum]);
}

#endif
