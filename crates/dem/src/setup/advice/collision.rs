//! The shortest collision that is possible at the present speeds.

use super::kinds::{Kind, Partner, partners};
use super::{COLLISION_FRACTION, Limit, LimitKind, Site};
use crate::contact::Group;
use crate::engine::Engine;
use crate::id::WallId;
use crate::report::Touching;
use crate::wall::Wall;
use tumble_math::LabVec;

/// The largest speed at which two surfaces can approach each other, m/s: that of the fastest two of all bodies
/// (with their spin, and after the longest fall) and walls.
pub(super) fn closing_speed(engine: &Engine) -> f64 {
    let fallen = 2.0 * engine.rules.gravity.norm() * longest_fall(engine);
    let bodies = engine.bodies().into_iter().map(|state| {
        let row = engine.space.bodies.row(state.id).unwrap_or(0);
        let tip = state.angular_velocity.norm() * engine.space.bodies.bounding[row];
        let gained = if state.held { 0.0 } else { fallen };
        (state.velocity.norm_squared() + gained).sqrt() + tip
    });
    let walls = engine.space.poses.iter().map(|pose| pose.max_speed(engine.space.region));
    let mut fastest = [0.0; 2];
    for speed in bodies.chain(walls) {
        if speed > fastest[0] {
            fastest = [speed, fastest[0]];
        } else if speed > fastest[1] {
            fastest[1] = speed;
        }
    }
    fastest[0] + fastest[1]
}

/// How deep a body can fall, m: from the highest to the lowest, or to the wall below the highest one.
fn longest_fall(engine: &Engine) -> f64 {
    let size = engine.rules.gravity.norm();
    if engine.space.bodies.len() == 0 || size == 0.0 {
        return 0.0;
    }
    let down = engine.rules.gravity * (1.0 / size);
    let depth = |row: &usize| LabVec::from_array(engine.space.bodies.position.row(*row)).dot(down);
    let rows = 0..engine.space.bodies.len();
    let by_depth = |a: &usize, b: &usize| depth(a).total_cmp(&depth(b));
    let (Some(highest), Some(lowest)) = (rows.clone().min_by(by_depth), rows.max_by(by_depth)) else {
        return 0.0;
    };
    let start = LabVec::from_array(engine.space.bodies.position.row(highest));
    let to_walls = engine.space.walls.iter().enumerate().filter_map(|(number, wall)| {
        let pose = &engine.space.poses[number];
        distance_along(wall, |x| pose.to_reference(x), start, down, engine.space.bodies.bounding[highest])
    });
    to_walls.fold(depth(&lowest) - depth(&highest), f64::max)
}

/// The distance from a point to a wall in a direction, by going on as far as nothing can be in the way; none if
/// the wall is not there.
fn distance_along(
    wall: &Wall,
    to_reference: impl Fn(LabVec<f64>) -> LabVec<f64>,
    start: LabVec<f64>,
    direction: LabVec<f64>,
    size: f64,
) -> Option<f64> {
    let mut way = 0.0;
    for _ in 0..100 {
        let distance = wall.shape.distance(to_reference(start + direction * way));
        if distance < 0.01 * size {
            return Some(way);
        }
        way += distance;
        if !way.is_finite() || way > 1e6 * size {
            break;
        }
    }
    None
}

pub(super) fn limit(engine: &Engine, kinds: &[Kind], speed: f64) -> Option<Limit> {
    let fronts = partners(engine, kinds);
    let mut shortest: Option<(f64, Partner, Touching)> = None;
    let mut consider = |pair: PairOf<'_>, radius: f64, yields: f64, of: Partner, with: Touching| {
        let seconds = pair.group.erased.contact_time(pair.constants, radius, 1.0 / yields, speed);
        if yields > 0.0 && shortest.as_ref().is_none_or(|(least, ..)| seconds < *least) {
            shortest = Some((seconds, of, with));
        }
    };
    for a in fronts.iter().flatten() {
        for b in fronts.iter().flatten() {
            let other = if a.kind.body == b.kind.body { b.kind.twin } else { Some(b.kind.body) };
            // Each pair once.
            if let Some(other) = other.filter(|_| a.kind.body <= b.kind.body) {
                let pair = pair_of(engine, a.kind.material, b.kind.material);
                let radius = a.radius * b.radius / (a.radius + b.radius);
                consider(pair, radius, a.yields + b.yields, *a, Touching::Body(other, b.sphere));
            }
        }
        for (number, wall) in (0..).zip(&engine.space.walls) {
            let pair = pair_of(engine, a.kind.material, wall.material.0);
            consider(pair, a.radius, a.yields, *a, Touching::Wall(WallId(number)));
        }
    }
    let (seconds, partner, with) = shortest?;
    Some(Limit {
        kind: LimitKind::Collision,
        seconds,
        fraction: COLLISION_FRACTION,
        site: Site { body: partner.kind.body, sphere: Some(partner.sphere), with: Some(with) },
        explanation: format!(
            "an elastic collision at {speed:.3e} m/s; {:.0} steps keep its energy to 10⁻⁴, 20 steps to 10⁻³",
            1.0 / COLLISION_FRACTION
        ),
    })
}

/// Two materials: their model, and its constants.
#[derive(Clone, Copy)]
pub(super) struct PairOf<'a> {
    pub(super) group: &'a Group,
    pub(super) constants: &'a [f64],
}

pub(super) fn pair_of(engine: &Engine, a: u16, b: u16) -> PairOf<'_> {
    let group = engine.rules.groups.of(a, b);
    PairOf { group, constants: group.pairs.of(a, b) }
}
