//! Coarse-grained fields have the mass, the momentum and the forces of the bodies to rounding, and balance them at every point; they go
//! on after a restart with the same bits.

#![allow(clippy::float_cmp, reason = "the same bits")]

use crate::known::{BALL, at, world};
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat};
use tumble_dem::law::{ContactModel, RollingKind, TwistingKind};
use tumble_dem::material::PairProperties;
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, BodyState, Engine, LabVec, MaterialId, Settings, Touching};
use tumble_measure::coarse::{CoarseFields, CoarseFrame, CoarseSpec, Grid, QUANTITIES, Quantity};

/// Rods and balls of two materials that press and rub on each other and on a floor, after some steps.
fn heap() -> Engine {
    let mut world = world();
    let pair = PairProperties::new(0.5, 0.4).with_rolling(0.1, 0.2).with_twisting(0.4);
    world.materials.set_default(pair);
    let spheres = [ClumpSphere::new([-0.008, 0.0, 0.0], 0.01), ClumpSphere::new([0.008, 0.001, 0.0], 0.008)];
    let rod = ClumpTemplate::new("rod", &spheres, MassModel::Union).unwrap();
    let rod = world.add_template(rod).unwrap();
    let floor = Plane::new(LabVec::zero(), at(0.0, 0.0, 1.0)).unwrap();
    world.walls.push(Wall::new("floor", floor, MaterialId(1), Motion::fixed()).unwrap());
    let moving = |body: Body, x: f64| body.moving(at(x, 0.1, -0.2)).spinning(at(3.0, -5.0, 2.0));
    world.add_body(moving(Body::at(BALL, at(0.0, 0.0, 0.0099)), 0.2));
    world.add_body(moving(Body::at(rod, at(0.0252, 0.002, 0.0098)), -0.2));
    world.add_body(moving(Body::at(BALL, at(0.002, 0.001, 0.0295)).made_of(MaterialId(1)), 0.1));
    world.add_body(moving(Body::at(rod, at(0.027, 0.003, 0.0293)), 0.3));
    let contact = ContactModel {
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
        ..ContactModel::default()
    };
    let mut engine = Engine::new(world, Settings { contact, ..Settings::new(1e-5) }).unwrap();
    engine.advance(60).unwrap();
    let walls = engine.contacts().iter().filter(|contact| matches!(contact.with, Touching::Wall(_))).count();
    assert!(walls > 1 && engine.contact_count() > walls + 2, "{walls} of {}", engine.contact_count());
    engine
}

const LOW: LabVec<f64> = LabVec::new(-0.09, -0.08, -0.07);
const HIGH: LabVec<f64> = LabVec::new(0.11, 0.09, 0.12);

fn spec(grid: Grid) -> CoarseSpec {
    CoarseSpec { name: "f".into(), grid, every: 1, window: None }
}

fn frame(engine: &Engine, grid: Grid) -> CoarseFrame {
    let mut fields = CoarseFields::new(&[spec(grid)]);
    fields.sample(engine);
    fields.latest(0).unwrap().clone()
}

fn values(frame: &CoarseFrame, name: &str) -> Vec<f64> {
    frame.values(Quantity::from_name(name).unwrap())
}

/// The integral of each component over the grid.
fn total(frame: &CoarseFrame, grid: &Grid, name: &str) -> Vec<f64> {
    let parts = Quantity::from_name(name).unwrap().parts.names().len();
    let values = values(frame, name);
    let sum = |part: usize| values.iter().skip(part).step_by(parts).sum::<f64>() * grid.cell_volume();
    (0..parts).map(sum).collect()
}

fn close(ours: &[f64], exact: &[f64], what: &str) {
    let scale = exact.iter().fold(0.0, |scale: f64, value| scale.max(value.abs()));
    for (ours, exact) in ours.iter().zip(exact) {
        assert!((ours - exact).abs() < 2e-13 * scale, "{what}: {ours} for {exact}");
    }
}

