//! Guarantee: where a sphere touches a wall, the masses behind contacts that act together, and what acts on bodies beside contacts, are
//! functions that replay to the same bits when recorded and give them as printed C, in both precisions. `whole_contact.rs` goes on from there.

use crate::law::bench::random_constants;
use crate::printing::{Bits, Printed, check_printed, words};
use tumble_dem::law::{ContactLaw, ContactModel, ContactVisitor, LawKind, RollingModel, TwistingModel};
use tumble_dem::physics::patch::{Border, Edge, Patch};
use tumble_dem::physics::surface::{Axis, Frustum};
use tumble_dem::physics::trace::{FieldKernel, MeshKernel, WallKernel, masses};
use tumble_dem::random::Random;
use tumble_dem::record::to_numbers;
use tumble_math::LabVec;
use tumble_math::trace::Tape;

/// A vector across a unit vector.
fn across(random: &mut Random, along: LabVec<f64>) -> LabVec<f64> {
    let v = random.direction().cross(along);
    v * (1.0 / v.norm())
}

/// A point near an axis, now and then on it.
fn about(random: &mut Random, axis: &Axis<f64>) -> LabVec<f64> {
    let off = if random.uniform() < 0.1 { 0.0 } else { random.between(0.0, 0.2) };
    axis.point + axis.along * random.between(-0.1, 0.3) + across(random, axis.along) * off
}

fn axis(random: &mut Random) -> Axis<f64> {
    // Along a coordinate axis a point on the axis has no part across.
    let along = if random.uniform() < 0.3 { LabVec::new(0.0, 0.0, 1.0) } else { random.direction() };
    Axis { point: random.direction() * 0.01, along, across: across(random, along) }
}

fn edge([start, end]: [LabVec<f64>; 2]) -> Edge<f64> {
    let length = (end - start).norm();
    Edge { start, along: (end - start) * (1.0 / length), length, first: start, last: end }
}

/// Numbers in the order of a recording.
fn numbers(random: &mut Random, kernel: WallKernel) -> Vec<f64> {
    let near = |random: &mut Random| random.direction() * random.between(0.0, 0.1);
    let vectors = |list: &[LabVec<f64>]| list.iter().flat_map(|v| v.to_array()).collect::<Vec<_>>();
    let n = match kernel {
        WallKernel::Plane => vectors(&[near(random), near(random), random.direction()]),
        WallKernel::Box => {
            let corner = LabVec::new(0.05, 0.06, 0.07);
            vectors(&[near(random), -corner, corner])
        }
        WallKernel::Cylinder(_) => {
            let axis = axis(random);
            [vectors(&[about(random, &axis)]), to_numbers(axis), vec![0.1]].concat()
        }
        WallKernel::Frustum(_) => {
            let (axis, length) = (axis(random), random.between(0.1, 0.2));
            let [first, last] = [random.between(0.0, 0.1), random.between(0.0, 0.1)];
            let slant = ((last - first) * (last - first) + length * length).sqrt();
            let (tangent_rho, tangent_z) = ((last - first) / slant, length / slant);
            let frustum = Frustum { axis, length, first, last, slant, tangent_rho, tangent_z };
            [vectors(&[about(random, &axis)]), to_numbers(frustum)].concat()
        }
        WallKernel::Edge => {
            let ends = [near(random), near(random)];
            [vectors(&[near(random)]), to_numbers(edge(ends))].concat()
        }
        WallKernel::Triangle => {
            let corners = [near(random), near(random), near(random)];
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let normal = normal * (1.0 / normal.norm());
            let sides = [0, 1, 2].map(|k| edge([corners[k], corners[(k + 1) % 3]]));
            let borders = sides.map(|side| Border { start: side.start, inward: normal.cross(side.along) });
            let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
            // Above it, beside it, on it.
            let on = random.uniform() < 0.1;
            let centre = if on { corners[0] } else { middle + near(random) };
            let mut n = vectors(&[centre, corners[0], normal]);
            n.extend(borders.into_iter().flat_map(to_numbers));
            n.extend([0, 1, 2, 3].map(|_| if random.uniform() < 0.3 { 0.0 } else { 1.0 }));
            n.extend(sides.into_iter().flat_map(to_numbers));
            n
        }
        WallKernel::Patch(power) => {
            let mut patch = Patch::empty();
            let mut n = Vec::new();
            for weight in [1.0, 1.0, if random.uniform() < 0.7 { -1.0 } else { -2.0 }] {
                let (normal, overlap) = (random.direction(), random.between(1e-3, 1e-2));
                patch = patch.with(normal, weight, overlap, power);
                n.extend(normal.to_array());
                n.extend([weight, overlap]);
            }
            n.push(power.guess(patch.energy(power).0));
            n
        }
        WallKernel::Move => {
            let mut n = vectors(&[near(random), near(random), near(random)]);
            n.extend(random.orientation().to_array());
            n.extend(vectors(&[near(random), random.direction(), random.direction()]));
            n
        }
    };
    assert_eq!(n.len(), kernel.inputs(), "{kernel:?}");
    n
}

/// Two bodies with so many contacts, in the order of a recording.
struct Together<'a> {
    random: &'a mut Random,
    contacts: usize,
}

