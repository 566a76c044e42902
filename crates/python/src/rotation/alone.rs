//! One body without the columns of a batch, whose steps cost as much as those of some dozen bodies.
//!
//! It calls the same hooks in the same order, so it has the same bits as in a batch.

use super::torque::Torque;
use tumble_rotation::{Drive, Memory, PrincipalInertia, RotationScheme, SchemeKind, SchemeVisitor, Spin};

pub(super) struct Alone {
    scheme: SchemeKind,
    spin: Spin<f64>,
    /// What the scheme remembers, as columns.
    memory: Vec<f64>,
    drive: Drive<f64, PrincipalInertia<f64>>,
    steps: u64,
}

impl Alone {
    /// A body with the torque on it at the start.
    pub(super) fn new(scheme: SchemeKind, spin: Spin<f64>, drive: Drive<f64, PrincipalInertia<f64>>) -> Self {
        let mut body = Self { scheme, spin, memory: Vec::new(), drive, steps: 0 };
        scheme.visit(Start(&mut body));
        body
    }

    /// Advances by a number of steps under a torque that is no Python function.
    pub(super) fn run(&mut self, torque: &Torque, start: f64, steps: u64) {
        self.scheme.visit(Run { body: self, torque, start, steps });
    }

    /// The body at the present time.
    pub(super) fn state(&self, torque: &Torque, time: f64) -> Spin<f64> {
        self.scheme.visit(Look { body: self, torque, time })
    }

    /// The body as the scheme holds it.
    pub(super) fn native(&self) -> Spin<f64> {
        self.spin
    }

    fn memory<M: Memory<f64>>(&self) -> M {
        let mut columns = M::blank();
        columns.as_mut().copy_from_slice(&self.memory);
        M::from_columns(columns)
    }

    fn remember<M: Memory<f64>>(&mut self, spin: Spin<f64>, memory: M) {
        self.spin = spin;
        self.memory = memory.to_columns().as_ref().to_vec();
    }
}

struct Start<'a>(&'a mut Alone);

impl SchemeVisitor for Start<'_> {
    type Output = ();
    fn visit<S: RotationScheme>(self, _: S) {
        let Self(body) = self;
        let (spin, memory) = S::start(body.spin, body.drive);
        body.remember(spin, memory);
    }
}

struct Run<'a> {
    body: &'a mut Alone,
    torque: &'a Torque,
    start: f64,
    steps: u64,
}

impl SchemeVisitor for Run<'_> {
    type Output = ();
    fn visit<S: RotationScheme>(self, _: S) {
        let Self { body, torque, start, steps } = self;
        let (mut spin, mut memory, mut drive) = (body.spin, body.memory::<S::Memory<f64>>(), body.drive);
        let times = S::INFO.torque_times;
        for step in body.steps..body.steps + steps {
            (spin, memory) = S::before_torque(spin, memory, drive);
            for (stage, fraction) in times.iter().enumerate() {
                let time = step as f64 * drive.dt + fraction * drive.dt;
                drive.torque = torque.at(0, S::at_torque(spin, memory, drive), start + time);
                (spin, memory) = if stage + 1 < times.len() {
                    S::between_torques(stage, spin, memory, drive)
                } else {
                    S::after_torque(spin, memory, drive)
                };
            }
        }
        body.drive = drive;
        body.steps += steps;
        body.remember(spin, memory);
    }
}

struct Look<'a> {
    body: &'a Alone,
    torque: &'a Torque,
    time: f64,
}

impl SchemeVisitor for Look<'_> {
    type Output = Spin<f64>;
    fn visit<S: RotationScheme>(self, _: S) -> Spin<f64> {
        let (spin, memory, mut drive) =
            (self.body.spin, self.body.memory::<S::Memory<f64>>(), self.body.drive);
        drive.torque = self.torque.at(0, S::at_torque(spin, memory, drive), self.time);
        S::synchronise(spin, memory, drive)
    }
}
