//! Keys that are set from outside, put into the tree of the file as if they stood there.

use crate::diagnostic::Problem;
use crate::form::{Key, Kind, Table, TableInfo};
use crate::keys::{self, SceneKeys, Step};
use crate::place::Place;
use crate::suggest::{listed, nearest};
use crate::text::{Override, SceneText};
use crate::tree::{self, Entry, Node, Value};

/// Puts every override of the text into the tree.
pub(crate) fn apply(text: &SceneText, tree: &mut Node, problems: &mut Vec<Problem>) {
    for (number, each) in (1..).zip(&text.overrides) {
        let key = Place::new(number, each.key_bytes());
        match way_to(each, tree) {
            Ok(way) => {
                let value = tree::parse_value(&each.value, number, each.value_start());
                put(tree, &Kind::Table(SceneKeys::info()), &way, value, key, problems);
            }
            Err(problem) => problems.push(Problem { place: key, ..*problem }),
        }
    }
}

/// No key has more dots than this.
const DEEPEST: usize = 10;

/// The full path of what an override means.
fn way_to(each: &Override, tree: &Node) -> Result<Vec<String>, Box<Problem>> {
    if each.key.matches('.').count() > DEEPEST {
        let problem = Problem::error(Place::default(), "no key of a scene is this deep");
        return Err(Box::new(problem.label("too many dots")));
    }
    // Overrides of the scene's own keys, and paths, need no guessing.
    if each.key.contains('.') || SceneKeys::info().keys.iter().any(|key| key.name == each.key) {
        return Ok(each.key.split('.').map(|part| part.trim().to_owned()).collect());
    }
    let mut declared: Vec<Vec<Step>> = Vec::new();
    let mut names: Vec<&'static str> = Vec::new();
    keys::for_each_key(&mut |way, key| {
        names.push(key.name);
        if key.name == each.key && !declared.iter().any(|known| known == way) {
            declared.push(way.to_vec());
        }
    });
    let places: Vec<Vec<String>> = declared.iter().flat_map(|way| instances(tree, way)).collect();
    // One that the file has is meant before one that it could have.
    let present: Vec<&Vec<String>> = places.iter().filter(|path| exists(tree, path)).collect();
    let candidates = if present.is_empty() { places.iter().collect() } else { present };
    let nowhere = Place::default();
    match candidates[..] {
        [one] => Ok(one.clone()),
        [] if declared.is_empty() => {
            let meant = nearest(&each.key, names.iter().copied());
            let problem =
                Problem::error(nowhere, format!("a scene has no key `{}`", each.key)).label("unknown key");
            Err(Box::new(problem.maybe_help(meant.map(|meant| format!("did you mean `{meant}`?")))))
        }
        [] => {
            let ways: Vec<String> = declared.iter().map(|way| keys::shown(way)).collect();
            let message = format!("there is no place for `{}` in this scene", each.key);
            Err(Box::new(Problem::error(nowhere, message).help(format!("it would be {}", ways.join(" or ")))))
        }
        _ => {
            let paths: Vec<String> = candidates.iter().map(|path| path.join(".")).collect();
            let message = format!("`{}` could mean several keys of this scene", each.key);
            let help = format!("write the whole path: {}", listed(paths.iter().map(String::as_str)));
            Err(Box::new(Problem::error(nowhere, message).label("which?").help(help)))
        }
    }
}

/// The paths in this tree that a way stands for: one for each name and item that it has.
fn instances(tree: &Node, way: &[Step]) -> Vec<Vec<String>> {
    // More than one is too many already; a few will do for the message.
    const MOST: usize = 50;
    let mut paths: Vec<(Vec<String>, Option<&Node>)> = vec![(Vec::new(), Some(tree))];
    for (at, step) in way.iter().enumerate() {
        let last = at + 1 == way.len();
        let mut next = Vec::new();
        for (path, node) in paths {
            let mut push = |part: String, node| {
                let mut path = path.clone();
                path.push(part);
                next.push((path, node));
            };
            match (step, node.map(|node| &node.value)) {
                // A table of the scene that is not in the file can be made; a part of a part cannot.
                (Step::Key(name), _) => {
                    let child = node.and_then(|node| node.child(name));
                    if child.is_some() || last || at == 0 {
                        push((*name).to_owned(), child);
                    }
                }
                (Step::AnyName, Some(Value::Table(entries))) => {
                    entries.iter().take(MOST).for_each(|entry| push(entry.key.clone(), Some(&entry.node)));
                }
                (Step::AnyIndex, Some(Value::List(items))) => {
                    items.iter().take(MOST).enumerate().for_each(|(i, item)| push(i.to_string(), Some(item)));
                }
                _ => {}
            }
        }
        paths = next;
        paths.truncate(MOST);
    }
    paths.into_iter().map(|(path, _)| path).collect()
}

fn exists(tree: &Node, path: &[String]) -> bool {
    path.iter()
        .try_fold(tree, |node, part| match &node.value {
            Value::List(items) => items.get(part.parse::<usize>().ok()?),
            _ => node.child(part),
        })
        .is_some()
}

/// Puts a value at a path, making tables on the way; keys that exclude it are removed.
fn put(node: &mut Node, kind: &Kind, path: &[String], value: Node, key: Place, problems: &mut Vec<Problem>) {
    let [part, rest @ ..] = path else {
        *node = value;
        return;
    };
    if let Value::List(items) = &mut node.value {
        let count = items.len();
        let item = part.parse::<usize>().ok().and_then(|index| items.get_mut(index));
        match item {
            Some(item) => put(item, &item_kind(kind), rest, value, key, problems),
            None => problems.push(
                Problem::error(key, format!("`{part}` is none of the {count} items of this list"))
                    .help("items are counted from 0"),
            ),
        }
        return;
    }
    if !matches!(node.value, Value::Table(_)) {
        // A value that gives way to a table, such as `vtk = false`.
        *node = Node::empty_table(key);
    }
    let Value::Table(entries) = &mut node.value else { return };
    for other in excluded(kind, part) {
        entries.retain(|entry| entry.key != other);
    }
    let index = entries.iter().position(|entry| entry.key == *part).unwrap_or_else(|| {
        entries.push(Entry { key: part.clone(), key_place: key, node: Node::empty_table(key) });
        entries.len() - 1
    });
    let entry = &mut entries[index];
    if rest.is_empty() {
        entry.key_place = key;
    }
    put(&mut entry.node, &child_kind(kind, part), rest, value, key, problems);
}

/// The tables that a value of this kind can be.
fn tables(kind: &Kind) -> Vec<&'static TableInfo> {
    match kind {
        Kind::Table(info) => vec![info],
        Kind::AnyOf(kinds) => kinds.iter().flat_map(tables).collect(),
        _ => Vec::new(),
    }
}

fn child_kind(kind: &Kind, part: &str) -> Kind {
    if let Kind::Named(info) = kind {
        return Kind::Table(info);
    }
    let keys = tables(kind).into_iter().flat_map(|info| &info.keys);
    keys.filter(|key| key.name == part).map(Key::kind).next().unwrap_or(Kind::Flag)
}

fn item_kind(kind: &Kind) -> Kind {
    match kind {
        Kind::List { of, .. } => (**of).clone(),
        _ => Kind::Flag,
    }
}

/// The keys that cannot be given beside this one.
fn excluded(kind: &Kind, part: &str) -> Vec<&'static str> {
    let groups = tables(kind).into_iter().flat_map(|info| info.one_of.iter().chain(info.at_most_one_of));
    let own = groups.filter(|group| group.contains(&part));
    own.flat_map(|group| group.iter().copied().filter(|key| *key != part)).collect()
}
