//! Heat: how bodies conduct it to each other, and where it comes from. A world without it has no temperatures, and pays nothing.
//!
//! [`physics::heat`](crate::physics::heat) has the equations. Every body has one temperature; so the Biot number, the conductance of its
//! contacts over that through itself, has to be small: [`biot_of_contact`], [`biot_of_surface`].

use crate::check;
use crate::error::Error;
use crate::material::{Holder, Material, MaterialError, MaterialId, Materials};
use crate::physics::heat::{effusivity, harmonic_mean};
use crate::property::{Owner, Property, Quantity, Range};
use crate::wall::Wall;
use core::f64::consts::PI;

/// The temperature of bodies of which nothing is said, K: 20 °C.
pub const ROOM: f64 = 293.15;

/// The heat capacity c.
pub const HEAT_CAPACITY: Property = Property {
    key: "heat_capacity",
    of: Owner::Material,
    quantity: Some(Quantity::HEAT_CAPACITY),
    range: Range::POSITIVE.in_words("a positive number, in J/(kg K)"),
    default: None,
    summary: "Heat that a kilogram takes to become a kelvin warmer",
    example: "\"840 J/kg/K\"",
};

/// The conductivity k.
pub const CONDUCTIVITY: Property = Property {
    key: "conductivity",
    of: Owner::Material,
    quantity: Some(Quantity::CONDUCTIVITY),
    range: Range::POSITIVE.in_words("a positive number, in W/(m K)"),
    default: None,
    summary: "Thermal conductivity",
    example: "\"1.1 W/m/K\"",
};

/// Heat that comes into being in a material.
pub const HEAT_SOURCE: Property = Property {
    key: "heat_source",
    of: Owner::Material,
    quantity: Some(Quantity::HEAT_SOURCE),
    range: Range {
        from: core::ops::Bound::Excluded(f64::NEG_INFINITY),
        to: core::ops::Bound::Excluded(f64::INFINITY),
        words: "a finite number, in W/kg; negative where heat vanishes",
    },
    default: Some(0.0),
    summary: "Heat that comes into being in a kilogram per second: by a reaction, radioactivity, microwaves",
    example: "\"5 W/kg\"",
};

/// The conductance of contacts per area h.
pub const CONTACT_CONDUCTANCE: Property = Property {
    key: "contact_conductance",
    of: Owner::Pair,
    quantity: Some(Quantity::CONDUCTANCE_PER_AREA),
    range: Range::NOT_NEGATIVE.in_words("zero or a positive number, in W/(m² K)"),
    default: None,
    summary: "Thermal conductance of a unit of area of contact",
    example: "\"5000 W/m^2/K\"",
};

/// How contacts conduct heat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Conduction {
    /// H = 2ka: through the constriction of the bodies about a contact of radius a.
    #[default]
    Radius,
    /// H = hπa²: through the area of a contact, by a conductance per area.
    Area,
}

impl Conduction {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Radius, Self::Area];

    /// In scenes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Radius => "radius",
            Self::Area => "area",
        }
    }

    /// What it is, in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Radius => "H = 2ka, through the constriction about a contact of radius a",
            Self::Area => "H = h πa², through the area of a contact",
        }
    }

    /// The properties that it reads.
    pub const fn needs(self) -> &'static [&'static Property] {
        match self {
            Self::Radius => &[&HEAT_CAPACITY, &CONDUCTIVITY, &HEAT_SOURCE],
            Self::Area => &[&HEAT_CAPACITY, &CONDUCTIVITY, &HEAT_SOURCE, &CONTACT_CONDUCTANCE],
        }
    }
}

/// Heat in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// How contacts conduct it.
    pub conduction: Conduction,
    /// Whether what contacts lose becomes heat.
    pub dissipation: bool,
    /// What bodies are in, if that takes heat or gives it.
    pub surroundings: Option<Surroundings>,
}

impl Default for Heat {
    /// Through constrictions, losses become heat, nothing goes to the surroundings.
    fn default() -> Self {
        Self { conduction: Conduction::Radius, dissipation: true, surroundings: None }
    }
}

