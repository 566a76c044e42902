//! What stages change, in words: for `tumble check`, the summary, the report and Python.

use super::stages::{FluidChange, Series, StagePlan, WallChange};
use tumble_dem::field::Drag;
use tumble_dem::{PropertyOf, Rule, readable};

impl StagePlan {
    /// What it changes, one thing each, in the order in which a scene is written.
    pub fn changes(&self) -> Vec<String> {
        let walls = self.walls.iter().flat_map(of_wall);
        let rules = self.rules.iter().map(of_rule);
        let fluid = of_fluid(self.fluid);
        let fields = self.fields.as_ref().map(|fields| match fields.len() {
            0 => "no fields".to_owned(),
            1 => "another field".to_owned(),
            count => format!("{count} other fields"),
        });
        let output = self.output.iter().map(|&(series, every)| of_series(series, every));
        walls.chain(rules).chain(fluid).chain(fields).chain(output).collect()
    }
}

fn of_wall(change: &WallChange) -> Vec<String> {
    let name = &change.name;
    let motion = change.motion.as_ref().map(|motion| {
        if motion.is_static() { format!("{name} comes to rest") } else { format!("{name} moves otherwise") }
    });
    let drive = change.drive.map(|drive| format!("{name} is driven by {}", readable(drive)));
    let present =
        change.present.map(|present| format!("{name} {}", if present { "appears" } else { "vanishes" }));
    motion.into_iter().chain(drive).chain(present).collect()
}

fn of_rule(rule: &Rule) -> String {
    match rule {
        Rule::Gravity(gravity) => {
            let [x, y, z] = gravity.to_array().map(readable);
            format!("gravity [{x}, {y}, {z}] m/s²")
        }
        Rule::TimeStep(dt) => format!("time step {} s", readable(*dt)),
        Rule::Property { of, property, value } => {
            let of = if matches!(of, PropertyOf::EveryPair) { "" } else { " of a pair" };
            format!("{}{of} {}", property.key, readable(*value))
        }
    }
}

fn of_fluid(change: FluidChange) -> Option<String> {
    match change {
        FluidChange::Stays => None,
        FluidChange::Gone => Some("no drag".to_owned()),
        FluidChange::Becomes(Drag { viscosity, density, coefficient, .. }) => {
            let linear = (viscosity > 0.0).then(|| format!("viscosity {} Pa s", readable(viscosity)));
            let quadratic = (density * coefficient > 0.0).then(|| {
                format!("density {} kg/m³, coefficient {}", readable(density), readable(coefficient))
            });
            let said: Vec<String> = linear.into_iter().chain(quadratic).collect();
            Some(if said.is_empty() { "no drag".to_owned() } else { format!("drag of {}", said.join(", ")) })
        }
    }
}

fn of_series(series: Series, every: Option<u64>) -> String {
    let key = series.key();
    match every {
        None => format!("{key} is not written"),
        Some(1) => format!("{key} every step"),
        Some(every) => format!("{key} every {every} steps"),
    }
}
