//! Guarantee: a pressure on a closed net pushes and turns nothing as a whole, and has the potential p V; nets are those that were asked for, their runs have the same bits on
//! any number of threads and when resumed, and what cannot be done is refused by name.

use std::sync::Arc;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::membrane::{Membrane, Sleeve};
use tumble_dem::physics::membrane::{pressed, wedge};
use tumble_dem::ranks::RankedEngine;
use tumble_dem::wall::Timing;
use tumble_dem::{Body, BodyId, Engine, Error, LabVec, SavedState, Settings, World, fingerprint};

const SLEEVE: Sleeve = Sleeve {
    from: LabVec::new(0.01, 0.02, -0.01),
    to: LabVec::new(0.03, -0.01, 0.05),
    radius: 0.02,
    around: 14,
    rings: 6,
};

fn name(body: u32) -> BodyId {
    BodyId(body)
}

/// A sleeve whose ends are closed by fans around two nodes more.
fn closed() -> (Vec<LabVec<f64>>, Vec<[u32; 3]>) {
    let (mut places, mut triangles) = (SLEEVE.places(), SLEEVE.triangles());
    let (around, last) = (SLEEVE.around, SLEEVE.around * (SLEEVE.rings - 1));
    let ends = u32::try_from(places.len()).unwrap();
    places.extend([SLEEVE.from, SLEEVE.to]);
    for node in 0..around {
        let next = (node + 1) % around;
        triangles.extend([[ends, next, node], [ends + 1, last + node, last + next]]);
    }
    (places, triangles)
}

fn engine(places: &[LabVec<f64>], membranes: Vec<Arc<Membrane>>, threads: usize) -> Result<Engine, Error> {
    Engine::new(world(places, membranes), Settings { threads, ..Settings::new(1e-5) })
}

fn world(places: &[LabVec<f64>], membranes: Vec<Arc<Membrane>>) -> World {
    let materials = Materials::of(Material::new("rubber", 1000.0, 1e7, 0.3), PairProperties::new(0.5, 0.3));
    let mut world = World { materials, membranes, ..World::default() };
    let bead = world.add_template(ClumpTemplate::sphere("bead", 1e-3).unwrap()).unwrap();
    for &place in places {
        world.add_body(Body::at(bead, place));
    }
    world
}

fn membrane(triangles: &[[u32; 3]], pressure: f64) -> Result<Membrane, Error> {
    Membrane::new(
        "net",
        triangles.iter().map(|corners| corners.map(name)).collect(),
        pressure,
        Timing::Always,
    )
}

#[test]
fn forces_on_a_closed_net_are_the_gradient_of_its_volume() {
    let (mut places, triangles) = closed();
    // Out of shape.
    for (number, place) in places.iter_mut().enumerate() {
        let n = number as f64;
        *place = *place + LabVec::new((1.7 * n).sin(), (2.3 * n).cos(), (0.9 * n).sin()) * 1e-3;
    }
    let net = engine(&places, vec![Arc::new(membrane(&triangles, 700.0).unwrap())], 1).unwrap();
    let bodies = net.bodies();
    let (mut force, mut torque) = (LabVec::zero(), LabVec::zero());
    for body in &bodies {
        force = force + body.force;
        torque = torque + body.position.cross(body.force);
    }
    let scale = 700.0 * 0.02 * 0.06;
    assert!(force.norm() < 1e-14 * scale && torque.norm() < 1e-15 * scale, "{force:?} {torque:?}");
    let volume = |places: &[LabVec<f64>]| -> f64 {
        triangles.iter().map(|corners| wedge(corners.map(|node| places[node as usize]))).sum()
    };
    let report = &net.membranes()[0];
    assert!((report.volume / volume(&places) - 1.0).abs() < 1e-12, "{report:?}");
    assert_eq!(report.volume.to_bits(), report.volume_at_start.to_bits());
    for number in [0, 20, places.len() - 1] {
        for axis in [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 1.0, 0.0), LabVec::new(0.0, 0.0, 1.0)] {
            let moved = |by: f64| {
                let mut places = places.clone();
                places[number] = places[number] + axis * by;
                volume(&places)
            };
            // The volume is linear in the place of one node.
            let slope = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            let ours = bodies[number].force.dot(axis);
            assert!((ours + 700.0 * slope).abs() < 1e-10 * scale, "{number}: {ours} {slope}");
        }
    }
}

