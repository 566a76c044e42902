//! Whether a world can be simulated at all.

use crate::clump::ClumpTemplate;
use crate::contact::PairTable;
use crate::domain::{Axis, Domain};
use crate::engine::Settings;
use crate::error::{Error, readable};
use crate::field::Drag;
use crate::heat::HeatRules;
use crate::law::{ContactModel, ErasedModel, LawKind};
use crate::material::Materials;
use crate::precision::Precision;
use crate::rows_by_id::MOST;
use crate::wall::{Shape, Wall};
use crate::world::{Body, World};
use std::sync::Arc;
use tumble_rotation::{AnyScheme, SchemeKind};

/// Checks everything that no later stage would notice in time.
pub(crate) fn world(world: &World, settings: &Settings) -> Result<(), Error> {
    positive("the settings", "time step", settings.dt)?;
    positive("the settings", "largest overlap", settings.max_overlap)?;
    positive("the settings", "largest turn in a step", settings.max_turn)?;
    if let Some(skin) = settings.skin {
        positive("the settings", "skin", skin)?;
    }
    if settings.surface_interval == Some(0) {
        return Err(Error::Invalid {
            of: "the settings".into(),
            what: "interval of the loads on triangles",
            value: "0 steps".into(),
            expected: "at least one step",
        });
    }
    rotation(settings.rotation)?;
    if settings.rotation.info().torque_times.len() > 1 {
        return Err(Error::SeveralTorques { scheme: settings.rotation.name() });
    }
    finite("the world", "gravity", &world.gravity.to_array())?;
    drag(world.drag.as_ref())?;
    for (what, count, most) in [
        ("templates", world.templates.len(), World::MOST_TEMPLATES),
        ("bodies", world.bodies.len(), World::MOST_BODIES),
        (
            "spheres of templates",
            world.templates.iter().map(|template| template.spheres().len()).sum::<usize>(),
            MOST,
        ),
    ] {
        if count > most {
            return Err(Error::TooMany { what, most });
        }
    }
    let materials = world.materials.as_slice().len();
    for wall in &world.walls {
        if usize::from(wall.material) >= materials {
            let of = format!("wall '{}'", wall.name);
            let number = u64::from(wall.material.0);
            return Err(Error::Unknown { of, what: "material", number, count: materials });
        }
    }
    capsules_and_walls(world)?;
    ellipsoids_and_walls(world)?;
    hulls(world, settings)?;
    for (number, each) in world.bodies.iter().enumerate() {
        let of = format!("body {number}");
        body(each, &of, world.templates.len(), materials)?;
        size(each, &of, &world.templates, &world.materials, settings.precision)?;
        roundness(each, &of, &world.templates, &world.walls)?;
    }
    let largest = world.bodies.iter().fold(0.0, |largest: f64, body| {
        largest.max(world.templates[usize::from(body.template.0)].bounding_radius() * body.scale)
    });
    domain(&world.domain, largest, settings.skin)?;
    crate::cell::check(world, settings)?;
    crate::membrane::check(&world.membranes, world.bodies.len(), &world.domain)?;
    heat(world, settings)?;
    crate::liquid::check(world, settings)?;
    if let Some(skin) = settings.skin {
        neighbours(world, largest, skin)?;
    }
    Ok(())
}

/// Checks that capsules meet no wall that they could touch with their middle.
fn capsules_and_walls(world: &World) -> Result<(), Error> {
    if world.templates.iter().all(|template| template.capsules().len() == 0) {
        return Ok(());
    }
    match world.walls.iter().find(|wall| !wall.shape.is_convex_room()) {
        None => Ok(()),
        Some(wall) => Err(Error::Invalid {
            of: format!("wall '{}'", wall.name),
            what: "shape",
            value: "one that a capsule can touch with its middle".into(),
            expected: "a plane, a box, or the inside of a cylinder without ends; or rods made of spheres",
        }),
    }
}

