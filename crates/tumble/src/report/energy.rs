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
    /// In the order of [`CURVES`], then those of entries that only contact laws of this world have.
    curves: Vec<Curve>,
    /// Relative error of the balance.
    error: Vec<f64>,
    pub(super) contacts: Vec<f64>,
    pub(super) bodies: Vec<f64>,
}

/// An energy over time.
#[derive(Debug)]
struct Curve {
    name: String,
    kind: Kind,
    /// J
    values: Vec<f64>,
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
    /// Heat of bodies, and what put it in.
    Heat,
}

/// Names of curves, what they show, and the columns that each is the sum of.
const CURVES: [(&str, Kind, &[&str]); 18] = [
    ("translation", Kind::Stored, &["translational_J"]),
    ("rotation", Kind::Stored, &["rotational_J"]),
    ("kinetic", Kind::Sum, &["translational_J", "rotational_J"]),
    ("potential", Kind::Stored, &["gravitational_J"]),
    ("elastic", Kind::Sum, &ELASTIC_COLUMNS),
    (
        "dissipated",
        Kind::Sum,
        &["normal_damping_J", "tangential_damping_J", "sliding_J", "rolling_J", "separation_J", "drag_J"],
    ),
    ("put in", Kind::Sum, &["wall_work_J", "field_work_J", "hand_work_J", "exchanged_J"]),
    ("elastic", Kind::Stored, &ELASTIC_COLUMNS),
    ("normal damping", Kind::Lost, &["normal_damping_J"]),
    ("tangential damping", Kind::Lost, &["tangential_damping_J"]),
    ("sliding", Kind::Lost, &["sliding_J"]),
    ("separation", Kind::Lost, &["separation_J"]),
    ("rolling", Kind::Lost, &["rolling_J"]),
    ("drag", Kind::Lost, &["drag_J"]),
    ("work of walls", Kind::PutIn, &["wall_work_J"]),
    ("work of fields", Kind::PutIn, &["field_work_J"]),
    ("work by hand", Kind::PutIn, &["hand_work_J"]),
    ("brought in by streams and changes", Kind::PutIn, &["exchanged_J"]),
];

const ELASTIC_COLUMNS: [&str; 3] = ["elastic_normal_J", "elastic_tangential_J", "elastic_rolling_J"];

/// The columns between which those of a world's own entries stand.
const AROUND_OWN: [&str; 2] = ["exchanged_J", "mechanical_J"];

/// Columns among those that are no entries of contact laws, and what they are.
const KNOWN: [(&str, Kind); 6] = [
    ("cell_work_J", Kind::PutIn),
    ("thermal_J", Kind::Heat),
    ("heat_of_contacts_J", Kind::Heat),
    ("heat_of_walls_J", Kind::Heat),
    ("heat_of_sources_J", Kind::Heat),
    ("heat_of_surroundings_J", Kind::Heat),
];

/// Places among them.
const TRANSLATION: usize = 0;
const ROTATION: usize = 1;
const KINETIC: usize = 2;
const POTENTIAL: usize = 3;
const ELASTIC: usize = 4;
const DISSIPATED: usize = 5;
const PUT_IN: usize = 6;

/// What the sum of a row can be off by, beside its largest terms.
const ROUNDING: f64 = 1e-14;

/// A column as it is called in figures.
fn in_words(column: &str) -> String {
    column.strip_suffix("_J").unwrap_or(column).replace('_', " ")
}

