//! The books close: mechanical energy with all losses and without all work is constant, but for an error of
//! second order in the time step; every entry shows up where it should, and nothing lost comes back.

use crate::common::{X, Y, Z, add_clump, add_floor, add_sphere, largest, lopsided, order_of, world};
use std::sync::Arc;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::{BodyView, Drag, ForceField, Load};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::STIFFNESS_RATIO;
use tumble_dem::wall::{Cylinder, Motion, Movement, Side, Wall};
use tumble_dem::{Body, Engine, LabVec, Ledger, MaterialId, Quat, SchemeKind, Settings, TemplateId, World};

const DURATION: f64 = 1e-3;

fn stuff() -> World {
    let material = Material::new("m", 2500.0, 4e6, 0.25).with_stiffness(1e4);
    let properties = PairProperties::new(0.5, 0.2).with_rolling(0.05, 0.3).with_twisting(0.2);
    world(material, properties)
}

/// Clumps and spheres on a vibrating floor and in a turning drum, in a fluid, under gravity: all contacts
/// have begun and none ends soon.
pub(crate) fn machine() -> World {
    let mut world = stuff();
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    world.drag = Some(Drag { flow: X * 0.2, ..Drag::quadratic(1000.0, 0.4) });
    let (clump, sphere) = (add_clump(&mut world, &lopsided()), add_sphere(&mut world, 0.008));
    let amplitude = LabVec::new(1e-4, 0.0, 3e-4);
    add_floor(
        &mut world,
        MaterialId(0),
        Motion::new(vec![Movement::Vibration { amplitude, frequency: 80.0, phase: 0.3 }]).unwrap(),
    );
    let axis = Cylinder::new(Z * 0.1, Y, 0.15, Side::Inside, None).unwrap();
    let turning = Motion::new(vec![Movement::Spin { axis: Y, pivot: Z * 0.1, rate: 20.0 }]).unwrap();
    world.walls.push(Wall::new("drum", axis, MaterialId(0), turning).unwrap());
    let q = Quat::from_rotation_vector(LabVec::new(0.3, -0.5, 0.2));
    let spheres = world.templates[0].spheres().to_vec();
    let reach = |direction: LabVec<f64>| {
        largest(spheres.iter().map(|s| q.to_lab(s.centre).dot(direction) + s.radius))
    };
    let (below, beside) = (reach(-Z), reach(X));
    let spin = LabVec::new(20.0, -30.0, 25.0);
    let first = LabVec::new(0.0, 0.0, below - 1e-3);
    world.add_body(Body::at(clump, first).turned(q).moving(LabVec::new(0.4, 0.1, -0.2)).spinning(spin));
    let top = spheres
        .iter()
        .map(|s| (q.to_lab(s.centre), s.radius))
        .max_by(|a, b| (a.0.z + a.1).total_cmp(&(b.0.z + b.1)));
    let (centre, radius) = top.unwrap();
    let second = first + centre + LabVec::new(0.36, 0.48, 0.8) * (radius + 0.008 - 8e-4);
    world.add_body(Body::at(sphere, second).moving(LabVec::new(-0.2, 0.1, -0.4)).spinning(spin * -0.5));
    let third = LabVec::new(0.15 - beside + 1e-3, 0.05, 0.1);
    world.add_body(Body::at(clump, third).turned(q).moving(LabVec::new(0.3, 0.4, 0.2)).spinning(spin * 0.7));
    world.add_body(
        Body::at(sphere, LabVec::new(0.0, 0.2, 0.1)).moving(LabVec::new(0.5, 1.0, -0.3)).spinning(spin),
    );
    world
}

fn engine(world: World, contact: ContactModel, steps: u32) -> Engine {
    Engine::new(world, Settings { contact, ..Settings::new(DURATION / f64::from(steps)) }).unwrap()
}

/// The largest change of the balance at eight instants of a run, over the energy that moves about.
fn imbalance(mut engine: Engine, steps: u32) -> f64 {
    let start = engine.ledger();
    let scale = start.kinetic() + start.elastic_normal;
    largest((0..8).map(|_| {
        engine.advance(u64::from(steps / 8)).unwrap();
        ((engine.ledger().balance() - start.balance()) / scale).abs()
    }))
}

