//! A contact model behind one pointer: how the engine runs laws of its list and laws from outside alike.
//!
//! The engine asks a model for whole blocks of contacts, so that there is one indirect call for each of them, into a loop
//! that was compiled for the three types.

use super::{
    Books, Contact, ContactLaw, Dissipation, Entry, LawInfo, LawKind, Range, ResistanceInfo, Resisted,
    RollingKind, RollingModel, TwistingKind, TwistingModel, constants,
    model::{Constants, History},
    react,
};
use crate::advice::Press;
use crate::contact::{EvaluateLaw, OneByOne, SideBySide};
use crate::material::{MaterialError, MaterialId, Materials};
use crate::physics::contact::{ACTION, Asks, Remembered, TORQUES};
#[cfg(feature = "trace")]
use crate::physics::trace::{
    Phase, evaluate_inputs, evaluate_phase,
    masses::{masses_of_numbers, part_of_numbers},
};
use crate::record::{Record, to_numbers};
use core::any::TypeId;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use tumble_math::LabVec;
#[cfg(feature = "trace")]
use tumble_math::trace::Traced;

/// All that the engine asks a contact model for.
pub(crate) trait ErasedModel: Send + Sync {
    /// Which law, rolling and twisting resistance it is made of.
    fn types(&self) -> [TypeId; 3];
    fn law(&self) -> &'static LawInfo;
    /// See [`ContactLaw::RANGE`].
    fn range(&self) -> Range;
    fn rolling(&self) -> &'static ResistanceInfo;
    fn twisting(&self) -> &'static ResistanceInfo;
    /// Which parts remember anything from step to step.
    fn memories(&self) -> Memories;
    /// How many numbers its contacts have.
    fn layout(&self) -> Layout;
    /// The numbers of [`constants`].
    fn constants(
        &self,
        materials: &Materials,
        a: MaterialId,
        b: MaterialId,
    ) -> Result<Vec<f64>, MaterialError>;
    /// See [`ContactLaw::dissipation`].
    fn dissipation(&self, constants: &[f64]) -> Dissipation<f64>;
    /// See [`ContactLaw::range`].
    fn range_of(&self, constants: &[f64], radius: f64) -> f64;
    /// The same of a contact that remembers this.
    fn range_of_contact(&self, constants: &[f64], memory: &[f64], radius: f64) -> f64;
    /// The largest volume of a bridge that films fill, m³; zero of a law without films.
    fn largest_bridge(&self, constants: &[f64]) -> f64;
    /// See [`ContactLaw::contact_radius`].
    fn contact_radius(&self, constants: &[f64], radius: f64, overlap: f64) -> f64;
    /// Evaluates a block of contacts.
    fn evaluate(&self, work: EvaluateLaw<'_>);
    /// Finds the masses behind groups of contacts, one after the other.
    fn masses(&self, work: OneByOne<'_>);
    /// Finds the masses behind groups of contacts in lanes.
    fn masses_in_lanes(&self, work: SideBySide<'_>);
    /// See [`ContactLaw::contact_time`].
    fn contact_time(&self, constants: &[f64], radius: f64, mass: f64, speed: f64) -> f64;
    /// Stiffness of the normal and of the tangential spring, N/m.
    fn stiffnesses(&self, constants: &[f64], radius: f64, overlap: f64) -> [f64; 2];
    /// The couple on i of a contact that remembers nothing: see [`react`].
    fn couple(&self, constants: &[f64], contact: Contact<f64>, dt: f64) -> LabVec<f64>;
    /// Presses a clump against a plane.
    fn press(&self, work: Press<'_>) -> (crate::advice::Hold, f64);
    /// Records the law: see [`trace`](super::trace).
    #[cfg(feature = "trace")]
    fn trace_law(&self, numbers: &[Traced]) -> Vec<Traced>;
    /// Records the whole contact: see [`physics::trace`](crate::physics::trace).
    #[cfg(feature = "trace")]
    fn trace_contact(&self, numbers: &[Traced]) -> Vec<Traced>;
    /// Records a part of it.
    #[cfg(feature = "trace")]
    fn trace_phase(&self, numbers: &[Traced], phase: Phase) -> Vec<Traced>;
    /// Records the masses behind so many contacts: see [`masses`](crate::physics::trace::masses).
    #[cfg(feature = "trace")]
    fn trace_masses(&self, numbers: &[Traced], contacts: usize) -> Vec<Traced>;
    /// Records the part of one of them: see [`Stage`](crate::physics::trace::masses::Stage).
    #[cfg(feature = "trace")]
    fn trace_part(&self, numbers: &[Traced]) -> Vec<Traced>;
    /// Records how far beyond touch contacts act, from the constants of two materials and an effective radius.
    #[cfg(feature = "trace")]
    fn trace_range(&self, numbers: &[Traced]) -> Vec<Traced>;
}

/// Which parts of a model remember anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memories {
    pub(crate) law: bool,
    pub(crate) rolling: bool,
    pub(crate) twisting: bool,
}

/// How many numbers the contacts of a model have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Layout {
    /// The constants of two materials.
    pub(crate) constants: usize,
    /// What the law and its resistances remember from step to step.
    pub(crate) history: usize,
    /// The same with what follows a contact: all that is kept of it.
    pub(crate) memory: usize,
    /// Where what is kept has the volume of a bridge that films fill: see [`ContactLaw::LIQUID`].
    pub(crate) liquid: Option<usize>,
    /// The entries of the books of a contact.
    pub(crate) entries: [&'static [Entry]; 2],
    /// Whether there is a couple beside the force.
    pub(crate) turns: bool,
}

impl Layout {
    /// How many numbers tell what a contact does: [`Action`](crate::physics::contact::Action), books, and the couple if there
    /// is one.
    pub(crate) fn outcome(&self) -> usize {
        let books: usize = self.entries.iter().map(|entries| entries.len()).sum();
        ACTION + books + if self.turns { 3 } else { 0 }
    }

    /// The same without the torques.
    pub(crate) fn deed(&self) -> usize {
        self.outcome() - TORQUES.len()
    }
}

/// The three types of a model, which other threads may know whatever they are.
struct Model<L, Ro, Tw>(PhantomData<Types<L, Ro, Tw>>);

type Types<L, Ro, Tw> = fn() -> (L, Ro, Tw);

/// The model of three types.
pub(super) fn erased<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>() -> &'static dyn ErasedModel {
    &Model::<L, Ro, Tw>(PhantomData)
}

impl<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel> ErasedModel for Model<L, Ro, Tw> {
    fn types(&self) -> [TypeId; 3] {
        [TypeId::of::<L>(), TypeId::of::<Ro>(), TypeId::of::<Tw>()]
    }

    fn law(&self) -> &'static LawInfo {
        &L::INFO
    }

    fn range(&self) -> Range {
        L::RANGE
    }

    fn rolling(&self) -> &'static ResistanceInfo {
        &Ro::INFO
    }

