//! Elastic–plastic twisting — Marshall 2009.
//!
//! The tangential spring, dashpot and friction spread over the contact area of radius a = √(R*δ): stiffness
//! kₜa²/2, dashpot cₜa²/2, and the limit 2/3 a μ Fₙ of a Hertzian pressure that slides everywhere. Here μ is
//! the pair's twisting friction: Marshall's model if it equals the friction. The linear law uses the same a, and
//! so do surfaces that adhere: beyond touch nothing resists twisting.

use super::TwistingModel;
use crate::citations::MARSHALL_2009;
use crate::law::grip::{FrictionalSpring, Motion, positive};
use crate::law::{Contact, Resistance, ResistanceInfo, Support};
use crate::material::{MaterialError, Meeting};
use crate::property::TWISTING_FRICTION;
use tumble_math::Real;

/// A frictional spring against the twisting.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElasticPlastic;

impl TwistingModel for ElasticPlastic {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "elastic-plastic",
        summary: "a frictional spring and dashpot against the twisting",
        citation: Some(MARSHALL_2009),
        uses_velocity: true,
        needs: &[&TWISTING_FRICTION],
    };

    /// Coefficient of friction of the contact area.
    type Constants<R: Real> = R;
    /// Couple of the spring on i about the normal, N·m.
    type Memory<R: Real> = R;

    fn constants(meeting: &Meeting<'_>) -> Result<f64, MaterialError> {
        meeting.of_pair(&TWISTING_FRICTION)
    }

    #[inline(always)]
    fn resist<R: Real>(
        &friction: &R,
        contact: &Contact<R>,
        support: &Support<R>,
        memory: R,
        dt: R,
    ) -> Resistance<R, R, R> {
        let half = R::lit(0.5);
        let area = contact.radius * positive(contact.overlap);
        let area_before = contact.radius * positive(contact.overlap_before);
        let dashpot = support.damping_tangential * (contact.mass * support.normal_stiffness).sqrt();
        let spring = FrictionalSpring {
            stiffness_before: support.tangential_stiffness_before * area_before * half,
            stiffness: support.tangential_stiffness * area * half,
            damping: dashpot * area * half,
            limit: R::lit(2.0 / 3.0) * area.sqrt() * friction * support.normal_force,
        };
        let (displacement, velocity) = (contact.turn.dot(contact.normal), contact.spin.dot(contact.normal));
        spring.grip(memory, Motion { displacement, velocity, dt }).into()
    }
}
