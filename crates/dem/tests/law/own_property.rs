//! A law from outside the engine with a property that no other law reads: the property is checked, asked for where it
//! is missing, and read when the constants of a pair are made.

use super::bench::UP;
use tumble_dem::citations::Citation;
use tumble_dem::law::hertz::{HertzBooks, HertzConstants};
use tumble_dem::law::{
    self, Constants, Contact, ContactLaw, EnergyPower, Hertz, LawInfo, Reaction, react, rolling, twisting,
};
use tumble_dem::material::{Material, MaterialError, Materials, Meeting, PairProperties};
use tumble_dem::property::{FRICTION, Owner, POISSON, Property, Quantity, Range, YOUNG, known};
use tumble_dem::record::{Nothing, Record};
use tumble_math::Real;

/// Energy that it takes to part the surfaces.
const SURFACE_ENERGY: Property = Property {
    key: "surface_energy",
    of: Owner::Pair,
    quantity: Some(Quantity { name: "surface energy", unit: "J/m^2", usual: &["J/m^2", "mJ/m^2"] }),
    range: Range::NOT_NEGATIVE.in_words("zero or a positive number, in J/m²"),
    default: None,
    summary: "Energy that it takes to part the surfaces",
    example: "\"50 mJ/m^2\"",
};

/// Hertz less the pull 2πγR* of Derjaguin, Muller & Toporov.
#[derive(Clone, Copy, Debug, Default)]
struct Sticky;

tumble_dem::record! {
    /// Those of Hertz, and γ.
    StickyConstants, STICKY_CONSTANTS {
        /// The moduli.
        hertz: HertzConstants<R>,
        /// J/m².
        surface_energy: R,
    }
}

impl ContactLaw for Sticky {
    const INFO: LawInfo = LawInfo {
        name: "sticky",
        summary: "elastic spheres that hold on to each other",
        citation: Citation { short: "here", full: "A law of this test.", doi: None },
        uses_velocity: false,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &SURFACE_ENERGY],
    };

    type Constants<R: Real> = StickyConstants<R>;
    type Memory<R: Real> = Nothing;
    type Books<R: Real> = HertzBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<StickyConstants<f64>, MaterialError> {
        let surface_energy = meeting.of_pair(&SURFACE_ENERGY)?;
        Ok(StickyConstants { hertz: Hertz::constants(meeting)?, surface_energy })
    }

    fn elastic<R: Real>(constants: &StickyConstants<R>, radius: R, overlap: R) -> (R, R) {
        Hertz::elastic(&constants.hertz, radius, overlap)
    }

    fn normal_stiffness<R: Real>(constants: &StickyConstants<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&constants.hertz, radius, overlap)
    }

    fn tangential_stiffness<R: Real>(constants: &StickyConstants<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&constants.hertz, radius, overlap)
    }

    fn contact_time(constants: &StickyConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        Hertz::contact_time(&constants.hertz, radius, mass, speed)
    }

    fn react<R: Real>(
        constants: &StickyConstants<R>,
        contact: Contact<R>,
        memory: Nothing,
        dt: R,
    ) -> Reaction<R, Nothing, HertzBooks<R>> {
        let reaction = Hertz::react(&constants.hertz, contact, memory, dt);
        let pull = R::lit(2.0 * std::f64::consts::PI) * constants.surface_energy * contact.radius;
        Reaction { force: reaction.force - contact.normal * pull, ..reaction }
    }
}

type Model = Constants<Sticky, rolling::None, twisting::None, f64>;

fn materials(properties: PairProperties) -> Materials {
    Materials::of(Material::new("gel", 1100.0, 2e6, 0.4), properties)
}

fn constants(properties: PairProperties) -> Result<Model, MaterialError> {
    let id = tumble_dem::MaterialId(0);
    law::constants::<Sticky, rolling::None, twisting::None>(&materials(properties), id, id)
}

#[test]
fn it_is_read_where_the_constants_are_made() {
    let (energy, radius, overlap) = (0.05, 1e-3, 2e-6);
    let pair = constants(PairProperties::default().with(&SURFACE_ENERGY, energy)).unwrap();
    assert_eq!((pair.law.surface_energy, STICKY_CONSTANTS), (energy, 3));
    let contact = Contact { mass: 1e-6, inertia: 1e-12, ..Contact::at_rest(UP, radius, overlap) };
    let new = Record::<f64>::zero();
    let reaction = react::<Sticky, rolling::None, twisting::None, f64>(&pair, contact, new, 1e-6);
    let modulus = 2e6 / (2.0 * (1.0 - 0.16));
    let hertz = 4.0 / 3.0 * modulus * radius.sqrt() * overlap.powf(1.5);
    let expected = hertz - 2.0 * std::f64::consts::PI * energy * radius;
    assert!((reaction.force.z / expected - 1.0).abs() < 1e-14, "{} {expected}", reaction.force.z);
}

#[test]
fn it_is_asked_for_where_it_is_missing() {
    assert_eq!(
        constants(PairProperties::new(0.9, 0.3)).unwrap_err().to_string(),
        "pair gel–gel: the contact law sticky needs its surface_energy, zero or a positive number, in J/m²; give \
         it, or choose another model"
    );
}

#[test]
fn it_is_checked_wherever_it_is_given() {
    let message = |properties| constants(properties).unwrap_err().to_string();
    assert_eq!(
        message(PairProperties::default().with(&SURFACE_ENERGY, -1.0)),
        "pair gel–gel: surface_energy must be zero or a positive number, in J/m², but is -1"
    );
    assert_eq!(
        message(PairProperties::default().with(&SURFACE_ENERGY, 0.05).with(&YOUNG, 1e6)),
        "pair gel–gel: young is a property of a material; give it there"
    );
    let misplaced = Material::new("gel", 1100.0, 2e6, 0.4).with(&FRICTION, 0.3);
    assert_eq!(
        misplaced.check().unwrap_err().to_string(),
        "material gel: friction is a property of a pair of materials; give it there"
    );
}

/// What is not in the lists is in no scene either.
#[test]
fn the_lists_do_not_know_it() {
    assert!(!known().contains(&&SURFACE_ENERGY));
}
