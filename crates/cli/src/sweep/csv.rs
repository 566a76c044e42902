//! One line of comma-separated values, quoted where RFC 4180 asks for it. Fields have no line breaks, so that
//! a line is a row and a cut-off one can be told.

/// The row as a line, with its end.
pub(super) fn line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for (place, field) in fields.into_iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        let field = field.replace(['\n', '\r'], " ");
        if field.contains([',', '"']) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&field);
        }
    }
    text.push('\n');
    text
}

/// The fields of a line without its end; nothing if its quotation marks do not match.
pub(super) fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut()?;
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(letter),
        }
    }
    (!quoted).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let row = ["a", "", "b, c", "say \"x\"", "[0,\"y\"]", "\"", "é"];
        let text = line(row);
        assert_eq!(fields(text.trim_end_matches('\n')).unwrap(), row);
        assert_eq!(line(["two\nlines"]), "two lines\n");
        assert_eq!(fields("a,\"b"), None);
    }
}
