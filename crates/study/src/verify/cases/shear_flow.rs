//! A steady shear flow of spheres at a constant pressure across its layers, without walls: energy, profile, and the friction that glass beads have.
//!
//! With the inertial number I = γ̇ d/√(p/ρ), Jop, Forterre & Pouliquen (2006) have μ(I) = μ_s + (μ₂ − μ_s)/(1 + I₀/I) for glass beads, where
//! μ_s = tan 20.9°, μ₂ = tan 32.76° and I₀ = 0.279.

use crate::verify::arrange::{settings, world};
use crate::verify::citations::{JOP_2006, LEES_1972};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals};
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::domain::Domain;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::{Body, Cell, CellReport, Control, Engine, LabVec, Shear, ShearDrive};
use tumble_report::Outcome;

setup! {
    /// Mean diameter
    diameter: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Friction between spheres
    friction: 0.5, "";
    /// Restitution
    restitution: 0.5, "";
    /// Pressure across the layers
    pressure: 1e3, "Pa";
    /// Smallest inertial number
    inertial: 0.1, "";
    /// Viscosity of the cell
    viscosity: 30.0, "Pa s";
    /// Time step
    dt: 5e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "shear-flow",
    title: "spheres sheared at a constant pressure",
    group: Group::Invariance,
    sources: &[JOP_2006, LEES_1972],
    setup: "Spheres whose diameters differ by a fifth fill a periodic cell, which is sheared along x. Its length across the layers gives way until a pressure \
            is borne. When it has been sheared twice its height, averages begin.",
    exact: "what is put in is lost; μ(I) = μ_s + (μ₂ − μ_s)/(1 + I₀/I) for glass beads",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Spheres along each axis at the start.
const COUNT: [u32; 3] = [7, 7, 6];
/// Inertial numbers, by the smallest.
const TIMES: [f64; 2] = [1.0, 3.0];
/// Strain before averages begin, and strain that they are over.
const BEFORE: f64 = 2.0;
const DURING: f64 = 3.0;
/// Looks at the cell.
const LOOKS: u32 = 300;
/// Slabs of the profile.
const SLABS: usize = 4;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let tan = |degrees: f64| {
        let (sine, cosine) = tumble_rotation::math::elementary::sin_cos(degrees.to_radians());
        sine / cosine
    };
    let [still, fast] = [tan(20.9), tan(32.76)];
    let mut outcome = Outcome::default();
    for times in TIMES {
        let inertial = times * theory.inertial;
        let what = |text: &str| format!("I = {inertial:.1}: {text}");
        let rate = |setup: Setup| times * setup.inertial * (setup.pressure / setup.density).sqrt() / setup.diameter;
        let mu = still + (fast - still) / (1.0 + 0.279 / inertial);
        let flow = flow(simulation, rate(simulation))?;
        let small = "fluctuations of a small cell";
        outcome.findings.extend([
            equals(what("mean pressure across layers (Pa)"), theory.pressure, flow.pressure, 0.05, small),
            equals(what("lost, by what was put in"), 1.0, flow.lost, 0.02, "what is stored changes a little"),
            at_most(what("drift of a slab, by γ̇ times its height"), flow.drift, 0.3, "fluctuations of slabs that are a sphere and a half high"),
            equals(
                what("stress by pressure"),
                mu,
                flow.friction,
                0.1,
                "their friction and sizes are not those of the beads; fits to other beads differ as much",
            ),
        ]);
    }
    Ok(outcome)
}

/// Averages of a flow.
struct Flow {
    pressure: f64,
    friction: f64,
    lost: f64,
    /// The largest mean velocity of a slab that is not that of the space, by the difference of velocities across a slab.
    drift: f64,
}

fn flow(setup: Setup, rate: f64) -> Result<Flow, Error> {
    let mut engine = prepare(setup, rate)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some thousand steps")]
    let steps = |strain: f64| (strain / (rate * setup.dt)).ceil() as u64;
    engine.advance(steps(BEFORE))?;
    let energies = |engine: &Engine| {
        let ledger = engine.ledger();
        [ledger.lost(), ledger.work()]
    };
    let before = energies(&engine);
    let (mut pressure, mut stress) = (0.0, 0.0);
    let mut slabs = [[0.0; 2]; SLABS];
    let mut height = 0.0;
    for _ in 0..LOOKS {
        engine.advance(steps(DURING / f64::from(LOOKS)))?;
        let cell: CellReport = engine.cell().ok_or(Error::Never { what: "a cell", steps: 0 })?;
        pressure += cell.component(2, 2) / f64::from(LOOKS);
        stress -= cell.component(0, 2) / f64::from(LOOKS);
        height += cell.lengths[2] / f64::from(LOOKS);
        let low = 0.5 * height_of(setup) - 0.5 * cell.lengths[2];
        for body in engine.bodies() {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a slab")]
            let slab = ((body.position.z - low) / cell.lengths[2] * SLABS as f64) as usize;
            let [sum, mass] = &mut slabs[slab.min(SLABS - 1)];
            (*sum, *mass) = (*sum + body.mass * body.velocity.x, *mass + body.mass);
        }
    }
    let after = energies(&engine);
    let [lost, work] = core::array::from_fn(|k| after[k] - before[k]);
    let across = rate * height / SLABS as f64;
    let drift = slabs.iter().map(|[sum, mass]| (sum / mass / across).abs()).fold(0.0, f64::max);
    Ok(Flow { pressure, friction: stress / pressure, lost: lost / work, drift })
}

fn height_of(setup: Setup) -> f64 {
    1.2 * setup.diameter * f64::from(COUNT[2])
}

/// Spheres on a loose lattice, shaken.
fn prepare(setup: Setup, rate: f64) -> Result<Engine, Error> {
    let material = Material::new("glass", setup.density, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(setup.restitution, setup.friction));
    let sphere = world.add_template(ClumpTemplate::sphere("sphere", 0.5 * setup.diameter)?)?;
    let spacing = 1.2 * setup.diameter;
    let (mut random, mut total) = (Random::new(11), 0.0);
    for number in 0..COUNT.iter().product() {
        let [across, deep, _] = COUNT;
        let site = [number % across, number / across % deep, number / across / deep];
        let at = site.map(|k| (f64::from(k) + 0.5) * spacing);
        let shake = [(); 3].map(|()| random.uniform() - 0.5);
        let scale = 0.8 + 0.4 * random.uniform();
        let velocity = LabVec::from_array(shake) * (rate * setup.diameter);
        total += core::f64::consts::FRAC_PI_6 * setup.density * (scale * setup.diameter).powi(3);
        world.add_body(Body { scale, ..Body::at(sphere, LabVec::from_array(at)).moving(velocity) });
    }
    world.domain = Domain::periodic(LabVec::zero(), LabVec::from_array(COUNT.map(|count| f64::from(count) * spacing)));
    let hold = Control::Stress { pressure: setup.pressure };
    world.cell = Some(Cell {
        axes: [Control::Fixed, Control::Fixed, hold],
        shear: Some(Shear { flow: 0, gradient: 2, drive: ShearDrive::Rate { rate, until: None } }),
        mass: total,
        viscosity: setup.viscosity,
    });
    Ok(Engine::new(world, settings(LawKind::HertzMindlin, setup.dt))?)
}
