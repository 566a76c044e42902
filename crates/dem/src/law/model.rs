//! A complete contact model: a law with its rolling and twisting resistance, as types and as a run-time
//! choice.

use super::erased::{ErasedModel, Outside, erased};
use super::rolling::{self, RollingVisitor};
use super::twisting::{self, TwistingVisitor};
use super::{
    Contact, ContactLaw, HertzMindlin, LawKind, LawVisitor, Range, Resisted, RollingKind, RollingModel,
    Support, TwistingKind, TwistingModel,
};
use crate::material::{MaterialError, MaterialId, Materials};
use crate::property::Property;
use crate::record::PerPart;
use tumble_math::{LabVec, Real};

/// The constants of two materials: of the law, of the rolling and of the twisting resistance.
pub type Constants<L, Ro, Tw, R> = PerPart<
    <L as ContactLaw>::Constants<R>,
    <Ro as RollingModel>::Constants<R>,
    <Tw as TwistingModel>::Constants<R>,
>;

/// What the three parts remember of the last step.
pub type History<L, Ro, Tw, R> =
    PerPart<<L as ContactLaw>::Memory<R>, <Ro as RollingModel>::Memory<R>, <Tw as TwistingModel>::Memory<R>>;

/// The action of a contact on i (the opposite acts on j): with what is remembered, `H`, and the books of its law, `B`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reacted<R, H, B> {
    /// Force on i at the contact point, N.
    pub force: LabVec<R>,
    /// Couple on i from rolling and twisting resistance, N·m; the moment of `force` is not in it.
    pub torque: LabVec<R>,
    /// See [`Reaction::normal_force`](super::Reaction::normal_force).
    pub normal_force: R,
    /// What to remember.
    pub history: H,
    /// The books of the law.
    pub books: B,
    /// Those of both resistances.
    pub resisted: Resisted<R>,
}

/// The constants of two materials, if everything is there that the three parts read: the same whichever comes first.
pub fn constants<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(
    materials: &Materials,
    a: MaterialId,
    b: MaterialId,
) -> Result<Constants<L, Ro, Tw, f64>, MaterialError> {
    let meeting = |part, name, needs| materials.meeting(a, b, [part, name], needs);
    let law = meeting("contact law", L::INFO.name, L::INFO.needs)?;
    let rolling = meeting("rolling resistance", Ro::INFO.name, Ro::INFO.needs)?;
    let twisting = meeting("twisting resistance", Tw::INFO.name, Tw::INFO.needs)?;
    Ok(PerPart {
        law: L::constants(&law)?,
        rolling: Ro::constants(&rolling)?,
        twisting: Tw::constants(&twisting)?,
    })
}

/// The reaction of a contact: the law's force, with the couples of rolling and twisting resistance.
///
/// `history` is that of the last step, with its vectors turned into the present tangent plane; `dt` in s.
#[inline(always)]
pub fn react<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel, R: Real>(
    constants: &Constants<L, Ro, Tw, R>,
    contact: Contact<R>,
    history: History<L, Ro, Tw, R>,
    dt: R,
) -> Reacted<R, History<L, Ro, Tw, R>, L::Books<R>> {
    let PerPart { law, rolling, twisting } = constants;
    let reaction = L::react(law, contact, history.law, dt);
    let (radius, overlap, before) = (contact.radius, contact.pressed::<L>(), contact.overlap_before);
    let support = Support {
        normal_force: reaction.normal_force,
        normal_stiffness: L::normal_stiffness(law, radius, overlap),
        normal_stiffness_before: L::normal_stiffness(law, radius, before),
        tangential_stiffness: L::tangential_stiffness(law, radius, overlap),
        tangential_stiffness_before: L::tangential_stiffness(law, radius, before),
        damping_tangential: L::dissipation(law).damping_tangential,
    };
    let rolling = Ro::resist(rolling, &contact, &support, history.rolling, dt);
    let twisting = Tw::resist(twisting, &contact, &support, history.twisting, dt);
    Reacted {
        force: reaction.force,
        torque: rolling.torque + contact.normal * twisting.torque,
        normal_force: reaction.normal_force,
        history: PerPart { law: reaction.memory, rolling: rolling.memory, twisting: twisting.memory },
        books: reaction.books,
        resisted: Resisted {
            stored: rolling.books.stored + twisting.books.stored,
            slipped: rolling.books.slipped + twisting.books.slipped,
            damped: rolling.books.damped + twisting.books.damped,
        },
    }
}

/// A law, a rolling and a twisting resistance, chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContactModel {
    /// Force.
    pub law: LawKind,
    /// Couple in the tangent plane.
    pub rolling: RollingKind,
    /// Couple about the normal.
    pub twisting: TwistingKind,
}

impl Default for ContactModel {
    /// Hertz–Mindlin without rolling or twisting resistance.
    fn default() -> Self {
        Self { law: LawKind::HertzMindlin, rolling: RollingKind::None, twisting: TwistingKind::None }
    }
}

/// Receives the three types of a model: run-time choice outside, static dispatch inside.
pub trait ContactVisitor {
    /// What the visit gives.
    type Output;
    /// Called with the types that were chosen.
    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> Self::Output;
}

impl ContactModel {
    /// Every combination of the lists.
    pub fn all() -> impl Iterator<Item = Self> {
        let resistances =
            || RollingKind::ALL.iter().flat_map(|&ro| TwistingKind::ALL.iter().map(move |&tw| (ro, tw)));
        LawKind::ALL.iter().flat_map(move |&law| {
            resistances().map(move |(rolling, twisting)| Self { law, rolling, twisting })
        })
    }

