//! A clump as text: the file of its spheres, and the table of a scene that uses it.

use crate::{Fitted, MassFrom, Solid, short};
use std::fmt::Write as _;
use tumble_dem::clump::MassProperties;

/// The clump file: one sphere a line, x, y, z and radius in m with all digits, under comments that say what they are and how good.
pub fn clump_text(name: &str, fitted: &Fitted, solid: &Solid) -> String {
    let certificate = &fitted.certificate;
    let percent = |length: f64| short(100.0 * length / solid.size());
    let mut text = format!("# {} spheres for {name}, in m. Made by Tumble.\n", fitted.spheres.len());
    let _ = writeln!(
        text,
        "# Surface error at most {} m, {} % of the size ({} m); mean {} %.",
        short(certificate.surface.upper),
        percent(certificate.surface.upper),
        short(solid.size()),
        percent(certificate.mean),
    );
    let mass = match fitted.mass {
        MassFrom::Union => "# Volume, centre and inertia of the union are those of the mesh.",
        MassFrom::Mesh => {
            "# Volume, centre and inertia of the union differ from those of the mesh: give those of the mesh in the scene."
        }
    };
    text.push_str(mass);
    text.push_str("\nx,y,z,r\n");
    for sphere in &fitted.spheres {
        let [x, y, z] = sphere.centre.to_array();
        let _ = writeln!(text, "{x:e},{y:e},{z:e},{:e}", sphere.radius);
    }
    text
}

/// The table of a scene with this clump file, and the mesh's own mass properties where those of the union differ.
pub fn template_text(name: &str, file: &str, fitted: &Fitted, solid: &Solid) -> String {
    let mut text = format!("[templates.{name}]\nfile = {file:?}\n");
    if fitted.mass == MassFrom::Mesh {
        let MassProperties { volume, centre, inertia } = solid.mass();
        let list = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ");
        let [centre, diagonal, off] =
            [*centre, inertia.diagonal, inertia.off_diagonal].map(|v| list(&v.to_array()));
        let _ = writeln!(
            text,
            "mass = {{ volume = {volume:e}, centre = [{centre}], inertia = [{diagonal}, {off}] }}"
        );
    }
    text
}
