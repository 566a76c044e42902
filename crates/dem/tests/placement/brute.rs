//! Distances between bodies by looking at all pairs.

use tumble_dem::domain::{Axis, Domain};
use tumble_dem::{Body, LabVec, World};

/// The spheres of a body: centre in the lab, radius.
pub(crate) fn spheres(world: &World, body: &Body) -> Vec<(LabVec<f64>, f64)> {
    let template = &world.templates[usize::from(body.template.0)];
    let place = |s: &tumble_dem::clump::TemplateSphere| {
        (body.position + body.orientation.to_lab(s.centre * body.scale), s.radius * body.scale)
    };
    template.spheres().iter().map(place).collect()
}

/// All images of a point in a domain that matter: its own, and those of the neighbouring periods.
fn images(domain: &Domain) -> Vec<LabVec<f64>> {
    let shifts = domain.axes.map(|axis| match axis {
        Axis::Open => vec![0.0],
        Axis::Periodic { low, high } => vec![low - high, 0.0, high - low],
    });
    let [xs, ys, zs] = &shifts;
    let yz = |x: f64| ys.iter().flat_map(move |&y| zs.iter().map(move |&z| LabVec::new(x, y, z)));
    xs.iter().flat_map(|&x| yz(x)).collect()
}

/// The least distance of two spheres of different bodies, as a part of the sum of their radii: below one they
/// overlap. NaN if a number is.
pub(crate) fn least_gap(world: &World, bodies: &[Body]) -> f64 {
    let all: Vec<_> = bodies.iter().map(|body| spheres(world, body)).collect();
    let reach =
        |body: &Body| world.templates[usize::from(body.template.0)].bounding_radius() * body.scale * 1.1;
    let images = images(&world.domain);
    let mut least = f64::INFINITY;
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate().skip(i + 1) {
            for &shift in &images {
                if (a.position - b.position - shift).norm() > reach(a) + reach(b) {
                    continue;
                }
                for &(p, r) in &all[i] {
                    for &(q, s) in &all[j] {
                        let part = (p - q - shift).norm() / (r + s);
                        least = if part.is_nan() || part < least { part } else { least };
                    }
                }
            }
        }
    }
    let finite =
        bodies.iter().all(|body| body.position.norm().is_finite() && body.orientation.norm().is_finite());
    if finite { least } else { f64::NAN }
}

/// The least distance of a sphere from the faces of a box, as a part of its radius, along the axes marked.
pub(crate) fn least_inside(
    world: &World,
    bodies: &[Body],
    low: LabVec<f64>,
    high: LabVec<f64>,
    axes: [bool; 3],
) -> f64 {
    let (low, high) = (low.to_array(), high.to_array());
    let mut least = f64::INFINITY;
    for (centre, radius) in bodies.iter().flat_map(|body| spheres(world, body)) {
        for axis in (0..3).filter(|&axis| axes[axis]) {
            let x = centre.to_array()[axis];
            least = least.min((x - low[axis]) / radius).min((high[axis] - x) / radius);
        }
    }
    least
}