/// Something around all bodies, of one temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// K.
    pub temperature: f64,
    /// What goes through a unit of surface per kelvin, W/(m² K).
    pub coefficient: f64,
}

/// The temperature of a wall, which heat does not change: linear between two rows of a table, and as in the first or the last row beyond.
#[derive(Clone, Debug, PartialEq)]
pub struct WallTemperature {
    /// s and K, by time.
    rows: Vec<[f64; 2]>,
}

impl WallTemperature {
    /// Always the same, K.
    pub fn fixed(temperature: f64) -> Result<Self, Error> {
        Self::table(vec![[0.0, temperature]])
    }

    /// A table of a row or more: times in s, which ascend, and temperatures in K.
    ///
    /// ```
    /// use tumble_dem::heat::WallTemperature;
    /// let heating = WallTemperature::table(vec![[0.0, 300.0], [10.0, 400.0]])?;
    /// assert_eq!([-1.0, 2.5, 20.0].map(|time| heating.at(time)), [300.0, 325.0, 400.0]);
    /// # Ok::<(), tumble_dem::Error>(())
    /// ```
    pub fn table(rows: Vec<[f64; 2]>) -> Result<Self, Error> {
        let of = "the temperature of a wall";
        for [time, temperature] in &rows {
            check::finite(of, "time", &[*time])?;
            check::positive(of, "temperature in K", *temperature)?;
        }
        let invalid = |what, value: String, expected| Error::Invalid { of: of.into(), what, value, expected };
        if rows.is_empty() {
            return Err(invalid("number of rows", "0".into(), "at least 1"));
        }
        if let Some(pair) = rows.windows(2).find(|pair| pair[1][0] <= pair[0][0]) {
            let value = format!("{} s after {} s", pair[1][0], pair[0][0]);
            return Err(invalid("time of a row", value, "times that ascend"));
        }
        Ok(Self { rows })
    }

    /// Times, s, and temperatures, K.
    pub fn rows(&self) -> &[[f64; 2]] {
        &self.rows
    }

    /// At a time, K.
    pub fn at(&self, t: f64) -> f64 {
        let later = self.rows.partition_point(|[time, _]| *time <= t);
        match (self.rows[..later].last(), self.rows.get(later)) {
            (Some([a, from]), Some([b, to])) => from + (to - from) * ((t - a) / (b - a)),
            (Some([_, value]), None) | (None, Some([_, value])) => *value,
            (None, None) => ROOM,
        }
    }
}

/// The conductance of a contact over that of the constriction of two bodies about it, H/2ka. Where it is large, bodies are not of one
/// temperature near the contact: `per_area` conducts better than they do.
pub fn biot_of_contact(per_area: f64, conductivity: f64, contact_radius: f64) -> f64 {
    per_area * PI * contact_radius / (2.0 * conductivity)
}

/// The Biot number of a body in its surroundings, hR/3k: the volume of its sphere over the surface is the length.
pub fn biot_of_surface(coefficient: f64, conductivity: f64, equivalent_radius: f64) -> f64 {
    coefficient * equivalent_radius / (3.0 * conductivity)
}

/// Up to this Biot number a body may be said to have one temperature.
pub const MOST_BIOT: f64 = 0.1;

/// What materials and their pairs are to heat.
#[derive(Clone, Debug)]
pub(crate) struct HeatRules {
    pub(crate) heat: Heat,
    /// c of each, J/(kg K); NaN where it is not given, here and below.
    pub(crate) capacities: Vec<f64>,
    /// W/kg of each.
    pub(crate) sources: Vec<f64>,
    /// What makes the conductance of a contact of each pair: row a, column b.
    conduct: Vec<f64>,
    /// Of each pair: the part of a loss in a contact that a body of the first keeps, on a wall of the second.
    keeps: Vec<f64>,
}

