//! Guarantee: what is said of a contact fits together, between bodies, through periodic ends, with fixed, moving and
//! triangulated walls, whether it was just found or taken over by new lists.

use crate::crowds::{advance, busy_world, engine, settings, v};
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::{LabVec, Settings, Touching};

/// A linear spring of stiffness k that is pressed by δ holds ½kδ². Rubber has 2 kN/m, gel 1 kN/m, and a pair the
/// harmonic mean.
#[test]
fn overlaps_are_those_of_the_energy_stored() {
    let stiffnesses = [2000.0, 4000.0 / 3.0, 1000.0];
    let size = v(0.12, 0.12, 0.12);
    for domain in [Domain::open(), Domain::periodic(LabVec::zero(), size)] {
        let contact = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
        let mut engine = engine(&busy_world(domain), &Settings { contact, ..settings() });
        let (mut bodies, mut walls) = (0, 0);
        for _ in 0..150 {
            advance(&mut engine, 7);
            for contact in engine.contacts() {
                match contact.with {
                    Touching::Body(..) => bodies += 1,
                    Touching::Wall(_) => walls += 1,
                }
                let stiffness = 2.0 * contact.stored[0] / contact.overlap.powi(2);
                let off = stiffnesses.map(|expected| (stiffness / expected - 1.0).abs());
                assert!(
                    contact.overlap > 0.0 && off.iter().any(|off| *off < 1e-6),
                    "{contact:?}: {stiffness} N/m"
                );
            }
        }
        assert!(bodies > 1000 && walls > 300, "{bodies} between bodies, {walls} with walls");
    }
}