/// Checks that polyhedra meet nothing of which the contacts with them are not known, and that a run stops before the cores of two do.
fn hulls(world: &World, settings: &Settings) -> Result<(), Error> {
    let with_hulls = world.templates.iter().find(|template| !template.hulls().is_empty());
    let Some(template) = with_hulls else { return Ok(()) };
    let invalid = |of: String, what: &'static str, value: String, expected: &'static str| {
        Err(Error::Invalid { of, what, value, expected })
    };
    if let Some(other) = world.templates.iter().find(|template| template.ellipsoids().len() > 0) {
        return invalid(
            format!("template '{}'", other.name()),
            "piece",
            format!("an ellipsoid, beside the polyhedra of template '{}'", template.name()),
            "spheres, capsules or polyhedra: no contacts of polyhedra and ellipsoids are known",
        );
    }
    if let Some(wall) = world.walls.iter().find(|wall| !wall.shape.is_convex_room()) {
        return invalid(
            format!("wall '{}'", wall.name),
            "shape",
            format!(
                "one that the polyhedra of template '{}' can touch with an edge or a face",
                template.name()
            ),
            "a plane, a box, or the inside of a cylinder without ends; or bodies made of spheres",
        );
    }
    if settings.max_overlap >= 1.0 {
        return invalid(
            "the settings".into(),
            "largest overlap",
            readable(settings.max_overlap),
            "less than 1, so that a run stops before the cores of polyhedra reach into each other",
        );
    }
    Ok(())
}

/// Checks what is said of heat, and that everything there has a temperature and what it needs for that.
fn heat(world: &World, settings: &Settings) -> Result<(), Error> {
    let Some(heat) = world.heat else { return Ok(()) };
    crate::heat::check(&heat)?;
    if settings.precision != Precision::Double {
        return Err(Error::Invalid {
            of: "the world, which has heat".into(),
            what: "precision",
            value: settings.precision.name().into(),
            expected: "double",
        });
    }
    let of_bodies = world.bodies.iter().map(|body| body.material.0);
    HeatRules::new(heat, &world.materials).check(&world.materials, of_bodies, &world.walls)
}

/// Checks that ellipsoids meet no wall of which the touches are not known.
fn ellipsoids_and_walls(world: &World) -> Result<(), Error> {
    let Some(template) = world.templates.iter().find(|template| template.ellipsoids().len() > 0) else {
        return Ok(());
    };
    match world.walls.iter().find(|wall| !wall.shape.takes_ellipsoids()) {
        None => Ok(()),
        Some(wall) => Err(Error::Invalid {
            of: format!("wall '{}'", wall.name),
            what: "shape",
            value: format!("one that the ellipsoids of template '{}' cannot touch", template.name()),
            expected: "a plane, a box, or the inside of a cylinder without ends; or bodies made of spheres",
        }),
    }
}

/// Checks that the ellipsoids of a body are rounder everywhere than the walls around them, so that there is one touch: a flat one would lie on its two
/// rims in a narrow tube.
pub(crate) fn roundness(
    body: &Body,
    of: &str,
    templates: &[Arc<ClumpTemplate>],
    walls: &[Wall],
) -> Result<(), Error> {
    let template = &templates[usize::from(body.template.0)];
    let flattest = template.semi_axes().map(|axes| {
        let [longest, shortest] =
            [axes.into_iter().fold(0.0, f64::max), axes.into_iter().fold(f64::INFINITY, f64::min)];
        longest * longest / shortest * body.scale
    });
    let flattest = flattest.fold(0.0, f64::max);
    let narrow = |wall: &&Wall| wall.shape.narrowest().is_some_and(|radius| flattest * ROUNDER > radius);
    match walls.iter().find(narrow) {
        Some(wall) if flattest > 0.0 => Err(Error::Invalid {
            of: format!("{of}, of template '{}'", template.name()),
            what: "largest radius of curvature of an ellipsoid, a²/c of its longest and shortest semi-axes,",
            value: format!("{} m with a wall '{}' around it", readable(flattest), wall.name),
            expected: "less than nine tenths of the radius of that wall, so that it is touched at one point only",
        }),
        _ => Ok(()),
    }
}

/// Walls about ellipsoids have to be so many times less curved than those.
const ROUNDER: f64 = 1.0 / 0.9;