    /// The model of three types, any of which may be of another crate.
    ///
    /// It runs as fast as those of the lists: its loops are compiled where this is called.
    pub fn of<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>() -> Self {
        let model = Outside(erased::<L, Ro, Tw>());
        let listed = Self::all().find(|listed| listed.erased().map(Outside) == Some(model));
        listed.unwrap_or(Self {
            law: LawKind::Outside(model),
            rolling: RollingKind::Outside(model),
            twisting: TwistingKind::Outside(model),
        })
    }

    /// What the engine runs; none if the parts are of the lists and from outside, or of different models from outside.
    pub(crate) fn erased(self) -> Option<&'static dyn ErasedModel> {
        if let (LawKind::Outside(law), RollingKind::Outside(rolling), TwistingKind::Outside(twisting)) =
            (self.law, self.rolling, self.twisting)
        {
            return (law == rolling && law == twisting).then_some(law.0);
        }
        self.visit(Erase)
    }

    /// The same, and of parts that do not belong together the model of the law.
    pub(crate) fn erased_or_of_law(self) -> &'static dyn ErasedModel {
        self.erased().unwrap_or(self.law.erased())
    }

    /// Whether any part depends on velocities at the instant of the force.
    pub fn uses_velocity(self) -> bool {
        self.law.info().uses_velocity
            || self.rolling.info().uses_velocity
            || self.twisting.info().uses_velocity
    }

    /// Whether any part has a spring that is remembered from step to step.
    pub fn has_history(self) -> bool {
        self.law.has_history() || self.rolling.has_history() || self.twisting.has_history()
    }

    /// The three parts: what each is called, its name, and the properties that it reads.
    pub fn parts(self) -> [([&'static str; 2], &'static [&'static Property]); 3] {
        let (law, rolling, twisting) = (self.law.info(), self.rolling.info(), self.twisting.info());
        [
            (["contact law", law.name], law.needs),
            (["rolling resistance", rolling.name], rolling.needs),
            (["twisting resistance", twisting.name], twisting.needs),
        ]
    }

    /// Whether any part reads a property.
    pub fn reads(self, property: &Property) -> bool {
        self.parts().iter().any(|(_, needs)| needs.contains(&property))
    }

    /// Whether everything that the three parts read of a pair is there.
    pub fn check(self, materials: &Materials, a: MaterialId, b: MaterialId) -> Result<(), MaterialError> {
        self.erased_or_of_law().constants(materials, a, b).map(|_| ())
    }

    /// Calls the visitor with the three types; none if one of them is not in the lists.
    pub fn visit<V: ContactVisitor>(self, visitor: V) -> Option<V::Output> {
        self.law.visit(WithLaw { model: self, visitor })?
    }
}

impl LawKind {
    /// The law without resistances, or the model from outside that it is part of.
    fn erased(self) -> &'static dyn ErasedModel {
        match self {
            Self::Outside(model) => model.0,
            _ => self.visit(Alone).unwrap_or(erased::<HertzMindlin, rolling::None, twisting::None>()),
        }
    }

    /// How far its contacts go.
    pub fn range(self) -> Range {
        self.erased().range()
    }

    /// How long a head-on collision of two materials at this relative speed (m/s) takes without its dashpot, s;
    /// radius and mass are the effective ones.
    pub fn contact_time(
        self,
        materials: &Materials,
        (a, b): (MaterialId, MaterialId),
        (radius, mass): (f64, f64),
        speed: f64,
    ) -> Result<f64, MaterialError> {
        let law = self.erased();
        Ok(law.contact_time(&law.constants(materials, a, b)?, radius, mass, speed))
    }
}

struct Alone;

impl LawVisitor for Alone {
    type Output = &'static dyn ErasedModel;
    fn visit<L: ContactLaw>(self, _: L) -> Self::Output {
        erased::<L, rolling::None, twisting::None>()
    }
}

struct Erase;

impl ContactVisitor for Erase {
    type Output = &'static dyn ErasedModel;
    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> Self::Output {
        erased::<L, Ro, Tw>()
    }
}

struct WithLaw<V> {
    model: ContactModel,
    visitor: V,
}

impl<V: ContactVisitor> LawVisitor for WithLaw<V> {
    type Output = Option<V::Output>;
    fn visit<L: ContactLaw>(self, law: L) -> Self::Output {
        self.model.rolling.visit(WithRolling { law, model: self.model, visitor: self.visitor })?
    }
}

struct WithRolling<L, V> {
    law: L,
    model: ContactModel,
    visitor: V,
}

impl<L: ContactLaw, V: ContactVisitor> RollingVisitor for WithRolling<L, V> {
    type Output = Option<V::Output>;
    fn visit<Ro: RollingModel>(self, rolling: Ro) -> Self::Output {
        self.model.twisting.visit(WithTwisting { chosen: (self.law, rolling), visitor: self.visitor })
    }
}

struct WithTwisting<C, V> {
    /// Only its type matters.
    #[allow(dead_code, reason = "carries the types of law and rolling resistance")]
    chosen: C,
    visitor: V,
}

impl<L: ContactLaw, Ro: RollingModel, V: ContactVisitor> TwistingVisitor for WithTwisting<(L, Ro), V> {
    type Output = V::Output;
    fn visit<Tw: TwistingModel>(self, _: Tw) -> V::Output {
        self.visitor.visit::<L, Ro, Tw>()
    }
}
