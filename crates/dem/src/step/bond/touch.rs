//! Bonds that bodies get where they touch.
//!
//! Two bodies that touch at tₙ and have no bond get one, at rest as they are then. Their contact acts for the last time at tₙ, as all forces do
//! from tₙ₋½ to tₙ₊½; so it ends at tₙ₊½, with the energy U − ½Δt P that its springs have then, where P is what they do to the bodies at tₙ.
//! This is lost, unless the contact goes on beside the bond. The bond acts from tₙ₊½ on, and is first looked at at tₙ₊₁: the books close with second order.
//!
//! Who gets a bond follows from the contacts of tₙ alone, and the order is that of the numbers of bodies.

use super::build::tie_at;
use super::spread::is_told_elsewhere;
use super::{Bonds, Tie};
use crate::bodies::Bodies;
use crate::bond::TouchBonds;
use crate::clump::ClumpTemplate;
use crate::engine::Engine;
use crate::error::{Stop, StopCause};
use crate::id::{BodyId, MaterialId, TemplateId};
use crate::law::{Entry, EntryKind};
use crate::placement::{Ends, NearPair};
use crate::record::Record;
use crate::world::Body;
use tumble_math::{ExactSum, LabVec, Quat};

/// What contacts had stored that ended because their bodies were bonded.
pub(crate) const BOND_MAKING: Entry =
    Entry::new("bond_making", "lost where bonds took the place of contacts", EntryKind::Slipped);

impl Bonds {
    /// Adds bonds whose bodies had none.
    fn add(&mut self, ties: Vec<Tie>, bodies: &Bodies) {
        let told = ties.iter().filter(|tie| !is_told_elsewhere(tie, bodies)).count() as u64;
        self.made += told;
        self.by_touch += told;
        let nothing = <crate::physics::bond::BondAction<f64> as Record<f64>>::zero();
        let old = core::mem::take(&mut self.ties).into_iter().zip(core::mem::take(&mut self.actions));
        let mut all: Vec<_> = old.chain(ties.into_iter().map(|tie| (tie, nothing))).collect();
        all.sort_by_key(|(tie, _)| tie.bodies);
        (self.ties, self.actions) = all.into_iter().unzip();
        self.settle(bodies);
    }

    /// Whether two rows are bonded.
    fn are_bonded(&self, a: usize, b: usize) -> bool {
        !self.is_empty() && self.of_row(a).iter().any(|side| side.other as usize == b)
    }
}

impl Engine {
    /// Whether there are bonds, or may be.
    pub(crate) fn has_or_gets_bonds(&self) -> bool {
        self.bonds.any() || !self.rules.touch_bonds.is_empty()
    }

    /// Whether what contacts have stored is asked for at the end of a step, since some may end by a bond in the next one.
    pub(crate) fn may_bond_after(&self, step: u64) -> bool {
        let time = self.time_at(step);
        self.rules.touch_bonds.iter().any(|own| own.is_open(time) && !own.rule.contact)
    }

    /// The same at the present instant.
    pub(crate) fn is_asked_what_contacts_do(&self) -> bool {
        self.may_bond_after(self.progress.steps)
    }

    /// Bonds bodies that touched at the end of the last step. Tells whose contacts end by that.
    pub(crate) fn bond_touching(&mut self) -> Result<Vec<[u32; 2]>, Stop> {
        let rules = self.rules.touch_bonds.clone();
        let time = self.time_at(self.progress.steps.saturating_sub(1));
        let open: Vec<&TouchBonds> = rules.iter().filter(|own| own.is_open(time)).collect();
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let mut ties = Vec::new();
        for pair in self.touching_unbonded() {
            let bodies = pair.map(|row| BodyId(self.space.bodies.id[row]));
            let materials = pair.map(|row| self.space.bodies.material[row]);
            if let Some(own) = open.iter().find(|own| own.is_for(bodies, materials)) {
                let tie = self.tie_touching(own, pair, bodies);
                ties.push(tie.map_err(|reason| self.stop(pair[0], StopCause::Prescribed { reason }))?);
            }
        }
        let ended: Vec<[u32; 2]> = ties.iter().filter(|tie| !tie.contact).map(|tie| tie.bodies).collect();
        if ties.is_empty() {
            return Ok(ended);
        }
        let left = self.left_in_contacts(&ended, 1.0, -1.0);
        self.bonds.replaced.merge(&left);
        self.bonds.add(ties, &self.space.bodies);
        if !ended.is_empty() {
            // They have to be in no list any more.
            self.space.neighbours.travelled = f64::INFINITY;
        }
        Ok(ended)
    }

    /// The rows of bodies that touch and have no bond, in the order of their numbers, the lower one first.
    fn touching_unbonded(&self) -> Vec<[usize; 2]> {
        let bodies = &self.space.bodies;
        let mut pairs = Vec::new();
        for contacts in &self.contacts {
            for (kept, _) in contacts.kept().filter(|(_, with_wall)| !with_wall) {
                for key in kept.keys() {
                    let [a, b] = [key.a as usize, key.b as usize];
                    if !self.bonds.are_bonded(a, b) {
                        pairs.push(if bodies.id[a] < bodies.id[b] { [a, b] } else { [b, a] });
                    }
                }
            }
        }
        pairs.sort_unstable_by_key(|pair| pair.map(|row| bodies.id[row]));
        pairs.dedup();
        pairs
    }

    fn tie_touching(&self, own: &TouchBonds, pair: [usize; 2], bodies: [BodyId; 2]) -> Result<Tie, String> {
        let space = &self.space;
        let placed = pair.map(|row| {
            let (at, template) = (&space.bodies.at_force[row], space.bodies.template[row]);
            let body = Body::at(TemplateId(template), LabVec::from_array(at.position));
            let body = body.turned(Quat::from_array(at.q)).scaled(space.bodies.scale[row]);
            body.made_of(MaterialId(space.bodies.material[row]))
        });
        let shape =
            |body: &Body| -> &ClumpTemplate { &space.bodies.shapes.templates[usize::from(body.template.0)] };
        let [a, b] = &placed;
        let apart = space.domain.nearest(a.position, b.position);
        let of = format!("the bond of bodies {} and {}, which touch", bodies[0], bodies[1]);
        let Some(Ends { arms, radii, gap }) = Ends::closest([(a, shape(a)), (b, shape(b))], apart) else {
            return Err(format!("{of}, has no ends"));
        };
        let length = (apart + arms[1] - arms[0]).norm();
        let bond = own.rule.bond(&NearPair { bodies, arms, radii, gap }, length);
        let poses = [a, b].map(|body| (body.position, body.orientation));
        tie_at(&bond, &of, poses, &space.domain).map_err(|error| error.to_string())
    }

    /// Energies of the entry for contacts that gave way to bonds, if there may be any.
    pub(crate) fn bond_making(&self) -> Option<(Entry, f64)> {
        let may_be = !self.rules.touch_bonds.is_empty() || self.bonds.by_touch > 0;
        may_be.then(|| (BOND_MAKING, ExactSum::value(&self.bonds.replaced)))
    }
}
