//! `[heat]`: temperatures, and how heat gets from here to there.

use crate::form::{Choice, Choose, Flag, Positive, ZeroOrMore, table};
use crate::units::{HeatTransfer, Temperature, Time};
use tumble_dem::heat::Conduction;

table! {
    /// Temperatures: every body has one. Without this table there is no heat.
    Heat {
        /// How contacts conduct heat.
        conduction: Conduction => Choice<Conduction>, default Conduction::Radius, "\"area\"";
        /// Whether what contacts lose to friction and damping becomes heat of the bodies.
        dissipation: bool => Flag, default true, "false";
        /// What is around all bodies, if it cools or warms them.
        surroundings: Surroundings => Surroundings, optional, "{ temperature = \"20 °C\", coefficient = \"10 W/m^2/K\" }";
    }
}

table! {
    /// What is around all bodies: it is of one temperature, whatever it takes.
    Surroundings {
        /// Its temperature.
        temperature: f64 => Positive<Temperature>, required, "\"20 °C\"";
        /// What goes through a square metre of the surface of a body for each kelvin. The surface is that of a sphere of its volume.
        coefficient: f64 => ZeroOrMore<HeatTransfer>, required, "\"10 W/m^2/K\"";
    }
}

table! {
    /// The temperature of a wall at a time.
    TemperatureAt {
        /// When.
        time: f64 => ZeroOrMore<Time>, required, "\"10 s\"";
        /// How warm.
        value: f64 => Positive<Temperature>, required, "\"80 °C\"";
    }
}

impl Choose for Conduction {
    const WHAT: &'static str = "way of conduction";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        Self::ALL.map(|model| (model, model.name(), model.summary())).to_vec()
    }
}
