//! Two forced rotations that both papers on PCDM use: a sphere under an exponential torque, and a cylinder
//! under a torque about all three axes.

use super::kept::Job;
use super::published::Published;
use super::{Bench, OWN, table};
use crate::problem::{FIBRE_MOMENTS, SPHERE_MOMENT};
use crate::torque::seelen;
use tumble_report::{Band, Cell, Finding, Outcome};
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::{Converged, ExponentialTorque, converged::TIGHT};
use tumble_rotation::{
    Error, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, SphericalInertia, Spin, trace,
};

/// The direction that is followed, fixed in the body.
pub(super) const ARROW: BodyVec<f64> = BodyVec::new(1.0, 0.0, 0.0);
/// The time step on the sphere, s.
pub(super) const SPHERE_DT: f64 = 1e-4;
/// The problem of the sphere in words.
pub(super) const SPHERE: &str = "\
# tumble study --problem sphere-exponential
sphere                  diameter 2 m, density 1100 kg/m³, at rest at t = 0
moment of inertia       1843.07 kg m²
torque, lab             0, 10⁵ exp(t/s), 0 N m
time step               10⁻⁴ s
arrow at t = 0          1, 0, 0
";
/// The problem of the fibre in words.
pub(super) const FIBRE: &str = "\
# tumble study --problem seelen-cylinder
cylinder                radius 5 mm, height 30 mm, density 1100 kg/m³, axis along x, at rest at t = 0
moments of inertia      3.2398e-8, 2.10585e-7, 2.10585e-7 kg m²
torque                  5·10⁻⁴ sin(200πt), 10⁻⁵ exp(3 + 24t), 10⁻⁵·5^(52t) N m, until t = 0.1 s
";
/// The sphere, at rest at t = 0, under 10⁵ eᵗ N m about y.
pub(super) fn sphere() -> Result<ExponentialTorque, Error> {
    ExponentialTorque::new(SPHERE_MOMENT, LabVec::new(0.0, 1e5, 0.0), 1.0, Quat::identity())
}

/// Which torque and which ω a step on the sphere takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As the equations have it.
    Printed,
    /// As the published vectors have it: the torque of the *end* of each step, and for the scalar factor also
    /// the ω there. Both then run ahead of the exact motion by as much as they lag behind it otherwise.
    Ahead,
}

impl Reading {
    /// How many steps ahead of the printed reading the torque is taken.
    fn lead(self, kind: SchemeKind) -> u32 {
        match (self, kind) {
            (Self::Printed, _) => 0,
            // q moves with the ω of the beginning of the step: that ω has to be one step ahead, its torque
            // two.
            (Self::Ahead, SchemeKind::ScalarFactor) => 2,
            (Self::Ahead, _) => 1,
        }
    }
}

/// Synchronised states on the sphere every `every` steps, with their instants.
pub(super) fn sphere_states(
    kind: SchemeKind,
    reading: Reading,
    every: u64,
    samples: u64,
) -> Result<Vec<(f64, Spin<f64>)>, Error> {
    struct Run(u32, u64, u64);
    impl SchemeVisitor for Run {
        type Output = Result<Vec<(f64, Spin<f64>)>, Error>;
        fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
            let Self(lead, every, samples) = self;
            let exact = sphere()?;
            let inertia = SphericalInertia::new(SPHERE_MOMENT)?;
            let ahead = f64::from(lead) * SPHERE_DT;
            let torque = |_, _, t| exact.torque(t + ahead);
            let Spin { q, mut omega } = exact.at(0.0);
            if lead == 2 {
                omega = omega + q.to_body(exact.torque(SPHERE_DT)) * (SPHERE_DT / SPHERE_MOMENT);
            }
            let mut rotor = Rotor::new(scheme, inertia, Spin { q, omega }, SPHERE_DT, torque)?;
            let mut states = Vec::new();
            for _ in 0..samples {
                rotor.run(every)?;
                states.push((rotor.time(), rotor.state()));
            }
            Ok(states)
        }
    }
    kind.visit(Run(reading.lead(kind), every, samples))
}

/// The arrow of a state in the lab.
pub(super) fn arrow(spin: Spin<f64>) -> LabVec<f64> {
    spin.q.to_lab(ARROW)
}

/// The angle between two directions, rad.
pub(super) fn angle_between(a: LabVec<f64>, b: LabVec<f64>) -> f64 {
    a.cross(b).norm().atan2(a.dot(b))
}

