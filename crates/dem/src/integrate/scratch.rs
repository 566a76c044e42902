//! What is known of a block of rows while it is worked on.

use super::placing::Frames;
use core::cell::RefCell;
use core::ops::Range;

/// Rows that go through all hooks together, so that they stay in the cache. A multiple of a batch's block.
pub(super) const ROWS: usize = 128;

/// Some values of the rows of a block, by column.
pub(super) type Block<const N: usize> = [[f64; ROWS]; N];

/// Force and torque on the rows of a block.
pub(super) struct LoadBlock {
    pub(super) force: Block<3>,
    pub(super) torque: Block<3>,
}

/// What is known of a block while it is worked on.
pub(super) struct Scratch {
    pub(super) load: LoadBlock,
    /// Orientations that the spheres are placed at, before and after the step.
    pub(super) before: Block<4>,
    pub(super) after: Block<4>,
    /// What a hook shows: q, then ω.
    pub(super) seen: Block<7>,
    pub(super) frames: Frames,
    pub(super) ways: [f64; ROWS],
}

thread_local! {
    /// Each thread keeps its scratch from step to step.
    pub(super) static SCRATCH: RefCell<Box<Scratch>> = RefCell::new(Scratch::new());
}

impl Scratch {
    pub(super) fn new() -> Box<Self> {
        let zero = [0.0; ROWS];
        let load = LoadBlock { force: [zero; 3], torque: [zero; 3] };
        let frames = Frames { turn: [[zero; 3]; 3], centre: [zero; 3], scale: zero, placed: [zero; 3] };
        Box::new(Self { load, before: [zero; 4], after: [zero; 4], seen: [zero; 7], frames, ways: zero })
    }
}

pub(super) fn blocks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(ROWS).map(move |first| first..rows.min(first + ROWS))
}
