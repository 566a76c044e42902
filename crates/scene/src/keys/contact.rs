//! `[contact]`, `[pair]` and `[[pairs]]`: what happens between two bodies.

use crate::diagnostic::Problem;
use crate::form::{Any, Choice, Context, ListOf, MaterialName, Number, table};
use crate::units::Ratio;
use tumble_dem::Sharing;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::PairProperties;

table! {
    /// Contact law and resistances.
    Contact {
        /// Normal and tangential force.
        law: LawKind => Choice<LawKind>, default ContactModel::default().law, "\"hertz-mindlin\"";
        /// Resistance to rolling.
        rolling: RollingKind => Choice<RollingKind>, default ContactModel::default().rolling, "\"elastic-plastic\"";
        /// Resistance to twisting about the normal.
        twisting: TwistingKind => Choice<TwistingKind>, default ContactModel::default().twisting, "\"none\"";
        /// How several contacts between the same two bodies add up.
        sharing: Sharing => Choice<Sharing>, default Sharing::default(), "\"sum\"";
    }
}

/// The properties that `[pair]` and `[[pairs]]` share.
macro_rules! pair_table {
    ($(#[doc = $doc:literal])+ $name:ident { $($own:tt)* }) => {
        table! {
            $(#[doc = $doc])+
            $name {
                $($own)*
                /// Coefficient of normal restitution of a head-on collision, from 0.001 to 1. Default 1: elastic.
                restitution: f64 => Number<Ratio, Any>, optional, "0.9";
                /// Coefficient of friction, static and dynamic. Default 0.
                friction: f64 => Number<Ratio, Any>, optional, "0.3";
                /// Coefficient of rolling friction: the arm of the rolling couple over the effective radius. Default 0.
                rolling_friction: f64 => Number<Ratio, Any>, optional, "0.05";
                /// Rolling dashpot over the critical one. Default 0.
                rolling_damping: f64 => Number<Ratio, Any>, optional, "0.3";
                /// Coefficient of friction against twisting. Default 0.
                twisting_friction: f64 => Number<Ratio, Any>, optional, "0.01";
            }
        }

        impl $name {
            /// What is given here, and else what `other` has.
            pub fn over(&self, other: PairProperties) -> PairProperties {
                PairProperties {
                    restitution: self.restitution.unwrap_or(other.restitution),
                    friction: self.friction.unwrap_or(other.friction),
                    rolling_friction: self.rolling_friction.unwrap_or(other.rolling_friction),
                    rolling_damping: self.rolling_damping.unwrap_or(other.rolling_damping),
                    twisting_friction: self.twisting_friction.unwrap_or(other.twisting_friction),
                }
            }

            /// Puts in what was left out.
            pub(crate) fn fill(&mut self, all: PairProperties) {
                self.restitution = Some(all.restitution);
                self.friction = Some(all.friction);
                self.rolling_friction = Some(all.rolling_friction);
                self.rolling_damping = Some(all.rolling_damping);
                self.twisting_friction = Some(all.twisting_friction);
            }
        }
    };
}

pair_table! {
    /// What happens between any two materials.
    Pair {}
}

pair_table! {
    /// What happens between two particular materials.
    PairOf {
        check check_pair;

        /// The names of the two materials; twice the same for a material with itself.
        between: Vec<String> => ListOf<MaterialName>, required, "[\"glass\", \"steel\"]";
    }
}

fn check_pair(pair: &PairOf, context: &mut Context<'_>) {
    if pair.between.len() != 2 {
        let message = format!("`{}.between` must name two materials", context.path());
        let label = format!("this has {}", pair.between.len());
        context.report(Problem::error(pair.places.of("between"), message).label(label));
    }
}
