//! How far a periodic cell has come that deforms: its lengths, and how far its layers have slid.

use crate::cell::{Cell, Control, Shear, ShearDrive, domain_about};
use crate::domain::{Axis, Domain, Rates, Tilt};
use crate::physics::cell::SlideStep;
use tumble_math::elementary::exp;

/// A cell at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellState {
    /// The middle, which stays, m.
    pub(crate) centre: [f64; 3],
    /// At the start, m.
    pub(crate) begun: [f64; 3],
    /// Of axes that hold a pressure first and are strained then: how long each would have been when that was to begin, m; zero as long as it holds the pressure.
    pub(crate) switched: [f64; 3],
    /// What strains are counted from: the lengths when the last axis began to be strained so, or those at the start, m.
    pub(crate) reference: [f64; 3],
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
    /// How far its layers have slid, if they do.
    pub(crate) slid: Option<Slid>,
    /// Lengths and displacement of layers when the lists were built, m.
    pub(crate) built: ([f64; 3], Option<Tilt>),
}

/// How far the layers of a cell have slid at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slid {
    /// Along which axis, and across which.
    pub(crate) plane: [usize; 2],
    /// γ, and what it would have been at time zero.
    pub(crate) strain: f64,
    pub(crate) begun: f64,
    /// γ̇ as contacts see it, 1/s.
    pub(crate) rate: f64,
    /// By how much the layers at the ends of the gradient are faster than each other where a stress is held, m/s.
    pub(crate) speed: f64,
    /// By how many lengths along the flow a layer is displaced by the next one, −½ to ½.
    pub(crate) turns: f64,
    /// Volume times pressure, J: of contacts, and of peculiar velocities.
    pub(crate) virial: f64,
    pub(crate) kinetic: f64,
}

impl CellState {
    /// A cell at rest in this domain.
    pub(crate) fn new(domain: &Domain, cell: &Cell) -> Self {
        let lengths = domain.lengths();
        let centre = core::array::from_fn(|k| match domain.axes[k] {
            Axis::Periodic { low, high } => 0.5 * low + 0.5 * high,
            Axis::Open => 0.0,
        });
        let rates = cell.axes.map(|axis| match axis {
            Control::Strain { .. } => axis.prescribed(1.0, 0.0).map_or(0.0, |(_, rate)| rate),
            _ => 0.0,
        });
        let zero = [0.0; 3];
        Self {
            centre,
            begun: lengths,
            switched: zero,
            reference: lengths,
            lengths,
            speeds: core::array::from_fn(|k| rates[k] * lengths[k]),
            rates,
            virial: zero,
            kinetic: zero,
            work: 0.0,
            damped: 0.0,
            slid: cell.shear.map(|shear| Slid::begin(&shear, 0.0)),
            built: (lengths, None),
        }
    }

    /// The space that it is.
    pub(crate) fn domain(&self) -> Domain {
        domain_about(self.centre, self.lengths, self.tilt())
    }

    /// How far its layers are displaced.
    pub(crate) fn tilt(&self) -> Option<Tilt> {
        let Slid { plane: [flow, gradient], turns, .. } = self.slid?;
        Some(Tilt { flow, gradient, by: turns * self.lengths[flow] })
    }

    /// The pressure that an axis holds now, if it holds one.
    pub(super) fn held(&self, axis: usize, control: &Control) -> Option<f64> {
        control.pressure().filter(|_| self.switched[axis] == 0.0)
    }

    /// The length of an axis that is strained now, at a time, and its rate.
    pub(super) fn prescribed(&self, axis: usize, control: &Control, time: f64) -> Option<(f64, f64)> {
        let begun = match control {
            Control::StressThenStrain { .. } => self.switched[axis],
            _ => self.begun[axis],
        };
        control.prescribed(begun, time)
    }

    /// Lets axes be strained from now on whose time has come. What they had in motion goes to whatever strains them.
    pub(super) fn switch(&mut self, cell: &Cell, now: f64) {
        for (axis, control) in cell.axes.iter().enumerate() {
            let Control::StressThenStrain { from, rate, .. } = *control else { continue };
            if self.switched[axis] != 0.0 || now < from {
                continue;
            }
            self.switched[axis] = self.lengths[axis] * exp(rate * (from - now));
            self.work -= 0.5 * cell.mass * self.speeds[axis] * self.speeds[axis];
            self.speeds[axis] = 0.0;
            self.reference = self.lengths;
        }
    }

    pub(super) fn rates(&self) -> Rates {
        let shear = self.slid.map(|Slid { plane: [flow, gradient], rate, .. }| (flow, gradient, rate));
        Rates { growth: self.rates, shear }
    }

    pub(super) fn volume(&self) -> f64 {
        self.lengths.iter().product()
    }

    /// The force on an axis that holds a pressure without its viscosity, N, and the damping, N s/m.
    pub(super) fn acting(&self, axis: usize, pressure: f64, cell: &Cell) -> (f64, f64) {
        let (length, volume) = (self.lengths[axis], self.volume());
        let force = (self.virial[axis] + self.kinetic[axis] - volume * pressure) / length;
        (force, cell.viscosity * volume / (length * length))
    }
}

impl CellState {
    /// The force along the flow on layers that hold a shear stress without its viscosity, N, and the damping, N s/m.
    pub(super) fn sliding(&self, slid: &Slid, stress: f64, cell: &Cell) -> (f64, f64) {
        let (height, volume) = (self.lengths[slid.plane[1]], self.volume());
        let force = (volume * stress + slid.virial + slid.kinetic) / height;
        (force, cell.viscosity * volume / (height * height))
    }
}

impl Slid {
    /// A cell that begins to be sheared at a time.
    pub(super) fn begin(shear: &Shear, time: f64) -> Self {
        let rate = match shear.drive {
            ShearDrive::Rate { rate, .. } => rate,
            ShearDrive::Stress { .. } => 0.0,
        };
        Self {
            plane: [shear.flow, shear.gradient],
            strain: 0.0,
            begun: -(rate * time),
            rate,
            speed: 0.0,
            turns: 0.0,
            virial: 0.0,
            kinetic: 0.0,
        }
    }

    /// Goes on to a strain and its rate with the lengths at the beginning, in the middle and at the end of a step. Tells the strain of the step and what it does.
    pub(super) fn go_on(
        &mut self,
        (strain, rate): (f64, f64),
        centre: [f64; 3],
        lengths: [[f64; 3]; 3],
    ) -> (f64, SlideStep<f64>) {
        let [flow, gradient] = self.plane;
        let slide = strain - self.strain;
        (self.strain, self.rate) = (strain, rate);
        let turns = self.turns + slide * (lengths[gradient][1] / lengths[flow][1]);
        self.turns = turns - turns.round();
        (slide, SlideStep::new(centre[gradient], slide, lengths[flow], lengths[gradient]))
    }
}
