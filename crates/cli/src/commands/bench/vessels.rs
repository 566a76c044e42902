//! Rods in vessels: a drum that turns and a hopper that runs empty, of any size.
//!
//! Both begin as a dense cloud, and are what their names say after a fraction of a second that is not measured. Rods are as soft as they can
//! be there, since what is counted hangs on where bodies are and not on how hard they are.

use super::scenes::{SETTLING_RADIUS, Scene, gas_or_grains, rod};
use core::f64::consts::PI;
use std::error::Error;
use tumble_dem::placement::{Choice, Cloud};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cone, Cylinder, Motion, Movement, Plane, Shape, Side, Wall};
use tumble_dem::{LabVec, MaterialId, World};
use tumble_rotation::math::elementary::cbrt;

/// How hard rods are, Pa, the time step that goes with it, s, and how many of them pass before anything is measured.
struct Before {
    young: f64,
    dt: f64,
    steps: u64,
}

/// The part of the space of a cloud that is solid.
const FILLING: f64 = 0.45;

/// The volume of a rod, m³.
const ROD: f64 = 4.0 * PI * SETTLING_RADIUS * SETTLING_RADIUS * SETTLING_RADIUS;

/// A drum as long as it is wide, nearly half full, after a third of a turn per second for 0.15 s.
pub(super) fn drum(count: usize) -> Result<Scene, Box<dyn Error>> {
    // The cloud is a box of 1.6 R × 2 R × 0.8 R, whose lower edges touch the shell.
    let radius = cbrt(count as f64 * ROD / FILLING / 2.56);
    let mut world = world();
    let axis = LabVec::new(0.0, 1.0, 0.0);
    let turning = Motion::new(vec![Movement::Spin { axis, pivot: LabVec::zero(), rate: 2.0 * PI / 3.0 }])?;
    let shell = Cylinder::new(LabVec::zero(), axis, radius, Side::Inside, None)?;
    add(&mut world, "shell", Shape::Cylinder(shell), turning)?;
    for (name, side) in [("front", 1.0), ("back", -1.0)] {
        let end = Plane::new(axis * (-side * radius), axis * side)?;
        add(&mut world, name, Shape::Plane(end), Motion::fixed())?;
    }
    let before = Before { young: 4e6, dt: 8e-5, steps: 1900 };
    let low = LabVec::new(-0.8 * radius, -radius, -0.6 * radius);
    fill(world, count, low, LabVec::new(0.8 * radius, radius, 0.2 * radius), &before)
}

/// A funnel under a tube whose height is twice its width, after 0.18 s, when rods run out of it.
pub(super) fn hopper(count: usize) -> Result<Scene, Box<dyn Error>> {
    // The cloud is a box of √2 R × √2 R × 2 R in the tube.
    let radius = cbrt(count as f64 * ROD / FILLING / 4.0);
    let outlet = radius.min((0.3 * radius).max(8.0 * SETTLING_RADIUS));
    let mut world = world();
    let up = LabVec::new(0.0, 0.0, 1.0);
    let depth = 0.8 * radius;
    let funnel = Cone::new([up * -depth, LabVec::zero()], [outlet, radius], Side::Inside)?;
    add(&mut world, "funnel", Shape::Cone(funnel), Motion::fixed())?;
    let tube = Cylinder::new(LabVec::zero(), up, radius, Side::Inside, Some(4.0 * radius))?;
    add(&mut world, "tube", Shape::Cylinder(tube), Motion::fixed())?;
    let floor = Plane::new(up * (-2.0 * radius), up)?;
    add(&mut world, "floor", Shape::Plane(floor), Motion::fixed())?;
    let side = radius * 0.5_f64.sqrt();
    // They fall into the funnel, and hit it faster than those in the drum hit each other.
    let before = Before { young: 1e7, dt: 5e-5, steps: 3600 };
    fill(world, count, LabVec::new(-side, -side, 0.0), LabVec::new(side, side, 2.0 * radius), &before)
}

fn world() -> World {
    World { gravity: LabVec::new(0.0, 0.0, -9.81), ..World::default() }
}

fn add(world: &mut World, name: &str, shape: Shape, motion: Motion) -> Result<(), Box<dyn Error>> {
    world.walls.push(Wall::new(name, shape, MaterialId(0), motion)?);
    Ok(())
}

/// The scene of so many rods in a box.
fn fill(
    mut world: World,
    count: usize,
    low: LabVec<f64>,
    high: LabVec<f64>,
    before: &Before,
) -> Result<Scene, Box<dyn Error>> {
    let contact = gas_or_grains(&mut world, 2500.0, before.young, 0.3, 0.5, 0.5);
    let rod = world.add_template(rod(3, SETTLING_RADIUS)?)?;
    let cloud = Cloud { low, high, count, gap: 1e-3 };
    world.bodies = cloud.place(&Choice::of(rod), &world, &mut Random::new(23))?;
    Ok(Scene { preparation: before.steps, ..Scene::new(world, before.dt, contact) })
}
