//! A periodic cell that deforms: its lengths, how far its layers have slid, what bodies do to it, its books.
//!
//! ```text
//! push_cell    lengths of the middle and the end of the step and strain of a shear, from the time or with the pressure of tₙ
//! …            bodies move with it (physics/cell.rs), contacts see how fast it deforms
//! settle_cell  the pressure at tₙ₊₁; what is left of the step of an axis that holds one; books
//! ```
//! An axis that holds a pressure moves as walls do that move by themselves: half a kick, a drift, forces, half a kick, its viscosity
//! explicitly in the first half and implicitly in the second. What bodies do to it is an exact sum over contacts and bodies.
//!
//! **Shear.** The lattice of images is that of a cell that becomes oblique, a₂ = (s, L_y) with ṡ = (L̇_x/L_x) s + γ̇ L_y. Bodies are kept in the rectangle that
//! is also a cell of that lattice: layers of it, displaced by s modulo L_x, fill the space (Lees & Edwards 1972). So grids, lists and whatever goes by lengths
//! see the box that they know, s never has to be flipped, and where a body is brought back to follows from its own position. Velocities are
//! peculiar, so they stay as they are when a body is brought back.
//!
//! **Books.** Kinetic energy of bodies is that of their peculiar velocities; with it, bodies gain −V P dL/L along each axis. Where the length is
//! prescribed, that is work of the cell, and so is −V P_xy dγ of a shear along x with the gradient y: forces along x, ways along y. Where a pressure p is held, the axis belongs to the system: its kinetic energy is stored, its viscosity
//! loses, and −V p dL/L is work of the cell. So it is with layers that hold a shear stress τ: V τ dγ is work of the cell.

mod state;

pub(crate) use state::{CellState, Slid};

use crate::cell::{Control, domain_about};
use crate::domain::{Domain, Periods};
use crate::engine::Engine;
use crate::error::{Error, Stop, StopCause};
use crate::integrate;
use crate::law::{Entry, EntryKind};
use crate::physics::cell::{AxisStep, SlideStep, virial};
use crate::report::CellReport;
use tumble_math::elementary::ln;
use tumble_math::{ExactSum, LabVec};

/// Kinetic energy of axes that hold a pressure.
pub(crate) const CELL_MOTION: Entry =
    Entry::new("cell", "kinetic energy of a periodic cell that holds stresses", EntryKind::Stored);
/// Lost by its viscosity.
pub(crate) const CELL_DAMPING: Entry = Entry::new(
    "cell_damping",
    "lost to the viscosity of a periodic cell that holds stresses",
    EntryKind::Damped,
);

/// How bodies move with the cell in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deformation {
    pub(crate) axes: [AxisStep<f64>; 3],
    /// How layers slide: along which axis, and across which.
    pub(crate) slide: Option<(usize, usize, SlideStep<f64>)>,
    /// By how much the way of a body in a step is longer at most than its velocity at the end says.
    pub(crate) reach: f64,
    /// What counts against the skin for each of two bodies since the space between them deforms, m.
    pub(crate) approach: f64,
}

/// A cell in the middle of a step.
pub(crate) struct Strained {
    half: [f64; 3],
    /// What resists the motion of each axis at the beginning, N s/m.
    damping: [f64; 3],
    /// Strain of a shear.
    slide: f64,
    /// Of layers that hold a stress: how fast they slide in the middle of the step, and what resists that at its beginning.
    sliding: [f64; 2],
    /// With its new lengths, and what bodies did to it at the beginning.
    before: CellState,
}

impl Engine {
    /// Whether the space deforms.
    pub(crate) fn has_cell(&self) -> bool {
        self.space.cell.is_some()
    }

    /// Lengths and pressures of a periodic cell that deforms, if there is one.
    pub fn cell(&self) -> Option<CellReport> {
        let cell = self.space.cell.as_ref()?;
        let [contacts, motion] = self.cell_sums(&core::array::from_fn::<_, 9, _>(|k| [k / 3, k % 3]));
        let share = |sums: Vec<ExactSum>| {
            let at = |row: usize, column: usize| sums[3 * row + column].value() / cell.volume();
            core::array::from_fn(|row| core::array::from_fn(|column| at(row, column)))
        };
        Some(CellReport {
            lengths: cell.lengths,
            reference: cell.reference,
            rates: core::array::from_fn(|k| cell.speeds[k] / cell.lengths[k]),
            shear: cell.slid.map_or(0.0, |slid| slid.strain),
            shear_rate: cell.slid.map_or(0.0, |slid| slid.rate),
            displaced: cell.tilt().map_or(0.0, |tilt| tilt.by),
            contact_pressure: share(contacts),
            kinetic_pressure: share(motion),
        })
    }

