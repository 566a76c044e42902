//! Guarantee: a clump or STL file with any damage is read, or refused with a short message that names it; never a
//! panic, and never memory out of proportion. What is read makes a template or a wall, or is refused by them in
//! the same way. `TUMBLE_MUTATIONS` sets how many files of each kind are tried.

use crate::solids::{ball, cube, v};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use tumble_dem::clump::{
    ClumpFileError, ClumpFormat, ClumpSphere, ClumpTemplate, MassModel, read_clump, read_clump_as,
};
use tumble_dem::random::Random;
use tumble_dem::wall::stl::{MAX_FILE_BYTES, StlFault, write_ascii, write_binary};
use tumble_dem::wall::{MeshOptions, Stl};

/// What is put into texts, in the place of numbers and elsewhere.
const PIECES: [&[u8]; 24] = [
    b"nan",
    b"inf",
    b"-",
    b"-1",
    b"0",
    b"1e300",
    b"1e-300",
    b"1e999",
    b"4e-324",
    b"99999999999999999999",
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r",
    b"#",
    b"//",
    b"x",
    b"r",
    b"\"",
    b"\0",
    "\u{feff}".as_bytes(),
    "µ".as_bytes(),
    b"endsolid",
];

/// Words of four bytes that lengths and single-precision numbers may become.
const WORDS: [u32; 8] = [
    0,
    1,
    0xffff_ffff,
    0x7fff_ffff,
    f32::NAN.to_bits(),
    f32::INFINITY.to_bits(),
    f32::MAX.to_bits(),
    0x0000_0001,
];

fn count() -> usize {
    std::env::var("TUMBLE_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(3000)
}

fn below(random: &mut Random, count: usize) -> usize {
    usize::try_from(random.bits() % (count.max(1) as u64)).unwrap()
}

/// Damage of the kinds that disks, transfers, editors and malice do.
fn damaged(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=below(random, 4) {
        let at = below(random, bytes.len());
        let end = (at + 1 + below(random, 60)).min(bytes.len());
        match below(random, 10) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at.min(end)..end)),
            2 => bytes.extend_from_within(at.min(end)..end),
            3 => bytes[at..end].iter_mut().for_each(|byte| *byte = random.bits().to_le_bytes()[0]),
            4 => {
                let from = below(random, other.len());
                bytes.splice(at..at, other[from..].iter().copied().take(1 + below(random, 60)));
            }
            5 => {
                // Lengths are near the beginning of binary files.
                let at = if random.uniform() < 0.3 { 80.min(bytes.len()) } else { at };
                let word = WORDS[below(random, WORDS.len())].to_le_bytes();
                bytes[at..].iter_mut().zip(word).for_each(|(byte, new)| *byte = new);
            }
            6 | 7 => {
                let piece = PIECES[below(random, PIECES.len())];
                // In the place of a word, if there is one here.
                let word = bytes[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count().min(40);
                bytes.splice(at..at + word, piece.iter().copied());
            }
            _ => bytes[at] ^= 1 << below(random, 8),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// A file of its own for a test.
fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tumble-{}-{name}", std::process::id()))
}

/// A message for a person: it names the file, and does not repeat it.
fn assert_message(error: &dyn Error, file: &str) {
    let message = error.to_string();
    assert!(message.contains(file) && message.len() < 600, "{message}");
}

/// The most memory that this process ever had, in bytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().trim_end_matches(" kB").parse::<u64>().ok()?)
}

/// No file here has as much as 100 kB.
fn assert_modest(before: Option<u64>) {
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after < before.saturating_add(100 << 20), "{before} bytes before, {after} after");
    }
}

