//! Forces on a body that are not contacts: drag in a fluid, prescribed fields, and what the hand spends that holds a body.

use crate::record;
use core::f64::consts::PI;
use tumble_math::{BodyVec, LabVec, Quat, Real};

record! {
    /// A fluid around the bodies: see [`Drag`](crate::field::Drag).
    Fluid, FLUID {
        /// Dynamic viscosity η, Pa s.
        viscosity: R,
        /// kg/m³.
        density: R,
        /// Drag coefficient C.
        coefficient: R,
        /// Its velocity, m/s.
        flow: LabVec<R>,
    }
}

record! {
    /// A force and a torque about the centre of mass, both in the lab.
    Pushed, PUSHED {
        /// N.
        force: LabVec<R>,
        /// N m.
        torque: LabVec<R>,
    }
}

impl<R: Real> Pushed<R> {
    /// What it does to a body in motion, W.
    #[inline(always)]
    pub fn power(&self, velocity: LabVec<R>, omega: LabVec<R>) -> R {
        self.force.dot(velocity) + self.torque.dot(omega)
    }
}

/// The drag on a sphere of this radius: Stokes' force −6πηR v and torque −8πηR³ ω, and −½ρCπR² |v| v.
#[inline(always)]
pub fn drag<R: Real>(fluid: &Fluid<R>, radius: R, velocity: LabVec<R>, omega: LabVec<R>) -> Pushed<R> {
    let slip = velocity - fluid.flow;
    let linear = R::lit(6.0 * PI) * fluid.viscosity * radius;
    let area = R::lit(0.5) * fluid.density * fluid.coefficient * R::lit(PI) * radius * radius;
    let turning = R::lit(8.0 * PI) * fluid.viscosity * radius * radius * radius;
    Pushed { force: slip * -(linear + area * slip.norm()), torque: omega * -turning }
}

/// The same acceleration everywhere, times a factor.
#[inline(always)]
pub fn uniform<R: Real>(acceleration: LabVec<R>, factor: R, mass: R) -> LabVec<R> {
    acceleration * (factor * mass)
}

/// A pull towards a point, proportional to the distance.
#[inline(always)]
pub fn attraction<R: Real>(centre: LabVec<R>, rate: R, mass: R, position: LabVec<R>) -> LabVec<R> {
    (centre - position) * (rate * mass)
}

/// What the hand that moves a held body spends on what the body pushes, W: on all that acts on it but its weight and the load of
/// fields.
#[inline(always)]
pub fn hand_power<R: Real>(
    acting: &Pushed<R>,
    weight: LabVec<R>,
    load: &Pushed<R>,
    velocity: LabVec<R>,
    omega: LabVec<R>,
) -> R {
    let force = acting.force - weight - load.force;
    let torque = acting.torque - load.torque;
    -(force.dot(velocity) + torque.dot(omega))
}

/// How a held body is turned after a step: it keeps its angular velocity.
#[inline(always)]
pub fn turned_by_hand<R: Real>(q: Quat<R>, omega: BodyVec<R>, dt: R) -> Quat<R> {
    q.turn_body(omega, dt).normalised()
}
