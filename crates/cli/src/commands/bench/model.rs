//! `tumble bench --model`: how fast many ranks would be, from what is counted on a few and what is published of a network.
//!
//! A step of n bodies on each of P ranks takes
//!
//! T = t n (1 + d p/(b + p)) I + t g b/(b + p)             own bodies, doubled pairs, ghosts
//!   + k α + B g(node)/W + a log₂P                          messages, what leaves a node, the one maximum over all ranks
//!   + (5 a log₂P + 5 P α/m + G/W) / s                      lists, every s steps
//!
//! with t the time of a body on one processor, p listed pairs per body, b what moving a body costs in pairs, d the part of pairs in two
//! lists, I the imbalance, g ghosts, k messages, B bytes of a ghost, G bytes of a build from all ranks of a node. In a build each rank says
//! something to each other one five times, which grows with P and ends it all. p, d, I, g, k, B, G, s are counted (`counts.rs`); g and d
//! go to other numbers of ranks by the geometry of borders (`borders.rs`). Bodies are in a cube.
//!
//! The band: the best is with the shortest reach that was counted, balanced ranks, ghosts that cost nothing beside their bytes, and m
//! messages under way at a time; the worst with the longest reach, the largest imbalance that was counted, ghosts that cost as much to
//! move as bodies, half of the bandwidth, and one message after the other.

use super::borders::Borders;
use super::counts::{self, Counted};
use super::measure::Prepared;
use super::sheet::{Column, Sheet, column};
use super::{Options, Source};
use crate::failure::Failure;
use crate::output;
use crate::signals::Interrupt;
use tumble_dem::ranks::RankCosts;
use tumble_report::Cell;

/// A machine: the nodes of ARCHER2 and their network, as its documentation tells.
mod machine {
    /// Processors of a node, each of which is a rank.
    pub(super) const RANKS_OF_NODE: usize = 128;
    /// Two ports of 100 Gb/s (hardware), B/s.
    pub(super) const BANDWIDTH: f64 = 25e9;
    /// A maximum of 16 bytes over 256 ranks on two nodes takes 8.13 µs (OSU micro-benchmarks, in the guide on containers): as many
    /// seconds for each doubling of ranks.
    pub(super) const REDUCTION: f64 = 8.13e-6 / 8.0;
    /// From one node to another, s: what Oracle's tutorials for clusters print for ports of the same speed (OSU micro-benchmarks).
    pub(super) const LATENCY: f64 = 1.7e-6;
    /// Messages under way at a time at best. An assumption.
    pub(super) const UNDER_WAY: f64 = 10.0;
}

/// Bodies on each rank where the problem grows with the ranks, and bodies in all where it does not.
const WEAK: f64 = 20_000.0;
const STRONG: f64 = 1e7;

/// Numbers of ranks that are told.
const RANKS: [usize; 6] = [1, 16, 128, 1024, 4096, 10_000];

/// What a rank asks of all others when lists are built: maxima and sums, and how often it says something to each.
const REDUCTIONS_OF_BUILD: f64 = 5.0;
const TO_ALL_OF_BUILD: f64 = 5.0;

const COLUMNS: &[Column] = &[
    column("scene", 14, 0),
    column("scaling", 8, 0),
    column("bodies", 12, 0),
    column("ranks", 7, 0),
    column("bodies_per_rank", 16, 0),
    column("ghosts_per_body", 16, 3),
    column("ms_per_step_best", 17, 3),
    column("ms_per_step_worst", 18, 3),
    column("efficiency_best", 16, 2),
    column("efficiency_worst", 17, 2),
];

/// All that is known of a scene.
struct Known {
    /// Time of a body in a step on one processor, s.
    time: f64,
    /// Listed pairs for each body.
    pairs: f64,
    /// How far ranks look, in spacings of bodies: the shortest and the longest that was counted.
    reach: [f64; 2],
    /// Pairs in two lists for each area of a border and each volume, in spacings.
    doubled: f64,
    imbalance: f64,
    messages: f64,
    bytes_of_ghost: f64,
    bytes_of_built_ghost: f64,
    steps_per_build: f64,
}

