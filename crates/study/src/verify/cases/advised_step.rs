//! The time step that the advisor recommends is one that bodies bear, also with strong dashpots against turning and
//! with fast spins.

use crate::verify::arrange::{Z, add_clump, add_floor, add_sphere, damped_laws, world};
use crate::verify::setup::setup;
use crate::verify::theory::at_most;
use crate::verify::{Case, Error, Group};
use tumble_dem::advice::advise;
use tumble_dem::citations::{AI_2011, MARSHALL_2009};
use tumble_dem::clump::shapes;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings, World};
use tumble_report::Outcome;

setup! {
    /// Radius of the spheres
    radius: 0.005, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 1e5, "N/m";
    /// Coefficient of rolling friction
    rolling_friction: 2.0, "";
    /// Rolling dashpot over the critical one
    rolling_damping: 3.0, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Spin of a free rod, about an axis that is none of its own
    spin: 500.0, "rad/s";
    /// The step over the one that is recommended
    stretch: 1.0, "";
}

pub(super) const CASE: Case = Case {
    id: "advised-step",
    title: "the recommended time step is one that bodies bear",
    group: Group::Friction,
    sources: &[AI_2011, MARSHALL_2009],
    setup: "A rod and a ball land spinning, with springs and dashpots against rolling and twisting that are far beyond usual; \
            another rod turns freely and fast. Each with the step that the advisor recommends.",
    exact: "the books close, and no energy comes from nowhere; without the limits of turning and spin they would be open by a tenth",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.simulation)),
};

fn compute(simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    for law in damped_laws() {
        for &twisting in TwistingKind::ALL {
            let contact = ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting };
            let (gap, gain) = run(simulation, &landing(simulation)?, contact, 2e-3)?;
            let what = |text: &str| format!("{}, twist {}: {text}", law.name(), twisting.name());
            let reason = "of second order in the step";
            outcome.findings.push(at_most(what("gap in the books"), gap, 1e-4, reason));
            outcome.findings.push(at_most(what("energy gained"), gain, 1e-6, reason));
        }
    }
    let contact = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
    let (gap, _) = run(simulation, &spinning(simulation)?, contact, 200.0 / simulation.spin)?;
    let reason = "a tenth of a radian in a step";
    outcome.findings.push(at_most("a rod that turns 200 rad: energy", gap, 1e-5, reason));
    Ok(outcome)
}

fn stuff(setup: Setup) -> World {
    let Setup { density, young, poisson, stiffness, rolling_friction, rolling_damping, .. } = setup;
    let properties =
        PairProperties::new(0.8, 0.5).with_rolling(rolling_friction, rolling_damping).with_twisting(0.5);
    world(Material::new("m", density, young, poisson).with_stiffness(stiffness), properties)
}

fn landing(setup: Setup) -> Result<World, Error> {
    let mut world = stuff(setup);
    let rod = add_clump(&mut world, &shapes::rod(3, setup.radius, 1.2 * setup.radius))?;
    let ball = add_sphere(&mut world, setup.radius)?;
    for (template, x) in [(rod, 0.0), (ball, 10.0)] {
        let body = Body::at(template, LabVec::new(x, 0.0, 1.04) * setup.radius);
        world.add_body(body.moving(LabVec::new(0.3, 0.0, -0.5)).spinning(LabVec::new(10.0, 60.0, 20.0)));
    }
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    world.gravity = Z * -setup.gravity;
    Ok(world)
}

fn spinning(setup: Setup) -> Result<World, Error> {
    let mut world = stuff(setup);
    let rod = add_clump(&mut world, &shapes::rod(3, setup.radius, 1.2 * setup.radius))?;
    world.add_body(Body::at(rod, LabVec::zero()).spinning(LabVec::new(0.6, 0.64, 0.48) * setup.spin));
    Ok(world)
}

/// The gap in the books and the largest gain of energy, over the kinetic energy at the start.
fn run(setup: Setup, world: &World, contact: ContactModel, duration: f64) -> Result<(f64, f64), Error> {
    let dt = advise(world, contact)?.recommended() * setup.stretch;
    // The guards would stop what is to be seen here.
    let guards = Settings { max_overlap: 1e9, max_turn: 1e9, ..Settings::new(dt) };
    let mut engine = Engine::new(world.clone(), Settings { contact, ..guards })?;
    let start = engine.ledger();
    let (mut gap, mut gain) = (0.0_f64, 0.0_f64);
    while engine.time() < duration {
        engine.advance(50)?;
        let now = engine.ledger();
        gap = gap.max((now.balance() - start.balance()).abs() / start.kinetic());
        gain = gain.max((now.mechanical() - start.mechanical()) / start.kinetic());
    }
    Ok((gap, gain))
}
