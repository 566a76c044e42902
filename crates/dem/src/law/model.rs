//! A complete contact model: a law with its rolling and twisting resistance, as types and as a run-time
//! choice.

use super::erased::{ErasedModel, Outside, erased};
use super::rolling::{self, RollingVisitor};
use super::twisting::{self, TwistingVisitor};
use super::{
    Contact, ContactLaw, HertzMindlin, History, LawKind, LawVisitor, Pair, Range, Reaction, RollingKind,
    RollingModel, Support, TwistingKind, TwistingModel,
};
use crate::material::{MaterialError, MaterialId, Materials};
use crate::property::Property;
use tumble_math::Real;

/// The reaction of a contact: the law's force, with the couples of rolling and twisting resistance.
///
/// `history` is that of the last step, with its vectors turned into the present tangent plane; `dt` in s.
#[inline(always)]
pub fn react<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel, R: Real>(
    pair: &Pair<R>,
    contact: Contact<R>,
    history: History<R>,
    dt: R,
) -> Reaction<R> {
    let mut reaction = L::react(pair, contact, history, dt);
    let (radius, overlap, before) = (contact.radius, reaction.history.overlap, history.overlap);
    let support = Support {
        normal_force: reaction.normal_force,
        normal_stiffness: L::normal_stiffness(pair, radius, overlap),
        normal_stiffness_before: L::normal_stiffness(pair, radius, before),
        tangential_stiffness: L::tangential_stiffness(pair, radius, overlap),
        tangential_stiffness_before: L::tangential_stiffness(pair, radius, before),
    };
    let rolling = Ro::resist(pair, &contact, &support, history.rolling, dt);
    let twisting = Tw::resist(pair, &contact, &support, before, history.twist, dt);

    reaction.torque = rolling.torque + contact.normal * twisting.torque;
    reaction.history.rolling = rolling.history;
    reaction.history.twist = twisting.history;
    reaction.energy.rolling = rolling.stored + twisting.stored;
    reaction.loss.rolling = rolling.slipped + twisting.slipped;
    reaction.loss.rolling_damping = rolling.damped + twisting.damped;
    reaction
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
    #[cfg(feature = "trace")]
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
        self.law.info().has_history || self.rolling.info().has_history || self.twisting.info().has_history
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

    /// The constants of a pair, if everything that the three parts read is there.
    pub fn pair(
        self,
        materials: &Materials,
        a: MaterialId,
        b: MaterialId,
    ) -> Result<Pair<f64>, MaterialError> {
        for (reader, needs) in self.parts() {
            materials.meeting(a, b, reader, needs)?;
        }
        self.law.erased().pair(materials, a, b)
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
        Ok(law.contact_time(&law.pair(materials, a, b)?, radius, mass, speed))
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
