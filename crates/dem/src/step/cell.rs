//! A periodic cell that deforms: its lengths, what bodies do to it, its books.
//!
//! ```text
//! push_cell    lengths of the middle and the end of the step, from the time or with the pressure of tₙ
//! …            bodies move with it (physics/cell.rs), contacts see how fast it deforms
//! settle_cell  the pressure at tₙ₊₁; what is left of the step of an axis that holds one; books
//! ```
//! An axis that holds a pressure moves as walls do that move by themselves: half a kick, a drift, forces, half a kick, its viscosity
//! explicitly in the first half and implicitly in the second. What bodies do to it is an exact sum over contacts and bodies.
//!
//! **Books.** Kinetic energy of bodies is that of their peculiar velocities; with it, bodies gain −V P dL/L along each axis. Where the length is
//! prescribed, that is work of the cell. Where a pressure p is held, the axis belongs to the system: its kinetic energy is stored, its viscosity
//! loses, and −V p dL/L is work of the cell.

use crate::cell::{Cell, Control, domain_about};
use crate::domain::{Domain, Periods};
use crate::engine::Engine;
use crate::error::{Error, Stop, StopCause};
use crate::integrate;
use crate::law::{Entry, EntryKind};
use crate::physics::cell::{AxisStep, virial};
use tumble_math::elementary::ln;
use tumble_math::{ExactSum, LabVec};

/// Kinetic energy of axes that hold a pressure.
pub(crate) const CELL_MOTION: Entry =
    Entry::new("cell", "kinetic energy of a periodic cell that holds pressures", EntryKind::Stored);
/// Lost by its viscosity.
pub(crate) const CELL_DAMPING: Entry = Entry::new(
    "cell_damping",
    "lost to the viscosity of a periodic cell that holds pressures",
    EntryKind::Damped,
);

/// A cell at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellState {
    /// The middle, which stays, m.
    pub(crate) centre: [f64; 3],
    /// At the start, m.
    pub(crate) begun: [f64; 3],
    /// m
    pub(crate) lengths: [f64; 3],
    /// L̇, m/s.
    pub(crate) speeds: [f64; 3],
    /// L̇/L as contacts see it, 1/s.
    pub(crate) rates: [f64; 3],
    /// Volume times pressure along each axis, J: of contacts, and of peculiar velocities.
    pub(crate) virial: [f64; 3],
    pub(crate) kinetic: [f64; 3],
    /// J
    pub(crate) work: f64,
    /// J
    pub(crate) damped: f64,
    /// Lengths when the lists were built, m.
    pub(crate) built: [f64; 3],
}

/// How bodies move with the cell in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deformation {
    pub(crate) axes: [AxisStep<f64>; 3],
    /// By how much the way of a body in a step is longer at most than its velocity at the end says.
    pub(crate) reach: f64,
    /// What counts against the skin for each of two bodies since the space between them deforms, m.
    pub(crate) approach: f64,
}

/// A cell in the middle of a step.
pub(crate) struct Strained {
    half: [f64; 3],
}

impl CellState {
    /// A cell at rest in this domain.
    pub(crate) fn new(domain: &Domain, cell: &Cell) -> Self {
        let lengths = domain.lengths();
        let centre = core::array::from_fn(|k| match domain.axes[k] {
            crate::domain::Axis::Periodic { low, high } => 0.5 * low + 0.5 * high,
            crate::domain::Axis::Open => 0.0,
        });
        let rates = cell.axes.map(|axis| axis.prescribed(1.0, 0.0).map_or(0.0, |(_, rate)| rate));
        let zero = [0.0; 3];
        Self {
            centre,
            begun: lengths,
            lengths,
            speeds: core::array::from_fn(|k| rates[k] * lengths[k]),
            rates,
            virial: zero,
            kinetic: zero,
            work: 0.0,
            damped: 0.0,
            built: lengths,
        }
    }

    /// The space that it is.
    pub(crate) fn domain(&self) -> Domain {
        domain_about(self.centre, self.lengths)
    }

    fn volume(&self) -> f64 {
        self.lengths.iter().product()
    }

    /// The force on an axis that holds a pressure without its viscosity, N, and the damping, N s/m.
    fn acting(&self, axis: usize, pressure: f64, cell: &Cell) -> (f64, f64) {
        let (length, volume) = (self.lengths[axis], self.volume());
        let force = (self.virial[axis] + self.kinetic[axis] - volume * pressure) / length;
        (force, cell.viscosity * volume / (length * length))
    }
}

impl Engine {
    /// Whether the space deforms.
    pub(crate) fn has_cell(&self) -> bool {
        self.space.cell.is_some()
    }

