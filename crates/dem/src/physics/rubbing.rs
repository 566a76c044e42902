//! What a touch of a wall bears on it, pressing and rubbing, for the triangles of meshes.

use super::choose;
use super::surface::direction_to_lab;
use crate::record;
use tumble_math::{LabVec, Quat, Real};

record! {
    /// What a touch adds in a step to the sums of a triangle.
    Borne, BORNE {
        /// Normal force times time, N s.
        pressed: R,
        /// Tangential force times time, in the frame of the wall, N s.
        rubbed: LabVec<R>,
        /// What friction took, J.
        work: R,
        /// Normal force times sliding distance, N m.
        slid: R,
    }
}

/// The direction from the point of a touch to the centre of the sphere.
#[inline(always)]
pub fn direction<R: Real>(centre: LabVec<R>, point: LabVec<R>) -> LabVec<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let arm = centre - point;
    let length = arm.norm();
    let apart = zero.lt(length);
    choose(apart, arm * (one / R::select(apart, length, one)), LabVec::zero())
}

/// What a force on a body bears on the wall that it comes from, which is turned by `q`. `lost` is what friction took in the step.
#[inline(always)]
pub fn borne<R: Real>(force: LabVec<R>, normal: LabVec<R>, q: Quat<R>, lost: R, dt: R) -> Borne<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let pressing = force.dot(normal);
    let rubbing = force - normal * pressing;
    // On the wall; turned back with it, so that a wall that turns has the mean of what it feels.
    let rubbed = direction_to_lab(-rubbing, q.conjugate()) * dt;
    // What friction took is the tangential force times the distance.
    let size = rubbing.norm();
    let rubs = zero.lt(size);
    let slid = pressing * (lost / R::select(rubs, size, one));
    let slid = R::select(rubs, R::select(zero.lt(lost), slid, zero), zero);
    Borne { pressed: pressing * dt, rubbed, work: lost, slid }
}
