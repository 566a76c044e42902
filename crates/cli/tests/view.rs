//! `view` as people use it: the real program, real connections and real signals; and films.
#![cfg(unix)]

use crate::common::{DROP, Folder, MILL, refused, stderr, stdout};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// A program that does not outlive the test.
struct Running(Child);

impl Running {
    fn start(arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
        command.args(arguments).current_dir(folder);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").envs(environment.iter().copied());
        Self(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// The first line, which is printed when the page is there.
    fn line(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        line
    }

    fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap().success());
    }

    fn end(&mut self) -> (ExitStatus, String) {
        let status = self.0.wait().unwrap();
        let mut message = String::new();
        self.0.stderr.as_mut().unwrap().read_to_string(&mut message).unwrap();
        (status, message)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The address in what `view` prints: where to connect to.
fn address(line: &str) -> String {
    let (_, after) = line.split_once(" at http://").unwrap_or_else(|| panic!("{line}"));
    let (address, rest) = after.split_once('/').unwrap();
    assert_eq!(rest, " (Ctrl-C ends it)\n");
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    address.to_owned()
}

fn ask(address: &str, target: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    stream
}

fn get(address: &str, target: &str) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    ask(address, target).read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 4..].to_vec())
}

fn status(address: &str) -> serde_json::Value {
    serde_json::from_slice(&get(address, "/data/status").1).unwrap()
}

/// Results of a short run in `results/drop`.
fn with_results(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    folder
}

#[test]
fn results_are_served_until_ctrl_c() {
    let folder = with_results("view");
    let trajectory = fs::read(folder.0.join("results/drop/trajectory.tumble")).unwrap();
    for (path, signal) in [("results/drop", "-INT"), ("results/drop/trajectory.tumble", "-TERM")] {
        let mut view = Running::start(&["view", "--no-open", path], &folder.0, &[]);
        let line = view.line();
        assert!(line.starts_with("Viewing A rod falls at http://127.0.0.1:"), "{line}");
        let address = address(&line);
        let (head, page) = get(&address, "/");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && page.starts_with(b"<!"), "{head}");
        assert!(get(&address, "/data/trajectory").1 == trajectory);
        let status = status(&address);
        assert_eq!((&status["title"], &status["ended"]), (&"A rod falls".into(), &"finished".into()));
        assert_eq!((&status["live"], &status["problem"]), (&false.into(), &serde_json::Value::Null));
        // Somebody who is in the middle of something does not keep it from ending.
        let _waiting = TcpStream::connect(&address).unwrap();
        view.signal(signal);
        let (code, message) = view.end();
        assert_eq!((code.code(), message.as_str()), (Some(0), ""));
        assert!(TcpStream::connect(&address).is_err());
    }
}

#[test]
fn the_newest_results_are_taken_if_none_are_named() {
    let folder = with_results("newest");
    let run = ["run", "drop.toml", "--quiet", "--out"];
    stdout(&folder.run(&[&run[..], &["results/deeper/second", "--set", "title=Second"]].concat()));
    let mut view = Running::start(&["view", "--no-open"], &folder.0, &[]);
    let line = view.line();
    assert!(line.starts_with("Viewing Second at "), "{line}");
    view.signal("-INT");
    let (code, message) = view.end();
    assert_eq!(code.code(), Some(0));
    assert!(message.contains("note: the newest results are those in results/deeper/second"), "{message}");
}

#[test]
fn the_browser_of_the_desktop_is_opened() {
    if cfg!(target_os = "macos") {
        return;
    }
    let folder = with_results("browser");
    // In place of the desktop's: says what it was told, whole or not at all.
    let opener = folder.0.join("xdg-open");
    fs::write(&opener, "#!/bin/sh\necho \"$1\" > told.part && mv told.part told\n").unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.0.display(), std::env::var("PATH").unwrap());
    let told = folder.0.join("told");
    let desktop = [("PATH", path.as_str()), ("DISPLAY", ":7")];
    let mut view = Running::start(&["view", "results/drop"], &folder.0, &desktop);
    let address = address(&view.line());
    while !told.exists() {
        std::thread::yield_now();
    }
    assert_eq!(fs::read_to_string(&told).unwrap(), format!("http://{address}/\n"));
    // Without a desktop, and without anything to open it with, it is served all the same.
    for environment in [&[("PATH", path.as_str())][..], &[("PATH", "/nowhere"), ("DISPLAY", ":7")]] {
        fs::remove_file(&told).ok();
        let mut view = Running::start(&["view", "results/drop"], &folder.0, environment);
        assert!(get(&self::address(&view.line()), "/").0.contains(" 200 "));
        view.signal("-TERM");
        assert_eq!(view.end().0.code(), Some(0));
        assert!(!told.exists());
    }
}

