//! A compact file of a whole run, for a viewer.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `TUMBLETR` |
//! | 4, 4 | version of this layout; XXH32 (seed 0) of the header |
//! | 8 | length of the header |
//! | | the header: JSON ([`TrajectoryHeader`]), filled up with spaces to a multiple of 8 |
//! | | frames, one after the other |
//!
//! A frame is a head of 48 bytes, then arrays:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4, 4 | `FRAM`; XXH32 (seed 0) of what follows the length |
//! | 8 | length of what follows |
//! | 8, 8 | step; time, s (f64) |
//! | 4, 4, 4, 4 | numbers of bodies, of contacts, of moving walls; 1 if the frame lists its bodies, else 0 |
//! | | the arrays of [`TrajectoryFrame`] in their order; filled up with zeros to a multiple of 8 |
//!
//! All numbers are little-endian, and every array begins at a multiple of four bytes, so that a browser can
//! look at them where they are. The header repeats the list of arrays. Which bodies there are is listed in
//! the first frame and whenever it changes; other frames have the bodies of the last list. Orientations are
//! to 10⁻⁴ rad, positions to single precision: for pictures. A file that was cut off is good up to its last
//! whole frame.

mod arrays;
mod read;
mod thin;
mod write;

pub use arrays::{ArrayLayout, TrajectoryFrame};
pub use read::TrajectoryReader;
pub use thin::Thinned;
pub use write::TrajectoryWriter;

use crate::Model;
use serde::{Deserialize, Serialize};
use tumble_dem::LabVec;
use tumble_dem::domain::Axis;
use tumble_dem::wall::{Motion, Pose};

const MAGIC: &[u8; 8] = b"TUMBLETR";
const VERSION: u32 = 1;
const FRAME: &[u8; 4] = b"FRAM";

/// Bytes from the beginning of the file to the header.
const FILE_HEAD: usize = 24;
/// Bytes from the beginning of a frame to what its checksum covers.
const FRAME_HEAD: usize = 16;

/// What does not change during a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryHeader {
    /// "tumble-trajectory"
    pub format: String,
    /// The version of Tumble that wrote it.
    pub tumble_version: String,
    /// What the run is called.
    pub title: String,
    /// "SI": m, s, m/s, rad/s, N, K.
    pub units: String,
    /// The ends of each axis where it is periodic, m.
    pub periodic: [Option<[f64; 2]>; 3],
    /// Shapes of bodies, by number.
    pub templates: Vec<TemplateOutline>,
    /// Names of materials, by number.
    pub materials: Vec<String>,
    /// Their densities, kg/m³; none in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub densities: Vec<f64>,
    /// Walls.
    pub walls: Vec<WallOutline>,
    /// The arrays of a frame, in their order.
    pub arrays: Vec<ArrayLayout>,
}

/// The shape of bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateOutline {
    /// Its name.
    pub name: String,
    /// x, y, z and radius of each sphere, in the frame that orientations turn, m.
    pub spheres: Vec<[f32; 4]>,
    /// The numbers of the spheres at the ends of each capsule; older programs show these ends alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capsules: Vec<[u32; 2]>,
    /// The numbers of the spheres at the centre of each ellipsoid and at the ends of its semi-axes; older programs show these spheres.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ellipsoids: Vec<[u32; 4]>,
    /// Of each rounded polyhedron its faces: the numbers of the spheres at their corners, counter-clockwise seen from outside; older programs show these spheres.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polyhedra: Vec<Vec<Vec<u32>>>,
    /// The volume that carries mass, m³; nothing in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// Principal moments of inertia divided by the density, m⁵; nothing in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moments_per_density: Option<[f64; 3]>,
}

/// A wall as triangles, where it is drawn; frames place it, since any wall may be driven during a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallOutline {
    /// Its name.
    pub name: String,
    /// Number of its material.
    pub material: u16,
    /// Whether frames have a place for it: these walls in their order. In older files some stay where they are drawn.
    pub moves: bool,
    /// About what it turns, m: a point x is at place + R (x − pivot).
    pub pivot: [f64; 3],
    /// Corners, m.
    pub points: Vec<[f32; 3]>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
    /// Directions of length one along which it has no end: it can be drawn longer or shorter. None in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endless: Vec<[f64; 3]>,
}

impl TrajectoryHeader {
    /// The same header without what another one, perhaps of an older program, does not say.
    fn saying_no_more_than(mut self, other: &Self) -> Self {
        self.tumble_version.clone_from(&other.tumble_version);
        if other.densities.is_empty() {
            self.densities.clear();
        }
        for (own, other) in self.templates.iter_mut().zip(&other.templates) {
            own.volume = own.volume.filter(|_| other.volume.is_some());
            own.moments_per_density = own.moments_per_density.filter(|_| other.moments_per_density.is_some());
        }
        self.arrays.retain(|array| other.arrays.iter().any(|known| known.name == array.name));
        for (own, other) in self.walls.iter_mut().zip(&other.walls) {
            own.moves = other.moves;
            if other.endless.is_empty() {
                own.endless.clear();
            }
        }
        self
    }

    fn new(model: &Model) -> Self {
        let template = |template: &std::sync::Arc<tumble_dem::clump::ClumpTemplate>| TemplateOutline {
            name: template.name().to_owned(),
            // Those that tell where edges and cores of polyhedra are come last, and nobody needs them here.
            spheres: template.spheres()[..template.touching_spheres() + 4 * template.ellipsoids().len()]
                .iter()
                .map(|s| [s.centre.x, s.centre.y, s.centre.z, s.radius].map(narrow))
                .collect(),
            capsules: template.capsules().map(|ends| ends.map(number)).collect(),
            ellipsoids: template.ellipsoids().map(|points| points.map(number)).collect(),
            polyhedra: template.hulls().iter().map(|hull| hull.faces().collect()).collect(),
            volume: Some(template.volume()),
            moments_per_density: Some(template.moments_per_density().to_array()),
        };
        let wall = |wall: &crate::Surface| WallOutline {
            name: wall.name.clone(),
            material: wall.material.0,
            moves: true,
            pivot: start(&wall.motion).pivot.to_array(),
            points: wall.points.iter().map(|point| single(*point)).collect(),
            triangles: wall.triangles.clone(),
            endless: wall.endless.iter().map(|along| along.to_array()).collect(),
        };
        Self {
            format: "tumble-trajectory".into(),
            tumble_version: env!("CARGO_PKG_VERSION").into(),
            title: model.title.clone(),
            units: "SI".into(),
            periodic: model.domain.axes.map(|axis| match axis {
                Axis::Open => None,
                Axis::Periodic { low, high } => Some([low, high]),
            }),
            templates: model.templates.iter().map(template).collect(),
            materials: model.materials.clone(),
            densities: model.densities.clone(),
            walls: model.walls.iter().map(wall).collect(),
            arrays: TrajectoryFrame::layout()
                .into_iter()
                .filter(|array| model.heat || array.name != arrays::TEMPERATURES)
                .filter(|array| model.liquid || array.name != arrays::FILMS)
                .collect(),
        }
    }
}

/// The pivot of a motion is the same at all times.
fn start(motion: &Motion) -> Pose {
    motion.at(0.0)
}

/// Of a sphere; the engine has no more of them.
fn number(sphere: usize) -> u32 {
    u32::try_from(sphere).unwrap_or(u32::MAX)
}

#[allow(clippy::cast_possible_truncation, reason = "for pictures")]
fn narrow(value: f64) -> f32 {
    value as f32
}

fn single(vector: LabVec<f64>) -> [f32; 3] {
    vector.to_array().map(narrow)
}
