//! The stability limit of rolling and twisting resistance: springs and dashpots that turn bodies.
//!
//! A couple turns a body about whatever axis it likes, against the smallest of its principal moments if nothing else
//! holds it. With y the inverse of that moment, k the stiffness and c the dashpot of a contact against turning, every
//! mode of a body i has ω² ≤ Σ k (yᵢ + √(yᵢyⱼ)) and a c/I ≤ Σ c (yᵢ + √(yᵢyⱼ)), as for the springs that push; the
//! longest stable step follows in the same way. The dashpot of rolling is made for a sphere that rolls on a wall,
//! 2η√(I kᵣ) with I = 7/5 m R², and a sphere that spins freely has 2/5 m R² only: so it is √3.5 times as strong as η
//! says, and more in a clump whose smallest moment is small.

use super::collision::{PairOf, pair_of};
use super::kinds::Kind;
use super::stiffness::{critical_step, describe, give_way, hardest_landing, pressed};
use super::{Limit, LimitKind, STIFFNESS_FRACTION, Site, yield_along};
use crate::engine::Engine;
use crate::id::{BodyId, WallId};
use crate::law::{Contact, ErasedModel};
use crate::report::Touching;
use tumble_math::LabVec;

/// What resists the turning of one body.
#[derive(Clone, Copy, Debug, Default)]
struct Resistance {
    /// Bound of ω², s⁻².
    square: f64,
    /// Bound of c/I, s⁻¹.
    rate: f64,
}

impl Resistance {
    fn add(&mut self, springs: Springs, yields: f64) {
        for [stiffness, dashpot] in springs {
            self.square += stiffness * yields;
            self.rate += dashpot * yields;
        }
    }

    fn critical_step(&self) -> f64 {
        critical_step(self.square, self.rate)
    }
}

/// Stiffness (N m) and dashpot (N m s) of rolling, and of twisting.
type Springs = [[f64; 2]; 2];

/// The shortest limit of all present contacts, and of those that bodies make when they land.
pub(super) fn limit(engine: &Engine, kinds: &[Kind], speed: f64) -> Option<Limit> {
    if !engine.rules.groups.iter().any(|group| group.model.resists_turning()) {
        return None;
    }
    let present = of_present_contacts(engine);
    let candidates = present.into_iter().chain(of_landings(engine, kinds, speed));
    let resisting = candidates.filter(|(resistance, _)| resistance.square > 0.0 || resistance.rate > 0.0);
    let (resistance, site) = resisting.min_by(|a, b| a.0.critical_step().total_cmp(&b.0.critical_step()))?;
    let Resistance { square, rate } = resistance;
    Some(Limit {
        kind: LimitKind::Turning,
        seconds: resistance.critical_step(),
        fraction: STIFFNESS_FRACTION,
        site,
        explanation: format!(
            "rolling and twisting springs at ω = {:.3e} rad/s with dashpots of c/I = {rate:.3e} 1/s against the smallest \
             moment of inertia, beyond which the integration is unstable",
            square.sqrt()
        ),
    })
}

/// The longest stable step of the present contacts, s, and the row of the body that sets it.
pub(crate) fn limit_of_present_resistance(engine: &Engine) -> Option<(f64, usize)> {
    let (resistance, site) = of_present_contacts(engine)?;
    Some((resistance.critical_step(), engine.space.bodies.row(site.body)?))
}

/// The body whose turning is resisted most by its present contacts.
fn of_present_contacts(engine: &Engine) -> Option<(Resistance, Site)> {
    let bodies = &engine.space.bodies;
    let mut resistances = vec![Resistance::default(); bodies.len()];
    let freest = |row: u32| largest(LabVec::from_array(bodies.kind(row as usize).inverse));
    for (kept, with_walls, physics) in engine.with_outcomes() {
        for (index, key) in kept.keys().iter().enumerate() {
            let contact = describe(engine, physics, *key, kept.action(index).point, with_walls);
            let yields = |row: u32, shift: LabVec<f64>| {
                let (inverse_mass, inverse, [arm, normal]) = give_way(engine, row, &contact, shift);
                yield_along(inverse_mass, inverse, arm, normal)
            };
            let second = contact.shift.map_or(0.0, |shift| yields(key.b, shift));
            let mass = 1.0 / (yields(key.a, LabVec::zero()) + second);
            let springs = springs(contact.pair, contact.radius, contact.overlap, mass);
            let first = freest(key.a);
            let second = contact.shift.map_or(0.0, |_| freest(key.b));
            let shared = (first * second).sqrt();
            resistances[key.a as usize].add(springs, first + shared);
            if contact.shift.is_some() {
                resistances[key.b as usize].add(springs, second + shared);
            }
        }
    }
    // Of equals the first in the order of the bodies.
    let most = |a: &usize, b: &usize| {
        let [of_a, of_b] = [a, b].map(|row| resistances[*row].critical_step());
        of_b.total_cmp(&of_a).then_with(|| bodies.order(*b).cmp(&bodies.order(*a)))
    };
    let row = (0..bodies.len()).filter(|&row| !bodies.held[row]).max_by(most)?;
    Some((resistances[row], Site { body: BodyId(bodies.id[row]), sphere: None, with: None }))
}

