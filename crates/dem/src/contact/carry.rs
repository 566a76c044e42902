//! Contacts on their way: from old lists to new ones, through a reordering of the rows, into a saved state.

use super::Outcome;
use super::loose::{Loose, Name, Numbers, Parts};
use super::sum::Ended;
use super::{Contacts, DEED, Deed, Key, MEMORY, Physics, Scene, Segment, TURNING, Table};
use crate::bodies::Bodies;
use crate::law::ContactModel;
use crate::neighbour::Neighbours;
use core::ops::Range;

/// Pairs in a segment, or fewer.
const SEGMENT: usize = 2048;

impl Contacts {
    /// All contacts and what they remember; with `outcomes` also what they do. In a step that nobody looks at, only
    /// that of contacts with walls is known.
    pub(crate) fn loosened(&self, scene: Scene<'_>, physics: Physics<'_>, outcomes: bool) -> Loose {
        let Scene { bodies, neighbours, .. } = scene;
        let name = |sphere: u32| {
            let row = bodies.owner[sphere as usize] as usize;
            [bodies.id[row], sphere - bodies.first_sphere[row]]
        };
        let mut loose = Loose::with_room(Parts::of(physics.model, outcomes), self.len());
        let mut loosen = |segment: &Segment, with_wall: bool| {
            let table = &segment.table;
            let outcomes = outcomes && segment.outcomes_kept;
            for (index, key) in table.keys.iter().enumerate() {
                let (a, b) = if with_wall {
                    let pair = neighbours.wall_pairs[key.place as usize];
                    (name(pair.sphere), [pair.wall, key.feature])
                } else {
                    let [a, b] = neighbours.pairs.spheres[key.place as usize];
                    (name(a), name(b))
                };
                let numbers = Numbers {
                    memory: if table.memory.is_empty() { [0.0; MEMORY] } else { table.memory.row(index) },
                    turning: if table.turning.is_empty() { [0.0; TURNING] } else { table.turning.row(index) },
                    deed: if outcomes { Deed::from(segment.outcome(index)).to_array() } else { [0.0; DEED] },
                    couple: if outcomes { segment.couple(index) } else { [0.0; 3] },
                };
                loose.push(Name { with_wall, a, b }, &numbers);
            }
        };
        if outcomes && physics.observed {
            for (segment, with_wall) in self.with_outcomes(scene, physics) {
                loosen(&segment, with_wall);
            }
        } else {
            self.between.iter().for_each(|segment| loosen(segment, false));
            self.with_walls.iter().for_each(|segment| loosen(segment, true));
        }
        loose
    }

