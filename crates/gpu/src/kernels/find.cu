// Which candidates touch, and the places of contacts: what comes before any law.
//
//   find_contacts   a bit for each candidate: whether it touches
//   rank_contacts   how many touch before each tile of candidates, and so the places of contacts, which follow each other in the order of
//                   the lists

#define CONTACT_THREADS 128
#define TILE_WORDS (CONTACT_TILE / 32)

// Numbers of the geometry of a contact.
#define GEOMETRY 9

#if RANGED
// Whether two spheres are within the range of their own materials and, if contacts begin with a touch, have touched.
__device__ bool is_within_range(const World &w, u64 materials, const double *spheres, bool known)
{
    double geometry[GEOMETRY];
    touch_spheres(spheres, geometry);
    u32 model = w.model_of[materials];
    bool begun = !w.model_lasting[model] || geometry[0] > 0.0 || known;
    // Of ellipsoids that are too deep in each other no overlap is known: whoever asks where they touch says so.
    if (geometry[0] != geometry[0])
        return true;
    return geometry[0] > -contact_range(constants_of(w, materials), model, geometry[8]) && begun;
}
#endif

__device__ bool touches(const World &w, u32 c)
{
    double spheres[8], shift[3], range = 0.0;
    Candidate of = candidate_at(w, c);
#if RANGED
    u64 materials = materials_of(w, w.kind[of.row_a], w.kind[of.row_b]);
    range = w.model_range[w.model_of[materials]];
#endif
    bool within = load_spheres(w, of, range, spheres, shift);
#if !ELLIPSOIDS
    double dx = spheres[0] - spheres[4], dy = spheres[1] - spheres[5], dz = spheres[2] - spheres[6];
    double reach = spheres[3] + spheres[7] + range;
    within = dx * dx + dy * dy + dz * dz < reach * reach;
#endif
#if RANGED
    return within && (range == 0.0 || is_within_range(w, materials, spheres, touched_before(w, c)));
#else
    return within;
#endif
}

// How many of a range of candidates touch.
__device__ u32 count_touching(const World &w, u32 from, u32 to)
{
    u32 count = 0;
    for (u32 word = from / 32; word <= (to - 1) / 32; ++word) {
        u32 mask = word == from / 32 ? ~below(from % 32) : ~0u;
        if (word == (to - 1) / 32)
            mask &= ~0u >> (31 - (to - 1) % 32);
        count += __popc(bits_new(w, word) & mask);
    }
    return count;
}

KERNEL_BOUNDS(find_contacts, CONTACT_THREADS, 12)
{
    __shared__ u32 counts[CONTACT_THREADS / 32];
    if (is_block_halted(w))
        return;
    const u32 each = TILE_WORDS / (CONTACT_THREADS / 32);
    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, found = 0;
    for (u32 k = 0; k < each; ++k) {
        u64 word = (u64)blockIdx.x * TILE_WORDS + warp * each + k, c = word * 32 + lane;
        bool hit = c < w.candidates && touches(w, (u32)c);
        u32 bits = __ballot_sync(0xffffffffu, hit);
        if (lane == 0 && c < w.candidates)
            bits_new(w, word) = bits;
        found += __popc(bits);
    }
    if (lane == 0)
        counts[warp] = found;
    __syncthreads();
    u32 all = 0;
    for (u32 k = 0; k < CONTACT_THREADS / 32; ++k)
        all += counts[k];
    if (threadIdx.x == 0)
        w.tile_count[blockIdx.x] = all;
}

// By one block, which everybody waits for: as many threads as it can have.
#define RANK_THREADS 1024

KERNEL_BOUNDS(rank_contacts, RANK_THREADS, 1)
{
    const u32 each = 16;
    if (is_block_halted(w))
        return;
    u64 tiles = (w.candidates + CONTACT_TILE - 1) / CONTACT_TILE;
    u32 so_far = 0;
    for (u64 begin = 0; begin < tiles; begin += RANK_THREADS * each) {
        u64 first = begin + threadIdx.x * each;
        u32 own[each], sum = 0, total;
        for (u32 k = 0; k < each; ++k) {
            own[k] = first + k < tiles ? w.tile_count[first + k] : 0;
            sum += own[k];
        }
        u32 before = so_far + scan_block<RANK_THREADS>(sum, &total);
        for (u32 k = 0; k < each; ++k) {
            if (first + k < tiles)
                w.tile_first[first + k] = before;
            before += own[k];
        }
        so_far += total;
    }
    if (threadIdx.x == 0)
        *w.taken = so_far;
}
