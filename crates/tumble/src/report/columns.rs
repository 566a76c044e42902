//! Reads the tables of a run, a row at a time; what is left of a torn last row does not count.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use tumble_output::plain;

/// A table being read.
pub(super) struct Columns {
    path: PathBuf,
    names: Vec<String>,
    reader: BufReader<File>,
    line: u64,
}

impl Columns {
    /// Opens a table; the error is a sentence that names it, as everywhere here.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        plain::check(path).map_err(|error| error.to_string())?;
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut columns =
            Self { path: path.to_owned(), names: Vec::new(), reader: BufReader::new(file), line: 0 };
        columns.names = columns.fields()?.unwrap_or_default();
        Ok(columns)
    }

    /// The place of a column.
    pub(super) fn place(&self, name: &str) -> Result<usize, String> {
        let found = self.names.iter().position(|column| column == name);
        found.ok_or_else(|| self.bad(&format!("it has no column {name}")))
    }

    /// The names of all columns.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of the column at a place.
    pub(super) fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or("", String::as_str)
    }

    /// The next row, with a field for each column; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<String>>, String> {
        let row = self.fields()?;
        match row {
            Some(row) if row.len() != self.names.len() => Err(self.bad(&format!(
                "line {} has {} fields, not {}",
                self.line,
                row.len(),
                self.names.len()
            ))),
            row => Ok(row),
        }
    }

    /// A field of the row that was read last, as a number.
    pub(super) fn number(&self, row: &[String], place: usize) -> Result<f64, String> {
        let field = row.get(place).map_or("", String::as_str);
        field.parse().map_err(|_| self.bad(&format!("line {}: `{field}` is not a number", self.line)))
    }

    fn fields(&mut self) -> Result<Option<Vec<String>>, String> {
        let mut line = String::new();
        self.reader.read_line(&mut line).map_err(|error| self.bad(&error.to_string()))?;
        self.line += 1;
        Ok(line.strip_suffix('\n').map(split))
    }

    fn bad(&self, what: &str) -> String {
        format!("{}: {what}", self.path.display())
    }
}

/// Fields of a row; in quotes they may have commas, and two quotes stand for one.
fn split(row: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = row.chars().peekable();
    while let Some(c) = characters.next() {
        let twice = c == '"' && quoted && characters.peek() == Some(&'"');
        if twice {
            characters.next();
        } else if c == '"' {
            quoted = !quoted;
            continue;
        } else if c == ',' && !quoted {
            fields.push(String::new());
            continue;
        }
        if let Some(field) = fields.last_mut() {
            field.push(c);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_are_whole() {
        assert_eq!(split("1,\"a, \"\"b\"\"\",,2"), ["1", "a, \"b\"", "", "2"]);
    }

    #[test]
    fn a_torn_row_does_not_count_and_a_bad_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "a,b\n1,2\n3,x\n4").unwrap();
        let mut columns = Columns::open(&path).unwrap();
        assert_eq!(columns.place("b"), Ok(1));
        assert!(columns.place("c").unwrap_err().contains("no column c"));
        let row = columns.next().unwrap().unwrap();
        assert_eq!(columns.number(&row, 1), Ok(2.0));
        let row = columns.next().unwrap().unwrap();
        assert!(columns.number(&row, 1).unwrap_err().ends_with("t.csv: line 3: `x` is not a number"));
        assert_eq!(columns.next(), Ok(None));
    }
}
