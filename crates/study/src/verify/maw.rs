//! Maw, Barber & Fawcett 1976: the oblique impact of an elastic sphere on a half-space of the same material, with parts of
//! the contact area that stick and parts that slip.
//!
//! It is drawn beside the contact law of the engine, which knows one spring and one slider, to show what that leaves out.
//!
//! The normal motion is that of Hertz. The contact grows by one annulus in each step, and shrinks by one; the tangential
//! traction is a sum of distributions cⱼ√(bⱼ² − r²) over the outer radii bⱼ of the annuli inside the contact. In each annulus,
//! judged at the middle of its width, either the surface has moved with the bodies since the last step, or the
//! traction is μ times the pressure. Guesses of which of the two are mended until they fit: no traction above friction, no slip
//! against it. Units are those of `oblique.rs`, so that a pressure 3/2π √(a² − r²) gives the force a³ and the displacement
//! a² − ½r²; the same traction moves the surface along by 1/κ of it, averaged over directions.

use core::f64::consts::PI;

/// Annuli in the largest contact area. With twice as many the velocity after changes by 0.03 μ at most.
const ANNULI: usize = 60;

/// The velocity of the surface along the plane after the impact, from that before, over the normal speed; κ is the
/// tangential over the normal stiffness.
pub(super) fn rebound(stiffness_ratio: f64, friction: f64, along: f64) -> f64 {
    let widest = 1.25_f64.powf(0.2);
    let radius = |number: usize| widest * number as f64 / ANNULI as f64;
    let middle = |number: usize| widest * (number as f64 + 0.5) / ANNULI as f64;
    let times = times(widest);
    // Its normal velocity at each radius: from one to the next the bodies get the difference as impulse.
    let speed = |number: usize| (1.0 - (number as f64 / ANNULI as f64).powi(5)).sqrt();
    let mut sphere =
        Sphere { surface: along, grip: 0.0, displaced: [0.0; ANNULI], state: [State::Stick; ANNULI] };
    for step in 1..=2 * ANNULI {
        let inside = if step <= ANNULI { step } else { 2 * ANNULI - step };
        let interval = if step <= ANNULI { step } else { inside + 1 };
        let contact = Contact {
            radii: (1..=inside).map(radius).collect(),
            middles: (0..ANNULI).map(middle).collect(),
            compliance: 1.0 / stiffness_ratio,
            friction,
            time: times[interval - 1],
            impulse: speed(interval - 1) - speed(interval),
            // There is no force before the first step and after the last one.
            weight: if step == 1 {
                1.0
            } else if inside == 0 {
                0.0
            } else {
                0.5
            },
        };
        sphere.advance(&contact);
    }
    sphere.surface
}

/// How long the contact takes to grow from one annulus to the next: ẋ² = 1 − 4/5 x^{5/2} with x = a². With x = w(1 − y²), w the
/// largest, nothing is singular where it turns round.
fn times(widest: f64) -> Vec<f64> {
    const PIECES: u32 = 200;
    let deepest = widest * widest;
    let y = |number: usize| (1.0 - (number as f64 / ANNULI as f64).powi(2)).sqrt();
    (1..=ANNULI)
        .map(|number| {
            let width = (y(number - 1) - y(number)) / f64::from(PIECES);
            let piece = |k: u32| {
                let y = y(number) + width * (f64::from(k) + 0.5);
                2.0 * deepest * y / (1.0 - (1.0 - y * y).powf(2.5)).sqrt() * width
            };
            (0..PIECES).map(piece).sum()
        })
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Stick,
    /// With the sign of the traction.
    Slip(f64),
}

/// The contact at the end of a step.
struct Contact {
    /// Outer radii of the annuli inside.
    radii: Vec<f64>,
    /// Of all annuli, where they are judged.
    middles: Vec<f64>,
    compliance: f64,
    friction: f64,
    /// Of the step.
    time: f64,
    /// Of the normal force in the step.
    impulse: f64,
    /// Of the end of the step in its mean.
    weight: f64,
}

impl Contact {
    /// The displacement at r by the traction √(b² − r²), inside and outside of b.
    fn displacement(&self, r: f64, b: f64) -> f64 {
        let square = 2.0 * b * b - r * r;
        let normal =
            if r <= b { 0.5 * square } else { (square * (b / r).asin() + b * (r * r - b * b).sqrt()) / PI };
        normal * self.compliance
    }

    fn traction(&self, r: f64, parts: &[f64]) -> f64 {
        self.radii.iter().zip(parts).map(|(b, part)| part * (b * b - r * r).max(0.0).sqrt()).sum()
    }

    /// The most that friction bears there.
    fn limit(&self, r: f64) -> f64 {
        let a = self.radii.last().copied().unwrap_or(0.0);
        self.friction * (a * a - r * r).max(0.0).sqrt()
    }

    /// The force along the plane over the normal one.
    fn grip(&self, parts: &[f64]) -> f64 {
        let a = self.radii.last().copied().unwrap_or(1.0);
        self.radii.iter().zip(parts).map(|(b, part)| part * (b / a).powi(3)).sum()
    }
}

