// What kernels see of CUDA C++ when a compiler of the machine compiles them for the processor: prepended to their source.
//
// No header of the system is included, so that names are as free for kernels as they are on a card. What has to be undefined
// there should not go unseen here: numbers of lanes that take no part in a shuffle are noise, and so is `__shared__` memory
// at the start of a launch. Sums of floating-point numbers by atomicAdd are left out, for their bits depend on the order.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#ifdef __ELF__
#define __shared__ static __attribute__((section("tumble_shared")))
#else
#define __shared__ static
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))

#define KERNEL(name)                                                                                                     \
    static void name(const World &w);                                                                                    \
    extern "C" __attribute__((visibility("default"))) void tumble_kernel_##name(const void *world)                       \
    {                                                                                                                    \
        name(*static_cast<const World *>(world));                                                                        \
    }                                                                                                                    \
    static void name(const World &w)
#define KERNEL_BOUNDS(name, threads, blocks) KERNEL(name)

// The scheduler, `scheduler.cpp`.
struct tumble_index { u32 x, y, z; };
extern "C" {
extern tumble_index threadIdx, blockIdx, blockDim, gridDim;
u32 tumble_barrier(u32 kind, int value, u32 line);
u64 tumble_exchange(u32 kind, u32 mask, u64 value, u32 source, u32 line);
}
static const int warpSize = 32;

#define __syncthreads() ((void)tumble_barrier(0, 0, __LINE__))
#define __syncthreads_count(value) ((int)tumble_barrier(1, (value) != 0, __LINE__))
#define __syncthreads_or(value) ((int)(tumble_barrier(2, (value) != 0, __LINE__) != 0))
#define __syncthreads_and(value) ((int)(tumble_barrier(3, (value) == 0, __LINE__) == 0))
static inline void __threadfence() {}
static inline void __threadfence_block() {}

static inline u32 tumble_ballot(u32 mask, int value, u32 line) { return (u32)tumble_exchange(1, mask, value != 0, 0, line); }
struct tumble_warp_barrier {
    u32 line;
    void operator()(u32 mask = 0xffffffffu) const { tumble_exchange(0, mask, 0, 0, line); }
};
#define __syncwarp tumble_warp_barrier{__LINE__}
#define __ballot_sync(mask, value) tumble_ballot(mask, value, __LINE__)
#define __any_sync(mask, value) ((int)(tumble_ballot(mask, value, __LINE__) != 0))
#define __all_sync(mask, value) ((int)(tumble_ballot(mask, !(value), __LINE__) == 0))

static inline u32 tumble_lane() { return threadIdx.x % 32; }
// Which lane each of the shuffles reads, in segments of `width` lanes; out of its segment, a lane reads itself.
static inline u32 tumble_at(int lane, int width)
{
    return (tumble_lane() & ~(u32)(width - 1)) | ((u32)lane & (u32)(width - 1));
}
static inline u32 tumble_up(u32 by, int width)
{
    return (tumble_lane() & (u32)(width - 1)) >= by ? tumble_lane() - by : tumble_lane();
}
static inline u32 tumble_down(u32 by, int width)
{
    return (u64)(tumble_lane() & (u32)(width - 1)) + by < (u64)width ? tumble_lane() + by : tumble_lane();
}
static inline u32 tumble_xor(int by, int width)
{
    u32 to = tumble_lane() ^ (u32)by;
    return (to & ~(u32)(width - 1)) <= (tumble_lane() & ~(u32)(width - 1)) ? to : tumble_lane();
}
template <typename T> static inline T tumble_shuffle(u32 mask, T value, u32 source, u32 line)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "numbers of 4 or 8 bytes are shuffled");
    u64 bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = tumble_exchange(2, mask, bits, source, line);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
#define TUMBLE_SHUFFLE(lane_of, mask, value, by, width, ...) tumble_shuffle(mask, value, lane_of(by, width), __LINE__)
#define __shfl_sync(mask, value, ...) TUMBLE_SHUFFLE(tumble_at, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_up_sync(mask, value, ...) TUMBLE_SHUFFLE(tumble_up, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_down_sync(mask, value, ...) TUMBLE_SHUFFLE(tumble_down, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_xor_sync(mask, value, ...) TUMBLE_SHUFFLE(tumble_xor, mask, value, __VA_ARGS__, 32, 0)

// Threads change places at barriers only, so that atomic operations are plain ones.
#define TUMBLE_ATOMIC(name, T, expression)                                                                               \
    static inline T name(T *address, T value)                                                                            \
    {                                                                                                                    \
        T old = *address;                                                                                                \
        *address = expression;                                                                                           \
        return old;                                                                                                      \
    }
#define TUMBLE_ATOMICS(T)                                                                                                \
    TUMBLE_ATOMIC(atomicAdd, T, (T)((u64)old + (u64)value))                                                              \
    TUMBLE_ATOMIC(atomicSub, T, (T)((u64)old - (u64)value))                                                              \
    TUMBLE_ATOMIC(atomicMin, T, value < old ? value : old)                                                               \
    TUMBLE_ATOMIC(atomicMax, T, old < value ? value : old)                                                               \
    TUMBLE_ATOMIC(atomicAnd, T, old & value)                                                                             \
    TUMBLE_ATOMIC(atomicOr, T, old | value)                                                                              \
    TUMBLE_ATOMIC(atomicXor, T, old ^ value)                                                                             \
    TUMBLE_ATOMIC(atomicExch, T, value)                                                                                  \
    static inline T atomicCAS(T *address, T expected, T value)                                                           \
    {                                                                                                                    \
        T old = *address;                                                                                                \
        if (old == expected) *address = value;                                                                           \
        return old;                                                                                                      \
    }
