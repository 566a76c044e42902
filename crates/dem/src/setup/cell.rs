//! A periodic cell that deforms: how long each of its axes is when, and how its layers slide over each other.

use crate::check::{finite, positive};
use crate::domain::{Axis, Domain, Tilt};
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
    /// First as [`Stress`](Self::Stress), then as [`Strain`](Self::Strain): a sample that is pressed together first, and crushed then.
    StressThenStrain {
        /// p, Pa; compression is positive.
        pressure: f64,
        /// When the strain begins, s: with the first step from then on.
        from: f64,
        /// L̇/L from then on, 1/s; negative where the cell becomes shorter.
        rate: f64,
        /// The length at which it stops, m, if it does.
        until: Option<f64>,
    },
}

/// Simple shear: the space moves along one axis, the faster the farther it is along another one. Images beyond the ends of that one are
/// displaced, as far as they have come (Lees & Edwards 1972); the cell stays rectangular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shear {
    /// Along which the space moves: 0, 1 or 2 for x, y or z.
    pub flow: usize,
    /// Along which it does so the faster.
    pub gradient: usize,
    /// What makes it do so.
    pub drive: ShearDrive,
}

/// What makes layers slide over each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShearDrive {
    /// The strain is an exact function of time.
    Rate {
        /// γ̇, the gradient of the velocity, 1/s; either sign.
        rate: f64,
        /// The strain at which it stops, if it does; positive, whichever way it goes.
        until: Option<f64>,
    },
    /// Layers give way until the bodies bear a shear stress, M V̇ = A (τ + P_xy − η γ̇) with V = L_y γ̇: A is the area across the gradient y, P_xy the
    /// component of the pressure with forces along the flow x, M and η mass and viscosity of the [`Cell`].
    Stress {
        /// τ, Pa; positive along the flow, above the middle.
        stress: f64,
    },
}

/// A cell whose axes are controlled.
///
/// ```
/// use tumble_dem::{Cell, Control, Shear, ShearDrive};
/// let load = Control::Stress { pressure: 1e4 };
/// // Layers across z slide along x. Empty, it would shrink at 1e4/1e3 = 10 times its length per second.
/// let drive = ShearDrive::Rate { rate: 5.0, until: None };
/// let shear = Shear { flow: 0, gradient: 2, drive };
/// let cell = Cell { axes: [load; 3], shear: Some(shear), mass: 0.1, viscosity: 1e3 };
/// # let _ = cell;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// x, y and z.
    pub axes: [Control; 3],
    /// Whether its layers slide over each other.
    pub shear: Option<Shear>,
    /// M, kg: the inertia of each axis that holds a pressure, and of layers that hold a shear stress. It decides how fast that is found, not what is found.
    pub mass: f64,
    /// η, Pa s: what resists such a change of length, and such a shear, as a fluid between the ends would.
    pub viscosity: f64,
}

impl Control {
    /// The prescribed length at a time, m, and its rate, 1/s; of one that would have been `begun` long at time zero, or at the time from which on it is strained.
    pub(crate) fn prescribed(&self, begun: f64, time: f64) -> Option<(f64, f64)> {
        let (rate, until, time) = match *self {
            Self::Strain { rate, until } => (rate, until, time),
            Self::StressThenStrain { from, rate, until, .. } if begun > 0.0 => (rate, until, time - from),
            _ => return None,
        };
        let length = begun * exp(rate * time);
        let beyond = |end: f64| if rate < 0.0 { length <= end } else { length >= end };
        Some(match until {
            Some(end) if beyond(end) => (end, 0.0),
            _ => (length, rate),
        })
    }

    /// The pressure that it holds, at least at first, Pa.
    pub(crate) fn pressure(&self) -> Option<f64> {
        match *self {
            Self::Stress { pressure } | Self::StressThenStrain { pressure, .. } => Some(pressure),
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
            (Self::StressThenStrain { pressure, from, rate, until }, _) => {
                finite(&of, "pressure", &[pressure])?;
                finite(&of, "time from which on it is strained, and rate", &[from, rate])?;
                until.map_or(Ok(()), |end| positive(&of, "length at which it stops", end))
            }
            _ => Ok(()),
        }
    }
}

impl Shear {
    /// The prescribed strain at a time and its rate, 1/s, with that which there would have been at time zero.
    pub(crate) fn prescribed(&self, begun: f64, time: f64) -> Option<(f64, f64)> {
        let ShearDrive::Rate { rate, until } = self.drive else { return None };
        let strain = begun + rate * time;
        let beyond = |end: f64| if rate < 0.0 { strain <= end } else { strain >= end };
        Some(match until.map(|until| until.copysign(rate)) {
            Some(end) if beyond(end) => (end, 0.0),
            _ => (strain, rate),
        })
    }

    /// The shear stress that it holds, Pa.
    pub(crate) fn stress(&self) -> Option<f64> {
        match self.drive {
            ShearDrive::Stress { stress } => Some(stress),
            ShearDrive::Rate { .. } => None,
        }
    }

    fn check(&self) -> Result<(), Error> {
        let Self { flow, gradient, drive } = *self;
        if flow > 2 || gradient > 2 || flow == gradient {
            return Err(Error::Invalid {
                of: "the shear of the cell".into(),
                what: "flow and gradient",
                value: format!("axes {flow} and {gradient}"),
                expected: "two different ones of 0, 1 and 2, for x, y and z",
            });
        }
        let of = "the shear of the cell";
        match drive {
            ShearDrive::Rate { rate, until } => {
                finite(of, "rate", &[rate])?;
                until.map_or(Ok(()), |until| positive(of, "strain at which it stops", until))
            }
            ShearDrive::Stress { stress } => finite(of, "stress", &[stress]),
        }
    }
}

impl Cell {
    /// Whether any axis holds a pressure, or layers hold a shear stress: whether anything gives way.
    pub fn gives_way(&self) -> bool {
        self.axes.iter().any(|axis| axis.pressure().is_some())
            || self.shear.is_some_and(|shear| shear.stress().is_some())
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
    cell.shear.map_or(Ok(()), |shear| shear.check())?;
    if cell.gives_way() {
        positive("the cell", "mass", cell.mass)?;
        if !(cell.viscosity >= 0.0 && cell.viscosity.is_finite()) {
            return Err(refused("viscosity", &cell.viscosity.to_string(), "a finite number ≥ 0"));
        }
    }
    let many = |count: usize| count.to_string();
    if !world.walls.is_empty() {
        return Err(refused("walls", &many(world.walls.len()), "none: a wall would not deform with it"));
    }
    let bonds = world.bonds.len() + world.touch_bonds.len();
    if bonds > 0 {
        return Err(refused("bonds", &many(bonds), "none: bonds do not know of it yet"));
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

/// A domain of these lengths about a point, whose layers may be displaced.
pub(crate) fn domain_about(centre: [f64; 3], lengths: [f64; 3], tilt: Option<Tilt>) -> Domain {
    let axis =
        |k: usize| Axis::Periodic { low: centre[k] - 0.5 * lengths[k], high: centre[k] + 0.5 * lengths[k] };
    let domain = Domain::of([axis(0), axis(1), axis(2)]);
    tilt.map_or(domain, |tilt| domain.tilted(tilt))
}
