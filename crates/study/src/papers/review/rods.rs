//! Fig. 2: thirty elastic rods in a box for a long time.

use super::DEL_VALLE_2025;
use crate::papers::kept::{Job, Rows};
use crate::papers::{
    Bench, Entry, Error, Reproduction, figure, largest, linear, log, panel, picture, series, table,
};
use tumble_dem::Engine;
use tumble_dem::scenes::{self, EnergySample};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::SchemeKind;

pub(in crate::papers) const FIG2: Entry = Entry {
    id: "review/fig2",
    paper: DEL_VALLE_2025,
    title: "energy of rods in a box against time",
    setup: &[
        "Thirty rods of three touching spheres (radius 0.02√3 m, spacing 0.04√3 m) in a closed cube of 1 m: \
         E = 1 GPa, ν = 0.1, ρ = 2500 kg/m³, Hertz without loss or friction, no gravity; 4 m/s and 4 rad/s \
         in random directions; Δt = 38 µs, 100 s. Shown is (E(t) − E(0))/E(0), and the fastest spin of a rod \
         about its own axis.",
        "Contacts without friction have no torque about the axis of a rod: its spin about it is a constant \
         of the exact motion, and whatever it does is an error.",
    ],
    notes: &[
        "The text gives no number of rods, no speeds and no duration; they are those of the authors' script, \
         whose walls enclose 2 m instead of the 1 m of the text. Versions of Yade that take angular momentum \
         as given start these rods without spin, since the script sets the angular velocity alone.",
        "The text says that Fincham becomes unstable by a sudden increase of the spin about the minor axis. \
         It is the spin about the axis of the rods, that of least inertia, and it grows from the start, \
         exponentially at first.",
        "Where it ends can be told. Between contacts Fincham conserves the momentum of a rod and turns it to \
         the axis: a joule of transverse spin becomes I₂/I₁ = 23/3 joules of axial spin, which contacts \
         without friction cannot give back. When all energy has gone this way the rods stand still and spin, \
         with 667 % more energy than at the start.",
    ],
    see: &["spiral/fig7", "tumble/dzhanibekov"],
    scene: Some(include_str!("../../../../../scenes/rods.toml")),
    run: fig2,
};

/// Three schemes of the paper, and three that are not in it.
const SCHEMES: [SchemeKind; 6] = crate::papers::chess::SCHEMES;
const DT: f64 = 38e-6;
const SAMPLES: u32 = 200;
const SEED: u64 = 1;

fn fig2(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let duration = bench.choose(25.0, 100.0);
    let job = |scheme: &SchemeKind| {
        let scheme = scheme.name();
        let inputs = format!(
            "bouncing-rods scheme={scheme} dt={DT:e} seed={SEED} duration={duration} samples={SAMPLES}"
        );
        Job::new(inputs, "t_s,percent,axial_spin_rad_s,translational_share", 1.0)
    };
    let runs = bench.runs(&SCHEMES, job, |&scheme| run(bench, scheme, duration))?;
    let mut panels = vec![
        panel("energy", linear("t (s)"), log("|E(t)/E(0) − 1| (%)")),
        panel("fastest spin about the own axis", linear("t (s)"), log("ω (rad/s)")),
    ];
    let mut rows = table(
        "at the end: (E(t) − E(0))/E(0) in percent, its largest size, the fastest spin about the own axis in \
         rad/s and its growth, and the part of the kinetic energy that is not spin",
        &["scheme", "t_s", "percent", "largest_percent", "axial_spin", "growth", "translational_share"],
    );
    let mut findings = Vec::new();
    for (scheme, run) in SCHEMES.into_iter().zip(runs) {
        let name = scheme.name();
        let curve =
            |column: usize| -> Vec<(f64, f64)> { run.iter().map(|row| (row[0], row[column])).collect() };
        let sizes = curve(1).into_iter().map(|(t, percent)| (t, percent.abs())).collect();
        panels[0].series.push(series(name, Mark::Line, sizes));
        panels[1].series.push(series(name, Mark::Line, curve(2)));
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let worst = largest(run.iter().map(|row| row[1].abs()));
        let late = &run[run.len() / 2..];
        let share = late.iter().map(|row| row[3]).sum::<f64>() / late.len() as f64;
        rows.rows.push(vec![
            name.into(),
            Cell::Number(last[0]),
            Cell::Number(last[1]),
            Cell::Number(worst),
            Cell::Number(last[2]),
            Cell::Number(last[2] / first[2]),
            Cell::Number(last[3]),
        ]);
        findings.extend(judge(scheme, last, worst, last[2] / first[2], share));
    }
    let outcome = Outcome {
        figures: vec![("review-fig2".into(), figure("thirty rods in a box", panels))],
        tables: vec![("review-fig2".into(), rows)],
        findings,
    };
    let mut reproduction = Reproduction::from(outcome)
        .if_quick_leaving_out(bench, "25 s instead of the 100 s of the authors' script.");
    let scene = scenes::bouncing_rods(SEED)?;
    scene.run(SchemeKind::SpiralLeapfrog, DT, 1.0, 1, |engine| {
        let caption = format!("Thirty rods in a cube of 1 m, t = {:.1} s.", engine.time());
        reproduction.snapshot = Some(picture::in_cube(engine, &scene.world, 1.0, caption));
        true
    })?;
    Ok(reproduction)
}

