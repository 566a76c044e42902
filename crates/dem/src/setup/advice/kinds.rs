//! Bodies that differ only in their size count once, as the smallest of them: it has the shortest times.

use super::{LabVec, largest_yield};
use crate::engine::Engine;
use crate::world::BodyId;
use std::collections::BTreeMap;

/// The smallest body of a template and material.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) body: BodyId,
    /// Another body of this template and material.
    pub(super) twin: Option<BodyId>,
    pub(super) template: u16,
    pub(super) material: u16,
    pub(super) scale: f64,
    pub(super) mass: f64,
    /// Zero if the body is held.
    pub(super) inverse_mass: f64,
    /// Inverse principal moments, zero if the body is held. All vectors here are along the principal axes.
    pub(super) inverse: LabVec<f64>,
}

/// One sphere of a kind, as a partner in a collision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partner {
    pub(super) kind: Kind,
    pub(super) sphere: u32,
    pub(super) radius: f64,
    /// Inverse of the smallest effective mass that it can be hit with.
    pub(super) yields: f64,
}

pub(super) fn of(engine: &Engine) -> Vec<Kind> {
    let bodies = &engine.space.bodies;
    let mut kinds: BTreeMap<(u16, u16, bool), Kind> = BTreeMap::new();
    // By id, so that the order of the rows does not show.
    for row in bodies.by_id.rows() {
        let (template, material, held) = (bodies.template[row], bodies.material[row], bodies.held[row]);
        let common = bodies.kind(row);
        let own = Kind {
            body: BodyId(bodies.id[row]),
            twin: None,
            template,
            material,
            scale: bodies.scale[row],
            mass: common.mass,
            inverse_mass: common.inverse_mass,
            inverse: LabVec::from_array(common.inverse),
        };
        kinds
            .entry((template, material, held))
            .and_modify(|kind| {
                let (smaller, other) = if own.scale < kind.scale { (own, *kind) } else { (*kind, own) };
                *kind = Kind { twin: Some(other.body), ..smaller };
            })
            .or_insert(own);
    }
    kinds.into_values().collect()
}

impl Kind {
    /// Centres and radii of the template: of polyhedra those at the corners.
    pub(super) fn spheres<'a>(&self, engine: &'a Engine) -> &'a [[f64; 4]] {
        let shapes = &engine.space.bodies.shapes;
        let (all, template) = (shapes.of(self.template), &shapes.templates[usize::from(self.template)]);
        if template.hulls().is_empty() { all } else { &all[..template.touching_spheres()] }
    }
}

/// By material, the spheres that can give the shortest collision: no other sphere has both a larger radius and
/// a smaller effective mass.
pub(super) fn partners(engine: &Engine, kinds: &[Kind]) -> Vec<Vec<Partner>> {
    let mut fronts: Vec<Vec<Partner>> = vec![Vec::new(); engine.rules.materials.as_slice().len()];
    for kind in kinds {
        let front = &mut fronts[usize::from(kind.material)];
        for (sphere, &[x, y, z, radius]) in (0..).zip(kind.spheres(engine)) {
            let arm = LabVec::new(x, y, z) * kind.scale;
            let yields = largest_yield(kind.inverse_mass, kind.inverse, arm);
            let new = Partner { kind: *kind, sphere, radius: radius * kind.scale, yields };
            // A sphere of the only body of its kind cannot stand in for the other one in a pair.
            let beats = |a: &Partner, b: &Partner| {
                a.radius >= b.radius
                    && a.yields >= b.yields
                    && (a.kind.twin.is_some() || a.kind.body == b.kind.body)
            };
            if !front.iter().any(|old| beats(old, &new)) {
                front.retain(|old| !beats(&new, old));
                front.push(new);
            }
        }
    }
    fronts
}
