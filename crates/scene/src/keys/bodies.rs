//! `[[bodies]]`: what is put in, where, and how it moves.

use super::how::{OrientationForm, ScaleForm, VelocityForm};
use super::{Frame, Orientation, RandomSpin, RandomVelocity, Scale, Size, Sleeve, Tube, Velocity};
use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Context, FilePath, Flag, ListOf, MaterialName, Number, Numbers, Positive, TemplateName,
    Vector, Whole, ZeroOrMore, table,
};
use crate::place::Places;
use crate::units::{AngularSpeed, Length, Mass, Ratio, Speed, Temperature, Volume};
use std::path::PathBuf;
use tumble_dem::LabVec;
use tumble_dem::placement::{By, Region};

/// The most bodies that a scene can have.
pub(crate) const MOST_BODIES: u64 = 20_000_000;

/// The keys that `[[bodies]]` and `[[streams]]` share.
macro_rules! population {
    ($(#[doc = $doc:literal])+ $name:ident { $check:path, one_of [$([$($one:literal),+]),+], $($own:tt)* }) => {
        table! {
            $(#[doc = $doc])+
            $name {
                $(one_of [$($one),+];)+
                check $check;

                /// The name of a template.
                template: String => TemplateName, optional, "\"rod\"";
                /// Instead: the names of several templates, of which each body gets one at random.
                templates: Vec<String> => ListOf<TemplateName, 1>, optional, "[\"rod\", \"cross\"]";
                /// How often each of the templates is drawn, relative to the others; equally often if absent.
                weights: Vec<f64> => ListOf<ZeroOrMore<Ratio>, 1>, optional, "[1, 2]";
                /// What the weights are parts of: of the number of bodies, or of their mass.
                weights_by: By => Choice<By>, default By::Number, "\"mass\"";
                /// The name of a material; may be left out where the scene has only one.
                material: String => MaterialName, optional, "\"glass\"";
                /// Size relative to the template: a number, or drawn evenly from a range.
                scale: Scale => ScaleForm, default Scale::Fixed(1.0), "{ uniform = [0.8, 1.2] }";
                /// Instead: size in metres, drawn from a distribution; the same for each of the templates.
                size: Size => Size, optional, "{ lognormal = { median = \"3 mm\", sigma = 0.3 }, by = \"mass\", min = \"1 mm\", max = \"6 mm\" }";
                /// How the shape is turned from the way it is drawn: a quaternion w, x, y, z, an axis and an angle, or `"random"`. A cloud is random unless told otherwise.
                orientation: Orientation => OrientationForm, optional, "{ axis = [0, 1, 0], angle = \"30 deg\" }";
                /// Velocity of the centre of mass: fixed, in a random direction, or Maxwellian.
                velocity: Velocity => VelocityForm<Speed, RandomVelocity>, default Velocity::Fixed([0.0; 3]), "{ speed = \"1 m/s\" }";
                /// Angular velocity in the lab frame: fixed, in a random direction, or Maxwellian.
                spin: Velocity => VelocityForm<AngularSpeed, RandomSpin>, default Velocity::Fixed([0.0; 3]), "{ maxwell = \"0.3 rad/s\" }";
                /// Temperature at the start; 20 °C if absent. Only with `heat`.
                temperature: f64 => Positive<Temperature>, optional, "\"80 °C\"";
                /// Liquid on each body at the start; none if absent. Only with `liquid`.
                film: f64 => ZeroOrMore<Volume>, optional, "\"0.01 mm^3\"";
                $($own)*
            }
        }

        impl $name {
            /// What the bodies are, wherever they are put.
            pub fn make(&self) -> Make<'_> {
                let Self { templates, weights, weights_by, material, scale, size, orientation, velocity, spin, temperature, film, .. } = self;
                let templates = match (&self.template, templates) {
                    (Some(template), _) => std::slice::from_ref(template),
                    (None, Some(templates)) => templates,
                    (None, None) => &[],
                };
                Make {
                    templates,
                    weights: weights.as_deref(),
                    weights_by: *weights_by,
                    material: material.as_deref(),
                    scale: *scale,
                    size: size.as_ref(),
                    orientation: *orientation,
                    velocity: *velocity,
                    spin: *spin,
                    temperature: *temperature,
                    film: *film,
                    places: &self.places,
                }
            }
        }
    };
}

pub(super) use population;

/// What bodies are put in: the keys that populations and streams share.
#[derive(Clone, Copy, Debug)]
pub struct Make<'a> {
    /// Names of the templates.
    pub templates: &'a [String],
    /// How often each is drawn, if not equally often.
    pub weights: Option<&'a [f64]>,
    /// What these are parts of.
    pub weights_by: By,
    /// Name of the material.
    pub material: Option<&'a str>,
    /// Size relative to the template.
    pub scale: Scale,
    /// Size in metres, in place of that.
    pub size: Option<&'a Size>,
    /// Orientation, if given.
    pub orientation: Option<Orientation>,
    /// Velocity.
    pub velocity: Velocity,
    /// Spin.
    pub spin: Velocity,
    /// Temperature, K, if given.
    pub temperature: Option<f64>,
    /// Liquid on each, m³, if given.
    pub film: Option<f64>,
    /// Where it stands.
    pub places: &'a Places,
}

