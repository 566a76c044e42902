//! Guarantee: volume, centre and inertia of rounded polyhedra are exact: they are those of quadratures over the core, the plates, the wedges and the sectors, and of points counted
//! on a grid. Where a union has no closed form, that is said.

use super::{irregular, only};
use crate::common::{assert_close, assert_near};
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpError, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate,
    HullSurface, MassModel, MassProperties,
};
use tumble_dem::physics::polytope::nearest_of_triangles;
use tumble_dem::placement::SizeMeasure;
use tumble_dem::random::Random;
use tumble_dem::{LabVec, Quat};

/// ∫dV, ∫x dV and ∫x_i x_j dV.
type Sums = [f64; 10];

fn add(sums: &mut Sums, point: LabVec<f64>, weight: f64) {
    let LabVec { x, y, z, .. } = point;
    for (sum, value) in sums.iter_mut().zip([1.0, x, y, z, x * x, y * y, z * z, y * z, x * z, x * y]) {
        *sum += weight * value;
    }
}

/// Places and weights on [0, 1]: Gauss's rule of eight points in each of some parts.
fn gauss(parts: u32) -> Vec<(f64, f64)> {
    const RULE: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_47),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    let each = 1.0 / f64::from(parts);
    (0..parts)
        .flat_map(|part| {
            RULE.into_iter().flat_map(move |(at, weight)| {
                [-at, at].map(|at| ((f64::from(part) + 0.5 + 0.5 * at) * each, 0.5 * weight * each))
            })
        })
        .collect()
}

/// The integrals by quadrature: over triangles and the tetrahedra below them, and over normals at corners and edges, from each corner's first.
fn by_quadrature(hull: &ClumpHull, surface: &HullSurface) -> Sums {
    let (one, two) = (gauss(1), gauss(3));
    let mut sums = [0.0; 10];
    let (r, corner) = (hull.rounding, |k: u32| hull.corners[k as usize]);
    let inside = hull.corners.iter().fold(LabVec::zero(), |sum, corner| sum + *corner)
        * (1.0 / hull.corners.len() as f64);
    let normal =
        |face: &[u32]| (corner(face[1]) - corner(face[0])).cross(corner(face[2]) - corner(face[0])).unit();
    for triangle in surface.triangles() {
        let [a, b, c] = triangle.map(corner);
        let (area, n) = ((b - a).cross(c - a).norm(), normal(&triangle));
        for &(u, wu) in &one {
            for &(v, wv) in &one {
                // A square onto a triangle.
                let on = a + (b - a) * (u * (1.0 - v)) + (c - a) * (u * v);
                let weight = area * u * wu * wv;
                for &(t, wt) in &one {
                    add(&mut sums, on + n * (r * t), weight * wt * r);
                    let height = n.dot(a - inside);
                    add(&mut sums, inside + (on - inside) * t, weight * wt * t * t * height);
                }
            }
        }
    }
    let beside = |edge: [u32; 2]| {
        let mut normals = surface
            .faces
            .iter()
            .filter(|face| edge.iter().all(|end| face.contains(end)))
            .map(|face| normal(face));
        [normals.next().unwrap(), normals.next().unwrap()]
    };
    for &edge in &surface.edges {
        let ([a, b], [p, q]) = (edge.map(corner), beside(edge));
        let angle = p.dot(q).acos();
        let across = (q - p * p.dot(q)).unit();
        for &(s, ws) in &one {
            for &(t, wt) in &one {
                for &(phi, wp) in &two {
                    let n = p * (angle * phi).cos() + across * (angle * phi).sin();
                    add(
                        &mut sums,
                        a + (b - a) * s + n * (r * t),
                        ws * wt * wp * (b - a).norm() * angle * r * r * t,
                    );
                }
            }
        }
    }
    for k in 0..hull.corners.len() {
        let k = u32::try_from(k).unwrap();
        let faces: Vec<&Vec<u32>> = surface.faces.iter().filter(|face| face.contains(&k)).collect();
        let mean = faces.iter().fold(LabVec::zero(), |sum, face| sum + normal(face)).unit();
        for &edge in surface.edges.iter().filter(|edge| edge.contains(&k)) {
            let [p, q] = beside(edge);
            // The spherical triangle with the mean normal.
            let volume = mean.dot(p.cross(q)).abs();
            for &(u, wu) in &two {
                for &(v, wv) in &two {
                    let flat = mean + (p - mean) * (u * (1.0 - v)) + (q - mean) * (u * v);
                    let solid_angle = volume * u * wu * wv / flat.norm().powi(3);
                    for &(t, wt) in &one {
                        add(
                            &mut sums,
                            corner(k) + flat.unit() * (r * t),
                            solid_angle * wt * r * (r * t).powi(2),
                        );
                    }
                }
            }
        }
    }
    sums
}

