//! How much of a sphere lies in a region.
//!
//! Two spheres share a lens, in closed form. Of a box and of a cylinder the sphere is cut into slices: a circle and a
//! rectangle, or two circles, share an area in closed form, which is integrated along the third axis between the places where
//! it is not smooth.

use core::f64::consts::PI;
use tumble_dem::LabVec;
use tumble_math::elementary::atan2;

/// The volume that two spheres share; `distance` is that of their centres.
pub(crate) fn sphere_in_sphere(a: f64, b: f64, distance: f64) -> f64 {
    let smaller = a.min(b);
    if distance >= a + b {
        return 0.0;
    }
    if distance <= (a - b).abs() {
        return 4.0 / 3.0 * PI * smaller * smaller * smaller;
    }
    let reach = a + b - distance;
    let d = distance;
    PI * reach * reach * (d * d + 2.0 * d * (a + b) - 3.0 * (a - b) * (a - b)) / (12.0 * d)
}

/// The volume of a sphere about `centre` in a box along the axes.
pub(crate) fn sphere_in_box(centre: LabVec<f64>, radius: f64, low: LabVec<f64>, high: LabVec<f64>) -> f64 {
    let [low, high] = [low, high].map(|corner| (corner - centre).to_array());
    // The half plane sums below work with corners beyond the circle too.
    let ends = |axis: usize| [low[axis].clamp(-radius, radius), high[axis].clamp(-radius, radius)];
    let ([x0, x1], [y0, y1], [z0, z1]) = (ends(0), ends(1), ends(2));
    let mut kinks = Vec::with_capacity(16);
    for x in [x0, x1] {
        kinks.push(x.abs());
        kinks.extend([y0, y1].map(|y| (x * x + y * y).sqrt()));
    }
    kinks.extend([y0, y1].map(f64::abs));
    slices(radius, 0.0, z0, z1, &kinks, |rho| {
        let corner = |x, y| quadrant(rho, x, y);
        (corner(x1, y1) - corner(x0, y1) - corner(x1, y0) + corner(x0, y0)).max(0.0)
    })
}

/// The volume of a sphere in a cylinder from 0 to `length`: its centre is at `height` along the axis and at `distance` from it.
pub(crate) fn sphere_in_cylinder(
    radius: f64,
    height: f64,
    distance: f64,
    length: f64,
    of_cylinder: f64,
) -> f64 {
    let (low, high) = ((height - radius).max(0.0), (height + radius).min(length));
    let kinks = [(distance - of_cylinder).abs(), distance + of_cylinder];
    slices(radius, height, low, high, &kinks, |rho| lens(rho, of_cylinder, distance))
}

/// The area of a disc of radius ρ about the origin that has x below `a` and y below `b`.
fn quadrant(rho: f64, a: f64, b: f64) -> f64 {
    let (a, b) = (a.clamp(-rho, rho), b.clamp(-rho, rho));
    if a * a + b * b >= rho * rho {
        return match (a >= 0.0, b >= 0.0) {
            (true, true) => below(rho, a) + below(rho, b) - PI * rho * rho,
            (true, false) => below(rho, b),
            (false, true) => below(rho, a),
            (false, false) => 0.0,
        };
    }
    0.5 * (below(rho, a) + below(rho, b)) - 0.25 * PI * rho * rho + a * b
}

/// The area of a disc of radius ρ about the origin that has x below `a`.
fn below(rho: f64, a: f64) -> f64 {
    let half = (rho * rho - a * a).max(0.0).sqrt();
    rho * rho * (0.5 * PI + atan2(a, half)) + a * half
}

/// The area that two discs share; `distance` is that of their centres.
fn lens(a: f64, b: f64, distance: f64) -> f64 {
    if distance >= a + b {
        return 0.0;
    }
    if distance <= (a - b).abs() {
        let smaller = a.min(b);
        return PI * smaller * smaller;
    }
    // From the centre of a to the chord.
    let chord = (distance * distance + a * a - b * b) / (2.0 * distance);
    // Each disc beyond the chord.
    (PI * a * a - below(a, chord)) + (PI * b * b - below(b, distance - chord))
}

/// The integral of `area` of the radius of the slice, over heights from `low` to `high`. `kinks` are radii at which it is not
/// smooth.
fn slices(radius: f64, centre: f64, low: f64, high: f64, kinks: &[f64], area: impl Fn(f64) -> f64) -> f64 {
    if high <= low {
        return 0.0;
    }
    let mut cuts = vec![low, high];
    for kink in kinks.iter().filter(|kink| **kink < radius) {
        let half = (radius * radius - kink * kink).sqrt();
        cuts.extend([centre - half, centre + half].into_iter().filter(|cut| *cut > low && *cut < high));
    }
    cuts.push(centre.clamp(low, high));
    cuts.sort_by(f64::total_cmp);
    let slice = |height: f64| {
        let above = height - centre;
        area((radius * radius - above * above).max(0.0).sqrt())
    };
    cuts.windows(2).map(|piece| integral(piece[0], piece[1], slice)).sum()
}

