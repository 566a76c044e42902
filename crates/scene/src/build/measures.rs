//! Measures: their regions and surfaces, and what they name.

use super::{materials, plan, walls};
use crate::diagnostic::Problem;
use crate::keys::{self, Every, SceneKeys};
use crate::place::{Place, Places};
use crate::suggest::{listed, nearest};
use std::path::Path;
use tumble_dem::wall::TriangleMesh;
use tumble_dem::{LabVec, TemplateId, WallId};
use tumble_measure::{Options, Region, Share, Spec, Surface};

/// Samples of a whole run, where nothing else is said.
const SAMPLES: u64 = 500;

/// The measures of a scene, for a run of so many steps; the keys get their intervals in steps. What is wrong is among the
/// problems.
pub(super) fn measures(
    keys: &mut SceneKeys,
    folder: &Path,
    dt: f64,
    steps: u64,
    problems: &mut Vec<Problem>,
) -> Vec<Spec> {
    let names = keys.measures.iter().map(|measure| (&*measure.name, &measure.places));
    check_names(names, "measures", "columns are named after it", problems);
    let mut measures = core::mem::take(&mut keys.measures);
    let mut specs = Vec::with_capacity(measures.len());
    for (number, measure) in measures.iter_mut().enumerate() {
        let path = format!("measures.{number}");
        let keys::Measure { every, window, places, .. } = measure;
        let (every, window) = intervals((every, window), places, &path, (dt, steps, SAMPLES), problems);
        if let Some(options) = options(keys, measure, &path, folder, problems) {
            specs.push(Spec { name: measure.name.clone(), kind: measure.kind, every, window, options });
        }
    }
    keys.measures = measures;
    specs
}

/// Things of one sort whose results could not be told apart.
pub(super) fn check_names<'k>(
    names: impl Iterator<Item = (&'k str, &'k Places)>,
    sort: &str,
    why: &str,
    problems: &mut Vec<Problem>,
) {
    let mut seen: Vec<(&str, &Places)> = Vec::new();
    for (name, places) in names {
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == name) {
            let problem = Problem::error(places.of("name"), format!("two {sort} are called `{name}`"));
            problems.push(problem.label(why).related(first.of("name"), "the other one"));
        }
        seen.push((name, places));
    }
}

/// Steps between samples and of a window, which the keys get as well, in a run of so many steps of a length; so many samples
/// of it where nothing else is said.
pub(super) fn intervals(
    (every_key, window_key): (&mut Option<Every>, &mut Option<Every>),
    places: &Places,
    path: &str,
    (dt, steps, samples): (f64, u64, u64),
    problems: &mut Vec<Problem>,
) -> (u64, Option<u64>) {
    let mut in_steps = |every: Every, key: &str| match every {
        Every::Steps(steps) => steps,
        Every::Time(time) => plan::whole_steps(time, dt, places.of(key), problems),
    };
    let window = window_key.map(|window| in_steps(window, "window"));
    let every = every_key.map(|every| in_steps(every, "every"));
    let every = every.unwrap_or_else(|| {
        let often = (steps / samples).max(1);
        // Several samples in each window.
        window.map_or(often, |window| often.min((window / 10).max(1)))
    });
    // A window has whole samples.
    let whole = window.map(|window| ((window + every / 2) / every).max(1).saturating_mul(every));
    if let Some(window) = window.filter(|window| *window < every) {
        let message =
            format!("`{path}.window` is {window} steps, shorter than the {every} from sample to sample");
        problems.push(
            Problem::error(places.of("window"), message)
                .label("a window needs samples")
                .related(places.of("every"), "how often it looks"),
        );
    }
    let (longest, key) = whole.map_or((every, "every"), |window| (window, "window"));
    if longest > steps && steps > 0 {
        let what = if key == "window" { "no window ever ends" } else { "it looks at the start only" };
        let message = format!("`{path}.{key}` is {longest} steps, and the run has {steps}: {what}");
        problems.push(Problem::warning(places.of(key), message));
    }
    *every_key = Some(Every::Steps(every));
    *window_key = whole.map(Every::Steps);
    (every, whole)
}

fn options(
    keys: &SceneKeys,
    measure: &keys::Measure,
    path: &str,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<Options> {
    if !measure.places.is_sound() {
        return None;
    }
    let before = problems.len();
    let mut maker = Maker { keys, path, folder, problems };
    let options = Options {
        region: measure.region.as_ref().and_then(|region| maker.region(region)),
        through: measure.through.as_ref().and_then(|through| maker.surface(through)),
        walls: maker.walls(measure),
        axis: maker.direction(measure, "axis", measure.axis),
        point: measure.point.map(LabVec::from_array),
        of: measure.of.as_ref().and_then(|of| maker.share(of)),
        size: measure.size,
        cells: measure.cells,
        bins: measure.bins,
        along: maker.direction(measure, "along", measure.along),
        up: maker.up(measure),
        area: measure.area,
    };
    check_triaxial(keys, measure, path, problems);
    let flat =
        |(along, up): (LabVec<f64>, LabVec<f64>)| along.cross(up).norm() <= 1e-9 * along.norm() * up.norm();
    if options.along.zip(options.up).is_some_and(flat) {
        let message = format!("`{path}.along` has the direction in which heights are counted");
        problems.push(Problem::error(measure.places.of("along"), message).label("it must go across"));
    }
    (problems.len() == before).then_some(options)
}

/// A triaxial test has walls on all sides of its sample, or two platens and a membrane.
fn check_triaxial(keys: &SceneKeys, measure: &keys::Measure, path: &str, problems: &mut Vec<Problem>) {
    let walls = measure.walls.as_ref().map_or(0, Vec::len);
    if measure.kind.name() != "triaxial-walls" || walls == 6 || (walls == 2 && keys.membranes.len() == 1) {
        return;
    }
    let message = format!("`{path}.walls` must name six walls, or two where the scene has one membrane");
    let label = format!("this has {walls}, and the scene {} membranes", keys.membranes.len());
    problems.push(Problem::error(measure.places.of("walls"), message).label(label));
}

/// Makes what a measure is told.
struct Maker<'a> {
    keys: &'a SceneKeys,
    path: &'a str,
    folder: &'a Path,
    problems: &'a mut Vec<Problem>,
}

