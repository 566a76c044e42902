//! Where the energies of contacts are counted: the entries that the models of a world declare, and the columns that they have in
//! the books of bodies.

use crate::bodies::{Book, OWN_BOOKS};
use crate::law::{Entry, EntryKind, Layout};
use crate::physics::contact::ACTION;

/// The entries that contacts keep books of, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accounts {
    /// What springs hold.
    pub(crate) stored: Vec<Entry>,
    /// What is lost: columns in the books of bodies, after those that bodies have of their own.
    pub(crate) lost: Vec<Entry>,
}

/// From a number of a contact's outcome to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    /// Which column of the outcome.
    pub(crate) from: usize,
    /// Which stored entry, or which column in the books of a body.
    pub(crate) to: usize,
    pub(crate) kind: EntryKind,
}

/// Where the energies of the contacts of a model go.
#[derive(Clone, Debug)]
pub(crate) struct Postings {
    pub(crate) stored: Vec<Posting>,
    pub(crate) lost: Vec<Posting>,
    /// The column in the books of a body of what is left in springs when contacts end.
    pub(crate) ended: usize,
}

impl Accounts {
    /// Of models with these numbers.
    pub(crate) fn of(layouts: &[Layout]) -> Self {
        let mut accounts = Self::default();
        for entry in layouts.iter().flat_map(|layout| layout.entries).flatten() {
            let list = if entry.kind.is_stored() { &mut accounts.stored } else { &mut accounts.lost };
            if !list.contains(entry) {
                list.push(*entry);
            }
        }
        accounts
    }

    /// How many books a body has.
    pub(crate) fn books(&self) -> usize {
        OWN_BOOKS + self.lost.len()
    }

    /// The columns in the books of bodies of what slips.
    pub(crate) fn slipped(&self) -> impl Iterator<Item = usize> {
        let books = (OWN_BOOKS..).zip(&self.lost);
        books.filter(|(_, entry)| entry.kind == EntryKind::Slipped).map(|(book, _)| book)
    }

    /// Where the energies of a model go that is among those of the accounts.
    pub(crate) fn postings(&self, layout: &Layout) -> Postings {
        let mut postings =
            Postings { stored: Vec::new(), lost: Vec::new(), ended: Book::Separation as usize };
        for (from, entry) in (ACTION..).zip(layout.entries.into_iter().flatten()) {
            let (list, accounts, first) = if entry.kind.is_stored() {
                (&mut postings.stored, &self.stored, 0)
            } else {
                (&mut postings.lost, &self.lost, OWN_BOOKS)
            };
            let Some(to) = accounts.iter().position(|known| known == entry) else { continue };
            if entry.kind == EntryKind::Torn {
                postings.ended = first + to;
            } else {
                list.push(Posting { from, to: first + to, kind: entry.kind });
            }
        }
        postings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{ELASTIC_NORMAL, ROLLING, SLIDING};

    #[test]
    fn an_entry_that_two_models_have_is_one_account() {
        let layout = |law: &'static [Entry], resistance: &'static [Entry]| Layout {
            entries: [law, resistance],
            ..Layout::default()
        };
        let one = layout(&[ELASTIC_NORMAL, SLIDING], &[]);
        let other = layout(&[SLIDING, ELASTIC_NORMAL], &[ROLLING]);
        let accounts = Accounts::of(&[one, other]);
        assert_eq!(accounts.stored, [ELASTIC_NORMAL]);
        assert_eq!(accounts.lost, [SLIDING, ROLLING]);
        let postings = accounts.postings(&other);
        assert_eq!(postings.stored, [Posting { from: ACTION + 1, to: 0, kind: ELASTIC_NORMAL.kind }]);
        let lost: Vec<[usize; 2]> = postings.lost.iter().map(|posting| [posting.from, posting.to]).collect();
        assert_eq!(lost, [[ACTION, OWN_BOOKS], [ACTION + 2, OWN_BOOKS + 1]]);
    }
}