population! {
    /// Bodies that are there from the start: one, a lattice, a random cloud, a net around a cylinder, or the rows of a file.
    Bodies {
        check_bodies,
        one_of [["at", "lattice", "cloud", "sleeve", "csv"]],

        /// Whether the bodies keep their velocity and spin whatever pushes them: fixed, or moved by hand.
        held: bool => Flag, default false, "true";
        /// One body, with its centre of mass here.
        at: [f64; 3] => Vector<Number<Length, Any>>, optional, "[0, 0, \"10 cm\"]";
        /// Bodies on a rectangular lattice.
        lattice: Lattice => Lattice, optional, "{ low = [0, 0, 0], high = [1, 1, 1], counts = [4, 4, 4] }";
        /// Bodies at random places, none of which overlaps another.
        cloud: Cloud => Cloud, optional, "{ low = [0, 0, 0], high = [1, 1, 1], count = 100 }";
        /// Bodies on a net around a cylinder, the nodes of a membrane.
        sleeve: Sleeve => Sleeve, optional, "{ from = [0, 0, 0], to = [0, 0, \"8 cm\"], radius = \"2 cm\", around = 36, rings = 24 }";
        /// A file of bodies with the columns template, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, and temperature in K where there is heat; relative to the scene. A template is named, or numbered in the order of the scene.
        csv: PathBuf => FilePath, optional, "\"bodies.csv\"";
        /// What the quaternions of a `csv` file turn: the shape as it is drawn, or its principal axes. Files that Tumble writes say the latter themselves.
        frame: Frame => Choice<Frame>, default Frame::Drawn, "\"drawn\"";
    }
}

table! {
    /// A rectangular lattice in a box. Bodies stand in the middle of equal cells.
    Lattice {
        one_of ["counts", "spacing"];
        check check_lattice;

        /// Lower corner.
        low: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Upper corner.
        high: [f64; 3] => Vector<Number<Length, Any>>, required, "[1, 1, 1]";
        /// Number of bodies along x, y and z.
        counts: [u64; 3] => Vector<Whole<1, MOST_BODIES>>, optional, "[4, 4, 4]";
        /// Distance between neighbours along x, y and z; as many bodies as fit.
        spacing: [f64; 3] => Numbers<Positive<Length>, 3>, optional, "[\"2 cm\", \"2 cm\", \"2 cm\"]";
    }
}

impl Lattice {
    /// Number of bodies along each axis; none where they would be too many.
    pub fn counts(&self) -> Option<[u64; 3]> {
        let wanted = match (self.counts, self.spacing) {
            (Some(counts), _) => counts.map(|count| count as f64),
            (None, Some(spacing)) => {
                // A box of exactly n spacings holds n, whatever the rounding.
                core::array::from_fn(|i| {
                    (((self.high[i] - self.low[i]) / spacing[i]) * (1.0 + 1e-12)).floor().max(1.0)
                })
            }
            (None, None) => [0.0; 3],
        };
        if wanted.iter().product::<f64>() > MOST_BODIES as f64 {
            return None;
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive, and small enough"
        )]
        Some(wanted.map(|count| count as u64))
    }
}

