//! Liquid in a step: at its end, bridges that broke give their volume back to the films of bodies, and those that formed get theirs.
//!
//! [`setup::liquid`](crate::liquid) has the rule. Who has which bridge is kept in a list of its own, in the order of their names; what is in it and not among the contacts any more has broken,
//! however it ended: by a gap, in new lists, by a change by hand, with a body that was taken out. So the order of all that is done here is that of names, which no number of threads, no order of rows and no restart
//! changes.

use crate::bodies::Bodies;
use crate::contact::{BridgePlace, Name, PENDING};
use crate::engine::Engine;
use crate::report::LiquidReport;
use crate::world::{Body, BodyId};
use std::collections::BTreeMap;
use tumble_math::ExactSum;

/// A bridge, or a contact without one where a law has films.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BridgeVolume {
    pub(crate) name: Name,
    /// m³
    pub(crate) volume: f64,
}

/// Where the liquid is, but for the films.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LiquidBooks {
    /// With bodies, since the start, m³.
    pub(crate) put_in: ExactSum,
    /// With bodies that went, m³.
    pub(crate) taken_out: ExactSum,
    /// In the order of names.
    pub(crate) bridges: Vec<BridgeVolume>,
}

/// A contact that may have a bridge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) name: Name,
    group: usize,
    /// Where its memory has the volume.
    at: usize,
    there: BridgePlace,
}

impl Bodies {
    /// Gives the rows from one on the films of these bodies.
    fn moisten(&mut self, first: usize, bodies: &[Body]) {
        self.film.resize(self.len(), 0.0);
        for (film, body) in self.film[first..].iter_mut().zip(bodies) {
            *film = body.film;
        }
    }

    fn row_of_id(&self, id: u32) -> Option<usize> {
        self.row(BodyId(id))
    }
}

/// The ids of the bodies of a contact; of one with a wall that of its only one.
pub(crate) fn sides(name: &Name) -> impl Iterator<Item = u32> + use<> {
    let [a, b] = [name.a[0], name.b[0]];
    [a, b].into_iter().take(if name.with_wall { 1 } else { 2 })
}

impl Engine {
    /// Whether bodies carry films.
    pub(crate) fn has_liquid(&self) -> bool {
        self.rules.liquid.is_some()
    }

    /// Gives rows from one on the films of these bodies, if there is liquid.
    pub(crate) fn moisten_bodies(&mut self, first: usize, bodies: &[Body]) {
        if self.has_liquid() {
            self.space.bodies.moisten(first, bodies);
            for body in bodies {
                self.liquid.put_in += body.film;
            }
        }
    }

    /// The films of rows that are about to be taken out go with them.
    pub(crate) fn take_films_out(&mut self, rows: impl Iterator<Item = usize>) {
        if self.has_liquid() {
            for row in rows {
                self.liquid.taken_out += self.space.bodies.film[row];
            }
        }
    }

    /// All contacts of laws with films, in the order of their names.
    fn film_contacts(&self) -> Vec<Place> {
        let (mut all, mut found) = (Vec::new(), Vec::new());
        for (group, (contacts, physics)) in self.groups().enumerate() {
            let Some(at) = physics.layout.liquid else { continue };
            contacts.places(&self.space, &mut found);
            all.extend(found.drain(..).map(|(name, place)| Place { name, group, at, there: place }));
        }
        all.sort_unstable_by_key(|contact| contact.name);
        all
    }

    /// Whether no contact of a law with films has begun or ended since this was last asked.
    pub(crate) fn bridges_are_the_same(&self) -> bool {
        let mut count = 0;
        for (contacts, physics) in self.groups().filter(|(_, physics)| physics.layout.liquid.is_some()) {
            if !contacts.are_the_same() {
                return false;
            }
            count += contacts.len();
            debug_assert!(physics.remembers());
        }
        count == self.liquid.bridges.len()
    }

    /// Brings films and bridges to the contacts that there are now.
    pub(crate) fn settle_liquid(&mut self) {
        // New lists begin with the contacts of the old ones, so that those that are the same may be others than in the books; then there are fewer.
        if !self.has_liquid() || self.bridges_are_the_same() {
            return;
        }
        let begun = self.match_bridges();
        let gifts = self.gifts(&begun);
        self.fill(&begun, &gifts);
    }

    /// Lets go of bridges whose contacts have ended, and tells the contacts, in the order of their names, whose bridges have yet to be filled.
    pub(crate) fn match_bridges(&mut self) -> Vec<Place> {
        let contacts = self.film_contacts();
        let old = core::mem::take(&mut self.liquid.bridges);
        let mut goes_on = old.iter().peekable();
        let mut bridges = Vec::with_capacity(contacts.len());
        let mut begun: Vec<Place> = Vec::new();
        let mut broken = Vec::new();
        for contact in &contacts {
            while let Some(gone) = goes_on.next_if(|bridge| bridge.name < contact.name) {
                broken.push(*gone);
            }
            match goes_on.next_if(|bridge| bridge.name == contact.name) {
                Some(bridge) if self.volume_of(contact) >= 0.0 => bridges.push(*bridge),
                // It ended and began anew within the step.
                Some(bridge) => {
                    broken.push(*bridge);
                    begun.push(*contact);
                    bridges.push(BridgeVolume { name: contact.name, volume: 0.0 });
                }
                None => {
                    begun.push(*contact);
                    bridges.push(BridgeVolume { name: contact.name, volume: 0.0 });
                }
            }
        }
        broken.extend(goes_on);
        for bridge in &broken {
            self.give_back(bridge);
        }
        self.liquid.bridges = bridges;
        begun.retain(|contact| self.volume_of(contact) <= PENDING);
        begun
    }

