//! Which time step is possible, and what says so.
//!
//! | limit | seconds | recommended part |
//! | --- | --- | --- |
//! | Rayleigh time of the smallest sphere | πR √(ρ/G) / (0.1631ν + 0.8766) | 0.2 |
//! | collision at the largest closing speed | the law's own contact time | 1/50 |
//! | stiffness of the contacts of a body | 2/ω, ω² = Σ kₙ (1/m + lever²/I), less for dashpots | 0.1 |
//! | rolling and twisting resistance | the same of the modes that turn a body | 0.1 |
//! | bonds of a body | the same of the springs of its bonds | 0.1 |
//! | heat of a body | mc/ΣH | 0.1 |
//! | spin | the time of one radian | 0.1 |
//!
//! The first is custom (Thornton & Randall 1988; Li et al. 2005), for waves that no rigid body has; it counts for
//! single spheres and is shown without counting for clumps, whose spheres have the mass of a whole body behind
//! them. The others are what the integration itself can resolve.

mod bonds;
mod collision;
mod heat;
mod kinds;
mod stiffness;
mod turning;

pub(crate) use stiffness::{Hold, Press};
pub(crate) use turning::limit_of_present_resistance;

use crate::engine::{Engine, Settings};
use crate::error::Error;
use crate::law::ContactModel;
use crate::property::{POISSON, YOUNG};
use crate::report::Touching;
use crate::world::{BodyId, World};
use core::f64::consts::PI;
use core::fmt;
use kinds::Kind;
use tumble_math::LabVec;

/// The part of the Rayleigh time that is custom.
pub const RAYLEIGH_FRACTION: f64 = 0.2;

/// The part of a collision's duration: fifty steps. An elastic collision then keeps its energy to 5·10⁻⁶ whatever its phase
/// relative to the steps (`tumble verify elastic-phase`).
pub const COLLISION_FRACTION: f64 = 1.0 / 50.0;

/// The part of the stability limit 2/ω: 31 steps in a period of the stiffest mode.
pub const STIFFNESS_FRACTION: f64 = 0.1;

/// The angle turned in a step, rad. The second-order schemes then lag behind the exact motion by at most about
/// 10⁻³ of the angle they turn.
pub const SPIN_FRACTION: f64 = 0.1;

/// What limits a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Surface waves of a single sphere.
    Rayleigh,
    /// Surface waves of a sphere of a clump; never binds.
    RayleighOfClump,
    /// The shortest collision that the present speeds allow.
    Collision,
    /// The stiffest body with its present contacts.
    PresentContacts,
    /// The stiffest body that lands flat on a plane, as hard as the present speeds allow.
    FlatLanding,
    /// Rolling and twisting resistance of a body in its present contacts, or of one that lands.
    Turning,
    /// The stiffest body with its bonds.
    Bonds,
    /// The body that becomes as warm as all around it first.
    Heat,
    /// The fastest rotation.
    Spin,
}

/// Where a limit comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// The body.
    pub body: BodyId,
    /// Which of its spheres, if it is a matter of one.
    pub sphere: Option<u32>,
    /// What it touches or could touch.
    pub with: Option<Touching>,
}

/// One limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// What it is about.
    pub kind: LimitKind,
    /// The limit itself, s.
    pub seconds: f64,
    /// Which part of it is recommended.
    pub fraction: f64,
    /// The body, pair or contact that gives it.
    pub site: Site,
    /// One sentence: the numbers it comes from.
    pub explanation: String,
}

/// All limits of a world at one instant.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Advice {
    /// In the order of [`LimitKind`]; those that do not apply are absent.
    pub limits: Vec<Limit>,
}

impl LimitKind {
    /// A few words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rayleigh => "Rayleigh time",
            Self::RayleighOfClump => "Rayleigh time, clump",
            Self::Collision => "collision",
            Self::PresentContacts => "present contacts",
            Self::FlatLanding => "flat landing",
            Self::Turning => "rolling, twisting",
            Self::Bonds => "bonds",
            Self::Heat => "conduction of heat",
            Self::Spin => "spin",
        }
    }

    /// Whether it counts for the recommendation.
    pub const fn counts(self) -> bool {
        !matches!(self, Self::RayleighOfClump)
    }
}

impl Limit {
    /// The longest time step that this limit recommends, s.
    pub fn recommended(&self) -> f64 {
        self.seconds * self.fraction
    }
}

impl Advice {
    /// The longest time step that all limits recommend, s; infinite if nothing limits it.
    pub fn recommended(&self) -> f64 {
        self.binding().map_or(f64::INFINITY, Limit::recommended)
    }

    /// The limit that recommends the shortest step.
    pub fn binding(&self) -> Option<&Limit> {
        let counting = self.limits.iter().filter(|limit| limit.kind.counts());
        counting.min_by(|a, b| a.recommended().total_cmp(&b.recommended()))
    }

    /// The limit of a kind.
    pub fn limit(&self, kind: LimitKind) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.kind == kind)
    }
}

/// The time steps possible for a world that is not running yet.
///
/// ```
/// use tumble_dem::advice::{LimitKind, advise};
/// use tumble_dem::law::ContactModel;
/// let scene = tumble_dem::scenes::bouncing_rods(1)?;
/// let advice = advise(&scene.world, scene.contact)?;
/// assert_eq!(advice.binding().unwrap().kind, LimitKind::Collision);
/// assert!(advice.recommended() < scene.dt);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn advise(world: &World, contact: ContactModel) -> Result<Advice, Error> {
    // No step is taken; the step only has to be one.
    let settings = Settings { contact, ..Settings::new(1e-12) };
    Ok(Engine::new(world.clone(), settings)?.advise())
}

