//! The stability limit of the leapfrog, 2/ω with the highest frequency ω of a body on the springs that hold it.
//!
//! With yᵢ the inverse effective mass of body i at a contact, every mode of all bodies together satisfies
//! ω² ≤ maxᵢ Σ k (yᵢ + √(yᵢyⱼ)), the sum over the contacts of body i; equality for a single contact. (From
//! (a − b)² ≤ (1 + θ)a² + (1 + 1/θ)b² with θ² = yⱼ/yᵢ.) A contact with friction counts with its stiffer spring
//! in the direction that yields most. A dashpot c takes the limit down by √(1 + d²) − d with d = c/√(mk), for a
//! leapfrog whose forces see v + ½ΔtF/m with the force F of the step before: the root of
//! (ωΔt/2)² + 2d(ωΔt/2) = 1.

use super::collision::pair_of;
use super::kinds::Kind;
use super::{Limit, LimitKind, STIFFNESS_FRACTION, Site, largest_yield, yield_along};
use crate::contact::{self, Key, Outcome, image_shift};
use crate::engine::{Engine, Touching};
use crate::law::{ContactLaw, LawVisitor, Pair};
use crate::world::BodyId;
use tumble_math::LabVec;

/// What holds one body.
#[derive(Clone, Copy, Default)]
struct Hold {
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
        2.0 / self.square.sqrt() * ((1.0 + self.damping * self.damping).sqrt() - self.damping)
    }
}

