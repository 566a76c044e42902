//! Comma-separated values, quoted where RFC 4180 asks for it.

/// Appends one row.
pub(crate) fn push_row<'a>(text: &mut String, fields: impl IntoIterator<Item = &'a str>) {
    for (i, field) in fields.into_iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_where_needed() {
        let mut text = String::new();
        push_row(&mut text, ["a", "b, c", "say \"x\"", ""]);
        assert_eq!(text, "a,\"b, c\",\"say \"\"x\"\"\",\n");
    }
}
