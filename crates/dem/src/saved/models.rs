//! Which contact models made a state. By name: one from outside is known to no reader of bytes.

use crate::contact::{Accounts, Groups};
use crate::error::Error;
use crate::law::ContactModel;
use crate::material::Materials;
use crate::rows_by_id::index32;
use core::fmt;

/// A contact model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelName {
    pub(super) law: String,
    pub(super) rolling: String,
    pub(super) twisting: String,
    /// How many numbers its contacts remember.
    pub(super) memory: u32,
    /// How many numbers tell what they do.
    pub(super) deed: u32,
    /// How many books bodies have in a world of this model.
    pub(super) books: u32,
}

impl ModelName {
    pub(super) fn of(model: ContactModel) -> Self {
        let [law, rolling, twisting] = model.parts().map(|([_, name], _)| name.to_owned());
        let layout = model.erased_or_of_law().layout();
        let [memory, deed, books] =
            [layout.memory, layout.deed(), Accounts::of(&[layout]).books()].map(index32);
        Self { law, rolling, twisting, memory, deed, books }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { law, rolling, twisting, .. } = self;
        let [law, rolling, twisting] = [law, rolling, twisting].map(|name| name.escape_debug());
        write!(f, "'{law}' with rolling '{rolling}' and twisting '{twisting}'")
    }
}

/// The models of all groups of contacts, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelNames {
    pub(super) first: ModelName,
    pub(super) others: Vec<ModelName>,
    /// The group of each pair of materials, row by row; empty if there is one group.
    pub(super) of: Vec<u16>,
    /// How many books bodies have.
    pub(super) books: u32,
}

impl ModelNames {
    pub(super) fn of(groups: &Groups) -> Self {
        let mut names = groups.iter().map(|group| ModelName::of(group.model));
        let first = names.next().unwrap_or_else(|| ModelName::of(ContactModel::default()));
        let others: Vec<ModelName> = names.collect();
        let of = if others.is_empty() { Vec::new() } else { groups.table().to_vec() };
        Self { first, others, of, books: index32(groups.accounts.books()) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ModelName> {
        core::iter::once(&self.first).chain(&self.others)
    }

    /// The group of two of so many materials.
    pub(super) fn group(&self, a: u16, b: u16, materials: usize) -> usize {
        self.of.get(usize::from(a) * materials + usize::from(b)).copied().map_or(0, usize::from)
    }

    /// Whether a table that was read has a group for every two of so many materials, whichever comes first.
    pub(super) fn is_sound(&self, materials: usize) -> bool {
        let known = |group: &u16| usize::from(*group) <= self.others.len();
        let symmetric = || {
            let mut pairs = (0..materials).flat_map(|a| (0..a).map(move |b| (a, b)));
            pairs.all(|(a, b)| self.of[a * materials + b] == self.of[b * materials + a])
        };
        self.of.iter().all(known) && materials.checked_mul(materials) == Some(self.of.len()) && symmetric()
    }

    /// Whether these are the models of an engine.
    pub(super) fn check(&self, own: &Self, materials: &Materials) -> Result<(), Error> {
        if self == own {
            return Ok(());
        }
        let list = materials.as_slice();
        let mut pairs = (0..u16::MAX)
            .zip(list)
            .flat_map(|(a, _)| (a..u16::MAX).zip(&list[usize::from(a)..]).map(move |(b, _)| (a, b)));
        let name = |of: &Self, (a, b)| {
            of.iter().nth(of.group(a, b, list.len())).map_or(of.first.clone(), ModelName::clone)
        };
        let other = pairs.find(|&pair| name(self, pair) != name(own, pair));
        let several = !(self.others.is_empty() && own.others.is_empty());
        let (there, here, whose) = match other {
            Some((a, b)) if several => {
                let [a_name, b_name] = [a, b].map(|material| &list[usize::from(material)].name);
                (name(self, (a, b)), name(own, (a, b)), format!(" for the pair {a_name}–{b_name}"))
            }
            _ => (self.first.clone(), own.first.clone(), String::new()),
        };
        let what = format!("it has another contact model{whose}, {there}, and this engine has {here}");
        Err(Error::Mismatch { what: what.into() })
    }
}
