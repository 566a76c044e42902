//! Many bodies at once: one column per component, vectorised for the machine it runs on, on all threads.
//!
//! The loops call the same functions as [`Rotor`](crate::Rotor) does. Nothing is summed across bodies and
//! nothing is contracted into a fused multiply–add, so a batch gives the same bits on every instruction
//! set and any number of threads, and the same bits as bodies integrated one by one.
//!
//! [`Batch`] owns its columns. A program with columns of its own hands them to [`run_hook`] as [`Columns`].

mod columns;
mod dispatch;
mod kernel;

pub use columns::Columns;
pub use dispatch::{InstructionSet, run_hook, run_hook_with};

use crate::{Error, Hook, Inertia, Memory, Number, PrincipalInertia, RotationScheme, SchemeKind, SchemeVisitor, Spin};
use columns::MAX_MEMORY;
use tumble_math::{BodyVec, LabVec, Quat};

/// Bodies integrated together with one scheme and one time step.
///
/// ```
/// use tumble_rotation::{PrincipalInertia, SchemeKind, Spin, batch::Batch};
/// use tumble_rotation::math::{BodyVec, LabVec, Quat};
///
/// let mut batch = Batch::new(SchemeKind::SpiralLeapfrog, 1e-3)?;
/// for i in 0..1000 {
///     let spin = Spin { q: Quat::identity(), omega: BodyVec::new(0.01, f64::from(i), 0.0) };
///     batch.push(spin, PrincipalInertia::new([1.0, 2.0, 3.0])?)?;
/// }
/// batch.start(|_, _, _, _| LabVec::zero());
/// for _ in 0..100 {
///     batch.step(|_body, _q, omega, _time| LabVec::new(0.0, 0.0, -0.1 * omega.z));
/// }
/// assert!((batch.state(7).q.norm() - 1.0).abs() < 1e-15);
/// # Ok::<(), tumble_rotation::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<R> {
    scheme: SchemeKind,
    dt: R,
    steps: u64,
    q: [Vec<R>; 4],
    omega: [Vec<R>; 3],
    memory: Vec<Vec<R>>,
    torque: [Vec<R>; 3],
    moments: [Vec<R>; 3],
    inverse: [Vec<R>; 3],
    /// q and ω at the instant of the torque.
    seen: [Vec<R>; 7],
}

impl<R: Number + Send + Sync> Batch<R> {
    /// An empty batch.
    pub fn new(scheme: SchemeKind, dt: R) -> Result<Self, Error> {
        let step: f64 = dt.into();
        if !step.is_finite() {
            return Err(Error::NotFinite { what: "time step", value: step });
        }
        if step <= 0.0 {
            return Err(Error::NonPositiveTimeStep { dt: step });
        }
        Ok(Self {
            scheme,
            dt,
            steps: 0,
            q: Default::default(),
            omega: Default::default(),
            memory: vec![Vec::new(); scheme.visit(MemoryWidth)],
            torque: Default::default(),
            moments: Default::default(),
            inverse: Default::default(),
            seen: Default::default(),
        })
    }

    /// Adds a body with its state at time 0; the quaternion is scaled to unit length.
    pub fn push(&mut self, spin: Spin<R>, inertia: PrincipalInertia<R>) -> Result<(), Error> {
        let norm: f64 = spin.q.norm_squared().into();
        if norm == 0.0 {
            return Err(Error::ZeroQuaternion);
        }
        let length = norm + spin.omega.norm_squared().into();
        if !length.is_finite() {
            return Err(Error::NotFinite { what: "initial state", value: length });
        }
        push(&mut self.q, spin.q.normalised().to_array());
        push(&mut self.omega, spin.omega.to_array());
        push(&mut self.torque, [R::lit(0.0); 3]);
        push(&mut self.moments, inertia.moments().to_array());
        push(&mut self.inverse, inertia.inverse().to_array());
        push(&mut self.seen, [R::lit(0.0); 7]);
        for column in &mut self.memory {
            column.push(R::lit(0.0));
        }
        Ok(())
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.q[0].len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The present time.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt.into()
    }

    /// Takes all bodies from their initial state to the instants of the scheme. Call once, before
    /// [`step`](Self::step). The torque function is as there.
    pub fn start(&mut self, torque: impl Fn(usize, Quat<R>, BodyVec<R>, f64) -> LabVec<R>) {
        for body in 0..self.len() {
            let (q, omega) = (self.quat(body), self.omega(body));
            put(&mut self.torque, body, torque(body, q, omega, 0.0).to_array());
        }
        self.run(Hook::Start);
    }

