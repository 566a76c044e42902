//! The physics of a block of contacts: geometry, motion at the contact, the law. Branch-free loops, compiled
//! for every instruction set.

use super::block::{Block, LANES, lane, row, set_row};
use crate::law::{self, Contact, ContactLaw, ContactVisitor, History, Pair, RollingModel, TwistingModel};
use core::marker::PhantomData;
use tumble_math::{BodyVec, LabVec, Quat, Real};
use tumble_rotation::batch::{InstructionSet, Kernel};

/// Overlap, normal and point of contacts between two spheres each.
pub(crate) struct SphereGeometry<'a>(pub(crate) &'a mut Block);

impl Kernel for SphereGeometry<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let block = self.0;
        for k in 0..LANES {
            let [ax, ay, az, radius_a] = row(&block.sphere_a, k);
            let [bx, by, bz, radius_b] = row(&block.sphere_b, k);
            let (dx, dy, dz) = (ax - bx, ay - by, az - bz);
            let distance = (dx * dx + dy * dy + dz * dz).sqrt();
            // Concentric spheres push each other apart in some direction; the guard stops the run.
            let apart = 0.0 < distance;
            let inverse = 1.0 / f64::select(apart, distance, 1.0);
            let (nx, ny, nz) = (f64::select(apart, dx * inverse, 1.0), dy * inverse, dz * inverse);
            let overlap = radius_a + radius_b - distance;
            // Half-way through the overlap: the same point for both bodies, so that angular momentum is kept.
            let arm = radius_a - 0.5 * overlap;
            block.overlap[k] = overlap;
            block.normal[0][k] = nx;
            block.normal[1][k] = ny;
            block.normal[2][k] = nz;
            block.point[0][k] = ax - nx * arm;
            block.point[1][k] = ay - ny * arm;
            block.point[2][k] = az - nz * arm;
            block.radius[k] = radius_a * radius_b / (radius_a + radius_b);
        }
    }
}

/// Evaluates the law of all lanes.
pub(crate) struct EvaluateLaw<'a> {
    pub(crate) block: &'a mut Block,
    pub(crate) dt: f64,
    pub(crate) set: InstructionSet,
}

impl ContactVisitor for EvaluateLaw<'_> {
    type Output = ();
    fn visit<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) {
        self.set.run(LawLoop::<L, M, T> { block: self.block, dt: self.dt, model: PhantomData });
    }
}