    fn twisting(&self) -> &'static ResistanceInfo {
        &Tw::INFO
    }

    fn memories(&self) -> Memories {
        Memories {
            law: L::Memory::<f64>::SIZE > 0,
            rolling: Ro::Memory::<f64>::SIZE > 0,
            twisting: Tw::Memory::<f64>::SIZE > 0,
        }
    }

    fn layout(&self) -> Layout {
        let turns = Asks::<L, Ro, Tw>::TURNING;
        Layout {
            constants: Constants::<L, Ro, Tw, f64>::SIZE,
            history: History::<L, Ro, Tw, f64>::SIZE,
            memory: Remembered::<L, Ro, Tw, f64>::SIZE,
            liquid: L::LIQUID.map(|at| Remembered::<L, Ro, Tw, f64>::HISTORY + at),
            entries: [L::Books::<f64>::ENTRIES, if turns { Resisted::<f64>::ENTRIES } else { &[] }],
            turns,
        }
    }

    fn constants(
        &self,
        materials: &Materials,
        a: MaterialId,
        b: MaterialId,
    ) -> Result<Vec<f64>, MaterialError> {
        constants::<L, Ro, Tw>(materials, a, b).map(to_numbers)
    }

    fn dissipation(&self, constants: &[f64]) -> Dissipation<f64> {
        L::dissipation(&L::Constants::read(constants, 0))
    }

    fn range_of(&self, constants: &[f64], radius: f64) -> f64 {
        L::range(&L::Constants::read(constants, 0), radius)
    }

    fn range_of_contact(&self, constants: &[f64], memory: &[f64], radius: f64) -> f64 {
        let remembered = Remembered::<L, Ro, Tw, f64>::read(memory, 0);
        let own = L::of_contact(&L::Constants::read(constants, 0), &remembered.history.law);
        L::range(&own, radius)
    }

    fn largest_bridge(&self, constants: &[f64]) -> f64 {
        L::largest_bridge(&L::Constants::read(constants, 0))
    }

    fn contact_radius(&self, constants: &[f64], radius: f64, overlap: f64) -> f64 {
        L::contact_radius(&L::Constants::read(constants, 0), radius, overlap)
    }

    fn evaluate(&self, work: EvaluateLaw<'_>) {
        work.run::<L, Ro, Tw>();
    }

    fn masses(&self, work: OneByOne<'_>) {
        work.run::<L>();
    }

    fn masses_in_lanes(&self, work: SideBySide<'_>) {
        work.run::<L>();
    }

    fn contact_time(&self, constants: &[f64], radius: f64, mass: f64, speed: f64) -> f64 {
        L::contact_time(&L::Constants::read(constants, 0), radius, mass, speed)
    }

    fn stiffnesses(&self, constants: &[f64], radius: f64, overlap: f64) -> [f64; 2] {
        let constants = L::Constants::read(constants, 0);
        [
            L::normal_stiffness(&constants, radius, overlap),
            L::tangential_stiffness(&constants, radius, overlap),
        ]
    }

    fn couple(&self, constants: &[f64], contact: Contact<f64>, dt: f64) -> LabVec<f64> {
        let constants = Constants::<L, Ro, Tw, f64>::read(constants, 0);
        react::<L, Ro, Tw, f64>(&constants, contact, Record::zero(), dt).torque
    }

    fn press(&self, work: Press<'_>) -> (crate::advice::Hold, f64) {
        work.run::<L>()
    }

    #[cfg(feature = "trace")]
    fn trace_law(&self, numbers: &[Traced]) -> Vec<Traced> {
        super::trace::react_inputs::<L, Ro, Tw, Traced>(numbers)
    }

    #[cfg(feature = "trace")]
    fn trace_contact(&self, numbers: &[Traced]) -> Vec<Traced> {
        evaluate_inputs::<L, Ro, Tw, Traced>(numbers)
    }

    #[cfg(feature = "trace")]
    fn trace_phase(&self, numbers: &[Traced], phase: Phase) -> Vec<Traced> {
        evaluate_phase::<L, Ro, Tw, Traced>(numbers, phase)
    }

    #[cfg(feature = "trace")]
    fn trace_masses(&self, numbers: &[Traced], contacts: usize) -> Vec<Traced> {
        masses_of_numbers::<L, Traced>(numbers, Constants::<L, Ro, Tw, f64>::SIZE, contacts)
    }

    #[cfg(feature = "trace")]
    fn trace_part(&self, numbers: &[Traced]) -> Vec<Traced> {
        part_of_numbers::<L, Traced>(numbers, Constants::<L, Ro, Tw, f64>::SIZE)
    }

    #[cfg(feature = "trace")]
    fn trace_range(&self, numbers: &[Traced]) -> Vec<Traced> {
        let radius = numbers[Constants::<L, Ro, Tw, f64>::SIZE];
        vec![L::range(&L::Constants::read(numbers, 0), radius)]
    }
}

