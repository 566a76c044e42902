// Contacts between bodies: which candidates touch, and what each contact does. As crates/dem/src/step/contact does it, one thread for
// each contact; the physics is that of the processor, printed.
//
// A block goes through a tile of the candidates. Those that touch are gathered first, so that all threads have a contact to
// evaluate. Contacts are kept in places that follow each other; which one a contact has does not matter to any result.

#define CONTACT_THREADS 128
#define CONTACT_TILE 512

// The numbers that a contact takes: two spheres, two sides, weight, mass, part, known; constants, memory, times.
#define IN_A 8
#define IN_B (IN_A + SIDE)
#define IN_WEIGHT (IN_B + SIDE)
#define IN_MASS (IN_WEIGHT + 1)
#define IN_PART (IN_WEIGHT + 2)
#define IN_KNOWN (IN_WEIGHT + 3)
#define IN_CONSTANTS (IN_WEIGHT + 4)
#define IN_MEMORY (IN_CONSTANTS + CONSTANTS)
#define IN_CLOCK (IN_MEMORY + MEMORY)
#define IN_COUNT (IN_CLOCK + 3)

#define GEOMETRY 9
#define PART 12
#define PUSH 9
#define DIRECTED 12

// The spheres of a candidate, the second where it is nearest to the first.
__device__ void load_candidate(const World &w, u32 c, double *spheres, double *shift)
{
    load_sphere(w, w.candidate[2 * (u64)c], spheres);
    load_sphere(w, w.candidate[2 * (u64)c + 1], spheres + 4);
    nearest_image(w, spheres, spheres + 4, shift);
    for (int axis = 0; axis < 3; ++axis)
        spheres[4 + axis] += shift[axis];
}

