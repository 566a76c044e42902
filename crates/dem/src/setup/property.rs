//! Properties of materials and of their pairs, each declared once.
//!
//! A [`Property`] says what it is called, what it belongs to, its unit, which numbers it can be, and what it is where
//! nobody gives it. Laws and resistances name those that they [read](crate::law::LawInfo::needs); from that follow
//! the checks with their messages, the keys of scene files, the schema for editors, the reference and the
//! tables of laws. What more than one law reads is declared below; what only one reads, in the file of that law.
//!
//! ```
//! use tumble_dem::property::{Owner, Property, Quantity, Range};
//!
//! /// What it costs to part two surfaces.
//! const SURFACE_ENERGY: Property = Property {
//!     key: "surface_energy",
//!     of: Owner::Pair,
//!     quantity: Some(Quantity { name: "surface energy", unit: "J/m^2", usual: &["J/m^2", "mJ/m^2"] }),
//!     range: Range::NOT_NEGATIVE,
//!     default: None,
//!     summary: "Energy that it takes to part the surfaces",
//!     example: "\"50 mJ/m^2\"",
//! };
//! assert!(SURFACE_ENERGY.allows(0.05) && !SURFACE_ENERGY.allows(-1.0));
//! ```

use crate::heat::Conduction;
use crate::law::{LawKind, RollingKind, TwistingKind, restitution};
use std::ops::Bound::{self, Excluded, Included};
use std::ops::RangeBounds;
use std::sync::LazyLock;

/// A property of a material, or of two materials in contact.
///
/// Two of the same key and owner are the same property, wherever they are declared.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// What it is called in scenes and messages.
    pub key: &'static str,
    /// What it belongs to.
    pub of: Owner,
    /// What it measures; none for a ratio.
    pub quantity: Option<Quantity>,
    /// Which numbers it can be.
    pub range: Range,
    /// Its value where none is given; without one, it has to be given wherever it is read.
    pub default: Option<f64>,
    /// What it is, in one line without a full stop.
    pub summary: &'static str,
    /// A value as it is written in a scene.
    pub example: &'static str,
}

/// What a property belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// One material.
    Material,
    /// Two materials in contact.
    Pair,
}

/// What a property measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// What messages call it.
    pub name: &'static str,
    /// The SI unit, which plain numbers have; powers are written with `^`.
    pub unit: &'static str,
    /// Units that people use for it.
    pub usual: &'static [&'static str],
}

impl Quantity {
    /// Force over area.
    pub const PRESSURE: Self =
        Self { name: "pressure", unit: "Pa", usual: &["Pa", "kPa", "MPa", "GPa", "bar"] };
    /// Energy over area.
    pub const SURFACE_ENERGY: Self =
        Self { name: "energy per area", unit: "J/m^2", usual: &["J/m^2", "mJ/m^2"] };
    /// Force over length, of a surface of a liquid.
    pub const SURFACE_TENSION: Self = Self { name: "surface tension", unit: "N/m", usual: &["N/m", "mN/m"] };
    /// Energy.
    pub const ENERGY: Self = Self { name: "energy", unit: "J", usual: &["J", "mJ", "uJ", "nJ"] };
    /// Length.
    pub const LENGTH: Self = Self { name: "length", unit: "m", usual: &["m", "mm", "um", "nm"] };
    /// Volume.
    pub const VOLUME: Self = Self { name: "volume", unit: "m^3", usual: &["m^3", "mm^3", "um^3"] };
    /// Of a liquid: stress by rate.
    pub const VISCOSITY: Self = Self { name: "viscosity", unit: "Pa s", usual: &["Pa s", "mPa s"] };
    /// Angle.
    pub const ANGLE: Self = Self { name: "angle", unit: "rad", usual: &["rad", "deg"] };
    /// Heat by mass and temperature.
    pub const HEAT_CAPACITY: Self =
        Self { name: "heat capacity", unit: "J/kg/K", usual: &["J/kg/K", "kJ/kg/K"] };
    /// Power by length and temperature.
    pub const CONDUCTIVITY: Self = Self { name: "conductivity", unit: "W/m/K", usual: &["W/m/K", "mW/m/K"] };
    /// Power by area and temperature.
    pub const CONDUCTANCE_PER_AREA: Self =
        Self { name: "conductance per area", unit: "W/m^2/K", usual: &["W/m^2/K", "kW/m^2/K"] };
    /// Power by mass.
    pub const HEAT_SOURCE: Self = Self { name: "power per mass", unit: "W/kg", usual: &["W/kg", "kW/kg"] };
    /// Force over length.
    pub const STIFFNESS: Self = Self { name: "stiffness", unit: "N/m", usual: &["N/m", "kN/m", "N/mm"] };
}