impl ContactVisitor for Together<'_> {
    type Output = Vec<f64>;
    fn visit<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) -> Vec<f64> {
        let Self { random, contacts } = self;
        let mut n = Vec::new();
        for _ in 0..2 {
            let fixed = if random.uniform() < 0.1 { 0.0 } else { 1.0 };
            n.extend((random.direction() * 2e-3).to_array());
            n.extend([0.0; 6]);
            n.extend(random.orientation().to_array());
            n.extend([0; 3].map(|_| fixed * random.between(1e8, 1e9)));
            n.push(fixed * random.between(1e3, 1e5));
        }
        n.extend(random_constants::<L, M, T>(1e8, |low, high| random.between(low, high)));
        for _ in 0..contacts {
            let overlap = if random.uniform() < 0.1 { 0.0 } else { random.between(1e-8, 1e-5) };
            n.extend([overlap, random.between(0.5, 1.0)]);
            n.extend(random.direction().to_array());
            n.extend((random.direction() * 3e-3).to_array());
            n.extend([random.between(1e-3, 5e-3), 1.0 / contacts as f64]);
        }
        n
    }
}

/// One of each law; resistances have no part in masses.
fn laws() -> impl Iterator<Item = (ContactModel, usize)> {
    let model = |law: &LawKind| ContactModel { law: *law, ..ContactModel::default() };
    LawKind::ALL.iter().map(model).flat_map(|model| [2, 3, 5].map(|contacts| (model, contacts)))
}

fn kernels<R: Bits>(runs: usize) -> Vec<Printed<R>> {
    let mut random = Random::new(23);
    let mut kernels = Vec::new();
    for kernel in WallKernel::ALL {
        let run = |_| {
            let given: Vec<R> = numbers(&mut random, kernel).into_iter().map(R::lit).collect();
            let became = kernel.evaluate(&given);
            [given, became]
        };
        let runs = (0..runs).map(run).collect();
        kernels.push(Printed { what: format!("{kernel:?}"), tape: kernel.record(), runs });
    }
    // Parts of a mesh, and what acts on bodies beside contacts.
    let mut add = |what: String, tape: Tape, evaluate: &dyn Fn(&[R]) -> Vec<R>| {
        let run = |_| {
            let given: Vec<R> =
                (0..tape.inputs()).map(|_| R::lit(random.between(-0.02, 0.1).abs())).collect();
            let became = evaluate(&given);
            [given, became]
        };
        let runs = (0..runs).map(run).collect();
        kernels.push(Printed { what, tape, runs });
    };
    for kernel in MeshKernel::ALL {
        add(format!("{kernel:?}"), kernel.record(), &|given| kernel.evaluate(given));
    }
    for kernel in FieldKernel::ALL {
        add(format!("{kernel:?}"), kernel.record(), &|given| kernel.evaluate(given));
    }
    for (model, contacts) in laws() {
        let run = |_| {
            let given = model.visit(Together { random: &mut random, contacts }).unwrap();
            assert_eq!(given.len(), masses::inputs(model, contacts));
            let given: Vec<R> = given.into_iter().map(R::lit).collect();
            let became = masses::evaluate(model, contacts, &given).unwrap();
            [given, became]
        };
        let runs = (0..runs).map(run).collect();
        let tape = masses::record(model, contacts);
        kernels.push(Printed { what: format!("{contacts} of {model:?}"), tape, runs });
    }
    kernels
}

fn replays<R: Bits>() {
    for Printed { what, tape, runs } in kernels::<R>(500) {
        for [given, became] in runs {
            assert!(became.iter().all(|&x| x.into().is_finite()), "{what}: {given:?}");
            assert_eq!(words(&tape.replay(&given)), words(&became), "{what}");
        }
    }
}

#[test]
fn a_touch_replays_to_the_same_bits_in_both_precisions() {
    replays::<f64>();
    replays::<f32>();
}

#[test]
fn printed_c_gives_the_same_bits() {
    check_printed::<f64>("touches", &kernels(20));
    check_printed::<f32>("touches", &kernels(20));
}

/// The masses behind any number of contacts are those of the sums over pairs of contacts: of two, and of copies of two.
#[test]
fn more_contacts_share_the_masses_of_two() {
    let mut random = Random::new(6);
    for law in LawKind::ALL {
        let model = ContactModel { law: *law, ..ContactModel::default() };
        let two = model.visit(Together { random: &mut random, contacts: 2 }).unwrap();
        let [first, last] = masses::evaluate(model, 2, &two).unwrap()[..] else { panic!("two masses") };
        let at = two.len() - 20;
        // Each twice, with half the weight: the same forces, the same motion.
        let (bodies, contacts) = two.split_at(at);
        let mut four = bodies.to_vec();
        for contact in [&contacts[..10], &contacts[..10], &contacts[10..], &contacts[10..]] {
            four.extend(contact);
            if let Some(weight) = four.last_mut() {
                *weight *= 0.5;
            }
        }
        let found = masses::evaluate(model, 4, &four).unwrap();
        for (ours, exact) in found.iter().zip([first, first, last, last]) {
            // Where adhesion pulls more than springs push, both are zero: each contact has the mass of its own point.
            assert!((ours - exact).abs() <= 1e-12 * exact, "{law:?}: {ours} {exact}");
        }
    }
}

/// What a touch costs; a change shows here, so that it is made knowingly.
#[test]
fn the_cost_of_a_touch_is_known() {
    let costs = WallKernel::ALL.map(|kernel| kernel.record().flops());
    assert_eq!(costs, [8, 6, 49, 49, 98, 118, 36, 181, 98, 158, 78]);
    let model = ContactModel::default();
    assert_eq!([2, 3].map(|contacts| masses::flops(model, contacts)), [312, 603]);
}
