//! Sizes: what a scene says of how large its bodies are, as a distribution of the engine.

use super::populate::Failed;
use crate::diagnostic::Problem;
use crate::keys::{self, Make};
use std::sync::Arc;
use tumble_dem::World;
use tumble_dem::placement::{By, Scale, SizeDistribution, SizeLaw, Sizes};

/// How large the bodies of a population or a stream are.
pub(super) fn scale(make: &Make<'_>, world: &World) -> Result<Scale, Failed> {
    Ok(match (sizes(make, world)?, make.scale) {
        (Some(sizes), _) => Scale::Sizes(sizes),
        (None, keys::Scale::Fixed(scale)) => Scale::Fixed(scale),
        (None, keys::Scale::Uniform([low, high])) => Scale::Uniform { low, high },
    })
}

/// The sizes of a population, if it has them in metres.
pub(super) fn sizes(make: &Make<'_>, world: &World) -> Result<Option<Arc<Sizes>>, Failed> {
    let Some(size) = make.size else { return Ok(None) };
    let (law, usual) = law(size);
    let first = size.sieves.as_ref().and_then(|curve| curve.sizes.first()).copied();
    let last = size.sieves.as_ref().and_then(|curve| curve.sizes.last()).copied();
    // All but sieve curves have both.
    let ends = [size.min.or(first).unwrap_or_default(), size.max.or(last).unwrap_or_default()];
    let distribution = SizeDistribution::new(law, size.by.unwrap_or(usual), ends).map_err(|error| {
        Box::new(Problem::error(size.places.table(), error.to_string()).label("these sizes"))
    })?;
    Ok(Some(Arc::new(Sizes::new(distribution, size.of, &world.templates))))
}

/// The law, and what it is of where nothing is said.
fn law(size: &keys::Size) -> (SizeLaw, By) {
    if let Some(keys::Sieves { sizes, passing, .. }) = &size.sieves {
        return (SizeLaw::Table { sizes: sizes.clone(), passing: passing.clone() }, By::Mass);
    }
    if let Some(keys::Normal { mean, deviation, .. }) = size.normal {
        return (SizeLaw::Normal { mean, deviation }, By::Number);
    }
    if let Some(keys::LogNormal { median, sigma, .. }) = size.lognormal {
        return (SizeLaw::LogNormal { median, sigma }, By::Number);
    }
    if let Some(keys::Weibull { scale, shape, .. }) = size.weibull {
        return (SizeLaw::Weibull { scale, shape }, By::Number);
    }
    // Exactly one of them is given.
    let (d63, exponent) = size.rosin_rammler.as_ref().map_or((1.0, 1.0), |law| (law.d63, law.exponent));
    (SizeLaw::Weibull { scale: d63, shape: exponent }, By::Mass)
}
