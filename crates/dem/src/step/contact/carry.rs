//! Contacts on their way: from old lists to new ones, through a reordering of the rows, into a saved state.

use super::detached::{Detached, Name, Unasked, Widths};
use super::kept::Kept;
use super::narrow::NarrowPhase;
use super::sum::Ended;
use super::{Contacts, Key, Physics, Segment, Table};
use crate::bodies::Bodies;
use crate::engine::Space;
use crate::law::ContactModel;
use crate::neighbour::{Neighbours, Part, WallPair};
use crate::parallel::Threads;
use crate::physics::contact::Track;
use crate::record::Record;
use crate::rows_by_id::index32;
use core::ops::Range;

impl<B: NarrowPhase> Contacts<B> {
    /// All contacts and what they remember; with `outcomes` also what they do. In a step that nobody looks at, only
    /// that of contacts with walls is known.
    pub(crate) fn detached(&self, space: &Space, physics: Physics<'_>, outcomes: bool) -> Detached {
        let mut detached = Detached::with_room(physics.widths(outcomes), self.len());
        if outcomes && physics.observed {
            for (kept, with_wall) in self.with_outcomes(space, physics) {
                detach(&kept, with_wall, space, true, &mut detached);
            }
        } else {
            for (kept, with_wall) in self.kept() {
                detach(kept, with_wall, space, outcomes, &mut detached);
            }
        }
        detached
    }

    /// All contacts and what they remember, of lists that nobody needs any more.
    pub(crate) fn into_detached(self, space: &Space, physics: Physics<'_>) -> Detached {
        let mut detached = Detached::with_room(physics.widths(false), self.len());
        // One after the other, so that there is little of them twice.
        for Segment { kept, .. } in self.between {
            detach(&kept, false, space, false, &mut detached);
        }
        for Segment { kept, .. } in self.with_walls {
            detach(&kept, true, space, false, &mut detached);
        }
        detached
    }

    /// All contacts as they were before the last evaluation, if it can be done again from them.
    pub(crate) fn rewound(&self, space: &Space, physics: Physics<'_>) -> Option<Detached> {
        let tables = || self.kept().map(|(kept, with_wall)| (kept.before(), with_wall));
        let contacts = tables().map(|(before, _)| before.map(Table::len)).sum::<Option<usize>>()?;
        let mut detached = Detached::with_room(physics.widths(false), contacts);
        for (before, with_wall) in tables() {
            for (index, key) in before?.keys.iter().enumerate() {
                let name = Name::of(*key, with_wall, space);
                detached.push(name, before?.memory.numbers(index), core::iter::empty());
            }
        }
        Some(detached)
    }

    /// All contacts in the midst of a step, when so many segments between bodies have been evaluated; with what those did
    /// if anybody asks for it.
    pub(crate) fn detached_amid(&self, done: usize, space: &Space, physics: Physics<'_>) -> Detached {
        let asked = physics.observed || physics.asked;
        let mut detached = Detached::with_room(physics.widths(asked), self.len());
        let (known, others) = self.between.split_at(done);
        for segment in known {
            if asked {
                detach(&segment.with_outcomes(space, physics), false, space, true, &mut detached);
            } else {
                detach(&segment.kept, false, space, false, &mut detached);
            }
        }
        for segment in others {
            detach(&segment.kept, false, space, false, &mut detached);
        }
        for segment in &self.with_walls {
            detach(&segment.kept, true, space, false, &mut detached);
        }
        detached
    }

    /// The rank of the first body that is not the later one in any pair of so many segments, nor comes before one.
    pub(crate) fn first_rank_after(&self, done: usize, Space { bodies, neighbours, .. }: &Space) -> usize {
        let end = self.between[..done].last().map_or(0, |segment| segment.range.end);
        let last = neighbours.pairs.spheres[..end].last();
        let rank = |sphere: u32| neighbours.order.rank(bodies.owner[sphere as usize]) as usize;
        last.map_or(0, |&[a, b]| rank(a).max(rank(b)) + 1)
    }

