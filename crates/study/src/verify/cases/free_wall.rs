//! Walls that move by themselves: a lid that rests, collides and swings, and a gate on hinges.

use crate::verify::arrange::{X, Y, Z, add_floor, add_sphere, first, settings, through_contact, world};
use crate::verify::citations::LANDAU_1976;
use crate::verify::setup::setup;
use crate::verify::theory::{equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::{PI, TAU};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Freedom, Motion, Plane, Timing, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings, World};
use tumble_report::Outcome;
use tumble_rotation::math::elementary::sin_cos;

setup! {
    /// Radius of the ball
    radius: 0.01, "m";
    /// Density of the ball
    density: 1000.0, "kg/m³";
    /// Stiffness of its contact with the lid
    stiffness: 1e4, "N/m";
    /// Mass of the lid
    mass: 0.4, "kg";
    /// Force that drives the lid
    force: 30.0, "N";
    /// Damping of the lid that comes to rest
    damping: 80.0, "N s/m";
    /// Torque that drives a flap
    torque: 0.6, "N m";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Speed of the ball that hits the lid
    speed: 0.5, "m/s";
    /// Moment of inertia of the gate
    inertia: 0.02, "kg m²";
    /// Distance of its centre of mass from the hinges
    arm: 0.15, "m";
    /// Angle from which it swings
    angle: 2.0, "rad";
    /// Time steps in a period
    steps: 2000.0, "";
}

/// The density of a ball that does not give way, kg/m³.
const HEAVY: f64 = 1e12;

pub(super) const CASE: Case = Case {
    id: "free-wall",
    title: "a lid that presses, bounces and swings, a flap, a gate",
    group: Group::Shape,
    sources: &[LANDAU_1976],
    setup: "A lid is pressed on a ball on the floor, and comes to rest, and so is a flap by a torque; one swings on a ball that is too heavy to give way; a ball hits a lid that was at \
            rest; a gate swings from a large angle.",
    exact: "the ball bears drive and weight, and the torque; the lid swings with √(k/M); momentum and energy of two masses; the period of a pendulum, 2π √(I/mgl) over the \
            arithmetic–geometric mean of 1 and cos(θ₀/2)",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();

    let mut resting = simulation.pressing()?;
    resting.advance(100_000)?;
    let borne = theory.force + theory.mass * theory.gravity;
    let settled = "what is left of the settling";
    outcome.findings.push(equals("at rest: force on the lid (N)", borne, resting.walls()[0].force.z, 1e-6, settled));

    let mut held = simulation.flap()?;
    held.advance(100_000)?;
    let torque = held.walls()[0].torque.y;
    outcome.findings.push(equals("at rest: torque on the flap (N m)", -theory.torque, torque, 1e-6, settled));

    let mut swinging = simulation.swinging()?;
    let second = "second order in the step, 2000 in a period";
    let period = TAU * (theory.mass / theory.stiffness).sqrt();
    outcome.findings.push(equals("on a spring: period (s)", period, period_of(&mut swinging)?, 1e-5, second));

    let (ball, lid) = simulation.collision()?;
    let light = sphere_mass(theory.density, theory.radius);
    let all = light + theory.mass;
    let resolved = "of second order in the step, thousands of which resolve the contact";
    outcome.findings.extend([
        equals("collision: ball (m/s)", theory.speed * (light - theory.mass) / all, ball, 1e-5, resolved),
        equals("collision: lid (m/s)", theory.speed * 2.0 * light / all, lid, 1e-5, resolved),
    ]);

    let mut gate = simulation.gate()?;
    let (mut a, mut b) = (1.0, sin_cos(0.5 * theory.angle).1);
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let small = TAU * (theory.inertia / (theory.mass * theory.gravity * theory.arm)).sqrt();
    outcome.findings.push(equals("gate: period (s)", small / a, period_of(&mut gate)?, 1e-5, second));
    Ok(outcome)
}

/// Twice the time between the first two instants at which the first wall turns back: there its speed changes sign.
fn period_of(engine: &mut Engine) -> Result<f64, Error> {
    const MOST: u64 = 100_000;
    let (mut before, mut turned) = (0.0, Vec::new());
    for _ in 0..MOST {
        engine.advance(1)?;
        let (speed, time, dt) = (engine.walls()[0].speed, engine.time(), engine.settings().dt);
        if speed * before < 0.0 {
            turned.push(time - dt * speed / (speed - before));
        }
        if let [first, second] = turned[..] {
            return Ok(2.0 * (second - first));
        }
        before = speed;
    }
    Err(Error::Never { what: "the second return of the wall", steps: MOST })
}

impl Setup {
    fn world(&self) -> World {
        self.world_of(self.density, 1.0)
    }

