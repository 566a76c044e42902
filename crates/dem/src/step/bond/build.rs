//! Bonds of a world on their way into an engine.

use super::{Bonds, Disc, Tie};
use crate::bodies::Bodies;
use crate::bond::{Bond, BondKind};
use crate::domain::Domain;
use crate::error::Error;
use crate::id::BodyId;
use crate::physics::bond::{BondAction, BondConstants, BondEnd};
use crate::physics::parallel_bond::BondMemory;
use tumble_math::{LabVec, Quat, RotationMatrix};

impl Bonds {
    /// Of a world whose bodies are all there, as they are at the start.
    pub(crate) fn new(bonds: &[Bond], bodies: &Bodies, domain: &Domain) -> Result<Self, Error> {
        let mut ties = bonds
            .iter()
            .enumerate()
            .map(|(number, bond)| tie(bond, &format!("bond {number}"), bodies, domain))
            .collect::<Result<Vec<_>, _>>()?;
        ties.sort_by_key(|tie| tie.bodies);
        Ok(Self::new_of(ties))
    }

    /// With these bonds, which have just been made.
    pub(super) fn new_of(ties: Vec<Tie>) -> Self {
        Self { made: ties.len() as u64, ..Self::of(ties) }
    }

    /// With these bonds, in the order of their bodies, which have not been looked at yet.
    pub(crate) fn of(ties: Vec<Tie>) -> Self {
        let nothing = <BondAction<f64> as crate::record::Record<f64>>::zero();
        Self { actions: vec![nothing; ties.len()], ties, ..Self::default() }
    }
}

fn tie(bond: &Bond, of: &str, bodies: &Bodies, domain: &Domain) -> Result<Tie, Error> {
    let row = |id: BodyId| {
        bodies.row(id).ok_or_else(|| Error::Unknown {
            of: of.into(),
            what: "body",
            number: id.0.into(),
            count: bodies.len(),
        })
    };
    let [a, b] = bond.bodies;
    let poses = [bodies.pose(row(a)?), bodies.pose(row(b)?)];
    tie_at(bond, of, poses, domain)
}

/// A bond at rest where its bodies are.
pub(super) fn tie_at(
    bond: &Bond,
    of: &str,
    poses: [(LabVec<f64>, Quat<f64>); 2],
    domain: &Domain,
) -> Result<Tie, Error> {
    let invalid = |what, value: String, expected| Error::Invalid { of: of.into(), what, value, expected };
    let [a, b] = bond.bodies;
    if a == b {
        return Err(invalid("pair of bodies", format!("{a} and {b}"), "two different bodies"));
    }
    // Which of the two is first goes by id.
    let swap = b < a;
    let in_order = |pair: [(LabVec<f64>, Quat<f64>); 2]| if swap { [pair[1], pair[0]] } else { pair };
    let [(from, q_from), (to, q_to)] = in_order(poses);
    let (ids, arms) = if swap { ([b, a], [bond.arms[1], bond.arms[0]]) } else { ([a, b], bond.arms) };
    for arm in arms {
        crate::check::finite(of, "arm", &arm.to_array())?;
    }
    let line = domain.nearest(from, to) + arms[1] - arms[0];
    let length = line.norm();
    if !(length > 0.0 && length.is_finite()) {
        return Err(invalid("length", crate::error::readable(length), "two ends at different places"));
    }
    if domain.lengths().into_iter().any(|axis| 2.0 * line.norm() > axis) {
        let expected = "less than half of every periodic axis, so that it is clear which image it leads to";
        return Err(invalid("length", crate::error::readable(length), expected));
    }
    check_numbers(bond, of)?;
    let disc = match bond.kind {
        BondKind::Beam => None,
        BondKind::Parallel { at } => {
            // Seen from the body whose id is lower.
            let at = if swap { 1.0 - at } else { at };
            Some(Disc { at, memory: BondMemory::at_rest(line, [q_from, q_to]) })
        }
    };
    let (stiffness, axes) = (bond.stiffness, along(line * (1.0 / length)));
    let end = |q: Quat<f64>, arm: LabVec<f64>| BondEnd {
        arm: q.to_body(arm),
        frame: (q.conjugate() * axes).normalised(),
    };
    Ok(Tie {
        bodies: ids.map(|id| id.0),
        constants: BondConstants {
            length,
            axial: stiffness.axial,
            shear: stiffness.shear,
            bending: stiffness.bending,
            twist: stiffness.twist,
            damping: bond.damping,
        },
        ends: [end(q_from, arms[0]), end(q_to, arms[1])],
        disc,
        inverse_limits: bond.limits.to_array().map(|limit| 1.0 / limit),
        contact: bond.contact,
        lost: 0.0,
        breaking: None,
    })
}

/// Checks how stiff and how strong a bond is said to be.
pub(crate) fn check_numbers(bond: &Bond, of: &str) -> Result<(), Error> {
    let invalid = |what, value: f64, expected| Error::Invalid {
        of: of.into(),
        what,
        value: crate::error::readable(value),
        expected,
    };
    let stiffness = bond.stiffness;
    crate::check::positive(of, "axial stiffness", stiffness.axial)?;
    for (what, value) in [
        ("shear stiffness", stiffness.shear),
        ("bending stiffness", stiffness.bending),
        ("twist stiffness", stiffness.twist),
        ("time of the damping", bond.damping),
    ] {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(invalid(what, value, "a finite number ≥ 0"));
        }
    }
    if let BondKind::Parallel { at } = bond.kind
        && !(0.0..=1.0).contains(&at)
    {
        let expected = "a part of the way between the ends of the bond, 0 to 1";
        return Err(invalid("place of the disc", at, expected));
    }
    for limit in bond.limits.to_array() {
        if limit < f64::MIN_POSITIVE || limit.is_nan() {
            let expected = "a positive number, infinite for a bond that never breaks";
            return Err(invalid("load that it bears", limit, expected));
        }
    }
    Ok(())
}

/// Takes the first axis to a direction.
fn along(direction: LabVec<f64>) -> Quat<f64> {
    let second = direction.cross(direction.farthest_axis()).unit();
    Quat::from(RotationMatrix::from_columns([direction, second, direction.cross(second)]))
}
