//! Ellipsoids: mass properties in closed form, and bodies of several pieces that do not overlap.

use super::capsule::{self, ClumpCapsule};
use super::error::EllipsoidProblem;
use super::mass::{LENGTHS, MassProperties};
use super::{ClumpError, ClumpPieces, ClumpSphere, MassModel, TemplateSphere};
use crate::physics::ellipsoid::{MOST_SLENDER, facing};
use crate::physics::solid::Solid;
use std::f64::consts::PI;
use tumble_math::elementary::cbrt;
use tumble_math::{BodyVec, LabVec, Quat, SymTensor};

/// One ellipsoid of a clump, in whatever frame the clump is described in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClumpEllipsoid {
    /// The centre, m.
    pub centre: LabVec<f64>,
    /// The semi-axes, m.
    pub semi_axes: [f64; 3],
    /// Takes vectors along the semi-axes to the frame of the clump. Of any length but zero.
    pub orientation: Quat<f64>,
}

/// Pieces that reach into each other by less than this, relative to the radius of the ellipsoid, touch.
const SLIGHT: f64 = 1e-9;

impl ClumpEllipsoid {
    /// The ellipsoid with these semi-axes (m) along x, y and z, about the origin.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpEllipsoid, ClumpPieces, MassModel, MassProperties};
    /// let lentil = ClumpEllipsoid::new([0.003, 0.003, 0.001]);
    /// let body = MassProperties::of(ClumpPieces { ellipsoids: &[lentil], ..ClumpPieces::default() }, MassModel::Union)?;
    /// assert!((body.volume / (4.0 / 3.0 * std::f64::consts::PI * 9e-9) - 1.0).abs() < 1e-14);
    /// # Ok::<(), tumble_dem::clump::ClumpError>(())
    /// ```
    pub const fn new(semi_axes: [f64; 3]) -> Self {
        Self {
            centre: LabVec::from_array([0.0; 3]),
            semi_axes,
            orientation: Quat::from_array([1.0, 0.0, 0.0, 0.0]),
        }
    }

    /// The same about another centre (m).
    #[must_use]
    pub const fn at(self, centre: [f64; 3]) -> Self {
        Self { centre: LabVec::from_array(centre), ..self }
    }

    /// The same with its semi-axes turned, as from x, y and z.
    #[must_use]
    pub const fn turned(self, orientation: Quat<f64>) -> Self {
        Self { orientation, ..self }
    }

    /// The radius of the sphere of the same volume, which stands for it in contacts, m.
    pub fn radius(&self) -> f64 {
        let [a, b, c] = self.semi_axes;
        cbrt(a * b * c)
    }

    /// The vectors along the semi-axes.
    fn axes(&self) -> [LabVec<f64>; 3] {
        let q = self.orientation.normalised();
        let [a, b, c] = self.semi_axes;
        [BodyVec::new(a, 0.0, 0.0), BodyVec::new(0.0, b, 0.0), BodyVec::new(0.0, 0.0, c)]
            .map(|axis| q.to_lab(axis))
    }

    /// Its points: the centre, and the ends of the semi-axes. All have the radius.
    pub(super) fn points(&self) -> [ClumpSphere; 4] {
        let [a, b, c] = self.axes();
        let radius = self.radius();
        [LabVec::zero(), a, b, c].map(|arm| ClumpSphere { centre: self.centre + arm, radius })
    }

    fn solid(&self) -> Solid<f64> {
        Solid::of_points(self.points().map(|point| point.centre), self.radius())
    }

    pub(super) fn problem(&self) -> Option<EllipsoidProblem> {
        let [a, b, c] = self.semi_axes;
        let (shortest, longest) = (a.min(b).min(c), a.max(b).max(c));
        let places = self.centre.to_array();
        let q = self.orientation.to_array();
        if !places.iter().chain(&self.semi_axes).chain(&q).all(|x| x.is_finite()) {
            Some(EllipsoidProblem::NotFinite)
        } else if shortest <= 0.0 {
            Some(EllipsoidProblem::SemiAxis)
        } else if self.orientation.norm_squared() <= 0.0 {
            Some(EllipsoidProblem::Orientation)
        } else if !(LENGTHS.contains(&shortest) && LENGTHS.contains(&longest))
            || places.iter().any(|x| x.abs() > *LENGTHS.end())
        {
            Some(EllipsoidProblem::OutOfRange)
        } else if longest > MOST_SLENDER * shortest * (1.0 + 1e-12) {
            Some(EllipsoidProblem::Slender)
        } else {
            None
        }
    }

