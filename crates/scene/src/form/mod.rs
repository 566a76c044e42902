//! Forms: how a value is written in a scene. A form reads it, writes it, and says what it is; the schema, the
//! reference page and the messages are made of what it says.

pub(crate) mod key;
mod list;
mod number;
pub(crate) mod property;
mod switch;
pub(crate) mod table;
mod tolerance;
mod word;

pub(crate) use key::{Key, Presence, TableInfo};
pub(crate) use list::{ListOf, Named, Numbers, Row, Vector};
pub(crate) use number::{Any, Flag, Number, Positive, Whole, ZeroOrMore};
pub(crate) use switch::{Switch, Switched};
pub(crate) use table::{Table, table};
pub(crate) use tolerance::ToleranceForm;
pub use tolerance::tolerance;
pub(crate) use word::{Choice, Choose, FilePath, MaterialName, TemplateName, Text};

use crate::diagnostic::{Problem, Severity};
use crate::tree::Node;
use crate::units::Dimension;
use crate::written::Written;

/// A way to write a value.
pub(crate) trait Form {
    /// What it stands for.
    type Value;
    /// What it looks like.
    fn kind() -> Kind;
    /// Reads it; where that fails, the problem is with the context.
    fn read(node: &Node, context: &mut Context<'_>) -> Option<Self::Value>;
    /// Writes it so that it reads back to the same value.
    fn write(value: &Self::Value) -> Written;
}

/// What a form looks like.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A number, or a text with number and unit.
    Number { dimension: Option<Dimension>, at_least: AtLeast },
    /// A whole number.
    Whole { low: u64, high: u64 },
    /// Text; what it should be.
    Text { what: &'static str },
    /// Text with a whole number after this.
    Numbered(&'static str),
    /// `true` or `false`.
    Flag,
    /// This word.
    Word(&'static str),
    /// One of these words, each with what it means.
    Choice { what: &'static str, options: Vec<(&'static str, &'static str)> },
    /// A list, with the fewest and the most items.
    List { of: Box<Kind>, fewest: usize, most: usize },
    /// A table with these keys.
    Table(&'static TableInfo),
    /// Tables with these keys, by name.
    Named(&'static TableInfo),
    /// Any of these.
    AnyOf(Vec<Kind>),
}

/// The lower end of a range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtLeast {
    Anything,
    Zero,
    AboveZero,
}

impl Kind {
    /// In words, to follow "expected".
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Number { dimension, at_least } => {
                let sign = match at_least {
                    AtLeast::Anything => "",
                    AtLeast::Zero => "zero or a positive ",
                    AtLeast::AboveZero => "a positive ",
                };
                let article = if sign.is_empty() { "a " } else { "" };
                match dimension {
                    None => format!("{sign}{article}number"),
                    Some(Dimension { name, unit, usual, .. }) => {
                        let article =
                            if name.starts_with(['a', 'i']) && sign.is_empty() { "an " } else { article };
                        let other = usual.iter().find(|usual| *usual != unit).unwrap_or(unit);
                        format!(
                            "{sign}{article}{name} (a number in {unit}, or text with a unit such as \"5 {other}\")"
                        )
                    }
                }
            }
            Self::Whole { low, high: u64::MAX } => format!("a whole number of at least {low}"),
            Self::Whole { low, high } => format!("a whole number from {low} to {high}"),
            Self::Text { what } => format!("{what} in quotes"),
            Self::Numbered(prefix) => format!("\"{prefix}N\" with a number N"),
            Self::Flag => "true or false".to_owned(),
            Self::Word(word) => format!("\"{word}\""),
            Self::Choice { what, options } => {
                let names: Vec<String> = options.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                if names.len() <= 4 { names.join(" or ") } else { format!("the name of a {what}") }
            }
            Self::List { of, fewest, most } if fewest == most => {
                format!("a list of {fewest}, each {}", of.describe())
            }
            Self::List { of, .. } => format!("a list, each item {}", of.describe()),
            Self::Table(info) => {
                let names: Vec<&str> = info.keys.iter().map(|key| key.name).collect();
                format!("a table with the keys {}", crate::suggest::listed(names))
            }
            Self::Named(_) => "tables, each with a name".to_owned(),
            Self::AnyOf(kinds) => kinds.iter().map(Self::describe).collect::<Vec<_>>().join(", or "),
        }
    }
}

/// The names that a scene gives to its materials and templates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) materials: Vec<String>,
    pub(crate) templates: Vec<String>,
}

/// A scene with more problems than this is no scene.
const MOST_PROBLEMS: usize = 1000;

/// What readers share: the path of keys that led to a value, and the problems so far.
pub(crate) struct Context<'a> {
    pub(crate) names: &'a Names,
    pub(crate) problems: &'a mut Vec<Problem>,
    path: Vec<String>,
    errors: usize,
}

impl<'a> Context<'a> {
    pub(crate) fn new(names: &'a Names, problems: &'a mut Vec<Problem>) -> Self {
        Self { names, problems, path: Vec::new(), errors: 0 }
    }

    /// The dotted path of the value being read.
    pub(crate) fn path(&self) -> String {
        self.path.join(".")
    }

    pub(crate) fn within<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(key.to_owned());
        let value = read(self);
        self.path.pop();
        value
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        self.errors += usize::from(problem.severity == Severity::Error);
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Reads something whose problems are not worth telling.
    pub(crate) fn quietly<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (before, errors) = (self.problems.len(), self.errors);
        let value = read(self);
        self.problems.truncate(before);
        self.errors = errors;
        value
    }

    /// Reports that a value is not of a kind.
    pub(crate) fn expected<T>(&mut self, node: &Node, kind: &Kind) -> Option<T> {
        let message = format!("`{}` must be {}", self.path(), kind.describe());
        self.report(Problem::error(node.place, message).label(format!("this is {}", node.kind())));
        None
    }

    /// Reports that a value is of the right kind, but impossible.
    pub(crate) fn refuse<T>(&mut self, node: &Node, what_it_must_be: &str) -> Option<T> {
        let message = format!("`{}` must be {what_it_must_be}", self.path());
        self.report(Problem::error(node.place, message));
        None
    }

    /// How many errors there are so far.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }
}
