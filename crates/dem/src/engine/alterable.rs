//! Rules that can be changed during a run, and how they differ from those that the world was given.
//!
//! A saved state holds the differences alone: whoever goes on from it has the world.

use super::parts::{Rules, Since};
use crate::error::Error;
use crate::material::{MaterialId, Materials, Values};
use crate::property::Property;
use tumble_math::LabVec;

/// Rules that can be changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alterable {
    pub(crate) dt: f64,
    pub(crate) gravity: LabVec<f64>,
    pub(crate) materials: Materials,
}

/// How rules are, where they are not what the world was given.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Altered {
    /// The time step, s.
    pub(crate) dt: f64,
    /// From which step on it has been that.
    pub(crate) since: u64,
    /// The time of that step, s.
    pub(crate) since_time: f64,
    pub(crate) gravity: Option<[f64; 3]>,
    pub(crate) properties: Vec<AlteredProperty>,
}

/// A property that is not what the world was given.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct AlteredProperty {
    /// The material, or the first of the pair.
    pub(crate) a: u16,
    /// The other one of a pair.
    pub(crate) b: Option<u16>,
    pub(crate) key: String,
    /// Of its value, which may be infinite.
    pub(crate) bits: u64,
}

impl Altered {
    pub(crate) fn since(&self) -> Since {
        Since { step: self.since, time: self.since_time }
    }

    /// The time of a step, s.
    pub(crate) fn time_of(&self, step: u64) -> f64 {
        self.since().time_of(step, self.dt)
    }
}

impl Rules {
    /// The present rules that can be changed.
    pub(crate) fn alterable(&self) -> Alterable {
        Alterable { dt: self.settings.dt, gravity: self.gravity, materials: self.materials.clone() }
    }

    /// Makes them others. The constants of contacts follow from them, and are set apart.
    pub(crate) fn set(&mut self, rules: Alterable) {
        self.settings.dt = rules.dt;
        self.gravity = rules.gravity;
        self.materials = rules.materials;
    }

    /// How they differ from those that the world was given.
    pub(crate) fn altered(&self, since: Since) -> Altered {
        Altered {
            dt: self.settings.dt,
            since: since.step,
            since_time: since.time,
            gravity: (self.gravity != self.given.gravity).then(|| self.gravity.to_array()),
            properties: self.altered_properties(),
        }
    }

    fn altered_properties(&self) -> Vec<AlteredProperty> {
        let (given, now) = (&self.given.materials, &self.materials);
        let mut all = Vec::new();
        if given == now {
            return all;
        }
        let mut note = |a: u16, b: Option<u16>, given: &Values, now: &Values| {
            for (property, value) in now.iter() {
                if given.get(property).map(f64::to_bits) != Some(value.to_bits()) {
                    all.push(AlteredProperty { a, b, key: property.key.into(), bits: value.to_bits() });
                }
            }
        };
        for (a, (given, now)) in (0..u16::MAX).zip(given.as_slice().iter().zip(now.as_slice())) {
            note(a, None, &given.properties, &now.properties);
        }
        for (a, b) in now.pairs() {
            if let (Ok(given), Ok(now)) = (given.properties(a, b), now.properties(a, b)) {
                note(a.0, Some(b.0), &given.properties, &now.properties);
            }
        }
        all
    }

    /// The rules of a saved state.
    pub(crate) fn with(&self, altered: &Altered) -> Result<Alterable, Error> {
        let mut rules = Alterable { dt: altered.dt, ..(*self.given).clone() };
        if let Some(gravity) = altered.gravity {
            rules.gravity = LabVec::from_array(gravity);
        }
        let count = rules.materials.as_slice().len();
        for AlteredProperty { a, b, key, bits } in &altered.properties {
            let unknown = || {
                let what = format!("it has another '{}', which no law reads here", key.escape_debug());
                Error::Mismatch { what: what.into() }
            };
            let property = self.property(key).ok_or_else(unknown)?;
            if [Some(*a), *b].into_iter().flatten().any(|material| usize::from(material) >= count) {
                return Err(Error::Mismatch { what: "it has another number of materials".into() });
            }
            let (a, value) = (MaterialId(*a), f64::from_bits(*bits));
            match *b {
                None => rules.materials.set_property(a, property, value)?,
                Some(b) => rules.materials.set_pair_property(a, MaterialId(b), property, value)?,
            }
        }
        Ok(rules)
    }

    /// The property of this key that a contact model of the world reads.
    fn property(&self, key: &str) -> Option<&'static Property> {
        let parts = self.groups.iter().flat_map(|group| group.model.parts());
        let mut read = parts.flat_map(|(_, needs)| needs.iter().copied());
        read.find(|property| property.key == key)
    }
}
