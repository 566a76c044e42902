//! What is known of a block of rows while it is worked on.

use super::narrow::Narrow;
use super::placing::Frames;
use crate::columns::ROWS;
use crate::kind::Kinds;
use core::cell::RefCell;
use core::ops::Range;

/// Some values of the rows of a block, by column.
pub(super) type BlockColumns<const N: usize> = [[f64; ROWS]; N];

/// Force and torque on the rows of a block.
pub(super) struct LoadBlock {
    pub(super) force: BlockColumns<3>,
    pub(super) torque: BlockColumns<3>,
}

/// What the kinds of the rows of a block have, by column.
pub(super) struct KindBlock {
    version: u64,
    of: [u32; ROWS],
    pub(super) mass: [f64; ROWS],
    pub(super) inverse_mass: [f64; ROWS],
    pub(super) arm: [f64; ROWS],
    pub(super) scale: [f64; ROWS],
    pub(super) moments: BlockColumns<3>,
    pub(super) inverse: BlockColumns<3>,
    /// A power of two that brings the moments near one.
    pub(super) unit: [f64; ROWS],
}

impl KindBlock {
    /// Looks up the kinds of rows, unless they are those of the last block.
    pub(super) fn fill(&mut self, kinds: &Kinds, rows: &[u32]) {
        if self.version != kinds.version() {
            self.version = kinds.version();
            self.of = [u32::MAX; ROWS];
        }
        if self.of[..rows.len()] == *rows {
            return;
        }
        for (k, &number) in rows.iter().enumerate() {
            if self.of[k] != number {
                let kind = kinds.kind(number);
                self.of[k] = number;
                self.mass[k] = kind.mass;
                self.inverse_mass[k] = kind.inverse_mass;
                self.arm[k] = kind.arm;
                self.scale[k] = kind.scale;
                self.unit[k] = kind.unit();
                for axis in 0..3 {
                    self.moments[axis][k] = kind.moments[axis];
                    self.inverse[axis][k] = kind.inverse[axis];
                }
            }
        }
    }
}

/// What is known of a block while it is worked on.
pub(super) struct Scratch {
    pub(super) kinds: KindBlock,
    pub(super) load: LoadBlock,
    /// Orientations that the spheres are placed at, before and after the step.
    pub(super) before: BlockColumns<4>,
    pub(super) after: BlockColumns<4>,
    /// What a hook shows: q, then ω.
    pub(super) seen: BlockColumns<7>,
    pub(super) frames: Frames,
    pub(super) displacements: [f64; ROWS],
    pub(super) narrow: Narrow,
}

thread_local! {
    /// Each thread keeps its scratch from step to step.
    pub(super) static SCRATCH: RefCell<Box<Scratch>> = RefCell::new(Scratch::new());
}

impl Scratch {
    pub(super) fn new() -> Box<Self> {
        let zero = [0.0; ROWS];
        let load = LoadBlock { force: [zero; 3], torque: [zero; 3] };
        let frames = Frames { turn: [[zero; 3]; 3], centre: [zero; 3], placed: [zero; 3] };
        let kinds = KindBlock {
            version: 0,
            of: [u32::MAX; ROWS],
            mass: zero,
            inverse_mass: zero,
            arm: zero,
            scale: zero,
            moments: [zero; 3],
            inverse: [zero; 3],
            unit: [1.0; ROWS],
        };
        Box::new(Self {
            kinds,
            load,
            before: [zero; 4],
            after: [zero; 4],
            seen: [zero; 7],
            frames,
            displacements: zero,
            narrow: Narrow::ZERO,
        })
    }
}

/// So many rows of a block and the few after them that fill up its vectors. What is computed for those means nothing,
/// and nobody reads it; row by row it would take longer.
#[inline(always)]
pub(super) fn whole_vectors(rows: usize) -> usize {
    rows.next_multiple_of(VECTOR).min(ROWS)
}

/// Rows that all vectors divide, with the unrolling that compilers do.
const VECTOR: usize = 16;

/// The rows by chunk. They begin with a chunk.
pub(super) fn blocks(rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    debug_assert!(rows.start.is_multiple_of(ROWS));
    rows.clone().step_by(ROWS).map(move |first| first..rows.end.min(first + ROWS))
}
