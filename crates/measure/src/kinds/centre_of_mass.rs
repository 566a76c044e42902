//! Where the mass of bodies is, and how it moves.

use super::{Info, Measure, is_meant};
use crate::{Column, Key, Region, View};
use tumble_dem::LabVec;

pub(super) const INFO: Info = Info {
    name: "centre-of-mass",
    summary: "centre of mass of bodies, its velocity, and how much velocities differ from it",
    citation: None,
    needs: &[],
    takes: &[Key::Region],
    columns: &[
        Column::mean("x", "m", "centre of mass"),
        Column::mean("y", "m", "centre of mass"),
        Column::mean("z", "m", "centre of mass"),
        Column::mean("velocity_x", "m/s", "its velocity"),
        Column::mean("velocity_y", "m/s", "its velocity"),
        Column::mean("velocity_z", "m/s", "its velocity"),
        Column::mean("fluctuation", "m/s", "root mean square of velocities about it, by mass"),
    ],
    make: |options| Box::new(CentreOfMass { region: options.region.clone() }),
};

#[derive(Debug)]
struct CentreOfMass {
    region: Option<Region>,
}

impl Measure for CentreOfMass {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let (mut mass, mut first, mut momentum) = (0.0, LabVec::zero(), LabVec::zero());
        let meant = || now.bodies().iter().filter(|body| is_meant(self.region.as_ref(), body));
        for body in meant() {
            mass += body.mass;
            first = first + body.position * body.mass;
            momentum = momentum + body.velocity * body.mass;
        }
        if mass == 0.0 {
            values.extend([f64::NAN; 7]);
            return;
        }
        let velocity = momentum * (1.0 / mass);
        let square: f64 = meant().map(|body| body.mass * (body.velocity - velocity).norm_squared()).sum();
        values.extend((first * (1.0 / mass)).to_array());
        values.extend(velocity.to_array());
        values.push((square / mass).sqrt());
    }
}
