//! Tables: the one declaration of keys that everything else follows from.
//!
//! `table!` declares a struct and how it is written in a scene. Each key is one entry:
//!
//! ```text
//! /// What it means; also the documentation of the field.
//! field ("key"): Type => Form, presence, "example";
//! ```
//!
//! The key is named like the field where nothing else is said. The presence is `required`, `optional` (the field
//! is an `Option`), `default` with a value, or `always`: a table that is read as if it were empty where it is
//! absent. `properties Material;` at the end adds the keys of all properties that laws read of a material, and a field
//! `properties` with their values. From this follow the reader, the writer, the schema, the reference page and the names of overrides.

use super::key::TableInfo;
use super::{Context, Form, Kind};
use crate::diagnostic::Problem;
use crate::place::Places;
use crate::suggest::{listed, nearest};
use crate::tree::{Entry, Node, Value};
use crate::written::Written;
use tumble_dem::material::Values;
use tumble_dem::property::Owner;

/// A struct that `table!` declared.
pub(crate) trait Table: Sized {
    fn info() -> &'static TableInfo;
    fn read_keys(reader: &mut TableReader<'_, '_, '_>) -> Self;
    fn write_keys(&self) -> Vec<(String, Written)>;
    fn places(&mut self) -> &mut Places;
    /// Looks at what only several keys together can get wrong.
    fn check(&self, context: &mut Context<'_>);
}

impl<T: Table> Form for T {
    type Value = T;

    fn kind() -> Kind {
        Kind::Table(T::info())
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<T> {
        let Value::Table(entries) = &node.value else {
            return context.expected(node, &Self::kind());
        };
        let errors = context.errors();
        let mut reader = TableReader { entries, info: T::info(), places: Places::new(node.place), context };
        let mut table = T::read_keys(&mut reader);
        reader.report_unknown_keys();
        reader.check_groups();
        *table.places() = reader.places;
        if context.errors() == errors {
            table.check(context);
        }
        if context.errors() > errors {
            table.places().mark_problem();
        }
        Some(table)
    }

    fn write(value: &T) -> Written {
        Written::Table(value.write_keys())
    }
}

/// Reads the keys of one table.
pub(crate) struct TableReader<'n, 'c, 'a> {
    entries: &'n [Entry],
    info: &'static TableInfo,
    places: Places,
    context: &'c mut Context<'a>,
}

impl TableReader<'_, '_, '_> {
    pub(crate) fn optional<F: Form>(&mut self, key: &'static str) -> Option<F::Value> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        self.places.push(key, entry.key_place, entry.node.place);
        self.context.within(key, |context| F::read(&entry.node, context))
    }

    /// The properties that an owner of this kind is given.
    pub(crate) fn properties(&mut self, owner: Owner) -> Values {
        let mut values = Values::default();
        for property in super::property::of(owner) {
            let Some(entry) = self.entries.iter().find(|entry| entry.key == property.key) else { continue };
            self.places.push(property.key, entry.key_place, entry.node.place);
            let read = |context: &mut Context<'_>| super::property::read(property, &entry.node, context);
            if let Some(value) = self.context.within(property.key, read) {
                values.set(property, value);
            }
        }
        values
    }

    pub(crate) fn default<F: Form>(
        &mut self,
        key: &'static str,
        default: impl FnOnce() -> F::Value,
    ) -> F::Value {
        self.optional::<F>(key).unwrap_or_else(default)
    }

    /// A key that must be there; where it is not, some value that nobody will look at.
    pub(crate) fn required<F: Form<Value: Default>>(&mut self, key: &'static str) -> F::Value {
        let known = |name: &str| self.info.keys.iter().any(|key| key.name == name);
        let names = || self.info.keys.iter().map(|key| key.name);
        // A misspelt key is reported as such.
        let is_meant = |entry: &Entry| {
            entry.key == key || !known(&entry.key) && nearest(&entry.key, names()) == Some(key)
        };
        if !self.entries.iter().any(is_meant) {
            let path = self.context.path();
            let of = if path.is_empty() { "the scene".to_owned() } else { format!("`{path}`") };
            let example = self.info.keys.iter().find(|info| info.name == key).map(|info| info.example);
            let problem = Problem::error(self.places.table(), format!("{of} needs the key `{key}`"))
                .label("it is missing here")
                .maybe_help(example.map(|example| format!("for example {key} = {example}")));
            self.context.report(problem);
        }
        self.optional::<F>(key).unwrap_or_default()
    }

    pub(crate) fn always<F: Table>(&mut self, key: &'static str) -> F {
        if let Some(table) = self.optional::<F>(key) {
            return table;
        }
        let (errors, head) = (self.context.errors(), self.places.table());
        let read = |context: &mut Context<'_>| {
            let mut reader =
                TableReader { entries: &[], info: F::info(), places: Places::new(head), context };
            let table = F::read_keys(&mut reader);
            reader.check_groups();
            (table, reader.places)
        };
        // Given, but wrong: that is reported already, and what the empty table lacks does not matter.
        let given = self.places.has(key);
        let (mut table, places) =
            self.context.within(key, |context| if given { context.quietly(read) } else { read(context) });
        *table.places() = places;
        if given || self.context.errors() > errors {
            table.places().mark_problem();
        }
        table
    }

