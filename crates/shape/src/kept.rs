//! A clump that is made once and kept beside its mesh.
//!
//! The file is named after the mesh and a hash of its bytes and of everything that was asked for, so that a changed mesh or wish makes another one, and
//! whoever asks the same again, in another run or another program, reads it. It is an ordinary clump file.

use crate::{Bodies, Fitted, MassFrom, ReadError, Solid, Tolerance, Wanted, clump_text, fit};
use std::path::{Path, PathBuf};
use tumble_dem::clump::{ClumpSphere, MassModel, MassProperties, read_clump};

/// What is asked of the spheres for a mesh in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshClump {
    /// How long a unit of length of the file is, m.
    pub unit: f64,
    /// The largest distance between the surfaces.
    pub surface: Tolerance,
    /// How many spheres there may be.
    pub spheres_max: usize,
    /// No sphere is smaller.
    pub smallest_radius: Option<Tolerance>,
}

/// A clump for a mesh.
#[derive(Clone, Debug)]
pub struct KeptClump {
    /// The mesh.
    pub solid: Solid,
    /// The spheres, in the frame of the mesh, m.
    pub spheres: Vec<ClumpSphere>,
    /// How mass follows from them.
    pub mass: MassModel,
    /// The fit, if it was made now.
    pub fitted: Option<Fitted>,
    /// The file that keeps it, or why there is none.
    pub file: Result<PathBuf, String>,
}

/// Unions whose volume and inertia are so near those of the mesh were made equal to them.
const EQUAL: f64 = 1e-8;

impl MeshClump {
    /// The clump, read from where it is kept, or made and kept.
    pub fn make(&self, mesh: &Path) -> Result<KeptClump, ReadError> {
        let bytes = std::fs::read(mesh).map_err(|error| ReadError::Unreadable {
            file: mesh.display().to_string(),
            reason: error.to_string(),
        })?;
        let solid = Solid::parse(&bytes, &mesh.display().to_string(), self.unit, Bodies::One)?;
        let file = self.file(mesh, &bytes);
        if let Some(spheres) = file.is_file().then(|| read_clump(&file).ok()).flatten() {
            let mass = mass_model(&solid, &spheres);
            return Ok(KeptClump { solid, spheres, mass, fitted: None, file: Ok(file) });
        }
        let fitted = fit(&solid, &self.wanted(&solid), |_| true);
        let name = mesh.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let written = keep(&file, &clump_text(&name, &fitted, &solid));
        Ok(KeptClump {
            spheres: fitted.spheres.clone(),
            mass: fitted.mass_model(&solid),
            fitted: Some(fitted),
            file: written.map(|()| file.clone()).map_err(|error| format!("{}: {error}", file.display())),
            solid,
        })
    }

    fn wanted(&self, solid: &Solid) -> Wanted {
        Wanted {
            surface: self.surface.metres(solid),
            spheres_max: self.spheres_max,
            smallest_radius: self.smallest_radius.map_or(0.0, |radius| radius.metres(solid)),
            ..Wanted::default()
        }
    }

    /// Where it is kept.
    fn file(&self, mesh: &Path, bytes: &[u8]) -> PathBuf {
        let asked = format!("{} {:?}", env!("CARGO_PKG_VERSION"), self);
        // FNV-1a (Fowler, Noll, Vo), 64 bits.
        let hash = bytes.iter().chain(asked.as_bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let name = mesh.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        mesh.with_file_name(format!("{name}.{hash:016x}.clump"))
    }
}

/// That of the union, where it is what the mesh has.
fn mass_model(solid: &Solid, spheres: &[ClumpSphere]) -> MassModel {
    let own = solid.mass();
    let given = MassModel::Given { volume: own.volume, centre: own.centre, inertia: own.inertia };
    let Ok(union) = MassProperties::new(spheres, MassModel::Union) else { return given };
    let trace = own.inertia.trace();
    let apart = union.inertia - own.inertia;
    let near = (union.volume / own.volume - 1.0).abs() <= EQUAL
        && (union.centre - own.centre).norm() <= EQUAL * solid.size()
        && apart.diagonal.norm() + apart.off_diagonal.norm() <= EQUAL * trace;
    if near { MassModel::Union } else { given }
}

/// Writes a file as a whole: whoever reads it meanwhile finds all of it or nothing.
fn keep(file: &Path, text: &str) -> std::io::Result<()> {
    let partial = file.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&partial, text).and_then(|()| std::fs::rename(&partial, file)).inspect_err(|_| {
        // What is left of it helps nobody.
        let _ = std::fs::remove_file(&partial);
    })
}

impl KeptClump {
    /// What a person should know of it, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let mut all = self.solid.mended().repairs();
        all.extend(self.solid.mended().warnings());
        if let Some(fitted) = self.fitted.as_ref().filter(|fitted| !fitted.reached) {
            all.push(format!(
                "{} spheres come within {} % of the size, not as near as was asked for: allow more spheres",
                fitted.spheres.len(),
                crate::short(100.0 * fitted.certificate.surface.upper / self.solid.size())
            ));
        }
        if matches!(self.fitted.as_ref().map(|fitted| fitted.mass), Some(MassFrom::Mesh)) {
            all.push("the clump keeps the mesh's own volume, centre and inertia: the union of so few spheres has others".into());
        }
        if let Err(reason) = &self.file {
            all.push(format!("the clump could not be kept and is made anew every time: {reason}"));
        }
        all
    }
}
