//! `summary.json`: what was run, on what, how fast, and how it ended.

use crate::atomic::{Survives, replace};
use crate::csv::energies;
use crate::{Error, Flow, LiquidSummary, Machine, PieceCounts, StageRecord, piece_counts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tumble_dem::material::{Material, Materials};
use tumble_dem::ranks::RankCosts;
use tumble_dem::{BondCounts, InstructionSet, Ledger, MaterialId, Precision, Solver, StageTimes};

/// A run in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of Tumble that ran it.
    pub tumble_version: String,
    /// What the run is called.
    pub title: String,
    /// Which scene it was; see [`scene_hash`](crate::checkpoint::scene_hash).
    pub scene_hash: String,
    /// How it ended.
    pub ended: Ending,
    /// How it was computed.
    pub method: Method,
    /// Where it got to.
    pub state: State,
    /// The stages it went through, if it has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageRecord>,
    /// What it took.
    pub timing: Timing,
    /// The computer.
    pub machine: Machine,
}

/// A run whose relative error of the energy ends above this says so.
pub const ENERGY_BOUND: f64 = 0.01;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "how")]
pub enum Ending {
    /// It reached its last step.
    Finished,
    /// It was asked to stop, and can be resumed.
    Interrupted,
    /// Something went wrong.
    Failed {
        /// The message.
        reason: String,
    },
}

/// How a run was computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Time step, s.
    pub dt_s: f64,
    /// The rotation scheme.
    pub rotation: String,
    /// How finely bodies and contacts were computed.
    #[serde(default = "double")]
    pub precision: String,
    /// The contact law.
    pub law: String,
    /// The rolling resistance.
    pub rolling: String,
    /// The twisting resistance.
    pub twisting: String,
    /// Pairs of materials with a contact model of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairMethod>,
    /// The graphics card that did the steps; none if the processor did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// How many ranks shared the bodies, and what that cost; none if one engine had them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Ranks>,
    /// Threads; of each rank, where there are several.
    pub threads: usize,
    /// Which instructions were used.
    pub instruction_set: String,
}

/// What it cost that several ranks shared the bodies, since the run last began or went on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranks {
    /// How many.
    pub count: usize,
    /// Bodies of each at the end.
    pub bodies: Vec<usize>,
    /// Copies of bodies of others that each was told of in every step, at the end.
    pub ghosts: Vec<usize>,
    /// The part of contacts that two ranks evaluated, at the end.
    pub doubled: f64,
    /// Steps that ranks did; the others were done by one engine.
    pub steps: u64,
    /// Messages that a rank sent in a step, on average.
    pub messages_per_step: f64,
    /// Their bytes.
    pub bytes_per_step: f64,
    /// Bytes of bodies and ghosts that were sent when lists were built, by all ranks.
    pub bytes_of_builds: u64,
    /// Bodies that got another owner.
    pub given: u64,
    /// How often owners were chosen anew, since some ranks had more to do than others.
    pub balanced: u64,
    /// The part of the time that ranks waited for each other.
    pub waited: f64,
}

impl From<&RankCosts> for Ranks {
    fn from(costs: &RankCosts) -> Self {
        Self {
            count: costs.ranks(),
            bodies: costs.bodies.clone(),
            ghosts: costs.ghosts.clone(),
            doubled: costs.doubled_share(),
            steps: costs.steps,
            messages_per_step: costs.messages_per_step(),
            bytes_per_step: costs.bytes_per_step(),
            bytes_of_builds: costs.bytes_of_builds,
            given: costs.given,
            balanced: costs.balanced,
            waited: costs.waited_share(),
        }
    }
}

/// The contact model of a pair of materials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairMethod {
    /// Their names.
    pub between: [String; 2],
    /// The contact law.
    pub law: String,
    /// The rolling resistance.
    pub rolling: String,
    /// The twisting resistance.
    pub twisting: String,
}

