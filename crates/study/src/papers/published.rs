//! Published numbers: the CSV files in `papers/*/published`, embedded.

/// Columns of numbers under names, the first column being text or a number.
#[derive(Clone, Debug)]
pub(super) struct Published {
    columns: Vec<&'static str>,
    rows: Vec<Vec<&'static str>>,
}

impl Published {
    /// Splits an embedded file.
    ///
    /// # Panics
    /// If a row is not as long as the header; the files are part of the source.
    pub(super) fn parse(csv: &'static str) -> Self {
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let columns = lines.next().unwrap_or_default();
        let rows: Vec<_> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == columns.len()), "ragged rows below {columns:?}");
        Self { columns, rows }
    }

    /// Whether there is a column of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.contains(&name)
    }

    /// The numbers of a column.
    ///
    /// # Panics
    /// If there is no such column, or it holds something else.
    pub(super) fn column(&self, name: &str) -> Vec<f64> {
        let index = self.columns.iter().position(|&column| column == name);
        let index = index.unwrap_or_else(|| panic!("no column {name} in {:?}", self.columns));
        self.rows.iter().map(|row| number(row[index])).collect()
    }

    /// The number in the row whose first entry is `row`.
    ///
    /// # Panics
    /// If there is no such row or column.
    pub(super) fn at(&self, row: &str, column: &str) -> f64 {
        let index = self.rows.iter().position(|cells| cells[0] == row);
        let index = index.unwrap_or_else(|| panic!("no row {row} below {:?}", self.columns));
        self.column(column)[index]
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_by_name() {
        let data = Published::parse("scheme,x,y\na,1e-3,2\nb,3,4\n");
        assert_eq!(data.column("y"), [2.0, 4.0]);
        assert!((data.at("a", "x") - 1e-3).abs() < 1e-18);
    }
}
