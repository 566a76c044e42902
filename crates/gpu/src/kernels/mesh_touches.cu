// Touches of spheres with meshes: one for each connected part of the surface within a sphere. As crates/dem/src/wall/mesh/contact.rs does
// it, where what is counted here is described; nearest points, and what parts make together, are printed. Laws that act beyond touch know
// no meshes.
//
// A sphere near a mesh has a list of the triangles near it, and as many slots as there may be touches: those of a step are in the first
// ones, by feature.

#if MESHES

// Touches of a sphere with a mesh, triangles within the sphere, and parts of the surface that are nearest to something: where there are
// more, the processor does the step.
#define MESH_TOUCHES 8u
#define MESH_TRIANGLES 96u
#define MESH_ENTRIES 192u

#define FOOT 5
#define FOOT_DISTANCE 4
#define PATCH 8
#define PATCH_DEEPEST 7

// What a search of one sphere has found.
struct Search {
    double centre[3], radius;
    // The triangles within the sphere, ascending, and for each one that it is joined with.
    u32 triangles[MESH_TRIANGLES], triangle_count;
    unsigned char joined[MESH_TRIANGLES];
    // Pieces (insides of triangles, then of edges, then corners) that are the nearest of something, how often each counts, and a triangle
    // that it belongs to.
    u32 piece[MESH_ENTRIES], entries;
    short weight[MESH_ENTRIES];
    unsigned char of[MESH_ENTRIES];
    bool full;
};

__device__ void foot_of_edge(const Mesh &mesh, u32 edge, const double *centre, double *foot)
{
    double in[3 + EDGE_NUMBERS];
    for (int k = 0; k < 3; ++k)
        in[k] = centre[k];
    for (int k = 0; k < EDGE_NUMBERS; ++k)
        in[3 + k] = mesh.edges[EDGE_NUMBERS * (u64)edge + k];
    mesh_edge(in, foot);
}

__device__ void foot_of_corner(const Mesh &mesh, u32 vertex, const double *centre, double *foot)
{
    double in[6];
    for (int k = 0; k < 3; ++k) {
        in[k] = centre[k];
        in[3 + k] = mesh.vertices[3 * (u64)vertex + k];
    }
    mesh_corner(in, foot);
}

__device__ u32 piece_of_corner(const Mesh &mesh, u32 vertex) { return mesh.facet_count + mesh.edge_count + vertex; }

__device__ u32 piece_of_edge(const Mesh &mesh, u32 edge, const double *foot)
{
    u32 part = (u32)foot[0];
    if (part == 1)
        return mesh.facet_count + edge;
    return piece_of_corner(mesh, mesh.edge_indices[EDGE_INDICES * (u64)edge + (part == 0 ? 0 : 1)]);
}

// The height above the face of a triangle, and how far inside of each border.
__device__ void heights_of(const Mesh &mesh, u32 triangle, const double *centre, double *heights)
{
    double in[27];
    for (int k = 0; k < 3; ++k)
        in[k] = centre[k];
    for (int k = 0; k < 24; ++k)
        in[3 + k] = mesh.facets[FACET_NUMBERS * (u64)triangle + k];
    mesh_heights(in, heights);
}

// The nearest point of a triangle, from its heights and the nearest points of its edges.
__device__ void foot_of_triangle(const Mesh &mesh, u32 triangle, const double *heights, const double *edges, double *foot)
{
    double in[11 + 3 * FOOT];
    const double *facet = mesh.facets + FACET_NUMBERS * (u64)triangle;
    for (int k = 0; k < 3; ++k)
        in[k] = facet[3 + k];
    for (int k = 0; k < 4; ++k) {
        in[3 + k] = heights[k];
        in[7 + k] = facet[24 + k];
    }
    for (int k = 0; k < 3 * FOOT; ++k)
        in[11 + k] = edges[k];
    mesh_triangle(in, foot);
}

__device__ void foot_of_piece(const Mesh &mesh, u32 piece, const double *centre, double *foot)
{
    if (piece >= mesh.facet_count + mesh.edge_count) {
        foot_of_corner(mesh, piece - mesh.facet_count - mesh.edge_count, centre, foot);
    } else if (piece >= mesh.facet_count) {
        foot_of_edge(mesh, piece - mesh.facet_count, centre, foot);
    } else {
        double heights[4], edges[3 * FOOT];
        heights_of(mesh, piece, centre, heights);
        for (int k = 0; k < 3; ++k)
            foot_of_edge(mesh, mesh.facet_indices[FACET_INDICES * (u64)piece + 3 + k], centre, edges + FOOT * k);
        foot_of_triangle(mesh, piece, heights, edges, foot);
    }
}

