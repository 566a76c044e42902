//! The masses behind contacts of the same two bodies, as recorded kernels.
//!
//! A recording takes both sides, the constants of the law, and for each contact its geometry and its weight; it gives their masses.

use crate::law::{ContactLaw, ContactModel, ContactVisitor, RollingModel, TwistingModel};
use crate::physics::contact::{SIDE, Side};
use crate::physics::geometry::{GEOMETRY, Geometry};
use crate::physics::together::{Part, masses};
use crate::record::Record;
use tumble_math::Real;
use tumble_math::trace::Tape;

/// How many numbers the recording of so many contacts of a model takes.
pub fn inputs(model: ContactModel, contacts: usize) -> usize {
    2 * SIDE + model.erased_or_of_law().layout().constants + contacts * (GEOMETRY + 1)
}

/// Records the masses behind so many contacts of a model.
pub fn record(model: ContactModel, contacts: usize) -> Tape {
    let erased = model.erased_or_of_law();
    Tape::record(inputs(model, contacts), |numbers| erased.trace_masses(numbers, contacts))
}

/// Floating-point operations of the masses behind so many contacts.
pub fn flops(model: ContactModel, contacts: usize) -> usize {
    record(model, contacts).flops()
}

/// Evaluates the masses of a model of the lists directly on numbers in the order of a recording.
///
/// # Panics
/// If there are fewer than [`inputs`] numbers.
pub fn evaluate<R: Real>(model: ContactModel, contacts: usize, numbers: &[R]) -> Option<Vec<R>> {
    model.visit(Evaluate { numbers, contacts })
}

struct Evaluate<'a, R> {
    numbers: &'a [R],
    contacts: usize,
}

impl<R: Real> ContactVisitor for Evaluate<'_, R> {
    type Output = Vec<R>;

    fn visit<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) -> Vec<R> {
        let constants = crate::law::Constants::<L, M, T, R>::SIZE;
        masses_of_numbers::<L, R>(self.numbers, constants, self.contacts)
    }
}

/// The masses behind contacts whose numbers come after so many constants, which begin with those of the law.
pub(crate) fn masses_of_numbers<L: ContactLaw, R: Real>(
    numbers: &[R],
    constants: usize,
    contacts: usize,
) -> Vec<R> {
    let [a, b] = [0, SIDE].map(|at| Side::read(numbers, at));
    let of_law = L::Constants::<R>::read(numbers, 2 * SIDE);
    let part = |contact: usize| {
        let at = 2 * SIDE + constants + contact * (GEOMETRY + 1);
        Part::new::<L>(&Geometry::read(numbers, at), [&a, &b], &of_law, numbers[at + GEOMETRY])
    };
    let parts: Vec<Part<R>> = (0..contacts).map(part).collect();
    let mut found = vec![R::lit(0.0); contacts];
    masses([&a, &b], &parts, &mut found);
    found
}
