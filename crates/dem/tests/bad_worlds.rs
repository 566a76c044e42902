//! Guarantee: a world that cannot be simulated is refused before the first step, in words that name the culprit
//! and what would be possible. And any world at all, however odd, either runs or ends with an error: none panics.

use crate::common::for_every_law;
use crate::crowds::{DT, RADIUS, closed_box, engine, v};
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::Drag;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, MaterialError, Materials, PairProperties};
use tumble_dem::property::{POISSON, WORK_OF_ADHESION, YOUNG};
use tumble_dem::random::Random;
use tumble_dem::{
    Body, Engine, Error, Kicks, LabVec, MaterialId, Precision, Quat, SchemeKind, Settings, Sharing,
    TemplateId, World,
};

/// A good world with one body that is changed, and what the engine says of it.
fn with_body(change: impl FnOnce(&mut Body)) -> String {
    let mut world = crate::crowds::world();
    world.add_body(Body::at(TemplateId(0), LabVec::zero()));
    let mut body = Body::at(TemplateId(1), v(0.1, 0.0, 0.0));
    change(&mut body);
    world.add_body(body);
    refusal(world, Settings::new(DT))
}

fn with_settings(change: impl FnOnce(&mut Settings)) -> String {
    let mut settings = Settings::new(DT);
    change(&mut settings);
    refusal(crate::crowds::world(), settings)
}

fn refusal(world: World, settings: Settings) -> String {
    Engine::new(world, settings).expect_err("cannot be simulated").to_string()
}

#[test]
fn settings() {
    for (value, shown) in [(0.0, "0"), (-1e-5, "-0.00001"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        assert_eq!(
            with_settings(|settings| settings.dt = value),
            format!("the settings: the time step is {shown}, expected a positive finite number")
        );
    }
    assert_eq!(
        with_settings(|settings| settings.max_overlap = 0.0),
        "the settings: the largest overlap is 0, expected a positive finite number"
    );
    assert_eq!(
        with_settings(|settings| settings.skin = Some(f64::NAN)),
        "the settings: the skin is NaN, expected a positive finite number"
    );
    assert_eq!(
        with_settings(|settings| settings.rotation = SchemeKind::RungeKutta4.into()),
        "the rotation scheme runge-kutta-4 evaluates torques several times in a step, which contacts with \
         history cannot offer; choose one with a single torque, such as magnus-leapfrog"
    );
    // Every other scheme is accepted.
    for &rotation in SchemeKind::ALL.iter().filter(|&&scheme| scheme != SchemeKind::RungeKutta4) {
        engine(&crate::crowds::world(), &Settings { rotation: rotation.into(), ..Settings::new(DT) });
    }
}

#[test]
fn bodies() {
    assert_eq!(
        with_body(|body| body.position.y = f64::NAN),
        "body 1: the position is [0.1, NaN, 0.0], expected finite numbers"
    );
    assert_eq!(
        with_body(|body| body.velocity.z = f64::INFINITY),
        "body 1: the velocity is [0.0, 0.0, inf], expected finite numbers"
    );
    assert_eq!(
        with_body(|body| body.angular_velocity.x = f64::NAN),
        "body 1: the angular velocity is [NaN, 0.0, 0.0], expected finite numbers"
    );
    for (scale, shown) in [(0.0, "0"), (-2.0, "-2"), (f64::NAN, "NaN")] {
        assert_eq!(
            with_body(|body| body.scale = scale),
            format!("body 1: the scale is {shown}, expected a positive finite number")
        );
    }
    assert_eq!(
        with_body(|body| body.orientation = Quat::new(1.0, 0.1, 0.0, 0.0)),
        "body 1: the orientation is [1.0, 0.1, 0.0, 0.0], expected a unit quaternion (w, x, y, z)"
    );
    assert_eq!(
        with_body(|body| body.orientation = Quat::new(f64::NAN, 0.0, 0.0, 0.0)),
        "body 1: the orientation is [NaN, 0.0, 0.0, 0.0], expected finite numbers"
    );
    assert_eq!(
        with_body(|body| body.template = TemplateId(4)),
        "body 1: there is no template 4; the world has 4"
    );
    assert_eq!(
        with_body(|body| body.material = MaterialId(2)),
        "body 1: there is no material 2; the world has 2"
    );
    assert!(with_body(|body| body.position = v(RADIUS, 0.0, 0.0)).starts_with(
        "at t = 0.000000000e0 s body 0 at (0.000000e0, 0.000000e0, 0.000000e0) m overlaps body 1 by"
    ));
}

#[test]
fn walls_gravity_and_drag() {
    let mut world = crate::crowds::world();
    world.walls.push(closed_box(0.1));
    world.walls[0].material = MaterialId(7);
    assert_eq!(refusal(world, Settings::new(DT)), "wall 'box': there is no material 7; the world has 2");

    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, f64::NEG_INFINITY);
    assert_eq!(
        refusal(world, Settings::new(DT)),
        "the world: the gravity is [0.0, 0.0, -inf], expected finite numbers"
    );

    for drag in [Drag::linear(-1.0), Drag::quadratic(f64::NAN, 1.0)] {
        let mut world = crate::crowds::world();
        world.drag = Some(drag);
        let text = refusal(world, Settings::new(DT));
        assert!(text.starts_with("the drag: the viscosity, density or coefficient is ["), "{text}");
        assert!(text.ends_with("expected numbers ≥ 0"), "{text}");
    }
    let mut world = crate::crowds::world();
    world.drag = Some(Drag { flow: v(f64::NAN, 0.0, 0.0), ..Drag::linear(1.0) });
    assert_eq!(
        refusal(world, Settings::new(DT)),
        "the drag: the flow is [NaN, 0.0, 0.0], expected finite numbers"
    );
}

