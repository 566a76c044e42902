//! Names that keys choose from: schemes, laws, shapes, and words of the format's own.

use super::AxisName;
use super::bond::BondKind;
use crate::form::Choose;
use tumble_dem::bond::BeamModel;
use tumble_dem::clump::{ClumpFormat, shapes};
use tumble_dem::law::{LawKind, RollingKind, TwistingKind};
use tumble_dem::wall::Side;
use tumble_dem::{Kicks, Precision, SchemeKind, Sharing};
use tumble_measure::MeasureKind;

impl Choose for SchemeKind {
    const WHAT: &'static str = "rotation scheme";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        let usable = Self::ALL.iter().filter(|kind| kind.info().torque_times.len() == 1);
        usable.map(|&kind| (kind, kind.name(), kind.info().summary)).collect()
    }

    fn refusal(word: &str) -> Option<String> {
        let scheme = Self::from_name(word)?.name();
        Some(tumble_dem::Error::SeveralTorques { scheme }.to_string())
    }
}

macro_rules! registry {
    ($kind:ty, $what:literal) => {
        impl Choose for $kind {
            const WHAT: &'static str = $what;

            fn options() -> Vec<(Self, &'static str, &'static str)> {
                Self::ALL.iter().map(|&kind| (kind, kind.name(), kind.info().summary)).collect()
            }
        }
    };
}

impl Choose for MeasureKind {
    const WHAT: &'static str = "kind of measure";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        Self::all().map(|kind| (kind, kind.name(), kind.info().summary)).collect()
    }
}

registry!(LawKind, "contact law");
registry!(RollingKind, "rolling resistance");
registry!(TwistingKind, "twisting resistance");

impl Choose for BeamModel {
    const WHAT: &'static str = "beam";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        Self::ALL.map(|model| (model, model.name(), model.summary())).to_vec()
    }
}

impl Choose for BondKind {
    const WHAT: &'static str = "kind of bonds";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Beam, "beam", "beams with a potential, after Kuzkin & Asonov 2012"),
            (
                Self::Parallel,
                "parallel",
                "parallel bonds, whose forces are added up from step to step, after Potyondy & Cundall 2004",
            ),
        ]
    }
}

impl Choose for Sharing {
    const WHAT: &'static str = "way of sharing";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Sum, "sum", "contacts between the same two bodies add up"),
            (Self::Average, "mean", "their mean acts, as in the multi-sphere literature"),
        ]
    }
}

impl Choose for Kicks {
    const WHAT: &'static str = "way of kicking";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        Self::ALL.map(|kicks| (kicks, kicks.name(), kicks.summary())).to_vec()
    }
}

impl Choose for Precision {
    const WHAT: &'static str = "precision";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        Self::ALL.map(|precision| (precision, precision.name(), precision.summary())).to_vec()
    }
}

/// How positions are integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translation {
    /// Positions and velocities half a step apart.
    Leapfrog,
}

impl Choose for Translation {
    const WHAT: &'static str = "translation scheme";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![(Self::Leapfrog, "leapfrog", "second order, symplectic, reversible")]
    }
}

/// The axes that orientations in a file of bodies refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Those that the spheres of the template are given in.
    Drawn,
    /// The principal axes of the template, as in the engine.
    Principal,
}

impl Choose for Frame {
    const WHAT: &'static str = "frame";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Drawn, "drawn", "the axes that the spheres of the template are given in"),
            (
                Self::Principal,
                "principal",
                "the principal axes of the template, as in files that Tumble writes",
            ),
        ]
    }
}

/// The name of a built-in shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeName(pub(crate) &'static str);

impl ShapeName {
    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl Choose for ShapeName {
    const WHAT: &'static str = "built-in shape";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        shapes::ALL.iter().map(|shape| (Self(shape.name), shape.name, shape.summary)).collect()
    }
}

impl Choose for Option<ClumpFormat> {
    const WHAT: &'static str = "format of a clump file";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (None, "auto", "found out from the first line"),
            (Some(ClumpFormat::Table), "table", "x, y, z, r, as CLUMP, Yade, MATLAB and NumPy write"),
            (Some(ClumpFormat::Liggghts), "liggghts", "x y z r, optionally an atom type"),
            (Some(ClumpFormat::DemEngine), "dem-engine", "csv under a header that names its columns"),
        ]
    }
}

impl Choose for Side {
    const WHAT: &'static str = "side";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Inside, "inside", "bodies are within the tube or hopper"),
            (Self::Outside, "outside", "the surface bounds a solid, and bodies are around it"),
        ]
    }
}

impl Choose for AxisName {
    const WHAT: &'static str = "axis";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![(Self::X, "x", "along x"), (Self::Y, "y", "along y"), (Self::Z, "z", "along z")]
    }
}
