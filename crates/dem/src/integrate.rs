//! The motion of the bodies from one force evaluation to the next, in one pass over their rows.
//!
//! Forces and torques are always those of the present instant tₙ; a step finishes what the schemes have to do
//! with them, moves every body to tₙ₊₁, and shows it there to the contact laws:
//!
//! | | translation | rotation |
//! | --- | --- | --- |
//! | with Fₙ, τₙ | vₙ₊½ = vₙ₋½ + Δt Fₙ/m | `after_torque` |
//! | to tₙ₊₁ | xₙ₊₁ = xₙ + Δt vₙ₊½ | `before_torque` |
//! | seen at tₙ₊₁ | vₙ₊½ + ½Δt Fₙ/m | `at_torque` |
//!
//! So translation and rotation are at the same instant whenever a force is evaluated, whatever the scheme.

use crate::bodies::{Bodies, Seen};
use crate::columns::split;
use crate::parallel::Threads;
use tumble_math::{BodyVec, LabVec, Quat, RotationMatrix};
use tumble_rotation::batch::{self, InstructionSet, Kernel};
use tumble_rotation::{Hook, SchemeKind, TimeLevel};

/// Rows that go through all hooks together, so that they stay in the cache. A multiple of a batch's block.
const ROWS: usize = 128;

/// How bodies are moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub(crate) scheme: SchemeKind,
    pub(crate) dt: f64,
    pub(crate) gravity: LabVec<f64>,
    pub(crate) set: InstructionSet,
    /// Whether anything asks for velocities at the instant of the force.
    pub(crate) velocities_seen: bool,
}

impl Motion {
    /// Whether the orientation between steps is not the one at which torques are evaluated.
    pub(crate) fn staggered(&self) -> bool {
        self.scheme.info().time_level == TimeLevel::Staggered
    }

    /// Whether the scheme's torque is that of the end of its step, so that `after_torque` gives the
    /// synchronised state.
    pub(crate) fn torque_at_end(&self) -> bool {
        self.scheme.info().torque_times == [1.0]
    }
}

/// Which spheres of each row occur in the neighbour lists: the only ones that are placed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needed {
    /// Where the list of each row begins; one more than there are rows.
    pub(crate) first: Vec<u32>,
    /// Spheres by their number in the template.
    pub(crate) spheres: Vec<u32>,
}

impl Needed {
    /// Every sphere of every row.
    fn all(bodies: &Bodies) -> Self {
        let first = bodies.first_sphere.clone();
        let spheres = first.windows(2).flat_map(|ends| 0..ends[1] - ends[0]).collect();
        Self { first, spheres }
    }
}

/// Moves all bodies by one step, resets their forces to their weight, and returns the farthest that any
/// point of a body's spheres can have moved.
pub(crate) fn advance(bodies: &mut Bodies, needed: &Needed, motion: &Motion, threads: &Threads) -> f64 {
    let (rows, shapes) = Rows::of(bodies, needed);
    let longest = threads.split_rows(rows, Rows::len, Rows::split_at, |rows| rows.advance(motion, shapes));
    longest.into_iter().fold(0.0, |a, b| if a > b { a } else { b })
}

/// Brings bodies that are at tₙ with Fₙ and τₙ to the instants of the schemes. Only for fresh rows.
pub(crate) fn start(bodies: &mut Bodies, motion: &Motion) {
    let width = motion.scheme.memory_width();
    if width > 0 && bodies.memory.rows() != bodies.len() {
        bodies.memory.resize(bodies.len());
    }
    let fresh = bodies.fresh.clone();
    if !fresh.contains(&true) {
        return;
    }
    let old = bodies.clone();
    let (mut rows, _) = Rows::of(bodies, EMPTY);
    rows.hook(Hook::Start, motion, 0..fresh.len());
    for row in (0..fresh.len()).filter(|&row| !fresh[row]) {
        bodies.q.set_row(row, old.q.row(row));
        bodies.omega.set_row(row, old.omega.row(row));
        if width > 0 {
            bodies.memory.set_row(row, old.memory.row(row));
        }
    }
    let half = 0.5 * motion.dt;
    for row in (0..fresh.len()).filter(|&row| fresh[row] && !bodies.held[row]) {
        let [_, inverse_mass, _] = bodies.measures.row(row);
        let kick = LabVec::from_array(bodies.force.row(row)) * (half * inverse_mass);
        let velocity = LabVec::from_array(bodies.velocity.row(row)) - kick;
        bodies.velocity.set_row(row, velocity.to_array());
    }
    for row in (0..fresh.len()).filter(|&row| bodies.held[row]) {
        bodies.q.set_row(row, old.q.row(row));
        bodies.omega.set_row(row, old.omega.row(row));
    }
}

