//! The table of crates in `ARCHITECTURE.md` is that of the `Cargo.toml` files.

use crate::documented_paths::list;
use crate::{Failure, root};
use std::collections::{BTreeMap, BTreeSet};

/// What each crate uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn check() -> Result<(), Failure> {
    let documented = documented(&std::fs::read_to_string(root().join("ARCHITECTURE.md"))?);
    let mut declared = Uses::new();
    for folder in list(&root().join("crates"))?.into_iter().chain([root().join("xtask")]) {
        let manifest = folder.join("Cargo.toml");
        if manifest.is_file() {
            declared.extend(of_manifest(&std::fs::read_to_string(manifest)?));
        }
    }
    let wrong = differences(&documented, &declared);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn differences(documented: &Uses, declared: &Uses) -> Vec<String> {
    let names: BTreeSet<&String> = documented.keys().chain(declared.keys()).collect();
    let told = |uses: Option<&BTreeSet<String>>| match uses {
        None => "is not there".to_owned(),
        Some(uses) => format!("uses {uses:?}"),
    };
    names
        .into_iter()
        .filter(|name| documented.get(*name) != declared.get(*name))
        .map(|name| {
            let (table, truth) = (told(documented.get(name)), told(declared.get(name)));
            format!("ARCHITECTURE.md: `{name}` {table} in the table of crates, but {truth} in the workspace")
        })
        .collect()
}

/// Rows such as ``| `tumble-dem` | the engine | `tumble-math` |``.
fn documented(text: &str) -> Uses {
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let section = text.split("\n## ").find(|section| section.starts_with("Crates")).unwrap_or_default();
    let row = |line: &str| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split(" | ").collect();
        let [name, _, uses] = cells[..] else { return None };
        Some((quoted(name).pop_first()?, quoted(uses)))
    };
    section.lines().filter_map(row).collect()
}

/// The crates of this workspace among the dependencies of one of them.
fn of_manifest(text: &str) -> Option<(String, BTreeSet<String>)> {
    let name = text.lines().find_map(|line| line.strip_prefix("name = \""))?.trim_end_matches('"');
    let mut uses = BTreeSet::new();
    let mut within = false;
    for line in text.lines() {
        if line.starts_with('[') {
            within = line == "[dependencies]";
        }
        let key: &str = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if within && (key == "tumble" || key.starts_with("tumble-")) {
            uses.insert(key.to_owned());
        }
    }
    Some((name.to_owned(), uses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_lacks_a_crate_is_named() {
        let table =
            "# A\n\n## Crates\n\n| crate | what | uses |\n| --- | --- | --- |\n| `b` | it | `tumble-a` |\n";
        let manifest = "[package]\nname = \"b\"\n\n[dependencies]\ntumble-a.workspace = true\ntumble = { path = \"x\" }\n                        \n[dev-dependencies]\ntumble-c = \"1\"\n";
        let declared = Uses::from_iter(of_manifest(manifest));
        let wrong = differences(&documented(table), &declared);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("`b` uses {\"tumble-a\"}") && wrong[0].contains("\"tumble\""), "{wrong:?}");
        let mended = table.replace("`tumble-a`", "`tumble`, `tumble-a`");
        assert_eq!(differences(&documented(&mended), &declared), Vec::<String>::new());
    }
}
