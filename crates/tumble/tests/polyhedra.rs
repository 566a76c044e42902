//! Guarantee: a run with boxes and hulls, of which some come in by a stream and some leave, across a periodic end, ends with the same bytes in every file on any number of threads and ranks, and
//! after stops in between.

use crate::common::{built, files, start, stop_at, whole};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;
use tumble::scene::Built;
use tumble::{End, Mode};

const DICE: &str = r#"
version = 1
seed = 5
gravity = [0, 0, -9.81]

[domain]
low = [0, 0, 0]
high = [0.08, 1, 1]
periodic = ["x"]

[run]
dt = "8 us"
steps = 9000

[materials.bone]
density = 1800
young = "30 MPa"
poisson = 0.3

[pair]
restitution = 0.4
friction = 0.3

[templates.die]
boxes = [{ size = ["8 mm", "8 mm", "8 mm"], rounding = "1.5 mm" }]

[templates.hammer]
capsules = [{ from = [0, 0, 0], to = [0, 0, "10 mm"], radius = "1.5 mm" }]
hulls = [{ corners = [[0, 0, 0.014], [0.006, 0, 0.016], [-0.003, 0.005, 0.016], [-0.003, -0.005, 0.016]], rounding = "1.2 mm" }]

[[bodies]]
templates = ["die", "hammer"]
cloud = { low = [0, 0, 0], high = [0.08, 0.04, 0.06], count = 30 }

[[streams]]
templates = ["hammer", "die"]
region = { low = [0.01, 0.005, 0.07], high = [0.07, 0.035, 0.1] }
velocity = [0.5, 0, "-1 m/s"]
orientation = "random"
rate = "400 1/s"

[[outlets]]
name = "pit"
box = { low = [0, 0, -1], high = [0.02, 1, 0.02] }

[[walls]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 0.1, 1] }

[[walls]]
name = "back"
plane = { point = [0, 0.04, 0], normal = [0, -1, 0] }

[[measures]]
name = "heap"
kind = "contents"
region = { box = { low = [0, 0, 0], high = [0.08, 0.04, 0.03] } }
every = { steps = 50 }

[output]
trajectory = { every = { steps = 300 } }
vtk = { every = { steps = 1000 } }

[checkpoint]
every = { steps = 1500 }
"#;

fn on(threads: &str, ranks: Option<usize>) -> Built {
    Built { ranks, ..built(DICE, &[("run.threads", threads)]) }
}

/// All but what tells where and how fast it was.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|name, _| {
        let kind = Path::new(name).extension().and_then(|kind| kind.to_str());
        matches!(kind, Some("csv" | "vtp" | "pvd")) || name == "trajectory.tumble"
    });
    files
}

#[test]
fn results_have_the_same_bytes_on_threads_ranks_and_after_stops() {
    let folder = TempDir::new().unwrap();
    let alone = folder.path().join("alone");
    let run = whole(on("1", None), &alone);
    let engine = run.simulation().engine();
    let (bodies, contacts) = (engine.body_count(), engine.contact_count());
    let came: u64 = run.simulation().streams().iter().map(tumble::dem::placement::Stream::inserted).sum();
    assert!(
        came > 20 && (bodies as u64) < 30 + came && contacts > 5,
        "{came} came, {bodies} bodies, {contacts} contacts"
    );
    let expected = results(&alone);
    assert!(expected.contains_key("vtk/polyhedra_000009.vtp"), "{:?}", expected.keys());
    let compare = |found: &Path, told: &str| {
        let found = results(found);
        assert!(expected.keys().eq(found.keys()), "{told}: {:?}", found.keys());
        let differ: Vec<_> =
            expected.iter().filter(|(name, bytes)| found[*name] != **bytes).map(|(name, _)| name).collect();
        assert!(differ.is_empty(), "{told}: {differ:?} differ");
    };
    let other = folder.path().join("threads");
    whole(on("2", None), &other);
    compare(&other, "two threads");
    let broken = folder.path().join("broken");
    let mut mode = Mode::New;
    for (ranks, until) in [(Some(3), 2101), (None, 4600), (Some(2), u64::MAX)] {
        let mut run = start(on("1", ranks), &broken, mode);
        let end = run.go(&mut stop_at(until)).unwrap();
        assert_eq!(end, if until == u64::MAX { End::Finished } else { End::Interrupted });
        mode = Mode::Resume;
    }
    compare(&broken, "stops and ranks");
}
