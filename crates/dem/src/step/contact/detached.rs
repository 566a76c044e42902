//! Contacts that belong to no list: named by ids, so that they survive any change of the lists and the rows.
//!
//! There may be several per body, and they are copied whenever lists are built; so each has only the numbers that
//! its law needs, one contact after the other. Those of some contacts lie together in a chunk: the room of what they were copied from is
//! free for the next chunk, and chunks are given back one by one when contacts go into new lists.

use super::Key;
use crate::engine::Space;
use crate::parallel::Threads;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Which two things touch. Names have the order in which contacts are told: between bodies first, then with walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) with_wall: bool,
    /// Id of a body, and which of its spheres.
    pub(crate) a: [u32; 2],
    /// The other body and sphere, or the wall and 0.
    pub(crate) b: [u32; 2],
    /// Which of several contacts of these two.
    pub(crate) feature: u32,
}

impl Name {
    /// That of a contact in the lists.
    pub(crate) fn of(key: Key, with_wall: bool, Space { bodies, neighbours, .. }: &Space) -> Self {
        let sphere = |sphere: u32| {
            let row = bodies.owner[sphere as usize] as usize;
            [bodies.id[row], sphere - bodies.first_sphere[row]]
        };
        let (place, feature) = (key.place as usize, key.feature);
        if with_wall {
            let pair = neighbours.wall_pairs[place];
            return Self { with_wall, a: sphere(pair.sphere), b: [pair.wall, 0], feature };
        }
        let [a, b] = neighbours.pairs.spheres[place].map(sphere);
        Self { with_wall, a, b, feature }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { with_wall, a: [body, sphere], b: [other, piece], feature } = self;
        write!(f, "of sphere {sphere} of body {body} with ")?;
        if *with_wall {
            write!(f, "part {feature} of wall {other}")
        } else {
            write!(f, "sphere {piece} of body {other}, number {feature}")
        }
    }
}

/// How many numbers contacts have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Widths {
    /// What they remember.
    pub(crate) memory: usize,
    /// What they do, as far as it is asked for after the step: force, point, books, and the couple if there is one. The
    /// torques have been added to the bodies already.
    pub(crate) deed: usize,
}

/// Contacts of a chunk.
const CHUNK: usize = 256;

/// Contacts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Detached {
    pub(crate) widths: Widths,
    pub(crate) names: Vec<Name>,
    /// Those of a contact follow each other: what it remembers, then what it does.
    chunks: Vec<Vec<f64>>,
}

impl Detached {
    pub(crate) fn with_room(widths: Widths, contacts: usize) -> Self {
        Self { widths, names: Vec::with_capacity(contacts), chunks: Vec::new() }
    }

