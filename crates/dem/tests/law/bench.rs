//! Small integrators for one contact: a head-on collision, and a sphere on a wall.

use tumble_dem::law::{Contact, ContactLaw, History, Lost, Pair, RollingModel, Stored, TwistingModel, react};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_math::LabVec;

pub(crate) const UP: LabVec<f64> = LabVec::new(0.0, 0.0, 1.0);

/// The constants of two materials.
pub(crate) fn pair<L: ContactLaw>(a: Material, b: Material, properties: PairProperties) -> Pair<f64> {
    let mut materials = Materials::default();
    let (a, b) = (materials.add(a).unwrap(), materials.add(b).unwrap());
    materials.set_default(properties);
    materials.pair::<L>(a, b).unwrap()
}

pub(crate) fn sphere_mass(density: f64, radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * density * radius.powi(3)
}

/// The largest number, or NaN if there is one.
pub(crate) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

#[track_caller]
pub(crate) fn assert_close(what: &str, got: f64, expected: f64, tolerance: f64) {
    let error = got / expected - 1.0;
    assert!(error.abs() <= tolerance, "{what}: {got} instead of {expected}, relative error {error:e}");
}

/// A head-on collision.
pub(crate) struct Collision {
    pub(crate) rebound: f64,
    pub(crate) deepest: f64,
    pub(crate) strongest: f64,
    pub(crate) duration: f64,
    pub(crate) lost: f64,
}

/// Velocity Verlet, beginning a fraction `phase` of a step before the contact does.
pub(crate) fn collide<L: ContactLaw>(
    pair: &Pair<f64>,
    (radius, mass): (f64, f64),
    speed: f64,
    dt: f64,
    phase: f64,
) -> Collision {
    let mut collision = Collision { rebound: 0.0, deepest: 0.0, strongest: 0.0, duration: 0.0, lost: 0.0 };
    let (mut gap, mut v, mut a) = (phase * speed * dt, -speed, 0.0);
    let mut history = History::new();
    loop {
        let middle = v + 0.5 * dt * a;
        gap += dt * middle;
        let contact = Contact {
            overlap: -gap,
            slope: 1.0,
            normal: UP,
            velocity: UP * (middle + 0.5 * dt * a),
            spin: LabVec::zero(),
            slide: LabVec::zero(),
            turn: LabVec::zero(),
            radius,
            mass,
            inertia: 1e-8,
        };
        let reaction = L::react(pair, contact, history, dt);
        history = reaction.history;
        a = reaction.force.z / mass;
        v = middle + 0.5 * dt * a;
        collision.deepest = collision.deepest.max(-gap);
        collision.strongest = collision.strongest.max(reaction.force.z);
        collision.lost += reaction.loss.total();
        if gap >= 0.0 && v >= 0.0 {
            // Back to the instant at which the surfaces parted.
            collision.duration += dt - gap / v;
            collision.rebound = v;
            return collision;
        }
        if gap < 0.0 {
            collision.duration += if collision.duration > 0.0 { dt } else { -gap / speed };
        }
        assert!(collision.duration < 1e9 * dt, "the surfaces never part");
    }
}

/// A sphere above the wall z = 0.
pub(crate) struct Ball {
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) gravity: LabVec<f64>,
    pub(crate) position: LabVec<f64>,
    pub(crate) velocity: LabVec<f64>,
    pub(crate) spin: LabVec<f64>,
    pub(crate) history: History<f64>,
    pub(crate) stored: Stored<f64>,
    pub(crate) lost: f64,
    acceleration: LabVec<f64>,
    spin_up: LabVec<f64>,
}

impl Ball {
    /// Touching the wall.
    pub(crate) fn new(radius: f64, density: f64) -> Self {
        let nothing = LabVec::zero();
        Self {
            radius,
            mass: sphere_mass(density, radius),
            gravity: nothing,
            position: UP * radius,
            velocity: nothing,
            spin: nothing,
            history: History::new(),
            stored: Stored { normal: 0.0, tangential: 0.0, rolling: 0.0 },
            lost: 0.0,
            acceleration: nothing,
            spin_up: nothing,
        }
    }

    pub(crate) fn inertia(&self) -> f64 {
        0.4 * self.mass * self.radius * self.radius
    }

    pub(crate) fn kinetic(&self) -> f64 {
        0.5 * self.mass * self.velocity.norm_squared() + 0.5 * self.inertia() * self.spin.norm_squared()
    }

    pub(crate) fn potential(&self) -> f64 {
        -self.mass * self.gravity.dot(self.position)
    }

    /// Velocity Verlet for position and spin; the law sees velocities predicted to the end of the step.
    pub(crate) fn step<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(
        &mut self,
        pair: &Pair<f64>,
        dt: f64,
    ) {
        let arm = UP * -self.radius;
        let (v, w) = (self.velocity + self.acceleration * (0.5 * dt), self.spin + self.spin_up * (0.5 * dt));
        self.position = self.position + v * dt;
        let (v_now, w_now) = (v + self.acceleration * (0.5 * dt), w + self.spin_up * (0.5 * dt));
        let mut slide = (v + w.cross(arm)) * dt;
        slide.z = 0.0;
        let contact = Contact {
            overlap: self.radius - self.position.z,
            slope: 1.0,
            normal: UP,
            velocity: v_now + w_now.cross(arm),
            spin: w_now,
            slide,
            turn: w * dt,
            radius: self.radius,
            mass: self.mass,
            inertia: self.inertia(),
        };
        let mut reaction = react::<L, Ro, Tw, f64>(pair, contact, self.history, dt);
        if contact.overlap <= 0.0 {
            reaction.history = History::new();
        }
        self.history = reaction.history;
        self.stored = reaction.energy;
        assert_no_gain(&reaction.loss, reaction.energy.total());
        self.lost += reaction.loss.total();
        self.acceleration = reaction.force * (1.0 / self.mass) + self.gravity;
        self.spin_up = (arm.cross(reaction.force) + reaction.torque) * (1.0 / self.inertia());
        self.velocity = v + self.acceleration * (0.5 * dt);
        self.spin = w + self.spin_up * (0.5 * dt);
    }
}

/// No part of a loss is negative but for rounding, where `scale` is the energy stored.
#[track_caller]
pub(crate) fn assert_no_gain(loss: &Lost<f64>, scale: f64) {
    for part in
        [loss.normal_damping, loss.tangential_damping, loss.sliding, loss.rolling, loss.rolling_damping]
    {
        assert!(part >= -1e-14 * (scale + loss.total()), "{loss:?}");
    }
}
