//! Fig. 3: a cylinder under a torque about three axes.

use super::COMPARED;
use crate::papers::forced::{self, FIBRE, Frame};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, linear, log, panel, series};
use tumble_report::{Band, Finding, Mark, Outcome};
use tumble_rotation::SchemeKind;
use tumble_rotation::citations::SEELEN_2016;

pub(in crate::papers) const FIG3: Entry = Entry {
    id: "seelen/fig3",
    paper: SEELEN_2016,
    title: "orientation error of a cylinder against the time step",
    setup: &[
        "A cylinder, radius 5 mm, height 30 mm, 1100 kg/m³, at rest, under the torque of the 2013 paper's \
         test 4 until 0.1 s: its angular velocity, and the mean over time of the error of its inclination, \
         eqs. (6) and (7), at time steps from 10⁻³ s to 10⁻⁸ s. The order is that from 10⁻⁵ s to 10⁻⁶ s.",
    ],
    notes: &[
        "The components of the torque are those in the body frame: they enter Euler's equations (8). The \
         axis of the cylinder is along x, the direction that is followed. The mean of (7) is over 1000 \
         instants at most; the reference is converged to some 10⁻¹³ instead of integrated with Euler \
         angles.",
    ],
    see: &["pcdm/fig7", "tumble/frozen-torque"],
    scene: Some(FIBRE),
    run: fig3,
};

fn fig3(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let mut steps = vec![
        100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
    ];
    if !bench.is_quick() {
        steps.extend([2_000_000, 5_000_000, 10_000_000]);
    }
    let reference = forced::fibre_reference(Frame::Body)?;
    let mut panels = vec![
        panel("angular velocity, body frame", linear("t (s)"), linear("ω (rad/s)")),
        panel("orientation error", log("1/Δt (1/s)"), log("mean angle error (rad)")),
    ];
    for (i, name) in ["ωx", "ωy", "ωz"].into_iter().enumerate() {
        let points = reference.iter().map(|(t, spin)| (*t, spin.omega.to_array()[i])).collect();
        panels[0].series.push(series(name, Mark::Line, points));
    }
    let mut outcome = Outcome::default();
    let curves = forced::fibre_curves(bench, Frame::Body, &COMPARED, &steps)?;
    for (kind, points) in COMPARED.into_iter().zip(curves) {
        // From 1e-5 to 1e-6 s: past the coarse steps, before rounding.
        let order = -forced::order(&points, 6, 9);
        let (band, reason) = match kind {
            SchemeKind::Pcdm => (Band::Between(0.9, 1.1), "slightly above first order in the paper"),
            SchemeKind::ImprovedPcdm => (Band::Between(1.9, 2.1), "second order in the paper"),
            _ => (Band::AtLeast(1.9), "not in the paper"),
        };
        outcome.findings.push(Finding::alone(format!("{}: order", kind.name()), order, band, reason));
        panels[1].series.push(series(kind.name(), Mark::LinePoints, points));
    }
    let slope =
        |power: i32, at: f64| [1e3, 1e7].into_iter().map(|x: f64| (x, at * (x / 1e3).powi(-power))).collect();
    panels[1].series.push(series("slope −1", Mark::Guide, slope(1, 3.0)));
    panels[1].series.push(series("slope −2", Mark::Guide, slope(2, 0.1)));
    outcome.figures.push(("seelen-fig3".into(), figure("cylinder under a torque about three axes", panels)));
    let left_out = "Time steps below 10⁻⁷ s are left out; the published ones end at 10⁻⁸ s.";
    Ok(Reproduction::from(outcome).if_quick_leaving_out(bench, left_out))
}
