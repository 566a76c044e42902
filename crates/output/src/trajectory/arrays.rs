//! The arrays of a frame: one list, from which writing, reading and the layout in the header are made.

use super::{FRAME, FRAME_HEAD, TrajectoryHeader, narrow, single};
use crate::bytes::{Element, Input};
use crate::{Frame, Model};
use serde::{Deserialize, Serialize};
use std::io;
use tumble_dem::LabVec;
use xxhash_rust::xxh32::xxh32;

/// How an array lies in a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayLayout {
    /// Its name.
    pub name: String,
    /// The type of its numbers: u16, i16, u32 or f32.
    #[serde(rename = "type")]
    pub kind: String,
    /// Numbers for each of the things it is of.
    pub components: usize,
    /// What it has a row for: "listed body" (only in frames that list their bodies), "body", "moving wall" or
    /// "contact".
    pub of: String,
}

macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $of:literal;)+) => {
        /// One instant of a trajectory.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct TrajectoryFrame {
            /// Steps since the start.
            pub step: u64,
            /// s
            pub time: f64,
            /// Whether this frame lists its bodies; a reader fills in the last list where it does not.
            pub lists: bool,
            $($(#[$doc])* pub $name: Vec<$type>,)+
        }

        impl TrajectoryFrame {
            pub(super) fn layout() -> Vec<ArrayLayout> {
                vec![$(ArrayLayout {
                    name: stringify!($name).into(),
                    kind: <$type as Element>::TYPE.into(),
                    components: <$type as Element>::COMPONENTS,
                    of: $of.into(),
                }),+]
            }

            fn put_arrays(&self, out: &mut Vec<u8>) {
                $(if self.lists || $of != LISTED {
                    for value in &self.$name {
                        value.put(out);
                    }
                })+
            }

            fn take_arrays(
                &mut self,
                counts: Counts,
                layout: &[ArrayLayout],
                input: &mut Input<'_>,
            ) -> Option<()> {
                $(if !has(layout, stringify!($name)) {
                    self.$name.clear();
                } else if self.lists || $of != LISTED {
                    input.take_all(counts.of($of), &mut self.$name)?;
                })+
                Some(())
            }
        }
    };
}

const LISTED: &str = "listed body";
const HEADINGS: &str = "headings";
pub(super) const TEMPERATURES: &str = "temperatures";
pub(super) const FILMS: &str = "films";

arrays! {
    /// Numbers of the bodies.
    ids: u32, "listed body";
    /// Template and material of each body.
    kinds: [u16; 2], "listed body";
    /// Sizes relative to the templates.
    scales: f32, "listed body";
    /// Centres of mass, m.
    positions: [f32; 3], "body";
    /// Unit quaternions (w, x, y, z) times 32767.
    orientations: [i16; 4], "body";
    /// m/s
    speeds: f32, "body";
    /// rad/s
    spins: f32, "body";
    /// Where the pivot of a wall is, m, and its rotation (w, x, y, z); four zeros for a wall that is not there.
    wall_places: [f32; 7], "moving wall";
    /// Where contacts are, m.
    contact_points: [f32; 3], "contact";
    /// Forces on the first body, N.
    contact_forces: [f32; 3], "contact";
    /// Directions of the velocities: see [`TrajectoryFrame::velocity`]. None in older files.
    headings: [i16; 2], "body";
    /// Temperatures, K. None in runs without heat, and in older files.
    temperatures: f32, "body";
    /// Volumes of the films of liquid on bodies, m³. None in runs without liquid, and in older files.
    films: f32, "body";
}

/// Whether frames have an array of this name.
fn has(layout: &[ArrayLayout], name: &str) -> bool {
    layout.iter().any(|array| array.name == name)
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    bodies: usize,
    contacts: usize,
    moving_walls: usize,
}

impl Counts {
    fn of(self, what: &str) -> usize {
        match what {
            "contact" => self.contacts,
            "moving wall" => self.moving_walls,
            _ => self.bodies,
        }
    }
}

impl TrajectoryFrame {
    /// Fills the frame, with places of the walls that the header has places for, and finds out whether its bodies are
    /// those it had before.
    pub(super) fn fill(&mut self, frame: &Frame, model: &Model, header: &TrajectoryHeader, contacts: bool) {
        let bodies = &frame.bodies;
        (self.step, self.time) = (frame.step, frame.time);
        let kind = |body: &tumble_dem::BodyState| {
            (body.id.0, [body.template.0, body.material.0], narrow(body.scale))
        };
        let same = self.ids.len() == bodies.len()
            && bodies
                .iter()
                .map(kind)
                .eq((0..bodies.len()).map(|row| (self.ids[row], self.kinds[row], self.scales[row])));
        self.lists = !same;
        if self.lists {
            refill(&mut self.ids, bodies.iter().map(|body| body.id.0));
            refill(&mut self.kinds, bodies.iter().map(|body| [body.template.0, body.material.0]));
            refill(&mut self.scales, bodies.iter().map(|body| narrow(body.scale)));
        }
        refill(&mut self.positions, bodies.iter().map(|body| single(body.position)));
        refill(
            &mut self.orientations,
            bodies.iter().map(|body| body.orientation.to_array().map(sixteen_bits)),
        );
        refill(&mut self.speeds, bodies.iter().map(|body| narrow(body.velocity.norm())));
        refill(&mut self.spins, bodies.iter().map(|body| narrow(body.angular_velocity.norm())));
        let told = if has(&header.arrays, HEADINGS) { &bodies[..] } else { &[] };
        refill(&mut self.headings, told.iter().map(|body| heading(body.velocity)));
        let warm = if has(&header.arrays, TEMPERATURES) { &bodies[..] } else { &[] };
        refill(&mut self.temperatures, warm.iter().map(|body| narrow(body.temperature.unwrap_or(f64::NAN))));
        let wet = if has(&header.arrays, FILMS) { &bodies[..] } else { &[] };
        refill(&mut self.films, wet.iter().map(|body| narrow(body.film.unwrap_or(f64::NAN))));
        let placed = header.walls.iter().enumerate().filter(|(_, wall)| wall.moves);
        refill(
            &mut self.wall_places,
            placed.map(|(number, wall)| {
                let pose = model.pose(number, frame);
                let pivot = pose.to_lab(LabVec::from_array(wall.pivot));
                let q = if pose.present { pose.orientation.to_array() } else { [0.0; 4] };
                let ([x, y, z], [qw, qx, qy, qz]) = (pivot.to_array(), q);
                [x, y, z, qw, qx, qy, qz].map(narrow)
            }),
        );
        let shown = if contacts { &frame.contacts[..] } else { &[] };
        refill(&mut self.contact_points, shown.iter().map(|contact| single(contact.point)));
        refill(&mut self.contact_forces, shown.iter().map(|contact| single(contact.force)));
    }

