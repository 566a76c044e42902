//! `check`, `advise` and `schema`: what they say about good scenes and bad ones.

use crate::common::{DROP, Folder, stderr, stdout};
use serde_json::Value;
use std::fs;

#[test]
fn every_example_passes() {
    let folder = Folder::new("check-examples");
    let list = stdout(&folder.run(&["new", "--list"]));
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        stdout(&folder.run(&["new", name]));
        let output = folder.run(&["check", &format!("{name}.toml")]);
        let text = stdout(&output);
        assert!(
            text.contains(&format!("{name}.toml: no ")) && stderr(&output).matches("error").count() == 0,
            "{output:?}"
        );
        let pieces = match name {
            "fibres" => "capsules",
            "sweets" => "ellipsoids",
            "dice" | "bricks" => "polyhedra",
            _ => "spheres",
        };
        for words in ["bodies", pieces, "time step", "steps", "will take"] {
            assert!(text.contains(words), "{words}\n{text}");
        }
    }
    assert!(!folder.0.join("results").exists());
}

#[test]
fn all_problems_of_all_files() {
    let folder = Folder::new("check-bad");
    let write = |name: &str, text: &str| fs::write(folder.0.join(name), text).unwrap();
    write("good.toml", DROP);
    write("typo.toml", &DROP.replace("density", "densty").replace("friction", "frction"));
    write("syntax.toml", "version = 1\n[run\n");
    write("physics.toml", &DROP.replace("poisson = 0.25", "poisson = 0.75"));
    let output =
        folder.run(&["check", "typo.toml", "good.toml", "missing.toml", "syntax.toml", "physics.toml"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let (found, message) = (String::from_utf8(output.stdout.clone()).unwrap(), stderr(&output));
    assert!(found.starts_with("good.toml: no problems\n") && found.contains("1 of 3 spheres"), "{found}");
    for words in [
        "did you mean `density`?",
        "did you mean `friction`?",
        "typo.toml: 2 errors",
        "cannot read the scene missing.toml",
        "--> syntax.toml:2:",
        "physics.toml: 1 error",
    ] {
        assert!(message.contains(words), "{words}\n{message}");
    }
    // The same words, only coloured, on a terminal.
    let mut coloured = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"));
    coloured.args(["check", "typo.toml"]).current_dir(&folder.0).env("CLICOLOR_FORCE", "1");
    assert!(stderr(&coloured.output().unwrap()).contains('\u{1b}'));
    assert!(!message.contains('\u{1b}'), "{message}");
}

#[test]
fn settings_are_checked_with_the_scene() {
    let folder = Folder::new("check-set");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    let text = stdout(&folder.run(&["check", "drop.toml", "--set", "run.steps=10", "--set", "dt=1 us"]));
    assert!(text.contains("time step   1e-6 s (at most") && text.contains("10, 1e-5 s"), "{text}");
    assert_eq!(folder.run(&["check", "drop.toml", "--set", "dt=1 kg"]).status.code(), Some(2));
}

#[test]
fn advice_names_the_limit_that_binds() {
    let folder = Folder::new("advise");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    let text = stdout(&folder.run(&["advise", "drop.toml"]));
    assert!(text.contains("\n→ ") && text.contains("time step of at most"), "{text}");
    let json: Value = serde_json::from_str(&stdout(&folder.run(&["advise", "drop.toml", "--json"]))).unwrap();
    let limits = json["limits"].as_array().unwrap();
    let binding: Vec<&Value> = limits.iter().filter(|limit| limit["binds"] == true).collect();
    assert_eq!(binding.len(), 1, "{json}");
    assert!(text.contains(&format!("→ {}", binding[0]["limit"].as_str().unwrap())), "{text}");
    // dt is "auto", and the shortest of those that count.
    assert_eq!(json["dt_s"], json["recommended_s"]);
    for limit in limits.iter().filter(|limit| limit["counts"] == true) {
        assert!(limit["recommended_s"].as_f64().unwrap() >= json["recommended_s"].as_f64().unwrap());
    }
    let half = stdout(&folder.run(&["advise", "drop.toml", "--set", "run.dt={ fraction = 0.5 }"]));
    assert!(half.contains(", 0.5 times that"), "{half}");
    // Strong dashpots against rolling need a step of their own.
    let rolling = ["contact.rolling=elastic-plastic", "pair.rolling_friction=2", "pair.rolling_damping=3"];
    let set: Vec<&str> = rolling.iter().flat_map(|key| ["--set", key]).collect();
    let text = stdout(&folder.run(&[&["advise", "drop.toml"], &set[..]].concat()));
    assert!(text.contains("→ rolling, twisting"), "{text}");
    let output = folder.run(&["advise", "missing.toml"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn the_schema_knows_the_keys() {
    let folder = Folder::new("schema");
    let schema: Value = serde_json::from_str(&stdout(&folder.run(&["schema"]))).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(schema["properties"]["run"].is_object() && schema["$defs"].is_object());
}

/// A stream by a table brings the integral of its rates, in the stages in which it pours.
#[test]
fn what_streams_will_bring_is_the_integral_of_their_rates() {
    let folder = Folder::new("check-table");
    let scene = r#"
        version = 1
        run = { dt = 1e-4 }
        materials.glass = { density = 2500, young = 1e8, poisson = 0.25 }
        pair = { restitution = 0.9 }
        templates.ball = { shape = "sphere", radius = 0.01 }
        stages = [{ name = "pour", duration = 1 }, { name = "rest", duration = 9 }]
        [[streams]]
        template = "ball"
        region = { low = [0, 0, 0], high = [9, 9, 9] }
        rate = [[0, 0], [0.5, 200]]
        stages = ["pour"]
    "#;
    fs::write(folder.0.join("table.toml"), scene).unwrap();
    let text = stdout(&folder.run(&["check", "table.toml"]));
    for words in ["and up to 150 more of a stream", "streams.0: 0 to 200 bodies/s, by a table of 2 rows"] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

/// What was drawn is told: numbers, sizes, mass; and of streams what comes on average.
#[test]
fn populations_are_told() {
    let folder = Folder::new("check-populations");
    let scene = r#"
        version = 1
        run = { dt = 1e-6, steps = 10 }
        materials.glass = { density = 2500, young = 1e8, poisson = 0.25 }
        pair = { restitution = 0.9 }
        templates.ball = { shape = "sphere", radius = 0.5 }
        [[bodies]]
        template = "ball"
        size = { sieves = { sizes = [0.1, 0.2, 0.4], passing = [0, 0.5, 1] } }
        cloud = { low = [0, 0, 0], high = [4, 4, 4], mass = 8000 }
        [[streams]]
        template = "ball"
        size = { lognormal = { median = 0.2, sigma = 0.1 }, by = "mass", min = 0.02, max = 2 }
        disc = { centre = [10, 0, 0], normal = [0, 0, 1], radius = 2 }
        mass_rate = 100
        [[outlets]]
        name = "drain"
        half_space = { point = [0, 0, -9], normal = [0, 0, 1] }
    "#;
    fs::write(folder.0.join("sizes.toml"), scene).unwrap();
    let text = stdout(&folder.run(&["check", "sizes.toml"]));
    let line = text.lines().find(|line| line.contains("bodies.0: ")).unwrap_or_else(|| panic!("{text}"));
    let numbers: Vec<f64> = line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let [count, mass, low, high, median] = numbers[..] else { panic!("{line}") };
    // Of sizes from 0.1 m to 0.4 m, half of the mass below 0.2 m; the last body brings the mass as near as it can.
    assert!(count > 500.0 && (mass - 8000.0).abs() < 42.0, "{line}");
    assert!(
        (0.1..0.105).contains(&low) && (0.3..0.4).contains(&high) && (0.12..0.15).contains(&median),
        "{line}"
    );
    // Of the number, half is below exp(-0.03) of the median by mass.
    assert!(text.contains("half of them below 0.194089 m, half of their mass below 0.2 m"), "{text}");
    assert!(text.contains("streams.0: 100 kg/s, ") && text.contains("outlets     drain"), "{text}");
}

/// A dense packing tells its own time, apart from that of everything; a loose cloud takes none worth telling.
#[test]
fn packings_tell_how_long_they_took() {
    let folder = Folder::new("check-packing");
    let scene = |fraction: f64| {
        format!(
            r#"
            version = 1
            run = {{ dt = 1e-6, steps = 10 }}
            materials.glass = {{ density = 2500, young = 1e8, poisson = 0.25 }}
            pair = {{ restitution = 0.9 }}
            templates.ball = {{ shape = "sphere", radius = 0.5 }}
            bodies = [
                {{ template = "ball", at = [20, 0, 0] }},
                {{ template = "ball", cloud = {{ low = [0, 0, 0], high = [9, 9, 9], fraction = {fraction} }} }},
            ]
            "#
        )
    };
    fs::write(folder.0.join("dense.toml"), scene(0.5)).unwrap();
    let text = stdout(&folder.run(&["check", "dense.toml"]));
    let line = text.lines().find(|line| line.contains("packed in")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains(" s: bodies.1, to a solid fraction of 0."), "{line}");
    let seconds: f64 = line.split_whitespace().nth(2).unwrap().parse().unwrap();
    let fraction: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((0.0..100.0).contains(&seconds) && (fraction - 0.5).abs() < 2e-3, "{line}");
    fs::write(folder.0.join("loose.toml"), scene(0.1)).unwrap();
    let text = stdout(&folder.run(&["check", "loose.toml"]));
    assert!(!text.contains("packed in"), "{text}");
}

/// Streams count with all that they bring, not with what is there at the start.
#[test]
fn streams_are_estimated_by_what_they_bring() {
    let folder = Folder::new("check-streams");
    let stream = |more: &str| {
        let stream = "streams = [{ template = \"rod\", rate = 1000, region = { low = [0, 0, 0.1], high = [0.3, 0.3, 0.3] }, MORE }]";
        let scene = DROP.replace("10 ms", "2 s") + &stream.replace("MORE", more);
        fs::write(folder.0.join("pour.toml"), scene).unwrap();
        stdout(&folder.run(&["check", "pour.toml"]))
    };
    let text = stream("stop = 1.5");
    assert!(text.contains("1 of 3 spheres, and up to 1500 more of a stream"), "{text}");
    assert!(text.contains("and the bodies to come; longer once bodies lie on each other"), "{text}");
    assert!(stream("start = 0.5, count = 700").contains("up to 700 more"));
    // One at the start, and one at the end.
    let text = stream("start = 1.0");
    assert!(text.contains("up to 1001 more"), "{text}");
}

/// The first moments with other steps: more error with longer ones, and 20 % of the Rayleigh time among them.
#[test]
fn trials_show_what_a_longer_step_costs() {
    let folder = Folder::new("advise-try");
    let scene = DROP
        .replace("2 cm", "5.2 mm")
        .replace("{ speed = 1 }", "[0, 0, -1]")
        .replace("restitution = 0.9", "restitution = 1");
    fs::write(folder.0.join("drop.toml"), scene.replace("friction = 0.3", "friction = 0")).unwrap();
    let text = stdout(&folder.run(&["advise", "drop.toml", "--try"]));
    assert!(text.contains("energy error") && text.contains("20 % of the Rayleigh time"), "{text}");
    let json: Value =
        serde_json::from_str(&stdout(&folder.run(&["advise", "drop.toml", "--try", "--json"]))).unwrap();
    let trials = json["trials"]["trials"].as_array().unwrap();
    let recommended = json["recommended_s"].as_f64().unwrap();
    let error = |part: f64| {
        let of = |trial: &&Value| (trial["dt_s"].as_f64().unwrap() / recommended / part - 1.0).abs() < 1e-6;
        trials.iter().find(of).unwrap()["energy_error"].as_f64()
    };
    assert!(
        trials.iter().any(|trial| trial["contacts"].as_u64().is_some_and(|contacts| contacts > 0)),
        "{json}"
    );
    assert!(error(0.5).unwrap() < error(5.0).unwrap(), "{json}");
    assert!(error(1.0).unwrap() < 1e-3, "{json}");
}

/// Names of files may have anything in them; nothing of it commands the terminal.
#[test]
#[cfg(unix)]
fn control_characters_do_not_reach_the_terminal() {
    let folder = Folder::new("check-control");
    let name = "\u{1b}]0;owned\u{7}\u{202e}lmot.toml";
    fs::write(folder.0.join(name), DROP.replace("density", "densty")).unwrap();
    fs::write(folder.0.join("title.toml"), DROP.replace("A rod falls", "A rod \\u001B[2J falls")).unwrap();
    for arguments in [
        &["check", name][..],
        &["run", name],
        &["run", "missing\u{1b}[2J"],
        &["check", "title.toml"],
        &["info", name],
    ] {
        let output = folder.run(arguments);
        let said = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(said).unwrap();
        let bad = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
        assert!(!text.is_empty() && !text.contains(bad), "{arguments:?}: {text:?}");
    }
    // Colours alone neither, where ours are shown: in names, titles, keys, and the lines that are shown of a file.
    let colour = "\u{1b}[35;7m";
    let (named, raw) = (format!("{colour}named.toml"), "raw.toml");
    fs::write(folder.0.join(&named), DROP.replace("density", "densty")).unwrap();
    fs::write(folder.0.join(raw), format!("version = 1 # {colour} \u{9b}7m\ndensty = 2 # {colour}\n"))
        .unwrap();
    let key = format!("\"{colour}\" = 1\n");
    fs::write(folder.0.join("key.toml"), key.replace('\u{1b}', "\\u001B") + DROP).unwrap();
    let missing = format!("missing{colour}.toml");
    for scene in [&*named, raw, "key.toml", "title.toml", &*missing] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"));
        let output = command
            .args(["check", scene])
            .current_dir(&folder.0)
            .env("CLICOLOR_FORCE", "1")
            .output()
            .unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains('\u{1b}'), "ours are there: {scene:?}: {text:?}");
        assert!(!text.contains(colour) && !text.contains('\u{9b}'), "{scene:?}: {text:?}");
    }
}
