//! Libraries of compiled kernels, and calls of their functions.
#![allow(unsafe_code, reason = "calls functions of a library")]

use core::ffi::{CStr, c_char, c_int, c_void};
use libloading::Library;
use std::path::Path;

/// A kernel, given the bytes of its `World`.
type Kernel = unsafe extern "C" fn(*const c_void);
/// `tumble_run` of `scheduler.cpp`.
type Run = unsafe extern "C" fn(Kernel, u32, u32, *const c_void, u64, *mut u32, *mut c_char, usize) -> c_int;

/// Compiled kernels with their scheduler. Calls must take turns.
#[derive(Debug)]
pub(super) struct KernelLibrary {
    library: Library,
    run: Run,
    world_bytes: usize,
}

/// A kernel of a library.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelFunction(Kernel);

impl KernelLibrary {
    pub(super) fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the library was compiled from our header and scheduler; what it does when it is loaded is to set variables.
        let library = unsafe { Library::new(path) }?;
        // SAFETY: these are the types that `scheduler.cpp` and the trailer of every source declare. The functions
        // live as long as the library, in the same struct.
        let (run, world_bytes) = unsafe {
            let world_bytes = library.get::<unsafe extern "C" fn() -> u64>(b"tumble_world_bytes")?;
            (*library.get::<Run>(b"tumble_run")?, world_bytes())
        };
        Ok(Self { library, run, world_bytes: usize::try_from(world_bytes).unwrap_or(usize::MAX) })
    }

    /// How large the `World` of its kernels is.
    pub(super) fn world_bytes(&self) -> usize {
        self.world_bytes
    }

    /// A kernel by its name.
    pub(super) fn kernel(&self, name: &str) -> Option<KernelFunction> {
        // SAFETY: functions with this beginning are made by the macro KERNEL, with this type.
        let function = unsafe { self.library.get::<Kernel>(format!("tumble_kernel_{name}")) };
        function.ok().map(|function| KernelFunction(*function))
    }

    /// Runs a kernel of this library, or says why it could not finish.
    pub(super) fn run(
        &self,
        kernel: KernelFunction,
        blocks: u32,
        threads: u32,
        world: &[u8],
        seed: u64,
    ) -> Result<(), String> {
        assert!(world.len() == self.world_bytes && threads <= super::super::MOST_THREADS);
        // Aligned for whatever a struct may hold.
        let mut aligned = vec![0_u128; world.len().div_ceil(size_of::<u128>())];
        // SAFETY: there are at least as many bytes, and the two do not overlap.
        unsafe {
            aligned.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(world.as_ptr(), world.len());
        }
        let mut order = vec![0_u32; blocks as usize];
        let mut message: [c_char; 512] = [0; 512];
        // SAFETY: the kernel is one of this library and gets a whole `World`; `order` has a place for each block, and the message ends
        // with a zero. Whether its pointers lead to memory is the affair of the kernel's author; see `device.rs`.
        let result = unsafe {
            let world = aligned.as_ptr().cast();
            let (order, message) = (order.as_mut_ptr(), message.as_mut_ptr());
            (self.run)(kernel.0, blocks, threads, world, seed, order, message, 512)
        };
        if result == 0 {
            return Ok(());
        }
        // SAFETY: snprintf ends its text with a zero within the array, which was zero before.
        Err(unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().into_owned())
    }
}
