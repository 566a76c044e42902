//! Bodies that touch only each other keep their momentum to round-off with every rotation scheme, and their
//! angular momentum with those that declare it; with the others it drifts by an error that shrinks with the
//! step.

use crate::common::{add_clump, add_sphere, largest, lopsided, order_of, spin_momentum, world};
use tumble_dem::clump::shapes;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::{Body, BodyState, Engine, LabVec, SchemeKind, Settings, TemplateId, World};
use tumble_rotation::TimeLevel;

fn stuff() -> World {
    let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(2e4);
    let properties = PairProperties::new(0.6, 0.4).with_rolling(0.1, 0.3).with_twisting(0.4);
    let mut world = world(material, properties);
    add_clump(&mut world, &lopsided());
    add_clump(&mut world, &shapes::rod(3, 0.006, 0.009));
    add_sphere(&mut world, 0.008);
    world
}

/// Clumps and spheres in a cloud, all on their way to its middle.
pub(crate) fn cluster() -> World {
    let mut world = stuff();
    let mut random = Random::new(11);
    let which = [0, 1, 2, 0, 1, 2, 0, 0].map(TemplateId);
    let corner = LabVec::new(0.04, 0.04, 0.04);
    let bodies = random_cloud(&world.templates, &which, -corner, corner, 0.05, &mut random).unwrap();
    for body in bodies {
        let inwards = body.position * -30.0 + random.direction() * 0.3;
        world.add_body(body.moving(inwards).spinning(random.direction() * 40.0));
    }
    world
}

/// Momentum and angular momentum about the origin, and the sums of their sizes.
pub(crate) fn momenta(bodies: &[BodyState]) -> ([LabVec<f64>; 2], [f64; 2]) {
    let (mut sums, mut sizes) = ([LabVec::zero(); 2], [0.0; 2]);
    for body in bodies {
        let p = body.velocity * body.mass;
        let (orbital, spin) = (body.position.cross(p), spin_momentum(body));
        sums = [sums[0] + p, sums[1] + orbital + spin];
        sizes = [sizes[0] + p.norm(), sizes[1] + orbital.norm() + spin.norm()];
    }
    (sums, sizes)
}

pub(crate) fn model(law: LawKind, rolling: RollingKind) -> ContactModel {
    ContactModel { law, rolling, twisting: TwistingKind::ElasticPlastic }
}

pub(crate) fn accepted() -> impl Iterator<Item = SchemeKind> {
    SchemeKind::ALL.iter().copied().filter(|scheme| scheme.info().torque_times.len() == 1)
}

/// The largest drifts of momentum at any instant of a run, of angular momentum at any instant, and of angular
/// momentum whenever nothing touches; relative to the sums of sizes at the start.
fn drifts(world: World, settings: Settings, samples: u32, steps: u64) -> [f64; 3] {
    let mut engine = Engine::new(world, settings).unwrap();
    let ([p, l], [p_size, l_size]) = momenta(&engine.bodies());
    let (mut drifts, mut touched) = ([0.0; 3], false);
    for _ in 0..samples {
        engine.advance(steps).unwrap();
        let ([p_now, l_now], _) = momenta(&engine.bodies());
        let drift = [(p_now - p).norm() / p_size, (l_now - l).norm() / l_size];
        drifts[0] = largest([drifts[0], drift[0]]);
        drifts[1] = largest([drifts[1], drift[1]]);
        touched |= engine.contact_count() > 0;
        if engine.contact_count() == 0 {
            drifts[2] = largest([drifts[2], drift[1]]);
        }
    }
    assert!(touched, "something collided");
    drifts
}

const LAWS: [LawKind; 2] = [LawKind::HertzMindlin, LawKind::Linear];

/// 2500 steps through many collisions. What a scheme with synchronous levels conserves it shows once nothing
/// touches: in a contact its spins are half a step of torque away from the velocities.
fn assert_kept(scheme: SchemeKind, contact: ContactModel) {
    let settings = Settings { contact, rotation: scheme.into(), ..Settings::new(1e-5) };
    let [momentum, always, after] = drifts(cluster(), settings, 250, 10);
    let what = format!("{}, {contact:?}", scheme.name());
    assert!(momentum < 1e-14, "{what}: momentum drifts by {momentum:e}");
    let info = scheme.info();
    if info.conserves.momentum {
        assert!(after < 3e-13, "{what}: angular momentum drifts by {after:e}");
        if info.time_level == TimeLevel::KickDriftKick {
            assert!(always < 3e-13, "{what}: angular momentum in contact drifts by {always:e}");
        }
    }
}

#[test]
fn a_cluster_keeps_its_momenta_with_every_scheme() {
    for law in LAWS {
        for scheme in accepted() {
            assert_kept(scheme, model(law, RollingKind::ElasticPlastic));
        }
    }
}

#[test]
fn a_cluster_keeps_its_momenta_with_every_rolling_resistance() {
    for law in LAWS {
        for &rolling in RollingKind::ALL {
            assert_kept(SchemeKind::KickRotateKick, model(law, rolling));
        }
    }
}

/// Two clumps that collide once.
fn pair() -> World {
    let mut world = stuff();
    let place = LabVec::new(-0.008, 0.006, 0.03);
    world.add_body(Body::at(TemplateId(0), LabVec::zero()).spinning(LabVec::new(3.0, 5.0, 20.0)));
    let second = Body::at(TemplateId(0), place).turned(Random::new(2).orientation());
    let spin = LabVec::new(-60.0, 20.0, -90.0);
    world.add_body(second.moving(LabVec::new(0.6, -0.3, -1.0)).spinning(spin));
    world
}

/// Schemes that do not conserve angular momentum lose it as their order says, once the clumps are apart again.
#[test]
fn the_other_schemes_lose_angular_momentum_with_their_order() {
    for scheme in accepted().filter(|scheme| !scheme.info().conserves.momentum) {
        let errors = [500, 1000, 2000, 4000].map(|steps: u32| {
            let contact = model(LawKind::HertzMindlin, RollingKind::ElasticPlastic);
            let settings =
                Settings { contact, rotation: scheme.into(), ..Settings::new(0.04 / f64::from(steps)) };
            drifts(pair(), settings, 10, u64::from(steps / 10))[2]
        });
        let orders = scheme.info().orders;
        let declared = orders.velocity_torque.omega.min(orders.orientation_torque.omega);
        let order = order_of(&errors);
        assert!(order > f64::from(declared) - 0.3, "{}: order {order:.2}, {errors:?}", scheme.name());
    }
}