#[test]
fn a_run_is_watched_while_it_goes_on() {
    let folder = Folder::new("live");
    fs::write(folder.0.join("mill.toml"), MILL).unwrap();
    let run = ["run", "mill.toml", "--set", "run.steps=100000000", "--quiet"];
    let run = Running::start(&run, &folder.0, &[]);
    // The scene is written when everything else is there.
    while !folder.0.join("results/mill/scene.toml").exists() {
        std::thread::yield_now();
    }
    let mut view = Running::start(&["view", "--no-open", "results/mill"], &folder.0, &[]);
    let address = address(&view.line());
    let first = status(&address);
    assert_eq!((&first["live"], &first["ended"]), (&true.into(), &serde_json::Value::Null));
    let grown = |name: &str, now: &serde_json::Value| now[name].as_u64() > first[name].as_u64();
    let energy = |status: &serde_json::Value| {
        let tables = status["tables"].as_array().into_iter().flatten();
        tables.filter(|table| table["name"] == "energy.csv").find_map(|table| table["bytes"].as_u64())
    };
    loop {
        let now = status(&address);
        assert_eq!(now["live"], true);
        if grown("trajectory_bytes", &now) && energy(&now) > energy(&first) && grown("step", &now) {
            break;
        }
    }
    run.signal("-KILL");
    drop(run);
    let last = status(&address);
    assert_eq!((&last["live"], &last["ended"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(last["title"], "Mill");
}

#[test]
fn what_cannot_be_shown_is_bad_input() {
    let folder = with_results("unseen");
    let refused_in = |arguments: &[&str]| {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let message = stderr(&output);
        assert!(message.starts_with("error: "), "{message}");
        message
    };
    let trajectory = folder.0.join("results/drop/trajectory.tumble");
    let whole = fs::read(&trajectory).unwrap();
    for (bytes, words) in
        [(&whole[..100], "cut off in its header"), (b"x", "this is no trajectory"), (b"", "no trajectory")]
    {
        fs::write(&trajectory, bytes).unwrap();
        for more in [&[][..], &["--export", "film.html"]] {
            let message = refused_in(&[&["view", "results/drop"], more].concat());
            assert!(
                message.contains("results/drop/trajectory.tumble") && message.contains(words),
                "{message}"
            );
        }
    }
    fs::remove_file(&trajectory).unwrap();
    let message = refused_in(&["view", "results/drop"]);
    assert!(message.contains("results/drop: there is no trajectory.tumble"), "{message}");
    assert!(message.contains("output.trajectory = true"), "{message}");
    assert!(refused_in(&["view", "."]).contains("tumble run"));
    assert!(refused_in(&["view", "nothing"]).contains("nothing: No such file"));
    assert!(refused_in(&["view", "drop.toml"]).contains("this is no trajectory"));
    assert!(!folder.0.join("film.html").exists());
    fs::remove_dir_all(folder.0.join("results")).unwrap();
    assert!(refused_in(&["view"]).contains("there are no results below results/"));
    assert!(refused(&["view", "x", "--every", "2"]).contains("--export"));
    assert!(refused(&["view", "x", "--export", "y", "--every", "0"]).contains("--every"));
    assert!(refused(&["view", "x", "--export", "y", "--port", "1"]).contains("cannot be used with"));
    assert!(refused(&["view", "x", "--port", "70000"]).contains("--port"));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let folder = with_results("port");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = folder.run(&["view", "results/drop", "--no-open", "--port", &port]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = stderr(&output);
    assert!(message.contains(&format!("port {port} cannot be used")), "{message}");
}

#[test]
fn films_are_single_files() {
    let folder = with_results("film");
    let film = folder.0.join("film.html");
    let export = ["view", "results/drop", "--export", "film.html"];
    let text = stdout(&folder.run(&export));
    assert!(text.starts_with("film.html written: A rod falls, ") && text.contains(" frames, "), "{text}");
    let whole = fs::read(&film).unwrap();
    let page = String::from_utf8(whole.clone()).unwrap();
    assert!(page.contains("id=\"tumble-data\"") && page.contains("VFVNQkxFVF"), "TUMBLETR in base64");
    let again = folder.run(&export);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    assert!(stderr(&again).contains("film.html exists") && stderr(&again).contains("--force"), "{again:?}");
    assert!(fs::read(&film).unwrap() == whole);
    let fewer = stdout(&folder.run(&[&export[..], &["--every", "50", "--force"]].concat()));
    assert!(fewer.contains("A rod falls"), "{fewer}");
    assert!(fs::read(&film).unwrap().len() < whole.len());
    let nowhere = folder.run(&["view", "results/drop", "--export", "missing/film.html"]);
    assert_eq!(nowhere.status.code(), Some(1), "{nowhere:?}");
    assert!(stderr(&nowhere).contains("cannot write missing/film.html"), "{nowhere:?}");
}
