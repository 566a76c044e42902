//! A piece of the contact lists, worked on by one thread.

use super::block::{Block, WORKBENCH, Workbench};
use super::find::touches_feature;
use super::impact::{Groups, Together};
use super::kept::Kept;
use super::lanes::{LANES, Lanes, row};
use super::narrow::NarrowPhase;
use super::react::EvaluateLaw;
use super::sum::Ended;
use super::{Excess, Key, Physics, SumRows};
use crate::engine::Space;
use crate::physics::contact::Clock;
use crate::prefetch::prefetch;
use core::ops::Range;
use core::time::Duration;
use std::borrow::Cow;

/// How long its contacts took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) finding: Duration,
    pub(crate) reacting: Duration,
}

impl Times {
    pub(super) fn add(&mut self, other: Self) {
        self.finding += other.finding;
        self.reacting += other.reacting;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Segment<N: NarrowPhase> {
    /// Which places of the lists.
    pub(crate) range: Range<usize>,
    /// Pairs of bodies are of rows before this one.
    pub(crate) rows: usize,
    /// Its contacts. What those between bodies do is added up block by block and not kept, since they can be evaluated
    /// again when somebody asks.
    pub(super) kept: Kept,
    /// What touches, in the order of the lists.
    pub(super) found: Vec<N::Touch>,
    /// Whether that is what touched in the step before, so that `kept` has all contacts where they are.
    pub(super) same: bool,
    pub(super) room: N::Room,
    /// Weight of each contact; empty if all are 1.
    pub(super) weights: Vec<f64>,
    /// Which contacts are not alone between their two bodies.
    pub(super) groups: Groups,
    pub(super) together: Together,
    /// Contacts that ended with this step.
    pub(crate) ended: Vec<Ended>,
    pub(crate) excess: Option<Excess>,
    pub(crate) times: Times,
}

impl<N: NarrowPhase> Segment<N> {
    pub(crate) fn new(range: Range<usize>, kept: Kept) -> Self {
        Self {
            range,
            rows: 0,
            kept,
            found: Vec::new(),
            same: false,
            room: N::Room::default(),
            weights: Vec::new(),
            groups: Groups::default(),
            together: Together::default(),
            ended: Vec::new(),
            excess: None,
            times: Times::default(),
        }
    }

    /// Has what the first of these segments found last fetched, and where the second one has it.
    pub(crate) fn prefetch_first(segments: &[Self]) {
        if let [first, ..] = segments {
            prefetch(&first.found);
            first.kept.prefetch();
        }
        prefetch(segments.get(1).as_slice());
    }

    /// Evaluates the law of the contacts found, which replace those of the last step.
    ///
    /// With sums, what contacts do is added to them at once.
    pub(crate) fn react(&mut self, space: &Space, physics: Physics<'_>, sums: Option<&mut SumRows<'_>>) {
        WORKBENCH.with_borrow_mut(|bench| self.react_on(bench, space, physics, sums));
    }

    fn react_on(
        &mut self,
        bench: &mut Workbench,
        space: &Space,
        physics: Physics<'_>,
        mut sums: Option<&mut SumRows<'_>>,
    ) {
        self.excess = None;
        let contacts = self.found.len();
        // Those of walls are few, and asked for in every step.
        let widths = physics.widths(sums.is_none() || N::WITH_WALLS || physics.asked);
        // In a packing most segments have the same contacts as in the step before.
        let same = self.same;
        self.kept.begin(contacts, widths, same, physics.observed, &mut bench.spare);
        if contacts > 0 {
            bench.clear(space, physics);
        }
        bench.goes_on.clear();
        bench.goes_on.resize(if same { 0 } else { self.kept.len_before() }, false);
        let far_apart = !N::WITH_WALLS && space.bodies.len() > physics.thresholds.rows_in_cache;
        let mut old = 0;
        for first in (0..contacts).step_by(LANES) {
            let range = first..contacts.min(first + LANES);
            if same {
                if far_apart {
                    let next = range.end..contacts.min(range.end + LANES);
                    self.prefetch(next, physics.thresholds.rows_between, space, sums.as_deref());
                }
                let (touches, keys) = (&self.found[range.clone()], &self.kept.keys()[range.clone()]);
                N::gather(&mut bench.block, touches, keys, space, physics);
                bench.block.known = Lanes::all(1.0);
            } else {
                let touches = &self.found[range.clone()];
                let mut keys = [Key::default(); LANES];
                for (key, touch) in keys.iter_mut().zip(touches) {
                    *key = N::key(touch, space);
                }
                N::gather(&mut bench.block, touches, &keys[..range.len()], space, physics);
                for (index, key) in range.clone().zip(keys) {
                    if physics.remembers() {
                        let known = self.recall(bench, index, key, &mut old);
                        if let (false, Some(at)) = (known, physics.layout.liquid) {
                            self.wet(index, key, at, space);
                        }
                    } else {
                        self.kept.push(key);
                    }
                }
            }
            for (lane, &weight) in self.weights.iter().skip(first).take(LANES).enumerate() {
                bench.block.weight[lane] = weight;
            }
            let block = first / LANES;
            bench.block.shared_mass = self.together.masses.get(block).copied().unwrap_or(Lanes::all(0.0));
            bench.block.part = self.together.parts.get(block).copied().unwrap_or(Lanes::all(1.0));
            if N::IN_LANES {
                N::compute(&mut bench.block, physics.set);
            }
            self.evaluate(bench, block, physics);
            self.look_for_excess(&bench.block, range.clone(), physics);
            if let Some(sums) = &mut sums {
                let kept = self.kept.has_outcomes();
                let outcome = if kept { self.kept.outcomes(block) } else { &bench.outcome };
                sums.add(&self.kept.keys()[range], outcome, space, physics, N::WITH_WALLS);
            }
        }
        self.ended.clear();
        if physics.remembers() {
            self.ended.extend(self.kept.ended(&bench.goes_on, N::WITH_WALLS));
        }
        self.kept.end(&mut bench.spare);
        if let Some(sums) = sums {
            sums.add_ended(&self.ended, physics);
        }
    }

    /// Has the processor fetch the bodies of some contacts, where the two lie so far apart that the earlier one has left the
    /// cache since its own turn.
    fn prefetch(&self, range: Range<usize>, far: usize, space: &Space, sums: Option<&SumRows<'_>>) {
        for key in self.kept.keys().get(range).unwrap_or_default() {
            if key.a.abs_diff(key.b) as usize >= far {
                N::prefetch(*key, space);
                if let Some(sums) = sums {
                    sums.prefetch(*key);
                }
            }
        }
    }

    /// Which contacts there are, in the order of the lists.
    pub(crate) fn keys(&self) -> &[Key] {
        self.kept.keys()
    }

    /// Looks whether the contacts found are those of the step before.
    pub(super) fn compare(&mut self) {
        self.same = self.kept.is_at(self.found.iter().map(N::place));
    }

    /// What the contacts of a block do.
    pub(super) fn outcomes(&self, block: usize) -> &[Lanes] {
        self.kept.outcomes(block)
    }

    /// Evaluates the law of the contacts in the block, which are block number `block` of the tables.
    fn evaluate(&mut self, bench: &mut Workbench, block: usize, physics: Physics<'_>) {
        let Workbench { block: lanes, outcome, single, .. } = bench;
        let results = self.kept.block(block, outcome);
        physics.model.evaluate(EvaluateLaw {
            block: lanes,
            results,
            clock: Clock {
                dt: physics.dt,
                elapsed: physics.elapsed,
                corrected: physics.kicks.corrected_for(physics.dt),
            },
            set: physics.set,
            precision: physics.precision,
            single,
        });
    }

    /// Adds a contact with what it remembers.
    #[inline]
    fn recall(&mut self, bench: &mut Workbench, index: usize, key: Key, old: &mut usize) -> bool {
        let Workbench { block, goes_on, .. } = bench;
        let lane = index % LANES;
        let Self { found, kept, .. } = self;
        let touched = |feature| !N::SLIDES || touches_feature::<N>(found, index, feature);
        let normal = row(&block.normal, lane);
        let known = kept.recall(key, normal, touched, goes_on, old);
        block.known[lane] = if known { 1.0 } else { 0.0 };
        known
    }

    /// Notes the first contact of the segment whose overlap is too large.
    fn look_for_excess(&mut self, block: &Block, range: Range<usize>, physics: Physics<'_>) {
        // Nearly always all are fine, of the lanes that are not used, too.
        let fine = |lane: usize| {
            let (radius_a, radius_b) = (block.sphere_a[3][lane], block.sphere_b[3][lane]);
            let radius = if radius_a < radius_b { radius_a } else { radius_b };
            block.overlap[lane] <= physics.max_overlap * radius
        };
        if (0..LANES).fold(true, |all, lane| all & fine(lane)) {
            return;
        }
        for (lane, index) in range.enumerate() {
            let overlap = block.overlap[lane];
            let (radius_a, radius_b) = (block.sphere_a[3][lane], block.sphere_b[3][lane]);
            let radius = if radius_a < radius_b { radius_a } else { radius_b };
            // NaN is not fine.
            if !fine(lane) && self.excess.is_none() {
                let key = self.kept.keys()[index];
                let point = row(&block.point, lane);
                self.excess = Some(Excess { key, with_wall: N::WITH_WALLS, overlap, radius, point });
            }
        }
    }

    /// Its contacts with all outcomes: as they are, or evaluated again from what they were evaluated from. Only for steps
    /// that were known to be observed.
    pub(crate) fn with_outcomes(&self, space: &Space, physics: Physics<'_>) -> Cow<'_, Kept> {
        if self.kept.has_outcomes() {
            return Cow::Borrowed(&self.kept);
        }
        let mut again = self.clone();
        let rewound = again.kept.rewind();
        debug_assert!(rewound, "nobody was to look at this step");
        again.compare();
        again.react(space, physics, None);
        Cow::Owned(again.kept)
    }
}