/// What is left of a difference in the vectors.
const DIGITS: &str = "3e-6 rad of 39 rad are left, the same in both schemes";

/// The table of arrows after 1 s: against the exact solution, and against the theory row as printed.
pub(super) fn arrow_table(file: &str, published: &Published, kinds: &[SchemeKind]) -> Result<Outcome, Error> {
    let exact = arrow(sphere()?.at(1.0));
    let printed = published.at("theory", "x");
    let percent = |x: f64, from: f64| 100.0 * (x / from - 1.0).abs();
    let mut rows = table(
        "arrow after 1 s; errors of its x component in percent",
        &[
            "scheme",
            "x",
            "z",
            "published_x",
            "published_z",
            "error",
            "error_to_printed_theory",
            "published_error",
        ],
    );
    let mut row = |label: &str, name: Option<&str>, at: LabVec<f64>| {
        let theirs = |column| Cell::optional(name.map(|name| published.at(name, column)));
        rows.rows.push(vec![
            Cell::Text(label.into()),
            Cell::Number(at.x),
            Cell::Number(at.z),
            theirs("x"),
            theirs("z"),
            Cell::Number(percent(at.x, exact.x)),
            Cell::Number(percent(at.x, printed)),
            theirs("error_percent"),
        ]);
    };
    row("theory", Some("theory"), exact);
    let mut findings = vec![
        Finding::explained(
            "x component of the exact solution",
            Some(printed),
            exact.x,
            Band::Between(0.293_443_966_102, 0.293_443_966_104),
            "the printed theory is wrong in the fifth digit",
        ),
        Finding::explained(
            "error of the printed theory, percent",
            None,
            percent(printed, exact.x),
            Band::Between(0.0060, 0.0067),
            "this is the error the 2016 paper gives for its own, far more accurate scheme",
        ),
    ];
    for &kind in kinds {
        let name = kind.name();
        let at = arrow(sphere_states(kind, Reading::Printed, 10_000, 1)?[0].1);
        row(name, Some(name), at);
        let mut as_published = at;
        if kind != SchemeKind::ImprovedPcdm {
            as_published = arrow(sphere_states(kind, Reading::Ahead, 10_000, 1)?[0].1);
            row(&format!("{name}, torque of the end of the step"), Some(name), as_published);
        }
        let same = Band::Relative(2e-5);
        for (component, ours) in [("x", as_published.x), ("z", as_published.z)] {
            let what = format!("{name}: {component}, with the torque that the published vectors ask for");
            findings.push(Finding::new(what, published.at(name, component), ours, same, DIGITS));
        }
        let (limit, reason) = match kind {
            SchemeKind::ScalarFactor => {
                (Band::Between(2.145, 2.165), "2.15 % to rounding, with either torque")
            }
            SchemeKind::Pcdm => (Band::Between(0.625, 0.645), "0.63 % to rounding, with either torque"),
            _ => (Band::AtMost(0.0003), "the published 0.0065 % is that of the printed theory"),
        };
        let what = format!("{name}: error against the exact x, percent");
        let (theirs, ours) = (published.at(name, "error_percent"), percent(at.x, exact.x));
        findings.push(match kind {
            SchemeKind::ImprovedPcdm => Finding::explained(what, Some(theirs), ours, limit, reason),
            _ => Finding::new(what, theirs, ours, limit, reason),
        });
    }
    for kind in OWN {
        let at = arrow(sphere_states(kind, Reading::Printed, 10_000, 1)?[0].1);
        row(kind.name(), None, at);
        findings.push(Finding::alone(
            format!("{}: error against the exact x, percent", kind.name()),
            percent(at.x, exact.x),
            Band::AtMost(0.0003),
            "not in the paper: second order, like the improved PCDM",
        ));
    }
    Ok(Outcome { figures: vec![], tables: vec![(file.into(), rows)], findings })
}

/// When the torque on the fibre ends, s.
pub(super) const FIBRE_END: f64 = 0.1;
/// Instants at which orientations are compared, evenly spread.
const INSTANTS: u32 = 1_000;

/// In which frame the components of the fibre's torque are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Body components, as in Euler's equations.
    Body,
    /// Lab components.
    Lab,
}