const LAWS: [LawKind; 2] = [LawKind::HertzMindlin, LawKind::Linear];

fn models() -> impl Iterator<Item = ContactModel> {
    LAWS.into_iter().flat_map(|law| {
        let twisting = TwistingKind::ElasticPlastic;
        RollingKind::ALL.iter().map(move |&rolling| ContactModel { law, rolling, twisting })
    })
}

fn with_rolling(law: LawKind) -> ContactModel {
    ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic }
}

/// `band`: the largest error allowed at 256 steps.
#[track_caller]
pub(crate) fn assert_second_order(what: &str, world: &World, contact: ContactModel, band: f64) {
    let steps = [32, 64, 128, 256];
    let errors = steps.map(|steps| imbalance(engine(world.clone(), contact, steps), steps));
    let order = order_of(&errors);
    assert!(order >= 1.7 && errors[3] < band, "{what}, {contact:?}: order {order:.2}, {errors:?}");
}

#[test]
fn the_books_of_a_machine_close_to_second_order() {
    for contact in models() {
        assert_second_order("machine", &machine(), contact, 2e-6);
    }
}

/// Whatever the rotation scheme, if it is of second order itself.
#[test]
fn the_books_close_for_every_time_level() {
    for rotation in [SchemeKind::KickRotateKick, SchemeKind::ImprovedPcdm, SchemeKind::WaltonBraun] {
        let errors = [32, 64, 128, 256].map(|steps| {
            let contact = with_rolling(LawKind::HertzMindlin);
            let settings =
                Settings { contact, rotation: rotation.into(), ..Settings::new(DURATION / f64::from(steps)) };
            imbalance(Engine::new(machine(), settings).unwrap(), steps)
        });
        let order = order_of(&errors);
        assert!(order >= 1.7 && errors[3] < 2e-6, "{}: order {order:.2}, {errors:?}", rotation.name());
    }
}

/// A clump pushed by a sphere that a hand moves and turns.
#[test]
fn the_books_of_a_hand_close_to_second_order() {
    let mut world = stuff();
    let (clump, sphere) = (add_clump(&mut world, &lopsided()), add_sphere(&mut world, 0.008));
    world.gravity = LabVec::new(0.0, 3.0, -9.81);
    world.drag = Some(Drag::linear(0.5));
    world.add_body(Body::at(clump, LabVec::zero()).spinning(LabVec::new(10.0, -20.0, 5.0)));
    let (centre, radius) = (world.templates[0].spheres()[1].centre, world.templates[0].spheres()[1].radius);
    let direction = Quat::identity().to_lab(centre) * (1.0 / centre.norm());
    let place = direction * (centre.norm() + radius + 0.008 - 1e-3);
    let hand =
        Body::at(sphere, place).moving(direction * -0.5 + Y * 0.2).spinning(LabVec::new(30.0, 20.0, 40.0));
    world.add_body(hand.held());
    for law in LAWS {
        let mut engine = engine(world.clone(), with_rolling(law), 256);
        engine.advance(256).unwrap();
        let books = engine.ledger();
        assert!(books.hand_work.abs() > 0.05 * books.kinetic(), "{books:?}");
        assert_second_order("hand", &world, with_rolling(law), 2e-6);
    }
}

/// Nothing gives way between a held body and a wall: no force, and no entry.
#[test]
fn a_held_body_in_a_wall_feels_nothing_of_it() {
    for contact in models() {
        let mut world = stuff();
        let sphere = add_sphere(&mut world, 0.008);
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        world.add_body(Body::at(sphere, Z * 0.006).moving(X).held());
        let mut engine = engine(world, contact, 64);
        engine.advance(64).unwrap();
        assert_eq!(engine.contact_count(), 0);
        assert_eq!(engine.ledger(), Ledger::default());
    }
}

