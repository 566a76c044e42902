//! Rules that are changed while a simulation goes on: gravity, the time step, properties of materials and pairs.

use super::{Simulation, Stage};
use crate::errors::Exception;
use pyo3::prelude::*;
use tumble::dem::property::{self, Owner, Property};
use tumble::dem::{LabVec, MaterialId, PropertyOf, Rule};
use tumble::scene::quantity_in;

/// A number in SI units, or a text with a unit.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Number(f64),
    Text(String),
}

impl Given {
    /// In SI units, of what this one measures; without a unit, a ratio.
    fn number(&self, name: &str, unit: Option<&'static str>) -> Result<f64, Exception> {
        match (self, unit) {
            (Self::Number(number), _) => Ok(*number),
            (Self::Text(text), Some(unit)) => {
                quantity_in(unit, text).map_err(|problem| Exception::input(format_args!("{name}: {problem}")))
            }
            (Self::Text(text), None) => {
                Err(Exception::input(format_args!("{name}: expected a number without unit, found '{text}'")))
            }
        }
    }
}

/// The number, in the SI unit given, that a number or a text with a unit stands for; `name` is what messages call it.
#[pyfunction]
pub(crate) fn quantity(name: &str, given: Given, unit: &str) -> Result<f64, Exception> {
    let known = ["s", "m", "m/s", "m/s^2", "rad", "rad/s", "kg/m^3", "Hz"];
    let unit = known.into_iter().find(|known| *known == unit);
    let unit = unit.ok_or_else(|| Exception::input(format_args!("unit: expected one of {known:?}")))?;
    given.number(name, Some(unit))
}

/// The present acceleration of gravity, m/s².
#[pyfunction]
pub(crate) fn gravity(simulation: &Simulation) -> Result<[f64; 3], Exception> {
    Ok(simulation.lock()?.simulation()?.engine().scenery().gravity.to_array())
}

/// Gives gravity another value from now on, in m/s² where there is no unit.
#[pyfunction]
pub(crate) fn set_gravity(
    simulation: &Simulation,
    py: Python<'_>,
    given: [Given; 3],
) -> Result<(), Exception> {
    let [x, y, z] = given.map(|part| part.number("gravity", Some("m/s^2")));
    let rule = Rule::Gravity(LabVec::new(x?, y?, z?));
    simulation.edit(py, |engine| engine.change_rules(&[rule]))
}

/// Gives the time step another length from now on, in s where there is no unit.
#[pyfunction]
pub(crate) fn set_dt(simulation: &Simulation, py: Python<'_>, given: Given) -> Result<(), Exception> {
    let rule = Rule::TimeStep(given.number("dt", Some("s"))?);
    if matches!(*simulation.lock()?, Stage::Recording(_)) {
        return Err(Exception::run(
            "dt: the time step cannot be changed while results are written, which happens every so many steps; let the run \
             end, set it, and run on into another folder",
        ));
    }
    simulation.edit(py, |engine| engine.change_rules(&[rule]))
}

/// Gives a property of a material, of a pair, or of every pair where neither is given, another value from now on.
#[pyfunction]
pub(crate) fn set_property(
    simulation: &Simulation,
    py: Python<'_>,
    key: &str,
    given: Given,
    materials: Vec<u16>,
) -> Result<(), Exception> {
    let property = property_of(key)?;
    let value = given.number(key, property.unit())?;
    let of = whose(property, &materials)?;
    simulation.edit(py, |engine| engine.change_rules(&[Rule::Property { of, property, value }]))
}

/// The present values of a property, in SI units: of a material, of a pair, or of every pair.
#[pyfunction]
pub(crate) fn property_values(
    simulation: &Simulation,
    key: &str,
    materials: Vec<u16>,
) -> Result<Vec<f64>, Exception> {
    let property = property_of(key)?;
    let stage = simulation.lock()?;
    let now = stage.simulation()?.engine().scenery().materials;
    let of_pair = |a, b| Ok::<_, Exception>(now.properties(a, b)?.get(property));
    let values = match whose(property, &materials)? {
        PropertyOf::Material(id) => vec![now.material(id)?.get(property)],
        PropertyOf::Pair(a, b) => vec![of_pair(a, b)?],
        PropertyOf::EveryPair => {
            now.pairs().into_iter().map(|(a, b)| of_pair(a, b)).collect::<Result<_, _>>()?
        }
    };
    let unknown =
        || Exception::input(format_args!("{key}: the scene does not give it, and it has no default"));
    values.into_iter().map(|value| value.ok_or_else(unknown)).collect()
}

/// Whether a property belongs to pairs of materials.
#[pyfunction]
pub(crate) fn is_of_pairs(key: &str) -> Result<bool, Exception> {
    Ok(property_of(key)?.of == Owner::Pair)
}

fn property_of(key: &str) -> Result<&'static Property, Exception> {
    if key == "density" {
        return Err(Exception::input(
            "density: masses follow from it, and bodies keep theirs; make another simulation of a changed scene, which goes on \
             with these bodies",
        ));
    }
    let known = property::known();
    known.iter().copied().find(|property| property.key == key).ok_or_else(|| {
        let keys: Vec<&str> = known.iter().map(|property| property.key).collect();
        Exception::input(format_args!(
            "expected a property that laws read, one of {}; found '{key}'",
            keys.join(", ")
        ))
    })
}

fn whose(property: &Property, materials: &[u16]) -> Result<PropertyOf, Exception> {
    match (property.of, materials) {
        (Owner::Material, [id]) => Ok(PropertyOf::Material(MaterialId(*id))),
        (Owner::Pair, []) => Ok(PropertyOf::EveryPair),
        (Owner::Pair, [a, b]) => Ok(PropertyOf::Pair(MaterialId(*a), MaterialId(*b))),
        (Owner::Material, _) => Err(Exception::input(format_args!(
            "{} belongs to one material: name it by material=",
            property.key
        ))),
        (Owner::Pair, _) => Err(Exception::input(format_args!(
            "{} belongs to two materials in contact: name both by pair=, or none for every pair",
            property.key
        ))),
    }
}
