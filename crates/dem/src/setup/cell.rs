//! A periodic cell that deforms: how long each of its axes is when.

use crate::check::{finite, positive};
use crate::domain::{Axis, Domain};
use crate::engine::Settings;
use crate::error::Error;
use crate::precision::Precision;
use crate::world::World;
use tumble_math::elementary::exp;

/// What becomes of the length of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Control {
    /// It stays.
    #[default]
    Fixed,
    /// It is an exact function of time, L = L₀ exp(rate t).
    Strain {
        /// L̇/L, 1/s; negative where the cell becomes shorter.
        rate: f64,
        /// The length at which it stops, m, if it does.
        until: Option<f64>,
    },
    /// It gives way until the bodies bear a pressure, M L̈ = A (P − p − η L̇/L): A is the area across the axis, P the pressure of
    /// contacts and motion along it, M and η mass and viscosity of the [`Cell`].
    Stress {
        /// p, Pa; compression is positive.
        pressure: f64,
    },
}

/// A cell whose axes are controlled.
///
/// ```
/// use tumble_dem::{Cell, Control};
/// let load = Control::Stress { pressure: 1e4 };
/// // Empty, it would shrink at 1e4/1e3 = 10 times its length per second.
/// let cell = Cell { axes: [load, load, Control::Fixed], mass: 0.1, viscosity: 1e3 };
/// # let _ = cell;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// x, y and z.
    pub axes: [Control; 3],
    /// M, kg: the inertia of each axis that holds a pressure. It decides how fast that is found, not what is found.
    pub mass: f64,
    /// η, Pa s: what resists a change of length, as a fluid between the ends would.
    pub viscosity: f64,
}

impl Control {
    /// The prescribed length at a time, m, and its rate, 1/s.
    pub(crate) fn prescribed(&self, begun: f64, time: f64) -> Option<(f64, f64)> {
        let Self::Strain { rate, until } = *self else { return None };
        let length = begun * exp(rate * time);
        let beyond = |end: f64| if rate < 0.0 { length <= end } else { length >= end };
        Some(match until {
            Some(end) if beyond(end) => (end, 0.0),
            _ => (length, rate),
        })
    }

    /// The pressure that it holds, Pa.
    pub(crate) fn pressure(&self) -> Option<f64> {
        match *self {
            Self::Stress { pressure } => Some(pressure),
            _ => None,
        }
    }

    fn check(&self, axis: char, domain: Axis) -> Result<(), Error> {
        let of = format!("the cell along {axis}");
        match (*self, domain) {
            (Self::Strain { rate, until }, Axis::Periodic { low, high }) => {
                finite(&of, "rate", &[rate])?;
                let Some(end) = until else { return Ok(()) };
                positive(&of, "length at which it stops", end)?;
                let behind = if rate < 0.0 { end > high - low } else { end < high - low };
                if !behind {
                    return Ok(());
                }
                let value = crate::error::readable(end);
                let expected = "one that the rate leads to, in m";
                Err(Error::Invalid { of, what: "length at which it stops", value, expected })
            }
            (Self::Stress { pressure }, _) => finite(&of, "pressure", &[pressure]),
            _ => Ok(()),
        }
    }
}

impl Cell {
    /// Whether any axis holds a pressure.
    pub fn holds_pressure(&self) -> bool {
        self.axes.iter().any(|axis| axis.pressure().is_some())
    }
}

fn refused(what: &'static str, value: &str, expected: &'static str) -> Error {
    Error::Invalid { of: "the cell, which deforms".into(), what, value: value.into(), expected }
}

/// Checks that a world can be in a cell that deforms.
pub(crate) fn check(world: &World, settings: &Settings) -> Result<(), Error> {
    let Some(cell) = &world.cell else { return Ok(()) };
    for ((name, control), axis) in ['x', 'y', 'z'].into_iter().zip(&cell.axes).zip(world.domain.axes) {
        if axis == Axis::Open {
            return Err(refused("domain", &format!("one that is open along {name}"), "three periodic axes"));
        }
        control.check(name, axis)?;
    }
    if cell.holds_pressure() {
        positive("the cell", "mass", cell.mass)?;
        if !(cell.viscosity >= 0.0 && cell.viscosity.is_finite()) {
            return Err(refused("viscosity", &cell.viscosity.to_string(), "a finite number ≥ 0"));
        }
    }
    let many = |count: usize| count.to_string();
    if !world.walls.is_empty() {
        return Err(refused("walls", &many(world.walls.len()), "none: a wall would not deform with it"));
    }
    if !world.bonds.is_empty() {
        return Err(refused("bonds", &many(world.bonds.len()), "none: bonds do not know of it yet"));
    }
    let weighs = world.gravity_table.is_some() || world.gravity.norm() > 0.0;
    check_present(weighs, world.bodies.iter().position(|body| body.held))?;
    if settings.precision != Precision::Double {
        return Err(refused("precision", settings.precision.name(), "double"));
    }
    Ok(())
}

/// The same of what can be changed by hand: whether there is gravity, and which body is held.
pub(crate) fn check_present(weighs: bool, held: Option<usize>) -> Result<(), Error> {
    if weighs {
        return Err(refused("gravity", "a weight", "none: the cell would lift it without end"));
    }
    match held {
        Some(number) => {
            Err(refused("bodies", &format!("body {number}, which is held"), "bodies that are free"))
        }
        None => Ok(()),
    }
}

/// A domain of these lengths about a point.
pub(crate) fn domain_about(centre: [f64; 3], lengths: [f64; 3]) -> Domain {
    let axis =
        |k: usize| Axis::Periodic { low: centre[k] - 0.5 * lengths[k], high: centre[k] + 0.5 * lengths[k] };
    Domain { axes: [axis(0), axis(1), axis(2)] }
}
