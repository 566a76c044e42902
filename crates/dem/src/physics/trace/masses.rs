//! The masses behind contacts of the same two bodies, as recorded kernels.
//!
//! A recording takes both sides, the constants of the law, and for each contact its geometry and its weight; it gives their masses.
//! Where their number is not known beforehand, they are found by a loop over the contacts around recordings of one of them
//! ([`Stage`]).

use crate::law::{ContactLaw, ContactModel, ContactVisitor, RollingModel, TwistingModel};
use crate::physics::contact::{SIDE, Side};
use crate::physics::geometry::{GEOMETRY, Geometry};
use crate::physics::together::{Directed, PART, PUSH, Part, Push, masses, masses_of_two};
use crate::record::Record;
use tumble_math::trace::Tape;
use tumble_math::{LabVec, Real, SymTensor};

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

/// A part of finding the masses behind any number of contacts of the same two bodies, for one of them. All but the first begin
/// with both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The constants of the law, both centres of mass (6), [`Geometry`], weight: the [`Part`] of a contact.
    Part,
    /// Two [`Part`]s: the masses behind two contacts that are alone.
    Two,
    /// A [`Push`], a [`Part`]: the push with it.
    Push,
    /// The [`Push`] of all, a [`Part`], sums with directions (12): those sums with it.
    Direct,
    /// The [`Push`] of all, a [`Part`], all sums with directions (12): the mass behind the contact.
    Mass,
}

/// Numbers of a [`Directed`].
const DIRECTED: usize = 12;

impl Stage {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Part, Self::Two, Self::Push, Self::Direct, Self::Mass];

    /// How many numbers a recording for contacts of a model takes.
    pub fn inputs(self, model: ContactModel) -> usize {
        2 * SIDE
            + match self {
                Self::Part => return model.erased_or_of_law().layout().constants + 6 + GEOMETRY + 1,
                Self::Two => 2 * PART,
                Self::Push => PUSH + PART,
                Self::Direct | Self::Mass => PUSH + PART + DIRECTED,
            }
    }

    /// Records it.
    pub fn record(self, model: ContactModel) -> Tape {
        let erased = model.erased_or_of_law();
        Tape::record(self.inputs(model), |numbers| match self {
            Self::Part => erased.trace_part(numbers),
            _ => self.evaluate(numbers),
        })
    }

    fn evaluate<R: Real>(self, n: &[R]) -> Vec<R> {
        let [a, b] = [0, SIDE].map(|at| Side::<R>::read(n, at));
        let (sides, at) = ([&a, &b], 2 * SIDE);
        let push = || Push::read(n, at);
        let part = || Part::read(n, at + PUSH);
        let directed = || read_directed(n, at + PUSH + PART);
        match self {
            Self::Part => Vec::new(),
            Self::Two => masses_of_two(sides, &Part::read(n, at), &Part::read(n, at + PART)).to_vec(),
            Self::Push => push().with(&part()).to_array().to_vec(),
            Self::Direct => {
                let Directed { powers, softness } = directed().with(&push().on(sides), &part());
                [powers.diagonal, powers.off_diagonal, softness.diagonal, softness.off_diagonal]
                    .map(LabVec::to_array)
                    .concat()
            }
            Self::Mass => vec![directed().mass(&push().on(sides), &part())],
        }
    }
}

fn read_directed<R: Real>(n: &[R], at: usize) -> Directed<R> {
    let tensor = |at: usize| SymTensor::new(LabVec::read(n, at), LabVec::read(n, at + 3));
    Directed { powers: tensor(at), softness: tensor(at + 6) }
}

/// The part of a contact: see [`Stage::Part`].
pub(crate) fn part_of_numbers<L: ContactLaw, R: Real>(numbers: &[R], constants: usize) -> Vec<R> {
    let of_law = L::Constants::<R>::read(numbers, 0);
    let side = |at: usize| Side { position: LabVec::read(numbers, at), ..Record::zero() };
    let [a, b] = [constants, constants + 3].map(side);
    let geometry = Geometry::read(numbers, constants + 6);
    Part::new::<L>(&geometry, [&a, &b], &of_law, numbers[constants + 6 + GEOMETRY]).to_array().to_vec()
}
