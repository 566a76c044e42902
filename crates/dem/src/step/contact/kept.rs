//! What a segment keeps of its contacts from one evaluation to the next.
//!
//! | evaluation | the table of the one before | can be done again |
//! | --- | --- | --- |
//! | the same contacts, and nobody can look | written over in place | no |
//! | the same contacts, and somebody may look | copied, then written over | yes |
//! | some began or ended | copied; every contact is looked up in the copy | if somebody may look |
//!
//! The copy is a spare table of the thread, unless somebody may look. So a segment has two tables only in steps that are looked
//! at, and its own table stays where it is.
//!
//! What contacts do can be left out where they can be evaluated again: the outcomes of contacts between bodies are added
//! up block by block and dropped.

use super::detached::Widths;
use super::lanes::{Lane, LaneTable, Lanes};
use super::react::Results;
use super::sum::Ended;
use super::{Key, Table};
use crate::physics::contact::{Action, TORQUES};
use crate::prefetch::prefetch;
use crate::record::{Numbers, Record};

/// The contacts of a segment: what they remember and, as far as that is kept, what they do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    now: Table,
    /// What the present table was made from; empty if it cannot be evaluated again.
    before: Table,
    can_rewind: bool,
    has_outcomes: bool,
    /// What contacts do, in the order of [`Layout::outcome`](crate::law::Layout::outcome).
    outcomes: LaneTable,
}

