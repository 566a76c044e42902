//! Sizes of bodies: how they are distributed, by number or by mass, between a smallest and a largest.
//!
//! The mass of bodies of one shape goes with the cube of their size, so a density f of sizes d by mass is one of f d⁻³ by
//! number. All that is asked of a distribution are integrals of f dᵖ with p of −3, 0 and 3, and the inverse of one of
//! them: in closed form for sieve curves and log-normal sizes, and for the others where p is 0; else by quadrature (`grid`).

mod grid;
mod law;
mod sieve;

pub use law::SizeLaw;

use super::error::{PlacementError, positive};
use crate::clump::ClumpTemplate;
use crate::id::TemplateId;
use crate::random::Random;
use core::f64::consts::PI;
use grid::Grid;
use tumble_math::elementary;

/// What parts of a population are parts of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Of the number of bodies.
    Number,
    /// Of their mass.
    Mass,
}

/// A distribution of sizes between a smallest and a largest.
///
/// ```
/// use tumble_dem::placement::{By, SizeDistribution, SizeLaw};
/// let law = SizeLaw::LogNormal { median: 2e-3, sigma: 0.3 };
/// let sizes = SizeDistribution::new(law, By::Mass, [1e-3, 4e-3])?;
/// // Half of the mass is below the median, but most of the bodies are.
/// assert!((sizes.below(By::Mass, 2e-3) - 0.5).abs() < 0.01);
/// assert!(sizes.below(By::Number, 2e-3) > 0.75);
/// # Ok::<(), tumble_dem::placement::PlacementError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SizeDistribution {
    /// Its density times d to the power of `power` is that of numbers.
    law: SizeLaw,
    power: Power,
    ends: [f64; 2],
    /// The integral of the density of numbers.
    total: f64,
    /// For laws that have no inverse in closed form.
    grid: Option<Grid>,
}

/// The exponents that occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    MinusThree,
    Zero,
    Three,
}

impl Power {
    /// xᵖ
    fn of(self, x: f64) -> f64 {
        match self {
            Self::MinusThree => 1.0 / (x * x * x),
            Self::Zero => 1.0,
            Self::Three => x * x * x,
        }
    }

    /// The power of masses, where this is that of numbers; there is no need for six.
    fn of_mass(self) -> Self {
        match self {
            Self::MinusThree => Self::Zero,
            Self::Zero | Self::Three => Self::Three,
        }
    }
}

/// A distribution has at least this part of itself between its ends; else they are in another unit.
const LEAST_PART: f64 = 1e-6;

impl SizeDistribution {
    /// Sizes of a law that says which part, by number or by mass, is below a size; cut off at the ends, m.
    pub fn new(law: SizeLaw, by: By, ends: [f64; 2]) -> Result<Self, PlacementError> {
        law.check()?;
        let [low, high] = ends;
        positive("smallest size", low)?;
        positive("largest size", high)?;
        if low >= high {
            let value = format!("{high} m");
            return Err(PlacementError::Invalid {
                what: "largest size",
                value,
                expected: "more than the smallest",
            });
        }
        let part = law.below(high) - law.below(low);
        if part.is_nan() || part < LEAST_PART {
            return Err(PlacementError::Invalid {
                what: "part of the distribution between the smallest and the largest size",
                value: format!("{part:.1e}"),
                expected: "at least a millionth: are the sizes in the same unit?",
            });
        }
        // Log-normal sizes stay so in numbers: only their median is another.
        let (law, power) = match (law, by) {
            (law, By::Number) => (law, Power::Zero),
            (SizeLaw::LogNormal { median, sigma }, By::Mass) => {
                let median = median * elementary::exp(-3.0 * sigma * sigma);
                (SizeLaw::LogNormal { median, sigma }, Power::Zero)
            }
            (law, By::Mass) => (law, Power::MinusThree),
        };
        let mut sizes = Self { law, power, ends, total: 1.0, grid: None };
        sizes.total = sizes.moment(power, low, high);
        if !sizes.total.is_normal() {
            return Err(PlacementError::Invalid {
                what: "number of bodies between the smallest and the largest size",
                value: format!("{:e}", sizes.total),
                expected: "a number that can be computed: a narrower range of sizes",
            });
        }
        let is_closed = power == Power::Zero || matches!(sizes.law, SizeLaw::Table { .. });
        sizes.grid = (!is_closed).then(|| Grid::new(&sizes.law, power, sizes.ends));
        Ok(sizes)
    }

