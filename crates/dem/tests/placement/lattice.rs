//! Lattices: sites, and what they say when bodies do not fit on them.

use super::brute::least_gap;
use super::{BALL, PAWN, ROD, bits, cube, plane, v, world};
use tumble_dem::domain::Domain;
use tumble_dem::placement::{Choice, Lattice, Orientation, PlacementError, Scale, Sites};
use tumble_dem::random::Random;
use tumble_dem::{Body, LabVec, World};

fn lattice(high: LabVec<f64>, sites: Sites) -> Lattice {
    Lattice { low: LabVec::zero(), high, sites }
}

fn place(lattice: Lattice, choice: &Choice, world: &World) -> Result<Vec<Body>, PlacementError> {
    lattice.place(choice, world, &mut Random::new(1))
}

#[test]
fn sites_are_the_middles_of_equal_cells() {
    let world = world();
    let counted = lattice(v(12.0, 8.0, 4.0), Sites::Counts([3, 2, 1]));
    let places: Vec<_> =
        place(counted, &Choice::of(BALL), &world).unwrap().iter().map(|b| b.position).collect();
    let expected = [[2.0, 2.0], [6.0, 2.0], [10.0, 2.0], [2.0, 6.0], [6.0, 6.0], [10.0, 6.0]];
    assert_eq!(places, expected.map(|[x, y]| v(x, y, 2.0)));
    // At a spacing, what is left over is on both sides.
    let spaced = lattice(v(11.0, 8.0, 1.0), Sites::Spacing(cube(3.0)));
    let places: Vec<_> =
        place(spaced, &Choice::of(BALL), &world).unwrap().iter().map(|b| b.position).collect();
    let expected = [[2.5, 2.5], [5.5, 2.5], [8.5, 2.5], [2.5, 5.5], [5.5, 5.5], [8.5, 5.5]];
    assert_eq!(places, expected.map(|[x, y]| v(x, y, 0.5)));
    // Tenths have no exact sum, but ten of them fit into one.
    let tenths = lattice(v(3.0, 0.1, 0.1), Sites::Spacing(v(0.3, 0.1, 0.1)));
    assert_eq!(tenths.sites().unwrap().0, [10, 1, 1]);
}

