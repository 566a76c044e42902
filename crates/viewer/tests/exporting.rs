//! Guarantee: a film holds a trajectory that any reader accepts, with the frames of the run, in a page that shows it;
//! and it never takes the place of anything unless told.

use crate::common::{FRAMES, TITLE, bytes, results};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use tumble_output::Part;
use tumble_output::trajectory::{TrajectoryFrame, TrajectoryReader};
use tumble_viewer::{Error, ExportOptions, Film, Source, export};

fn film(folder: &Path, every: usize) -> (Film, Value) {
    let to = folder.join(format!("film-{every}.html"));
    let options = ExportOptions { every: NonZeroUsize::new(every).unwrap(), force: false };
    let film = export(&Source::at(folder).unwrap(), &to, options).unwrap();
    let page = fs::read_to_string(&to).unwrap();
    assert_eq!(film.bytes, page.len() as u64);
    // As a browser finds it: from the opening tag to the first closing one.
    let (before, data) = page.split_once("<script type=\"application/json\" id=\"tumble-data\">").unwrap();
    let (data, after) = data.split_once("</script>").unwrap();
    assert!(!data.contains('<') && !before.contains("</head>") && after.contains("</html>"));
    assert!(!page.contains("<!--tumble-data-->"));
    (film, serde_json::from_str(data).unwrap())
}

/// Independent of the encoder: letter by letter, bit by bit.
fn decoded(text: &str) -> Vec<u8> {
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            other => panic!("{other}"),
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 255).to_le_bytes()[0]);
        }
    }
    assert_eq!(text.len() % 4, 0);
    bytes
}

fn frames(path: &Path) -> Vec<TrajectoryFrame> {
    let mut reader = TrajectoryReader::open(path).unwrap();
    assert!(!reader.is_cut_off());
    (0..reader.len()).map(|number| reader.frame(number).unwrap()).collect()
}

#[test]
fn a_film_has_all_that_the_page_shows() {
    let folder = results();
    let (film, data) = film(folder.path(), 1);
    assert_eq!((film.title.as_str(), film.frames, film.lost), (TITLE, FRAMES, 0));
    assert_eq!(data["title"], TITLE);
    let trajectory = decoded(data["trajectory"].as_str().unwrap());
    assert!(trajectory == bytes(folder.path(), Part::Trajectory), "the very bytes of the file");
    assert_eq!(data["tables"]["energy.csv"].as_str().unwrap().as_bytes(), bytes(folder.path(), Part::Energy));
    let summary: Value = serde_json::from_slice(&bytes(folder.path(), Part::Summary)).unwrap();
    assert_eq!(data["summary"], summary);
    assert_eq!(summary["title"], TITLE);
    assert_eq!(data["scene"], "gravity = [0.0, 0.0, -9.81]", "and no paths of whoever made it");
}

#[test]
fn fewer_frames_are_still_a_trajectory() {
    let folder = results();
    let all = frames(&folder.path().join(Part::Trajectory.name()));
    assert_eq!(
        all.iter().map(|frame| frame.ids.len()).collect::<BTreeSet<_>>().len(),
        2,
        "bodies come and go"
    );
    // With 5, the frames that tell which bodies there are fall out.
    for every in [2, 3, 4, 5, 9, 10, 1000] {
        let (film, data) = film(folder.path(), every);
        let path = folder.path().join("decoded");
        fs::write(&path, decoded(data["trajectory"].as_str().unwrap())).unwrap();
        let kept: BTreeSet<usize> = (0..FRAMES).step_by(every).chain([FRAMES - 1]).collect();
        let found = frames(&path);
        assert_eq!((film.frames, found.len()), (kept.len(), kept.len()), "{every}");
        for (found, number) in found.iter().zip(&kept) {
            let expected = TrajectoryFrame { lists: found.lists, ..all[*number].clone() };
            assert!(*found == expected, "{every}: frame {number}");
        }
    }
}

