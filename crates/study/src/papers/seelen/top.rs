//! Fig. 1: a free symmetric top for a long time.

use super::COMPARED;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, linear, log, panel, series};
use tumble_report::{Band, Finding, Mark, Outcome};
use tumble_rotation::citations::SEELEN_2016;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::{Axis, SymmetricTop};
use tumble_rotation::{Inertia, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

pub(in crate::papers) const FIG1: Entry = Entry {
    id: "seelen/fig1",
    paper: SEELEN_2016,
    title: "free symmetric top for 10 000 s",
    setup: &[
        "A free top with I = (1100, 1100, 2600) kg m² and ω₀ = (1.2, 0.45, −0.6) rad/s, Δt = 0.01 s, for 10 \
         000 s: its angular velocity, and the error of its kinetic energy with ω as each scheme holds it. E \
         is 1371.375 J, the period of the precession 7.679 s.",
    ],
    notes: &[
        "No body has these moments: the largest exceeds the sum of the other two. The equations do not mind.",
        "The text says that both schemes have the same energy error. Without a torque ω of the improved \
         scheme is the two-step method of Adams and Bashforth, which gains ½(λΔt)⁴ of the transverse energy \
         in a step, λ being the rate of precession; the original is the midpoint rule, which gains ¼(λΔt)⁴: \
         a factor of two.",
    ],
    see: &["tumble/dzhanibekov"],
    scene: Some("# tumble study --problem symmetric-top --duration 10000 --dt 0.01\n"),
    run: fig1,
};

fn fig1(_: &Bench<'_>) -> Result<Reproduction, Error> {
    let start = Spin { q: Quat::identity(), omega: BodyVec::new(1.2, 0.45, -0.6) };
    let exact = SymmetricTop::new(Axis::Z, 2600.0, 1100.0, start)?;
    let mut panels = vec![
        panel("angular velocity, body frame", linear("t (s)"), linear("ω (rad/s)")),
        panel("relative error of the energy, Δt = 0.01 s", linear("t (s)"), log("|E/E₀ − 1|")),
    ];
    for (i, name) in ["ωx", "ωy", "ωz"].into_iter().enumerate() {
        let points =
            (0..=200).map(|i| f64::from(i) * 0.1).map(|t| (t, exact.omega(t).to_array()[i])).collect();
        panels[0].series.push(series(&format!("{name}, exact"), Mark::Line, points));
    }
    let mut outcome = Outcome::default();
    let mut ends = Vec::new();
    for kind in COMPARED.into_iter().chain([SchemeKind::Dullweber]) {
        let (early, energy) = kind.visit(FreeTop(start))?;
        for (i, name) in ["ωx", "ωy", "ωz"].into_iter().enumerate() {
            if kind == SchemeKind::ImprovedPcdm {
                let points = early.iter().map(|(t, spin)| (*t, spin.omega.to_array()[i])).collect();
                panels[0].series.push(series(&format!("{name}, {}", kind.name()), Mark::LinePoints, points));
            }
        }
        ends.push(energy[energy.len() - 1].1);
        panels[1].series.push(series(kind.name(), Mark::LinePoints, energy));
    }
    outcome.findings.push(Finding::explained(
        "energy error of improved-pcdm over that of pcdm after 10 000 s",
        Some(1.0),
        ends[1] / ends[0],
        Band::Between(1.9, 2.1),
        "without torque the improved ω is that of Adams and Bashforth, which gains ½(λΔt)⁴ a step; the \
         original is the midpoint rule, which gains ¼(λΔt)⁴",
    ));
    outcome.findings.push(Finding::alone(
        "energy error of improved-pcdm after 10 000 s",
        ends[1],
        Band::AtMost(1e-2),
        "\"very small\" in words; the figure has no numbers to read",
    ));
    outcome.findings.push(Finding::alone(
        "energy error of dullweber after 10 000 s",
        ends[4],
        Band::AtMost(1e-4),
        "not in the paper: bounded, while that of the other two grows",
    ));
    for (kind, end) in [(COMPARED[2], ends[2]), (COMPARED[3], ends[3])] {
        outcome.findings.push(Finding::alone(
            format!("energy error of {} after 10 000 s", kind.name()),
            end,
            Band::AtMost(1e-4),
            "not in the paper",
        ));
    }
    outcome.figures.push(("seelen-fig1".into(), figure("free symmetric top", panels)));
    Ok(outcome.into())
}

/// States over the first 20 s, and the energy error over 10 000 s with ω as the scheme holds it.
struct FreeTop(Spin<f64>);

impl SchemeVisitor for FreeTop {
    type Output = Result<(Vec<(f64, Spin<f64>)>, Vec<(f64, f64)>), tumble_rotation::Error>;

    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
        // Not `new`, which refuses moments that no body has: 2600 is more than 1100 + 1100.
        let inertia = PrincipalInertia::from_moments(BodyVec::new(1100.0, 1100.0, 2600.0));
        let energy = inertia.energy(self.0.omega);
        let mut rotor = Rotor::new(scheme, inertia, self.0, 0.01, |_, _, _| LabVec::zero())?;
        let mut early = Vec::new();
        for _ in 0..40 {
            rotor.run(50)?;
            early.push((rotor.time(), rotor.state()));
        }
        rotor.run(8_000)?;
        let mut errors = Vec::new();
        for _ in 1..=100 {
            errors.push((rotor.time(), (inertia.energy(rotor.native().omega) / energy - 1.0).abs()));
            rotor.run(10_000)?;
        }
        Ok((early, errors))
    }
}
