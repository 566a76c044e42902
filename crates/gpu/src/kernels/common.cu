// What all stages use: bodies, spheres and periods.

#define NOBODY 0xffffffffu

// Why a step was halted.
#define REBUILD 1u
#define OVERLAPS 2u
#define NOT_FINITE 4u
#define TURNS 8u
#define ESCAPED 16u
#define LOST_CONTACT 32u

// Numbers of a kind, in the order of the host.
#define KIND_NUMBERS 12
#define KIND_MASS 0
#define KIND_MOMENTS 1
#define KIND_INVERSE_MASS 4
#define KIND_INVERSE 5
#define KIND_ARM 8
#define KIND_BOUNDING 9
#define KIND_SCALE 10

// A body as laws see it: position, velocity, ω, q; padded to whole 16 bytes.
#define RECORD 14

// A body or a wall as physics takes it.
#define SIDE 17
#define SIDE_Q 9
#define SIDE_INVERSE 13

__device__ u64 thread_index() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }

// Ends the run at a step: all later kernels do nothing, until the host has looked.
__device__ void halt(const World &w, u64 step, u32 why)
{
    atomicOr(w.why, why);
    atomicMin(w.halt, step);
}

__device__ const double *kind_of(const World &w, u32 row) { return w.kind_numbers + KIND_NUMBERS * (u64)w.kind[row]; }

__device__ u32 material_of(const World &w, u32 row) { return w.kind_material[w.kind[row]]; }

__device__ void load_sphere(const World &w, u32 sphere, double *to)
{
    for (int k = 0; k < 4; ++k)
        to[k] = w.placed[4 * (u64)sphere + k];
}

__device__ void load_side(const World &w, u32 row, double *to)
{
    for (int k = 0; k < 13; ++k)
        to[k] = w.record[RECORD * (u64)row + k];
    const double *kind = kind_of(w, row);
    for (int k = 0; k < 3; ++k)
        to[SIDE_INVERSE + k] = kind[KIND_INVERSE + k];
    to[SIDE_INVERSE + 3] = kind[KIND_INVERSE_MASS];
}

// What to add to the place of b for its image nearest to a: see Periods::shift.
__device__ void nearest_image(const World &w, const double *a, const double *b, double *shift)
{
    for (int axis = 0; axis < 3; ++axis) {
        double d = a[axis] - b[axis];
        shift[axis] = w.periodic && fabs(d) > w.half[axis] ? copysign(w.length[axis], d) : 0.0;
    }
}
