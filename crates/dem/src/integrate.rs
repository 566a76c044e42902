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

use crate::bodies::{Bodies, Load, Seen, Shapes};
use crate::columns::split;
use crate::parallel::Threads;
use core::cell::RefCell;
use core::ops::Range;
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
    /// synchronised state. The others move in `after_torque` alone.
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
    // Written so that NaN stays.
    longest.into_iter().fold(0.0, |a, b| if a > b || a.is_nan() { a } else { b })
}

/// Brings bodies that are at tₙ with Fₙ and τₙ to the instants of the schemes. Only for fresh rows.
pub(crate) fn start(bodies: &mut Bodies, motion: &Motion) {
    if !bodies.fresh.contains(&true) {
        return;
    }
    let width = motion.scheme.memory_width();
    if width > 0 && bodies.memory.rows() != bodies.len() {
        bodies.memory.resize(bodies.len());
    }
    let old = bodies.clone();
    let (mut rows, _) = Rows::of(bodies, EMPTY);
    let Scratch { load, .. } = &mut *Scratch::new();
    for range in blocks(rows.len()) {
        rows.load(&range, load);
        rows.hook(Hook::Start, motion, range, load);
    }
    let half = 0.5 * motion.dt;
    for row in 0..old.len() {
        if !old.fresh[row] || old.held[row] {
            bodies.q.set_row(row, old.q.row(row));
            bodies.omega.set_row(row, old.omega.row(row));
        }
        if !old.fresh[row] && width > 0 {
            bodies.memory.set_row(row, old.memory.row(row));
        }
        if old.fresh[row] && !old.held[row] {
            let kick = LabVec::from_array(old.acting[row].force) * (half * old.seen[row].inverse_mass);
            let velocity = LabVec::from_array(old.velocity.row(row)) - kick;
            bodies.velocity.set_row(row, velocity.to_array());
        }
    }
}

/// Position, velocity, orientation and angular velocity of every row at the present instant.
pub(crate) fn synchronised(bodies: &Bodies, motion: &Motion) -> Vec<Seen> {
    let mut copy = bodies.clone();
    let (mut rows, _) = Rows::of(&mut copy, EMPTY);
    let Scratch { load, seen, .. } = &mut *Scratch::new();
    for range in blocks(rows.len()) {
        rows.load(&range, load);
        if motion.torque_at_end() {
            rows.hook(Hook::AfterTorque, motion, range, load);
        } else {
            rows.look(Hook::Synchronise, motion, range.clone(), load, seen);
            for (column, seen) in rows.q.iter_mut().chain(&mut rows.omega).zip(&*seen) {
                column[range.clone()].copy_from_slice(&seen[..range.len()]);
            }
        }
    }
    let half = 0.5 * motion.dt;
    let state = |row: usize| {
        let unmoved = bodies.held[row] || (bodies.fresh[row] && motion.torque_at_end());
        let from = if unmoved { bodies } else { &copy };
        let (q, omega) = (from.q.row(row), BodyVec::from_array(from.omega.row(row)));
        let kick = LabVec::from_array(bodies.acting[row].force) * (half * bodies.seen[row].inverse_mass);
        Seen {
            position: bodies.position.row(row),
            velocity: (LabVec::from_array(bodies.velocity.row(row)) + kick).to_array(),
            omega: Quat::from_array(q).to_lab(omega).to_array(),
            q,
            ..bodies.seen[row]
        }
    };
    (0..bodies.len()).map(state).collect()
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
            ..bodies.seen[row]
        };
    }
}

/// Places all spheres.
pub(crate) fn place_all(bodies: &mut Bodies, motion: &Motion, threads: &Threads) {
    let needed = Needed::all(bodies);
    let (rows, shapes) = Rows::of(bodies, &needed);
    threads.split_rows(rows, Rows::len, Rows::split_at, |mut rows| {
        let Scratch { after, frames, .. } = &mut *Scratch::new();
        for range in blocks(rows.len()) {
            rows.shown_q(&range, motion, after);
            motion.set.run(Place { rows: &mut rows, range, shapes, q: after, frames });
        }
    });
}

