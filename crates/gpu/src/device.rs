//! Something that runs kernels: a card with CUDA, or the processor in its place.
//!
//! Kernels are one source for both, in the CUDA C++ that NVRTC compiles without any header. The source begins with the
//! definition of a struct `World`; every kernel is given one by value, as `w`:
//!
//! ```text
//! struct World { const double *a; double *b; u32 count; };
//!
//! KERNEL(twice) {
//!     u32 i = blockIdx.x * blockDim.x + threadIdx.x;
//!     if (i < w.count) w.b[i] = 2 * w.a[i];
//! }
//! ```
//! `KERNEL_BOUNDS(name, threads, blocks)` says how large blocks may be and how many of them a multiprocessor shall hold.
//! Both devices know `u32`, `u64`, `i32` and `i64`. Grids and blocks have one dimension; shared memory is that of
//! `__shared__` variables; a warp has 32 threads. Products and sums are rounded one by one, as Rust does it.
//!
//! What a kernel does with the addresses it is given is its own affair: on either device it can destroy what is not its own.

mod cache;
mod cuda;
mod emulated;
mod error;

pub use error::DeviceError;

use core::fmt::Debug;
use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The oldest compute capability that kernels are compiled for: double precision in atomic operations began with it.
pub(crate) const OLDEST_CAPABILITY: (u32, u32) = (6, 0);

/// Kernels in one lane of a device run one after the other, as they were launched. Those in different lanes may run in any order or at
/// the same time, unless one [follows](Device::follow) the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What everything is in that is not said to be elsewhere.
    First,
    /// One beside it.
    Second,
    /// Another one.
    Third,
}

impl Lane {
    const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];
}

/// Runs kernels, and has memory of its own for them. Memory is read and written, and kernels run, in the order of asking, but for those
/// kernels that are launched in other lanes than the first.
pub trait Device: Debug + Send + Sync {
    /// What it is called, such as "NVIDIA H200" or "emulated".
    fn name(&self) -> String {
        self.about().name
    }

    /// What it is.
    fn about(&self) -> About;

    /// Compiles kernels for it.
    fn compile(&self, source: &str) -> Result<Box<dyn Program>, DeviceError>;

    /// Memory of so many bytes, all zero.
    fn allocate(&self, bytes: usize) -> Result<Buffer, DeviceError>;

    /// Writes to a buffer, from an offset in bytes on.
    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Reads from a buffer, from an offset in bytes on. Waits for all that was launched before in the first lane.
    fn read(&self, buffer: &Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError>;

    /// Copies the first bytes of a buffer to another one.
    fn copy(&self, from: &Buffer, to: &Buffer, bytes: usize) -> Result<(), DeviceError>;

    /// Sets a part of a buffer to zero.
    fn clear(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<(), DeviceError>;

    /// What comes into a lane from now on waits for all that was launched in another one so far.
    fn follow(&self, lane: Lane, other: Lane) -> Result<(), DeviceError>;

    /// Waits for all that was launched, in any lane, and says what went wrong with it.
    fn finish(&self) -> Result<(), DeviceError>;
}

/// Kernels compiled for a device. It can outlive the value of the device it was made with.
pub trait Program: Debug + Send + Sync {
    /// Launches a kernel in the first lane.
    fn launch(&self, kernel: &str, blocks: u32, threads: u32, world: &[u8]) -> Result<(), DeviceError> {
        self.launch_in(Lane::First, kernel, blocks, threads, world)
    }

    /// Launches a kernel in a lane with so many blocks of so many threads; `world` are the bytes of its struct. Nothing happens with no
    /// blocks. A card works on it while the caller goes on, and tells of failures in a later call.
    fn launch_in(
        &self,
        lane: Lane,
        kernel: &str,
        blocks: u32,
        threads: u32,
        world: &[u8],
    ) -> Result<(), DeviceError>;
}

/// What a device is.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// What it is called.
    pub name: String,
    /// Compute capability, major and minor, of a card.
    pub capability: Option<(u32, u32)>,
    /// The newest version of CUDA that the driver of the card knows, major and minor.
    pub driver: Option<(u32, u32)>,
    /// All memory, bytes.
    pub memory: Option<u64>,
    /// Memory that is free now, bytes.
    pub free: Option<u64>,
    /// Operations in double precision for each one in single precision in the same time, where it is known.
    pub double_rate: Option<f64>,
}

/// Memory of a device, which it has until the buffer is dropped.
#[derive(Debug)]
pub struct Buffer {
    device: DeviceId,
    address: u64,
    bytes: usize,
    /// Gives the memory back when it is dropped.
    memory: Box<dyn Any + Send + Sync>,
}

impl Buffer {
    fn new(device: DeviceId, address: u64, bytes: usize, memory: impl Any + Send + Sync) -> Self {
        Self { device, address, bytes, memory: Box::new(memory) }
    }

    /// Where kernels find it: the value of a pointer in their `World`.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The memory behind a part of it, if the buffer is one of a device and has that part.
    fn part<M: Any>(&self, device: DeviceId, offset: usize, bytes: usize) -> Result<&M, DeviceError> {
        let memory = self.memory.downcast_ref().filter(|_| self.device == device);
        let memory = memory.ok_or(DeviceError::ForeignBuffer)?;
        match offset.checked_add(bytes) {
            Some(end) if end <= self.bytes => Ok(memory),
            _ => Err(DeviceError::OutOfBounds { offset, bytes, length: self.bytes }),
        }
    }
}

/// Which device of this process something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DeviceId(u64);

impl DeviceId {
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A card by its number, from zero. Compiled kernels are kept in a folder, if one is given.
pub fn cuda(ordinal: usize, cache: Option<&Path>) -> Result<Arc<dyn Device>, DeviceError> {
    cuda::open(ordinal, cache)
}

/// The processor in the place of a card, to test kernels where there is none.
///
/// Kernels are compiled by the C++ compiler of the machine: `c++`, `g++` or `clang++`, whichever can be run first. Compiled kernels are kept
/// in a folder, which is made if need be and can be deleted at any time. Blocks run one after the other, and their threads take
/// turns, in orders drawn from the seed; so a kernel whose result depends on them gives different ones with different seeds.
pub fn emulated(folder: &Path, seed: u64) -> Result<Arc<dyn Device>, DeviceError> {
    emulated::open(&["c++", "g++", "clang++"], folder, seed)
}

/// As [`emulated()`], with a compiler of the caller's choice that takes the options of GCC.
pub fn emulated_with(compiler: &str, folder: &Path, seed: u64) -> Result<Arc<dyn Device>, DeviceError> {
    emulated::open(&[compiler], folder, seed)
}

/// As many threads as a block can have on any card.
const MOST_THREADS: u32 = 1024;

/// What is wrong with a launch, on any device.
fn check_launch(threads: u32, world: usize, expected: usize) -> Result<(), String> {
    if world != expected {
        return Err(format!("it was given a World of {world} bytes, and the struct has {expected}"));
    }
    if threads == 0 || threads > MOST_THREADS {
        return Err(format!("a block has 1 to {MOST_THREADS} threads, not {threads}"));
    }
    Ok(())
}

fn no_kernel() -> String {
    "the program has no kernel of this name".to_owned()
}
