//! The keys of a scene as plain data, for programs that change them before anything is checked.

use crate::diagnostic::{Diagnostics, Problem};
use crate::text::SceneText;
use crate::tree::{Node, Value};
use crate::{set, tree};
use std::sync::Arc;

/// A value of a scene file.
#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    /// Text, also a number with its unit.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<Self>),
    /// Keys with their values, in the order of the file.
    Table(Vec<(String, Self)>),
}

impl SceneText {
    /// What stands in the text, with the keys that are set from outside. Only the syntax is checked.
    ///
    /// ```
    /// use tumble_scene::{Plain, SceneText};
    /// let plain = SceneText::new("drop", "run.steps = 10").set("run.steps", "20").plain()?;
    /// let steps = Plain::Table(vec![("steps".into(), Plain::Integer(20))]);
    /// assert_eq!(plain, Plain::Table(vec![("run".into(), steps)]));
    /// # Ok::<(), tumble_scene::Diagnostics>(())
    /// ```
    pub fn plain(&self) -> Result<Plain, Diagnostics> {
        let (mut root, mut problems) = tree::parse(self);
        if problems.is_empty() {
            set::apply(self, &mut root, &mut problems);
        }
        let plain = plain(&root, &mut problems);
        if problems.is_empty() { Ok(plain) } else { Err(Diagnostics::of(Arc::new(self.clone()), problems)) }
    }
}

fn plain(node: &Node, problems: &mut Vec<Problem>) -> Plain {
    match &node.value {
        Value::Text(text) => Plain::Text(text.clone()),
        Value::Integer(number) => Plain::Integer(*number),
        Value::Float(number) => Plain::Float(*number),
        Value::Flag(flag) => Plain::Flag(*flag),
        Value::Date => {
            problems.push(Problem::error(node.place, "no key of a scene is a date or a time of day"));
            Plain::Flag(false)
        }
        Value::List(items) => Plain::List(items.iter().map(|item| plain(item, problems)).collect()),
        Value::Table(entries) => {
            let pair =
                |entry: &tree::Entry, problems: &mut _| (entry.key.clone(), plain(&entry.node, problems));
            Plain::Table(entries.iter().map(|entry| pair(entry, problems)).collect())
        }
    }
}