table! {
    /// Bodies at random places in a box or a cylinder, up to a dense packing.
    Cloud {
        one_of ["count", "counts", "mass", "fraction"];
        check check_cloud;

        /// Lower corner of the box.
        low: [f64; 3] => Vector<Number<Length, Any>>, optional, "[0, 0, 0]";
        /// Upper corner of the box.
        high: [f64; 3] => Vector<Number<Length, Any>>, optional, "[1, 1, 1]";
        /// Instead of a box: a cylinder.
        cylinder: Tube => Tube, optional, "{ from = [0, 0, 0], to = [0, 0, 1], radius = \"10 cm\" }";
        /// Number of bodies.
        count: u64 => Whole<0, MOST_BODIES>, optional, "100";
        /// Number of bodies of each of the `templates`.
        counts: Vec<u64> => ListOf<Whole<0, MOST_BODIES>, 1>, optional, "[2, 2, 16]";
        /// Mass of all bodies, to within half a body.
        mass: f64 => Positive<Mass>, optional, "\"2 kg\"";
        /// The part of the box or cylinder that bodies fill, to within half a body. Equal spheres come to about 0.64.
        fraction: f64 => Positive<Ratio>, optional, "0.6";
        /// Least distance between two spheres, or a sphere and the box, as a part of their radii.
        gap: f64 => ZeroOrMore<Ratio>, default 1e-3, "0.01";
    }
}

impl Cloud {
    /// Where it is.
    pub fn region(&self) -> Region {
        let v = LabVec::from_array;
        match (&self.cylinder, self.low, self.high) {
            (Some(tube), ..) => tube.region(),
            (None, low, high) => {
                Region::Box { low: v(low.unwrap_or_default()), high: v(high.unwrap_or_default()) }
            }
        }
    }
}

fn check_bodies(bodies: &Bodies, context: &mut Context<'_>) {
    let places = &bodies.places;
    if bodies.csv.is_some() {
        let moves = |velocity| velocity != Velocity::Fixed([0.0; 3]);
        let said = [
            ("template", bodies.template.is_some()),
            ("templates", bodies.templates.is_some()),
            ("weights", bodies.weights.is_some()),
            ("weights_by", bodies.weights_by != By::Number),
            ("size", bodies.size.is_some()),
            ("orientation", bodies.orientation.is_some()),
            ("velocity", moves(bodies.velocity)),
            ("spin", moves(bodies.spin)),
        ];
        for (key, said) in said {
            if said {
                let message = format!("`{}.{key}` has no meaning beside `csv`", context.path());
                context.report(Problem::error(places.key(key), message).label("the file says that"));
            }
        }
        if matches!(bodies.scale, Scale::Uniform(_)) {
            let message = format!("`{}.scale` must be a number beside `csv`", context.path());
            context.report(
                Problem::error(places.of("scale"), message).label("each body has its own place already"),
            );
        }
        return;
    }
    check_make(&bodies.make(), context);
    let counts = bodies.cloud.as_ref().and_then(|cloud| cloud.counts.as_ref().map(|counts| (cloud, counts)));
    if let Some((cloud, counts)) = counts {
        let templates = bodies.make().templates.len();
        if counts.len() != templates {
            let message = format!("`{}.cloud.counts` must have a number for each template", context.path());
            let label = format!("{} numbers for {templates} templates", counts.len());
            context.report(Problem::error(cloud.places.of("counts"), message).label(label));
        }
        if bodies.weights.is_some() {
            let message = format!("`{}.weights` has no meaning beside `cloud.counts`", context.path());
            context.report(
                Problem::error(places.key("weights"), message).label("the counts say how many of each"),
            );
        }
    }
}

