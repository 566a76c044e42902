//! A contact model behind one pointer: how the engine runs laws of its list and laws from outside alike.
//!
//! The engine asks a model for whole blocks of contacts, so that there is one indirect call for each of them, into a loop
//! that was compiled for the three types.

use super::{
    Contact, ContactLaw, History, LawInfo, LawKind, Pair, Range, Reaction, ResistanceInfo, RollingKind,
    RollingModel, TwistingKind, TwistingModel, react,
};
use crate::advice::Press;
use crate::contact::{EvaluateLaw, OneByOne, TwoByTwo};
use crate::material::{MaterialError, MaterialId, Materials};
#[cfg(feature = "trace")]
use crate::physics::trace::evaluate_inputs;
use core::any::TypeId;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
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
    /// See [`ContactLaw::pair`].
    fn pair(&self, materials: &Materials, a: MaterialId, b: MaterialId) -> Result<Pair<f64>, MaterialError>;
    /// Evaluates a block of contacts.
    fn evaluate(&self, work: EvaluateLaw<'_>);
    /// Finds the masses behind groups of contacts.
    fn masses(&self, work: OneByOne<'_>);
    /// Finds the masses behind contacts that are two in a block.
    fn masses_in_lanes(&self, work: TwoByTwo<'_>);
    /// See [`ContactLaw::contact_time`].
    fn contact_time(&self, pair: &Pair<f64>, radius: f64, mass: f64, speed: f64) -> f64;
    /// Stiffness of the normal and of the tangential spring, N/m.
    fn stiffnesses(&self, pair: &Pair<f64>, radius: f64, overlap: f64) -> [f64; 2];
    /// See [`react`].
    fn react(&self, pair: &Pair<f64>, contact: Contact<f64>, history: History<f64>, dt: f64)
    -> Reaction<f64>;
    /// Presses a clump against a plane.
    fn press(&self, work: Press<'_>) -> (crate::advice::Hold, f64);
    /// Records the law: see [`trace`](super::trace).
    #[cfg(feature = "trace")]
    fn trace_law(&self, numbers: &[Traced]) -> Vec<Traced>;
    /// Records the whole contact: see [`physics::trace`](crate::physics::trace).
    #[cfg(feature = "trace")]
    fn trace_contact(&self, numbers: &[Traced]) -> Vec<Traced>;
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

    fn pair(&self, materials: &Materials, a: MaterialId, b: MaterialId) -> Result<Pair<f64>, MaterialError> {
        materials.pair::<L>(a, b)
    }

    fn evaluate(&self, work: EvaluateLaw<'_>) {
        work.run::<L, Ro, Tw>();
    }

    fn masses(&self, work: OneByOne<'_>) {
        work.run::<L>();
    }

    fn masses_in_lanes(&self, work: TwoByTwo<'_>) {
        work.run::<L>();
    }

    fn contact_time(&self, pair: &Pair<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        L::contact_time(pair, radius, mass, speed)
    }

    fn stiffnesses(&self, pair: &Pair<f64>, radius: f64, overlap: f64) -> [f64; 2] {
        [L::normal_stiffness(pair, radius, overlap), L::tangential_stiffness(pair, radius, overlap)]
    }

    fn react(
        &self,
        pair: &Pair<f64>,
        contact: Contact<f64>,
        history: History<f64>,
        dt: f64,
    ) -> Reaction<f64> {
        react::<L, Ro, Tw, f64>(pair, contact, history, dt)
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