/// Neighbours of a body, and pairs of them in all, beyond which a skin that was asked for is a mistake: lists would fill the
/// memory, and save nothing.
const MOST_NEIGHBOURS: f64 = 300.0;
const MOST_PAIRS: f64 = 2e7;

/// Checks that a skin does not make everybody a neighbour of everybody, judged by where the bodies are.
fn neighbours(world: &World, largest: f64, skin: f64) -> Result<(), Error> {
    let reach = 2.0 * largest + skin;
    let part = |of: fn(&Body) -> f64| {
        let ends = world
            .bodies
            .iter()
            .map(of)
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        (2.0 * reach / (ends[1] - ends[0])).min(1.0)
    };
    let count = world.bodies.len() as f64;
    let each =
        count * part(|body| body.position.x) * part(|body| body.position.y) * part(|body| body.position.z);
    if each > MOST_NEIGHBOURS && each * count > 2.0 * MOST_PAIRS {
        return Err(invalid(
            "the settings",
            "skin",
            &[skin],
            "a length that leaves each body at most some hundred neighbours: check the unit, or leave it out",
        ));
    }
    Ok(())
}

/// Checks that a scheme from outside cannot be taken for one of the list.
/// What is said of a fluid.
pub(crate) fn drag(drag: Option<&Drag>) -> Result<(), Error> {
    let Some(drag) = drag else { return Ok(()) };
    let numbers = [drag.viscosity, drag.density, drag.coefficient];
    if numbers.iter().any(|&number| !(number >= 0.0 && number.is_finite())) {
        return Err(invalid("the drag", "viscosity, density or coefficient", &numbers, "numbers ≥ 0"));
    }
    finite("the drag", "flow", &drag.flow.to_array())
}

fn rotation(scheme: AnyScheme) -> Result<(), Error> {
    match SchemeKind::from_name(scheme.name()) {
        Some(listed) if AnyScheme::from(listed) != scheme => Err(Error::Invalid {
            of: "the settings".into(),
            what: "rotation scheme",
            value: format!("one of its own called {}", scheme.name()),
            expected: "a name that is not in the list",
        }),
        _ => Ok(()),
    }
}

/// What the engine runs for a contact model, which is that of the settings or of a pair.
pub(crate) fn model(contact: ContactModel, of: &str) -> Result<&'static dyn ErasedModel, Error> {
    let ContactModel { law, rolling, twisting } = contact;
    let invalid = |value, expected| Error::Invalid { of: of.into(), what: "contact model", value, expected };
    if let LawKind::Outside(model) = law
        && let Some([part, name]) = model.usurper()
    {
        let value = format!("with a {part} of its own called {name}");
        return Err(invalid(value, "a name that is not in the list"));
    }
    contact.erased().ok_or_else(|| {
        let value = format!("{} with {} and {}", law.name(), rolling.name(), twisting.name());
        invalid(value, "three parts of the lists, or those of one ContactModel::of")
    })
}

/// Checks what a law asks for that acts beyond touch, of its pairs and of the walls it acts on.
pub(crate) fn range<'a>(
    model: &dyn ErasedModel,
    pairs: &PairTable,
    mut walls: impl Iterator<Item = &'a Wall>,
) -> Result<(), Error> {
    if !model.range().is_beyond_touch() {
        return Ok(());
    }
    for range in pairs.ranges(1.0) {
        if !(range >= 0.0 && range.is_finite()) {
            let of = format!("the contact law {}", model.law().name);
            return Err(invalid(&of, "range", &[range], "a finite length of at least 0 m"));
        }
    }
    match walls.find(|wall| matches!(wall.shape, Shape::Mesh(_))) {
        None => Ok(()),
        Some(wall) => Err(Error::Invalid {
            of: format!("wall '{}'", wall.name),
            what: "shape",
            value: "a mesh".into(),
            expected: "another one for a contact law that acts beyond touch",
        }),
    }
}

/// The skin that is chosen for a periodic domain is not larger than this part of the largest bounding radius.
pub(crate) const LARGEST_SKIN: f64 = 0.8;

