//! The fields, made of sums over bodies and contacts: Goldhirsch 2010, and at walls Weinhart et al. 2012.
//!
//! | sum | over |
//! | --- | --- |
//! | ρ = Σ m φ(r − x) | bodies: mass m, centre x |
//! | p = Σ m v φ(r − x) | bodies: velocity v |
//! | K = Σ m v ⊗ v φ(r − x) | bodies |
//! | σ = −Σ f ⊗ a ∫₀¹ φ(r − x − s a) ds | sides of contacts: force f on a body, a from its centre to where it touches |
//! | t = Σ f φ(r − x − a) | contacts with walls: force f of the wall on the body |
//! | S = Σ I ω φ(r − x) | bodies: angular momentum about their own centres |
//! | μ = −Σ ∫₀¹ ((1 − s) a × f + c) ⊗ a φ(r − x − s a) ds | sides of contacts: couple c on a body |
//! | l = Σ c φ(r − x − a) | contacts with walls |
//!
//! Compression is positive. Since f φ(r − x) = ∇·(f ⊗ a ∫ φ ds) + f φ(r − x − a), and the last terms of two bodies that touch cancel,
//! ∂p/∂t + ∇·(K + σ) = t + body forces at every point, whatever the shapes. K = ρ V ⊗ V + the kinetic stress, with V = p/ρ.
//!
//! In the same way for the moment m(s) = (1 − s) a × f + c of a contact about the points of its arm, from m(0), the torque on the body, to
//! m(1) = c: m(0) φ(r − x) = c φ(r − x − a) + ∫ a × f φ ds + ∇·∫ m ⊗ a φ ds. The sum of a × f is that of the stress that is not
//! symmetric, so ∂S/∂t + ∇·(Σ I ω ⊗ v φ + μ) = ε:σ + l + body torques, with (ε:σ)ₓ = σ_yz − σ_zy: the balance of spin of a continuum
//! whose points turn by themselves (Goldhirsch 2010).
//!
//! Sums are averaged over time before anything is made of them: V is that of the mean, and how bodies move about the mean of a window
//! is kinetic stress and temperature.

use core::f64;
use tumble_dem::{BodyState, LabVec};

/// How many numbers are summed up in a cell; those of bodies come first.
pub(super) const WIDTH: usize = WALLS + 6;
pub(super) const BODIES: usize = 0;
const SPIN: usize = BODIES + 15;
const HEAT: usize = SPIN + 3;
pub(super) const STRESS: usize = HEAT + 2;
pub(super) const COUPLES: usize = STRESS + 9;
pub(super) const CONTACTS: usize = COUPLES + 9;
pub(super) const WALLS: usize = CONTACTS + 7;

/// What a body adds: mass, volume, one, momentum, what it carries of that, angular velocity; spin; heat capacity (J/K), and that times
/// its temperature.
pub(super) fn of_body(body: &BodyState, volume: f64, capacity: Option<f64>) -> [f64; STRESS - BODIES] {
    let [vx, vy, vz] = body.velocity.to_array();
    let [px, py, pz] = (body.velocity * body.mass).to_array();
    let [wx, wy, wz] = body.angular_velocity.to_array();
    let carried = [px * vx, py * vy, pz * vz, px * vy, py * vz, px * vz];
    let [xx, yy, zz, xy, yz, xz] = carried;
    let in_body = body.moments.times(body.orientation.to_body(body.angular_velocity));
    let [sx, sy, sz] = body.orientation.to_lab(in_body).to_array();
    let [capacity, heat] = match (capacity, body.temperature) {
        (Some(capacity), Some(temperature)) => [capacity, capacity * temperature],
        _ => [0.0; 2],
    };
    let own = [body.mass, volume, 1.0];
    [own[0], own[1], own[2], px, py, pz, xx, yy, zz, xy, yz, xz, wx, wy, wz, sx, sy, sz, capacity, heat]
}