    /// Contacts with these names; `fill` writes what each remembers and does.
    pub(crate) fn of(
        widths: Widths,
        names: Vec<Name>,
        threads: &Threads,
        fill: impl Fn(usize, &mut [f64], &mut [f64]) + Sync,
    ) -> Self {
        let mut detached = Self { widths, names, chunks: Vec::new() };
        let (contacts, width) = (detached.len(), detached.width());
        detached.chunks.resize_with(contacts.div_ceil(CHUNK), Vec::new);
        let mut chunks: Vec<(usize, &mut Vec<f64>)> =
            (0..).step_by(CHUNK).zip(&mut detached.chunks).collect();
        threads.for_each(&mut chunks, |(first, chunk)| {
            let own = *first..contacts.min(*first + CHUNK);
            chunk.resize(own.len() * width, 0.0);
            for (index, numbers) in own.zip(chunk.chunks_exact_mut(width.max(1))) {
                let (memory, deed) = numbers.split_at_mut(widths.memory);
                fill(index, memory, deed);
            }
        });
        detached
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// How many numbers each has.
    fn width(&self) -> usize {
        self.widths.memory + self.widths.deed
    }

    /// Adds a contact. Numbers that are missing are zero.
    pub(crate) fn push(
        &mut self,
        name: Name,
        memory: impl Iterator<Item = f64>,
        deed: impl Iterator<Item = f64>,
    ) {
        let Widths { memory: remembered, deed: done } = self.widths;
        if self.names.len().is_multiple_of(CHUNK) {
            // Where there are few contacts, the only chunk is no longer than it has to be.
            let room = if self.chunks.is_empty() { 0 } else { CHUNK * self.width() };
            self.chunks.push(Vec::with_capacity(room));
        }
        self.names.push(name);
        let Some(chunk) = self.chunks.last_mut() else { return };
        let start = chunk.len();
        chunk.extend(memory.take(remembered));
        chunk.resize(start + remembered, 0.0);
        chunk.extend(deed.take(done));
        chunk.resize(start + remembered + done, 0.0);
    }

    /// What a contact remembers, and what it does.
    pub(crate) fn numbers(&self, index: usize) -> (&[f64], &[f64]) {
        let (chunk, width) = (&self.chunks[index / CHUNK], self.width());
        let start = index % CHUNK * width;
        chunk[start..start + width].split_at(self.widths.memory)
    }

    /// The numbers of all contacts.
    pub(crate) fn all_numbers(&self) -> impl Iterator<Item = f64> {
        self.chunks.iter().flatten().copied()
    }

    /// Adds others, of the same widths.
    pub(crate) fn append(&mut self, other: &Self) {
        debug_assert_eq!(self.widths, other.widths);
        for (index, name) in other.names.iter().enumerate() {
            let (memory, deed) = other.numbers(index);
            self.push(*name, memory.iter().copied(), deed.iter().copied());
        }
    }

    /// Those whose names are so.
    pub(crate) fn kept_where(&self, stays: impl Fn(&Name) -> bool) -> Self {
        let mut kept = Self::with_room(self.widths, 0);
        for (index, name) in self.names.iter().enumerate().filter(|(_, name)| stays(name)) {
            let (memory, deed) = self.numbers(index);
            kept.push(*name, memory.iter().copied(), deed.iter().copied());
        }
        kept
    }

    /// Whether its numbers take so much memory that it matters when they are given back.
    pub(super) fn is_large(&self) -> bool {
        self.chunks.len() > 32 && self.width() > 0
    }

    /// Which of its contacts have yet to be asked for: all.
    pub(super) fn unasked(&self) -> Unasked {
        let chunk = |number: usize| CHUNK.min(self.len() - number * CHUNK);
        Unasked((0..self.chunks.len()).map(chunk).map(AtomicUsize::new).collect())
    }

    /// Forgets the numbers of chunks whose contacts have all been asked for.
    pub(super) fn forget(&mut self, all_but: &Unasked) {
        for (chunk, unasked) in self.chunks.iter_mut().zip(&all_but.0) {
            if unasked.load(Ordering::Relaxed) == 0 {
                *chunk = Vec::new();
            }
        }
    }
}

/// How many contacts of each chunk nobody has asked for.
pub(super) struct Unasked(Vec<AtomicUsize>);

impl Unasked {
    /// Counts a contact that nobody will ask for again.
    #[inline]
    pub(super) fn done(&self, index: usize) {
        self.0[index / CHUNK].fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows_by_id::index32;
    use core::iter::repeat_n;

    #[test]
    #[allow(clippy::float_cmp, reason = "copies")]
    fn numbers_come_back_as_far_as_there_is_room_for_them() {
        let name = Name { with_wall: false, a: [0, 0], b: [1, 0], feature: 0 };
        for (memory, deed) in [(0, 0), (3, 0), (0, 5), (3, 5)] {
            let mut detached = Detached::with_room(Widths { memory, deed }, 3);
            detached.push(name, repeat_n(9.0, 3), repeat_n(9.0, 5));
            detached.push(name, repeat_n(1.0, 3), repeat_n(2.0, 5));
            detached.push(name, repeat_n(1.0, 2), repeat_n(2.0, 1));
            assert_eq!(detached.numbers(1), (&vec![1.0; memory][..], &vec![2.0; deed][..]));
            let (remembered, done) = detached.numbers(2);
            assert_eq!((remembered.len(), done.len()), (memory, deed));
            assert_eq!(remembered.iter().sum::<f64>(), if memory > 0 { 2.0 } else { 0.0 });
            assert_eq!(done.iter().sum::<f64>(), if deed > 0 { 2.0 } else { 0.0 });
        }
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "copies")]
    fn chunks_are_forgotten_when_all_of_them_have_been_asked_for() {
        let count = 2 * CHUNK + 3;
        let name = |index: usize| Name { with_wall: false, a: [0, 0], b: [1, 0], feature: index32(index) };
        let mut detached = Detached::with_room(Widths { memory: 2, deed: 1 }, count);
        for index in 0..count {
            detached.push(name(index), repeat_n(index as f64, 2), repeat_n(-(index as f64), 1));
        }
        assert!((0..count).all(|k| detached.numbers(k) == (&[k as f64; 2][..], &[-(k as f64)][..])));
        assert_eq!(detached.all_numbers().count(), 3 * count);
        let mut twice = detached.clone();
        twice.append(&detached);
        assert_eq!(twice.numbers(count + CHUNK), detached.numbers(CHUNK));
        let unasked = detached.unasked();
        (0..CHUNK - 1).chain(CHUNK..count).for_each(|index| unasked.done(index));
        detached.forget(&unasked);
        assert_eq!(detached.chunks.iter().map(Vec::len).collect::<Vec<_>>(), [3 * CHUNK, 0, 0]);
        assert_eq!(detached.numbers(CHUNK - 1).1, [-((CHUNK - 1) as f64)]);
    }
}
