//! Which contact models made a state. By name: one from outside is known to no reader of bytes.

use crate::contact::Groups;
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
}

impl ModelName {
    pub(super) fn of(model: ContactModel) -> Self {
        let [law, rolling, twisting] = model.parts().map(|([_, name], _)| name.to_owned());
        let layout = model.erased_or_of_law().layout();
        let [memory, deed] = [layout.memory, layout.deed()].map(index32);
        Self { law, rolling, twisting, memory, deed }
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
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct ModelNames {
    pub(super) list: Vec<ModelName>,
    /// The group of each pair of materials, row by row.
    pub(super) of: Vec<u16>,
    /// How many books bodies have.
    pub(super) books: u32,
}

impl ModelNames {
    pub(super) fn of(groups: &Groups) -> Self {
        let list = groups.iter().map(|group| ModelName::of(group.model)).collect();
        Self { list, of: groups.table().to_vec(), books: index32(groups.accounts.books()) }
    }

    /// The group of two of so many materials.
    pub(super) fn group(&self, a: u16, b: u16, materials: usize) -> usize {
        self.of.get(usize::from(a) * materials + usize::from(b)).copied().map_or(0, usize::from)
    }

    /// Whether a table that was read has a group for every two of so many materials, whichever comes first.
    pub(super) fn is_sound(&self, materials: usize) -> bool {
        let known = |group: &u16| usize::from(*group) < self.list.len();
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
        let name = |of: &Self, (a, b)| of.list.get(of.group(a, b, list.len())).cloned();
        let other = pairs.find(|&pair| name(self, pair) != name(own, pair));
        let [there, here] = [self, own].map(|of| {
            let model = other.and_then(|pair| name(of, pair)).or_else(|| of.list.first().cloned());
            model.map_or("none".to_owned(), |model| model.to_string())
        });
        let several = self.list.len().max(own.list.len()) > 1;
        let whose = other.filter(|_| several).map_or(String::new(), |(a, b)| {
            let [a, b] = [a, b].map(|material| &list[usize::from(material)].name);
            format!(" for the pair {a}–{b}")
        });
        let what = format!("it has another contact model{whose}, {there}, and this engine has {here}");
        Err(Error::Mismatch { what: what.into() })
    }
}
