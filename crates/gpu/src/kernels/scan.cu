// Sums of all numbers before each: scan_to[i] = scan_from[0] + … + scan_from[i - 1], and the sum of all behind the last.
//
//   scan_tiles   each block scans a tile of its own, and leaves the sum of it
//   scan_sums    one block scans those sums
//   scan_add     each block adds what came before its tile

#define SCAN_THREADS 256
#define SCAN_EACH 4
#define SCAN_TILE (SCAN_THREADS * SCAN_EACH)

// The sum of the numbers of all threads before this one, and of all threads. Called by all threads of the block.
template <u32 THREADS> __device__ u32 scan_block(u32 number, u32 *total)
{
    __shared__ u32 sums[2][THREADS];
    u32 i = threadIdx.x, from = 0;
    sums[0][i] = number;
    __syncthreads();
    for (u32 reach = 1; reach < THREADS; reach *= 2) {
        sums[1 - from][i] = sums[from][i] + (i >= reach ? sums[from][i - reach] : 0);
        from = 1 - from;
        __syncthreads();
    }
    u32 upto = sums[from][i];
    *total = sums[from][THREADS - 1];
    __syncthreads();
    return upto - number;
}

KERNEL(scan_tiles)
{
    u64 begin = (u64)blockIdx.x * SCAN_TILE + threadIdx.x * SCAN_EACH;
    u32 own[SCAN_EACH], sum = 0, total;
    for (u32 k = 0; k < SCAN_EACH; ++k) {
        own[k] = begin + k < w.scan_count ? w.scan_from[begin + k] : 0;
        sum += own[k];
    }
    u32 before = scan_block<SCAN_THREADS>(sum, &total);
    for (u32 k = 0; k < SCAN_EACH; ++k) {
        if (begin + k < w.scan_count)
            w.scan_to[begin + k] = before;
        before += own[k];
    }
    if (threadIdx.x == 0)
        w.scan_sums[blockIdx.x] = total;
}

KERNEL(scan_sums)
{
    u64 tiles = (w.scan_count + SCAN_TILE - 1) / SCAN_TILE;
    u32 so_far = 0, total;
    for (u64 begin = 0; begin < tiles; begin += SCAN_THREADS) {
        u64 tile = begin + threadIdx.x;
        u32 before = scan_block<SCAN_THREADS>(tile < tiles ? w.scan_sums[tile] : 0, &total);
        if (tile < tiles)
            w.scan_sums[tile] = so_far + before;
        so_far += total;
    }
    if (threadIdx.x == 0)
        w.scan_to[w.scan_count] = so_far;
}

KERNEL(scan_add)
{
    u32 before = w.scan_sums[blockIdx.x];
    u64 begin = (u64)blockIdx.x * SCAN_TILE + threadIdx.x * SCAN_EACH;
    for (u32 k = 0; k < SCAN_EACH; ++k)
        if (begin + k < w.scan_count)
            w.scan_to[begin + k] += before;
}
