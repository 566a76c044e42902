//! What can be wrong with materials.

use super::MaterialId;
use crate::error::readable;
use crate::property::{Owner, Property};
use std::fmt;

/// What can be wrong with materials.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MaterialError {
    /// There is no room for another material.
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// No material has this number.
    Unknown {
        /// What was given.
        id: MaterialId,
        /// How many materials there are.
        count: usize,
    },
    /// A pair has no properties, and there is no default.
    NoProperties {
        /// The names of the materials.
        pair: [String; 2],
    },
    /// A property that no material or pair has.
    Impossible {
        /// The material or pair.
        of: Holder,
        /// The property.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What it can be.
        expected: &'static str,
    },
    /// A property of materials given to a pair, or the other way round.
    Misplaced {
        /// What it was given to.
        of: Holder,
        /// The property.
        property: &'static Property,
    },
    /// A law or resistance reads a property that is not given and has no default.
    Missing {
        /// What it should be given to.
        of: Holder,
        /// The property.
        property: &'static Property,
        /// Who reads it, such as "the contact law linear".
        reader: String,
    },
    /// Two rigid materials cannot touch.
    BothRigid {
        /// The names of the materials.
        pair: [String; 2],
        /// The property that is infinite in both.
        key: &'static str,
    },
}

/// What a property is given to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The material of this name.
    Material(String),
    /// The pair of these names.
    Pair([String; 2]),
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Material(name) => write!(f, "material {name}"),
            Self::Pair([a, b]) => write!(f, "pair {a}–{b}"),
        }
    }
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { count } => {
                write!(f, "there is no room for another material: there are {count}, as many as there can be")
            }
            Self::Unknown { id, count } => {
                write!(f, "there is no material number {id}: there are {count}, counted from 0")
            }
            Self::NoProperties { pair: [a, b] } => write!(
                f,
                "the pair {a}–{b} has no restitution and friction: set them for the pair, \
                 or a default for all pairs"
            ),
            Self::Impossible { of, key, value, expected } => {
                write!(f, "{of}: {key} must be {expected}, but is {}", readable(*value))
            }
            Self::Misplaced { of, property } => {
                let whose = match property.of {
                    Owner::Material => "a material",
                    Owner::Pair => "a pair of materials",
                };
                write!(f, "{of}: {} is a property of {whose}; give it there", property.key)
            }
            Self::Missing { of, property, reader } => write!(
                f,
                "{of}: {reader} needs its {}, {}; give it, or choose another model",
                property.key, property.range.words
            ),
            Self::BothRigid { pair: [a, b], key } => write!(
                f,
                "pair {a}–{b}: {key} is infinite in both, so that nothing gives way; make it finite in one"
            ),
        }
    }
}

impl std::error::Error for MaterialError {}
