//! What bears on each triangle of mesh walls: pressure, shear, and the work of friction, added up from step to step.
//!
//! A touch of a sphere counts for one triangle, that which is nearest to its point among those within the sphere, the first of
//! several. So what is between two triangles counts once, and which of them it counts for depends on the state alone.
//! Sums are exact, and have no order. Only triangles that were touched have any.

use crate::contact::{Contacts, Key, Physics};
use crate::engine::{Engine, Space};
use crate::error::Error;
use crate::law::{Layout, SLIDING};
use crate::physics::contact::{ACTION, Action};
use crate::physics::rubbing::{Borne, borne, direction};
use crate::record::Numbers;
use crate::report::SurfaceState;
use crate::wall::{Shape, TriangleMesh, Wall};
use std::collections::BTreeMap;
use std::time::Instant;
use tumble_math::{ExactSum, LabVec};

/// The sums of a triangle: four since the interval began, two since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TriangleSums {
    /// Of the normal force on it, N s.
    pub(crate) pressed: ExactSum,
    /// Of the tangential force on it, in the frame of the wall, N s.
    pub(crate) rubbed: [ExactSum; 3],
    /// What friction has taken, J.
    pub(crate) work: ExactSum,
    /// Of normal force times sliding distance, N m.
    pub(crate) slid: ExactSum,
}

/// The triangles of a wall that were touched, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SurfaceSums {
    /// The number of the wall.
    pub(crate) wall: u32,
    pub(crate) triangles: BTreeMap<u32, Box<TriangleSums>>,
}

/// What was added up on all mesh walls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surfaces {
    /// When the interval began, s.
    pub(crate) since: f64,
    pub(crate) list: Vec<SurfaceSums>,
}

impl Surfaces {
    /// Nothing yet.
    pub(crate) fn new(walls: &[Wall], since: f64) -> Self {
        let meshes = (0..).zip(walls).filter(|(_, wall)| mesh_of(wall).is_some());
        let list = meshes.map(|(wall, _)| SurfaceSums { wall, triangles: BTreeMap::new() }).collect();
        Self { since, list }
    }

    /// Whether it is of these walls.
    pub(crate) fn check(&self, walls: &[Wall]) -> Result<(), Error> {
        let expected = Self::new(walls, 0.0);
        let same = self.list.len() == expected.list.len()
            && self.list.iter().zip(&expected.list).all(|(own, expected)| own.wall == expected.wall);
        let there = |sums: &SurfaceSums| {
            let count = mesh_of(&walls[sums.wall as usize]).map_or(0, TriangleMesh::len);
            sums.triangles.keys().all(|&triangle| (triangle as usize) < count)
        };
        if same && self.list.iter().all(there) {
            return Ok(());
        }
        Err(Error::Mismatch { what: "it has loads on triangles of other mesh walls".into() })
    }

    /// As if nothing had ever been touched.
    pub(crate) fn begin_anew(&mut self, since: f64) {
        self.since = since;
        self.list.iter_mut().for_each(|surface| surface.triangles.clear());
    }

    /// Takes over when the interval of others began: if that is a new one, it begins here, too.
    pub(crate) fn go_on(&mut self, since: f64) {
        if since.to_bits() != self.since.to_bits() {
            self.begin_interval(since);
        }
    }

    /// Adds what others have added up on the same walls.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (own, other) in self.list.iter_mut().zip(&other.list) {
            for (triangle, sums) in &other.triangles {
                own.triangles.entry(*triangle).or_default().merge(sums);
            }
        }
    }

    fn begin_interval(&mut self, time: f64) {
        self.since = time;
        for sums in self.list.iter_mut().flat_map(|surface| surface.triangles.values_mut()) {
            (sums.pressed, sums.rubbed) = (ExactSum::ZERO, [ExactSum::ZERO; 3]);
        }
    }

    /// Adds the contacts of a group. `sliding` is where their outcomes have what friction took.
    fn add(&mut self, contacts: &Contacts, space: &Space, physics: Physics<'_>, sliding: Option<usize>) {
        for (kept, _) in contacts.kept().filter(|(_, with_wall)| *with_wall) {
            for (index, key) in kept.keys().iter().enumerate() {
                let place = self.list.binary_search_by_key(&key.b, |surface| surface.wall);
                let (Ok(place), Action { force, point, .. }) = (place, kept.action(index)) else { continue };
                let Some((triangle, normal)) = touched(*key, point, space) else { continue };
                let lost = sliding.map_or(0.0, |from| Numbers::<f64>::number(&kept.outcome(index), from));
                let sums = self.list[place].triangles.entry(triangle).or_default();
                sums.add(&borne(force, normal, space.poses[key.b as usize].orientation, lost, physics.dt));
            }
        }
    }
}

