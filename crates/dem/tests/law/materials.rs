//! The table of materials: symmetry, defaults, and messages that name what is wrong.

use tumble_dem::MaterialId;
use tumble_dem::law::{self, ContactLaw, Hertz, HertzMindlin, Linear, rolling, twisting};
use tumble_dem::material::{Material, MaterialError, Materials, PairProperties};
use tumble_dem::property::{
    FRICTION, POISSON, RESTITUTION, ROLLING_DAMPING, ROLLING_FRICTION, STIFFNESS_RATIO, TWISTING_FRICTION,
    YOUNG,
};

fn glass() -> Material {
    Material::new("glass", 2500.0, 48e9, 0.2)
}

/// The constants of a law.
fn pair<L: ContactLaw>(
    materials: &Materials,
    a: MaterialId,
    b: MaterialId,
) -> Result<L::Constants<f64>, MaterialError> {
    law::constants::<L, rolling::None, twisting::None>(materials, a, b).map(|constants| constants.law)
}

fn message<L: ContactLaw>(material: Material, properties: PairProperties) -> String {
    let mut materials = Materials::default();
    let steel = materials.add(Material::new("steel", 7800.0, 210e9, 0.3).with_stiffness(1e6)).unwrap();
    let other = materials.add(material).unwrap();
    materials.set_default(properties);
    pair::<L>(&materials, steel, other).unwrap_err().to_string()
}

#[test]
fn pairs_are_symmetric_and_fall_back_to_the_default() {
    let mut materials = Materials::default();
    let (a, b) =
        (materials.add(glass()).unwrap(), materials.add(Material::new("steel", 7800.0, 210e9, 0.3)).unwrap());
    assert_eq!(
        pair::<HertzMindlin>(&materials, a, b).unwrap_err().to_string(),
        "the pair glass–steel has no restitution and friction: set them for the pair, \
         or a default for all pairs"
    );
    materials.set_default(PairProperties::new(1.0, 0.1));
    materials.set_pair(b, a, PairProperties::new(0.6, 0.7));
    let [ab, ba] = [(a, b), (b, a)].map(|(a, b)| pair::<HertzMindlin>(&materials, a, b).unwrap());
    assert_eq!(ab, ba);
    assert!((ab.dissipation.friction - 0.7).abs() < 1e-15 && ab.dissipation.damping > 0.0);
    let aa = pair::<HertzMindlin>(&materials, a, a).unwrap().dissipation;
    assert!((aa.friction - 0.1).abs() < 1e-15 && aa.damping == 0.0 && aa.damping_tangential == 0.0);
    assert_eq!(
        pair::<Hertz>(&materials, a, MaterialId(7)),
        Err(MaterialError::Unknown { id: MaterialId(7), count: 2 })
    );
}

/// Textbook values: E* = E/(2(1 − ν²)), G* = G/(2(2 − ν)) for equal materials.
#[test]
fn the_effective_moduli_are_the_textbooks() {
    let mut materials = Materials::default();
    let a = materials.add(glass()).unwrap();
    materials.set_default(PairProperties::default());
    let pair = pair::<HertzMindlin>(&materials, a, a).unwrap().hertz;
    assert!((pair.effective_modulus / (48e9 / (2.0 * 0.96)) - 1.0).abs() < 1e-15);
    assert!((pair.effective_shear_modulus / (20e9 / 3.6) - 1.0).abs() < 1e-15);
}

#[test]
fn linear_stiffnesses_are_springs_in_series() {
    let mut materials = Materials::default();
    let soft = materials.add(glass().with_stiffness(1e5)).unwrap();
    let hard = materials.add(glass().with_stiffness(3e5)).unwrap();
    let rigid = materials.add(glass().with_stiffness(f64::INFINITY)).unwrap();
    materials.set_default(PairProperties::new(0.5, 0.0));
    for (a, b, expected) in [(soft, soft, 1e5), (soft, hard, 1.5e5), (soft, rigid, 2e5)] {
        let pair = pair::<Linear>(&materials, a, b).unwrap();
        assert!((pair.stiffness_normal / expected - 1.0).abs() < 1e-15, "{pair:?}");
        assert!((pair.stiffness_tangential / pair.stiffness_normal - 2.0 / 7.0).abs() < 1e-15);
    }
    let both = pair::<Linear>(&materials, rigid, rigid).unwrap_err().to_string();
    assert_eq!(
        both,
        "pair glass–glass: stiffness is infinite in both, so that nothing gives way; make it finite in one"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let good = PairProperties::default();
    let bad_materials = [
        (glass().with(&YOUNG, 0.0), "material glass: young must be a positive number"),
        (glass().with(&YOUNG, f64::NAN), "material glass: young"),
        (
            glass().with(&POISSON, 0.51),
            "material glass: poisson must be above −1 and at most 0.5, but is 0.51",
        ),
        (glass().with(&POISSON, -1.0), "material glass: poisson"),
        (Material { density: f64::INFINITY, ..glass() }, "material glass: density"),
        (glass().with(&STIFFNESS_RATIO, 0.0), "material glass: stiffness_ratio"),
        (glass().with_stiffness(-1.0), "material glass: stiffness must be"),
    ];
    for (material, expected) in bad_materials {
        let got = message::<HertzMindlin>(material, good.clone());
        assert!(got.starts_with(expected), "{got}");
    }
    let bad_pairs = [
        (
            good.clone().with(&RESTITUTION, 0.0),
            "pair steel–glass: restitution must be at least 0.001 and at most 1",
        ),
        (good.clone().with(&RESTITUTION, 1.01), "pair steel–glass: restitution"),
        (good.clone().with(&RESTITUTION, f64::NAN), "pair steel–glass: restitution"),
        (good.clone().with(&FRICTION, -0.1), "pair steel–glass: friction must be zero or a positive number"),
        (good.clone().with(&ROLLING_FRICTION, f64::NAN), "pair steel–glass: rolling_friction"),
        (good.clone().with(&ROLLING_DAMPING, -1.0), "pair steel–glass: rolling_damping"),
        (good.clone().with(&TWISTING_FRICTION, f64::INFINITY), "pair steel–glass: twisting_friction"),
    ];
    for (properties, expected) in bad_pairs {
        let got = message::<HertzMindlin>(glass(), properties);
        assert!(got.starts_with(expected), "{got}");
    }
    assert!(
        message::<Linear>(glass(), good.clone())
            .starts_with("material glass: the contact law linear needs its stiffness")
    );
    let rigid = |name: &str| Material::new(name, 1.0, f64::INFINITY, 0.3);
    let mut materials = Materials::default();
    let (a, b) = (materials.add(rigid("floor")).unwrap(), materials.add(rigid("wall")).unwrap());
    materials.set_default(good);
    let both = pair::<Hertz>(&materials, a, b).unwrap_err().to_string();
    assert!(both.starts_with("pair floor–wall: young is infinite in both"), "{both}");
}

/// Full is full: the material that has no room is refused, and the others keep their numbers.
#[test]
fn a_material_too_many_is_refused() {
    let mut materials = Materials::default();
    for number in 0..Materials::MOST {
        assert_eq!(materials.add(glass()).unwrap().index(), number);
    }
    let refused = materials.add(glass()).unwrap_err();
    assert_eq!(refused, MaterialError::TooMany { count: 65535 });
    assert!(refused.to_string().contains("no room for another material"), "{refused}");
    assert_eq!(materials.as_slice().len(), Materials::MOST);
}
