//! Templates and materials of one world in another, known by their names.

use super::Missing;
use crate::clump::ClumpTemplate;
use crate::id::{MaterialId, TemplateId};
use crate::material::Materials;
use crate::report::BodyState;
use crate::world::{Body, World};
use std::sync::Arc;

/// The templates and materials of a world.
type Sorts<'a> = (&'a [Arc<ClumpTemplate>], &'a Materials);

/// What the templates and materials of an old world are in a new one.
#[derive(Debug)]
pub struct ByName<'a> {
    old: Sorts<'a>,
    pub(super) templates: Vec<Option<TemplateId>>,
    materials: Vec<Option<MaterialId>>,
}

impl<'a> ByName<'a> {
    /// From one world to another.
    pub fn between(old: &'a World, new: &World) -> Self {
        Self::new((&old.templates, &old.materials), (&new.templates, &new.materials))
    }

    pub(super) fn new(old: Sorts<'a>, (templates, materials): Sorts<'_>) -> Self {
        let template = |was: &Arc<ClumpTemplate>| {
            let ids = (0..u16::MAX).map(TemplateId);
            ids.zip(templates).find(|(_, now)| now.name() == was.name()).map(|(id, _)| id)
        };
        let material = |name: &str| {
            let ids = (0..u16::MAX).map(MaterialId);
            ids.zip(materials.as_slice()).find(|(_, now)| now.name == name).map(|(id, _)| id)
        };
        Self {
            old,
            templates: old.0.iter().map(template).collect(),
            materials: old.1.as_slice().iter().map(|was| material(&was.name)).collect(),
        }
    }

    /// A body of the old world in the new one.
    pub fn body(&self, state: &BodyState) -> Result<Body, Missing> {
        let (templates, materials) = self.old;
        let number = usize::from(state.template.0);
        let template =
            self.templates[number].ok_or_else(|| Missing::Template(templates[number].name().to_owned()))?;
        let number = usize::from(state.material);
        let material = self.materials[number]
            .ok_or_else(|| Missing::Material(materials.as_slice()[number].name.clone()))?;
        Ok(Body {
            template,
            material,
            scale: state.scale,
            position: state.position,
            velocity: state.velocity,
            orientation: state.orientation,
            angular_velocity: state.angular_velocity,
            held: state.held,
            temperature: state.temperature.unwrap_or(crate::heat::ROOM),
            film: state.film.unwrap_or(0.0),
        })
    }
}
