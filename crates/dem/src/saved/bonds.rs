//! Bonds as bytes. What they do follows from where their bodies are, and is found anew.

use super::stored::{Input, Stored};
use crate::bodies::Bodies;
use crate::bond::BreakMode;
use crate::error::Error;
use crate::id::BodyId;
use crate::physics::bond::{BOND_CONSTANTS, BOND_END, BondConstants, BondEnd};
use crate::physics::parallel_bond::{BOND_MEMORY, BondMemory};
use crate::step::bond::{Bonds, Breakage, Disc, Tie};
use tumble_math::Quat;

impl Stored for Bonds {
    const SIZE: usize = 3 * u64::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.made.put(out);
        self.by_touch.put(out);
        self.taken_out.put(out);
        self.lost.put(out);
        self.broken.put(out);
        self.replaced.put(out);
        self.ties.put(out);
        self.breakages.put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let (made, by_touch, taken_out) = (u64::take(input)?, u64::take(input)?, u64::take(input)?);
        let (lost, broken, replaced) = (Stored::take(input)?, Stored::take(input)?, Stored::take(input)?);
        let mut bonds = Self::of(Stored::take(input)?);
        (bonds.made, bonds.taken_out, bonds.lost, bonds.broken) = (made, taken_out, lost, broken);
        (bonds.by_touch, bonds.replaced) = (by_touch, replaced);
        bonds.breakages = Stored::take(input)?;
        Ok(bonds)
    }
}

impl Stored for Tie {
    const SIZE: usize = 2 * u32::SIZE + (BOND_CONSTANTS + 2 * BOND_END + 5) * f64::SIZE + 2 * bool::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.bodies.put(out);
        self.constants.to_array().put(out);
        self.ends.iter().for_each(|end| end.to_array().put(out));
        self.inverse_limits.put(out);
        self.contact.put(out);
        self.lost.put(out);
        self.disc.is_some().put(out);
        if let Some(Disc { at, memory }) = &self.disc {
            at.put(out);
            memory.to_array().put(out);
        }
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let tie = Self {
            bodies: Stored::take(input)?,
            constants: BondConstants::from_array(Stored::take(input)?),
            ends: [BondEnd::from_array(Stored::take(input)?), BondEnd::from_array(Stored::take(input)?)],
            inverse_limits: Stored::take(input)?,
            contact: bool::take(input)?,
            lost: f64::take(input)?,
            breaking: None,
            disc: None,
        };
        let has_disc = bool::take(input)?;
        let mut disc = || {
            let at = f64::take(input)?;
            Ok::<_, Error>(Disc { at, memory: BondMemory::from_array(<[f64; BOND_MEMORY]>::take(input)?) })
        };
        Ok(Self { disc: has_disc.then(&mut disc).transpose()?, ..tie })
    }
}

impl Stored for Breakage {
    const SIZE: usize = 5 * f64::SIZE + u64::SIZE + 2 * u32::SIZE + 1;
    fn put(&self, out: &mut Vec<u8>) {
        self.time.put(out);
        self.step.put(out);
        self.bodies.map(|id| id.0).put(out);
        self.place.put(out);
        out.extend(
            (0..)
                .zip(BreakMode::ALL)
                .filter(|(_, mode)| *mode == self.mode)
                .map(|(number, _): (u8, _)| number),
        );
        self.energy.put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let (time, step) = (f64::take(input)?, u64::take(input)?);
        let bodies = <[u32; 2]>::take(input)?.map(BodyId);
        let place = Stored::take(input)?;
        let [number] = input.chunk()?;
        let mode = BreakMode::ALL.get(usize::from(number)).copied();
        let mode = mode.ok_or_else(|| input.broken(format!("there is no way {number} to break a bond")))?;
        Ok(Self { time, step, bodies, place, mode, energy: f64::take(input)? })
    }
}

/// A disc between two ends at different places, with two orientations.
fn is_sound_disc(disc: &Disc) -> bool {
    let Disc { at, memory } = disc;
    let unit = |q: Quat<f64>| (q.norm() - 1.0).abs() < 1e-6;
    (0.0..=1.0).contains(at)
        && memory.line.norm() > 0.0
        && memory.to_array().iter().all(|number| number.is_finite())
        && unit(memory.first)
        && unit(memory.second)
}

/// Bonds are between bodies that exist, in their order, with constants that a bond can have.
pub(super) fn check(bonds: &Bonds, bodies: &Bodies) -> Result<(), Error> {
    let exists = |tie: &Tie| {
        let [a, b] = tie.bodies;
        a < b && tie.bodies.into_iter().all(|id| bodies.row(BodyId(id)).is_some())
    };
    let is_sound = |tie: &Tie| {
        let [length, rest @ ..] = tie.constants.to_array();
        let unit = |end: &BondEnd<f64>| (end.frame.norm() - 1.0).abs() < 1e-6;
        let never_negative = rest.into_iter().chain(tie.inverse_limits).all(|number| number >= 0.0);
        length > 0.0
            && never_negative
            && tie.ends.iter().all(unit)
            && tie.disc.as_ref().is_none_or(is_sound_disc)
    };
    let wrong = |tie: &&Tie| !exists(tie) || !is_sound(tie);
    let in_order = bonds.ties.is_sorted_by_key(|tie| tie.bodies);
    let counted = bonds.made >= bonds.ties.len() as u64 + bonds.breakages.len() as u64;
    match bonds.ties.iter().find(wrong) {
        None if in_order && counted => Ok(()),
        found => Err(Error::Invalid {
            of: "the saved state".into(),
            what: "list of bonds",
            value: found.map_or_else(
                || "not in order".into(),
                |tie| format!("one with a bond of body {} and body {}", tie.bodies[0], tie.bodies[1]),
            ),
            expected: "bonds of two bodies that exist, in the order of their numbers, with a length and stiffnesses",
        }),
    }
}