/// The numbers that a property can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub from: Bound<f64>,
    /// The upper end; infinity itself is possible where it is included.
    pub to: Bound<f64>,
    /// In words, to follow "must be".
    pub words: &'static str,
}

impl Range {
    /// Positive and finite.
    pub const POSITIVE: Self =
        Self { from: Excluded(0.0), to: Excluded(f64::INFINITY), words: "a positive number" };
    /// Zero, or positive and finite.
    pub const NOT_NEGATIVE: Self =
        Self { from: Included(0.0), to: Excluded(f64::INFINITY), words: "zero or a positive number" };
    /// Positive or infinite.
    pub const POSITIVE_OR_INFINITE: Self = Self {
        from: Excluded(0.0),
        to: Included(f64::INFINITY),
        words: "a positive number, or infinite for a rigid material",
    };

    /// The same numbers in other words.
    pub const fn in_words(self, words: &'static str) -> Self {
        Self { words, ..self }
    }

    /// Whether infinity is one of them.
    pub fn is_open(&self) -> bool {
        self.allows(f64::INFINITY)
    }

    fn allows(&self, value: f64) -> bool {
        (self.from, self.to).contains(&value)
    }
}

impl Property {
    /// Whether it can be this number; NaN never.
    pub fn allows(&self, value: f64) -> bool {
        self.range.allows(value)
    }

    /// The laws, resistances and kinds of conduction of the lists that read it: what each is part of, and its name.
    pub fn readers(&self) -> Vec<[&'static str; 2]> {
        let readers = parts().filter(|(_, needs)| needs.contains(&self));
        readers.map(|(reader, _)| reader).collect()
    }

    /// Its SI unit, if it has one.
    pub fn unit(&self) -> Option<&'static str> {
        self.quantity.map(|quantity| quantity.unit)
    }
}

impl PartialEq for Property {
    fn eq(&self, other: &Self) -> bool {
        (self.of, self.key) == (other.of, other.key)
    }
}

/// Young's modulus E.
pub const YOUNG: Property = Property {
    key: "young",
    of: Owner::Material,
    quantity: Some(Quantity::PRESSURE),
    range: Range::POSITIVE_OR_INFINITE.in_words("a positive number, in Pa, or `inf` for a rigid material"),
    default: None,
    summary: "Young's modulus",
    example: "\"60 GPa\"",
};

/// Poisson's ratio ν.
pub const POISSON: Property = Property {
    key: "poisson",
    of: Owner::Material,
    quantity: None,
    range: Range { from: Excluded(-1.0), to: Included(0.5), words: "above −1 and at most 0.5" },
    default: None,
    summary: "Poisson's ratio",
    example: "0.25",
};

/// kₙ of a contact of a material with itself, N/m.
pub const STIFFNESS: Property = Property {
    key: "stiffness",
    of: Owner::Material,
    quantity: Some(Quantity::STIFFNESS),
    range: Range::POSITIVE_OR_INFINITE.in_words("a positive number, in N/m, or `inf` for a rigid material"),
    default: None,
    summary: "Normal stiffness of a contact of this material with itself",
    example: "\"100 kN/m\"",
};

/// kₜ/kₙ.
pub const STIFFNESS_RATIO: Property = Property {
    key: "stiffness_ratio",
    of: Owner::Material,
    quantity: None,
    range: Range::POSITIVE.in_words("a positive number, such as 2/7"),
    default: Some(2.0 / 7.0),
    summary: "Tangential over normal stiffness",
    example: "0.2857142857142857",
};

/// Coefficient of normal restitution of a head-on collision.
pub const RESTITUTION: Property = Property {
    key: "restitution",
    of: Owner::Pair,
    quantity: None,
    range: Range {
        from: Included(restitution::SMALLEST),
        to: Included(1.0),
        words: "at least 0.001 and at most 1 (zero is impossible: a contact that never pulls always gives \
                some rebound, and the dashpot grows without bound towards none)",
    },
    default: Some(1.0),
    summary: "Coefficient of normal restitution of a head-on collision: rebound speed over impact speed",
    example: "0.9",
};

/// Coefficient of friction, static and dynamic.
pub const FRICTION: Property = coefficient("friction", "Coefficient of friction, static and dynamic", "0.3");

/// The arm of the rolling couple over the effective radius.
pub const ROLLING_FRICTION: Property = coefficient(
    "rolling_friction",
    "Coefficient of rolling friction: the arm of the rolling couple over the effective radius",
    "0.05",
);