fn properties(sums: &Sums) -> (f64, LabVec<f64>, [f64; 6]) {
    let [volume, x, y, z, xx, yy, zz, yz, xz, xy] = *sums;
    let c = LabVec::new(x, y, z) * (1.0 / volume);
    let [xx, yy, zz] = [xx - volume * c.x * c.x, yy - volume * c.y * c.y, zz - volume * c.z * c.z];
    let products = [volume * c.y * c.z - yz, volume * c.x * c.z - xz, volume * c.x * c.y - xy];
    (volume, c, [yy + zz, xx + zz, xx + yy, products[0], products[1], products[2]])
}

fn compare(own: &MassProperties, sums: &Sums, tolerance: f64) {
    let (volume, centre, inertia) = properties(sums);
    assert_close("volume", own.volume, volume, tolerance);
    assert_near("centre", own.centre, centre, tolerance);
    let size = own.inertia.trace();
    let found = own.inertia.diagonal.to_array().into_iter().chain(own.inertia.off_diagonal.to_array());
    for (found, exact) in found.zip(inertia) {
        assert!((found - exact).abs() < tolerance * size, "inertia {found} instead of {exact} of {size}");
    }
}

fn of(hull: &ClumpHull) -> MassProperties {
    MassProperties::of(only(core::slice::from_ref(hull)), MassModel::Union).unwrap()
}

#[test]
fn quadratures_agree_to_nine_digits() {
    let mut random = Random::new(1);
    let turn = Quat::from_rotation_vector(LabVec::new(0.3, -0.8, 0.5));
    let hulls = [
        ClumpHull::cuboid([1.0, 1.0, 1.0], 0.2),
        ClumpHull::cuboid([1.5, 0.8, 0.5], 0.03).turned(turn).at([0.3, -0.2, 0.5]),
        ClumpHull::tetrahedron(1.0, 0.3).turned(turn),
        irregular(&mut random, 6, 0.1),
        irregular(&mut random, 14, 0.4),
    ];
    for hull in hulls {
        compare(&of(&hull), &by_quadrature(&hull, &hull.surface().unwrap()), 1e-9);
    }
}

/// That nothing is left out or counted twice.
#[test]
fn points_on_a_grid_agree() {
    const CELLS: i32 = 60;
    let mut random = Random::new(2);
    // Faces along planes of the grid would be seen half a cell off.
    let turned = ClumpHull::tetrahedron(1.0, 0.3).turned(random.orientation());
    for hull in [turned, irregular(&mut random, 7, 0.2)] {
        let surface = hull.surface().unwrap();
        let triangles: Vec<_> = surface.triangles().map(|t| t.map(|k| hull.corners[k as usize])).collect();
        let step = 1.7 / f64::from(CELLS);
        let mut sums = [0.0; 10];
        for x in -CELLS..CELLS {
            for y in -CELLS..CELLS {
                for z in -CELLS..CELLS {
                    let point =
                        LabVec::new(f64::from(x) + 0.5, f64::from(y) + 0.5, f64::from(z) + 0.5) * step;
                    let on = nearest_of_triangles(triangles.iter().copied(), point);
                    if (point - on).norm() < hull.rounding {
                        add(&mut sums, point, step * step * step);
                    }
                }
            }
        }
        compare(&of(&hull), &sums, 2e-3);
    }
}

