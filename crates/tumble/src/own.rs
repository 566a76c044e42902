//! Outputs of one's own.

use crate::Error;
use std::path::{Component, Path, PathBuf};
use tumble_dem::Solver;
use tumble_output::Mark;

/// Why an output of one's own cannot go on.
pub type Trouble = Box<dyn core::error::Error + Send + Sync>;

/// Something that is written while a run goes on, beside what the scene asks for; added with
/// [`Run::add_output`](crate::Run::add_output).
///
/// | when | what is called |
/// | --- | --- |
/// | it is added | [`open`](Self::open), then [`write`](Self::write) unless the run was resumed here |
/// | every so many steps, and at the last | [`write`](Self::write), after the outputs of the scene |
/// | before each checkpoint | [`sync`](Self::sync), then [`files`](Self::files) |
///
/// A checkpoint is written only when all outputs are safe. So an output that cuts off what is later than the step
/// with which it is opened ends with the same bytes, however often the run was interrupted or killed. A checkpoint knows length and hash of
/// its files, as of those of the scene: when one was damaged since, that is noticed, and an older checkpoint is used.
///
/// ```
/// use std::fmt::Write as _;
/// use std::path::{Path, PathBuf};
/// use tumble::dem::Solver;
/// use tumble::{Mode, Output, Run, Trouble};
///
/// /// The height of the highest body, in a table of its own.
/// #[derive(Default)]
/// struct Highest {
///     path: PathBuf,
///     rows: String,
/// }
///
/// impl Output for Highest {
///     fn name(&self) -> &str {
///         "the table of heights"
///     }
///
///     fn every(&self) -> u64 {
///         50
///     }
///
///     fn files(&self) -> Vec<PathBuf> {
///         vec!["highest.csv".into()]
///     }
///
///     fn open(&mut self, folder: &Path, resumed: Option<u64>) -> Result<(), Trouble> {
///         self.path = folder.join("highest.csv");
///         if let Some(step) = resumed {
///             let earlier = |row: &&str| row.split(',').next().is_some_and(|n| n.parse().is_ok_and(|n: u64| n <= step));
///             let rows = std::fs::read_to_string(&self.path)?;
///             self.rows = rows.lines().filter(earlier).map(|row| format!("{row}\n")).collect();
///         }
///         Ok(())
///     }
///
///     fn write(&mut self, now: &dyn Solver) -> Result<(), Trouble> {
///         let mut highest = f64::NEG_INFINITY;
///         now.visit_bodies(&mut |some| highest = some.iter().fold(highest, |z, body| z.max(body.position.z)));
///         writeln!(self.rows, "{},{highest}", now.steps())?;
///         Ok(())
///     }
///
///     fn sync(&mut self) -> Result<(), Trouble> {
///         Ok(std::fs::write(&self.path, &self.rows)?)
///     }
/// }
///
/// # let folder = std::env::temp_dir().join(format!("tumble-own-output-{}", std::process::id()));
/// let scene = r#"
///     version = 1
///     gravity = [0, 0, -10]
///     run = { dt = 1e-3, steps = 100 }
///     materials.glass = { density = 2500, young = "10 MPa", poisson = 0.2 }
///     pair = { restitution = 0.5, friction = 0.3 }
///     templates.ball = { spheres = [[0, 0, 0, 0.01]] }
///     bodies = [{ template = "ball", at = [0, 0, 0] }]
/// "#;
/// let built = tumble::scene::Scene::parse(tumble::scene::SceneText::new("ball", scene))?.build(None)?;
/// let mut run = Run::start(built, &folder, Mode::New)?;
/// run.add_output(Highest::default())?;
/// run.go(&mut ())?;
/// let table = std::fs::read_to_string(folder.join("highest.csv"))?;
/// assert_eq!(table.lines().count(), 3); // at steps 0, 50 and 100
/// let (step, height) = table.lines().last().and_then(|row| row.split_once(',')).unwrap();
/// assert!(step == "100" && (height.parse::<f64>()? + 0.05).abs() < 1e-9);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Output: Send {
    /// What it is called in messages.
    fn name(&self) -> &str;

    /// Steps between two calls of [`write`](Self::write); at least one.
    fn every(&self) -> u64;

    /// Called once, with the folder of results: for a new output, or for one that goes on after a step up to which it
    /// was written. What it has of later steps belongs to a part of the run that was lost, and has to be cut off.
    fn open(&mut self, folder: &Path, resumed: Option<u64>) -> Result<(), Trouble>;

    /// Writes the present instant.
    fn write(&mut self, now: &dyn Solver) -> Result<(), Trouble>;

    /// Makes everything written so far safe.
    fn sync(&mut self) -> Result<(), Trouble>;

    /// The files that it has written by now, from the folder of results. Each may grow from one [`sync`](Self::sync) to the next or is written
    /// once: a checkpoint is believed only while they begin with the bytes that they had. Leave out what is written anew with
    /// other bytes each time.
    fn files(&self) -> Vec<PathBuf>;
}

/// The outputs of a run that are not those of its scene.
#[derive(Default)]
pub(crate) struct Own {
    list: Vec<Box<dyn Output>>,
    /// The folder of results.
    folder: PathBuf,
    /// What was in their files when they were last safe.
    marks: Vec<Mark>,
}

impl Own {
    /// Opens an output, and has it write the present instant unless it has done so before the run was resumed.
    pub(crate) fn add(
        &mut self,
        mut output: Box<dyn Output>,
        folder: &Path,
        resumed: Option<u64>,
        now: &dyn Solver,
    ) -> Result<(), Error> {
        if output.every() == 0 {
            return Err(failed(&*output, "expected at least one step between two calls, found 0".into()));
        }
        output.open(folder, resumed).map_err(|trouble| failed(&*output, trouble))?;
        if resumed.is_none() {
            output.write(now).and_then(|()| output.sync()).map_err(|trouble| failed(&*output, trouble))?;
        }
        folder.clone_into(&mut self.folder);
        self.list.push(output);
        Ok(())
    }

    pub(crate) fn intervals(&self) -> impl Iterator<Item = u64> {
        self.list.iter().map(|output| output.every())
    }

    /// Writes what is due.
    pub(crate) fn write(&mut self, now: &dyn Solver, due: impl Fn(u64) -> bool) -> Result<(), Error> {
        for output in self.list.iter_mut().filter(|output| due(output.every())) {
            output.write(now).map_err(|trouble| failed(&**output, trouble))?;
        }
        Ok(())
    }

    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.marks.clear();
        for output in &mut self.list {
            output.sync().map_err(|trouble| failed(&**output, trouble))?;
            for file in output.files() {
                let mark = mark(&self.folder, file).map_err(|trouble| failed(&**output, trouble))?;
                self.marks.push(mark);
            }
        }
        Ok(())
    }

    /// What is in their files, after [`sync`](Self::sync).
    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

/// What is in a file of an output, if that is one of the folder.
fn mark(folder: &Path, file: PathBuf) -> Result<Mark, Trouble> {
    let within = file.components().all(|part| matches!(part, Component::Normal(_)));
    if !within || file.to_str().is_none() {
        let name = file.display();
        return Err(
            format!("expected files by their paths from the folder of results, found '{name}'").into()
        );
    }
    Ok(Mark::of_file(folder, file)?)
}

fn failed(output: &dyn Output, trouble: Trouble) -> Error {
    Error::Own { output: output.name().to_owned(), trouble }
}
