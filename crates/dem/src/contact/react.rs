//! The physics of a block of contacts: geometry, motion at the contact, the law. Branch-free loops, compiled
//! for every instruction set.

use super::block::{Block, Lanes3};
use super::lanes::{LANES, Lanes, row};
use super::{MEMORY, Memory, Turning};
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
            // The point divides the line of centres in the ratio of the radii. It is the same for both bodies, so
            // that angular momentum is kept; on a wall, where one radius is infinite, the lever is the radius.
            let part = radius_a * (1.0 / (radius_a + radius_b));
            let arm = distance * part;
            block.overlap[k] = overlap;
            block.normal[0][k] = nx;
            block.normal[1][k] = ny;
            block.normal[2][k] = nz;
            block.point[0][k] = ax - nx * arm;
            block.point[1][k] = ay - ny * arm;
            block.point[2][k] = az - nz * arm;
            block.radius[k] = part * radius_b;
        }
    }
}

/// Evaluates the law of all lanes.
pub(crate) struct EvaluateLaw<'a> {
    pub(crate) block: &'a Block,
    /// What is remembered of the last step; afterwards, of this one.
    pub(crate) memory: &'a mut [Lanes; MEMORY],
    pub(crate) turning: &'a mut [Lanes; 7],
    pub(crate) outcome: &'a mut [Lanes; 20],
    pub(crate) couple: &'a mut [Lanes; 3],
    pub(crate) dt: f64,
    /// Time since the last evaluation, s: how long a contact that is not known can have lasted.
    pub(crate) at_most: f64,
    pub(crate) set: InstructionSet,
}

impl ContactVisitor for EvaluateLaw<'_> {
    type Output = ();
    fn visit<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) {
        self.set.run(LawLoop::<L, M, T> { work: self, model: PhantomData });
    }
}

struct LawLoop<'a, L, M, T> {
    work: EvaluateLaw<'a>,
    model: PhantomData<(L, M, T)>,
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Kernel for LawLoop<'_, L, M, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let EvaluateLaw { block, memory, turning, outcome, couple, dt, at_most, .. } = self.work;
        law_loop::<L, M, T>(block, memory, turning, outcome, couple, [dt, at_most]);
    }
}

