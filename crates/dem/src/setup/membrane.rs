//! Flexible membranes: a net of bodies whose triangles a pressure pushes.
//!
//! The nodes are ordinary bodies, which touch others and are joined by [bonds](crate::bond) as soft as one likes; the membrane adds the pressure, at the present places of
//! its nodes in every step: a third of what pushes a triangle on each of its corners ([`crate::physics::membrane`] has the equations). What it puts in is in the ledger as
//! [`field_work`](crate::Ledger::field_work).

use crate::domain::{Axis, Domain};
use crate::error::{Error, readable};
use crate::field::{BatchField, BodyView, Load};
use crate::id::BodyId;
use crate::physics::membrane::{area, pressed, wedge};
use crate::wall::Timing;
use core::f64::consts::TAU;
use std::collections::{BTreeMap, BTreeSet};
use tumble_math::LabVec;
use tumble_math::elementary::sin_cos;

/// A net of bodies that a pressure pushes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Membrane {
    name: String,
    triangles: Vec<[BodyId; 3]>,
    /// Edges of one triangle only, along that triangle, in loops.
    rims: Vec<Vec<[BodyId; 2]>>,
    pressure: f64,
    timing: Timing,
}

/// What a membrane is like at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct MembraneReport {
    /// Its name.
    pub name: String,
    /// The pressure on it, Pa.
    pub pressure: f64,
    /// Area of its triangles, m².
    pub area: f64,
    /// What is inside, m³; an open end counts as closed by triangles from its rim to the middle of that.
    pub volume: f64,
    /// The same of where its nodes were put into the world.
    pub volume_at_start: f64,
}

impl Membrane {
    /// Of triangles whose corners are counter-clockwise as seen from outside, under a pressure from outside, Pa: as much of it as the timing's
    /// [`speed`](Timing::speed) says. A negative one acts from inside.
    pub fn new(
        name: impl Into<String>,
        triangles: Vec<[BodyId; 3]>,
        pressure: f64,
        timing: Timing,
    ) -> Result<Self, Error> {
        let name = name.into();
        let invalid = |what, value: String, expected| {
            Err(Error::Invalid { of: format!("the membrane '{name}'"), what, value, expected })
        };
        if triangles.is_empty() {
            return invalid("number of triangles", "0".into(), "at least one");
        }
        if !pressure.is_finite() {
            return invalid("pressure", readable(pressure), "a finite number");
        }
        let mut edges = BTreeSet::new();
        for [a, b, c] in &triangles {
            for edge in [[*a, *b], [*b, *c], [*c, *a]] {
                if edge[0] == edge[1] || !edges.insert(edge) {
                    let value = format!("from body {} to body {}", edge[0], edge[1]);
                    let expected = "two different bodies, and each way along it in one triangle only: all triangles are counter-clockwise as seen from outside";
                    return invalid("edge", value, expected);
                }
            }
        }
        let open = edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a]));
        let rims = loops(open.copied());
        Ok(Self { name, triangles, rims, pressure, timing })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its triangles.
    pub fn triangles(&self) -> &[[BodyId; 3]] {
        &self.triangles
    }

    /// The pressure at a time, Pa.
    pub fn pressure_at(&self, time: f64) -> f64 {
        self.pressure * self.timing.speed(time)
    }

    /// What it is like at a time with its nodes at these places.
    pub(crate) fn report(
        &self,
        time: f64,
        place: impl Fn(BodyId) -> LabVec<f64>,
        at_start: f64,
    ) -> MembraneReport {
        let areas = self.triangles.iter().map(|corners| area(corners.map(&place)));
        MembraneReport {
            name: self.name.clone(),
            pressure: self.pressure_at(time),
            area: areas.sum(),
            volume: self.volume(&place),
            volume_at_start: at_start,
        }
    }

    /// What is inside with its nodes at these places, m³, open ends being closed.
    pub fn volume(&self, place: impl Fn(BodyId) -> LabVec<f64>) -> f64 {
        // From one of its nodes, so that little is lost where the origin is far.
        let origin = place(self.triangles[0][0]);
        let place = |id: BodyId| place(id) - origin;
        let mut volume: f64 = self.triangles.iter().map(|corners| wedge(corners.map(place))).sum();
        for rim in &self.rims {
            let sum = rim.iter().fold(LabVec::zero(), |sum, [from, _]| sum + place(*from));
            let middle = sum * (1.0 / rim.len() as f64);
            volume += rim.iter().map(|[from, to]| wedge([middle, place(*to), place(*from)])).sum::<f64>();
        }
        volume
    }

    fn missing(&self, id: BodyId) -> String {
        format!("the membrane '{}': its body {id} is not there any more", self.name)
    }
}

