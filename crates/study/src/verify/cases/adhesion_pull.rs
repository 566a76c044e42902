//! A sphere is pulled off a plane to which it adheres, slowly: the force over the distance of JKR and of DMT.

use crate::verify::arrange::{Z, add_floor, add_sphere, world};
use crate::verify::setup::setup;
use crate::verify::theory::{Jkr, against_rigid, at_most, equals, largest};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::{DERJAGUIN_1975, JOHNSON_1971};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyId, Engine, Kicks, Settings};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 1e-3, "m";
    /// Young's modulus; the plane is rigid
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Work of adhesion
    work: 0.05, "J/m²";
    /// Time steps on the way from touch to the tear-off
    steps: 4000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "adhesion-pull",
    title: "a sphere is pulled off a plane to which it adheres",
    group: Group::Impact,
    sources: &[JOHNSON_1971, DERJAGUIN_1975],
    setup: "A sphere so heavy that nothing slows it down moves away from a rigid plane, from twice the overlap at which JKR's force \
            vanishes, until the contact has ended. Kicks are plain, so that the force is that of the overlap.",
    exact: "JKR: δ = a²/R − √(2πWa/E*), F = 4E*a³/3R − √(8πWE*a³), hence no force at δ = 1.948889 (W²R/E*²)^(1/3), pull-off \
            −3πWR/2, −8/9 of it at touch, tear-off at δ = −1.608772 (W²R/E*²)^(1/3); DMT: 4E*√R δ^(3/2)/3 − 2πWR, which ends at touch",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

impl Setup {
    fn jkr(&self) -> Jkr {
        let modulus = against_rigid(self.young, self.poisson);
        Jkr { modulus, radius: self.radius, work: self.work }
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = theory.jkr();
    let mut outcome = Outcome::default();
    let (length, pull_off) = (exact.length(), exact.pull_off());
    let jkr = pull(simulation, LawKind::Jkr, -Jkr::TEAR_OFF * length)?;
    let strongest = |course: &[(f64, f64)]| largest(course.iter().map(|(_, force)| -force));
    let ends = |course: &[(f64, f64)]| course.last().map_or(f64::NAN, |(overlap, _)| *overlap);
    let reason = "the law is evaluated as it is; between two steps the force is taken to be straight";
    let worst = largest(jkr.iter().map(|&(overlap, force)| (force - exact.force_at(overlap)).abs() / pull_off));
    outcome.findings.extend([
        equals("jkr: pull-off force (N)", pull_off, strongest(&jkr), 1e-6, reason),
        equals("jkr: overlap without force (m)", Jkr::EQUILIBRIUM * length, overlap_at(&jkr, 0.0), 1e-6, reason),
        equals("jkr: force at touch (N)", -8.0 / 9.0 * pull_off, force_at(&jkr, 0.0), 1e-6, reason),
        equals("jkr: tear-off (m)", -Jkr::TEAR_OFF * length, ends(&jkr), 1e-6, "the last step before it, of 4 million on the way"),
        at_most("jkr: worst force, of the pull-off", worst, 1e-6, "rounding of a root that is double at the tear-off"),
    ]);
    let dmt = pull(simulation, LawKind::Dmt, 0.0)?;
    let pull_off = 2.0 * PI * theory.work * theory.radius;
    let close = "the last step before touch, where Hertz's spring still pushes a little";
    let hertz = 4.0 / 3.0 * exact.modulus * theory.radius.sqrt();
    let free = (pull_off / hertz).powf(2.0 / 3.0);
    let worst = largest(dmt.iter().map(|&(overlap, force)| {
        (force - (hertz * overlap.max(0.0).powf(1.5) - pull_off)).abs() / pull_off
    }));
    outcome.findings.extend([
        equals("dmt: pull-off force (N)", pull_off, strongest(&dmt), 1e-6, close),
        equals("dmt: overlap without force (m)", free, overlap_at(&dmt, 0.0), 1e-6, reason),
        at_most("dmt: end, of that overlap", ends(&dmt).abs() / free, 1e-6, "the last step before it"),
        at_most("dmt: worst force, of the pull-off", worst, 1e-9, "the law is evaluated as it is"),
    ]);
    let scaled = |course: &[(f64, f64)]| {
        let every = course.len() / 100 + 1;
        let points = course.iter().step_by(every).chain(course.last());
        points.map(|(overlap, force)| (overlap / length, force / exact.pull_off())).collect::<Vec<_>>()
    };
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("overlap over (W²R/E*²)^(1/3)"),
        y: Axis::linear("force over 3πWR/2"),
        series: vec![
            Series::new("JKR, exact", scaled(&exact.curve(2.0 * Jkr::EQUILIBRIUM)), Mark::Line),
            Series::new("jkr", scaled(&jkr), Mark::LinePoints),
            Series::new("dmt", scaled(&dmt), Mark::LinePoints),
        ],
    };
    let figure = Figure { title: "pulled off a plane".into(), panels: vec![panel] };
    outcome.figures.push(("adhesion-pull".into(), figure));
    Ok(outcome)
}

/// Overlap and force in every step until the contact has ended, in steps a thousand times as small from just before the overlap `end` on.
fn pull(setup: Setup, law: LawKind, end: f64) -> Result<Vec<(f64, f64)>, Error> {
    let exact = setup.jkr();
    // So heavy that nothing slows it down.
    let material = Material::new("gum", 1e12, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(1.0, 0.0).with(&WORK_OF_ADHESION, setup.work));
    let rigid = world.materials.add(Material::new("plate", 1000.0, f64::INFINITY, setup.poisson))?;
    let sphere = add_sphere(&mut world, setup.radius)?;
    add_floor(&mut world, rigid, Motion::fixed())?;
    let height = setup.radius - 2.0 * Jkr::EQUILIBRIUM * exact.length();
    let way = Jkr::TEAR_OFF * exact.length() / setup.steps;
    let dt = 1e-6;
    world.add_body(Body::at(sphere, Z * height).moving(Z * (way / dt)));
    let contact = ContactModel { law, ..ContactModel::default() };
    let mut engine = Engine::new(world, Settings { contact, kicks: Kicks::Plain, ..Settings::new(dt) })?;
    let (mut course, mut slow) = (Vec::new(), false);
    while let [contact] = &engine.contacts()[..] {
        if contact.overlap < end + 1.5 * way && !slow {
            slow = true;
            engine.set_velocity(BodyId(0), Z * (1e-3 * way / dt), Z * 0.0)?;
        }
        course.push((contact.overlap, contact.force.z));
        engine.advance(1)?;
    }
    Ok(course)
}

/// The force at an overlap, by interpolation.
fn force_at(course: &[(f64, f64)], overlap: f64) -> f64 {
    between(course.iter().copied(), overlap)
}

/// The overlap at a force, by interpolation.
fn overlap_at(course: &[(f64, f64)], force: f64) -> f64 {
    between(course.iter().map(|&(overlap, force)| (force, overlap)), force)
}

/// y where x first falls below a value.
fn between(points: impl Iterator<Item = (f64, f64)> + Clone, x: f64) -> f64 {
    let next = points.clone().skip(1);
    let crossing = points.zip(next).find(|((before, _), (after, _))| *before >= x && *after < x);
    crossing.map_or(f64::NAN, |((x0, y0), (x1, y1))| y0 + (y1 - y0) * (x - x0) / (x1 - x0))
}