/// Checks that bodies up to this bounding radius have room in a domain.
pub(crate) fn domain(domain: &Domain, largest: f64, skin: Option<f64>) -> Result<(), Error> {
    for (name, axis) in ['x', 'y', 'z'].into_iter().zip(domain.axes) {
        if let Axis::Periodic { low, high } = axis {
            periodic(name, low, high, largest, skin.unwrap_or(LARGEST_SKIN * largest))?;
        }
    }
    Ok(())
}

/// Checks a body before it is put in.
pub(crate) fn body(body: &Body, of: &str, templates: usize, materials: usize) -> Result<(), Error> {
    let unknown =
        |what, number: u16, count| Error::Unknown { of: of.into(), what, number: number.into(), count };
    if usize::from(body.template.0) >= templates {
        return Err(unknown("template", body.template.0, templates));
    }
    if usize::from(body.material) >= materials {
        return Err(unknown("material", body.material.0, materials));
    }
    positive(of, "scale", body.scale)?;
    positive(of, "temperature in K", body.temperature)?;
    finite(of, "position", &body.position.to_array())?;
    finite(of, "velocity", &body.velocity.to_array())?;
    finite(of, "angular velocity", &body.angular_velocity.to_array())?;
    let q = body.orientation.to_array();
    finite(of, "orientation", &q)?;
    if (body.orientation.norm() - 1.0).abs() > 1e-6 {
        return Err(invalid(of, "orientation", &q, "a unit quaternion (w, x, y, z)"));
    }
    Ok(())
}

/// Bounds of the mass of a body times the radius of its smallest sphere in single precision, kg m.
///
/// Laws square couples. That of a hundredth of the weight of a body under 1 m/s² shall not be lost below the smallest
/// normal number of `f32`, nor that of its weight under a million times as much exceed the largest.
const SINGLE_SIZES: [f64; 2] = [1e-17, 1e13];

/// Checks that the precision of the run has room for the squares of what acts on a body.
pub(crate) fn size(
    body: &Body,
    of: &str,
    templates: &[Arc<ClumpTemplate>],
    materials: &Materials,
    precision: Precision,
) -> Result<(), Error> {
    let template = &templates[usize::from(body.template.0)];
    let density = materials.as_slice()[usize::from(body.material)].density;
    let smallest = template.spheres().iter().fold(f64::INFINITY, |least, sphere| sphere.radius.min(least));
    let lever = template.mass(density, body.scale) * smallest * body.scale;
    let [least, most] = SINGLE_SIZES;
    if precision == Precision::Double || (least..=most).contains(&lever) {
        return Ok(());
    }
    Err(invalid(
        of,
        "mass times the radius of its smallest sphere",
        &[lever],
        "1e-17 to 1e13 kg m in single precision, so that no force is lost below its smallest or beyond its largest \
         number; or double precision",
    ))
}

/// The shortest periodic axis that bodies of this bounding radius can have: with a shorter one, two of them
/// could touch through two images.
pub(crate) fn shortest_axis(bounding_radius: f64, skin: f64) -> f64 {
    4.0 * bounding_radius + 2.0 * skin
}

fn periodic(axis: char, low: f64, high: f64, largest: f64, skin: f64) -> Result<(), Error> {
    finite("the domain", "periodic axis", &[low, high])?;
    let (length, needed) = (high - low, shortest_axis(largest, skin));
    if length > needed { Ok(()) } else { Err(Error::DomainTooSmall { axis, length, needed }) }
}

pub(crate) fn positive(of: &str, what: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(invalid(of, what, &[value], "a positive finite number"))
    }
}

pub(crate) fn finite(of: &str, what: &'static str, values: &[f64]) -> Result<(), Error> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(invalid(of, what, values, "finite numbers"))
    }
}

fn invalid(of: &str, what: &'static str, values: &[f64], expected: &'static str) -> Error {
    let value = match values {
        [value] => readable(*value),
        _ => format!("{values:?}"),
    };
    Error::Invalid { of: of.into(), what, value, expected }
}
