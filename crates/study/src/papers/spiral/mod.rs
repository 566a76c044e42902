//! SPIRAL — del Valle et al., Comput. Phys. Commun. 297 (2024) 109077.
//!
//! One test serves everything about one body ([`cylinder`]): a spinning steel cylinder under a constant
//! torque along its axis, for which ω is known in closed form and q to rounding. Many bodies are the chess
//! pieces of [`box_of_pieces`].

pub(super) mod accuracy;
pub(super) mod box_of_pieces;
pub(super) mod cost;
mod cylinder;
pub(super) mod motion;
pub mod readings;
pub(super) mod speed;
pub(super) mod table1;
pub(super) mod table2;

use super::published::Published;
use tumble_rotation::SchemeKind;

/// A scheme of the paper: its column in `fig2.csv`, its row in `fig4.csv`, and ours.
struct PaperScheme {
    column: &'static str,
    cost_row: Option<&'static str>,
    kind: SchemeKind,
}

const fn scheme(column: &'static str, cost_row: Option<&'static str>, kind: SchemeKind) -> PaperScheme {
    PaperScheme { column, cost_row, kind }
}

/// The schemes of the paper. The columns SPIRALL and SPIRAL are the leapfrog and the synchronous form: their
/// errors tell. A third, SPIRALO, takes ω from Omelyan's scheme and is in no figure.
const SCHEMES: [PaperScheme; 10] = [
    scheme("RK", None, SchemeKind::RungeKutta4),
    scheme("Euler", Some("Direct Euler"), SchemeKind::DirectEuler),
    scheme("Verlet", Some("Velocity Verlet"), SchemeKind::VelocityVerlet),
    scheme("Fincham", Some("Fincham LeapFrog"), SchemeKind::Fincham),
    scheme("Buss", Some("Buss"), SchemeKind::Buss),
    scheme("Johnson", Some("Johnson"), SchemeKind::Johnson),
    scheme("MercuryDPM", Some("MercuryDPM"), SchemeKind::Pfc4),
    scheme("Omelyan", Some("Omelyan"), SchemeKind::Omelyan),
    scheme("SPIRALL", Some("SPIRAL"), SchemeKind::SpiralLeapfrog),
    scheme("SPIRAL", None, SchemeKind::SpiralSynchronous),
];

/// The schemes that the paper compares.
pub const COMPARED: [SchemeKind; 10] = {
    let mut kinds = [SchemeKind::DirectEuler; 10];
    let mut i = 0;
    while i < SCHEMES.len() {
        kinds[i] = SCHEMES[i].kind;
        i += 1;
    }
    kinds
};

/// Schemes past the paper, with one torque evaluation a step too.
const BEYOND: [SchemeKind; 5] = [
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
    SchemeKind::Dullweber,
    SchemeKind::NoSquish,
    SchemeKind::ImprovedPcdm,
];

fn fig1_data() -> Published {
    Published::parse(include_str!("../../../../../papers/spiral-2024/published/fig1.csv"))
}

fn fig2_data() -> Published {
    Published::parse(include_str!("../../../../../papers/spiral-2024/published/fig2.csv"))
}

fn fig3_data() -> Published {
    Published::parse(include_str!("../../../../../papers/spiral-2024/published/fig3.csv"))
}

fn fig4_data() -> Published {
    Published::parse(include_str!("../../../../../papers/spiral-2024/published/fig4.csv"))
}

fn fig7_data() -> Published {
    Published::parse(include_str!("../../../../../papers/spiral-2024/published/fig7.csv"))
}

fn table2_data() -> Published {
    Published::parse(include_str!("../../../../../papers/spiral-2024/published/table2.csv"))
}
