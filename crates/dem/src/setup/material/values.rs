//! The values of properties.

use super::{Holder, MaterialError};
use crate::property::{Owner, Property};

/// Properties with their values. What is not given is what its declaration says.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// In the order of the keys.
    given: Vec<(&'static Property, f64)>,
}

impl Values {
    /// Gives a property a value, in SI units.
    pub fn set(&mut self, property: &'static Property, value: f64) {
        match self.given.binary_search_by_key(&property.key, |(known, _)| known.key) {
            Ok(at) => self.given[at] = (property, value),
            Err(at) => self.given.insert(at, (property, value)),
        }
    }

    /// A property: what was given, or else its default.
    pub fn get(&self, property: &Property) -> Option<f64> {
        self.given(property).or(property.default)
    }

    /// What was given.
    pub fn given(&self, property: &Property) -> Option<f64> {
        let at = self.given.binary_search_by_key(&property.key, |(known, _)| known.key).ok()?;
        self.given.get(at).map(|&(_, value)| value)
    }

    /// What is given here, and else what `other` has.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        let mut both = other.clone();
        for (property, value) in self.iter() {
            both.set(property, value);
        }
        both
    }

    /// Everything that was given, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Property, f64)> {
        self.given.iter().copied()
    }

    /// What an owner of this kind cannot have.
    pub(super) fn problems(
        &self,
        owner: Owner,
        holder: impl Fn() -> Holder,
    ) -> impl Iterator<Item = MaterialError> {
        self.iter().filter_map(move |(property, value)| {
            if property.of != owner {
                return Some(MaterialError::Misplaced { of: holder(), property });
            }
            let (key, expected) = (property.key, property.range.words);
            (!property.allows(value)).then(|| MaterialError::Impossible {
                of: holder(),
                key,
                value,
                expected,
            })
        })
    }
}

impl PartialEq for Values {
    /// Whether the same is read from both.
    #[allow(clippy::float_cmp, reason = "the same number, not nearly")]
    fn eq(&self, other: &Self) -> bool {
        let same = |(property, _): (&Property, f64)| self.get(property) == other.get(property);
        self.iter().all(same) && other.iter().all(same)
    }
}
