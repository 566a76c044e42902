//! Calls of the driver, and what they give, freed when it is dropped.
//!
//! Every call says first whose context it is in, for contexts belong to threads and a device to all of them.
#![allow(unsafe_code, reason = "calls functions of the driver")]

use super::super::{DeviceError, Lane};
use core::ffi::c_void;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUresult};
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// Reads of no more bytes go through memory that the card writes to by itself, which is faster. With more, copying them
/// once again takes the time that was won.
const STAGED: usize = 1 << 16;

/// A card with a stream for each lane, in which its work is done in order.
#[derive(Debug)]
pub(super) struct Card {
    device: sys::CUdevice,
    context: sys::CUcontext,
    lanes: [Stream; Lane::ALL.len()],
    staging: Mutex<Staging>,
}

/// What is done in order, and the event that another stream waits for.
#[derive(Clone, Copy, Debug)]
struct Stream {
    stream: sys::CUstream,
    event: sys::CUevent,
}

impl Stream {
    /// In the present context.
    fn new() -> Result<Self, DriverError> {
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        Ok(Self { stream, event })
    }
}

/// Memory of the machine that the card can reach.
#[derive(Debug)]
struct Staging(*mut c_void);

// SAFETY: the handles can be used from any thread, says the documentation of the driver.
unsafe impl Send for Card {}
// SAFETY: as above, and from several at once; the staging memory is behind a lock.
unsafe impl Sync for Card {}

/// Says what was to be done when the driver did not do it.
fn during(what: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| DeviceError::Driver { what, cause: describe(error) }
}

/// What the driver says of an error.
fn describe(error: DriverError) -> String {
    error.error_string().map_or_else(|_| format!("{:?}", error.0), |text| text.to_string_lossy().into_owned())
}

/// How many cards there are, and which version of CUDA the driver knows.
pub(super) fn start() -> Result<(usize, (u32, u32)), DeviceError> {
    // Any other function of the driver panics where there is none.
    // SAFETY: libraries of these names are the driver, which can be loaded at any time.
    if !unsafe { sys::is_culib_present() } {
        return Err(DeviceError::NoDriver { reason: "libcuda was not found".to_owned() });
    }
    let no_driver = |error| DeviceError::NoDriver { reason: describe(error) };
    match result::init() {
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => return Ok((0, (0, 0))),
        started => started.map_err(no_driver)?,
    }
    let mut version = 0;
    // SAFETY: it writes to a number.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().map_err(no_driver)?;
    let version = u32::try_from(version).unwrap_or(0);
    let version = (version / 1000, version % 1000 / 10);
    if version.0 < 12 {
        let reason = format!("it knows CUDA {}.{}, and 12.0 is needed", version.0, version.1);
        return Err(DeviceError::NoDriver { reason });
    }
    let count = result::device::get_count().map_err(no_driver)?;
    Ok((usize::try_from(count).unwrap_or(0), version))
}

impl Card {
    /// Opens a card by its number, one of those that there are.
    pub(super) fn open(ordinal: usize) -> Result<Self, DeviceError> {
        let failed = during("open the card");
        let device = result::device::get(i32::try_from(ordinal).unwrap_or(i32::MAX)).map_err(&failed)?;
        // SAFETY: the device is one that the driver gave. What is made here is freed in `drop`, or with the process if a
        // later call fails.
        unsafe {
            let context = result::primary_ctx::retain(device).map_err(&failed)?;
            result::ctx::set_current(context).map_err(&failed)?;
            let [first, second, third] = Lane::ALL.map(|_| Stream::new());
            let lanes = [first.map_err(&failed)?, second.map_err(&failed)?, third.map_err(&failed)?];
            let staging = Mutex::new(Staging(result::malloc_host(STAGED, 0).map_err(&failed)?));
            Ok(Self { device, context, lanes, staging })
        }
    }

    pub(super) fn name(&self) -> String {
        result::device::get_name(self.device).unwrap_or_else(|_| "NVIDIA".to_owned())
    }

    pub(super) fn capability(&self) -> Result<(u32, u32), DeviceError> {
        let major = self.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        let minor = self.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        major.zip(minor).ok_or_else(|| DeviceError::Driver {
            what: "tell what the card is",
            cause: "it has no compute capability".to_owned(),
        })
    }

