//! The equations of motion of a clump that rubs on a plane or on another clump, written down once more and
//! integrated by Runge–Kutta's classical method: nothing of the engine is in it but the constants of the materials.
//!
//! Springs s obey ds/dt = −k v + Ω × s, with the angular velocity Ω of the contact's frame: n × dn/dt and, about n,
//! the mean of both bodies. They soften with k. At its limit L a spring slides: it keeps the length L and turns
//! towards the sliding. From first touch on to the next instant asked for, time goes with the fourth power of
//! the variable of integration, in which a Hertzian contact is smooth.

use super::pair::Pair;
use tumble_dem::law::LawKind;
use tumble_dem::material::Materials;
use tumble_dem::{BodyState, BodyVec, LabVec, Quat};

/// One of the two bodies.
#[derive(Clone, Copy)]
pub(super) struct Rubbing {
    /// Where it is, and its mass.
    pub(super) state: BodyState,
    /// Centre and radius of the sphere that touches.
    pub(super) centre: BodyVec<f64>,
    pub(super) radius: f64,
}

/// The clump a, and what it touches: the clump b, or else the plane z = 0.
pub(super) struct Equations {
    law: LawKind,
    pair: Pair,
    gravity: LabVec<f64>,
    a: Rubbing,
    b: Option<Rubbing>,
    state: State,
    /// Whether the tangential, the rolling and the twisting spring are at their limits.
    slides: [bool; 3],
    touches: bool,
}

/// Position, velocity, orientation and spin in the body of both; then the tangential, the rolling and the twisting
/// spring, the last along the normal.
const SIZE: usize = 2 * 13 + 9;
type State = [f64; SIZE];

/// A spring, slider and dashpot at one instant.
#[derive(Clone, Copy)]
struct Element {
    stiffness: f64,
    /// The rate of log k, where that is negative.
    softening: f64,
    limit: f64,
    damping: f64,
    velocity: LabVec<f64>,
    /// Of the length of the limit, if it slides.
    spring: LabVec<f64>,
    slides: bool,
    /// What is integrated, over `spring`: of a spring that slides only the direction.
    scale: f64,
}

/// The contact at one instant.
struct Scene {
    normal: LabVec<f64>,
    arms: [LabVec<f64>; 2],
    normal_force: f64,
    elements: [Element; 3],
    /// Ω.
    frame: LabVec<f64>,
}

impl Equations {
    pub(super) fn new(
        law: LawKind,
        materials: &Materials,
        gravity: LabVec<f64>,
        a: &Rubbing,
        b: Option<&Rubbing>,
    ) -> Self {
        let pair = Pair::new(law, materials);
        let mut state = [0.0; SIZE];
        for (place, body) in [Some(a), b].into_iter().enumerate() {
            let Some(BodyState { position, velocity, orientation, angular_velocity, .. }) =
                body.map(|b| b.state)
            else {
                continue;
            };
            let spin = orientation.to_body(angular_velocity);
            let numbers = position.to_array().into_iter().chain(velocity.to_array());
            let numbers = numbers.chain(orientation.to_array()).chain(spin.to_array());
            state[13 * place..].iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
        }
        let (a, b) = (*a, b.copied());
        let mut new = Self { law, pair, gravity, a, b, state, slides: [false; 3], touches: false };
        new.touches = new.overlap(&new.state) > 0.0;
        new
    }

    /// Integrates over `duration`, in so many steps from now, or from first touch, to the end.
    pub(super) fn advance(&mut self, duration: f64, steps: u32) {
        let mut left = duration;
        let mut power = 1;
        if !self.touches {
            left -= self.fly(duration);
            power = 4;
        }
        let at = |step: u32| left * (f64::from(step) / f64::from(steps)).powi(power);
        for step in 0..steps {
            self.step(at(step), at(step + 1), left, power);
        }
    }

    /// Positions, velocities, orientations and spins of the bodies.
    pub(super) fn bodies(&self) -> Vec<BodyState> {
        let bodies = [Some(self.a), self.b].into_iter().flatten().enumerate();
        bodies
            .map(|(place, body)| {
                let Moving { position, velocity, orientation, spin } = moving(&self.state, place);
                let angular_velocity = orientation.to_lab(spin);
                BodyState { position, velocity, orientation, angular_velocity, ..body.state }
            })
            .collect()
    }

    /// Moves freely until the spheres touch, and says how long that took.
    fn fly(&mut self, at_most: f64) -> f64 {
        const STEPS: i32 = 256;
        let step = at_most / f64::from(STEPS);
        for whole in 0..STEPS {
            let next = self.moved(&self.state, step);
            if self.overlap(&next) < 0.0 {
                self.state = next;
                continue;
            }
            let (mut early, mut late) = (0.0, step);
            for _ in 0..60 {
                let middle = 0.5 * (early + late);
                if self.overlap(&self.moved(&self.state, middle)) < 0.0 {
                    early = middle;
                } else {
                    late = middle;
                }
            }
            self.state = self.moved(&self.state, early);
            self.touches = true;
            return f64::from(whole) * step + early;
        }
        panic!("they do not touch");
    }