/// Nodes and weights of Gauss and Legendre with 24 points, of the positive half.
const NODES: [(f64, f64); 12] = [
    (0.064_056_892_862_605_63, 0.127_938_195_346_752_16),
    (0.191_118_867_473_616_3, 0.125_837_456_346_828_3),
    (0.315_042_679_696_163_4, 0.121_670_472_927_803_39),
    (0.433_793_507_626_045_1, 0.115_505_668_053_725_6),
    (0.545_421_471_388_839_6, 0.107_444_270_115_965_63),
    (0.648_093_651_936_975_5, 0.097_618_652_104_113_88),
    (0.740_124_191_578_554_4, 0.086_190_161_531_953_27),
    (0.820_001_985_973_903, 0.073_346_481_411_080_3),
    (0.886_415_527_004_401_1, 0.059_298_584_915_436_78),
    (0.938_274_552_002_732_8, 0.044_277_438_817_419_81),
    (0.974_728_555_971_309_5, 0.028_531_388_628_933_663),
    (0.995_187_219_997_021_3, 0.012_341_229_799_987_2),
];

/// The integral of a function that is smooth but for roots at its ends, which a substitution takes away.
fn integral(low: f64, high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let at = |u: f64| {
        let place = 0.5 * u * (3.0 - u * u);
        function(middle + half * place) * 1.5 * (1.0 - u * u)
    };
    half * NODES.iter().map(|(node, weight)| weight * (at(*node) + at(-*node))).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(radius: f64) -> f64 {
        4.0 / 3.0 * PI * radius * radius * radius
    }

    /// The part of the ball of radius 1 that is higher than h.
    fn cap(h: f64) -> f64 {
        PI * (1.0 - h) * (1.0 - h) * (2.0 + h) / 3.0
    }

    #[test]
    fn whole_half_and_eighth_balls_are_in_boxes() {
        let at = |low: [f64; 3], high: [f64; 3]| {
            sphere_in_box(LabVec::zero(), 1.0, LabVec::from_array(low), LabVec::from_array(high))
        };
        let cases = [
            (at([-2.0; 3], [2.0; 3]), ball(1.0)),
            (at([0.0, -2.0, -2.0], [2.0; 3]), ball(1.0) / 2.0),
            (at([0.0; 3], [2.0; 3]), ball(1.0) / 8.0),
            (at([0.3, -2.0, -2.0], [2.0; 3]), cap(0.3)),
            (at([-2.0, -2.0, 0.3], [2.0; 3]), cap(0.3)),
            (at([-2.0, -0.4, -2.0], [2.0, 0.7, 2.0]), ball(1.0) - cap(0.4) - cap(0.7)),
            (at([-0.5; 3], [0.5; 3]), 1.0),
            (at([1.0; 3], [2.0; 3]), 0.0),
        ];
        for (number, (ours, exact)) in cases.into_iter().enumerate() {
            assert!((ours - exact).abs() < 1e-9, "{number}: {ours} {exact}");
        }
    }

    /// Points of a fine lattice in the ball of radius 1 that are in a region, as a volume.
    fn counted(inside: impl Fn([f64; 3]) -> bool) -> f64 {
        const CELLS: i32 = 160;
        let spacing = 2.0 / f64::from(CELLS);
        let place = |number: i32| (f64::from(number) + 0.5) * spacing - 1.0;
        let mut count = 0.0;
        for i in 0..CELLS {
            for j in 0..CELLS {
                for k in 0..CELLS {
                    let at = [place(i), place(j), place(k)];
                    let is_in = at.iter().map(|x| x * x).sum::<f64>() <= 1.0 && inside(at);
                    count += f64::from(u8::from(is_in));
                }
            }
        }
        count * spacing * spacing * spacing
    }

    #[test]
    fn any_box_and_cylinder_is_as_counted() {
        // On the planes between the points.
        let (low, high) = ([-0.3125, -0.625, -0.8375], [0.4375, 0.925, 0.275]);
        let ours = sphere_in_box(LabVec::zero(), 1.0, LabVec::from_array(low), LabVec::from_array(high));
        let exact = counted(|at| (0..3).all(|axis| at[axis] > low[axis] && at[axis] < high[axis]));
        assert!((ours - exact).abs() < 2e-3, "{ours} {exact}");
        // The axis of the cylinder is along z, at x = 0.7; it begins at z = -0.2 and is 0.9 long.
        for of_cylinder in [0.5, 0.7, 1.2] {
            let ours = sphere_in_cylinder(1.0, 0.2, 0.7, 0.9, of_cylinder);
            let exact = counted(|[x, y, z]| {
                (x - 0.7) * (x - 0.7) + y * y < of_cylinder * of_cylinder && z > -0.2 && z < 0.7
            });
            assert!((ours - exact).abs() < 2e-3, "{ours} {exact}");
        }
        // On the axis of a thin cylinder: a cylinder with two caps.
        let half = (1.0_f64 - 0.36).sqrt();
        let exact = PI * 0.36 * 2.0 * half + 2.0 * cap(half);
        assert!((sphere_in_cylinder(1.0, 2.0, 0.0, 4.0, 0.6) - exact).abs() < 1e-9);
    }

    #[test]
    fn lenses_of_balls() {
        assert!((sphere_in_sphere(1.0, 1.0, 1.0) - 2.0 * cap(0.5)).abs() < 1e-15);
        assert!((sphere_in_sphere(1.0, 0.2, 0.1) - ball(0.2)).abs() < 1e-15);
        let exact = counted(|[x, y, z]| (x - 0.8) * (x - 0.8) + y * y + z * z < 0.49);
        assert!((sphere_in_sphere(1.0, 0.7, 0.8) - exact).abs() < 2e-3);
    }
}