#[test]
fn size_and_place() {
    let die = ClumpHull::cuboid([1.0, 1.2, 2.0], 0.1).at([1.0, 2.0, 3.0]);
    let template = ClumpTemplate::of("die", only(&[die]), MassModel::Union).unwrap();
    assert_near("centre", template.centre(), LabVec::new(1.0, 2.0, 3.0), 1e-14);
    let half: f64 = [0.4f64, 0.5, 0.9].into_iter().map(|half| half * half).sum::<f64>().sqrt();
    assert_close("bounding radius", template.bounding_radius(), half + 0.1, 1e-14);
    assert_close("longest", SizeMeasure::Longest.of(&template), 2.0 * half + 0.2, 1e-14);
    assert_close("sieve", SizeMeasure::Sieve.of(&template), 1.2, 1e-7);
    // Eight corners, twelve edges, and four that tell where the core is.
    assert_eq!((template.spheres().len(), template.touching_spheres()), (24, 8));
    assert_eq!((template.hulls()[0].edges().len(), template.hulls()[0].faces().len()), (12, 6));
}

#[test]
fn several_pieces_that_do_not_overlap() {
    let cube = ClumpHull::cuboid([1.0; 3], 0.1);
    let other = ClumpHull::tetrahedron(0.8, 0.1).at([2.0, 0.3, 0.0]);
    let rod = ClumpCapsule::new([0.0, 0.9, -1.0], [0.0, 0.9, 1.0], 0.3);
    let ball = ClumpSphere::new([-1.0, 0.0, 0.0], 0.5);
    let pieces = ClumpPieces {
        spheres: &[ball],
        capsules: &[rod],
        hulls: &[cube.clone(), other.clone()],
        ..ClumpPieces::default()
    };
    let whole = MassProperties::of(pieces, MassModel::Union).unwrap();
    let rest = ClumpPieces { hulls: &[], ..pieces };
    let parts = [of(&cube), of(&other), MassProperties::of(rest, MassModel::Union).unwrap()];
    assert_close("volume", whole.volume, parts.iter().map(|part| part.volume).sum(), 1e-15);
    let about_x = parts.iter().map(|part| {
        let away = part.centre - whole.centre;
        part.inertia.diagonal.x + part.volume * (away.y * away.y + away.z * away.z)
    });
    assert_close("moment", whole.inertia.diagonal.x, about_x.sum(), 1e-14);
    // What is nearer overlaps.
    let overlapping = [
        (
            ClumpPieces {
                hulls: &[cube.clone(), other.clone().at([-1.2, 0.0, 0.0])],
                ..ClumpPieces::default()
            },
            1,
            "polyhedron",
        ),
        (
            ClumpPieces {
                hulls: &[cube.clone(), ClumpHull::cuboid([0.2; 3], 0.05)],
                ..ClumpPieces::default()
            },
            1,
            "polyhedron",
        ),
        (
            ClumpPieces {
                capsules: &[ClumpCapsule { radius: 0.41, ..rod }],
                hulls: std::slice::from_ref(&cube),
                ..ClumpPieces::default()
            },
            0,
            "capsule",
        ),
        (
            ClumpPieces {
                spheres: &[ClumpSphere { radius: 0.51, ..ball }],
                hulls: std::slice::from_ref(&cube),
                ..ClumpPieces::default()
            },
            0,
            "sphere",
        ),
    ];
    for (pieces, hull, what) in overlapping {
        let refused = ClumpTemplate::of("t", pieces, MassModel::Union).unwrap_err();
        assert_eq!(refused, ClumpError::OverlappingHull { hull, other: 0, what });
        assert!(ClumpTemplate::of("t", pieces, MassModel::SumOfSpheres).is_ok());
        let MassProperties { volume, centre, inertia } = whole;
        let given = ClumpTemplate::of("t", pieces, MassModel::Given { volume, centre, inertia }).unwrap();
        assert_close("given", given.volume(), volume, 1e-15);
    }
    let mixed = ClumpPieces {
        hulls: &[cube],
        ellipsoids: &[ClumpEllipsoid::new([1.0; 3])],
        ..ClumpPieces::default()
    };
    assert_eq!(ClumpTemplate::of("t", mixed, MassModel::Union).unwrap_err(), ClumpError::HullsAndEllipsoids);
}
