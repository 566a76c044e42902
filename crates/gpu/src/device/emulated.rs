//! The processor in the place of a card.
//!
//! The source of the kernels, between a header that gives it the words of CUDA and a line that tells the size of its `World`, is
//! compiled with a scheduler of fibers (`scheduler.cpp`) to a library, which is loaded into this process. Every program has a copy
//! of the library of its own, for `__shared__` variables and fibers are static variables in it.

mod library;
mod memory;

use super::cache::{self, ShortLivedFolder};
use super::{About, Buffer, Device, DeviceError, DeviceId, Lane, Program};
use library::{KernelFunction, KernelLibrary};
use memory::Memory;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

const HEADER: &str = include_str!("emulated/emulation.h");
const SCHEDULER: &str = include_str!("emulated/scheduler.cpp");
/// What comes after the kernels.
const TRAILER: &str = "\nextern \"C\" __attribute__((visibility(\"default\"))) u64 tumble_world_bytes() { return sizeof(World); }\n";
/// Products and sums are rounded one by one; nothing is optimised that would change bits.
const OPTIONS: [&str; 11] = [
    "-O1",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-std=c++17",
    "-shared",
    "-fPIC",
    "-w",
    // Whose checks do not know of fibers.
    "-U_FORTIFY_SOURCE",
    "-fno-stack-protector",
];

/// The device.
#[derive(Debug)]
struct Emulated {
    compiler: String,
    version: String,
    folder: PathBuf,
    id: DeviceId,
    order: Arc<Mutex<Order>>,
}

/// Whoever has this may touch the memory of the device.
#[derive(Debug)]
struct Order {
    seed: u64,
    launches: u64,
    memories: Vec<Weak<Memory>>,
    /// Launched in other lanes than the first, in this order, and still to be run: before or after what is launched there, as is drawn,
    /// until somebody waits for them.
    waiting: Vec<(Lane, Launch)>,
}

/// A kernel with all it is given.
#[derive(Debug)]
struct Launch {
    library: Arc<KernelLibrary>,
    kernel: String,
    function: KernelFunction,
    blocks: u32,
    threads: u32,
    world: Vec<u8>,
}

impl Order {
    /// A number for each launch, far apart for neighbouring seeds; who uses it scatters it.
    fn draw(&mut self) -> u64 {
        self.launches += 1;
        self.seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(self.launches)
    }

    fn run(&mut self, launch: &Launch) -> Result<(), DeviceError> {
        let failed = |cause: String| DeviceError::Launch { kernel: launch.kernel.clone(), cause };
        let Launch { function, blocks, threads, .. } = *launch;
        let seed = self.draw();
        launch.library.run(function, blocks, threads, &launch.world, seed).map_err(failed)?;
        for memory in self.memories.iter().filter_map(Weak::upgrade) {
            memory.check_surroundings().map_err(failed)?;
        }
        Ok(())
    }

    /// Runs what waits in a lane.
    fn run_waiting(&mut self, lane: Lane) -> Result<(), DeviceError> {
        while self.run_next(lane)? {}
        Ok(())
    }

    /// Runs what waits longest in a lane, if anything does.
    fn run_next(&mut self, lane: Lane) -> Result<bool, DeviceError> {
        let Some(next) = self.waiting.iter().position(|(of, _)| *of == lane) else { return Ok(false) };
        let (_, launch) = self.waiting.remove(next);
        self.run(&launch).map(|()| true)
    }

    /// Runs some of what waits, as is drawn.
    fn run_some(&mut self) -> Result<(), DeviceError> {
        while !self.waiting.is_empty() {
            let drawn = scattered(self.draw());
            let lane = match drawn % 4 {
                0 => Lane::Second,
                1 => Lane::Third,
                _ => return Ok(()),
            };
            self.run_next(lane)?;
        }
        Ok(())
    }
}

/// A number whose bits all depend on those of another one: the last step of SplitMix64.
fn scattered(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A library and those of its kernels that were asked for.
#[derive(Debug)]
struct EmulatedProgram {
    library: Arc<KernelLibrary>,
    kernels: Mutex<BTreeMap<String, KernelFunction>>,
    order: Arc<Mutex<Order>>,
}

/// Opens the device with the first of several compilers that can be run.
pub(super) fn open(compilers: &[&str], folder: &Path, seed: u64) -> Result<Arc<dyn Device>, DeviceError> {
    let found = compilers.iter().find_map(|&compiler| {
        let answer = Command::new(compiler).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&answer.stdout).into_owned();
        answer.status.success().then(|| (compiler.to_owned(), version))
    });
    let tried = || compilers.iter().map(|&compiler| compiler.to_owned()).collect();
    let (compiler, version) = found.ok_or_else(|| DeviceError::NoCompiler { tried: tried() })?;
    let order = Arc::new(Mutex::new(Order { seed, launches: 0, memories: Vec::new(), waiting: Vec::new() }));
    let folder = folder.to_owned();
    Ok(Arc::new(Emulated { compiler, version, folder, id: DeviceId::next(), order }))
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn file_error(path: &Path, cause: &impl ToString) -> DeviceError {
    DeviceError::File { path: path.to_owned(), cause: cause.to_string() }
}

impl Emulated {
    /// The library of some kernels, as a file of its own in a folder.
    fn build(&self, source: &str, folder: &Path) -> Result<PathBuf, DeviceError> {
        let library = folder.join("kernels.so");
        let options = OPTIONS.join(" ");
        let name =
            cache::name(&[HEADER, SCHEDULER, TRAILER, source, &options, &self.compiler, &self.version]);
        let kept = self.folder.join(name).with_extension("so");
        if let Some(bytes) = cache::load(&kept) {
            fs::write(&library, bytes).map_err(|cause| file_error(&library, &cause))?;
            return Ok(library);
        }
        let kernels = format!("{HEADER}#line 1 \"kernels\"\n{source}{TRAILER}");
        for (name, text) in [("kernels.cpp", kernels.as_str()), ("scheduler.cpp", SCHEDULER)] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|cause| file_error(&path, &cause))?;
        }
        let mut command = Command::new(&self.compiler);
        command.current_dir(folder).args(OPTIONS).args(["kernels.cpp", "scheduler.cpp", "-o", "kernels.so"]);
        let answer = command
            .output()
            .map_err(|cause| DeviceError::Compilation { log: format!("{}: {cause}", self.compiler) })?;
        if !answer.status.success() {
            let log = String::from_utf8_lossy(&answer.stderr).into_owned();
            return Err(DeviceError::Compilation { log });
        }
        let bytes = fs::read(&library).map_err(|cause| file_error(&library, &cause))?;
        cache::store(&kept, &bytes).map_err(|cause| file_error(&kept, &cause))?;
        Ok(library)
    }
}

