//! In which directions bodies touch: the mean of n ⊗ n over the normals of contacts.

use super::{Info, Measure};
use crate::citations::ODA_1982;
use crate::tensor::Sum;
use crate::{Column, Key, Region, View};

pub(super) const INFO: Info = Info {
    name: "fabric",
    summary: "fabric tensor of contact normals and its anisotropy",
    citation: Some(ODA_1982),
    needs: &[],
    takes: &[Key::Region],
    columns: &[
        Column::mean("xx", "", "mean of the products of components of contact normals; their trace is 1"),
        Column::mean("yy", "", "the same"),
        Column::mean("zz", "", "the same"),
        Column::mean("xy", "", "the same"),
        Column::mean("xz", "", "the same"),
        Column::mean("yz", "", "the same"),
        Column::mean(
            "anisotropy",
            "",
            "√(3/2 s:s) of the tensor without a third of its trace: 0 if alike in all directions, 1 if all contacts are along one",
        ),
    ],
    make: |options| Box::new(Fabric { region: options.region.clone() }),
};

#[derive(Debug)]
struct Fabric {
    region: Option<Region>,
}

impl Measure for Fabric {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let (mut sum, mut count) = (Sum::default(), 0_u64);
        for contact in now.contacts() {
            let inside = self.region.as_ref().is_none_or(|region| region.has(contact.point));
            if let Some(side) = now.sides(contact).next().filter(|_| inside) {
                sum.add(side.normal, side.normal);
                count += 1;
            }
        }
        if count == 0 {
            values.extend([f64::NAN; 7]);
            return;
        }
        let fabric = sum.scaled(1.0 / count as f64);
        values.extend(fabric.0);
        values.push(fabric.deviator());
    }
}
