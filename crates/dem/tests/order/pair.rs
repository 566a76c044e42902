//! The constants of a material against itself, as numbers: what the equations of motion take from the engine.

use tumble_dem::MaterialId;
use tumble_dem::law::{self, Dissipation, HertzMindlin, LawKind, Linear, rolling, twisting};
use tumble_dem::material::Materials;

/// The constants of the materials.
pub(super) struct Pair {
    /// kₙ and kₜ of the linear law, E* and G* of the other.
    pub(super) springs: [f64; 2],
    pub(super) dissipation: Dissipation<f64>,
    /// Friction and dashpot against rolling, and friction against twisting.
    pub(super) resistances: [f64; 3],
}

impl Pair {
    pub(super) fn new(law: LawKind, materials: &Materials) -> Self {
        type Roll = rolling::ElasticPlastic;
        type Twist = twisting::ElasticPlastic;
        let id = MaterialId(0);
        if law == LawKind::Linear {
            let all = law::constants::<Linear, Roll, Twist>(materials, id, id).unwrap();
            Self {
                springs: [all.law.stiffness_normal, all.law.stiffness_tangential],
                dissipation: all.law.dissipation,
                resistances: [all.rolling.friction, all.rolling.damping, all.twisting],
            }
        } else {
            let all = law::constants::<HertzMindlin, Roll, Twist>(materials, id, id).unwrap();
            Self {
                springs: [all.law.hertz.effective_modulus, all.law.hertz.effective_shear_modulus],
                dissipation: all.law.dissipation,
                resistances: [all.rolling.friction, all.rolling.damping, all.twisting],
            }
        }
    }
}
