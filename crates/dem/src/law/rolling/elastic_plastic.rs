//! Elastic–plastic spring and dashpot — Iwashita & Oda 1998; Jiang et al. 2005; model C of Ai et al. 2011.
//!
//! A frictional spring on the relative rolling, with kᵣ = 2.25 kₙ (μᵣR*)² (Ai et al. 2011 for three
//! dimensions, with the normal stiffness kₙ of the instant), the limit μᵣ R* Fₙ, and the dashpot 2η√(I kᵣ),
//! which fills up to the limit and so vanishes when the spring is fully mobilised (f = 0 there). I = 7/5 m*
//! R*², that of a sphere rolling on a wall. A body at rest on a slope is held, unlike with a constant torque.

use super::RollingModel;
use crate::citations::AI_2011;
use crate::law::grip::{FrictionalSpring, Motion};
use crate::law::{Contact, Resistance, ResistanceInfo, Support};
use crate::material::{MaterialError, Meeting};
use crate::property::{ROLLING_DAMPING, ROLLING_FRICTION};
use crate::record;
use tumble_math::{LabVec, Real};

/// A frictional spring against the rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElasticPlastic;

record! {
    /// The constants of two materials.
    RollingConstants, ROLLING_CONSTANTS {
        /// Coefficient of rolling friction μᵣ.
        friction: R,
        /// Ratio of the dashpot to the critical one, η.
        damping: R,
    }
}

impl RollingModel for ElasticPlastic {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "elastic-plastic",
        summary: "a frictional spring and dashpot against the rolling",
        citation: Some(AI_2011),
        uses_velocity: true,
        needs: &[&ROLLING_FRICTION, &ROLLING_DAMPING],
    };

    type Constants<R: Real> = RollingConstants<R>;
    /// Couple of the spring on i, N·m.
    type Memory<R: Real> = LabVec<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<RollingConstants<f64>, MaterialError> {
        let (friction, damping) = (meeting.of_pair(&ROLLING_FRICTION)?, meeting.of_pair(&ROLLING_DAMPING)?);
        Ok(RollingConstants { friction, damping })
    }

    #[inline(always)]
    fn resist<R: Real>(
        constants: &RollingConstants<R>,
        contact: &Contact<R>,
        support: &Support<R>,
        memory: LabVec<R>,
        dt: R,
    ) -> Resistance<R, LabVec<R>, LabVec<R>> {
        let arm = constants.friction * contact.radius;
        let shape = R::lit(2.25) * arm * arm;
        let stiffness = shape * support.normal_stiffness;
        // Of a sphere that rolls on a wall, about the contact point.
        let inertia = R::lit(1.4) * contact.mass * contact.radius * contact.radius;
        let spring = FrictionalSpring {
            stiffness_before: shape * support.normal_stiffness_before,
            stiffness,
            damping: R::lit(2.0) * constants.damping * (inertia * stiffness).sqrt(),
            limit: arm * support.normal_force,
        };
        let (displacement, velocity) = (contact.tangential(contact.turn), contact.tangential(contact.spin));
        spring.grip(memory, Motion { displacement, velocity, dt }).into()
    }
}