const EMPTY: &Needed = &Needed { first: Vec::new(), spheres: Vec::new() };

type Column<'a> = &'a mut [f64];

/// Some values of the rows of a block, by column.
type Block<const N: usize> = [[f64; ROWS]; N];

/// A range of rows, borrowed column by column.
struct Rows<'a> {
    position: [Column<'a>; 3],
    velocity: [Column<'a>; 3],
    q: [Column<'a>; 4],
    omega: [Column<'a>; 3],
    memory: [Column<'a>; 14],
    acting: &'a mut [Load],
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

/// The state of a row, to be put back.
struct Kept {
    row: usize,
    position: [f64; 3],
    velocity: [f64; 3],
    omega: [f64; 3],
    q: [f64; 4],
    memory: [f64; 14],
}

impl<'a> Rows<'a> {
    fn of(bodies: &'a mut Bodies, needed: &'a Needed) -> (Self, &'a Shapes) {
        let rows = Self {
            position: bodies.position.all_mut(),
            velocity: bodies.velocity.all_mut(),
            q: bodies.q.all_mut(),
            omega: bodies.omega.all_mut(),
            memory: bodies.memory.all_mut(),
            acting: &mut bodies.acting,
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
        let (acting, acting2) = self.acting.split_at_mut(row);
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
            acting,
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
            acting: acting2,
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

    fn advance(mut self, motion: &Motion, shapes: &Shapes) -> f64 {
        SCRATCH.with_borrow_mut(|scratch| {
            let mut longest = 0;
            for range in blocks(self.len()) {
                longest = self.advance_block(range, motion, shapes, scratch).max(longest);
            }
            f64::from_bits(longest)
        })
    }

    /// Returns the bits of the longest displacement: of numbers that are not negative, the larger one has
    /// the larger bits, and NaN has larger ones than any.
    fn advance_block(
        &mut self,
        range: Range<usize>,
        motion: &Motion,
        shapes: &Shapes,
        scratch: &mut Scratch,
    ) -> u64 {
        let Scratch { load, before, after, seen, frames, ways } = scratch;
        self.load(&range, load);
        self.shown_q(&range, motion, before);
        let held = self.remember(self.held, &range);
        self.finish_step(&range, motion, load);
        motion.set.run(Translate {
            position: self.position.each_mut().map(|c| &mut c[range.clone()]),
            velocity: self.velocity.each_mut().map(|c| &mut c[range.clone()]),
            force: &load.force,
            inverse_mass: &self.measures[1][range.clone()],
            dt: motion.dt,
        });
        if motion.torque_at_end() {
            self.hook(Hook::BeforeTorque, motion, range.clone(), load);
        }
        for kept in &held {
            self.move_by_hand(kept, motion.dt);
        }
        if motion.velocities_seen || motion.staggered() {
            self.look(Hook::AtTorque, motion, range.clone(), load, seen);
            motion.set.run(Show { rows: self, range: range.clone(), seen, load, dt: motion.dt });
        }
        self.shown_q(&range, motion, after);
        let longest = motion.set.run(Displacement {
            before,
            after,
            velocity: self.velocity.each_ref().map(|c| &c[range.clone()]),
            arm: &self.measures[2][range.clone()],
            dt: motion.dt,
            ways,
        });
        for row in range.clone() {
            let weight = motion.gravity * self.measures[0][row];
            self.acting[row] = Load { force: weight.to_array(), torque: [0.0; 3] };
        }
        motion.set.run(Place { rows: self, range, shapes, q: after, frames });
        longest
    }

    /// What acts on the rows of a block.
    fn load(&self, range: &Range<usize>, load: &mut LoadBlock) {
        for (k, acting) in self.acting[range.clone()].iter().enumerate() {
            for axis in 0..3 {
                load.force[axis][k] = acting.force[axis];
                load.torque[axis][k] = acting.torque[axis];
            }
        }
    }

    /// The orientations at which the spheres of a block are placed.
    fn shown_q(&self, range: &Range<usize>, motion: &Motion, q: &mut Block<4>) {
        if motion.staggered() {
            for (k, seen) in self.seen[range.clone()].iter().enumerate() {
                for (copy, value) in q.iter_mut().zip(seen.q) {
                    copy[k] = value;
                }
            }
        } else {
            for (copy, column) in q.iter_mut().zip(&self.q) {
                copy[..range.len()].copy_from_slice(&column[range.clone()]);
            }
        }
    }

    /// What is left to do of the last step, now that the torque at its end is known.
    fn finish_step(&mut self, range: &Range<usize>, motion: &Motion, load: &LoadBlock) {
        // A fresh body is at the end of its step already.
        let kept = if motion.torque_at_end() { self.remember(self.fresh, range) } else { Vec::new() };
        if kept.len() < range.len() {
            self.hook(Hook::AfterTorque, motion, range.clone(), load);
            for kept in kept {
                set(&mut self.omega, kept.row, kept.omega);
                set(&mut self.q, kept.row, kept.q);
                if !self.memory[0].is_empty() {
                    set(&mut self.memory, kept.row, kept.memory);
                }
            }
        }
        self.fresh[range.clone()].fill(false);
    }

    /// The state of the marked rows.
    fn remember(&self, marked: &[bool], range: &Range<usize>) -> Vec<Kept> {
        if !marked[range.clone()].contains(&true) {
            return Vec::new();
        }
        let vector = |columns: &[Column<'_>; 3], row: usize| columns.each_ref().map(|c| c[row]);
        let keep = |row: usize| Kept {
            row,
            position: vector(&self.position, row),
            velocity: vector(&self.velocity, row),
            omega: vector(&self.omega, row),
            q: self.q.each_ref().map(|c| c[row]),
            memory: self.memory.each_ref().map(|c| c.get(row).copied().unwrap_or(0.0)),
        };
        range.clone().filter(|&row| marked[row]).map(keep).collect()
    }

    /// A held body keeps its velocity, and its angular velocity in the lab.
    fn move_by_hand(&mut self, kept: &Kept, dt: f64) {
        let position = LabVec::from_array(kept.position) + LabVec::from_array(kept.velocity) * dt;
        let q = Quat::from_array(kept.q).turn_body(BodyVec::from_array(kept.omega), dt).normalised();
        set(&mut self.position, kept.row, position.to_array());
        set(&mut self.velocity, kept.row, kept.velocity);
        // Turning about ω leaves ω as the body sees it unchanged.
        set(&mut self.omega, kept.row, kept.omega);
        set(&mut self.q, kept.row, q.to_array());
    }

    fn hook(&mut self, hook: Hook, motion: &Motion, range: Range<usize>, load: &LoadBlock) {
        let columns = self.columns(range, load, core::array::from_fn(|_| Default::default()));
        batch::run_hook_with(motion.set, motion.scheme, hook, columns, motion.dt);
    }

    /// What the rows of a block look like through a hook: q and ω.
    fn look(
        &mut self,
        hook: Hook,
        motion: &Motion,
        range: Range<usize>,
        load: &LoadBlock,
        seen: &mut Block<7>,
    ) {
        let rows = range.len();
        let columns = self.columns(range, load, seen.each_mut().map(|c| &mut c[..rows]));
        batch::run_hook_with(motion.set, motion.scheme, hook, columns, motion.dt);
    }

    fn columns<'b>(
        &'b mut self,
        range: Range<usize>,
        load: &'b LoadBlock,
        seen: [&'b mut [f64]; 7],
    ) -> batch::Columns<'b, f64> {
        let remembered = if self.memory[0].is_empty() { 0..0 } else { range.clone() };
        batch::Columns {
            q: self.q.each_mut().map(|c| &mut c[range.clone()]),
            omega: self.omega.each_mut().map(|c| &mut c[range.clone()]),
            memory: self.memory.each_mut().map(|c| &mut c[remembered.clone()]),
            torque: load.torque.each_ref().map(|c| &c[..range.len()]),
            moments: self.moments.map(|c| &c[range.clone()]),
            inverse: self.inverse.map(|c| &c[range.clone()]),
            seen,
        }
    }
}

/// Force and torque on the rows of a block.
struct LoadBlock {
    force: Block<3>,
    torque: Block<3>,
}

/// What is known of a block while it is worked on.
struct Scratch {
    load: LoadBlock,
    /// Orientations that the spheres are placed at, before and after the step.
    before: Block<4>,
    after: Block<4>,
    /// What a hook shows: q, then ω.
    seen: Block<7>,
    frames: Frames,
    ways: [f64; ROWS],
}

thread_local! {
    /// Each thread keeps its scratch from step to step.
    static SCRATCH: RefCell<Box<Scratch>> = RefCell::new(Scratch::new());
}

impl Scratch {
    fn new() -> Box<Self> {
        let zero = [0.0; ROWS];
        let load = LoadBlock { force: [zero; 3], torque: [zero; 3] };
        let frames = Frames { turn: [[zero; 3]; 3], centre: [zero; 3], scale: zero, placed: [zero; 3] };
        Box::new(Self { load, before: [zero; 4], after: [zero; 4], seen: [zero; 7], frames, ways: zero })
    }
}

fn blocks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(ROWS).map(move |first| first..rows.min(first + ROWS))
}

#[inline(always)]
fn set<const N: usize>(columns: &mut [Column<'_>; N], row: usize, values: [f64; N]) {
    for (column, value) in columns.iter_mut().zip(values) {
        column[row] = value;
    }
}

/// The leapfrog: a kick by the force, then a drift.
struct Translate<'a> {
    position: [&'a mut [f64]; 3],
    velocity: [&'a mut [f64]; 3],
    force: &'a Block<3>,
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

/// Shows rows to whoever asks for velocities: everything at the instant of the force.
struct Show<'a, 'b> {
    rows: &'a mut Rows<'b>,
    range: Range<usize>,
    seen: &'a Block<7>,
    load: &'a LoadBlock,
    dt: f64,
}

impl Kernel for Show<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { rows, range, seen: columns, load, dt } = self;
        for (k, row) in range.enumerate() {
            let mut q = Quat::new(columns[0][k], columns[1][k], columns[2][k], columns[3][k]);
            let mut omega = BodyVec::new(columns[4][k], columns[5][k], columns[6][k]);
            if rows.held[row] {
                q = Quat::from_array(rows.q.each_ref().map(|c| c[row]));
                omega = BodyVec::from_array(rows.omega.each_ref().map(|c| c[row]));
            }
            let seen = &mut rows.seen[row];
            let kick = 0.5 * dt * seen.inverse_mass;
            for axis in 0..3 {
                seen.position[axis] = rows.position[axis][row];
                seen.velocity[axis] = rows.velocity[axis][row] + load.force[axis][k] * kick;
            }
            seen.omega = q.to_lab(omega).to_array();
            seen.q = q.to_array();
        }
    }
}

/// Places the spheres of the rows of a block that are needed.
struct Place<'a, 'b> {
    rows: &'a mut Rows<'b>,
    range: Range<usize>,
    shapes: &'a Shapes,
    q: &'a Block<4>,
    frames: &'a mut Frames,
}

/// Where the template of each row of a block is.
struct Frames {
    /// Matrices that take a vector of the template to the lab, size included: by row, then by column.
    turn: [Block<3>; 3],
    centre: Block<3>,
    scale: [f64; ROWS],
    /// A sphere of each row.
    placed: Block<3>,
}

/// Up to so many spheres it is cheaper to place them all, several bodies at a time, than to look which are needed.
const FEW_SPHERES: usize = 8;

impl Kernel for Place<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { rows, range, shapes, q, frames } = self;
        let Frames { turn, centre, scale, placed } = frames;
        for (copy, column) in centre.iter_mut().zip(&rows.position) {
            copy[..range.len()].copy_from_slice(&column[range.clone()]);
        }
        scale[..range.len()].copy_from_slice(&rows.scale[range.clone()]);
        turn_matrices(q, scale, turn);

        let template = rows.template[range.start];
        let shape = shapes.of(template);
        let base = rows.first_sphere[0];
        let first = (rows.first_sphere[range.start] - base) as usize;
        let alike = rows.template[range.clone()].iter().all(|other| *other == template);
        if alike && shape.len() <= FEW_SPHERES {
            let spheres = &mut rows.spheres[first..first + range.len() * shape.len()];
            for (number, sphere) in shape.iter().enumerate() {
                place_alike(turn, centre, *sphere, placed);
                let [x, y, z] = &*placed;
                for (k, body) in spheres.chunks_exact_mut(shape.len()).enumerate() {
                    body[number] = [x[k], y[k], z[k], sphere[3] * scale[k]];
                }
            }
            return;
        }
        for (k, row) in range.enumerate() {
            let [from, to] = [rows.needed_first[row] as usize, rows.needed_first[row + 1] as usize];
            let first = (rows.first_sphere[row] - base) as usize;
            let shape = shapes.of(rows.template[row]);
            for &number in &rows.needed[from..to] {
                let [x, y, z, radius] = shape[number as usize];
                let along = |axis: usize| {
                    let [a, b, c] = [turn[axis][0][k], turn[axis][1][k], turn[axis][2][k]];
                    centre[axis][k] + (a * x + b * y + c * z)
                };
                rows.spheres[first + number as usize] = [along(0), along(1), along(2), radius * scale[k]];
            }
        }
    }
}

#[inline(always)]
fn turn_matrices(q: &Block<4>, scale: &[f64; ROWS], turn: &mut [Block<3>; 3]) {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = turn;
    for k in 0..ROWS {
        let matrix = RotationMatrix::from(Quat::new(q[0][k], q[1][k], q[2][k], q[3][k]));
        let [[a, b, c], [d, e, f], [g, h, i]] = matrix.rows;
        xx[k] = a * scale[k];
        xy[k] = b * scale[k];
        xz[k] = c * scale[k];
        yx[k] = d * scale[k];
        yy[k] = e * scale[k];
        yz[k] = f * scale[k];
        zx[k] = g * scale[k];
        zy[k] = h * scale[k];
        zz[k] = i * scale[k];
    }
}

/// The same sphere of all bodies of a block.
#[inline(always)]
fn place_alike(turn: &[Block<3>; 3], centre: &Block<3>, [x, y, z, _]: [f64; 4], placed: &mut Block<3>) {
    for (axis, placed) in placed.iter_mut().enumerate() {
        let ([a, b, c], centre) = (&turn[axis], &centre[axis]);
        for k in 0..ROWS {
            placed[k] = centre[k] + (a[k] * x + b[k] * y + c[k] * z);
        }
    }
}

/// The longest way of any sphere centre: that of the centre of mass, and the chord of the turn. A point at
/// distance L moves by 2 L sin(θ/2) ≤ 2 L |q′ − q|.
struct Displacement<'a> {
    before: &'a Block<4>,
    after: &'a Block<4>,
    velocity: [&'a [f64]; 3],
    arm: &'a [f64],
    dt: f64,
    /// Room for the way of each row.
    ways: &'a mut [f64; ROWS],
}

impl Kernel for Displacement<'_> {
    type Output = u64;
    #[inline(always)]
    fn run(self) -> u64 {
        let Self { before: [w, x, y, z], after: [w2, x2, y2, z2], velocity: [vx, vy, vz], arm, dt, ways } =
            self;
        let n = arm.len();
        let (vx, vy, vz) = (&vx[..n], &vy[..n], &vz[..n]);
        assert!(n <= ROWS);
        for i in 0..n {
            let (dw, dx, dy, dz) = (w2[i] - w[i], x2[i] - x[i], y2[i] - y[i], z2[i] - z[i]);
            let turn = (dw * dw + dx * dx + dy * dy + dz * dz).sqrt();
            let speed = (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]).sqrt();
            ways[i] = speed * dt + 2.0 * arm[i] * turn;
        }
        // As integers, since a maximum of floating-point numbers is not vectorised; without the sign, which NaN
        // may have.
        let mut longest = 0;
        for way in &ways[..n] {
            longest = longest.max(way.abs().to_bits().cast_signed());
        }
        longest.cast_unsigned()
    }
}
