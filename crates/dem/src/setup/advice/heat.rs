//! The limit of Euler's rule for temperatures: mc/ΣH of a body, beyond which it would become warmer than all around it.
//!
//! Which contacts there will be nobody knows; the body with the shortest time is taken to have as many as equal spheres can have, of a
//! usual overlap, with others of its kind. A run with more than that stops when it comes to its own limit.

use super::{Limit, LimitKind, Site};
use crate::engine::Engine;
use crate::heat::Conduction;
use crate::id::BodyId;
use crate::physics::heat::{contact_radius, through_area, through_constriction, through_surface};

/// Spheres that touch one of their size, at most.
const CONTACTS: f64 = 12.0;
/// How far they overlap, by their radius.
const OVERLAP: f64 = 0.01;
/// The part of the limit that is recommended: temperatures are then off by a few hundredths of what they change.
const FRACTION: f64 = 0.1;

pub(super) fn limit(engine: &Engine) -> Option<Limit> {
    let rules = engine.rules.heat.as_ref()?;
    let bodies = &engine.space.bodies;
    let seconds = |row: usize| {
        let (material, radius) = (bodies.material[row], bodies.equivalent_radius(row));
        let conduct = rules.conduct(material, material);
        let contact = contact_radius(0.5 * radius, OVERLAP * radius);
        let through = match rules.heat.conduction {
            Conduction::Radius => through_constriction(conduct, contact),
            Conduction::Area => through_area(conduct, contact),
        };
        let around = rules.heat.surroundings;
        let surface = around.map_or(0.0, |around| through_surface(around.coefficient, radius));
        bodies.heat_capacity(row, rules) / (CONTACTS * through + surface)
    };
    // By id, so that the order of the rows does not show.
    let all = bodies.by_id.rows().map(|row| (seconds(row), row));
    let (seconds, row) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Limit {
        kind: LimitKind::Heat,
        seconds,
        fraction: FRACTION,
        site: Site { body: BodyId(bodies.id[row]), sphere: None, with: None },
        explanation: format!(
            "heat capacity over conductance of a body with {CONTACTS} contacts like itself that overlap by {OVERLAP} of the radius"
        ),
    })
}