impl Kept {
    /// Contacts that come from elsewhere, with what they remember and what they do, as far as that is told.
    pub(super) fn of<'a>(
        contacts: &[(Key, u32)],
        widths: Widths,
        numbers: impl Fn(u32) -> (&'a [f64], &'a [f64]),
    ) -> Self {
        let mut kept = Self::default();
        kept.make_room(contacts.len(), widths);
        kept.now.keys = contacts.iter().map(|(key, _)| *key).collect();
        for (index, (_, number)) in contacts.iter().enumerate() {
            let (memory, deed) = numbers(*number);
            kept.now.memory.set_row(index, memory.iter().copied());
            if let Some((action, rest)) = deed.split_at_checked(TORQUES.start) {
                let torques = [0.0; TORQUES.end - TORQUES.start];
                kept.outcomes.set_row(index, action.iter().chain(&torques).chain(rest).copied());
            }
        }
        kept
    }

    /// Which contacts there are, in order.
    pub(crate) fn keys(&self) -> &[Key] {
        &self.now.keys
    }

    /// Whether these places and features are those of the contacts: nothing began or ended.
    pub(super) fn is_at(&self, places: impl ExactSizeIterator<Item = [u32; 2]>) -> bool {
        places.len() == self.now.len() && places.eq(self.now.keys.iter().map(|key| [key.place, key.feature]))
    }

    /// Whether it is known what the contacts do.
    pub(super) fn has_outcomes(&self) -> bool {
        self.has_outcomes
    }

    /// The contacts that the last evaluation began with, if it can be done again from them alone.
    pub(super) fn before(&self) -> Option<&Table> {
        self.can_rewind.then_some(&self.before)
    }

    /// Begins an evaluation of so many contacts, with so many numbers of each to be kept. `same` says that they are those
    /// that there are already, and what they remember is where it has to be; else they have to be looked up. `observed` says
    /// that somebody may ask about this evaluation later.
    ///
    /// `spare` is room for a table, which [`end`](Self::end) gives back.
    pub(super) fn begin(
        &mut self,
        contacts: usize,
        widths: Widths,
        same: bool,
        observed: bool,
        spare: &mut Table,
    ) {
        self.can_rewind = observed;
        if !observed && self.before.has_room() {
            // Of a step that could be looked at, which is over.
            self.before = Table::default();
        }
        if !same || observed {
            let room = if observed { &mut self.before } else { spare };
            let mut before = core::mem::take(room);
            before.copy(&self.now);
            self.before = before;
        }
        if same {
            self.make_room_for_outcomes(contacts, widths);
        } else {
            self.make_room(contacts, widths);
        }
    }

    /// Ends an evaluation, after the contacts of before have been asked for: their table is kept only for those who may look.
    pub(super) fn end(&mut self, spare: &mut Table) {
        if !self.can_rewind && self.before.has_room() {
            *spare = core::mem::take(&mut self.before);
        }
    }

    fn make_room(&mut self, contacts: usize, widths: Widths) {
        self.now.keys.clear();
        self.now.keys.reserve(contacts);
        self.now.memory.make_room(contacts, widths.memory);
        self.make_room_for_outcomes(contacts, widths);
    }

    fn make_room_for_outcomes(&mut self, contacts: usize, widths: Widths) {
        self.has_outcomes = widths.deed > 0;
        self.outcomes.make_room(contacts, if self.has_outcomes { widths.deed + TORQUES.len() } else { 0 });
    }

    /// Contacts before this evaluation, for those that have to be looked up.
    pub(super) fn len_before(&self) -> usize {
        self.before.len()
    }

    /// Adds a contact whose memory, if it has any, is in place.
    #[inline(always)]
    pub(super) fn push(&mut self, key: Key) {
        self.now.keys.push(key);
    }

    /// Adds a contact that is looked up among those of before: it remembers nothing if it is new. Both are in the same
    /// order, so the search goes on from `from`. `goes_on` marks those of before that have been found.
    #[inline]
    pub(super) fn recall(
        &mut self,
        key: Key,
        normal: [f64; 3],
        touched: impl Fn(u32) -> bool,
        goes_on: &mut [bool],
        from: &mut usize,
    ) -> bool {
        let Self { before, now, .. } = self;
        let index = now.len();
        now.keys.push(key);
        while *from < before.len() && before.keys[*from].place < key.place {
            *from += 1;
        }
        let found = before.matching(*from, key, normal, touched, goes_on);
        if let Some(found) = found {
            goes_on[found] = true;
            now.memory.set_row(index, before.memory.numbers(found));
        } else {
            now.memory.set_row(index, core::iter::repeat(0.0));
        }
        found.is_some()
    }

    /// The contacts of before that do not go on.
    pub(super) fn ended(&self, goes_on: &[bool], with_wall: bool) -> impl Iterator<Item = Ended> {
        let gone = self.before.keys.iter().zip(goes_on).enumerate().filter(|(_, (_, goes_on))| !**goes_on);
        gone.map(move |(index, (key, _))| {
            let energy = self.before.track(index).ending;
            Ended { row: key.a, other: key.b, with_wall, energy }
        })
    }

    /// Where the results of a block go: what contacts do, if that is not kept, into `room`; what they remember replaces what
    /// they remembered before, which is there.
    #[inline(always)]
    pub(super) fn block<'a>(&'a mut self, block: usize, room: &'a mut [Lanes]) -> Results<'a> {
        let Self { now, outcomes, .. } = self;
        let memory = now.memory.block_mut(block);
        let outcome = if outcomes.is_empty() { room } else { outcomes.block_mut(block) };
        Results { memory, outcome }
    }

    /// What the contacts of a block do. Only where it is known.
    #[inline(always)]
    pub(super) fn outcomes(&self, block: usize) -> &[Lanes] {
        self.outcomes.block(block)
    }

    /// What a contact does to its two sides. Only where it is known.
    #[inline(always)]
    pub(crate) fn action(&self, index: usize) -> Action<f64> {
        Action::read(&self.outcomes.row(index), 0)
    }

    /// What a contact does, and its books. Only where it is known.
    #[inline(always)]
    pub(crate) fn outcome(&self, index: usize) -> Lane<'_> {
        self.outcomes.row(index)
    }

    /// What a contact remembers.
    pub(super) fn memory(&self, index: usize) -> impl Iterator<Item = f64> {
        self.now.memory.numbers(index)
    }

    /// One number of what a contact remembers.
    pub(super) fn remembered(&self, index: usize, at: usize) -> f64 {
        self.now.memory.row(index).number(at)
    }

    /// Has a contact remember two numbers that follow each other.
    pub(super) fn set_remembered(&mut self, index: usize, at: usize, numbers: [f64; 2]) {
        for (column, number) in (at..).zip(numbers) {
            self.now.memory.set_number(index, column, number);
        }
    }

    /// What the contact at a place with a feature remembers, if there is one.
    pub(super) fn memory_at(&self, [place, feature]: [u32; 2]) -> Option<Vec<f64>> {
        let found = self.now.keys.binary_search_by_key(&(place, feature), |key| (key.place, key.feature));
        found.ok().map(|index| self.memory(index).collect())
    }

    /// What a contact does, without the torques: nothing where it is not known.
    pub(super) fn deed(&self, index: usize) -> impl Iterator<Item = f64> {
        let numbers = self.outcomes.numbers(index).enumerate();
        numbers.filter(|(column, _)| !TORQUES.contains(column)).map(|(_, number)| number)
    }

    /// Goes back to before the last evaluation, so that it can be done again; not if nobody was to look at it.
    #[must_use]
    pub(super) fn rewind(&mut self) -> bool {
        if self.can_rewind {
            self.now = core::mem::take(&mut self.before);
        }
        self.can_rewind
    }

    /// Has the processor fetch what is read first.
    pub(super) fn prefetch(&self) {
        prefetch(&self.now.keys);
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "copies")]
mod tests {
    use super::super::lanes::LANES;
    use super::*;