    /// Operations in single precision for one in double precision.
    pub(super) fn singles_per_double(&self) -> Option<u32> {
        self.attribute(Attribute::CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO)
    }

    fn attribute(&self, which: Attribute) -> Option<u32> {
        // SAFETY: the device is one that the driver gave.
        let value = unsafe { result::device::get_attribute(self.device, which) };
        u32::try_from(value.ok()?).ok()
    }

    /// Free and all memory, bytes.
    pub(super) fn memory(&self) -> Result<(usize, usize), DeviceError> {
        let failed = during("tell how much memory is free");
        self.enter().and_then(|()| result::mem_get_info()).map_err(failed)
    }

    fn enter(&self) -> Result<(), DriverError> {
        // SAFETY: the context is kept until the card is dropped.
        unsafe { result::ctx::set_current(self.context) }
    }

    pub(super) fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        let failed = during("write to the card");
        self.enter().map_err(&failed)?;
        // SAFETY: callers have checked that the address has as many bytes. The driver has read the bytes when it returns, for
        // they are not in memory that the card can reach.
        unsafe { result::memcpy_htod_async(address, bytes, self.stream(Lane::First)) }.map_err(&failed)
    }

    pub(super) fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let failed = during("read from the card");
        self.enter().map_err(&failed)?;
        if bytes.len() > STAGED {
            // SAFETY: callers have checked that the address has as many bytes; `bytes` is there until all is done.
            return unsafe { result::memcpy_dtoh_async(bytes, address, self.stream(Lane::First)) }
                .and_then(|()| self.wait(Lane::First))
                .map_err(failed);
        }
        let staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the staging memory has room for as many bytes, and is ours as long as it is locked.
        unsafe {
            let staged = core::slice::from_raw_parts_mut(staging.0.cast::<u8>(), bytes.len());
            let begun = result::memcpy_dtoh_async(staged, address, self.stream(Lane::First));
            begun.and_then(|()| self.wait(Lane::First)).map_err(failed)?;
            bytes.copy_from_slice(staged);
        }
        Ok(())
    }

    pub(super) fn copy(&self, from: u64, to: u64, bytes: usize) -> Result<(), DeviceError> {
        let failed = during("copy on the card");
        self.enter().map_err(&failed)?;
        // SAFETY: callers have checked that both addresses have as many bytes.
        unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream(Lane::First)) }.map_err(&failed)
    }

    pub(super) fn clear(&self, address: u64, bytes: usize) -> Result<(), DeviceError> {
        let failed = during("set memory of the card to zero");
        self.enter().map_err(&failed)?;
        // SAFETY: callers have checked that the address has as many bytes.
        unsafe { result::memset_d8_async(address, 0, bytes, self.stream(Lane::First)) }.map_err(&failed)
    }

    pub(super) fn follow(&self, lane: Lane, other: Lane) -> Result<(), DeviceError> {
        let (of, after) = (self.stream(lane), self.lanes[other as usize]);
        let waits = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: streams and events are kept until the card is dropped. A stream that waits for an event waits for what it was
        // recorded for last, whatever it is recorded for later.
        self.enter()
            .and_then(|()| unsafe { result::event::record(after.event, after.stream) })
            .and_then(|()| unsafe { result::stream::wait_event(of, after.event, waits) })
            .map_err(during("let kernels wait for others"))
    }

    pub(super) fn finish(&self) -> Result<(), DeviceError> {
        self.enter().and_then(|()| self.wait_for_all()).map_err(during("finish"))
    }

    fn stream(&self, lane: Lane) -> sys::CUstream {
        self.lanes[lane as usize].stream
    }

    fn wait(&self, lane: Lane) -> Result<(), DriverError> {
        // SAFETY: the stream is kept until the card is dropped.
        unsafe { result::stream::synchronize(self.stream(lane)) }
    }

    fn wait_for_all(&self) -> Result<(), DriverError> {
        Lane::ALL.into_iter().try_for_each(|lane| self.wait(lane))
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        let staging = self.staging.get_mut().unwrap_or_else(PoisonError::into_inner).0;
        // SAFETY: all of it was made in `open`, and whoever uses it keeps the card. Whether it fails matters to nobody any more.
        unsafe {
            let _ = self.enter().and_then(|()| self.wait_for_all());
            let _ = result::free_host(staging);
            for Stream { stream, event } in self.lanes {
                let _ = result::event::destroy(event);
                let _ = result::stream::destroy(stream);
            }
            let _ = result::primary_ctx::release(self.device);
        }
    }
}

