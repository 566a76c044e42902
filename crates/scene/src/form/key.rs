//! What is known of tables and their keys before any is read: the schema, the reference page and the names of
//! overrides are made of it.

#[cfg(test)]
use super::Context;
use super::Kind;
#[cfg(test)]
use crate::tree::Node;
use crate::written::Written;
use tumble_dem::property::Property;

/// What is known of a table before any is read.
#[derive(Debug)]
pub(crate) struct TableInfo {
    /// The name of its type.
    pub(crate) name: &'static str,
    /// What it is; a line or more.
    pub(crate) doc: &'static [&'static str],
    /// Its keys.
    pub(crate) keys: Vec<Key>,
    /// Keys of which exactly one must be given.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// Keys of which one must be given, or several.
    pub(crate) some_of: &'static [&'static [&'static str]],
    /// Keys of which no more than one may be given.
    pub(crate) at_most_one_of: &'static [&'static [&'static str]],
}

/// What is known of a key.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// What it means, in a sentence or more.
    pub(crate) doc: String,
    pub(crate) presence: Presence,
    pub(crate) source: Source,
    /// A value, as TOML.
    pub(crate) example: &'static str,
}

/// Where a key is declared.
#[derive(Debug)]
pub(crate) enum Source {
    /// In a table of scenes.
    Form {
        kind: fn() -> Kind,
        default: fn() -> Option<Written>,
        /// Reads a value and writes it again.
        #[cfg(test)]
        copy: fn(&Node, &mut Context<'_>) -> Option<Written>,
    },
    /// By the laws that read it.
    Property(&'static Property),
}

impl Key {
    /// The form of its values.
    pub(crate) fn kind(&self) -> Kind {
        match self.source {
            Source::Form { kind, .. } => kind(),
            Source::Property(property) => super::property::kind(property),
        }
    }

    /// The default, as it would be written.
    pub(crate) fn default(&self) -> Option<Written> {
        match self.source {
            Source::Form { default, .. } => default(),
            Source::Property(property) => property.default.map(Written::Number),
        }
    }

    /// Reads a value and writes it again.
    #[cfg(test)]
    pub(crate) fn copy(&self, node: &Node, context: &mut Context<'_>) -> Option<Written> {
        match self.source {
            Source::Form { copy, .. } => copy(node, context),
            Source::Property(property) => super::property::read(property, node, context).map(Written::Number),
        }
    }
}

/// Whether a key must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    Optional,
    Default,
    Always,
}