/// A clump and a sphere that touch through the end of a periodic box, which the clump crosses on its way.
#[test]
fn the_books_of_a_periodic_box_close_to_second_order() {
    let mut world = stuff();
    let (clump, sphere) = (add_clump(&mut world, &lopsided()), add_sphere(&mut world, 0.008));
    let axis = Axis::Periodic { low: 0.0, high: 0.15 };
    world.domain = Domain::of([axis, axis, Axis::Open]);
    let spin = LabVec::new(20.0, -30.0, 25.0);
    let (centre, radius) = (world.templates[0].spheres()[1].centre, world.templates[0].spheres()[1].radius);
    let turned = Quat::from_rotation_vector(LabVec::new(0.0, 0.3, 0.2));
    let reach = turned.to_lab(centre);
    let direction = reach * (1.0 / reach.norm());
    // The clump is just before the end and moves across it; the sphere is beyond.
    let first = LabVec::new(0.149_9, 0.07, 0.0);
    let second = first + direction * (reach.norm() + radius + 0.008 - 1e-3) - X * 0.15;
    assert!(second.x > 0.0 && second.x < 0.05, "beyond the end: {second:?}");
    world.add_body(Body::at(clump, first).turned(turned).moving(LabVec::new(0.5, 0.2, 0.0)).spinning(spin));
    world.add_body(Body::at(sphere, second).moving(LabVec::new(0.1, -0.3, 0.2)));
    for law in LAWS {
        let mut engine = engine(world.clone(), with_rolling(law), 256);
        assert_eq!(engine.contact_count(), 1, "through the end");
        engine.advance(256).unwrap();
        assert_eq!(engine.contact_count(), 1);
        assert_second_order("periodic box", &world, with_rolling(law), 2e-6);
    }
}

/// A spring to the origin, a swirl about z, and a torque that follows the orientation and the time.
#[derive(Debug)]
struct Swirl(f64);

impl ForceField for Swirl {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        let x = body.position;
        let swirl = LabVec::new(-x.y, x.x, 0.0) * (3e3 * body.mass);
        let pulse = self.0 * (1.0 + 1e6 * time * time);
        let axis = body.orientation.to_lab(tumble_dem::BodyVec::new(1.0, 0.0, 0.0));
        let torque = axis.cross(Z) * 1e-3 - body.angular_velocity * 1e-6;
        Load { force: (swirl - x * (1e4 * body.mass)) * pulse, torque: torque * pulse }
    }
}

#[test]
fn the_books_of_a_field_close_to_second_order() {
    let mut world = machine();
    world.fields.push(Arc::new(Swirl(1.0)));
    for law in LAWS {
        let mut engine = engine(world.clone(), with_rolling(law), 256);
        engine.advance(256).unwrap();
        let books = engine.ledger();
        assert!(books.field_work.abs() > 0.05 * books.kinetic(), "{books:?}");
        assert_second_order("field", &world, with_rolling(law), 4e-5);
    }
}

/// The error of the books when a sphere thrown at a wall has bounced off: the worst of several instants within
/// a step at which they touch. Dashpots jump where a contact begins (linear) or begin as δ^¼ (Hertz–Mindlin), a
/// constant torque jumps where the rolling turns round; yet the books, with the same jumps, close.
fn error_of_a_throw(contact: ContactModel, steps: u32) -> f64 {
    largest((0..7).map(|phase| {
        let mut world = stuff();
        world.gravity = Z * -9.81;
        let sphere = add_sphere(&mut world, 0.008);
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        let gap = 1e-4 * (1.0 + 0.13 * f64::from(phase));
        let thrown = Body::at(sphere, Z * (0.008 + gap)).moving(LabVec::new(0.3, 0.0, -0.5));
        world.add_body(thrown.spinning(Y * -40.0));
        let dt = 8e-3 / f64::from(steps);
        let mut engine = Engine::new(world, Settings { contact, ..Settings::new(dt) }).unwrap();
        let start = engine.ledger();
        engine.advance(steps.into()).unwrap();
        let end = engine.ledger();
        assert!(engine.contact_count() == 0 && end.normal_damping > 0.0, "it has bounced");
        assert!(engine.bodies()[0].angular_velocity.y > 0.0, "its rolling has turned round");
        ((end.balance() - start.balance()) / start.kinetic()).abs()
    }))
}