#[test]
fn damaged_frames_and_missing_tables_are_left_out() {
    let folder = results();
    let path = folder.path().join(Part::Trajectory.name());
    let mut trajectory = fs::read(&path).unwrap();
    let starts: Vec<usize> =
        (0..trajectory.len()).filter(|at| trajectory[*at..].starts_with(b"FRAM")).collect();
    // The fifth frame, of ten, and the end of the last.
    trajectory[starts[4] + 70] ^= 1;
    trajectory.truncate(starts[9] + 50);
    fs::write(&path, &trajectory).unwrap();
    for part in [Part::Energy, Part::Summary] {
        fs::remove_file(folder.path().join(part.name())).unwrap();
    }
    let (film, data) = film(folder.path(), 1);
    assert_eq!((film.frames, film.lost), (8, 1));
    assert_eq!((&data["tables"], &data["summary"]), (&serde_json::json!({}), &Value::Null));
    let copy = folder.path().join("decoded");
    fs::write(&copy, decoded(data["trajectory"].as_str().unwrap())).unwrap();
    let steps: Vec<u64> = frames(&copy).iter().map(|frame| frame.step).collect();
    assert_eq!(steps, [100, 200, 300, 400, 600, 700, 800, 900]);
}

#[test]
fn nothing_is_replaced_unless_told() {
    let folder = results();
    let source = Source::at(folder.path()).unwrap();
    let every = NonZeroUsize::MIN;
    let to = |name: &str, force| export(&source, &folder.path().join(name), ExportOptions { every, force });
    fs::write(folder.path().join("old.html"), "precious").unwrap();
    assert!(matches!(to("old.html", false), Err(Error::Exists { .. })));
    assert_eq!(fs::read_to_string(folder.path().join("old.html")).unwrap(), "precious");
    assert_eq!(to("old.html", true).unwrap().frames, FRAMES);
    let before = bytes(folder.path(), Part::Trajectory);
    for part in [Part::Trajectory, Part::Energy, Part::Summary] {
        let error = to(part.name(), true).unwrap_err();
        assert!(error.to_string().contains("a part of the results"), "{error}");
    }
    fs::create_dir(folder.path().join("folder")).unwrap();
    assert!(to("folder", true).unwrap_err().to_string().contains("a folder"));
    let error = to("missing/film.html", false).unwrap_err();
    assert!(matches!(error, Error::Film(_)) && error.to_string().contains("film.html"), "{error}");
    assert!(bytes(folder.path(), Part::Trajectory) == before);
    let left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// What a link leads to is not put into a film.
#[test]
#[cfg(unix)]
fn links_do_not_leak_into_films() {
    let folder = results();
    fs::write(folder.path().join("secret"), "hidden words").unwrap();
    for name in ["energy.csv", "summary.json", "scene.toml"] {
        fs::remove_file(folder.path().join(name)).unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), folder.path().join(name)).unwrap();
    }
    let (_, data) = film(folder.path(), 1);
    assert!(data["energy"].is_null() && data["summary"].is_null() && data["scene"].is_null(), "{data}");
    let trajectory = folder.path().join("trajectory.tumble");
    fs::rename(&trajectory, folder.path().join("moved.tumble")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("moved.tumble"), &trajectory).unwrap();
    let options = ExportOptions { every: NonZeroUsize::MIN, force: false };
    let error =
        export(&Source::at(folder.path()).unwrap(), &folder.path().join("b.html"), options).unwrap_err();
    assert!(error.to_string().contains("a link to elsewhere"), "{error}");
    // One that somebody names is as good as a file.
    let link = folder.path().join("link.tumble");
    std::os::unix::fs::symlink(folder.path().join("moved.tumble"), &link).unwrap();
    assert_eq!(
        export(&Source::at(&link).unwrap(), &folder.path().join("c.html"), options).unwrap().frames,
        FRAMES
    );
}
