// Meshes, and the triangles of them that are near a point: by a tree of boxes, as in crates/dem/src/wall/mesh/tree.rs.

#if MESHES

#define FACET_NUMBERS 37
#define FACET_CORNERS 28
#define FACET_INDICES 8
#define EDGE_NUMBERS 13
#define EDGE_INDICES 5
#define VERTEX_INDICES 3
#define DEEPEST_BOX 40

// Bits of a triangle: which edges and corners are looked at with it, and whether it is too thin to be touched.
#define OWNS_EDGE(k) (1u << (k))
#define OWNS_VERTEX(k) (8u << (k))
#define NEEDLE 64u

// Where the parts of a mesh are in the tables of all.
struct Mesh {
    const double *facets, *edges, *vertices, *boxes;
    const u32 *facet_indices, *edge_indices, *vertex_indices, *box_indices, *order;
    u32 facet_count, edge_count;
    double roughness, longest_edge;
};

__device__ Mesh mesh_of(const World &w, u32 wall)
{
    const double *n = w.wall_numbers + WALL_NUMBERS * wall;
    u64 facet = (u64)n[0], edge = (u64)n[1], vertex = (u64)n[2], box = (u64)n[3];
    Mesh mesh;
    mesh.facets = w.facets + FACET_NUMBERS * facet;
    mesh.facet_indices = w.facet_indices + FACET_INDICES * facet;
    mesh.order = w.mesh_order + facet;
    mesh.edges = w.edges + EDGE_NUMBERS * edge;
    mesh.edge_indices = w.edge_indices + EDGE_INDICES * edge;
    mesh.vertices = w.vertices + 3 * vertex;
    mesh.vertex_indices = w.vertex_indices + VERTEX_INDICES * vertex;
    mesh.boxes = w.boxes + 6 * box;
    mesh.box_indices = w.box_indices + 2 * box;
    mesh.facet_count = (u32)n[4];
    mesh.edge_count = (u32)n[5];
    mesh.roughness = n[6];
    mesh.longest_edge = n[7];
    return mesh;
}

__device__ double distance_to_triangle(const Mesh &mesh, u32 triangle, const double *point)
{
    double in[12], out[1];
    for (int k = 0; k < 9; ++k)
        in[k] = mesh.facets[FACET_NUMBERS * (u64)triangle + FACET_CORNERS + k];
    for (int k = 0; k < 3; ++k)
        in[9 + k] = point[k];
    mesh_distance(in, out);
    return out[0];
}

// Counts the triangles within reach of a point, no more than `most`, and writes them, if there is room.
__device__ u32 near_triangles(const Mesh &mesh, const double *point, double reach, u32 *triangles, u32 most)
{
    u32 waiting[DEEPEST_BOX], count = 1, found = 0;
    // Rounding loses none.
    double widened = reach + 1e-12 * (fabs(reach) + mesh.longest_edge), within = widened * widened;
    waiting[0] = 0;
    while (count > 0 && found < most) {
        u32 box = waiting[--count];
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            double below = mesh.boxes[6 * (u64)box + axis] - point[axis], above = point[axis] - mesh.boxes[6 * (u64)box + 3 + axis];
            double d = max(max(below, above), 0.0);
            square += d * d;
        }
        if (square > within)
            continue;
        u32 link = mesh.box_indices[2 * (u64)box], triangles_here = mesh.box_indices[2 * (u64)box + 1];
        if (triangles_here == 0) {
            waiting[count] = link;
            waiting[count + 1] = box + 1;
            count += 2;
        }
        for (u32 k = link; k < link + triangles_here && found < most; ++k)
            if (distance_to_triangle(mesh, mesh.order[k], point) <= within) {
                if (triangles)
                    triangles[found] = mesh.order[k];
                ++found;
            }
    }
    return found;
}

// A point as the wall sees it.
__device__ void seen_by_wall(const World &w, u32 wall, const double *point, double *seen)
{
    double moved[9];
    const double nowhere[3] = {0.0, 0.0, 0.0};
    if (!w.wall_fixed[wall])
        move_wall(w, wall, point, nowhere, moved);
    for (int k = 0; k < 3; ++k)
        seen[k] = w.wall_fixed[wall] ? point[k] : moved[k];
}

__device__ bool near_mesh(const World &w, u32 wall, const double *point, double reach)
{
    double seen[3];
    seen_by_wall(w, wall, point, seen);
    return near_triangles(mesh_of(w, wall), seen, reach, 0, 1) > 0;
}

// Counts the triangles near a sphere, wherever it may come in again in a periodic domain, and writes them, if there is room, in ascending
// order.
__device__ u32 list_triangles(const World &w, u32 wall, const double *sphere, double reach, u32 *triangles)
{
    Mesh mesh = mesh_of(w, wall);
    u32 found = 0;
    for (u32 image = 0; image < images(w); ++image) {
        double at[3], seen[3];
        if (!image_of(w, image, sphere, at))
            continue;
        seen_by_wall(w, wall, at, seen);
        found += near_triangles(mesh, seen, reach, triangles ? triangles + found : 0, ~0u);
    }
    // Each once where it was found again: the rest stays room.
    for (u32 k = 1; triangles && k < found; ++k) {
        u32 own = triangles[k], to = k;
        for (; to > 0 && triangles[to - 1] > own; --to)
            triangles[to] = triangles[to - 1];
        triangles[to] = own;
    }
    return found;
}

#endif
