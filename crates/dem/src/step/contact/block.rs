//! A block of contacts side by side, so that their physics is computed several at a time.

use super::Physics;
use super::impact::TOGETHER_IN_LANES;
use super::lanes::{LANES, Lanes, row, set_row};
use super::single::Single;
use super::table::Table;
use crate::bodies::AtInstant;
use crate::engine::Space;
use crate::kind::Kinds;
use crate::physics::contact::{self, Given};
use crate::physics::geometry::Geometry;
use crate::physics::together::Part;
use core::cell::RefCell;
use tumble_math::{BodyVec, LabVec, Quat};

pub(crate) type Lanes3 = [Lanes; 3];

/// One of the two bodies of each contact.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) position: Lanes3,
    pub(crate) velocity: Lanes3,
    pub(crate) omega: Lanes3,
    pub(crate) q: [Lanes; 4],
    pub(crate) inverse_moments: Lanes3,
    pub(crate) inverse_mass: Lanes,
    /// Whose inverses a lane holds.
    kind_of: [u32; LANES],
}

/// What the kernel reads.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    // Placed spheres of both sides; only for contacts between bodies.
    pub(crate) sphere_a: [Lanes; 4],
    pub(crate) sphere_b: [Lanes; 4],
    // The contact: computed from the spheres, or by the wall.
    pub(crate) overlap: Lanes,
    /// See [`Contact::slope`](crate::law::Contact::slope).
    pub(crate) slope: Lanes,
    pub(crate) normal: Lanes3,
    pub(crate) point: Lanes3,
    pub(crate) radius: Lanes,
    // The bodies.
    pub(crate) a: Side,
    pub(crate) b: Side,
    /// The constants of the two materials: as many columns as the model asks for.
    pub(crate) constants: Vec<Lanes>,
    /// Which material pair a lane of `constants` holds.
    pub(crate) pair_of: [u32; LANES],
    /// Whether all lanes hold the only kind of bodies there is.
    pub(crate) one_kind: bool,
    /// Whether all lanes hold the constants of the only material there is.
    pub(crate) one_material: bool,
    // See [`Given`].
    pub(crate) weight: Lanes,
    pub(crate) shared_mass: Lanes,
    pub(crate) part: Lanes,
    pub(crate) known: Lanes,
}

/// What a thread needs to evaluate contacts, block by block: in its cache from one segment to the next.
#[derive(Debug)]
pub(crate) struct Workbench {
    pub(crate) block: Block,
    /// What contacts do, if nobody keeps it.
    pub(crate) outcome: Vec<Lanes>,
    /// The block in single precision, for runs that are computed in it.
    pub(super) single: Single,
    /// Groups of contacts of the same two bodies: a block for each contact of a group.
    pub(super) side_by_side: [Block; TOGETHER_IN_LANES],
    /// Contacts of the same two bodies, where those are many.
    pub(super) parts: Vec<Part<f64>>,
    /// Which contacts of the last step go on.
    pub(super) goes_on: Vec<bool>,
    /// Room for the contacts of a segment.
    pub(super) spare: Table,
}

thread_local! {
    /// The workbench of each thread.
    pub(crate) static WORKBENCH: RefCell<Box<Workbench>> = RefCell::new(Workbench::new());
}

impl Workbench {
    fn new() -> Box<Self> {
        Box::new(Self {
            block: Block::new(),
            outcome: Vec::new(),
            single: Single::new(),
            side_by_side: core::array::from_fn(|_| Block::new()),
            parts: Vec::new(),
            goes_on: Vec::new(),
            spare: Table::default(),
        })
    }

    /// Makes it ready for contacts of a model; it may have served another engine.
    pub(crate) fn clear(&mut self, space: &Space, physics: Physics<'_>) {
        self.block.clear(space, physics);
        self.outcome.resize(physics.layout.outcome(), ZERO);
    }
}

const ZERO: Lanes = Lanes::all(0.0);
const ONE: Lanes = Lanes::all(1.0);

impl Side {
    const fn new() -> Self {
        Self {
            position: [ZERO; 3],
            velocity: [ZERO; 3],
            omega: [ZERO; 3],
            q: [ONE, ZERO, ZERO, ZERO],
            inverse_moments: [ONE; 3],
            inverse_mass: ONE,
            kind_of: [u32::MAX; LANES],
        }
    }

    /// The body in a lane.
    #[inline(always)]
    fn given(&self, lane: usize) -> contact::Side<f64> {
        contact::Side {
            position: vector(&self.position, lane),
            velocity: vector(&self.velocity, lane),
            omega: vector(&self.omega, lane),
            q: Quat::from_array(row(&self.q, lane)),
            inverse_moments: BodyVec::from_array(row(&self.inverse_moments, lane)),
            inverse_mass: self.inverse_mass[lane],
        }
    }

