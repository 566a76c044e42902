//! The engine knows no axes of the lab: a set-up that is turned as a whole moves as before, turned, with every
//! rotation scheme, through collisions with friction, rolling and twisting.

use crate::common::largest;
use crate::momentum::{accepted, cluster, model};
use tumble_dem::law::{LawKind, RollingKind};
use tumble_dem::{BodyState, Engine, LabVec, Quat, SchemeKind, Settings, World};
use tumble_rotation::math::BodyVec;

fn turned(turn: Quat<f64>, v: LabVec<f64>) -> LabVec<f64> {
    turn.to_lab(BodyVec::from_array(v.to_array()))
}

fn run(world: World, scheme: SchemeKind) -> Vec<BodyState> {
    let contact = model(LawKind::HertzMindlin, RollingKind::ElasticPlastic);
    let mut engine =
        Engine::new(world, Settings { contact, rotation: scheme.into(), ..Settings::new(1e-5) }).unwrap();
    let mut touched = false;
    for _ in 0..25 {
        engine.advance(100).unwrap();
        touched |= engine.contact_count() > 0;
    }
    assert!(touched, "something collided");
    engine.bodies()
}

#[test]
fn a_set_up_that_is_turned_as_a_whole_moves_as_before() {
    let turn = Quat::from_rotation_vector(BodyVec::new(0.7, -0.4, 1.1));
    for scheme in accepted() {
        let mut world = cluster();
        for body in &mut world.bodies {
            body.position = turned(turn, body.position);
            body.velocity = turned(turn, body.velocity);
            body.angular_velocity = turned(turn, body.angular_velocity);
            body.orientation = turn * body.orientation;
        }
        let pairs: Vec<_> = run(cluster(), scheme).into_iter().zip(run(world, scheme)).collect();
        let apart = largest(pairs.iter().map(|(a, b)| (turned(turn, a.position) - b.position).norm()));
        assert!(apart < 1e-13, "{}: {apart:e} m apart", scheme.name());
    }
}
