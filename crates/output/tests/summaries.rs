//! Guarantee: a summary says what ran, how fast and how it ended, and reads back as it was written.

use crate::common::{advance, engine, world};
use tumble_output::{Ending, Summary, Timing};

#[test]
fn a_summary_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary.json");
    let mut engine = engine(&world());
    advance(&mut engine, 300);
    let timing = Timing::of(&engine.stage_times(), 0.5);
    let both = timing.clone().and(&timing);
    for ended in [Ending::Finished, Ending::Interrupted, Ending::Failed { reason: "too \"fast\"".into() }] {
        let summary = Summary::of(&engine, "A title", "abc", both.clone(), ended);
        summary.write(&path).unwrap();
        assert_eq!(Summary::read(&path).unwrap(), summary);
    }
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(json["state"]["steps"], 300);
    assert_eq!(json["timing"]["steps"], 600);
    assert_eq!(json["timing"]["steps_per_second"], 600.0);
    assert_eq!(json["ended"]["how"], "failed");
    assert_eq!(json["method"]["law"], "hertz-mindlin");
    assert_eq!(json["state"]["ledger_j"]["sliding"], engine.ledger().sliding);
    assert!(json["timing"]["stages_s"]["find_contacts"].as_f64().unwrap() > 0.0);
    assert!(json["machine"]["cores"].as_u64().unwrap() > 0);
    std::fs::write(&path, "{}").unwrap();
    assert!(Summary::read(&path).unwrap_err().to_string().contains("summary.json"));
}
