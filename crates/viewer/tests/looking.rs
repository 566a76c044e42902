//! Guarantee: the status tells what is so at this moment, also of a run that is under way, which is not disturbed; and
//! what cannot be shown is said in words.

use crate::common::{Running, TITLE, bytes, finished, get, get_range, results, serve};
use serde_json::{Value, json};
use std::fs;
use tumble_output::trajectory::TrajectoryReader;
use tumble_output::{Ending, Mode, Part, ResultFolder};
use tumble_viewer::{Error, Source};

fn problem(status: &Value) -> &str {
    status["problem"].as_str().unwrap()
}

#[test]
fn the_status_of_a_finished_run() {
    let folder = results();
    let server = serve(folder.path());
    let status = get(&server, "/data/status");
    assert_eq!(status.header("Content-Type"), Some("application/json"));
    let expected = json!({
        "title": TITLE,
        "live": false,
        "trajectory_bytes": bytes(folder.path(), Part::Trajectory).len(),
        "tables": [{ "name": "energy.csv", "bytes": bytes(folder.path(), Part::Energy).len() }],
        "fields": [],
        "ended": "finished",
        "step": 1000,
        "problem": null,
    });
    assert_eq!(status.json(), expected);
}

#[test]
fn a_run_is_watched_while_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Running::start(folder.path());
    let server = serve(folder.path());
    let status = || get(&server, "/data/status").json();
    let before = status();
    assert_eq!(
        (&before["live"], &before["step"], &before["problem"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
    let mut seen = get(&server, "/data/trajectory").body;
    for number in 1..=5 {
        run.go_on();
        let status = status();
        assert_eq!((&status["live"], &status["ended"]), (&json!(true), &Value::Null));
        assert_eq!(status["step"], json!(100 * number));
        // What was written is there at once, and what was read need not be read again.
        let more = get_range(&server, "/data/trajectory", &format!("bytes={}-", seen.len()));
        assert_eq!(more.code, 206);
        seen.extend_from_slice(&more.body);
        assert_eq!(status["trajectory_bytes"], json!(seen.len()));
        let copy = folder.path().join("copy");
        fs::write(&copy, &seen).unwrap();
        let reader = TrajectoryReader::open(&copy).unwrap();
        assert_eq!((reader.len(), reader.is_cut_off()), (number, false));
    }
    assert_eq!(get_range(&server, "/data/trajectory", &format!("bytes={}-", seen.len())).code, 416);
    run.end(Ending::Failed { reason: "an overlap".into() });
    let after = status();
    assert_eq!((&after["live"], &after["ended"]), (&json!(false), &json!("failed")));
    // Resumed: the summary is that of the part before.
    let again = ResultFolder::create(folder.path(), Mode::Resume).unwrap();
    assert_eq!((&status()["live"], &status()["ended"]), (&json!(true), &Value::Null));
    drop(again);
    assert_eq!(status()["ended"], json!("failed"));
}

#[test]
fn looking_does_not_keep_a_run_from_starting() {
    let folder = results();
    let server = serve(folder.path());
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                assert_eq!(get(&server, "/data/status").code, 200);
            }
        });
        for _ in 0..100 {
            drop(ResultFolder::create(folder.path(), Mode::Resume).unwrap());
        }
        done.store(true, std::sync::atomic::Ordering::SeqCst);
    });
}