#[test]
fn the_books_of_contacts_that_begin_close_as_well() {
    for contact in models() {
        let errors = [128, 256, 512, 1024].map(|steps| error_of_a_throw(contact, steps));
        let order = order_of(&errors);
        assert!(order >= 1.7 && errors[3] < 1e-4, "{contact:?}: order {order:.2}, {errors:?}");
    }
}

/// A long run with collisions: every entry that should be there is there, what was lost stays lost, and the
/// books are still closed.
#[test]
fn every_entry_shows_up_and_no_loss_comes_back() {
    for contact in models() {
        let mut world = machine();
        world.fields.push(Arc::new(Swirl(1e-3)));
        let sphere = TemplateId(1);
        let hand = Body::at(sphere, LabVec::new(0.004, -0.027, 0.012)).moving(Y * 1.0).held();
        world.add_body(hand);
        let dt = DURATION / 128.0;
        let settings = Settings { contact, max_overlap: 0.9, ..Settings::new(dt) };
        let mut engine = Engine::new(world, settings).unwrap();
        let start = engine.ledger();
        let losses =
            |l: &Ledger| [l.normal_damping, l.tangential_damping, l.sliding, l.rolling, l.separation];
        let mut before = losses(&start);
        let mut seen = [0.0_f64; 16];
        for _ in 0..1280 {
            engine.advance(1).unwrap();
            let books = engine.ledger();
            let now = losses(&books);
            let floor = -1e-13 * (books.kinetic() + books.lost().abs());
            for (now, before) in now.iter().zip(before) {
                assert!(now - before >= floor, "{contact:?}: {before:e} falls to {now:e}");
            }
            before = now;
            for (seen, (_, value)) in seen.iter_mut().zip(books.entries()) {
                *seen = if value.abs() > *seen { value.abs() } else { *seen };
            }
        }
        for (seen, (name, _)) in seen.iter().zip(start.entries()) {
            // Most springs let go as they leave; see `stiff_springs_that_let_go_have_an_entry`.
            let expected = name != "exchanged";
            assert!((*seen > 1e-9) == expected || name == "separation", "{contact:?}: {name} is {seen:e}");
        }
        let error = (engine.ledger().balance() - start.balance()).abs() / engine.ledger().kinetic();
        assert!(error < 1e-4, "{contact:?}: {error:e}");
    }
}

/// Sticking contacts end with a loaded spring, whose energy nobody gets back.
#[test]
fn stiff_springs_that_let_go_have_an_entry() {
    for law in [LawKind::Linear, LawKind::HertzMindlin] {
        let (mut errors, mut shares) = (Vec::new(), Vec::new());
        for ratio in [0.1, 0.37, 0.8] {
            let material =
                Material::new("m", 2500.0, 1e7, 0.3).with_stiffness(1e4).with(&STIFFNESS_RATIO, ratio);
            let properties = PairProperties::new(1.0, 1e6);
            let mut world = world(material, properties);
            let sphere = add_sphere(&mut world, 0.008);
            add_floor(&mut world, MaterialId(0), Motion::fixed());
            let thrown = Body::at(sphere, Z * 0.0081).moving(LabVec::new(0.4, 0.1, -0.5));
            world.add_body(thrown.spinning(LabVec::new(20.0, -10.0, 5.0)));
            let contact = ContactModel { law, ..ContactModel::default() };
            let mut engine = Engine::new(world, Settings { contact, ..Settings::new(4e-6) }).unwrap();
            let start = engine.ledger();
            engine.advance(4000).unwrap();
            let end = engine.ledger();
            assert!(engine.contact_count() == 0 && engine.bodies()[0].velocity.z > 0.0, "it has bounced");
            errors.push((end.balance() - start.balance()).abs() / start.kinetic());
            shares.push(end.separation / start.kinetic());
        }
        let most = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(*value));
        // Of first order: the instant at which a loaded spring lets go falls between two steps.
        assert!(most(&errors) < 1e-3, "{law:?}: {errors:?}");
        // Hertzian contacts soften as they open, and lose it to micro-slip.
        assert!(law == LawKind::HertzMindlin || most(&shares) > 0.01, "{law:?}: {shares:?}");
    }
}