/// Position, velocity, orientation and body angular velocity of every row at the present instant.
pub(crate) fn synchronised(bodies: &Bodies, motion: &Motion) -> Vec<Seen> {
    let mut copy = bodies.clone();
    let now = {
        let (mut rows, _) = Rows::of(&mut copy, EMPTY);
        let all = 0..rows.len();
        if motion.torque_at_end() {
            rows.hook(Hook::AfterTorque, motion, all);
            None
        } else {
            Some(rows.look(Hook::Synchronise, motion, all))
        }
    };
    let half = 0.5 * motion.dt;
    (0..bodies.len())
        .map(|row| {
            let unmoved = bodies.held[row] || (bodies.fresh[row] && motion.torque_at_end());
            let (q, omega) = if unmoved {
                (bodies.q.row(row), bodies.omega.row(row))
            } else if let Some(seen) = &now {
                let seen: [f64; 7] = core::array::from_fn(|k| seen[k][row]);
                let [w, x, y, z, a, b, c] = seen;
                ([w, x, y, z], [a, b, c])
            } else {
                (copy.q.row(row), copy.omega.row(row))
            };
            let [_, inverse_mass, _] = bodies.measures.row(row);
            let kick = LabVec::from_array(bodies.force.row(row)) * (half * inverse_mass);
            let velocity = LabVec::from_array(bodies.velocity.row(row)) + kick;
            let quat = Quat::from_array(q);
            Seen {
                position: bodies.position.row(row),
                velocity: velocity.to_array(),
                omega: quat.to_lab(BodyVec::from_array(omega)).to_array(),
                q,
            }
        })
        .collect()
}

/// Shows fresh bodies as they are: no force on them is known yet, and none is needed.
pub(crate) fn show_fresh(bodies: &mut Bodies) {
    for row in (0..bodies.len()).filter(|&row| bodies.fresh[row]) {
        let (position, q) = bodies.pose(row);
        bodies.seen[row] = Seen {
            position: position.to_array(),
            velocity: bodies.velocity.row(row),
            omega: q.to_lab(BodyVec::from_array(bodies.omega.row(row))).to_array(),
            q: q.to_array(),
        };
    }
}

/// Places all spheres.
pub(crate) fn place_all(bodies: &mut Bodies, staggered: bool, threads: &Threads) {
    let needed = Needed::all(bodies);
    let (rows, shapes) = Rows::of(bodies, &needed);
    threads.split_rows(rows, Rows::len, Rows::split_at, |mut rows| {
        for row in 0..rows.len() {
            rows.place(row, shapes, staggered);
        }
    });
}

const EMPTY: &Needed = &Needed { first: Vec::new(), spheres: Vec::new() };

type Column<'a> = &'a mut [f64];