    /// What a contact remembers, as many numbers as a track; what it does, with two energies.
    const MEMORY: usize = 8;
    const DEED: usize = 8;
    const MEMORY_ONLY: Widths = Widths { memory: MEMORY, deed: 0 };
    const ALL: Widths = Widths { memory: MEMORY, deed: DEED };

    fn key(place: u32) -> Key {
        Key { place, feature: 0, a: 10 + place, b: 20 + place }
    }

    /// Contacts whose numbers are told from their places.
    fn contacts(places: &[u32], widths: Widths) -> Kept {
        let list: Vec<(Key, u32)> = places.iter().map(|&place| (key(place), place)).collect();
        let numbers: Vec<Vec<f64>> =
            (0..10).map(|place| vec![f64::from(place), f64::from(place) + 0.5]).collect();
        let rows: Vec<[Vec<f64>; 2]> =
            numbers.iter().map(|n| [vec![n[0]; widths.memory], vec![n[1]; widths.deed]]).collect();
        Kept::of(&list, widths, |place| {
            let [memory, deed] = &rows[place as usize];
            (&memory[..], &deed[..])
        })
    }

    /// An evaluation that leaves the same number in all that contacts remember and do, and tells what the second remembered.
    fn leave(kept: &mut Kept, number: f64) -> f64 {
        let mut second = f64::NAN;
        for block in 0..kept.keys().len().div_ceil(LANES) {
            let mut room = vec![Lanes::all(0.0); DEED + TORQUES.len()];
            let Results { memory, outcome } = kept.block(block, &mut room);
            second = memory.first().map_or(f64::NAN, |column| column[1]);
            memory.fill(Lanes::all(number));
            outcome.fill(Lanes::all(number));
        }
        second
    }

    /// Begins an evaluation with no room to spare.
    fn begin(kept: &mut Kept, contacts: usize, widths: Widths, same: bool, observed: bool) {
        kept.begin(contacts, widths, same, observed, &mut Table::default());
    }

    fn is_at(kept: &Kept, places: &[u32]) -> bool {
        kept.is_at(places.iter().map(|&place| [place, 0]))
    }

    fn first_memory(kept: &Kept, index: usize) -> f64 {
        kept.memory(index).next().unwrap_or(f64::NAN)
    }