__device__ u32 feature_of_piece(const Mesh &mesh, u32 piece)
{
    if (piece >= mesh.facet_count + mesh.edge_count)
        return mesh.vertex_indices[VERTEX_INDICES * (u64)(piece - mesh.facet_count - mesh.edge_count) + 2];
    if (piece >= mesh.facet_count)
        return mesh.edge_indices[EDGE_INDICES * (u64)(piece - mesh.facet_count) + 4];
    return mesh.facet_indices[FACET_INDICES * (u64)piece + 6];
}

// Counts a piece that is the nearest one of something that the last triangle has.
__device__ void count_piece(Search &search, u32 piece, i32 weight)
{
    u32 entry = 0;
    while (entry < search.entries && search.piece[entry] != piece)
        ++entry;
    if (entry == MESH_ENTRIES) {
        search.full = true;
        return;
    }
    if (entry == search.entries) {
        search.piece[entry] = piece;
        search.weight[entry] = 0;
        search.of[entry] = (unsigned char)(search.triangle_count - 1);
        ++search.entries;
    }
    search.weight[entry] = (short)(search.weight[entry] + weight);
}

// Enters a triangle that is within the sphere, and those of its edges and corners that no earlier triangle has.
__device__ void look_at(const Mesh &mesh, u32 triangle, Search &search)
{
    const u32 *facet = mesh.facet_indices + FACET_INDICES * (u64)triangle;
    double heights[4], edges[3 * FOOT], foot[FOOT], reach = search.radius + mesh.roughness;
    heights_of(mesh, triangle, search.centre, heights);
    bool far = fabs(heights[0]) >= reach || heights[1] < -reach || heights[2] < -reach || heights[3] < -reach;
    if (!(facet[7] & NEEDLE) && far)
        return;
    for (int k = 0; k < 3; ++k)
        foot_of_edge(mesh, facet[3 + k], search.centre, edges + FOOT * k);
    foot_of_triangle(mesh, triangle, heights, edges, foot);
    u32 part = (u32)foot[0];
    double distance = part == 0 ? foot[FOOT_DISTANCE] : edges[FOOT * (part - 1) + FOOT_DISTANCE];
    if (!(distance < search.radius))
        return;
    if (search.triangle_count == MESH_TRIANGLES) {
        search.full = true;
        return;
    }
    search.triangles[search.triangle_count++] = triangle;
    count_piece(search, part == 0 ? triangle : piece_of_edge(mesh, facet[2 + part], edges + FOOT * (part - 1)), 1);
    for (int k = 0; k < 3; ++k) {
        u32 edge = facet[3 + k], vertex = facet[k];
        if (facet[7] & OWNS_EDGE(k) && edges[FOOT * k + FOOT_DISTANCE] < search.radius)
            count_piece(search, piece_of_edge(mesh, edge, edges + FOOT * k), (i32)mesh.edge_indices[EDGE_INDICES * (u64)edge + 3]);
        if (facet[7] & OWNS_VERTEX(k)) {
            foot_of_corner(mesh, vertex, search.centre, foot);
            if (foot[FOOT_DISTANCE] < search.radius)
                count_piece(search, piece_of_corner(mesh, vertex), (i32)mesh.vertex_indices[VERTEX_INDICES * (u64)vertex + 1]);
        }
    }
}

// The first triangle of the part that a triangle is joined with.
__device__ u32 first_joined(const Search &search, u32 number)
{
    while (search.joined[number] != number)
        number = search.joined[number];
    return number;
}

__device__ void join(Search &search, u32 number, u32 triangle)
{
    for (u32 other = 0; other < search.triangle_count; ++other)
        if (search.triangles[other] == triangle) {
            u32 a = first_joined(search, number), b = first_joined(search, other);
            search.joined[max(a, b)] = (unsigned char)min(a, b);
        }
}

// Joins the triangles that meet at an edge or a corner within the sphere.
__device__ void join_triangles(const Mesh &mesh, Search &search)
{
    double foot[FOOT];
    for (u32 number = 0; number < search.triangle_count; ++number)
        search.joined[number] = (unsigned char)number;
    for (u32 number = 0; number < search.triangle_count; ++number) {
        const u32 *facet = mesh.facet_indices + FACET_INDICES * (u64)search.triangles[number];
        for (int k = 0; k < 3; ++k) {
            foot_of_edge(mesh, facet[3 + k], search.centre, foot);
            if (foot[FOOT_DISTANCE] < search.radius)
                join(search, number, mesh.edge_indices[EDGE_INDICES * (u64)facet[3 + k] + 2]);
            foot_of_corner(mesh, facet[k], search.centre, foot);
            if (foot[FOOT_DISTANCE] < search.radius)
                join(search, number, mesh.vertex_indices[VERTEX_INDICES * (u64)facet[k]]);
        }
    }
}