#[test]
fn materials() {
    let glass = || Material::new("glass", 2500.0, 48e9, 0.2);
    let refused = |materials: Materials, contact: ContactModel| {
        let mut world = crate::crowds::world();
        for material in (0..u16::MAX).take(materials.as_slice().len()) {
            world.add_body(
                Body::at(TemplateId(0), v(f64::from(material), 0.0, 0.0)).made_of(MaterialId(material)),
            );
        }
        world.materials = materials;
        let error =
            Engine::new(world, Settings { contact, ..Settings::new(DT) }).expect_err("no such matter");
        assert!(matches!(error, Error::Material(_)), "{error:?}");
        error.to_string()
    };
    let hertz = ContactModel::default();
    let linear = ContactModel { law: LawKind::Linear, ..hertz };

    let mut materials = Materials::default();
    materials.add(glass()).unwrap();
    let expected = MaterialError::NoProperties { pair: ["glass".into(), "glass".into()] }.to_string();
    assert_eq!(refused(materials.clone(), hertz), expected);
    assert!(expected.starts_with("the pair glass–glass has no restitution and friction"), "{expected}");

    // One pair of two is missing.
    materials.add(Material::new("steel", 7800.0, 200e9, 0.3)).unwrap();
    materials.set_pair(MaterialId(0), MaterialId(0), PairProperties::default());
    materials.set_pair(MaterialId(1), MaterialId(1), PairProperties::default());
    assert!(refused(materials.clone(), hertz).starts_with("the pair glass–steel has no restitution"));
    materials.set_default(PairProperties::default());
    assert!(
        refused(materials.clone(), linear)
            .starts_with("material glass: the contact law linear needs its stiffness")
    );

    materials.set_pair(MaterialId(0), MaterialId(1), PairProperties::new(0.0, 0.0));
    let text = refused(materials.clone(), hertz);
    assert!(text.starts_with("pair glass–steel: restitution must be at least 0.001"), "{text}");
    materials.set_pair(MaterialId(0), MaterialId(1), PairProperties::new(1.0, f64::NAN));
    let text = refused(materials, hertz);
    assert!(text.starts_with("pair glass–steel: friction must be zero or a positive number"), "{text}");

    for (impossible, expected) in [
        (Material { density: 0.0, ..glass() }, "material glass: density must be a positive number"),
        (glass().with(&YOUNG, -1.0), "material glass: young must be a positive number"),
        (glass().with(&POISSON, 0.6), "material glass: poisson must be above −1 and at most 0.5"),
        (glass().with(&YOUNG, f64::INFINITY), "pair glass–glass: young is infinite in both"),
    ] {
        let mut materials = Materials::default();
        materials.set_default(PairProperties::default());
        materials.add(impossible).unwrap();
        let text = refused(materials, hertz);
        assert!(text.starts_with(expected), "{text}");
    }
}

