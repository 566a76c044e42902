//! Numbers to devices and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tumble_gpu::device::{self, Buffer, Device, DeviceError};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Where compiled kernels are kept from one run of the tests to the next.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels")
}

/// The emulated device, unless there is no compiler for it.
pub(crate) fn emulated(seed: u64) -> Result<Option<Arc<dyn Device>>, DeviceError> {
    match device::emulated(&folder(), seed) {
        Err(DeviceError::NoCompiler { tried }) => {
            say(&format!("not tested: none of {tried:?} can be run"));
            Ok(None)
        }
        other => other.map(Some),
    }
}

#[allow(clippy::print_stderr, reason = "what was not tested has to be said")]
pub(crate) fn say(text: &str) {
    eprintln!("{text}");
}

/// The devices that are here: kernels have to give the same on each.
pub(crate) fn devices() -> Result<Vec<Arc<dyn Device>>, DeviceError> {
    let mut devices = Vec::new();
    for seed in 0..4 {
        devices.extend(emulated(seed)?);
    }
    devices.extend(device::cuda(0, Some(&folder())).ok());
    Ok(devices)
}

/// Numbers as bytes and back.
pub(crate) trait Plain: Copy + Default {
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! plain {
    ($($number:ty)*) => { $(impl Plain for $number {
        fn bytes(self) -> Vec<u8> {
            self.to_le_bytes().to_vec()
        }
        fn of(bytes: &[u8]) -> Self {
            Self::from_le_bytes(bytes.try_into().expect("as many bytes"))
        }
    })* };
}
plain!(u32 u64 i32 i64 f64);

pub(crate) fn upload<T: Plain>(device: &dyn Device, values: &[T]) -> Result<Buffer, DeviceError> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
    let buffer = device.allocate(bytes.len())?;
    device.write(&buffer, 0, &bytes)?;
    Ok(buffer)
}

pub(crate) fn download<T: Plain>(device: &dyn Device, buffer: &Buffer) -> Result<Vec<T>, DeviceError> {
    let mut bytes = vec![0; buffer.len()];
    device.read(buffer, 0, &mut bytes)?;
    Ok(bytes.chunks_exact(size_of::<T>()).map(T::of).collect())
}

/// A `World` of pointers.
pub(crate) fn world(buffers: &[&Buffer]) -> Vec<u8> {
    buffers.iter().flat_map(|buffer| buffer.address().to_le_bytes()).collect()
}

/// What a kernel of `World { const IN *in; OUT *out; }` makes of some numbers.
pub(crate) fn run<I: Plain, O: Plain>(
    device: &dyn Device,
    source: &str,
    kernel: &str,
    grid: (u32, u32),
    input: &[I],
    output: usize,
) -> Result<Vec<O>, DeviceError> {
    let input = upload(device, input)?;
    let output = device.allocate(output * size_of::<O>())?;
    device.compile(source)?.launch(kernel, grid.0, grid.1, &world(&[&input, &output]))?;
    device.finish()?;
    download(device, &output)
}

/// Numbers without an order, the same every time.
pub(crate) fn scattered(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|i| {
        let z = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 27)
    })
}

/// The two numbers of 32 bits that one of 64 bits is in memory, lower first.
pub(crate) fn halves(bits: u64) -> [u32; 2] {
    [0, 32].map(|by| u32::try_from(bits >> by & u64::from(u32::MAX)).unwrap_or(0))
}