__device__ bool spheres_touch(const double *spheres)
{
    double dx = spheres[0] - spheres[4], dy = spheres[1] - spheres[5], dz = spheres[2] - spheres[6];
    double reach = spheres[3] + spheres[7];
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

__device__ bool touches(const World &w, u32 c)
{
    double spheres[8], shift[3];
    load_candidate(w, c, spheres, shift);
    return spheres_touch(spheres);
}

// The part of a contact in the motion of two bodies that several contacts share.
__device__ void part_of(const double *constants, const double *at_a, const double *at_b, const double *geometry, double weight,
                        double *part)
{
    double in[CONSTANTS + 6 + GEOMETRY + 1];
    for (int k = 0; k < CONSTANTS; ++k)
        in[k] = constants[k];
    for (int axis = 0; axis < 3; ++axis) {
        in[CONSTANTS + axis] = at_a[axis];
        in[CONSTANTS + 3 + axis] = at_b[axis];
    }
    for (int k = 0; k < GEOMETRY; ++k)
        in[CONSTANTS + 6 + k] = geometry[k];
    in[CONSTANTS + 6 + GEOMETRY] = weight;
    together_part(in, part);
}

// Numbers for the stages of finding masses: both sides, then room.
__device__ void load_sides(const double *a, const double *b, double *in)
{
    for (int k = 0; k < SIDE; ++k) {
        in[k] = a[k];
        in[SIDE + k] = b[k];
    }
}

// The masses behind any number of contacts of the same two bodies, from parts that come one after the other.
struct Masses {
    double in[2 * SIDE + PUSH + PART + DIRECTED];

    __device__ void begin(const double *a, const double *b)
    {
        load_sides(a, b, in);
        for (int k = 0; k < PUSH; ++k)
            in[2 * SIDE + k] = 0.0;
        for (int k = 0; k < DIRECTED; ++k)
            in[2 * SIDE + PUSH + PART + k] = 0.0;
    }
    __device__ double *part() { return in + 2 * SIDE + PUSH; }
    __device__ void push()
    {
        double out[PUSH];
        together_push(in, out);
        for (int k = 0; k < PUSH; ++k)
            in[2 * SIDE + k] = out[k];
    }
    __device__ void direct()
    {
        double out[DIRECTED];
        together_direct(in, out);
        for (int k = 0; k < DIRECTED; ++k)
            in[2 * SIDE + PUSH + PART + k] = out[k];
    }
    __device__ double mass()
    {
        double out[1];
        together_mass(in, out);
        return out[0];
    }
};

// The masses behind two contacts that are alone between their bodies.
__device__ double mass_of_two(const double *a, const double *b, const double *first, const double *second, u32 which)
{
    double in[2 * SIDE + 2 * PART], out[2];
    load_sides(a, b, in);
    for (int k = 0; k < PART; ++k) {
        in[2 * SIDE + k] = first[k];
        in[2 * SIDE + PART + k] = second[k];
    }
    together_two(in, out);
    return which == 0 ? out[0] : out[1];
}

// The part of a candidate that touches. Side b is that of the body itself.
__device__ void part_of_candidate(const World &w, u32 c, const double *constants, const double *a, const double *b, double weight,
                                  double *part)
{
    double spheres[8], shift[3], geometry[GEOMETRY], at_b[3];
    load_candidate(w, c, spheres, shift);
    touch_spheres(spheres, geometry);
    for (int axis = 0; axis < 3; ++axis)
        at_b[axis] = b[axis] + shift[axis];
    part_of(constants, a, at_b, geometry, weight, part);
}

// The mass behind the contact c, one of `count` of its pair. Seldom called: where a pair of bodies has several contacts.
__device__ double shared_mass(const World &w, u32 c, u32 pair, u32 count, const double *constants, const double *a,
                              const double *b, double weight)
{
    u32 first = w.pair_first[pair], end = w.pair_first[pair + 1];
    if (count == 2) {
        double parts[2][PART];
        u32 found = 0, which = 0;
        for (u32 d = first; d < end; ++d)
            if (d == c || touches(w, d)) {
                which = d == c ? found : which;
                part_of_candidate(w, d, constants, a, b, weight, parts[found]);
                ++found;
            }
        return mass_of_two(a, b, parts[0], parts[1], which);
    }
    Masses masses;
    masses.begin(a, b);
    for (u32 d = first; d < end; ++d)
        if (d == c || touches(w, d)) {
            part_of_candidate(w, d, constants, a, b, weight, masses.part());
            masses.push();
        }
    for (u32 d = first; d < end; ++d)
        if (d == c || touches(w, d)) {
            part_of_candidate(w, d, constants, a, b, weight, masses.part());
            masses.direct();
        }
    part_of_candidate(w, c, constants, a, b, weight, masses.part());
    return masses.mass();
}

__device__ void evaluate_contact(const World &w, u32 c, u32 place)
{
    double in[IN_COUNT], out[OUTCOME + MEMORY], shift[3], geometry[GEOMETRY];
    u32 row_a = w.owner[w.candidate[2 * (u64)c]], row_b = w.owner[w.candidate[2 * (u64)c + 1]];
    load_candidate(w, c, in, shift);
    load_side(w, row_a, in + IN_A);
    load_side(w, row_b, in + IN_B);
    u64 materials = material_of(w, row_a) * w.materials + material_of(w, row_b);
    for (int k = 0; k < CONSTANTS; ++k)
        in[IN_CONSTANTS + k] = w.constants[materials * CONSTANTS + k];
    double weight = 1.0, mass = 0.0, part = 1.0;
    if (AVERAGE || w.masses_matter[materials]) {
        u32 pair = w.candidate_pair[c], count = 0;
        for (u32 d = w.pair_first[pair]; d < w.pair_first[pair + 1]; ++d)
            count += d == c || touches(w, d);
        if (count > 1) {
            weight = AVERAGE ? 1.0 / (double)count : 1.0;
            if (w.masses_matter[materials]) {
                mass = shared_mass(w, c, pair, count, in + IN_CONSTANTS, in + IN_A, in + IN_B, weight);
                part = 1.0 / (double)count;
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        in[IN_B + axis] += shift[axis];
    in[IN_WEIGHT] = weight;
    in[IN_MASS] = mass;
    in[IN_PART] = part;
    u32 was = w.was[c];
    in[IN_KNOWN] = was ? 1.0 : 0.0;
    for (int k = 0; k < MEMORY; ++k)
        in[IN_MEMORY + k] = was ? w.memory_old[k * w.stride_old + was - 1] : 0.0;
    in[IN_CLOCK] = w.dt;
    in[IN_CLOCK + 1] = w.dt;
    in[IN_CLOCK + 2] = w.corrected;
    touch_spheres(in, geometry);
    double smaller = in[3] < in[7] ? in[3] : in[7];
    if (!(geometry[0] <= w.max_overlap * smaller))
        halt(w, w.step, OVERLAPS);
    contact_spheres(in, out);
    for (int k = 0; k < OUTCOME; ++k)
        w.outcome[k * w.outcome_stride + place] = out[k];
    for (int k = 0; k < MEMORY; ++k)
        w.memory_new[k * w.stride_new + place] = out[OUTCOME + k];
    w.now[c] = place + 1;
}

KERNEL_BOUNDS(contacts, CONTACT_THREADS, 1)
{
    __shared__ u32 hits[CONTACT_TILE], counts[CONTACT_THREADS / 32], base, halted;
    if (threadIdx.x == 0)
        halted = *w.halt <= w.step;
    __syncthreads();
    if (halted)
        return;
    // Each warp has a part of the tile, and lists what it finds there in order.
    const u32 each = CONTACT_TILE / (CONTACT_THREADS / 32);
    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, found = 0;
    for (u32 k = 0; k < each; k += 32) {
        u64 c = (u64)blockIdx.x * CONTACT_TILE + warp * each + k + lane;
        bool hit = c < w.candidates && touches(w, (u32)c);
        u32 ballot = __ballot_sync(0xffffffffu, hit);
        if (hit)
            hits[warp * each + found + __popc(ballot & ((1u << lane) - 1))] = (u32)c;
        else if (c < w.candidates)
            w.now[c] = 0;
        found += __popc(ballot);
    }
    if (lane == 0)
        counts[warp] = found;
    __syncthreads();
    u32 all = 0;
    for (u32 k = 0; k < CONTACT_THREADS / 32; ++k)
        all += counts[k];
    if (threadIdx.x == 0)
        base = atomicAdd(w.taken, all);
    __syncthreads();
    for (u32 i = threadIdx.x; i < all; i += CONTACT_THREADS) {
        u32 of = 0, k = i;
        while (k >= counts[of])
            k -= counts[of++];
        evaluate_contact(w, hits[of * each + k], base + i);
    }
}