/// A domain must be longer than four times the largest bounding radius and twice the skin.
#[test]
fn domains() {
    let world_of = |length: f64| {
        let mut world = crate::crowds::world();
        world.domain.axes[1] = Axis::Periodic { low: 0.0, high: length };
        world.add_body(Body::at(TemplateId(0), LabVec::zero()));
        world
    };
    let needed = 5.6 * RADIUS;
    engine(&world_of(1.001 * needed), &Settings::new(DT));
    assert_eq!(
        refusal(world_of(0.02), Settings::new(DT)),
        "the periodic axis y is 0.02 m long, but must be longer than 0.028 m (four times the largest bounding \
         radius and twice the skin), or two bodies could touch each other twice"
    );
    // With a given skin it is that one.
    let thick = Settings { skin: Some(0.05), ..Settings::new(DT) };
    assert!(matches!(
        Engine::new(world_of(0.1), thick.clone()),
        Err(Error::DomainTooSmall { axis: 'y', .. })
    ));
    engine(&world_of(0.121), &thick);
    for axis in [
        Axis::Periodic { low: 0.3, high: 0.1 },
        Axis::Periodic { low: 0.1, high: 0.1 },
        Axis::Periodic { low: f64::NAN, high: 0.1 },
        Axis::Periodic { low: 0.0, high: f64::INFINITY },
    ] {
        let mut world = world_of(1.0);
        world.domain = Domain::of([Axis::Open, Axis::Open, axis]);
        let error = Engine::new(world, Settings::new(DT)).expect_err("no such axis");
        assert!(matches!(error, Error::DomainTooSmall { .. } | Error::Invalid { .. }), "{error}");
    }
}

/// A number that is often ordinary, sometimes extreme.
fn odd(random: &mut Random, ordinary: f64) -> f64 {
    match random.bits() % 12 {
        0 => 0.0,
        1 => ordinary * 1e6,
        2 => ordinary * 1e-6,
        3 => -ordinary,
        _ => ordinary * random.between(0.3, 3.0),
    }
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
    from[(random.uniform() * from.len() as f64) as usize]
}

fn one_in(n: u64, random: &mut Random) -> bool {
    random.bits().is_multiple_of(n)
}

fn odd_world(random: &mut Random) -> World {
    let mut world = World::default();
    for name in ["one", "other"] {
        let (density, young) = (odd(random, 1000.0), odd(random, 1e6));
        let stiffness = odd(random, 1e3);
        world.materials.add(Material::new(name, density, young, 0.3).with_stiffness(stiffness)).unwrap();
    }
    world.materials.set_default(
        for_every_law(PairProperties::new(random.between(0.1, 1.0), odd(random, 0.5).abs()))
            .with(&WORK_OF_ADHESION, 0.1)
            .with_rolling(odd(random, 0.1).abs(), odd(random, 0.1).abs())
            .with_twisting(odd(random, 0.1).abs()),
    );
    for spheres in [shapes::sphere(RADIUS), shapes::rod(4, RADIUS, RADIUS), shapes::tetrahedron(RADIUS, 0.01)]
    {
        world.add_template(ClumpTemplate::new("odd", &spheres, MassModel::Union).unwrap()).unwrap();
    }
    let spread = odd(random, 0.05);
    for _ in 0..random.bits() % 12 {
        let place = random.direction() * odd(random, spread);
        let body = Body::at(TemplateId(pick(random, &[0, 1, 2])), place + v(0.1, 0.1, 0.1));
        let body = body.moving(random.direction() * odd(random, 2.0)).turned(random.orientation());
        let body =
            body.spinning(random.direction() * odd(random, 100.0)).made_of(MaterialId(pick(random, &[0, 1])));
        let body = body.scaled(pick(random, &[1.0, 1.0, 0.5, 0.01, 50.0, 0.0]));
        world.add_body(if one_in(8, random) { body.held() } else { body });
    }
    for axis in &mut world.domain.axes {
        if one_in(4, random) {
            *axis = Axis::Periodic { low: 0.0, high: odd(random, 0.2) };
        }
    }
    if one_in(3, random) {
        world.walls.push(closed_box(odd(random, 0.2).abs().max(1e-9)));
    }
    if one_in(4, random) {
        world.drag = Some(Drag {
            viscosity: odd(random, 1e-3),
            density: 1.2,
            coefficient: 0.4,
            flow: v(1.0, 0.0, 0.0),
        });
    }
    world.gravity = random.direction() * odd(random, 10.0);
    world
}

