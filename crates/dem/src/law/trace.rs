//! Contact laws as recorded kernels: the law alone, of one contact whose geometry and motion are known. The whole of a contact
//! is recorded in [`physics::trace`](crate::physics::trace).
//!
//! A recording takes the numbers of [`Constants`], [`Contact`], [`History`] and Δt, and gives
//! those of force, torque, normal force, history, the books of the law and those of resistances.
//!
//! ```
//! use tumble_dem::law::{ContactModel, trace};
//! let tape = trace::record(ContactModel::default());
//! assert_eq!((tape.inputs(), tape.outputs()), (31, 18));
//! ```

use super::{
    CONTACT, Constants, Contact, ContactLaw, ContactModel, ContactVisitor, ErasedModel, History,
    RollingModel, TwistingModel, react,
};
use crate::record::{Record, to_numbers};
use tumble_math::Real;
use tumble_math::trace::Tape;

/// How many numbers the recording of a model takes.
pub fn inputs(model: ContactModel) -> usize {
    inputs_of(model.erased_or_of_law())
}

fn inputs_of(model: &dyn ErasedModel) -> usize {
    let layout = model.layout();
    layout.constants + CONTACT + layout.history + 1
}

/// Records a model.
pub fn record(model: ContactModel) -> Tape {
    let model = model.erased_or_of_law();
    Tape::record(inputs_of(model), |numbers| model.trace_law(numbers))
}

/// Evaluates a model of the lists directly on numbers in the order of a recording.
///
/// # Panics
/// If there are fewer than [`inputs`] numbers.
pub fn evaluate<R: Real>(model: ContactModel, numbers: &[R]) -> Option<Vec<R>> {
    model.visit(Evaluate { numbers })
}

struct Evaluate<'a, R> {
    numbers: &'a [R],
}

impl<R: Real> ContactVisitor for Evaluate<'_, R> {
    type Output = Vec<R>;

    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> Vec<R> {
        react_inputs::<L, Ro, Tw, R>(self.numbers)
    }
}

pub(super) fn react_inputs<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel, R: Real>(
    numbers: &[R],
) -> Vec<R> {
    let constants = Constants::<L, Ro, Tw, R>::read(numbers, 0);
    let at = Constants::<L, Ro, Tw, R>::SIZE;
    let contact = Contact::read(numbers, at);
    let history = History::<L, Ro, Tw, R>::read(numbers, at + CONTACT);
    let dt = numbers[at + CONTACT + History::<L, Ro, Tw, R>::SIZE];
    let reacted = react::<L, Ro, Tw, R>(&constants, contact, history, dt);
    let mut out = [reacted.force.to_array(), reacted.torque.to_array()].concat();
    out.push(reacted.normal_force);
    out.extend(to_numbers(reacted.history));
    out.extend(to_numbers(reacted.books));
    out.extend(reacted.resisted.to_array());
    out
}