struct LawLoop<'a, L, M, T> {
    block: &'a mut Block,
    dt: f64,
    model: PhantomData<(L, M, T)>,
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Kernel for LawLoop<'_, L, M, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { block, dt, .. } = self;
        let moving = L::INFO.uses_velocity || M::INFO.uses_velocity || T::INFO.uses_velocity;
        for k in 0..LANES {
            let normal: LabVec<f64> = lane(&block.normal, k);
            let mut contact = Contact {
                overlap: block.overlap[k],
                normal,
                velocity: LabVec::zero(),
                spin: LabVec::zero(),
                slide: LabVec::zero(),
                turn: LabVec::zero(),
                radius: block.radius[k],
                mass: 1.0,
            };
            let mut history = History::new();
            if moving {
                let point: LabVec<f64> = lane(&block.point, k);
                let arm_a = point - lane(&block.a.position, k);
                let arm_b = point - lane(&block.b.position, k);
                let omega_a: LabVec<f64> = lane(&block.a.omega, k);
                let omega_b: LabVec<f64> = lane(&block.b.omega, k);
                let velocity_a = lane(&block.a.velocity, k) + omega_a.cross(arm_a);
                let velocity_b = lane(&block.b.velocity, k) + omega_b.cross(arm_b);
                contact.velocity = velocity_a - velocity_b;
                contact.spin = omega_a - omega_b;
                let yield_a = block.a.inverse_mass[k]
                    + turning_yield(row(&block.a.q, k), lane(&block.a.inverse, k), arm_a.cross(normal));
                let yield_b = block.b.inverse_mass[k]
                    + turning_yield(row(&block.b.q, k), lane(&block.b.inverse, k), arm_b.cross(normal));
                contact.mass = 1.0 / (yield_a + yield_b);

                let mean_twist = 0.5 * dt * (omega_a + omega_b).dot(normal);
                let frame = FrameTurn::new(lane(&block.old_normal, k), normal, mean_twist);
                let known = block.known[k];
                // A contact that has just begun has slid only since it began.
                let closing = -contact.velocity.dot(normal);
                let begun = f64::select(contact.overlap < closing * dt, contact.overlap / closing, dt);
                let begun = f64::select(0.5 < known, 0.0, begun);
                let half = 0.5 * dt * known;
                let old_velocity = frame.carry(lane(&block.old_velocity, k));
                let slide = contact.velocity * (half + begun) + old_velocity * half;
                contact.slide = contact.tangential(slide);
                history = History::from_array(row(&block.history, k));
                history.spring = contact.tangential(frame.carry(history.spring));
                if M::INFO.uses_velocity || T::INFO.uses_velocity {
                    let old_spin = frame.carry(lane(&block.old_spin, k));
                    contact.turn = contact.spin * (half + begun) + old_spin * half;
                    history.rolling = contact.tangential(frame.carry(history.rolling));
                }
                set_row(&mut block.velocity, k, contact.velocity.to_array());
                set_row(&mut block.spin, k, contact.spin.to_array());
            }
            let pair = Pair::from_array(row(&block.pair, k));
            let reaction = law::react::<L, M, T, f64>(&pair, contact, history, dt);
            let weight = block.weight[k];
            set_row(&mut block.force, k, (reaction.force * weight).to_array());
            set_row(&mut block.couple, k, (reaction.torque * weight).to_array());
            set_row(&mut block.new_history, k, reaction.history.to_array());
            let (energy, loss) = (reaction.energy, reaction.loss);
            block.stored[0][k] = energy.normal * weight;
            block.stored[1][k] = energy.tangential * weight;
            block.stored[2][k] = energy.rolling * weight;
            block.lost[0][k] = loss.normal_damping * weight;
            block.lost[1][k] = loss.tangential_damping * weight;
            block.lost[2][k] = loss.sliding * weight;
            block.lost[3][k] = loss.rolling * weight;
        }
    }
}

/// How much a unit impulse with the lever `moment` about the centre of mass moves its own point by turning the
/// body: moment · I⁻¹ moment.
#[inline(always)]
fn turning_yield(q: [f64; 4], inverse: BodyVec<f64>, moment: LabVec<f64>) -> f64 {
    let moment = Quat::from_array(q).to_body(moment);
    moment.dot(inverse.times(moment))
}

/// How the frame of a contact turned since the last step: with its normal, by the shortest way, and about it
/// with the mean spin of the two bodies. What a contact remembers turns along, so a pair that turns as a whole
/// feels nothing of it (objectivity).
struct FrameTurn {
    old: LabVec<f64>,
    new: LabVec<f64>,
    inverse: f64,
    cosine: f64,
    sine: f64,
}

impl FrameTurn {
    #[inline(always)]
    fn new(old: LabVec<f64>, new: LabVec<f64>, twist: f64) -> Self {
        // The rational half-angle form is a rotation to round-off, and the angle to third order.
        let t = 0.5 * twist;
        let scale = 1.0 / (1.0 + t * t);
        let inverse = 1.0 / (1.0 + old.dot(new));
        Self { old, new, inverse, cosine: (1.0 - t * t) * scale, sine: 2.0 * t * scale }
    }

    #[inline(always)]
    fn carry(&self, vector: LabVec<f64>) -> LabVec<f64> {
        let Self { old, new, .. } = *self;
        let along = vector.dot(old);
        let across = vector - old * along;
        // The turn from old to new of a vector at right angles to old.
        let across = across - (old + new) * (across.dot(new) * self.inverse);
        new * along + across * self.cosine + new.cross(across) * self.sine
    }
}
