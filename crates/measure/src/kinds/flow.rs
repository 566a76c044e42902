//! What goes through a surface: centres of mass that are on the other side than at the sample before.

use super::{Info, Measure};
use crate::bytes::{Input, put_count, put_number};
use crate::{Column, Key, Surface, View};
use tumble_dem::LabVec;

pub(super) const INFO: Info = Info {
    name: "flow",
    summary: "number and mass of the bodies that go through a surface, along its normal less against it",
    citation: None,
    needs: &[Key::Through],
    takes: &[],
    columns: &[
        Column::last("number", "", "bodies that have gone through since the start"),
        Column::last("mass", "kg", "their mass"),
        Column::mean("number_rate", "1/s", "bodies per time since the sample before"),
        Column::mean("mass_rate", "kg/s", "mass per time since the sample before"),
    ],
    make: |options| {
        let through = options.through.clone();
        Box::new(Flow { through, before: None, number: 0, mass: 0.0 })
    },
};

#[derive(Debug)]
struct Flow {
    through: Option<Surface>,
    before: Option<Before>,
    number: i64,
    mass: f64,
}

/// The step of the sample before, and where bodies were, by number.
type Before = (u64, Vec<(u32, LabVec<f64>)>);

impl Measure for Flow {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let (mut number, mut mass) = (0, 0.0);
        let domain = now.scenery().domain;
        if let (Some((_, before)), Some(surface)) = (&self.before, &self.through) {
            let mut earlier = before.iter().peekable();
            for body in now.bodies() {
                while earlier.peek().is_some_and(|(id, _)| *id < body.id.0) {
                    earlier.next();
                }
                let Some((_, from)) = earlier.next_if(|(id, _)| *id == body.id.0) else { continue };
                let way = domain.nearest(*from, body.position);
                let mut passed = surface.passed(*from, *from + way);
                if (*from + way - body.position).norm() > 0.5 * way.norm() {
                    // It left a periodic domain, and came in again on the other side.
                    passed += surface.passed(body.position - way, body.position);
                }
                number += passed;
                #[allow(clippy::cast_precision_loss, reason = "one, or a few layers of a mesh")]
                let times = passed as f64;
                mass += times * body.mass;
            }
        }
        self.number += number;
        self.mass += mass;
        let since = self.before.as_ref().map(|(step, _)| now.step() - step);
        let time = since.filter(|steps| *steps > 0).map_or(f64::NAN, |steps| steps as f64 * now.dt());
        self.before =
            Some((now.step(), now.bodies().iter().map(|body| (body.id.0, body.position)).collect()));
        values.extend([self.number as f64, self.mass, number as f64 / time, mass / time]);
    }

    fn remember(&self, out: &mut Vec<u8>) {
        put_count(self.number.cast_unsigned(), out);
        put_number(self.mass, out);
        put_count(u64::from(self.before.is_some()), out);
        let Some((step, bodies)) = &self.before else { return };
        put_count(*step, out);
        put_count(bodies.len() as u64, out);
        for (id, position) in bodies {
            put_count(u64::from(*id), out);
            position.to_array().into_iter().for_each(|number| put_number(number, out));
        }
    }

    fn recall(&mut self, input: &mut Input<'_>) -> Option<()> {
        self.number = input.count()?.cast_signed();
        self.mass = input.number()?;
        self.before = None;
        if input.count()? == 1 {
            let step = input.count()?;
            let mut bodies = Vec::new();
            for _ in 0..input.length(32)? {
                let id = u32::try_from(input.count()?).ok()?;
                bodies.push((id, LabVec::new(input.number()?, input.number()?, input.number()?)));
            }
            self.before = Some((step, bodies));
        }
        Some(())
    }
}
