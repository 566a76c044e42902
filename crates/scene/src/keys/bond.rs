//! `[[bonds]]`: elastic bonds between bodies, and what breaks them.

use super::MOST_BODIES;
use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Context, FilePath, Flag, ListOf, MaterialName, Number, Numbers, Positive, Whole, ZeroOrMore,
    table,
};
use crate::units::{Length, Pressure, Ratio, Time};
use std::path::PathBuf;
use tumble_dem::bond::BeamModel;

/// What kind of bonds an entry makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BondKind {
    /// Beams with a potential.
    #[default]
    Beam,
    /// Parallel bonds.
    Parallel,
}

table! {
    /// Bonds that bodies have from the start, or get where they touch. They are at rest as the bodies are when they are made.
    Bonds {
        one_of ["gap", "pairs", "csv", "touch"];
        one_of ["radius", "radius_ratio"];
        check check_bonds;

        /// Bonds all bodies whose surfaces are at most so far apart at the start, between the pieces that are closest: the centres of spheres, the nearest points of the axes of capsules, the centres of ellipsoids, boxes and hulls.
        gap: f64 => ZeroOrMore<Length>, optional, "\"0.1 mm\"";
        /// Instead: bonds these pairs of bodies, by their numbers from 0 in the order of the scene, between the pieces that are closest.
        pairs: Vec<[u64; 2]> => ListOf<Numbers<Whole<0, MOST_BODIES>, 2>, 1>, optional, "[[0, 1], [1, 2]]";
        /// Instead: bonds the pairs in a CSV file, one in a row, by their numbers as in `pairs`: columns `body_a` and `body_b`, and `radius`, `tension`, `shear`, `bending` and `twist`, in m and Pa, where bonds have them of their own.
        csv: PathBuf => FilePath, optional, "\"bonds.csv\"";
        /// Instead: bonds bodies where they touch during the run and have no bond, at rest as they are then. Their contact ends by that, unless `contact` is set.
        touch: bool => Flag, optional, "true";
        /// With `touch`: from when on, the start if left out.
        from: f64 => ZeroOrMore<Time>, optional, "\"0.1 s\"";
        /// With `touch`: until when, the end of the run if left out.
        until: f64 => Positive<Time>, optional, "\"0.2 s\"";
        /// Only where the two bodies are of these two materials; twice the same for a material with itself.
        between: Vec<String> => ListOf<MaterialName>, optional, "[\"glass\", \"glass\"]";
        /// Only bodies of these populations, by their places from 0 in the list `bodies`.
        populations: Vec<u64> => ListOf<Whole<0, MOST_BODIES>, 1>, optional, "[0]";
        /// Whether bonds are beams with a potential, or parallel bonds after Potyondy & Cundall 2004, whose forces are added up from step to step.
        kind: BondKind => Choice<BondKind>, default BondKind::Beam, "\"parallel\"";
        /// What the stiffness of a beam is taken from.
        beam: BeamModel => Choice<BeamModel>, default BeamModel::Timoshenko, "\"timoshenko\"";
        /// Radius of the round cross-section.
        radius: f64 => Positive<Length>, optional, "\"1 mm\"";
        /// Instead: that radius as a part of the smaller of the two spheres' or capsules' radii, and for other pieces of that of the sphere of their volume.
        radius_ratio: f64 => Positive<Ratio>, optional, "0.8";
        /// Young's modulus of the bond. Of a parallel bond: its normal stiffness per area times its length.
        young: f64 => Positive<Pressure>, required, "\"1 GPa\"";
        /// Poisson's ratio of a beam.
        poisson: f64 => Number<Ratio, Any>, default 0.25, "0.25";
        /// Normal stiffness of a parallel bond over its shear stiffness.
        stiffness_ratio: f64 => Positive<Ratio>, optional, "2.5";
        /// Viscosity over Young's modulus: beside each stiffness c there is a dashpot of c times this time.
        damping: f64 => ZeroOrMore<Time>, default 0.0, "\"1 us\"";
        /// Pull over cross-section beyond which a bond breaks, with that of bending at the rim of a parallel bond; never, if left out.
        tension: f64 => Positive<Pressure>, optional, "\"10 MPa\"";
        /// Shear force over cross-section beyond which a bond breaks, with that of twist at the rim of a parallel bond; never, if left out.
        shear: f64 => Positive<Pressure>, optional, "\"10 MPa\"";
        /// Stress of bending at the outermost fibre beyond which a beam breaks; never, if left out.
        bending: f64 => Positive<Pressure>, optional, "\"20 MPa\"";
        /// Stress of twisting at the surface beyond which a beam breaks; never, if left out.
        twist: f64 => Positive<Pressure>, optional, "\"20 MPa\"";
        /// Weibull's modulus of the strengths, which are then those that 1/e of all bonds bear; all the same, if left out.
        weibull: f64 => Positive<Ratio>, optional, "5";
        /// Whether bonded bodies also feel their contact.
        contact: bool => Flag, default false, "true";
    }
}

