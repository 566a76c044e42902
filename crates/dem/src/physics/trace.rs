//! Bodies and contacts as recorded kernels, whole. Of a contact: geometry, motion at the point, turning of the frame, law, resistances, first and last
//! kick, books and weights; before that, where spheres touch walls ([`WallKernel`]), where other pieces touch ([`PieceKernel`]), and the masses behind contacts that act together ([`masses`]). Of a body: all but the
//! rotation, whose schemes `tumble-rotation` records. To count their operations, replay them, and print them as C.
//!
//! The recording of a contact takes two spheres, or the [`Geometry`] of a touch of a wall; then the rest of [`Given`],
//! [`Constants`], [`Remembered`] and [`Clock`]. It gives [`Action`], the books, the couple where something resists
//! turning, and `Remembered`.
//!
//! ```
//! use tumble_dem::law::ContactModel;
//! use tumble_dem::physics::trace::{Pieces, flops, record};
//! let tape = record(ContactModel::default(), Pieces::Spheres);
//! assert!(tape.outputs() == 28 && flops(ContactModel::default()) > 400);
//! ```

mod fields;
pub mod masses;
mod meshes;
mod pieces;
mod walls;

pub use fields::FieldKernel;
pub use meshes::MeshKernel;
pub use pieces::{PieceKernel, Place};
pub use walls::WallKernel;

use super::body::{
    drift, kick, longest_displacement, offset, omega_at_force, template_to_lab, velocity_at_force,
};
use super::contact::{
    ACTION, Action, Asks, CLOCK, Clock, Evaluated, GIVEN, Given, Remembered, act, evaluate,
};
use super::geometry::{GEOMETRY, Geometry, SPHERE, Sphere, sphere_on_wall, spheres};
use super::kicks::{Beginning, correct};
use super::surface::power;
use crate::law::{
    Constants, ContactLaw, ContactModel, ContactVisitor, ErasedModel, RESISTED, RollingModel, TwistingModel,
};
use crate::record::{Record, to_numbers};
use tumble_math::trace::{Tape, Traced};
use tumble_math::{BodyVec, LabVec, Quat, Real};

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Two spheres.
    Spheres,
    /// Anything whose geometry is known, such as a sphere and a wall.
    Known,
}

impl Pieces {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Spheres, Self::Known];

    const fn numbers(self) -> usize {
        match self {
            Self::Spheres => 2 * SPHERE,
            Self::Known => GEOMETRY,
        }
    }

    /// How many numbers the recording of a model takes.
    pub fn inputs(self, model: ContactModel) -> usize {
        self.inputs_of(model.erased_or_of_law())
    }

    fn inputs_of(self, model: &dyn ErasedModel) -> usize {
        let layout = model.layout();
        self.numbers() + (GIVEN - GEOMETRY) + layout.constants + layout.memory + CLOCK
    }
}

/// A part of a contact: most contacts in a step neither begin nor end, and need one of them only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The numbers of a contact: how long a contact has lasted that is not known from the step before, by what its dashpots are
    /// multiplied, and one over that. For others these are 0, 1 and 1.
    Begin,
    /// The same numbers and those three: all that a contact gives, uncorrected, and the displacement that first and last kick are corrected
    /// for.
    Act,
    /// The same numbers, an [`Action`] and that displacement: the action corrected. Where the displacement does
    /// not exceed the overlap, it is as it was.
    Correct,
}

impl Phase {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Begin, Self::Act, Self::Correct];

    /// How many numbers its recording takes beside those of a contact.
    pub const fn more(self) -> usize {
        match self {
            Self::Begin => 0,
            Self::Act => 3,
            Self::Correct => ACTION + 1,
        }
    }
}

/// Records a part of the contacts of a model.
pub fn record_phase(model: ContactModel, pieces: Pieces, phase: Phase) -> Tape {
    let model = model.erased_or_of_law();
    Tape::record(pieces.inputs_of(model) + phase.more(), |numbers: &[Traced]| {
        model.trace_phase(&with_geometry(pieces, numbers), phase)
    })
}

/// Records the contacts of a model.
pub fn record(model: ContactModel, pieces: Pieces) -> Tape {
    let model = model.erased_or_of_law();
    Tape::record(pieces.inputs_of(model), |numbers: &[Traced]| {
        model.trace_contact(&with_geometry(pieces, numbers))
    })
}