pub(super) fn of_present_contacts(engine: &Engine) -> Option<Limit> {
    let bodies = &engine.bodies;
    let mut holds = vec![Hold::default(); bodies.len()];
    for (segment, with_walls) in engine.contacts.with_outcomes(engine.scene(), engine.physics()) {
        for (index, key) in segment.table.keys.iter().enumerate() {
            add_contact(engine, &mut holds, *key, &segment.outcome(index), with_walls);
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

fn add_contact(engine: &Engine, holds: &mut [Hold], key: Key, outcome: &Outcome, with_wall: bool) {
    let bodies = &engine.bodies;
    let point = LabVec::from_array(outcome.point);
    let place = key.place as usize;
    let (sphere, other) = if with_wall {
        (engine.neighbours.wall_pairs[place].sphere, None)
    } else {
        let [a, b] = engine.neighbours.pairs.spheres[place];
        (a, Some(b))
    };
    let [x, y, z, own] = bodies.spheres[sphere as usize];
    let arm = LabVec::new(x, y, z) - point;
    let normal = arm * (1.0 / arm.norm());
    let (radius, overlap, material) = match other {
        Some(other) => {
            // The point divides the line of centres in the ratio of the radii.
            let theirs = bodies.spheres[other as usize][3];
            let overlap = (own + theirs) * (1.0 - arm.norm() / own);
            (own * theirs / (own + theirs), overlap.max(0.0), bodies.material[key.b as usize])
        }
        None => (
            own,
            contact::overlap(&engine.scene(), engine.physics(), key, true),
            engine.walls[key.b as usize].material,
        ),
    };
    let pair = pair_of(engine, bodies.material[key.a as usize], material);
    let [normal_stiffness, tangential_stiffness] =
        engine.settings.contact.law.visit(Springs { pair, radius, overlap });
    let sticks = engine.settings.contact.has_history() && pair.friction > 0.0;
    let stiffness = if sticks { normal_stiffness.max(tangential_stiffness) } else { normal_stiffness };

    let yields = |row: u32, shift: LabVec<f64>| {
        let (position, orientation) = bodies.shown_pose(row as usize, engine.motion().staggered());
        let [arm, normal] = [point - position - shift, normal].map(|v| orientation.to_body(v).to_array());
        let &crate::kind::Kind { inverse_mass, inverse, .. } = bodies.kind(row as usize);
        let [arm, normal, inverse] = [arm, normal, inverse].map(LabVec::from_array);
        if sticks {
            largest_yield(inverse_mass, inverse, arm)
        } else {
            yield_along(inverse_mass, inverse, arm, normal)
        }
    };
    let first = yields(key.a, LabVec::zero());
    let second = match other {
        Some(_) => yields(key.b, LabVec::from_array(image_shift(&engine.scene(), place))),
        None => 0.0,
    };
    let shared = (first * second).sqrt();
    holds[key.a as usize].add(stiffness * (first + shared), pair.damping);
    if other.is_some() {
        holds[key.b as usize].add(stiffness * (second + shared), pair.damping);
    }
}

/// The body that, landing flat on a plane as fast as anything moves, vibrates fastest.
pub(super) fn of_flat_landing(engine: &Engine, kinds: &[Kind], speed: f64) -> Option<Limit> {
    let mut shortest: Option<Limit> = None;
    for kind in kinds.iter().filter(|kind| kind.inverse_mass > 0.0) {
        for (material, with) in grounds(engine, kind) {
            let pair = pair_of(engine, kind.material, material);
            let landing = flattest(engine, kind, pair, speed);
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
    let walls = (0..).zip(&engine.walls).map(|(number, wall)| (wall.material, Some(Touching::Wall(number))));
    let mut grounds: Vec<_> = walls.collect();
    grounds.sort_by_key(|ground| ground.0);
    grounds.dedup_by_key(|ground| ground.0);
    if let (true, Some(twin)) = (grounds.is_empty(), kind.twin) {
        grounds.push((kind.material, Some(Touching::Body(twin, 0))));
    }
    grounds
}

/// Presses a kind onto a plane from each of many sides, and then from the stiffest side as hard as its energy
/// allows.
fn flattest(engine: &Engine, kind: &Kind, pair: Pair<f64>, speed: f64) -> Hold {
    let energy = 0.5 * kind.mass * speed * speed;
    let law = engine.settings.contact.law;
    let press = |side: LabVec<f64>, depth: f64| {
        law.visit(Press { spheres: kind.spheres(engine), kind, pair, side, depth })
    };
    let sides = sides(kind.spheres(engine));
    // Deep enough for spheres that touch the plane together but for rounding.
    let largest = kind.spheres(engine).iter().fold(0.0, |a: f64, s| a.max(s[3])) * kind.scale;
    let firmness = |side: &LabVec<f64>| press(*side, 1e-3 * largest).0.square;
    let Some(side) = sides.into_iter().max_by(|a, b| firmness(a).total_cmp(&firmness(b))) else {
        return Hold::default();
    };
    let (mut low, mut high) = (0.0, largest);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if press(side, middle).1 < energy {
            low = middle;
        } else {
            high = middle;
        }
    }
    press(side, high).0
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

struct Springs {
    pair: Pair<f64>,
    radius: f64,
    overlap: f64,
}

impl LawVisitor for Springs {
    type Output = [f64; 2];
    fn visit<L: ContactLaw>(self, _: L) -> [f64; 2] {
        let Self { pair, radius, overlap } = self;
        [L::normal_stiffness(&pair, radius, overlap), L::tangential_stiffness(&pair, radius, overlap)]
    }
}

/// A clump pressed against a plane by `depth`; gives its hold and the elastic energy.
struct Press<'a> {
    spheres: &'a [[f64; 4]],
    kind: &'a Kind,
    pair: Pair<f64>,
    side: LabVec<f64>,
    depth: f64,
}

impl LawVisitor for Press<'_> {
    type Output = (Hold, f64);
    fn visit<L: ContactLaw>(self, _: L) -> (Hold, f64) {
        let Self { spheres, kind, pair, side, depth } = self;
        let reach = |&[x, y, z, radius]: &[f64; 4]| (LabVec::new(x, y, z).dot(side) + radius) * kind.scale;
        let farthest = spheres.iter().map(reach).fold(f64::NEG_INFINITY, f64::max);
        let (mut hold, mut energy) = (Hold::default(), 0.0);
        for sphere in spheres {
            let overlap = depth - (farthest - reach(sphere));
            if overlap > 0.0 {
                let &[x, y, z, radius] = sphere;
                let (arm, radius) = (LabVec::new(x, y, z) * kind.scale, radius * kind.scale);
                let sticks = L::INFO.has_history && pair.friction > 0.0;
                let normal = L::normal_stiffness(&pair, radius, overlap);
                let square = if sticks {
                    let stiffness = normal.max(L::tangential_stiffness(&pair, radius, overlap));
                    let arm = arm + side * radius;
                    stiffness * largest_yield(kind.inverse_mass, kind.inverse, arm)
                } else {
                    normal * yield_along(kind.inverse_mass, kind.inverse, arm, side)
                };
                hold.add(square, pair.damping);
                energy += L::elastic(&pair, radius, overlap).1;
            }
        }
        (hold, energy)
    }
}
