//! What the engine tells of its contacts.

use crate::contact::{self, Contacts, Lane, Name, Physics};
use crate::engine::Engine;
use crate::id::{BodyId, WallId};
use crate::law::{ELASTIC_NORMAL, ELASTIC_ROLLING, ELASTIC_TANGENTIAL};
use crate::physics::contact::Action;
use crate::record::Numbers;
use crate::report::in_parts;
use tumble_math::LabVec;

/// A contact at the present instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState {
    /// A body, and which of its spheres.
    pub body: (BodyId, u32),
    /// What it touches.
    pub with: Touching,
    /// Force on the body, N.
    pub force: LabVec<f64>,
    /// Where, m.
    pub point: LabVec<f64>,
    /// Couple on the body by resistances to rolling and twisting, beside the torque of the force, N m.
    pub couple: LabVec<f64>,
    /// How far the two reach into each other, m.
    pub overlap: f64,
    /// Elastic energy: normal, tangential, rolling and twisting, J. Entries that only its law has are in the ledger.
    pub stored: [f64; 3],
}

/// The other side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touching {
    /// Another body, and which of its spheres.
    Body(BodyId, u32),
    /// A wall.
    Wall(WallId),
}

impl Engine {
    /// All contacts: those between bodies by the numbers of both bodies and spheres, the lower body first; then those with
    /// walls by body, sphere, wall and part of the wall.
    pub fn contacts(&self) -> Vec<ContactState> {
        let mut states = Vec::new();
        self.contacts_into(&mut states);
        states
    }

    /// Replaces the contents of a list by what [`contacts`](Self::contacts) gives, reusing its memory.
    pub fn contacts_into(&self, states: &mut Vec<ContactState>) {
        states.clear();
        states.reserve(self.contact_count());
        self.visit_contacts(&mut |part| states.extend_from_slice(part));
    }

    /// Shows what [`contacts`](Self::contacts) gives, a slice at a time.
    pub fn visit_contacts(&self, visit: &mut dyn FnMut(&[ContactState])) {
        let space = &self.space;
        let mut named = Vec::with_capacity(self.contact_count());
        for (kept, with_wall, physics) in self.with_outcomes() {
            for (index, key) in kept.keys().iter().enumerate() {
                let name = Name::of(*key, with_wall, space);
                let Action { force, point, .. } = kept.action(index);
                let with = match name.b {
                    [wall, _] if with_wall => Touching::Wall(WallId(wall)),
                    [body, sphere] => Touching::Body(BodyId(body), sphere),
                };
                let state = ContactState {
                    body: (BodyId(name.a[0]), name.a[1]),
                    with,
                    force,
                    point,
                    couple: contact::couple(kept.outcome(index), &physics.layout),
                    overlap: contact::overlap(space, physics, *key, with_wall),
                    stored: self.stored(kept.outcome(index), physics),
                };
                named.push((name, state));
            }
        }
        named.sort_unstable_by_key(|(name, _)| *name);
        in_parts(named.into_iter().map(|(_, state)| state), visit);
    }

    /// Elastic energies of a contact: normal, tangential, rolling and twisting.
    fn stored(&self, outcome: Lane<'_>, physics: Physics<'_>) -> [f64; 3] {
        let mut energies = [0.0; 3];
        for posting in &physics.pairs.postings.stored {
            let key = self.rules.groups.accounts.stored[posting.to].key;
            let known =
                [ELASTIC_NORMAL, ELASTIC_TANGENTIAL, ELASTIC_ROLLING].iter().position(|e| e.key == key);
            if let Some(which) = known {
                energies[which] += Numbers::<f64>::number(&outcome, posting.from);
            }
        }
        energies
    }

    /// Number of contacts.
    pub fn contact_count(&self) -> usize {
        self.contacts.iter().map(Contacts::len).sum()
    }
}
