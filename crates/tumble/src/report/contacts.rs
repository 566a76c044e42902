//! Contacts: how many over time, and of the last state how strong they are and how many each body has.

use super::curve::panel;
use super::{Energies, LastState};
use std::collections::BTreeSet;
use tumble_dem::property::FRICTION;
use tumble_dem::{BodyState, ContactState, Touching};
use tumble_output::{Frame, Model};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Section, Series, typeset};

/// A distribution of fewer forces than this is noise.
const FEWEST: usize = 50;
/// Bodies with more contacts than this are counted together.
const MOST_CONTACTS: usize = 24;
/// A contact slides if its tangential force is at the limit, but for rounding.
const AT_THE_LIMIT: f64 = 1.0 - 1e-6;

/// The section; none if nothing is known of contacts, or there never was one.
pub(super) fn section(energies: Option<&Energies>, last: Option<LastState<'_>>) -> Option<Section> {
    let mut figures = Vec::new();
    if let Some(energies) = energies.filter(|energies| energies.contacts.iter().any(|&count| count > 0.0)) {
        let mut series = vec![energies.over_time("contacts", &energies.contacts)];
        let changes = energies.bodies.windows(2).any(|pair| pair[0].to_bits() != pair[1].to_bits());
        if changes {
            series.push(energies.over_time("bodies", &energies.bodies));
        }
        let panels = vec![panel("", Axis::linear(if changes { "number" } else { "contacts" }), series)];
        figures.push(("contacts".into(), Figure { title: "Contacts over time.".into(), panels }));
    }
    let state = last.map(State::of).filter(|state| !state.normal.is_empty());
    if let Some(state) = &state {
        let title =
            format!("Contacts at {} s: normal forces, and how many each body has.", typeset(state.time));
        figures.push(("last-contacts".into(), Figure { title, panels: state.panels() }));
    }
    if figures.is_empty() {
        return None;
    }
    Some(Section {
        title: "Contacts".into(),
        facts: state.map(|state| state.facts()).unwrap_or_default(),
        outcome: Outcome { figures, ..Outcome::default() },
        ..Section::default()
    })
}

/// The contacts of one instant.
struct State {
    /// s
    time: f64,
    /// Normal forces, N.
    normal: Vec<f64>,
    /// How many of them slide; none if no law knows friction.
    sliding: Option<usize>,
    /// Contacts of each body.
    contacts: Vec<usize>,
    /// Other bodies and walls that each body touches, on average.
    neighbours: f64,
}

impl State {
    fn of(LastState { engine, model, materials, .. }: LastState<'_>) -> Self {
        let mut frame = Frame::default();
        frame.take(engine, true);
        let place = |id| frame.bodies.binary_search_by_key(&id, |body: &BodyState| body.id).ok();
        let general = engine.settings().contact;
        let mut rubs = general.law.info().reads(&FRICTION);
        let mut contacts = vec![0; frame.bodies.len()];
        let mut touching = BTreeSet::new();
        let (mut normal, mut sliding) = (Vec::with_capacity(frame.contacts.len()), 0);
        for contact in &frame.contacts {
            let Some(first) = place(contact.body.0) else { continue };
            let second = match contact.with {
                Touching::Body(id, _) => place(id),
                Touching::Wall(_) => None,
            };
            for body in [Some(first), second].into_iter().flatten() {
                contacts[body] += 1;
            }
            let other = match contact.with {
                Touching::Body(..) => second,
                Touching::Wall(wall) => Some(usize::MAX - wall.index()),
            };
            touching.extend(other.map(|other| (first, other)));
            touching.extend(second.map(|second| (second, first)));
            let [along, across] = split(contact, &frame.bodies[first], model);
            normal.push(along);
            let material = match contact.with {
                Touching::Body(..) => second.map(|second| frame.bodies[second].material),
                Touching::Wall(wall) => model.walls.get(wall.index()).map(|wall| wall.material),
            };
            let pair = material.map(|other| (frame.bodies[first].material, other));
            let own = pair.and_then(|(a, b)| materials.model(a, b));
            if !own.unwrap_or(general).law.info().reads(&FRICTION) {
                continue;
            }
            rubs = true;
            let properties = pair.and_then(|(a, b)| materials.properties(a, b).ok());
            let friction = properties.and_then(|pair| pair.get(&FRICTION));
            let limit = friction.map_or(f64::INFINITY, |friction| friction * along);
            sliding += usize::from(across >= AT_THE_LIMIT * limit && across > 0.0);
        }
        let neighbours = touching.len() as f64 / contacts.len().max(1) as f64;
        Self { time: frame.time, normal, sliding: rubs.then_some(sliding), contacts, neighbours }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let count = self.normal.len();
        let bodies = self.contacts.len();
        let mean = self.normal.iter().sum::<f64>() / count as f64;
        let largest = self.normal.iter().copied().fold(0.0, f64::max);
        let free = self.contacts.iter().filter(|contacts| **contacts == 0).count();
        let per_body = self.contacts.iter().sum::<usize>() as f64 / bodies.max(1) as f64;
        let share = |part: usize, of: usize| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
        let mut facts = vec![
            (
                "last state".to_owned(),
                format!("at {} s, {count} contacts of {bodies} bodies", typeset(self.time)),
            ),
            (
                "normal force".to_owned(),
                format!("{} N on average, {} N at most", typeset(mean), typeset(largest)),
            ),
            ("contacts of a body".to_owned(), format!("{} on average", typeset(per_body))),
            (
                "neighbours of a body".to_owned(),
                format!("{} on average, walls included", typeset(self.neighbours)),
            ),
            ("bodies without contact".to_owned(), format!("{free} ({})", share(free, bodies))),
        ];
        if let Some(sliding) = self.sliding {
            facts.push(("sliding".to_owned(), format!("{} of the contacts", share(sliding, count))));
        }
        facts
    }

