//! Packings reach the solid fraction asked for without overlaps, and say what is not possible.

use super::brute::{least_gap, least_inside, spheres};
use super::{BALL, ROD, bits, cube, v, volume, world};
use std::sync::Arc;
use tumble_dem::placement::{
    Amount, By, Choice, Orientation, Packing, PlacementError, Region, Scale, SizeDistribution, SizeLaw,
    SizeMeasure, Sizes,
};
use tumble_dem::random::Random;
use tumble_dem::{Body, LabVec, World};

const GAP: f64 = 1e-3;

fn packing(region: Region, fraction: f64) -> Packing {
    Packing { region, amount: Amount::Fraction(fraction), gap: GAP }
}

fn turned(choice: Choice) -> Choice {
    Choice { orientation: Orientation::Random, ..choice }
}

fn of_box(side: f64) -> Region {
    Region::Box { low: LabVec::zero(), high: cube(side) }
}

#[track_caller]
fn assert_filled(world: &World, region: &Region, bodies: &[Body], fraction: f64) {
    let volumes: Vec<f64> = bodies.iter().map(|body| volume(world, body)).collect();
    let largest = volumes.iter().copied().fold(0.0, f64::max);
    let missing = (volumes.iter().sum::<f64>() - fraction * region.volume()).abs();
    assert!(missing <= 0.5 * largest, "{missing} m³ for bodies up to {largest}");
    assert!(least_gap(world, bodies) >= 1.0 + GAP, "{}", least_gap(world, bodies));
}

#[test]
fn a_box_is_filled_as_asked() {
    let world = world();
    for (template, fraction, side) in [(BALL, 0.3, 20.0), (BALL, 0.58, 22.0), (ROD, 0.55, 24.0)] {
        let region = of_box(side);
        let place = || {
            packing(region.clone(), fraction).place(
                &turned(Choice::of(template)),
                &world,
                &mut Random::new(1),
            )
        };
        let bodies = place().unwrap_or_else(|error| panic!("{template:?} at {fraction}: {error}"));
        assert_filled(&world, &region, &bodies, fraction);
        assert!(least_inside(&world, &bodies, LabVec::zero(), cube(side), [true; 3]) >= 1.0 + GAP);
        if template == ROD {
            assert_eq!(bits(&bodies), bits(&place().unwrap()));
        }
    }
}

#[test]
fn a_cylinder_is_filled_as_asked() {
    let world = world();
    let (from, axis, length, radius) = (v(3.0, 2.0, 1.0), v(0.0, 0.6, 0.8), 24.0, 10.0);
    let region = Region::Cylinder { from, to: from + axis * length, radius };
    for (template, fraction) in [(BALL, 0.57), (ROD, 0.5)] {
        let placed = packing(region.clone(), fraction).place(
            &turned(Choice::of(template)),
            &world,
            &mut Random::new(2),
        );
        let bodies = placed.unwrap_or_else(|error| panic!("{template:?} at {fraction}: {error}"));
        assert_filled(&world, &region, &bodies, fraction);
        for (centre, r) in bodies.iter().flat_map(|body| spheres(&world, body)) {
            let along = (centre - from).dot(axis);
            let across = (centre - from - axis * along).norm();
            let least = r * (1.0 + GAP);
            assert!(
                along >= least && along + least <= length && across + least <= radius,
                "{along}, {across}"
            );
        }
    }
}

#[test]
fn mixed_sizes_and_masses() {
    let world = world();
    let law = SizeLaw::LogNormal { median: 2.0, sigma: 0.25 };
    let sizes = SizeDistribution::new(law, By::Mass, [1.0, 3.5]).unwrap();
    let scale = Scale::Sizes(Arc::new(Sizes::new(sizes, SizeMeasure::Volume, &world.templates)));
    let choice = turned(Choice { scale, ..Choice::of(BALL) });
    let region = of_box(20.0);
    let bodies = packing(region.clone(), 0.6).place(&choice, &world, &mut Random::new(3)).unwrap();
    assert_filled(&world, &region, &bodies, 0.6);
    // Glass of 2500 kg/m³.
    let wanted = 2500.0 * 0.3 * region.volume();
    let by_mass = Packing { region: region.clone(), amount: Amount::Mass(wanted), gap: GAP };
    let bodies = by_mass.place(&choice, &world, &mut Random::new(4)).unwrap();
    assert_filled(&world, &region, &bodies, 0.3);
}

#[test]
fn too_much_is_refused() {
    let world = world();
    let place =
        |fraction: f64| packing(of_box(14.0), fraction).place(&Choice::of(BALL), &world, &mut Random::new(6));
    let message = place(0.9).unwrap_err().to_string();
    assert!(
        message.starts_with(
            "a solid fraction of 0.9 cannot be packed at random; equal spheres come to about 0.64"
        ),
        "{message}"
    );
    let error = place(0.68).unwrap_err();
    let PlacementError::TooDense { asked, reached } = error else { panic!("{error}") };
    assert!((0.67..0.69).contains(&asked) && (0.5..0.66).contains(&reached), "{reached}");
    assert!(error.to_string().contains("these bodies jammed at 0."), "{error}");
    assert!(place(0.0).unwrap_err().to_string().contains("solid fraction is 0, expected a positive"));
    let flat = Region::Disc { centre: LabVec::zero(), normal: cube(1.0), radius: 2.0 };
    assert!(packing(flat, 0.5).place(&Choice::of(BALL), &world, &mut Random::new(1)).is_err());
    let none = Packing { region: of_box(1.0), amount: Amount::Mass(1e9), gap: GAP };
    assert!(
        none.place(&Choice::of(BALL), &world, &mut Random::new(1))
            .unwrap_err()
            .to_string()
            .contains("times that of the box")
    );
}
