//! What the files show: spheres, capsules, ellipsoids, polyhedra, bodies, contacts, walls, chains of forces.
//!
//! Pieces, contacts and walls are for pictures: single precision, which is to a millionth of the size of the
//! scene, and half the bytes. Bodies are for analysis: double precision, the very numbers of the engine.
//! Numbers of bodies are unsigned, as in the engine.

use super::polydata::Section::{CellData, PointData};
use super::polydata::{NORMALS, PolyData, number};
use crate::rounded::RoundedSurface;
use crate::single::{narrow, single};
use crate::surface::Surface;
use crate::{Frame, Model};
use tumble_dem::wall::Pose;
use tumble_dem::{BodyState, ContactState, LabVec, SurfaceState, Touching};
use tumble_math::BodyVec;
use tumble_math::elementary::cbrt;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// All spheres as points, and those at the ends of capsules: radius, velocity of the centre, spin, body, material, template; the temperature
    /// of the body where there is heat.
    Spheres,
    /// All capsules as lines between the centres of their ends, with the same numbers at both. A tube around each, as wide as its
    /// radius, and the spheres at the ends show them.
    Capsules,
    /// All ellipsoids as points with the radius of the sphere of their volume, and the same numbers as spheres; `shape` is the symmetric tensor that makes the
    /// ellipsoid of a ball of radius one. The filter *Tensor Glyph* with spheres of radius one shows them.
    Ellipsoids,
    /// All polyhedra as surfaces, rounded where they are: triangles, and at their corners `Normals`, the velocity of the surface, and what else spheres
    /// have; the radius is that of edges and corners.
    Polyhedra,
    /// All bodies as points: orientation, velocity, spin, force, torque, mass and what they are; temperature in K where there is heat.
    Bodies,
    /// All contacts as points: force on the first body, its normal and tangential parts, who touches whom.
    Contacts,
    /// The surfaces of walls: which wall, velocity of its material; with [surfaces](Frame::surfaces) what bears on the triangles of
    /// meshes, NaN for other walls.
    Walls,
    /// All contacts as lines: between the centres of the two bodies, or from the centre of a body to the point where it touches a
    /// wall, with the same forces at both ends. A tube around each, as wide as its force, shows chains of forces.
    Chains,
}

impl Piece {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Spheres,
        Self::Capsules,
        Self::Ellipsoids,
        Self::Polyhedra,
        Self::Bodies,
        Self::Contacts,
        Self::Walls,
        Self::Chains,
    ];

    /// What its files are called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spheres => "spheres",
            Self::Capsules => "capsules",
            Self::Ellipsoids => "ellipsoids",
            Self::Polyhedra => "polyhedra",
            Self::Bodies => "bodies",
            Self::Contacts => "contacts",
            Self::Walls => "walls",
            Self::Chains => "chains",
        }
    }

    pub(super) fn of(self, frame: &Frame, model: &Model) -> PolyData {
        match self {
            Self::Spheres => spheres(frame, model),
            Self::Capsules => capsules(frame, model),
            Self::Ellipsoids => ellipsoids(frame, model),
            Self::Polyhedra => polyhedra(frame, model),
            Self::Bodies => bodies(&frame.bodies, model),
            Self::Contacts => contacts(frame, model),
            Self::Walls => walls(frame, model),
            Self::Chains => chains(frame, model),
        }
    }
}

fn spheres(frame: &Frame, model: &Model) -> PolyData {
    let mut points = RoundPoints::with_capacity(model.sphere_count(&frame.bodies));
    for body in &frame.bodies {
        for (arm, radius) in model.spheres(body) {
            points.push(body, arm, radius);
        }
    }
    points.into_file(model, PolyData::of_points)
}

fn capsules(frame: &Frame, model: &Model) -> PolyData {
    let mut points = RoundPoints::with_capacity(0);
    for body in &frame.bodies {
        for (arms, radius) in model.capsules(body) {
            for arm in arms {
                points.push(body, arm, radius);
            }
        }
    }
    points.into_file(model, PolyData::of_lines)
}

