//! Constant directional torque — Zhou et al. 1999; model A of Ai et al. 2011.
//!
//! M = −μᵣ R* Fₙ ω̂ against the direction of the relative rolling. It jumps where the rolling reverses, and what
//! it has to be at rest the formula does not say: all between plus and minus that, as for friction at rest. A
//! couple found from the spin alone shakes a body at rest to and fro, since the spin it sees has half of the last
//! couple in it.
//!
//! So the jump is a frictional spring of the greatest stiffness that steps allow, k = λ²I/4Δt², with the dashpot
//! λI/Δt that is critical for it: it yields by an angle ∝ Δt², and at rest bears what is needed and no more. I is the
//! smallest inertia that the couple can meet, that of two bodies that turn freely; one that rolls on a floor has
//! more. A leapfrog bears λ < 1 for all contacts of a body together.

use super::RollingModel;
use crate::citations::ZHOU_1999;
use crate::law::grip::{FrictionalSpring, Motion};
use crate::law::{Contact, Resistance, ResistanceInfo, Support};
use crate::material::{MaterialError, Meeting};
use crate::property::ROLLING_FRICTION;
use tumble_math::{LabVec, Real};

/// The part of the spin that the dashpot would stop in a step: room for some thirty contacts of a body.
const STOPPED: f64 = 1.0 / 32.0;

/// A couple of constant size against the rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConstantTorque;

impl RollingModel for ConstantTorque {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "constant-torque",
        summary: "a couple of constant size against the rolling",
        citation: Some(ZHOU_1999),
        uses_velocity: true,
        needs: &[&ROLLING_FRICTION],
    };

    /// Coefficient of rolling friction μᵣ.
    type Constants<R: Real> = R;
    /// Couple of the spring on i, N·m.
    type Memory<R: Real> = LabVec<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<f64, MaterialError> {
        meeting.of_pair(&ROLLING_FRICTION)
    }

    #[inline(always)]
    fn resist<R: Real>(
        &rolling_friction: &R,
        contact: &Contact<R>,
        support: &Support<R>,
        memory: LabVec<R>,
        dt: R,
    ) -> Resistance<R, LabVec<R>, LabVec<R>> {
        let damping = R::lit(STOPPED) * contact.inertia / dt;
        let stiffness = R::lit(0.25 * STOPPED) * damping / dt;
        let spring = FrictionalSpring {
            stiffness_before: stiffness,
            stiffness,
            damping,
            limit: rolling_friction * contact.radius * support.normal_force,
        };
        let (displacement, velocity) = (contact.tangential(contact.turn), contact.tangential(contact.spin));
        spring.grip(memory, Motion { displacement, velocity, dt }).into()
    }
}
