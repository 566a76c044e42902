//! `cargo xtask python`: the Python package in a wheel, installed in environments of its own under `target`; tests, examples in the
//! documentation and in notebooks, and types.
//!
//! The wheel holds the library that `cargo build` makes with the packages and features of the tests, so that nothing but the
//! package itself is compiled for it. With `--release` it is the one that users get by `pip install`, which takes minutes.

use crate::documented_paths::list;
use crate::python::{Environment, SYSTEM, succeed, target};
use crate::{Failure, cargo, features, optional, root, vtk};
use std::path::{Path, PathBuf};
use std::process::Command;

const REQUIREMENTS: &str = include_str!("../../crates/python/requirements.txt");

/// Makes what is missing for the Python package an error.
const REQUIRE: &str = "TUMBLE_REQUIRE_PYTHON";

/// How the name of a wheel says that it is for CPython 3.10 and all later versions.
const STABLE: &str = "-cp310-abi3-";

/// The largest wheel that users shall have to download, bytes.
const LARGEST: u64 = 8_000_000;

/// What must hold for the package that is installed, each as arguments of Python in the folder of the package.
const TESTS: (&str, &[&str]) = ("tests", &["-m", "pytest", "--quiet", "--pyargs", "tumble", "tests"]);
const TYPES: [(&str, &[&str]); 3] = [
    ("types of the package", &["-m", "mypy", "-p", "tumble"]),
    ("types of the tests", &["-m", "mypy", "tests"]),
    ("types of what is written in Rust", &["-m", "mypy.stubtest", "tumble._native"]),
];

/// What is asked for: by default what every change must pass.
#[derive(Default)]
pub(crate) struct Options<'a> {
    /// Whether the wheel is that of the users.
    release: bool,
    /// Further interpreters to test the same wheel with.
    interpreters: Vec<&'a str>,
}