    /// Appends the frame with its head. Each of its lists is counted in 32 bits.
    pub(super) fn put(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let start = out.len();
        out.extend_from_slice(FRAME);
        out.resize(start + FRAME_HEAD, 0);
        self.step.put(out);
        self.time.put(out);
        for count in [self.positions.len(), self.contact_points.len(), self.wall_places.len()] {
            let most = u32::MAX;
            let fits = u32::try_from(count).map_err(|_| {
                let what =
                    format!("a frame has room for {most} bodies, contacts or walls, and there are {count}");
                io::Error::new(io::ErrorKind::InvalidInput, what)
            });
            fits?.put(out);
        }
        u32::from(self.lists).put(out);
        self.put_arrays(out);
        out.resize(start + (out.len() - start).next_multiple_of(8), 0);
        let content = start + FRAME_HEAD;
        let (checksum, length) = (xxh32(&out[content..], 0), (out.len() - content) as u64);
        out[start + 4..start + 8].copy_from_slice(&checksum.to_le_bytes());
        out[start + 8..content].copy_from_slice(&length.to_le_bytes());
        Ok(())
    }

    /// Reads what the head of a frame is followed by. The list of bodies stays if this frame has none.
    pub(super) fn take(&mut self, content: &[u8], layout: &[ArrayLayout]) -> Option<()> {
        let mut input = Input(content);
        (self.step, self.time) = (input.take()?, input.take()?);
        let [bodies, contacts, moving_walls, lists] = input.take::<[u32; 4]>()?;
        let counts = [bodies, contacts, moving_walls].map(|count| count as usize);
        let counts = Counts { bodies: counts[0], contacts: counts[1], moving_walls: counts[2] };
        self.lists = lists == 1;
        self.take_arrays(counts, layout, &mut input)?;
        let filled_up = input.0.len() < 8 && input.0.iter().all(|byte| *byte == 0);
        (lists <= 1 && filled_up && self.ids.len() == counts.bodies).then_some(())
    }

    /// The velocity of a body, m/s; none in files that have only speeds.
    pub fn velocity(&self, row: usize) -> Option<LabVec<f64>> {
        let [x, y] = self.headings.get(row)?.map(|part| f64::from(part) / f64::from(i16::MAX));
        let z = 1.0 - x.abs() - y.abs();
        let [x, y] = if z < 0.0 { folded(x, y) } else { [x, y] };
        let direction = LabVec::new(x, y, z);
        Some(direction * (f64::from(*self.speeds.get(row)?) / direction.norm()))
    }

    /// The orientation of a body, as a unit quaternion (w, x, y, z).
    pub fn orientation(&self, row: usize) -> Option<[f64; 4]> {
        let q = self.orientations.get(row)?.map(|part| f64::from(part) / f64::from(i16::MAX));
        let norm = q.iter().map(|part| part * part).sum::<f64>().sqrt();
        Some(if norm > 0.0 { q.map(|part| part / norm) } else { [1.0, 0.0, 0.0, 0.0] })
    }
}

/// A direction in four bytes, to 10⁻⁴ rad: its point on the octahedron |x| + |y| + |z| = 1 seen along z, with the lower
/// half folded out over the edges of the upper one. A vector of zero is that of z.
fn heading(v: LabVec<f64>) -> [i16; 2] {
    let size = v.x.abs() + v.y.abs() + v.z.abs();
    let [x, y] = if size > 0.0 { [v.x / size, v.y / size] } else { [0.0; 2] };
    (if v.z < 0.0 { folded(x, y) } else { [x, y] }).map(sixteen_bits)
}

/// From the inner half of the square to the outer, and back.
fn folded(x: f64, y: f64) -> [f64; 2] {
    [(1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y)]
}

fn refill<T>(values: &mut Vec<T>, new: impl Iterator<Item = T>) {
    values.clear();
    values.extend(new);
}

fn sixteen_bits(part: f64) -> i16 {
    #[allow(clippy::cast_possible_truncation, reason = "saturates")]
    {
        (part * f64::from(i16::MAX)).round() as i16
    }
}
