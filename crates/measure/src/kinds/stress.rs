//! Stress in a region, by Love and Weber: what forces of contacts, and what motion, carry through it.
//!
//! σ = −(1/V) Σ (x_c − x_b) ⊗ f_c over the contacts c of the bodies b whose centre is inside, f_c being the force on the body:
//! compression is positive. The kinetic part is (1/V) Σ m v′ ⊗ v′, v′ being velocities from that of the centre of mass.

use super::{Info, Measure, is_meant};
use crate::citations::CHRISTOFFERSEN_1981;
use crate::tensor::Sum;
use crate::{Column, Key, Region, View};
use tumble_dem::LabVec;

pub(super) const INFO: Info = Info {
    name: "stress",
    summary: "stress in a region after Love and Weber, compression positive; its kinetic part apart",
    citation: Some(CHRISTOFFERSEN_1981),
    needs: &[Key::Region],
    takes: &[],
    columns: &[
        Column::mean("xx", "Pa", "carried by contacts; the symmetric part, as all of these"),
        Column::mean("yy", "Pa", "the same"),
        Column::mean("zz", "Pa", "the same"),
        Column::mean("xy", "Pa", "the same"),
        Column::mean("xz", "Pa", "the same"),
        Column::mean("yz", "Pa", "the same"),
        Column::mean("pressure", "Pa", "a third of the trace"),
        Column::mean("deviator", "Pa", "√(3/2 s:s) of the tensor without the pressure"),
        Column::mean("kinetic_xx", "Pa", "carried by motion about the mean velocity"),
        Column::mean("kinetic_yy", "Pa", "the same"),
        Column::mean("kinetic_zz", "Pa", "the same"),
        Column::mean("kinetic_xy", "Pa", "the same"),
        Column::mean("kinetic_xz", "Pa", "the same"),
        Column::mean("kinetic_yz", "Pa", "the same"),
    ],
    make: |options| Box::new(Stress { region: options.region.clone() }),
};

#[derive(Debug)]
struct Stress {
    region: Option<Region>,
}

impl Measure for Stress {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let volume = self.region.as_ref().map_or(f64::NAN, Region::volume);
        let mut sum = Sum::default();
        for contact in now.contacts() {
            for side in now.sides(contact).filter(|side| is_meant(self.region.as_ref(), side.body)) {
                sum.add(side.arm, side.force);
            }
        }
        let stress = sum.scaled(-1.0 / volume);
        let (mut mass, mut momentum) = (0.0, LabVec::zero());
        let meant = || now.bodies().iter().filter(|body| is_meant(self.region.as_ref(), body));
        for body in meant() {
            mass += body.mass;
            momentum = momentum + body.velocity * body.mass;
        }
        let drift = if mass > 0.0 { momentum * (1.0 / mass) } else { LabVec::zero() };
        let mut kinetic = Sum::default();
        for body in meant() {
            let velocity = body.velocity - drift;
            kinetic.add(velocity, velocity * body.mass);
        }
        values.extend(stress.0);
        values.extend([stress.mean(), stress.deviator()]);
        values.extend(kinetic.scaled(1.0 / volume).0);
    }
}
