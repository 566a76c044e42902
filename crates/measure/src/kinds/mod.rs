//! What can be measured: one file for each kind, and the one list of them.
//!
//! A kind is an [`Info`] with what scenes and tables need to know, and a type that implements [`Measure`]. It appears in
//! scenes, the schema, the reference and the book when it is in the list of [`MeasureKind`].

mod cell;
mod centre_of_mass;
mod contents;
mod coordination;
mod fabric;
mod flow;
mod forces;
mod heights;
mod liquid;
mod mixing;
mod residence;
mod shear_box;
mod sizes;
mod stress;
mod temperature;
mod triaxial;
mod triaxial_walls;
mod wall_heat;
mod wall_load;

use crate::bytes::Input;
use crate::citations::Citation;
use crate::{Column, Key, Options, View};
use core::fmt::{self, Debug};

/// The one list of kinds, in the order of tables.
const LIST: &[Info] = &[
    contents::INFO,
    centre_of_mass::INFO,
    sizes::INFO,
    flow::INFO,
    residence::INFO,
    heights::INFO,
    mixing::INFO,
    coordination::INFO,
    fabric::INFO,
    forces::INFO,
    stress::INFO,
    cell::INFO,
    triaxial::INFO,
    triaxial_walls::INFO,
    wall_load::INFO,
    shear_box::INFO,
    temperature::INFO,
    wall_heat::INFO,
    liquid::INFO,
];

/// Something that is measured.
pub trait Measure: Debug + Send + Sync {
    /// What [`sample`](Self::sample) gives.
    fn columns(&self) -> Vec<Column>;

    /// Looks at the present instant: a number for each column, NaN where there is none.
    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>);

    /// What it has to remember from sample to sample; [`recall`](Self::recall) reads it.
    fn remember(&self, _out: &mut Vec<u8>) {}

    /// Goes on with what was remembered; none if it cannot be that.
    fn recall(&mut self, _input: &mut Input<'_>) -> Option<()> {
        Some(())
    }
}

/// What is known of a kind of measure.
#[derive(Clone, Copy)]
pub struct Info {
    /// In scenes and tables; kebab-case.
    pub name: &'static str,
    /// In a line.
    pub summary: &'static str,
    /// Where its definition comes from, if it needs one.
    pub citation: Option<Citation>,
    /// What it has to be told.
    pub needs: &'static [Key],
    /// What it may be told.
    pub takes: &'static [Key],
    /// What it gives. One whose name ends in `N` stands for several.
    pub columns: &'static [Column],
    /// Makes one; what it needs has been checked.
    make: fn(&Options) -> Box<dyn Measure>,
}

impl Debug for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Info").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A kind of measure, by its place in the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MeasureKind(usize);

impl Default for MeasureKind {
    /// The first of the list.
    fn default() -> Self {
        Self(0)
    }
}

impl MeasureKind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LIST.len()).map(Self)
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// What is known of it.
    pub fn info(self) -> &'static Info {
        &LIST[self.0]
    }

    pub(crate) fn make(self, options: &Options) -> Box<dyn Measure> {
        (self.info().make)(options)
    }
}

impl Debug for MeasureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The bodies that a measure means: those whose centre of mass is in its region, or all.
fn is_meant(region: Option<&crate::Region>, body: &tumble_dem::BodyState) -> bool {
    region.is_none_or(|region| region.has(body.position))
}

/// The value below which a part of all numbers lies, interpolated between neighbours; NaN if there are none. They are sorted.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = part * last as f64;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last place"
    )]
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// Nothing divided by nothing is not a number.
fn ratio(sum: f64, count: usize) -> f64 {
    if count == 0 { f64::NAN } else { sum / count as f64 }
}
