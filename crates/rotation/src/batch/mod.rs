//! Many bodies at once: one column per component, vectorised for the machine it runs on, on all threads.
//!
//! The loops call the same functions as [`Rotor`](crate::Rotor) does. Nothing is summed across bodies and
//! nothing is contracted into a fused multiply–add, so a batch gives the same bits on every instruction
//! set and any number of threads, and the same bits as bodies integrated one by one.
//!
//! [`Batch`] owns its columns. A program with columns of its own hands them to [`run_hook`] as [`Columns`].

mod columns;
mod dispatch;
mod instruction_set;
mod kernel;
mod storage;

pub use columns::{Columns, Seen};
#[doc(hidden)]
pub use dispatch::Run;
pub use dispatch::{Vectorised, run_hook, run_hook_with};
pub use instruction_set::{InstructionSet, Kernel};

use crate::rotor::check_time_step;
use crate::state::check_inertia;
use crate::{AnyScheme, Error, Hook, Inertia, Number, PrincipalInertia, Spin};
use storage::{Field, Storage};
use tumble_math::{BodyVec, LabVec, Quat};

/// Bodies integrated together with one scheme and one time step.
///
/// ```
/// use tumble_rotation::{PrincipalInertia, SchemeKind, Spin, batch::Batch};
/// use tumble_rotation::math::{BodyVec, LabVec, Quat};
///
/// let inertia = PrincipalInertia::new([1.0, 2.0, 3.0])?;
/// let bodies = (0..1000).map(|i| {
///     (Spin { q: Quat::identity(), omega: BodyVec::new(0.01, f64::from(i), 0.0) }, inertia)
/// });
/// let drag = |_body, q: Quat<f64>, omega: BodyVec<f64>, _time| q.to_lab(omega * -0.1);
/// let mut batch = Batch::new(SchemeKind::SpiralLeapfrog, 1e-3, bodies, drag)?;
/// for _ in 0..100 {
///     batch.step(drag);
/// }
/// assert!((batch.native(7).q.norm() - 1.0).abs() < 1e-15);
/// # Ok::<(), tumble_rotation::Error>(())
/// ```
/// Unlike a [`Rotor`](crate::Rotor) a batch does not look at its bodies after each step: a step in which a
/// body turns by more than a full turn goes unnoticed. Spheres take the general way here.
#[derive(Clone, Debug)]
pub struct Batch<R> {
    scheme: AnyScheme,
    dt: R,
    steps: u64,
    storage: Storage<R>,
}

impl<R: Vectorised> Batch<R> {
    /// Bodies at time 0, with the torques on them then; the quaternions are scaled to unit length.
    ///
    /// The torque function receives the number of a body, and its orientation, body angular velocity and
    /// time, all at the same instant; it returns a torque in the lab frame.
    pub fn new(
        scheme: impl Into<AnyScheme>,
        dt: R,
        bodies: impl IntoIterator<Item = (Spin<R>, PrincipalInertia<R>)>,
        torque: impl Fn(usize, Quat<R>, BodyVec<R>, f64) -> LabVec<R>,
    ) -> Result<Self, Error> {
        check_time_step(dt)?;
        let scheme = scheme.into();
        let bodies: Vec<_> = bodies.into_iter().collect();
        let mut storage = Storage::new(bodies.len(), scheme.memory_width());
        for (row, (spin, inertia)) in bodies.into_iter().enumerate() {
            let spin = spin.checked()?;
            check_inertia(inertia)?;
            set_spin(&mut storage, Field::Spin, row, spin);
            storage.set_row(Field::Torque, row, torque(row, spin.q, spin.omega, 0.0).to_array());
            storage.set_row(Field::Moments, row, inertia.moments().to_array());
            storage.set_row(Field::Inverse, row, inertia.inverse().to_array());
        }
        let mut batch = Self { scheme, dt, steps: 0, storage };
        batch.run(Hook::Start);
        Ok(batch)
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.storage.rows()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The present time.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt.into()
    }

    /// Advances all bodies by one step. The torque function is as in [`new`](Self::new).
    pub fn step(&mut self, torque: impl Fn(usize, Quat<R>, BodyVec<R>, f64) -> LabVec<R>) {
        self.step_together(|seen, torques, time| {
            for row in 0..seen.len() {
                let (q, omega) = seen.body(row);
                let torque = torque(row, q, omega, time).to_array();
                for (column, value) in torques.iter_mut().zip(torque) {
                    column[row] = value;
                }
            }
        });
    }

