//! Measures: what somebody wants to know of a run, sampled while it goes on and averaged over windows of time.
//!
//! | where | what |
//! | --- | --- |
//! | [`Measures`] | the measures of a run: when they look, their averages, their rows, their state in checkpoints |
//! | [`Measure`] | what a kind of measure does at an instant; one file each in `kinds`, and the one list, of which a [`MeasureKind`] is one |
//! | [`Spec`], [`Options`], [`Key`] | what a scene says of a measure |
//! | [`Region`], [`Surface`] | where |
//! | [`View`] | an instant of a run, as measures see it |
//! | [`coarse`] | coarse-grained fields on grids: density, velocity, stress, … |
//!
//! Measures see an engine through [`Solver`](tumble_dem::Solver) alone. Bodies and contacts come in an order that depends on
//! the state only, so sums have the same bits on any number of threads.
//!
//! ```
//! use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
//! use tumble_dem::material::{Material, PairProperties};
//! use tumble_dem::{Body, Engine, LabVec, Settings, World};
//! use tumble_measure::{MeasureKind, Measures, Options, Region, Spec};
//!
//! let mut world = World::default();
//! world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
//! world.materials.set_default(PairProperties::new(0.9, 0.3));
//! let ball = world.add_template(ClumpTemplate::new("ball", &shapes::sphere(0.01), MassModel::Union)?)?;
//! world.add_body(Body::at(ball, LabVec::new(0.5, 0.5, 0.5)));
//! let engine = Engine::new(world, Settings::new(1e-3))?;
//!
//! let region = Region::cuboid(LabVec::zero(), LabVec::new(1.0, 1.0, 1.0));
//! let kind = MeasureKind::from_name("contents").ok_or("no such kind")?;
//! let options = Options { region: Some(region), ..Options::default() };
//! let mut measures = Measures::new(&[Spec { name: "filling".into(), kind, every: 10, window: None, options }]);
//! measures.sample(&engine);
//! assert_eq!(measures.value("filling.number"), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod average;
mod bytes;
pub mod citations;
pub mod coarse;
mod kinds;
mod measures;
mod mesh_overlap;
mod overlap;
mod region;
mod spec;
mod surface;
mod tensor;
mod view;

pub use average::Over;
pub use kinds::{Info, Measure, MeasureKind};
pub use measures::{Column, Measures, Mismatch, Row};
pub use region::{Region, RegionError};
pub use spec::{Key, Options, Share, Spec};
pub use surface::Surface;
pub use view::{Ball, Side, View};