/// Where a run got to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Steps since the start.
    pub steps: u64,
    /// s
    pub time_s: f64,
    /// Bodies there are.
    pub bodies: usize,
    /// Their spheres; the ends of capsules do not count.
    pub spheres: usize,
    /// Their capsules.
    #[serde(default, skip_serializing_if = "piece_counts::is_none")]
    pub capsules: usize,
    /// Their ellipsoids.
    #[serde(default, skip_serializing_if = "piece_counts::is_none")]
    pub ellipsoids: usize,
    /// Their rounded polyhedra.
    #[serde(default, skip_serializing_if = "piece_counts::is_none")]
    pub polyhedra: usize,
    /// Contacts there are.
    pub contacts: usize,
    /// Those of the bodies that have left the scene: they fall for ever, or fly away.
    #[serde(default)]
    pub left: usize,
    /// What became of bonds between bodies, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonds: Option<BondsSummary>,
    /// Where the liquid is, if bodies have films.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub liquid: Option<LiquidSummary>,
    /// What came in and went out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<Flow>,
    /// Energy that the books cannot account for, relative to the energy turned over; none if nobody looked.
    #[serde(default)]
    pub energy_error: Option<f64>,
    /// The ledger, J: names as in `energy.csv`. An entry that is not a finite number is null.
    pub ledger_j: BTreeMap<String, Option<f64>>,
}

/// What became of the bonds between bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BondsSummary {
    /// How many there were at the start, and were made since.
    pub made: u64,
    /// How many of them where bodies touched during the run.
    #[serde(default)]
    pub by_touch: u64,
    /// How many are whole.
    pub whole: u64,
    /// How many broke.
    pub broken: u64,
    /// How many went with bodies that were taken out.
    #[serde(default)]
    pub taken_out: u64,
}

impl BondsSummary {
    /// Of an engine; none if it never had a bond and makes none.
    pub fn of(engine: &dyn Solver) -> Option<Self> {
        let BondCounts { made, by_touch, whole, broken, taken_out, may_be_made } = engine.bond_counts();
        (made > 0 || may_be_made).then_some(Self { made, by_touch, whole, broken, taken_out })
    }

    /// All of it in words.
    pub fn sentence(&self) -> String {
        let Self { made, by_touch, whole, broken, taken_out } = self;
        let touched = match by_touch {
            0 => String::new(),
            _ => format!(" ({by_touch} of them by touch)"),
        };
        let gone = match taken_out {
            0 => String::new(),
            _ => format!(", {taken_out} taken out with their bodies"),
        };
        format!("{whole} whole of {made}{touched}, {broken} broken{gone}")
    }
}

/// What a run took: all of its parts, if it was resumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// From the beginning to the end, outputs included, s.
    pub wall_s: f64,
    /// Steps done in that time.
    pub steps: u64,
    /// Steps in a second, outputs included.
    pub steps_per_second: f64,
    /// Builds of the neighbour lists.
    pub builds: u64,
    /// Seconds in each stage of the step; in two of them, what several threads did at once counts for each.
    pub stages_s: BTreeMap<String, f64>,
}

impl Summary {
    /// The summary of a run that is at this state.
    pub fn of(engine: &dyn Solver, title: &str, scene_hash: &str, timing: Timing, ended: Ending) -> Self {
        Self {
            tumble_version: env!("CARGO_PKG_VERSION").into(),
            title: title.into(),
            scene_hash: scene_hash.into(),
            ended,
            method: Method::of(engine),
            state: State::of(engine, &engine.ledger()),
            stages: Vec::new(),
            timing,
            machine: Machine::this(),
        }
    }

    /// The same, with the contact models that pairs of these materials have of their own.
    #[must_use]
    pub fn with_pairs(mut self, materials: &Materials) -> Self {
        let list = materials.as_slice();
        let ids = || (0..u16::MAX).zip(list);
        let pairs = ids().flat_map(|a| ids().filter(move |b| b.0 >= a.0).map(move |b| (a, b)));
        let own = |((a, first), (b, second)): ((u16, &Material), (u16, &Material))| {
            let model = materials.model(MaterialId(a), MaterialId(b))?;
            Some(PairMethod {
                between: [first.name.clone(), second.name.clone()],
                law: model.law.name().into(),
                rolling: model.rolling.name().into(),
                twisting: model.twisting.name().into(),
            })
        };
        self.method.pairs = pairs.filter_map(own).collect();
        self
    }

    /// The same, with the card that did the steps.
    #[must_use]
    pub fn with_device(mut self, card: Option<&str>) -> Self {
        self.method.device = card.map(str::to_owned);
        self
    }

    /// The same, with the stages that it went through.
    #[must_use]
    pub fn with_stages(mut self, stages: &[StageRecord]) -> Self {
        self.stages = stages.to_vec();
        self
    }

    /// The same, with what a person should know before believing anything: how many bodies have left the scene, and the
    /// relative error of the energy.
    #[must_use]
    pub fn with_troubles(mut self, left: usize, energy_error: Option<f64>) -> Self {
        (self.state.left, self.state.energy_error) = (left, energy_error);
        self
    }