// A touch, in the frame of the wall.
struct MeshTouch {
    u32 feature;
    double normal[3], overlap, slope;
};

__device__ void normal_of_entry(const Mesh &mesh, const Search &search, u32 entry, const double *foot, double *normal)
{
    double in[FOOT + 3];
    for (int k = 0; k < FOOT; ++k)
        in[k] = foot[k];
    for (int k = 0; k < 3; ++k)
        in[FOOT + k] = mesh.facets[FACET_NUMBERS * (u64)search.triangles[search.of[entry]] + 3 + k];
    mesh_normal(in, normal);
}

// A connected part of the surface within the sphere.
struct MeshPatch {
    u32 triangle, feature;
    double sums[PATCH];
};

// With one more point.
__device__ void add_to_patch(MeshPatch &patch, const double *normal, double weight, double overlap, u32 power, u32 feature)
{
    double in[PATCH + 5], out[PATCH];
    for (int k = 0; k < PATCH; ++k)
        in[k] = patch.sums[k];
    for (int k = 0; k < 3; ++k)
        in[PATCH + k] = normal[k];
    in[PATCH + 3] = weight;
    in[PATCH + 4] = overlap;
    if (power == FIVE_HALVES)
        mesh_with_five_halves(in, out);
    else
        mesh_with_square(in, out);
    if (out[PATCH_DEEPEST] > patch.sums[PATCH_DEEPEST])
        patch.feature = feature;
    for (int k = 0; k < PATCH; ++k)
        patch.sums[k] = out[k];
}

__device__ MeshTouch touch_of_patch(const MeshPatch &patch, u32 power)
{
    double in[PATCH + 5], out[5];
    for (int k = 0; k < PATCH; ++k)
        in[k] = patch.sums[k];
    if (power == FIVE_HALVES)
        mesh_energy_five_halves(in, in + PATCH);
    else
        mesh_energy_square(in, in + PATCH);
    // A first guess of the root, from the bits: see EnergyPower::guess.
    const u64 one = 0x3ff0000000000000ull;
    double square = in[PATCH] * in[PATCH];
    in[PATCH + 4] = power == FIVE_HALVES ? __longlong_as_double((i64)((u64)__double_as_longlong(square) / 5 + (one - one / 5))) : 1.0;
    if (power == FIVE_HALVES)
        mesh_touch_five_halves(in, out);
    else
        mesh_touch_square(in, out);
    MeshTouch touch;
    touch.feature = patch.feature;
    touch.overlap = out[0];
    touch.slope = out[1];
    for (int k = 0; k < 3; ++k)
        touch.normal[k] = out[2 + k];
    return touch;
}

// Turns what was counted into touches, by feature, and tells how many.
__device__ u32 tell_touches(const Mesh &mesh, Search &search, u32 power, MeshTouch *touches)
{
    u32 left = 0, found = 0, patch_count = 0;
    double foot[FOOT], normal[3];
    MeshPatch patches[MESH_TOUCHES];
    for (u32 entry = 0; entry < search.entries; ++entry)
        if (search.weight[entry] != 0) {
            search.piece[left] = search.piece[entry];
            search.weight[left] = search.weight[entry];
            search.of[left++] = search.of[entry];
        }
    search.entries = left;
    if (left == 1 && search.weight[0] == 1) {
        foot_of_piece(mesh, search.piece[0], search.centre, foot);
        normal_of_entry(mesh, search, 0, foot, touches[0].normal);
        touches[0].feature = feature_of_piece(mesh, search.piece[0]);
        touches[0].overlap = search.radius - foot[FOOT_DISTANCE];
        touches[0].slope = 1.0;
        return 1;
    }
    if (left == 0)
        return 0;
    join_triangles(mesh, search);
    for (u32 entry = 0; entry < left; ++entry) {
        u32 triangle = first_joined(search, search.of[entry]), place = 0;
        while (place < patch_count && patches[place].triangle != triangle)
            ++place;
        if (place == MESH_TOUCHES) {
            search.full = true;
            return 0;
        }
        if (place == patch_count) {
            patches[place].triangle = triangle;
            patches[place].feature = 0;
            for (int k = 0; k < PATCH; ++k)
                patches[place].sums[k] = 0.0;
            ++patch_count;
        }
        foot_of_piece(mesh, search.piece[entry], search.centre, foot);
        normal_of_entry(mesh, search, entry, foot, normal);
        add_to_patch(patches[place], normal, (double)search.weight[entry], search.radius - foot[FOOT_DISTANCE], power,
                     feature_of_piece(mesh, search.piece[entry]));
    }
    for (u32 place = 0; place < patch_count; ++place) {
        if (!(patches[place].sums[PATCH_DEEPEST] > 0.0))
            continue;
        MeshTouch touch = touch_of_patch(patches[place], power);
        u32 to = found++;
        for (; to > 0 && touches[to - 1].feature > touch.feature; --to)
            touches[to] = touches[to - 1];
        touches[to] = touch;
    }
    return found;
}

