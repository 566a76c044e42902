// Where walls are, and where those of few parts are nearest to a point.

#define WALL_NUMBERS 16
#define POSE 17
#define POSE_ORIGIN 3
#define POSE_TURN 6
#define POSE_VELOCITY 10
#define POSE_OMEGA 13
#define POSE_PRESENT 16

#define PLANE 0u
#define BOX 1u
#define CYLINDER_INSIDE 2u
#define CYLINDER_OUTSIDE 3u
#define FRUSTUM_INSIDE 4u
#define FRUSTUM_OUTSIDE 5u
#define MESH 6u

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

// A point as the wall sees it.
__device__ void see_from_wall(const World &w, u32 wall, const double *point, double *seen)
{
    double moved[9];
    const double nowhere[3] = {0.0, 0.0, 0.0};
    bool fixed = w.wall_fixed[wall];
    if (!fixed)
        move_wall(w, wall, point, nowhere, moved);
    for (int k = 0; k < 3; ++k)
        seen[k] = fixed ? point[k] : moved[k];
}

// A direction of the wall as the lab sees it.
__device__ void turn_from_wall(const World &w, u32 wall, double *direction)
{
    double moved[9];
    const double nowhere[3] = {0.0, 0.0, 0.0};
    if (w.wall_fixed[wall])
        return;
    move_wall(w, wall, nowhere, direction, moved);
    for (int k = 0; k < 3; ++k)
        direction[k] = moved[3 + k];
}

// The nearest point of a face of a wall to a point, all as the wall sees it.
__device__ void nearest_on_face(const World &w, u32 wall, u32 face, const double *seen, double *nearest)
{
    double in[3 + WALL_NUMBERS], out[6 * NEAREST];
    for (int k = 0; k < 3; ++k)
        in[k] = seen[k];
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
}

// The nearest point of a face of a wall to a centre in the lab, with the normal in the lab.
__device__ void nearest_of(const World &w, u32 wall, u32 face, const double *centre, double *nearest)
{
    double seen[3];
    see_from_wall(w, wall, centre, seen);
    nearest_on_face(w, wall, face, seen, nearest);
    turn_from_wall(w, wall, nearest + 2);
}

#if ELLIPSOIDS
// How far an ellipsoid with these points reaches into a face of a wall, in the place of the distance of a centre.
__device__ void deepest_of(const World &w, u32 wall, u32 face, const double *points, double *deepest)
{
    double seen[POINTS], in[SOLID + WALL_NUMBERS], out[4];
    for (int number = 0; number < 4; ++number)
        see_from_wall(w, wall, points + 3 * number, seen + 3 * number);
    seen[POINTS_RADIUS] = points[POINTS_RADIUS];
    piece_solid(seen, in);
    if (w.wall_kind[wall] == CYLINDER_INSIDE) {
        for (int k = 0; k < WALL_NUMBERS; ++k)
            in[SOLID + k] = w.wall_numbers[WALL_NUMBERS * wall + k];
        solid_in_tube(in, out);
        deepest[0] = 0.0;
        deepest[1] = out[0];
        for (int k = 0; k < 3; ++k)
            deepest[2 + k] = out[1 + k];
    } else {
        nearest_on_face(w, wall, face, in, deepest);
        for (int k = 0; k < 3; ++k)
            in[SOLID + k] = deepest[2 + k];
        solid_height(in, out);
        deepest[1] = out[0] - deepest[1];
    }
    turn_from_wall(w, wall, deepest + 2);
}

// The sphere that stands for an ellipsoid where it touches a wall with this normal.
__device__ void sphere_behind(const double *points, const double *normal, double *sphere)
{
    double in[SOLID + 3];
    piece_solid(points, in);
    for (int k = 0; k < 3; ++k)
        in[SOLID + k] = -normal[k];
    solid_behind(in, sphere);
}
#endif

// Where a point may come in again if it leaves a periodic domain soon: so many images, not all of which there are.
__device__ u32 images(const World &w) { return w.periodic ? 27 : 1; }

__device__ bool image_of(const World &w, u32 number, const double *point, double *image)
{
    bool is_there = true;
    for (int axis = 0; axis < 3; ++axis, number /= 3) {
        u32 along = number % 3;
        is_there = is_there && (along == 0 || w.length[axis] > 0.0);
        image[axis] = point[axis] + (along == 0 ? 0.0 : along == 1 ? w.length[axis] : -w.length[axis]);
    }
    return is_there;
}

// Which of the pairs of materials the sphere and the wall of a slot are.
__device__ u64 materials_on_wall(const World &w, u32 slot)
{
    u32 kind = w.kind[w.owner[w.slot_sphere[slot]]];
    return w.kind_material[kind] * w.materials + w.wall_material[w.slot_wall[slot]];
}