    fn report_unknown_keys(&mut self) {
        for entry in self.entries {
            if self.info.keys.iter().any(|key| key.name == entry.key) {
                continue;
            }
            let names = || self.info.keys.iter().map(|key| key.name);
            let path = self.context.path();
            let of = if path.is_empty() { "a scene".to_owned() } else { format!("`{path}`") };
            let help = match nearest(&entry.key, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("keys of {of}: {}", listed(names())),
            };
            let elsewhere = crate::keys::tables_with(&entry.key);
            let message = format!("{of} has no key `{}`", entry.key);
            let problem = Problem::error(entry.key_place, message).label("unknown key").help(help);
            self.context.report(
                problem.maybe_help(
                    (!elsewhere.is_empty())
                        .then(|| format!("`{}` is a key of {}", entry.key, listed_tables(&elsewhere))),
                ),
            );
        }
    }

    fn check_groups(&mut self) {
        let groups = |groups: &'static [&'static [&'static str]], fewest: usize, most: usize| {
            groups.iter().map(move |group| (group, fewest..=most))
        };
        let TableInfo { one_of, some_of, at_most_one_of, .. } = self.info;
        let all = groups(one_of, 1, 1).chain(groups(some_of, 1, usize::MAX));
        for (group, count) in all.chain(groups(at_most_one_of, 0, 1)) {
            let given: Vec<&str> = group.iter().copied().filter(|key| self.places.has(key)).collect();
            let path = self.context.path();
            let of = if path.is_empty() { "the scene".to_owned() } else { format!("`{path}`") };
            let names: Vec<String> = group.iter().map(|key| format!("`{key}`")).collect();
            let needs = match (*count.start(), *count.end()) {
                (0, _) => "can have only one of",
                (_, 1) => "needs exactly one of",
                _ => "needs at least one of",
            };
            let message = format!("{of} {needs} {}", names.join(", "));
            match given[..] {
                _ if count.contains(&given.len()) => {}
                [] | [_] => {
                    let problem = Problem::error(self.places.table(), message).label("none of them is here");
                    self.context.report(problem);
                }
                [first, .., last] => {
                    let problem = Problem::error(self.places.key(last), message)
                        .label(format!("`{last}` as well"))
                        .related(self.places.key(first), format!("`{first}` is given here"));
                    self.context.report(problem.help(format!("remove all but one of {}", given.join(", "))));
                }
            }
        }
    }
}

fn listed_tables(tables: &[String]) -> String {
    listed(tables.iter().take(4).map(String::as_str))
}

