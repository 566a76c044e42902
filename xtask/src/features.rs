//! Which features can be built in every clone: all of the workspace, as cargo lists them, but those that a
//! package declares to need a library of the system (`[package.metadata.tumble] needs-system-library`), and
//! those that switch such a one on. A new feature is tested without being named anywhere.

use crate::{Failure, cargo, mpi, vtkhdf};
use serde_json::Value;
use std::collections::BTreeSet;

/// The features, as cargo's option `--features` takes them.
pub(crate) fn of_every_clone() -> Result<String, Failure> {
    with(&[])
}

/// Those, and the ones that need some libraries, by the names that features have for them.
fn with(libraries: &[&str]) -> Result<String, Failure> {
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(select(&serde_json::from_slice(&output.stdout)?, libraries).join(","))
}

/// Packages and features as arguments of cargo: what the tests before have built on this machine, so that nothing is compiled
/// again, and nothing is asked of a library that is not there.
pub(crate) fn of_this_machine() -> Result<Vec<String>, Failure> {
    let known = [("vtkhdf", vtkhdf::is_installed()), ("mpi", mpi::is_installed())];
    let here: Vec<&str> = known.iter().filter(|(_, here)| *here).map(|(name, _)| *name).collect();
    Ok(vec!["--workspace".to_owned(), "--features".to_owned(), with(&here)?])
}

/// What a feature is called, and what it switches on.
struct Feature {
    name: String,
    enables: Vec<String>,
}

fn select(metadata: &Value, libraries: &[&str]) -> Vec<String> {
    let (mut features, mut left_out) = (Vec::new(), BTreeSet::new());
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let in_package = |feature: &str| format!("{name}/{feature}");
        let needy = texts(&package["metadata"]["tumble"]["needs-system-library"]);
        left_out.extend(needy.filter(|library| !libraries.contains(library)).map(in_package));
        for (feature, enables) in package["features"].as_object().into_iter().flatten() {
            // `feature`, `package/feature` or `package?/feature`; `dep:package` switches no feature on.
            let enables = texts(enables)
                .filter(|entry| !entry.starts_with("dep:"))
                .map(|entry| if entry.contains('/') { entry.replace("?/", "/") } else { in_package(entry) });
            features.push(Feature { name: in_package(feature), enables: enables.collect() });
        }
    }
    // Until nothing is left that leads to what is left out.
    loop {
        let (lead, rest): (Vec<_>, Vec<_>) = features.into_iter().partition(|feature| {
            left_out.contains(&feature.name) || feature.enables.iter().any(|other| left_out.contains(other))
        });
        features = rest;
        if lead.is_empty() {
            return features.into_iter().map(|feature| feature.name).collect();
        }
        left_out.extend(lead.into_iter().map(|feature| feature.name));
    }
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whatever_leads_to_a_library_is_left_out() {
        let metadata = json!({ "packages": [
            { "name": "program", "features": { "hdf": ["facade?/hdf"], "all": ["hdf", "fast"], "fast": [] } },
            { "name": "facade", "features": { "default": [], "hdf": ["files/hdf"] }, "metadata": null },
            { "name": "files", "features": { "hdf": ["dep:hdf"], "text": ["dep:hdf-text"] },
              "metadata": { "tumble": { "needs-system-library": ["hdf"] } } },
        ]});
        assert_eq!(select(&metadata, &[]), ["program/fast", "facade/default", "files/text"]);
        let all = select(&metadata, &["hdf"]);
        assert!(
            ["program/hdf", "program/all", "facade/hdf", "files/hdf"]
                .iter()
                .all(|hdf| all.contains(&(*hdf).into()))
        );
    }

    #[test]
    fn nothing_is_asked_of_a_library_that_is_not_there() {
        let needs = |features: &str, library: &str| features.split(',').any(|name| name.ends_with(library));
        let [none, one] = [with(&[]).unwrap(), with(&["mpi"]).unwrap()];
        assert!(!needs(&none, "/vtkhdf") && !needs(&none, "/mpi"), "{none}");
        assert!(!needs(&one, "/vtkhdf") && needs(&one, "tumble-cli/mpi"), "{one}");
    }

    #[test]
    fn the_workspace_has_features_of_both_kinds() {
        let features = of_every_clone().unwrap();
        let features: Vec<&str> = features.split(',').collect();
        assert!(features.contains(&"tumble-math/trace"), "{features:?}");
        let needy = |feature: &&str| feature.ends_with("/vtkhdf") || feature.ends_with("/mpi");
        assert!(!features.iter().any(needy), "{features:?}");
    }
}
