//! Lattices of Hertzian spheres with one sphere in each of their cells: they go with any strain as a whole.
//!
//! With the ways d = (x + γy, y, z) to its neighbours, F = (4/3)E*√(R/2) δ^(3/2) at δ = 2R − |d|, and the volume v of a cell of the lattice, the pressure is
//! P_ij = Σ F d_i d_j/|d| / 2v, whatever the strain γ.

use super::Error;
use super::arrange::{add_sphere, settings, world};
use super::theory::same_material;
use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Cell, Control, Engine, LabVec, Shear};

/// What the spheres of a lattice are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spheres {
    /// m
    pub(super) radius: f64,
    /// kg/m³
    pub(super) density: f64,
    /// Pa
    pub(super) young: f64,
    pub(super) poisson: f64,
    /// Before the shear, by the diameter.
    pub(super) overlap: f64,
}

/// A cubic lattice.
pub(super) struct Lattice {
    pub(super) name: &'static str,
    /// In a cubic cell whose side is one.
    places: &'static [[f64; 3]],
    /// Side of that over the distance of neighbours.
    side: f64,
    /// Ways to neighbours by their distance, of two opposite ones only the first.
    ways: &'static [[f64; 3]],
}

const H: f64 = FRAC_1_SQRT_2;

/// Simple and face-centred cubic.
pub(super) const LATTICES: [Lattice; 2] = [
    Lattice {
        name: "sc",
        places: &[[0.1, 0.2, 0.3]],
        side: 1.0,
        ways: &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    },
    Lattice {
        name: "fcc",
        places: &[[0.1, 0.2, 0.3], [0.6, 0.7, 0.3], [0.6, 0.2, 0.8], [0.1, 0.7, 0.8]],
        side: SQRT_2,
        ways: &[[H, H, 0.0], [H, -H, 0.0], [H, 0.0, H], [H, 0.0, -H], [0.0, H, H], [0.0, H, -H]],
    },
];

/// Cells of the lattice along an axis.
const CELLS: usize = 4;

impl Lattice {
    /// P_ij of so much strain.
    pub(super) fn pressure(&self, spheres: Spheres, strain: f64, [i, j]: [usize; 2]) -> f64 {
        let distance = 2.0 * spheres.radius * (1.0 - spheres.overlap);
        let side = self.side * distance;
        let cell = side * side * side / self.places.len() as f64;
        let modulus = same_material(spheres.young, spheres.poisson);
        let of = |[x, y, z]: &[f64; 3]| {
            let way = [(x + strain * y) * distance, y * distance, z * distance];
            let length = way.iter().map(|d| d * d).sum::<f64>().sqrt();
            let overlap = 2.0 * spheres.radius - length;
            let force = 4.0 / 3.0 * modulus * (0.5 * spheres.radius * overlap).sqrt() * overlap;
            force * way[i] * way[j] / length
        };
        self.ways.iter().map(of).sum::<f64>() / cell
    }

    /// An engine with a cell full of it, which is sheared so.
    pub(super) fn engine(&self, spheres: Spheres, cell: (Shear, f64, f64), dt: f64) -> Result<Engine, Error> {
        let side = self.side * 2.0 * spheres.radius * (1.0 - spheres.overlap);
        let material = Material::new("glass", spheres.density, spheres.young, spheres.poisson);
        let mut world = world(material, PairProperties::new(0.5, 0.0));
        world.domain = Domain::of([Axis::Periodic { low: 0.0, high: side * CELLS as f64 }; 3]);
        let (shear, mass, viscosity) = cell;
        world.cell = Some(Cell { axes: [Control::Fixed; 3], shear: Some(shear), mass, viscosity });
        let sphere = add_sphere(&mut world, spheres.radius)?;
        for number in 0..CELLS * CELLS * CELLS {
            let cell = [number % CELLS, number / CELLS % CELLS, number / CELLS / CELLS];
            for place in self.places {
                let at = core::array::from_fn(|i| (cell[i] as f64 + place[i]) * side);
                world.add_body(Body::at(sphere, LabVec::from_array(at)));
            }
        }
        Ok(Engine::new(world, settings(LawKind::HertzMindlin, dt))?)
    }
}