    /// Advances all bodies by one step. The torque function receives the number of the body, and its
    /// orientation, body angular velocity and time, all at the same instant; it returns a lab torque.
    pub fn step(&mut self, torque: impl Fn(usize, Quat<R>, BodyVec<R>, f64) -> LabVec<R>) {
        self.run(Hook::BeforeTorque);
        let times = self.scheme.info().torque_times;
        for (stage, fraction) in times.iter().enumerate() {
            self.run(Hook::AtTorque);
            let time = self.time() + fraction * self.dt.into();
            for body in 0..self.len() {
                let [w, x, y, z, ox, oy, oz] = take(&self.seen, body);
                let seen = torque(body, Quat::new(w, x, y, z), BodyVec::new(ox, oy, oz), time);
                put(&mut self.torque, body, seen.to_array());
            }
            self.run(match u8::try_from(stage) {
                Ok(stage) if usize::from(stage) + 1 < times.len() => Hook::BetweenTorques(stage),
                _ => Hook::AfterTorque,
            });
        }
        self.steps += 1;
    }

    /// Advances all bodies by one step with the torques already in [`torque_mut`](Self::torque_mut): the
    /// fast way for torques that do not depend on the state, with no call per body.
    pub fn step_with_given_torque(&mut self) {
        self.run(Hook::BeforeTorque);
        for stage in 1..self.scheme.info().torque_times.len() {
            self.run(Hook::BetweenTorques(u8::try_from(stage - 1).unwrap_or(u8::MAX)));
        }
        self.run(Hook::AfterTorque);
        self.steps += 1;
    }

    /// The torque columns x, y, z in the lab frame.
    pub fn torque_mut(&mut self) -> [&mut [R]; 3] {
        self.torque.each_mut().map(Vec::as_mut_slice)
    }

    /// Orientation and angular velocity of a body, both at [`time`](Self::time), its last torque held.
    pub fn state(&mut self, body: usize) -> Spin<R> {
        self.run(Hook::Synchronise);
        let [w, x, y, z, ox, oy, oz] = take(&self.seen, body);
        Spin { q: Quat::new(w, x, y, z), omega: BodyVec::new(ox, oy, oz) }
    }

    /// The state of a body as the scheme holds it, at the instants of its time level.
    pub fn native(&self, body: usize) -> Spin<R> {
        Spin { q: self.quat(body), omega: self.omega(body) }
    }

    fn quat(&self, body: usize) -> Quat<R> {
        Quat::from_array(take(&self.q, body))
    }

    fn omega(&self, body: usize) -> BodyVec<R> {
        BodyVec::from_array(take(&self.omega, body))
    }

    fn run(&mut self, hook: Hook) {
        let mut memory: [&mut [R]; MAX_MEMORY] = Default::default();
        for (slot, column) in memory.iter_mut().zip(&mut self.memory) {
            *slot = column;
        }
        let columns = Columns {
            q: self.q.each_mut().map(Vec::as_mut_slice),
            omega: self.omega.each_mut().map(Vec::as_mut_slice),
            memory,
            torque: self.torque.each_ref().map(Vec::as_slice),
            moments: self.moments.each_ref().map(Vec::as_slice),
            inverse: self.inverse.each_ref().map(Vec::as_slice),
            seen: self.seen.each_mut().map(Vec::as_mut_slice),
        };
        run_hook(self.scheme, hook, columns, self.dt);
    }
}

struct MemoryWidth;
impl SchemeVisitor for MemoryWidth {
    type Output = usize;
    fn visit<S: RotationScheme>(self, _: S) -> usize {
        <S::Memory<f64> as Memory<f64>>::WIDTH
    }
}

fn push<R, const N: usize>(columns: &mut [Vec<R>; N], row: [R; N]) {
    for (column, value) in columns.iter_mut().zip(row) {
        column.push(value);
    }
}

fn put<R, const N: usize>(columns: &mut [Vec<R>; N], row: usize, values: [R; N]) {
    for (column, value) in columns.iter_mut().zip(values) {
        column[row] = value;
    }
}

fn take<R: Copy, const N: usize>(columns: &[Vec<R>; N], row: usize) -> [R; N] {
    columns.each_ref().map(|column| column[row])
}