/// Sums over a grid, a plane, a line and a box are those over bodies and contacts, whatever the width of the smoothing.
#[test]
fn what_is_on_the_grid_is_what_the_bodies_have() {
    let engine = heap();
    let bodies = engine.bodies();
    let mass: f64 = bodies.iter().map(|body| body.mass).sum();
    let momentum = bodies.iter().fold(LabVec::zero(), |sum, body| sum + body.velocity * body.mass);
    let on_bodies = engine.walls()[0].force * -1.0;
    // Love and Weber: −Σ f ⊗ a over the sides of contacts; and the same of the mean moment about the points of a.
    let (mut stress, mut couple_stress) = ([0.0; 9], [0.0; 9]);
    let mut couple_of_floor = LabVec::zero();
    for contact in engine.contacts() {
        let body = |id| bodies.iter().find(|body| body.id == id).unwrap();
        let mut add = |body: &BodyState, force: LabVec<f64>, couple: LabVec<f64>| {
            let arm = contact.point - body.position;
            let moment = arm.cross(force) * 0.5 + couple;
            for (sums, load) in [(&mut stress, force), (&mut couple_stress, moment)] {
                let (arm, load) = (arm.to_array(), load.to_array());
                sums.iter_mut().enumerate().for_each(|(i, sum)| *sum -= load[i / 3] * arm[i % 3]);
            }
        };
        add(body(contact.body.0), contact.force, contact.couple);
        match contact.with {
            Touching::Body(other, _) => add(body(other), contact.force * -1.0, contact.couple * -1.0),
            Touching::Wall(_) => couple_of_floor = couple_of_floor + contact.couple,
        }
    }
    let spin = bodies.iter().fold(LabVec::zero(), |sum, body| {
        let omega = body.orientation.to_body(body.angular_velocity);
        sum + body.orientation.to_lab(body.moments.times(omega))
    });
    for (cells, smoothing) in
        [([20, 17, 19], 1), ([40, 34, 38], 3), ([40, 1, 38], 2), ([1, 1, 30], 4), ([1, 1, 1], 1)]
    {
        let grid = Grid::new(LOW, HIGH, cells, smoothing);
        let frame = frame(&engine, grid);
        let total = |name: &str| total(&frame, &grid, name);
        close(&total("density"), &[mass], "mass");
        close(&total("number_density"), &[4.0], "bodies");
        close(&total("momentum"), &momentum.to_array(), "momentum");
        close(&total("contact_stress"), &stress, "stress");
        close(&total("couple_stress"), &couple_stress, "couple stress");
        close(&total("spin"), &spin.to_array(), "spin");
        close(&total("wall_couple"), &couple_of_floor.to_array(), "couple of the floor");
        close(&total("contact_density"), &[engine.contact_count() as f64], "contacts");
        close(&total("wall_force"), &on_bodies.to_array(), "force of the floor");
    }
}

/// The B-spline of this order on 0, 1, … by the recursion of Cox and de Boor.
fn cox_de_boor(order: u32, u: f64) -> f64 {
    if order == 1 {
        return if (0.0..1.0).contains(&u) { 1.0 } else { 0.0 };
    }
    let (k, below) = (f64::from(order), f64::from(order - 1));
    (u * cox_de_boor(order - 1, u) + (k - u) * cox_de_boor(order - 1, u - 1.0)) / below
}

const CELLS: [usize; 3] = [12, 11, 12];
const SMOOTHING: u32 = 2;

/// The divergence of a tensor along its second index in each cell, by differences between grids that stand a little apart.
fn divergence(engine: &Engine, name: &str) -> Vec<[f64; 3]> {
    let grid = Grid::new(LOW, HIGH, CELLS, SMOOTHING);
    let shifted = |axis: usize, by: f64| {
        let shift = LabVec::from_array(core::array::from_fn(|i| if i == axis { by } else { 0.0 }));
        values(&frame(engine, Grid::new(LOW + shift, HIGH + shift, CELLS, SMOOTHING)), name)
    };
    let mut divergence = vec![[0.0; 3]; grid.len()];
    for (axis, side) in grid.sides().into_iter().enumerate() {
        let small = 1e-4 * side * f64::from(SMOOTHING);
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|times| shifted(axis, times * small));
        for (cell, sum) in divergence.iter_mut().enumerate() {
            for (first, sum) in sum.iter_mut().enumerate() {
                let i = 9 * cell + 3 * first + axis;
                *sum += (a[i] - d[i] + 8.0 * (c[i] - b[i])) / (12.0 * small);
            }
        }
    }
    divergence
}