/// The loop. What it writes comes in parameters of their own, so that the compiler knows that they do not
/// overlap; else it would not vectorise.
#[inline(always)]
fn law_loop<L: ContactLaw, M: RollingModel, T: TwistingModel>(
    block: &Block,
    memory: &mut [Lanes; MEMORY],
    turning: &mut [Lanes; 7],
    outcome: &mut [Lanes; 20],
    couple: &mut [Lanes; 3],
    [dt, at_most]: [f64; 2],
) {
    let resists_turning = M::INFO.uses_velocity || T::INFO.uses_velocity;
    let moving = L::INFO.uses_velocity || L::INFO.has_history || resists_turning;
    let [lasted, shares] = if moving { beginnings::<L>(block, dt, at_most) } else { LONG_KNOWN };
    // How far the overlap moved in the step that led here, or will in the next one if it ends.
    let mut ways = [0.0; LANES];
    // Copies, so that what is read overlaps with nothing that is written.
    let (old_memory, old_turning) = (*memory, *turning);
    for k in 0..LANES {
        let point = vector(&block.point, k);
        let arm_a = point - vector(&block.a.position, k);
        let arm_b = point - vector(&block.b.position, k);
        let Seen { mut contact, history, swirl } = if moving {
            let remembered = (row(&old_memory, k), row(&old_turning, k));
            in_motion(block, k, remembered, [arm_a, arm_b], resists_turning, [at_most, lasted[k]])
        } else {
            Seen { contact: at_rest(block, k), history: History::new(), swirl: 0.0 }
        };
        let share = shares[k];
        let (velocity, spin) = (contact.velocity, contact.spin);
        contact.velocity = velocity * share;
        contact.spin = spin * share;
        let pair = Pair::from_array(row(&block.pair, k));
        let reaction = law::react::<L, M, T, f64>(&pair, contact, history, dt);
        let weight = block.weight[k];
        let force = reaction.force * weight;
        let apart = if moving { velocity.dot(contact.normal) } else { approach(block, k, [arm_a, arm_b]) };
        let way = f64::select(0.0 < apart, apart, -apart * NEARLY) * contact.slope * dt;
        ways[k] = if moving {
            // Whether it has just begun is known of a contact that is remembered. One that goes to and fro in a few
            // steps is left alone.
            let stiffness = L::normal_stiffness(&pair, contact.radius, contact.overlap);
            let resolved = stiffness * (dt * dt) < RESOLVED * contact.mass;
            f64::select(resolved && (0.0 < apart || 0.0 < lasted[k]), way, 0.0)
        } else {
            way
        };
        let pure = reaction.torque * weight;
        if moving {
            store(memory, k, 0, contact.normal);
            store(memory, k, 3, contact.tangential(velocity) + contact.normal * swirl);
            store(memory, k, 6, reaction.history.spring);
            memory[9][k] = reaction.history.overlap;
            memory[10][k] = (reaction.energy.tangential + reaction.energy.rolling) * weight;
        }
        if resists_turning {
            store(turning, k, 0, spin);
            store(turning, k, 3, reaction.history.rolling);
            turning[6][k] = reaction.history.twist;
            store(couple, k, 0, pure);
        }
        store(outcome, k, 0, force);
        store(outcome, k, 3, point);
        store(outcome, k, 6, arm_a.cross(force) + pure);
        store(outcome, k, 9, -(arm_b.cross(force) + pure));
        outcome[12][k] = reaction.energy.normal * weight;
        outcome[13][k] = reaction.energy.tangential * weight;
        outcome[14][k] = reaction.energy.rolling * weight;
        let rate = weight / share;
        outcome[15][k] = reaction.loss.normal_damping * rate;
        outcome[16][k] = reaction.loss.tangential_damping * rate;
        outcome[17][k] = reaction.loss.sliding * weight;
        outcome[18][k] = reaction.loss.rolling * weight;
        outcome[19][k] = reaction.loss.rolling_damping * rate;
    }
    let deepest = (0..LANES).fold(0.0, |most: f64, k| largest(most, ways[k] - block.overlap[k]));
    if 0.0 < deepest {
        correct_kicks::<L>(block, outcome, &ways);
    }
}

/// A contact that began right at the last step is found in this one, and its overlap is the whole way.
const NEARLY: f64 = 1.0 + 1e-9;

/// The square of ωΔt below which a spring is resolved: twelve steps in a period.
const RESOLVED: f64 = 0.25;

/// Corrects the first and the last kick of contacts without a normal dashpot: the beginning and the end of a dashpot
/// leave more than those of the spring. Few blocks have any, so this has a loop of its own.
#[inline(always)]
fn correct_kicks<L: ContactLaw>(block: &Block, outcome: &mut [Lanes; 20], ways: &Lanes) {
    for k in 0..LANES {
        let (pair, overlap, way) = (Pair::from_array(row(&block.pair, k)), block.overlap[k], ways[k]);
        let applies = overlap < way && 0.0 < overlap && pair.damping <= 0.0;
        let way = f64::select(applies, way, 1.0);
        let kick = first_kick::<L>(&pair, block.radius[k], overlap, way);
        let more = (kick - L::elastic(&pair, block.radius[k], overlap).0) * block.slope[k] * block.weight[k];
        let more = vector(&block.normal, k) * f64::select(applies, more, 0.0);
        let point = vector(&block.point, k);
        let torque_a = (point - vector(&block.a.position, k)).cross(more);
        let torque_b = (point - vector(&block.b.position, k)).cross(more);
        for axis in 0..3 {
            outcome[axis][k] += more.to_array()[axis];
            outcome[6 + axis][k] += torque_a.to_array()[axis];
            outcome[9 + axis][k] -= torque_b.to_array()[axis];
        }
    }
}

/// The force of the spring in the first kick of a contact, and in the last: where the overlap δ is less than the way
/// w = vΔt of a step.
///
/// Kicks Σ F(δₙ)Δt are a quadrature of the impulse. It is accurate where the force is smooth, but not where it
/// sets in; what is left of the energy after a collision depends on how the steps fall on that instant. By the
/// formula of Euler and Maclaurin the rest of the sum from δ + w on stands for the integral from there, less half
/// the first term, plus its slope over 12. So a first kick of
///
/// U(δ + w)/w − ½F(δ + w) + F′(δ + w) w/12
///
/// makes the whole sum that of the integral from first touch. The rule is the same backwards in time.
#[inline(always)]
fn first_kick<L: ContactLaw>(pair: &Pair<f64>, radius: f64, overlap: f64, way: f64) -> f64 {
    let later = overlap + way;
    let (force, energy) = L::elastic(pair, radius, later);
    energy / way - 0.5 * force + L::normal_stiffness(pair, radius, later) * way * (1.0 / 12.0)
}

