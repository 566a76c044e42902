//! What a file shows of each frame of a trajectory: points, and arrays of numbers about them.
//!
//! Names, types and order of arrays are those of the `.vtp` files (`vtk/pieces.rs`), where the trajectory has
//! the numbers. It knows how fast bodies move and turn, but not whereto: `speed` and `spin_rate` stand for
//! `velocity` and `spin`.

use super::columns::{Row, Rows};
use super::parts::Cells;
use crate::single::{narrow, single};
use crate::trajectory::{TemplateOutline, TrajectoryFrame, TrajectoryHeader, WallOutline};
use crate::vtk::Piece;
use tumble_dem::LabVec;
use tumble_math::{BodyVec, Quat};

/// What is shown of one instant.
pub(super) struct Picture {
    pub(super) step: u64,
    /// s
    pub(super) time: f64,
    /// Number of points.
    pub(super) count: usize,
    /// m; nothing if they are where they were in the picture before.
    pub(super) points: Option<Vec<[f32; 3]>>,
    pub(super) arrays: Vec<Array>,
}

/// Numbers about points or cells.
pub(super) struct Array {
    pub(super) name: &'static str,
    pub(super) section: Section,
    /// Nothing if they are what they were in the picture before.
    pub(super) rows: Option<Box<dyn Rows>>,
}

/// What an array is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Points,
    Cells,
}

impl Section {
    pub(super) const ALL: [Self; 2] = [Self::Points, Self::Cells];

    /// The group of such arrays.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Points => "PointData",
            Self::Cells => "CellData",
        }
    }
}

/// Makes pictures of the frames of a trajectory, one after the other.
pub(super) struct Painter {
    what: Piece,
    templates: Vec<TemplateOutline>,
    walls: Vec<WallOutline>,
    /// Where the walls were in the last frame.
    places: Vec<[f32; 7]>,
    /// Whether there was a picture already.
    began: bool,
}

impl Painter {
    pub(super) fn new(what: Piece, header: &TrajectoryHeader) -> Self {
        Self {
            what,
            templates: header.templates.clone(),
            walls: header.walls.clone(),
            places: Vec::new(),
            began: false,
        }
    }

    /// What the points form.
    pub(super) fn cells(&self) -> Cells {
        match self.what {
            Piece::Walls => {}
            Piece::Capsules => return Cells::Lines,
            _ => return Cells::Vertices,
        }
        let mut first = 0;
        let mut triangles = Vec::new();
        for wall in &self.walls {
            triangles
                .extend(wall.triangles.iter().map(|corners| corners.map(|corner| first + i64::from(corner))));
            first += i64::try_from(wall.points.len()).unwrap_or(i64::MAX);
        }
        Cells::Triangles(triangles)
    }

    /// The picture of the next frame. If the frame does not fit the header, the error says how.
    pub(super) fn picture(&mut self, frame: &TrajectoryFrame) -> Result<Picture, String> {
        let picture = match self.what {
            Piece::Spheres => self.round(frame, spheres)?,
            Piece::Capsules => self.round(frame, ends)?,
            Piece::Bodies => bodies(frame),
            Piece::Chains => return Err("it does not tell which bodies touch".into()),
            Piece::Ellipsoids => return Err("ellipsoids are not converted".into()),
            Piece::Polyhedra => return Err("polyhedra are not converted".into()),
            Piece::Contacts => Picture::new(frame, frame.contact_points.clone())
                .array("force", frame.contact_forces.iter().copied()),
            Piece::Walls => self.walls(frame)?,
        };
        self.began = true;
        self.places.clone_from(&frame.wall_places);
        Ok(picture)
    }

    /// Points of bodies with something round about them: of each template, their places and radii.
    fn round(
        &self,
        frame: &TrajectoryFrame,
        of: impl Fn(&TemplateOutline) -> Vec<[f32; 4]>,
    ) -> Result<Picture, String> {
        let points: Vec<Vec<[f32; 4]>> = self.templates.iter().map(of).collect();
        let shape = |&[template, _]: &[u16; 2]| {
            let known = points.len();
            points.get(usize::from(template)).map(|found| &found[..]).ok_or_else(|| {
                format!("there is a body of template {template}, but templates end before number {known}")
            })
        };
        let shapes: Vec<&[[f32; 4]]> = frame.kinds.iter().map(shape).collect::<Result<_, _>>()?;
        let mut centres = Vec::with_capacity(shapes.iter().map(|shape| shape.len()).sum());
        for (row, shape) in shapes.iter().enumerate() {
            let q = Quat::from_array(frame.orientation(row).unwrap_or([1.0, 0.0, 0.0, 0.0]));
            let position = LabVec::from_array(frame.positions[row].map(f64::from));
            let scale = f64::from(frame.scales[row]);
            centres.extend(shape.iter().map(|&[x, y, z, _]| {
                let arm = BodyVec::from_array([x, y, z].map(f64::from)) * scale;
                single(position + q.to_lab(arm))
            }));
        }
        let counts: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
        let kinds = &frame.kinds;
        let radii = shapes.iter().zip(&frame.scales).flat_map(|(shape, &scale)| {
            shape.iter().map(move |sphere| narrow(f64::from(sphere[3]) * f64::from(scale)))
        });
        Ok(Picture::new(frame, centres)
            .listed(frame, "radius", radii)
            .array("speed", of_points(&counts, frame.speeds.iter().copied()))
            .array("spin_rate", of_points(&counts, frame.spins.iter().copied()))
            .listed(frame, "body", of_points(&counts, frame.ids.iter().copied()))
            .listed(frame, "material", of_points(&counts, kinds.iter().map(|kind| kind[1])))
            .listed(frame, "template", of_points(&counts, kinds.iter().map(|kind| kind[0]))))
    }

