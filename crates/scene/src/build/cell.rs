//! A periodic domain that deforms, and what cannot be in it.

use crate::diagnostic::Problem;
use crate::keys::{self, AxisControl, AxisName, SceneKeys, ShearControl};
use tumble_dem::{Cell, Control, Shear, ShearDrive, World};

/// The cell of a scene, without its mass where that is the one of the bodies.
pub(super) fn cell(keys: &SceneKeys, problems: &mut Vec<Problem>) -> Option<Cell> {
    let of_cell = |name: &str| ["cell", "triaxial"].contains(&name);
    let lost = keys.measures.iter().filter(|measure| keys.cell.is_none() && of_cell(measure.kind.name()));
    for measure in lost {
        let message = format!("the measure `{}` needs a `cell`", measure.name);
        problems.push(Problem::error(measure.places.key("kind"), message));
    }
    let keys::Cell { x, y, z, shear, mass, viscosity, places } = keys.cell.as_ref()?;
    let refused = [
        ("walls", keys.walls.is_empty()),
        ("bonds", keys.bonds.is_empty()),
        ("streams", keys.streams.is_empty()),
        ("outlets", keys.outlets.is_empty()),
        ("stages", keys.stages.is_empty()),
        ("coarse_fields", keys.coarse_fields.is_empty()),
        ("gravity_table", keys.gravity_table.is_none()),
        ("gravity", keys.gravity.iter().all(|g| g.abs() == 0.0)),
    ];
    for (key, _) in refused.into_iter().filter(|(_, absent)| !absent) {
        let message =
            format!("`{key}` cannot be beside `cell`: the space deforms, and it does not know of that");
        problems.push(Problem::error(keys.places.key(key), message));
    }
    if keys.domain.as_ref().is_none_or(|domain| domain.periodic.len() < 3) {
        let message = "`cell` needs a `domain` that is periodic along x, y and z";
        problems.push(Problem::error(places.table(), message));
    }
    let axis = |control: &Option<AxisControl>| match control {
        Some(AxisControl { rate: Some(rate), pressure: Some(pressure), until, from: Some(from), .. }) => {
            Control::StressThenStrain { pressure: *pressure, from: *from, rate: *rate, until: *until }
        }
        Some(AxisControl { rate: Some(rate), until, .. }) => Control::Strain { rate: *rate, until: *until },
        Some(AxisControl { pressure: Some(pressure), .. }) => Control::Stress { pressure: *pressure },
        _ => Control::Fixed,
    };
    let number = |axis: &AxisName| match axis {
        AxisName::X => 0,
        AxisName::Y => 1,
        AxisName::Z => 2,
    };
    let shear = shear.as_ref().map(|ShearControl { flow, gradient, rate, until, stress, .. }| Shear {
        flow: number(flow),
        gradient: number(gradient),
        drive: match *stress {
            Some(stress) => ShearDrive::Stress { stress },
            None => ShearDrive::Rate { rate: rate.unwrap_or(0.0), until: *until },
        },
    });
    Some(Cell {
        shear,
        axes: [axis(x), axis(y), axis(z)],
        mass: mass.unwrap_or(0.0),
        viscosity: viscosity.unwrap_or(0.0),
    })
}

/// Gives a cell without a mass that of all bodies.
pub(super) fn weigh(world: &mut World) {
    let densities = world.materials.as_slice();
    let mass = |body: &tumble_dem::Body| {
        let density = densities[body.material.index()].density;
        world.templates[body.template.index()].mass(density, body.scale)
    };
    let total: f64 = world.bodies.iter().map(mass).sum();
    if let Some(cell) = world.cell.as_mut().filter(|cell| cell.mass == 0.0) {
        // Whoever reads a state has nobody in the world yet.
        cell.mass = if total > 0.0 { total } else { 1.0 };
    }
}