/// Rolling dashpot over the critical one.
pub const ROLLING_DAMPING: Property =
    coefficient("rolling_damping", "Rolling dashpot over the critical one", "0.3");

/// Coefficient of friction against twisting; Marshall's model takes that of sliding.
pub const TWISTING_FRICTION: Property =
    coefficient("twisting_friction", "Coefficient of friction against twisting", "0.01");

/// W: what it takes to part a unit of area of the two surfaces.
pub const WORK_OF_ADHESION: Property = Property {
    key: "work_of_adhesion",
    of: Owner::Pair,
    quantity: Some(Quantity::SURFACE_ENERGY),
    range: Range::POSITIVE
        .in_words("a positive number, in J/m²; surfaces without any are those of hertz-mindlin"),
    default: None,
    summary: "Work of adhesion W = γ₁ + γ₂ − γ₁₂: what it takes to part a unit of area; 2γ for two surfaces of one material of surface energy γ",
    example: "\"50 mJ/m^2\"",
};

/// How many pull-off forces friction is limited by beside the normal force.
pub const ADHESIVE_FRICTION: Property = Property {
    key: "adhesive_friction",
    of: Owner::Pair,
    quantity: None,
    range: Range::NOT_NEGATIVE,
    default: Some(1.0),
    summary: "How many pull-off forces F_c count in the limit of friction, μ(F + x F_c): 2 after Thornton & Yin (1991), 1 for the part that repels in DMT's theory, 0 for what presses alone",
    example: "2",
};

/// A coefficient of a pair that is zero where it is not given.
const fn coefficient(key: &'static str, summary: &'static str, example: &'static str) -> Property {
    Property {
        key,
        of: Owner::Pair,
        quantity: None,
        range: Range::NOT_NEGATIVE,
        default: Some(0.0),
        summary,
        example,
    }
}

/// Every property that a law or resistance of the lists or the conduction of heat reads, each once, in the order of the lists.
pub fn known() -> &'static [&'static Property] {
    static KNOWN: LazyLock<Vec<&'static Property>> = LazyLock::new(|| {
        let mut known: Vec<&Property> = Vec::new();
        for property in parts().flat_map(|(_, needs)| needs) {
            if !known.contains(property) {
                known.push(property);
            }
        }
        known
    });
    &KNOWN
}

/// Every law, resistance and kind of conduction of the lists: what it is part of, its name, and what it reads.
fn parts() -> impl Iterator<Item = ([&'static str; 2], &'static [&'static Property])> {
    let laws = LawKind::ALL.iter().map(|kind| (["contact law", kind.name()], kind.info().needs));
    let rolling =
        RollingKind::ALL.iter().map(|kind| (["rolling resistance", kind.name()], kind.info().needs));
    let twisting =
        TwistingKind::ALL.iter().map(|kind| (["twisting resistance", kind.name()], kind.info().needs));
    let conduction = Conduction::ALL.iter().map(|kind| (["conduction", kind.name()], kind.needs()));
    laws.chain(rolling).chain(twisting).chain(conduction)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laws may share a property only if they mean the same by it.
    #[test]
    fn a_key_means_one_thing() {
        for property in parts().flat_map(|(_, needs)| needs) {
            let first = known().iter().find(|known| known == &property).unwrap();
            assert_eq!(format!("{first:?}"), format!("{property:?}"));
            let keys = known().iter().filter(|known| known.key == property.key).count();
            assert_eq!(keys, 1, "{} belongs to materials and to pairs", property.key);
        }
    }

    #[test]
    fn defaults_are_possible_and_nan_never_is() {
        for property in known() {
            assert!(property.default.is_none_or(|value| property.allows(value)), "{}", property.key);
            assert!(!property.allows(f64::NAN), "{}", property.key);
            assert!(!property.summary.ends_with('.') && !property.example.is_empty(), "{}", property.key);
        }
    }

    #[test]
    fn ends_are_in_or_out_as_declared() {
        let yes = [
            (YOUNG, f64::INFINITY),
            (POISSON, 0.5),
            (RESTITUTION, 1.0),
            (RESTITUTION, 0.001),
            (FRICTION, 0.0),
        ];
        let no = [
            (YOUNG, 0.0),
            (POISSON, -1.0),
            (POISSON, 0.51),
            (STIFFNESS_RATIO, f64::INFINITY),
            (RESTITUTION, 0.0009),
            (FRICTION, -1e-300),
            (FRICTION, f64::INFINITY),
        ];
        for (property, value) in yes {
            assert!(property.allows(value), "{} {value}", property.key);
        }
        for (property, value) in no {
            assert!(!property.allows(value), "{} {value}", property.key);
        }
    }
}
