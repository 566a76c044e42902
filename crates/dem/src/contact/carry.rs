//! Contacts on their way: from old lists to new ones, through a reordering of the rows, into a saved state.

use super::detached::{Detached, Name, Widths};
use super::kept::Kept;
use super::narrow::NarrowPhase;
use super::sum::Ended;
use super::{Contacts, Key, Physics, Segment};
use crate::bodies::Bodies;
use crate::engine::Space;
use crate::law::ContactModel;
use crate::neighbour::{Neighbours, Part, WallPair};
use crate::physics::contact::Track;
use crate::record::Record;
use crate::rows_by_id::index32;
use core::ops::Range;

/// Pairs in a segment, or fewer.
const SEGMENT: usize = 2048;

impl Contacts {
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

    /// All contacts in the midst of a step, when so many segments between bodies have been evaluated; with what those did
    /// if anybody may ask for it.
    pub(crate) fn detached_amid(&self, done: usize, space: &Space, physics: Physics<'_>) -> Detached {
        let mut detached = Detached::with_room(physics.widths(physics.observed), self.len());
        let (known, others) = self.between.split_at(done);
        for segment in known {
            if physics.observed {
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
    pub(crate) fn attached(
        detached: &Detached,
        bodies: &Bodies,
        (neighbours, part): (&Neighbours, &Part),
        model: ContactModel,
        threads: usize,
        cut: usize,
    ) -> (Self, Vec<Ended>) {
        let sphere = |[id, number]: [u32; 2]| -> Option<u32> {
            Some(bodies.first_sphere[bodies.by_id.row(id)?] + number)
        };
        let owner = |sphere: u32| bodies.owner[sphere as usize];
        let rank = |sphere: u32| neighbours.order.rank(owner(sphere));
        let (pairs, walls) = (&neighbours.pairs.spheres, &neighbours.wall_pairs);
        let mut between = Vec::new();
        let mut with_walls = Vec::new();
        let mut ended = Vec::new();
        let mut end = |row: u32, index: u32| {
            let (memory, _) = detached.numbers(index as usize);
            let energy = if memory.is_empty() { 0.0 } else { Track::read(memory, 0).ending };
            ended.push(Ended { row, energy });
        };
        for (index, contact) in (0u32..).zip(&detached.names) {
            let Some(a) = sphere(contact.a) else { continue };
            if contact.with_wall {
                let [wall, feature] = contact.b;
                let key = |pair: &WallPair| (rank(pair.sphere), pair.wall, pair.sphere);
                let found = walls[part.walls.clone()].binary_search_by_key(&(rank(a), wall, a), key);
                if let Ok(place) = found {
                    let place = part.walls.start + place;
                    let key = Key { place: index32(place), feature, a: owner(a), b: wall };
                    with_walls.push((key, index));
                } else {
                    end(owner(a), index);
                }
            } else {
                let Some(b) = sphere(contact.b) else { continue };
                let later = rank(a).max(rank(b)) as usize;
                let (from, to) = (part.first_pair[later], part.first_pair[later + 1]);
                let of_later = (from..).zip(&pairs[from as usize..to as usize]);
                if let Some((place, _)) = of_later.into_iter().find(|(_, pair)| **pair == [a, b]) {
                    let key = Key { place, feature: 0, a: owner(a), b: owner(b) };
                    between.push((key, index));
                } else {
                    end(owner(a), index);
                }
            }
        }
        // Short enough that few of them change in a step of a packing, and enough for all threads, but for a few
        // pairs it does not pay to wake them.
        let pieces = |pairs: usize| if pairs < SEGMENT { 1 } else { (2 * threads).max(pairs / SEGMENT) };
        let later = |place: usize| rank(pairs[place][0]).max(rank(pairs[place][1]));
        let same_later = |place: usize| later(place) == later(place - 1);
        let same_body = |place: usize| owner(walls[place].sphere) == owner(walls[place - 1].sphere);
        let Range { start, end } = part.pairs.clone();
        let cut = cut.clamp(start, end);
        let mut places = ranges(start..cut, pieces(cut - start), same_later);
        places.extend(ranges(cut..end, pieces(end - cut), same_later));
        let mut between = segments(places, between, detached, model);
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
        let with_walls = segments(places, with_walls, detached, model);
        (Self { between, with_walls, late: Vec::new() }, ended)
    }
}

/// Adds contacts to those that belong to no list.
fn detach(kept: &Kept, with_wall: bool, space: &Space, outcomes: bool, detached: &mut Detached) {
    for (index, key) in kept.keys().iter().enumerate() {
        let done = kept.deed(index).filter(|_| outcomes);
        detached.push(Name::of(*key, with_wall, space), kept.memory(index), done);
    }
}

fn segments<N: NarrowPhase>(
    ranges: Vec<Range<usize>>,
    mut contacts: Vec<(Key, u32)>,
    detached: &Detached,
    model: ContactModel,
) -> Vec<Segment<N>> {
    let memory = model.erased_or_of_law().layout().memory;
    contacts.sort_unstable_by_key(|contact| contact.0);
    let mut rest = contacts.as_slice();
    ranges
        .into_iter()
        .map(|range| {
            let here = rest.partition_point(|(key, ..)| (key.place as usize) < range.end);
            let (own, others) = rest.split_at(here);
            rest = others;
            let widths = Widths { memory, deed: detached.widths.deed };
            Segment::new(range, Kept::of(own, widths, |number| detached.numbers(number as usize)))
        })
        .collect()
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