fn ellipsoids(frame: &Frame, model: &Model) -> PolyData {
    let mut points = RoundPoints::with_capacity(0);
    let mut shapes: Vec<[f32; 9]> = Vec::new();
    for body in &frame.bodies {
        for (arm, axes) in model.ellipsoids(body) {
            let [a, b, c] = axes.map(LabVec::norm);
            points.push(body, arm, cbrt(a * b * c));
            // Σ a ââᵀ makes the ellipsoid of the unit ball.
            let entry = |i: usize, j: usize| {
                let part = |axis: &LabVec<f64>| axis.to_array()[i] * axis.to_array()[j] / axis.norm();
                narrow(axes.iter().map(part).sum())
            };
            shapes.push(core::array::from_fn(|place| entry(place / 3, place % 3)));
        }
    }
    let mut file = points.into_file(model, PolyData::of_points);
    file.array(PointData, "shape", shapes.into_iter());
    file
}

fn polyhedra(frame: &Frame, model: &Model) -> PolyData {
    // Templates are seen along their principal axes once, and bodies turn what is found.
    let surfaces: Vec<Vec<RoundedSurface>> = (model.templates.iter())
        .map(|template| {
            let place =
                |corner: u32| LabVec::from_array(template.spheres()[corner as usize].centre.to_array());
            template.hulls().iter().map(|hull| RoundedSurface::of(hull.faces(), place)).collect()
        })
        .collect();
    let mut points = RoundPoints::with_capacity(0);
    let (mut normals, mut triangles) = (Vec::new(), Vec::new());
    for body in &frame.bodies {
        for (surface, (_, place, rounding)) in
            surfaces[usize::from(body.template)].iter().zip(model.polyhedra(body))
        {
            let first = points.centres.len();
            for &(corner, normal) in &surface.points {
                let normal = body.orientation.to_lab(BodyVec::from_array(normal.to_array()));
                points.push(body, place(corner) + normal * rounding, rounding);
                normals.push(single(normal));
            }
            let numbers = surface.triangles.iter();
            triangles.extend(numbers.map(|corners| corners.map(|corner| number(first + corner as usize))));
        }
    }
    let of = |centres: std::vec::IntoIter<[f32; 3]>| PolyData::of_triangles(centres, triangles.into_iter());
    let mut file = points.into_file(model, of);
    file.array(PointData, NORMALS, normals.into_iter());
    file
}

/// Points of bodies with something round about them.
struct RoundPoints<'a> {
    centres: Vec<[f32; 3]>,
    radii: Vec<f32>,
    velocities: Vec<[f32; 3]>,
    owners: Vec<&'a BodyState>,
}

