// Contacts between bodies: what each does. As crates/dem/src/step/contact does it, one thread for
// each contact; the physics is that of the processor, printed. In a world of several models each has these kernels for its own contacts.
//
//   masses          the masses behind contacts that are not alone between their two bodies
//   evaluate        the law; the contacts of a tile are gathered first, so that all threads have one to work on

// Blocks that a multiprocessor shall hold at once: more hide more of the time that memory takes, fewer leave more registers to each.
#define MASSES_BLOCKS 4
#define EVALUATE_BLOCKS 8

// The numbers that a contact takes: geometry, two sides, weight, mass, part, known; constants, memory, times.
#define IN_POINT 5
#define IN_A GEOMETRY
#define IN_B (IN_A + SIDE)
#define IN_WEIGHT (IN_B + SIDE)
#define IN_MASS (IN_WEIGHT + 1)
#define IN_PART (IN_WEIGHT + 2)
#define IN_KNOWN (IN_WEIGHT + 3)
#define IN_CONSTANTS (IN_WEIGHT + 4)
#define IN_MEMORY (IN_CONSTANTS + CONSTANTS)
#define IN_CLOCK (IN_MEMORY + MEMORY)
#define IN_MORE (IN_CLOCK + 3)

#define ACTION 12
// Where the point at which it acts is among them.
#define POINT 3

#define PART 12
#define PUSH 9
#define DIRECTED 12

// How much of what it would do alone one of so many contacts of the same two bodies does.
__device__ double weight_of(u32 count) { return AVERAGE ? 1.0 / (double)count : 1.0; }

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
__device__ void masses_of_two(const double *a, const double *b, const double *first, const double *second, double *masses)
{
    double in[2 * SIDE + 2 * PART];
    load_sides(a, b, in);
    for (int k = 0; k < PART; ++k) {
        in[2 * SIDE + k] = first[k];
        in[2 * SIDE + PART + k] = second[k];
    }
    together_two(in, masses);
}

// The part of a candidate that touches. Side b is that of the body itself.
__device__ void part_of_candidate(const World &w, u32 c, const double *constants, const double *a, const double *b, double weight,
                                  double *part)
{
    double spheres[8], shift[3], geometry[GEOMETRY], at_b[3];
    load_spheres(w, candidate_at(w, c), ANY_REACH, spheres, shift);
    touch_spheres(spheres, geometry);
    for (int axis = 0; axis < 3; ++axis)
        at_b[axis] = b[axis] + shift[axis];
    part_of(constants, a, at_b, geometry, weight, part);
}

// The masses behind the contacts of a pair of bodies that has several, from the first of them on.
__device__ void shared_masses(const World &w, u32 from, u32 to, u32 count, const double *constants, const double *a, const double *b,
                              double weight)
{
    if (count == 2) {
        double first[PART], second[PART], both[2];
        u32 next = from + 1;
        while (!touches_now(w, next))
            ++next;
        part_of_candidate(w, from, constants, a, b, weight, first);
        part_of_candidate(w, next, constants, a, b, weight, second);
        masses_of_two(a, b, first, second, both);
        w.mass[from] = both[0];
        w.mass[next] = both[1];
        return;
    }
    Masses masses;
    masses.begin(a, b);
    for (int pass = 0; pass < 3; ++pass)
        for (u32 c = from; c < to; ++c) {
            if (!touches_now(w, c))
                continue;
            part_of_candidate(w, c, constants, a, b, weight, masses.part());
            if (pass == 0)
                masses.push();
            else if (pass == 1)
                masses.direct();
            else
                w.mass[c] = masses.mass();
        }
}

// The contacts of a tile in order, and the place of the first. Called by all threads of a block.
struct Tile {
    u32 count, first;

    __device__ void gather(const World &w, u32 *hits, u32 *bits)
    {
        u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        u64 words = (w.candidates + 31) / 32, begin = (u64)blockIdx.x * TILE_WORDS;
        if (threadIdx.x < TILE_WORDS)
            bits[threadIdx.x] = begin + threadIdx.x < words ? bits_new(w, begin + threadIdx.x) : 0;
        __syncthreads();
        count = 0;
        for (u32 k = 0; k < TILE_WORDS; ++k) {
            u32 here = bits[k];
            if (k % (blockDim.x / 32) == warp && here >> lane & 1)
                hits[count + __popc(here & below(lane))] = (u32)(begin + k) * 32 + lane;
            count += __popc(here);
        }
        first = w.tile_first[blockIdx.x];
        __syncthreads();
    }
};

