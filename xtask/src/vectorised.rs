//! Reads the assembly of the loops over bodies and contacts: a loop that lost its vectors fails, without a clock.
//!
//! Every loop is a kernel in functions of its own, one per instruction set
//! (`crates/rotation/src/batch/instruction_set.rs`). Its arithmetic must be packed, in registers of the full width.
//! The kernels of `tumble-rotation` are one per scheme, hook and precision; those of `tumble-dem` one per contact
//! model and precision, and a few for geometry and motion.

use crate::{Failure, cargo, root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tumble_dem::law::ContactModel;
use tumble_dem::physics::trace::flops;
use tumble_rotation::{Hook, SchemeKind, trace};

/// Arithmetic instructions of one function.
#[derive(Clone, Copy, Default)]
struct Counts {
    packed: usize,
    /// Packed, but in narrower registers than the instruction set has.
    narrow: usize,
    scalar: usize,
}

/// How many rows a loop goes through.
#[derive(Clone, Copy)]
enum Rows {
    /// A block of fixed length. Scalars remain where something is computed once per call, such as ½Δt.
    Block,
    /// Any number: what is left over from full vectors is computed once more, in narrower ones or one by one.
    Any,
}

impl Counts {
    /// Whether a loop that does this `work` for each row is vectorised.
    fn good(self, work: usize, rows: Rows) -> bool {
        let others = match rows {
            Rows::Block => 8,
            Rows::Any => 1,
        };
        self.packed >= work / 2 && self.scalar * others <= self.packed && self.narrow * others <= self.packed
    }

    fn shown(self) -> String {
        format!("{} ({})", self.packed, self.scalar)
    }
}

const SETS: [(&str, &str); 3] = [("baseline", "xmm"), ("avx2", "ymm"), ("avx512", "zmm")];
/// The hooks of every step, by the name that stands in the symbol of their loop.
const HOOKS: [(Hook, &str); 6] = [
    (Hook::BeforeTorque, "12BeforeTorque"),
    (Hook::AtTorque, "8AtTorque"),
    (Hook::BetweenTorques(0), "14BetweenTorquesKh0_"),
    (Hook::BetweenTorques(1), "14BetweenTorquesKh1_"),
    (Hook::BetweenTorques(2), "14BetweenTorquesKh2_"),
    (Hook::AfterTorque, "11AfterTorque"),
];
const PRECISIONS: [(char, &str); 2] = [('d', "f64"), ('f', "f32")];
/// Kernels of the engine beside its contact laws: what follows their names in symbols, and their operations for each row. Of
/// those in both precisions the one in `f64`; in single precision they convert more than they compute.
const ENGINE_KERNELS: [(&str, &str, usize, Rows); 5] = [
    ("SphereGeometry", "", 25, Rows::Block),
    ("MassLoop", "", 250, Rows::Block),
    ("Translate", "d", 15, Rows::Any),
    ("Displacement", "d", 22, Rows::Any),
    // What remains one by one is for bodies of which only some spheres are needed.
    ("Place", "d", 45, Rows::Any),
];

pub(crate) fn run() -> Result<(), Failure> {
    if !cfg!(target_arch = "x86_64") {
        println!("the check reads x86-64 assembly; nothing done on this machine");
        return Ok(());
    }
    let mut lost = Vec::new();
    schemes(&functions(&assembly("tumble-rotation", &["--features", "batch"])?), &mut lost);
    engine(&functions(&assembly("tumble-dem", &[])?), &mut lost);
    if lost.is_empty() {
        return Ok(());
    }
    Err(format!("not vectorised:\n  {}", lost.join("\n  ")).into())
}

/// The loops of the rotation schemes.
fn schemes(functions: &Functions, lost: &mut Vec<String>) {
    println!(
        "packed (scalar) arithmetic instructions of the loops: before, at, between and after the torque\n"
    );
    println!("{:24}{:>6}{:>36}{:>36}{:>36}", "scheme", "", SETS[0].0, SETS[1].0, SETS[2].0);
    for &kind in SchemeKind::ALL {
        for (letter, precision) in PRECISIONS {
            let mut row = format!("{:24}{precision:>6}", kind.name());
            for (set, _) in SETS {
                let mut cell = Vec::new();
                for (hook, mangled) in HOOKS {
                    let work = trace::record(kind, trace::Shape::General, hook).flops();
                    if work == 0 {
                        continue;
                    }
                    // A scheme's name ends its module's path; the precision and the hook follow.
                    let scheme = format!("{}{letter}", identifier(&format!("{kind:?}")));
                    let counts = find(functions, set, &[&scheme, mangled]);
                    cell.push(counts.shown());
                    if !counts.good(work, Rows::Block) {
                        lost.push(format!("{} {hook:?} {precision} {set}", kind.name()));
                    }
                }
                row = format!("{row}{:>36}", cell.join(" "));
            }
            println!("{row}");
        }
    }
}

/// The loops of the engine.
fn engine(functions: &Functions, lost: &mut Vec<String>) {
    println!("\n{:66}{:>12}{:>12}{:>12}", "contact model, or kernel", SETS[0].0, SETS[1].0, SETS[2].0);
    let mut check = |name: &str, path: &[&str], work: usize, rows: Rows| {
        let mut row = format!("{name:66}");
        for (set, _) in SETS {
            let counts = find(functions, set, path);
            row = format!("{row}{:>12}", counts.shown());
            if !counts.good(work, rows) {
                lost.push(format!("{name} {set}"));
            }
        }
        println!("{row}");
    };
    for model in ContactModel::all() {
        let ContactModel { law, rolling, twisting } = model;
        let name = format!("{}, rolling {}, twisting {}", law.name(), rolling.name(), twisting.name());
        // The three types follow each other; the path of the next begins with N.
        let types = [format!("{law:?}"), format!("{rolling:?}"), format!("{twisting:?}")];
        let [law, rolling, twisting] = types.map(|name| identifier(&name));
        for (letter, precision) in PRECISIONS {
            let last = format!("{twisting}{letter}");
            let path =
                ["7LawLoop", &format!("{law}N"), "7rolling", &format!("{rolling}N"), "8twisting", &last];
            check(&format!("{name}, {precision}"), &path, flops(model), Rows::Block);
        }
    }
    for (kernel, precision, work, rows) in ENGINE_KERNELS {
        check(kernel, &[&format!("{}{precision}", identifier(kernel))], work, rows);
    }
}

/// An identifier as it stands in a mangled name (RFC 2603): its length before it.
fn identifier(name: &str) -> String {
    format!("{}{name}", name.len())
}

/// The arithmetic of the kernels, by instruction set and what follows it in the symbol.
type Functions = BTreeMap<(&'static str, String), Counts>;

/// The kernels of this instruction set in whose symbols these parts follow each other; nothing if there is none.
fn find(functions: &Functions, set: &str, parts: &[&str]) -> Counts {
    let has_parts =
        |symbol: &str| parts.iter().try_fold(symbol, |rest, part| Some(rest.split_once(part)?.1)).is_some();
    let own = functions.iter().filter(|((of, symbol), _)| *of == set && has_parts(symbol));
    own.fold(Counts::default(), |sum, (_, counts)| Counts {
        packed: sum.packed + counts.packed,
        narrow: sum.narrow + counts.narrow,
        scalar: sum.scalar + counts.scalar,
    })
}

/// The assembly of a package in the release profile, with the features that its loops are behind.
fn assembly(package: &str, features: &[&str]) -> Result<String, Failure> {
    // A folder of its own: other builds of the crate leave assembly of their own nowhere near.
    let folder = root().join("target/assembly");
    let target = folder.to_string_lossy().into_owned();
    let build = ["rustc", "--quiet", "--release", "--package", package, "--lib", "--target-dir", &target];
    let options = ["--", "--emit=asm", "-Csymbol-mangling-version=v0", "-Cdebuginfo=0"];
    let deps = folder.join("release/deps");
    for file in assembly_files(&deps, package) {
        std::fs::remove_file(file)?;
    }
    // Without its metadata cargo would find the package fresh and not write the assembly again.
    for entry in std::fs::read_dir(folder.join("release/.fingerprint")).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&format!("{package}-")) {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    if !cargo(&[&build[..], features, &options[..]].concat()).status()?.success() {
        return Err("the release build failed".into());
    }
    let files = assembly_files(&deps, package);
    if files.is_empty() {
        return Err(format!("no assembly of {package} in {}", deps.display()).into());
    }
    let texts = files.iter().map(std::fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(texts.concat())
}

/// One file for each codegen unit of the package.
fn assembly_files(deps: &Path, package: &str) -> Vec<PathBuf> {
    let stem = format!("{}-", package.replace('-', "_"));
    let entries = std::fs::read_dir(deps).into_iter().flatten().flatten();
    let own = |path: &PathBuf| {
        let named = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&stem));
        named && path.extension().is_some_and(|extension| extension == "s")
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(own).collect();
    files.sort();
    files
}

fn functions(assembly: &str) -> Functions {
    let mut functions = BTreeMap::new();
    let mut same = Vec::new();
    let mut current = None;
    for line in assembly.lines() {
        if let Some((alias, function)) = line.split_once(" = ").filter(|(alias, _)| alias.starts_with("_R")) {
            // Of functions with the same instructions the compiler keeps one.
            same.extend(kernel(alias).zip(kernel(function)));
        } else if let Some(label) = line.strip_suffix(':').filter(|label| label.starts_with("_R")) {
            current = kernel(label);
        } else if let Some(kernel) = &current {
            count(line.trim(), kernel.0, functions.entry(kernel.clone()).or_default());
        }
    }
    for (alias, function) in same {
        if let Some(&counts) = functions.get(&function) {
            functions.insert(alias, counts);
        }
    }
    functions
}

/// The instruction set of a kernel's function, and the rest of its symbol.
fn kernel(symbol: &str) -> Option<(&'static str, String)> {
    let after = symbol.split_once("15instruction_set")?.1;
    SETS.into_iter().find_map(|(set, _)| Some((set, after.strip_prefix(&identifier(set))?.to_owned())))
}

fn count(line: &str, set: &str, counts: &mut Counts) {
    let Some((instruction, operands)) = line.split_once('\t') else { return };
    let operation = instruction.trim_start_matches('v');
    let Some(kind) = ["mul", "add", "sub", "div", "sqrt"].iter().find_map(|op| operation.strip_prefix(op))
    else {
        return;
    };
    let width = SETS.iter().find(|(other, _)| *other == set).map_or("xmm", |(_, width)| width);
    match kind {
        "pd" | "ps" if operands.contains(width) => counts.packed += 1,
        "pd" | "ps" => counts.narrow += 1,
        "sd" | "ss" => counts.scalar += 1,
        _ => {}
    }
}
