//! Contacts that belong to no list: named by ids, so that they survive any change of the lists and the rows.
//!
//! There may be several per body, and they are copied whenever lists are built; so each has only the numbers that
//! its law needs, one contact after the other.

use super::{DEED, Key, MEMORY, TURNING};
use crate::engine::Space;

/// Which two things touch. Names have the order in which contacts are told: between bodies first, then with walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) with_wall: bool,
    /// Id of a body, and which of its spheres.
    pub(crate) a: [u32; 2],
    /// The other body and sphere, or the wall and its feature.
    pub(crate) b: [u32; 2],
}

impl Name {
    /// That of a contact in the lists.
    pub(crate) fn of(key: Key, with_wall: bool, Space { bodies, neighbours, .. }: &Space) -> Self {
        let sphere = |sphere: u32| {
            let row = bodies.owner[sphere as usize] as usize;
            [bodies.id[row], sphere - bodies.first_sphere[row]]
        };
        let place = key.place as usize;
        if with_wall {
            let pair = neighbours.wall_pairs[place];
            return Self { with_wall, a: sphere(pair.sphere), b: [pair.wall, key.feature] };
        }
        let [a, b] = neighbours.pairs.spheres[place].map(sphere);
        Self { with_wall, a, b }
    }
}

/// The numbers of a contact. What its law does not need is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) memory: [f64; MEMORY],
    pub(crate) turning: [f64; TURNING],
    pub(crate) deed: [f64; DEED],
    pub(crate) couple: [f64; 3],
}

/// Which numbers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Parts {
    pub(crate) memory: bool,
    pub(crate) turning: bool,
    pub(crate) deed: bool,
}

impl Parts {
    /// Numbers per contact.
    pub(crate) fn width(self) -> usize {
        let deed = if self.deed { DEED + if self.turning { 3 } else { 0 } } else { 0 };
        deed + if self.memory { MEMORY } else { 0 } + if self.turning { TURNING } else { 0 }
    }
}

/// Contacts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Detached {
    pub(crate) parts: Parts,
    pub(crate) names: Vec<Name>,
    /// Those of a contact follow each other.
    pub(crate) numbers: Vec<f64>,
}

impl Detached {
    pub(crate) fn with_room(parts: Parts, contacts: usize) -> Self {
        let numbers = Vec::with_capacity(contacts * parts.width());
        Self { parts, names: Vec::with_capacity(contacts), numbers }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn push(&mut self, name: Name, numbers: &Numbers) {
        self.names.push(name);
        if self.parts.memory {
            self.numbers.extend(numbers.memory);
        }
        if self.parts.turning {
            self.numbers.extend(numbers.turning);
        }
        if self.parts.deed {
            self.numbers.extend(numbers.deed);
            if self.parts.turning {
                self.numbers.extend(numbers.couple);
            }
        }
    }

    pub(crate) fn numbers(&self, index: usize) -> Numbers {
        let width = self.parts.width();
        let mut rest = &self.numbers[index * width..(index + 1) * width];
        Numbers {
            memory: take(self.parts.memory, &mut rest),
            turning: take(self.parts.turning, &mut rest),
            deed: take(self.parts.deed, &mut rest),
            couple: take(self.parts.deed && self.parts.turning, &mut rest),
        }
    }

    /// Adds others, with the same parts.
    pub(crate) fn append(&mut self, other: Self) {
        debug_assert_eq!(self.parts, other.parts);
        self.names.extend(other.names);
        self.numbers.extend(other.numbers);
    }
}

/// The next numbers, if they are there.
fn take<const N: usize>(there: bool, rest: &mut &[f64]) -> [f64; N] {
    match rest.split_first_chunk() {
        Some((numbers, others)) if there => {
            *rest = others;
            *numbers
        }
        _ => [0.0; N],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "copies")]
    fn numbers_come_back_as_far_as_there_is_room_for_them() {
        let numbers =
            Numbers { memory: [1.0; MEMORY], turning: [2.0; TURNING], deed: [3.0; DEED], couple: [4.0; 3] };
        let name = Name { with_wall: false, a: [0, 0], b: [1, 0] };
        for bits in 0..8 {
            let parts = Parts { memory: bits & 1 > 0, turning: bits & 2 > 0, deed: bits & 4 > 0 };
            let mut detached = Detached::with_room(parts, 2);
            detached.push(name, &Numbers { memory: [9.0; MEMORY], ..numbers });
            detached.push(name, &numbers);
            assert_eq!(detached.numbers.len(), 2 * parts.width());
            let back = detached.numbers(1);
            let part = |there: bool, value: f64| if there { value } else { 0.0 };
            assert_eq!(back.memory, [part(parts.memory, 1.0); MEMORY]);
            assert_eq!(back.turning, [part(parts.turning, 2.0); TURNING]);
            assert_eq!(back.deed, [part(parts.deed, 3.0); DEED]);
            assert_eq!(back.couple, [part(parts.deed && parts.turning, 4.0); 3]);
        }
    }
}
