//! The page: one HTML file that has its script and style in it.

/// As it is served.
pub(crate) const PAGE: &str = include_str!("../../../viewer/dist/index.html");

/// Where an exported film has its data.
const MARKER: &str = "<!--tumble-data-->";

/// What the page may do: run what is in it, and talk to whom it came from.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
     img-src data: blob:; media-src blob:; connect-src 'self'; worker-src blob:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// What comes before and after the data of a film.
pub(crate) fn around_data() -> (&'static str, &'static str) {
    // The test below keeps the marker there; without it the data would still be found, though later.
    PAGE.split_once(MARKER).unwrap_or((PAGE, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_place_for_data_in_the_head_of_the_page() {
        assert_eq!(PAGE.matches(MARKER).count(), 1);
        let (before, after) = around_data();
        assert!(before.contains("<head") && !before.contains("</head>") && after.contains("</head>"));
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        for outside in ["src=\"http", "src='http", "href=\"http", "url(http", "@import", "src=\"/", "src=\"."]
        {
            assert!(!PAGE.contains(outside), "{outside}");
        }
    }
}