// Which contact of before each touch goes on as: that with the same feature, else the first one that ends here and had about the same
// normal, along which the sphere slid. As `Table::matching` in crates/dem/src/step/contact/table.rs.
__device__ void match_touches(const World &w, u32 first, u32 slots, u32 found, bool remembers)
{
    u32 taken = 0;
    for (u32 touch = 0; touch < found; ++touch) {
        u32 same = slots, other = slots;
        for (u32 old = 0; old < slots && same == slots; ++old) {
            u32 was = w.slot_was[first + old];
            if (!was)
                continue;
            if (was == w.slot_now[first + touch]) {
                same = old;
                continue;
            }
            double cosine = 0.0;
            for (int k = 0; k < 3 && remembers; ++k)
                cosine += w.slot_memory_old[k * w.slots + first + old] * w.slot_geometry[GEOMETRY * (u64)(first + touch) + 2 + k];
            bool touched = false;
            for (u32 k = 0; k < found; ++k)
                touched = touched || w.slot_now[first + k] == was;
            if (other == slots && cosine > 0.9 && !(taken >> old & 1) && !touched)
                other = old;
        }
        u32 from = same < slots ? same : other;
        w.slot_from[first + touch] = from < slots ? first + from + 1 : 0;
        if (from < slots)
            taken |= 1u << from;
    }
    for (u32 old = 0; old < slots; ++old)
        w.slot_ended[first + old] = w.slot_was[first + old] && !(taken >> old & 1);
}

// One thread for each sphere near a mesh: its touches, in the first of its slots.
KERNEL_BOUNDS(touch_meshes, 64, 1)
{
    u64 first = thread_index();
    if (first >= w.slots || *w.halt <= w.step || w.slot_face[first] != 0 || w.wall_kind[w.slot_wall[first]] != MESH)
        return;
    u32 wall = w.slot_wall[first], slots = w.slot_room[first], found = 0;
    u32 model = MODELS == 1 ? 0 : w.model_of[materials_on_wall(w, (u32)first)];
    double sphere[4];
    MeshTouch touches[MESH_TOUCHES];
    load_sphere(w, w.slot_sphere[first], sphere);
    if (pose_of(w, wall)[POSE_PRESENT] != 0.0) {
        Search search;
        Mesh mesh = mesh_of(w, wall);
        search.triangle_count = search.entries = 0;
        search.full = false;
        search.radius = sphere[3];
        seen_by_wall(w, wall, sphere, search.centre);
        const u32 *listed = w.slot_triangles + w.slot_triangle_first[first];
        for (u32 k = 0; k < w.slot_triangle_count[first]; ++k)
            if (k == 0 || listed[k] != listed[k - 1])
                look_at(mesh, listed[k], search);
        found = tell_touches(mesh, search, w.model_power[model], touches);
        if (search.full || found > slots) {
            halt(w, w.step, TOO_MANY);
            return;
        }
    }
    for (u32 k = 0; k < found; ++k) {
        double in[9], moved[9];
        if (!w.wall_fixed[wall])
            move_wall(w, wall, sphere, touches[k].normal, moved);
        for (int axis = 0; axis < 4; ++axis)
            in[axis] = sphere[axis];
        for (int axis = 0; axis < 3; ++axis)
            in[4 + axis] = w.wall_fixed[wall] ? touches[k].normal[axis] : moved[3 + axis];
        in[7] = touches[k].overlap;
        in[8] = touches[k].slope;
        touch_wall(in, w.slot_geometry + GEOMETRY * (first + k));
        w.slot_now[first + k] = touches[k].feature + 1;
    }
    for (u32 k = found; k < slots; ++k)
        w.slot_now[first + k] = 0;
    match_touches(w, (u32)first, slots, found, w.model_remembers[model]);
}

#endif