    /// Shares the part of new lists that is a group's among the threads, and gives its contacts their places in them. Those that have none have ended;
    /// they are told with their rows and the energy of their springs. No segment goes across the place `cut`.
    ///
    /// What is copied from is given back on the way.
    pub(crate) fn attached(
        mut detached: Detached,
        bodies: &Bodies,
        (neighbours, part): (&Neighbours, &Part),
        model: ContactModel,
        (threads, pairs_per_segment): (&Threads, usize),
        cut: usize,
    ) -> (Self, Vec<Ended>) {
        let sphere = |[id, number]: [u32; 2]| -> Option<u32> {
            Some(bodies.first_sphere[bodies.by_id.row(id)?] + number)
        };
        let owner = |sphere: u32| bodies.owner[sphere as usize];
        let rank = |sphere: u32| neighbours.order.rank(owner(sphere));
        let (pairs, walls) = (&neighbours.pairs.spheres, &neighbours.wall_pairs);
        let unasked = detached.unasked();
        let place = |index: usize, found: &mut Found| {
            let contact = &detached.names[index];
            let Some(a) = sphere(contact.a) else { return unasked.done(index) };
            let place = if contact.with_wall {
                let key = |pair: &WallPair| (rank(pair.sphere), pair.wall, pair.sphere);
                let found = walls[part.walls.clone()].binary_search_by_key(&(rank(a), contact.b[0], a), key);
                found.ok().map(|place| part.walls.start + place)
            } else {
                let Some(b) = sphere(contact.b) else { return unasked.done(index) };
                let later = rank(a).max(rank(b)) as usize;
                let [from, to] = [later, later + 1].map(|rank| part.first_pair[rank] as usize);
                let of_later = &pairs[from..to];
                of_later.iter().position(|pair| *pair == [a, b]).map(|place| from + place)
            };
            let ([a, index], feature) = ([owner(a), index32(index)], contact.feature);
            match place.map(index32) {
                Some(place) if contact.with_wall => {
                    let [wall, _] = contact.b;
                    found.with_walls.push((Key { place, feature, a, b: wall }, index));
                }
                Some(place) => {
                    let [_, b] = pairs[place as usize].map(owner);
                    found.between.push((Key { place, feature, a, b }, index));
                }
                None => {
                    let (memory, _) = detached.numbers(index as usize);
                    let energy = if memory.is_empty() { 0.0 } else { Track::read(memory, 0).ending };
                    let [b, _] = contact.b;
                    let other = if contact.with_wall { b } else { bodies.by_id.row(b).map_or(a, index32) };
                    found.ended.push(Ended { row: a, other, with_wall: contact.with_wall, energy });
                    unasked.done(index as usize);
                }
            }
        };
        let found = threads.split_range(detached.len(), |contacts| {
            let mut found = Found { between: Vec::with_capacity(contacts.len()), ..Found::default() };
            contacts.into_iter().for_each(|index| place(index, &mut found));
            found
        });
        let Found { between, with_walls, ended } = found.into_iter().reduce(Found::and).unwrap_or_default();
        detached.names = Vec::new();
        // Short enough that few of them change in a step of a packing, and enough for all threads, but for a few
        // pairs it does not pay to wake them.
        let most = pairs_per_segment;
        let pieces = |pairs: usize| if pairs < most { 1 } else { (2 * threads.count()).max(pairs / most) };
        let later = |place: usize| rank(pairs[place][0]).max(rank(pairs[place][1]));
        let same_later = |place: usize| later(place) == later(place - 1);
        let same_body = |place: usize| owner(walls[place].sphere) == owner(walls[place - 1].sphere);
        let Range { start, end } = part.pairs.clone();
        let cut = cut.clamp(start, end);
        let mut places = ranges(start..cut, pieces(cut - start), same_later);
        places.extend(ranges(cut..end, pieces(end - cut), same_later));
        let mut from = (detached, unasked);
        let mut between = segments(&places, between, &mut from, model, threads);
        let mut rows = 0;
        for segment in &mut between {
            let places = segment.range.clone();
            let last_row = |place: usize| owner(pairs[place][0]).max(owner(pairs[place][1])) as usize;
            // Where rows are in order, the last pair has the last row.
            rows = if neighbours.order.is_that_of_rows() {
                places.last().map_or(rows, |place| last_row(place) + 1)
            } else {
                places.fold(rows, |rows, place| rows.max(last_row(place) + 1))
            };
            segment.rows = rows;
        }
        let places = ranges(part.walls.clone(), pieces(part.walls.len()), same_body);
        let with_walls = segments(&places, with_walls, &mut from, model, threads);
        (Self { between, with_walls, late: Vec::new(), added_last: 0 }, ended)
    }
}

/// Adds contacts to those that belong to no list.
fn detach(kept: &Kept, with_wall: bool, space: &Space, outcomes: bool, detached: &mut Detached) {
    for (index, key) in kept.keys().iter().enumerate() {
        let done = kept.deed(index).filter(|_| outcomes);
        detached.push(Name::of(*key, with_wall, space), kept.memory(index), done);
    }
}

/// Contacts that have been looked for in new lists, with their numbers among the old ones.
#[derive(Default)]
struct Found {
    between: Vec<(Key, u32)>,
    with_walls: Vec<(Key, u32)>,
    ended: Vec<Ended>,
}

impl Found {
    fn and(mut self, mut other: Self) -> Self {
        self.between.append(&mut other.between);
        self.with_walls.append(&mut other.with_walls);
        self.ended.append(&mut other.ended);
        self
    }
}

/// The room that contacts had is given back so many times on their way into new lists, where it is large.
const TIMES: usize = 8;

fn segments<N: NarrowPhase>(
    ranges: &[Range<usize>],
    mut contacts: Vec<(Key, u32)>,
    (detached, unasked): &mut (Detached, Unasked),
    model: ContactModel,
    threads: &Threads,
) -> Vec<Segment<N>> {
    if !contacts.is_sorted_by_key(|contact| contact.0) {
        threads.sort_by_key(&mut contacts, |contact| contact.0);
    }
    let memory = model.erased_or_of_law().layout().memory;
    let widths = Widths { memory, deed: detached.widths.deed };
    let before = |place: usize| contacts.partition_point(|(key, ..)| (key.place as usize) < place);
    let mut segments = Vec::with_capacity(ranges.len());
    let times = if detached.is_large() { TIMES } else { 1 };
    for ranges in ranges.chunks(ranges.len().div_ceil(times).max(1)) {
        let segment = |range: &Range<usize>| {
            let own = &contacts[before(range.start)..before(range.end)];
            let kept = Kept::of(own, widths, |number| detached.numbers(number as usize));
            for (_, number) in own {
                unasked.done(*number as usize);
            }
            Segment::new(range.clone(), kept)
        };
        segments.extend(threads.map(ranges, segment));
        detached.forget(unasked);
    }
    segments
}

/// Ranges of about equal length, none of which ends between two places that belong together.
fn ranges(all: Range<usize>, pieces: usize, belongs_to_last: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = all.start;
    for piece in 1..=pieces {
        let mut end = (all.start + all.len() * piece / pieces).max(start);
        while end > start && end < all.end && belongs_to_last(end) {
            end += 1;
        }
        if end > start {
            ranges.push(start..end);
        }
        start = end;
    }
    ranges
}
