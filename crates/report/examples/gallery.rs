//! Writes a report of made-up outcomes that has one of everything a report can show, to look at when its drawing
//! changes: `cargo run -p tumble-report --example gallery -- FOLDER`.

#![allow(clippy::disallowed_methods, reason = "a drawing or a measurement: no result depends on it")]

use std::f64::consts::TAU;
use std::path::PathBuf;
use tumble_report::{
    Axis, Ball, Band, Cell, Figure, Finding, Mark, Outcome, Panel, Report, SaveError, Section, Series,
    Snapshot, Source, Surface, Table,
};

fn main() -> Result<(), SaveError> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("gallery"), PathBuf::from);
    let report = report();
    for section in &report.sections {
        for (name, figure) in &section.outcome.figures {
            figure.save(&folder, name)?;
            tumble_report::save(&folder, &format!("{name}-column.svg"), &figure.to_column_svg())?;
        }
        if let Some(snapshot) = &section.snapshot {
            tumble_report::save(&folder, "snapshot.svg", &snapshot.to_svg())?;
        }
    }
    report.save(&folder).map(|_| ())
}

fn report() -> Report {
    Report {
        title: "Gallery".into(),
        subtitle: "One of everything that a report can show, from made-up numbers.".into(),
        made_by: [
            ("version", env!("CARGO_PKG_VERSION")),
            ("commit", "0123abc"),
            ("machine", "none"),
            ("date", "2024-11-15"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        sections: vec![convergence(), spread(), costs(), narrow(), packing(), nasty()],
        ..Report::default()
    }
}

const SCHEMES: [&str; 14] = [
    "direct-euler",
    "velocity-verlet",
    "fincham",
    "buss-augmented",
    "johnson",
    "pfc4",
    "runge-kutta-4",
    "omelyan",
    "pcdm",
    "improved-pcdm",
    "spiral-leapfrog",
    "spiral-synchronous",
    "kick-rotate-kick",
    "magnus-leapfrog",
];

/// Errors in two quantities, 14 schemes, most of them published: 25 curves and three guides in each panel.
fn convergence() -> Section {
    let panel = |title: &str, worse: f64| {
        let mut series = Vec::new();
        for (number, name) in SCHEMES.into_iter().enumerate() {
            let order = [1, 2, 2, 3, 2, 4][number % 6];
            let factor = worse * 10_f64.powf(2.0 - 0.37 * number as f64);
            let points: Vec<(f64, f64)> = (0..13)
                .map(|i| 10_f64.powf(-5.0 + 0.25 * f64::from(i)))
                .map(|dt| (dt, (factor * dt.powi(order)).max(3e-14 * (1.0 + number as f64))))
                .collect();
            if number < 11 {
                let published = points.iter().step_by(3).map(|&(dt, error)| (dt, 1.1 * error)).collect();
                series.push(Series::new(format!("{name}, published"), published, Mark::Published));
            }
            series.push(Series::new(name, points, Mark::LinePoints));
        }
        for order in [1, 2, 4] {
            let points = [1e-5, 1e-2].map(|dt: f64| (dt, 3.0 * (dt / 1e-2).powi(order)));
            series.push(Series::new(format!("order {order}"), points.into(), Mark::Guide));
        }
        Panel {
            title: title.into(),
            x: Axis::log("Δt (s)"),
            y: Axis::log("relative error after 1 s"),
            series,
        }
    };
    let panels = vec![panel("orientation", 1.0), panel("angular velocity", 0.1)];
    let findings = SCHEMES.iter().enumerate().map(|(number, name)| {
        let ours = 1.0 + 0.004 * number as f64;
        let what = format!("{name}: error in q at Δt = 10⁻⁴ s");
        match number {
            6 => Finding::explained(
                what,
                Some(2.5),
                ours,
                Band::Between(0.9, 1.1),
                "the published run is a leapfrog; see the notes",
            ),
            12.. => Finding::alone(what, 1e-7 * ours, Band::Any, "past the paper"),
            _ => Finding::new(
                what,
                1e-5,
                1e-5 * ours,
                Band::Relative(0.05),
                "digitised to 1 %, runs of 10⁵ steps",
            ),
        }
    });
    let mut table =
        Table::new("time step that reaches an error", &["scheme", "dt_s", "steps", "published_dt_s"]);
    for (number, name) in SCHEMES.into_iter().enumerate() {
        let dt = 1e-6 * 1.7_f64.powf(number as f64);
        let theirs = Cell::optional((number < 11).then_some(1.02 * dt));
        table.rows.push(vec![name.into(), Cell::Number(dt), Cell::Count(1_000_000 >> number), theirs]);
    }
    let mut long = table.clone();
    long.title = "the same, three times over".into();
    long.rows.extend(table.rows.clone());
    long.rows.extend(table.rows.clone());
    Section {
        id: "spiral/fig2".into(),
        title: "Errors after 1 s against the time step".into(),
        group: "SPIRAL (del Valle et al. 2024)".into(),
        sources: vec![Source::new(
            "C. A. del Valle, V. Angelidakis, S. Roy, J. D. Muñoz, T. Pöschel, SPIRAL, Comput. Phys. Commun. 297 (2024) 109077",
            Some("10.1016/j.cpc.2023.109077"),
        )],
        setup: vec![
            "A cylinder turns under a torque that is constant along its axis, for which the motion is known in closed form.".into(),
            "Each scheme starts from the exact state; errors are relative, in the 1-norm.".into(),
        ],
        facts: [("moments of inertia", "1.5, 1.5, 1 kg m²"), ("torque", "10 N m"), ("duration", "1 s")]
            .map(|(name, value)| (name.into(), value.into()))
            .into(),
        command: "tumble reproduce spiral/fig2 --full".into(),
        shortened: vec!["Time steps below 10⁻⁵ s are left out: they take minutes.".into()],
        outcome: Outcome {
            figures: vec![("convergence".into(), Figure { title: "Errors of 14 schemes against the time step".into(), panels })],
            tables: vec![("time-steps".into(), table), ("long".into(), long)],
            findings: findings.collect(),
        },
        notes: vec!["The caption says `PFC4`, and the data are those of its leapfrog form.".into()],
        scene: Some("[body]\ninertia = [1.5, 1.5, 1.0]  # kg m²\n".into()),
        data: vec!["convergence.csv".into(), "time-steps.csv".into()],
        see: vec!["spiral/fig4".into(), "chess/energy".into(), "nowhere".into()],
        seconds: Some(12.34),
        ..Section::default()
    }
}

/// Error bars, bands and a bound.
fn spread() -> Section {
    let mean = |t: f64| 4.2e-3 * (1.0 - (-t / 2.0).exp());
    let times: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.05).collect();
    let band = Series::new(
        "50 seeds, mean and quartiles",
        times.iter().map(|&t| (t, mean(t))).collect(),
        Mark::Line,
    )
    .with_spread(times.iter().map(|&t| (0.8 * mean(t), 1.3 * mean(t))).collect());
    let few: Vec<f64> = (1..10).map(f64::from).collect();
    let bars = Series::new("other", few.iter().map(|&t| (t, 0.6 * mean(t))).collect(), Mark::LinePoints)
        .with_spread(few.iter().map(|&t| (0.45 * mean(t), 0.78 * mean(t))).collect());
    let published = Series::new("theirs", few.iter().map(|&t| (t, 1.1 * mean(t))).collect(), Mark::Published)
        .with_spread(few.iter().map(|&t| (0.9 * mean(t), 1.4 * mean(t))).collect());
    let bound = Series::new("all of it", vec![(0.0, 4.2e-3), (10.0, 4.2e-3)], Mark::Guide);
    let panel = |log| Panel {
        title: String::new(),
        x: Axis::linear("t (s)"),
        y: Axis { log, ..Axis::linear("dissipated energy (J)") },
        series: vec![band.clone(), bars.clone(), published.clone(), bound.clone()],
    };
    let figure = Figure { title: "Spread over seeds".into(), panels: vec![panel(false), panel(true)] };
    Section {
        id: "chess/energy".into(),
        title: "Energy in the chess box".into(),
        group: "SPIRAL (del Valle et al. 2024)".into(),
        outcome: Outcome {
            figures: vec![("spread".into(), figure)],
            findings: vec![Finding::new("plateau, J", 3e-3, 4.2e-3, Band::Relative(0.1), "")],
            ..Outcome::default()
        },
        see: vec!["spiral/fig2".into()],
        seconds: Some(380.0),
        ..Section::default()
    }
}

/// Bars both ways.
fn costs() -> Section {
    let cost = |number: usize| 1.0 + 0.35 * (number * 7 % 5) as f64;
    let ours = |turned: bool, factor: f64| {
        let bar = |number: usize| (number as f64, factor * cost(number));
        (0..SCHEMES.len()).map(bar).map(|(a, b)| if turned { (b, a) } else { (a, b) }).collect::<Vec<_>>()
    };
    let lying = Panel {
        title: "by scheme".into(),
        x: Axis::linear("time per step / direct Euler's"),
        y: Axis::categories("", SCHEMES),
        series: vec![
            Series::new("by the clock", ours(true, 1.0), Mark::Bars),
            Series::new("by operations", ours(true, 0.8), Mark::Bars),
            Series::new("by the clock, published", ours(true, 1.15)[..9].to_vec(), Mark::Published),
        ],
    };
    let standing = Panel {
        title: "by stage".into(),
        x: Axis::categories(
            "",
            ["move walls", "move bodies", "update neighbours", "find contacts", "laws", "sums"],
        ),
        y: Axis::linear("time (s)"),
        series: vec![
            Series::new(
                "one thread",
                (0..6).map(|i| (f64::from(i), 1.0 + f64::from(i * i % 7))).collect(),
                Mark::Bars,
            )
            .with_spread((0..6).map(|i| (0.5 + f64::from(i * i % 7), 1.6 + f64::from(i * i % 7))).collect()),
            Series::new(
                "two threads",
                (0..6).map(|i| (f64::from(i), 0.6 * (1.0 + f64::from(i * i % 7)))).collect(),
                Mark::Bars,
            ),
        ],
    };
    let single = Panel {
        title: String::new(),
        x: Axis::linear("share of the time (%)"),
        y: Axis::categories("", ["contacts", "motion", "neighbours", "fields"]),
        series: vec![Series::new(
            "share",
            vec![(61.3, 0.0), (22.0, 1.0), (14.2, 2.0), (0.02, 3.0)],
            Mark::Bars,
        )],
    };
    let figures = vec![
        ("costs".into(), Figure { title: "What a step costs".into(), panels: vec![lying, standing] }),
        ("shares".into(), Figure { title: "Where the time goes".into(), panels: vec![single] }),
    ];
    Section {
        id: "spiral/fig4".into(),
        title: "Time for one step".into(),
        group: "Costs".into(),
        outcome: Outcome {
            figures,
            findings: vec![Finding::new(
                "spiral-leapfrog over direct-euler",
                1.9,
                1.7,
                Band::Any,
                "a clock time",
            )],
            ..Outcome::default()
        },
        seconds: Some(7300.0),
        ..Section::default()
    }
}

/// Scales that are hard to label.
fn narrow() -> Section {
    let curve = |points: Vec<(f64, f64)>, x: Axis, y: Axis| Panel {
        title: String::new(),
        x,
        y,
        series: vec![Series::new("curve", points, Mark::Line)],
    };
    let wave = |height: f64, low: f64| {
        (0..300).map(|i| f64::from(i) / 299.0).map(|x| (x, low + height * (TAU * x).sin())).collect()
    };
    let panels = vec![
        curve(wave(3.2e6, 0.0), Axis::linear("t (s)"), Axis::linear("force (N)")),
        curve(wave(2e-7, 1e-6), Axis::linear("t (s)"), Axis::log("overlap (m)")),
        curve(wave(1e-3, 100.0), Axis::linear("t (s)"), Axis::linear("height (m)")),
    ];
    Section {
        id: "hard/scales".into(),
        title: "Scales that are hard to label".into(),
        group: "Costs".into(),
        outcome: Outcome {
            figures: vec![(
                "scales".into(),
                Figure { title: "Large, small and nearly constant".into(), panels },
            )],
            ..Outcome::default()
        },
        ..Section::default()
    }
}

/// A heap of rods in a box, on a lattice that is shaken a little.
fn packing() -> Section {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut balls = Vec::new();
    for body in 0..700_usize {
        let cell = [body % 10, body / 10 % 10, body / 100];
        let middle: [f64; 3] = core::array::from_fn(|axis| cell[axis] as f64 + 0.3 * random());
        let along: [f64; 3] = core::array::from_fn(|_| random() - 0.5);
        let length = along.iter().map(|x| x * x).sum::<f64>().sqrt();
        for step in -2..=2 {
            let centre =
                core::array::from_fn(|axis| middle[axis] + 0.18 * f64::from(step) * along[axis] / length);
            balls.push(Ball { centre, radius: 0.26, group: body / 7 % 3, body });
        }
    }
    let corner = |bits: usize| core::array::from_fn(|axis| if bits >> axis & 1 == 0 { -0.7 } else { 10.3 });
    let faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Section {
        id: "packing".into(),
        title: "A picture of bodies".into(),
        group: "Pictures".into(),
        snapshot: Some(Snapshot {
            caption: "700 rods of five spheres in a box.".into(),
            balls,
            groups: ["steel", "glass", "wood"].map(String::from).into(),
            walls: vec![Surface { points: (0..8).map(corner).collect(), triangles }],
            ..Snapshot::default()
        }),
        ..Section::default()
    }
}

/// Text that must stay text.
fn nasty() -> Section {
    let script = "</script><script>alert(1)</script> & \"quotes\" 'too'";
    Section {
        id: script.into(),
        title: script.into(),
        group: "Pictures".into(),
        setup: vec![script.into()],
        data: vec!["javascript:alert(1)".into(), "../up".into(), "a b.csv".into()],
        ..Section::default()
    }
}