/// A range of rows, borrowed column by column.
struct Rows<'a> {
    position: [Column<'a>; 3],
    velocity: [Column<'a>; 3],
    q: [Column<'a>; 4],
    omega: [Column<'a>; 3],
    memory: [Column<'a>; 14],
    force: [Column<'a>; 3],
    torque: [Column<'a>; 3],
    moments: [&'a [f64]; 3],
    inverse: [&'a [f64]; 3],
    measures: [&'a [f64]; 3],
    held: &'a [bool],
    fresh: &'a mut [bool],
    template: &'a [u16],
    scale: &'a [f64],
    seen: &'a mut [Seen],
    first_sphere: &'a [u32],
    spheres: &'a mut [[f64; 4]],
    needed_first: &'a [u32],
    needed: &'a [u32],
}

impl<'a> Rows<'a> {
    fn of(bodies: &'a mut Bodies, needed: &'a Needed) -> (Self, &'a crate::bodies::Shapes) {
        let rows = Self {
            position: bodies.position.all_mut(),
            velocity: bodies.velocity.all_mut(),
            q: bodies.q.all_mut(),
            omega: bodies.omega.all_mut(),
            memory: bodies.memory.all_mut(),
            force: bodies.force.all_mut(),
            torque: bodies.torque.all_mut(),
            moments: bodies.moments.all(),
            inverse: bodies.inverse.all(),
            measures: bodies.measures.all(),
            held: &bodies.held,
            fresh: &mut bodies.fresh,
            template: &bodies.template,
            scale: &bodies.scale,
            seen: &mut bodies.seen,
            first_sphere: &bodies.first_sphere,
            spheres: &mut bodies.spheres,
            needed_first: &needed.first,
            needed: &needed.spheres,
        };
        (rows, &bodies.shapes)
    }

    fn len(&self) -> usize {
        self.held.len()
    }

    fn split_at(self, row: usize) -> (Self, Self) {
        let (position, position2) = split(self.position, row);
        let (velocity, velocity2) = split(self.velocity, row);
        let (q, q2) = split(self.q, row);
        let (omega, omega2) = split(self.omega, row);
        let remembered = if self.memory[0].is_empty() { 0 } else { row };
        let (memory, memory2) = split(self.memory, remembered);
        let (force, force2) = split(self.force, row);
        let (torque, torque2) = split(self.torque, row);
        let (fresh, fresh2) = self.fresh.split_at_mut(row);
        let (seen, seen2) = self.seen.split_at_mut(row);
        let sphere = (self.first_sphere[row] - self.first_sphere[0]) as usize;
        let (spheres, spheres2) = self.spheres.split_at_mut(sphere);
        let left = Self {
            position,
            velocity,
            q,
            omega,
            memory,
            force,
            torque,
            moments: self.moments.map(|c| &c[..row]),
            inverse: self.inverse.map(|c| &c[..row]),
            measures: self.measures.map(|c| &c[..row]),
            held: &self.held[..row],
            fresh,
            template: &self.template[..row],
            scale: &self.scale[..row],
            seen,
            first_sphere: &self.first_sphere[..=row],
            spheres,
            needed_first: &self.needed_first[..=row],
            needed: self.needed,
        };
        let right = Self {
            position: position2,
            velocity: velocity2,
            q: q2,
            omega: omega2,
            memory: memory2,
            force: force2,
            torque: torque2,
            moments: self.moments.map(|c| &c[row..]),
            inverse: self.inverse.map(|c| &c[row..]),
            measures: self.measures.map(|c| &c[row..]),
            held: &self.held[row..],
            fresh: fresh2,
            template: &self.template[row..],
            scale: &self.scale[row..],
            seen: seen2,
            first_sphere: &self.first_sphere[row..],
            spheres: spheres2,
            needed_first: &self.needed_first[row..],
            needed: self.needed,
        };
        (left, right)
    }

    fn advance(mut self, motion: &Motion, shapes: &crate::bodies::Shapes) -> f64 {
        let mut longest = 0;
        for first in (0..self.len()).step_by(ROWS) {
            let range = first..self.len().min(first + ROWS);
            longest = longest.max(self.advance_block(range, motion, shapes));
        }
        f64::from_bits(longest)
    }

    /// Returns the bits of the longest displacement: of numbers that are not negative, the larger one has
    /// the larger bits, and NaN has larger ones than any.
    fn advance_block(
        &mut self,
        range: core::ops::Range<usize>,
        motion: &Motion,
        shapes: &crate::bodies::Shapes,
    ) -> u64 {
        let n = range.len();
        let mut before = [[0.0; ROWS]; 4];
        let staggered = motion.staggered();
        for (copy, column) in before.iter_mut().zip(&self.q) {
            copy[..n].copy_from_slice(&column[range.clone()]);
        }
        if staggered {
            for (k, seen) in self.seen[range.clone()].iter().enumerate() {
                for (copy, value) in before.iter_mut().zip(seen.q) {
                    copy[k] = value;
                }
            }
        }
        let held: Vec<usize> = range.clone().filter(|&row| self.held[row]).collect();
        let kept = self.remember(&held);
        self.finish_step(range.clone(), motion);
        motion.set.run(Translate {
            position: self.position.each_mut().map(|c| &mut c[range.clone()]),
            velocity: self.velocity.each_mut().map(|c| &mut c[range.clone()]),
            force: self.force.each_ref().map(|c| &c[range.clone()]),
            inverse_mass: &self.measures[1][range.clone()],
            dt: motion.dt,
        });
        self.hook(Hook::BeforeTorque, motion, range.clone());
        for (row, [position, velocity, omega], q) in kept {
            self.move_by_hand(row, position, velocity, omega, q, motion.dt);
        }
        if motion.velocities_seen || staggered {
            let columns = self.look(Hook::AtTorque, motion, range.clone());
            for (k, row) in range.clone().enumerate() {
                self.show(row, &columns, k, motion.dt);
            }
        }
        let mut after = [[0.0; ROWS]; 4];
        for (copy, column) in after.iter_mut().zip(&self.q) {
            copy[..n].copy_from_slice(&column[range.clone()]);
        }
        if staggered {
            for (k, seen) in self.seen[range.clone()].iter().enumerate() {
                for (copy, value) in after.iter_mut().zip(seen.q) {
                    copy[k] = value;
                }
            }
        }
        let longest = motion.set.run(Displacement {
            before: &before,
            after: &after,
            velocity: self.velocity.each_ref().map(|c| &c[range.clone()]),
            arm: &self.measures[2][range.clone()],
            dt: motion.dt,
        });
        for row in range.clone() {
            self.place(row, shapes, staggered);
        }
        for (axis, gravity) in motion.gravity.to_array().into_iter().enumerate() {
            let mass = &self.measures[0][range.clone()];
            for (force, mass) in self.force[axis][range.clone()].iter_mut().zip(mass) {
                *force = mass * gravity;
            }
            self.torque[axis][range.clone()].fill(0.0);
        }
        longest
    }

    /// What is left to do of the last step, now that the torque at its end is known.
    fn finish_step(&mut self, range: core::ops::Range<usize>, motion: &Motion) {
        let fresh: Vec<usize> = if motion.torque_at_end() {
            range.clone().filter(|&row| self.fresh[row]).collect()
        } else {
            Vec::new()
        };
        if fresh.len() < range.len() {
            // A fresh body is at the end of its step already.
            let kept = self.remember(&fresh);
            let memory: Vec<[f64; 14]> = fresh.iter().map(|&row| self.memory_row(row)).collect();
            self.hook(Hook::AfterTorque, motion, range.clone());
            for ((row, [_, _, omega], q), memory) in kept.into_iter().zip(memory) {
                set(&mut self.omega, row, omega);
                set(&mut self.q, row, q);
                if !self.memory[0].is_empty() {
                    set(&mut self.memory, row, memory);
                }
            }
        }
        self.fresh[range].fill(false);
    }

    fn memory_row(&self, row: usize) -> [f64; 14] {
        core::array::from_fn(|k| self.memory[k].get(row).copied().unwrap_or(0.0))
    }

    #[allow(clippy::type_complexity, reason = "position, velocity, angular velocity and orientation of rows")]
    fn remember(&self, rows: &[usize]) -> Vec<(usize, [[f64; 3]; 3], [f64; 4])> {
        let row = |&row: &usize| {
            let vectors = [&self.position, &self.velocity, &self.omega];
            (row, vectors.map(|v| v.each_ref().map(|c| c[row])), self.q.each_ref().map(|c| c[row]))
        };
        rows.iter().map(row).collect()
    }

    /// A held body keeps its velocity, and its angular velocity in the lab.
    fn move_by_hand(
        &mut self,
        row: usize,
        position: [f64; 3],
        velocity: [f64; 3],
        omega: [f64; 3],
        q: [f64; 4],
        dt: f64,
    ) {
        let position = LabVec::from_array(position) + LabVec::from_array(velocity) * dt;
        let q = Quat::from_array(q).turn_body(BodyVec::from_array(omega), dt).normalised();
        set(&mut self.position, row, position.to_array());
        set(&mut self.velocity, row, velocity);
        // Turning about ω leaves ω as the body sees it unchanged.
        set(&mut self.omega, row, omega);
        set(&mut self.q, row, q.to_array());
    }

    fn hook(&mut self, hook: Hook, motion: &Motion, range: core::ops::Range<usize>) {
        let columns = self.columns(range, core::array::from_fn(|_| Default::default()));
        batch::run_hook_with(motion.set, motion.scheme, hook, columns, motion.dt);
    }

    /// What the rows look like through a hook: q and ω.
    fn look(&mut self, hook: Hook, motion: &Motion, range: core::ops::Range<usize>) -> [Vec<f64>; 7] {
        let mut seen: [Vec<f64>; 7] = core::array::from_fn(|_| vec![0.0; range.len()]);
        let columns = self.columns(range, seen.each_mut().map(|c| &mut c[..]));
        batch::run_hook_with(motion.set, motion.scheme, hook, columns, motion.dt);
        seen
    }

    fn columns<'b>(
        &'b mut self,
        range: core::ops::Range<usize>,
        seen: [&'b mut [f64]; 7],
    ) -> batch::Columns<'b, f64> {
        let remembered = if self.memory[0].is_empty() { 0..0 } else { range.clone() };
        batch::Columns {
            q: self.q.each_mut().map(|c| &mut c[range.clone()]),
            omega: self.omega.each_mut().map(|c| &mut c[range.clone()]),
            memory: self.memory.each_mut().map(|c| &mut c[remembered.clone()]),
            torque: self.torque.each_ref().map(|c| &c[range.clone()]),
            moments: self.moments.map(|c| &c[range.clone()]),
            inverse: self.inverse.map(|c| &c[range.clone()]),
            seen,
        }
    }

    /// Shows a row to whoever asks for velocities: everything at the instant of the force.
    fn show(&mut self, row: usize, columns: &[Vec<f64>; 7], k: usize, dt: f64) {
        let [w, x, y, z, a, b, c] = columns.each_ref().map(|column| column[k]);
        let mut q = Quat::new(w, x, y, z);
        let mut omega = BodyVec::new(a, b, c);
        let mut kick = 0.5 * dt * self.measures[1][row];
        if self.held[row] || self.fresh[row] {
            q = Quat::from_array(self.q.each_ref().map(|c| c[row]));
            omega = BodyVec::from_array(self.omega.each_ref().map(|c| c[row]));
            kick = 0.0;
        }
        let at = |column: &[Column<'_>; 3]| -> [f64; 3] { column.each_ref().map(|c| c[row]) };
        let velocity = LabVec::from_array(at(&self.velocity)) + LabVec::from_array(at(&self.force)) * kick;
        self.seen[row] = Seen {
            position: at(&self.position),
            velocity: velocity.to_array(),
            omega: q.to_lab(omega).to_array(),
            q: q.to_array(),
        };
    }

    /// Places the spheres of a row that are needed.
    #[inline]
    fn place(&mut self, row: usize, shapes: &crate::bodies::Shapes, staggered: bool) {
        let [from, to] = [self.needed_first[row], self.needed_first[row + 1]];
        if from == to {
            return;
        }
        let q = if staggered { self.seen[row].q } else { self.q.each_ref().map(|c| c[row]) };
        let turn = RotationMatrix::from(Quat::from_array(q));
        let centre = LabVec::from_array(self.position.each_ref().map(|c| c[row]));
        let scale = self.scale[row];
        let first = (self.first_sphere[row] - self.first_sphere[0]) as usize;
        let shape = shapes.of(self.template[row]);
        for &k in &self.needed[from as usize..to as usize] {
            let [x, y, z, radius] = shape[k as usize];
            let place = centre + turn.to_lab(BodyVec::new(x, y, z) * scale);
            self.spheres[first + k as usize] = [place.x, place.y, place.z, radius * scale];
        }
    }
}

fn set<const N: usize>(columns: &mut [Column<'_>; N], row: usize, values: [f64; N]) {
    for (column, value) in columns.iter_mut().zip(values) {
        column[row] = value;
    }
}

/// The leapfrog: a kick by the force, then a drift.
struct Translate<'a> {
    position: [&'a mut [f64]; 3],
    velocity: [&'a mut [f64]; 3],
    force: [&'a [f64]; 3],
    inverse_mass: &'a [f64],
    dt: f64,
}

impl Kernel for Translate<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for ((position, velocity), force) in self.position.into_iter().zip(self.velocity).zip(self.force) {
            let rows = position.iter_mut().zip(velocity.iter_mut()).zip(force.iter().zip(self.inverse_mass));
            for ((position, velocity), (force, inverse_mass)) in rows {
                *velocity += self.dt * (force * inverse_mass);
                *position += self.dt * *velocity;
            }
        }
    }
}

/// The longest way of any sphere centre: that of the centre of mass, and the chord of the turn. A point at
/// distance L moves by 2 L sin(θ/2) ≤ 2 L |q′ − q|.
struct Displacement<'a> {
    before: &'a [[f64; ROWS]; 4],
    after: &'a [[f64; ROWS]; 4],
    velocity: [&'a [f64]; 3],
    arm: &'a [f64],
    dt: f64,
}

impl Kernel for Displacement<'_> {
    type Output = u64;
    #[inline(always)]
    fn run(self) -> u64 {
        let Self { before: [w, x, y, z], after: [w2, x2, y2, z2], velocity: [vx, vy, vz], arm, dt } = self;
        let n = arm.len();
        let (vx, vy, vz) = (&vx[..n], &vy[..n], &vz[..n]);
        assert!(n <= ROWS);
        let mut longest = 0;
        for i in 0..n {
            let (dw, dx, dy, dz) = (w2[i] - w[i], x2[i] - x[i], y2[i] - y[i], z2[i] - z[i]);
            let turn = (dw * dw + dx * dx + dy * dy + dz * dz).sqrt();
            let speed = (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]).sqrt();
            let way = (speed * dt + 2.0 * arm[i] * turn).to_bits().cast_signed();
            longest = if way > longest { way } else { longest };
        }
        longest.cast_unsigned()
    }
}