    /// Lengths and pressures of a periodic cell that deforms, if there is one.
    pub fn cell(&self) -> Option<crate::report::CellReport> {
        let cell = self.space.cell.as_ref()?;
        let share = |sums: [f64; 3]| sums.map(|sum| sum / cell.volume());
        Some(crate::report::CellReport {
            lengths: cell.lengths,
            rates: core::array::from_fn(|k| cell.speeds[k] / cell.lengths[k]),
            contact_pressure: share(cell.virial),
            kinetic_pressure: share(cell.kinetic),
        })
    }

    /// Begins the step of the cell, before the time goes on.
    pub(super) fn push_cell(&mut self) -> Option<Strained> {
        let (cell, before, dt) = (self.rules.cell?, self.space.cell?, self.rules.settings.dt);
        let step = self.progress.steps;
        let [now, next] = [step, step + 1].map(|step| self.time_at(step));
        let (mut after, mut half) = (before, before.speeds);
        let mut axes = [AxisStep::new(0.0, [1.0; 3]); 3];
        for k in 0..3 {
            let (control, begun) = (cell.axes[k], before.begun[k]);
            let mut middle = before.lengths[k];
            if let Some((length, rate)) = control.prescribed(begun, next) {
                middle = control.prescribed(begun, 0.5 * (now + next)).map_or(middle, |(middle, _)| middle);
                (after.lengths[k], after.rates[k], after.speeds[k]) = (length, rate, rate * length);
            } else if let Some(pressure) = control.pressure() {
                let (force, damping) = before.acting(k, pressure, &cell);
                let kick = 0.5 * dt * (force - damping * before.speeds[k]) / cell.mass;
                half[k] = before.speeds[k] + kick;
                after.lengths[k] = before.lengths[k] + dt * half[k];
                middle = 0.5 * (before.lengths[k] + after.lengths[k]);
                after.rates[k] = (half[k] + kick) / after.lengths[k];
            }
            axes[k] = AxisStep::new(before.centre[k], [before.lengths[k], middle, after.lengths[k]]);
        }
        self.space.cell = Some(after);
        self.show_cell();
        self.space.deformation = Some(self.deformation(axes));
        Some(Strained { half })
    }

    /// What a step of the lengths does to bodies, and counts against the skin.
    fn deformation(&self, axes: [AxisStep<f64>; 3]) -> Deformation {
        let most = |of: fn(&AxisStep<f64>) -> f64| axes.iter().map(of).fold(0.0, integrate::longer);
        let strain = most(|axis| (axis.stretch - 1.0).abs());
        let (largest, skin) = (self.space.bodies.largest, self.space.neighbours.skin);
        let near = 2.0 * largest + self.rules.groups.range(largest) + 2.0 * skin;
        Deformation { axes, reach: most(|axis| axis.stretch * axis.drift), approach: 0.5 * strain * near }
    }

    /// Gives the space the lengths of the cell.
    pub(crate) fn show_cell(&mut self) {
        if let Some(cell) = &self.space.cell {
            self.space.domain = cell.domain();
            self.space.periods = Periods::of(&self.space.domain).deforming(cell.rates);
        }
    }

    /// Nothing has been changed by hand to what cannot be in a cell that deforms.
    pub(crate) fn check_in_cell(&self) -> Result<(), Error> {
        if !self.has_cell() {
            return Ok(());
        }
        let held = self.space.bodies.held.iter().position(|held| *held);
        let held = held.map(|row| self.space.bodies.id[row] as usize);
        crate::cell::check_present(self.rules.gravity.norm() > 0.0, held)
    }

    /// Bodies have room in the cell.
    pub(super) fn check_cell(&self) -> Result<(), Stop> {
        if !self.has_cell() {
            return Ok(());
        }
        let largest = self.space.bodies.largest;
        let largest = largest + 0.5 * self.rules.groups.range(largest);
        crate::check::domain(&self.space.domain, largest, Some(self.space.neighbours.skin)).map_err(|error| {
            self.stop(0, StopCause::Prescribed { reason: format!("the cell deforms: {error}") })
        })
    }

