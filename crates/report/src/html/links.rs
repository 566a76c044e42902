//! Addresses: of sections in the page, of files beside it, of publications.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Ids that the page itself has.
const TAKEN: [&str; 2] = ["content", "summary"];

/// An address in the page for each id, in order: readable, and no two the same.
pub(super) fn anchors<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: BTreeSet<String> = TAKEN.map(str::to_owned).into();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    ids.map(|id| {
        let mut anchor: String = id.chars().map(plain).collect();
        while anchor.is_empty() || !taken.insert(anchor.clone()) {
            anchor.push_str("-2");
        }
        anchor
    })
    .collect()
}

/// The address of a file beside the report; none if the path could lead elsewhere.
pub(super) fn beside(path: &str) -> Option<String> {
    let is_below = |part: &str| !part.is_empty() && part != "." && part != "..";
    let is_safe =
        path.split('/').all(is_below) && !path.contains(['\\', ':']) && !path.contains(char::is_control);
    is_safe.then(|| encoded(path))
}

/// The address of a publication; none if this is no digital object identifier.
pub(super) fn doi(doi: &str) -> Option<String> {
    let doi = doi.trim().trim_start_matches("https://doi.org/");
    (doi.starts_with("10.") && doi.contains('/')).then(|| format!("https://doi.org/{}", encoded(doi)))
}

/// Only what an address can hold as it is.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_differ() {
        let ids = ["spiral/fig2", "spiral-fig2", "summary", "", "é"];
        assert_eq!(anchors(ids.into_iter()), ["spiral-fig2", "spiral-fig2-2", "summary-2", "-2", "-"]);
    }

    #[test]
    fn files_lie_beside_the_report_or_are_no_links() {
        assert_eq!(beside("a b/c#.csv").as_deref(), Some("a%20b/c%23.csv"));
        for path in
            ["/etc/passwd", "../x", "a/../b", "javascript:alert(1)", "C:\\x", "//host/x", "", "./x", "a//b"]
        {
            assert_eq!(beside(path), None, "{path}");
        }
    }

    #[test]
    fn only_identifiers_become_links() {
        assert_eq!(doi("10.1016/j.cpc").as_deref(), Some("https://doi.org/10.1016/j.cpc"));
        assert_eq!(doi("javascript:alert(1)"), None);
    }
}