impl Maker<'_> {
    fn refuse<T>(&mut self, place: Place, key: &str, what: &str) -> Option<T> {
        self.problems.push(Problem::error(place, format!("`{}.{key}`: {what}", self.path)));
        None
    }

    fn region(&mut self, region: &keys::MeasureRegion) -> Option<Region> {
        let v = LabVec::from_array;
        if let Some(keys::Box { low, high, .. }) = &region.enclosure {
            return Some(Region::cuboid(v(*low), v(*high)));
        }
        if let Some(keys::Ball { centre, radius, .. }) = &region.sphere {
            return Some(Region::sphere(v(*centre), *radius));
        }
        let (made, place) = if let Some(tube) = &region.cylinder {
            (Region::cylinder(v(tube.from), v(tube.to), tube.radius), tube.places.of("to"))
        } else {
            let mesh = region.mesh.as_ref()?;
            (Region::mesh(&self.mesh(mesh)?), walls::place_of_triangles(mesh))
        };
        made.or_else(|error| self.refuse(place, "region", &error.to_string()).ok_or(())).ok()
    }

    fn surface(&mut self, through: &keys::Through) -> Option<Surface> {
        let v = LabVec::from_array;
        let (made, place) = if let Some(plane) = &through.plane {
            (Surface::plane(v(plane.point), v(plane.normal)), plane.places.of("normal"))
        } else if let Some(disc) = &through.disc {
            (Surface::disc(v(disc.centre), v(disc.normal), disc.radius), disc.places.of("normal"))
        } else {
            return self.mesh(through.mesh.as_ref()?).map(|mesh| Surface::mesh(&mesh));
        };
        made.or_else(|| self.refuse(place, "through", "the normal must not be zero"))
    }

    fn mesh(&mut self, mesh: &keys::Mesh) -> Option<TriangleMesh> {
        match walls::triangles(mesh, self.folder, self.problems)? {
            Ok(mesh) => Some(mesh),
            Err(error) => self.refuse(walls::place_of_triangles(mesh), "mesh", &error.to_string()),
        }
    }

    fn walls(&mut self, measure: &keys::Measure) -> Vec<WallId> {
        let names = || self.keys.walls.iter().map(|wall| &*wall.name);
        let mut found = Vec::new();
        for wanted in measure.walls.iter().flatten() {
            if let Some(number) = names().position(|name| name == wanted) {
                found.extend(u32::try_from(number).map(WallId));
                continue;
            }
            let message = format!("`{}.walls`: there is no wall `{wanted}`", self.path);
            let help = match names().next() {
                None => "the scene has no walls yet".to_owned(),
                Some(_) => format!("the walls of this scene: {}", listed(names())),
            };
            self.problems.push(
                Problem::error(measure.places.of("walls"), message)
                    .label("unknown")
                    .maybe_help(nearest(wanted, names()).map(|meant| format!("did you mean `{meant}`?")))
                    .help(help),
            );
        }
        found
    }

    fn direction(
        &mut self,
        measure: &keys::Measure,
        key: &str,
        given: Option<[f64; 3]>,
    ) -> Option<LabVec<f64>> {
        let direction = LabVec::from_array(given?);
        if direction.norm() > 0.0 {
            return Some(direction);
        }
        self.refuse(measure.places.of(key), key, "a direction must not be zero")
    }

    fn up(&mut self, measure: &keys::Measure) -> Option<LabVec<f64>> {
        let gravity = LabVec::from_array(self.keys.gravity);
        let takes = measure.kind.info().takes.contains(&tumble_measure::Key::Up);
        if measure.up.is_some() {
            return self.direction(measure, "up", measure.up);
        }
        if takes && gravity.norm() == 0.0 {
            let what = "without gravity it needs the key `up`, such as up = [0, 0, 1]";
            return self.refuse(measure.places.of("kind"), "up", what);
        }
        takes.then(|| -gravity)
    }

    fn share(&self, of: &keys::Share) -> Option<Share> {
        if let Some(name) = &of.template {
            let number = self.keys.templates.iter().position(|(template, _)| template == name)?;
            return u16::try_from(number).ok().map(|number| Share::Template(TemplateId(number)));
        }
        if let Some(name) = &of.material {
            return materials::number(self.keys, Some(name)).map(Share::Material);
        }
        of.larger_than.map(Share::LargerThan)
    }
}