/// Declares a table; see the module.
macro_rules! table {
    (
        $(#[doc = $table_doc:literal])+
        $name:ident {
            $(one_of [$($one:literal),+];)*
            $(some_of [$($some:literal),+];)*
            $(at_most_one_of [$($most:literal),+];)*
            $(check $check:path;)?
            $(
                $(#[doc = $doc:literal])+
                $field:ident $(($key:literal))?: $type:ty => $form:ty, $presence:ident $($default:expr)?, $example:literal;
            )*
            $(properties $owner:ident;)?
        }
    ) => {
        $(#[doc = $table_doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $crate::form::table::field_type!($presence $type),)*
            $(
                #[doc = concat!("What laws read of a ", stringify!($owner), ", as far as it is given.")]
                pub properties: tumble_dem::material::Values,
            )?
            /// Where it stands in the file.
            pub places: $crate::place::Places,
        }

        impl $crate::form::Table for $name {
            fn info() -> &'static $crate::form::TableInfo {
                static INFO: std::sync::LazyLock<$crate::form::TableInfo> = std::sync::LazyLock::new(|| $crate::form::TableInfo {
                    name: stringify!($name),
                    doc: &[$($table_doc),+],
                    keys: {
                        #[allow(unused_mut, reason = "not every table has properties")]
                        let mut keys = vec![$($crate::form::Key {
                        name: $crate::form::table::key_name!($field $($key)?),
                        doc: [$($doc.trim()),+].join(" "),
                        presence: $crate::form::table::presence!($presence),
                        source: $crate::form::key::Source::Form {
                            kind: <$form as $crate::form::Form>::kind,
                            default: || $crate::form::table::default_text!($form, $presence $($default)?),
                            #[cfg(test)]
                            copy: |node, context| {
                                <$form as $crate::form::Form>::read(node, context)
                                    .map(|value| <$form as $crate::form::Form>::write(&value))
                            },
                        },
                        example: $example,
                    }),*];
                        $(keys.extend($crate::form::property::keys(tumble_dem::property::Owner::$owner));)?
                        keys
                    },
                    one_of: &[$(&[$($one),+]),*],
                    some_of: &[$(&[$($some),+]),*],
                    at_most_one_of: &[$(&[$($most),+]),*],
                });
                &INFO
            }

            fn read_keys(reader: &mut $crate::form::table::TableReader<'_, '_, '_>) -> Self {
                Self {
                    $($field: $crate::form::table::read_key!(
                        reader, $form, $crate::form::table::key_name!($field $($key)?), $presence $($default)?
                    ),)*
                    $(properties: reader.properties(tumble_dem::property::Owner::$owner),)?
                    places: $crate::place::Places::default(),
                }
            }

            fn write_keys(&self) -> Vec<(String, $crate::written::Written)> {
                let keys: Vec<Option<(String, $crate::written::Written)>> = vec![$($crate::form::table::write_key!(
                    $form, $crate::form::table::key_name!($field $($key)?), self.$field, $presence
                )),*];
                #[allow(unused_mut, reason = "not every table has properties")]
                let mut keys: Vec<_> = keys.into_iter().flatten().collect();
                $(
                    let _ = tumble_dem::property::Owner::$owner;
                    keys.extend($crate::form::property::write(&self.properties));
                )?
                keys
            }

            fn places(&mut self) -> &mut $crate::place::Places {
                &mut self.places
            }

            #[allow(unused_variables, reason = "most tables have nothing to check")]
            fn check(&self, context: &mut $crate::form::Context<'_>) {
                $($check(self, context);)?
            }
        }
    };
}

macro_rules! field_type {
    (optional $type:ty) => { Option<$type> };
    ($presence:ident $type:ty) => { $type };
}

macro_rules! key_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

macro_rules! presence {
    (required) => {
        $crate::form::Presence::Required
    };
    (optional) => {
        $crate::form::Presence::Optional
    };
    (default) => {
        $crate::form::Presence::Default
    };
    (always) => {
        $crate::form::Presence::Always
    };
}

macro_rules! default_text {
    ($form:ty, default $default:expr) => {
        Some(<$form as $crate::form::Form>::write(&$default))
    };
    ($form:ty, $presence:ident) => {
        None
    };
}

macro_rules! read_key {
    ($reader:ident, $form:ty, $key:expr, default $default:expr) => {
        $reader.default::<$form>($key, || $default)
    };
    ($reader:ident, $form:ty, $key:expr, $presence:ident) => {
        $reader.$presence::<$form>($key)
    };
}

macro_rules! write_key {
    ($form:ty, $key:expr, $value:expr, optional) => {
        $value.as_ref().map(|value| ($key.to_owned(), <$form as $crate::form::Form>::write(value)))
    };
    ($form:ty, $key:expr, $value:expr, $presence:ident) => {
        Some(($key.to_owned(), <$form as $crate::form::Form>::write(&$value)))
    };
}

pub(crate) use {default_text, field_type, key_name, presence, read_key, table, write_key};

#[cfg(test)]
#[allow(unreachable_pub, reason = "tables of scenes are public")]
mod tests {
    use super::*;
    use crate::form::{Names, Positive};
    use crate::units::Length;

    table! {
        /// A table with the key that `CONTRIBUTING.md` takes as its example.
        Example {
            /// Distance beyond which a force is cut off.
            cutoff: f64 => Positive<Length>, optional, "\"2 mm\"";
        }
    }

    #[test]
    fn the_key_of_the_document_is_read_and_written() {
        let document = include_str!("../../../../CONTRIBUTING.md");
        let lines = "/// Distance beyond which a force is cut off.\n\
                     cutoff: f64 => Positive<Length>, optional, \"\\\"2 mm\\\"\";\n";
        assert!(document.contains(lines), "{lines}");

        let read = |text: &str| {
            let names = Names::default();
            let mut problems = Vec::new();
            let node = crate::tree::parse_value(text, 0, 0);
            let table = Example::read(&node, &mut Context::new(&names, &mut problems));
            (table, problems)
        };
        let (table, problems) = read("{ cutoff = \"2 mm\" }");
        let table = table.expect("it is a table");
        assert_eq!((table.cutoff, problems.len()), (Some(2e-3), 0));
        assert_eq!(Example::write(&table).inline(), "{ cutoff = 0.002 }");
        let (_, problems) = read("{ cutoff = -1 }");
        assert!(problems[0].message.contains("must be positive"), "{problems:?}");
    }
}
