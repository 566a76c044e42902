//! Cards with CUDA.
//!
//! Neither driver nor toolkit is needed to build or start the program: both are loaded when a card is asked for. Kernels are compiled
//! to the code of the card itself, with products and sums rounded one by one, so that results have the bits of the processor.

mod driver;
mod nvrtc;

use super::{About, Buffer, Device, DeviceError, DeviceId, Lane, OLDEST_CAPABILITY, Program, cache};
use driver::{Card, Function, Memory, Module};
use nvrtc::{Nvrtc, Target};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const PRELUDE: &str = include_str!("cuda/prelude.cuh");
/// What comes after the kernels: a variable as large as their argument.
const TRAILER: &str = "\nextern \"C\" { __device__ char tumble_world[sizeof(World)]; }\n";

/// The device.
#[derive(Debug)]
struct Cuda {
    card: Arc<Card>,
    compiler: Nvrtc,
    capability: (u32, u32),
    driver: (u32, u32),
    cache: Option<PathBuf>,
    id: DeviceId,
    last: Arc<Mutex<Option<Arc<str>>>>,
}

/// A module and those of its kernels that were asked for.
#[derive(Debug)]
struct CudaProgram {
    module: Module,
    world_bytes: usize,
    kernels: Mutex<BTreeMap<Arc<str>, Function>>,
    last: Arc<Mutex<Option<Arc<str>>>>,
}

/// Opens a card.
pub(super) fn open(ordinal: usize, cache: Option<&Path>) -> Result<Arc<dyn Device>, DeviceError> {
    let (count, driver) = driver::start()?;
    if ordinal >= count {
        return Err(DeviceError::NoSuchCard { ordinal, count });
    }
    let card = Arc::new(Card::open(ordinal)?);
    let capability = card.capability()?;
    if capability < OLDEST_CAPABILITY {
        return Err(DeviceError::TooOld { name: card.name(), capability });
    }
    let compiler = Nvrtc::find(capability, driver)?;
    let cache = cache.map(Path::to_owned);
    let (id, last) = (DeviceId::next(), Arc::default());
    Ok(Arc::new(Cuda { card, compiler, capability, driver, cache, id, last }))
}

impl Cuda {
    fn options(&self) -> Vec<String> {
        let target = match self.compiler.target {
            Target::Card(number) => format!("sm_{number}"),
            Target::Driver(number) => format!("compute_{number}"),
        };
        [
            &format!("--gpu-architecture={target}"),
            "--std=c++17",
            "--fmad=false",
            "--ftz=false",
            "--prec-div=true",
            "--prec-sqrt=true",
            "-default-device",
            // For profilers and checkers; the code is the same.
            "--generate-line-info",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    /// Compiled code, kept from before if possible.
    fn code(&self, source: &str) -> Result<Vec<u8>, DeviceError> {
        let source = format!("{PRELUDE}#line 1 \"kernels\"\n{source}{TRAILER}");
        let options = self.options();
        let version = format!("{:?}", self.compiler.version);
        let name = cache::name(&[&source, &options.join(" "), &version]);
        let kept = self.cache.as_ref().map(|folder| folder.join(name).with_extension("cubin"));
        if let Some(code) = kept.as_deref().and_then(cache::load) {
            return Ok(code);
        }
        let code = self.compiler.compile(&source, &options)?;
        if let (Some(path), Some(folder)) = (&kept, &self.cache) {
            // Where nothing can be kept, it is compiled again the next time.
            let _ = std::fs::create_dir_all(folder).and_then(|()| cache::store(path, &code));
        }
        Ok(code)
    }

    /// Tells which kernel may be the reason of a failure.
    fn blame(&self, error: DeviceError) -> DeviceError {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match (error, last) {
            (DeviceError::Driver { cause, .. }, Some(kernel)) => {
                let cause = format!("{cause} (in this kernel, the last one launched, or in one before it)");
                DeviceError::Launch { kernel: kernel.to_string(), cause }
            }
            (error, _) => error,
        }
    }
}

impl Device for Cuda {
    fn about(&self) -> About {
        let memory = self.card.memory().ok();
        About {
            name: self.card.name(),
            capability: Some(self.capability),
            driver: Some(self.driver),
            memory: memory.map(|(_, all)| all as u64),
            free: memory.map(|(free, _)| free as u64),
            double_rate: self.card.singles_per_double().map(|singles| 1.0 / f64::from(singles)),
        }
    }

    fn compile(&self, source: &str) -> Result<Box<dyn Program>, DeviceError> {
        let module = Module::load(&self.card, &self.code(source)?).map_err(|error| self.blame(error))?;
        let world_bytes = module.variable_bytes("tumble_world")?;
        let last = Arc::clone(&self.last);
        Ok(Box::new(CudaProgram { module, world_bytes, kernels: Mutex::default(), last }))
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer, DeviceError> {
        let memory = Memory::new(&self.card, bytes).map_err(|error| self.blame(error))?;
        let buffer = Buffer::new(self.id, memory.address(), bytes, memory);
        self.clear(&buffer, 0, bytes)?;
        Ok(buffer)
    }

    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        let memory: &Memory = buffer.part(self.id, offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.card.write(memory.address() + offset as u64, bytes).map_err(|error| self.blame(error))
    }

    fn read(&self, buffer: &Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let memory: &Memory = buffer.part(self.id, offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.card.read(memory.address() + offset as u64, bytes).map_err(|error| self.blame(error))
    }

    fn copy(&self, from: &Buffer, to: &Buffer, bytes: usize) -> Result<(), DeviceError> {
        let source: &Memory = from.part(self.id, 0, bytes)?;
        let target: &Memory = to.part(self.id, 0, bytes)?;
        if bytes == 0 || source.address() == target.address() {
            return Ok(());
        }
        self.card.copy(source.address(), target.address(), bytes).map_err(|error| self.blame(error))
    }

    fn clear(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        let memory: &Memory = buffer.part(self.id, offset, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        self.card.clear(memory.address() + offset as u64, bytes).map_err(|error| self.blame(error))
    }

    fn follow(&self, lane: Lane, other: Lane) -> Result<(), DeviceError> {
        self.card.follow(lane, other).map_err(|error| self.blame(error))
    }

    fn finish(&self) -> Result<(), DeviceError> {
        self.card.finish().map_err(|error| self.blame(error))
    }
}

impl Program for CudaProgram {
    fn launch_in(
        &self,
        lane: Lane,
        kernel: &str,
        blocks: u32,
        threads: u32,
        world: &[u8],
    ) -> Result<(), DeviceError> {
        let failed = |cause: String| DeviceError::Launch { kernel: kernel.to_owned(), cause };
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let (name, function) = if let Some((name, &function)) = kernels.get_key_value(kernel) {
            (Arc::clone(name), function)
        } else {
            let function = self.module.function(kernel).ok_or_else(|| failed(super::no_kernel()))?;
            let name: Arc<str> = kernel.into();
            kernels.insert(Arc::clone(&name), function);
            (name, function)
        };
        drop(kernels);
        super::check_launch(threads, world.len(), self.world_bytes).map_err(failed)?;
        if blocks == 0 {
            return Ok(());
        }
        self.module.launch(lane, function, blocks, threads, world).map_err(failed)?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
        Ok(())
    }
}
