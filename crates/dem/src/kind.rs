//! What bodies of the same template, material and size have in common, stored once.
//!
//! A simulation has few kinds of bodies, or none that are alike; either way a body names its kind by number. What
//! many bodies share stays in the cache, and does not travel through memory in every step.

use crate::clump::ClumpTemplate;
use crate::rows_by_id::index32;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::HashMap;

/// What a kind is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recipe {
    pub(crate) template: u16,
    pub(crate) material: u16,
    pub(crate) scale: f64,
    /// Moved by hand: nothing else can move it.
    pub(crate) held: bool,
}

/// What follows from a recipe, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kind {
    pub(crate) mass: f64,
    /// Principal moments of inertia.
    pub(crate) moments: [f64; 3],
    // Inverses: zero for a held body.
    pub(crate) inverse_mass: f64,
    pub(crate) inverse: [f64; 3],
    /// Distance from the centre of mass of the farthest sphere centre, or point of an ellipsoid.
    pub(crate) arm: f64,
    /// Radius of the ball about the centre of mass that holds the body.
    pub(crate) bounding: f64,
    pub(crate) scale: f64,
}

impl Kind {
    /// A body of this template and density.
    pub(crate) fn new(recipe: Recipe, template: &ClumpTemplate, density: f64) -> Self {
        let scale = recipe.scale;
        let arm = template.arm();
        let free = Self {
            mass: template.mass(density, scale),
            moments: template.moments(density, scale).to_array(),
            inverse_mass: 0.0,
            inverse: [0.0; 3],
            arm: arm * scale,
            bounding: template.bounding_radius() * scale,
            scale,
        };
        free.when_held(recipe.held)
    }

    /// As held or let go of.
    pub(crate) fn when_held(self, held: bool) -> Self {
        let inverse_of = |value: f64| if held { 0.0 } else { 1.0 / value };
        Self { inverse_mass: inverse_of(self.mass), inverse: self.moments.map(inverse_of), ..self }
    }

    /// The power of two next below one over the largest moment: single precision has moments and torques in units of it.
    pub(crate) fn unit(&self) -> f64 {
        // Bytes that were tampered with may hold a body of any size.
        let largest = self.moments.into_iter().fold(f64::MIN_POSITIVE, f64::max).min(f64::MAX / 4.0);
        // The exponent with the other sign, and no other bits.
        f64::from_bits((2 * 1023 - (largest.to_bits() >> 52)) << 52)
    }
}

/// All kinds, by number.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    all: Vec<Kind>,
    numbers: HashMap<(u16, u16, u64, bool), u32>,
    /// Tables with the same version have the same kinds under the same numbers.
    version: u64,
}

impl Default for Kinds {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new(), version: next_version() }
    }
}

impl Kinds {
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The only kind, if all bodies are alike.
    pub(crate) fn only(&self) -> Option<&Kind> {
        if let [kind] = &self.all[..] { Some(kind) } else { None }
    }

    #[inline(always)]
    pub(crate) fn kind(&self, number: u32) -> &Kind {
        &self.all[number as usize]
    }

    /// The number of the kind of a recipe, which is `made` if it is new.
    pub(crate) fn number(&mut self, recipe: Recipe, made: impl FnOnce() -> Kind) -> u32 {
        let Recipe { template, material, scale, held } = recipe;
        let all = &mut self.all;
        let version = &mut self.version;
        *self.numbers.entry((template, material, scale.to_bits(), held)).or_insert_with(|| {
            all.push(made());
            *version = next_version();
            index32(all.len() - 1)
        })
    }

    /// Forgets kinds that no row is of, once most are: bodies of all sizes may come and go. Rows get the numbers of now.
    pub(crate) fn forget_others(&mut self, rows: &mut [u32]) {
        // A body may be held and let go of again, so there are two kinds for each at most.
        if self.all.len() <= 2 * rows.len() + 64 {
            return;
        }
        let mut new = vec![None; self.all.len()];
        let mut all = Vec::new();
        for row in rows {
            let number = new[*row as usize].get_or_insert_with(|| {
                all.push(self.all[*row as usize]);
                index32(all.len() - 1)
            });
            *row = *number;
        }
        self.numbers = self
            .numbers
            .iter()
            .filter_map(|(&recipe, &number)| new[number as usize].map(|number| (recipe, number)))
            .collect();
        self.all = all;
        self.version = next_version();
    }
}

fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clump::{MassModel, shapes};

    #[test]
    fn kinds_that_nobody_is_of_are_forgotten() {
        let template = ClumpTemplate::new("ball", &shapes::sphere(1.0), MassModel::Union).unwrap();
        let mut kinds = Kinds::default();
        let mut rows = Vec::new();
        let mut scales = Vec::new();
        for body in 0..5000_u32 {
            let recipe =
                Recipe { template: 0, material: 0, scale: 1.0 + f64::from(body), held: body % 3 == 0 };
            rows.push(kinds.number(recipe, || Kind::new(recipe, &template, 1000.0)));
            scales.push(recipe);
            if rows.len() > 40 {
                rows.drain(..20);
                scales.drain(..20);
                kinds.forget_others(&mut rows);
            }
            assert!(kinds.all.len() <= 2 * 40 + 64 && kinds.numbers.len() == kinds.all.len());
            for (&row, &recipe) in rows.iter().zip(&scales) {
                assert_eq!(*kinds.kind(row), Kind::new(recipe, &template, 1000.0));
                assert_eq!(kinds.clone().number(recipe, || *kinds.kind(row)), row);
            }
        }
    }
}