impl Energies {
    /// Reads the file; the error is a sentence that names it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut table = Columns::open(path)?;
        let (time, error) = (table.place("time_s")?, table.place("relative_balance_error")?);
        let (contacts, bodies) = (table.place("contacts")?, table.place("bodies")?);
        let mut columns = Vec::with_capacity(CURVES.len());
        for (_, _, names) in CURVES {
            columns.push(names.iter().map(|name| table.place(name)).collect::<Result<Vec<_>, _>>()?);
        }
        let [before, mechanical] = AROUND_OWN.map(|name| table.place(name));
        let (before, mechanical) = (before?, mechanical?);
        let own = before + 1..mechanical.max(before + 1);
        columns.extend(own.clone().map(|place| vec![place]));
        let named = CURVES.map(|(name, kind, _)| (name.to_owned(), kind));
        // Whether others are stored is told below.
        let of_own = own.map(|place| {
            let name = table.name(place);
            let known = KNOWN.iter().find(|(known, _)| *known == name);
            (in_words(name), known.map_or(Kind::Lost, |(_, kind)| *kind))
        });
        let curve = |(name, kind): (String, Kind)| Curve { name, kind, values: Vec::new() };
        let mut energies =
            Self { curves: named.into_iter().chain(of_own).map(curve).collect(), ..Self::default() };
        let mut stored_in_all = Vec::new();
        while let Some(row) = table.next()? {
            energies.time.push(table.number(&row, time)?);
            energies.error.push(table.number(&row, error)?);
            energies.contacts.push(table.number(&row, contacts)?);
            energies.bodies.push(table.number(&row, bodies)?);
            stored_in_all.push(table.number(&row, mechanical)?);
            for (curve, places) in energies.curves.iter_mut().zip(&columns) {
                let mut sum = 0.0;
                for &place in places {
                    sum += table.number(&row, place)?;
                }
                curve.values.push(sum);
            }
        }
        energies.tell_own_apart(&stored_in_all);
        // From the origin it has no meaning; from its lowest value it can be compared with the others.
        let potential = &mut energies.curves[POTENTIAL].values;
        let lowest = potential.iter().copied().fold(f64::INFINITY, f64::min);
        for value in potential {
            *value -= lowest;
        }
        Ok(energies)
    }

    /// Finds out which of the entries that only contact laws of this world have are stored, and puts all of them into the sums
    /// that they belong to. The stored ones come first in the table, and with them all that is stored is the mechanical
    /// energy.
    fn tell_own_apart(&mut self, mechanical: &[f64]) {
        let (known, own) = self.curves.split_at_mut(CURVES.len());
        let mut missing = mechanical.to_vec();
        let mut scale: Vec<f64> = mechanical.iter().map(|energy| energy.abs()).collect();
        for stored in known.iter().filter(|curve| curve.kind == Kind::Stored) {
            for ((missing, scale), energy) in missing.iter_mut().zip(&mut scale).zip(&stored.values) {
                *missing -= energy;
                *scale += energy.abs();
            }
        }
        for curve in own {
            if curve.kind == Kind::PutIn {
                known[PUT_IN].values.iter_mut().zip(&curve.values).for_each(|(sum, energy)| *sum += energy);
            }
            if curve.kind != Kind::Lost {
                continue;
            }
            let is_missing = |(missing, scale): (&f64, &f64)| missing.abs() > ROUNDING * scale;
            let (kind, sum) = if missing.iter().zip(&scale).any(is_missing) {
                missing.iter_mut().zip(&curve.values).for_each(|(missing, energy)| *missing -= energy);
                (Kind::Stored, ELASTIC)
            } else {
                (Kind::Lost, DISSIPATED)
            };
            curve.kind = kind;
            known[sum].values.iter_mut().zip(&curve.values).for_each(|(sum, energy)| *sum += energy);
        }
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
            ("heat", "heat since the start (J)", &[Kind::Heat]),
        ] {
            let places = (0..self.curves.len()).filter(|&place| kinds.contains(&self.curves[place].kind));
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
        over_time(&self.curves[place].name, &self.time, &self.curves[place].values)
    }

    /// Whether a curve is more than rounding errors beside the others.
    fn is_there(&self, place: usize) -> bool {
        let size = |curve: &Curve| curve.values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
        let largest = self.curves.iter().map(size).fold(0.0, f64::max);
        size(&self.curves[place]) > 1e-12 * largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_dem::Ledger;
    use tumble_dem::law::{Entry, EntryKind};
    use tumble_output::csv::EnergyCsv;

    const NECK: Entry = Entry::new("neck_tension", "elastic energy of necks", EntryKind::Held);
    const SKIN: Entry = Entry::new("skin", "elastic energy of skins", EntryKind::Stored);
    const TORN: Entry = Entry::new("torn", "lost where necks tear", EntryKind::Slipped);

    /// The energies of a run whose contact laws have entries of their own, as they come back from its table.
    fn energies(own: impl Fn(f64) -> Vec<(Entry, f64)>) -> Energies {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("energy.csv");
        let ledger = |part: f64| Ledger {
            translational: 0.3 * (1.0 - part),
            elastic_normal: 0.1 * part,
            sliding: 0.05 * part,
            own: own(part),
            ..Ledger::default()
        };
        let mut table = EnergyCsv::create(&path, &ledger(0.0)).unwrap();
        for step in 0..=10_u32 {
            let part = f64::from(step) / 10.0;
            table.append_ledger(part, step.into(), &ledger(part), 1, 2).unwrap();
        }
        drop(table);
        Energies::read(&path).unwrap()
    }

    /// The names of curves and their last values.
    fn curves(panel: &Panel) -> Vec<(&str, f64)> {
        panel.series.iter().map(|curve| (&curve.label[..], curve.points[curve.points.len() - 1].1)).collect()
    }

    #[test]
    fn entries_that_only_one_law_has_are_shown_where_they_belong() {
        let energies = energies(|part| vec![(NECK, 0.02 * part), (SKIN, 0.03 * part), (TORN, 0.1 * part)]);
        let section = energies.section();
        let panels = &section.outcome.figures[0].1.panels;
        assert_eq!(panels[0].title, "stored");
        let stored = [("translation", 0.0), ("elastic", 0.1), ("neck tension", 0.02), ("skin", 0.03)];
        assert_eq!(curves(&panels[0]), stored);
        assert_eq!(panels[1].title, "lost");
        assert_eq!(curves(&panels[1]), [("sliding", 0.05), ("torn", 0.1)]);
        // In one panel all that is stored and all that was lost.
        let all = energies.panel();
        let [kinetic, elastic, lost] = curves(&all)[..] else { panic!("{all:?}") };
        assert_eq!((kinetic.0, elastic.0, lost.0), ("kinetic", "elastic", "dissipated"));
        assert!((elastic.1 - 0.15).abs() < 1e-15 && (lost.1 - 0.15).abs() < 1e-15, "{all:?}");
    }

    #[test]
    fn what_was_lost_is_not_taken_for_stored() {
        let energies = energies(|part| vec![(TORN, 1e-10 * part)]);
        let section = energies.section();
        let panels = &section.outcome.figures[0].1.panels;
        assert_eq!(curves(&panels[0]), [("translation", 0.0), ("elastic", 0.1)]);
        assert_eq!(curves(&panels[1]), [("sliding", 0.05), ("torn", 1e-10)]);
    }
}