/// The torque on the fibre, N m; the paper's "552t" is 5 to the power 52 t.
fn fibre_torque(frame: Frame, q: Quat<f64>, t: f64) -> LabVec<f64> {
    let torque = seelen(t);
    match frame {
        Frame::Body => q.to_lab(torque),
        Frame::Lab => LabVec::from_array(torque.to_array()),
    }
}

/// The fibre's motion at [`INSTANTS`], to some 10⁻¹³.
pub(super) fn fibre_reference(frame: Frame) -> Result<Vec<(f64, Spin<f64>)>, Error> {
    let start = Spin { q: Quat::identity(), omega: BodyVec::zero() };
    let torque = move |spin: Spin<f64>, t| fibre_torque(frame, spin.q, t);
    let inertia = PrincipalInertia::new(FIBRE_MOMENTS)?;
    let mut motion = Converged::new(inertia, start, 0.0, torque, TIGHT)?;
    Ok((1..=INSTANTS)
        .map(|i| FIBRE_END * f64::from(i) / f64::from(INSTANTS))
        .map(|t| (t, motion.at(t).expect("a smooth torque")))
        .collect())
}

/// The time-averaged error of the fibre's inclination to where it started, Zhao eqs. (66)–(67), Seelen eqs.
/// (6)–(7).
///
/// The papers add up every step; here a run is sampled at [`INSTANTS`] at most, the same for every time step.
/// `per_end` is the number of steps, a divisor or a multiple of [`INSTANTS`].
pub(super) fn fibre_error(
    kind: SchemeKind,
    frame: Frame,
    per_end: u32,
    reference: &[(f64, Spin<f64>)],
) -> Result<f64, Error> {
    struct Run<'a>(Frame, u32, &'a [(f64, Spin<f64>)]);
    impl SchemeVisitor for Run<'_> {
        type Output = Result<f64, Error>;
        fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
            let Self(frame, per_end, reference) = self;
            let start = Spin { q: Quat::identity(), omega: BodyVec::zero() };
            let inertia = PrincipalInertia::new(FIBRE_MOMENTS)?;
            let torque = |q, _, t| fibre_torque(frame, q, t);
            let mut rotor = Rotor::new(scheme, inertia, start, FIBRE_END / f64::from(per_end), torque)?;
            let skip = (INSTANTS / per_end).max(1) as usize;
            let every = u64::from((per_end / INSTANTS).max(1));
            let inclination = |spin| arrow(spin).x.clamp(-1.0, 1.0).acos();
            let (mut sum, mut count) = (0.0, 0.0);
            for (_, exact) in reference.iter().skip(skip - 1).step_by(skip) {
                // A body that turns more than once in a step is lost; so is every later angle.
                if rotor.run(every).is_err() {
                    return Ok(f64::NAN);
                }
                sum += (inclination(rotor.state()) - inclination(*exact)).abs();
                count += 1.0;
            }
            Ok(sum / count)
        }
    }
    kind.visit(Run(frame, per_end, reference))
}

/// (1/Δt, error) of each scheme for each number of steps in the time of the torque.
pub(super) fn fibre_curves(
    bench: &Bench<'_>,
    frame: Frame,
    kinds: &[SchemeKind],
    steps: &[u32],
) -> Result<Vec<Vec<(f64, f64)>>, super::Error> {
    let reference = fibre_reference(frame)?;
    let last = steps.last().copied().unwrap_or_default();
    let job = |kind: &SchemeKind| {
        let steps = steps.len();
        let inputs =
            format!("forced-fibre frame={frame:?} scheme={} curves={steps} most={last}", kind.name());
        Job::new(inputs, "per_second,angle_error_rad", trace::flops(*kind) as f64)
    };
    let rows = bench.runs(kinds, job, |&kind| {
        let error = |&n: &u32| {
            if !bench.goes_on() {
                return Err(super::Error::Interrupted);
            }
            Ok(vec![f64::from(n) / FIBRE_END, fibre_error(kind, frame, n, &reference)?])
        };
        steps.iter().map(error).collect()
    })?;
    Ok(rows.into_iter().map(|rows| rows.into_iter().map(|row| (row[0], row[1])).collect()).collect())
}

/// The slope of an error against the time step between two of its points.
pub(super) fn order(points: &[(f64, f64)], coarse: usize, fine: usize) -> f64 {
    let ((a, error_a), (b, error_b)) = (points[coarse], points[fine]);
    (error_a / error_b).ln() / (a / b).ln()
}