    /// Advances all bodies by one step with torques that are computed for all of them at once, because they
    /// depend on each other: contacts, springs between bodies.
    ///
    /// The function receives every body as it is at the given time, and fills the torque columns x, y, z in
    /// the lab frame.
    pub fn step_together(&mut self, mut torques: impl FnMut(Seen<'_, R>, &mut [&mut [R]; 3], f64)) {
        self.run(Hook::BeforeTorque);
        let times = self.scheme.info().torque_times;
        for (stage, fraction) in (0..).zip(times) {
            self.run(Hook::AtTorque);
            let time = self.time() + fraction * self.dt.into();
            let (seen, mut columns) = self.storage.seen_and_torques();
            torques(seen, &mut columns, time);
            let last = usize::from(stage) + 1 == times.len();
            self.run(if last { Hook::AfterTorque } else { Hook::BetweenTorques(stage) });
        }
        self.steps += 1;
    }

    /// Advances all bodies by one step under the lab torques they already have, with no call per body.
    ///
    /// Only for torques that are constant in the lab: others would be those of another instant.
    pub fn step_with_held_torques(&mut self) {
        self.run(Hook::BeforeTorque);
        for stage in (0..).take(self.scheme.info().torque_times.len() - 1) {
            self.run(Hook::BetweenTorques(stage));
        }
        self.run(Hook::AfterTorque);
        self.steps += 1;
    }

    /// The torque columns x, y, z in the lab frame.
    pub fn torques_mut(&mut self) -> [&mut [R]; 3] {
        self.storage.seen_and_torques().1
    }

    /// Orientation and angular velocity of every body at [`time`](Self::time). The torque function, as in
    /// [`new`](Self::new), is called once per body.
    pub fn states(&self, torque: impl Fn(usize, Quat<R>, BodyVec<R>, f64) -> LabVec<R>) -> Vec<Spin<R>> {
        let mut states = Vec::with_capacity(self.len());
        self.look(torque, |spin| states.push(spin));
        states
    }

    /// The same, body by body: for whoever wants a part of it, or elsewhere.
    pub fn look(
        &self,
        torque: impl Fn(usize, Quat<R>, BodyVec<R>, f64) -> LabVec<R>,
        mut each: impl FnMut(Spin<R>),
    ) {
        // Reports must not leave a trace in the run, so they are made on copies, which stay in the cache.
        const ROWS: usize = 1024;
        let mut copy = self.storage.blank(ROWS.min(self.len()));
        for first in (0..self.len()).step_by(ROWS) {
            copy.copy_rows(&self.storage, first);
            run_hook(self.scheme, Hook::AtTorque, copy.columns(), self.dt);
            for row in 0..copy.rows() {
                let seen = spin(&copy, Field::Seen, row);
                let torque = torque(first + row, seen.q, seen.omega, self.time());
                copy.set_row(Field::Torque, row, torque.to_array());
            }
            run_hook(self.scheme, Hook::Synchronise, copy.columns(), self.dt);
            (0..copy.rows()).for_each(|row| each(spin(&copy, Field::Seen, row)));
        }
    }

    /// The state of a body as the scheme holds it, at the instants of its time level.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn native(&self, body: usize) -> Spin<R> {
        spin(&self.storage, Field::Spin, body)
    }

    fn run(&mut self, hook: Hook) {
        run_hook(self.scheme, hook, self.storage.columns(), self.dt);
    }
}

fn spin<R: Number>(storage: &Storage<R>, field: Field, row: usize) -> Spin<R> {
    let [w, x, y, z, a, b, c] = storage.row(field, row);
    Spin { q: Quat::new(w, x, y, z), omega: BodyVec::new(a, b, c) }
}

fn set_spin<R: Number>(storage: &mut Storage<R>, field: Field, row: usize, spin: Spin<R>) {
    let ([w, x, y, z], [a, b, c]) = (spin.q.to_array(), spin.omega.to_array());
    storage.set_row(field, row, [w, x, y, z, a, b, c]);
}