/// Records how far beyond touch contacts of a model act: from the constants of two materials, and an effective radius.
pub fn record_range(model: ContactModel) -> Tape {
    let model = model.erased_or_of_law();
    Tape::record(model.layout().constants + 1, |numbers: &[Traced]| model.trace_range(numbers))
}

/// Floating-point operations of one contact of two spheres, books included.
pub fn flops(model: ContactModel) -> usize {
    record(model, Pieces::Spheres).flops()
}

/// What a step does to a body beside its rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKernel {
    /// Force (3), inverse mass, Δt: the kick, which is added to the velocity.
    Kick,
    /// Velocity (3), Δt: the drift, which is added to the position.
    Drift,
    /// Velocity (3), force (3), inverse mass, Δt, q (4), ω (3) in the body: velocity and ω in the lab, as laws see them.
    Show,
    /// q (4), ω (3) in the body: ω in the lab.
    Turning,
    /// q before (4) and after (4), velocity (3), arm, Δt: how far a piece can have moved.
    Displace,
    /// q (4), scale, a point of the template (3): how far it is from the centre.
    Offset,
}

impl BodyKernel {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Kick, Self::Drift, Self::Show, Self::Turning, Self::Displace, Self::Offset];

    /// How many numbers a recording takes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Kick => 5,
            Self::Drift => 4,
            Self::Offset => 8,
            Self::Show => 15,
            Self::Turning => 7,
            Self::Displace => 13,
        }
    }

    /// Records it.
    pub fn record(self) -> Tape {
        Tape::record(self.inputs(), |numbers| self.evaluate::<Traced>(numbers))
    }

    /// Evaluates it directly on numbers in the order of a recording.
    ///
    /// # Panics
    /// If there are fewer than [`inputs`](Self::inputs) numbers.
    pub fn evaluate<R: Real>(self, n: &[R]) -> Vec<R> {
        match self {
            Self::Kick => [0, 1, 2].map(|i| kick(n[i], n[3], n[4])).to_vec(),
            Self::Drift => [0, 1, 2].map(|i| drift(n[i], n[3])).to_vec(),
            Self::Show => {
                let velocity = [0, 1, 2].map(|i| velocity_at_force(n[i], n[3 + i], n[6], n[7]));
                let omega = omega_at_force(Quat::read(n, 8), BodyVec::read(n, 12));
                [velocity, omega.to_array()].concat()
            }
            Self::Turning => omega_at_force(Quat::read(n, 0), BodyVec::read(n, 4)).to_array().to_vec(),
            Self::Displace => {
                let [before, after] = [Quat::read(n, 0), Quat::read(n, 4)];
                vec![longest_displacement(before, after, LabVec::read(n, 8), n[11], n[12])]
            }
            Self::Offset => {
                let rows = template_to_lab(Quat::read(n, 0), n[4]);
                [0, 1, 2].map(|i| offset(rows[i], [n[5], n[6], n[7]])).to_vec()
            }
        }
    }
}

/// What is computed around a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchKernel {
    /// Two [`Sphere`]s: their [`Geometry`].
    Spheres,
    /// A [`Sphere`], the normal of a wall (3), overlap, slope: the [`Geometry`] of the touch.
    OnWall,
    /// Force (3) and couple (3) on a body at a point (3) of a wall, whose origin (3), velocity (3) and angular velocity (3): what the
    /// wall spends.
    Power,
}

impl TouchKernel {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Spheres, Self::OnWall, Self::Power];

    /// How many numbers a recording takes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Spheres => 2 * SPHERE,
            Self::OnWall => SPHERE + 5,
            Self::Power => 18,
        }
    }

    /// Records it.
    pub fn record(self) -> Tape {
        Tape::record(self.inputs(), |numbers| self.evaluate::<Traced>(numbers))
    }

    /// Evaluates it directly on numbers in the order of a recording.
    ///
    /// # Panics
    /// If there are fewer than [`inputs`](Self::inputs) numbers.
    pub fn evaluate<R: Real>(self, n: &[R]) -> Vec<R> {
        let vector = |at: usize| LabVec::<R>::read(n, at);
        match self {
            Self::Spheres => to_numbers(spheres(Sphere::read(n, 0), Sphere::read(n, SPHERE))),
            Self::OnWall => {
                let (normal, overlap, slope) = (vector(SPHERE), n[SPHERE + 3], n[SPHERE + 4]);
                to_numbers(sphere_on_wall(Sphere::read(n, 0), normal, overlap, slope))
            }
            Self::Power => {
                vec![power([vector(0), vector(3)], vector(6), vector(9), vector(12), vector(15))]
            }
        }
    }
}