    fn world_of(&self, density: f64, restitution: f64) -> World {
        let material = Material::new("rubber", density, 1e7, 0.3).with_stiffness(self.stiffness);
        World { gravity: Z * -self.gravity, ..world(material, PairProperties::new(restitution, 0.0)) }
    }

    fn engine(&self, world: World, period: f64) -> Result<Engine, Error> {
        let settings = Settings { max_overlap: 1.0, ..settings(LawKind::Linear, period / self.steps) };
        Ok(Engine::new(world, settings)?)
    }

    /// A lid that is driven and weighed down on a ball that lies on the floor, and slowed down.
    fn pressing(&self) -> Result<Engine, Error> {
        let mut world = self.world_of(self.density, 0.5);
        let ball = add_sphere(&mut world, self.radius)?;
        world.add_body(Body::at(ball, Z * self.radius));
        let freedom = Freedom::sliding(-Z, self.mass)?.driven(self.force, Timing::Always)?;
        let lid = Motion::free(freedom.damped(self.damping)?);
        world.walls.push(Wall::new("lid", Plane::new(Z * (2.0 * self.radius), -Z)?, MaterialId(0), lid)?);
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
        self.engine(world, TAU * (sphere_mass(self.density, self.radius) / self.stiffness).sqrt())
    }

    /// A flap on hinges, as far from a ball as the centre of the gate is from its own, that a torque presses on it; the ball lies in the edge of floor and wall, out of which it is not squeezed.
    fn flap(&self) -> Result<Engine, Error> {
        let mut world = World { gravity: LabVec::zero(), ..self.world_of(self.density, 0.5) };
        let ball = add_sphere(&mut world, self.radius)?;
        world.add_body(Body::at(ball, Z * self.radius));
        let above = Z * (2.0 * self.radius);
        // A tenth of the gate, so that it comes to rest as fast as the lid does.
        let freedom = Freedom::turning(Y, above - X * self.arm, 0.1 * self.inertia)?;
        let driven = freedom.driven(self.torque, Timing::Always)?.damped(0.5 * self.damping * self.arm * self.arm)?;
        world.walls.push(Wall::new("flap", Plane::new(above, -Z)?, MaterialId(0), Motion::free(driven))?);
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
        let side = Plane::new(X * -self.radius, X)?;
        world.walls.push(Wall::new("side", side, MaterialId(0), Motion::fixed())?);
        self.engine(world, TAU * (sphere_mass(self.density, self.radius) / self.stiffness).sqrt())
    }

    /// A lid that is driven against a ball that is too heavy to give way, where nothing weighs.
    fn swinging(&self) -> Result<Engine, Error> {
        let mut world = World { gravity: LabVec::zero(), ..self.world_of(HEAVY, 1.0) };
        let ball = add_sphere(&mut world, self.radius)?;
        world.add_body(Body::at(ball, LabVec::zero()));
        let freedom = Freedom::sliding(-Z, self.mass)?.driven(self.force, Timing::Always)?;
        // Deep enough that it never leaves the ball when it swings back.
        let depth = 0.5 * self.force / self.stiffness;
        let plane = Plane::new(Z * (self.radius - depth), -Z)?;
        world.walls.push(Wall::new("lid", plane, MaterialId(0), Motion::free(freedom))?);
        self.engine(world, TAU * (self.mass / self.stiffness).sqrt())
    }

    /// What becomes of a ball and of a lid that it hits, far from gravity.
    fn collision(&self) -> Result<(f64, f64), Error> {
        let mut world = World { gravity: LabVec::zero(), ..self.world() };
        let ball = add_sphere(&mut world, self.radius)?;
        world.add_body(Body::at(ball, LabVec::zero()).moving(Z * self.speed));
        let plane = Plane::new(Z * (1.001 * self.radius), -Z)?;
        let light = sphere_mass(self.density, self.radius);
        let period = PI * (light / self.stiffness).sqrt();
        let lid = Motion::free(Freedom::sliding(Z, self.mass)?);
        world.walls.push(Wall::new("lid", plane, MaterialId(0), lid)?);
        let mut engine = self.engine(world, period)?;
        through_contact(&mut engine)?;
        Ok((first(&engine).velocity.z, engine.walls()[0].speed))
    }

    /// A gate without anything to touch, drawn at its angle.
    fn gate(&self) -> Result<Engine, Error> {
        let (sine, cosine) = sin_cos(self.angle);
        let centre = LabVec::new(-sine, 0.0, -cosine) * self.arm;
        let freedom = Freedom::turning(Y, LabVec::zero(), self.inertia)?.weighing(self.mass, centre)?;
        let period = TAU * (self.inertia / (self.mass * self.gravity * self.arm)).sqrt();
        let mut world = self.world();
        let plane = Plane::new(LabVec::zero(), Y)?;
        world.walls.push(Wall::new("gate", plane, MaterialId(0), Motion::free(freedom))?);
        self.engine(world, period)
    }
}