    fn walls(&self, frame: &TrajectoryFrame) -> Result<Picture, String> {
        let moving = self.walls.iter().filter(|wall| wall.moves).count();
        if frame.wall_places.len() != moving {
            return Err(format!(
                "it has places of {} walls, but there are {moving} to place",
                frame.wall_places.len()
            ));
        }
        let count = self.walls.iter().map(|wall| wall.points.len()).sum();
        let is_first = !self.began;
        // Walls that have not moved are where they were.
        let moved = is_first || frame.wall_places != self.places;
        let points = moved.then(|| self.corners(frame));
        let picture = Picture { count, points, ..Picture::new(frame, Vec::new()) };
        let of_triangles = |value: fn(u32, &WallOutline) -> u32| {
            let walls = (0..).zip(&self.walls);
            walls.flat_map(move |(number, wall)| {
                core::iter::repeat_n(value(number, wall), wall.triangles.len())
            })
        };
        let number = of_triangles(|number, _| number);
        let material = of_triangles(|_, wall| u32::from(wall.material));
        let picture = picture.add(Section::Cells, "wall", is_first, number);
        Ok(picture.add(Section::Cells, "material", is_first, material))
    }

    /// The corners of all walls, where they are.
    fn corners(&self, frame: &TrajectoryFrame) -> Vec<[f32; 3]> {
        let mut places = frame.wall_places.iter();
        let mut corners = Vec::new();
        for wall in &self.walls {
            let place = if wall.moves { places.next() } else { None };
            match place {
                None => corners.extend_from_slice(&wall.points),
                // A wall that is not there has no extent.
                Some(&[x, y, z, 0.0, 0.0, 0.0, 0.0]) => {
                    corners.extend(core::iter::repeat_n([x, y, z], wall.points.len()));
                }
                Some(&[x, y, z, qw, qx, qy, qz]) => {
                    let place = LabVec::from_array([x, y, z].map(f64::from));
                    let q = Quat::from_array([qw, qx, qy, qz].map(f64::from));
                    let pivot = BodyVec::from_array(wall.pivot);
                    corners.extend(wall.points.iter().map(|point| {
                        single(place + q.to_lab(BodyVec::from_array(point.map(f64::from)) - pivot))
                    }));
                }
            }
        }
        corners
    }
}

fn bodies(frame: &TrajectoryFrame) -> Picture {
    let rows = 0..frame.positions.len();
    let orientations = rows.filter_map(|row| frame.orientation(row)).map(|q| q.map(narrow));
    let kinds = &frame.kinds;
    Picture::new(frame, frame.positions.clone())
        .array("speed", frame.speeds.iter().copied())
        .array("spin_rate", frame.spins.iter().copied())
        .array("orientation", orientations)
        .listed(frame, "scale", frame.scales.iter().copied())
        .listed(frame, "body", frame.ids.iter().copied())
        .listed(frame, "material", kinds.iter().map(|kind| kind[1]))
        .listed(frame, "template", kinds.iter().map(|kind| kind[0]))
}

/// The spheres that are no points of ellipsoids or polyhedra.
fn spheres(template: &TemplateOutline) -> Vec<[f32; 4]> {
    let points = template.ellipsoids.as_flattened().iter();
    let corners = template.polyhedra.iter().flatten().flatten();
    let first = points.chain(corners).min().map_or(template.spheres.len(), |first| *first as usize);
    template.spheres.iter().take(first).copied().collect()
}

/// The spheres at the ends of capsules, two by two.
fn ends(template: &TemplateOutline) -> Vec<[f32; 4]> {
    let sphere = |end: &u32| template.spheres.get(*end as usize).copied();
    template.capsules.iter().flatten().filter_map(sphere).collect()
}

/// The value of each body, once for each of its points.
fn of_points<T: Copy>(counts: &[usize], values: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    values.zip(counts).flat_map(|(value, &count)| core::iter::repeat_n(value, count))
}

impl Picture {
    fn new(frame: &TrajectoryFrame, points: Vec<[f32; 3]>) -> Self {
        Self {
            step: frame.step,
            time: frame.time,
            count: points.len(),
            points: Some(points),
            arrays: Vec::new(),
        }
    }

    /// With an array about points.
    fn array<R: Row + 'static>(self, name: &'static str, rows: impl Iterator<Item = R>) -> Self {
        self.add(Section::Points, name, true, rows)
    }

    /// With an array about points that changes only when the frame lists its bodies.
    fn listed<R: Row + 'static>(
        self,
        frame: &TrajectoryFrame,
        name: &'static str,
        rows: impl Iterator<Item = R>,
    ) -> Self {
        self.add(Section::Points, name, frame.lists, rows)
    }

    fn add<R: Row + 'static>(
        mut self,
        section: Section,
        name: &'static str,
        changed: bool,
        rows: impl Iterator<Item = R>,
    ) -> Self {
        let rows = changed.then(|| Box::new(rows.collect::<Vec<R>>()) as Box<dyn Rows>);
        self.arrays.push(Array { name, section, rows });
        self
    }
}
