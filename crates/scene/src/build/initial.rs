//! Whether bodies start where they can be: inside closed walls, and not within each other.

use super::populate::Origins;
use crate::diagnostic::Problem;
use crate::keys::SceneKeys;
use crate::place::Place;
use tumble_dem::placement::{Overlap, PlacementError, overlaps, was_over};
use tumble_dem::{LabVec, Touching, World};

/// Bodies may overlap at the start by this part of what stops a run, since bodies at rest on each other do.
const PART: f64 = 0.1;

/// Overlaps that are looked at; the rest is only counted.
const MOST: usize = 10_000;

/// Reports bodies that are outside a wall, in a wall, or in each other: the worst of each, and how many there are.
pub(super) fn check_places(keys: &SceneKeys, world: &World, origins: &Origins, problems: &mut Vec<Problem>) {
    let names = Populations { keys, origins };
    let allowed = PART * keys.run.max_overlap;
    let outside = check_outside(world, &names, problems);
    let all = overlaps(world, allowed, MOST);
    if was_over() {
        // Not all of them were compared.
        let place = keys.bodies.first().map_or_else(Place::default, |bodies| bodies.places.table());
        problems.push(Problem::error(place, PlacementError::Interrupted.to_string()));
        return;
    }
    let uncounted = all.total - all.found.len();
    // Of two things that nothing moves, neither gives way.
    let is_held = |overlap: &Overlap| {
        let held = |body: u32| world.bodies.get(body as usize).is_some_and(|body| body.held);
        let other = match overlap.with {
            Touching::Body(other, _) => held(other.0),
            Touching::Wall(wall) => world.walls.get(wall.index()).is_some_and(|wall| wall.motion.is_static()),
        };
        held(overlap.body.0.0) && other
    };
    let found: Vec<&Overlap> = all.found.iter().filter(|overlap| !is_held(overlap)).collect();
    let worst = |found: &[&Overlap]| {
        found.iter().copied().max_by(|a, b| (a.depth / a.radius).total_cmp(&(b.depth / b.radius))).copied()
    };
    let (between, with_walls): (Vec<&Overlap>, Vec<&Overlap>) =
        found.into_iter().partition(|overlap| matches!(overlap.with, Touching::Body(..)));
    if let Some(worst) = worst(&between) {
        let more = rest(between.len() + uncounted, ["pair more overlaps", "pairs more overlap"]);
        problems.push(names.overlap(&worst, allowed).maybe_help(more));
    }
    for number in 0..world.walls.len() {
        let of_wall: Vec<&Overlap> = with_walls
            .iter()
            .copied()
            .filter(|overlap| matches!(overlap.with, Touching::Wall(wall) if wall.index() == number))
            .filter(|overlap| !outside.contains(&(overlap.body.0.0, number)))
            .collect();
        if let Some(worst) = worst(&of_wall) {
            let (place, body) = names.site(worst.body.0.0);
            let (wall, part) = (&world.walls[number].name, worst.depth / worst.radius);
            let message = format!("{body} is in the wall `{wall}`, by {part:.3} of the radius of a sphere");
            let position = world.bodies[worst.body.0.0 as usize].position;
            let problem = Problem::error(place, message).label(format!("at {}", shown(position)));
            let more = rest(of_wall.len(), ["body more is in it", "bodies more are in it"]);
            problems.push(problem.maybe_help(more));
        }
    }
}

/// Bodies that are beyond closed walls, each with the number of the wall.
fn check_outside(world: &World, names: &Populations<'_>, problems: &mut Vec<Problem>) -> Vec<(u32, usize)> {
    let mut all = Vec::new();
    for (number, wall) in world.walls.iter().enumerate() {
        let pose = wall.motion.at(0.0);
        let first = all.len();
        for (body, each) in (0..).zip(&world.bodies).filter(|_| pose.present) {
            if wall.shape.escaped(pose.to_reference(each.position)) {
                all.push((body, number));
            }
        }
        if let Some(&(body, _)) = all.get(first) {
            let (place, name) = names.site(body);
            let problem = Problem::error(place, format!("{name} is outside the closed wall `{}`", wall.name));
            let problem = problem.label(format!("at {}", shown(world.bodies[body as usize].position)));
            let more = rest(all.len() - first, ["body more is outside it", "bodies more are outside it"]);
            problems.push(problem.maybe_help(more));
        }
    }
    all
}

/// Which population a body is of.
struct Populations<'a> {
    keys: &'a SceneKeys,
    origins: &'a Origins,
}

impl Populations<'_> {
    /// Where a body comes from, and what to call it.
    fn site(&self, body: u32) -> (Place, String) {
        let body = body as usize;
        let number = self.origins.iter().position(|range| range.contains(&body)).unwrap_or(0);
        let first = self.origins.get(number).map_or(0, |range| range.start);
        let Some(population) = self.keys.bodies.get(number) else { return (Place::default(), String::new()) };
        let key =
            ["at", "lattice", "cloud", "sleeve", "csv"].into_iter().find(|key| population.places.has(key));
        (
            population.places.of(key.unwrap_or("template")),
            format!("body {} of `bodies.{number}`", body - first),
        )
    }

    fn overlap(&self, overlap: &Overlap, allowed: f64) -> Problem {
        let other = match overlap.with {
            Touching::Body(other, _) => other.0,
            Touching::Wall(_) => overlap.body.0.0,
        };
        let ((place_a, a), (place_b, b)) = (self.site(other), self.site(overlap.body.0.0));
        let part = overlap.depth / overlap.radius;
        let problem = Problem::error(
            place_b,
            format!("{a} and {b} overlap by {part:.3} of the smaller radius"),
        )
        .label("they would fly apart")
        .help(format!(
            "at the start bodies may overlap by {allowed:.3}, a tenth of run.max_overlap; move them apart"
        ));
        if place_a == place_b { problem } else { problem.related(place_a, "the other") }
    }
}

/// What is not shown of so many: one, or several.
fn rest(count: usize, [one, several]: [&str; 2]) -> Option<String> {
    match count {
        0 | 1 => None,
        2 => Some(format!("1 {one}")),
        _ => Some(format!("{} {several}", count - 1)),
    }
}

fn shown(v: LabVec<f64>) -> String {
    format!("({:.6}, {:.6}, {:.6}) m", v.x, v.y, v.z)
}