    #[test]
    fn what_was_copied_can_be_evaluated_again_and_what_was_written_over_cannot() {
        for (observed, expected) in [(true, 4.0), (false, 7.0)] {
            let mut kept = contacts(&[1, 4], ALL);
            begin(&mut kept, 2, ALL, true, observed);
            assert_eq!(leave(&mut kept, 7.0), 4.0, "both start from what was remembered");
            assert_eq!(first_memory(&kept, 1), 7.0);
            assert_eq!(kept.rewind(), observed);
            assert_eq!(first_memory(&kept, 1), expected);
        }
    }

    #[test]
    fn a_merge_finds_who_goes_on_who_is_new_and_who_ended() {
        let mut kept = contacts(&[1, 4, 6], ALL);
        assert!(!is_at(&kept, &[4, 5]) && !is_at(&kept, &[1, 4, 7]) && is_at(&kept, &[1, 4, 6]));
        assert!(!kept.is_at([[1, 0], [4, 1], [6, 0]].into_iter()), "another part of a wall");
        begin(&mut kept, 2, ALL, false, true);
        let (mut goes_on, mut from) = (vec![false; kept.len_before()], 0);
        let known = [4, 5].map(|place| kept.recall(key(place), [0.0; 3], |_| false, &mut goes_on, &mut from));
        assert_eq!(known, [true, false]);
        assert_eq!(kept.keys(), [key(4), key(5)]);
        assert!([4.0, 0.0].into_iter().enumerate().all(|(k, number)| kept.memory(k).all(|m| m == number)));
        let ended: Vec<(u32, f64)> =
            kept.ended(&goes_on, false).map(|ended| (ended.row, ended.energy)).collect();
        assert_eq!(ended, [(11, 1.0), (16, 6.0)]);
        let mut spare = Table::default();
        kept.end(&mut spare);
        assert!(!spare.has_room(), "somebody may look");
        assert!(kept.rewind());
        assert!(is_at(&kept, &[1, 4, 6]));
    }

    #[test]
    fn a_merge_that_nobody_looks_at_leaves_its_room_to_the_next() {
        let (mut kept, mut other) = (contacts(&[1, 4, 6], ALL), contacts(&[2, 3], ALL));
        let mut spare = Table::default();
        kept.begin(1, ALL, false, false, &mut spare);
        assert_eq!(kept.len_before(), 3);
        kept.end(&mut spare);
        assert_eq!((spare.len(), kept.len_before()), (3, 0), "the old contacts are only room");
        assert!(!kept.rewind());
        let room = spare.keys.as_ptr();
        other.begin(3, ALL, false, false, &mut spare);
        assert_eq!(other.len_before(), 2);
        assert!(other.keys().is_empty());
        other.end(&mut spare);
        assert_eq!(spare.keys.as_ptr(), room);
    }

    #[test]
    fn outcomes_are_there_if_they_were_asked_for() {
        let mut kept = contacts(&[1, 4], ALL);
        assert!(kept.has_outcomes());
        assert_eq!(kept.deed(1).collect::<Vec<_>>(), [4.5; DEED]);
        assert_eq!(kept.action(1).force.x, 4.5);
        assert_eq!(kept.action(1).torque_a.x, 0.0);
        begin(&mut kept, 2, MEMORY_ONLY, true, true);
        leave(&mut kept, 7.0);
        assert!(!kept.has_outcomes());
        assert_eq!(kept.deed(1).count(), 0);
        assert_eq!(kept.memory(1).collect::<Vec<_>>(), [7.0; MEMORY]);
        begin(&mut kept, 2, ALL, true, true);
        leave(&mut kept, 8.0);
        assert_eq!(kept.action(1).torque_b.z, 8.0);
        assert_eq!(kept.outcomes(0).len(), DEED + TORQUES.len());
    }

    #[test]
    fn a_law_without_memory_leaves_its_results_in_the_room_given() {
        let mut kept = contacts(&[1, 4], Widths::default());
        begin(&mut kept, 2, Widths::default(), true, false);
        let mut room = [Lanes::all(0.0); 2];
        let results = kept.block(0, &mut room);
        assert!(results.memory.is_empty());
        results.outcome[1][1] = 3.0;
        assert_eq!(room[1][1], 3.0);
    }
}
