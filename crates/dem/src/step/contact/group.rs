//! Contacts in groups: all pairs of materials with the same model.
//!
//! Every group has its own part of the lists, its own constants and its own contacts, so that a loop over them is a loop
//! over one model. Groups follow each other as their models first appear in the table of all pairs of materials, whoever
//! is there; they are evaluated one after the other, each over all bodies. So the order of every sum is that of groups
//! first, then that of places, and depends on nothing but the world.

use super::{Accounts, Contacts, Detached, Kept, Name, PairTable, Physics};
use crate::check;
use crate::engine::{Engine, Settings};
use crate::error::Error;
use crate::law::{ContactModel, ErasedModel, Layout};
use crate::material::{MaterialId, Materials};
use crate::wall::Wall;
use std::borrow::Cow;

/// The pairs of materials with one model.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) model: ContactModel,
    /// What runs it.
    pub(crate) erased: &'static dyn ErasedModel,
    pub(crate) pairs: PairTable,
    /// Whether any two things that are there can meet in it.
    pub(crate) is_met: bool,
}

/// All groups.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    list: Vec<Group>,
    /// The group of each pair of materials: row a, column b.
    of: Vec<u16>,
    meetings: Meetings,
    /// What contacts keep books of.
    pub(crate) accounts: Accounts,
}

impl Groups {
    /// The groups of a world, with the constants of the pairs that can meet.
    pub(crate) fn new(
        materials: &Materials,
        settings: &Settings,
        of_bodies: impl Iterator<Item = u16>,
        walls: &[Wall],
    ) -> Result<Self, Error> {
        let count = materials.as_slice().len();
        let meetings = Meetings::new(count, of_bodies, walls);
        let mut of = vec![0; count * count];
        let mut models: Vec<(ContactModel, String)> = Vec::new();
        for (a, i) in (0..u16::MAX).zip(0..count) {
            for (b, j) in (0..u16::MAX).zip(0..count).skip(i) {
                let own = materials.model(MaterialId(a), MaterialId(b));
                let model = own.unwrap_or(settings.contact);
                let number = models.iter().position(|(known, _)| *known == model).unwrap_or(models.len());
                if number == models.len() {
                    let names = [i, j].map(|material| &materials.as_slice()[material].name);
                    let of_pair = || format!("pair {}–{}", names[0], names[1]);
                    models.push((model, own.map_or("the settings".into(), |_| of_pair())));
                }
                let number = u16::try_from(number)
                    .map_err(|_| Error::TooMany { what: "contact models", most: u16::MAX.into() })?;
                of[i * count + j] = number;
                of[j * count + i] = number;
            }
        }
        if models.is_empty() {
            models.push((settings.contact, "the settings".into()));
        }
        let erased = models.iter().map(|(model, whose)| check::model(*model, whose));
        let erased = erased.collect::<Result<Vec<_>, _>>()?;
        let accounts = Accounts::of(&erased.iter().map(|model| model.layout()).collect::<Vec<_>>());
        let mut list = Vec::with_capacity(models.len());
        for (number, ((model, _), erased)) in (0..).zip(models.into_iter().zip(erased)) {
            let own = |a: usize, b: usize| of[a * count + b] == number;
            let meet = |a: usize, b: usize| own(a, b) && meetings.meet(a, b);
            let pairs = PairTable::new(materials, model, meet, &accounts)?;
            let touched = |wall: &&Wall| {
                let wall = wall.material.index();
                (0..count).any(|a| own(a, wall) && meetings.bodies[a])
            };
            check::range(erased, &pairs, walls.iter().filter(touched))?;
            let is_met = (0..count).any(|a| (0..count).any(|b| meet(a, b)));
            list.push(Group { model, erased, pairs, is_met });
        }
        Ok(Self { list, of, meetings, accounts })
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Group> {
        self.list.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, group: usize) -> &Group {
        &self.list[group]
    }

    /// Which numbers the contacts of each have.
    pub(crate) fn layouts(&self) -> impl Iterator<Item = Layout> {
        self.list.iter().map(|group| group.erased.layout())
    }

    /// The number of the group of two materials.
    #[inline(always)]
    pub(crate) fn number(&self, a: u16, b: u16) -> usize {
        usize::from(self.of[usize::from(a) * self.meetings.bodies.len() + usize::from(b)])
    }

    /// The number of the group of each pair of materials, row by row.
    pub(crate) fn table(&self) -> &[u16] {
        &self.of
    }

    /// The group of two materials.
    pub(crate) fn of(&self, a: u16, b: u16) -> &Group {
        &self.list[self.number(a, b)]
    }

    /// The groups in which something of a material can meet something that is there.
    pub(crate) fn met_by(&self, material: u16) -> impl Iterator<Item = &Group> {
        let others = (0..u16::MAX).zip(&self.meetings.bodies).map(|(other, _)| other);
        let met = others.filter(move |&other| self.meetings.meet(material.into(), other.into()));
        met.map(move |other| self.of(material, other))
    }

    /// The only group in which anything can meet; the first if nothing can, and none if there are several.
    pub(crate) fn only(&self) -> Option<usize> {
        let mut met = (0..self.list.len()).filter(|&group| self.list[group].is_met);
        let first = met.next().unwrap_or(0);
        if met.next().is_none() { Some(first) } else { None }
    }

    /// How far beyond touch any contact can act, m, if no sphere is larger than this.
    pub(crate) fn range(&self, largest: f64) -> f64 {
        let ranges = self.list.iter().flat_map(|group| group.pairs.ranges(largest));
        ranges.fold(0.0, f64::max)
    }
}

/// Which materials there are things of.
#[derive(Clone, Debug)]
struct Meetings {
    bodies: Vec<bool>,
    /// Of bodies or walls.
    any: Vec<bool>,
}

impl Meetings {
    fn new(materials: usize, of_bodies: impl Iterator<Item = u16>, walls: &[Wall]) -> Self {
        let mut bodies = vec![false; materials];
        for material in of_bodies {
            bodies[usize::from(material)] = true;
        }
        let mut any = bodies.clone();
        for wall in walls {
            any[wall.material.index()] = true;
        }
        Self { bodies, any }
    }