// One thread for each pair of bodies that has several contacts. Those that have several candidates are listed; a block goes through some
// of them, and gathers those that have several contacts first.
KERNEL_BOUNDS(masses, CONTACT_THREADS, MASSES_BLOCKS)
{
    // Those of two contacts from the front on, those of more from the back on: threads side by side then do the same.
    __shared__ u32 several[CONTACT_TILE], twos, mores;
    if (threadIdx.x == 0)
        twos = mores = 0;
    if (is_block_halted(w))
        return;
    for (u32 k = threadIdx.x; k < CONTACT_TILE; k += CONTACT_THREADS) {
        u64 listed = (u64)blockIdx.x * CONTACT_TILE + k;
        if (listed >= w.several_count)
            break;
        u32 from = w.several[listed], to = from + (w.candidate_span[from] >> 16);
        u32 count = count_touching(w, from, to);
        if (count == 2)
            several[atomicAdd(&twos, 1u)] = from;
        else if (count > 2)
            several[CONTACT_TILE - 1 - atomicAdd(&mores, 1u)] = from;
    }
    __syncthreads();
    // Those of more begin with a warp of their own.
    u32 begin = (twos + 31) / 32 * 32;
    for (u32 k = threadIdx.x; k < begin + mores; k += CONTACT_THREADS) {
        if (k >= twos && k < begin)
            continue;
        u32 from = several[k < twos ? k : CONTACT_TILE - 1 - (k - begin)], to = from + (w.candidate_span[from] >> 16);
        Candidate of = candidate_at(w, from);
        double a[SIDE], b[SIDE];
        u64 materials = materials_of(w, load_side(w, of.row_a, a), load_side(w, of.row_b, b));
        if (!masses_matter(w, materials) || !is_of_model(w, materials, MODEL))
            continue;
        u32 count = count_touching(w, from, to);
        while (!touches_now(w, from))
            ++from;
        shared_masses(w, from, to, count, constants_of(w, materials), a, b, weight_of(count));
    }
}

// A body as laws of this model see it, and its kind. Those that ask for no velocities see those of the time level.
__device__ u32 load_seen(const World &w, u32 row, double *to)
{
    u32 kind = load_side(w, row, to);
#if SHOWS && MEMORY == 0
    double spin[7];
    for (int k = 0; k < 4; ++k)
        spin[k] = to[SIDE_Q + k] = w.q[k * w.rows + row];
    for (int axis = 0; axis < 3; ++axis) {
        spin[4 + axis] = w.omega[axis * w.rows + row];
        to[3 + axis] = w.velocity[axis * w.rows + row];
    }
    body_turning(spin, to + 6);
#endif
    return kind;
}

// What a contact takes from its weight on: all of the mass behind its own point, until somebody finds that others share it; whether it
// is known, constants of its materials, what it remembers, times; and that it began long ago.
__device__ void load_rest(const World &w, u64 materials, bool known, const Real *memory, u64 stride, Real *in)
{
    in[IN_WEIGHT] = 1.0;
    in[IN_MASS] = 0.0;
    in[IN_PART] = 1.0;
    in[IN_KNOWN] = known ? 1.0 : 0.0;
    for (int k = 0; k < CONSTANTS; ++k)
        in[IN_CONSTANTS + k] = (Real)constants_of(w, materials)[k];
    for (int k = 0; k < MEMORY; ++k)
        in[IN_MEMORY + k] = known ? memory[k * stride] : (Real)0.0;
    in[IN_CLOCK] = (Real)w.dt;
    in[IN_CLOCK + 1] = (Real)w.dt;
    in[IN_CLOCK + 2] = (Real)w.corrected;
    in[IN_MORE] = 0.0;
    in[IN_MORE + 1] = in[IN_MORE + 2] = 1.0;
}

// A point as a contact takes it: in single precision from its first body on, so that no digit is lost far from the origin.
__device__ Real nearby(double x, double origin) { return SINGLE ? (Real)(x - origin) : (Real)x; }

// What a contact takes before its weight.
__device__ void load_given(const double *geometry, const double *a, const double *b, Real *in)
{
    for (int k = 0; k < GEOMETRY; ++k)
        in[k] = (Real)geometry[k];
    for (int k = 0; k < SIDE; ++k) {
        in[IN_A + k] = (Real)a[k];
        in[IN_B + k] = (Real)b[k];
    }
    for (int axis = 0; axis < 3; ++axis) {
        in[IN_POINT + axis] = nearby(geometry[IN_POINT + axis], a[axis]);
        in[IN_A + axis] = nearby(a[axis], a[axis]);
        in[IN_B + axis] = nearby(b[axis], a[axis]);
    }
}

