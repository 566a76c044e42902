//! What is wrong with kernels, with their files and with calls is found and said.

use crate::tools::{Failure, devices, download, emulated, folder, run, say, world};
use tumble_gpu::device::{self, DeviceError};

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
            else if (threadIdx.x < 40) __ballot_sync(0xffffffffu, 1);
            else __syncthreads();
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
        ("apart", &["56 threads at the barrier of line 3", "8 in warp primitives", "line 4"][..]),
        ("branches", &["different barriers", "line 9", "line 11"]),
        ("lanes", &["line 14", "line 15"]),
        ("stranger", &["line 17", "warp"]),
    ] {
        match program.launch(kernel, 3, 64, &world) {
            Err(DeviceError::Launch { kernel: of, cause }) => {
                assert_eq!(of, kernel);
                let missing = words.iter().find(|word| !cause.contains(**word));
                assert!(missing.is_none(), "{kernel}: {cause}");
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
