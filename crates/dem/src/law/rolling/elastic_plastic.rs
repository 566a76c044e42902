//! Elastic–plastic spring and dashpot — Iwashita & Oda 1998; Jiang et al. 2005; model C of Ai et al. 2011.
//!
//! A frictional spring on the relative rolling, with kᵣ = 2.25 kₙ (μᵣR*)² (Ai et al. 2011 for three
//! dimensions, with the normal stiffness kₙ of the instant), the limit μᵣ R* Fₙ, and the dashpot 2η√(I kᵣ),
//! which fills up to the limit and so vanishes when the spring is fully mobilised (f = 0 there). I = 7/5 m*
//! R*², that of a sphere rolling on a wall. A body at rest on a slope is held, unlike with a constant torque.

use super::RollingModel;
use crate::citations::AI_2011;
use crate::law::grip::{FrictionalSpring, Motion};
use crate::law::{Contact, Pair, Resistance, ResistanceInfo, Support};
use crate::property::{ROLLING_DAMPING, ROLLING_FRICTION};
use tumble_math::{LabVec, Real};

/// A frictional spring against the rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElasticPlastic;

impl RollingModel for ElasticPlastic {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "elastic-plastic",
        summary: "a frictional spring and dashpot against the rolling",
        citation: Some(AI_2011),
        uses_velocity: true,
        has_history: true,
        needs: &[&ROLLING_FRICTION, &ROLLING_DAMPING],
    };

    #[inline(always)]
    fn resist<R: Real>(
        pair: &Pair<R>,
        contact: &Contact<R>,
        support: &Support<R>,
        history: LabVec<R>,
        dt: R,
    ) -> Resistance<R, LabVec<R>> {
        let arm = pair.rolling_friction * contact.radius;
        let shape = R::lit(2.25) * arm * arm;
        let stiffness = shape * support.normal_stiffness;
        // Of a sphere that rolls on a wall, about the contact point.
        let inertia = R::lit(1.4) * contact.mass * contact.radius * contact.radius;
        let spring = FrictionalSpring {
            stiffness_before: shape * support.normal_stiffness_before,
            stiffness,
            damping: R::lit(2.0) * pair.rolling_damping * (inertia * stiffness).sqrt(),
            limit: arm * support.normal_force,
        };
        let (displacement, velocity) = (contact.tangential(contact.turn), contact.tangential(contact.spin));
        spring.grip(history, Motion { displacement, velocity, dt }).into()
    }
}
