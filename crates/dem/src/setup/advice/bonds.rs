//! The stability limit of bodies on their bonds: 2/ω, as that of contacts in `stiffness.rs`.
//!
//! For small strains a bond is a spring along its axis and two across it, all at its middle, and three that resist the difference of both
//! turns. Each counts with the inverse effective mass behind it; the bound is that of their sum.

use super::stiffness::critical_step;
use super::{Limit, LimitKind, STIFFNESS_FRACTION, Site, largest_yield, yield_along};
use crate::engine::Engine;
use crate::id::BodyId;
use tumble_math::LabVec;

pub(super) fn limit(engine: &Engine) -> Option<Limit> {
    let bodies = &engine.space.bodies;
    let mut squares = vec![0.0; bodies.len()];
    let mut damping: f64 = 0.0;
    for ((tie, rows), state) in engine.bonds.with_rows().zip(engine.bonds()) {
        let constants = tie.constants;
        let middle = state.end + state.line * 0.5;
        let direction = state.line.unit();
        let yields = [0, 1].map(|end| {
            let kind = bodies.kind(rows[end]);
            let (position, orientation) = bodies.shown_pose(rows[end], engine.mover().staggered());
            let along = |v: LabVec<f64>| LabVec::from_array(orientation.to_body(v).to_array());
            let arm = along(engine.space.domain.nearest(position, middle));
            let inverse = LabVec::from_array(kind.inverse);
            let axial = yield_along(kind.inverse_mass, inverse, arm, along(direction));
            let across = largest_yield(kind.inverse_mass, inverse, arm);
            [axial, across, kind.inverse.into_iter().fold(0.0, f64::max)]
        });
        let stiffnesses = [constants.axial, constants.shear, constants.bending.max(constants.twist)];
        for end in [0, 1] {
            let springs = (0..3).map(|spring| {
                let [own, other] = [yields[end][spring], yields[1 - end][spring]];
                stiffnesses[spring] * (own + (own * other).sqrt())
            });
            squares[rows[end]] += springs.sum::<f64>();
        }
        damping = damping.max(constants.damping);
    }
    let free = (0..bodies.len()).filter(|&row| !bodies.held[row] && squares[row] > 0.0);
    let row =
        free.max_by(|&a, &b| squares[a].total_cmp(&squares[b]).then(bodies.id[b].cmp(&bodies.id[a])))?;
    Some(Limit {
        kind: LimitKind::Bonds,
        seconds: critical_step(squares[row], damping * squares[row]),
        fraction: STIFFNESS_FRACTION,
        site: Site { body: BodyId(bodies.id[row]), sphere: None, with: None },
        explanation: format!(
            "2/ω of a body held by its bonds at ω = {:.3e} rad/s, with dashpots of {damping:.3e} s",
            squares[row].sqrt()
        ),
    })
}
