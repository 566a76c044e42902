//! The compiler for kernels on cards, NVRTC: found when it is needed, in the places where it is installed.
#![allow(unsafe_code, reason = "calls functions of a library")]

use super::super::DeviceError;
use core::ffi::{CStr, c_char, c_int, c_void};
use libloading::Library;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::ptr;

/// A result: zero for success.
type Code = c_int;
/// A program that is being compiled.
type Handle = *mut c_void;
type CreateProgram = unsafe extern "C" fn(
    *mut Handle,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> Code;
type CompileProgram = unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Code;
type DestroyProgram = unsafe extern "C" fn(*mut Handle) -> Code;
type Size = unsafe extern "C" fn(Handle, *mut usize) -> Code;
type Content = unsafe extern "C" fn(Handle, *mut c_char) -> Code;

/// What a program is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Code of the card, by the compute capability, as 90 for 9.0.
    Card(u32),
    /// Code that the driver compiles for a card that is newer than the compiler.
    Driver(u32),
}

/// The compiler.
#[derive(Debug)]
pub(super) struct Nvrtc {
    pub(super) version: (u32, u32),
    pub(super) target: Target,
    create: CreateProgram,
    compile: CompileProgram,
    destroy: DestroyProgram,
    log: (Size, Content),
    result: (Size, Content),
    message: unsafe extern "C" fn(Code) -> *const c_char,
    /// Where all these functions are.
    _library: Library,
}

impl Nvrtc {
    /// Finds a compiler whose code a card and its driver can run.
    pub(super) fn find(capability: (u32, u32), driver: (u32, u32)) -> Result<Self, DeviceError> {
        let mut unfit = Vec::new();
        let mut second = None;
        for path in places() {
            // SAFETY: a library of this name is NVRTC, which only sets its own variables when it is loaded.
            let Ok(library) = (unsafe { Library::new(&path) }) else { continue };
            let Ok((version, known)) = describe(&library) else { continue };
            let name = format!("{} is version {}.{}", path.display(), version.0, version.1);
            if version.0 > driver.0 {
                unfit.push(format!("{name}, and the driver knows CUDA {}.{}", driver.0, driver.1));
                continue;
            }
            match target(capability, &known) {
                Some(Target::Card(number)) => {
                    if let Ok(found) = Self::new(library, version, Target::Card(number)) {
                        return Ok(found);
                    }
                }
                Some(target) => second = second.or_else(|| Self::new(library, version, target).ok()),
                None => unfit.push(format!("{name}, which no longer knows this card")),
            }
        }
        second.ok_or_else(|| {
            unfit.dedup();
            let reason = if unfit.is_empty() { "no libnvrtc was found".to_owned() } else { unfit.join("; ") };
            DeviceError::NoNvrtc { reason }
        })
    }

    fn new(library: Library, version: (u32, u32), target: Target) -> Result<Self, libloading::Error> {
        // SAFETY: the types are those of nvrtc.h, and the functions are kept with the library.
        unsafe {
            Ok(Self {
                version,
                target,
                create: *library.get(b"nvrtcCreateProgram")?,
                compile: *library.get(b"nvrtcCompileProgram")?,
                destroy: *library.get(b"nvrtcDestroyProgram")?,
                log: (*library.get(b"nvrtcGetProgramLogSize")?, *library.get(b"nvrtcGetProgramLog")?),
                result: match target {
                    Target::Card(_) => (*library.get(b"nvrtcGetCUBINSize")?, *library.get(b"nvrtcGetCUBIN")?),
                    Target::Driver(_) => (*library.get(b"nvrtcGetPTXSize")?, *library.get(b"nvrtcGetPTX")?),
                },
                message: *library.get(b"nvrtcGetErrorString")?,
                _library: library,
            })
        }
    }

    /// Compiles a source.
    pub(super) fn compile(&self, source: &str, options: &[String]) -> Result<Vec<u8>, DeviceError> {
        let text = |text: &str| {
            CString::new(text)
                .map_err(|_| DeviceError::Compilation { log: "a zero in the source".to_owned() })
        };
        let source = text(source)?;
        let options = options.iter().map(|option| text(option)).collect::<Result<Vec<_>, _>>()?;
        let options: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let mut handle = ptr::null_mut();
        // SAFETY: source and name are C strings, and there are no headers.
        let code = unsafe {
            (self.create)(&raw mut handle, source.as_ptr(), c"kernels".as_ptr(), 0, ptr::null(), ptr::null())
        };
        self.check(code)?;
        let count = c_int::try_from(options.len()).unwrap_or(0);
        // SAFETY: the handle was made above, and there are as many options.
        let code = unsafe { (self.compile)(handle, count, options.as_ptr()) };
        let answer = self.check(code).and_then(|()| self.content(handle, self.result));
        let answer = answer.map_err(|error| match self.content(handle, self.log) {
            Ok(log) if log.len() > 1 => DeviceError::Compilation {
                log: String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned(),
            },
            _ => error,
        });
        // SAFETY: the handle was made above and is not used again.
        unsafe { (self.destroy)(&raw mut handle) };
        answer
    }