    /// The same, with what came in and went out.
    #[must_use]
    pub fn with_flows(mut self, flows: Vec<Flow>) -> Self {
        self.state.flows = flows;
        self
    }

    /// What a person should know before believing anything, in sentences; none if all is well.
    pub fn troubles(&self) -> Vec<String> {
        let State { left, energy_error, bodies, ref flows, .. } = self.state;
        let error = energy_error.filter(|error| error.abs() > ENERGY_BOUND).map(|error| {
            format!(
                "The energy is off by {:.1} % of what was turned over, more than {:.0} %: the time step is likely too long",
                100.0 * error.abs(),
                100.0 * ENERGY_BOUND
            )
        });
        let gone = (left > 0).then(|| {
            let verb = if left == 1 { "body has" } else { "bodies have" };
            format!("{left} {verb} left the scene, of {bodies}: walls do not keep them")
        });
        let waiting = flows.iter().filter(|flow| flow.waiting > 0).map(|flow| {
            let Flow { name, bodies, waiting, .. } = flow;
            let came = bodies + waiting;
            format!("`{name}` could not keep its rate: {bodies} of {came} bodies came in, the others found no room")
        });
        error.into_iter().chain(gone).chain(waiting).collect()
    }

    /// Writes the file, in place of any older one.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| Error::damaged(path, format!("cannot be written: {error}")))?;
        replace(path, Survives::PowerCut, (text + "\n").as_bytes())
    }

    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = crate::plain::read_own(path)?;
        serde_json::from_slice(&text)
            .map_err(|error| Error::damaged(path, format!("this is no summary: {error}")))
    }
}

/// What runs were computed in before there was a choice.
fn double() -> String {
    Precision::Double.name().into()
}

impl Method {
    fn of(engine: &dyn Solver) -> Self {
        let settings = engine.settings();
        let contact = settings.contact;
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            dt_s: settings.dt,
            rotation: settings.rotation.name().into(),
            precision: settings.precision.name().into(),
            law: contact.law.name().into(),
            rolling: contact.rolling.name().into(),
            twisting: contact.twisting.name().into(),
            pairs: Vec::new(),
            device: None,
            ranks: engine.ranks().map(Ranks::from),
            threads: match (engine.ranks(), settings.threads) {
                (Some(ranks), _) => ranks.threads,
                (None, 0) => available(),
                (None, threads) => threads,
            },
            instruction_set: format!("{:?}", settings.instruction_set.unwrap_or_else(InstructionSet::widest)),
        }
    }
}

impl State {
    fn of(engine: &dyn Solver, ledger: &Ledger) -> Self {
        let entry =
            |(name, value): (&str, f64)| (name.to_owned(), Some(value).filter(|value| value.is_finite()));
        let PieceCounts { spheres, capsules, ellipsoids, polyhedra } = PieceCounts::now(engine);
        Self {
            steps: engine.steps(),
            time_s: engine.time(),
            bodies: engine.body_count(),
            spheres,
            capsules,
            ellipsoids,
            polyhedra,
            contacts: engine.contact_count(),
            left: 0,
            liquid: LiquidSummary::of(engine),
            bonds: BondsSummary::of(engine),
            flows: Vec::new(),
            energy_error: None,
            ledger_j: energies(ledger).map(entry).collect(),
        }
    }
}

impl Timing {
    /// What the engine measured; `wall_s` is the time from the beginning to the end, s.
    pub fn of(times: &StageTimes, wall_s: f64) -> Self {
        let stages = times.stages().map(|(name, time)| (name.replace(' ', "_"), time.as_secs_f64()));
        let (steps, builds) = (times.steps, times.builds);
        let steps_per_second = per_second(steps, wall_s);
        Self { wall_s, steps, steps_per_second, builds, stages_s: stages.into_iter().collect() }
    }

    /// With an earlier part of the same run.
    pub fn and(mut self, earlier: &Self) -> Self {
        self.wall_s += earlier.wall_s;
        self.steps += earlier.steps;
        self.builds += earlier.builds;
        for (stage, seconds) in &earlier.stages_s {
            *self.stages_s.entry(stage.clone()).or_default() += seconds;
        }
        self.steps_per_second = per_second(self.steps, self.wall_s);
        self
    }
}

fn per_second(steps: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { steps as f64 / seconds } else { 0.0 }
}
