//! Text as XML and HTML want it: the one place where strings of others become markup.

/// Appends text so that it can be neither a tag, nor an entity, nor the end of an attribute. Characters that XML
/// cannot hold are dropped, but line breaks and tabs stay.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
}

/// The same as a new string.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_means_something() {
        assert_eq!(escaped("a<b>&\"c\"'\u{0}\u{1b}d\n"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d\n");
    }
}
