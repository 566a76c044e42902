//! A wall shape that the engine does not know, defined here as in a crate of its own, is touched, guarded and shown like
//! those of the list.

use crate::common::{Z, add_sphere, world};
use tumble_dem::law::{ContactModel, EnergyPower, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Drawing, Motion, Plane, Seen, Shape, Touch, Wall, WallShape};
use tumble_dem::{Body, Engine, Error, LabVec, MaterialId, Settings, StopCause};

/// A solid ball about the origin, with the spheres around it.
#[derive(Debug)]
struct Ball {
    radius: f64,
}

impl WallShape for Ball {
    fn touches(&self, centre: LabVec<f64>, radius: f64, _: EnergyPower, _: &[u32], found: &mut Vec<Touch>) {
        let overlap = radius - self.distance(centre);
        if overlap > 0.0 {
            let normal = centre * (1.0 / centre.norm());
            found.push(Touch { feature: 0, normal, overlap, slope: 1.0 });
        }
    }

    fn distance(&self, point: LabVec<f64>) -> f64 {
        point.norm() - self.radius
    }

    fn features(&self) -> u32 {
        1
    }

    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        vec![(LabVec::zero(), self.radius)]
    }

    fn draw(&self, _: &Seen) -> Drawing {
        Drawing::frustum([Z * -self.radius, Z * self.radius], [self.radius; 2], Z, true)
    }
}

const RADIUS: f64 = 0.05;

fn engine(shape: Shape, place: LabVec<f64>) -> Result<Engine, Error> {
    let mut world = world(Material::new("rubber", 1000.0, 1e6, 0.3), PairProperties::new(0.8, 0.3));
    world.gravity = Z * -9.81;
    world.walls.push(Wall::new("obstacle", shape, MaterialId(0), Motion::fixed()).unwrap());
    let sphere = add_sphere(&mut world, 0.01);
    world.add_body(Body::at(sphere, place));
    let contact = ContactModel { law: LawKind::HertzMindlin, ..ContactModel::default() };
    Engine::new(world, Settings { contact, ..Settings::new(1e-5) })
}

/// Above its top the ball is a plane, up to the rounding of its normals.
#[test]
fn it_bounces_a_sphere_as_a_plane_does() {
    let start = Z * 0.07;
    let plane = Plane::new(Z * RADIUS, Z).unwrap();
    let [mut ours, mut theirs] =
        [Shape::of(Ball { radius: RADIUS }), plane.into()].map(|shape| engine(shape, start).unwrap());
    let mut touched = 0;
    for _ in 0..100 {
        ours.advance(100).unwrap();
        theirs.advance(100).unwrap();
        touched += ours.contact_count();
        let [a, b] = [&ours, &theirs].map(|engine| engine.bodies()[0]);
        let apart = (a.position - b.position).norm() + 1e-3 * (a.velocity - b.velocity).norm();
        assert!(apart < 1e-12, "{apart:e}");
    }
    assert!(touched > 0 && ours.bodies()[0].position.z > RADIUS, "{touched} {:?}", ours.bodies());
}

/// Beside the top it pushes outwards.
#[test]
fn its_normals_are_its_own() {
    let mut engine = engine(Shape::of(Ball { radius: RADIUS }), LabVec::new(0.001, 0.0, 0.061)).unwrap();
    engine.advance(8_000).unwrap();
    let body = engine.bodies()[0];
    assert!(body.velocity.x > 0.0 && body.position.x > 0.0012, "{body:?}");
}

#[test]
fn who_is_in_its_solid_is_noticed() {
    let stopped =
        engine(Shape::of(Ball { radius: RADIUS }), Z * 0.02).and_then(|mut engine| engine.advance(1));
    let Err(Error::Stopped(stop)) = stopped else { panic!("{stopped:?}") };
    let escaped = matches!(&stop.cause, StopCause::Escaped { wall } if wall == "obstacle");
    assert!(escaped || matches!(stop.cause, StopCause::Overlap { .. }), "{stop}");
}

#[test]
fn it_is_drawn_and_told_apart() {
    let ball = Shape::of(Ball { radius: RADIUS });
    let drawing = ball.draw(&Seen::NOTHING);
    assert!(drawing.triangles.iter().flatten().all(|&corner| (corner as usize) < drawing.points.len()));
    assert!(drawing.triangles.len() > 100);
    assert_eq!(ball, ball.clone());
    assert_ne!(ball, Shape::of(Ball { radius: RADIUS }));
}
