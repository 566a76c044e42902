//! Templates: the spheres of a built-in shape, a file or a list, and the mass that follows from them.

use super::files;
use crate::diagnostic::Problem;
use crate::keys::{GivenMass, Mass, SceneKeys, Template};
use crate::shapes;
use std::path::Path;
use std::sync::Arc;
use tumble_dem::LabVec;
use tumble_dem::clump::{
    ClumpError, ClumpSphere, ClumpTemplate, MassModel, is_integrable, read_clump, read_clump_as,
};
use tumble_math::SymTensor;

/// The templates of a scene, in its order; none where something is wrong, which is among the problems.
pub(super) fn templates(
    keys: &SceneKeys,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Vec<Option<Arc<ClumpTemplate>>> {
    let mut build = |(name, template): &(String, Template)| {
        template.places.is_sound().then(|| build(name, template, folder, problems)).flatten().map(Arc::new)
    };
    keys.templates.iter().map(&mut build).collect()
}

fn build(
    name: &str,
    template: &Template,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<ClumpTemplate> {
    let (mut spheres, key) = spheres(template, folder, problems)?;
    let scale = template.scale;
    for sphere in &mut spheres {
        *sphere = ClumpSphere { centre: sphere.centre * scale, radius: sphere.radius * scale };
    }
    let model = match &template.mass {
        Mass::Union => MassModel::Union,
        Mass::Sum => MassModel::SumOfSpheres,
        Mass::Given(given) => scaled(given, scale),
    };
    if matches!(model, MassModel::Union) && !is_integrable(&spheres) {
        let message = format!("template `{name}`: too many of its spheres overlap each other");
        let help = "use fewer spheres or a larger spacing; mass = \"sum\" needs no integration";
        problems.push(Problem::error(template.places.of(key), message).help(help));
        return None;
    }
    match ClumpTemplate::new(name, &spheres, model) {
        Ok(template) => Some(template),
        Err(error) => {
            let mass = [ClumpError::GivenCentre].contains(&error)
                || matches!(error, ClumpError::GivenVolume(_) | ClumpError::TriangleInequality { .. });
            let place = template.places.of(if mass { "mass" } else { key });
            problems.push(Problem::error(place, format!("template `{name}`: {error}")));
            None
        }
    }
}

/// The spheres as they are given, and the key that gives them.
fn spheres(
    template: &Template,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<(Vec<ClumpSphere>, &'static str)> {
    if let Some(shape) = template.shape {
        return Some((shapes::spheres(shape.name(), &template.parameters()), "shape"));
    }
    if let Some(spheres) = &template.spheres {
        let sphere = |&[x, y, z, radius]: &[f64; 4]| ClumpSphere::new([x, y, z], radius);
        return Some((spheres.iter().map(sphere).collect(), "spheres"));
    }
    let file = template.file.as_ref()?;
    let place = template.places.of("file");
    let path = files::find(folder, file, place).map_err(|problem| problems.push(*problem)).ok()?;
    let read = match template.format {
        None => read_clump(path),
        Some(format) => read_clump_as(path, format),
    };
    match read {
        Ok(spheres) => Some((spheres, "file")),
        Err(error) => {
            problems.push(Problem::error(place, error.to_string()).label("this clump file"));
            None
        }
    }
}

fn scaled(given: &GivenMass, scale: f64) -> MassModel {
    let [xx, yy, zz, yz, xz, xy] =
        given.inertia.map(|moment| moment * (scale * scale * scale * scale * scale));
    MassModel::Given {
        volume: given.volume * (scale * scale * scale),
        centre: LabVec::from_array(given.centre) * scale,
        inertia: SymTensor::new(LabVec::new(xx, yy, zz), LabVec::new(yz, xz, xy)),
    }
}
