//! Good scenes with random damage: an error or a scene, never a panic. `TUMBLE_MUTATIONS` sets how many.

use std::path::PathBuf;
use tumble_dem::random::Random;
use tumble_scene::keys::Lattice;
use tumble_scene::{Scene, SceneText};

/// Texts that are put in anywhere.
const TOKENS: [&str; 22] = [
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    ",",
    "\n",
    "#",
    ".",
    "-",
    "1e300",
    "nan",
    "inf",
    "-0",
    "1e-300",
    "true",
    "[[bodies]]\n",
    "\"5 mm\"",
    "\u{0}",
    "é",
    "99999999999999999999",
];

/// Numbers that take the place of others.
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1e300",
    "-1e300",
    "1e-300",
    "nan",
    "inf",
    "9223372036854775807",
    "99999999999999999999",
    "1e12",
    "1e6",
    "0.5",
    "1e-9",
    "1e40",
    "7",
    "100000",
];

fn below(random: &mut Random, count: usize) -> usize {
    usize::try_from(random.bits() % (count.max(1) as u64)).expect("it is small")
}

fn damaged(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=below(random, 4) {
        let at = below(random, bytes.len());
        match below(random, 8) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << below(random, 8),
            1 => {
                let end = (at + 1 + below(random, 30)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => bytes.truncate(at),
            3 => {
                let token = TOKENS[below(random, TOKENS.len())];
                bytes.splice(at..at, token.bytes());
            }
            4 => swap_lines(&mut bytes, random),
            5 => {
                // A piece of the scene somewhere else.
                let from = below(random, bytes.len());
                let piece = bytes[from..(from + below(random, 60)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => blow_up_a_number(&mut bytes, random),
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (below(random, lines.len()), below(random, lines.len()));
    lines.swap(a, b);
    *bytes = lines.join(&b'\n');
}

fn blow_up_a_number(bytes: &mut Vec<u8>, random: &mut Random) {
    let is_digit = |i: usize| bytes[i].is_ascii_digit() || bytes[i] == b'.';
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&i| is_digit(i) && (i == 0 || !is_digit(i - 1))).collect();
    if let Some(&start) = starts.get(below(random, starts.len())) {
        let end = (start..bytes.len()).find(|&i| !is_digit(i)).unwrap_or(bytes.len());
        let number = NUMBERS[below(random, NUMBERS.len())];
        bytes.splice(start..end, number.bytes());
    }
}

/// How many bodies a scene puts in; more than some are not worth a test.
fn bodies(scene: &Scene) -> u64 {
    let of_each = scene.keys.bodies.iter().map(|population| {
        let lattice = population.lattice.as_ref().and_then(Lattice::counts).map(|n| n.iter().product());
        let cloud = population.cloud.as_ref();
        let counted = cloud.and_then(|cloud| cloud.counts.as_ref()).map(|counts| counts.iter().sum());
        lattice.or(cloud.and_then(|cloud| cloud.count)).or(counted).unwrap_or(1)
    });
    of_each.fold(0, u64::saturating_add)
}

#[test]
fn damaged_scenes_never_panic() {
    let count = std::env::var("TUMBLE_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(2000);
    let scenes: Vec<(PathBuf, String)> = crate::common::scenes("good")
        .into_iter()
        .map(|path| (path.clone(), std::fs::read_to_string(&path).expect("it is there")))
        .collect();
    let mut random = Random::new(20_260_101);
    let (mut good, mut bad) = (0, 0);
    for case in 0..count {
        let (path, text) = &scenes[case % scenes.len()];
        let text = damaged(text, &mut random);
        let text =
            SceneText::new(path.display().to_string(), text).in_folder(path.parent().expect("a folder"));
        let built = Scene::parse(text).and_then(|scene| {
            let again = Scene::parse(SceneText::new(scene.text().name(), scene.effective()));
            assert_eq!(again.as_ref(), Ok(&scene), "case {case}");
            if bodies(&scene) > 500 { Ok(()) } else { scene.build(Some(1)).map(|_| ()) }
        });
        match built {
            Ok(()) => good += 1,
            Err(problems) => {
                bad += 1;
                assert!(
                    problems.has_errors() && problems.render(case % 2 == 0).contains("error"),
                    "case {case}"
                );
            }
        }
    }
    assert!(good > count / 25 && bad > count / 25, "{good} good, {bad} bad");
}

/// Structures that would overflow a stack if they were followed all the way.
#[test]
fn deep_scenes_are_refused() {
    let deep = 100_000;
    let dotted = |head: &str, tail: &str| format!("version = 1\n{head}{}{tail}\n", "a.".repeat(deep));
    for text in [
        dotted("", "a = 1"),
        dotted("[", "a]"),
        dotted("[[", "a]]"),
        dotted("x = { ", "a = 1 }"),
        dotted("x = [{ ", "a = 1 }]"),
        format!("version = {}", "[".repeat(deep)),
        format!("version = {}", "{ a = ".repeat(deep)),
        format!("version = {}1{}", "[".repeat(deep), "]".repeat(deep)),
    ] {
        assert!(Scene::parse(SceneText::new("deep", text.clone())).is_err());
        let value = text.split_once('=').expect("it has one").1;
        assert!(Scene::parse(SceneText::new("deep", "version = 1").set("run", value)).is_err());
        assert!(Scene::parse(SceneText::new("deep", "version = 1").set(&"run.".repeat(deep), "1")).is_err());
    }
}