    fn moved(&self, state: &State, step: f64) -> State {
        runge_kutta(state, step, |_, state| self.rate(state))
    }

    /// From one time to another; their roots are the variable of integration.
    fn step(&mut self, from: f64, to: f64, unit: f64, power: i32) {
        let root = |t: f64| if power == 1 { t / unit } else { (t / unit).sqrt().sqrt() };
        let (begin, step) = (root(from), root(to) - root(from));
        let before = self.scene(&self.state).elements;
        let stretch = |by: f64| unit * f64::from(power) * (begin + by).powi(power - 1);
        self.state = runge_kutta(&self.state, step, |by, state| self.rate(state).map(|x| x * stretch(by)));
        for place in 0..2 {
            let q = &mut self.state[13 * place + 6..13 * place + 10];
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            for x in q {
                *x /= if norm > 0.0 { norm } else { 1.0 };
            }
        }
        let after = self.scene(&self.state).elements;
        for (which, (before, after)) in before.into_iter().zip(after).enumerate() {
            let spring = vector(&self.state, 26 + 3 * which);
            if self.slides[which] {
                store(&mut self.state, 26 + 3 * which, after.spring);
                // It sticks again when the limit grows faster than the spring would.
                let lengthening = before.free_rate().dot(before.spring) / before.limit;
                self.slides[which] = lengthening * (to - from) > after.limit - before.limit;
            } else if spring.norm() > after.limit {
                self.slides[which] = true;
                store(&mut self.state, 26 + 3 * which, spring * (after.limit / spring.norm()));
            }
        }
    }

    fn overlap(&self, state: &State) -> f64 {
        let a = moving(state, 0);
        let centre = a.position + a.orientation.to_lab(self.a.centre);
        match self.b {
            None => self.a.radius - centre.z,
            Some(other) => {
                let b = moving(state, 1);
                let apart = centre - b.position - b.orientation.to_lab(other.centre);
                self.a.radius + other.radius - apart.norm()
            }
        }
    }

    fn scene(&self, state: &State) -> Scene {
        let Pair { springs, dissipation, resistances } = &self.pair;
        let [rolling_friction, rolling_damping, twisting_friction] = *resistances;
        let a = moving(state, 0);
        let omega_a = a.orientation.to_lab(a.spin);
        let arm_centre = a.orientation.to_lab(self.a.centre);
        let centre_a = a.position + arm_centre;
        let centre_speed = a.velocity + omega_a.cross(arm_centre);
        let mass_a = yielding(&self.a, a.orientation);
        let (normal, turning, radius, point, b, omega_b);
        match self.b {
            None => {
                (normal, turning) = (LabVec::new(0.0, 0.0, 1.0), LabVec::zero());
                (radius, point) = (self.a.radius, centre_a - normal * self.a.radius);
                (b, omega_b) = (None, LabVec::zero());
            }
            Some(other) => {
                let moving = moving(state, 1);
                omega_b = moving.orientation.to_lab(moving.spin);
                let arm = moving.orientation.to_lab(other.centre);
                let apart = centre_a - moving.position - arm;
                let speed = centre_speed - moving.velocity - omega_b.cross(arm);
                let distance = apart.norm();
                normal = apart * (1.0 / distance);
                turning = normal.cross(speed) * (1.0 / distance);
                radius = self.a.radius * other.radius / (self.a.radius + other.radius);
                point = centre_a - normal * (distance * self.a.radius / (self.a.radius + other.radius));
                b = Some((other, moving));
            }
        }
        let arm_a = point - a.position;
        let mut velocity = a.velocity + omega_a.cross(arm_a);
        let mut give = mass_a(arm_a.cross(normal));
        let mut arm_b = LabVec::zero();
        if let Some((other, moving)) = b {
            arm_b = point - moving.position;
            velocity = velocity - moving.velocity - omega_b.cross(arm_b);
            give += yielding(&other, moving.orientation)(arm_b.cross(normal));
        }
        let mass = 1.0 / give;
        let overlap = self.overlap(state).max(0.0);
        let separation = velocity.dot(normal);

        // The elastic force, stiffnesses, and how log k follows log δ.
        let (elastic, kn, kt, follows) = if self.law == LawKind::Linear {
            let [kn, kt] = *springs;
            (kn * overlap, kn, kt, 0.0)
        } else {
            let width = (radius * overlap).sqrt();
            let kn = 2.0 * springs[0] * width;
            (kn * overlap / 1.5, kn, 8.0 * springs[1] * width, 0.5)
        };
        let root = (mass * kn).sqrt();
        let normal_force = (elastic - dissipation.damping * root * separation).max(0.0);
        let falling = if separation > 0.0 && overlap > 0.0 { -separation / overlap } else { 0.0 };
        let inertia = 1.4 * mass * radius * radius;
        let kr = 2.25 * kn * (rolling_friction * radius).powi(2);
        let area = radius * overlap;
        let along = |v: LabVec<f64>| normal * v.dot(normal);
        let spin = omega_a - omega_b;
        // Stiffness, exponent, dashpot, limit, velocity.
        let constants = [
            (
                kt,
                follows,
                dissipation.damping_tangential * root,
                dissipation.friction,
                velocity - along(velocity),
            ),
            (
                kr,
                follows,
                2.0 * rolling_damping * (inertia * kr).sqrt(),
                rolling_friction * radius,
                spin - along(spin),
            ),
            (
                0.5 * kt * area,
                follows + 1.0,
                0.5 * dissipation.damping_tangential * root * area,
                area.sqrt() * twisting_friction / 1.5,
                along(spin),
            ),
        ];
        let mut which = 0;
        let elements = constants.map(|(stiffness, follows, damping, limit, velocity)| {
            let limit = limit * normal_force;
            let (spring, slides) = (vector(state, 26 + 3 * which), self.slides[which]);
            which += 1;
            let scale = if slides { spring.norm() / limit } else { 1.0 };
            let (spring, softening) = (spring * (1.0 / scale), follows * falling);
            Element { stiffness, softening, limit, damping, velocity, spring, slides, scale }
        });
        let frame = turning + along(omega_a + omega_b) * 0.5;
        Scene { normal, arms: [arm_a, arm_b], normal_force, elements, frame }
    }