pub(super) fn check_make(make: &Make<'_>, context: &mut Context<'_>) {
    let (places, path) = (make.places, context.path());
    match (places.has("template"), places.has("templates")) {
        (true, true) => {
            let message = format!("`{path}` has both `template` and `templates`");
            context
                .report(Problem::error(places.key("templates"), message).label("one of the two is too many"));
        }
        (false, false) => {
            let message = format!("`{path}` needs the key `template`");
            let problem = Problem::error(places.table(), message).label("of what shape are these bodies?");
            let known = crate::suggest::listed(context.names.templates.iter().map(String::as_str));
            let help = (!known.is_empty()).then(|| format!("the templates of this scene: {known}"));
            context.report(problem.maybe_help(help));
        }
        _ => {}
    }
    if make.size.is_some() && make.scale != Scale::Fixed(1.0) {
        let message = format!("`{path}` has both `scale` and `size`");
        context.report(Problem::error(places.key("scale"), message).label("one of the two is too many"));
    }
    if make.weights_by != By::Number && make.weights.is_none() {
        let message = format!("`{path}.weights_by` has no meaning without `weights`");
        context.report(Problem::error(places.key("weights_by"), message).label("without effect"));
    }
    if let Some(weights) = make.weights {
        let label = if weights.len() == make.templates.len() {
            (weights.iter().sum::<f64>() <= 0.0).then(|| "all of them are zero".to_owned())
        } else {
            Some(format!("{} weights for {} templates", weights.len(), make.templates.len()))
        };
        if let Some(label) = label {
            let message = format!("`{path}.weights` must have a weight for each template, not all zero");
            context.report(Problem::error(places.of("weights"), message).label(label));
        }
    }
}

fn check_lattice(lattice: &Lattice, context: &mut Context<'_>) {
    check_corners(lattice.low, lattice.high, &lattice.places, context);
    let path = context.path();
    if lattice.counts().is_none() {
        let key = if lattice.counts.is_some() { "counts" } else { "spacing" };
        let message = format!("`{path}` has more than {MOST_BODIES} bodies, the most that a scene can have");
        context.report(Problem::error(lattice.places.of(key), message).help("check the unit of the spacing"));
    }
}

fn check_cloud(cloud: &Cloud, context: &mut Context<'_>) {
    let (path, places) = (context.path(), &cloud.places);
    match (cloud.low, cloud.high, &cloud.cylinder) {
        (Some(low), Some(high), None) => check_corners(low, high, places, context),
        (None, None, Some(_)) => {}
        (None, None, None) => {
            let message = format!("`{path}` needs the keys `low` and `high`, or `cylinder`");
            context.report(Problem::error(places.table(), message).label("where are the bodies?"));
        }
        (_, _, Some(_)) => {
            let message = format!("`{path}` has corners and a `cylinder`");
            context
                .report(Problem::error(places.key("cylinder"), message).label("one of the two is too many"));
        }
        (low, ..) => {
            let key = if low.is_some() { "high" } else { "low" };
            let message = format!("`{path}` needs the key `{key}`");
            context.report(Problem::error(places.table(), message).label("it is missing here"));
        }
    }
    if let Some(fraction) = cloud.fraction.filter(|&fraction| fraction >= 1.0) {
        let message = format!("`{path}.fraction` must be less than 1, which is all of the region");
        context.report(Problem::error(places.of("fraction"), message).label(format!("{fraction} is not")));
    }
}

/// A box that is not inside out.
pub(super) fn check_corners(low: [f64; 3], high: [f64; 3], places: &Places, context: &mut Context<'_>) {
    for (axis, (low, high)) in ['x', 'y', 'z'].into_iter().zip(low.into_iter().zip(high)) {
        if high <= low {
            let message = format!("`{}` is inside out along {axis}: from {low} to {high}", context.path());
            let problem = Problem::error(places.of("high"), message)
                .label("each number must be larger than that of `low`")
                .related(places.of("low"), "the lower corner");
            context.report(problem.help("are the two corners swapped?"));
            return;
        }
    }
}