/// A contact model with a part that is in no list of this crate, as [`ContactModel::of`](super::ContactModel::of) makes it.
///
/// Two are equal if they are made of the same types.
#[derive(Clone, Copy)]
pub struct Outside(pub(super) &'static dyn ErasedModel);

impl Outside {
    pub(super) fn law(self) -> &'static LawInfo {
        self.0.law()
    }

    pub(super) fn rolling(self) -> &'static ResistanceInfo {
        self.0.rolling()
    }

    pub(super) fn twisting(self) -> &'static ResistanceInfo {
        self.0.twisting()
    }

    pub(super) fn memories(self) -> Memories {
        self.0.memories()
    }

    /// The part of it that has another type than the one of its name in the lists: what it is, and its name.
    pub(crate) fn usurper(self) -> Option<[&'static str; 2]> {
        let [law, rolling, twisting] = self.0.types();
        let names = [self.law().name, self.rolling().name, self.twisting().name];
        let listed = [
            LawKind::from_name(names[0]).and_then(|kind| kind.visit(TypeOf)).is_some_and(|own| own != law),
            RollingKind::from_name(names[1])
                .and_then(|kind| kind.visit(TypeOf))
                .is_some_and(|own| own != rolling),
            TwistingKind::from_name(names[2])
                .and_then(|kind| kind.visit(TypeOf))
                .is_some_and(|own| own != twisting),
        ];
        let parts = ["contact law", "rolling resistance", "twisting resistance"];
        (0..3).find(|&part| listed[part]).map(|part| [parts[part], names[part]])
    }
}

/// Tells the type of a part of the lists.
struct TypeOf;

impl super::LawVisitor for TypeOf {
    type Output = TypeId;
    fn visit<L: ContactLaw>(self, _: L) -> TypeId {
        TypeId::of::<L>()
    }
}

impl super::rolling::RollingVisitor for TypeOf {
    type Output = TypeId;
    fn visit<Ro: RollingModel>(self, _: Ro) -> TypeId {
        TypeId::of::<Ro>()
    }
}

impl super::twisting::TwistingVisitor for TypeOf {
    type Output = TypeId;
    fn visit<Tw: TwistingModel>(self, _: Tw) -> TypeId {
        TypeId::of::<Tw>()
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} and {}", self.law().name, self.rolling().name, self.twisting().name)
    }
}

impl fmt::Debug for dyn ErasedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} and {}", self.law().name, self.rolling().name, self.twisting().name)
    }
}

impl PartialEq for Outside {
    fn eq(&self, other: &Self) -> bool {
        self.0.types() == other.0.types()
    }
}

impl Eq for Outside {}

impl Hash for Outside {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.types().hash(state);
    }
}