impl HeatRules {
    /// Of the materials of a world, whoever is there.
    pub(crate) fn new(heat: Heat, materials: &Materials) -> Self {
        let all = materials.as_slice();
        let of = |material: &Material, property: &Property| material.get(property).unwrap_or(f64::NAN);
        let pairs = || {
            let ids = (0..u16::MAX).zip(all);
            ids.clone().flat_map(move |a| ids.clone().map(move |b| (a, b)))
        };
        let conduct = |((a, first), (b, second)): ((u16, &Material), (u16, &Material))| match heat.conduction
        {
            Conduction::Radius => harmonic_mean(of(first, &CONDUCTIVITY), of(second, &CONDUCTIVITY)),
            Conduction::Area => {
                let properties = materials.properties(MaterialId(a), MaterialId(b)).ok();
                properties.and_then(|pair| pair.get(&CONTACT_CONDUCTANCE)).unwrap_or(f64::NAN)
            }
        };
        let effusivity = |material: &Material| {
            effusivity(of(material, &CONDUCTIVITY), material.density, of(material, &HEAT_CAPACITY))
        };
        let keeps = |((_, body), (_, wall)): ((u16, &Material), (u16, &Material))| {
            let [body, wall] = [body, wall].map(effusivity);
            body / (body + wall)
        };
        Self {
            heat,
            capacities: all.iter().map(|material| of(material, &HEAT_CAPACITY)).collect(),
            sources: all.iter().map(|material| of(material, &HEAT_SOURCE)).collect(),
            conduct: pairs().map(conduct).collect(),
            keeps: pairs().map(keeps).collect(),
        }
    }

    fn pair(&self, a: u16, b: u16) -> usize {
        usize::from(a) * self.capacities.len() + usize::from(b)
    }

    /// What makes the conductance of contacts of two materials.
    pub(crate) fn conduct(&self, a: u16, b: u16) -> f64 {
        self.conduct[self.pair(a, b)]
    }

    /// The part of a loss that a body keeps, on a wall whose temperature is known.
    pub(crate) fn keeps(&self, body: u16, wall: u16) -> f64 {
        self.keeps[self.pair(body, wall)]
    }

    /// Whether everything is given that bodies of these materials need, with each other and on walls whose temperatures are known.
    pub(crate) fn check(
        &self,
        materials: &Materials,
        of_bodies: impl Iterator<Item = u16>,
        walls: &[Wall],
    ) -> Result<(), Error> {
        let all = materials.as_slice();
        let reader = || format!("the conduction {}", self.heat.conduction.name());
        let mut bodies = vec![false; all.len()];
        of_bodies.for_each(|material| bodies[usize::from(material)] = true);
        let mut warm = bodies.clone();
        for wall in walls.iter().filter(|wall| wall.temperature.is_some()) {
            warm[wall.material.index()] = true;
        }
        for (material, _) in all.iter().zip(&warm).filter(|(_, warm)| **warm) {
            material.check()?;
            for property in [&HEAT_CAPACITY, &CONDUCTIVITY] {
                if material.get(property).is_none() {
                    let of = Holder::Material(material.name.clone());
                    return Err(MaterialError::Missing { of, property, reader: reader() }.into());
                }
            }
        }
        for (a, first) in (0..u16::MAX).zip(all).filter(|(a, _)| bodies[usize::from(*a)]) {
            for (b, second) in (0..u16::MAX).zip(all).filter(|(b, _)| warm[usize::from(*b)]) {
                if self.conduct(a, b).is_nan() {
                    let of = Holder::Pair([first.name.clone(), second.name.clone()]);
                    let property = &CONTACT_CONDUCTANCE;
                    return Err(MaterialError::Missing { of, property, reader: reader() }.into());
                }
            }
        }
        Ok(())
    }
}

/// What is said of heat in a world.
pub(crate) fn check(heat: &Heat) -> Result<(), Error> {
    let Some(Surroundings { temperature, coefficient }) = heat.surroundings else { return Ok(()) };
    check::positive("the surroundings", "temperature in K", temperature)?;
    if coefficient >= 0.0 && coefficient.is_finite() {
        return Ok(());
    }
    Err(Error::Invalid {
        of: "the surroundings".into(),
        what: "coefficient",
        value: crate::error::readable(coefficient),
        expected: "a finite number ≥ 0, in W/(m² K)",
    })
}
