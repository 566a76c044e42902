//! The number of threads and the instruction set change no bit of a run.

use crate::verify::arrange::{Z, add_clump, add_sphere, lopsided, world};
use crate::verify::citations::DEMMEL_2015;
use crate::verify::setup::setup;
use crate::verify::theory::at_most;
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::shapes;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Engine, InstructionSet, LabVec, MaterialId, Settings};
use tumble_report::{Band, Finding, Outcome};

setup! {
    /// Number of bodies
    bodies: 200.0, "";
    /// Edge of the box
    edge: 0.2, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Time step
    dt: 1e-5, "s";
    /// Time steps
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "same-bits",
    title: "the same bits on 1, 2 and 3 threads",
    group: Group::Invariance,
    sources: &[DEMMEL_2015],
    setup: "Clumps and spheres tumble in a box with friction, rolling and twisting resistance, on one thread, on two \
            and three, and with every instruction set that the machine has.",
    exact: "positions, velocities, orientations, spins, forces on walls and all entries of the ledger are the same to the \
            last bit",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let (expected, contacts) = run(theory, 1, None)?;
    let differing = |found: &[u64]| {
        let pairs = expected.iter().zip(found).filter(|(a, b)| a != b).count();
        (pairs + expected.len().abs_diff(found.len())) as f64
    };
    let reason = "sums are added in one order, whoever adds them";
    let mut findings = Vec::new();
    for threads in [2, 3] {
        let (found, _) = run(simulation, threads, None)?;
        findings.push(at_most(
            format!("numbers that differ on {threads} threads"),
            differing(&found),
            0.0,
            reason,
        ));
    }
    let mut others = 0.0;
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        others += differing(&run(simulation, 1, Some(set))?.0);
    }
    let plain = "only operations that round correctly, and none fused";
    findings.push(at_most("numbers that differ with other instructions", others, 0.0, plain));
    let busy = "without contacts there would be nothing to see";
    findings.push(Finding::alone("contacts in the end", contacts as f64, Band::AtLeast(20.0), busy));
    Ok(Outcome { findings, ..Outcome::default() })
}

/// The bits of everything in the end, and the number of contacts.
fn run(
    setup: Setup,
    threads: usize,
    instruction_set: Option<InstructionSet>,
) -> Result<(Vec<u64>, usize), Error> {
    let properties = PairProperties::new(0.6, 0.4).with_rolling(0.1, 0.3).with_twisting(0.4);
    let mut world = world(Material::new("m", setup.density, setup.young, 0.25), properties);
    world.gravity = Z * -setup.gravity;
    let templates = [
        add_clump(&mut world, &lopsided())?,
        add_clump(&mut world, &shapes::rod(3, 0.006, 0.009))?,
        add_sphere(&mut world, 0.008)?,
    ];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundreds")]
    let which: Vec<_> = templates.into_iter().cycle().take(setup.bodies as usize).collect();
    let high = LabVec::new(1.0, 1.0, 1.0) * setup.edge;
    let shape = Enclosure::new(LabVec::zero(), high)?;
    world.walls.push(Wall::new("box", shape, MaterialId(0), Motion::fixed())?);
    let mut random = Random::new(7);
    for body in random_cloud(&world.templates, &which, LabVec::zero(), high, 0.01, &mut random)? {
        world.add_body(body.moving(random.direction() * 3.0).spinning(random.direction() * 100.0));
    }
    let contact = ContactModel {
        law: LawKind::HertzMindlin,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    };
    let settings =
        Settings { contact, threads, instruction_set, skin: Some(5e-4), ..Settings::new(setup.dt) };
    let mut engine = Engine::new(world, Settings { max_overlap: 1.0, ..settings })?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundreds")]
    engine.advance(setup.steps as u64)?;
    let mut numbers = Vec::new();
    for body in engine.bodies() {
        for vector in [body.position, body.velocity, body.angular_velocity, body.force, body.torque] {
            numbers.extend(vector.to_array());
        }
        numbers.extend(body.orientation.to_array());
    }
    for wall in engine.walls() {
        numbers.extend(wall.force.to_array().into_iter().chain(wall.torque.to_array()));
    }
    numbers.extend(engine.ledger().entries().map(|(_, value)| value));
    Ok((numbers.into_iter().map(f64::to_bits).collect(), engine.contact_count()))
}
