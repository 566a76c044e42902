//! The advisor knows the springs and dashpots that resist rolling and twisting: its limit is the closed form, and at
//! what it recommends the books close, which they do not without that limit.

use crate::advice::{STIFFNESS, add_floor, add_sphere, close, empty_world, mass, model, seconds};
use tumble_dem::advice::{Advice, LimitKind, advise};
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::PairProperties;
use tumble_dem::{Body, Engine, LabVec, Settings};

fn rolling() -> ContactModel {
    ContactModel { rolling: RollingKind::ElasticPlastic, ..model(LawKind::Linear) }
}

/// A sphere pressed on a floor: kᵣ = 2.25 kₙ(μᵣR)², its dashpot 2η√(7/5 mR² kᵣ), against the sphere's own 2/5 mR². The
/// longest stable step is the root of ω²Δt²/4 + (c/I)Δt = 1.
#[test]
fn rolling_resistance_has_a_limit_of_its_own() {
    let properties = PairProperties::default().with_rolling(2.0, 3.0);
    let mut world = empty_world(properties);
    let radius = 0.005;
    add_sphere(&mut world, radius, 0.0, 0.0);
    add_floor(&mut world);
    world.bodies[0].position = LabVec::new(0.0, 0.0, 0.99 * radius);
    let advice = advise(&world, rolling()).unwrap();
    let (m, k) = (mass(radius), 2.25 * STIFFNESS * (2.0 * radius).powi(2));
    let inertia = 0.4 * m * radius * radius;
    let (square, rate) = (k / inertia, 6.0 * (1.4 * m * radius * radius * k).sqrt() / inertia);
    let limit = advice.limit(LimitKind::Turning).unwrap();
    let step = limit.seconds;
    close(0.25 * square * step * step + rate * step, 1.0, 1e-9, "ω²Δt²/4 + cΔt/I");
    assert_eq!(advice.binding().unwrap().kind, LimitKind::Turning);
    assert!(advice.to_string().contains("rolling, twisting"), "{advice}");
    // A sphere above the floor can land on it.
    world.bodies[0].position = LabVec::new(0.0, 0.0, 3.0 * radius);
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    close(seconds(&advise(&world, rolling()).unwrap(), LimitKind::Turning), step, 1e-9, "to land");
    // Without a spring there is no limit.
    assert!(advise(&world, model(LawKind::Linear)).unwrap().limit(LimitKind::Turning).is_none());
    world.materials.set_default(PairProperties::default());
    let plain = advise(&world, rolling()).unwrap();
    assert!(plain.limit(LimitKind::Turning).is_none(), "{plain}");
}

/// A rod and a ball that land spinning, with rolling friction 2 and rolling damping 3: at the step advised the books
/// close, and no energy comes from nowhere.
#[test]
fn strong_rolling_dashpots_get_a_step_that_they_bear() {
    for (law, twisting) in [
        (LawKind::Linear, TwistingKind::None),
        (LawKind::HertzMindlin, TwistingKind::None),
        (LawKind::HertzMindlin, TwistingKind::ElasticPlastic),
    ] {
        let contact = ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting };
        let mut world = empty_world(PairProperties::new(0.8, 0.5).with_rolling(2.0, 3.0).with_twisting(0.5));
        let rod = ClumpTemplate::new("rod", &shapes::rod(3, 0.005, 0.006), MassModel::Union).unwrap();
        let ball = ClumpTemplate::sphere("ball", 0.005).unwrap();
        for (template, x) in [(rod, 0.0), (ball, 0.05)] {
            let template = world.add_template(template).unwrap();
            let body = Body::at(template, LabVec::new(x, 0.0, 0.0052)).moving(LabVec::new(0.3, 0.0, -0.5));
            world.add_body(body.spinning(LabVec::new(10.0, 60.0, 20.0)));
        }
        add_floor(&mut world);
        world.gravity = LabVec::new(0.0, 0.0, -9.81);
        let advice = advise(&world, contact).unwrap();
        let run = |dt: f64| {
            let settings = Settings { contact, max_overlap: 1e9, max_turn: 1e9, ..Settings::new(dt) };
            let mut engine = Engine::new(world.clone(), settings).unwrap();
            let start = engine.ledger();
            let mut most = 0.0_f64;
            while engine.time() < 2e-3 {
                engine.advance(100).unwrap();
                most = most.max(engine.ledger().mechanical());
            }
            assert!(engine.ledger().rolling > 0.0);
            (most / start.mechanical(), (engine.ledger().balance() / start.balance() - 1.0).abs())
        };
        let (most, off) = run(advice.recommended());
        assert!(most < 1.0 + 1e-6 && off < 1e-5, "{law:?}: {most} {off:e}");
        let others = advice.limits.iter().filter(|limit| limit.kind != LimitKind::Turning).cloned();
        let others = Advice { limits: others.collect() }.recommended();
        assert!(others > 30.0 * advice.recommended(), "{law:?}: {others:e}\n{advice}");
        let (_, off) = run(others);
        assert!(off > 0.1, "{law:?}: without this limit the books would be open by {off:e}");
    }
}

/// With a step that they do not bear, strong dashpots would give energy: the run stops, at the start if they are at work
/// then, else soon after they begin to be.
#[test]
fn strong_rolling_dashpots_stop_a_run_that_does_not_resolve_them() {
    let properties = PairProperties::default().with_rolling(2.0, 3.0);
    let mut world = empty_world(properties);
    let radius = 0.005;
    add_sphere(&mut world, radius, 0.0, 0.0);
    add_floor(&mut world);
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    for height in [0.99, 1.001] {
        world.bodies[0].position = LabVec::new(0.0, 0.0, height * radius);
        let limit = seconds(&advise(&world, rolling()).unwrap(), LimitKind::Turning);
        let run = |part: f64| {
            let settings = Settings { contact: rolling(), ..Settings::new(part * limit) };
            Engine::new(world.clone(), settings).unwrap().advance(20_000)
        };
        assert!(run(1.5).is_ok());
        let error = run(2.5).unwrap_err().to_string();
        assert!(
            error.contains("rolling or twisting dashpots") && error.contains("is recommended"),
            "{error}"
        );
    }
}