/// How long a contact has lasted within its first step, s; and by what its dashpots are multiplied in it.
type Beginnings = [Lanes; 2];

/// Contacts that did not begin in this step.
const LONG_KNOWN: Beginnings = [[0.0; LANES], [1.0; LANES]];

/// When contacts began that are new in this step. Few blocks have any, so this has a loop of its own.
#[inline(always)]
fn beginnings<L: ContactLaw>(block: &Block, dt: f64, at_most: f64) -> Beginnings {
    let [mut lasted, mut shares] = LONG_KNOWN;
    let known = block.known.iter().fold(1.0, |least: f64, &known| f64::select(known < least, known, least));
    // At the start of a run nothing is known of the time before.
    if 0.5 < known || at_most <= 0.0 {
        return LONG_KNOWN;
    }
    let inverse_dt = 1.0 / dt;
    for k in 0..LANES {
        let point = vector(&block.point, k);
        let arms = [point - vector(&block.a.position, k), point - vector(&block.b.position, k)];
        let (overlap, closing) = (block.overlap[k], -approach(block, k, arms));
        let within = overlap < closing * at_most;
        let since = f64::select(within, overlap / f64::select(within, closing, 1.0), at_most);
        let is_new = block.known[k] < 0.5;
        lasted[k] = f64::select(is_new, since, 0.0);
        shares[k] = f64::select(is_new, L::onset(since * inverse_dt), 1.0);
    }
    [lasted, shares]
}

/// How fast the bodies of a contact move apart.
#[inline(always)]
fn approach(block: &Block, k: usize, [arm_a, arm_b]: [LabVec<f64>; 2]) -> f64 {
    let velocity_a = vector(&block.a.velocity, k) + vector(&block.a.omega, k).cross(arm_a);
    let velocity_b = vector(&block.b.velocity, k) + vector(&block.b.omega, k).cross(arm_b);
    (velocity_a - velocity_b).dot(vector(&block.normal, k))
}

/// A contact as the law sees it.
struct Seen {
    contact: Contact<f64>,
    history: History<f64>,
    /// How fast its frame twists about the normal, times the effective radius, m/s.
    swirl: f64,
}

/// A contact whose law asks for nothing but the overlap.
#[inline(always)]
fn at_rest(block: &Block, k: usize) -> Contact<f64> {
    Contact {
        overlap: block.overlap[k],
        slope: block.slope[k],
        normal: vector(&block.normal, k),
        velocity: LabVec::zero(),
        spin: LabVec::zero(),
        slide: LabVec::zero(),
        turn: LabVec::zero(),
        radius: block.radius[k],
        mass: 1.0,
        inertia: 1.0,
    }
}

