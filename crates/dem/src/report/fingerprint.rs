//! A state as one number, to compare runs on other machines to the last bit.

use crate::report::{ContactState, Touching};
use crate::solver::Solver;
use tumble_math::LabVec;

/// FNV-1a with 64 bits (Fowler, Noll & Vo), byte by byte.
///
/// ```
/// use tumble_dem::fingerprint::Fnv1a;
/// let mut hash = Fnv1a::default();
/// hash.put(b"foobar");
/// assert_eq!(hash.value(), 0x8594_4171_f739_67e8); // as published
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv1a {
    /// Stirs bytes in.
    pub fn put(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Stirs the bits of a word in, the lowest byte first.
    pub fn put_word(&mut self, word: u64) {
        self.put(&word.to_le_bytes());
    }

    /// Stirs the bits of numbers in.
    pub fn put_numbers(&mut self, numbers: &[f64]) {
        for number in numbers {
            self.put_word(number.to_bits());
        }
    }

    /// The hash of everything so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// A number that depends on every bit of the present instant: bodies by their numbers, contacts by their names, loads of
/// walls and the ledger. It is the same on every machine, for any number of threads and with any instruction set, and
/// for every [`Solver`] of the same world and settings.
pub fn of(solver: &dyn Solver) -> u64 {
    let mut hash = Fnv1a::default();
    hash.put_word(solver.steps());
    solver.visit_bodies(&mut |some| {
        for body in some {
            hash.put_word(u64::from(body.id.0));
            for vector in [body.position, body.velocity, body.angular_velocity, body.force, body.torque] {
                hash.put_numbers(&vector.to_array());
            }
            hash.put_numbers(&body.orientation.to_array());
        }
    });
    let mut contacts = solver.contacts();
    contacts.sort_unstable_by_key(name);
    for contact in &contacts {
        let (body, sphere, with, force, rest) = name(contact);
        for number in [body, sphere, with.0, with.1] {
            hash.put_word(u64::from(number));
        }
        force.into_iter().chain(rest).for_each(|word| hash.put_word(word));
    }
    for wall in solver.walls() {
        for vector in [wall.force, wall.torque] {
            hash.put_numbers(&vector.to_array());
        }
    }
    for (_, energy) in solver.ledger().entries() {
        hash.put_numbers(&[energy]);
    }
    hash.value()
}

/// What a contact is called, and the bits of all its numbers: several of one sphere with one wall have the same name.
fn name(contact: &ContactState) -> (u32, u32, (u32, u32), [u64; 3], [u64; 7]) {
    let with = match contact.with {
        Touching::Body(other, sphere) => (other.0, sphere),
        Touching::Wall(wall) => (u32::MAX, wall.0),
    };
    let LabVec { x, y, z, .. } = contact.point;
    let [normal, tangential, rolling] = contact.stored;
    let rest = [x, y, z, contact.overlap, normal, tangential, rolling].map(f64::to_bits);
    (contact.body.0.0, contact.body.1, with, contact.force.to_array().map(f64::to_bits), rest)
}
