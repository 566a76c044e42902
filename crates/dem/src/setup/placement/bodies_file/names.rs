//! The names that a file of bodies uses for templates and materials.

use crate::world::World;
use std::collections::BTreeMap;

/// Names of templates and materials, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of templates.
    pub templates: Vec<String>,
    /// Of materials.
    pub materials: Vec<String>,
}

impl Names {
    /// Those of a world.
    pub fn of(world: &World) -> Self {
        Self {
            templates: world.templates.iter().map(|template| template.name().to_owned()).collect(),
            materials: world.materials.as_slice().iter().map(|material| material.name.clone()).collect(),
        }
    }
}

/// From names, or numbers where there is no such name, to numbers.
#[derive(Debug)]
pub(super) struct Numbers<'n> {
    names: &'n [String],
    /// Of equal names the first counts.
    by_name: BTreeMap<&'n str, u16>,
}

impl<'n> Numbers<'n> {
    pub(super) fn new(names: &'n [String]) -> Self {
        let mut by_name = BTreeMap::new();
        for (number, name) in (0..=u16::MAX).zip(names) {
            by_name.entry(name.as_str()).or_insert(number);
        }
        Self { names, by_name }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn find(&self, text: &str) -> Option<u16> {
        let numbered = || text.parse::<u16>().ok().filter(|&number| usize::from(number) < self.names.len());
        self.by_name.get(text).copied().or_else(numbered)
    }

    /// What to write for a number, so that it is found again; none if nothing would do.
    pub(super) fn text(&self, number: u16) -> Option<String> {
        let plain = |name: &&String| {
            !name.is_empty()
                && name.trim() == name.as_str()
                && !name.starts_with('#')
                && !name.contains([',', '"', '\n', '\r'])
        };
        let name = self.names.get(usize::from(number)).filter(plain).cloned();
        let candidates = name.into_iter().chain([number.to_string()]);
        candidates.into_iter().find(|text| self.find(text) == Some(number))
    }

    pub(super) fn nearest(&self, text: &str) -> Option<&'n str> {
        nearest(text, self.names.iter().map(String::as_str))
    }
}

/// The name that a text was probably meant to be: few letters differ.
pub(super) fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let text: Vec<char> = text.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    let close = |name: &&'n str| {
        let name: Vec<char> = name.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
        let changes = changes(&text, &name);
        let longer = name.len().max(text.len());
        (changes <= (longer / 3).max(1) && changes < longer).then_some(changes)
    };
    names
        .filter_map(|name| close(&name).map(|changes| (changes, name)))
        .min_by_key(|&(changes, _)| changes)
        .map(|(_, name)| name)
}

/// Longer texts are not compared letter by letter.
const LONGEST: usize = 40;

/// Letters to be changed, put in, left out or swapped with the next to get from one word to the other.
fn changes(from: &[char], to: &[char]) -> usize {
    // The rows of the table of changes between beginnings of the words: before last, last, present.
    let mut rows = [vec![0; to.len() + 1], (0..=to.len()).collect::<Vec<usize>>(), vec![0; to.len() + 1]];
    for i in 0..from.len() {
        let [earlier, last, row] = &mut rows;
        row[0] = i + 1;
        for j in 0..to.len() {
            row[j + 1] = (last[j] + usize::from(from[i] != to[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                row[j + 1] = row[j + 1].min(earlier[j - 1] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][to.len()]
}
