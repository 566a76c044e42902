//! Crowds: all bodies are put in small and grown in stages, until they have their size or are jammed.
//!
//! A crowd that is jammed shortly before its full size is shaken: shrunk a little, its bodies kicked at
//! random and relaxed several times, and grown again. That orders layers along the walls, which is where a
//! small box has its room. Shaking stops after a number of steps, so that no crowd takes for ever.

use super::super::choice::Orientation;
use super::super::patience;
use super::super::room::Room;
use super::add_one_by_one;
use super::relax::Relaxation;
use crate::random::Random;
use crate::world::Body;

/// Spheres are grown by this part more than their size, so that pushing them apart comes to an end.
pub(super) const MARGIN: f64 = 5e-4;
/// The part of the box that bodies fill before they grow, and the size that they then have: both at most.
const SPARSE: f64 = 0.2;
const SMALL: f64 = 0.9;
/// By what they are made smaller if they do not fit, and how often.
const SMALLER: (f64, u32) = (0.8, 20);

/// By what sizes grow from stage to stage: at most, and where the crowd counts as jammed.
const GROWTH: [f64; 2] = [0.05, 5e-4];
/// The overlaps that may be left at the end of a stage before the last, as a part of the radius.
const PASSABLE: f64 = 3e-3;
/// Steps of a stage, and of the last.
const STEPS: [u32; 2] = [500, 2000];

/// A crowd is shaken if it fills at least this part of what it has to.
const NEARLY: f64 = 0.9;
/// The size that a crowd is shrunk to, how often it is kicked, and the longest kick as a part of the smallest
/// radius: less than one, lest a sphere gets behind a wall.
const SHRUNK: f64 = 0.98;
const KICKS: u32 = 10;
const LONGEST_KICK: f64 = 0.8;
/// How often a crowd is shaken, and after how many steps of single spheres it is not any more.
const SHAKES: u32 = 20;
const WORK: u64 = 40_000_000;

/// Puts bodies into an empty room; else says which part of its region they could fill.
pub(super) fn pack(
    room: &Room<'_>,
    bodies: &mut [Body],
    orientation: Orientation,
    random: &mut Random,
) -> Result<(), f64> {
    let volume = |body: &Body| room.shape(body.template).volume() * body.scale * body.scale * body.scale;
    let asked = bodies.iter().map(volume).sum::<f64>() / room.region.volume();
    let fraction = |size: f64| asked * size * size * size;
    let mut size = SMALL;
    while fraction(size) > SPARSE {
        size *= SMALL;
    }
    let size = put_in_small(room, bodies, orientation, size, random).ok_or(0.0)?;
    let mut crowd = Crowd { relaxation: Relaxation::new(room, bodies, orientation), size };
    crowd.grow();
    let mut best = crowd.size;
    let mut shakes = 0;
    while crowd.size < 1.0 {
        let near = fraction(best) > NEARLY * asked;
        if patience::was_over() || !near || shakes == SHAKES || crowd.relaxation.work > WORK {
            return Err(fraction(best * (1.0 - PASSABLE)));
        }
        shakes += 1;
        crowd.shake(random);
        crowd.grow();
        best = best.max(crowd.size);
    }
    for (body, &(position, q)) in bodies.iter_mut().zip(crowd.relaxation.poses()) {
        (body.position, body.orientation) = (position, q);
    }
    Ok(())
}

/// Puts all bodies in, none larger than this relative to its full size; returns how large they are.
fn put_in_small(
    room: &Room<'_>,
    bodies: &mut [Body],
    orientation: Orientation,
    mut size: f64,
    random: &mut Random,
) -> Option<f64> {
    for _ in 0..SMALLER.1 {
        if add_one_by_one(&mut room.clone(), bodies, orientation, size, random) == bodies.len() {
            return Some(size);
        }
        if patience::was_over() {
            return None;
        }
        size *= SMALLER.0;
    }
    None
}

/// Bodies in the size that they have so far, none of which overlaps by more than is passable.
struct Crowd<'r> {
    relaxation: Relaxation<'r>,
    size: f64,
}

impl Crowd<'_> {
    /// Grows until the bodies have their full size, or no stage is small enough.
    fn grow(&mut self) {
        let mut growth = GROWTH[0];
        while self.size < 1.0 && growth > GROWTH[1] {
            let next = (self.size * (1.0 + growth)).min(1.0);
            let last = next >= 1.0;
            let (allowed, steps) = if last { (0.9 * MARGIN, STEPS[1]) } else { (PASSABLE, STEPS[0]) };
            if self.relaxation.run(next, allowed, steps) {
                self.size = next;
                growth = (growth * 1.3).min(GROWTH[0]);
            } else {
                growth *= 0.5;
            }
        }
    }

    fn shake(&mut self, random: &mut Random) {
        self.size *= SHRUNK;
        for _ in 0..KICKS {
            self.relaxation.kick(LONGEST_KICK * self.size, random);
            if !self.relaxation.run(self.size, PASSABLE, STEPS[1]) {
                break;
            }
        }
    }
}