/// Evaluates a contact of a model of the lists directly on numbers in the order of a recording.
///
/// # Panics
/// If there are fewer than [`Pieces::inputs`] numbers.
pub fn evaluate_numbers<R: Real>(model: ContactModel, pieces: Pieces, numbers: &[R]) -> Option<Vec<R>> {
    model.visit(Evaluate { numbers: &with_geometry(pieces, numbers) })
}

/// The numbers of a recording with the geometry of the contact in the place of its pieces.
fn with_geometry<R: Real>(pieces: Pieces, numbers: &[R]) -> Vec<R> {
    let geometry = match pieces {
        Pieces::Spheres => spheres(Sphere::read(numbers, 0), Sphere::read(numbers, SPHERE)),
        Pieces::Known => Geometry::read(numbers, 0),
    };
    // In front of the rest of what is given, where its record has it.
    let mut given = geometry.to_array().to_vec();
    given.extend_from_slice(&numbers[pieces.numbers()..]);
    given
}

struct Evaluate<'a, R> {
    numbers: &'a [R],
}

impl<R: Real> ContactVisitor for Evaluate<'_, R> {
    type Output = Vec<R>;

    fn visit<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) -> Vec<R> {
        evaluate_inputs::<L, M, T, R>(self.numbers)
    }
}

pub(crate) fn evaluate_inputs<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    numbers: &[R],
) -> Vec<R> {
    let given = Given::read(numbers, 0);
    let constants = Constants::<L, M, T, R>::read(numbers, GIVEN);
    let at = GIVEN + Constants::<L, M, T, R>::SIZE;
    let remembered = Remembered::<L, M, T, R>::read(numbers, at);
    let clock = Clock::read(numbers, at + Remembered::<L, M, T, R>::SIZE);
    let evaluated = evaluate::<L, M, T, R>(&given, &constants, remembered, clock);
    numbers_of(evaluated)
}

/// What a contact does, its books, and what it remembers.
fn numbers_of<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    evaluated: Evaluated<L, M, T, R>,
) -> Vec<R> {
    let turning = if Asks::<L, M, T>::TURNING { RESISTED + 3 } else { 0 };
    let mut out = vec![R::lit(0.0); ACTION + L::Books::<R>::SIZE + turning];
    evaluated.write_outcome(&mut out[..]);
    out.extend(to_numbers(evaluated.remembered));
    out
}

pub(crate) fn evaluate_phase<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    numbers: &[R],
    phase: Phase,
) -> Vec<R> {
    let given = Given::read(numbers, 0);
    let constants = Constants::<L, M, T, R>::read(numbers, GIVEN);
    let at = GIVEN + Constants::<L, M, T, R>::SIZE;
    let remembered = Remembered::<L, M, T, R>::read(numbers, at);
    let at = at + Remembered::<L, M, T, R>::SIZE;
    let clock = Clock::read(numbers, at);
    let more = &numbers[at + CLOCK..];
    match phase {
        Phase::Begin => {
            let Beginning { lasted, onset, onset_inverse } = if Asks::<L, M, T>::MOTION {
                Beginning::of::<L>(&given, &constants.law, clock)
            } else {
                Beginning::before()
            };
            vec![lasted, onset, onset_inverse]
        }
        Phase::Act => {
            let beginning = Beginning { lasted: more[0], onset: more[1], onset_inverse: more[2] };
            let (evaluated, displacement) =
                act::<L, M, T, R>(&given, &constants, beginning, remembered, clock);
            let mut out = numbers_of(evaluated);
            out.push(displacement);
            out
        }
        Phase::Correct => {
            let action = correct::<L, R>(&given, &constants.law, Action::read(more, 0), more[ACTION]);
            action.to_array().to_vec()
        }
    }
}
