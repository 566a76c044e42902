//! What a simulation runs on, as Python asks for it.

use crate::errors::Exception;
use pyo3::prelude::*;
use std::path::PathBuf;
use tumble::gpu::{Choice, UnknownDevice};
use tumble::scene::Built;

/// Number of threads and word for a device, each in the place of what the scene says; and where compiled kernels are kept.
#[derive(FromPyObject)]
pub(crate) struct Means(pub(super) Option<usize>, Option<String>, Option<PathBuf>);

impl Means {
    /// Something to run, with these means. Its threads are told where it is built.
    pub(super) fn put_into(&self, built: &mut Built) -> Result<(), Exception> {
        let Self(_, device, kernels) = self;
        built.kernels.clone_from(kernels);
        if let Some(word) = device {
            let choice: Result<Choice, UnknownDevice> = word.parse();
            built.device = choice.map_err(|unknown| Exception::input(format!("device: {unknown}")))?;
        }
        Ok(())
    }
}