/// Something of all bodies per volume at the centre of a cell, smoothed by another computation of the same function.
fn smoothed(engine: &Engine, cell: usize, of: impl Fn(&BodyState) -> LabVec<f64>) -> [f64; 3] {
    let grid = Grid::new(LOW, HIGH, CELLS, SMOOTHING);
    let knots = grid.sides().map(|side| side * f64::from(SMOOTHING));
    let centre = grid.centre(cell);
    let share = |body: &BodyState| {
        let place = body.position.to_array();
        let along = |i: usize| cox_de_boor(4, (centre[i] - place[i]) / knots[i] + 2.0) / knots[i];
        of(body) * (0..3).map(along).product::<f64>()
    };
    engine.bodies().iter().fold(LabVec::zero(), |sum, body| sum + share(body)).to_array()
}

/// What is left of a balance in all cells and along all axes is nothing beside the largest of its terms.
fn balances(engine: &Engine, of: impl Fn(&BodyState) -> LabVec<f64>, rest: impl Fn(usize) -> [f64; 3]) {
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    for cell in 0..CELLS.into_iter().product() {
        for (rest, own) in rest(cell).into_iter().zip(smoothed(engine, cell, &of)) {
            worst = worst.max((rest - own).abs());
            largest = largest.max(own.abs());
        }
    }
    assert!(largest > 0.0 && worst < 1e-7 * largest, "{worst} of {largest}");
}

/// The forces on bodies are those of the floor less ∇·σ.
#[test]
fn momentum_is_balanced_at_every_point() {
    let engine = heap();
    let divergence = divergence(&engine, "contact_stress");
    let walls = values(&frame(&engine, Grid::new(LOW, HIGH, CELLS, SMOOTHING)), "wall_force");
    let rest = |cell: usize| core::array::from_fn(|i| walls[3 * cell + i] - divergence[cell][i]);
    balances(&engine, |body| body.force, rest);
}

/// The torques on bodies are the couples of the floor, what is not symmetric of the stress, and −∇·μ.
#[test]
fn spin_is_balanced_at_every_point() {
    let engine = heap();
    assert!(engine.contacts().iter().all(|contact| contact.couple.norm() > 0.0));
    let divergence = divergence(&engine, "couple_stress");
    let frame = frame(&engine, Grid::new(LOW, HIGH, CELLS, SMOOTHING));
    let (walls, stress) = (values(&frame, "wall_couple"), values(&frame, "contact_stress"));
    let rest = |cell: usize| {
        core::array::from_fn(|i| {
            let [j, k] = [(i + 1) % 3, (i + 2) % 3];
            let turning = stress[9 * cell + 3 * j + k] - stress[9 * cell + 3 * k + j];
            walls[3 * cell + i] + turning - divergence[cell][i]
        })
    };
    balances(&engine, |body| body.torque, rest);
}

/// Bodies of different heat capacity have the temperature that they would have together.
#[test]
fn temperatures_are_means_by_heat_capacity() {
    let mut world = world();
    for (material, capacity) in [(0, 800.0), (1, 500.0)] {
        for (property, value) in [(&HEAT_CAPACITY, capacity), (&CONDUCTIVITY, 1.0)] {
            world.materials.set_property(MaterialId(material), property, value).unwrap();
        }
    }
    world.add_body(Body::at(BALL, at(0.0, 0.0, 0.0)).at_temperature(300.0));
    world.add_body(Body::at(BALL, at(0.05, 0.0, 0.0)).made_of(MaterialId(1)).at_temperature(400.0));
    world.heat = Some(Heat::default());
    let engine = Engine::new(world, Settings::new(1e-5)).unwrap();
    let frame = frame(&engine, Grid::new(LOW, HIGH, [1, 1, 1], 1));
    let [glass, steel] = [2500.0 * 800.0, 7800.0 * 500.0];
    let together = (glass * 300.0 + steel * 400.0) / (glass + steel);
    close(&values(&frame, "temperature"), &[together], "temperature");
}

