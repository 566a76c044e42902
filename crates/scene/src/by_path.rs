//! Problems of a scene that is no file: each with the path of its key, such as `walls[0].plane.normal`, since there are
//! no lines to point at.

use crate::diagnostic::{Diagnostics, MOST_SHOWN, Problem, Severity};
use crate::place::Place;
use crate::tree::{self, Node, Value};
use core::fmt::Write as _;

impl Diagnostics {
    /// All problems as text to read, for a scene that a program made: the paths of keys in the place of lines.
    ///
    /// ```
    /// use tumble_scene::{Scene, SceneText};
    /// let text = SceneText::new("drop", "version = 1\nrun.steps = 10\npair.friction = true\n");
    /// let problems = Scene::parse(text).unwrap_err().by_path();
    /// assert!(problems.starts_with("pair.friction: "), "{problems}");
    /// ```
    pub fn by_path(&self) -> String {
        let (root, _) = tree::parse(&self.text);
        let mut text = String::new();
        let path = |place: Place| match place.source.checked_sub(1) {
            None => innermost(&root, place),
            Some(number) => {
                let set = self.text.overrides.get(number as usize);
                set.map(|set| set.key.clone()).unwrap_or_default()
            }
        };
        for problem in self.problems().iter().take(MOST_SHOWN) {
            put(&mut text, problem, &path);
        }
        if self.problems().len() > MOST_SHOWN {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "… and {} problems more", self.problems().len() - MOST_SHOWN);
        }
        text.trim_end().to_owned()
    }
}

fn put(text: &mut String, problem: &Problem, path: &impl Fn(Place) -> String) {
    let at = path(problem.place);
    if problem.severity == Severity::Warning {
        text.push_str("warning: ");
    }
    if !at.is_empty() {
        let _ = write!(text, "{at}: ");
    }
    text.push_str(&problem.message);
    if !problem.label.is_empty() {
        let _ = write!(text, " ({})", problem.label);
    }
    text.push('\n');
    for (place, label) in &problem.related {
        let _ = writeln!(text, "  {}: {label}", path(*place));
    }
    for help in &problem.help {
        let _ = writeln!(text, "  help: {help}");
    }
}

/// The path of the smallest value that has a place in it.
fn innermost(root: &Node, place: Place) -> String {
    let (mut node, mut path) = (root, String::new());
    loop {
        let holds =
            |other: Place| other.start <= place.start && place.end <= other.end && other.end > other.start;
        let next = match &node.value {
            Value::Table(entries) => entries
                .iter()
                .find(|entry| holds(entry.key_place) || reaches(&entry.node, &holds))
                .map(|entry| {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&entry.key);
                    (&entry.node, holds(entry.key_place))
                }),
            Value::List(items) => {
                items.iter().enumerate().find(|(_, item)| reaches(item, &holds)).map(|(at, item)| {
                    let _ = write!(path, "[{at}]");
                    (item, false)
                })
            }
            _ => None,
        };
        match next {
            Some((inner, false)) => node = inner,
            _ => return path,
        }
    }
}

/// Whether a value, or anything in it, has a place: tables under their own heads lie apart from their keys.
fn reaches(node: &Node, holds: &impl Fn(Place) -> bool) -> bool {
    holds(node.place)
        || match &node.value {
            Value::Table(entries) => {
                entries.iter().any(|entry| holds(entry.key_place) || reaches(&entry.node, holds))
            }
            Value::List(items) => items.iter().any(|item| reaches(item, holds)),
            _ => false,
        }
}
