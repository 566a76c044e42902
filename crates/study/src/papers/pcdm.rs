//! Zhao & van Wachem, Acta Mech. 224 (2013) 3091: test cases 3 and 4, which prescribe the torque on one body.

use super::forced::{self, Frame, Reading, angle_between, arrow};
use super::published::Published;
use super::{Effort, figure, linear, log, panel, series};
use tumble_report::{Band, Finding, Mark, Outcome};
use tumble_rotation::math::LabVec;
use tumble_rotation::{Error, SchemeKind};

fn table2_data() -> Published {
    Published::parse(include_str!("../../../../papers/pcdm-2013/published/table2.csv"))
}

/// Table 2: where an arrow on a sphere points after 1 s.
pub(super) fn table2(_: Effort) -> Result<Outcome, Error> {
    let kinds = [SchemeKind::ScalarFactor, SchemeKind::Pcdm];
    forced::arrow_table("pcdm-table2", &table2_data(), &kinds)
}

/// Fig. 6: how the angle error of that arrow grows.
pub(super) fn fig6(_: Effort) -> Result<Outcome, Error> {
    let exact = forced::sphere()?;
    let published = table2_data();
    let mut panel = panel("", linear("t / s"), log("angle error / rad"));
    let mut outcome = Outcome::default();
    let error = |&(t, spin): &(f64, _)| (t, angle_between(arrow(spin), arrow(exact.at(t))));
    let mut last = Vec::new();
    for kind in [
        SchemeKind::ScalarFactor,
        SchemeKind::DirectMultiplication,
        SchemeKind::Pcdm,
        SchemeKind::ImprovedPcdm,
    ] {
        let states = forced::sphere_states(kind, Reading::Printed, 100, 100)?;
        let points: Vec<_> = states.iter().map(error).collect();
        last.push(points[points.len() - 1].1);
        panel.series.push(series(kind.name(), Mark::LinePoints, points));
    }
    for kind in [SchemeKind::ScalarFactor, SchemeKind::Pcdm] {
        let name = kind.name();
        let theirs = LabVec::new(published.at(name, "x"), 0.0, published.at(name, "z"));
        let theirs = angle_between(theirs, arrow(exact.at(1.0)));
        let ours = error(&forced::sphere_states(kind, Reading::Ahead, 10_000, 1)?[0]).1;
        outcome.findings.push(Finding::new(
            format!("{name}: angle error after 1 s with the torque of the end of the step, rad"),
            theirs,
            ours,
            Band::Relative(2e-3),
            "published: between the vectors of table 2",
        ));
        panel.series.push(series(&format!("{name}, table 2"), Mark::Published, vec![(1.0, theirs)]));
    }
    outcome.findings.push(Finding::explained(
        "angle error of scalar-factor over that of direct-multiplication, which never normalises",
        None,
        last[0] / last[1],
        Band::Between(0.999, 1.001),
        "so normalising is not what makes the scalar factor lag behind, as the paper has it; the old ω is",
    ));
    outcome.findings.push(Finding::alone(
        "angle error of pcdm over that of improved-pcdm",
        last[2] / last[3],
        Band::AtLeast(1e3),
        "the torque of the beginning of the step is all that pcdm lacks here",
    ));
    outcome
        .figures
        .push(("pcdm-fig6".into(), figure("arrow on a sphere under an exponential torque", vec![panel])));
    Ok(outcome)
}

/// Fig. 7: orientation error of a fibre against the time step.
pub(super) fn fig7(_: Effort) -> Result<Outcome, Error> {
    let steps = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];
    let mut panels = Vec::new();
    let mut outcome = Outcome::default();
    for (frame, title) in [(Frame::Body, "torque in the body frame"), (Frame::Lab, "torque in the lab frame")]
    {
        let reference = forced::fibre_reference(frame)?;
        let mut panel = panel(title, log("1/Δt / Hz"), log("mean angle error / rad"));
        for kind in [
            SchemeKind::QuaternionEuler,
            SchemeKind::WaltonBraun,
            SchemeKind::ScalarFactor,
            SchemeKind::Pcdm,
            SchemeKind::ImprovedPcdm,
        ] {
            let mut points = Vec::new();
            for n in steps {
                points.push((
                    f64::from(n) / forced::FIBRE_END,
                    forced::fibre_error(kind, frame, n, &reference)?,
                ));
            }
            let order = -forced::order(&points, 3, 6);
            panel.series.push(series(kind.name(), Mark::LinePoints, points));
            let what = format!("{}: order from Δt = 1e-6 to 1e-7, {frame:?} torque", kind.name());
            let (first, second) = (Band::Between(0.9, 1.1), Band::Between(1.9, 2.1));
            outcome.findings.push(match kind {
                SchemeKind::Pcdm => Finding::explained(
                    what,
                    Some(2.0),
                    order,
                    first,
                    "approaches 2 in the paper; a torque not of the middle of the step costs an order",
                ),
                SchemeKind::WaltonBraun => Finding::explained(
                    what,
                    Some(1.0),
                    order,
                    second,
                    "the paper leaves open how ω advances; here by the midpoint rule",
                ),
                SchemeKind::ImprovedPcdm => Finding::alone(what, order, second, "not in this paper"),
                _ => Finding::new(what, 1.0, order, first, ""),
            });
        }
        panels.push(panel);
    }
    outcome.figures.push(("pcdm-fig7".into(), figure("fibre under a torque about three axes", panels)));
    Ok(outcome)
}