/// Memory of a card.
#[derive(Debug)]
pub(super) struct Memory {
    card: Arc<Card>,
    address: u64,
}

impl Memory {
    /// So many bytes, with any content.
    pub(super) fn new(card: &Arc<Card>, bytes: usize) -> Result<Self, DeviceError> {
        let failed = during("find memory");
        card.enter().map_err(&failed)?;
        // SAFETY: no memory has no address, so that one byte is asked for at least.
        match unsafe { result::malloc_sync(bytes.max(1)) } {
            Ok(address) => Ok(Self { card: Arc::clone(card), address }),
            Err(error) => match card.memory() {
                Ok((free, _)) if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY || bytes > free => {
                    Err(DeviceError::OutOfMemory { asked: bytes, free: Some(free) })
                }
                _ => Err(failed(error)),
            },
        }
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated once, in `new`; no kernel is at work on it after the wait.
        unsafe {
            let _ = self.card.enter().and_then(|()| self.card.wait_for_all());
            let _ = result::free_sync(self.address);
        }
    }
}

/// Compiled code on a card.
#[derive(Debug)]
pub(super) struct Module {
    card: Arc<Card>,
    module: sys::CUmodule,
}

/// A kernel of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function(sys::CUfunction);

// SAFETY: handles can be used from any thread, says the documentation of the driver.
unsafe impl Send for Module {}
// SAFETY: as above, and from several at once.
unsafe impl Sync for Module {}
// SAFETY: as above.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Module {
    pub(super) fn load(card: &Arc<Card>, code: &[u8]) -> Result<Self, DeviceError> {
        let failed = during("load compiled kernels");
        card.enter().map_err(&failed)?;
        // SAFETY: the code comes whole from the compiler, or from a file whose hash was checked. Text ends with a zero.
        let module = unsafe { result::module::load_data(code.as_ptr().cast()) }.map_err(&failed)?;
        Ok(Self { card: Arc::clone(card), module })
    }

    /// How many bytes a variable has.
    pub(super) fn variable_bytes(&self, name: &str) -> Result<usize, DeviceError> {
        let failed = during("find a variable of the kernels");
        let name = CString::new(name).unwrap_or_default();
        self.card.enter().map_err(&failed)?;
        // SAFETY: the module is loaded.
        let variable = unsafe { result::module::get_global(self.module, name) };
        variable.map(|(_, bytes)| bytes).map_err(failed)
    }

    /// A kernel by its name.
    pub(super) fn function(&self, name: &str) -> Option<Function> {
        self.card.enter().ok()?;
        // SAFETY: the module is loaded.
        unsafe { result::module::get_function(self.module, CString::new(name).ok()?) }.ok().map(Function)
    }

    /// Launches a kernel of this module, whose one argument has as many bytes as are given.
    pub(super) fn launch(
        &self,
        lane: Lane,
        function: Function,
        blocks: u32,
        threads: u32,
        argument: &[u8],
    ) -> Result<(), String> {
        let mut arguments = [argument.as_ptr().cast_mut().cast::<c_void>()];
        self.card.enter().map_err(describe)?;
        // SAFETY: the function is one of this module, and the driver has copied its argument when it returns. Whether its pointers
        // lead to memory is the affair of the kernel's author; see `device.rs`.
        unsafe {
            let (grid, block, stream) = ((blocks, 1, 1), (threads, 1, 1), self.card.stream(lane));
            result::launch_kernel(function.0, grid, block, 0, stream, &mut arguments)
        }
        .map_err(describe)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: loaded once, in `load`; no kernel of it runs after the wait.
        unsafe {
            let _ = self.card.enter().and_then(|()| self.card.wait_for_all());
            let _ = result::module::unload(self.module);
        }
    }
}
