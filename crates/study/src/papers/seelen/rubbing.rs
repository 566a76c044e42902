//! Fig. 5: two rubbing cylinders.

use super::COMPARED;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, largest, linear, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::citations::SEELEN_2016;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::{Cylinder, RubbingCylinders};
use tumble_rotation::{Drive, RotationScheme, SchemeKind, SchemeVisitor, SphericalInertia, Spin};

pub(in crate::papers) const FIG5: Entry = Entry {
    id: "seelen/fig5",
    paper: SEELEN_2016,
    title: "two rubbing cylinders",
    setup: &[
        "Two cylinders on fixed axes, radii 1 m and 2.4 m (fig. 4 is a sketch of them), spins 2 and 0.4 \
         rad/s, rub with a force −η v where they touch, η = 5.4 kg/s. The exact spins are those of a linear \
         system of two equations; shown are the spins, and the relative error of the first at Δt = 0.01 s \
         over 5 s.",
    ],
    notes: &[
        "The paper gives no masses. With equal densities and lengths the second cylinder would not turn \
         round, as the text says it does: that takes I₁/I₂ > 1/12. We take 10 kg each, I = (5, 28.8) kg m². \
         Nor are the time step and the duration given.",
    ],
    see: &["tumble/friction-order"],
    scene: Some(
        "\
cylinders               radii 1 and 2.4 m, 10 kg each, moments of inertia 5 and 28.8 kg m²
spins at t = 0          2 and 0.4 rad/s
friction                −η v at the contact, η = 5.4 kg/s
time step, duration     0.01 s, 5 s
",
    ),
    run: fig5,
};

fn fig5(_: &Bench<'_>) -> Result<Reproduction, Error> {
    let moment = |radius: f64| 0.5 * 10.0 * radius * radius;
    let cylinder = |radius, omega| Cylinder { radius, moment: moment(radius), omega };
    let pair = [cylinder(1.0, 2.0), cylinder(2.4, 0.4)];
    let exact = RubbingCylinders::new(pair, FRICTION)?;
    let mut panels = vec![
        panel("angular velocity", linear("t (s)"), linear("ω (rad/s)")),
        panel("relative error of ω₁, Δt = 0.01 s", linear("t (s)"), log("|ω₁/ω₁ exact − 1|")),
    ];
    for (i, name) in ["ω₁", "ω₂"].into_iter().enumerate() {
        let points = (0..=250).map(|i| f64::from(i) * 0.02).map(|t| (t, exact.omega(t)[i])).collect();
        panels[0].series.push(series(&format!("{name}, exact"), Mark::Line, points));
    }
    let mut rows = table(
        "largest relative error of ω₁ in 5 s against the time step",
        &["scheme", "dt_s", "error", "order"],
    );
    let mut outcome = Outcome::default();
    let [first, second] = exact.omega(20.0);
    outcome.findings.push(Finding::alone(
        "ω₁ in the end, rad/s",
        first,
        Band::Between(0.0, 2.0),
        "less, but positive",
    ));
    outcome.findings.push(Finding::alone("ω₂ in the end, rad/s", second, Band::AtMost(0.0), "turned round"));
    for kind in COMPARED {
        let mut before: Option<f64> = None;
        for (dt, steps) in [(0.02, 250), (0.01, 500), (0.005, 1_000)] {
            let states = kind.visit(Rubbing { pair, dt, steps })?;
            let error = |&(t, omega): &(f64, [f64; 2])| (t, (omega[0] / exact.omega(t)[0] - 1.0).abs());
            let errors: Vec<_> = states.iter().map(error).collect();
            let worst = largest(errors.iter().map(|point| point.1));
            let order = before.map(|before| (before / worst).log2());
            rows.rows.push(vec![
                Cell::Text(kind.name().into()),
                Cell::Number(dt),
                Cell::Number(worst),
                order.map_or(Cell::Empty, Cell::Number),
            ]);
            before = Some(worst);
            if steps == 500 {
                panels[1].series.push(series(kind.name(), Mark::LinePoints, errors));
            }
            if steps == 1_000 {
                let expected = if kind == SchemeKind::Pcdm { 1.0 } else { 2.0 };
                outcome.findings.push(Finding::alone(
                    format!("{}: order in ω₁", kind.name()),
                    order.unwrap_or(f64::NAN),
                    Band::Between(expected - 0.15, expected + 0.15),
                    if COMPARED[..2].contains(&kind) {
                        "the original uses the friction of the old instant"
                    } else {
                        "not in the paper"
                    },
                ));
            }
        }
    }
    outcome.figures.push(("seelen-fig5".into(), figure("two rubbing cylinders", panels)));
    outcome.tables.push(("seelen-fig5".into(), rows));
    Ok(outcome.into())
}

/// η, kg/s.
const FRICTION: f64 = 5.4;

/// Both cylinders step by step, the torque from the two ω of one instant: (t, [ω₁, ω₂]) after each step.
struct Rubbing {
    pair: [Cylinder; 2],
    dt: f64,
    steps: u32,
}

impl SchemeVisitor for Rubbing {
    type Output = Result<Vec<(f64, [f64; 2])>, tumble_rotation::Error>;

    fn visit<S: RotationScheme>(self, _: S) -> Self::Output {
        let Self { pair, dt, steps } = self;
        let radii = pair.map(|c| c.radius);
        let torques = |omega: [f64; 2]| {
            let sliding = radii[0] * omega[0] + radii[1] * omega[1];
            radii.map(|radius| LabVec::new(0.0, 0.0, -FRICTION * radius * sliding))
        };
        let first = torques(pair.map(|c| c.omega));
        let mut bodies = Vec::new();
        for (c, torque) in pair.into_iter().zip(first) {
            let drive = Drive { torque, inertia: SphericalInertia::new(c.moment)?, dt };
            let spin = Spin { q: Quat::identity(), omega: BodyVec::new(0.0, 0.0, c.omega) };
            bodies.push((S::start(spin, drive), drive));
        }
        let mut states = Vec::new();
        for step in 1..=steps {
            for (body, drive) in &mut bodies {
                *body = S::before_torque(body.0, body.1, *drive);
            }
            let seen = [0, 1].map(|i| S::at_torque(bodies[i].0.0, bodies[i].0.1, bodies[i].1).omega.z);
            for ((body, drive), torque) in bodies.iter_mut().zip(torques(seen)) {
                drive.torque = torque;
                *body = S::after_torque(body.0, body.1, *drive);
            }
            // The state at the whole step needs the torques there; the run goes on from the unsynchronised
            // one.
            let seen = [0, 1].map(|i| S::at_torque(bodies[i].0.0, bodies[i].0.1, bodies[i].1).omega.z);
            let now = torques(seen);
            let omega = [0, 1].map(|i| {
                let (body, drive) = bodies[i];
                S::synchronise(body.0, body.1, Drive { torque: now[i], ..drive }).omega.z
            });
            states.push((f64::from(step) * dt, omega));
        }
        Ok(states)
    }
}