    /// Ends its step, with all forces known.
    pub(super) fn settle_cell(&mut self, strained: Option<&Strained>) {
        let (Some(Strained { half }), Some(cell), Some(before)) =
            (strained, self.rules.cell, self.space.cell)
        else {
            return;
        };
        let dt = self.rules.settings.dt;
        let (virial, kinetic) = self.cell_sums();
        let mut after = CellState { virial, kinetic, ..before };
        for k in 0..3 {
            let Some(step) = self.space.deformation.map(|own| own.axes[k]) else { continue };
            let strain = ln(step.stretch);
            let sums = [before.virial[k] + before.kinetic[k], virial[k] + kinetic[k]];
            if let Some(pressure) = cell.axes[k].pressure() {
                let (force, damping) = after.acting(k, pressure, &cell);
                after.speeds[k] =
                    (half[k] + 0.5 * dt * force / cell.mass) / (1.0 + 0.5 * dt * damping / cell.mass);
                after.damped += damping * half[k] * half[k] * dt;
                // The volume at both ends of the step.
                let volumes = after.volume() * (1.0 + self.shrunk());
                after.work -= 0.5 * pressure * volumes * strain;
            } else if cell.axes[k] != Control::Fixed {
                after.work -= 0.5 * (sums[0] + sums[1]) * strain;
            }
        }
        self.space.cell = Some(after);
    }

    /// The volume before the step by that after it.
    fn shrunk(&self) -> f64 {
        self.space.deformation.map_or(1.0, |own| own.axes.iter().map(|axis| axis.shrink).product())
    }

    /// Evaluates what bodies do to the cell, where no step does.
    pub(crate) fn measure_cell(&mut self) {
        if self.has_cell() {
            let (virial, kinetic) = self.cell_sums();
            if let Some(cell) = &mut self.space.cell {
                (cell.virial, cell.kinetic) = (virial, kinetic);
            }
        }
    }

    /// Volume times pressure along each axis, of contacts and of peculiar velocities: exact sums, each rounded once.
    fn cell_sums(&self) -> ([f64; 3], [f64; 3]) {
        let (mut contacts, mut motion) = ([ExactSum::ZERO; 3], [ExactSum::ZERO; 3]);
        let place = |row: u32| LabVec::from_array(self.space.bodies.position.row(row as usize));
        for (kept, _, _) in self.with_outcomes() {
            for (index, key) in kept.keys().iter().enumerate() {
                let force = kept.action(index).force.to_array();
                let branch = self.space.domain.nearest(place(key.a), place(key.b)).to_array();
                for k in 0..3 {
                    contacts[k] += virial(force[k], branch[k]);
                }
            }
        }
        let bodies = &self.space.bodies;
        for (row, now) in integrate::synchronised(bodies, &self.sums, &self.mover()).iter().enumerate() {
            let mass = bodies.kind(row).mass;
            for (sum, velocity) in motion.iter_mut().zip(now.velocity) {
                *sum += mass * velocity * velocity;
            }
        }
        (contacts.map(|sum| sum.value()), motion.map(|sum| sum.value()))
    }

    /// What the cell has put in, and what it has in motion and has lost to its viscosity, J.
    pub(crate) fn cell_energies(&self) -> Option<(f64, [f64; 2])> {
        let (cell, state) = (self.rules.cell?, self.space.cell?);
        let kinetic = |(control, speed): (&Control, &f64)| match control.pressure() {
            Some(_) => 0.5 * cell.mass * speed * speed,
            None => 0.0,
        };
        let moving = cell.axes.iter().zip(&state.speeds).map(kinetic).sum();
        Some((state.work, [moving, state.damped]))
    }

    /// The space with the lengths that the cell had at some instant.
    pub(crate) fn show_cell_as(&mut self, lengths: fn(&CellState) -> [f64; 3]) {
        if let Some(cell) = &mut self.space.cell {
            cell.lengths = lengths(cell);
        }
        self.show_cell();
    }

    /// The cell as it was.
    pub(crate) fn put_cell_back(&mut self, saved: Option<CellState>) {
        self.space.cell = saved;
        self.show_cell();
    }

    /// The space that the world was given.
    pub(crate) fn given_domain(&self) -> Domain {
        self.space.cell.map_or(self.space.domain, |cell| domain_about(cell.centre, cell.begun))
    }

    /// Goes on with the lengths of another engine's cell, if both have one.
    pub(crate) fn take_cell(&mut self, from: &Self) {
        let (Some(cell), Some(mut own), Some(other)) = (self.rules.cell, self.space.cell, from.space.cell)
        else {
            return;
        };
        (own.centre, own.lengths) = (other.centre, other.lengths);
        for (k, control) in cell.axes.into_iter().enumerate() {
            // From when on it would have had to deform to be as long as it is.
            let grown = control.prescribed(1.0, self.time()).map_or(1.0, |(grown, _)| grown);
            own.begun[k] = own.lengths[k] / grown;
        }
        self.put_cell_back(Some(own));
    }
}