#[test]
fn neighbours_may_touch_but_not_overlap() {
    let world = world();
    let touching = lattice(cube(8.0), Sites::Spacing(cube(2.0)));
    assert_eq!(place(touching, &Choice::of(BALL), &world).unwrap().len(), 64);
    let narrow = lattice(cube(8.0), Sites::Spacing(cube(1.99)));
    let error = place(narrow, &Choice::of(BALL), &world).unwrap_err();
    assert!(matches!(error, PlacementError::LatticeTooNarrow { bodies: [0, 1], .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("bodies 0 and 1 of the lattice overlap at a spacing of (1.990e0"), "{message}");
    assert!(message.contains("(2.001e0, 2.001e0, 2.001e0) m or more would do"), "{message}");
}

#[test]
fn the_spacing_that_an_error_names_will_do() {
    let world = world();
    let q = tumble_dem::Quat::new(0.8, 0.0, 0.0, 0.6);
    for orientation in [Orientation::Fixed(q), Orientation::Random] {
        let scale = Scale::Uniform { low: 0.5, high: 1.5 };
        let choice = Choice { orientation, scale, ..Choice::weighted(&[(ROD, 1.0), (PAWN, 1.0)]).unwrap() };
        let error = place(lattice(cube(12.0), Sites::Spacing(cube(2.0))), &choice, &world).unwrap_err();
        let PlacementError::LatticeTooNarrow { needed, .. } = error else { panic!("{error}") };
        for seed in 0..5 {
            let enough = lattice(needed * 4.0, Sites::Spacing(needed));
            let bodies = enough.place(&choice, &world, &mut Random::new(seed)).unwrap();
            assert!(bodies.len() == 64 && least_gap(&world, &bodies) >= 1.0 - 1e-9);
        }
    }
}

#[test]
fn clumps_of_one_orientation_interlock() {
    // Rods along x need less room along y than along x.
    let world = world();
    let rods = lattice(v(8.4, 8.0, 8.0), Sites::Spacing(v(4.2, 2.0, 2.0)));
    let bodies = place(rods, &Choice::of(ROD), &world).unwrap();
    assert!(bodies.len() == 32 && least_gap(&world, &bodies) >= 1.0 - 1e-9);
}

#[test]
fn the_last_neighbour_in_a_periodic_domain_is_the_first() {
    let mut world = world();
    world.domain = Domain::periodic(LabVec::zero(), cube(9.0));
    let error = place(lattice(cube(9.0), Sites::Counts([5, 1, 1])), &Choice::of(BALL), &world).unwrap_err();
    assert!(matches!(error, PlacementError::LatticeTooNarrow { bodies: [0, 1], .. }));
    // These are apart in the box, but not around it.
    let off = Lattice { low: LabVec::zero(), high: v(10.4, 9.0, 9.0), sites: Sites::Counts([5, 1, 1]) };
    let error = place(off, &Choice::of(BALL), &world).unwrap_err();
    assert!(matches!(error, PlacementError::LatticeTooNarrow { bodies: [0, 4], .. }), "{error:?}");
    assert_eq!(
        place(lattice(cube(9.0), Sites::Counts([4, 4, 4])), &Choice::of(BALL), &world).unwrap().len(),
        64
    );
}

#[test]
fn what_is_there_already_is_named() {
    let mut world = world();
    world.walls.push(plane(v(0.0, 0.0, 0.5), v(0.0, 0.0, 1.0)));
    world.bodies.push(Body::at(BALL, v(3.0, 1.0, 4.0)));
    let sites =
        |low: LabVec<f64>| Lattice { low, high: low + v(4.0, 2.0, 2.0), sites: Sites::Counts([2, 1, 1]) };
    let message = |low| place(sites(low), &Choice::of(BALL), &world).unwrap_err().to_string();
    let wall = message(LabVec::zero());
    assert!(wall.contains("body 0 at (1.000e0, 1.000e0, 1.000e0) m overlaps the wall 'plane'"), "{wall}");
    let body = message(v(0.0, 0.0, 2.5));
    assert!(body.contains("body 1 at") && body.contains("overlaps body 0, which is there already"), "{body}");
    assert_eq!(place(sites(v(0.0, 0.0, 5.0)), &Choice::of(BALL), &world).unwrap().len(), 2);
    // A rod sticks out of its cell, and meets what is outside the box.
    let cell = Lattice { low: v(5.2, 0.0, 3.0), high: v(6.2, 2.0, 5.0), sites: Sites::Counts([1; 3]) };
    let rod = place(cell, &Choice::of(ROD), &world).unwrap_err().to_string();
    assert!(rod.contains("overlaps body 0"), "{rod}");
}

#[test]
fn impossible_lattices_say_why() {
    let world = world();
    let message =
        |sites| place(lattice(cube(10.0), sites), &Choice::of(BALL), &world).unwrap_err().to_string();
    assert!(message(Sites::Counts([2, 0, 2])).contains("count of sites of the lattice is 0"));
    assert!(message(Sites::Spacing(v(1.0, -1.0, 1.0))).contains("spacing of the lattice is -1"));
    assert!(message(Sites::Spacing(v(1.0, f64::NAN, 1.0))).contains("spacing of the lattice is NaN"));
    assert!(message(Sites::Counts([1_000_000; 3])).contains("too many"));
    assert!(message(Sites::Spacing(cube(1e-300))).contains("too many"));
    let inside_out = Lattice { low: cube(1.0), high: LabVec::zero(), sites: Sites::Counts([1; 3]) };
    assert!(matches!(inside_out.sites(), Err(PlacementError::EmptyBox { axis: 'x', .. })));
}

#[test]
fn the_same_seed_gives_the_same_bodies() {
    let world = world();
    let choice = Choice { orientation: Orientation::Random, ..Choice::of(PAWN) };
    let place =
        |seed| lattice(cube(20.0), Sites::Counts([3; 3])).place(&choice, &world, &mut Random::new(seed));
    assert_eq!(bits(&place(1).unwrap()), bits(&place(1).unwrap()));
    assert_ne!(bits(&place(1).unwrap()), bits(&place(2).unwrap()));
}

/// Whether somebody who has enough after so many questions gets an error, and is not asked again.
pub(super) fn given_up<T>(patience: u32, work: impl FnOnce() -> T) -> (T, u32) {
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let counter = asked.clone();
    let enough = move || {
        counter.set(counter.get() + 1);
        counter.get() >= patience
    };
    let done = tumble_dem::placement::interruptible(enough, work);
    (done, asked.get())
}

/// A large lattice ends soon, while bodies are drawn as well as while they are compared.
#[test]
fn a_lattice_can_be_given_up() {
    let world = world();
    let large = || place(lattice(cube(60.0), Sites::Counts([20; 3])), &Choice::of(BALL), &world);
    // It has 8000 bodies, and asks once for 256 of them, twice over.
    for patience in [2, 40] {
        let (placed, asked) = given_up(patience, large);
        assert!(matches!(placed, Err(PlacementError::Interrupted)), "{patience}");
        assert_eq!(asked, patience);
    }
    assert_eq!(large().unwrap().len(), 8000);
}
