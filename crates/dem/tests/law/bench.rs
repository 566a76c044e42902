//! Small integrators for one contact: a head-on collision, and a sphere on a wall. Energies summed up by what the entries
//! of books count, whatever books a law keeps.

use tumble_dem::law::{
    self, Books, Constants, Contact, ContactLaw, Entry, History, Resisted, RollingModel, TwistingModel,
    react, rolling, twisting,
};
use tumble_dem::law::{EntryKind, Reacted};
use tumble_dem::material::{Material, Materials, PairProperties};
#[cfg(feature = "trace")]
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::record::{Record, to_numbers};
use tumble_math::LabVec;

pub(crate) const UP: LabVec<f64> = LabVec::new(0.0, 0.0, 1.0);

/// The constants of a law for two materials.
pub(crate) fn pair<L: ContactLaw>(a: Material, b: Material, properties: PairProperties) -> L::Constants<f64> {
    constants::<L, rolling::None, twisting::None>(a, b, properties).law
}

/// The constants of a model for two materials.
pub(crate) fn constants<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(
    a: Material,
    b: Material,
    properties: PairProperties,
) -> Constants<L, Ro, Tw, f64> {
    let mut materials = Materials::default();
    let (a, b) = (materials.add(a).unwrap(), materials.add(b).unwrap());
    materials.set_default(properties);
    law::constants::<L, Ro, Tw>(&materials, a, b).unwrap()
}

/// The constants of a model for a material against itself with random properties, about as stiff as that of this modulus:
/// now and then without dashpots or without friction of a kind, and no number follows from the others.
#[cfg(feature = "trace")]
pub(crate) fn random_constants<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(
    young: f64,
    mut between: impl FnMut(f64, f64) -> f64,
) -> Vec<f64> {
    let mut fraction = || between(-0.3, 1.0).max(0.0);
    let (rolling, damping, twisting) = (fraction(), fraction(), fraction());
    let properties = PairProperties::new(1.0 - 0.9 * fraction(), fraction());
    let properties = properties.with_rolling(rolling, damping).with_twisting(twisting);
    let properties = properties.with(&WORK_OF_ADHESION, 1e-9 * young * between(0.01, 1.0));
    let properties = crate::common::for_every_law(properties);
    let stiffness = 1e-3 * young * between(0.01, 10.0);
    let material = Material::new("m", 2500.0, young * between(0.01, 10.0), between(0.0, 0.5));
    let ratio = &tumble_dem::property::STIFFNESS_RATIO;
    let material = material.with_stiffness(stiffness).with(ratio, between(0.1, 2.0));
    let constants = constants::<L, Ro, Tw>(material.clone(), material, properties);
    to_numbers(constants).into_iter().map(|number| number * between(0.5, 1.5)).collect()
}

/// What books say in all: what is stored, and what a step lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Energies {
    pub(crate) stored: f64,
    /// By powers times Δt.
    pub(crate) damped: f64,
    /// Since the step before.
    pub(crate) slipped: f64,
    /// The least of all losses.
    pub(crate) least: f64,
}

impl Energies {
    /// Of the books of a law.
    pub(crate) fn of<B: Books<f64>>(books: B) -> Self {
        assert_eq!(B::ENTRIES.len(), B::SIZE, "an entry for each number");
        let mut sum = Self::default();
        for (Entry { kind, .. }, energy) in B::ENTRIES.iter().zip(to_numbers(books)) {
            match kind {
                EntryKind::Stored | EntryKind::Held => sum.stored += energy,
                EntryKind::Damped => sum.damped += energy,
                EntryKind::Slipped => sum.slipped += energy,
                EntryKind::Torn => {}
            }
            if !kind.is_stored() {
                sum.least = sum.least.min(energy);
            }
        }
        sum
    }

    /// Of a law and its resistances.
    pub(crate) fn of_model<H, B: Books<f64>>(reacted: &Reacted<f64, H, B>) -> Self {
        let (law, resisted) = (Self::of(reacted.books), Self::of(reacted.resisted));
        Self {
            stored: law.stored + resisted.stored,
            damped: law.damped + resisted.damped,
            slipped: law.slipped + resisted.slipped,
            least: law.least.min(resisted.least),
        }
    }

