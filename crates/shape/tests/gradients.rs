//! The derivatives of the moments of a union are those that differences show, and its moments those of independent integration.

use tumble_dem::clump::{ClumpSphere, MassModel, MassProperties, UnionMoments};
use tumble_dem::random::Random;
use tumble_math::LabVec;

/// Overlapping spheres, one of them inside another.
fn cluster(seed: u64) -> Vec<ClumpSphere> {
    let mut random = Random::new(seed);
    let mut spheres: Vec<ClumpSphere> = (0..8)
        .map(|_| {
            let centre = random.direction() * random.between(0.3, 1.0);
            ClumpSphere { centre, radius: random.between(0.4, 0.9) }
        })
        .collect();
    spheres.push(ClumpSphere { centre: spheres[0].centre, radius: 0.5 * spheres[0].radius });
    spheres
}

/// Points of a grid along each axis.
const STEPS: u32 = 120;
/// For differences.
const H: f64 = 1e-5;

const ORIGIN: LabVec<f64> = LabVec::new(0.3, -0.2, 0.1);

#[test]
fn derivatives_are_those_of_differences() {
    for seed in 0..4 {
        let spheres = cluster(seed);
        let moments = UnionMoments::about(ORIGIN, &spheres);
        for i in 0..spheres.len() {
            for k in 0..4 {
                let at = |h: f64| {
                    let mut moved = spheres.clone();
                    let mut centre = moved[i].centre.to_array();
                    if k < 3 {
                        centre[k] += h;
                    } else {
                        moved[i].radius += h;
                    }
                    moved[i].centre = LabVec::from_array(centre);
                    UnionMoments::about(ORIGIN, &moved).values
                };
                let (low, high) = (at(-H), at(H));
                for m in 0..10 {
                    let slope = (high[m] - low[m]) / (2.0 * H);
                    let found = moments.derivatives[i][m][k];
                    assert!(
                        (slope - found).abs() < 2e-8,
                        "seed {seed}, sphere {i}, {k}, moment {m}: {slope} {found}"
                    );
                }
            }
        }
    }
}

#[test]
fn moments_are_those_of_the_mass_properties_and_of_slices() {
    let spheres = cluster(7);
    let values = UnionMoments::about(ORIGIN, &spheres).values;
    let mass = MassProperties::new(&spheres, MassModel::Union).unwrap();
    assert!((values[0] / mass.volume - 1.0).abs() < 1e-13);
    let first = (mass.centre - ORIGIN) * mass.volume;
    for (found, known) in values[1..4].iter().zip(first.to_array()) {
        assert!((found - known).abs() < 1e-12);
    }
    // Points of a grid that are in a sphere: nothing in common with the closed forms.
    let (low, width) = (-2.0, 4.0 / f64::from(STEPS));
    let mut sums = [0.0; 10];
    let place = |i: u32| low + (f64::from(i) + 0.5) * width;
    for i in 0..STEPS {
        for j in 0..STEPS {
            for k in 0..STEPS {
                let point = LabVec::new(place(i), place(j), place(k));
                if spheres.iter().any(|s| (point - s.centre).norm_squared() < s.radius * s.radius) {
                    let [x, y, z] = (point - ORIGIN).to_array();
                    let own = [1.0, x, y, z, x * x, y * y, z * z, y * z, x * z, x * y];
                    sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own * width * width * width);
                }
            }
        }
    }
    // A grid misses a volume by about its width to the power 3/2 per unit of surface.
    for (m, (found, counted)) in values.iter().zip(sums).enumerate() {
        assert!((found - counted).abs() < 0.01, "moment {m}: {found} {counted}");
    }
}