    fn rate(&self, state: &State) -> State {
        let mut rate = [0.0; SIZE];
        let (mut force, mut couple, mut arms) = (LabVec::zero(), LabVec::zero(), [LabVec::zero(); 2]);
        if self.touches {
            let scene = self.scene(state);
            let [tangential, rolling, twisting] = scene.elements.map(|element| element.load());
            force = scene.normal * scene.normal_force + tangential;
            couple = rolling + twisting;
            arms = scene.arms;
            for (which, element) in scene.elements.into_iter().enumerate() {
                let change = element.rate() + scene.frame.cross(element.spring);
                store(&mut rate, 26 + 3 * which, change * element.scale);
            }
        }
        for (place, body) in [Some(self.a), self.b].into_iter().enumerate() {
            let Some(Rubbing { state: BodyState { mass, moments, .. }, .. }) = body else { continue };
            let sign = if place == 0 { 1.0 } else { -1.0 };
            let Moving { velocity, orientation, spin, .. } = moving(state, place);
            let torque = orientation.to_body((arms[place].cross(force) + couple) * sign);
            let change = torque - spin.cross(moments.times(spin));
            let change = [change.x / moments.x, change.y / moments.y, change.z / moments.z];
            store(&mut rate, 13 * place, velocity);
            store(&mut rate, 13 * place + 3, force * (sign / mass) + self.gravity);
            rate[13 * place + 6..13 * place + 10].copy_from_slice(&orientation.derivative(spin).to_array());
            rate[13 * place + 10..13 * place + 13].copy_from_slice(&change);
        }
        rate
    }
}

impl Element {
    /// How the spring would change if it did not slide, in its frame.
    fn free_rate(&self) -> LabVec<f64> {
        self.velocity * -self.stiffness + self.spring * self.softening
    }

    /// How it changes in its frame; if it slides, how its direction does.
    fn rate(&self) -> LabVec<f64> {
        let free = self.free_rate();
        if self.slides {
            free - self.spring * (free.dot(self.spring) / self.spring.norm_squared())
        } else {
            free
        }
    }

    fn load(&self) -> LabVec<f64> {
        let both = self.spring - self.velocity * self.damping;
        both * if both.norm() > self.limit { self.limit / both.norm() } else { 1.0 }
    }
}

struct Moving {
    position: LabVec<f64>,
    velocity: LabVec<f64>,
    orientation: Quat<f64>,
    spin: BodyVec<f64>,
}

fn moving(state: &State, place: usize) -> Moving {
    let n = &state[13 * place..];
    Moving {
        position: vector(state, 13 * place),
        velocity: vector(state, 13 * place + 3),
        orientation: Quat::new(n[6], n[7], n[8], n[9]),
        spin: BodyVec::new(n[10], n[11], n[12]),
    }
}

/// By how much a unit impulse with this moment moves its point.
fn yielding(body: &Rubbing, orientation: Quat<f64>) -> impl Fn(LabVec<f64>) -> f64 {
    let BodyState { mass, moments, .. } = body.state;
    move |moment| {
        let m = orientation.to_body(moment);
        1.0 / mass + m.x * m.x / moments.x + m.y * m.y / moments.y + m.z * m.z / moments.z
    }
}

fn vector(state: &State, first: usize) -> LabVec<f64> {
    LabVec::new(state[first], state[first + 1], state[first + 2])
}

fn store(state: &mut State, first: usize, vector: LabVec<f64>) {
    state[first..first + 3].copy_from_slice(&vector.to_array());
}

/// One step; the rate is given how far it is into the step.
fn runge_kutta(state: &State, step: f64, rate: impl Fn(f64, &State) -> State) -> State {
    let moved = |rate: &State, by: f64| core::array::from_fn(|i| state[i] + by * rate[i]);
    let half = 0.5 * step;
    let k1 = rate(0.0, state);
    let k2 = rate(half, &moved(&k1, half));
    let k3 = rate(half, &moved(&k2, half));
    let k4 = rate(step, &moved(&k3, step));
    core::array::from_fn(|i| state[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}