struct Sphere {
    surface: f64,
    /// The force along the plane over the normal one.
    grip: f64,
    /// Of the surfaces against each other in the middle of each annulus.
    displaced: [f64; ANNULI],
    state: [State; ANNULI],
}

impl Sphere {
    /// The mean of T/F in the step times its normal impulse changes u by 7/2 of it: no error where all slides. The mean
    /// of u times the time is the way of the bodies.
    fn advance(&mut self, contact: &Contact) {
        let (inside, time) = (contact.radii.len(), contact.time);
        // u falls by `braking` + `yielding` T/F, T/F at the end of the step.
        let braking = 3.5 * contact.impulse * (1.0 - contact.weight) * self.grip;
        let yielding = 3.5 * contact.impulse * contact.weight;
        let way = (self.surface - 0.5 * braking) * time;
        let yields = 0.5 * time * yielding;
        self.state[inside..].fill(State::Stick);
        let mut parts = Vec::new();
        for _ in 0..50 {
            parts = solve(self.equations(contact, way, yields));
            let moved = way - yields * contact.grip(&parts);
            let mut changed = false;
            for (i, &r) in contact.middles[..inside].iter().enumerate() {
                let (traction, limit) = (contact.traction(r, &parts), contact.limit(r));
                let slip = moved - (displaced(contact, r, &parts) - self.displaced[i]);
                let state = match self.state[i] {
                    State::Stick if traction.abs() > limit * (1.0 + 1e-9) => State::Slip(traction.signum()),
                    State::Slip(sign) if slip * sign < -1e-12 => State::Stick,
                    same => same,
                };
                changed |= state != self.state[i];
                self.state[i] = state;
            }
            if !changed {
                break;
            }
        }
        self.grip = contact.grip(&parts);
        self.surface -= braking + yielding * self.grip;
        for (displacement, &r) in self.displaced.iter_mut().zip(&contact.middles) {
            *displacement = displaced(contact, r, &parts);
        }
    }

    /// A row for each annulus inside, with the right-hand side last.
    fn equations(&self, contact: &Contact, way: f64, yields: f64) -> Vec<Vec<f64>> {
        let a = contact.radii.last().copied().unwrap_or(1.0);
        let row = |(i, &r): (usize, &f64)| {
            let mut row: Vec<f64> = match self.state[i] {
                State::Stick => contact
                    .radii
                    .iter()
                    .map(|&b| contact.displacement(r, b) + yields * (b / a).powi(3))
                    .collect(),
                State::Slip(_) => contact.radii.iter().map(|b| (b * b - r * r).max(0.0).sqrt()).collect(),
            };
            row.push(match self.state[i] {
                State::Stick => self.displaced[i] + way,
                State::Slip(sign) => sign * contact.limit(r),
            });
            row
        };
        contact.middles[..contact.radii.len()].iter().enumerate().map(row).collect()
    }
}

fn displaced(contact: &Contact, r: f64, parts: &[f64]) -> f64 {
    contact.radii.iter().zip(parts).map(|(&b, part)| part * contact.displacement(r, b)).sum()
}

/// Gauss' elimination with pivots.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for column in 0..n {
        let best = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let (above, below) = rows.split_at_mut(column + 1);
        let pivot = &above[column];
        for row in below {
            let factor = row[column] / pivot[column];
            for (element, by) in row.iter_mut().zip(pivot).skip(column) {
                *element -= factor * by;
            }
        }
    }
    let mut solution = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][n] - known) / rows[i][i];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's closed forms, with ψ = κu/μ and χ = 7κ/4: beyond ψ₁ = 4χ − 1 it slides to the end, and ψ₂ = ψ₁ − 4χ.
    #[test]
    fn sliding_begins_where_the_paper_says() {
        let (ratio, friction) = (2.0 * 0.7 / 1.7, 0.3);
        let chi = 1.75 * ratio;
        let second = |first: f64| rebound(ratio, friction, first * friction / ratio) * ratio / friction;
        for first in [4.0 * chi - 0.9, 6.0, 8.0] {
            assert!((second(first) - (first - 4.0 * chi)).abs() < 2e-3, "{first}: {}", second(first));
        }
        let before = 4.0 * chi - 1.5;
        assert!(second(before) > before - 4.0 * chi + 0.02, "{}", second(before));
    }

    /// Finite elements of the same impact, steel with ν = 0.3 (Chung & Ooi 2011, test 5; read off their figure): the velocity of the
    /// surface over μ and the normal one, before and after.
    #[test]
    fn finite_elements_agree() {
        let (ratio, friction) = (2.0 * 0.7 / 1.7, 0.3);
        for (before, after) in [(1.915, -0.627), (2.785, -1.253), (3.970, -1.720), (5.758, -1.200)] {
            let ours = rebound(ratio, friction, before * friction) / friction;
            assert!((ours - after).abs() < 0.1, "{before}: {ours}, not {after}");
        }
    }
}
