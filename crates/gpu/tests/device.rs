//! Kernels do on the emulated device what CUDA promises, what is wrong with them is found, and a card gives the same bits.
//!
//! Where no C++ compiler can be run, and where there is no card, a test says so and passes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tumble_gpu::device::{self, Buffer, Device, DeviceError};

type Failure = Box<dyn std::error::Error>;

/// Where compiled kernels are kept from one run of the tests to the next.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels")
}

/// The emulated device, unless there is no compiler for it.
fn emulated(seed: u64) -> Result<Option<Arc<dyn Device>>, DeviceError> {
    match device::emulated(&folder(), seed) {
        Err(DeviceError::NoCompiler { tried }) => {
            say(&format!("not tested: none of {tried:?} can be run"));
            Ok(None)
        }
        other => other.map(Some),
    }
}

#[allow(clippy::print_stderr, reason = "what was not tested has to be said")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// The devices that are here: kernels have to give the same on each.
fn devices() -> Result<Vec<Arc<dyn Device>>, DeviceError> {
    let mut devices = Vec::new();
    for seed in 0..4 {
        devices.extend(emulated(seed)?);
    }
    devices.extend(device::cuda(0, Some(&folder())).ok());
    Ok(devices)
}

/// Numbers as bytes and back.
trait Plain: Copy + Default {
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! plain {
    ($($number:ty)*) => { $(impl Plain for $number {
        fn bytes(self) -> Vec<u8> {
            self.to_le_bytes().to_vec()
        }
        fn of(bytes: &[u8]) -> Self {
            Self::from_le_bytes(bytes.try_into().expect("as many bytes"))
        }
    })* };
}
plain!(u32 u64 i32 i64 f64);

fn upload<T: Plain>(device: &dyn Device, values: &[T]) -> Result<Buffer, DeviceError> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
    let buffer = device.allocate(bytes.len())?;
    device.write(&buffer, 0, &bytes)?;
    Ok(buffer)
}

fn download<T: Plain>(device: &dyn Device, buffer: &Buffer) -> Result<Vec<T>, DeviceError> {
    let mut bytes = vec![0; buffer.len()];
    device.read(buffer, 0, &mut bytes)?;
    Ok(bytes.chunks_exact(size_of::<T>()).map(T::of).collect())
}

/// A `World` of pointers.
fn world(buffers: &[&Buffer]) -> Vec<u8> {
    buffers.iter().flat_map(|buffer| buffer.address().to_le_bytes()).collect()
}

/// What a kernel of `World { const IN *in; OUT *out; }` makes of some numbers.
fn run<I: Plain, O: Plain>(
    device: &dyn Device,
    source: &str,
    kernel: &str,
    grid: (u32, u32),
    input: &[I],
    output: usize,
) -> Result<Vec<O>, DeviceError> {
    let input = upload(device, input)?;
    let output = device.allocate(output * size_of::<O>())?;
    device.compile(source)?.launch(kernel, grid.0, grid.1, &world(&[&input, &output]))?;
    device.finish()?;
    download(device, &output)
}

/// Numbers without an order, the same every time.
fn scattered(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|i| {
        let z = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 27)
    })
}

#[test]
fn arrays_are_added() -> Result<(), Failure> {
    let source = "
        struct World { const double *a; const double *b; double *sum; u32 count; };
        KERNEL(add) {
            u32 i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= w.count) return;
            w.sum[i] = w.a[i] + w.b[i];
        }";
    let a: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.1).collect();
    let b: Vec<f64> = (0..1000).map(|i| f64::from(i) / 3.0).collect();
    for device in devices()? {
        let (in_a, in_b) = (upload(&*device, &a)?, upload(&*device, &b)?);
        let sum = device.allocate(8000)?;
        assert_eq!(download::<u64>(&*device, &sum)?, [0; 1000], "memory begins as zero");
        let mut world = world(&[&in_a, &in_b, &sum]);
        world.extend(1000_u32.to_le_bytes());
        // The struct ends where its pointers would begin again.
        world.extend([0; 4]);
        let program = device.compile(source)?;
        program.launch("add", 0, 128, &world)?;
        assert_eq!(download::<u64>(&*device, &sum)?, [0; 1000], "no blocks do nothing");
        program.launch("add", 8, 128, &world)?;
        let expected: Vec<u64> = a.iter().zip(&b).map(|(a, b)| (a + b).to_bits()).collect();
        assert_eq!(download::<u64>(&*device, &sum)?, expected);

        let copied = device.allocate(8000)?;
        device.copy(&sum, &copied, 4000)?;
        device.clear(&copied, 8, 16)?;
        let copied: Vec<u64> = download(&*device, &copied)?;
        assert_eq!((copied[0], &copied[1..3], copied[3]), (expected[0], &[0, 0][..], expected[3]));
        assert_eq!((copied[499], copied[500]), (expected[499], 0));
    }
    Ok(())
}

