//! [`KeptRuns`]: finished runs in a folder, so that what was interrupted goes on and what is shared is run
//! once.
//!
//! A file has all inputs and the version in its first line, then columns of numbers that read back as the
//! same bits, and at the end how long the run took and who computed it; older files lack that last line. One
//! that says anything else, or is damaged, is not used.

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

/// The column of a job whose clock time is one of its results.
pub(super) const SECONDS: &str = "seconds";

impl Job {
    pub(super) fn new(inputs: impl Into<String>, columns: impl Into<String>, cost: f64) -> Self {
        Self { inputs: inputs.into(), columns: columns.into(), cost: cost.max(f64::MIN_POSITIVE) }
    }

    /// The first line of its file.
    fn title(&self) -> String {
        format!("# tumble {}: {}", env!("CARGO_PKG_VERSION"), self.inputs)
    }

    /// The origin of a run whose file does not say, but which has its time among its numbers.
    fn origin_in(&self, rows: &Rows) -> Origin {
        let column = self.columns.split(',').position(|name| name == SECONDS);
        let seconds = column.map(|column| rows.iter().filter_map(|row| row.get(column)).sum());
        Origin { seconds, by: None }
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

/// A run that is there, whenever it was computed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeptRun {
    pub(super) rows: Rows,
    pub(super) origin: Origin,
}

/// How a run came about, as far as that was written down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// How long it took on its one thread, s.
    pub seconds: Option<f64>,
    /// Who computed it, in the words given to [`KeptRuns::signed`].
    pub by: Option<String>,
}

/// A folder of finished runs.
#[derive(Clone, Debug)]
pub struct KeptRuns {
    folder: PathBuf,
    signature: Option<String>,
}

/// What the last line of a file begins with.
const TOOK: &str = "# took ";
/// What stands between the seconds and who computed it.
const BY: &str = " s; ";

impl KeptRuns {
    /// The runs in this folder, which is made when the first one is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), signature: None }
    }

    /// Writes into new files who computed them, in one line: such as the commit and the machine.
    pub fn signed(self, signature: impl Into<String>) -> Self {
        let signature: String = signature.into();
        let line = signature.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { signature: (!line.is_empty()).then_some(line), ..self }
    }

    /// Whether any run is there, of whatever entry and version.
    pub fn is_empty(&self) -> bool {
        let is_run = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "csv");
        !self.folder.read_dir().is_ok_and(|entries| entries.flatten().any(is_run))
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How a run of this program comes about.
    pub(super) fn origin(&self, seconds: f64) -> Origin {
        Origin { seconds: Some(seconds), by: self.signature.clone() }
    }

    /// The run with exactly these inputs and this version.
    pub(super) fn find(&self, job: &Job) -> Option<KeptRun> {
        let text = std::fs::read_to_string(self.folder.join(job.file_name())).ok()?;
        // Files are written as a whole; one without the end of its last line was cut by somebody else.
        let text = text.strip_suffix('\n')?;
        let (text, took) = match text.rsplit_once('\n') {
            Some((before, last)) if last.starts_with(TOOK) => (before, Some(last)),
            _ => (text, None),
        };
        let mut lines = text.lines();
        if lines.next()? != job.title() || lines.next()? != job.columns {
            return None;
        }
        let width = job.columns.split(',').count();
        let row = |line: &str| -> Option<Vec<f64>> {
            let row: Option<Vec<f64>> = line.split(',').map(|cell| cell.parse().ok()).collect();
            row.filter(|row| row.len() == width)
        };
        let rows: Rows = lines.map(row).collect::<Option<_>>()?;
        let origin = took.map_or_else(|| job.origin_in(&rows), origin_of);
        Some(KeptRun { rows, origin })
    }

    /// Keeps a run.
    pub(super) fn keep(&self, job: &Job, run: &KeptRun) -> Result<(), SaveError> {
        let KeptRun { rows, origin } = run;
        let mut text = format!("{}\n{}\n", job.title(), job.columns);
        for row in rows {
            for (place, number) in row.iter().enumerate() {
                let comma = if place > 0 { "," } else { "" };
                // The shortest text that reads back as the same number; writing to a string cannot fail.
                let _ = write!(text, "{comma}{number:e}");
            }
            text.push('\n');
        }
        if let Some(seconds) = origin.seconds {
            let _ = writeln!(text, "{TOOK}{seconds:.3}{BY}{}", origin.by.as_deref().unwrap_or_default());
        }
        save(&self.folder, &job.file_name(), &text).map(drop)
    }
}

