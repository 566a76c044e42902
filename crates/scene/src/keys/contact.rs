//! `[contact]`, `[pair]` and `[[pairs]]`: what happens between two bodies.

use crate::diagnostic::Problem;
use crate::form::{Choice, Context, ListOf, MaterialName, table};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::{Kicks, Sharing};

table! {
    /// Contact law and resistances of all materials; pairs can have others.
    Contact {
        /// Normal and tangential force.
        law: LawKind => Choice<LawKind>, default ContactModel::default().law, "\"hertz-mindlin\"";
        /// Resistance to rolling.
        rolling: RollingKind => Choice<RollingKind>, default ContactModel::default().rolling, "\"elastic-plastic\"";
        /// Resistance to twisting about the normal.
        twisting: TwistingKind => Choice<TwistingKind>, default ContactModel::default().twisting, "\"none\"";
        /// How several contacts between the same two bodies add up.
        sharing: Sharing => Choice<Sharing>, default Sharing::default(), "\"sum\"";
        /// First and last kick of an elastic contact.
        kicks: Kicks => Choice<Kicks>, default Kicks::default(), "\"corrected\"";
    }
}

impl Contact {
    /// What is chosen.
    pub fn model(&self) -> ContactModel {
        ContactModel { law: self.law, rolling: self.rolling, twisting: self.twisting }
    }
}

table! {
    /// What happens between any two materials.
    Pair {
        properties Pair;
    }
}

table! {
    /// What happens between two particular materials.
    PairOf {
        check check_pair;

        /// The names of the two materials; twice the same for a material with itself.
        between: Vec<String> => ListOf<MaterialName>, required, "[\"glass\", \"steel\"]";
        /// Normal and tangential force between these two; as in `contact` if left out.
        law: LawKind => Choice<LawKind>, optional, "\"linear\"";
        /// Resistance to rolling between these two; as in `contact` if left out.
        rolling: RollingKind => Choice<RollingKind>, optional, "\"none\"";
        /// Resistance to twisting between these two; as in `contact` if left out.
        twisting: TwistingKind => Choice<TwistingKind>, optional, "\"none\"";
        properties Pair;
    }
}

impl PairOf {
    /// The model of this pair, if it chooses any part of it.
    pub fn model(&self, general: ContactModel) -> Option<ContactModel> {
        let Self { law, rolling, twisting, .. } = self;
        let chosen = law.is_some() || rolling.is_some() || twisting.is_some();
        chosen.then(|| ContactModel {
            law: law.unwrap_or(general.law),
            rolling: rolling.unwrap_or(general.rolling),
            twisting: twisting.unwrap_or(general.twisting),
        })
    }
}

fn check_pair(pair: &PairOf, context: &mut Context<'_>) {
    if pair.between.len() != 2 {
        let message = format!("`{}.between` must name two materials", context.path());
        let label = format!("this has {}", pair.between.len());
        context.report(Problem::error(pair.places.of("between"), message).label(label));
    }
}
