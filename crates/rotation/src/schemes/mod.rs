//! The schemes, one file each, beside the equations they implement; and the one list of them.
//!
//! A new scheme is one file here and one line below. Its name on the command line, its row in the tables,
//! its tests, benchmarks, batches and GPU code all follow from that line.

crate::registry::rotation_schemes! {
    // del Valle et al. 2024, appendix B, and the scheme of the paper itself
    direct_euler::DirectEuler,
    velocity_verlet::VelocityVerlet,
    fincham::Fincham,
    buss::Buss,
    omelyan::Omelyan,
    johnson::Johnson,
    pfc4::Pfc4,
    runge_kutta_4::RungeKutta4,
    spiral_leapfrog::SpiralLeapfrog,
    spiral_synchronous::SpiralSynchronous,
    // Zhao & van Wachem 2013, Seelen et al. 2016
    quaternion_euler::QuaternionEuler,
    walton_braun::WaltonBraun,
    scalar_factor::ScalarFactor,
    direct_multiplication::DirectMultiplication,
    pcdm::Pcdm,
    improved_pcdm::ImprovedPcdm,
    // multi-sphere slides
    richardson::Richardson,
    rotation_matrix::RotationMatrix,
    // past the papers
    magnus_leapfrog::MagnusLeapfrog,
    kick_rotate_kick::KickRotateKick,
    dullweber::Dullweber,
    no_squish::NoSquish,
    lie_midpoint::LieMidpoint,
}