/// What a side of a contact adds along its arm a of a force, or a moment, f: −f ⊗ a.
pub(super) fn of_side(force: LabVec<f64>, arm: LabVec<f64>) -> [f64; 9] {
    let (force, arm) = (force.to_array(), arm.to_array());
    core::array::from_fn(|i| -force[i / 3] * arm[i % 3])
}

/// What a contact with a wall adds where it is: force and couple.
pub(super) fn of_wall(force: LabVec<f64>, couple: LabVec<f64>) -> [f64; 6] {
    let ([x, y, z], [a, b, c]) = (force.to_array(), couple.to_array());
    [x, y, z, a, b, c]
}

/// What a contact adds where it is: one, n ⊗ n.
pub(super) fn of_contact(normal: LabVec<f64>) -> [f64; 7] {
    let [x, y, z] = normal.to_array();
    [1.0, x * x, y * y, z * z, x * y, y * z, x * z]
}

/// What a quantity is at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// A number.
    Number,
    /// x, y, z.
    Vector,
    /// xx, yy, zz, xy, yz, xz, the order of VTK.
    Symmetric,
    /// xx, xy, xz, yx, …, zz.
    Tensor,
}

impl Parts {
    /// The names of the components; one without a name for a number.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Number => &[""],
            Self::Vector => &["x", "y", "z"],
            Self::Symmetric => &["xx", "yy", "zz", "xy", "yz", "xz"],
            Self::Tensor => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
        }
    }
}

/// A field: what is known of it at every cell.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// In files and tables.
    pub name: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// Its components.
    pub parts: Parts,
    /// What it is, in a line.
    pub what: &'static str,
    /// From the mean sums of a cell.
    of: fn(&Sums<'_>, &mut Vec<f64>),
}

/// The one list of fields, in the order of files.
pub const QUANTITIES: &[Quantity] = &[
    Quantity {
        name: "density",
        unit: "kg/m3",
        parts: Parts::Number,
        what: "mass of the bodies per volume",
        of: |sums, out| out.push(sums.mass()),
    },
    Quantity {
        name: "solid_fraction",
        unit: "",
        parts: Parts::Number,
        what: "volume of the bodies per volume, all of that of a body at its centre of mass",
        of: |sums, out| out.push(sums.0[BODIES + 1]),
    },
    Quantity {
        name: "number_density",
        unit: "1/m3",
        parts: Parts::Number,
        what: "bodies per volume",
        of: |sums, out| out.push(sums.0[BODIES + 2]),
    },
    Quantity {
        name: "momentum",
        unit: "kg/m2s",
        parts: Parts::Vector,
        what: "momentum per volume",
        of: |sums, out| out.extend(sums.momentum()),
    },
    Quantity {
        name: "velocity",
        unit: "m/s",
        parts: Parts::Vector,
        what: "momentum by density",
        of: |sums, out| out.extend(sums.velocity()),
    },
    Quantity {
        name: "angular_velocity",
        unit: "rad/s",
        parts: Parts::Vector,
        what: "mean over the bodies",
        of: |sums, out| out.extend(mean(&sums.0[BODIES + 12..SPIN], sums.0[BODIES + 2])),
    },
    Quantity {
        name: "spin",
        unit: "kg/ms",
        parts: Parts::Vector,
        what: "angular momentum of the bodies about their own centres per volume",
        of: |sums, out| out.extend(&sums.0[SPIN..HEAT]),
    },
    Quantity {
        name: "temperature",
        unit: "K",
        parts: Parts::Number,
        what: "mean over the bodies by their heat capacities; only with heat",
        of: |sums, out| out.push(sums.0[HEAT + 1] / sums.0[HEAT]),
    },
    Quantity {
        name: "contact_stress",
        unit: "Pa",
        parts: Parts::Tensor,
        what: "carried by forces of contacts, compression positive; the force is the first index, the way that it goes the second",
        of: |sums, out| out.extend(&sums.0[STRESS..COUPLES]),
    },
    Quantity {
        name: "couple_stress",
        unit: "N/m",
        parts: Parts::Tensor,
        what: "carried by moments of contacts about the way to them; the moment is the first index, the way that it goes the second",
        of: |sums, out| out.extend(&sums.0[COUPLES..CONTACTS]),
    },
    Quantity {
        name: "kinetic_stress",
        unit: "Pa",
        parts: Parts::Symmetric,
        what: "carried by motion about the velocity of the field",
        of: |sums, out| out.extend(sums.kinetic()),
    },
    Quantity {
        name: "pressure",
        unit: "Pa",
        parts: Parts::Number,
        what: "a third of the trace of both stresses",
        of: |sums, out| out.push(sums.pressure()),
    },
    Quantity {
        name: "granular_temperature",
        unit: "m2/s2",
        parts: Parts::Number,
        what: "a third of the trace of the kinetic stress by the density: the variance of a component of velocities",
        of: |sums, out| {
            let [xx, yy, zz, ..] = sums.kinetic();
            out.push((xx + yy + zz) / 3.0 / sums.mass());
        },
    },
    Quantity {
        name: "contact_density",
        unit: "1/m3",
        parts: Parts::Number,
        what: "contacts per volume, with walls too",
        of: |sums, out| out.push(sums.0[CONTACTS]),
    },
    Quantity {
        name: "fabric",
        unit: "",
        parts: Parts::Symmetric,
        what: "mean of the products of components of contact normals; its trace is 1",
        of: |sums, out| out.extend(mean(&sums.0[CONTACTS + 1..WALLS], sums.0[CONTACTS])),
    },
    Quantity {
        name: "wall_force",
        unit: "N/m3",
        parts: Parts::Vector,
        what: "force of the walls on the bodies per volume: their traction, spread over the width of the smoothing",
        of: |sums, out| out.extend(&sums.0[WALLS..WALLS + 3]),
    },
    Quantity {
        name: "wall_couple",
        unit: "N/m2",
        parts: Parts::Vector,
        what: "couples of the walls on the bodies per volume, beside the torques of their forces: where something resists rolling or twisting",
        of: |sums, out| out.extend(&sums.0[WALLS + 3..]),
    },
];

