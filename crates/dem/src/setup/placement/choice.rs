//! What the bodies of a population are like: drawn one by one from a seeded generator.

use super::error::{PlacementError, finite, not_negative, positive};
use super::size::Sizes;
use crate::clump::ClumpTemplate;
use crate::heat::ROOM;
use crate::id::{MaterialId, TemplateId};
use crate::random::Random;
use crate::world::Body;
use std::sync::Arc;
use tumble_math::{LabVec, Quat};

/// How bodies of a population are drawn: which templates, and how large, turned and moved they are.
///
/// ```
/// use tumble_dem::TemplateId;
/// use tumble_dem::placement::{Choice, Orientation, Scale, Velocity};
/// use tumble_dem::random::Random;
/// let (rod, cross) = (TemplateId(0), TemplateId(1));
/// let choice = Choice {
///     scale: Scale::Uniform { low: 0.8, high: 1.2 },
///     orientation: Orientation::Random,
///     velocity: Velocity::Maxwell { sigma: 0.3 },
///     ..Choice::weighted(&[(rod, 1.0), (cross, 2.0)])?
/// };
/// let body = choice.draw(&mut Random::new(1));
/// assert!((0.8..1.2).contains(&body.scale));
/// # Ok::<(), tumble_dem::placement::PlacementError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Which templates, and how many of each.
    pub templates: Mix,
    /// The material of all of them, by its number.
    pub material: MaterialId,
    /// Size relative to the template.
    pub scale: Scale,
    /// How they are turned.
    pub orientation: Orientation,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Velocity,
    /// Angular velocity in the lab frame, rad/s.
    pub spin: Velocity,
    /// Whether they keep their velocity whatever pushes them.
    pub held: bool,
    /// K.
    pub temperature: f64,
    /// Liquid on each body, m³.
    pub film: f64,
}

/// Templates with weights; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// Each with the sum of all weights up to its own. The last sum is positive.
    sums: Vec<(TemplateId, f64)>,
}

/// The sizes of bodies relative to their templates.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// All the same.
    Fixed(f64),
    /// Any size between two is as likely as any other.
    Uniform {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// As sizes in metres are distributed.
    Sizes(Arc<Sizes>),
}

/// The orientations of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// All the same: this takes vectors along the template's principal axes to the lab.
    Fixed(Quat<f64>),
    /// Any orientation is as likely as any other.
    Random,
}

/// The velocities of bodies in m/s, or their angular velocities in the lab frame in rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Velocity {
    /// All the same.
    Fixed(LabVec<f64>),
    /// One speed, any direction.
    RandomDirection {
        /// m/s or rad/s
        speed: f64,
    },
    /// Each component is normal, as in a gas.
    Maxwell {
        /// The standard deviation of each component, m/s or rad/s.
        sigma: f64,
    },
}

impl Choice {
    /// Bodies of one template and the first material: in full size, not turned, at rest.
    pub fn of(template: TemplateId) -> Self {
        Self {
            templates: Mix { sums: vec![(template, 1.0)] },
            material: MaterialId(0),
            scale: Scale::Fixed(1.0),
            orientation: Orientation::Fixed(Quat::identity()),
            velocity: Velocity::Fixed(LabVec::zero()),
            spin: Velocity::Fixed(LabVec::zero()),
            held: false,
            temperature: ROOM,
            film: 0.0,
        }
    }

    /// The same of several templates, each as often as its weight says.
    pub fn weighted(templates: &[(TemplateId, f64)]) -> Result<Self, PlacementError> {
        Ok(Self { templates: Mix::new(templates)?, ..Self::of(TemplateId(0)) })
    }

    /// Draws a body; it is at the origin.
    ///
    /// What there is to draw, is drawn in this order: template, scale, orientation, velocity, spin.
    pub fn draw(&self, random: &mut Random) -> Body {
        let template = self.templates.draw(random);
        Body {
            material: self.material,
            scale: self.scale.draw(template, random),
            orientation: self.orientation.draw(random),
            velocity: self.velocity.draw(random),
            angular_velocity: self.spin.draw(random),
            held: self.held,
            temperature: self.temperature,
            film: self.film,
            ..Body::at(template, LabVec::zero())
        }
    }

    /// Checks that such bodies can be drawn in a world with this many templates.
    pub fn check(&self, templates: usize) -> Result<(), PlacementError> {
        let unknown = |(id, _): &(TemplateId, f64)| usize::from(id.0) >= templates;
        if let Some((TemplateId(number), _)) = self.templates.parts().find(unknown) {
            return Err(PlacementError::UnknownTemplate { number, count: templates });
        }
        self.scale.check()?;
        self.orientation.check()?;
        self.velocity.check("velocity of the bodies")?;
        self.spin.check("spin of the bodies")?;
        not_negative("film of the bodies", self.film)?;
        positive("temperature of the bodies", self.temperature)
    }

    /// The volume of a body on average, m³.
    pub(super) fn mean_volume(&self, shapes: &[&ClumpTemplate]) -> f64 {
        let volume = |id: TemplateId| shapes.get(usize::from(id.0)).map_or(0.0, |shape| shape.volume());
        self.templates.parts().map(|(id, part)| part * volume(id) * self.scale.mean_cube(id)).sum()
    }

    /// Those of all templates that can be drawn, each with its largest scale.
    pub(super) fn shapes<'a>(
        &self,
        all: &[&'a ClumpTemplate],
    ) -> impl Iterator<Item = (&'a ClumpTemplate, f64)> {
        let drawn = self.templates.parts().filter(|&(_, part)| part > 0.0);
        drawn.filter_map(|(id, _)| Some((*all.get(usize::from(id.0))?, self.scale.range(id)[1])))
    }