impl Engine {
    /// The time steps possible for the bodies as they are now: their speeds, spins and contacts.
    ///
    /// Speeds are those of the present instant, and those after a fall to the lowest body or wall.
    pub fn advise(&self) -> Advice {
        let kinds = kinds::of(self);
        let speed = collision::closing_speed(self);
        let [single, clump] = [true, false].map(|single| rayleigh(self, &kinds, single));
        let limits = [
            single,
            clump,
            collision::limit(self, &kinds, speed),
            stiffness::of_present_contacts(self),
            stiffness::of_flat_landing(self, &kinds, speed),
            turning::limit(self, &kinds, speed),
            bonds::limit(self),
            heat::limit(self),
            spin(self),
        ];
        let possible = |limit: &Limit| limit.seconds > 0.0 && limit.seconds.is_finite();
        Advice { limits: limits.into_iter().flatten().filter(possible).collect() }
    }
}

/// The shortest Rayleigh time among bodies of one sphere, or among clumps.
fn rayleigh(engine: &Engine, kinds: &[Kind], single: bool) -> Option<Limit> {
    let mut shortest: Option<Limit> = None;
    for kind in kinds.iter().filter(|kind| (kind.spheres(engine).len() == 1) == single) {
        let material = &engine.rules.materials.as_slice()[usize::from(kind.material)];
        if !engine.rules.groups.met_by(kind.material).any(|group| group.model.law.info().reads(&YOUNG)) {
            continue;
        }
        let (Some(young), Some(poisson)) = (material.get(&YOUNG), material.get(&POISSON)) else { continue };
        let density = material.density;
        let shear = young / (2.0 * (1.0 + poisson));
        for (sphere, [.., radius]) in (0..).zip(kind.spheres(engine)) {
            let radius = radius * kind.scale;
            let seconds = PI * radius * (density / shear).sqrt() / (0.1631 * poisson + 0.8766);
            if shear.is_finite() && shortest.as_ref().is_none_or(|limit| seconds < limit.seconds) {
                shortest = Some(Limit {
                    kind: if single { LimitKind::Rayleigh } else { LimitKind::RayleighOfClump },
                    seconds,
                    fraction: RAYLEIGH_FRACTION,
                    site: Site { body: kind.body, sphere: Some(sphere), with: None },
                    explanation: format!(
                        "surface waves around a sphere of radius {radius:.3e} m and shear modulus \
                         {shear:.3e} Pa{}",
                        if single { "" } else { "; custom for spheres, no limit for a rigid clump" }
                    ),
                });
            }
        }
    }
    shortest
}

/// The time in which the fastest body turns by one radian.
fn spin(engine: &Engine) -> Option<Limit> {
    let states = engine.bodies();
    let spins = states.iter().map(|state| (state.angular_velocity.norm(), state.id));
    let (fastest, body) = spins.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Limit {
        kind: LimitKind::Spin,
        seconds: 1.0 / fastest,
        fraction: SPIN_FRACTION,
        site: Site { body, sphere: None, with: None },
        explanation: format!(
            "one radian at {fastest:.3e} rad/s; at {SPIN_FRACTION} rad a step, second-order schemes err by \
             about 10⁻³ of the angle"
        ),
    })
}

/// How much a unit impulse along `direction` moves the point it acts at, by moving and by turning the body: the
/// inverse of the effective mass there.
fn yield_along(inverse_mass: f64, inverse: LabVec<f64>, arm: LabVec<f64>, direction: LabVec<f64>) -> f64 {
    let moment = arm.cross(direction);
    inverse_mass + moment.dot(inverse.times(moment))
}

/// The same for the direction that gives the most.
///
/// The turning part is the larger eigenvalue of Σᵢ Iᵢ⁻¹ (r×eᵢ)(r×eᵢ)ᵀ, whose third one is zero.
fn largest_yield(inverse_mass: f64, inverse: LabVec<f64>, arm: LabVec<f64>) -> f64 {
    let ([a, b, c], [x, y, z]) = (inverse.to_array(), arm.to_array().map(|x| x * x));
    let trace = a * (y + z) + b * (z + x) + c * (x + y);
    let minors = (a * b * z + b * c * x + c * a * y) * (x + y + z);
    let root = (trace * trace - 4.0 * minors).max(0.0).sqrt();
    inverse_mass + 0.5 * (trace + root)
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}", self.body.0)?;
        if let Some(sphere) = self.sphere {
            write!(f, " sphere {sphere}")?;
        }
        match self.with {
            Some(Touching::Body(other, sphere)) => write!(f, " – body {} sphere {sphere}", other.0),
            Some(Touching::Wall(wall)) => write!(f, " – wall {wall}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(binding) = self.binding() else {
            return writeln!(f, "nothing limits the time step yet: there is no body that moves or touches");
        };
        writeln!(f, "{:22}{:>12}{:>8}{:>15}  given by", "limit", "seconds", "part", "recommended")?;
        for limit in &self.limits {
            let Limit { kind, seconds, fraction, site, explanation } = limit;
            let mark = if limit == binding { '→' } else { ' ' };
            let step = limit.recommended();
            writeln!(f, "{mark} {:20}{seconds:12.3e}{fraction:8.2}{step:15.3e}  {site}", kind.name())?;
            writeln!(f, "    {explanation}")?;
        }
        writeln!(f, "time step of at most {:.3e} s: {}", self.recommended(), binding.kind.name())
    }
}
