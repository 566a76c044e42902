//! Constant directional torque — Zhou et al. 1999; model A of Ai et al. 2011.
//!
//! M = −μᵣ R* Fₙ ω̂ against the direction of the relative rolling. It jumps where the rolling reverses, so
//! that a body at rest would be shaken to and fro; here the couple is never larger than what stops the
//! rolling within the step, I|ω|/Δt with I = 7/5 m* R*², that of a sphere rolling on a wall.

use super::RollingModel;
use crate::citations::ZHOU_1999;
use crate::law::grip::divisor;
use crate::law::rolling::inertia;
use crate::law::{Contact, Pair, Resistance, ResistanceInfo, Support};
use tumble_math::{LabVec, Real};

/// A couple of constant size against the rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConstantTorque;

impl RollingModel for ConstantTorque {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "constant-torque",
        summary: "a couple of constant size against the rolling",
        citation: Some(ZHOU_1999),
        uses_velocity: true,
        has_history: false,
        needs: &["rolling_friction"],
    };

    #[inline(always)]
    fn resist<R: Real>(
        pair: &Pair<R>,
        contact: &Contact<R>,
        support: &Support<R>,
        _: LabVec<R>,
        dt: R,
    ) -> Resistance<R, LabVec<R>> {
        let rolling = contact.tangential(contact.spin);
        let speed = rolling.norm();
        let most = pair.rolling_friction * contact.radius * support.normal_force;
        let stopping = inertia(contact) * speed / dt;
        let size = R::select(stopping.lt(most), stopping, most);
        let zero = R::lit(0.0);
        Resistance {
            torque: rolling * (-size / divisor(speed)),
            history: LabVec::zero(),
            stored: zero,
            slipped: zero,
            damped: size * speed * dt,
        }
    }
}