/// Edges that follow each other, in loops.
fn loops(edges: impl Iterator<Item = [BodyId; 2]>) -> Vec<Vec<[BodyId; 2]>> {
    let mut next: BTreeMap<BodyId, Vec<BodyId>> = BTreeMap::new();
    for [from, to] in edges {
        next.entry(from).or_default().push(to);
    }
    let mut all = Vec::new();
    while let Some(&begin) = next.keys().next() {
        let (mut rim, mut from) = (Vec::new(), begin);
        while let Some(ways) = next.get_mut(&from) {
            let Some(to) = ways.pop() else { break };
            if ways.is_empty() {
                next.remove(&from);
            }
            rim.push([from, to]);
            from = to;
        }
        all.push(rim);
    }
    all
}

impl BatchField for Membrane {
    fn add_loads(&self, bodies: &[BodyView], time: f64, loads: &mut [Load]) -> Result<(), String> {
        let pressure = self.pressure_at(time);
        let find = |id: BodyId| {
            // Without removals each is at the place of its number.
            let expected = id.index();
            if bodies.get(expected).is_some_and(|body| body.id == id) {
                return Ok(expected);
            }
            bodies.binary_search_by_key(&id, |body| body.id).map_err(|_| self.missing(id))
        };
        for corners in &self.triangles {
            let [a, b, c] = *corners;
            let rows = [find(a)?, find(b)?, find(c)?];
            let force = pressed(rows.map(|row| bodies[row].position), pressure);
            for row in rows {
                loads[row].force = loads[row].force + force;
            }
        }
        Ok(())
    }
}

/// Checks the membranes of a world: that their nodes are there, and that no period of space is between them.
pub(crate) fn check(
    membranes: &[std::sync::Arc<Membrane>],
    bodies: usize,
    domain: &Domain,
) -> Result<(), Error> {
    for membrane in membranes {
        let of = || format!("the membrane '{}'", membrane.name);
        if let Some(id) = membrane.triangles.iter().flatten().find(|id| id.index() >= bodies) {
            return Err(Error::Unknown { of: of(), what: "body", number: id.0.into(), count: bodies });
        }
        if domain.axes.iter().any(|axis| !matches!(axis, Axis::Open)) {
            return Err(Error::Invalid {
                of: of(),
                what: "domain",
                value: "one with a periodic axis".into(),
                expected: "an open one: what is inside a membrane is not known where it has images",
            });
        }
    }
    Ok(())
}

/// A net around a cylinder: rings of nodes, every other one of which is turned by half a step, so that each node has six neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleeve {
    /// The middle of the first ring, m.
    pub from: LabVec<f64>,
    /// The middle of the last ring, m.
    pub to: LabVec<f64>,
    /// Of the rings, m.
    pub radius: f64,
    /// How many nodes a ring has; at least three.
    pub around: u32,
    /// How many rings there are; at least two.
    pub rings: u32,
}

impl Sleeve {
    /// Where the nodes are, ring by ring.
    pub fn places(&self) -> Vec<LabVec<f64>> {
        let axis = self.to - self.from;
        let along = axis.unit();
        let x = least(along).cross(along).unit();
        let y = along.cross(x);
        let mut places = Vec::new();
        for ring in 0..self.rings {
            let centre = self.from + axis * (f64::from(ring) / f64::from(self.rings - 1));
            for node in 0..self.around {
                let turned = f64::from(node) + 0.5 * f64::from(ring % 2);
                let (sine, cosine) = sin_cos(TAU * turned / f64::from(self.around));
                places.push(centre + (x * cosine + y * sine) * self.radius);
            }
        }
        places
    }

    /// Its triangles by the numbers of nodes, counter-clockwise as seen from outside.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for ring in 1..self.rings {
            let node = |ring: u32, number: u32| ring * self.around + number % self.around;
            for number in 0..self.around {
                let [low, low_next] = [number, number + 1].map(|number| node(ring - 1, number));
                let [high, high_next] = [number, number + 1].map(|number| node(ring, number));
                if ring % 2 == 1 {
                    // The upper ring is half a step ahead.
                    triangles.extend([[low, low_next, high], [high, low_next, high_next]]);
                } else {
                    triangles.extend([[low, low_next, high_next], [low, high_next, high]]);
                }
            }
        }
        triangles
    }
}

/// The axis that a direction has least of.
fn least(direction: LabVec<f64>) -> LabVec<f64> {
    let [x, y, z] = direction.to_array().map(f64::abs);
    if x <= y && x <= z {
        LabVec::new(1.0, 0.0, 0.0)
    } else if y <= z {
        LabVec::new(0.0, 1.0, 0.0)
    } else {
        LabVec::new(0.0, 0.0, 1.0)
    }
}