impl Quantity {
    /// The quantity of this name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        QUANTITIES.iter().find(|quantity| quantity.name == name)
    }

    /// The headers of its columns: `velocity_x_m/s`.
    pub fn headers(&self) -> impl Iterator<Item = String> + '_ {
        self.parts.names().iter().map(|part| {
            let words = [self.name, part, self.unit];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
        })
    }

    /// Its components in a cell with these sums.
    pub(super) fn put(&self, sums: &[f64], out: &mut Vec<f64>) {
        (self.of)(&Sums(sums), out);
    }
}

/// The mean sums of a cell.
struct Sums<'a>(&'a [f64]);

impl Sums<'_> {
    fn mass(&self) -> f64 {
        self.0[BODIES]
    }

    fn momentum(&self) -> [f64; 3] {
        core::array::from_fn(|i| self.0[BODIES + 3 + i])
    }

    /// NaN where there is no mass.
    fn velocity(&self) -> [f64; 3] {
        self.momentum().map(|part| part / self.mass())
    }

    /// K − ρ V ⊗ V; nothing where there is no mass.
    fn kinetic(&self) -> [f64; 6] {
        if self.mass() <= 0.0 {
            return [0.0; 6];
        }
        let ([px, py, pz], [vx, vy, vz]) = (self.momentum(), self.velocity());
        let drift = [px * vx, py * vy, pz * vz, px * vy, py * vz, px * vz];
        core::array::from_fn(|i| self.0[BODIES + 6 + i] - drift[i])
    }

    fn pressure(&self) -> f64 {
        let [xx, yy, zz, ..] = self.kinetic();
        let stress = &self.0[STRESS..COUPLES];
        (xx + yy + zz + stress[0] + stress[4] + stress[8]) / 3.0
    }
}

/// Sums by how much there is; NaN where there is nothing.
fn mean(sums: &[f64], count: f64) -> impl Iterator<Item = f64> {
    sums.iter().map(move |sum| sum / count)
}