    fn panels(&self) -> Vec<Panel> {
        let mut panels = Vec::new();
        if self.normal.len() >= FEWEST {
            let points = distribution(&self.normal);
            panels.push(Panel {
                title: String::new(),
                x: Axis::linear("normal force over its mean"),
                y: Axis::log("probability density"),
                series: vec![Series::new("last state", points, Mark::LinePoints)],
            });
        }
        let most = self.contacts.iter().copied().max().unwrap_or(0).min(MOST_CONTACTS);
        let mut counts = vec![0_usize; most + 1];
        for &contacts in &self.contacts {
            counts[contacts.min(most)] += 1;
        }
        let bars = counts.iter().enumerate().map(|(contacts, &bodies)| (contacts as f64, bodies as f64));
        let name = |contacts: usize| match contacts {
            MOST_CONTACTS => format!("≥{MOST_CONTACTS}"),
            contacts => contacts.to_string(),
        };
        panels.push(Panel {
            title: String::new(),
            x: Axis::categories("contacts of a body", (0..=most).map(name)),
            y: Axis::linear("bodies"),
            series: vec![Series::new("bodies", bars.collect(), Mark::Bars)],
        });
        panels
    }
}

/// The sizes of the normal and the tangential part of a force, N. The normal goes from the point of contact to the
/// centre of the sphere that touches.
fn split(contact: &ContactState, body: &BodyState, model: &Model) -> [f64; 2] {
    let template = model.templates.get(usize::from(body.template));
    let centre = template
        .and_then(|template| body.touching_centre(template, contact.body.1, contact.with, contact.point));
    let Some(centre) = centre else { return [contact.force.norm(), 0.0] };
    let arm = centre - contact.point;
    let length = arm.norm();
    if length == 0.0 {
        return [contact.force.norm(), 0.0];
    }
    let normal = arm * (1.0 / length);
    let along = contact.force.dot(normal);
    [along, (contact.force - normal * along).norm()]
}

/// Probability densities of forces relative to their mean, in bins of equal width.
fn distribution(forces: &[f64]) -> Vec<(f64, f64)> {
    const BINS: usize = 24;
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    let largest = forces.iter().copied().fold(0.0, f64::max);
    if !(mean > 0.0 && largest.is_finite()) {
        return Vec::new();
    }
    let width = largest / mean / BINS as f64;
    let mut counts = [0_usize; BINS];
    for force in forces.iter().filter(|force| **force >= 0.0) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the number of bins"
        )]
        let bin = (force / mean / width) as usize;
        counts[bin.min(BINS - 1)] += 1;
    }
    let density = |(bin, &count): (usize, &usize)| {
        ((bin as f64 + 0.5) * width, count as f64 / (forces.len() as f64 * width))
    };
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(density).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_have_the_sum_one() {
        let forces: Vec<f64> = (0..1000).map(|i| f64::from(i % 97) + 0.5).collect();
        let points = distribution(&forces);
        let width = points[1].0 - points[0].0;
        assert!((points.iter().map(|(_, density)| density * width).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(distribution(&[0.0; 60]).is_empty());
    }
}
