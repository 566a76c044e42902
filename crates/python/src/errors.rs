//! Which Python exception each error of the engine becomes; the text stays what it is in Rust.
//!
//! The exceptions are classes of `tumble/errors.py`, so that they have documentation, can be pickled, and can be
//! both an error of Tumble and one that Python has a name for. A function that can fail returns
//! `Result<_, Exception>`; `?` does the rest. Errors of Python itself pass through unchanged.

use pyo3::PyErr;
use std::fmt::Display;
use tumble::dem::{clump, material, placement, wall};
use tumble::{dem, output, scene};

mod python {
    pyo3::import_exception!(tumble.errors, InputError);
    pyo3::import_exception!(tumble.errors, ResultsError);
    pyo3::import_exception!(tumble.errors, RunError);
    pyo3::import_exception!(tumble.errors, SceneError);
}

/// An exception on its way to Python.
pub(crate) struct Exception(PyErr);

impl Exception {
    /// Something that was given cannot be: `tumble.InputError`, which is a `ValueError`.
    pub(crate) fn input(text: impl Display) -> Self {
        Self(python::InputError::new_err(text.to_string()))
    }

    /// A file or folder of results: `tumble.ResultsError`, which is an `OSError`.
    pub(crate) fn results(text: impl Display) -> Self {
        Self(python::ResultsError::new_err(text.to_string()))
    }

    /// A motion that cannot go on: `tumble.RunError`, which is a `RuntimeError`.
    pub(crate) fn run(text: impl Display) -> Self {
        Self(python::RunError::new_err(text.to_string()))
    }

    /// A scene with problems: `tumble.SceneError`, which is an `InputError`.
    pub(crate) fn scene(text: impl Display) -> Self {
        Self(python::SceneError::new_err(text.to_string()))
    }
}

impl From<PyErr> for Exception {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<Exception> for PyErr {
    fn from(exception: Exception) -> Self {
        exception.0
    }
}

impl From<tumble_rotation::Error> for Exception {
    fn from(error: tumble_rotation::Error) -> Self {
        match error {
            tumble_rotation::Error::StepTooLarge { .. } => Self::run(error),
            _ => Self::input(error),
        }
    }
}

impl From<dem::Error> for Exception {
    fn from(error: dem::Error) -> Self {
        match error {
            dem::Error::Stopped(_)
            | dem::Error::Threads { .. }
            | dem::Error::Prescribed { .. }
            | dem::Error::Device { .. } => Self::run(error),
            _ => Self::input(error),
        }
    }
}

impl From<tumble::Error> for Exception {
    fn from(error: tumble::Error) -> Self {
        match error {
            tumble::Error::Simulation(error) => error.into(),
            tumble::Error::Output(error) => error.into(),
            tumble::Error::Over { .. } => Self::run(error),
            tumble::Error::Mismatch { .. } | tumble::Error::Past { .. } | tumble::Error::Device(_) => {
                Self::input(error)
            }
            tumble::Error::Scene(problems) => Self::scene(problems),
            _ => Self::results(error),
        }
    }
}

/// Errors that are always of one kind.
macro_rules! always {
    ($($error:ty => $kind:ident),+ $(,)?) => {
        $(impl From<$error> for Exception {
            fn from(error: $error) -> Self {
                Self::$kind(error)
            }
        })+
    };
}

always! {
    scene::Diagnostics => scene,
    output::Error => results,
    tumble_viewer::Error => results,
    clump::ClumpError => input,
    clump::ClumpFileError => input,
    material::MaterialError => input,
    placement::BodiesFileError => input,
    placement::PlacementError => input,
    wall::Error => input,
    wall::StlError => input,
    tumble_shape::ReadError => input,
}
