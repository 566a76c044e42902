//! `tumble._native`: the part of the Python package `tumble` that is written in Rust.
//!
//! It is private and plain: arrays, numbers and dictionaries in and out. What users see (names, documentation,
//! data classes, plots) is Python, in `python/tumble`. Each function here has its line in `_native.pyi`.
//!
//! | where | what |
//! | --- | --- |
//! | `arrays` | NumPy arrays as slices of rows, without a copy, and back |
//! | `clump` | shapes made of spheres, capsules, ellipsoids, boxes and hulls |
//! | `errors` | which Python exception each error of the engine becomes |
//! | `rotation` | rotation schemes |
//! | `simulation` | scenes, simulations, their states, what Python prescribes |
//! | `results` | folders of results: frames, films |

#![allow(clippy::needless_pass_by_value, reason = "arguments of Python arrive as values")]

// A panic is a bug, and a Python session with unsaved work must outlive it: PyO3 makes it an exception.
#[cfg(panic = "abort")]
compile_error!("the Python package needs panic = \"unwind\", or a bug would end the interpreter");

mod arrays;
mod clump;
mod errors;
mod results;
mod rotation;
mod simulation;

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::clump::{
        clump_svg, hull_faces, mass_properties, mesh_clump, read_clump, rounded_surface, shape_list,
        shape_spheres,
    };

    #[pymodule_export]
    use crate::results::{Trajectory, film};

    #[pymodule_export]
    use crate::rotation::{Batch, schemes, to_body, to_lab, torque_at, torque_kinds};

    #[pymodule_export]
    use crate::simulation::{
        Simulation, add_bodies, capsules, change_bodies, check_scene, column, columns, contacts, corners,
        ellipsoids, examples, flows, gravity, is_of_pairs, property_values, quantity, remove_bodies,
        scene_keys, set_dt, set_gravity, set_property, spheres, surface, wall_loads,
    };
}