    fn content(&self, handle: Handle, (size, content): (Size, Content)) -> Result<Vec<u8>, DeviceError> {
        let mut bytes = 0;
        // SAFETY: the handle is that of a program which was not destroyed.
        self.check(unsafe { size(handle, &raw mut bytes) })?;
        let mut all = vec![0_u8; bytes];
        // SAFETY: there is as much room as was asked for.
        self.check(unsafe { content(handle, all.as_mut_ptr().cast()) })?;
        Ok(all)
    }

    fn check(&self, code: Code) -> Result<(), DeviceError> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: every code has a text that lives as long as the library.
        let text = unsafe { CStr::from_ptr((self.message)(code)) };
        Err(DeviceError::Compilation { log: format!("NVRTC: {}", text.to_string_lossy()) })
    }
}

/// Version and known compute capabilities of a library.
fn describe(library: &Library) -> Result<((u32, u32), Vec<u32>), libloading::Error> {
    let (mut major, mut minor, mut count) = (0, 0, 0);
    let mut known: Vec<c_int> = Vec::new();
    // SAFETY: the types are those of nvrtc.h, and there is room for as many numbers as there are.
    unsafe {
        let version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Code = *library.get(b"nvrtcVersion")?;
        version(&raw mut major, &raw mut minor);
        let how_many: unsafe extern "C" fn(*mut c_int) -> Code =
            *library.get(b"nvrtcGetNumSupportedArchs")?;
        how_many(&raw mut count);
        known.resize(usize::try_from(count).unwrap_or(0), 0);
        let which: unsafe extern "C" fn(*mut c_int) -> Code = *library.get(b"nvrtcGetSupportedArchs")?;
        which(known.as_mut_ptr());
    }
    let plain = |number: c_int| u32::try_from(number).unwrap_or(0);
    Ok(((plain(major), plain(minor)), known.into_iter().map(plain).collect()))
}

/// What to compile for a card, by the numbers that a compiler knows. Code of a card runs on others with the same first number and
/// a second one that is no smaller.
fn target(capability: (u32, u32), known: &[u32]) -> Option<Target> {
    let card = 10 * capability.0 + capability.1;
    let newest = known.iter().copied().filter(|&number| number <= card).max()?;
    Some(if newest / 10 == capability.0 { Target::Card(newest) } else { Target::Driver(newest) })
}

/// Where the library may be, best first: where the system looks for libraries, then where toolkits are installed.
fn places() -> Vec<PathBuf> {
    if cfg!(windows) {
        return ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"].map(PathBuf::from).to_vec();
    }
    let names = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"];
    let mut places: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    for toolkit in toolkits() {
        for folder in ["lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"] {
            places.extend(
                names.iter().map(|name| toolkit.join(folder).join(name)).filter(|path| path.exists()),
            );
        }
    }
    places
}

/// Folders of installed toolkits, newest first.
fn toolkits() -> Vec<PathBuf> {
    let mut versions: Vec<(Vec<u32>, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir("/usr/local").into_iter().flatten().flatten() {
        let name = entry.file_name();
        if let Some(version) = name.to_str().and_then(|name| name.strip_prefix("cuda-")) {
            versions.push((version.split('.').map_while(|part| part.parse().ok()).collect(), entry.path()));
        }
    }
    versions.sort();
    let chosen = ["/usr/local/cuda", "/opt/cuda"].map(|path| Path::new(path).to_owned());
    chosen.into_iter().chain(versions.into_iter().rev().map(|(_, path)| path)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Target, target};

    #[test]
    fn code_is_for_the_card_or_for_the_driver_to_compile() {
        let of_12 = [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90];
        let of_13 = [75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121];
        assert_eq!(target((9, 0), &of_12), Some(Target::Card(90)));
        assert_eq!(target((8, 8), &of_12), Some(Target::Card(87)));
        assert_eq!(target((12, 0), &of_12), Some(Target::Driver(90)));
        assert_eq!(target((12, 0), &of_13), Some(Target::Card(120)));
        assert_eq!(target((7, 0), &of_13), None);
    }
}
