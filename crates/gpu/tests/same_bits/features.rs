//! Worlds with what only some have: fields, held bodies, meshes, laws beyond touch.

use super::Failure;
use super::laws::{HOLD, halo, tape};
use super::worlds::{Case, boxed, case, fill, mixed, settings, up, with_wall};
use std::sync::Arc;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::{BatchField, BodyView, Drag, ForceField, Form, Formula, Load};
use tumble_dem::law::{ContactModel, EnergyPower, LawKind};
use tumble_dem::material::PairProperties;
use tumble_dem::wall::{Drawing, MeshOptions, Motion, Movement, Seen, Touch, TriangleMesh, WallShape};
use tumble_dem::{Body, LabVec, MaterialId, Settings, TemplateId, World};

/// A pull to a point that comes and goes, and a wind: fields with a formula.
#[derive(Debug)]
struct Pull {
    towards: bool,
}

impl ForceField for Pull {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        self.formula(time).map_or(Load::ZERO, |formula| formula.load(body))
    }

    fn formula(&self, time: f64) -> Option<Formula> {
        let form = if self.towards {
            Form::Attraction { centre: LabVec::new(0.1, 0.1, 0.05), rate: 900.0 }
        } else {
            Form::Uniform { acceleration: LabVec::new(3.0, 0.0, -1.0), factor: 0.7 + time }
        };
        Formula::whole(form).times(0.3 + 10.0 * time)?.times(0.9)
    }
}

/// A whirl of a program's own.
#[derive(Debug)]
struct Whirl;

impl ForceField for Whirl {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        let force = LabVec::new(-body.position.y, body.position.x, 0.1) * (body.mass * 30.0);
        Load { force, torque: body.angular_velocity * (-1e-7 - 1e-8 * time) }
    }
}

/// Draws each body to the one with the next id.
#[derive(Debug)]
struct Chain;

impl BatchField for Chain {
    fn add_loads(&self, bodies: &[BodyView], _: f64, loads: &mut [Load]) -> Result<(), String> {
        for (pair, load) in bodies.windows(2).zip(loads) {
            load.force = load.force + (pair[1].position - pair[0].position) * (20.0 * pair[0].mass);
        }
        Ok(())
    }
}

pub(crate) fn chain() -> Arc<dyn BatchField> {
    Arc::new(Chain)
}

/// A wall of a program's own: a plane far below.
#[derive(Debug)]
pub(crate) struct OwnShape;

impl WallShape for OwnShape {
    fn touches(&self, centre: LabVec<f64>, radius: f64, _: EnergyPower, _: &[u32], found: &mut Vec<Touch>) {
        let distance = self.distance(centre);
        if distance < radius {
            found.push(Touch { feature: 0, normal: up(), overlap: radius - distance, slope: 1.0 });
        }
    }

    fn distance(&self, point: LabVec<f64>) -> f64 {
        point.z + 1.0
    }

    fn features(&self) -> u32 {
        1
    }

    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        Vec::new()
    }

    fn draw(&self, seen: &Seen) -> Drawing {
        Drawing::patch(up() * -1.0, up(), seen)
    }
}

/// Some of them held, at rest and in motion.
fn with_held(mut world: World) -> World {
    for (number, body) in world.bodies.iter_mut().enumerate().filter(|(number, _)| number % 5 == 2) {
        body.held = true;
        body.velocity = LabVec::new(0.0, if number % 2 == 0 { 0.4 } else { 0.0 }, 0.1);
    }
    world
}

fn fluid() -> Drag {
    Drag { viscosity: 0.5, density: 1.2, coefficient: 0.4, flow: LabVec::new(1.0, 0.0, -0.5) }
}

pub(crate) fn held_and_fields() -> Result<Vec<Case>, Failure> {
    let mut both = boxed(3)?;
    both.drag = Some(fluid());
    both.fields = vec![Arc::new(Pull { towards: true }), Arc::new(Pull { towards: false })];
    let mut own = with_held(boxed(3)?);
    own.drag = Some(fluid());
    own.fields = vec![Arc::new(Pull { towards: false }), Arc::new(Whirl)];
    let staggered = Settings { rotation: tumble_dem::SchemeKind::Fincham.into(), ..settings() };
    Ok(vec![
        case("held bodies and a staggered scheme", with_held(boxed(2)?), staggered, 200),
        case("drag and formulas, and held bodies", with_held(both), settings(), 250),
        case("a field of a program's own", own, settings(), 150),
    ])
}

fn mesh(drawing: &Drawing) -> Result<Arc<TriangleMesh>, Failure> {
    let corner = |number: &u32| drawing.points[*number as usize];
    let triangles: Vec<[LabVec<f64>; 3]> =
        drawing.triangles.iter().map(|triangle| triangle.each_ref().map(corner)).collect();
    Ok(Arc::new(TriangleMesh::new(&triangles, MeshOptions::default())?))
}

