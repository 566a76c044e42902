//! Regions that bodies are put into, or come in through.

use super::error::{PlacementError, cylinder, finite, inside, positive};
use super::room::Outline;
use crate::random::Random;
use core::f64::consts::PI;
use std::sync::Arc;
use tumble_math::LabVec;

/// Where bodies are put, m.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// A box; bodies are in it with all their spheres, except along a periodic axis of the world that it covers: there
    /// they may stick out of it.
    Box {
        /// The corner with the smallest coordinates.
        low: LabVec<f64>,
        /// The corner with the largest coordinates.
        high: LabVec<f64>,
    },
    /// A cylinder with its ends; bodies are in it with all their spheres.
    Cylinder {
        /// The middle of one end.
        from: LabVec<f64>,
        /// The middle of the other.
        to: LabVec<f64>,
        /// Its radius.
        radius: f64,
    },
    /// A flat disc: bodies have their centre of mass on it, and seen along its normal all their spheres are in it.
    Disc {
        /// Its middle.
        centre: LabVec<f64>,
        /// Square to it, of any length.
        normal: LabVec<f64>,
        /// Its radius.
        radius: f64,
    },
    /// Any surface: bodies have their centre of mass on it.
    Surface(Arc<Surface>),
}

/// A surface of triangles, each point of which is as likely as any other.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    triangles: Vec<[LabVec<f64>; 3]>,
    /// The area up to each.
    sums: Vec<f64>,
}

impl Surface {
    /// The surface of these triangles.
    pub fn new(triangles: Vec<[LabVec<f64>; 3]>) -> Result<Self, PlacementError> {
        let mut sums = Vec::with_capacity(triangles.len());
        let mut sum = 0.0;
        for &[a, b, c] in &triangles {
            [a, b, c].into_iter().try_for_each(|corner| finite("corner of a triangle", corner))?;
            sum += 0.5 * (b - a).cross(c - a).norm();
            sums.push(sum);
        }
        positive("area of the surface of the stream", sum)?;
        Ok(Self { triangles, sums })
    }

    /// Its triangles.
    pub fn triangles(&self) -> &[[LabVec<f64>; 3]] {
        &self.triangles
    }

    /// Its area, m².
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or_default()
    }

    fn draw(&self, random: &mut Random) -> LabVec<f64> {
        let at = random.between(0.0, self.area());
        let number = self.sums.partition_point(|&sum| sum <= at).min(self.triangles.len() - 1);
        let (mut u, mut v) = (random.uniform(), random.uniform());
        // The other half of the parallelogram is turned onto this one.
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let [a, b, c] = self.triangles[number];
        a + (b - a) * u + (c - a) * v
    }
}

impl Region {
    pub(super) fn check(&self) -> Result<(), PlacementError> {
        match self {
            Self::Box { low, high } => inside(*low, *high),
            Self::Cylinder { from, to, radius } => cylinder(*from, *to, *radius),
            Self::Disc { centre, normal, radius } => {
                finite("middle of the disc", *centre)?;
                finite("normal of the disc", *normal)?;
                positive("radius of the disc", *radius)?;
                positive("length of the normal of the disc", normal.norm())
            }
            // Checked when it was made.
            Self::Surface(_) => Ok(()),
        }
    }

    /// The corners of a box around it.
    pub fn bounds(&self) -> [LabVec<f64>; 2] {
        // A circle of radius R across a unit axis reaches R√(1 − nᵢ²) along the axis i.
        let around = |centre: LabVec<f64>, axis: LabVec<f64>, radius: f64| {
            let reach = axis.to_array().map(|n| radius * (1.0 - n * n).max(0.0).sqrt());
            let reach = LabVec::from_array(reach);
            [centre - reach, centre + reach]
        };
        match self {
            Self::Box { low, high } => [*low, *high],
            Self::Cylinder { from, to, radius } => {
                let axis = (*to - *from).unit();
                let ([a, b], [c, d]) = (around(*from, axis, *radius), around(*to, axis, *radius));
                [least(a, c), most(b, d)]
            }
            Self::Disc { centre, normal, radius } => around(*centre, normal.unit(), *radius),
            Self::Surface(surface) => {
                let corners = || surface.triangles.iter().flatten().copied();
                let any = corners().next().unwrap_or_else(LabVec::zero);
                [corners().fold(any, least), corners().fold(any, most)]
            }
        }
    }

    /// Its volume, m³; zero for a surface.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Box { low, high } => {
                let [x, y, z] = (*high - *low).to_array();
                x * y * z
            }
            Self::Cylinder { from, to, radius } => PI * radius * radius * (*to - *from).norm(),
            Self::Disc { .. } | Self::Surface(_) => 0.0,
        }
    }

    /// The cylinder that this is.
    pub(super) fn tube(&self) -> Option<Tube> {
        match self {
            Self::Cylinder { from, to, radius } => Some(Tube::new(*from, *to - *from, *radius)),
            _ => None,
        }
    }

    /// Draws a place for the centre of a body with such spheres about it; none where it would stick out. A box is the
    /// affair of the room, which knows what is periodic.
    pub(super) fn draw(&self, outline: &Outline, random: &mut Random) -> Option<LabVec<f64>> {
        match self {
            Self::Box { .. } => None,
            Self::Cylinder { from, to, radius } => {
                let tube = Tube::new(*from, *to - *from, *radius);
                let ends = outline.iter().map(|&(centre, radius)| (centre.dot(tube.axis), radius));
                let [down, up] = ends.fold([0.0, 0.0], |[down, up], (x, radius)| {
                    [f64::max(down, radius - x), f64::max(up, radius + x)]
                });
                let along = random.between(down, tube.length - up);
                let place = *from + tube.axis * along + tube.draw_across(random);
                (down + up <= tube.length && tube.holds(place, outline)).then_some(place)
            }
            Self::Disc { centre, normal, radius } => {
                let tube = Tube::new(*centre, *normal, *radius);
                let place = *centre + tube.draw_across(random);
                tube.holds(place, outline).then_some(place)
            }
            Self::Surface(surface) => Some(surface.draw(random)),
        }
    }
}

/// A tube about an axis from a point on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tube {
    pub(super) from: LabVec<f64>,
    pub(super) axis: LabVec<f64>,
    pub(super) length: f64,
    pub(super) radius: f64,
}

impl Tube {
    pub(super) fn new(from: LabVec<f64>, along: LabVec<f64>, radius: f64) -> Self {
        Self { from, axis: along.unit(), length: along.norm(), radius }
    }

    /// How far along the axis a point is, and the vector to it from the axis.
    pub(super) fn parts(&self, point: LabVec<f64>) -> (f64, LabVec<f64>) {
        let away = point - self.from;
        let along = away.dot(self.axis);
        (along, away - self.axis * along)
    }

    /// Whether no sphere sticks out of its side.
    fn holds(&self, place: LabVec<f64>, outline: &Outline) -> bool {
        outline.iter().all(|&(centre, radius)| self.parts(place + centre).1.norm() + radius <= self.radius)
    }

    /// A vector from the axis to any point of its cross-section.
    fn draw_across(&self, random: &mut Random) -> LabVec<f64> {
        let first = self.axis.cross(self.axis.farthest_axis()).unit();
        let second = self.axis.cross(first);
        loop {
            let (a, b) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            if a * a + b * b <= 1.0 {
                return (first * a + second * b) * self.radius;
            }
        }
    }
}

fn least(a: LabVec<f64>, b: LabVec<f64>) -> LabVec<f64> {
    LabVec::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z))
}

fn most(a: LabVec<f64>, b: LabVec<f64>) -> LabVec<f64> {
    LabVec::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z))
}
