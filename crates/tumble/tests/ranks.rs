//! Guarantee: the number of ranks changes no byte of a run's results, streams, outlets, measures, stages and checkpoints included; and
//! a run goes on with any number of them.

use crate::common::{EVERYTHING, assert_same_results, built, start, stop_at, whole};
use tempfile::TempDir;
use tumble::gpu::Choice;
use tumble::output::Part;
use tumble::scene::Built;
use tumble::{End, Mode, Run, Watch};

/// The small scene with everything, on so many ranks; none for an engine of its own.
fn on(ranks: Option<usize>) -> Built {
    Built { ranks, ..built(EVERYTHING, &[]) }
}

#[test]
fn results_have_the_bytes_of_one_process() {
    let folder = TempDir::new().unwrap();
    let alone = folder.path().join("alone");
    whole(on(None), &alone);
    for ranks in [1, 2, 3, 5] {
        let there = folder.path().join(ranks.to_string());
        let run = whole(on(Some(ranks)), &there);
        assert_same_results(&alone, &there);
        let costs = run.simulation().engine().ranks().unwrap();
        assert_eq!(costs.ranks(), ranks);
        let told = run.simulation().place().told.clone().unwrap();
        assert!(told.starts_with(&format!("{ranks} rank")), "{told}");
        let summary = std::fs::read_to_string(there.join(Part::Summary.name())).unwrap();
        assert!(summary.contains(&format!("\"count\": {ranks},")), "{summary}");
        let page = std::fs::read_to_string(run.write_report().unwrap()).unwrap();
        assert!(page.contains("of contacts evaluated twice"));
    }
}

#[test]
fn a_run_goes_on_with_any_number_of_ranks() {
    let folder = TempDir::new().unwrap();
    let [alone, mixed] = ["alone", "mixed"].map(|name| folder.path().join(name));
    whole(on(None), &alone);
    let mut mode = Mode::New;
    for (ranks, until) in [(Some(3), 101), (None, 200), (Some(5), 251), (Some(2), u64::MAX)] {
        let mut run = start(on(ranks), &mixed, mode);
        let end = run.go(&mut stop_at(until)).unwrap();
        assert_eq!(end, if until == u64::MAX { End::Finished } else { End::Interrupted });
        mode = Mode::Resume;
    }
    assert_same_results(&alone, &mixed);
}

/// Somebody who notes what is told of ranks.
struct Noting(Vec<tumble::Ranks>);

impl Watch for Noting {
    fn progress(&mut self, progress: &tumble::Progress) {
        self.0.extend(progress.ranks);
    }
}

#[test]
fn what_ranks_cost_is_told_on_the_way() {
    let folder = TempDir::new().unwrap();
    let mut noting = Noting(Vec::new());
    start(on(Some(4)), &folder.path().join("results"), Mode::New).go(&mut noting).unwrap();
    let last = noting.0.last().unwrap();
    assert!(last.count == 4 && last.imbalance >= 1.0 && (0.0..1.0).contains(&last.waited), "{last:?}");
}

#[test]
fn ranks_on_a_card_are_refused_before_anything_begins() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("results");
    let built = Built { device: Choice::Cuda(0), ..on(Some(3)) };
    let error = Run::start(built, &results, Mode::New).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "3 ranks cannot run this: a card does all steps of device `cuda:0`");
    assert!(!results.exists());
}
