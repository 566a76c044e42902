//! The scene as a tree of values, each with its place. Tables keep the order of the file.

use crate::diagnostic::Problem;
use crate::place::Place;
use crate::text::SceneText;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Place,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Flag(bool),
    Date,
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_place: Place,
    pub(crate) node: Node,
}

impl Node {
    /// An empty table.
    pub(crate) fn empty_table(place: Place) -> Self {
        Self { value: Value::Table(Vec::new()), place }
    }

    /// The entries of a table.
    pub(crate) fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key of a table.
    pub(crate) fn child(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// What messages call a value like this.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "text",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::Date => "a date or time of day",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// The tree of a scene file, as far as its syntax can be made out, and what is wrong with the syntax.
pub(crate) fn parse(text: &SceneText) -> (Node, Vec<Problem>) {
    // An error that the parser recovers from can make it see more where nothing is wrong; a few are enough.
    const MOST: usize = 8;
    if let Err(problem) = check_depth(&text.text) {
        return (Node::empty_table(Place::default()), vec![*problem]);
    }
    let (table, errors) = DeTable::parse_recoverable(&text.text);
    let problem = |error: &toml::de::Error| {
        let place = error.span().map_or(Place::default(), |span| Place::new(0, span));
        Problem::error(place, "this is not valid TOML").label(error.message())
    };
    let mut problems: Vec<Problem> = errors.iter().take(MOST).map(problem).collect();
    // What follows on the same line is often due to the first.
    let line = |problem: &Problem| {
        let before = text.text.get(..problem.place.start).unwrap_or_default();
        before.matches('\n').count()
    };
    problems.dedup_by_key(|problem| line(problem));
    (table_node(table.get_ref(), Place::new(0, 0..0), 0), problems)
}

/// The value of an override: TOML, or else text.
pub(crate) fn parse_value(value: &str, source: u32, start: usize) -> Node {
    let whole = Place::new(source, start..start + value.len());
    let as_text = || Node { value: Value::Text(value.to_owned()), place: whole };
    if check_depth(value).is_err() {
        return as_text();
    }
    match DeValue::parse(value) {
        Ok(parsed) => node(&parsed, source, start),
        Err(_) => as_text(),
    }
}

/// Keys with many dots make tables within tables within tables, which would overflow the stack. Lists and tables
/// in braces are limited by the parser.
fn check_depth(text: &str) -> Result<(), Box<Problem>> {
    const MOST_DOTS: usize = 200;
    let mut start = 0;
    for piece in text.split_inclusive(['\n', '=', ',', '{', '[']) {
        if piece.bytes().filter(|&byte| byte == b'.').count() > MOST_DOTS {
            let place = Place::new(0, start..start + piece.len());
            return Err(Box::new(Problem::error(place, "this is no key of a scene").label("too many dots")));
        }
        start += piece.len();
    }
    Ok(())
}

fn node(value: &Spanned<DeValue<'_>>, source: u32, offset: usize) -> Node {
    let span = value.span();
    let place = Place::new(source, span.start + offset..span.end + offset);
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(integer) => Value::Integer(integer),
            // Too large for a whole number, and so for any count.
            Err(_) => Value::Float(integer.as_str().parse().unwrap_or(f64::INFINITY)),
        },
        DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => Value::List(items.iter().map(|item| node(item, source, offset)).collect()),
        DeValue::Table(table) => return table_node_in(table, place, source, offset),
    };
    Node { value, place }
}

fn table_node(table: &DeTable<'_>, place: Place, offset: usize) -> Node {
    table_node_in(table, place, 0, offset)
}

fn table_node_in(table: &DeTable<'_>, place: Place, source: u32, offset: usize) -> Node {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| {
            let span = key.span();
            Entry {
                key: key.get_ref().to_string(),
                key_place: Place::new(source, span.start + offset..span.end + offset),
                node: node(value, source, offset),
            }
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_place);
    Node { value: Value::Table(entries), place }
}
