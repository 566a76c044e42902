//! What a stage changes of walls, the fluid and fields.

use std::sync::Arc;
use tumble_dem::Solver;
use tumble_dem::field::{Drag, ForceField};
use tumble_dem::wall::{Motion, Presence};
use tumble_scene::{FluidChange, StagePlan, WallChange, fading};

/// A field, and when it has ended, s.
#[derive(Clone, Debug)]
pub(super) struct Acting {
    field: Arc<dyn ForceField>,
    until: f64,
}

/// The fluid from the beginning of a stage on, if it is another one.
#[allow(clippy::option_option, reason = "it may become none")]
pub(super) fn fluid(plan: &StagePlan) -> Option<Option<Drag>> {
    match plan.fluid {
        FluidChange::Stays => None,
        FluidChange::Gone => Some(None),
        FluidChange::Becomes(drag) => Some(Some(drag)),
    }
}

/// What acts as fields from the beginning of a stage on, if it prescribes other ones: these, and while its ramp lasts those
/// that were there before. Without any `before`, these are what the engine has.
pub(super) fn passed_on(
    plan: &StagePlan,
    before: Option<&[Acting]>,
    engine: &dyn Solver,
    time: f64,
) -> Option<Vec<Acting>> {
    let fields = plan.fields.as_ref()?;
    let of_engine = || {
        let acting = |field: &Arc<dyn ForceField>| Acting { field: field.clone(), until: f64::INFINITY };
        engine.scenery().fields.iter().map(acting).collect()
    };
    let before = before.map_or_else(of_engine, <[Acting]>::to_vec);
    let gone = time + plan.ramp;
    let ending = before
        .into_iter()
        .filter(|acting| gone > time && acting.until > time)
        .map(|acting| Acting { field: fading(acting.field, time, plan.ramp), until: acting.until.min(gone) });
    let new = fields.iter().map(|field| Acting { field: field.from(time), until: f64::INFINITY });
    Some(ending.chain(new).collect())
}

pub(super) fn only_fields(acting: &[Acting]) -> Vec<Arc<dyn ForceField>> {
    acting.iter().map(|acting| acting.field.clone()).collect()
}

/// How a wall moves from the beginning of a stage on.
pub(super) fn changed(before: &Motion, change: &WallChange, time: f64, ramp: f64) -> Motion {
    let motion = match &change.motion {
        Some(motion) => motion.clone().following(before.at(time), time, ramp).present(before.presence()),
        None => before.clone(),
    };
    let motion =
        change.drive.map_or_else(|| motion.clone(), |drive| motion.clone().driven_from(drive, time, ramp));
    match change.present {
        Some(true) => motion.present(Presence::ALWAYS),
        Some(false) => motion.present(Presence::NEVER),
        None => motion,
    }
}