// One of so many contacts of the same two bodies, and the mass behind it where that matters.
__device__ void share(u32 count, bool matters, double mass, Real *in)
{
    in[IN_WEIGHT] = (Real)weight_of(count);
    if (matters) {
        in[IN_MASS] = (Real)mass;
        in[IN_PART] = (Real)(1.0 / (double)count);
    }
}

// What a contact does and remembers, and how far first and last kicks are corrected for: few contacts begin or end in a step.
__device__ void act(bool known, Real *in, Real *out)
{
    if (!known)
        contact_begin(in, in + IN_MORE);
    contact_act(in, out);
    if ((Real)0.0 < out[OUTCOME + MEMORY] - in[0]) {
        for (int k = 0; k < ACTION; ++k)
            in[IN_MORE + k] = out[k];
        in[IN_MORE + ACTION] = out[OUTCOME + MEMORY];
        contact_correct(in, out);
    }
}

// What a contact does, number by number, in the lab: the first body is at `origin`.
__device__ double outcome_of(const Real *out, int k, const double *origin)
{
    return SINGLE && k >= POINT && k < POINT + 3 ? (double)out[k] + origin[k - POINT] : (double)out[k];
}

__device__ void evaluate_contact(const World &w, u32 c, u32 place)
{
    Real in[IN_MORE + ACTION + 1], out[OUTCOME + MEMORY + 1];
    double spheres[8], a[SIDE], b[SIDE], shift[3], geometry[GEOMETRY];
    // All that is known by the number of the candidate is asked for at once, whether it turns out to be needed or not.
    Candidate of = candidate_at(w, c);
    Word word = word_at(w, c / 32);
    u32 span = AVERAGE || ANY_MASSES ? w.candidate_span[c] : 0;
    double mass = ANY_MASSES ? w.mass[c] : 0.0;
    bool known = word.before >> (c % 32) & 1;
    u32 old = w.carried_over ? (known ? w.was[c] : 0) : word.rank_before + __popc(word.before & below(c % 32));
    load_spheres(w, of, ANY_REACH, spheres, shift);
    u32 kind_a = load_seen(w, of.row_a, a), kind_b = load_seen(w, of.row_b, b);
    u64 materials = materials_of(w, kind_a, kind_b);
    bool matters = masses_matter(w, materials);
    load_rest(w, materials, known, w.memory_old + (known ? old : 0), w.stride_old, in);
    if (span >> 16 > 1 && (AVERAGE || matters)) {
        u32 from = c - (span & 0xffff), to = from + (span >> 16);
        bool here = from / 32 == (to - 1) / 32;
        u32 count = here ? __popc(word.now >> from % 32 & ~0u >> (32 - (to - from))) : count_touching(w, from, to);
        if (count > 1)
            share(count, matters, mass, in);
    }
    for (int axis = 0; axis < 3; ++axis)
        b[axis] += shift[axis];
    touch_spheres(spheres, geometry);
    double smaller = spheres[3] < spheres[7] ? spheres[3] : spheres[7];
    if (!(geometry[0] <= w.max_overlap * smaller))
        halt(w, w.step, OVERLAPS);
    load_given(geometry, a, b, in);
    act(known, in, out);
    store_deed(w.deed + DEED_STRIDE * (u64)place, out);
    for (int k = 0; k < MEMORY; ++k)
        w.memory_new[k * w.stride_new + place] = out[OUTCOME + k];
    if (w.observed)
        for (int k = 0; k < OUTCOME; ++k)
            w.outcome[k * w.outcome_stride + place] = outcome_of(out, k, a);
}

KERNEL_BOUNDS(evaluate, EVALUATE_THREADS, EVALUATE_BLOCKS)
{
    __shared__ u32 hits[CONTACT_TILE], bits[TILE_WORDS];
    if (is_block_halted(w))
        return;
    Tile tile;
    tile.gather(w, hits, bits);
    u64 word = (u64)blockIdx.x * TILE_WORDS + threadIdx.x;
    if (threadIdx.x < TILE_WORDS && word < (w.candidates + 31) / 32) {
        u32 before = tile.first;
        for (u32 k = 0; k < threadIdx.x; ++k)
            before += __popc(bits[k]);
        rank_new(w, word) = before;
    }
    for (u32 i = threadIdx.x; i < tile.count; i += EVALUATE_THREADS)
        if (MODELS == 1 || has_bit(bits_of_model(w, MODEL), hits[i]))
            evaluate_contact(w, hits[i], tile.first + i);
}