/// What the text says of the scheme, and what the exact motion does.
fn judge(scheme: SchemeKind, last: &[f64], worst: f64, growth: f64, share: f64) -> Vec<Finding> {
    let name = scheme.name();
    // Fincham gains 1 % in 10 s and 100 % in 20 s.
    let long = last[0] > 50.0;
    if scheme == SchemeKind::Fincham {
        return vec![
            Finding::alone(
                format!("{name}: energy gained at {:.0} s, percent", last[0]),
                last[1],
                if long { Band::Between(630.0, 667.0) } else { Band::AtLeast(5.0) },
                "becomes unstable in the paper; up to 667 % can be gained",
            ),
            Finding::alone(
                format!("{name}: fastest spin about the own axis over that at the start"),
                growth,
                Band::AtLeast(1.2),
                "increases suddenly in the paper",
            ),
            Finding::alone(
                format!("{name}: part of the kinetic energy that is not spin at {:.0} s", last[0]),
                last[3],
                if long { Band::AtMost(1e-3) } else { Band::AtMost(0.4) },
                "in the end all energy is spin, and the rods stand still",
            ),
        ];
    }
    let published = matches!(scheme, SchemeKind::Omelyan | SchemeKind::SpiralLeapfrog);
    let reason = if published { "stable in the paper" } else { "not in the paper" };
    vec![
        Finding::alone(
            format!("{name}: deviation of the energy at {:.0} s, percent", last[0]),
            last[1].abs(),
            Band::AtMost(0.1),
            reason,
        ),
        Finding::alone(
            format!("{name}: largest deviation of the energy, percent"),
            worst,
            Band::AtMost(0.5),
            "a sample within a contact is off by a part in a thousand of what the contact stores",
        ),
        Finding::alone(
            format!("{name}: fastest spin about the own axis over that at the start"),
            growth,
            if scheme == SchemeKind::Dullweber { Band::Any } else { Band::Between(0.999_999, 1.000_001) },
            "a constant of the exact motion, which splitting by axes keeps to second order only",
        ),
        Finding::alone(
            format!("{name}: part of the kinetic energy that is not spin, mean of the second half"),
            share,
            Band::Between(0.5, 0.7),
            "three of the five degrees of freedom that contacts can reach",
        ),
    ]
}

fn run(bench: &Bench<'_>, scheme: SchemeKind, duration: f64) -> Result<Rows, Error> {
    let mut rows = Rows::new();
    let mut start = None;
    // A run that cannot go on ends its curve there.
    scenes::bouncing_rods(SEED)?.run(scheme, DT, duration, SAMPLES, |engine| {
        let EnergySample { time, energy, .. } = EnergySample::of(engine);
        let first = *start.get_or_insert(energy);
        let ledger = engine.ledger();
        let share = ledger.translational / ledger.kinetic();
        rows.push(vec![time, 100.0 * (energy / first - 1.0), fastest_axial_spin(engine), share]);
        bench.goes_on()
    })?;
    if bench.goes_on() { Ok(rows) } else { Err(Error::Interrupted) }
}

/// The fastest spin of a rod about its own axis, which is its first principal one, rad/s.
fn fastest_axial_spin(engine: &Engine) -> f64 {
    largest(engine.bodies().iter().map(|body| body.orientation.to_body(body.angular_velocity).x.abs()))
}
