//! Runs that are interrupted or killed, again and again, and end with the same bytes as one that was left alone.
#![cfg(unix)]

use crate::common::{Folder, MILL, assert_same_results, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A folder with the scene, and in `whole` the results of a run that nobody interrupted; how long that took.
fn reference(name: &str) -> (Folder, Duration) {
    let folder = Folder::new(name);
    fs::write(folder.0.join("mill.toml"), MILL).unwrap();
    let begin = Instant::now();
    stdout(&folder.run(&["run", "mill.toml", "--out", "whole", "--quiet"]));
    (folder, begin.elapsed())
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(arguments)
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The checkpoints of a run, oldest first.
fn checkpoints(results: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(results.join("checkpoints")).into_iter().flatten();
    let whole = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "tumble");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(whole).collect();
    paths.sort();
    paths
}

/// Waits until a run has written a checkpoint beside its first.
fn wait_for_checkpoints(child: &mut Child, results: &Path) {
    while checkpoints(results).len() < 2 && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
}

/// Numbers from 0 to 1 (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

const KILLS: usize = 20;

#[test]
fn killed_at_any_moment_and_resumed_it_ends_with_the_same_bytes() {
    let (folder, whole) = reference("sigkill");
    let results = folder.0.join("killed");
    let mut random = Random(20_241_115);
    let mut longest = 0.25 * whole.as_secs_f64();
    // Where the machine is so quick that the run ends before it was killed often enough, it is killed sooner.
    while !killed_often(&folder, &results, &mut random, longest) {
        fs::remove_dir_all(&results).unwrap();
        longest *= 0.5;
    }
    let mode = if results.join(".tumble").exists() { "--resume" } else { "--force" };
    stdout(&folder.run(&["run", "mill.toml", "--out", "killed", mode]));
    assert_same_results(&folder.0.join("whole"), &results);
}

/// Starts or resumes a run and kills it, many times; whether it was still unfinished after the last.
fn killed_often(folder: &Folder, results: &Path, random: &mut Random, longest: f64) -> bool {
    for _ in 0..KILLS {
        let arguments = ["run", "mill.toml", "--out", "killed", "--quiet", "--resume"];
        // Killed before there was a folder, it has nothing to resume.
        let count = if results.join(".tumble").exists() { arguments.len() } else { arguments.len() - 1 };
        let mut child = start(folder, &arguments[..count]);
        sleep(Duration::from_secs_f64(longest * random.next()));
        let ended = child.try_wait().unwrap();
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        match ended {
            None => assert!(output.stderr.is_empty(), "{output:?}"),
            Some(status) => {
                assert!(status.success(), "{output:?}");
                return false;
            }
        }
    }
    true
}

#[test]
fn a_signal_leaves_a_folder_that_the_printed_command_resumes() {
    let (folder, _) = reference("sigterm");
    // Whom a person stops ends with another code than whom a queue does.
    for (signal, out, code) in
        [("-TERM", "with a blank", 75), ("-USR1", "out-of-time", 75), ("-INT", "interrupted", 4)]
    {
        let results = folder.0.join(out);
        let mut child =
            start(&folder, &["run", "mill.toml", "--out", out, "--set", "title=Mill", "--threads", "2"]);
        wait_for_checkpoints(&mut child, &results);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let message = stderr(&output);
        assert!(message.contains("interrupted: the state is saved, at step "), "{message}");
        let command = message.lines().find_map(|line| line.trim().strip_prefix("to go on: ")).unwrap();
        assert!(
            command.ends_with("--set title=Mill --out 'with a blank' --threads 2 --resume")
                || !out.contains(' ')
        );
        let info = stdout(&folder.run(&["info", out]));
        assert!(info.contains("interrupted") && info.contains("--resume"), "{info}");

        let program = Path::new(env!("CARGO_BIN_EXE_tumble")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let resumed = Command::new("sh")
            .args(["-c", command])
            .current_dir(&folder.0)
            .env("PATH", path)
            .output()
            .unwrap();
        assert!(stderr(&resumed).contains("from step "), "{resumed:?}");
        assert!(stdout(&resumed).contains("simulated"), "{resumed:?}");
        let summary = fs::read_to_string(results.join("summary.json")).unwrap();
        assert!(summary.contains("\"how\": \"finished\""), "{summary}");
        assert_same_results(&folder.0.join("whole"), &results);
    }
}

#[test]
fn started_again_after_each_time_limit_it_comes_to_its_end_with_the_same_bytes() {
    let (folder, whole) = reference("time-limit");
    let limit = format!("{}ms", (whole.as_millis() / 4).max(1));
    for ranks in [&[][..], &["--ranks", "2", "--threads", "1"]] {
        let out = format!("limited-{}", ranks.len());
        let results = folder.0.join(&out);
        let mut limits = 0;
        loop {
            let begun = results.join(".tumble").exists();
            let command = ["run", "mill.toml", "--out", &out, "--time-limit", &limit];
            let output = folder.run(&[&command[..], ranks, if begun { &["--resume"] } else { &[] }].concat());
            match output.status.code() {
                Some(0) => break,
                Some(75) => limits += 1,
                _ => panic!("{output:?}"),
            }
            let message = stderr(&output);
            assert!(message.contains("interrupted: the time limit of "), "{message}");
            assert!(message.contains(" --time-limit ") && message.contains(" --resume"), "{message}");
        }
        assert!(limits > 0, "it ended before its limit, {limit}");
        assert_same_results(&folder.0.join("whole"), &results);
    }
}

#[test]
fn a_damaged_checkpoint_is_named_and_the_one_before_it_used() {
    let (folder, _) = reference("damaged");
    for (out, reason) in [("flipped", "its checksum is wrong"), ("truncated", "it was cut off")] {
        let results = folder.0.join(out);
        let mut child = start(&folder, &["run", "mill.toml", "--out", out, "--quiet"]);
        wait_for_checkpoints(&mut child, &results);
        child.kill().unwrap();
        child.wait().unwrap();
        let newest = checkpoints(&results).pop().unwrap();
        let mut bytes = fs::read(&newest).unwrap();
        match out {
            "flipped" => bytes[1000] ^= 0x10,
            _ => bytes.truncate(1000),
        }
        fs::write(&newest, bytes).unwrap();
        let name = newest.file_name().unwrap().to_str().unwrap();
        let output = folder.run(&["info", &format!("{out}/checkpoints/{name}")]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(reason), "{output:?}");

        let output = folder.run(&["run", "mill.toml", "--out", out, "--resume"]);
        stdout(&output);
        let message = stderr(&output);
        assert!(message.contains(&format!("{name}: ")) && message.contains(reason), "{message}");
        assert_same_results(&folder.0.join("whole"), &results);
    }
    // With none that is whole, nothing is done and nothing is lost.
    for path in checkpoints(&folder.0.join("whole")) {
        fs::write(path, "gone").unwrap();
    }
    let before = crate::common::files(&folder.0);
    let output = folder.run(&["run", "mill.toml", "--out", "whole", "--resume"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = stderr(&output);
    assert!(message.contains("can be used") && message.matches("checkpoint_").count() == 2, "{message}");
    assert_eq!(crate::common::files(&folder.0), before);
}