/// What the last line of a file says.
fn origin_of(line: &str) -> Origin {
    let said = line.strip_prefix(TOOK).and_then(|said| said.split_once(BY));
    let (seconds, by) = said.unwrap_or_default();
    let seconds = seconds.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    Origin { seconds, by: (!by.is_empty()).then(|| by.to_owned()) }
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
        let origin = Origin { seconds: Some(12.5), by: Some("abc on a machine; mine".into()) };
        kept.keep(&job, &KeptRun { rows: rows.clone(), origin: origin.clone() }).unwrap();
        let back = kept.find(&job).unwrap();
        let bits = |rows: &Rows| rows.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back.rows), bits(&rows));
        assert_eq!(back.origin, origin);
        assert!(folder.0.join("box_omelyan_1e-6_3.csv").is_file());
    }

    #[test]
    fn files_that_do_not_say_who_made_them_are_used() {
        let folder = Folder::new("unsigned");
        let kept = KeptRuns::new(&folder.0).signed("abc\n on  it");
        assert!(kept.is_empty(), "not even a folder");
        assert_eq!(kept.origin(2.0), Origin { seconds: Some(2.0), by: Some("abc on it".into()) });
        let plain = Job::new("box seed=1", "x", 1.0);
        let timed = Job::new("box seed=2", "x,seconds", 1.0);
        let unknown = Origin::default();
        kept.keep(&plain, &KeptRun { rows: vec![vec![1.0]], origin: unknown.clone() }).unwrap();
        kept.keep(&timed, &KeptRun { rows: vec![vec![1.0, 7.0]], origin: unknown.clone() }).unwrap();
        assert!(!kept.is_empty());
        assert_eq!(kept.find(&plain).unwrap(), KeptRun { rows: vec![vec![1.0]], origin: unknown });
        let found = kept.find(&timed).unwrap();
        assert_eq!(found.origin, Origin { seconds: Some(7.0), by: None }, "its time is among its numbers");
    }

    #[test]
    fn other_inputs_and_damaged_files_are_not_used() {
        let folder = Folder::new("other");
        let kept = KeptRuns::new(&folder.0);
        let job = Job::new("box dt=1e-6 seed=3", "t,x", 1.0);
        let rows = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
        kept.keep(&job, &KeptRun { rows, origin: kept.origin(1.0) }).unwrap();
        // The same file name.
        assert!(kept.find(&Job::new("box dt=1e-6 start=3", "t,x", 1.0)).is_none());
        assert!(kept.find(&Job::new("box dt=1e-6 seed=3", "t,y", 1.0)).is_none());
        let path = folder.0.join("box_1e-6_3.csv");
        let whole = std::fs::read_to_string(&path).unwrap();
        assert!(kept.find(&job).is_some());
        for damaged in [
            whole.trim_end(),
            "",
            &whole.replace("2e0", "2e"),
            &whole.replace(",4e0", ""),
            &whole.replace("# took", "took"),
        ] {
            std::fs::write(&path, damaged).unwrap();
            assert!(kept.find(&job).is_none(), "{damaged}");
        }
        let old = whole.replacen(env!("CARGO_PKG_VERSION"), "0.0.0", 1);
        std::fs::write(&path, old).unwrap();
        assert!(kept.find(&job).is_none(), "another version");
    }
}
