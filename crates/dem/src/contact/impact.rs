//! The mass behind a contact when several of the same two bodies land together.
//!
//! A dashpot is a fraction of the critical one, cᵢ = a √(mᵢkᵢ) = a kᵢ/ω, of the motion that it damps. A contact alone
//! has the effective mass of its point, rotation included. Of several, as those of a rod that lands flat, each
//! takes part in one and the same motion, and with the mass of its own point all of them together would lose
//! too much (forces that add up) or too little (their mean). Its frequency is Rayleigh's: with the elastic forces
//! fᵢ, the accelerations yᵢ at their points that they cause together, and the stiffnesses kᵢ,
//!
//! ω² = Σ fᵢyᵢ / Σ fᵢ²/kᵢ.
//!
//! Contacts at right angles have nothing to do with each other. So contact i sees the sums with the weights
//! (nᵢ·nⱼ)², which are nᵢ·(Σ nⱼnⱼᵀ …)nᵢ: no loop over pairs of contacts is needed. Forces that hold each other in
//! balance accelerate nothing; a mass is at most the reduced one of the two bodies.

use super::block::WORKBENCH;
use super::segment::Segment;
use super::{Physics, Scene, image_shift};
use crate::law::{ContactLaw, LawVisitor, Pair};
use core::ops::Range;
use tumble_math::{BodyVec, Lab, LabVec, Quat, SymTensor};

/// What a contact that is not alone between its two bodies has to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Together {
    /// The mass behind it, kg; 0 if it is that of its own point.
    pub(super) mass: f64,
    /// One over the number of them.
    pub(super) share: f64,
}

impl Together {
    const ALONE: Self = Self { mass: 0.0, share: 1.0 };
}

/// A contact's own part in the motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    normal: LabVec<f64>,
    /// From the centres of mass to the point.
    arms: [LabVec<f64>; 2],
    /// Elastic, with the weight of the contact.
    force: f64,
    /// Without it.
    stiffness: f64,
    /// f²/k with the weight.
    softness: f64,
}

/// One of two bodies: the inverse mass, and what a torque does to it.
struct Side {
    inverse_mass: f64,
    q: Quat<f64>,
    inverse: BodyVec<f64>,
}

impl Segment {
    /// Finds the contacts that are not alone between their two bodies, and what they have to know of it.
    pub(super) fn find_together(&mut self, scene: Scene<'_>, physics: Physics<'_>, with_walls: bool) {
        self.together.clear();
        if physics.remembers() {
            WORKBENCH.with_borrow_mut(|bench| {
                let groups = Groups { segment: self, parts: &mut bench.parts, scene, physics, with_walls };
                physics.model.law.visit(groups);
            });
        }
    }
}

/// The contacts of a segment, by the two bodies that they are between.
struct Groups<'a> {
    segment: &'a mut Segment,
    parts: &'a mut Vec<Part>,
    scene: Scene<'a>,
    physics: Physics<'a>,
    with_walls: bool,
}

impl LawVisitor for Groups<'_> {
    type Output = ();
    fn visit<L: ContactLaw>(mut self, _: L) {
        let contacts = if self.with_walls { self.segment.touched.len() } else { self.segment.found.len() };
        let Some(mut who) = (contacts > 1).then(|| self.who(0)) else { return };
        let mut start = 0;
        for end in 1..=contacts {
            let next = if end < contacts { self.who(end) } else { [u32::MAX; 2] };
            if next != who {
                if end - start > 1 {
                    self.segment.together.resize(contacts, Together::ALONE);
                    self.act_together::<L>(start..end, who);
                }
                (start, who) = (end, next);
            }
        }
    }
}