    fn volume_of(&self, contact: &Place) -> f64 {
        self.contacts[contact.group].bridge(contact.there, contact.at)
    }

    /// Half of a bridge to either body, all of it from a wall. What would be given to a body that is not there any more went with it, and a
    /// ghost is given its part by its owner.
    fn give_back(&mut self, bridge: &BridgeVolume) {
        let part = if bridge.name.with_wall { bridge.volume } else { 0.5 * bridge.volume };
        for id in sides(&bridge.name) {
            match self.space.bodies.row_of_id(id) {
                Some(row) if self.space.bodies.ghost[row] => {}
                Some(row) => self.space.bodies.film[row] += part,
                None => self.liquid.taken_out += part,
            }
        }
    }

    /// What the bodies of contacts give to bridges that begin, in the order of [`sides`], taken from their films. What a ghost gives is for its
    /// owner to tell.
    pub(crate) fn gifts(&mut self, begun: &[Place]) -> Vec<[f64; 2]> {
        let Some(liquid) = self.rules.liquid else { return Vec::new() };
        // Of each body, how many bridges begin, and how much it has for all of them.
        let mut givers: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for id in begun.iter().flat_map(|contact| sides(&contact.name)) {
            givers.entry(id).or_insert((0.0, 0.0)).0 += 1.0;
        }
        for (id, (_, film)) in &mut givers {
            *film = self.space.bodies.row_of_id(*id).map_or(0.0, |row| self.space.bodies.film[row]);
        }
        let mut all = Vec::with_capacity(begun.len());
        for contact in begun {
            let largest = self.largest_bridge(contact);
            let mut gifts = [0.0; 2];
            for (id, gift) in sides(&contact.name).zip(&mut gifts) {
                let (Some((count, film)), Some(row)) = (givers.get(&id), self.space.bodies.row_of_id(id))
                else {
                    continue;
                };
                if self.space.bodies.ghost[row] {
                    continue;
                }
                let wanted = (film * liquid.share.min(1.0 / count)).min(0.5 * largest);
                let left = &mut self.space.bodies.film[row];
                *gift = if wanted < *left { wanted } else { *left };
                *left -= *gift;
            }
            all.push(gifts);
        }
        all
    }

    /// Fills bridges that have begun with what their bodies give.
    pub(crate) fn fill(&mut self, begun: &[Place], gifts: &[[f64; 2]]) {
        for (contact, [first, second]) in begun.iter().zip(gifts) {
            let volume = first + second;
            let known = self.liquid.bridges.binary_search_by_key(&contact.name, |bridge| bridge.name);
            if let Ok(index) = known {
                self.liquid.bridges[index].volume = volume;
            }
            self.contacts[contact.group].set_bridge(contact.there, contact.at, volume);
        }
    }

    /// The most that the bridge of a contact holds, m³.
    fn largest_bridge(&self, contact: &Place) -> f64 {
        let bodies = &self.space.bodies;
        let material = |id: u32| bodies.row_of_id(id).map_or(0, |row| bodies.material[row]);
        let a = material(contact.name.a[0]);
        let [b, _] = contact.name.b;
        let b = if contact.name.with_wall { self.space.walls[b as usize].material.0 } else { material(b) };
        self.physics(contact.group).pairs.largest_bridge(a, b)
    }

    /// Has contacts remember the volumes of the books, after these were put back.
    pub(crate) fn recall_bridges(&mut self) {
        if !self.has_liquid() {
            return;
        }
        for contact in self.film_contacts() {
            let known = self.liquid.bridges.binary_search_by_key(&contact.name, |bridge| bridge.name);
            let volume = known.map_or(0.0, |index| self.liquid.bridges[index].volume);
            self.contacts[contact.group].set_bridge(contact.there, contact.at, volume);
        }
    }

    /// Begins the books with the films that there are and the bridges that contacts have brought along.
    pub(crate) fn begin_liquid_anew(&mut self) {
        if !self.has_liquid() {
            return;
        }
        let known = self.film_contacts().into_iter().filter_map(|contact| {
            let volume = self.volume_of(&contact);
            (volume >= 0.0).then_some(BridgeVolume { name: contact.name, volume })
        });
        let bridges: Vec<BridgeVolume> = known.collect();
        let mut put_in = ExactSum::ZERO;
        for film in &self.space.bodies.film {
            put_in += *film;
        }
        for bridge in &bridges {
            put_in += bridge.volume;
        }
        self.liquid = LiquidBooks { put_in, taken_out: ExactSum::ZERO, bridges };
        self.settle_liquid();
    }

    /// The film of a row, m³, if there is liquid.
    pub(crate) fn film(&self, row: usize) -> Option<f64> {
        self.rules.liquid.and_then(|_| self.space.bodies.film.get(row).copied())
    }

    /// Where the liquid is, if there is any.
    pub fn liquid(&self) -> Option<LiquidReport> {
        self.rules.liquid?;
        let (mut films, mut bridges) = (ExactSum::ZERO, ExactSum::ZERO);
        for film in &self.space.bodies.film {
            films += *film;
        }
        for bridge in &self.liquid.bridges {
            bridges += bridge.volume;
        }
        Some(LiquidReport {
            films: films.value(),
            bridges: bridges.value(),
            count: self.liquid.bridges.iter().filter(|bridge| bridge.volume > 0.0).count(),
            put_in: self.liquid.put_in.value(),
            taken_out: self.liquid.taken_out.value(),
        })
    }
}