/// A floor of small triangles with grooves of some depth, whose sides a sphere touches at once.
fn waves(pieces: u32, size: f64, depth: f64) -> Drawing {
    let mut drawing = Drawing::default();
    let across = pieces + 1;
    for (i, j) in (0..across * across).map(|n| (n % across, n / across)) {
        let [x, y] = [i, j].map(|k| size * f64::from(k) / f64::from(pieces));
        let height = depth * ([0.0, 0.9, 0.3][(i % 3) as usize] + 0.1 * f64::from(j % 2));
        drawing.points.push(LabVec::new(x, y, height));
    }
    for (i, j) in (0..pieces * pieces).map(|n| (n % pieces, n / pieces)) {
        let at = |i: u32, j: u32| i + j * across;
        drawing.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
        drawing.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
    drawing
}

/// In boxes and drums of triangles, at rest and in motion, with what bears on them.
pub(crate) fn meshes() -> Result<Vec<Case>, Failure> {
    let down = LabVec::new(0.0, 0.0, -9.81);
    let mut cuboid = mixed()?;
    cuboid.gravity = down;
    let sides = mesh(&Drawing::cuboid(LabVec::zero(), LabVec::new(0.2, 0.2, 0.3)))?;
    with_wall(&mut cuboid, "sides", sides.clone(), Motion::fixed())?;
    with_wall(&mut cuboid, "waves", mesh(&waves(20, 0.2, 7e-3))?, Motion::fixed())?;
    fill(&mut cuboid, [4, 4, 3], [0.03; 3]);
    let mut drum = mixed()?;
    drum.gravity = down;
    let axis = LabVec::new(1.0, 0.0, 0.0);
    let ends = [LabVec::new(-0.02, 0.1, 0.1), LabVec::new(0.16, 0.1, 0.1)];
    let shell = mesh(&Drawing::frustum(ends, [0.12; 2], axis, true))?;
    let spin = Motion::new(vec![Movement::Spin { axis, pivot: ends[0], rate: 8.0 }])?;
    with_wall(&mut drum, "drum", shell, spin)?;
    // Of two models, one of which knows no friction.
    let smooth = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    drum.materials.set_pair(MaterialId(0), MaterialId(1), PairProperties::new(0.8, 0.2).with_model(smooth));
    fill(&mut drum, [3, 3, 3], [0.02, 0.05, 0.05]);
    // Through the ends of a periodic axis, along a floor that goes beyond both.
    let mut endless = mixed()?;
    endless.gravity = down;
    endless.domain = Domain::of([Axis::Periodic { low: 0.0, high: 0.2 }, Axis::Open, Axis::Open]);
    with_wall(&mut endless, "waves", mesh(&waves(24, 0.24, 7e-3))?, Motion::fixed())?;
    with_wall(
        &mut endless,
        "the same, shaken",
        mesh(&waves(24, 0.24, 7e-3))?,
        Motion::new(vec![Movement::Vibration { amplitude: up() * 1e-3, frequency: 200.0, phase: 0.3 }])?,
    )?;
    fill(&mut endless, [4, 4, 2], [0.02, 0.03, 0.03]);
    let observed = Settings { surface_interval: Some(120), ..settings() };
    Ok(vec![
        case("in a box of triangles", cuboid, observed.clone(), 250),
        case("in a drum of triangles", drum, observed.clone(), 250),
        case("over waves without end", endless, observed, 250),
    ])
}

/// A ball that sinks so far into a floor of tiny triangles that hundreds of them are within it.
pub(crate) fn tiny_triangles() -> Result<World, Failure> {
    let mut world = mixed()?;
    with_wall(&mut world, "floor", mesh(&waves(60, 0.03, 0.0))?, Motion::fixed())?;
    let ball = Body::at(TemplateId(2), LabVec::new(0.015, 0.015, 0.0105));
    world.add_body(ball.moving(up() * -3.0));
    Ok(world)
}

/// Laws that hold on, and laws that act before anything touches: between bodies and on walls.
pub(crate) fn beyond_touch() -> Result<Vec<Case>, Failure> {
    let held_by = |model: ContactModel, range: f64| {
        PairProperties::new(0.9, 0.3).with(&HOLD, range).with_rolling(0.05, 0.3).with_model(model)
    };
    let mut taped = boxed(3)?;
    taped.materials.set_default(held_by(tape(), 1e-3));
    taped.materials.set_pair(MaterialId(0), MaterialId(1), held_by(tape(), 3e-4));
    let mut near = boxed(2)?;
    near.materials.set_pair(MaterialId(0), MaterialId(0), held_by(halo(), 2e-3));
    // Their springs are soft.
    let soft = Settings::new(1e-4);
    for world in [&mut taped, &mut near] {
        world.gravity = world.gravity * 0.1;
        for body in &mut world.bodies {
            body.velocity = body.velocity * 0.07;
            body.angular_velocity = body.angular_velocity * 0.07;
        }
    }
    Ok(vec![case("tape", taped, soft.clone(), 300), case("a halo among others", near, soft, 300)])
}
