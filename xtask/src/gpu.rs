//! What can be checked on a machine with a graphics card alone: that the card has the bits of the processor. The tests that run everywhere
//! do the same on an emulated card.

use crate::optional::succeeds;
use crate::{Failure, cargo, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How much of an example is simulated, on either device.
const DURATION: &str = "0.01s";

/// Files of results that tell the time of the clock, and the device.
const TOLD: [&str; 2] = ["summary.json", "report.html"];

/// Tests that a checker of memory accesses goes through in minutes.
const CHECKED: &str = "walls";

/// Everything, or an error that says what is missing.
pub(crate) fn check() -> Result<(), Failure> {
    println!("── bits of every contact model, beside those that are written down");
    finish(&mut tumble(&["verify", "--device", "gpu"]))?;
    println!("\n── tests that take a card where there is one");
    finish(&mut cargo(&["test", "--package", "tumble-gpu"]))?;
    println!("\n── example scenes, {DURATION} on the processor and on the card");
    examples()?;
    println!("\n── memory accesses and races, by compute-sanitizer");
    sanitize()
}

fn tumble(arguments: &[&str]) -> Command {
    cargo(&[&["run", "--quiet", "--release", "--package", "tumble-cli", "--"], arguments].concat())
}

fn finish(command: &mut Command) -> Result<(), Failure> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed ({status})").into()) }
}

/// Every example that the card takes leaves the same bytes.
fn examples() -> Result<(), Failure> {
    let mut differing = Vec::new();
    for scene in scenes(&root().join("scenes"))? {
        let name = scene.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = scene.to_string_lossy();
        let folder = |device: &str| root().join("target/gpu").join(format!("{name}-{device}"));
        let run = |device: &str| {
            let out = folder(device);
            let out = out.to_string_lossy();
            let what = ["run", &path, "--duration", DURATION, "--out", &out, "--force", "--quiet"];
            tumble(&[&what[..], &["--device", device]].concat()).output()
        };
        let on_card = run("gpu")?;
        if !on_card.status.success() {
            println!("{name}: {}", String::from_utf8_lossy(&on_card.stderr).trim());
            continue;
        }
        let on_processor = run("cpu")?;
        if !on_processor.status.success() {
            let told = String::from_utf8_lossy(&on_processor.stderr).into_owned();
            return Err(format!("{name}: {told}").into());
        }
        let (ours, others) = (files(&folder("cpu"))?, files(&folder("gpu"))?);
        let same = ours == others;
        println!("{name}: {} files, {}", ours.len(), if same { "the same bytes" } else { "other bytes" });
        if !same {
            differing.push(name);
        }
    }
    if differing.is_empty() { Ok(()) } else { Err(format!("other bytes: {}", differing.join(", ")).into()) }
}

/// The scene files of a folder and of those in it.
fn scenes(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(scenes(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// All files of results by their paths, but for those that tell of the run.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        if path.is_dir() {
            found.extend(files(&path)?.into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else if !TOLD.iter().any(|told| name == Path::new(told)) {
            found.insert(name, fs::read(&path)?);
        }
    }
    Ok(found)
}

/// Some of the tests under the tools of CUDA, where they are installed.
fn sanitize() -> Result<(), Failure> {
    if !succeeds(&["compute-sanitizer", "--version"]) {
        println!("SKIPPED: compute-sanitizer is not on the path; it comes with the CUDA toolkit");
        return Ok(());
    }
    for tool in ["memcheck", "racecheck"] {
        let runner = format!("compute-sanitizer --tool {tool} --error-exitcode 1");
        let mut command = cargo(&["test", "--package", "tumble-gpu", "--test", "same_bits", "--", CHECKED]);
        let target = format!("CARGO_TARGET_{}_RUNNER", target().replace('-', "_").to_uppercase());
        finish(command.env(target, runner))?;
    }
    Ok(())
}

/// What this program was compiled for, as cargo names it.
fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}
