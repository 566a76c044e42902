//! How many spheres, capsules, ellipsoids and polyhedra bodies are made of, and that in words.

use crate::State;
use core::fmt;
use std::sync::Arc;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::{Solver, TemplateId};

/// Numbers of pieces. The spheres at the ends of capsules, the points of ellipsoids and the corners of polyhedra do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceCounts {
    /// Spheres.
    pub spheres: usize,
    /// Capsules.
    pub capsules: usize,
    /// Ellipsoids.
    pub ellipsoids: usize,
    /// Rounded polyhedra.
    pub polyhedra: usize,
}

impl PieceCounts {
    /// Those of bodies of these templates.
    pub fn of(templates: &[Arc<ClumpTemplate>], bodies: impl Iterator<Item = TemplateId>) -> Self {
        let mut counts = Self::default();
        for template in bodies.filter_map(|id| templates.get(usize::from(id))) {
            counts.capsules += template.capsules().len();
            counts.ellipsoids += template.ellipsoids().len();
            counts.polyhedra += template.hulls().len();
            counts.spheres += template.round_pieces();
        }
        counts
    }

    /// Those of an engine's bodies.
    pub fn now(engine: &dyn Solver) -> Self {
        let templates = engine.scenery().templates;
        let mut counts = Self { spheres: engine.sphere_count(), ..Self::default() };
        // Most have none but spheres, and bodies need not be looked at.
        if !templates.iter().all(|template| template.is_of_spheres()) {
            counts.spheres = 0;
            engine.visit_bodies(&mut |bodies| {
                let part = Self::of(templates, bodies.iter().map(|body| body.template));
                counts.spheres += part.spheres;
                counts.capsules += part.capsules;
                counts.ellipsoids += part.ellipsoids;
                counts.polyhedra += part.polyhedra;
            });
        }
        counts
    }
}

impl State {
    /// What the bodies are made of.
    pub fn pieces(&self) -> PieceCounts {
        let &Self { spheres, capsules, ellipsoids, polyhedra, .. } = self;
        PieceCounts { spheres, capsules, ellipsoids, polyhedra }
    }
}

/// Whether there are none of something.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
pub(crate) fn is_none(count: &usize) -> bool {
    *count == 0
}

impl fmt::Display for PieceCounts {
    /// "3 spheres", "1 sphere and 2 capsules", "1 sphere, 2 capsules and 3 ellipsoids".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spheres, capsules, ellipsoids, polyhedra } = *self;
        let one = [
            (spheres, "sphere"),
            (capsules, "capsule"),
            (ellipsoids, "ellipsoid"),
            (polyhedra, "polyhedron"),
        ];
        let all = one.map(|(count, what)| match (count, what) {
            (1, _) => (count, what.to_owned()),
            (_, "polyhedron") => (count, "polyhedra".to_owned()),
            _ => (count, format!("{what}s")),
        });
        let some: Vec<_> = all.iter().filter(|(count, _)| *count > 0).collect();
        let told = if some.is_empty() { vec![&all[0]] } else { some };
        for (place, (count, what)) in told.iter().enumerate() {
            f.write_str(match (place, told.len() - place) {
                (0, _) => "",
                (_, 1) => " and ",
                _ => ", ",
            })?;
            write!(f, "{count} {what}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_words() {
        let words =
            |spheres, capsules| PieceCounts { spheres, capsules, ..PieceCounts::default() }.to_string();
        assert_eq!(
            [words(0, 0), words(1, 0), words(3, 2), words(0, 1), words(1, 5)],
            ["0 spheres", "1 sphere", "3 spheres and 2 capsules", "1 capsule", "1 sphere and 5 capsules"]
        );
        let all = PieceCounts { spheres: 1, capsules: 2, ellipsoids: 3, polyhedra: 0 };
        assert_eq!(all.to_string(), "1 sphere, 2 capsules and 3 ellipsoids");
        assert_eq!(PieceCounts { ellipsoids: 1, ..PieceCounts::default() }.to_string(), "1 ellipsoid");
        let flat = |polyhedra| PieceCounts { polyhedra, ..PieceCounts::default() }.to_string();
        assert_eq!([flat(1), flat(5)], ["1 polyhedron", "5 polyhedra"]);
    }
}
