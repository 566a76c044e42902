//! Contact models as recorded kernels: to count their operations, replay them, and print them as CUDA C.
//!
//! A recording takes its numbers in the order of the fields: [`Pair`] (10), [`Contact`] (20), [`History`]
//! (8), Δt; and gives force (3), torque (3), normal force, history (8), stored energies (3), losses (5).
//!
//! ```
//! use tumble_dem::law::{ContactModel, trace};
//! let tape = trace::record(ContactModel::default());
//! assert_eq!((tape.inputs(), tape.outputs()), (39, 23));
//! ```

use super::{
    Contact, ContactLaw, ContactModel, ContactVisitor, History, Pair, Reaction, RollingModel, TwistingModel,
    react,
};
use std::array::from_fn;
use tumble_math::trace::{Tape, Traced};
use tumble_math::{LabVec, Real};

/// How many numbers a recording takes.
pub const INPUTS: usize = 39;

/// Records a model.
pub fn record(model: ContactModel) -> Tape {
    Tape::record(INPUTS, |numbers| evaluate::<Traced>(model, numbers))
}

/// Evaluates a model directly on numbers in the order of a recording.
///
/// # Panics
/// If there are fewer than [`INPUTS`] numbers.
pub fn evaluate<R: Real>(model: ContactModel, numbers: &[R]) -> Vec<R> {
    model.visit(Evaluate { numbers })
}

/// Floating-point operations of one contact, books included.
pub fn flops(model: ContactModel) -> usize {
    record(model).flops()
}

struct Evaluate<'a, R> {
    numbers: &'a [R],
}

impl<R: Real> ContactVisitor for Evaluate<'_, R> {
    type Output = Vec<R>;

    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> Vec<R> {
        let n = self.numbers;
        let vector = |first: usize| LabVec::new(n[first], n[first + 1], n[first + 2]);
        let pair = Pair::from_array(from_fn(|i| n[i]));
        let contact = Contact {
            overlap: n[10],
            slope: n[11],
            normal: vector(12),
            velocity: vector(15),
            spin: vector(18),
            slide: vector(21),
            turn: vector(24),
            radius: n[27],
            mass: n[28],
            inertia: n[29],
        };
        let history = History::from_array(from_fn(|i| n[30 + i]));
        let Reaction { force, torque, normal_force, history, energy, loss } =
            react::<L, Ro, Tw, R>(&pair, contact, history, n[38]);
        let mut out = [force.to_array(), torque.to_array()].concat();
        out.push(normal_force);
        out.extend(history.to_array());
        out.extend([energy.normal, energy.tangential, energy.rolling]);
        out.extend([loss.normal_damping, loss.tangential_damping, loss.sliding]);
        out.extend([loss.rolling, loss.rolling_damping]);
        out
    }
}