fn check_bonds(bonds: &Bonds, context: &mut Context<'_>) {
    if let Some(between) = bonds.between.as_ref().filter(|between| between.len() != 2) {
        let message = format!("`{}.between` must name two materials", context.path());
        let label = format!("this has {}", between.len());
        context.report(Problem::error(bonds.places.of("between"), message).label(label));
    }
    check_kind(bonds, context);
    check_touch(bonds, context);
    if !(bonds.poisson > -1.0 && bonds.poisson < 0.5) {
        let message = format!("`{}.poisson` must be above -1 and below 0.5", context.path());
        context.report(Problem::error(bonds.places.of("poisson"), message));
    }
    // A file may have strengths of its own.
    let breaks = bonds.csv.is_some()
        || [bonds.tension, bonds.shear, bonds.bending, bonds.twist].iter().any(Option::is_some);
    if bonds.weibull.is_some() && !breaks {
        let message = format!("`{}.weibull` has no effect on bonds without a strength", context.path());
        let help = "give at least one of `tension`, `shear`, `bending` and `twist`";
        context.report(Problem::warning(bonds.places.key("weibull"), message).help(help));
    }
}

/// A window of time is for what happens in a run.
fn check_touch(bonds: &Bonds, context: &mut Context<'_>) {
    if bonds.touch == Some(false) {
        let message = format!("`{}.touch` is false, and nothing else says who is bonded", context.path());
        let help = "`touch = true`, or one of `gap`, `pairs` and `csv`";
        context.report(Problem::error(bonds.places.of("touch"), message).help(help));
    }
    for (key, given) in [("from", bonds.from), ("until", bonds.until)] {
        if given.is_some() && bonds.touch.is_none() {
            let message =
                format!("`{}.{key}` means nothing for bonds that are made at the start", context.path());
            context
                .report(Problem::error(bonds.places.key(key), message).help("it goes with `touch = true`"));
        }
    }
    if let (Some(from), Some(until)) = (bonds.from, bonds.until)
        && until <= from
    {
        let message = format!("`{}.until` must be after `from`", context.path());
        context.report(Problem::error(bonds.places.of("until"), message));
    }
}

/// Each kind has keys of its own.
fn check_kind(bonds: &Bonds, context: &mut Context<'_>) {
    // What has a default is there in scenes as they were run.
    let has = |key: &str| bonds.places.has(key);
    let strange: &[(&str, bool)] = match bonds.kind {
        BondKind::Beam => &[("stiffness_ratio", has("stiffness_ratio"))],
        BondKind::Parallel => &[
            ("beam", bonds.beam != BeamModel::Timoshenko),
            ("poisson", (bonds.poisson - 0.25).abs() > 0.0),
            ("bending", has("bending")),
            ("twist", has("twist")),
        ],
    };
    let (kind, help) = match bonds.kind {
        BondKind::Beam => ("beams", "`kind = \"parallel\"` makes parallel bonds"),
        BondKind::Parallel => (
            "parallel bonds",
            "their stiffnesses follow from `young` and `stiffness_ratio`, and bending counts as `tension`, twist as `shear`",
        ),
    };
    for (key, _) in strange.iter().filter(|(_, given)| *given) {
        let message = format!("`{}.{key}` means nothing for {kind}", context.path());
        context.report(Problem::error(bonds.places.key(key), message).help(help));
    }
    if bonds.kind == BondKind::Parallel && bonds.stiffness_ratio.is_none() {
        let message = format!("`{}` makes parallel bonds and has no `stiffness_ratio`", context.path());
        let help = "write `stiffness_ratio = 2.5`, say: the normal stiffness over the shear stiffness";
        context.report(Problem::error(bonds.places.key("kind"), message).help(help));
    }
}
