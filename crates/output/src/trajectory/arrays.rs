//! The arrays of a frame: one list, from which writing, reading and the layout in the header are made.

use super::{FRAME, FRAME_HEAD, narrow, single};
use crate::bytes::{Element, Input};
use crate::{Frame, Model};
use serde::{Deserialize, Serialize};
use std::io;
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

            fn take_arrays(&mut self, counts: Counts, input: &mut Input<'_>) -> Option<()> {
                $(if self.lists || $of != LISTED {
                    input.take_all(counts.of($of), &mut self.$name)?;
                })+
                Some(())
            }
        }
    };
}

const LISTED: &str = "listed body";

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
    /// Where the pivot is, m, and the rotation (w, x, y, z).
    wall_places: [f32; 7], "moving wall";
    /// Where contacts are, m.
    contact_points: [f32; 3], "contact";
    /// Forces on the first body, N.
    contact_forces: [f32; 3], "contact";
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
    /// Fills the frame, and finds out whether its bodies are those it had before.
    pub(super) fn fill(&mut self, frame: &Frame, model: &Model, contacts: bool) {
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
        let moving = model.walls.iter().filter(|wall| !wall.motion.is_static());
        refill(
            &mut self.wall_places,
            moving.map(|wall| {
                let pose = wall.motion.at(frame.time);
                let ([x, y, z], [qw, qx, qy, qz]) = (pose.origin.to_array(), pose.orientation.to_array());
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
    pub(super) fn take(&mut self, content: &[u8]) -> Option<()> {
        let mut input = Input(content);
        (self.step, self.time) = (input.take()?, input.take()?);
        let [bodies, contacts, moving_walls, lists] = input.take::<[u32; 4]>()?;
        let counts = [bodies, contacts, moving_walls].map(|count| count as usize);
        let counts = Counts { bodies: counts[0], contacts: counts[1], moving_walls: counts[2] };
        self.lists = lists == 1;
        self.take_arrays(counts, &mut input)?;
        let filled_up = input.0.len() < 8 && input.0.iter().all(|byte| *byte == 0);
        (lists <= 1 && filled_up && self.ids.len() == counts.bodies).then_some(())
    }

    /// The orientation of a body, as a unit quaternion (w, x, y, z).
    pub fn orientation(&self, row: usize) -> Option<[f64; 4]> {
        let q = self.orientations.get(row)?.map(|part| f64::from(part) / f64::from(i16::MAX));
        let norm = q.iter().map(|part| part * part).sum::<f64>().sqrt();
        Some(if norm > 0.0 { q.map(|part| part / norm) } else { [1.0, 0.0, 0.0, 0.0] })
    }
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
