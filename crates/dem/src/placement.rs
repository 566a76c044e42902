//! Bodies at random places and in random orientations, none of which overlaps another.

use crate::clump::ClumpTemplate;
use crate::random::Random;
use crate::world::{Body, TemplateId};
use core::fmt;
use tumble_math::{LabVec, RotationMatrix};

/// A box could not be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// How many bodies found a place.
    pub placed: usize,
    /// How many were asked for.
    pub wanted: usize,
    /// How often the next one was tried.
    pub attempts: u32,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { placed, wanted, attempts } = self;
        write!(
            f,
            "no room for body {placed} of {wanted} after {attempts} attempts; use a larger box, or fewer or \
             smaller bodies"
        )
    }
}

impl std::error::Error for NoRoom {}

/// Tries to place a body before giving up.
const ATTEMPTS: u32 = 100_000;

/// Puts one body of each template number in `which` into a box, one after the other, wherever it fits.
///
/// `gap` is the least distance between two spheres, or a sphere and the box, as a part of their radii.
pub fn random_cloud(
    templates: &[impl AsRef<ClumpTemplate>],
    which: &[TemplateId],
    low: LabVec<f64>,
    high: LabVec<f64>,
    gap: f64,
    random: &mut Random,
) -> Result<Vec<Body>, NoRoom> {
    let shapes: Vec<&ClumpTemplate> = templates.iter().map(AsRef::as_ref).collect();
    let largest = shapes
        .iter()
        .flat_map(|shape| shape.spheres())
        .fold(0.0, |largest: f64, sphere| largest.max(sphere.radius));
    let mut cells = Cells::new(low, high, 2.0 * largest * (1.0 + gap));
    let mut bodies = Vec::with_capacity(which.len());
    let mut spheres = Vec::new();
    for &template in which {
        let shape = shapes[usize::from(template.0)];
        let mut attempts = 0;
        loop {
            attempts += 1;
            let orientation = random.orientation();
            let turn = RotationMatrix::from(orientation);
            let mut from = low.to_array();
            let mut to = high.to_array();
            spheres.clear();
            for sphere in shape.spheres() {
                let centre = turn.to_lab(sphere.centre);
                let radius = sphere.radius * (1.0 + gap);
                for (axis, c) in centre.to_array().into_iter().enumerate() {
                    from[axis] = from[axis].max(low.to_array()[axis] + radius - c);
                    to[axis] = to[axis].min(high.to_array()[axis] - radius - c);
                }
                spheres.push((centre, radius));
            }
            let place = LabVec::from_array(core::array::from_fn(|axis| random.between(from[axis], to[axis])));
            let fits = (0..3).all(|axis| from[axis] <= to[axis])
                && spheres.iter().all(|&(centre, radius)| cells.is_free(place + centre, radius));
            if fits {
                for &(centre, radius) in &spheres {
                    cells.insert(place + centre, radius);
                }
                bodies.push(Body::at(template, place).turned(orientation));
                break;
            }
            if attempts == ATTEMPTS {
                return Err(NoRoom { placed: bodies.len(), wanted: which.len(), attempts });
            }
        }
    }
    Ok(bodies)
}

/// Spheres by cell; a cell is as large as the largest of them.
struct Cells {
    low: LabVec<f64>,
    size: f64,
    counts: [usize; 3],
    spheres: Vec<Vec<(LabVec<f64>, f64)>>,
}

impl Cells {
    fn new(low: LabVec<f64>, high: LabVec<f64>, size: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let counts = (high - low).to_array().map(|length| (length / size).clamp(0.0, 1000.0) as usize + 1);
        // The cells may not be smaller than the spheres; the clamp makes them larger.
        let size = (high - low).to_array().iter().zip(counts).fold(size, |s, (l, n)| s.max(l / n as f64));
        Self { low, size, counts, spheres: vec![Vec::new(); counts.iter().product()] }
    }

    fn cell(&self, point: LabVec<f64>) -> [usize; 3] {
        let index = (point - self.low).to_array().map(|distance| distance / self.size);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        core::array::from_fn(|axis| (index[axis].max(0.0) as usize).min(self.counts[axis] - 1))
    }

    fn insert(&mut self, centre: LabVec<f64>, radius: f64) {
        let [x, y, z] = self.cell(centre);
        self.spheres[x + self.counts[0] * (y + self.counts[1] * z)].push((centre, radius));
    }

    fn is_free(&self, centre: LabVec<f64>, radius: f64) -> bool {
        let [x, y, z] = self.cell(centre);
        let around = |index: usize, count: usize| index.saturating_sub(1)..=(index + 1).min(count - 1);
        around(z, self.counts[2]).all(|z| {
            around(y, self.counts[1]).all(|y| {
                around(x, self.counts[0]).all(|x| {
                    let cell = &self.spheres[x + self.counts[0] * (y + self.counts[1] * z)];
                    cell.iter().all(|&(other, other_radius)| {
                        let reach = radius + other_radius;
                        (centre - other).norm_squared() >= reach * reach
                    })
                })
            })
        })
    }
}
