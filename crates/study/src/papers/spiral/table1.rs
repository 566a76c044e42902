//! Table 1: which DEM code integrates rotation how, with what we measure of each scheme.

use super::cylinder::{PROBLEM, errors};
use crate::papers::{Bench, Entry, Error, OWN, Reproduction, table};
use tumble_report::{Band, Cell, Finding, Outcome};
use tumble_rotation::SchemeKind;
use tumble_rotation::citations::DEL_VALLE_2024;
use tumble_rotation::trace::flops;

pub(in crate::papers) const TABLE1: Entry = Entry {
    id: "spiral/table1",
    paper: DEL_VALLE_2024,
    title: "rotation schemes and the codes that use them",
    setup: &[
        "The table lists six schemes and the codes that use them; beside each stands what it is in this \
         library: its name, whether it normalises the quaternion, operations of a step, and the orders of q \
         and ω on the cylinder of fig. 1, from Δt = 10⁻⁴ s and 5·10⁻⁵ s. Omelyan's scheme, both forms of \
         SPIRAL and our own schemes follow, from Δt = 4·10⁻³ s and 2·10⁻³ s, since they are near rounding at \
         shorter ones.",
    ],
    notes: &[
        "The paper counts orders per step: its \"second order\" is first order over a time span, which is \
         what the table shows.",
        "Codes change. The table is that of the paper, of 2023: Yade and MercuryDPM have SPIRAL since then.",
    ],
    see: &["spiral/fig2", "tumble/frozen-torque"],
    scene: Some(PROBLEM),
    run: table1,
};

/// The published table.
const CODES: [(SchemeKind, &str); 6] = [
    (SchemeKind::DirectEuler, "MFiX, EDEM, BlazeDEM-GPU, MUSEN"),
    (SchemeKind::VelocityVerlet, "LIGGGHTS, GranOO, EDEM, MercuryDPM"),
    (SchemeKind::Fincham, "Yade, ESyS-Particle, Woodem"),
    (SchemeKind::Buss, "PFC 7"),
    (SchemeKind::Johnson, "PFC 7"),
    (SchemeKind::Pfc4, "MercuryDPM"),
];

/// The schemes of the paper that no code in its table uses.
const OTHERS: [SchemeKind; 3] =
    [SchemeKind::Omelyan, SchemeKind::SpiralLeapfrog, SchemeKind::SpiralSynchronous];

fn table1(_: &Bench<'_>) -> Result<Reproduction, Error> {
    let mut rows = table(
        "schemes, the codes that use them as published, and what they are here",
        &["scheme", "codes", "normalises", "flops", "order_q", "order_omega"],
    );
    let mut outcome = Outcome::default();
    let listed = CODES.map(|(kind, codes)| (kind, Some(codes)));
    for (kind, codes) in listed.into_iter().chain(OTHERS.into_iter().chain(OWN).map(|kind| (kind, None))) {
        let dt = if codes.is_some() { 1e-4 } else { 4e-3 };
        let (coarse, fine) = (errors(kind, dt)?, errors(kind, 0.5 * dt)?);
        let [q, omega] = [coarse.q / fine.q, coarse.omega / fine.omega].map(f64::log2);
        rows.rows.push(vec![
            kind.name().into(),
            codes.map_or(Cell::Empty, Cell::from),
            if kind.info().normalises { "yes" } else { "no" }.into(),
            Cell::Count(flops(kind) as u64),
            Cell::Text(format!("{q:.2}")),
            Cell::Text(format!("{omega:.2}")),
        ]);
        if codes.is_some() {
            outcome.findings.push(Finding::new(
                format!("{}: order over a time span, the lower of q and ω", kind.name()),
                1.0,
                q.min(omega),
                Band::Between(0.9, 1.1),
                "second order per step in the paper's words",
            ));
        }
    }
    let without = CODES.iter().filter(|(kind, _)| !kind.info().normalises).count();
    outcome.findings.push(Finding::new(
        "schemes of the table that need no normalisation",
        1.0,
        without as f64,
        Band::Any,
        "Buss alone in the paper; ours are counted by what the forms in the library do",
    ));
    outcome.tables.push(("spiral-table1".into(), rows));
    Ok(outcome.into())
}
