//! What a segment keeps of its contacts from one evaluation to the next.
//!
//! | evaluation | the table of the one before | can be done again |
//! | --- | --- | --- |
//! | some contacts began or ended | kept; every contact is looked up in it | yes |
//! | the same contacts, and somebody may look | kept, and copied block by block | yes |
//! | the same contacts, and nobody can look | written over in place | no |
//!
//! What contacts do can be left out where they can be evaluated again: the outcomes of contacts between bodies are added
//! up block by block and dropped.

use super::detached::{Numbers, Parts};
use super::lanes::{LANES, LaneTable, Lanes};
use super::react::Results;
use super::sum::{Done, Ended};
use super::{DEED, Deed, Key, MEMORY, OUTCOME, Outcome, TURNING, Table};
use crate::prefetch::prefetch;

/// The couples where nothing resists turning.
static NO_COUPLE: [Lanes; 3] = [[0.0; LANES]; 3];

/// How the contacts of an evaluation follow those of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    /// Some began or ended, so each has to be looked up.
    Merged,
    /// The same contacts; what they remember is copied.
    Copied,
    /// The same contacts; what they remember is where it has to be, and is written over.
    InPlace,
}

/// The contacts of a segment: what they remember and, as far as that is kept, what they do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    now: Table,
    /// What the present table was made from, unless that was written over; then it is only room.
    before: Table,
    overwritten: bool,
    has_outcomes: bool,
    outcomes: LaneTable<OUTCOME>,
    /// Couple on a; empty if there is no rolling or twisting resistance.
    couples: LaneTable<3>,
}

