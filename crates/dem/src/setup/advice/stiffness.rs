//! The stability limit of the leapfrog, 2/ω with the highest frequency ω of a body on the springs that hold it.
//!
//! With yᵢ the inverse effective mass of body i at a contact, every mode of all bodies together satisfies
//! ω² ≤ maxᵢ Σ k (yᵢ + √(yᵢyⱼ)), the sum over the contacts of body i; equality for a single contact. (From
//! (a − b)² ≤ (1 + θ)a² + (1 + 1/θ)b² with θ² = yⱼ/yᵢ.) A contact with friction counts with its stiffer spring
//! in the direction that yields most. A dashpot c takes the limit down by √(1 + d²) − d with d = c/√(mk), for a
//! leapfrog whose forces see v + ½ΔtF/m with the force F of the step before: the root of
//! (ωΔt/2)² + 2d(ωΔt/2) = 1.

use super::collision::{PairOf, pair_of};
use super::kinds::Kind;
use super::{Limit, LimitKind, STIFFNESS_FRACTION, Site, largest_yield, yield_along};
use crate::contact::{self, Key, Physics, image_shift};
use crate::engine::Engine;
use crate::id::{BodyId, WallId};
use crate::law::{ContactLaw, Dissipation};
use crate::record::Record;
use crate::report::Touching;
use tumble_math::LabVec;

/// What holds one body.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hold {
    square: f64,
    contacts: usize,
    /// The largest c/√(mk) of its dashpots.
    damping: f64,
}

impl Hold {
    fn add(&mut self, square: f64, damping: f64) {
        self.square += square;
        self.contacts += 1;
        self.damping = if damping > self.damping { damping } else { self.damping };
    }

    fn critical_step(&self) -> f64 {
        let omega = self.square.sqrt();
        critical_step(self.square, self.damping * omega)
    }
}

/// The longest stable step of a mode with this ω², s⁻², and this c/m of its dashpot, s⁻¹.
pub(super) fn critical_step(square: f64, rate: f64) -> f64 {
    2.0 / (rate + (rate * rate + square).sqrt())
}

pub(super) fn of_present_contacts(engine: &Engine) -> Option<Limit> {
    let bodies = &engine.space.bodies;
    let mut holds = vec![Hold::default(); bodies.len()];
    for (kept, with_walls, physics) in engine.with_outcomes() {
        for (index, key) in kept.keys().iter().enumerate() {
            let contact = describe(engine, physics, *key, kept.action(index).point, with_walls);
            add_contact(engine, &mut holds, *key, &contact);
        }
    }
    let held_most = |a: &usize, b: &usize| holds[*a].square.total_cmp(&holds[*b].square);
    let row = (0..bodies.len()).filter(|&row| !bodies.held[row]).max_by(held_most)?;
    let hold = holds[row];
    Some(Limit {
        kind: LimitKind::PresentContacts,
        seconds: hold.critical_step(),
        fraction: STIFFNESS_FRACTION,
        site: Site { body: BodyId(bodies.id[row]), sphere: None, with: None },
        explanation: format!(
            "2/ω of a body held by {} contact{} at ω = {:.3e} rad/s, beyond which the integration is unstable",
            hold.contacts,
            if hold.contacts == 1 { "" } else { "s" },
            hold.square.sqrt()
        ),
    })
}

/// A contact of the present instant, as the law sees it.
pub(super) struct Touched<'a> {
    pub(super) pair: PairOf<'a>,
    pub(super) radius: f64,
    pub(super) overlap: f64,
    pub(super) normal: LabVec<f64>,
    pub(super) point: LabVec<f64>,
    /// Place of the second body's image relative to the body; none on a wall.
    pub(super) shift: Option<LabVec<f64>>,
}

/// What is known of a contact.
pub(super) fn describe<'a>(
    engine: &'a Engine,
    physics: Physics<'_>,
    key: Key,
    point: LabVec<f64>,
    with_wall: bool,
) -> Touched<'a> {
    let bodies = &engine.space.bodies;
    let place = key.place as usize;
    let (sphere, other) = if with_wall {
        let sphere = engine.space.neighbours.wall_pairs[place].sphere;
        (bodies.sphere_behind(sphere, point), None)
    } else {
        let [a, b] = contact::touching_spheres(&engine.space, key.place);
        (a, Some(b))
    };
    let (arm, own) = (sphere.centre - point, sphere.radius);
    let normal = arm * (1.0 / arm.norm());
    let (radius, overlap, material) = match other {
        Some(other) => {
            // The point divides the line of centres in the ratio of the radii.
            let theirs = other.radius;
            let overlap = (own + theirs) * (1.0 - arm.norm() / own);
            (own * theirs / (own + theirs), overlap.max(0.0), bodies.material[key.b as usize])
        }
        None => (
            own,
            contact::overlap(&engine.space, physics, key, true),
            engine.space.walls[key.b as usize].material.0,
        ),
    };
    let pair = pair_of(engine, bodies.material[key.a as usize], material);
    let shift = other.map(|_| LabVec::from_array(image_shift(&engine.space, place)));
    Touched { pair, radius, overlap, normal, point, shift }
}