    /// Whether two bodies can meet, or a body and a wall. Two walls cannot: both may be rigid.
    fn meet(&self, a: usize, b: usize) -> bool {
        (self.bodies[a] && self.any[b]) || (self.any[a] && self.bodies[b])
    }
}

impl Engine {
    /// The contacts of each group, and how they are evaluated.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&Contacts, Physics<'_>)> {
        self.contacts.iter().enumerate().map(|(group, contacts)| (contacts, self.physics(group)))
    }

    /// The contacts of all segments with their outcomes, whether they are with walls, and how they are evaluated: group by
    /// group those between bodies, then those with walls.
    pub(crate) fn with_outcomes(&self) -> impl Iterator<Item = (Cow<'_, Kept>, bool, Physics<'_>)> {
        self.groups().flat_map(|(contacts, physics)| {
            let segments = contacts.with_outcomes(&self.space, physics);
            segments.map(move |(kept, with_wall)| (kept, with_wall, physics))
        })
    }

    /// All contacts by name, group by group, with what they remember. They are taken out of the lists, which are about to be built anew.
    pub(crate) fn detach(&mut self) -> Vec<Detached> {
        self.keep_stage_times();
        let contacts = core::mem::take(&mut self.contacts).into_iter().enumerate();
        contacts.map(|(group, contacts)| contacts.into_detached(&self.space, self.physics(group))).collect()
    }

    /// The same without those of some pairs of bodies, which are in the order of their numbers.
    pub(crate) fn detach_all_but(&mut self, pairs: &[[u32; 2]]) -> Vec<Detached> {
        let all = self.detach();
        if pairs.is_empty() {
            return all;
        }
        let stays = |name: &Name| name.with_wall || pairs.binary_search(&[name.a[0], name.b[0]]).is_err();
        all.iter().map(|of_group| of_group.kept_where(stays)).collect()
    }

    /// All contacts by name as they were before the last evaluation, if that can be done again.
    pub(crate) fn rewound(&self) -> Option<Vec<Detached>> {
        self.groups().map(|(contacts, physics)| contacts.rewound(&self.space, physics)).collect()
    }

    /// All contacts by name, group by group: see [`Contacts::detached`].
    pub(crate) fn detached(&self, outcomes: bool) -> Vec<Detached> {
        self.groups().map(|(contacts, physics)| contacts.detached(&self.space, physics, outcomes)).collect()
    }
}