/// A run that takes the folder by force, under a server that knows the old one.
#[test]
fn another_run_in_the_same_folder_is_noticed() {
    let folder = results();
    let server = serve(folder.path());
    let title = |server| get(server, "/data/status").json()["title"].clone();
    assert_eq!(title(&server), json!(TITLE));
    let path = folder.path().join(Part::Trajectory.name());
    fs::remove_file(&path).unwrap();
    let status = get(&server, "/data/status").json();
    assert!(problem(&status).contains("there is no trajectory.tumble"), "{status}");
    assert!(problem(&status).contains("output.trajectory = true"), "{status}");
    assert_eq!((&status["title"], &status["trajectory_bytes"]), (&json!(TITLE), &json!(0)));
    drop(ResultFolder::create(folder.path(), Mode::Force).unwrap());
    finished(&folder.path().join("other"));
    let mut other = fs::read(folder.path().join("other").join(Part::Trajectory.name())).unwrap();
    fs::write(&path, &other).unwrap();
    assert_eq!(title(&server), json!(TITLE));
    other[100] ^= 1;
    fs::write(&path, &other).unwrap();
    // The checksum is still that of the header that was read before; what is served is the page's to check.
    assert_eq!(get(&server, "/data/trajectory").body, other);
    other[12] ^= 1;
    fs::write(&path, &other).unwrap();
    let status = get(&server, "/data/status").json();
    assert!(problem(&status).contains("its header is damaged"), "{status}");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let folder = results();
    let path = folder.path().join(Part::Trajectory.name());
    let whole = fs::read(&path).unwrap();
    let first = whole.windows(4).position(|four| four == b"FRAM").unwrap();
    let source = Source::at(folder.path()).unwrap();
    let message = || source.check().unwrap_err().to_string();
    assert_eq!(source.check().unwrap(), TITLE);
    for (bytes, words) in [
        (&b""[..], "this is no trajectory of Tumble"),
        (b"something else entirely, and long enough", "this is no trajectory of Tumble"),
        (&whole[..20], "cut off in its header"),
        (&whole[..first - 9], "cut off in its header"),
        (&whole[..first], "no whole frame"),
        (&whole[..first + 60], "no whole frame"),
    ] {
        fs::write(&path, bytes).unwrap();
        let message = message();
        assert!(message.contains(words) && message.contains("trajectory.tumble"), "{words}: {message}");
    }
    let status = get(&serve(folder.path()), "/data/status").json();
    assert_eq!(status["problem"], Value::Null, "a part of a frame is the page's to judge: {status}");
    fs::write(&path, &whole[..first]).unwrap();
    let status = get(&serve(folder.path()), "/data/status").json();
    assert!(problem(&status).contains("no whole frame"), "{status}");
    // Cut off later, it can be shown up to there.
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    assert_eq!(source.check().unwrap(), TITLE);
    // One that a run has just begun will have frames.
    fs::write(&path, &whole[..first]).unwrap();
    let taken = ResultFolder::create(folder.path(), Mode::Resume).unwrap();
    assert_eq!(source.check().unwrap(), TITLE);
    drop(taken);
    fs::remove_file(&path).unwrap();
    assert!(matches!(source.check(), Err(Error::NoTrajectory { .. })));
    let empty = tempfile::tempdir().unwrap();
    let none = Source::at(empty.path()).unwrap().check().unwrap_err();
    assert!(matches!(none, Error::NoResults { .. }) && none.to_string().contains("tumble run"), "{none}");
    assert!(Source::at(&empty.path().join("no")).unwrap_err().to_string().contains("no"));
}

#[test]
fn a_trajectory_stands_for_its_folder_under_its_own_name_only() {
    let folder = results();
    let own = folder.path().join(Part::Trajectory.name());
    assert_eq!(Source::at(&own).unwrap(), Source::at(folder.path()).unwrap());
    let other = folder.path().join("mine.tumble");
    fs::copy(&own, &other).unwrap();
    let source = Source::at(&other).unwrap();
    assert_eq!((source.path(), source.part(Part::Energy)), (&*other, None));
    let server = serve(&other);
    assert_eq!(get(&server, "/data/trajectory").body, bytes(folder.path(), Part::Trajectory));
    let missing = get(&server, "/data/energy.csv");
    assert!(missing.code == 404 && missing.error().contains("looked at alone"), "{missing:?}");
    let status = get(&server, "/data/status").json();
    assert_eq!((&status["title"], &status["tables"]), (&json!(TITLE), &json!([])));
    assert_eq!((&status["ended"], &status["step"]), (&Value::Null, &Value::Null));
}

/// Whatever table runs write is there for the page, unless it is not over time.
#[test]
fn tables_over_time_are_listed_and_others_are_not() {
    let folder = results();
    let walls = folder.path().join(Part::Walls.name());
    let listed = || {
        let server = serve(folder.path());
        let status = get(&server, "/data/status").json();
        let names = status["tables"].as_array().unwrap().iter();
        names.map(|table| table["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(), ["energy.csv"]);
    fs::write(&walls, "time_s,step,wall,power_W\n0.0,0,floor,0.5\n").unwrap();
    assert_eq!(listed(), ["energy.csv", "walls.csv"]);
    for part in [Part::Measures, Part::Flows, Part::Bonds] {
        fs::write(folder.path().join(part.name()), "time_s,step,x_m\n").unwrap();
    }
    assert_eq!(listed(), ["energy.csv", "walls.csv", "flows.csv", "bonds.csv", "measures.csv"]);
    for part in [Part::Measures, Part::Flows, Part::Bonds] {
        fs::remove_file(folder.path().join(part.name())).unwrap();
    }
    fs::write(&walls, "x_m,y_m\n1,2\n").unwrap();
    assert_eq!(listed(), ["energy.csv"]);
}