    /// The largest of something that goes with the size, over all bodies that can be drawn.
    pub(super) fn largest(&self, all: &[&ClumpTemplate], of: impl Fn(&ClumpTemplate) -> f64) -> f64 {
        self.shapes(all).map(|(shape, scale)| of(shape) * scale).fold(0.0, f64::max)
    }
}

impl Mix {
    /// Templates, each with its weight: not negative, and not all zero.
    pub fn new(templates: &[(TemplateId, f64)]) -> Result<Self, PlacementError> {
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(templates.len());
        for &(template, weight) in templates {
            not_negative("weight of a template", weight)?;
            sum += weight;
            sums.push((template, sum));
        }
        positive("sum of the weights of all templates", sum)?;
        Ok(Self { sums })
    }

    /// The same, where weights are of mass: as many bodies of each template as have that mass in such sizes.
    pub fn by_mass(
        templates: &[(TemplateId, f64)],
        scale: &Scale,
        shapes: &[impl AsRef<ClumpTemplate>],
    ) -> Result<Self, PlacementError> {
        let number = |&(id, weight): &(TemplateId, f64)| {
            let volume = shapes.get(usize::from(id.0)).map_or(1.0, |shape| shape.as_ref().volume());
            (id, weight / (volume * scale.mean_cube(id)))
        };
        Self::new(&templates.iter().map(number).collect::<Vec<_>>())
    }

    /// The templates, each with the part of all bodies that are of it.
    pub fn parts(&self) -> impl Iterator<Item = (TemplateId, f64)> {
        let before = core::iter::once(0.0).chain(self.sums.iter().map(|&(_, sum)| sum));
        let total = self.total();
        self.sums.iter().zip(before).map(move |(&(id, sum), before)| (id, (sum - before) / total))
    }

    /// Draws a template.
    pub fn draw(&self, random: &mut Random) -> TemplateId {
        if let [(only, _)] = *self.sums {
            return only;
        }
        let at = random.between(0.0, self.total());
        // Rounding up to the total itself counts for the first, which is as good as any.
        let drawn = self.sums.iter().find(|&&(_, sum)| at < sum).or(self.sums.first());
        drawn.map_or(TemplateId(0), |&(template, _)| template)
    }

    fn total(&self) -> f64 {
        self.sums.last().map_or(1.0, |&(_, sum)| sum)
    }
}

impl Scale {
    /// Draws a size for a body of a template.
    pub fn draw(&self, template: TemplateId, random: &mut Random) -> f64 {
        match self {
            Self::Fixed(scale) => *scale,
            Self::Uniform { low, high } => random.between(*low, *high),
            Self::Sizes(sizes) => sizes.scale(template, sizes.distribution().draw(random)),
        }
    }

    /// The smallest and the largest size of bodies of a template.
    pub fn range(&self, template: TemplateId) -> [f64; 2] {
        match self {
            Self::Fixed(scale) => [*scale; 2],
            Self::Uniform { low, high } => [*low, *high],
            Self::Sizes(sizes) => {
                let distribution = sizes.distribution();
                [distribution.smallest(), distribution.largest()].map(|size| sizes.scale(template, size))
            }
        }
    }

    fn check(&self) -> Result<(), PlacementError> {
        match *self {
            Self::Fixed(scale) => positive("scale of the bodies", scale),
            Self::Uniform { low, high } => {
                positive("smallest scale of the bodies", low)?;
                positive("largest scale of the bodies", high)?;
                not_negative("largest less the smallest scale of the bodies", high - low)
            }
            Self::Sizes(_) => Ok(()),
        }
    }

    /// The mean of the cubes of the sizes of bodies of a template.
    pub fn mean_cube(&self, template: TemplateId) -> f64 {
        match self {
            Self::Fixed(scale) => scale * scale * scale,
            // (h⁴ − l⁴)/4(h − l)
            Self::Uniform { low, high } => 0.25 * (low + high) * (low * low + high * high),
            Self::Sizes(sizes) => {
                let one = sizes.scale(template, 1.0);
                sizes.distribution().mean_cube() * (one * one * one)
            }
        }
    }
}

impl Orientation {
    /// Draws an orientation.
    pub fn draw(self, random: &mut Random) -> Quat<f64> {
        match self {
            Self::Fixed(orientation) => orientation,
            Self::Random => random.orientation(),
        }
    }

    fn check(self) -> Result<(), PlacementError> {
        match self {
            Self::Fixed(q) if (q.norm() - 1.0).abs() <= 1e-6 => Ok(()),
            Self::Fixed(q) => Err(PlacementError::Invalid {
                what: "orientation of the bodies",
                value: format!("{:?}", q.to_array()),
                expected: "a unit quaternion (w, x, y, z)",
            }),
            Self::Random => Ok(()),
        }
    }
}

impl Velocity {
    /// Draws a velocity.
    pub fn draw(self, random: &mut Random) -> LabVec<f64> {
        match self {
            Self::Fixed(velocity) => velocity,
            Self::RandomDirection { speed } => random.direction() * speed,
            Self::Maxwell { sigma } => {
                let (x, y, z) = (random.normal(), random.normal(), random.normal());
                LabVec::new(x, y, z) * sigma
            }
        }
    }

    fn check(self, what: &'static str) -> Result<(), PlacementError> {
        match self {
            Self::Fixed(velocity) => finite(what, velocity),
            Self::RandomDirection { speed: number } | Self::Maxwell { sigma: number } => {
                not_negative(what, number)
            }
        }
    }
}