#[test]
fn a_sleeve_is_a_prism_wound_outwards() {
    let places = SLEEVE.places();
    let open = membrane(&SLEEVE.triangles(), 1.0).unwrap();
    assert_eq!(open.triangles().len(), 2 * 14 * 5);
    let volume = open.volume(|id| places[id.index()]);
    let length = (SLEEVE.to - SLEEVE.from).norm();
    let step = std::f64::consts::TAU / f64::from(SLEEVE.around);
    let section = 0.5 * f64::from(SLEEVE.around) * step.sin() * 4e-4;
    // Antiprisms: halfway between two rings the section has twice as many corners, in the middle of the edges that join them.
    let middle = f64::from(SLEEVE.around) * (0.5 * step).sin() * (0.25 * step).cos().powi(2) * 4e-4;
    let exact = length * (2.0 * section + 4.0 * middle) / 6.0;
    assert!((volume / exact - 1.0).abs() < 1e-12, "{volume} {exact}");
    let axis = (SLEEVE.to - SLEEVE.from).unit();
    for corners in SLEEVE.triangles() {
        let corners = corners.map(|node| places[node as usize]);
        let from = corners[0] - SLEEVE.from;
        let outwards = from - axis * from.dot(axis);
        assert!(pressed(corners, 1.0).dot(outwards) < 0.0, "{corners:?}");
    }
}

#[test]
fn threads_and_resuming_change_nothing() {
    let (places, triangles) = closed();
    let net = || vec![Arc::new(membrane(&triangles, 300.0).unwrap())];
    let mut one = engine(&places, net(), 1).unwrap();
    let mut several = engine(&places, net(), 3).unwrap();
    one.advance(60).unwrap();
    several.advance(60).unwrap();
    assert_eq!(fingerprint::of(&one), fingerprint::of(&several));
    let saved = one.save().to_bytes();
    one.advance(60).unwrap();
    let mut again = engine(&places, net(), 1).unwrap();
    again.restore(&SavedState::from_bytes(&saved, &world(&places, net())).unwrap()).unwrap();
    again.advance(60).unwrap();
    assert_eq!(fingerprint::of(&one), fingerprint::of(&again));
    assert!(one.ledger().field_work > 0.0);
}

#[test]
fn what_is_no_membrane_is_refused() {
    let refused = |made: Result<Membrane, Error>, words: &str| {
        let error = made.unwrap_err().to_string();
        assert!(error.contains("the membrane 'net'") && error.contains(words), "{error}");
    };
    refused(membrane(&[], 1.0), "triangles");
    refused(membrane(&[[0, 1, 2]], f64::NAN), "pressure");
    refused(membrane(&[[0, 1, 1]], 1.0), "edge");
    refused(membrane(&[[0, 1, 2], [1, 2, 3]], 1.0), "counter-clockwise");
    let net = || vec![Arc::new(membrane(&[[0, 1, 5]], 1.0).unwrap())];
    let places = SLEEVE.places();
    let error = engine(&places[..4], net(), 1).unwrap_err().to_string();
    assert!(error.contains("the membrane 'net'") && error.contains("body 5"), "{error}");
    let periodic = Axis::Periodic { low: -1.0, high: 1.0 };
    let domain = Domain::of([periodic, Axis::Open, Axis::Open]);
    let error = Engine::new(World { domain, ..world(&places, net()) }, Settings::new(1e-5)).unwrap_err();
    assert!(error.to_string().contains("periodic"), "{error}");
    let ranked = RankedEngine::new(engine(&places, net(), 1).unwrap(), 2);
    assert!(ranked.unwrap_err().to_string().contains("membranes"));
    let mut torn = engine(&places, net(), 1).unwrap();
    let error = torn.remove_bodies(&[BodyId(5)]).unwrap_err().to_string();
    assert!(error.contains("its body 5 is not there any more"), "{error}");
}
