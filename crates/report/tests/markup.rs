//! Reads markup strictly: every tag closed in order, every attribute quoted, no entity but those that are written.

/// A tag that was opened: its name, and its attributes with their values as they mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// The text right behind it, up to the next tag.
    pub(crate) text: String,
}

impl Tag {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.attribute("class").is_some_and(|classes| classes.split(' ').any(|class| class == name))
    }
}

/// Tags of HTML that are never closed.
const VOID: [&str; 3] = ["meta", "br", "img"];
/// Tags of HTML whose content is no markup.
const RAW: [&str; 2] = ["style", "script"];

/// All tags, in order; panics where the markup is wrong.
pub(crate) fn tags(markup: &str) -> Vec<Tag> {
    let mut rest = markup.strip_prefix("<!doctype html>").unwrap_or(markup);
    let mut open: Vec<String> = Vec::new();
    let mut found: Vec<Tag> = Vec::new();
    while let Some(at) = rest.find('<') {
        let text = meaning(&rest[..at]);
        if let Some(last) = found.last_mut() {
            last.text.push_str(&text);
        }
        rest = &rest[at + 1..];
        let end = end_of_tag(rest);
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
            found.push(Tag { name: format!("/{name}"), attributes: Vec::new(), text: String::new() });
            continue;
        }
        let closed = tag.ends_with('/');
        let tag = read(tag.trim_end_matches('/'));
        if RAW.contains(&tag.name.as_str()) {
            let close = format!("</{}>", tag.name);
            let end = rest.find(&close).expect("raw text ends");
            rest = &rest[end + close.len()..];
        } else if !closed && !VOID.contains(&tag.name.as_str()) {
            open.push(tag.name.clone());
        }
        found.push(tag);
    }
    assert!(open.is_empty(), "{open:?} left open");
    found
}

/// Where a tag ends: at the first `>` outside quotes.
fn end_of_tag(rest: &str) -> usize {
    let mut quoted = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return at,
            '<' => panic!("a tag in a tag: {}", &rest[..at]),
            _ => {}
        }
    }
    panic!("a tag without end: {rest:.80}");
}

fn read(tag: &str) -> Tag {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(!name.is_empty() && name.chars().all(char::is_alphanumeric), "{tag}");
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        // The only one that stands for itself.
        if let Some(after) = rest.strip_prefix("hidden") {
            attributes.push(("hidden".to_owned(), String::new()));
            rest = after;
            continue;
        }
        let (name, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("{tag}"));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-:".contains(c)), "{name} in {tag}");
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("{tag}"));
        attributes.push((name.to_owned(), meaning(value)));
        rest = after;
    }
    Tag { name: name.to_owned(), attributes, text: String::new() }
}

/// Text with its entities read; panics at any other use of the sign.
fn meaning(text: &str) -> String {
    assert!(!text.contains('>'), "{text}");
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let (entity, after) = rest[at + 1..].split_once(';').expect("an entity ends");
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            _ => panic!("&{entity};"),
        });
        rest = after;
    }
    out + rest
}