TUMBLE_ATOMICS(int)
TUMBLE_ATOMICS(unsigned int)
TUMBLE_ATOMICS(unsigned long long)

static inline int __popc(u32 x) { return __builtin_popcount(x); }
static inline int __popcll(u64 x) { return __builtin_popcountll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(i64 x) { return __builtin_ffsll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((u32)x); }
static inline int __clzll(i64 x) { return x == 0 ? 64 : __builtin_clzll((u64)x); }
static inline u32 __brev(u32 x)
{
    u32 reversed = 0;
    for (int bit = 0; bit < 32; bit++) reversed |= ((x >> bit) & 1u) << (31 - bit);
    return reversed;
}
static inline u32 __umulhi(u32 a, u32 b) { return (u32)(((u64)a * b) >> 32); }
static inline u64 __umul64hi(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }

template <typename To, typename From> static inline To tumble_bits(From from)
{
    To to;
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}
static inline i64 __double_as_longlong(double x) { return tumble_bits<i64>(x); }
static inline double __longlong_as_double(i64 x) { return tumble_bits<double>(x); }
static inline int __float_as_int(float x) { return tumble_bits<int>(x); }
static inline u32 __float_as_uint(float x) { return tumble_bits<u32>(x); }
static inline float __int_as_float(int x) { return tumble_bits<float>(x); }
static inline float __uint_as_float(u32 x) { return tumble_bits<float>(x); }
template <typename T> static inline T __ldg(const T *address) { return *address; }

// Of a number and one that is none, the number; of two zeros, the one with the sign that the name asks for.
#define TUMBLE_REAL(T, s, copysign_of)                                                                                   \
    static inline T tumble_smaller(T a, T b)                                                                             \
    {                                                                                                                    \
        return a < b ? a : b < a ? b : a != a ? b : b != b ? a : copysign_of((T)1, a) < 0 ? a : b;                       \
    }                                                                                                                    \
    static inline T tumble_larger(T a, T b)                                                                              \
    {                                                                                                                    \
        return a > b ? a : b > a ? b : a != a ? b : b != b ? a : copysign_of((T)1, a) < 0 ? b : a;                       \
    }                                                                                                                    \
    static inline T fmin##s(T a, T b) { return tumble_smaller(a, b); }                                                   \
    static inline T fmax##s(T a, T b) { return tumble_larger(a, b); }                                                    \
    static inline T sqrt##s(T x) { return __builtin_sqrt##s(x); }                                                        \
    static inline T fabs##s(T x) { return __builtin_fabs##s(x); }                                                        \
    static inline T rint##s(T x) { return __builtin_rint##s(x); }                                                        \
    static inline T floor##s(T x) { return __builtin_floor##s(x); }                                                      \
    static inline T ceil##s(T x) { return __builtin_ceil##s(x); }                                                        \
    static inline T trunc##s(T x) { return __builtin_trunc##s(x); }                                                      \
    static inline T copysign##s(T x, T y) { return __builtin_copysign##s(x, y); }                                        \
    static inline T fma##s(T x, T y, T z) { return __builtin_fma##s(x, y, z); }                                          \
    static inline bool isnan(T x) { return x != x; }                                                                     \
    static inline bool isfinite(T x) { return x - x == 0; }                                                              \
    static inline T min(T a, T b) { return tumble_smaller(a, b); }                                                       \
    static inline T max(T a, T b) { return tumble_larger(a, b); }
TUMBLE_REAL(double, , __builtin_copysign)
TUMBLE_REAL(float, f, __builtin_copysignf)
static inline double nan(const char *) { return __builtin_nan(""); }
static inline float nanf(const char *) { return __builtin_nanf(""); }
static inline float sqrt(float x) { return sqrtf(x); }
static inline float fabs(float x) { return fabsf(x); }
static inline float rint(float x) { return rintf(x); }
static inline float floor(float x) { return floorf(x); }

#define TUMBLE_ORDER(A, B, T)                                                                                            \
    static inline T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                                                  \
    static inline T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
TUMBLE_ORDER(int, int, int)
TUMBLE_ORDER(unsigned, unsigned, unsigned)
TUMBLE_ORDER(int, unsigned, unsigned)
TUMBLE_ORDER(unsigned, int, unsigned)
TUMBLE_ORDER(long, long, long)
TUMBLE_ORDER(unsigned long, unsigned long, unsigned long)
TUMBLE_ORDER(long long, long long, long long)
TUMBLE_ORDER(unsigned long long, unsigned long long, unsigned long long)
TUMBLE_ORDER(long long, unsigned long long, unsigned long long)
TUMBLE_ORDER(unsigned long long, long long, unsigned long long)

#define TUMBLE_VECTORS(T, name, bytes)                                                                                   \
    struct __attribute__((aligned(2 * bytes))) name##2 { T x, y; };                                                      \
    struct name##3 { T x, y, z; };                                                                                       \
    struct __attribute__((aligned(4 * bytes > 16 ? 16 : 4 * bytes))) name##4 { T x, y, z, w; };                          \
    static inline name##2 make_##name##2(T x, T y) { return {x, y}; }                                                    \
    static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                            \
    static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
TUMBLE_VECTORS(int, int, 4)
TUMBLE_VECTORS(unsigned, uint, 4)
TUMBLE_VECTORS(float, float, 4)
TUMBLE_VECTORS(double, double, 8)
