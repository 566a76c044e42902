//! What a scene says of a measure.

use crate::{MeasureKind, Region, Surface};
use tumble_dem::placement::SizeMeasure;
use tumble_dem::{BodyState, LabVec, MaterialId, TemplateId, WallId};

/// A measure as it was asked for. Intervals are in steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// What it is called: the beginning of the names of its columns.
    pub name: String,
    /// What is measured.
    pub kind: MeasureKind,
    /// Steps between two samples.
    pub every: u64,
    /// Steps over which samples are averaged, a multiple of `every`; each sample is a row if none.
    pub window: Option<u64>,
    /// Where, of what, about what.
    pub options: Options,
}

/// What measures may be told. Each kind says in its [`Info`](crate::Info) which of them it needs and takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Where it looks; everywhere if none.
    pub region: Option<Region>,
    /// What bodies pass through.
    pub through: Option<Surface>,
    /// The walls that are meant.
    pub walls: Vec<WallId>,
    /// Direction of an axis.
    pub axis: Option<LabVec<f64>>,
    /// A point of it, m.
    pub point: Option<LabVec<f64>>,
    /// Which bodies are told from all others.
    pub of: Option<Share>,
    /// Which length of a body its size is; that of its volume if none.
    pub size: Option<SizeMeasure>,
    /// How many cells along x, y and z.
    pub cells: Option<[u64; 3]>,
    /// How many strips.
    pub bins: Option<u64>,
    /// The horizontal direction of a profile.
    pub along: Option<LabVec<f64>>,
    /// The direction in which heights are counted.
    pub up: Option<LabVec<f64>>,
    /// What forces are divided by, m².
    pub area: Option<f64>,
}

/// Bodies of one sort, told from all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// Those of a template.
    Template(TemplateId),
    /// Those of a material.
    Material(MaterialId),
    /// Those whose sphere of the same volume has a larger diameter than this, m.
    LargerThan(f64),
}

impl Share {
    /// Whether a body is one of them; its diameter is that of the sphere of its volume, m.
    pub(crate) fn has(self, body: &BodyState, diameter: f64) -> bool {
        match self {
            Self::Template(template) => body.template == template,
            Self::Material(material) => body.material == material,
            Self::LargerThan(limit) => diameter > limit,
        }
    }
}

/// An option, by its key in scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// `region`
    Region,
    /// `through`
    Through,
    /// `walls`
    Walls,
    /// `axis`
    Axis,
    /// `point`
    Point,
    /// `of`
    Of,
    /// `size`
    Size,
    /// `cells`
    Cells,
    /// `bins`
    Bins,
    /// `along`
    Along,
    /// `up`
    Up,
    /// `area`
    Area,
}

impl Key {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Region,
        Self::Through,
        Self::Walls,
        Self::Axis,
        Self::Point,
        Self::Of,
        Self::Size,
        Self::Cells,
        Self::Bins,
        Self::Along,
        Self::Up,
        Self::Area,
    ];

    /// The key in scenes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Through => "through",
            Self::Walls => "walls",
            Self::Axis => "axis",
            Self::Point => "point",
            Self::Of => "of",
            Self::Size => "size",
            Self::Cells => "cells",
            Self::Bins => "bins",
            Self::Along => "along",
            Self::Up => "up",
            Self::Area => "area",
        }
    }
}