    /// Begins the step of the cell, before the time goes on.
    pub(crate) fn push_cell(&mut self) -> Option<Strained> {
        let (cell, mut before, dt) = (self.rules.cell?, self.space.cell?, self.rules.settings.dt);
        let step = self.progress.steps;
        let [now, next] = [step, step + 1].map(|step| self.time_at(step));
        before.switch(&cell, now);
        self.space.cell = Some(before);
        let (mut after, mut half) = (before, before.speeds);
        let (mut lengths, mut resisting) = ([[1.0; 3]; 3], [0.0; 3]);
        for k in 0..3 {
            let control = &cell.axes[k];
            let mut middle = before.lengths[k];
            if let Some((length, rate)) = before.prescribed(k, control, next) {
                let half_way = before.prescribed(k, control, 0.5 * (now + next));
                middle = half_way.map_or(middle, |(middle, _)| middle);
                (after.lengths[k], after.rates[k], after.speeds[k]) = (length, rate, rate * length);
            } else if let Some(pressure) = before.held(k, control) {
                let (force, damping) = before.acting(k, pressure, &cell);
                resisting[k] = damping;
                let kick = 0.5 * dt * (force - damping * before.speeds[k]) / cell.mass;
                half[k] = before.speeds[k] + kick;
                after.lengths[k] = before.lengths[k] + dt * half[k];
                middle = 0.5 * (before.lengths[k] + after.lengths[k]);
                after.rates[k] = (half[k] + kick) / after.lengths[k];
            }
            lengths[k] = [before.lengths[k], middle, after.lengths[k]];
        }
        let mut sliding = [0.0; 2];
        let slid = cell.shear.zip(before.slid).map(|(shear, was)| {
            let [_, middle, end] = lengths[was.plane[1]];
            let held = |stress: f64| {
                let (force, damping) = before.sliding(&was, stress, &cell);
                let kick = 0.5 * dt * (force - damping * was.speed) / cell.mass;
                let half = was.speed + kick;
                sliding = [half, damping];
                (was.strain + dt * half / middle, (half + kick) / end)
            };
            let to = shear.prescribed(was.begun, next);
            (to.or_else(|| shear.stress().map(held)).unwrap_or((was.strain, 0.0)), was)
        });
        let slid = slid.map(|(to, mut now)| {
            let done = now.go_on(to, before.centre, lengths);
            after.slid = Some(now);
            (now.plane, done)
        });
        self.space.cell = Some(after);
        self.show_cell();
        let axes = core::array::from_fn(|k| AxisStep::new(before.centre[k], lengths[k]));
        let slide = slid.map(|([flow, gradient], (_, step))| (flow, gradient, step));
        self.space.deformation = Some(self.deformation(axes, slide));
        let slide = slid.map_or(0.0, |(_, (strain, _))| strain);
        Some(Strained { half, damping: resisting, slide, sliding, before: after })
    }

    /// What a step of the lengths and of the layers does to bodies, and counts against the skin.
    fn deformation(
        &self,
        axes: [AxisStep<f64>; 3],
        slide: Option<(usize, usize, SlideStep<f64>)>,
    ) -> Deformation {
        let most = |of: fn(&AxisStep<f64>) -> f64| axes.iter().map(of).fold(0.0, integrate::longer);
        let slid =
            slide.as_ref().map_or(0.0, |(_, _, step)| integrate::longer(step.taken.abs(), step.left.abs()));
        let strain = most(|axis| (axis.stretch - 1.0).abs()) + slid;
        let (largest, skin) = (self.space.bodies.largest, self.space.neighbours.skin);
        let near = 2.0 * largest + self.rules.groups.range(largest) + 2.0 * skin;
        // Along the flow a body was faster by what is left behind of its velocity across.
        let stretch = most(|axis| axis.stretch);
        let reach = most(|axis| axis.stretch * axis.drift) * (1.0 + slid * stretch);
        Deformation { axes, slide, reach, approach: 0.5 * strain * near }
    }