/// One end of the band.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Best,
    Worst,
}

pub(super) fn run(options: &Options, interrupt: &Interrupt) -> Result<(), Failure> {
    let ranks = &options.ranks;
    let enough = ranks.contains(&1) && ranks.iter().any(|ranks| *ranks > 1);
    if !(enough || ranks.is_empty()) {
        return Err(Failure::BadInput("--model: --ranks has to name 1 and some more".into()));
    }
    let mut sheet = Sheet::begin(COLUMNS, options.format)?;
    let mut ends = Vec::new();
    for source in &options.scenes() {
        let Some((scene, known)) = know(source, options, interrupt)? else {
            return Err(Failure::Interrupted("what was counted until then is above".into()));
        };
        for (scaling, bodies) in [("weak", None), ("strong", Some(STRONG))] {
            for ranks in RANKS {
                let bodies = bodies.unwrap_or(WEAK * ranks as f64);
                sheet.row(known.cells(&scene, scaling, bodies, ranks))?;
            }
        }
        let [worst, best] = [End::Worst, End::Best].map(|end| known.last_efficient(end));
        let told = |ranks: usize| format!("{ranks} ranks, {:.0} bodies on each", STRONG / ranks as f64);
        ends.push(format!(
            "{scene}: {STRONG:.0e} bodies keep half of the efficiency up to {}; at best up to {}",
            told(worst),
            told(best)
        ));
    }
    sheet.end()?;
    for text in ends {
        output::note(&text);
    }
    Ok(())
}

/// Counts a scene on some ranks, and times it unless that is told; nothing if interrupted.
fn know(
    source: &Source,
    options: &Options,
    interrupt: &Interrupt,
) -> Result<Option<(String, Known)>, Failure> {
    let mut all = Vec::new();
    let scene = counts::of_scene(source, options, interrupt, &mut |_, counted| {
        all.push(counted.clone());
        Ok(())
    })?;
    if interrupt.requested() {
        return Ok(None);
    }
    let time = if let Some(time) = options.ns_per_body {
        time
    } else {
        let Some(measured) = Prepared::new(source, options.clock(interrupt))?.measure(1)? else {
            return Ok(None);
        };
        measured.ns_per_body
    };
    let known = Known::of(&all, 1e-9 * time).ok_or_else(|| {
        Failure::BadInput(format!("{scene}: ranks have nothing to tell each other, since bodies are too few"))
    })?;
    Ok(Some((scene, known)))
}

impl Known {
    /// From what was counted on one rank and on several; none if either is missing.
    fn of(all: &[Counted], time: f64) -> Option<Self> {
        let one = &all.iter().find(|counted| counted.costs.ranks() == 1)?.costs;
        let several: Vec<&Counted> = all.iter().filter(|counted| counted.costs.ranks() > 1).collect();
        let most = &several.iter().max_by_key(|counted| counted.costs.ranks())?.costs;
        let bodies = one.bodies[0] as f64;
        let listed = one.listed[0] as f64;
        let (mut reach, mut doubled) = ([f64::INFINITY, 0.0_f64], Vec::new());
        for Counted { costs, sides } in &several {
            let volume: f64 = sides.iter().map(|(length, _)| length).product();
            let spacing = tumble_rotation::math::elementary::cbrt(volume / bodies);
            let borders = Borders::new(*sides, costs.ranks());
            let far = borders.reach(costs.ghosts_per_body())? / spacing;
            reach = [reach[0].min(far), reach[1].max(far)];
            let twice = costs.listed.iter().sum::<usize>() as f64 / listed - 1.0;
            doubled.push(twice / (borders.area() * spacing));
        }
        let ghosts = Some(most.ghosts.iter().sum::<usize>() as f64).filter(|ghosts| *ghosts > 0.0)?;
        let ranks = most.ranks() as f64;
        Some(Self {
            time,
            pairs: listed / bodies,
            reach,
            doubled: doubled.iter().sum::<f64>() / doubled.len() as f64,
            imbalance: several.iter().map(|counted| counted.costs.imbalance_of_work()).fold(1.0, f64::max),
            messages: several.iter().map(|counted| counted.costs.messages_per_step()).fold(0.0, f64::max),
            bytes_of_ghost: most.bytes_per_step() * ranks / ghosts,
            bytes_of_built_ghost: most.bytes_per_build() * ranks / ghosts,
            steps_per_build: most.steps as f64 / most.builds.max(1) as f64,
        })
    }