    /// All losses.
    pub(crate) fn lost(&self) -> f64 {
        self.damped + self.slipped
    }

    /// No part of a loss is negative but for rounding.
    #[track_caller]
    pub(crate) fn assert_no_gain(&self) {
        assert!(self.least >= -1e-14 * (self.stored.abs() + self.lost()), "{self:?}");
    }
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
    pair: &L::Constants<f64>,
    (radius, mass): (f64, f64),
    speed: f64,
    dt: f64,
    phase: f64,
) -> Collision {
    let mut collision = Collision { rebound: 0.0, deepest: 0.0, strongest: 0.0, duration: 0.0, lost: 0.0 };
    let (mut gap, mut v, mut a) = (phase * speed * dt, -speed, 0.0);
    let (mut memory, mut overlap_before) = (Record::zero(), 0.0);
    loop {
        let middle = v + 0.5 * dt * a;
        gap += dt * middle;
        let velocity = UP * (middle + 0.5 * dt * a);
        let contact = Contact { overlap_before, velocity, mass, ..Contact::at_rest(UP, radius, -gap) };
        let reaction = L::react(pair, contact, memory, dt);
        (memory, overlap_before) = (reaction.memory, contact.pressed::<L>());
        a = reaction.force.z / mass;
        v = middle + 0.5 * dt * a;
        collision.deepest = collision.deepest.max(-gap);
        collision.strongest = collision.strongest.max(reaction.force.z);
        collision.lost += Energies::of(reaction.books).lost();
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
pub(crate) struct Ball<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel> {
    pub(crate) constants: Constants<L, Ro, Tw, f64>,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) gravity: LabVec<f64>,
    pub(crate) position: LabVec<f64>,
    pub(crate) velocity: LabVec<f64>,
    pub(crate) spin: LabVec<f64>,
    pub(crate) stored: f64,
    pub(crate) resisted: Resisted<f64>,
    pub(crate) lost: f64,
    history: History<L, Ro, Tw, f64>,
    overlap_before: f64,
    acceleration: LabVec<f64>,
    spin_up: LabVec<f64>,
}

impl<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel> Ball<L, Ro, Tw> {
    /// Touching the wall.
    pub(crate) fn new(constants: Constants<L, Ro, Tw, f64>, radius: f64, density: f64) -> Self {
        let nothing = LabVec::zero();
        Self {
            constants,
            radius,
            mass: sphere_mass(density, radius),
            gravity: nothing,
            position: UP * radius,
            velocity: nothing,
            spin: nothing,
            stored: 0.0,
            resisted: Record::zero(),
            lost: 0.0,
            history: Record::zero(),
            overlap_before: 0.0,
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
    pub(crate) fn step(&mut self, dt: f64) {
        let arm = UP * -self.radius;
        let (v, w) = (self.velocity + self.acceleration * (0.5 * dt), self.spin + self.spin_up * (0.5 * dt));
        self.position = self.position + v * dt;
        let (v_now, w_now) = (v + self.acceleration * (0.5 * dt), w + self.spin_up * (0.5 * dt));
        let mut slide = (v + w.cross(arm)) * dt;
        slide.z = 0.0;
        let contact = Contact {
            overlap_before: self.overlap_before,
            velocity: v_now + w_now.cross(arm),
            spin: w_now,
            slide,
            turn: w * dt,
            mass: self.mass,
            inertia: self.inertia(),
            ..Contact::at_rest(UP, self.radius, self.radius - self.position.z)
        };
        let reaction = react::<L, Ro, Tw, f64>(&self.constants, contact, self.history, dt);
        self.history = if contact.overlap <= 0.0 { Record::zero() } else { reaction.history };
        self.overlap_before = contact.pressed::<L>();
        let energies = Energies::of_model(&reaction);
        energies.assert_no_gain();
        (self.stored, self.resisted) = (energies.stored, reaction.resisted);
        self.lost += energies.lost();
        self.acceleration = reaction.force * (1.0 / self.mass) + self.gravity;
        self.spin_up = (arm.cross(reaction.force) + reaction.torque) * (1.0 / self.inertia());
        self.velocity = v + self.acceleration * (0.5 * dt);
        self.spin = w + self.spin_up * (0.5 * dt);
    }
}