#[test]
fn odd_worlds_run_or_end_with_an_error() {
    let (mut ran, mut refused, mut stopped) = (0, 0, 0);
    let models: Vec<ContactModel> = ContactModel::all().collect();
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let settings = Settings {
            dt: odd(&mut random, 1e-5),
            rotation: pick(&mut random, SchemeKind::ALL).into(),
            contact: pick(&mut random, &models),
            sharing: pick(&mut random, &[Sharing::Sum, Sharing::Average]),
            kicks: pick(&mut random, &Kicks::ALL),
            max_turn: pick(&mut random, &[0.3, 1.0, 1e9]),
            max_overlap: pick(&mut random, &[0.3, 1.0, 1e9]),
            surface_interval: None,
            skin: pick(&mut random, &[None, None, Some(1e-4), Some(1e-2), Some(1.0)]),
            threads: pick(&mut random, &[1, 1, 1, 2]),
            instruction_set: None,
            precision: pick(&mut random, &Precision::ALL),
        };
        let world = odd_world(&mut random);
        let Ok(mut engine) = Engine::new(world, settings) else {
            refused += 1;
            continue;
        };
        let mut good = true;
        for _ in 0..4 {
            match engine.advance(60) {
                Ok(()) => {}
                Err(Error::Stopped(_)) => good = false,
                Err(other) => panic!("seed {seed}: {other}"),
            }
            // Whatever happened, bodies are somewhere; what a far too long step made of their speeds may
            // overflow first, and is noticed in the next step.
            for body in engine.bodies() {
                let [x, y, z] = body.position.to_array();
                assert!((x + y + z).is_finite(), "seed {seed}: body {} at {x} {y} {z}", body.id.0);
            }
            let ids: Vec<_> = engine.bodies().iter().map(|body| body.id).collect();
            if ids.is_empty() {
                break;
            }
            match random.bits() % 5 {
                // What cannot be is refused.
                0 => drop(engine.remove_bodies(&[pick(&mut random, &ids)])),
                1 => drop(engine.add_bodies(&[Body::at(TemplateId(1), random.direction() * 0.3)])),
                2 => drop(engine.set_held(pick(&mut random, &ids), one_in(2, &mut random))),
                3 => drop(engine.set_pose(pick(&mut random, &ids), random.direction(), random.orientation())),
                _ => {
                    let saved = engine.save();
                    engine.restore(&saved).unwrap();
                }
            }
        }
        if good {
            ran += 1;
        } else {
            stopped += 1;
        }
    }
    assert!(ran > 100 && refused > 100 && stopped > 20, "{ran} ran, {refused} refused, {stopped} stopped");
}

#[test]
fn a_template_too_many_is_refused() {
    let ball = std::sync::Arc::new(ClumpTemplate::sphere("ball", 1.0).unwrap());
    let mut world = World { templates: vec![ball.clone(); World::MOST_TEMPLATES - 1], ..World::default() };
    assert_eq!(world.add_template(ball.clone()).unwrap().index(), World::MOST_TEMPLATES - 1);
    let refused = world.add_template(ball.clone()).unwrap_err();
    assert_eq!(refused.to_string(), "too many templates: at most 65535");
    assert_eq!(world.templates.len(), World::MOST_TEMPLATES);
    // Put in by hand, one too many is noticed by the engine.
    world.templates.push(ball);
    assert_eq!(Engine::new(world, Settings::new(1e-5)).unwrap_err(), refused);
}

/// A skin in the wrong unit would make every body a neighbour of every other.
#[test]
fn a_skin_that_fills_the_memory_is_refused() {
    let ball = std::sync::Arc::new(ClumpTemplate::sphere("ball", 1e-3).unwrap());
    let mut world = World { templates: vec![ball], ..World::default() };
    world.materials.add(Material::new("glass", 2500.0, 1e7, 0.25)).unwrap();
    world.materials.set_default(PairProperties::default());
    let side = 20;
    for n in 0..side * side * side {
        let [x, y, z] = [n % side, n / side % side, n / side / side].map(|k| 3e-3 * f64::from(k));
        world.add_body(Body::at(TemplateId(0), v(x, y, z)));
    }
    let with = |skin: f64| Engine::new(world.clone(), Settings { skin: Some(skin), ..Settings::new(DT) });
    let refused = with(1.0).unwrap_err().to_string();
    assert!(refused.contains("skin") && refused.contains("check the unit"), "{refused}");
    // Large, but every body has some neighbours only.
    assert!(with(1e-3).is_ok());
    // Few bodies may all be neighbours.
    world.bodies.truncate(100);
    assert!(Engine::new(world.clone(), Settings { skin: Some(1.0), ..Settings::new(DT) }).is_ok());
}

/// Numbers in messages are as short as they can be.
#[test]
fn tiny_numbers_are_readable() {
    let message = with_settings(|settings| settings.max_overlap = -1e-300);
    assert!(message.contains("-1e-300") && message.len() < 200, "{message}");
}
