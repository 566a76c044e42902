//! What is in a region: bodies by their centres of mass, solid volume by the parts of spheres inside.

use super::{Info, Measure, is_meant};
use crate::citations::STROBL_2016;
use crate::{Column, Key, Region, View};

pub(super) const INFO: Info = Info {
    name: "contents",
    summary: "number, mass and volume of the bodies in a region, and its solid fraction",
    citation: Some(STROBL_2016),
    needs: &[Key::Region],
    takes: &[],
    columns: &[
        Column::mean("number", "", "bodies whose centre of mass is inside"),
        Column::mean("mass", "kg", "their mass"),
        Column::mean(
            "volume",
            "m3",
            "solid volume inside: parts of spheres count, not centres; of a capsule those of a row of balls along it, of an ellipsoid or a polyhedron those of a cloud of them",
        ),
        Column::mean("solid_fraction", "", "that volume divided by the volume of the region"),
    ],
    make: |options| Box::new(Contents { region: options.region.clone() }),
};

#[derive(Debug)]
struct Contents {
    region: Option<Region>,
}

impl Measure for Contents {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let (mut number, mut mass, mut volume) = (0_u64, 0.0, 0.0);
        let domain = now.scenery().domain;
        for body in now.bodies() {
            if is_meant(self.region.as_ref(), body) {
                number += 1;
                mass += body.mass;
            }
            let Some(region) = &self.region else { continue };
            // The volume of a clump is shared out among its pieces as their own volumes are, so that pieces that
            // overlap count no more than the body.
            let of_balls: f64 = now.balls(body).map(|ball| ball.weight * volume_of(ball.radius)).sum();
            let inside: f64 = now
                .balls(body)
                .map(|ball| ball.weight * region.share(ball.centre, ball.radius, &domain))
                .sum();
            if inside > 0.0 {
                volume += now.volume(body) * (inside / of_balls);
            }
        }
        let room = self.region.as_ref().map_or(f64::NAN, Region::volume);
        values.extend([number as f64, mass, volume, volume / room]);
    }
}

/// Of a ball.
fn volume_of(radius: f64) -> f64 {
    4.0 / 3.0 * core::f64::consts::PI * radius * radius * radius
}