    /// Puts a body into a lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, body: &AtInstant) {
        set_row(&mut self.position, lane, body.position);
        set_row(&mut self.velocity, lane, body.velocity);
        set_row(&mut self.omega, lane, body.omega);
        set_row(&mut self.q, lane, body.q);
    }

    /// Puts what a body has in common with its like into a lane, if it is not there.
    #[inline(always)]
    pub(crate) fn set_kind(&mut self, lane: usize, number: u32, kinds: &Kinds) {
        if self.kind_of[lane] != number {
            let kind = kinds.kind(number);
            self.kind_of[lane] = number;
            set_row(&mut self.inverse_moments, lane, kind.inverse);
            self.inverse_mass[lane] = kind.inverse_mass;
        }
    }

    /// Puts something into a lane that no contact can move.
    pub(crate) fn set_immovable(&mut self, lane: usize) {
        self.kind_of[lane] = u32::MAX;
        set_row(&mut self.inverse_moments, lane, [0.0; 3]);
        self.inverse_mass[lane] = 0.0;
    }

    /// Puts a body into a lane as if it were at rest, for whoever asks for its place alone.
    #[inline(always)]
    pub(crate) fn set_place(&mut self, lane: usize, position: [f64; 3]) {
        set_row(&mut self.position, lane, position);
        set_row(&mut self.velocity, lane, [0.0; 3]);
        set_row(&mut self.omega, lane, [0.0; 3]);
    }
}

impl Block {
    /// What is given of the contact in a lane.
    #[inline(always)]
    pub(crate) fn given(&self, lane: usize) -> Given<f64> {
        Given {
            geometry: Geometry {
                overlap: self.overlap[lane],
                slope: self.slope[lane],
                normal: vector(&self.normal, lane),
                point: vector(&self.point, lane),
                radius: self.radius[lane],
            },
            a: self.a.given(lane),
            b: self.b.given(lane),
            weight: self.weight[lane],
            shared_mass: self.shared_mass[lane],
            part: self.part[lane],
            known: self.known[lane],
        }
    }

    /// Puts the geometry of a contact into a lane.
    #[inline(always)]
    pub(crate) fn set_geometry(&mut self, lane: usize, geometry: Geometry<f64>) {
        self.overlap[lane] = geometry.overlap;
        self.slope[lane] = geometry.slope;
        set_row(&mut self.normal, lane, geometry.normal.to_array());
        set_row(&mut self.point, lane, geometry.point.to_array());
        self.radius[lane] = geometry.radius;
    }

    /// Makes it ready for contacts of a model. What bodies have in common is put into all lanes at once where all bodies are
    /// alike; else lanes forget whose they hold, since numbers may mean something else by now.
    pub(super) fn clear(&mut self, space: &Space, physics: Physics<'_>) {
        self.constants.resize(physics.layout.constants, ONE);
        self.weight = ONE;
        self.slope = ONE;
        self.pair_of = [u32::MAX; LANES];
        self.one_material = physics.pairs.materials == 1;
        if self.one_material {
            for (column, constant) in self.constants.iter_mut().zip(physics.pairs.row(0)) {
                *column = Lanes::all(*constant);
            }
        }
        let only = space.bodies.kinds.only();
        self.one_kind = only.is_some();
        for side in [&mut self.a, &mut self.b] {
            side.kind_of = [u32::MAX; LANES];
            if let Some(kind) = only {
                side.inverse_moments = kind.inverse.map(Lanes::all);
                side.inverse_mass = Lanes::all(kind.inverse_mass);
            }
        }
    }

    /// Lanes that are not used hold two unit spheres that touch, so that nothing in them overflows.
    pub(crate) fn new() -> Self {
        Self {
            sphere_a: [ONE, ZERO, ZERO, ONE],
            sphere_b: [ZERO, ZERO, ZERO, ONE],
            overlap: ONE,
            slope: ONE,
            normal: [ONE, ZERO, ZERO],
            point: [ZERO; 3],
            radius: ONE,
            a: Side::new(),
            b: Side::new(),
            constants: Vec::new(),
            pair_of: [u32::MAX; LANES],
            one_kind: false,
            one_material: false,
            weight: ONE,
            shared_mass: ZERO,
            part: ONE,
            known: ZERO,
        }
    }
}

#[inline(always)]
fn vector(columns: &Lanes3, lane: usize) -> LabVec<f64> {
    LabVec::from_array(row(columns, lane))
}
