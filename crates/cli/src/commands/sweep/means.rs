//! A study with error bars: means over seeds and their standard errors, as a table and as a page.

use crate::failure::Failure;
use crate::sweep::{Case, Ledger, Plan};
use std::path::{Path, PathBuf};
use tumble_report::{Axis, Cell, Figure, Mark, Outcome, Panel, Report, Section, Series, Table};

/// The results of all combinations of settings, seeds put together.
pub(super) struct Means {
    keys: Vec<String>,
    columns: Vec<String>,
    groups: Vec<Group>,
    seeds: bool,
}

/// One combination of settings.
struct Group {
    values: Vec<String>,
    /// How many seeds it was run with.
    count: u64,
    /// For each column: mean over seeds, and its standard error; NaN where there is none.
    results: Vec<(f64, f64)>,
}

impl Means {
    /// Of the finished cases of a plan, whose results have these columns.
    pub(super) fn of(plan: &Plan, ledger: &Ledger, columns: &[String]) -> Self {
        let keys =
            plan.cases().first().map(|case| case.settings.iter().map(|(key, _)| key.clone()).collect());
        let values =
            |case: &Case| -> Vec<String> { case.settings.iter().map(|(_, value)| value.clone()).collect() };
        let mut groups: Vec<(Vec<String>, Vec<Vec<f64>>)> = Vec::new();
        for case in plan.cases() {
            let Some(results) = ledger.results(case) else { continue };
            let results = results.iter().map(|field| field.parse().unwrap_or(f64::NAN)).collect();
            // Seeds change fastest, so cases of one combination follow each other.
            match groups.last_mut().filter(|(known, _)| *known == values(case)) {
                Some((_, rows)) => rows.push(results),
                None => groups.push((values(case), vec![results])),
            }
        }
        let seeds = plan.cases().iter().any(|case| case.seed.is_some());
        let group = |(values, rows): (Vec<String>, Vec<Vec<f64>>)| Group {
            values,
            count: rows.len() as u64,
            results: (0..columns.len()).map(|place| mean(rows.iter().map(|row| row[place]))).collect(),
        };
        let groups = groups.into_iter().map(group).collect();
        Self { keys: keys.unwrap_or_default(), columns: columns.to_vec(), groups, seeds }
    }