    /// Shares new lists among the threads, and gives the contacts their places in them. Those that have none have ended;
    /// they are told with their rows and the energy of their springs.
    pub(crate) fn settled(
        loose: &Loose,
        bodies: &Bodies,
        neighbours: &Neighbours,
        model: ContactModel,
        threads: usize,
    ) -> (Self, Vec<Ended>) {
        let sphere = |[id, number]: [u32; 2]| -> Option<u32> {
            let row = *bodies.row_of.get(id as usize).filter(|&&row| row != u32::MAX)?;
            Some(bodies.first_sphere[row as usize] + number)
        };
        let owner = |sphere: u32| bodies.owner[sphere as usize];
        let mut between = Vec::new();
        let mut with_walls = Vec::new();
        let mut ended = Vec::new();
        let mut end = |row: u32, index: u32| {
            let [.., energy] = loose.numbers(index as usize).memory;
            ended.push(Ended { row, energy });
        };
        for (index, contact) in (0u32..).zip(&loose.names) {
            let Some(a) = sphere(contact.a) else { continue };
            if contact.with_wall {
                let [wall, feature] = contact.b;
                let rank = |pair: &crate::neighbour::WallPair| (owner(pair.sphere), pair.wall, pair.sphere);
                let found = neighbours.wall_pairs.binary_search_by_key(&(owner(a), wall, a), rank);
                if let Ok(place) = found.map(|place| u32::try_from(place).unwrap_or(u32::MAX)) {
                    let key = Key { place, feature, a: owner(a), b: wall };
                    with_walls.push((key, index));
                } else {
                    end(owner(a), index);
                }
            } else {
                let Some(b) = sphere(contact.b) else { continue };
                let row = owner(a).max(owner(b)) as usize;
                let (from, to) = (neighbours.first_pair[row], neighbours.first_pair[row + 1]);
                let of_row = (from..).zip(&neighbours.pairs.spheres[from as usize..to as usize]);
                if let Some((place, _)) = of_row.into_iter().find(|(_, pair)| **pair == [a, b]) {
                    let key = Key { place, feature: 0, a: owner(a), b: owner(b) };
                    between.push((key, index));
                } else {
                    end(owner(a), index);
                }
            }
        }
        let pairs = &neighbours.pairs.spheres;
        // Short enough that few of them change in a step of a packing, and enough for all threads, but for a few
        // pairs it does not pay to wake them.
        let pieces = |pairs: usize| if pairs < SEGMENT { 1 } else { (2 * threads).max(pairs / SEGMENT) };
        let later = |place: usize| owner(pairs[place][0]).max(owner(pairs[place][1]));
        let same_row = |place: usize| later(place) == later(place - 1);
        let walls = &neighbours.wall_pairs;
        let same_body = |place: usize| owner(walls[place].sphere) == owner(walls[place - 1].sphere);
        let mut between = segments(ranges(pairs.len(), pieces(pairs.len()), same_row), between, loose, model);
        for segment in &mut between {
            segment.rows = segment.range.clone().last().map_or(0, |place| later(place) as usize + 1);
        }
        let with_walls =
            segments(ranges(walls.len(), pieces(walls.len()), same_body), with_walls, loose, model);
        (Self { between, with_walls, late: Vec::new() }, ended)
    }
}

impl Segment {
    /// Takes over contacts from elsewhere.
    fn fill(&mut self, contacts: &[(Key, u32)], loose: &Loose, model: ContactModel) {
        let remembering = if model.remembers() { contacts.len() } else { 0 };
        let turning = if model.resists_turning() { contacts.len() } else { 0 };
        self.table.keys = contacts.iter().map(|(key, _)| *key).collect();
        self.table.memory.make_room(remembering);
        self.table.turning.make_room(turning);
        let done = loose.parts.deed;
        self.outcomes_kept = done;
        self.couples.make_room(if done { turning } else { 0 });
        self.outcomes.make_room(if done { contacts.len() } else { 0 });
        for (index, (_, number)) in contacts.iter().enumerate() {
            let contact = loose.numbers(*number as usize);
            if done {
                let outcome = Outcome::from(Deed::from_array(contact.deed));
                self.outcomes.set_row(index, outcome.to_array());
            }
            if remembering > 0 {
                self.table.memory.set_row(index, contact.memory);
            }
            if turning > 0 {
                self.table.turning.set_row(index, contact.turning);
            }
            if done && turning > 0 {
                self.couples.set_row(index, contact.couple);
            }
        }
    }
}

fn segments(
    ranges: Vec<Range<usize>>,
    mut contacts: Vec<(Key, u32)>,
    loose: &Loose,
    model: ContactModel,
) -> Vec<Segment> {
    contacts.sort_unstable_by_key(|contact| contact.0);
    let mut rest = contacts.as_slice();
    ranges
        .into_iter()
        .map(|range| {
            let here = rest.partition_point(|(key, ..)| (key.place as usize) < range.end);
            let (own, others) = rest.split_at(here);
            rest = others;
            let mut segment = Segment::new(range, Table::default());
            segment.fill(own, loose, model);
            segment
        })
        .collect()
}

/// Ranges of about equal length, none of which ends between two places that belong together.
fn ranges(length: usize, pieces: usize, belongs_to_last: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for piece in 1..=pieces {
        let mut end = (length * piece / pieces).max(start);
        while end > start && end < length && belongs_to_last(end) {
            end += 1;
        }
        if end > start || piece == pieces {
            ranges.push(start..end);
        }
        start = end;
    }
    ranges
}