impl Device for Emulated {
    fn about(&self) -> About {
        About {
            name: "emulated".to_owned(),
            capability: None,
            driver: None,
            memory: None,
            free: None,
            double_rate: None,
        }
    }

    fn compile(&self, source: &str) -> Result<Box<dyn Program>, DeviceError> {
        let folder =
            ShortLivedFolder::within(&self.folder).map_err(|cause| file_error(&self.folder, &cause))?;
        let path = self.build(source, &folder.0)?;
        let library = KernelLibrary::load(&path).map_err(|cause| file_error(&path, &cause))?;
        let order = Arc::clone(&self.order);
        Ok(Box::new(EmulatedProgram { library: Arc::new(library), kernels: Mutex::default(), order }))
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer, DeviceError> {
        let memory = Memory::new(bytes).ok_or(DeviceError::OutOfMemory { asked: bytes, free: None })?;
        let memory = Arc::new(memory);
        let mut order = lock(&self.order);
        order.memories.retain(|one| one.strong_count() > 0);
        order.memories.push(Arc::downgrade(&memory));
        Ok(Buffer::new(self.id, memory.address(), bytes, memory))
    }

    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        let memory: &Arc<Memory> = buffer.part(self.id, offset, bytes.len())?;
        let _order = lock(&self.order);
        memory.write(offset, bytes);
        Ok(())
    }

    fn read(&self, buffer: &Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let memory: &Arc<Memory> = buffer.part(self.id, offset, bytes.len())?;
        let _order = lock(&self.order);
        memory.read(offset, bytes);
        Ok(())
    }

    fn copy(&self, from: &Buffer, to: &Buffer, bytes: usize) -> Result<(), DeviceError> {
        let source: &Arc<Memory> = from.part(self.id, 0, bytes)?;
        let target: &Arc<Memory> = to.part(self.id, 0, bytes)?;
        let _order = lock(&self.order);
        let mut between = vec![0; bytes];
        source.read(0, &mut between);
        target.write(0, &between);
        Ok(())
    }

    fn clear(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        self.write(buffer, offset, &vec![0; bytes.min(buffer.len() + 1)])
    }

    fn follow(&self, _: Lane, other: Lane) -> Result<(), DeviceError> {
        lock(&self.order).run_waiting(other)
    }

    fn finish(&self) -> Result<(), DeviceError> {
        let mut order = lock(&self.order);
        Lane::ALL.into_iter().try_for_each(|lane| order.run_waiting(lane))
    }
}

impl Program for EmulatedProgram {
    fn launch_in(
        &self,
        lane: Lane,
        kernel: &str,
        blocks: u32,
        threads: u32,
        world: &[u8],
    ) -> Result<(), DeviceError> {
        let failed = |cause: String| DeviceError::Launch { kernel: kernel.to_owned(), cause };
        let mut kernels = lock(&self.kernels);
        let function = if let Some(function) = kernels.get(kernel) {
            *function
        } else {
            let function = self.library.kernel(kernel).ok_or_else(|| failed(super::no_kernel()))?;
            *kernels.entry(kernel.to_owned()).or_insert(function)
        };
        super::check_launch(threads, world.len(), self.library.world_bytes()).map_err(failed)?;
        if blocks == 0 {
            return Ok(());
        }
        let (library, kernel, world) = (Arc::clone(&self.library), kernel.to_owned(), world.to_vec());
        let launch = Launch { library, kernel, function, blocks, threads, world };
        let mut order = lock(&self.order);
        if lane != Lane::First {
            order.waiting.push((lane, launch));
            return Ok(());
        }
        order.run_some()?;
        order.run(&launch)
    }
}

impl Drop for EmulatedProgram {
    /// What nobody waited for is not run any more: its memory may be gone.
    fn drop(&mut self) {
        lock(&self.order).waiting.retain(|(_, launch)| !Arc::ptr_eq(&launch.library, &self.library));
    }
}
