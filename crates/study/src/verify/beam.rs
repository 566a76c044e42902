//! Beams made of bonded spheres, clamped at one end, and how they come to rest.

use super::Error;
use super::arrange::{Z, world};
use core::f64::consts::PI;
use std::sync::Arc;
use tumble_dem::advice::LimitKind;
use tumble_dem::bond::{Beam, Bond, BondKind, Limits};
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::field::{BodyView, Drag, ForceField, Load};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, BodyId, Engine, LabVec, Settings, World};

/// kg/m³, of the spheres.
const DENSITY: f64 = 1000.0;

/// The part of the limit that steps have.
const STEP: f64 = 0.8;

/// The part of critical damping of the slowest mode that the fluid gives: with more, the approach to rest would be slower.
const DAMPING: f64 = 0.7;

/// How many times 1/ω of the slowest mode the load takes to set in, and how many more beams are given to come to rest: what is left is e⁻¹⁶ of
/// the motion.
const LOADING: f64 = 8.0;
const REST: f64 = 16.0 / DAMPING;

/// A beam along z, of which the first sphere is held, to be bent towards x.
///
/// Turned about y alone, every quaternion and every vector keeps zeros that are exact, so that it stays in its plane to the last bit. A moment whose
/// axis does not turn along has no potential, and once it has bent a beam to a circle the least disturbance throws the beam out of that plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cantilever {
    pub(super) beam: Beam,
    /// m
    pub(super) length: f64,
    pub(super) bonds: u32,
}

impl Cantilever {
    pub(super) fn spacing(&self) -> f64 {
        self.length / f64::from(self.bonds)
    }

    /// EI, N m².
    pub(super) fn rigidity(&self) -> f64 {
        self.beam.young * self.beam.second_moment()
    }

    fn radius(&self) -> f64 {
        0.45 * self.spacing()
    }

    /// Of a sphere, kg.
    fn mass(&self) -> f64 {
        let radius = self.radius();
        DENSITY * 4.0 / 3.0 * PI * radius * radius * radius
    }

    /// The lowest angular frequency of a beam with the mass of the spheres, 1/s: (βL)² √(EI/μL⁴), cosh βL cos βL = −1.
    pub(super) fn frequency(&self) -> f64 {
        let per_length = self.mass() / self.spacing();
        let square = self.length * self.length;
        FIRST * FIRST * (self.rigidity() / per_length).sqrt() / square
    }

    /// Spheres so soft that their contacts do nothing, which matters where the beam closes a circle. The last one stands for half a spacing, and
    /// has half the mass.
    pub(super) fn world(&self) -> Result<World, Error> {
        let properties = PairProperties::new(1.0, 0.0);
        let mut world = world(Material::new("soft", DENSITY, 1e-9, 0.25), properties);
        let half = world.materials.add(Material::new("half", 0.5 * DENSITY, 1e-9, 0.25))?;
        let sphere = world.add_template(ClumpTemplate::sphere("sphere", self.radius())?)?;
        for number in 0..=self.bonds {
            let mut body = Body::at(sphere, Z * (self.spacing() * f64::from(number)));
            body.held = number == 0;
            world.add_body(if number == self.bonds { body.made_of(half) } else { body });
        }
        let stiffness = self.beam.stiffness(self.spacing());
        world.bonds = (0..self.bonds)
            .map(|number| Bond {
                bodies: [BodyId(number), BodyId(number + 1)],
                arms: [LabVec::zero(); 2],
                kind: BondKind::Beam,
                stiffness,
                damping: 0.0,
                limits: Limits::NONE,
                contact: false,
            })
            .collect();
        Ok(world)
    }

    /// An engine with a step that its bonds bear.
    pub(super) fn engine(world: World) -> Result<Engine, Error> {
        let settings = |dt: f64| Settings { max_overlap: 10.0, ..Settings::new(dt) };
        let limit = Engine::new(world.clone(), settings(1e-12))?.advise();
        let dt = limit.limit(LimitKind::Bonds).map_or(f64::NAN, |limit| STEP * limit.seconds);
        Ok(Engine::new(world, settings(dt))?)
    }

    /// The beam at rest under a load at its tip, which grows to its full size as the beam follows.
    pub(super) fn at_rest(&self, load: Load) -> Result<Engine, Error> {
        let mut world = self.world()?;
        // 6πηR = 2ζmω.
        let omega = self.frequency();
        world.drag = Some(Drag::linear(2.0 * DAMPING * self.mass() * omega / (6.0 * PI * self.radius())));
        world.fields.push(Arc::new(AtTip { tip: BodyId(self.bonds), load, over: LOADING / omega }));
        let mut engine = Self::engine(world)?;
        engine.advance(whole((LOADING + REST) / omega / engine.settings().dt))?;
        Ok(engine)
    }

    /// By how much each sphere is turned about y against the one before it, in all.
    pub(super) fn turn(engine: &Engine) -> f64 {
        let bodies = engine.bodies();
        let turns = bodies.windows(2).map(|pair| {
            let between = pair[0].orientation.conjugate() * pair[1].orientation;
            2.0 * between.y.atan2(between.w)
        });
        turns.sum()
    }
}

/// A number of steps.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and far below 2⁵³")]
pub(super) fn whole(steps: f64) -> u64 {
    steps.ceil() as u64
}

/// βL of the lowest mode of a cantilever: cosh βL cos βL = −1.
pub(super) const FIRST: f64 = 1.875_104_068_711_961;

/// A load on one body, which sets in within a time.
#[derive(Debug)]
struct AtTip {
    tip: BodyId,
    load: Load,
    /// s
    over: f64,
}

impl ForceField for AtTip {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        if body.id != self.tip {
            return Load::ZERO;
        }
        let part = (time / self.over).min(1.0);
        Load { force: self.load.force * part, torque: self.load.torque * part }
    }
}
