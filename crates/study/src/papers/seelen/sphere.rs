//! Table 1 and fig. 2: a sphere under an exponential torque.

use super::COMPARED;
use crate::papers::forced::{self, Reading, SPHERE, arrow};
use crate::papers::published::Published;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, largest, linear, log, panel, series};
use tumble_report::{Band, Finding, Mark, Outcome};
use tumble_rotation::citations::SEELEN_2016;
use tumble_rotation::{SchemeKind, Spin};

pub(in crate::papers) const TABLE1: Entry = Entry {
    id: "seelen/table1",
    paper: SEELEN_2016,
    title: "arrow on a sphere after 1 s of exponential torque",
    setup: &[
        "Test 3 of the 2013 paper: a sphere, diameter 2 m, 1100 kg/m³, at rest, under the torque 10⁵ eᵗ N m \
         about y; Δt = 10⁻⁴ s. An arrow that points along x at t = 0 is followed for 1 s.",
    ],
    notes: &[
        "The table undersells the scheme. Its theory row is the wrong one of the 2013 paper, and 0.0065 % is \
         the error of that row; the printed vector of the improved scheme is the exact one to all its \
         digits. The other two vectors need the torque of the end of each step, see `pcdm/table2`.",
    ],
    see: &["pcdm/table2", "seelen/fig2"],
    scene: Some(SPHERE),
    run: table1,
};

fn table1(_: &Bench<'_>) -> Result<Reproduction, Error> {
    let published =
        Published::parse(include_str!("../../../../../papers/improved-pcdm-2016/published/table1.csv"));
    let kinds = [SchemeKind::ScalarFactor, SchemeKind::Pcdm, SchemeKind::ImprovedPcdm];
    Ok(forced::arrow_table("seelen-table1", &published, &kinds)?.into())
}

pub(in crate::papers) const FIG2: Entry = Entry {
    id: "seelen/fig2",
    paper: SEELEN_2016,
    title: "errors of that sphere against time",
    setup: &[
        "The sphere of table 1: the arrow, the relative error of ωy and the error of the cosine of the angle \
         to where the arrow started, at a hundred instants.",
    ],
    notes: &["The figure has no numbers to read; the text says that errors are small."],
    see: &["seelen/table1", "pcdm/fig6"],
    scene: Some(SPHERE),
    run: fig2,
};

fn fig2(_: &Bench<'_>) -> Result<Reproduction, Error> {
    let exact = forced::sphere()?;
    let mut panels = vec![
        panel("arrow", linear("t (s)"), linear("component")),
        panel("relative error of ωy", linear("t (s)"), log("|ωy/ωy exact − 1|")),
        panel("error of the cosine", linear("t (s)"), log("|cos − cos exact|")),
    ];
    for (i, name) in ["x", "z"].into_iter().enumerate() {
        let points = (0..=500).map(|i| f64::from(i) / 500.0);
        let points = points.map(|t| (t, arrow(exact.at(t)).to_array()[2 * i])).collect();
        panels[0].series.push(series(&format!("{name}, exact"), Mark::Line, points));
    }
    let mut findings = Vec::new();
    for kind in COMPARED {
        let states = forced::sphere_states(kind, Reading::Printed, 100, 100)?;
        for (i, name) in ["x", "z"].into_iter().enumerate() {
            if kind == SchemeKind::ImprovedPcdm {
                let points = states.iter().map(|(t, spin)| (*t, arrow(*spin).to_array()[2 * i])).collect();
                panels[0].series.push(series(&format!("{name}, {}", kind.name()), Mark::LinePoints, points));
            }
        }
        let rate = |&(t, spin): &(f64, Spin<f64>)| (t, (spin.omega.y / exact.omega(t).y - 1.0).abs());
        let cosine = |&(t, spin): &(f64, Spin<f64>)| (t, (arrow(spin).x - arrow(exact.at(t)).x).abs());
        let rates: Vec<_> = states.iter().map(rate).collect();
        let cosines: Vec<_> = states.iter().map(cosine).collect();
        let worst = |points: &[(f64, f64)]| largest(points.iter().map(|point| point.1));
        let reason = match kind {
            SchemeKind::Pcdm | SchemeKind::ImprovedPcdm => {
                "small in the paper's words, and two orders of magnitude apart"
            }
            _ => "not in the paper",
        };
        let limits = if kind == SchemeKind::Pcdm { (1e-3, 1e-2) } else { (1e-6, 1e-5) };
        findings.push(Finding::alone(
            format!("{}: largest relative error of ωy", kind.name()),
            worst(&rates),
            Band::AtMost(limits.0),
            reason,
        ));
        findings.push(Finding::alone(
            format!("{}: largest error of the cosine", kind.name()),
            worst(&cosines),
            Band::AtMost(limits.1),
            reason,
        ));
        panels[1].series.push(series(kind.name(), Mark::LinePoints, rates));
        panels[2].series.push(series(kind.name(), Mark::LinePoints, cosines));
    }
    let drawing = figure("sphere under an exponential torque", panels);
    Ok(Outcome { figures: vec![("seelen-fig2".into(), drawing)], tables: vec![], findings }.into())
}