/// How a body of a contact gives way to a unit impulse there: its inverse mass, inverse moments, and the arm and the
/// normal along its principal axes.
pub(super) fn give_way(
    engine: &Engine,
    row: u32,
    contact: &Touched<'_>,
    shift: LabVec<f64>,
) -> (f64, LabVec<f64>, [LabVec<f64>; 2]) {
    let bodies = &engine.space.bodies;
    let (position, orientation) = bodies.shown_pose(row as usize, engine.mover().staggered());
    let along = |v: LabVec<f64>| LabVec::from_array(orientation.to_body(v).to_array());
    let &crate::kind::Kind { inverse_mass, inverse, .. } = bodies.kind(row as usize);
    let arm = contact.point - position - shift;
    (inverse_mass, LabVec::from_array(inverse), [along(arm), along(contact.normal)])
}

fn add_contact(engine: &Engine, holds: &mut [Hold], key: Key, contact: &Touched<'_>) {
    let Touched { pair, radius, overlap, shift, .. } = *contact;
    let PairOf { group, constants } = pair;
    let [normal_stiffness, tangential_stiffness] = group.erased.stiffnesses(constants, radius, overlap);
    let Dissipation { damping, friction, .. } = group.erased.dissipation(constants);
    let sticks = group.model.has_history() && friction > 0.0;
    let stiffness = if sticks { normal_stiffness.max(tangential_stiffness) } else { normal_stiffness };

    let yields = |row: u32, shift: LabVec<f64>| {
        let (inverse_mass, inverse, [arm, normal]) = give_way(engine, row, contact, shift);
        if sticks {
            largest_yield(inverse_mass, inverse, arm)
        } else {
            yield_along(inverse_mass, inverse, arm, normal)
        }
    };
    let first = yields(key.a, LabVec::zero());
    let second = shift.map_or(0.0, |shift| yields(key.b, shift));
    let shared = (first * second).sqrt();
    holds[key.a as usize].add(stiffness * (first + shared), damping);
    if shift.is_some() {
        holds[key.b as usize].add(stiffness * (second + shared), damping);
    }
}

/// The body that, landing flat on a plane as fast as anything moves, vibrates fastest.
pub(super) fn of_flat_landing(engine: &Engine, kinds: &[Kind], speed: f64) -> Option<Limit> {
    let mut shortest: Option<Limit> = None;
    for kind in kinds.iter().filter(|kind| kind.inverse_mass > 0.0) {
        for (material, with) in grounds(engine, kind) {
            let pair = pair_of(engine, kind.material, material);
            let Some((side, depth)) = hardest_landing(engine, kind, pair, speed) else { continue };
            let (landing, _) = press(engine, kind, pair, side, depth);
            let seconds = landing.critical_step();
            if landing.contacts > 0 && shortest.as_ref().is_none_or(|limit| seconds < limit.seconds) {
                shortest = Some(Limit {
                    kind: LimitKind::FlatLanding,
                    seconds,
                    fraction: STIFFNESS_FRACTION,
                    site: Site { body: kind.body, sphere: None, with },
                    explanation: format!(
                        "2/ω of the body pressed flat against a plane on {} sphere{} by {speed:.3e} m/s: \
                         ω = {:.3e} rad/s",
                        landing.contacts,
                        if landing.contacts == 1 { "" } else { "s" },
                        landing.square.sqrt()
                    ),
                });
            }
        }
    }
    shortest
}

/// The materials a kind can land on: those of the walls; in open space, its own.
fn grounds(engine: &Engine, kind: &Kind) -> Vec<(u16, Option<Touching>)> {
    let walls = (0..)
        .zip(&engine.space.walls)
        .map(|(number, wall)| (wall.material.0, Some(Touching::Wall(WallId(number)))));
    let mut grounds: Vec<_> = walls.collect();
    grounds.sort_by_key(|ground| ground.0);
    grounds.dedup_by_key(|ground| ground.0);
    if let (true, Some(twin)) = (grounds.is_empty(), kind.twin) {
        grounds.push((kind.material, Some(Touching::Body(twin, 0))));
    }
    grounds
}

