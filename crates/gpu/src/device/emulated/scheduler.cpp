// Runs kernels on the processor, one thread of a block at a time: compiled and linked with them.
//
// Each thread of a block is a fiber with a stack of its own, which gives way only where it waits for others: at barriers of the
// block and in primitives of the warp. Which block is next, and which of the threads that could go on does, is drawn from a
// seed. So a kernel whose result depends on the order shows it from one seed to the next, and shows it again with the same
// seed. Threads that wait for ever are an error, and so are threads of one block that wait at different barriers.
//
// makecontext starts a fiber; _setjmp and _longjmp change fibers, for they leave the mask of signals alone and so need no call
// of the system. Fibers are kept: when a thread returns, its fiber waits for the next one.

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

typedef unsigned int u32;
typedef unsigned long long u64;

struct tumble_index { u32 x, y, z; };
extern "C" {
tumble_index threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
}

#ifdef __ELF__
// The linker marks both ends of a section; one variable that is always there makes the section exist.
__attribute__((section("tumble_shared"), used)) static u64 some_shared = 0;
extern "C" {
extern char __start_tumble_shared[] __attribute__((visibility("hidden")));
extern char __stop_tumble_shared[] __attribute__((visibility("hidden")));
}
#endif

namespace {

const u32 MOST_THREADS = 1024;
const u32 LANES = 32;
const size_t STACK = 64 * 1024;
// Below each stack, memory that cannot be touched: a stack too small stops the program instead of changing its neighbour.
const size_t GUARD = 64 * 1024;

enum State { READY, AT_BARRIER, IN_WARP, RETURNED };
enum { WARP_BARRIER, BALLOT, SHUFFLE };

struct Fiber {
    jmp_buf jump;
    char *stack;
    bool born;
    State state;
    // What it waits for.
    u32 kind, line, mask, source;
    u64 value, result;
};

struct Fibers {
    Fiber of[MOST_THREADS];
    ~Fibers()
    {
        for (Fiber &fiber : of)
            if (fiber.stack) munmap(fiber.stack - GUARD, GUARD + STACK);
    }
};

Fibers fibers;
jmp_buf scheduler;
u32 running;
void (*kernel)(const void *);
const void *world;

u64 random_state;
u32 ready[MOST_THREADS];
u32 ready_count;
// Lanes of each warp, as bits.
u32 waiting[MOST_THREADS / LANES], returned[MOST_THREADS / LANES];

// SplitMix64.
u64 noise()
{
    u64 z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

u32 below(u32 count) { return (u32)(((noise() >> 32) * count) >> 32); }

__attribute__((noinline)) void give_way()
{
    if (!_setjmp(fibers.of[running].jump)) _longjmp(scheduler, 1);
}

void life()
{
    for (;;) {
        kernel(world);
        fibers.of[running].state = RETURNED;
        give_way();
    }
}

__attribute__((noinline)) void start(Fiber &fiber)
{
    static ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack;
    context.uc_stack.ss_size = STACK;
    context.uc_link = nullptr;
    makecontext(&context, life, 0);
    setcontext(&context);
}

// Lets a thread go on until it waits or returns.
__attribute__((noinline)) void resume(u32 thread)
{
    Fiber &fiber = fibers.of[thread];
    running = thread;
    threadIdx.x = thread;
    if (_setjmp(scheduler)) return;
    if (fiber.born) _longjmp(fiber.jump, 1);
    fiber.born = true;
    start(fiber);
}

bool has_stack(Fiber &fiber)
{
    if (fiber.stack) return true;
    void *memory = mmap(nullptr, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    mprotect(memory, GUARD, PROT_NONE);
    fiber.stack = (char *)memory + GUARD;
    return true;
}

void make_ready(u32 thread)
{
    fibers.of[thread].state = READY;
    ready[ready_count++] = thread;
}

// Lets the lanes go on that a lane waits for, if all of them have come.
void settle(u32 warp, u32 lane)
{
    Fiber *lanes = fibers.of + warp * LANES;
    const Fiber &one = lanes[lane];
    if (!(one.mask >> lane & 1) || (one.mask & ~(waiting[warp] | returned[warp]))) return;
    u32 here = one.mask & waiting[warp];
    u32 ballot = 0;
    for (u32 i = 0; i < LANES; i++) {
        if (!(here >> i & 1)) continue;
        if (lanes[i].kind != one.kind || lanes[i].mask != one.mask) return;
        ballot |= (u32)(lanes[i].value & 1) << i;
    }
    for (u32 i = 0; i < LANES; i++) {
        if (!(here >> i & 1)) continue;
        u32 source = lanes[i].source;
        bool known = source < LANES && (here >> source & 1);
        if (lanes[i].kind == SHUFFLE) lanes[i].result = known ? lanes[source].value : noise();
        if (lanes[i].kind == BALLOT) lanes[i].result = ballot;
        make_ready(warp * LANES + i);
    }
    waiting[warp] &= ~here;
}

// What every thread of the block waits for, when none can go on. Says so and returns false unless it is one barrier.
bool pass_barrier(u32 threads, char *message, size_t room)
{
    u32 at_barrier = 0, in_warp = 0, first = MOST_THREADS, other = MOST_THREADS, stuck = MOST_THREADS, sum = 0;
    for (u32 i = 0; i < threads; i++) {
        const Fiber &fiber = fibers.of[i];
        if (fiber.state == IN_WARP) {
            in_warp++;
            stuck = stuck == MOST_THREADS ? i : stuck;
        }
        if (fiber.state != AT_BARRIER) continue;
        at_barrier++;
        sum += (u32)fiber.value;
        first = first == MOST_THREADS ? i : first;
        if (fiber.line != fibers.of[first].line || fiber.kind != fibers.of[first].kind)
            other = other == MOST_THREADS ? i : other;
    }
    if (in_warp && at_barrier)
        snprintf(message, room,
                 "block %u waits for ever: %u threads at the barrier of line %u, and %u in warp primitives, thread %u in line %u",
                 blockIdx.x, at_barrier, fibers.of[first].line, in_warp, stuck, fibers.of[stuck].line);
    else if (in_warp)
        snprintf(message, room,
                 "block %u waits for ever: %u threads in warp primitives, thread %u in line %u for lanes that do not come", blockIdx.x,
                 in_warp, stuck, fibers.of[stuck].line);
    else if (other != MOST_THREADS)
        snprintf(message, room, "threads of block %u wait at different barriers: thread %u in line %u, thread %u in line %u", blockIdx.x,
                 first, fibers.of[first].line, other, fibers.of[other].line);
    else {
        for (u32 i = 0; i < threads; i++) {
            if (fibers.of[i].state != AT_BARRIER) continue;
            fibers.of[i].result = sum;
            make_ready(i);
        }
        return true;
    }
    return false;
}

bool run_block(u32 threads, char *message, size_t room)
{
    ready_count = 0;
    for (u32 i = 0; i < threads; i++) make_ready(i);
    u32 warps = (threads + LANES - 1) / LANES;
    for (u32 i = 0; i < warps; i++) {
        waiting[i] = 0;
        // Lanes beyond the block are waited for by nobody.
        returned[i] = (i + 1) * LANES <= threads ? 0 : ~0u << threads % LANES;
    }
    for (u32 left = threads; left;) {
        if (!ready_count && !pass_barrier(threads, message, room)) return false;
        u32 place = below(ready_count);
        u32 thread = ready[place];
        ready[place] = ready[--ready_count];
        resume(thread);
        u32 warp = thread / LANES, lane = thread % LANES;
        if (fibers.of[thread].state == IN_WARP) {
            waiting[warp] |= 1u << lane;
            settle(warp, lane);
        } else if (fibers.of[thread].state == RETURNED) {
            left--;
            returned[warp] |= 1u << lane;
            for (u32 i = 0; i < LANES; i++)
                if (waiting[warp] >> i & 1) settle(warp, i);
        }
    }
    return true;
}

} // namespace

extern "C" u32 tumble_barrier(u32 kind, int value, u32 line)
{
    Fiber &fiber = fibers.of[running];
    fiber.state = AT_BARRIER;
    fiber.kind = kind;
    fiber.value = (u64)value;
    fiber.line = line;
    give_way();
    return (u32)fiber.result;
}

extern "C" u64 tumble_exchange(u32 kind, u32 mask, u64 value, u32 source, u32 line)
{
    Fiber &fiber = fibers.of[running];
    fiber.state = IN_WARP;
    fiber.kind = kind;
    fiber.mask = mask;
    fiber.value = value;
    fiber.source = source;
    fiber.line = line;
    give_way();
    return fiber.result;
}

// Runs a kernel; returns 0, or 1 with a message. `order` has room for the number of each block.
extern "C" __attribute__((visibility("default"))) int tumble_run(void (*function)(const void *), u32 blocks, u32 threads,
                                                                  const void *bytes, u64 seed, u32 *order, char *message, size_t room)
{
    kernel = function;
    world = bytes;
    random_state = seed;
    gridDim.x = blocks;
    blockDim.x = threads;
    for (u32 i = 0; i < threads; i++) {
        if (has_stack(fibers.of[i])) continue;
        snprintf(message, room, "no memory for the stacks of %u threads", threads);
        return 1;
    }
#ifdef __ELF__
    memset(__start_tumble_shared, (int)(noise() & 0xff), (size_t)(__stop_tumble_shared - __start_tumble_shared));
#endif
    for (u32 i = 0; i < blocks; i++) {
        u32 place = below(i + 1);
        order[i] = order[place];
        order[place] = i;
    }
    for (u32 i = 0; i < blocks; i++) {
        blockIdx.x = order[i];
        if (run_block(threads, message, room)) continue;
        // Threads that were left waiting must not go on in the next launch.
        for (Fiber &fiber : fibers.of) fiber.born = false;
        return 1;
    }
    return 0;
}
