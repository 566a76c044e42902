//! Properties of materials and pairs as keys: the declarations are those of the engine.

use super::key::{Key, Presence, Source};
use super::{AtLeast, Context, Kind, number};
use crate::tree::Node;
use crate::units::Dimension;
use crate::written::Written;
use core::ops::Bound;
use tumble_dem::material::Values;
use tumble_dem::property::{self, Owner, Property};

/// The properties that an owner can have.
pub(crate) fn of(owner: Owner) -> impl Iterator<Item = &'static Property> {
    property::known().iter().copied().filter(move |property| property.of == owner)
}

/// Their keys.
pub(crate) fn keys(owner: Owner) -> impl Iterator<Item = Key> {
    of(owner).map(move |property| Key {
        name: property.key,
        doc: doc(property),
        presence: match (property.default, owner) {
            (Some(_), Owner::Material) => Presence::Default,
            // What one pair leaves out is that of all pairs.
            _ => Presence::Optional,
        },
        source: Source::Property(property),
        example: property.example,
    })
}

pub(super) fn kind(property: &Property) -> Kind {
    let at_least = match property.range.from {
        Bound::Excluded(0.0) => AtLeast::AboveZero,
        Bound::Included(0.0) => AtLeast::Zero,
        _ => AtLeast::Anything,
    };
    Kind::Number { dimension: dimension(property), at_least }
}

/// Reads a value. Whether it is possible, the engine checks.
pub(super) fn read(property: &Property, node: &Node, context: &mut Context<'_>) -> Option<f64> {
    number::read(node, context, dimension(property), AtLeast::Anything, property.range.is_open())
}

/// What was given.
pub(crate) fn write(values: &Values) -> Vec<(String, Written)> {
    let given = |property: &Property| {
        values.given(property).map(|value| (property.key.to_owned(), Written::Number(value)))
    };
    property::known().iter().filter_map(|property| given(property)).collect()
}

fn dimension(property: &Property) -> Option<Dimension> {
    property.quantity.as_ref().and_then(Dimension::of)
}

fn doc(property: &Property) -> String {
    // Reasons in brackets are for those who got it wrong.
    let range = property.range.words.split(" (").next().unwrap_or_default();
    let default = match (property.of, property.default) {
        (Owner::Pair, Some(default)) => format!(" Default {default}; in `pairs` that of `pair`."),
        _ => String::new(),
    };
    format!("{}. Must be {range}.{default} Read by {}.", property.summary, readers(property))
}

/// Who reads a property: `the contact laws hertz and linear`.
pub(crate) fn readers(property: &Property) -> String {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for [part, name] in property.readers() {
        match parts.last_mut() {
            Some((last, names)) if *last == part => names.push(name),
            _ => parts.push((part, vec![name])),
        }
    }
    let told = |(part, names): &(&str, Vec<&str>)| {
        let plural = if names.len() > 1 { "s" } else { "" };
        format!("the {part}{plural} {}", names.join(", "))
    };
    parts.iter().map(told).collect::<Vec<_>>().join(" and ")
}
