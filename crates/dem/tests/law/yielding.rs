//! Springs that yield and adhere go along the lines that they are said to, and lose what lies between these.

use crate::law::bench::{self, Energies, UP};
use tumble_dem::law::luding::{ADHESION_STIFFNESS, Luding, PLASTIC_DEPTH, UNLOADING_STIFFNESS, Yielded};
use tumble_dem::law::{Contact, ContactLaw};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::record::Record;

const RADIUS: f64 = 0.01;

/// One way to an overlap, in 10⁻⁵ m: the force in 0.1 N there, and what the way lost by yielding and along the limit, in ½·10⁻⁶ J.
type Way = [f64; 4];

/// k₁ = 10⁴ N/m; the others in parts of it.
fn goes([unloading, depth, adhesion]: [f64; 3], ways: &[Way]) {
    let powder = Material::new("powder", 1100.0, 2e6, 0.4).with_stiffness(1e4);
    let properties = PairProperties::new(1.0, 0.0).with(&UNLOADING_STIFFNESS, unloading);
    let properties = properties.with(&PLASTIC_DEPTH, depth).with(&ADHESION_STIFFNESS, adhesion);
    let pair = bench::pair::<Luding>(powder.clone(), powder, properties);
    let mut memory: Yielded<f64> = Record::zero();
    let (mut from, mut work, mut stored_before, mut force_before) = (0.0, 0.0, 0.0, 0.0);
    for &[to, force, plastic, drawn] in ways {
        // In small steps, so that work by the trapezoid rule tells what the books have to say.
        let (steps, mut lost, mut adhesion) = (10_000, 0.0, 0.0);
        let mut last = f64::NAN;
        for step in 1..=steps {
            let overlap = 1e-5 * (from + (to - from) * f64::from(step) / f64::from(steps));
            let reaction = Luding::react(&pair, Contact::at_rest(UP, RADIUS, overlap), memory, 1e-6);
            (memory, last) = (reaction.memory, reaction.force.z);
            work += 0.5 * (force_before + last) * 1e-5 * (to - from) / f64::from(steps);
            force_before = last;
            lost += reaction.books.plastic;
            adhesion += reaction.books.adhesion;
            let energies = Energies::of(reaction.books);
            energies.assert_no_gain();
            stored_before = energies.stored;
        }
        let close = |ours: f64, exact: f64, scale: f64| (ours - exact * scale).abs() < 1e-7 * scale;
        assert!(close(last, force, 0.1), "to {to}: {last} N");
        assert!(close(lost, plastic, 0.5e-6), "to {to}: {lost} J by yielding");
        assert!(close(adhesion, drawn, 0.5e-6), "to {to}: {adhesion} J along the limit");
        work -= lost + adhesion;
        assert!((work - stored_before).abs() < 1e-13, "to {to}: {work} of {stored_before} J");
        from = to;
    }
}

/// Parted before the overlap ends, pressed again from there, deeper, and out.
#[test]
fn without_adhesion_contacts_part_and_meet_where_they_parted() {
    let ways = [
        [2.0, 2.0, 3.0, 0.0],
        [1.75, 1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [1.5, 0.0, 0.0, 0.0],
        [1.75, 1.0, 0.0, 0.0],
        [4.0, 4.0, 9.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
    ];
    goes([4.0, 0.0, 0.0], &ways);
}

/// To the limit of the pull, along it, up from there, and back to it: with k₂ = 4 and k_c = 1, all in parts of k₁.
#[test]
fn with_adhesion_they_are_held_and_pressed_again_from_where_they_are() {
    let ways = [
        [5.0, 5.0, 18.75, 0.0],
        // y = 5·3/5.
        [3.0, -3.0, 0.0, 0.0],
        [2.0, -2.0, 0.0, 1.25 * 5.0],
        [3.0, 2.0, 0.0, 0.0],
        // It meets k₁δ again at x = 2·5/3, not at 5.
        [10.0 / 3.0, 10.0 / 3.0, 0.0, 0.0],
        [4.0, 4.0, 0.75 * (16.0 - 100.0 / 9.0), 0.0],
        [0.0, 0.0, 0.0, 1.25 * 5.76],
    ];
    goes([4.0, 0.0, 1.0], &ways);
}

/// k₂ grows up to 4k₁ at the overlap 2R φ 4/3, which is 4·10⁻⁵ m here, and stays.
#[test]
fn the_stiffness_grows_with_the_largest_overlap() {
    let ways = [
        // k₂ = 1 + 3·2/4 = 2.5.
        [2.0, 2.0, 0.6 * 4.0, 0.0],
        [1.6, 1.0, 0.0, 0.0],
        [4.0, 4.0, 0.75 * 16.0 - 0.6 * 4.0, 0.0],
        [8.0, 8.0, 0.75 * 48.0, 0.0],
        [7.0, 4.0, 0.0, 0.0],
    ];
    goes([4.0, 1.5e-3, 0.0], &ways);
}
