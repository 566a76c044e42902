//! Guarantee: tests of soil hold the stress that they should hold, and find the friction of spheres.
//!
//! Spheres that rub with μ = 0.5 and do not resist rolling flow at an angle of friction somewhat above 20°, whatever they are made of; densely packed, they bear
//! more at first. Sands, whose grains are not round, have 30° and more.

use super::Watched;

#[test]
fn a_sample_is_pressed_alike_from_all_sides_and_then_fails_as_spheres_do() {
    let mut test = Watched::new("triaxial");
    let cell = |test: &Watched| test.simulation.engine().cell().unwrap();
    test.until(0.0199);
    for pressure in cell(&test).pressure() {
        assert!((pressure / 1e5 - 1.0).abs() < 1e-3, "{:?}", cell(&test));
    }
    let mut angles = Vec::new();
    for step in 1..=50_u32 {
        test.until(0.02 + 0.0016 * f64::from(step));
        let [x, y, axial] = cell(&test).pressure();
        let lateral = 0.5 * (x + y);
        // What viscosity bears of the widening is 2 %.
        assert!((lateral / 1e5 - 1.0).abs() < 0.04, "{:?}", cell(&test));
        angles.push(((axial - lateral) / (axial + lateral)).asin().to_degrees());
    }
    assert!((cell(&test).strains()[2] - 0.32).abs() < 1e-3, "{:?}", cell(&test).strains());
    let peak = angles.iter().copied().fold(0.0, f64::max);
    let critical = angles[35..].iter().sum::<f64>() / 15.0;
    assert!((17.0..27.0).contains(&critical), "{critical}°: {angles:?}");
    assert!(peak > critical && peak < 40.0, "{peak}° {critical}°");
    assert!(test.error() < 0.01, "{}", test.error());
}

#[test]
fn a_box_is_sheared_under_the_load_of_its_lid() {
    let mut test = Watched::new("direct-shear");
    let area = 0.0036;
    while test.simulation.stages().len() < 2 {
        test.simulation.advance(100).unwrap();
    }
    let walls = |test: &Watched| test.simulation.engine().walls();
    let bodies = test.simulation.engine().body_count();
    assert!((walls(&test)[2].force.z / area / 5e4 - 1.0).abs() < 0.05, "{:?}", walls(&test)[2]);
    let begun = test.simulation.engine().time();
    let mut ratios = Vec::new();
    for step in 1..=45_u32 {
        test.until(begun + 0.002 * f64::from(step));
        let walls = walls(&test);
        // The ratio of what the lower half is held back by to what the lid bears.
        ratios.push(-walls[0].force.x / walls[2].force.z);
    }
    assert_eq!(test.simulation.engine().body_count(), bodies);
    let flowing = ratios[22..].iter().sum::<f64>() / 23.0;
    // tan 20° to tan 35°, and what rubs on the rims and walls. A dense packing bears more before it has dilated.
    assert!((0.3..0.9).contains(&flowing), "{flowing}: {ratios:?}");
    let peak = ratios.iter().copied().fold(0.0, f64::max);
    assert!(peak > 1.05 * ratios[44] && test.simulation.engine().walls()[2].moved < 0.0019, "{ratios:?}");
    assert!(walls(&test)[0].about.x > 0.006, "{:?}", walls(&test)[0]);
    assert!(test.error() < 0.01, "{}", test.error());
}

#[test]
fn six_walls_hold_a_pressure_while_one_goes_down() {
    let mut test = Watched::new("triaxial-rigid");
    while test.simulation.stages().len() < 2 {
        test.simulation.advance(100).unwrap();
    }
    let walls = test.simulation.engine().walls();
    // At rest each bears its drive, whatever the others do.
    for (wall, area) in [(1, 20e-4), (3, 20e-4), (5, 16e-4)] {
        assert!((walls[wall].force.norm() / area / 1e5 - 1.0).abs() < 0.05, "{:?}", walls[wall]);
    }
    let begun = test.simulation.engine().time();
    let mut angles = Vec::new();
    for step in 1..=20_u32 {
        test.until(begun + 0.002 * f64::from(step));
        let walls = test.simulation.engine().walls();
        let length = |low: usize, drawn: f64| drawn - walls[low].moved - walls[low + 1].moved;
        let (x, y, z) = (length(0, 0.04), length(2, 0.04), 0.05 + walls[5].about.z);
        let lateral = 0.5 * (walls[1].force.x / (y * z) + walls[3].force.y / (x * z));
        let axial = walls[5].force.z / (x * y);
        assert!((lateral / 1e5 - 1.0).abs() < 0.2, "{lateral}");
        angles.push(((axial - lateral) / (axial + lateral)).asin().to_degrees());
    }
    let peak = angles.iter().copied().fold(0.0, f64::max);
    assert!((17.0..45.0).contains(&peak), "{peak}°: {angles:?}");
    assert!(test.error() < 0.01, "{}", test.error());
}

#[test]
fn a_membrane_holds_its_sample_together() {
    let mut test = Watched::new("membrane");
    let volume = |test: &Watched| {
        let membranes = test.simulation.engine().membranes();
        membranes[0].volume / membranes[0].volume_at_start
    };
    test.until(0.02);
    // Grains of a cloud are pressed to a packing.
    assert!((0.8..1.0).contains(&volume(&test)), "{}", volume(&test));
    let bodies = test.simulation.engine().bodies();
    let (beads, grains) = bodies.split_at(36 * 24);
    let wide = |body: &tumble::dem::BodyState| body.position.x.hypot(body.position.y);
    let outside = grains.iter().filter(|grain| wide(grain) > 0.0225).count();
    assert_eq!(outside, 0, "no grain gets through");
    assert!(beads.iter().all(|bead| wide(bead) < 0.0225));
    let walls = test.simulation.engine().walls();
    assert!((walls[1].force.z / 76.0 - 1.0).abs() < 0.2, "{:?}", walls[1]);
    assert!(test.error() < 0.01, "{}", test.error());
}