/// A body at the border of a periodic domain, and a contact across it, are all there on a grid of the whole domain.
#[test]
fn periodic_images_are_seen() {
    let mut world = world();
    world.domain = Domain::of([
        Axis::Periodic { low: 0.0, high: 0.12 },
        Axis::Open,
        Axis::Periodic { low: -0.06, high: 0.06 },
    ]);
    world.add_body(Body::at(BALL, at(0.001, 0.0, -0.059)).moving(at(1.0, 2.0, 3.0)));
    world.add_body(Body::at(BALL, at(0.1015, 0.0, -0.059)));
    let engine = Engine::new(world, Settings::new(1e-5)).unwrap();
    let contact = engine.contacts()[0];
    for cells in [[12, 20, 12], [12, 1, 1], [1, 1, 6]] {
        let grid = Grid::new(at(0.0, -0.1, -0.06), at(0.12, 0.1, 0.06), cells, 2);
        let frame = frame(&engine, grid);
        let mass = engine.bodies()[0].mass;
        close(&total(&frame, &grid, "density"), &[2.0 * mass], "mass");
        close(&total(&frame, &grid, "momentum"), &[mass, 2.0 * mass, 3.0 * mass], "momentum");
        close(&total(&frame, &grid, "contact_density"), &[1.0], "contacts");
        // The centres are 19.5 mm apart, across the border.
        let stress = contact.force.norm() * 0.0195;
        close(
            &total(&frame, &grid, "contact_stress"),
            &[stress, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            "stress",
        );
    }
}

/// Fields of what is not there are not numbers, and those of one thing are its own.
#[test]
fn a_single_body_and_no_body() {
    let mut world = world();
    world.add_body(Body::at(BALL, at(0.0, 0.0, 0.0)).moving(at(1.0, 2.0, -1.0)).spinning(at(0.0, 7.0, 0.0)));
    let engine = Engine::new(world, Settings::new(1e-5)).unwrap();
    let grid = Grid::new(at(-0.01, -0.01, -0.01), at(0.19, 0.01, 0.01), [10, 1, 1], 1);
    let frame = frame(&engine, grid);
    let (velocity, spin) = (values(&frame, "velocity"), values(&frame, "angular_velocity"));
    close(&velocity[..3], &[1.0, 2.0, -1.0], "velocity");
    close(&spin[..3], &[0.0, 7.0, 0.0], "angular velocity");
    assert!(values(&frame, "granular_temperature")[0].abs() < 1e-15);
    assert!(velocity[27..].iter().chain(&spin[27..]).all(|part| part.is_nan()));
    assert!(values(&frame, "fabric").iter().all(|part| part.is_nan()));
    assert_eq!(values(&frame, "density")[9], 0.0);
    // A world without heat has no temperatures.
    assert!(values(&frame, "temperature").iter().all(|part| part.is_nan()));
    let columns: usize = QUANTITIES.iter().map(|quantity| quantity.headers().count()).sum();
    assert_eq!(frame.cell(3).len(), columns);
}

/// In the middle of a window, fields go on with the same bits; what belongs to others is refused.
#[test]
fn windows_go_on_after_a_restart() {
    let grid = Grid::new(LOW, HIGH, [4, 1, 6], 1);
    let spec = CoarseSpec { every: 2, window: Some(10), ..spec(grid) };
    let run = |restart: bool| {
        let mut engine = heap();
        let mut fields = CoarseFields::new(core::slice::from_ref(&spec));
        let mut frames = Vec::new();
        while engine.steps() < 90 {
            let next = fields.next(engine.steps());
            engine.advance(next - engine.steps()).unwrap();
            fields.sample(&engine);
            frames.extend(fields.take_frames().map(|(_, frame)| frame.clone()));
            if restart && engine.steps() == 74 {
                let bytes = fields.to_bytes();
                fields = CoarseFields::new(core::slice::from_ref(&spec));
                fields.restore(&bytes).unwrap();
                assert_eq!(fields.to_bytes(), bytes);
                assert!(fields.restore(&bytes[1..]).is_err());
            }
        }
        frames
    };
    let frames = run(false);
    assert_eq!(frames.iter().map(|frame| frame.step).collect::<Vec<_>>(), [70, 80, 90]);
    assert_eq!(frames, run(true));
    let other = CoarseSpec { grid: Grid::new(LOW, HIGH, [5, 1, 6], 1), ..spec.clone() };
    let mut fields = CoarseFields::new(&[spec]);
    fields.sample(&heap());
    assert!(CoarseFields::new(&[other]).restore(&fields.to_bytes()).is_err());
}