impl Groups<'_> {
    /// The two bodies of a contact, or the body and the wall.
    #[inline(always)]
    fn who(&self, index: usize) -> [u32; 2] {
        let Scene { bodies, neighbours, .. } = self.scene;
        let owner = |sphere: u32| bodies.owner[sphere as usize];
        if self.with_walls {
            let pair = neighbours.wall_pairs[self.segment.touched[index].place as usize];
            [owner(pair.sphere), pair.wall]
        } else {
            let [a, b] = neighbours.pairs.spheres[self.segment.found[index] as usize];
            [owner(a), owner(b)]
        }
    }

    /// Finds what contacts of the same two bodies have to know of each other.
    fn act_together<L: ContactLaw>(&mut self, range: Range<usize>, who: [u32; 2]) {
        let (a, b) = (who[0] as usize, who[1] as usize);
        let Scene { bodies, walls, .. } = self.scene;
        let other = if self.with_walls { walls[b].material.0 } else { bodies.material[b] };
        let pair = self.physics.pairs.of(bodies.material[a], other);
        // Nothing asks for the mass of contacts without a dashpot.
        let idle = pair.damping == 0.0 && !self.physics.turns();
        let sides = [Some(self.side(a)), (!self.with_walls).then(|| self.side(b))];
        let inverse_mass: f64 = sides.iter().flatten().map(|side| side.inverse_mass).sum();
        if idle || inverse_mass <= 0.0 {
            return;
        }
        let share = 1.0 / range.len() as f64;
        self.parts.clear();
        for index in range.clone() {
            let weight = self.segment.weights.get(index).copied().unwrap_or(1.0);
            let part = self.part::<L>(index, [a, b], &pair, weight);
            self.parts.push(part);
        }
        let together = &mut self.segment.together[range];
        together.fill(Together { mass: 0.0, share });
        find_masses(self.parts, &sides, inverse_mass, together);
    }

    #[inline(always)]
    fn side(&self, row: usize) -> Side {
        let bodies = self.scene.bodies;
        let kind = bodies.kind(row);
        Side {
            inverse_mass: kind.inverse_mass,
            q: Quat::from_array(bodies.seen[row].q),
            inverse: BodyVec::from_array(kind.inverse),
        }
    }

    #[inline(always)]
    fn part<L: ContactLaw>(&self, index: usize, [a, b]: [usize; 2], pair: &Pair<f64>, weight: f64) -> Part {
        let bodies = self.scene.bodies;
        let centre = |row: usize| LabVec::from_array(bodies.seen[row].position);
        let (normal, overlap, slope, radius, arms);
        if self.with_walls {
            let touched = self.segment.touched[index];
            let pair = self.scene.neighbours.wall_pairs[touched.place as usize];
            let [x, y, z, own] = bodies.spheres[pair.sphere as usize];
            (normal, overlap, slope, radius) =
                (touched.touch.normal, touched.touch.overlap, touched.touch.slope, own);
            arms = [LabVec::new(x, y, z) - normal * own - centre(a), LabVec::zero()];
        } else {
            let place = self.segment.found[index] as usize;
            let [first, second] = self.scene.neighbours.pairs.spheres[place];
            let ([x, y, z, own], [ox, oy, oz, theirs]) =
                (bodies.spheres[first as usize], bodies.spheres[second as usize]);
            let shift = LabVec::from_array(image_shift(&self.scene, place));
            let at = LabVec::new(x, y, z);
            let between = at - LabVec::new(ox, oy, oz) - shift;
            let distance = between.norm();
            normal = between * (1.0 / if distance > 0.0 { distance } else { 1.0 });
            let part = own / (own + theirs);
            (overlap, slope, radius) = (own + theirs - distance, 1.0, part * theirs);
            let point = at - normal * (distance * part);
            arms = [point - centre(a), point - centre(b) - shift];
        }
        let stiffness = L::normal_stiffness(pair, radius, overlap);
        let force = L::elastic(pair, radius, overlap).0 * slope;
        let softness = if stiffness > 0.0 { weight * force * force / stiffness } else { 0.0 };
        Part { normal, arms, force: force * weight, stiffness, softness }
    }
}

/// The masses behind contacts that act together.
fn find_masses(parts: &[Part], sides: &[Option<Side>; 2], inverse_mass: f64, together: &mut [Together]) {
    let mut total = LabVec::zero();
    let mut torques = [LabVec::zero(); 2];
    for part in parts {
        let force = part.normal * part.force;
        total = total + force;
        for (torque, arm) in torques.iter_mut().zip(part.arms) {
            *torque = *torque + arm.cross(force);
        }
    }
    let turned = |side: &Option<Side>, torque: LabVec<f64>| {
        side.as_ref().map_or(LabVec::zero(), |side| side.q.to_lab(side.inverse.times(side.q.to_body(torque))))
    };
    let turning = [turned(&sides[0], torques[0]), turned(&sides[1], torques[1])];
    // What each contact puts into the motion.
    let power = |part: &Part| {
        let moving = total * inverse_mass + turning[0].cross(part.arms[0]) + turning[1].cross(part.arms[1]);
        part.force * moving.dot(part.normal)
    };
    let mass = |power: f64, softness: f64| {
        if softness * inverse_mass < power { softness / power } else { 1.0 / inverse_mass }
    };
    if let [first, second] = parts {
        // Most are two, and need no tensors.
        let cosine = first.normal.dot(second.normal);
        let powers = [power(first), power(second)];
        let both = |own: f64, other: f64| own + cosine * cosine * other;
        let softness = [both(first.softness, second.softness), both(second.softness, first.softness)];
        together[0].mass = mass(both(powers[0], powers[1]), softness[0] * first.stiffness);
        together[1].mass = mass(both(powers[1], powers[0]), softness[1] * second.stiffness);
        return;
    }
    let (mut powers, mut softness) =
        (SymTensor::from_diagonal(LabVec::zero()), SymTensor::from_diagonal(LabVec::zero()));
    for part in parts {
        let dyad = SymTensor::dyad(part.normal);
        powers = powers + dyad * power(part);
        softness = softness + dyad * part.softness;
    }
    for (part, together) in parts.iter().zip(together) {
        let along = |tensor: SymTensor<f64, Lab>| part.normal.dot(tensor * part.normal);
        together.mass = mass(along(powers), along(softness) * part.stiffness);
    }
}
