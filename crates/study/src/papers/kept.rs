//! [`KeptRuns`]: finished runs in a folder, so that what was interrupted goes on and what is shared is run
//! once.
//!
//! A file has all inputs and the version in its first line, then columns of numbers that read back as the
//! same bits. One that says anything else, or is damaged, is not used.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tumble_report::{SaveError, save};

/// Rows of numbers, each as long as the columns of its job.
pub(super) type Rows = Vec<Vec<f64>>;

/// What a run depends on, and what comes out of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job {
    /// What is run, and every input as `name=value`, with spaces between them.
    pub(super) inputs: String,
    /// The names of the columns, with commas between them.
    pub(super) columns: String,
    /// How long it takes, in any unit, compared with the others of its kind.
    pub(super) cost: f64,
}

impl Job {
    pub(super) fn new(inputs: impl Into<String>, columns: impl Into<String>, cost: f64) -> Self {
        Self { inputs: inputs.into(), columns: columns.into(), cost: cost.max(f64::MIN_POSITIVE) }
    }

    /// The first line of its file.
    fn title(&self) -> String {
        format!("# tumble {}: {}", env!("CARGO_PKG_VERSION"), self.inputs)
    }

    /// The values of the inputs: different inputs may share a file name, and then take turns.
    fn file_name(&self) -> String {
        let value = |word: &str| word.split_once('=').map_or(word, |(_, value)| value).to_owned();
        let values: Vec<String> = self.inputs.split_whitespace().map(value).collect();
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-+.".contains(letter);
        let name: String =
            values.join("_").chars().filter(|&letter| plain(letter) || letter == '_').collect();
        format!("{name}.csv")
    }
}

/// A folder of finished runs.
#[derive(Clone, Debug)]
pub struct KeptRuns {
    folder: PathBuf,
}

impl KeptRuns {
    /// The runs in this folder, which is made when the first one is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rows of a run with exactly these inputs and this version.
    pub(super) fn find(&self, job: &Job) -> Option<Rows> {
        let text = std::fs::read_to_string(self.folder.join(job.file_name())).ok()?;
        let mut lines = text.lines();
        if lines.next()? != job.title() || lines.next()? != job.columns {
            return None;
        }
        let width = job.columns.split(',').count();
        let row = |line: &str| -> Option<Vec<f64>> {
            let row: Option<Vec<f64>> = line.split(',').map(|cell| cell.parse().ok()).collect();
            row.filter(|row| row.len() == width)
        };
        // Files are written as a whole; one without its last line was cut by somebody else.
        text.ends_with('\n').then(|| lines.map(row).collect()).flatten()
    }

    /// Keeps a run.
    pub(super) fn keep(&self, job: &Job, rows: &Rows) -> Result<(), SaveError> {
        let mut text = format!("{}\n{}\n", job.title(), job.columns);
        for row in rows {
            for (place, number) in row.iter().enumerate() {
                let comma = if place > 0 { "," } else { "" };
                // The shortest text that reads back as the same number; writing to a string cannot fail.
                let _ = write!(text, "{comma}{number:e}");
            }
            text.push('\n');
        }
        save(&self.folder, &job.file_name(), &text).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("tumble-kept-{name}-{}", std::process::id())))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn numbers_come_back_to_the_bit() {
        let folder = Folder::new("bits");
        let kept = KeptRuns::new(&folder.0);
        let job = Job::new("box scheme=omelyan dt=1e-6 seed=3", "t,x", 1.0);
        assert!(kept.find(&job).is_none());
        let rows = vec![vec![0.1, -1.0 / 3.0], vec![f64::INFINITY, f64::NAN], vec![-0.0, 5e-324]];
        kept.keep(&job, &rows).unwrap();
        let back = kept.find(&job).unwrap();
        let bits = |rows: &Rows| rows.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back), bits(&rows));
        assert!(folder.0.join("box_omelyan_1e-6_3.csv").is_file());
    }

    #[test]
    fn other_inputs_and_damaged_files_are_not_used() {
        let folder = Folder::new("other");
        let kept = KeptRuns::new(&folder.0);
        let job = Job::new("box dt=1e-6 seed=3", "t,x", 1.0);
        kept.keep(&job, &vec![vec![1.0, 2.0], vec![3.0, 4.0]]).unwrap();
        // The same file name.
        assert!(kept.find(&Job::new("box dt=1e-6 start=3", "t,x", 1.0)).is_none());
        assert!(kept.find(&Job::new("box dt=1e-6 seed=3", "t,y", 1.0)).is_none());
        let path = folder.0.join("box_1e-6_3.csv");
        let whole = std::fs::read_to_string(&path).unwrap();
        assert!(kept.find(&job).is_some());
        for damaged in [whole.trim_end(), "", &whole.replace("2e0", "2e"), &whole.replace(",4e0", "")] {
            std::fs::write(&path, damaged).unwrap();
            assert!(kept.find(&job).is_none(), "{damaged}");
        }
        let old = whole.replacen(env!("CARGO_PKG_VERSION"), "0.0.0", 1);
        std::fs::write(&path, old).unwrap();
        assert!(kept.find(&job).is_none(), "another version");
    }
}
