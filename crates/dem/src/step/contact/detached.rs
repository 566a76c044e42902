//! Contacts that belong to no list: named by ids, so that they survive any change of the lists and the rows.
//!
//! There may be several per body, and they are copied whenever lists are built; so each has only the numbers that
//! its law needs, one contact after the other.

use super::Key;
use crate::engine::Space;
use core::fmt;

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

/// Contacts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Detached {
    pub(crate) widths: Widths,
    pub(crate) names: Vec<Name>,
    /// Those of a contact follow each other: what it remembers, then what it does.
    pub(crate) numbers: Vec<f64>,
}

impl Detached {
    pub(crate) fn with_room(widths: Widths, contacts: usize) -> Self {
        let numbers = Vec::with_capacity(contacts * (widths.memory + widths.deed));
        Self { widths, names: Vec::with_capacity(contacts), numbers }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Adds a contact. Numbers that are missing are zero.
    pub(crate) fn push(
        &mut self,
        name: Name,
        memory: impl Iterator<Item = f64>,
        deed: impl Iterator<Item = f64>,
    ) {
        let start = self.numbers.len();
        let Widths { memory: remembered, deed: done } = self.widths;
        self.names.push(name);
        self.numbers.extend(memory.take(remembered));
        self.numbers.resize(start + remembered, 0.0);
        self.numbers.extend(deed.take(done));
        self.numbers.resize(start + remembered + done, 0.0);
    }

    /// What a contact remembers, and what it does.
    pub(crate) fn numbers(&self, index: usize) -> (&[f64], &[f64]) {
        let width = self.widths.memory + self.widths.deed;
        self.numbers[index * width..(index + 1) * width].split_at(self.widths.memory)
    }

    /// Adds others, of the same widths.
    pub(crate) fn append(&mut self, other: Self) {
        debug_assert_eq!(self.widths, other.widths);
        self.names.extend(other.names);
        self.numbers.extend(other.numbers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