impl<'a> RoundPoints<'a> {
    fn with_capacity(count: usize) -> Self {
        Self {
            centres: Vec::with_capacity(count),
            radii: Vec::with_capacity(count),
            velocities: Vec::with_capacity(count),
            owners: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, body: &'a BodyState, arm: LabVec<f64>, radius: f64) {
        self.centres.push(single(body.position + arm));
        self.radii.push(narrow(radius));
        self.velocities.push(single(body.velocity + body.angular_velocity.cross(arm)));
        self.owners.push(body);
    }

    fn into_file(self, model: &Model, of: impl FnOnce(std::vec::IntoIter<[f32; 3]>) -> PolyData) -> PolyData {
        let Self { centres, radii, velocities, owners } = self;
        let mut file = of(centres.into_iter());
        file.array(PointData, "radius", radii.into_iter());
        file.array(PointData, "velocity", velocities.into_iter());
        file.array(PointData, "spin", owners.iter().map(|body| single(body.angular_velocity)));
        file.array(PointData, "body", owners.iter().map(|body| body.id.0));
        file.array(PointData, "material", owners.iter().map(|body| body.material.0));
        file.array(PointData, "template", owners.iter().map(|body| body.template.0));
        if model.heat {
            file.array(PointData, "temperature", owners.iter().map(|body| narrow(warmth(body))));
        }
        if model.liquid {
            file.array(PointData, "film", owners.iter().map(|body| narrow(film(body))));
        }
        file
    }
}

/// The liquid on a body, m³.
fn film(body: &BodyState) -> f64 {
    body.film.unwrap_or(f64::NAN)
}

/// The temperature of a body, K.
fn warmth(body: &BodyState) -> f64 {
    body.temperature.unwrap_or(f64::NAN)
}

fn bodies(bodies: &[BodyState], model: &Model) -> PolyData {
    let mut file = PolyData::of_points(bodies.iter().map(|body| body.position.to_array()));
    let mut vector = |name, of: fn(&BodyState) -> LabVec<f64>| {
        file.array(PointData, name, bodies.iter().map(|body| of(body).to_array()));
    };
    vector("velocity", |body| body.velocity);
    vector("spin", |body| body.angular_velocity);
    vector("force", |body| body.force);
    vector("torque", |body| body.torque);
    let orientations = bodies.iter().map(|body| body.orientation.to_array());
    file.named_array(PointData, "orientation", &["w", "x", "y", "z"], orientations);
    file.array(PointData, "mass", bodies.iter().map(|body| body.mass));
    file.array(PointData, "scale", bodies.iter().map(|body| body.scale));
    file.array(PointData, "body", bodies.iter().map(|body| body.id.0));
    file.array(PointData, "material", bodies.iter().map(|body| body.material.0));
    file.array(PointData, "template", bodies.iter().map(|body| body.template.0));
    file.array(PointData, "held", bodies.iter().map(|body| u8::from(body.held)));
    if model.heat {
        file.array(PointData, "temperature", bodies.iter().map(warmth));
    }
    if model.liquid {
        file.array(PointData, "film", bodies.iter().map(film));
    }
    file
}

fn contacts(frame: &Frame, model: &Model) -> PolyData {
    let contacts = &frame.contacts;
    let normals: Vec<LabVec<f64>> = contacts.iter().map(|contact| normal(contact, frame, model)).collect();
    let along = || contacts.iter().zip(&normals).map(|(contact, normal)| contact.force.dot(*normal));
    let mut file = PolyData::of_points(contacts.iter().map(|contact| single(contact.point)));
    file.array(PointData, "force", contacts.iter().map(|contact| single(contact.force)));
    file.array(PointData, "normal", normals.iter().map(|normal| single(*normal)));
    file.array(PointData, "normal_force", along().map(narrow));
    let tangential = contacts.iter().zip(&normals).zip(along());
    let tangential = tangential.map(|((contact, normal), along)| (contact.force - *normal * along).norm());
    file.array(PointData, "tangential_force", tangential.map(narrow));
    file.array(
        PointData,
        "elastic_energy",
        contacts.iter().map(|contact| narrow(contact.stored.iter().sum())),
    );
    file.array(PointData, "body", contacts.iter().map(|contact| contact.body.0.0));
    // Either of the two is −1.
    let other = |contact: &ContactState| match contact.with {
        Touching::Body(id, _) => [i64::from(id.0), -1],
        Touching::Wall(wall) => [-1, i64::from(wall.0)],
    };
    file.array(PointData, "other_body", contacts.iter().map(|contact| other(contact)[0]));
    file.array(PointData, "wall", contacts.iter().map(|contact| other(contact)[1]));
    file
}

fn chains(frame: &Frame, model: &Model) -> PolyData {
    let ends = |contact: &ContactState| {
        let from = frame.body(contact.body.0).map_or(contact.point, |body| body.position);
        let to = match contact.with {
            Touching::Body(other, _) => frame.body(other).map_or(contact.point, |body| body.position),
            Touching::Wall(_) => contact.point,
        };
        // Across a periodic end the line goes on outside.
        [from, from + frame.domain.nearest(from, to)]
    };
    let points: Vec<[f32; 3]> = frame.contacts.iter().flat_map(|contact| ends(contact).map(single)).collect();
    let twice = |value: &dyn Fn(&ContactState) -> f64| -> Vec<f32> {
        frame.contacts.iter().flat_map(|contact| [narrow(value(contact)); 2]).collect()
    };
    let along = |contact: &ContactState| contact.force.dot(normal(contact, frame, model));
    let across =
        |contact: &ContactState| (contact.force - normal(contact, frame, model) * along(contact)).norm();
    let mut file = PolyData::of_lines(points.into_iter());
    file.array(PointData, "force", twice(&|contact| contact.force.norm()).into_iter());
    file.array(PointData, "normal_force", twice(&along).into_iter());
    file.array(PointData, "tangential_force", twice(&across).into_iter());
    let is_wall = |contact: &ContactState| u8::from(matches!(contact.with, Touching::Wall(_)));
    file.array(CellData, "with_wall", frame.contacts.iter().map(is_wall));
    file
}

/// From the point of a contact to the centre of the first body's sphere that touches: the point lies on the line of
/// centres, or straight below the centre on a wall.
fn normal(contact: &ContactState, frame: &Frame, model: &Model) -> LabVec<f64> {
    let (id, sphere) = contact.body;
    let centre = frame.body(id).and_then(|body| {
        let template = &model.templates[usize::from(body.template)];
        body.touching_centre(template, sphere, contact.with, contact.point)
    });
    let Some(centre) = centre else { return LabVec::zero() };
    let arm = centre - contact.point;
    let length = arm.norm();
    if length > 0.0 { arm * (1.0 / length) } else { LabVec::zero() }
}

fn walls(frame: &Frame, model: &Model) -> PolyData {
    // Those that are there.
    let shown: Vec<(usize, &Surface, Pose)> = (0..)
        .zip(&model.walls)
        .map(|(place, wall)| (place, wall, model.pose(place, frame)))
        .filter(|(.., pose)| pose.present)
        .collect();
    let count = shown.iter().map(|(_, wall, _)| wall.points.len()).sum();
    let mut points = Vec::with_capacity(count);
    let mut velocities = Vec::with_capacity(count);
    let mut triangles = Vec::new();
    for (_, wall, pose) in &shown {
        let first = number(points.len());
        triangles.extend(
            wall.triangles.iter().map(|triangle| triangle.map(|point| first + number(point as usize))),
        );
        for &point in &wall.points {
            let place = pose.to_lab(point);
            points.push(single(place));
            velocities.push(single(pose.velocity_at(place)));
        }
    }
    let mut file = PolyData::of_triangles(points.into_iter(), triangles.into_iter());
    file.array(PointData, "velocity", velocities.into_iter());
    let of_walls = |value: fn(usize, &Surface) -> u32| {
        let walls = shown.iter();
        walls.flat_map(move |(number, wall, _)| {
            core::iter::repeat_n(value(*number, wall), wall.triangles.len())
        })
    };
    file.array(CellData, "wall", of_walls(|number, _| u32::try_from(number).unwrap_or(u32::MAX)));
    file.array(CellData, "material", of_walls(|_, wall| u32::from(wall.material.0)));
    if !frame.surfaces.is_empty() {
        add_loads(&mut file, frame, shown.iter().map(|(number, wall, _)| (*number, wall.triangles.len())));
    }
    file
}

/// What bears on the triangles of walls, given their numbers and how many triangles they have. In double precision, so that sums over
/// triangles are those of the engine.
fn add_loads(file: &mut PolyData, frame: &Frame, walls: impl Iterator<Item = (usize, usize)> + Clone) {
    let mut scalar = |name, of: fn(&SurfaceState) -> &[f64]| {
        let values = walls.clone().flat_map(|(number, triangles)| {
            let known = frame.surfaces.iter().find(|surface| surface.wall.index() == number);
            known.map_or_else(|| vec![f64::NAN; triangles], |surface| of(surface).to_vec())
        });
        file.array(CellData, name, values);
    };
    scalar("area", |surface| &surface.area);
    scalar("pressure", |surface| &surface.pressure);
    scalar("friction_work", |surface| &surface.friction_work);
    scalar("sliding_load", |surface| &surface.sliding_load);
    let tractions = walls.flat_map(|(number, triangles)| {
        let known = frame.surfaces.iter().find(|surface| surface.wall.index() == number);
        let unknown = || vec![[f64::NAN; 3]; triangles];
        known.map_or_else(unknown, |surface| surface.traction.iter().map(|t| t.to_array()).collect())
    });
    file.array(CellData, "traction", tractions);
}
