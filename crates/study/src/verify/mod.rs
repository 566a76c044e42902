//! Verification: the engine and the rotation library against published benchmarks and closed forms.
//!
//! [`CASES`] is the one list. Each [`Case`] says what is simulated, with which numbers, which result is exact and why,
//! and gives an [`Outcome`] whose findings each have a band and its reason. Nothing here is fitted: exact values come
//! from formulas or publications, never from the code under test. [`Case::run_spoilt`] feeds the simulation another
//! number than theory, so that a test can show that the check would fail.
//!
//! ```
//! use tumble_study::verify;
//! let outcome = verify::find("hertz-impact").unwrap().run()?;
//! assert_eq!(outcome.differences().count(), 0);
//! # Ok::<(), verify::Error>(())
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "exact values are computed apart from the functions that the engine uses, and findings have bands"
)]

mod arrange;
mod beam;
mod cases;
mod citations;
mod coarse;
mod error;
mod lattice;
mod maw;
mod oblique;
pub mod pinned;
mod present;
mod setup;
mod theory;

pub use cases::CASES;
pub(crate) use citations::POTYONDY_2004;
pub use error::Error;
pub use present::table;
pub use setup::{Inputs, Parameter};

use core::fmt;
use tumble_report::{Band, Finding, Outcome};
use tumble_rotation::citations::Citation;

/// One benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name on the command line; kebab-case.
    pub id: &'static str,
    /// What happens, in one line.
    pub title: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// Where the benchmark or its solution was published, the nearest first.
    pub sources: &'static [Citation],
    /// What is simulated, and how.
    pub setup: &'static str,
    /// What is exact, and why.
    pub exact: &'static str,
    /// The numbers.
    pub parameters: &'static [Parameter],
    /// Simulates and compares.
    pub compute: fn(&Inputs) -> Result<Outcome, Error>,
}

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Collisions of spheres and clumps.
    Impact,
    /// Sliding, rolling, twisting, falling through a fluid.
    Friction,
    /// Bonds between bodies.
    Bonds,
    /// Temperatures, and what flows between them.
    Heat,
    /// Orientation and angular velocity.
    Rotation,
    /// Mass properties, surfaces, and how they move.
    Shape,
    /// What no simulation may change.
    Invariance,
}

impl Case {
    /// Simulates and compares.
    pub fn run(&self) -> Result<Outcome, Error> {
        let values: Vec<f64> = self.parameters.iter().map(|parameter| parameter.value).collect();
        (self.compute)(&Inputs { theory: values.clone(), simulation: values })
    }

    /// As [`run`](Self::run), but with another value of one parameter in the simulation alone: what a wrong program
    /// would do. A case that still passes checks nothing.
    pub fn run_spoilt(&self, parameter: &str, value: f64) -> Result<Outcome, Error> {
        let theory: Vec<f64> = self.parameters.iter().map(|parameter| parameter.value).collect();
        let mut simulation = theory.clone();
        let place = self.parameters.iter().position(|known| known.name == parameter);
        match place.and_then(|place| simulation.get_mut(place)) {
            Some(spoilt) => *spoilt = value,
            None => return Err(Error::NoParameter { id: self.id, name: parameter.to_owned() }),
        }
        (self.compute)(&Inputs { theory, simulation })
    }
}

/// The case of this id.
pub fn find(id: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.id == id)
}

/// Runs cases on all cores; the outcomes come in their order. One that came to no end is [`failed`].
pub fn run_all(cases: &[&Case]) -> Vec<Outcome> {
    crate::parallel::map(cases, |case| case.run().unwrap_or_else(|error| failed(&error)))
}

/// A case that came to no end has not passed: the outcome is a finding that says why.
pub fn failed(error: &Error) -> Outcome {
    let finding = Finding::alone("could not be computed", f64::NAN, Band::AtMost(0.0), &error.to_string());
    Outcome { findings: vec![finding], ..Outcome::default() }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Impact => "Impacts",
            Self::Friction => "Friction, rolling and drag",
            Self::Bonds => "Bonds",
            Self::Heat => "Heat",
            Self::Rotation => "Rotation",
            Self::Shape => "Shapes and walls",
            Self::Invariance => "Books and symmetries",
        })
    }
}