impl TriangleSums {
    fn merge(&mut self, other: &Self) {
        self.pressed.merge(&other.pressed);
        self.rubbed.iter_mut().zip(&other.rubbed).for_each(|(own, other)| own.merge(other));
        self.work.merge(&other.work);
        self.slid.merge(&other.slid);
    }

    fn add(&mut self, borne: &Borne<f64>) {
        self.pressed.add(borne.pressed);
        for (sum, part) in self.rubbed.iter_mut().zip(borne.rubbed.to_array()) {
            sum.add(part);
        }
        self.work.add(borne.work);
        self.slid.add(borne.slid);
    }
}

/// Where the outcomes of contacts have what friction took.
pub(crate) fn sliding_of(layout: &Layout) -> Option<usize> {
    let place = layout.entries.iter().copied().flatten().position(|entry| *entry == SLIDING);
    place.map(|place| ACTION + place)
}

fn mesh_of(wall: &Wall) -> Option<&TriangleMesh> {
    match &wall.shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    }
}

/// The triangle of a mesh that a contact is on, and the direction from its point to the centre of the sphere.
fn touched(key: Key, point: LabVec<f64>, space: &Space) -> Option<(u32, LabVec<f64>)> {
    let mesh = mesh_of(&space.walls[key.b as usize])?;
    let (pose, pair) = (&space.poses[key.b as usize], &space.neighbours.wall_pairs[key.place as usize]);
    let [x, y, z, radius] = space.bodies.spheres[pair.sphere as usize];
    let centre = LabVec::new(x, y, z);
    let listed = &space.neighbours.triangles[pair.triangles[0] as usize..pair.triangles[1] as usize];
    let places = [centre, point].map(|place| pose.to_reference(place));
    let triangle = nearest(mesh, listed, places, radius)?;
    Some((triangle, direction(centre, point)))
}

/// Of the triangles within the reach of a sphere that which is nearest to the point of a touch.
///
/// Others may be listed or not, as the skin has it. Needles are left to their neighbours, which cover them.
fn nearest(
    mesh: &TriangleMesh,
    listed: &[u32],
    [centre, point]: [LabVec<f64>; 2],
    reach: f64,
) -> Option<u32> {
    let wide = || listed.iter().copied().filter(|&triangle| !mesh.is_needle(triangle));
    let least = |triangles: &mut dyn Iterator<Item = u32>, place: LabVec<f64>| {
        let distances = triangles.map(|triangle| (mesh.distance_squared(triangle, place), triangle));
        distances.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, triangle)| triangle)
    };
    let within = |triangle: &u32| mesh.distance_squared(*triangle, centre) <= reach * reach;
    // Rounding may leave none within.
    least(&mut wide().filter(within), point).or_else(|| least(&mut wide(), centre))
}

impl Engine {
    /// Adds what the contacts of this step do to the triangles of mesh walls, if anybody wants to know.
    pub(crate) fn add_surface_loads(&mut self) {
        let Some(interval) = self.rules.settings.surface_interval else { return };
        let begin = Instant::now();
        self.begin_surface_interval(interval, self.progress.steps.saturating_sub(1));
        let surfaces = &mut self.surfaces;
        for (group, contacts) in self.contacts.iter().enumerate() {
            let physics = self.rules.physics(group, &self.progress);
            surfaces.add(contacts, &self.space, physics, sliding_of(&physics.layout));
        }
        self.times.add_fields += begin.elapsed();
    }

    /// Begins to average anew, if that is due in the state after so many steps.
    pub(crate) fn begin_surface_interval(&mut self, interval: u64, steps: u64) {
        if steps.is_multiple_of(interval) {
            let began = self.time_at(steps);
            self.surfaces.begin_interval(began);
        }
    }

    /// What bears on the triangles of each mesh wall, in the order of the walls; nothing unless
    /// [`Settings::surface_interval`](crate::Settings::surface_interval) asks for it.
    pub fn surfaces(&self) -> Vec<SurfaceState> {
        let duration = self.time() - self.surfaces.since;
        let state = |sums: &SurfaceSums| {
            let wall = &self.space.walls[sums.wall as usize];
            let pose = &self.space.poses[sums.wall as usize];
            mesh_of(wall).map(|mesh| SurfaceState::of(sums, mesh, pose, duration))
        };
        self.surfaces.list.iter().filter_map(state).collect()
    }
}