    /// Its properties: V = 4/3 πabc, ∫x² dV = Va²/5.
    fn properties(&self) -> MassProperties {
        let [a, b, c] = self.semi_axes;
        let volume = 4.0 / 3.0 * PI * (a * b * c);
        let [xx, yy, zz] = [a * a, b * b, c * c].map(|square| 0.2 * square * volume);
        let inertia = SymTensor::from_diagonal(BodyVec::new(yy + zz, xx + zz, xx + yy));
        MassProperties { volume, centre: self.centre, inertia: inertia.to_lab(self.orientation.normalised()) }
    }
}

/// A piece of any kind, by its points.
fn solid_of([first, second]: [LabVec<f64>; 2], radius: f64) -> Solid<f64> {
    Solid::of_points([first, second, first, first], radius)
}

/// Another piece that an ellipsoid overlaps: its number and what it is.
fn overlapped(number: usize, pieces: ClumpPieces<'_>) -> Option<(usize, &'static str)> {
    let own = pieces.ellipsoids[number].solid();
    let limit = SLIGHT * own.radius;
    // What was not found overlaps so deeply that it has no single direction.
    let over = |other: &Solid<f64>| {
        let overlap = facing(&own, other, true).overlap;
        overlap.is_nan() || overlap > limit
    };
    let of_ellipsoid = |(other, each): (usize, &super::ClumpEllipsoid)| {
        (other != number && over(&each.solid())).then_some((other, "ellipsoid"))
    };
    let of_capsule = |(other, each): (usize, &ClumpCapsule)| {
        over(&solid_of(each.ends, each.radius)).then_some((other, "capsule"))
    };
    let of_sphere = |(other, each): (usize, &ClumpSphere)| {
        over(&solid_of([each.centre; 2], each.radius)).then_some((other, "sphere"))
    };
    let ellipsoid = pieces.ellipsoids.iter().enumerate().find_map(of_ellipsoid);
    let capsule = || pieces.capsules.iter().enumerate().find_map(of_capsule);
    ellipsoid.or_else(capsule).or_else(|| pieces.spheres.iter().enumerate().find_map(of_sphere))
}

/// The properties of pieces of which at least one is an ellipsoid, under a model.
pub(super) fn properties(pieces: ClumpPieces<'_>, model: MassModel) -> Result<MassProperties, ClumpError> {
    let ClumpPieces { spheres, capsules, ellipsoids, .. } = pieces;
    for (ellipsoid, each) in ellipsoids.iter().enumerate() {
        if let Some(problem) = each.problem() {
            return Err(ClumpError::Ellipsoid { ellipsoid, problem });
        }
    }
    let rest = if spheres.is_empty() && capsules.is_empty() {
        None
    } else {
        Some(MassProperties::of(ClumpPieces { ellipsoids: &[], ..pieces }, model)?)
    };
    match (model, rest) {
        (MassModel::Given { .. }, Some(given)) => return Ok(given),
        (MassModel::Given { .. }, None) => return MassProperties::new(&ellipsoids[0].points()[..1], model),
        (MassModel::Union, _) => {
            let found = (0..ellipsoids.len()).find_map(|number| Some((number, overlapped(number, pieces)?)));
            if let Some((ellipsoid, (other, what))) = found {
                return Err(ClumpError::OverlappingEllipsoid { ellipsoid, other, what });
            }
        }
        (MassModel::SumOfSpheres, _) => {}
    }
    let own = ellipsoids.iter().map(ClumpEllipsoid::properties);
    Ok(capsule::together(&rest.into_iter().chain(own).collect::<Vec<_>>()))
}

/// The centre of the sphere by which an ellipsoid touches at a point, all in the frame of a template: behind the point of its surface that is nearest.
pub(super) fn centre_behind(points: &[TemplateSphere], point: BodyVec<f64>) -> BodyVec<f64> {
    let place = |number: usize| LabVec::from_array(points[number].centre.to_array());
    let own = Solid::of_points([place(0), place(1), place(2), place(3)], points[0].radius);
    let centre = own.sphere_behind(LabVec::from_array(point.to_array())).centre;
    BodyVec::from_array(centre.to_array())
}

/// The lengths of the semi-axes of an ellipsoid of a template, m.
pub(super) fn semi_axes(points: &[TemplateSphere]) -> [f64; 3] {
    [1, 2, 3].map(|number: usize| (points[number].centre - points[0].centre).norm())
}

/// Up to this ratio of the longest to the shortest semi-axis a single ball covers an ellipsoid well enough.
const ROUND: f64 = 1.3;

/// Balls stand so many of the shortest semi-axes apart.
const SPACING: f64 = 0.9;

/// A cell of the grid is looked at at so many places each way, and one more.
const PLACES: u32 = 8;

/// What lies between them is allowed for by this.
const BETWEEN: f64 = 1.01;