    /// The smallest size, m.
    pub fn smallest(&self) -> f64 {
        self.ends[0]
    }

    /// The largest size, m.
    pub fn largest(&self) -> f64 {
        self.ends[1]
    }

    /// Which part of the bodies, or of their mass, is below a size, m.
    pub fn below(&self, by: By, size: f64) -> f64 {
        let [low, high] = self.ends;
        let power = if by == By::Number { self.power } else { self.power.of_mass() };
        let size = size.clamp(low, high);
        (self.moment(power, low, size) / self.moment(power, low, high)).clamp(0.0, 1.0)
    }

    /// The size below which this part of the number of bodies is, m.
    pub fn quantile(&self, part: f64) -> f64 {
        let [low, high] = self.ends;
        let size = match (&self.grid, &self.law) {
            (Some(grid), law) => grid.quantile(law, part),
            (None, SizeLaw::Table { sizes, passing }) => {
                law::table_quantile(sizes, passing, self.power, self.ends, part * self.total)
            }
            (None, law) => {
                let [below, above] = [low, high].map(|size| law.below(size));
                law.quantile(below + part * (above - below))
            }
        };
        size.clamp(low, high)
    }

    /// Draws a size, m, from one uniform number.
    pub fn draw(&self, random: &mut Random) -> f64 {
        self.quantile(random.uniform())
    }

    /// The mean of the cubes of the sizes of all bodies, m³.
    pub fn mean_cube(&self) -> f64 {
        let [low, high] = self.ends;
        let unit = high * high * high;
        self.moment(self.power.of_mass(), low, high) / self.total * unit
    }

    /// The integral of the law's density times (d/largest)ᵖ.
    fn moment(&self, power: Power, low: f64, high: f64) -> f64 {
        match (&self.law, power) {
            (SizeLaw::Table { sizes, passing }, _) => {
                law::table_moment(sizes, passing, power, [low, high], self.ends[1])
            }
            (law, Power::Zero) => law.below(high) - law.below(low),
            (SizeLaw::LogNormal { median, sigma }, _) => law::log_normal_moment(
                median / self.ends[1],
                *sigma,
                power,
                [low, high].map(|d| d / self.ends[1]),
            ),
            (law, _) => grid::integral(law, power, [low, high], self.ends[1]),
        }
    }
}

/// Which length of a body is its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeMeasure {
    /// The diameter of the sphere of the same volume.
    Volume,
    /// The longest extent: the largest distance between two points of the body.
    Longest,
    /// The side of the smallest square opening of a sieve that it passes, going straight through in the best orientation.
    Sieve,
}

impl SizeMeasure {
    /// The size of a template, m.
    pub fn of(self, template: &ClumpTemplate) -> f64 {
        match self {
            Self::Volume => elementary::cbrt(template.volume() * 6.0 / PI),
            Self::Sieve => sieve::opening(&sieve::extents(template)),
            Self::Longest => {
                let ellipsoids = sieve::Extent::of_ellipsoids(template);
                let spheres = &template.spheres()[..template.touching_spheres()];
                // A sphere within another reaches no farther than that does.
                let mut longest: f64 = sieve::longest(&ellipsoids, spheres);
                for (number, a) in spheres.iter().enumerate() {
                    for b in &spheres[number..] {
                        longest = longest.max((a.centre - b.centre).norm() + a.radius + b.radius);
                    }
                }
                longest
            }
        }
    }
}

/// Sizes for the templates of a world: what has a template to be scaled by for a size?
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    distribution: SizeDistribution,
    /// The size of each template.
    templates: Vec<f64>,
}

impl Sizes {
    /// Sizes of a distribution for bodies of these templates.
    pub fn new(
        distribution: SizeDistribution,
        measure: SizeMeasure,
        templates: &[impl AsRef<ClumpTemplate>],
    ) -> Self {
        let templates = templates.iter().map(|template| measure.of(template.as_ref())).collect();
        Self { distribution, templates }
    }

    /// The distribution.
    pub fn distribution(&self) -> &SizeDistribution {
        &self.distribution
    }

    /// The size of a body of this template in this scale, m.
    pub fn size(&self, template: TemplateId, scale: f64) -> f64 {
        self.of_template(template) * scale
    }

    pub(super) fn scale(&self, template: TemplateId, size: f64) -> f64 {
        size / self.of_template(template)
    }

    fn of_template(&self, template: TemplateId) -> f64 {
        self.templates.get(usize::from(template.0)).copied().unwrap_or(1.0)
    }
}
