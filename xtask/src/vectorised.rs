//! Reads the assembly of the batch loops: a loop that lost its vectors fails, without a clock.
//!
//! Every scheme has one loop per hook, precision and instruction set, in a function of its own
//! (`crates/rotation/src/batch/instruction_set.rs`). Its arithmetic must be packed, in registers of the full width.

use crate::{Failure, cargo, root};
use std::collections::BTreeMap;
use tumble_rotation::{Hook, SchemeKind, trace};

/// Arithmetic instructions of one function.
#[derive(Clone, Copy, Default)]
struct Counts {
    packed: usize,
    /// Packed, but in narrower registers than the instruction set has.
    narrow: usize,
    scalar: usize,
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

pub(crate) fn run() -> Result<(), Failure> {
    if !cfg!(target_arch = "x86_64") {
        println!("the check reads x86-64 assembly; nothing done on this machine");
        return Ok(());
    }
    let functions = functions(&assembly()?);
    let mut lost = Vec::new();
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
                    let found = functions.get(&(set, format!("{kind:?}"), letter, mangled));
                    let counts = found.copied().unwrap_or_default();
                    cell.push(format!("{} ({})", counts.packed, counts.scalar));
                    // Scalars remain where something is computed once per call, such as ½Δt.
                    let good = counts.packed >= work / 2
                        && counts.scalar * 8 <= counts.packed
                        && counts.narrow * 8 <= counts.packed;
                    if !good {
                        lost.push(format!("{} {hook:?} {precision} {set}", kind.name()));
                    }
                }
                row = format!("{row}{:>36}", cell.join(" "));
            }
            println!("{row}");
        }
    }
    if lost.is_empty() {
        return Ok(());
    }
    Err(format!("not vectorised:\n  {}", lost.join("\n  ")).into())
}

/// The assembly of `tumble-rotation` in the release profile.
fn assembly() -> Result<String, Failure> {
    // A folder of its own: other builds of the crate leave assembly of their own nowhere near.
    let folder = root().join("target/assembly");
    let target = folder.to_string_lossy().into_owned();
    let build =
        ["rustc", "--quiet", "--release", "--package", "tumble-rotation", "--lib", "--target-dir", &target];
    let options = ["--", "--emit=asm", "-Csymbol-mangling-version=v0", "-Cdebuginfo=0"];
    let deps = folder.join("release/deps");
    for entry in std::fs::read_dir(&deps).into_iter().flatten().flatten() {
        if is_assembly(&entry.path()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    // Without its metadata cargo would find everything fresh and not write the assembly again.
    let _ = std::fs::remove_dir_all(folder.join("release/.fingerprint"));
    if !cargo(&[&build[..], &options[..]].concat()).status()?.success() {
        return Err("the release build failed".into());
    }
    let file = std::fs::read_dir(&deps)?.flatten().map(|entry| entry.path()).find(|path| is_assembly(path));
    let file = file.ok_or_else(|| format!("no assembly of tumble-rotation in {}", deps.display()))?;
    Ok(std::fs::read_to_string(file)?)
}

fn is_assembly(path: &std::path::Path) -> bool {
    let stem = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    stem.starts_with("tumble_rotation-") && path.extension().is_some_and(|extension| extension == "s")
}

/// A loop: instruction set, scheme, precision, hook.
type Key = (&'static str, String, char, &'static str);

fn functions(assembly: &str) -> BTreeMap<Key, Counts> {
    let mut functions = BTreeMap::new();
    let mut same = Vec::new();
    let mut current: Option<Key> = None;
    for line in assembly.lines() {
        if let Some((alias, function)) = line.split_once(" = ").filter(|(alias, _)| alias.starts_with("_R")) {
            // Of functions with the same instructions the compiler keeps one.
            same.extend(key(alias).zip(key(function)));
        } else if let Some(label) = line.strip_suffix(':').filter(|label| label.starts_with("_R")) {
            current = key(label);
        } else if let Some(key) = &current {
            count(line.trim(), key, functions.entry(key.clone()).or_default());
        }
    }
    for (alias, function) in same {
        if let Some(&counts) = functions.get(&function) {
            functions.insert(alias, counts);
        }
    }
    functions
}

/// Reads a mangled name (RFC 2603): identifiers stand in it with their lengths before them.
fn key(symbol: &str) -> Option<Key> {
    let named = |name: &str| format!("{}{name}", name.len());
    let after = symbol.split_once("15instruction_set")?.1;
    let (set, _) = SETS.into_iter().find(|(set, _)| after.starts_with(&named(set)))?;
    SchemeKind::ALL.iter().find_map(|kind| {
        let scheme = format!("{kind:?}");
        // A scheme's name ends its module's path; the precision and the hook follow.
        let rest = after.split_once(&named(&scheme))?.1;
        let letter = rest.chars().next().filter(|c| "df".contains(*c))?;
        let (_, hook) = HOOKS.into_iter().find(|(_, hook)| rest.contains(hook))?;
        Some((set, scheme, letter, hook))
    })
}

fn count(line: &str, key: &Key, counts: &mut Counts) {
    let Some((instruction, operands)) = line.split_once('\t') else { return };
    let operation = instruction.trim_start_matches('v');
    let Some(kind) = ["mul", "add", "sub", "div", "sqrt"].iter().find_map(|op| operation.strip_prefix(op))
    else {
        return;
    };
    let width = SETS.iter().find(|(set, _)| *set == key.0).map_or("xmm", |(_, width)| width);
    match kind {
        "pd" | "ps" if operands.contains(width) => counts.packed += 1,
        "pd" | "ps" => counts.narrow += 1,
        "sd" | "ss" => counts.scalar += 1,
        _ => {}
    }
}