/// Balls that cover an ellipsoid of a template.
///
/// The ball that touches it from inside at the point (aX, bY, ±cZ) of its surface, X² + Y² + Z² = 1, has its centre in the plane of the two longer semi-axes
/// a and b, at X(a² − c²)/a and Y(b² − c²)/b. On a grid in that plane stand balls that reach to all such points of their cells.
pub(super) fn cover(points: &[TemplateSphere]) -> Vec<TemplateSphere> {
    let centre = points[0].centre;
    let mut axes = [1, 2, 3].map(|number: usize| {
        let axis = points[number].centre - centre;
        (axis.norm(), axis)
    });
    axes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [(a, along), (b, across), (c, _)] = axes;
    if a <= ROUND * c {
        return vec![TemplateSphere { centre, radius: a }];
    }
    // Of the plane of centres, in parts of the semi-axes.
    let inner = [a, b].map(|axis| 1.0 - c * c / (axis * axis));
    let most = 2.0 * MOST_SLENDER / SPACING + 1.0;
    let cells = [a * inner[0], b * inner[1]].map(|half| (2.0 * half / (SPACING * c)).ceil().clamp(1.0, most));
    let numbers = |count: f64| {
        core::iter::successors(Some(0.0), |at| Some(at + 1.0)).take_while(move |at: &f64| *at < count)
    };
    let grid = numbers(cells[0]).flat_map(|column| numbers(cells[1]).map(move |row| [column, row]));
    let ball = |cell: [f64; 2]| {
        let low = [0, 1].map(|k| 2.0 * cell[k] / cells[k] - 1.0);
        let touched = touched(low, cells.map(|count| 2.0 / count));
        let middle = [0, 1].map(|k| {
            let ends = touched.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| {
                [low.min(place[k]), high.max(place[k])]
            });
            0.5 * (ends[0] + ends[1]) * inner[k]
        });
        let square = |&[x, y]: &[f64; 2]| {
            let [u, v] = [a * (x - middle[0]), b * (y - middle[1])];
            u * u + v * v + c * c * f64::max(0.0, 1.0 - x * x - y * y)
        };
        let radius = BETWEEN * touched.iter().map(square).fold(0.0, f64::max).sqrt();
        let centre = centre + along * middle[0] + across * middle[1];
        (!touched.is_empty()).then_some(TemplateSphere { centre, radius })
    };
    grid.filter_map(ball).collect()
}

/// Places (X, Y) in a cell and in the disc of radius one, beyond which those on its edge are taken.
fn touched(low: [f64; 2], size: [f64; 2]) -> Vec<[f64; 2]> {
    let places = (0..=PLACES).flat_map(|i| (0..=PLACES).map(move |j| [i, j]));
    let place = |at: [u32; 2]| {
        let place = [0, 1].map(|k| low[k] + size[k] * f64::from(at[k]) / f64::from(PLACES));
        let length = (place[0] * place[0] + place[1] * place[1]).sqrt().max(1.0);
        let kept = place.map(|x| x / length);
        let is_in = |k: usize| (low[k] - 1e-12..=low[k] + size[k] + 1e-12).contains(&kept[k]);
        (is_in(0) && is_in(1)).then_some(kept)
    };
    places.filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every point of the surface is in a ball, and no ball sticks out by more than a third of the shortest semi-axis.
    #[test]
    fn balls_cover_the_surface_and_stick_out_little() {
        let mut random = Random::new(1);
        for [a, b, c] in [[2.0, 2.0, 1.0], [5.0, 5.0, 1.0], [5.0, 1.0, 1.0], [3.0, 2.0, 1.0], [1.2, 1.1, 1.0]]
        {
            let points = ClumpEllipsoid::new([a, b, c]).points();
            let points = points.map(|point| TemplateSphere {
                centre: BodyVec::from_array(point.centre.to_array()),
                radius: point.radius,
            });
            let balls = cover(&points);
            for _ in 0..2000 {
                let [x, y, z] = random.direction().to_array();
                let point = BodyVec::new(a * x, b * y, c * z);
                assert!(balls.iter().any(|ball| (point - ball.centre).norm() <= ball.radius * (1.0 + 1e-12)));
            }
            let ellipsoid = solid_of_points(&points);
            for ball in &balls {
                for _ in 0..200 {
                    let n = random.direction();
                    let reach = n.dot(LabVec::from_array(ball.centre.to_array())) + ball.radius;
                    assert!(
                        reach - ellipsoid.height(n) < c / 3.0,
                        "{a} {b} {c}: {}",
                        reach - ellipsoid.height(n)
                    );
                }
            }
        }
    }

    fn solid_of_points(points: &[TemplateSphere; 4]) -> Solid<f64> {
        Solid::of_points(points.map(|point| LabVec::from_array(point.centre.to_array())), points[0].radius)
    }
}