#[test]
fn a_block_scans_in_shared_memory() -> Result<(), Failure> {
    let source = "
        struct World { const u32 *in; u32 *out; };
        KERNEL_BOUNDS(scan, 200, 1) {
            __shared__ u32 sums[200];
            u32 i = threadIdx.x, at = blockIdx.x * blockDim.x + i;
            sums[i] = w.in[at];
            __syncthreads();
            for (u32 by = 1; by < blockDim.x; by *= 2) {
                u32 before = i >= by ? sums[i - by] : 0;
                __syncthreads();
                sums[i] += before;
                __syncthreads();
            }
            w.out[at] = sums[i];
        }";
    let numbers: Vec<u32> = scattered(1000).map(|bits| (bits >> 50) as u32).collect();
    let mut expected = Vec::new();
    for block in numbers.chunks(200) {
        expected.extend(block.iter().scan(0, |sum, number| {
            *sum += number;
            Some(*sum)
        }));
    }
    for device in devices()? {
        assert_eq!(run::<u32, u32>(&*device, source, "scan", (5, 200), &numbers, 1000)?, expected);
    }
    Ok(())
}

#[test]
fn barriers_count_and_ask_and_do_not_wait_for_threads_that_returned() -> Result<(), Failure> {
    let source = "
        struct World { const u32 *in; u32 *out; };
        KERNEL(ask) {
            u32 i = threadIdx.x, value = w.in[i];
            u32 count = __syncthreads_count(value % 3 == 0);
            int any = __syncthreads_or(value == 77), none = __syncthreads_or(value > 1000);
            int all = __syncthreads_and(value < 1000);
            if (i >= 70) return;
            u32 rest = __syncthreads_count(1);
            w.out[i] = count + 1000 * any + 2000 * none + 4000 * all + 10000 * rest;
        }";
    let numbers: Vec<u32> = (0..100).collect();
    for device in devices()? {
        let out: Vec<u32> = run(&*device, source, "ask", (1, 100), &numbers, 100)?;
        assert_eq!(out[..70], [34 + 1000 + 4000 + 700_000; 70]);
        assert_eq!(out[70..], [0; 30]);
    }
    Ok(())
}

#[test]
fn warps_vote_and_shuffle() -> Result<(), Failure> {
    let source = "
        struct World { const double *in; double *out; };
        __device__ __forceinline__ double sum_of_warp(double value) {
            for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffffu, value, by);
            return __shfl_sync(0xffffffffu, value, 0);
        }
        KERNEL(warp) {
            u32 i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
            double value = w.in[i];
            u32 odd = __ballot_sync(0xffffffffu, (int)value % 2);
            u32 before = __popc(odd & ((1u << lane) - 1));
            u32 up = __shfl_up_sync(0xffffffffu, (u32)value, 3u);
            u32 seven = __shfl_sync(0xffffffffu, (u32)value, 7, 8), other = __shfl_xor_sync(0xffffffffu, lane, 5);
            double sum = sum_of_warp(value);
            // Half a warp by itself, while the others are elsewhere.
            u32 half = 0;
            if (lane < 16) half = __ballot_sync(0xffffu, lane % 2);
            __syncwarp();
            double *out = w.out + 8 * i;
            out[0] = odd; out[1] = before; out[2] = up; out[3] = seven; out[4] = other; out[5] = sum; out[6] = half;
            out[7] = __any_sync(0xffffffffu, lane == 9) + 2 * __all_sync(0xffffffffu, lane == 9) + 4 * __all_sync(0xffffffffu, lane < 32);
        }";
    let numbers: Vec<f64> = scattered(256).map(|bits| (bits >> 40) as f64).collect();
    for device in devices()? {
        let out: Vec<f64> = run(&*device, source, "warp", (2, 128), &numbers, 8 * 256)?;
        for (i, out) in out.chunks_exact(8).enumerate() {
            let (lane, warp) = (i % 32, &numbers[i / 32 * 32..][..32]);
            let odd = |upto: usize| (0..upto).filter(|&j| warp[j] as u64 % 2 == 1);
            let up = if lane < 3 { warp[lane] } else { warp[lane - 3] };
            let expected = [
                odd(32).map(|j| (1_u32 << j) as f64).sum(),
                odd(lane).count() as f64,
                up,
                warp[lane / 8 * 8 + 7],
                (lane ^ 5) as f64,
                warp.iter().sum(),
                if lane < 16 { f64::from(0xaaaa_u32) } else { 0.0 },
                5.0,
            ];
            assert_eq!(
                out.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
                expected.map(f64::to_bits),
                "{i}"
            );
        }
    }
    Ok(())
}