#[test]
fn clump_files() {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data", "clump"].iter().collect();
    let sources: Vec<Vec<u8>> = ["fibre.txt", "stone.multisphere", "dumbbell.csv", "windows.csv"]
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect();
    let (path, before) = (scratch("mutant.clump"), peak_memory());
    let mut random = Random::new(20_261_115);
    let (mut good, mut bad, mut templates) = (0, 0, 0);
    for case in 0..count() {
        let [source, other] = [case, case + 1].map(|number| &sources[number % sources.len()]);
        let bytes = damaged(source, other, &mut random);
        fs::write(&path, &bytes).unwrap();
        let format =
            [ClumpFormat::Table, ClumpFormat::Liggghts, ClumpFormat::DemEngine][below(&mut random, 3)];
        for result in [read_clump(&path), read_clump_as(&path, format)] {
            match result {
                Ok(spheres) => {
                    good += 1;
                    let finite = |s: &ClumpSphere| s.centre.to_array().into_iter().all(f64::is_finite);
                    assert!(!spheres.is_empty() && spheres.iter().all(|s| finite(s) && s.radius > 0.0));
                    let template = ClumpTemplate::new("mutant", &spheres, MassModel::Union);
                    templates += usize::from(template.is_ok_and(|template| template.volume() > 0.0));
                }
                Err(error) => {
                    bad += 1;
                    assert_message(&error, "mutant.clump");
                    if let ClumpFileError::Line { line, column, .. } = &error {
                        let text = str::from_utf8(&bytes).unwrap();
                        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                        let length = text.lines().nth(line - 1).unwrap().chars().count();
                        assert!((1..=length + 1).contains(column), "case {case}: {error}");
                    }
                }
            }
        }
    }
    fs::remove_file(&path).unwrap();
    assert_modest(before);
    let tenth = count() / 10;
    assert!(
        good > tenth && bad > tenth && templates > tenth,
        "{good} good, {bad} bad, {templates} templates"
    );
}

#[test]
fn stl_files() {
    let ascii = |triangles: &crate::solids::Triangles| {
        let mut bytes = Vec::new();
        write_ascii(&mut bytes, "part", triangles.iter().copied()).unwrap();
        bytes
    };
    let binary = |triangles: &crate::solids::Triangles| {
        let mut bytes = Vec::new();
        write_binary(&mut bytes, "solid part", triangles).unwrap();
        bytes
    };
    let sources = [ascii(&cube(1)), binary(&cube(1)), ascii(&ball(3)), binary(&ball(3))];
    let (path, before) = (scratch("mutant.stl"), peak_memory());
    let mut random = Random::new(20_261_116);
    let (mut good, mut bad, mut meshes) = (0, 0, 0);
    for case in 0..count() {
        let [source, other] = [case, case + 1].map(|number| &sources[number % sources.len()]);
        fs::write(&path, damaged(source, other, &mut random)).unwrap();
        let stl = match Stl::read(&path) {
            Ok(stl) => stl,
            Err(error) => {
                bad += 1;
                assert_message(&error, "mutant.stl");
                continue;
            }
        };
        good += 1;
        assert!(
            stl.triangles.iter().flatten().all(|corner| corner.to_array().into_iter().all(f64::is_finite))
        );
        let weld_distance = if case % 3 == 0 { 1e-3 } else { 0.0 };
        match stl.mesh(MeshOptions { weld_distance, ..MeshOptions::default() }) {
            Ok(mesh) => {
                meshes += 1;
                let touches = crate::solids::touches(&mesh, v(0.9, 0.9, 0.9), 0.4);
                let finite =
                    touches.iter().all(|touch| touch.overlap.is_finite() && touch.normal.norm().is_finite());
                assert!(finite, "case {case}: {touches:?}");
            }
            Err(error) => assert!(error.to_string().len() < 600, "case {case}: {error}"),
        }
    }
    fs::remove_file(&path).unwrap();
    assert_modest(before);
    let twentieth = count() / 20;
    assert!(
        good > twentieth && bad > twentieth && meshes > twentieth,
        "{good} good, {bad} bad, {meshes} meshes"
    );
}

/// What a file claims to hold costs nothing.
#[test]
fn claims_take_no_memory() {
    let (path, before) = (scratch("claims.stl"), peak_memory());
    for length in [84, 134, 1000] {
        let mut bytes = vec![b' '; length];
        bytes[80..84].copy_from_slice(&4_000_000_000_u32.to_le_bytes());
        fs::write(&path, bytes).unwrap();
        let error = Stl::read(&path).unwrap_err();
        assert_eq!(error.fault, StlFault::WrongLength { triangles: 4_000_000_000, length });
    }
    // A hole in the file: it takes no room on the disk.
    fs::File::create(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    let error = Stl::read(&path).unwrap_err();
    fs::remove_file(&path).unwrap();
    assert!(error.to_string().contains("claims.stl: larger than 512 MiB"), "{error}");
    assert_modest(before);
}