/// A contact with its motion, and with what it remembers turned into its present frame.
#[inline(always)]
fn in_motion(
    block: &Block,
    k: usize,
    (remembered, turned): (Memory, Turning),
    [arm_a, arm_b]: [LabVec<f64>; 2],
    resists_turning: bool,
    [dt, lasted]: [f64; 2],
) -> Seen {
    let mut contact = at_rest(block, k);
    let normal = contact.normal;
    let omega_a = vector(&block.a.omega, k);
    let omega_b = vector(&block.b.omega, k);
    let velocity_a = vector(&block.a.velocity, k) + omega_a.cross(arm_a);
    let velocity_b = vector(&block.b.velocity, k) + omega_b.cross(arm_b);
    contact.velocity = velocity_a - velocity_b;
    contact.spin = omega_a - omega_b;
    let yield_a = block.a.inverse_mass[k]
        + turning_yield(row(&block.a.q, k), row(&block.a.inverse, k), arm_a.cross(normal));
    let yield_b = block.b.inverse_mass[k]
        + turning_yield(row(&block.b.q, k), row(&block.b.inverse, k), arm_b.cross(normal));
    let together = block.mass[k];
    contact.mass = f64::select(0.0 < together, together, 1.0 / (yield_a + yield_b));

    let [nx, ny, nz, vx, vy, vz, sx, sy, sz, overlap, _] = remembered;
    let known = block.known[k];
    let had_normal = 0.5 < known;
    // A contact that has just begun has no old normal; its own will do.
    let old_normal = LabVec::new(
        f64::select(had_normal, nx, normal.x),
        f64::select(had_normal, ny, normal.y),
        f64::select(had_normal, nz, normal.z),
    );
    // The trapezoid rule for what moved since the last step: the twist of the frame, slide and turn. A rectangle for
    // any of them would make springs first order. The velocity remembered is tangential, which leaves its normal
    // part for the twist.
    let moved = LabVec::new(vx, vy, vz);
    let old_swirl = moved.dot(old_normal);
    let swirl = 0.5 * (omega_a + omega_b).dot(normal) * contact.radius;
    let twist = 0.5 * dt * (old_swirl + swirl) / contact.radius;
    let frame = FrameTurn::new(old_normal, normal, twist);
    let half = 0.5 * dt * known;
    let old_velocity = frame.carry_tangent(moved - old_normal * old_swirl);
    // A contact that has just begun has slid only since it began.
    contact.slide = contact.tangential(contact.velocity * (half + lasted) + old_velocity * half);
    let mut history = History::new();
    history.spring = contact.tangential(frame.carry_tangent(LabVec::new(sx, sy, sz)));
    history.overlap = overlap;
    if resists_turning {
        let [ox, oy, oz, rx, ry, rz, twist] = turned;
        let old_spin = frame.carry(LabVec::new(ox, oy, oz));
        contact.turn = contact.spin * (half + lasted) + old_spin * half;
        history.rolling = contact.tangential(frame.carry_tangent(LabVec::new(rx, ry, rz)));
        history.twist = twist;
        let easiest = |side: &Lanes3| largest(side[0][k], largest(side[1][k], side[2][k]));
        contact.inertia = block.share[k] / (easiest(&block.a.inverse) + easiest(&block.b.inverse));
    }
    Seen { contact, history, swirl }
}

#[inline(always)]
fn store<const N: usize>(columns: &mut [Lanes; N], k: usize, first: usize, vector: LabVec<f64>) {
    columns[first][k] = vector.x;
    columns[first + 1][k] = vector.y;
    columns[first + 2][k] = vector.z;
}

#[inline(always)]
fn largest(a: f64, b: f64) -> f64 {
    f64::select(a < b, b, a)
}

#[inline(always)]
fn vector(columns: &[Lanes; 3], k: usize) -> LabVec<f64> {
    LabVec::new(columns[0][k], columns[1][k], columns[2][k])
}

/// How much a unit impulse with the lever `moment` about the centre of mass moves its own point by turning the
/// body: moment · I⁻¹ moment.
#[inline(always)]
fn turning_yield(q: [f64; 4], inverse: [f64; 3], moment: LabVec<f64>) -> f64 {
    let moment = Quat::from_array(q).to_body(moment);
    moment.dot(BodyVec::from_array(inverse).times(moment))
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
        // No shortest way leads to the opposite normal, and `old + new` is zero then.
        let both = 1.0 + old.dot(new);
        let inverse = f64::select(0.0 < both, 1.0 / f64::select(0.0 < both, both, 1.0), 0.0);
        Self { old, new, inverse, cosine: (1.0 - t * t) * scale, sine: 2.0 * t * scale }
    }

    #[inline(always)]
    fn carry(&self, vector: LabVec<f64>) -> LabVec<f64> {
        let Self { old, new, .. } = *self;
        let along = vector.dot(old);
        new * along + self.carry_tangent(vector - old * along)
    }

    /// As [`carry`](Self::carry), of a vector at right angles to the old normal.
    #[inline(always)]
    fn carry_tangent(&self, vector: LabVec<f64>) -> LabVec<f64> {
        let Self { old, new, .. } = *self;
        let turned = vector - (old + new) * (vector.dot(new) * self.inverse);
        turned * self.cosine + new.cross(turned) * self.sine
    }
}
