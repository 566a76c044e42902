//! Guarantee: a summary says what ran, how fast and how it ended, and reads back as it was written.

use crate::common::{advance, engine, world};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_output::{Ending, PairMethod, Summary, Timing};

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
    assert!(json["method"].get("pairs").is_none(), "one model for all");
    std::fs::write(&path, "{}").unwrap();
    assert!(Summary::read(&path).unwrap_err().to_string().contains("summary.json"));
}

#[test]
fn a_summary_tells_pairs_with_a_model_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary.json");
    let mut materials = world().materials;
    let gel = materials.add(Material::of_density("gel", 1000.0)).unwrap();
    let springs = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    materials.set_pair(gel, gel, PairProperties::new(0.5, 0.1).with_model(springs));
    let summary = Summary::of(&engine(&world()), "A title", "abc", Timing::default(), Ending::Finished);
    let summary = summary.with_pairs(&materials);
    let [law, none] = ["linear", "none"].map(String::from);
    let between = ["gel", "gel"].map(String::from);
    assert_eq!(summary.method.pairs, [PairMethod { between, law, rolling: none.clone(), twisting: none }]);
    summary.write(&path).unwrap();
    assert_eq!(Summary::read(&path).unwrap(), summary);
}
