//! How many spheres and capsules bodies are made of, and that in words.

use crate::State;
use core::fmt;
use std::sync::Arc;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::{Solver, TemplateId};

/// Numbers of pieces. The spheres at the ends of capsules do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceCounts {
    /// Spheres.
    pub spheres: usize,
    /// Capsules.
    pub capsules: usize,
}

impl PieceCounts {
    /// Those of bodies of these templates.
    pub fn of(templates: &[Arc<ClumpTemplate>], bodies: impl Iterator<Item = TemplateId>) -> Self {
        let mut counts = Self::default();
        for template in bodies.filter_map(|id| templates.get(usize::from(id))) {
            let capsules = template.capsules().len();
            counts.capsules += capsules;
            counts.spheres += template.spheres().len() - 2 * capsules;
        }
        counts
    }

    /// Those of an engine's bodies.
    pub fn now(engine: &dyn Solver) -> Self {
        let templates = engine.scenery().templates;
        let mut counts = Self { spheres: engine.sphere_count(), capsules: 0 };
        // Most have none, and bodies need not be looked at.
        if templates.iter().any(|template| template.capsules().len() > 0) {
            counts.spheres = 0;
            engine.visit_bodies(&mut |bodies| {
                let part = Self::of(templates, bodies.iter().map(|body| body.template));
                counts.spheres += part.spheres;
                counts.capsules += part.capsules;
            });
        }
        counts
    }
}

impl State {
    /// What the bodies are made of.
    pub fn pieces(&self) -> PieceCounts {
        PieceCounts { spheres: self.spheres, capsules: self.capsules }
    }
}

/// Whether there are none of something.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
pub(crate) fn is_none(count: &usize) -> bool {
    *count == 0
}

impl fmt::Display for PieceCounts {
    /// "3 spheres", "1 sphere and 2 capsules".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spheres, capsules } = *self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        if spheres > 0 || capsules == 0 {
            write!(f, "{spheres} sphere{}", plural(spheres))?;
        }
        if spheres > 0 && capsules > 0 {
            f.write_str(" and ")?;
        }
        if capsules > 0 {
            write!(f, "{capsules} capsule{}", plural(capsules))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_words() {
        let words = |spheres, capsules| PieceCounts { spheres, capsules }.to_string();
        assert_eq!(
            [words(0, 0), words(1, 0), words(3, 2), words(0, 1), words(1, 5)],
            ["0 spheres", "1 sphere", "3 spheres and 2 capsules", "1 capsule", "1 sphere and 5 capsules"]
        );
    }
}