    /// Gives the space the lengths of the cell.
    pub(crate) fn show_cell(&mut self) {
        if let Some(cell) = &self.space.cell {
            self.space.domain = cell.domain();
            self.space.periods = Periods::of(&self.space.domain).deforming(cell.rates());
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
    pub(crate) fn check_cell(&self) -> Result<(), Stop> {
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
        self.measure_cell();
        self.settle_measured_cell(strained);
    }

    /// The same where what bodies do to it is known already.
    pub(crate) fn settle_measured_cell(&mut self, strained: Option<&Strained>) {
        let (Some(Strained { half, damping: begun, slide, sliding, before }), Some(cell)) =
            (strained, self.rules.cell)
        else {
            return;
        };
        let dt = self.rules.settings.dt;
        let Some(mut after) = self.space.cell else { return };
        let (virial, kinetic) = (after.virial, after.kinetic);
        for k in 0..3 {
            let Some(step) = self.space.deformation.map(|own| own.axes[k]) else { continue };
            let strain = ln(step.stretch);
            let sums = [before.virial[k] + before.kinetic[k], virial[k] + kinetic[k]];
            if let Some(pressure) = after.held(k, &cell.axes[k]) {
                let (force, damping) = after.acting(k, pressure, &cell);
                after.speeds[k] =
                    (half[k] + 0.5 * dt * force / cell.mass) / (1.0 + 0.5 * dt * damping / cell.mass);
                after.damped += 0.5 * (begun[k] + damping) * half[k] * half[k] * dt;
                // The volume at both ends of the step.
                let volumes = after.volume() * (1.0 + self.shrunk());
                after.work -= 0.5 * pressure * volumes * strain;
            } else if cell.axes[k] != Control::Fixed {
                after.work -= 0.5 * (sums[0] + sums[1]) * strain;
            }
        }
        if let (Some(was), Some(mut slid), Some(shear)) = (before.slid, after.slid, cell.shear) {
            if let Some(stress) = shear.stress() {
                let [half, resisting] = *sliding;
                let (force, damping) = after.sliding(&slid, stress, &cell);
                slid.speed = (half + 0.5 * dt * force / cell.mass) / (1.0 + 0.5 * dt * damping / cell.mass);
                after.damped += 0.5 * (resisting + damping) * half * half * dt;
                let volumes = after.volume() * (1.0 + self.shrunk());
                after.work += 0.5 * stress * volumes * slide;
                after.slid = Some(slid);
            } else {
                after.work -= 0.5 * (was.virial + was.kinetic + slid.virial + slid.kinetic) * slide;
            }
        }
        self.space.cell = Some(after);
    }

    /// The volume before the step by that after it.
    fn shrunk(&self) -> f64 {
        self.space.deformation.map_or(1.0, |own| own.axes.iter().map(|axis| axis.shrink).product())
    }

    /// Evaluates what bodies do to the cell.
    pub(crate) fn measure_cell(&mut self) {
        let sums = self.sums_on_cell();
        self.take_sums_on_cell(&sums);
    }

    /// Exact sums of what own bodies and their contacts do to the cell, as far as it goes by that: of contacts, then of motion.
    pub(crate) fn sums_on_cell(&self) -> Vec<ExactSum> {
        let Some(cell) = &self.space.cell else { return Vec::new() };
        let sums = |components: &[[usize; 2]]| self.cell_sums(components).concat();
        let [x, y, z] = [[0, 0], [1, 1], [2, 2]];
        cell.slid.map_or_else(|| sums(&[x, y, z]), |slid| sums(&[x, y, z, slid.plane]))
    }

    /// Takes such sums over all bodies, each rounded once.
    pub(crate) fn take_sums_on_cell(&mut self, sums: &[ExactSum]) {
        let Some(cell) = &mut self.space.cell else { return };
        let values: Vec<f64> = sums.iter().map(ExactSum::value).collect();
        match (&values[..], &mut cell.slid) {
            ([a, b, c, shear, d, e, f, motion], Some(slid)) => {
                (cell.virial, cell.kinetic) = ([*a, *b, *c], [*d, *e, *f]);
                (slid.virial, slid.kinetic) = (*shear, *motion);
            }
            ([a, b, c, d, e, f], None) => (cell.virial, cell.kinetic) = ([*a, *b, *c], [*d, *e, *f]),
            _ => {}
        }
    }

    /// Volume times components of the pressure, of contacts and of peculiar velocities: exact sums. The first index is that of forces, the second
    /// that of ways. A contact is counted by the owner of its first body.
    fn cell_sums(&self, components: &[[usize; 2]]) -> [Vec<ExactSum>; 2] {
        let bodies = &self.space.bodies;
        let none = || vec![ExactSum::ZERO; components.len()];
        let (mut contacts, mut motion) = (none(), none());
        let place = |row: u32| LabVec::from_array(bodies.position.row(row as usize));
        for (kept, _, _) in self.with_outcomes() {
            let own = kept.keys().iter().enumerate().filter(|(_, key)| !bodies.ghost[key.a as usize]);
            for (index, key) in own {
                let force = kept.action(index).force.to_array();
                let branch = self.space.domain.nearest(place(key.a), place(key.b)).to_array();
                for (sum, [i, j]) in contacts.iter_mut().zip(components) {
                    *sum += virial(force[*i], branch[*j]);
                }
            }
        }
        let now = integrate::synchronised(bodies, &self.sums, &self.mover());
        for (row, now) in now.iter().enumerate().filter(|(row, _)| !bodies.ghost[*row]) {
            let mass = bodies.kind(row).mass;
            for (sum, [i, j]) in motion.iter_mut().zip(components) {
                *sum += mass * now.velocity[*i] * now.velocity[*j];
            }
        }
        [contacts, motion]
    }

    /// What the cell has put in, and what it has in motion and has lost to its viscosity, J.
    pub(crate) fn cell_energies(&self) -> Option<(f64, [f64; 2])> {
        let (cell, state) = (self.rules.cell?, self.space.cell?);
        let kinetic = |(k, speed): (usize, &f64)| match state.held(k, &cell.axes[k]) {
            Some(_) => 0.5 * cell.mass * speed * speed,
            None => 0.0,
        };
        let lengthening: f64 = state.speeds.iter().enumerate().map(kinetic).sum();
        let sliding = state.slid.map_or(0.0, |slid| 0.5 * cell.mass * slid.speed * slid.speed);
        Some((state.work, [lengthening + sliding, state.damped]))
    }

    /// The space as it was when the lists were built.
    pub(crate) fn show_cell_as_built(&mut self) {
        if let Some(cell) = self.space.cell {
            let (lengths, tilt) = cell.built;
            self.space.domain = domain_about(cell.centre, lengths, tilt);
            self.space.periods = Periods::of(&self.space.domain).deforming(cell.rates());
        }
    }

    /// The cell as it was.
    pub(crate) fn put_cell_back(&mut self, saved: Option<&CellState>) {
        self.space.cell = saved.copied();
        self.show_cell();
    }

    /// The space that the world was given.
    pub(crate) fn given_domain(&self) -> Domain {
        self.space.cell.map_or(self.space.domain, |cell| domain_about(cell.centre, cell.begun, None))
    }

    /// Goes on with the lengths and the layers of another engine's cell, if both have one. A shear begins anew.
    pub(crate) fn take_cell(&mut self, from: &Self) -> Result<(), Error> {
        let displaced = from.space.cell.and_then(|cell| cell.slid).filter(|slid| slid.turns != 0.0);
        let (Some(cell), Some(mut own), Some(other)) = (self.rules.cell, self.space.cell, from.space.cell)
        else {
            let what = "the cell that it comes from was sheared, and this one is none that deforms";
            return displaced.map_or(Ok(()), |_| Err(Error::Mismatch { what: what.into() }));
        };
        (own.centre, own.lengths) = (other.centre, other.lengths);
        for (k, control) in cell.axes.into_iter().enumerate() {
            // From when on it would have had to deform to be as long as it is.
            let grown = match control {
                Control::Strain { .. } => {
                    control.prescribed(1.0, self.time()).map_or(1.0, |(grown, _)| grown)
                }
                _ => 1.0,
            };
            own.begun[k] = own.lengths[k] / grown;
        }
        own.reference = own.lengths;
        own.slid = cell.shear.map(|shear| Slid::begin(&shear, self.time()));
        if let Some(was) = displaced {
            let slid = own.slid.get_or_insert(Slid { strain: 0.0, begun: 0.0, rate: 0.0, speed: 0.0, ..was });
            if slid.plane != was.plane {
                let what = "the cell that it comes from was sheared along other axes";
                return Err(Error::Mismatch { what: what.into() });
            }
            slid.turns = was.turns;
        }
        self.put_cell_back(Some(&own));
        Ok(())
    }
}