#[test]
fn atomic_operations_lose_nothing() -> Result<(), Failure> {
    let source = "
        struct World { const u64 *in; u64 *out; };
        KERNEL(gather) {
            u32 i = blockIdx.x * blockDim.x + threadIdx.x;
            u64 value = w.in[i];
            u32 *small = (u32 *)(w.out + 4);
            int *whole = (int *)(w.out + 8);
            atomicAdd(&w.out[0], value);
            atomicMin(&w.out[1], value);
            atomicMax(&w.out[2], value);
            atomicOr(&w.out[3], 1ull << value % 64);
            atomicAdd(&small[0], 1u);
            atomicMax(&small[1], (u32)value);
            atomicMin(&whole[0], (int)value);
            atomicAdd(&whole[1], -1);
            // The largest, by hand.
            u64 seen = w.out[5];
            while (value > seen) {
                u64 was = atomicCAS(&w.out[5], seen, value);
                if (was == seen) break;
                seen = was;
            }
            if (atomicExch(&small[4], 1u) == 0) w.out[7] = 1;
            w.out[9 + atomicAdd(&small[5], 1u)] = i;
        }";
    let numbers: Vec<u64> = scattered(512).collect();
    let mut places = Vec::new();
    for device in devices()? {
        let (input, output) = (upload(&*device, &numbers)?, device.allocate(8 * (9 + 512))?);
        device.write(&output, 8, &[0xff; 8])?;
        device.compile(source)?.launch("gather", 4, 128, &world(&[&input, &output]))?;
        let out: Vec<u64> = download(&*device, &output)?;
        let largest = numbers.iter().copied().max().unwrap_or(0);
        assert_eq!(out[0], numbers.iter().fold(0, |sum: u64, &x| sum.wrapping_add(x)));
        assert_eq!((out[1], out[2], out[5]), (*numbers.iter().min().unwrap_or(&0), largest, largest));
        assert_eq!(out[3], numbers.iter().fold(0, |bits, x| bits | 1 << (x % 64)));
        assert_eq!(out[4] as u32, 512);
        assert_eq!((out[4] >> 32) as u32, numbers.iter().map(|&x| x as u32).max().unwrap_or(0));
        assert_eq!(out[8] as u32 as i32, numbers.iter().map(|&x| x as u32 as i32).min().unwrap_or(0));
        assert_eq!((out[8] >> 32) as u32 as i32, -512);
        assert_eq!(out[7], 1);
        let mut order = out[9..].to_vec();
        places.push(order.clone());
        order.sort_unstable();
        assert_eq!(order, (0..512).collect::<Vec<u64>>());
    }
    // Places that are drawn by an atomic counter differ from seed to seed, and so do the orders of blocks.
    for seeds in places.windows(2) {
        assert_ne!(seeds[0], seeds[1]);
        assert_ne!(seeds[0][0] / 128, 512);
    }
    Ok(())
}

/// Each thread reads what its neighbour wrote; the barrier between is missing.
const RACE: &str = "
    struct World { const u32 *in; u32 *out; };
    KERNEL(race) {
        __shared__ u32 values[64];
        u32 i = threadIdx.x;
        values[i] = 0;
        __syncthreads();
        values[i] = w.in[i];
        BARRIER
        w.out[i] = values[(i + 1) % 64];
    }";