    fn reach(&self, end: End) -> f64 {
        self.reach[usize::from(end == End::Worst)]
    }

    /// The time of a step, s.
    fn step(&self, bodies: f64, ranks: usize, end: End) -> f64 {
        use machine::{BANDWIDTH, LATENCY, RANKS_OF_NODE, REDUCTION, UNDER_WAY};
        let own = bodies / ranks as f64;
        if ranks == 1 {
            return self.time * own;
        }
        // Lengths are in spacings of bodies, so that bodies are volumes.
        let borders = Borders::of_cube(bodies, ranks);
        let ghosts = own * borders.ghosts_per_body(self.reach(end));
        let moving = RankCosts::counted_cost(1, 0);
        let share = moving / (moving + self.pairs);
        let doubled = self.doubled * borders.area() * (1.0 - share);
        let (imbalance, of_ghosts, bandwidth, under_way) = match end {
            End::Best => (1.0, 0.0, BANDWIDTH, UNDER_WAY),
            End::Worst => (self.imbalance, share, 0.5 * BANDWIDTH, 1.0),
        };
        let computing = self.time * (own * (1.0 + doubled) * imbalance + ghosts * of_ghosts);
        let nodes = ranks.div_ceil(RANKS_OF_NODE);
        let leaving =
            bodies / nodes as f64 * Borders::of_cube(bodies, nodes).ghosts_per_body(self.reach(end));
        let doublings = f64::from(ranks.next_power_of_two().trailing_zeros());
        let messages = LATENCY * (self.messages / under_way).max(1.0);
        let telling = messages + self.bytes_of_ghost * leaving / bandwidth + REDUCTION * doublings;
        let building = REDUCTIONS_OF_BUILD * REDUCTION * doublings
            + TO_ALL_OF_BUILD * LATENCY * ranks as f64 / under_way
            + self.bytes_of_built_ghost * leaving / bandwidth;
        computing + telling + building / self.steps_per_build
    }

    /// How much of the time is what one processor would need for its part.
    fn efficiency(&self, bodies: f64, ranks: usize, end: End) -> f64 {
        self.time * bodies / (ranks as f64 * self.step(bodies, ranks, end))
    }

    /// The largest power of two of ranks at which a problem of fixed size still keeps half of the efficiency.
    fn last_efficient(&self, end: End) -> usize {
        let mut ranks = 1;
        while ranks < 1 << 17 && self.efficiency(STRONG, 2 * ranks, end) >= 0.5 {
            ranks *= 2;
        }
        ranks
    }

    fn cells(&self, scene: &str, scaling: &str, bodies: f64, ranks: usize) -> Vec<Cell> {
        let borders = Borders::of_cube(bodies, ranks);
        let [best, worst] = [End::Best, End::Worst];
        vec![
            scene.into(),
            scaling.into(),
            Cell::Number(bodies),
            Cell::Count(ranks as u64),
            Cell::Number(bodies / ranks as f64),
            Cell::Number(borders.ghosts_per_body(self.reach(worst))),
            Cell::Number(1e3 * self.step(bodies, ranks, best)),
            Cell::Number(1e3 * self.step(bodies, ranks, worst)),
            Cell::Number(self.efficiency(bodies, ranks, best)),
            Cell::Number(self.efficiency(bodies, ranks, worst)),
        ]
    }
}
