//! What a triaxial test reads off the walls around its sample: six of them, or two platens and a membrane.

use super::triaxial::mobilised;
use super::{Info, Measure};
use crate::{Column, Key, Options, View};
use tumble_dem::{LabVec, WallId};
use tumble_math::elementary::ln;

pub(super) const INFO: Info = Info {
    name: "triaxial-walls",
    summary: "strains, mean and deviatoric stress and mobilised friction of a sample between walls, compressed along z; its walls are the lower and the upper one along x, y and z, or those along z alone \
              where the scene has a membrane; its region is the sample as the walls were drawn",
    citation: None,
    needs: &[Key::Walls, Key::Region],
    takes: &[],
    columns: &[
        Column::mean(
            "axial_strain",
            "",
            "shortening along z, by the logarithm of the ratio of lengths, from where the walls were drawn",
        ),
        Column::mean("volumetric_strain", "", "the same of the volume; negative where the packing dilates"),
        Column::mean(
            "axial_stress",
            "Pa",
            "force of bodies on the walls along z, the mean of both, by the present section",
        ),
        Column::mean(
            "lateral_stress",
            "Pa",
            "the mean of those along x and y, or the pressure on the membrane",
        ),
        Column::mean("p", "Pa", "mean stress: a third of the sum of all three"),
        Column::mean("q", "Pa", "deviatoric stress: axial less lateral"),
        Column::mean("ratio", "", "q by p"),
        Column::mean(
            "friction_angle",
            "deg",
            "asin (axial − lateral)/(axial + lateral): the angle that a cohesionless soil mobilises",
        ),
    ],
    make: |options| Box::new(TriaxialWalls::new(options)),
};

#[derive(Debug)]
struct TriaxialWalls {
    walls: Vec<WallId>,
    /// Of the box around the sample as it was drawn, m.
    lengths: [f64; 3],
    /// As it was drawn, m³.
    volume: f64,
}

const AXES: [LabVec<f64>; 3] =
    [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 1.0, 0.0), LabVec::new(0.0, 0.0, 1.0)];

impl TriaxialWalls {
    fn new(options: &Options) -> Self {
        let [low, high] = options.region.as_ref().map_or([LabVec::zero(); 2], crate::Region::bounds);
        let volume = options.region.as_ref().map_or(f64::NAN, crate::Region::volume);
        Self { walls: options.walls.clone(), lengths: (high - low).to_array(), volume }
    }

    /// How far two walls are apart, by how far they were, and the mean force on them, N.
    fn between(&self, now: &View<'_>, pair: &[WallId], axis: usize) -> Option<[f64; 2]> {
        let walls = now.walls();
        let [low, high] = [walls.get(pair[0].index())?, walls.get(pair[1].index())?];
        let opened = (high.about - low.about).dot(AXES[axis]);
        let force = 0.5 * (high.force - low.force).dot(AXES[axis]);
        Some([(self.lengths[axis] + opened) / self.lengths[axis], force])
    }

    /// How much shorter and smaller the sample is, by the parts of length and volume that are left; axial and lateral stresses.
    fn sampled(&self, now: &View<'_>) -> Option<([f64; 2], f64, [f64; 2])> {
        let pairs: Vec<&[WallId]> = self.walls.chunks_exact(2).collect();
        match pairs[..] {
            [x, y, z] => {
                let all = [self.between(now, x, 0)?, self.between(now, y, 1)?, self.between(now, z, 2)?];
                let parts = all.map(|[part, _]| part);
                let lengths: [f64; 3] = core::array::from_fn(|axis| parts[axis] * self.lengths[axis]);
                let stress = |axis: usize| all[axis][1] / (lengths[(axis + 1) % 3] * lengths[(axis + 2) % 3]);
                Some(([parts[2], parts.iter().product()], stress(2), [stress(0), stress(1)]))
            }
            [z] => {
                let [part, force] = self.between(now, z, 2)?;
                let membranes = now.membranes();
                let membrane = membranes.first()?;
                let left = membrane.volume / membrane.volume_at_start;
                // The section of a cylinder that is as long and as large as the sample now.
                let section = self.volume * left / (self.lengths[2] * part);
                Some(([part, left], force / section, [membrane.pressure; 2]))
            }
            _ => None,
        }
    }
}

impl Measure for TriaxialWalls {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let Some((parts, axial, lateral)) = self.sampled(now) else {
            values.extend(INFO.columns.iter().map(|_| f64::NAN));
            return;
        };
        values.extend(parts.map(|part| -ln(part)));
        values.extend(mobilised(axial, lateral));
    }
}
