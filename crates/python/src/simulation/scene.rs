//! Where a scene comes from, and what is wrong with it.

use crate::errors::Exception;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tumble::dem::Clock;
use tumble::dem::placement::interruptible;
use tumble::scene::{Built, Diagnostics, EXAMPLES, Plain, Scene, SceneText};
use tumble::{GoingOn, Predecessor};

/// A scene file, or a text with what messages call it and the folder that its paths start from; and keys to set.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Source {
    /// The file, in the place of a text.
    file: Option<PathBuf>,
    name: String,
    text: String,
    folder: Option<PathBuf>,
    /// Whether messages name paths of keys, because nobody has seen the text.
    by_path: bool,
    set: Vec<(String, String)>,
}

impl Source {
    fn text(&self) -> Result<SceneText, Diagnostics> {
        let mut text = match &self.file {
            Some(file) => SceneText::read(file)?,
            None => SceneText::new(&self.name, &self.text),
        };
        if let Some(folder) = &self.folder {
            text = text.in_folder(folder);
        }
        Ok(self.set.iter().fold(text, |text, (key, value)| text.set(key, value)))
    }

    fn told(&self, problems: &Diagnostics) -> Exception {
        if self.by_path { Exception::scene(problems.by_path()) } else { Exception::scene(problems) }
    }

    pub(super) fn build(&self, threads: Option<usize>) -> Result<(Scene, Built), Exception> {
        let (built, interrupt) = heard(|| {
            self.text().and_then(Scene::parse).and_then(|scene| {
                let built = scene.build(threads)?;
                Ok((scene, built))
            })
        });
        match interrupt {
            Some(interrupt) => Err(interrupt.into()),
            None => built.map_err(|problems| self.told(&problems)),
        }
    }
}

impl Source {
    /// The scene with the bodies of another run.
    pub(super) fn go_on(
        &self,
        threads: Option<usize>,
        before: &Predecessor,
        clock: Clock,
    ) -> Result<(Scene, GoingOn), Exception> {
        let scene = self.text().and_then(Scene::parse).map_err(|problems| self.told(&problems))?;
        let going_on = GoingOn::new(&scene, threads, before, clock).map_err(|error| match error {
            tumble::Error::Scene(problems) => self.told(&problems),
            other => other.into(),
        })?;
        Ok((scene, going_on))
    }
}

/// How often the interpreter is asked for signals while bodies are placed.
const INTERVAL: Duration = Duration::from_millis(40);

/// Does something that places bodies, which ends early on Ctrl-C; gives what Python made of that.
fn heard<T>(work: impl FnOnce() -> T) -> (T, Option<PyErr>) {
    let interrupt = Rc::new(RefCell::new(None));
    let kept = Rc::clone(&interrupt);
    let mut looked = Instant::now();
    let enough = move || {
        if looked.elapsed() < INTERVAL {
            return false;
        }
        looked = Instant::now();
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the method alone is for one lifetime")]
        let signals = Python::attach(|py| py.check_signals());
        let heard = signals.is_err();
        kept.replace(signals.err());
        heard
    };
    let done = interruptible(enough, work);
    (done, interrupt.take())
}

/// Checks everything that is checked before a scene is run, and gives it with everything filled in, as TOML.
#[pyfunction]
pub(crate) fn check_scene(py: Python<'_>, source: Source) -> Result<String, Exception> {
    py.detach(|| Ok(source.build(None)?.0.effective()))
}

/// The keys of a scene as dictionaries and lists. Only the syntax is checked.
#[pyfunction]
pub(crate) fn scene_keys(py: Python<'_>, source: Source) -> Result<Bound<'_, PyAny>, Exception> {
    let keys = source.text().and_then(|text| text.plain()).map_err(|problems| source.told(&problems))?;
    Ok(python(py, keys)?)
}

/// Name, description and text of each example scene.
#[pyfunction]
pub(crate) fn examples() -> Vec<(&'static str, &'static str, &'static str)> {
    EXAMPLES.iter().map(|example| (example.name, example.description(), example.text)).collect()
}

fn python(py: Python<'_>, value: Plain) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Plain::Text(text) => text.into_pyobject(py)?.into_any(),
        Plain::Integer(number) => number.into_pyobject(py)?.into_any(),
        Plain::Float(number) => number.into_pyobject(py)?.into_any(),
        Plain::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Plain::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(python(py, item)?)?;
            }
            list.into_any()
        }
        Plain::Table(entries) => {
            let table = PyDict::new(py);
            for (key, value) in entries {
                table.set_item(key, python(py, value)?)?;
            }
            table.into_any()
        }
    })
}
