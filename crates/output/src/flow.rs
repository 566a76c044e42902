//! What comes in and goes out during a run.

use serde::{Deserialize, Serialize};

/// What went through a stream or an outlet so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// What it is called.
    pub name: String,
    /// Which way.
    pub direction: Direction,
    /// How many bodies.
    pub bodies: u64,
    /// Their mass, kg.
    pub mass_kg: f64,
    /// How many more were due to come in, but found no room.
    #[serde(default)]
    pub waiting: u64,
}

/// Which way bodies go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// They are put in.
    In,
    /// They are taken out.
    Out,
}

impl Direction {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}