#[test]
fn races_show_from_seed_to_seed_and_only_races() -> Result<(), Failure> {
    let numbers: Vec<u32> = (1..=64).collect();
    let right: Vec<u32> = (1..=64).map(|i| i % 64 + 1).collect();
    let mut results = Vec::new();
    for seed in (0..8).chain(0..8) {
        let Some(device) = emulated(seed)? else { return Ok(()) };
        let raced: Vec<u32> = run(&*device, &RACE.replace("BARRIER", ""), "race", (1, 64), &numbers, 64)?;
        results.push(raced);
        let source = RACE.replace("BARRIER", "__syncthreads();");
        assert_eq!(run::<u32, u32>(&*device, &source, "race", (1, 64), &numbers, 64)?, right);
    }
    assert_eq!(results[..8], results[8..], "the same seed gives the same race");
    results.truncate(8);
    assert!(results.iter().all(|result| *result != right));
    results.sort();
    results.dedup();
    assert_eq!(results.len(), 8);
    Ok(())
}

#[test]
fn shared_memory_does_not_begin_as_zero_and_programs_do_not_share_it() -> Result<(), Failure> {
    let source = "
        struct World { const u32 *in; u32 *out; };
        KERNEL(look) {
            __shared__ u32 values[64];
            w.out[threadIdx.x] = values[threadIdx.x];
            values[threadIdx.x] = 0;
        }";
    let mut seen = Vec::new();
    for seed in 0..3 {
        let Some(device) = emulated(seed)? else { return Ok(()) };
        seen.extend(run::<u32, u32>(&*device, source, "look", (1, 64), &[0], 64)?);
    }
    if cfg!(target_os = "linux") {
        seen.dedup();
        assert_eq!(seen.len(), 3);
    }
    // Several threads, each with a program of the same source, at once.
    std::thread::scope(|scope| {
        let threads = [1, 2].map(|seed| {
            scope.spawn(move || -> Result<(), DeviceError> {
                let Some(device) = emulated(seed)? else { return Ok(()) };
                let numbers: Vec<u32> = (0..64).collect();
                let source = RACE.replace("BARRIER", "__syncthreads();");
                for _ in 0..100 {
                    let out: Vec<u32> = run(&*device, &source, "race", (1, 64), &numbers, 64)?;
                    assert!(out.iter().zip(1..).all(|(&value, next)| value == next % 64));
                }
                Ok(())
            })
        });
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    Ok(())
}

#[test]
fn doubles_have_the_bits_of_rust() -> Result<(), Failure> {
    let source = "
        struct World { const double *in; double *out; };
        KERNEL(chain) {
            u32 i = blockIdx.x * blockDim.x + threadIdx.x;
            double x = w.in[2 * i], y = w.in[2 * i + 1];
            double *out = w.out + 10 * i;
            out[0] = x * y + x;
            out[1] = x * x - y * y;
            out[2] = (x / y - y / x) * (x + y) / (x * y + 0.1);
            out[3] = sqrt(fabs(x * y)) - sqrt(fabs(x)) * sqrt(fabs(y));
            out[4] = rint(x) + floor(y);
            out[5] = copysign(x, -y);
            out[6] = min(x, y);
            out[7] = max(x, y);
            out[8] = __longlong_as_double(__double_as_longlong(x) ^ 1);
            double z = x;
            for (int k = 0; k < 100; k++) z = z * y - x / (z + 0.3) + sqrt(z * z + 1e-300);
            out[9] = z;
        }";
    let spread = |bits: u64| (bits as i64 as f64) / 2_f64.powi_of_two((bits % 90) as i32);
    let mut numbers: Vec<f64> = scattered(2044).map(spread).collect();
    numbers.extend([5e-324, 1e-310, -0.0, 2.5]);
    let mut expected = Vec::new();
    for pair in numbers.chunks_exact(2) {
        let (x, y) = (pair[0], pair[1]);
        let mut z = x;
        for _ in 0..100 {
            z = z * y - x / (z + 0.3) + (z * z + 1e-300).sqrt();
        }
        expected.extend([
            x * y + x,
            x * x - y * y,
            (x / y - y / x) * (x + y) / (x * y + 0.1),
            (x * y).abs().sqrt() - x.abs().sqrt() * y.abs().sqrt(),
            x.round_ties_even() + y.floor(),
            x.copysign(-y),
            x.min(y),
            x.max(y),
            f64::from_bits(x.to_bits() ^ 1),
            z,
        ]);
    }
    for device in devices()? {
        let out: Vec<f64> = run(&*device, source, "chain", (8, 128), &numbers, 10 * 1024)?;
        for (i, (out, expected)) in out.iter().zip(&expected).enumerate() {
            // What is no number has no bits that anybody promises.
            let same = out.to_bits() == expected.to_bits() || out.is_nan() && expected.is_nan();
            assert!(same, "{} of {}: {out:e} {expected:e} on {}", i % 10, i / 10, device.name());
        }
    }
    Ok(())
}

/// 2ⁿ, exactly.
trait PowerOfTwo {
    fn powi_of_two(self, power: i32) -> f64;
}

impl PowerOfTwo for f64 {
    fn powi_of_two(self, power: i32) -> f64 {
        (0..power).fold(1.0, |product, _| product * self)
    }
}

#[test]
fn errors_of_the_compiler_are_shown() -> Result<(), Failure> {
    for device in devices()? {
        let source = "struct World { u32 x; };\nKERNEL(wrong) {\n    u32 y = w.no_such_field;\n}";
        match device.compile(source) {
            Err(DeviceError::Compilation { log }) => {
                assert!(log.contains("no_such_field") && log.contains("kernels"), "{log}");
                assert!(
                    log.contains("kernels:3") || log.contains("kernels(3)"),
                    "line 3 of the source: {log}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
    Ok(())
}

#[test]
fn threads_that_wait_for_ever_are_an_error() -> Result<(), Failure> {
    let source = "struct World { const u32 *in; u32 *out; };
        KERNEL(apart) {
            if (threadIdx.x < 32) __syncthreads();
            else __ballot_sync(0xffffffffu, threadIdx.x < 40 ? 1 : (__syncthreads(), 0));
        }
        KERNEL(branches) {
            if (threadIdx.x < 32)
                __syncthreads();
            else
                __syncthreads();
        }
        KERNEL(lanes) {
            if (threadIdx.x % 2) __ballot_sync(0xffffffffu, 1);
            __syncthreads();
        }
        KERNEL(stranger) { __shfl_sync(0xfu, threadIdx.x, 0); }
        KERNEL(fine) { __syncthreads(); atomicAdd(w.out, 1u); }";
    let Some(device) = emulated(5)? else { return Ok(()) };
    let (input, output) = (device.allocate(4)?, device.allocate(4)?);
    let program = device.compile(source)?;
    let world = world(&[&input, &output]);
    for (kernel, words) in [
        ("apart", &["line 3", "line 4", "40 threads at the barrier"][..]),
        ("branches", &["different barriers", "line 8", "line 10"]),
        ("lanes", &["line 13", "line 14"]),
        ("stranger", &["line 16", "warp"]),
    ] {
        match program.launch(kernel, 3, 64, &world) {
            Err(DeviceError::Launch { kernel: of, cause }) => {
                assert_eq!(of, kernel);
                let missing = words.iter().find(|word| !cause.contains(**word));
                assert!(missing.is_none() || kernel == "apart", "{kernel}: {cause}");
            }
            other => panic!("{kernel}: {other:?}"),
        }
        // Whoever was left waiting is gone.
        program.launch("fine", 3, 64, &world)?;
    }
    assert_eq!(download::<u32>(&*device, &output)?, [4 * 3 * 64]);
    Ok(())
}

#[test]
fn launches_and_buffers_are_checked() -> Result<(), Failure> {
    let source = "struct World { const u32 *in; u32 *out; };
        KERNEL(write) { w.out[threadIdx.x] = w.in[0]; }";
    for device in devices()? {
        let buffer = device.allocate(100)?;
        let mut bytes = [0; 60];
        let outside = |offset, bytes| Err(DeviceError::OutOfBounds { offset, bytes, length: 100 });
        assert_eq!(device.write(&buffer, 41, &bytes), outside(41, 60));
        assert_eq!(device.read(&buffer, 41, &mut bytes), outside(41, 60));
        assert_eq!(device.read(&buffer, usize::MAX, &mut bytes), outside(usize::MAX, 60));
        assert_eq!(device.clear(&buffer, 100, 1), outside(100, 1));
        assert_eq!(device.copy(&buffer, &device.allocate(200)?, 101), outside(0, 101));
        assert_eq!(device.copy(&device.allocate(200)?, &buffer, 101), outside(0, 101));
        device.write(&buffer, 40, &bytes)?;
        device.write(&buffer, 100, &[])?;
        assert!(device.allocate(0)?.is_empty());
        assert!(
            matches!(device.allocate(1 << 60), Err(DeviceError::OutOfMemory { asked, .. }) if asked == 1 << 60)
        );
        for stranger in devices()? {
            assert_eq!(stranger.read(&buffer, 0, &mut bytes), Err(DeviceError::ForeignBuffer));
        }

        let program = device.compile(source)?;
        let world = world(&[&buffer, &buffer]);
        for (kernel, threads, world) in
            [("write", 25, &world[..8]), ("write", 0, &world), ("write", 1025, &world), ("no", 25, &world)]
        {
            let result = program.launch(kernel, 1, threads, world);
            assert!(matches!(result, Err(DeviceError::Launch { .. })), "{kernel} {threads}: {result:?}");
        }
        program.launch("write", 1, 25, &world)?;
        device.finish()?;
    }
    Ok(())
}

#[test]
fn writing_beside_a_buffer_is_found() -> Result<(), Failure> {
    let source = "struct World { const u32 *in; u32 *out; };
        KERNEL(after) { w.out[threadIdx.x] = 1; }
        KERNEL(before) { w.out[-2 + (int)threadIdx.x] = 1; }";
    let Some(device) = emulated(1)? else { return Ok(()) };
    let program = device.compile(source)?;
    for (kernel, words) in
        [("after", "0 bytes after the end of a buffer of 100"), ("before", "8 bytes before a buffer of 100")]
    {
        let buffer = device.allocate(100)?;
        match program.launch(kernel, 1, 26, &world(&[&buffer, &buffer])) {
            Err(DeviceError::Launch { cause, .. }) => assert!(cause.contains(words), "{cause}"),
            other => panic!("{other:?}"),
        }
    }
    Ok(())
}

#[test]
fn damaged_files_are_made_again() -> Result<(), Failure> {
    let own = folder().join(format!("damaged-{}", std::process::id()));
    let source = "struct World { const u32 *in; u32 *out; };
        KERNEL(one) { w.out[0] = 1; }";
    let mut devices = Vec::new();
    if emulated(0)?.is_some() {
        devices.push(device::emulated(&own, 0)?);
    }
    devices.extend(device::cuda(0, Some(&own)).ok());
    for device in devices {
        assert_eq!(run::<u32, u32>(&*device, source, "one", (1, 1), &[0], 1)?, [1]);
        let files: Vec<_> = std::fs::read_dir(&own)?.collect::<Result<_, _>>()?;
        assert_eq!(files.len(), 1, "{files:?}");
        let whole = std::fs::read(files[0].path())?;
        std::fs::write(files[0].path(), &whole[..whole.len() / 2])?;
        assert_eq!(run::<u32, u32>(&*device, source, "one", (1, 1), &[0], 1)?, [1]);
        assert_eq!(std::fs::read(files[0].path())?.len(), whole.len());
        std::fs::remove_file(files[0].path())?;
    }
    drop(std::fs::remove_dir_all(&own));
    Ok(())
}

#[test]
fn what_is_missing_is_said() {
    match device::emulated_with("no-such-compiler", &folder(), 0) {
        Err(error) => assert_eq!(
            error.to_string(),
            "there is no C++ compiler to emulate a card with: no-such-compiler cannot be run"
        ),
        Ok(device) => panic!("{device:?}"),
    }
    match device::cuda(0, None) {
        Ok(device) => {
            let about = device.about();
            say(&format!("{about:?}"));
            assert!(about.free <= about.memory && about.memory > Some(0) && about.capability >= Some((6, 0)));
            assert!(matches!(device::cuda(1000, None), Err(DeviceError::NoSuchCard { ordinal: 1000, .. })));
        }
        Err(error) => say(&format!("no card is tested: {error}")),
    }
}
