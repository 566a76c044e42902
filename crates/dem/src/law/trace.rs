//! Contact laws as recorded kernels: the law alone, of one contact whose geometry and motion are known. The whole of a contact
//! is recorded in [`physics::trace`](crate::physics::trace).
//!
//! A recording takes the numbers of [`Pair`], [`Contact`], [`History`] and Δt, and gives those of
//! [`Reaction`](super::Reaction).
//!
//! ```
//! use tumble_dem::law::{ContactModel, trace};
//! let tape = trace::record(ContactModel::default());
//! assert_eq!((tape.inputs(), tape.outputs()), (40, 23));
//! ```

use super::{
    CONTACT, Contact, ContactLaw, ContactModel, ContactVisitor, HISTORY, History, PAIR, Pair, RollingModel,
    TwistingModel, react,
};
use crate::record::Field;
use tumble_math::Real;
use tumble_math::trace::Tape;

/// How many numbers a recording takes.
pub const INPUTS: usize = PAIR + CONTACT + HISTORY + 1;

/// Records a model.
pub fn record(model: ContactModel) -> Tape {
    let model = model.erased_or_of_law();
    Tape::record(INPUTS, |numbers| model.trace_law(numbers))
}

/// Evaluates a model of the lists directly on numbers in the order of a recording.
///
/// # Panics
/// If there are fewer than [`INPUTS`] numbers.
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
    let pair = Pair::read(numbers, 0);
    let contact = Contact::read(numbers, PAIR);
    let history = History::read(numbers, PAIR + CONTACT);
    let dt = numbers[PAIR + CONTACT + HISTORY];
    react::<L, Ro, Tw, R>(&pair, contact, history, dt).to_array().to_vec()
}
