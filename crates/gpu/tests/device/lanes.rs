//! Kernels in several lanes wait for each other where they have to, and an emulated card shows where they do not.

use crate::tools::{Failure, devices, download, emulated, upload, world};
use std::collections::BTreeSet;
use tumble_gpu::device::Lane;

const SOURCE: &str = "struct World { const u32 *in; u32 *out; };
    KERNEL(copy_and_add) { if (threadIdx.x == 0) w.out[0] = w.in[0] + 1; }
    KERNEL(twice) { if (threadIdx.x == 0) w.out[0] = 2 * w.out[0]; }";

#[test]
fn lanes_follow_each_other() -> Result<(), Failure> {
    for device in devices()? {
        let program = device.compile(SOURCE)?;
        let numbers = [upload(&*device, &[0_u32])?, upload(&*device, &[0_u32])?];
        let mut before = Lane::First;
        let lanes = [Lane::Second, Lane::Third, Lane::First, Lane::Third, Lane::Second, Lane::First];
        for (k, lane) in lanes.into_iter().cycle().take(600).enumerate() {
            device.follow(lane, before)?;
            let world = world(&[&numbers[k % 2], &numbers[(k + 1) % 2]]);
            program.launch_in(lane, "copy_and_add", 1, 64, &world)?;
            before = lane;
        }
        assert_eq!(before, Lane::First);
        assert_eq!(download::<u32>(&*device, &numbers[0])?, [600]);
        device.finish()?;
    }
    Ok(())
}

#[test]
fn lanes_that_do_not_wait_are_found() -> Result<(), Failure> {
    let mut found = BTreeSet::new();
    for seed in 0..20 {
        let Some(device) = emulated(seed)? else { return Ok(()) };
        let program = device.compile(SOURCE)?;
        let (in_, out) = (upload(&*device, &[6_u32])?, upload(&*device, &[0_u32])?);
        let world = world(&[&in_, &out]);
        program.launch_in(Lane::Second, "copy_and_add", 1, 64, &world)?;
        program.launch("twice", 1, 64, &world)?;
        device.follow(Lane::First, Lane::Second)?;
        found.extend(download::<u32>(&*device, &out)?);
    }
    assert_eq!(found, BTreeSet::from([7, 14]));
    Ok(())
}

#[test]
fn what_nobody_waits_for_ends_with_its_program() -> Result<(), Failure> {
    let Some(device) = emulated(0)? else { return Ok(()) };
    let (in_, out) = (upload(&*device, &[6_u32])?, upload(&*device, &[0_u32])?);
    let program = device.compile(SOURCE)?;
    program.launch_in(Lane::Third, "copy_and_add", 1, 64, &world(&[&in_, &out]))?;
    drop(program);
    device.finish()?;
    assert_eq!(download::<u32>(&*device, &out)?, [0]);
    Ok(())
}
