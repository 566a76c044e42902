//! Seelen, Padding & Kuipers, Acta Mech. 227 (2016) 3381: all four tests, a file each.

pub(super) mod cylinder;
pub(super) mod rubbing;
pub(super) mod sphere;
pub(super) mod top;

use super::OWN;
use tumble_rotation::SchemeKind;

/// The original scheme, the improved one, and ours.
const COMPARED: [SchemeKind; 4] = [SchemeKind::Pcdm, SchemeKind::ImprovedPcdm, OWN[0], OWN[1]];