/// Bodies that land flat on a plane of any material that they can meet, as fast as anything moves.
fn of_landings<'a>(
    engine: &'a Engine,
    kinds: &'a [Kind],
    speed: f64,
) -> impl Iterator<Item = (Resistance, Site)> + 'a {
    kinds.iter().filter(|kind| kind.inverse_mass > 0.0).flat_map(move |kind| {
        grounds(engine, kinds, kind).into_iter().filter_map(move |(material, with)| {
            let pair = pair_of(engine, kind.material, material);
            let (side, depth) = hardest_landing(engine, kind, pair, speed)?;
            let mut resistance = Resistance::default();
            for (&[x, y, z, radius], overlap) in pressed(kind.spheres(engine), kind.scale, side, depth) {
                let arm = LabVec::new(x, y, z) * kind.scale;
                let mass = 1.0 / yield_along(kind.inverse_mass, kind.inverse, arm, side);
                let springs = springs(pair, radius * kind.scale, overlap, mass);
                resistance.add(springs, largest(kind.inverse));
            }
            Some((resistance, Site { body: kind.body, sphere: None, with: Some(with) }))
        })
    })
}

/// The materials that a kind can meet: those of walls and of other bodies. A plane stands for the largest of those.
fn grounds(engine: &Engine, kinds: &[Kind], kind: &Kind) -> Vec<(u16, Touching)> {
    let walls = (0..)
        .zip(&engine.space.walls)
        .map(|(number, wall)| (wall.material.0, Touching::Wall(WallId(number))));
    let bodies = kinds.iter().filter_map(|other| {
        let body = if other.body == kind.body { other.twin? } else { other.body };
        Some((other.material, Touching::Body(body, 0)))
    });
    let mut grounds: Vec<_> = walls.chain(bodies).collect();
    grounds.sort_by_key(|ground| ground.0);
    grounds.dedup_by_key(|ground| ground.0);
    grounds
}

fn springs(PairOf { group, constants }: PairOf<'_>, radius: f64, overlap: f64, mass: f64) -> Springs {
    if overlap > 0.0 && mass.is_finite() {
        probe(group.erased, constants, (radius, overlap), mass)
    } else {
        [[0.0; 2]; 2]
    }
}

fn largest(inverse: LabVec<f64>) -> f64 {
    inverse.x.max(inverse.y).max(inverse.z)
}

/// A turn relative to the one at which the surfaces would have moved by the overlap.
const SMALL: f64 = 1e-6;

/// What a contact answers to a turn that is too small for anything to slip, and to a turning as slow.
fn probe(model: &dyn ErasedModel, pair: &[f64], (radius, overlap): (f64, f64), mass: f64) -> Springs {
    let [across, normal] = [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 0.0, 1.0)];
    // A spring that is made as stiff as the step allows asks for no step: it is made for no inertia here.
    let at_rest =
        Contact { overlap_before: overlap, mass, inertia: 0.0, ..Contact::at_rest(normal, radius, overlap) };
    let turn = SMALL * overlap / radius;
    let rate = turn * (model.stiffnesses(pair, radius, overlap)[0] / mass).sqrt();
    [across, normal].map(|axis| {
        let couple = |contact| -model.couple(pair, contact, 1.0).dot(axis);
        let stiffness = couple(Contact { turn: axis * turn, ..at_rest }) / turn;
        let dashpot = couple(Contact { spin: axis * rate, ..at_rest }) / rate;
        [stiffness, dashpot]
    })
}
