// Pieces that are no spheres, as crates/dem/src/step/contact/narrow does it: a capsule has the spheres at its two ends, an ellipsoid its centre
// and the ends of its semi-axes. Each is known by the first of these points, and touches as a sphere does that stands for it; so all but this
// file sees spheres. Worlds without such pieces have nothing of it but `load_spheres`.

// What a point is: the first of a piece, of which so many more points follow; or another one.
#define CAPSULE 1u
#define ELLIPSOID 3u
#define SECOND_END 4u
#define TIP 5u

// A solid: centre, half of the axis of a capsule, tensor, radius, whether it is an ellipsoid.
#define SOLID 14
#define SEARCH 21
#define FACING 9
#define FACING_OVERLAP 8

// Farther than anything.
#define ANY_REACH 1e300

// Four points and a radius.
#define POINTS 13
#define POINTS_RADIUS 12

// What a point of a body is.
__device__ u32 role_of(const World &w, u32 sphere) { return PIECES ? w.role[sphere] : 0; }

#if PIECES
// The points of a piece: those that it does not have are its first.
__device__ void load_points(const World &w, u32 sphere, double *points)
{
    u32 role = role_of(w, sphere);
    double at[4];
    for (u32 number = 0; number < 4; ++number) {
        load_sphere(w, sphere + (number <= role ? number : 0), at);
        for (int axis = 0; axis < 3; ++axis)
            points[3 * number + axis] = at[axis];
        if (number == 0)
            points[POINTS_RADIUS] = at[3];
    }
}

// The points of two pieces, the second where its image is whose middle is nearest to that of the first.
__device__ void load_pair(const World &w, u32 sphere_a, u32 sphere_b, double *a, double *b, double *shift)
{
    load_points(w, sphere_a, a);
    load_points(w, sphere_b, b);
    double middle_a[3], middle_b[3];
    // Of an ellipsoid its centre.
    u32 end_a = role_of(w, sphere_a) == CAPSULE ? 3 : 0, end_b = role_of(w, sphere_b) == CAPSULE ? 3 : 0;
    for (int axis = 0; axis < 3; ++axis) {
        middle_a[axis] = (a[axis] + a[end_a + axis]) * 0.5;
        middle_b[axis] = (b[axis] + b[end_b + axis]) * 0.5;
    }
    nearest_image(w, middle_a, middle_b, shift);
    for (int k = 0; k < 12; ++k)
        b[k] += shift[k % 3];
}

// The spheres by which two pieces touch, neither of which is an ellipsoid.
__device__ void nearest_spheres(const double *a, const double *b, double *spheres)
{
    double ends[14];
    for (int k = 0; k < 6; ++k) {
        ends[k] = a[k];
        ends[7 + k] = b[k];
    }
    ends[6] = a[POINTS_RADIUS];
    ends[13] = b[POINTS_RADIUS];
    pieces_nearest(ends, spheres);
}
#endif

#if ELLIPSOIDS
// A search, round by round.
__device__ void first_rounds(double *search)
{
    double next[SEARCH];
    for (int round = 0; round <= FIRST_ROUNDS; ++round) {
        if (round < FIRST_ROUNDS)
            search_closer(search, next);
        else
            search_facing(search, next);
        for (int k = 0; k < SEARCH; ++k)
            search[k] = next[k];
    }
}

__device__ void last_rounds(double *search)
{
    double next[SEARCH];
    for (int round = 0; round < ROUNDS; ++round) {
        search_turned(search, next);
        for (int k = 0; k < SEARCH; ++k)
            search[k] = next[k];
    }
}

// How two pieces face each other: the spheres by which they touch, and their overlap. False, and nothing, if they are farther apart than so much, as
// the first rounds may tell.
__device__ bool face(const double *a, const double *b, double reach, double *facing)
{
    double in[2 * SOLID + (CAPSULES ? 3 : 1) * SEARCH];
    piece_solid(a, in);
    piece_solid(b, in + SOLID);
    double *last = in + 2 * SOLID;
    search_last(in, last);
    first_rounds(last);
#if CAPSULES
    search_first(in, last + SEARCH);
    search_axis(in, last + 2 * SEARCH);
    for (int place = 1; place < 3; ++place) {
        first_rounds(last + place * SEARCH);
        last_rounds(last + place * SEARCH);
    }
    last_rounds(last);
    pieces_touch_of_any(in, facing);
#else
    double bound[1];
    search_overlap(last, bound);
    if (bound[0] <= -reach)
        return false;
    last_rounds(last);
    pieces_touch(in, facing);
#endif
    // What is no number is told by whoever asks where they touch.
    return !(facing[FACING_OVERLAP] <= -reach);
}

// The radius of the ball about its first point that holds an ellipsoid or a sphere.
__device__ double ball_of(const double *points)
{
    double longest = 0.0;
    for (int number = 1; number < 4; ++number) {
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            double d = points[3 * number + axis] - points[axis];
            square += d * d;
        }
        longest = max(longest, square);
    }
    return longest > 0.0 ? sqrt(longest) : points[POINTS_RADIUS];
}
#endif

#if PIECES
// Whether two pieces may be nearer to each other than so much: of ellipsoids nothing is told that could come out too far.
__device__ bool near_pieces(const World &w, u32 sphere_a, u32 sphere_b, double reach)
{
    double a[POINTS], b[POINTS], shift[3], on[8];
    load_pair(w, sphere_a, sphere_b, a, b, shift);
#if ELLIPSOIDS
    if (role_of(w, sphere_a) == ELLIPSOID || role_of(w, sphere_b) == ELLIPSOID) {
        // First by balls, which are about the first ends of capsules.
        double square = 0.0, balls = ball_of(a) + ball_of(b) + a[POINTS_RADIUS] + b[POINTS_RADIUS] + reach, facing[FACING];
        for (int axis = 0; axis < 3; ++axis)
            square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
        return square < balls * balls && face(a, b, reach, facing);
    }
#endif
    nearest_spheres(a, b, on);
    double dx = on[0] - on[4], dy = on[1] - on[5], dz = on[2] - on[6], near = on[3] + on[7] + reach;
    return dx * dx + dy * dy + dz * dz < near * near;
}
#endif

// Of two spheres the second where it is nearest to the first.
__device__ void bring_together(const World &w, double *spheres, double *shift)
{
    nearest_image(w, spheres, spheres + 4, shift);
    for (int axis = 0; axis < 3; ++axis)
        spheres[4 + axis] += shift[axis];
}

// The spheres by which the pieces of a candidate touch, the second where it is nearest to the first. False if they are farther apart than
// so much; true does not say that they are not.
__device__ bool load_spheres(const World &w, Candidate of, double reach, double *spheres, double *shift)
{
#if ELLIPSOIDS
    double a[POINTS], b[POINTS], facing[FACING];
    load_pair(w, of.sphere_a, of.sphere_b, a, b, shift);
    bool near = face(a, b, reach, facing);
    for (int k = 0; k < 8 && near; ++k)
        spheres[k] = facing[k];
    return near;
#elif CAPSULES
    double a[POINTS], b[POINTS];
    load_pair(w, of.sphere_a, of.sphere_b, a, b, shift);
    nearest_spheres(a, b, spheres);
    return true;
#else
    load_sphere(w, of.sphere_a, spheres);
    load_sphere(w, of.sphere_b, spheres + 4);
    bring_together(w, spheres, shift);
    return true;
#endif
}
