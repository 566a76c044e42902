//! The rotation scheme that `CONTRIBUTING.md` takes as its example is the file of that name in `recipe`: it compiles
//! outside the library, and has the order that it declares.

#[allow(unreachable_pub, reason = "as in a crate of its own")]
#[path = "recipe/exponential_euler.rs"]
mod exponential_euler;

use exponential_euler::ExponentialEuler;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::schemes::MagnusLeapfrog;
use tumble_rotation::{PrincipalInertia, RotationScheme, Rotor, Spin};

#[test]
fn the_document_shows_the_file_that_compiles() {
    let document = include_str!("../../../CONTRIBUTING.md");
    let file = include_str!("recipe/exponential_euler.rs");
    assert!(document.contains(&format!("```rust,ignore\n{file}```\n")), "copy the file into the document");
}

/// Spin after one second of a torque that pulls the body's axis upright, in so many steps.
fn spin<S: RotationScheme>(scheme: S, steps: u32) -> BodyVec<f64> {
    let inertia = PrincipalInertia::new([1.0, 2.0, 3.0]).unwrap();
    let initial = Spin { q: Quat::identity(), omega: BodyVec::new(0.7, 1.0, -0.4) };
    let torque = |q: Quat<f64>, _, _| q.to_lab(BodyVec::new(0.0, 0.0, 1.0)).cross(LabVec::new(0.5, 0.0, 1.0));
    let mut rotor = Rotor::new(scheme, inertia, initial, 1.0 / f64::from(steps), torque).unwrap();
    rotor.run(u64::from(steps)).unwrap();
    rotor.state().omega
}

#[test]
fn the_scheme_of_the_document_is_of_first_order() {
    let exact = spin(MagnusLeapfrog, 100_000);
    let [coarse, fine] = [1000, 2000].map(|steps| (spin(ExponentialEuler, steps) - exact).norm());
    assert!(coarse > 1e-5, "{coarse:e} is too good for the order to be seen");
    assert!((coarse / fine - 2.0).abs() < 0.05, "{coarse:e} {fine:e}");
}