impl Kept {
    /// Contacts that come from elsewhere, with these parts of their numbers.
    pub(super) fn of(contacts: &[(Key, u32)], parts: Parts, numbers: impl Fn(u32) -> Numbers) -> Self {
        let mut kept = Self::default();
        kept.make_room(contacts.len(), parts);
        kept.now.keys = contacts.iter().map(|(key, _)| *key).collect();
        for (index, (_, number)) in contacts.iter().enumerate() {
            let Numbers { memory, turning, deed, couple } = numbers(*number);
            if parts.memory {
                kept.now.memory.set_row(index, memory);
            }
            if parts.turning {
                kept.now.turning.set_row(index, turning);
            }
            if parts.deed {
                kept.outcomes.set_row(index, Outcome::from(Deed::from_array(deed)).to_array());
            }
            if parts.deed && parts.turning {
                kept.couples.set_row(index, couple);
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

    /// Begins an evaluation of so many contacts, of which these parts are to be kept. `same` says that they are those
    /// that there are already, `observed` that somebody may ask about this evaluation later.
    pub(super) fn begin(&mut self, contacts: usize, parts: Parts, same: bool, observed: bool) -> Follow {
        self.overwritten = same && !observed;
        if self.overwritten {
            self.make_room_for_outcomes(contacts, parts);
            return Follow::InPlace;
        }
        core::mem::swap(&mut self.now, &mut self.before);
        self.make_room(contacts, parts);
        if same {
            self.now.keys.extend_from_slice(&self.before.keys);
            return Follow::Copied;
        }
        Follow::Merged
    }

    fn make_room(&mut self, contacts: usize, parts: Parts) {
        self.now.keys.clear();
        self.now.keys.reserve(contacts);
        self.now.memory.make_room(if parts.memory { contacts } else { 0 });
        self.now.turning.make_room(if parts.turning { contacts } else { 0 });
        self.make_room_for_outcomes(contacts, parts);
    }

    fn make_room_for_outcomes(&mut self, contacts: usize, parts: Parts) {
        self.has_outcomes = parts.deed;
        self.outcomes.make_room(if parts.deed { contacts } else { 0 });
        self.couples.make_room(if parts.deed && parts.turning { contacts } else { 0 });
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

    /// Looks a contact up among those of before, and takes over what it remembers: nothing if it is new. Both are in the
    /// same order, so the search goes on from `from`. `goes_on` marks those of before that have been found.
    #[inline]
    pub(super) fn recall(
        &mut self,
        index: usize,
        key: Key,
        normal: [f64; 3],
        touched: impl Fn(u32) -> bool,
        goes_on: &mut [bool],
        from: &mut usize,
    ) -> bool {
        let Self { now, before, .. } = self;
        while *from < before.len() && before.keys[*from].place < key.place {
            *from += 1;
        }
        let found = before.matching(*from, key, normal, touched, goes_on);
        if let Some(found) = found {
            goes_on[found] = true;
        }
        now.memory.set_row(index, found.map_or([0.0; MEMORY], |index| before.memory.row(index)));
        if !now.turning.is_empty() {
            now.turning.set_row(index, found.map_or([0.0; TURNING], |index| before.turning.row(index)));
        }
        found.is_some()
    }

    /// Takes over what a block of contacts remembers that are those of before.
    #[inline]
    pub(super) fn copy_block(&mut self, block: usize) {
        self.now.recall_block(&self.before, block);
    }

    /// The contacts of before that do not go on.
    pub(super) fn ended(&self, goes_on: &[bool]) -> impl Iterator<Item = Ended> {
        let gone = self.before.keys.iter().zip(goes_on).enumerate().filter(|(_, (_, goes_on))| !**goes_on);
        gone.map(|(index, (key, _))| {
            let [.., energy] = self.before.memory.row(index);
            Ended { row: key.a, energy }
        })
    }

    /// Where the results of a block go: where they are kept, otherwise into `room`.
    #[inline(always)]
    pub(super) fn results<'a>(&'a mut self, block: usize, room: Results<'a>) -> Results<'a> {
        let Self { now: Table { memory: memories, turning: turnings, .. }, outcomes, couples, .. } = self;
        let Results { memory, turning, outcome, couple } = room;
        Results {
            memory: if memories.is_empty() { memory } else { memories.block_mut(block) },
            turning: if turnings.is_empty() { turning } else { turnings.block_mut(block) },
            outcome: if outcomes.is_empty() { outcome } else { outcomes.block_mut(block) },
            couple: if couples.is_empty() { couple } else { couples.block_mut(block) },
        }
    }

    /// What the contacts of a block do. Only where it is known.
    #[inline(always)]
    pub(super) fn done(&self, block: usize) -> Done<'_> {
        let couple = if self.couples.is_empty() { &NO_COUPLE } else { self.couples.block(block) };
        Done { outcome: self.outcomes.block(block), couple }
    }

    /// What a contact does. Only where it is known.
    #[inline(always)]
    pub(crate) fn outcome(&self, index: usize) -> Outcome<f64> {
        Outcome::from_array(self.outcomes.row(index))
    }

    /// The couple on a.
    #[inline(always)]
    pub(crate) fn couple(&self, index: usize) -> [f64; 3] {
        if self.couples.is_empty() { [0.0; 3] } else { self.couples.row(index) }
    }

    /// The numbers of a contact; what it does only if that is asked for and known.
    pub(super) fn numbers(&self, index: usize, outcomes: bool) -> Numbers {
        let Table { memory, turning, .. } = &self.now;
        let known = outcomes && self.has_outcomes;
        Numbers {
            memory: if memory.is_empty() { [0.0; MEMORY] } else { memory.row(index) },
            turning: if turning.is_empty() { [0.0; TURNING] } else { turning.row(index) },
            deed: if known { Deed::from(self.outcome(index)).to_array() } else { [0.0; DEED] },
            couple: if known { self.couple(index) } else { [0.0; 3] },
        }
    }

    /// Goes back to before the last evaluation, so that it can be done again; not if that was written over.
    #[must_use]
    pub(super) fn rewind(&mut self) -> bool {
        if !self.overwritten {
            core::mem::swap(&mut self.now, &mut self.before);
        }
        !self.overwritten
    }

    /// Has the processor fetch what is read first.
    pub(super) fn prefetch(&self) {
        prefetch(&self.now.keys);
        prefetch(&self.before.keys);
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "copies")]
mod tests {
    use super::*;

    const MEMORY_ONLY: Parts = Parts { memory: true, turning: false, deed: false };
    const ALL: Parts = Parts { memory: true, turning: true, deed: true };

    fn key(place: u32) -> Key {
        Key { place, feature: 0, a: 10 + place, b: 20 + place }
    }

    /// Contacts whose numbers are told from their places.
    fn contacts(places: &[u32], parts: Parts) -> Kept {
        let list: Vec<(Key, u32)> = places.iter().map(|&place| (key(place), place)).collect();
        Kept::of(&list, parts, |place| Numbers {
            memory: [f64::from(place); MEMORY],
            turning: [f64::from(place) + 0.25; TURNING],
            deed: [f64::from(place) + 0.5; DEED],
            couple: [f64::from(place) + 0.75; 3],
        })
    }

    /// Room for results that nobody keeps.
    #[derive(Default)]
    struct Room {
        memory: [Lanes; MEMORY],
        turning: [Lanes; TURNING],
        outcome: [Lanes; OUTCOME],
        couple: [Lanes; 3],
    }

    impl Room {
        fn results(&mut self) -> Results<'_> {
            let Self { memory, turning, outcome, couple } = self;
            Results { memory, turning, outcome, couple }
        }
    }

    /// An evaluation that leaves the same number in all that contacts remember and do.
    fn leave(kept: &mut Kept, number: f64) {
        for block in 0..kept.keys().len().div_ceil(LANES) {
            let mut room = Room::default();
            let Results { memory, turning, outcome, couple } = kept.results(block, room.results());
            memory.fill([number; LANES]);
            turning.fill([number; LANES]);
            outcome.fill([number; LANES]);
            couple.fill([number; LANES]);
        }
    }

    fn is_at(kept: &Kept, places: &[u32]) -> bool {
        kept.is_at(places.iter().map(|&place| [place, 0]))
    }

    fn first_memory(kept: &Kept, index: usize) -> f64 {
        kept.numbers(index, false).memory[0]
    }

    #[test]
    fn a_table_is_written_over_only_if_nothing_changed_and_nobody_looks() {
        for (same, observed, expected) in [
            (true, false, Follow::InPlace),
            (true, true, Follow::Copied),
            (false, false, Follow::Merged),
            (false, true, Follow::Merged),
        ] {
            let mut kept = contacts(&[1, 4], MEMORY_ONLY);
            assert_eq!(kept.begin(2, MEMORY_ONLY, same, observed), expected);
            // Whoever is looked up is not there yet.
            assert_eq!(kept.keys().len(), if same { 2 } else { 0 });
        }
    }

    #[test]
    fn an_evaluation_in_place_starts_from_what_was_remembered() {
        let mut kept = contacts(&[1, 4], MEMORY_ONLY);
        assert_eq!(kept.begin(2, MEMORY_ONLY, true, false), Follow::InPlace);
        assert_eq!([first_memory(&kept, 0), first_memory(&kept, 1)], [1.0, 4.0]);
    }

    #[test]
    fn what_was_copied_can_be_evaluated_again_and_what_was_written_over_cannot() {
        for (observed, expected) in [(true, 4.0), (false, 7.0)] {
            let mut kept = contacts(&[1, 4], ALL);
            let follow = kept.begin(2, ALL, true, observed);
            if follow == Follow::Copied {
                kept.copy_block(0);
            }
            assert_eq!(first_memory(&kept, 1), 4.0, "both start from what was remembered");
            leave(&mut kept, 7.0);
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
        assert_eq!(kept.begin(2, ALL, false, false), Follow::Merged);
        let (mut goes_on, mut from) = (vec![false; kept.len_before()], 0);
        let mut known = Vec::new();
        for (index, place) in [4, 5].into_iter().enumerate() {
            known.push(kept.recall(index, key(place), [0.0; 3], |_| false, &mut goes_on, &mut from));
            kept.push(key(place));
        }
        assert_eq!(known, [true, false]);
        assert_eq!(kept.keys(), [key(4), key(5)]);
        let [old, new] = [0, 1].map(|index| kept.numbers(index, false));
        assert_eq!((old.memory, old.turning), ([4.0; MEMORY], [4.25; TURNING]));
        assert_eq!((new.memory, new.turning), ([0.0; MEMORY], [0.0; TURNING]));
        let ended: Vec<(u32, f64)> = kept.ended(&goes_on).map(|ended| (ended.row, ended.energy)).collect();
        assert_eq!(ended, [(11, 1.0), (16, 6.0)]);
        // A merge leaves the old table alone, whoever looks.
        assert!(kept.rewind());
        assert!(is_at(&kept, &[1, 4, 6]));
    }

    #[test]
    fn outcomes_are_there_if_they_were_asked_for() {
        let mut kept = contacts(&[1, 4], ALL);
        assert!(kept.has_outcomes());
        assert_eq!(kept.numbers(1, true).deed, [4.5; DEED]);
        assert_eq!(kept.couple(1), [4.75; 3]);
        kept.begin(2, Parts { deed: false, ..ALL }, true, true);
        leave(&mut kept, 7.0);
        assert!(!kept.has_outcomes());
        assert_eq!(kept.numbers(1, true).deed, [0.0; DEED]);
        assert_eq!(kept.numbers(1, true).memory, [7.0; MEMORY]);
        kept.begin(2, ALL, true, true);
        leave(&mut kept, 8.0);
        assert_eq!(kept.outcome(1).to_array(), [8.0; OUTCOME]);
        assert_eq!((kept.done(0).outcome[0][1], kept.done(0).couple[2][1]), (8.0, 8.0));
    }

    #[test]
    fn a_law_without_memory_leaves_its_results_in_the_room_given() {
        let none = Parts { memory: false, turning: false, deed: false };
        let mut kept = contacts(&[1, 4], none);
        assert_eq!(kept.begin(2, none, true, false), Follow::InPlace);
        let mut room = Room::default();
        kept.results(0, room.results()).memory[0][1] = 3.0;
        assert_eq!(room.memory[0][1], 3.0);
        assert_eq!(first_memory(&kept, 1), 0.0);
    }
}
