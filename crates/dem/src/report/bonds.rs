//! What the engine tells of its bonds.

use crate::engine::Engine;
use crate::id::BodyId;
use crate::physics::bond::BondAction;
use crate::step::bond::{Breakage, Tie};
use tumble_math::{LabVec, Quat};

/// A bond at the present instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondState {
    /// The two bodies, the lower number first.
    pub bodies: [BodyId; 2],
    /// Whether it is a parallel bond.
    pub parallel: bool,
    /// Where it ends at the first body, m. In a periodic domain that may be outside.
    pub end: LabVec<f64>,
    /// From its end at the first body to that at the second, m.
    pub line: LabVec<f64>,
    /// Force on the second body, N; the first feels the opposite.
    pub force: LabVec<f64>,
    /// Pull along it by its springs, N; negative where it is pressed.
    pub tension: f64,
    /// Force of its springs across it, N.
    pub shear: f64,
    /// The larger of the moments that bend its ends, N m.
    pub bending: f64,
    /// The moment that twists it, N m.
    pub twist: f64,
    /// Elastic energy, J.
    pub stored: f64,
    /// How much of what it bears it is loaded with, by the load that comes closest; zero for a bond that never breaks.
    pub used: f64,
}

/// What became of all bonds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BondCounts {
    /// How many were made.
    pub made: u64,
    /// How many of them during the run, where bodies touched.
    pub by_touch: u64,
    /// How many are there now.
    pub whole: u64,
    /// How many broke.
    pub broken: u64,
    /// How many went with bodies that were taken out.
    pub taken_out: u64,
    /// Whether bodies that touch may get some.
    pub may_be_made: bool,
}

impl Engine {
    /// All bonds, by the numbers of their bodies.
    pub fn bonds(&self) -> Vec<BondState> {
        let all = self.bonds.iter().zip(self.bonds.with_rows());
        all.map(|((tie, action), (_, rows))| self.bond_state(tie, action, rows)).collect()
    }

    fn bond_state(&self, tie: &Tie, action: &BondAction<f64>, rows: [usize; 2]) -> BondState {
        let place = |end: usize| {
            let body = &self.space.bodies.at_force[rows[end]];
            let arm = Quat::from_array(body.q).to_lab(tie.ends[end].arm);
            LabVec::from_array(body.position) + arm
        };
        BondState {
            bodies: tie.bodies.map(BodyId),
            parallel: tie.disc.is_some(),
            end: place(0),
            line: self.space.domain.nearest(place(0), place(1)),
            force: action.force,
            tension: action.tension,
            shear: action.shear,
            bending: action.bending,
            twist: action.twist,
            stored: action.stored,
            used: tie.used(action),
        }
    }

    /// All bonds that broke since the start, in the order of time.
    pub fn breakages(&self) -> &[Breakage] {
        &self.bonds.breakages
    }

    /// How many bonds there are and were.
    pub fn bond_counts(&self) -> BondCounts {
        BondCounts {
            made: self.bonds.made,
            by_touch: self.bonds.by_touch,
            whole: self.bonds.ties.len() as u64,
            broken: self.bonds.breakages.len() as u64,
            taken_out: self.bonds.taken_out,
            may_be_made: !self.rules.touch_bonds.is_empty(),
        }
    }
}
