//! The paper's schemes as its authors ran them, where the printed equations say something else.
//!
//! They differ from the schemes of the same name in the library by a detail or two, found by trying readings
//! until the published errors of fig. 2 came out to a per mille (of PFC4 those in ω alone). They serve the
//! comparison only: the library's forms are the more accurate ones, or those of the original publications.

use tumble_rotation::math::{BodyVec, LabVec, Quat, Real, RotationMatrix, Tensor};
use tumble_rotation::schemes::{Buss, Omelyan, Pfc4};
use tumble_rotation::{Drive, Inertia, RotationScheme, SchemeInfo, Spin, TimeLevel};

/// Omelyan's leapfrog with its first half step back by Euler's rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct OmelyanEulerStart;

impl RotationScheme for OmelyanEulerStart {
    const INFO: SchemeInfo = SchemeInfo {
        name: "omelyan, Euler start",
        summary: "Omelyan's leapfrog, started by an Euler half step",
        ..Omelyan::INFO
    };

    type Memory<R: Real> = ();

    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        let rate = drive.inertia.acceleration(spin.omega, spin.q.to_body(drive.torque));
        (Spin { q: spin.q, omega: spin.omega - rate * (drive.dt * R::lit(0.5)) }, ())
    }

    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        Omelyan::after_torque(spin, (), drive)
    }
}

/// Buss's scheme with 1/16 before the commutator, where eq. (B.8) has 1/12.
#[derive(Clone, Copy, Debug, Default)]
pub struct BussSixteenth;

impl RotationScheme for BussSixteenth {
    const INFO: SchemeInfo = SchemeInfo {
        name: "buss, 1/16",
        summary: "Buss's scheme with a sixteenth before the commutator",
        ..Buss::INFO
    };

    type Memory<R: Real> = ();

    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        Buss::start(spin, drive)
    }

    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let Drive { torque, inertia, dt } = drive;
        let rate = inertia.acceleration(spin.omega, spin.q.to_body(torque));
        let commutator = rate.cross(spin.omega) * (dt * dt * R::lit(1.0 / 16.0));
        let q = spin.q.turn_body(spin.omega + rate * (dt * R::lit(0.5)) + commutator, dt);
        let momentum = spin.q.to_lab(inertia.momentum(spin.omega)) + torque * dt;
        (Spin { q, omega: inertia.velocity(q.to_body(momentum)) }, ())
    }
}

/// PFC 4 as a leapfrog: ω half a step behind, the matrix orthonormalised component by component of the lab.
///
/// Eqs. (B.16)–(B.18) print no time levels. With these ω is the published one; for q the paper compares
/// matrices, by a measure it does not tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pfc4Leapfrog;

impl RotationScheme for Pfc4Leapfrog {
    const INFO: SchemeInfo = SchemeInfo {
        name: "pfc4, leapfrog",
        summary: "PFC 4 with ω half a step behind and rows orthonormalised",
        time_level: TimeLevel::Leapfrog,
        ..Pfc4::INFO
    };

    type Memory<R: Real> = (RotationMatrix<R>, LabVec<R>);

    fn start<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        drive: Drive<R, I>,
    ) -> (Spin<R>, (RotationMatrix<R>, LabVec<R>)) {
        let rate = drive.inertia.acceleration(spin.omega, spin.q.to_body(drive.torque));
        let omega = spin.omega - rate * (drive.dt * R::lit(0.5));
        let axes = RotationMatrix::from(spin.q);
        (Spin { q: spin.q, omega }, (axes, axes.to_lab(omega)))
    }

    fn after_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        (axes, start): (RotationMatrix<R>, LabVec<R>),
        drive: Drive<R, I>,
    ) -> (Spin<R>, (RotationMatrix<R>, LabVec<R>)) {
        let Drive { torque, inertia, dt } = drive;
        let mut omega = start;
        for _ in 0..3 {
            let momentum = axes.to_lab(inertia.momentum(axes.to_body(omega)));
            let net = torque - omega.cross(momentum);
            omega = start + axes.to_lab(inertia.velocity(axes.to_body(net))) * dt; // eq. (B.16)
        }
        let turned = axes + Tensor::cross_matrix(omega * dt) * axes; // eqs. (B.17), (B.18)
        let [a, b, c] = turned.rows.map(|[x, y, z]| BodyVec::new(x, y, z));
        let unit = |v: BodyVec<R>| v * (R::lit(1.0) / v.norm());
        let a = unit(a);
        let b = unit(b - a * a.dot(b));
        let c = unit(c - a * a.dot(c) - b * b.dot(c));
        let axes = RotationMatrix::new([a, b, c].map(BodyVec::to_array));
        let q = Quat::from(axes);
        let q = Quat::select(q.dot(spin.q).lt(R::lit(0.0)), -q, q);
        (Spin { q, omega: axes.to_body(omega) }, (axes, omega))
    }
}
