//! `[[membranes]]`: nets of bodies that a pressure pushes, and `bodies.sleeve`: how their nodes stand.

use super::MOST_BODIES;
use super::shape::check_length;
use super::timing::timed;
use crate::form::{Any, Context, Number, Positive, Text, Vector, Whole, table};
use crate::units::{Length, Pressure};
use tumble_dem::LabVec;

table! {
    /// Nodes of a net around a cylinder, ring by ring; every other ring is turned by half a step.
    Sleeve {
        check check_sleeve;

        /// The middle of the first ring.
        from: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// The middle of the last ring.
        to: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, \"8 cm\"]";
        /// Radius of the rings.
        radius: f64 => Positive<Length>, required, "\"2 cm\"";
        /// How many nodes a ring has.
        around: u64 => Whole<3, 100_000>, required, "36";
        /// How many rings there are.
        rings: u64 => Whole<2, 100_000>, required, "24";
    }
}

fn check_sleeve(sleeve: &Sleeve, context: &mut Context<'_>) {
    check_length([sleeve.from, sleeve.to], &sleeve.places, context);
}

impl Sleeve {
    /// The net of the engine that it is.
    pub fn net(&self) -> tumble_dem::membrane::Sleeve {
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        tumble_dem::membrane::Sleeve {
            from: LabVec::from_array(self.from),
            to: LabVec::from_array(self.to),
            radius: self.radius,
            around: number(self.around),
            rings: number(self.rings),
        }
    }
}

timed! {
    /// A membrane: a pressure from outside on the triangles between the nodes of a sleeve. `start`, `stop`, `ramp` and `table` say how much of it there is when.
    Membrane {
        one_of [],

        /// Its name in messages and output.
        name: String => Text, required, "\"sleeve\"";
        /// The population of its nodes, by its place from 0 in the list `bodies`; it is one with a `sleeve`.
        population: u64 => Whole<0, MOST_BODIES>, required, "0";
        /// The pressure from outside; a negative one acts from inside.
        pressure: f64 => Number<Pressure, Any>, required, "\"50 kPa\"";
    }
}
