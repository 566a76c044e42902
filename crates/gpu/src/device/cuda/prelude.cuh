// What kernels see beside CUDA C++ on a card: prepended to their source. `emulation.h` is the same for the processor.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;
#define KERNEL(name) extern "C" __global__ void name(const World w)
#define KERNEL_BOUNDS(name, threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks) name(const World w)