impl<'a> Options<'a> {
    /// From what is typed.
    pub(crate) fn parse(mut words: &[&'a str]) -> Result<Self, Failure> {
        let mut options = Self::default();
        while let [first, rest @ ..] = words {
            words = match (*first, rest) {
                ("--release", rest) => {
                    options.release = true;
                    rest
                }
                ("--interpreter", [path, rest @ ..]) => {
                    options.interpreters.push(path);
                    rest
                }
                _ => return Err(format!("expected --release or --interpreter PATH, found {first}").into()),
            };
        }
        Ok(options)
    }
}

pub(crate) fn check(options: &Options<'_>) -> Result<(), Failure> {
    let python = match environment("python-package", SYSTEM).interpreter() {
        Ok(python) => python,
        Err(missing) => return optional::leave_out(missing, REQUIRE),
    };
    let package = root().join("crates/python");
    let (library, program) = build()?;
    let wheel =
        if options.release { release(&python, &package)? } else { pack(&python, &package, &library)? };
    install(&python, &wheel)?;
    if options.release {
        print!("{}", say(Command::new(&python).args(["-c", IMPORT_TIME]))?);
    }
    for check in [TESTS].iter().chain(&TYPES) {
        run(check, &python, &package, &program)?;
    }
    for (number, base) in options.interpreters.iter().enumerate() {
        println!("{base}: {}", say(Command::new(base).arg("--version"))?.trim());
        let python = environment(&format!("python-package-{number}"), base).interpreter()?;
        install(&python, &wheel)?;
        run(&TESTS, &python, &package, &program)?;
    }
    Ok(())
}

fn environment<'a>(folder: &'a str, base: &'a str) -> Environment<'a> {
    Environment {
        folder,
        base,
        requirements: REQUIREMENTS,
        probe: "ipykernel, maturin, mypy, numpy, pytest, wheel",
    }
}

/// The library, and the program whose results are to be those of the package.
fn build() -> Result<(PathBuf, PathBuf), Failure> {
    // On its own first: what the package forgets to ask for, others would bring.
    succeed(&mut cargo(&["check", "--quiet", "--locked", "--package", "tumble-python"]))?;
    let features = features::of_every_clone()?;
    let workspace = ["build", "--quiet", "--locked", "--workspace", "--features", &features];
    // The benchmark has the features that tests have by what they depend on, and so has the rest beside it.
    let targets = ["--lib", "--bin", "tumble", "--bench", "batch"];
    succeed(&mut cargo(&[&workspace[..], &targets].concat()))?;
    let built = target().join("debug");
    let library = format!("{}tumble_python{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok((built.join(library), built.join(format!("tumble{}", std::env::consts::EXE_SUFFIX))))
}

/// The wheel of this library: what maturin says of it, the modules, and the library under the name that Python looks for.
fn pack(python: &Path, package: &Path, library: &Path) -> Result<PathBuf, Failure> {
    let contents = empty_folder("wheel-contents")?;
    let describe =
        ["-m", "maturin", "pep517", "write-dist-info", "--quiet", "--locked", "--metadata-directory"];
    let mut maturin = Command::new(python);
    maturin.args(describe).arg(&contents).arg("--interpreter").arg(python).current_dir(package);
    succeed(&mut maturin)?;
    copy_modules(&package.join("python/tumble"), &contents.join("tumble"))?;
    let name = if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" };
    std::fs::copy(library, contents.join("tumble").join(name))?;
    let wheels = empty_folder("wheels")?;
    succeed(Command::new(python).args(["-m", "wheel", "pack", "--dest-dir"]).arg(&wheels).arg(&contents))?;
    the_wheel(&wheels)
}

/// The wheel as users get it.
fn release(python: &Path, package: &Path) -> Result<PathBuf, Failure> {
    let wheels = empty_folder("wheels")?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir"]);
    pip.arg(&wheels).arg(package).env("CARGO_TARGET_DIR", target());
    succeed(&mut pip)?;
    let wheel = the_wheel(&wheels)?;
    let bytes = std::fs::metadata(&wheel)?.len();
    println!("{}: {:.2} MB", wheel.display(), bytes as f64 / 1e6);
    if bytes >= LARGEST {
        Err(format!("the wheel has {bytes} bytes, and {LARGEST} are the limit").into())
    } else {
        Ok(wheel)
    }
}

/// How long the import takes, the best of several.
const IMPORT_TIME: &str = r#"
import subprocess, sys
program = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
def best(module):
    times = (subprocess.check_output([sys.executable, "-c", program.format(module)]) for _ in range(10))
    return min(map(float, times))
print(f"import tumble: {best('tumble'):.3f} s, of which NumPy {best('numpy'):.3f} s")
"#;

/// The modules of a folder and those below, and the script for notebooks; not what Python, `maturin develop` or editors leave beside them.
fn copy_modules(from: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(to)?;
    for path in list(from)? {
        let Some(name) = path.file_name() else { continue };
        let endings = ["py", "pyi", "typed", "js"];
        let is_module = path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one));
        if is_module {
            std::fs::copy(&path, to.join(name))?;
        } else if path.is_dir() && name != "__pycache__" {
            copy_modules(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// A folder under `target` with nothing in it.
fn empty_folder(name: &str) -> Result<PathBuf, Failure> {
    let folder = target().join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn the_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    match &list(folder)?[..] {
        [wheel] if wheel.to_string_lossy().contains(STABLE) => Ok(wheel.clone()),
        found => Err(format!("expected one wheel *{STABLE}*.whl, found {found:?}").into()),
    }
}

fn install(python: &Path, wheel: &Path) -> Result<(), Failure> {
    let pip =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
    succeed(Command::new(python).args(pip).arg(wheel)).map(drop)
}

fn run(
    (name, arguments): &(&str, &[&str]),
    python: &Path,
    package: &Path,
    program: &Path,
) -> Result<(), Failure> {
    println!("{name}");
    let mut command = Command::new(python);
    command.env("TUMBLE_PROGRAM", program).args(*arguments).current_dir(package);
    // Without VTK, which another step complains about, a test is left out.
    if let Ok(vtk) = vtk::ENVIRONMENT.interpreter() {
        command.env("TUMBLE_VTK", vtk);
    }
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {command:?} failed ({status})").into()) }
}

/// What a command prints.
fn say(command: &mut Command) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&succeed(command)?.stdout).into_owned())
}
