// What all stages use: bodies, spheres and periods.

// Why a step was halted.
#define REBUILD 1u
#define OVERLAPS 2u
#define NOT_FINITE 4u
#define TURNS 8u
#define ESCAPED 16u
#define LOST_CONTACT 32u
#define FAST 64u
#define TOO_MANY 128u

// Numbers of a kind, in the order of the host.
#define KIND_NUMBERS 16
#define KIND_MASS 0
// Moments and their inverses as schemes take them, in units of their own.
#define KIND_MOMENTS 1
#define KIND_INVERSE_MASS 4
#define KIND_INVERSE 5
#define KIND_ARM 8
#define KIND_BOUNDING 9
#define KIND_SCALE 10
#define KIND_UNIT 11
#define KIND_SPIN_INVERSE 12

// A body as laws see it: position, velocity, ω, q; and the number of its kind, so that it need not be looked up elsewhere.
#define RECORD 14
#define RECORD_KIND 13

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

// Whether kernels do nothing any more. All threads of a block are told the same, though others may halt meanwhile.
__device__ bool is_block_halted(const World &w)
{
    __shared__ u32 halted;
    if (threadIdx.x == 0)
        halted = *w.halt <= w.step;
    __syncthreads();
    return halted;
}

// Numbers of a kind. Where there is one, they came with the arguments of the kernel: nothing is looked up, and they take no registers.
__device__ const double *kind_at(const World &w, u32 number)
{
    return KINDS == 1 ? w.one_kind : w.kind_numbers + KIND_NUMBERS * (u64)number;
}

__device__ const double *kind_of(const World &w, u32 row) { return kind_at(w, KINDS == 1 ? 0 : w.kind[row]); }

// Two numbers at a time.
__device__ void load_two(const double *from, double *to)
{
    double2 two = *(const double2 *)from;
    to[0] = two.x;
    to[1] = two.y;
}

__device__ void load_two(const float *from, float *to)
{
    float2 two = *(const float2 *)from;
    to[0] = two.x;
    to[1] = two.y;
}

__device__ void store_two(double *to, double first, double second) { *(double2 *)to = make_double2(first, second); }

__device__ void store_two(float *to, float first, float second) { *(float2 *)to = make_float2(first, second); }

__device__ void load_sphere(const World &w, u32 sphere, double *to)
{
    load_two(w.placed + 4 * (u64)sphere, to);
    load_two(w.placed + 4 * (u64)sphere + 2, to + 2);
}

// Tells the kind.
__device__ u32 load_side(const World &w, u32 row, double *to)
{
    for (int k = 0; k < RECORD; k += 2)
        load_two(w.record + RECORD * (u64)row + k, to + k);
    u32 number = (u32)to[RECORD_KIND];
    const double *kind = kind_at(w, number);
    for (int k = 0; k < 3; ++k)
        to[SIDE_INVERSE + k] = kind[KIND_INVERSE + k];
    to[SIDE_INVERSE + 3] = kind[KIND_INVERSE_MASS];
    return number;
}

// Which of the pairs of materials two are. Where there is one, nothing is looked up.
__device__ u64 materials_of(const World &w, u32 kind_a, u32 kind_b)
{
    return w.materials == 1 ? 0 : w.kind_material[kind_a] * w.materials + w.kind_material[kind_b];
}

// Whether a hand moves a body, and nothing else.
__device__ bool is_held(const World &w, u32 row) { return ANY_HELD && w.kind_held[w.kind[row]]; }

// Constants of a pair of materials: as those of a kind, where there is one pair.
__device__ const double *constants_of(const World &w, u64 materials)
{
    return PAIR_GIVEN ? w.one_pair : w.constants + materials * PAIR_CONSTANTS;
}

// Whether the masses behind contacts that act together matter to a pair of materials.
__device__ bool masses_matter(const World &w, u64 materials) { return PAIR_GIVEN ? w.one_matters : w.masses_matter[materials]; }

// Whether two materials meet in a model. Where there is one, nothing is looked up.
__device__ bool is_of_model(const World &w, u64 materials, u32 model) { return MODELS == 1 || w.model_of[materials] == model; }

// A bit for each candidate: whether a model is that of its contact.
__device__ u32 *bits_of_model(const World &w, u32 model) { return w.model_bits + model * ((w.candidates + 31) / 32); }

// What to add to the place of b for its image nearest to a: see Periods::shift.
__device__ void nearest_image(const World &w, const double *a, const double *b, double *shift)
{
    for (int axis = 0; axis < 3; ++axis) {
        double d = a[axis] - b[axis];
        shift[axis] = w.periodic && fabs(d) > w.half[axis] ? copysign(w.length[axis], d) : 0.0;
    }
}

__device__ u32 below(u32 bit) { return (1u << bit) - 1; }

__device__ bool has_bit(const u32 *bits, u32 c) { return bits[c / 32] >> (c % 32) & 1; }

// What is known of 32 candidates lies together, since whoever looks at some of it looks at most of it: bits and ranks, in this step and in
// the one before.
__device__ u32 &bits_new(const World &w, u64 word) { return w.words[4 * word + w.odd]; }
__device__ u32 &bits_old(const World &w, u64 word) { return w.words[4 * word + 1 - w.odd]; }
__device__ u32 &rank_new(const World &w, u64 word) { return w.words[4 * word + 2 + w.odd]; }
__device__ u32 &rank_old(const World &w, u64 word) { return w.words[4 * word + 3 - w.odd]; }

struct Word {
    u32 now, before, rank, rank_before;
};

// All of it in one load.
__device__ Word word_at(const World &w, u64 word)
{
    uint4 four = ((const uint4 *)w.words)[word];
    if (w.odd)
        return {four.y, four.x, four.w, four.z};
    return {four.x, four.y, four.z, four.w};
}

__device__ bool touches_now(const World &w, u32 c) { return bits_new(w, c / 32) >> (c % 32) & 1; }
__device__ bool touched_before(const World &w, u32 c) { return bits_old(w, c / 32) >> (c % 32) & 1; }

// The place that a contact of the step before has. Where lists are new it is written down, since it is that of the old ones.
__device__ u32 old_place(const World &w, u32 c)
{
    return w.carried_over ? w.was[c] : rank_old(w, c / 32) + __popc(bits_old(w, c / 32) & below(c % 32));
}

// A pair of spheres that may touch, and the rows of their bodies.
struct Candidate {
    u32 sphere_a, sphere_b, row_a, row_b;
};

__device__ Candidate candidate_at(const World &w, u64 c)
{
    uint4 four = ((const uint4 *)w.candidate)[c];
    return {four.x, four.y, four.z, four.w};
}