/// Presses a kind onto a plane from each of many sides, and then from the stiffest side as hard as its energy
/// allows: gives that side and how deep.
pub(super) fn hardest_landing(
    engine: &Engine,
    kind: &Kind,
    pair: PairOf<'_>,
    speed: f64,
) -> Option<(LabVec<f64>, f64)> {
    let energy = 0.5 * kind.mass * speed * speed;
    // Deep enough for spheres that touch the plane together but for rounding.
    let largest = kind.spheres(engine).iter().fold(0.0, |a: f64, s| a.max(s[3])) * kind.scale;
    let firmness = |side: &LabVec<f64>| press(engine, kind, pair, *side, 1e-3 * largest).0.square;
    let side = sides(kind.spheres(engine)).into_iter().max_by(|a, b| firmness(a).total_cmp(&firmness(b)))?;
    let (mut low, mut high) = (0.0, largest);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if press(engine, kind, pair, side, middle).1 < energy {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some((side, high))
}

/// The spheres of a kind that reach into a plane on this side, pressed against it by `depth`: which, and how far.
pub(super) fn pressed(
    spheres: &[[f64; 4]],
    scale: f64,
    side: LabVec<f64>,
    depth: f64,
) -> impl Iterator<Item = (&[f64; 4], f64)> {
    let reach = move |&[x, y, z, radius]: &[f64; 4]| (LabVec::new(x, y, z).dot(side) + radius) * scale;
    let farthest = spheres.iter().map(reach).fold(f64::NEG_INFINITY, f64::max);
    spheres
        .iter()
        .map(move |sphere| (sphere, depth - (farthest - reach(sphere))))
        .filter(|pressed| pressed.1 > 0.0)
}

/// The hold of a kind that is pressed against a plane, and the elastic energy.
fn press(engine: &Engine, kind: &Kind, pair: PairOf<'_>, side: LabVec<f64>, depth: f64) -> (Hold, f64) {
    let PairOf { group, constants: pair } = pair;
    group.erased.press(Press { spheres: kind.spheres(engine), kind, pair, side, depth })
}

/// Directions that flat sides of a clump are likely to face: the principal axes, and through and away from each
/// sphere.
fn sides(spheres: &[[f64; 4]]) -> Vec<LabVec<f64>> {
    let axes = [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 1.0, 0.0), LabVec::new(0.0, 0.0, 1.0)];
    if spheres.len() == 1 {
        return axes[..1].to_vec();
    }
    let centres = spheres.iter().map(|&[x, y, z, _]| LabVec::new(x, y, z)).filter(|c| c.norm() > 0.0);
    let directions = axes.into_iter().chain(centres.map(|centre| centre * (1.0 / centre.norm())));
    directions.flat_map(|direction| [direction, -direction]).collect()
}

/// A clump pressed against a plane by `depth`; gives its hold and the elastic energy.
pub(crate) struct Press<'a> {
    spheres: &'a [[f64; 4]],
    kind: &'a Kind,
    pair: &'a [f64],
    side: LabVec<f64>,
    depth: f64,
}

impl Press<'_> {
    pub(crate) fn run<L: ContactLaw>(self) -> (Hold, f64) {
        let Self { spheres, kind, pair, side, depth } = self;
        let (mut hold, mut energy) = (Hold::default(), 0.0);
        let constants = L::Constants::read(pair, 0);
        let Dissipation { damping, friction, .. } = L::dissipation(&constants);
        for (sphere, overlap) in pressed(spheres, kind.scale, side, depth) {
            let &[x, y, z, radius] = sphere;
            let (arm, radius) = (LabVec::new(x, y, z) * kind.scale, radius * kind.scale);
            let sticks = <L::Memory<f64> as Record<f64>>::SIZE > 0 && friction > 0.0;
            let normal = L::normal_stiffness(&constants, radius, overlap);
            let square = if sticks {
                let stiffness = normal.max(L::tangential_stiffness(&constants, radius, overlap));
                let arm = arm + side * radius;
                stiffness * largest_yield(kind.inverse_mass, kind.inverse, arm)
            } else {
                normal * yield_along(kind.inverse_mass, kind.inverse, arm, side)
            };
            hold.add(square, damping);
            energy += L::elastic(&constants, radius, overlap).1;
        }
        (hold, energy)
    }
}