    /// Writes the table if seeds were varied, and the page if the scene measures anything; what and where.
    pub(super) fn write(
        &self,
        table: &Path,
        scene: &str,
        measured: &[String],
    ) -> Result<Vec<(&'static str, PathBuf)>, Failure> {
        let mut written = Vec::new();
        let mut save = |what: &'static str, path: PathBuf, text: &str| {
            tumble::output::write_text(&path, text).map_err(|error| Failure::Failed(error.to_string()))?;
            written.push((what, path));
            Ok::<(), Failure>(())
        };
        if self.seeds && !self.groups.is_empty() {
            save("Means over seeds", beside(table, "-means.csv"), &self.table(&self.columns).to_csv())?;
        }
        if !measured.is_empty() && !self.groups.is_empty() {
            save("Drawn", beside(table, ".html"), &self.report(scene, measured).to_html())?;
        }
        Ok(written)
    }

    /// The columns of these names: each its mean, and its standard error if there are seeds.
    fn table(&self, names: &[String]) -> Table {
        let places: Vec<usize> =
            names.iter().filter_map(|name| self.columns.iter().position(|column| column == name)).collect();
        let mut columns = self.keys.clone();
        if self.seeds {
            columns.push("seeds".into());
        }
        for &place in &places {
            columns.push(self.columns[place].clone());
            if self.seeds {
                columns.push(format!("standard error of {}", self.columns[place]));
            }
        }
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let mut table = Table::new("All combinations.", &columns);
        for group in &self.groups {
            let number = |value: f64| Cell::optional(Some(value).filter(|value| value.is_finite()));
            let mut row: Vec<Cell> = group.values.iter().map(|value| Cell::from(value.clone())).collect();
            row.extend(self.seeds.then_some(Cell::Count(group.count)));
            for &place in &places {
                let (mean, error) = group.results[place];
                row.push(number(mean));
                row.extend(self.seeds.then(|| number(error)));
            }
            table.rows.push(row);
        }
        table
    }

    fn report(&self, scene: &str, measured: &[String]) -> Report {
        let mut figures: Vec<(String, Figure)> = Vec::new();
        for name in measured {
            let Some(place) = self.columns.iter().position(|column| column == name) else { continue };
            if !self.groups.iter().any(|group| group.results[place].0.is_finite()) {
                continue;
            }
            // The mean over time and the last value of a column are side by side.
            let (when, header) = name.split_once(' ').unwrap_or(("", name));
            let title = if when == "mean" { "mean over time" } else { "at the end" };
            let panel = self.panel(title, header, place);
            if let Some((_, figure)) = figures.last_mut().filter(|(_, figure)| figure.title == header) {
                figure.panels.push(panel);
                continue;
            }
            let figure = Figure { title: header.to_owned(), panels: vec![panel] };
            figures.push((format!("measure-{place}"), figure));
        }
        let bars = if self.seeds {
            "Points are means over seeds, bars their standard errors."
        } else {
            "One run for each point."
        };
        let outcome =
            Outcome { figures, tables: vec![("all".into(), self.table(measured))], ..Outcome::default() };
        let notes = vec![bars.to_owned()];
        Report {
            title: format!("A study of {scene}"),
            subtitle: format!("{} combinations of {}", self.groups.len(), self.keys.join(", ")),
            sections: vec![Section { title: "Measures".into(), outcome, notes, ..Section::default() }],
            ..Report::default()
        }
    }

    /// The keys that have several values, by their places.
    fn varied(&self) -> Vec<usize> {
        let is_varied =
            |key: &usize| self.groups.iter().any(|group| group.values[*key] != self.groups[0].values[*key]);
        (0..self.keys.len()).filter(is_varied).collect()
    }

    /// A column over the first key that is varied, with a curve for each combination of the others.
    fn panel(&self, title: &str, header: &str, place: usize) -> Panel {
        let varied = self.varied();
        let first =
            |group: &Group| varied.first().map_or_else(|| "all".into(), |key| group.values[*key].clone());
        let numbers: Option<Vec<f64>> = self.groups.iter().map(|group| plain_number(&first(group))).collect();
        let mut names: Vec<String> = Vec::new();
        for group in &self.groups {
            if !names.contains(&first(group)) {
                names.push(first(group));
            }
        }
        let at = |number: usize| match &numbers {
            Some(numbers) => numbers[number],
            None => names.iter().position(|name| *name == first(&self.groups[number])).unwrap_or(0) as f64,
        };
        let mut series: Vec<Series> = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            let rest =
                varied.iter().skip(1).map(|key| format!("{} = {}", self.keys[*key], group.values[*key]));
            let label = rest.collect::<Vec<_>>().join(", ");
            let (mean, error) = group.results[place];
            // One seed tells nothing of the error.
            let bar = if error.is_finite() { error } else { 0.0 };
            let known = series.iter().position(|curve| curve.label == label).unwrap_or(series.len());
            if known == series.len() {
                series.push(Series::new(label, Vec::new(), Mark::LinePoints));
            }
            let curve = &mut series[known];
            curve.points.push((at(number), mean));
            if self.seeds {
                curve.spread.push((mean - bar, mean + bar));
            }
        }
        let key = varied.first().map_or("", |key| &self.keys[*key]);
        let x = if numbers.is_some() { Axis::linear(key) } else { Axis::categories(key, names.clone()) };
        Panel { title: title.to_owned(), x, y: Axis::linear(header), series }
    }
}

/// The mean of numbers and its standard error, √(Σ(x − x̄)²/(n(n − 1))); those that are not there do not count.
fn mean(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let known = values.filter(|value| value.is_finite());
    let count = known.clone().count() as f64;
    let mean = known.clone().sum::<f64>() / count;
    let square: f64 = known.map(|value| (value - mean) * (value - mean)).sum();
    (mean, if count > 1.0 { (square / (count * (count - 1.0))).sqrt() } else { f64::NAN })
}

/// A value that is a number without a unit.
fn plain_number(value: &str) -> Option<f64> {
    value.trim().parse().ok()
}

/// A file beside the table.
fn beside(table: &Path, end: &str) -> PathBuf {
    let stem = table.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    table.with_file_name(format!("{stem}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_errors_are_those_of_means() {
        let (mean_of, error) = mean([1.0, 2.0, 3.0, f64::NAN, 6.0].into_iter());
        assert!((mean_of - 3.0).abs() < 1e-15);
        // Deviations −2, −1, 0, 3: 14/12.
        assert!((error - (14.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        let (one, none) = mean([5.0].into_iter());
        assert!((one - 5.0).abs() < 1e-15 && none.is_nan());
    }
}
