//! Kernels do what CUDA promises, with the bits of Rust, on whatever devices there are.

use crate::tools::{Failure, devices, download, halves, run, scattered, upload, world};

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
    let numbers: Vec<u32> = scattered(1000).map(|bits| halves(bits >> 50)[0]).collect();
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
            let odd = |upto: usize| (0..upto).filter(|&j| warp[j] % 2.0 > 0.5);
            let up = if lane < 3 { warp[lane] } else { warp[lane - 3] };
            let expected = [
                odd(32).map(|j| f64::from(1_u32 << j)).sum(),
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
        assert_eq!(halves(out[4]), [512, numbers.iter().map(|&x| halves(x)[0]).max().unwrap_or(0)]);
        let smallest = numbers.iter().map(|&x| halves(x)[0].cast_signed()).min();
        assert_eq!(halves(out[8]).map(u32::cast_signed), [smallest.unwrap_or(0), -512]);
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
    // Of either sign, and over thirty orders of magnitude.
    let spread = |bits: u64| (bits.cast_signed() as f64) / (1_u128 << (bits % 90)) as f64;
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
