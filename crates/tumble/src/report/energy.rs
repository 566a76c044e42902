//! `energy.csv` as curves: where the energy of a run is and goes, and how far its books are off.

use super::columns::Columns;
use super::curve::{over_time, panel};
use std::path::Path;
use tumble_report::{Axis, Figure, Outcome, Panel, Section, Series};

/// The energies of a run over time.
#[derive(Debug, Default)]
pub struct Energies {
    /// s
    time: Vec<f64>,
    /// J, in the order of [`CURVES`].
    curves: [Vec<f64>; CURVES.len()],
    /// Relative error of the balance.
    error: Vec<f64>,
    pub(super) contacts: Vec<f64>,
    pub(super) bodies: Vec<f64>,
}

/// What a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Energy that is there.
    Stored,
    /// A sum of other curves, for plots with little room.
    Sum,
    /// Energy that was lost since the start.
    Lost,
    /// Energy that was put in since the start.
    PutIn,
}

/// Names of curves, what they show, and the columns that each is the sum of.
const CURVES: [(&str, Kind, &[&str]); 17] = [
    ("translation", Kind::Stored, &["translational_J"]),
    ("rotation", Kind::Stored, &["rotational_J"]),
    ("kinetic", Kind::Sum, &["translational_J", "rotational_J"]),
    ("potential", Kind::Stored, &["gravitational_J"]),
    ("elastic", Kind::Stored, &["elastic_normal_J", "elastic_tangential_J", "elastic_rolling_J"]),
    (
        "dissipated",
        Kind::Sum,
        &["normal_damping_J", "tangential_damping_J", "sliding_J", "rolling_J", "separation_J", "drag_J"],
    ),
    ("put in", Kind::Sum, &["wall_work_J", "field_work_J", "hand_work_J", "exchanged_J"]),
    ("normal damping", Kind::Lost, &["normal_damping_J"]),
    ("tangential damping", Kind::Lost, &["tangential_damping_J"]),
    ("sliding", Kind::Lost, &["sliding_J"]),
    ("separation", Kind::Lost, &["separation_J"]),
    ("rolling", Kind::Lost, &["rolling_J"]),
    ("drag", Kind::Lost, &["drag_J"]),
    ("work of walls", Kind::PutIn, &["wall_work_J"]),
    ("work of fields", Kind::PutIn, &["field_work_J"]),
    ("work by hand", Kind::PutIn, &["hand_work_J"]),
    ("brought by streams", Kind::PutIn, &["exchanged_J"]),
];

/// Places among them.
const TRANSLATION: usize = 0;
const ROTATION: usize = 1;
const KINETIC: usize = 2;
const POTENTIAL: usize = 3;
const ELASTIC: usize = 4;
const DISSIPATED: usize = 5;
const PUT_IN: usize = 6;

impl Energies {
    /// Reads the file; the error is a sentence that names it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut table = Columns::open(path)?;
        let (time, error) = (table.place("time_s")?, table.place("relative_balance_error")?);
        let (contacts, bodies) = (table.place("contacts")?, table.place("bodies")?);
        let mut parts: [Vec<usize>; CURVES.len()] = Default::default();
        for (places, (_, _, names)) in parts.iter_mut().zip(CURVES) {
            *places = names.iter().map(|name| table.place(name)).collect::<Result<_, _>>()?;
        }
        let mut energies = Self::default();
        while let Some(row) = table.next()? {
            energies.time.push(table.number(&row, time)?);
            energies.error.push(table.number(&row, error)?);
            energies.contacts.push(table.number(&row, contacts)?);
            energies.bodies.push(table.number(&row, bodies)?);
            for (curve, places) in energies.curves.iter_mut().zip(&parts) {
                let mut sum = 0.0;
                for &place in places {
                    sum += table.number(&row, place)?;
                }
                curve.push(sum);
            }
        }
        // From the origin it has no meaning; from its lowest value it can be compared with the others.
        let lowest = energies.curves[POTENTIAL].iter().copied().fold(f64::INFINITY, f64::min);
        energies.curves[POTENTIAL].iter_mut().for_each(|value| *value -= lowest);
        Ok(energies)
    }

    /// The relative error of the balance at the end, and the largest.
    pub fn errors(&self) -> Option<(f64, f64)> {
        let largest = self.error.iter().fold(0.0, |largest: f64, error| largest.max(error.abs()));
        self.error.last().map(|&last| (last, largest))
    }

    /// How many bodies there were on average.
    pub fn mean_bodies(&self) -> Option<f64> {
        (!self.time.is_empty()).then(|| self.bodies.iter().sum::<f64>() / self.time.len() as f64)
    }

    /// Where the energy is, in one panel: those curves that are not zero throughout.
    ///
    /// Kinetic energy is split where there is little else to see: bodies that only bounce.
    pub fn panel(&self) -> Panel {
        let only_bounce = ![POTENTIAL, DISSIPATED, PUT_IN].iter().any(|&place| self.is_there(place));
        let kinetic: &[usize] = if only_bounce { &[TRANSLATION, ROTATION] } else { &[KINETIC] };
        let places = kinetic.iter().chain(&[POTENTIAL, ELASTIC, DISSIPATED, PUT_IN]);
        let shown = places.filter(|&&place| self.is_there(place)).map(|&place| self.curve(place));
        panel("", Axis::linear("energy (J)"), shown.collect())
    }

    /// The ledger over time: what is stored, what was lost and put in, and the error of the balance.
    pub(super) fn section(&self) -> Section {
        let mut panels = Vec::new();
        for (title, label, kinds) in [
            ("stored", "energy (J)", &[Kind::Stored][..]),
            ("lost", "energy since the start (J)", &[Kind::Lost]),
            ("put in", "energy since the start (J)", &[Kind::PutIn]),
        ] {
            let places = (0..CURVES.len()).filter(|&place| kinds.contains(&CURVES[place].1));
            let shown: Vec<Series> = places.filter(|&p| self.is_there(p)).map(|p| self.curve(p)).collect();
            if !shown.is_empty() {
                panels.push(panel(title, Axis::linear(label), shown));
            }
        }
        // Its size: it changes sign, and by powers of ten.
        let size: Vec<f64> = self.error.iter().map(|error| error.abs()).collect();
        let error = over_time("error of the balance", &self.time, &size);
        panels.push(panel("balance", Axis::log("relative error of the balance"), vec![error]));
        let title = "The books of energy over time. Potential energy is counted from its lowest value.";
        Section {
            title: "Energy".into(),
            outcome: Outcome {
                figures: vec![("energy".into(), Figure { title: title.into(), panels })],
                ..Outcome::default()
            },
            ..Section::default()
        }
    }

    /// A number over time.
    pub(super) fn over_time(&self, name: &str, values: &[f64]) -> Series {
        over_time(name, &self.time, values)
    }

    fn curve(&self, place: usize) -> Series {
        over_time(CURVES[place].0, &self.time, &self.curves[place])
    }

    /// Whether a curve is more than rounding errors beside the others.
    fn is_there(&self, place: usize) -> bool {
        let size = |curve: &Vec<f64>| curve.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
        let largest = self.curves.iter().map(size).fold(0.0, f64::max);
        size(&self.curves[place]) > 1e-12 * largest
    }
}
