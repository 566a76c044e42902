//! Parameter studies: every combination once, in a fixed order; a study that was cut off anywhere goes on and
//! ends with the same table; no result is lost and none is counted twice.

use crate::common::Folder;
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use tumble_cli::signals::Interrupt;
use tumble_cli::sweep::{Case, Ledger, LedgerError, Parameter, Plan, PlanError, Row, Seeds, Summary, run};
use tumble_report::Cell;

fn values(text: &str) -> Vec<String> {
    text.parse::<Parameter>().unwrap().values
}

fn refused(text: &str) -> String {
    text.parse::<Parameter>().unwrap_err().to_string()
}

#[test]
fn lists_of_values() {
    assert_eq!(values("rotation=a, b ,c"), ["a", "b", "c"]);
    assert_eq!(values("dt=1e-6"), ["1e-6"]);
    assert_eq!(
        values("g=[0,0,-9.81],{ a = 1, b = 2 },\"x,y\",'],'"),
        ["[0,0,-9.81]", "{ a = 1, b = 2 }", "\"x,y\"", "'],'"]
    );
    assert_eq!(values("file=../a.csv,../b.csv"), ["../a.csv", "../b.csv"]);
    assert_eq!(values("note=a=b"), ["a=b"]);
    assert!(refused("rotation").contains("expected KEY=VALUES"));
    assert!(refused("=a").contains("expected KEY=VALUES"));
    assert!(refused("a b=1").contains("expected KEY=VALUES"));
    assert!(refused("dt=1,,2").contains("a value is missing"));
    assert!(refused("dt=").contains("a value is missing"));
    assert!(refused("dt=1,2,1").contains("`dt=1` is given twice"));
    for text in ["g=[0,0", "g=0]", "g={0]", "g=\"0"] {
        assert!(refused(text).contains("has no partner"), "{text}");
    }
}

#[test]
fn ranges() {
    assert_eq!(values("x=0..1:11")[3], "0.3");
    assert_eq!(values("count=100..500:5"), ["100", "200", "300", "400", "500"]);
    assert_eq!(values("x=5..-5:3"), ["5", "0", "-5"]);
    assert_eq!(values("dt=log:1e-7..1e-4:4"), ["1e-7", "1e-6", "1e-5", "0.0001"]);
    assert_eq!(values("dt=1us..2 us:3"), ["1 us", "1.5 us", "2 us"]);
    assert_eq!(values("dt=1e-3ms..3e-3 ms:2"), ["0.001 ms", "0.003 ms"]);
    // The ends are as given, what lies between is rounded to twelve digits.
    assert_eq!(values("x=0.1..0.3:3"), ["0.1", "0.2", "0.3"]);
    assert!(refused("dt=1e-6..1e-5").contains("how many values?"));
    assert!(refused("dt=1e-6..1e-5:1").contains("at least 2"));
    assert!(refused("dt=1e-6..x:5").contains("does not end with a number"));
    assert!(refused("dt=1 us..2 ms:5").contains("the same unit"));
    assert!(refused("dt=log:0..1:5").contains("must be positive"));
    assert!(refused("dt=log:1,2").contains("a range such as"));
    assert!(refused("dt=1..1:3").contains("given twice"));
    assert!(refused("dt=1..2:1000000000000").contains("at least 2"));
}

#[test]
fn seeds() {
    let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0);
    assert_eq!(seeds("3").unwrap(), [1, 2, 3]);
    assert_eq!(seeds("3,5,9").unwrap(), [3, 5, 9]);
    assert_eq!(seeds("7,").unwrap(), [7]);
    for bad in ["", "0", "x", "1,x", "-1", "1.5", ",", "99999999999"] {
        assert!(seeds(bad).is_err(), "{bad}");
    }
    assert!(seeds("1,2,1").unwrap_err().to_string().contains("given twice"));
}

fn plan(study: &str, sets: &[&str], seeds: Option<&str>) -> Result<Plan, PlanError> {
    let sets: Vec<Parameter> = sets.iter().map(|set| set.parse().unwrap()).collect();
    Plan::new(study, &sets, seeds.map(|text| text.parse::<Seeds>().unwrap()).as_ref())
}

#[test]
fn every_combination_in_order() {
    let plan = plan("s", &["a=1,2", "b=x,y,z"], Some("2")).unwrap();
    assert_eq!(plan.columns(), ["case", "a", "b", "seed"]);
    let cases: Vec<String> = plan.cases().iter().map(ToString::to_string).collect();
    assert_eq!(cases.len(), 12);
    assert_eq!(cases[..3], ["a=1 b=x seed=1", "a=1 b=x seed=2", "a=1 b=y seed=1"]);
    assert_eq!(cases[11], "a=2 b=z seed=2");
    let ids: BTreeSet<&str> = plan.cases().iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), 12);
    assert_eq!(self::plan("s", &[], None).unwrap().cases().len(), 1);
}

#[test]
fn an_id_depends_on_the_study_and_the_settings_alone() {
    let id = |study: &str, sets: &[&str], seeds: Option<&str>| {
        plan(study, sets, seeds).unwrap().cases().last().unwrap().id.clone()
    };
    let here = id("s", &["a=1", "b=x"], Some("3"));
    assert_eq!(here, id("s", &["b=y,x", "a=2,1"], Some("2,3")));
    for other in [
        id("t", &["a=1", "b=x"], Some("3")),
        id("s", &["a=1", "b=y"], Some("3")),
        id("s", &["a=x", "b=1"], Some("3")),
        id("s", &["a=1", "b=x"], Some("4")),
        id("s", &["a=1", "b=x"], None),
    ] {
        assert_ne!(here, other);
    }
    // Ledgers outlive the program: FNV-1a of "s\xffa\xff1\xff", computed apart.
    assert_eq!(id("s", &["a=1"], None), "1c903fd811c1ee17");
}

#[test]
fn impossible_plans() {
    assert_eq!(plan("s", &["a=1", "a=2"], None), Err(PlanError::Repeated("a".into())));
    assert_eq!(plan("s", &["seed=1,2"], Some("3")), Err(PlanError::Repeated("seed".into())));
    let many = "x=1..1000:1000";
    let sets = [many, &many.replace('x', "y"), &many.replace('x', "z")];
    assert_eq!(plan("s", &sets, None), Err(PlanError::TooMany));
}

const RESULTS: [&str; 2] = ["product", "note"];

/// The work of these tests: a product, and failures where a is 3.
fn work(case: &Case) -> Result<Row, String> {
    let number = |place: usize| case.settings[place].1.parse::<f64>().unwrap();
    if case.settings[0].1 == "3" {
        return Err(format!("three, \"{}\"\nis too many", number(1)));
    }
    let seed = case.seed.unwrap() as f64;
    Ok(vec![Cell::Number(number(0) * number(1) / seed), Cell::Text("a, b".into())])
}

fn small_plan() -> Plan {
    plan("s", &["a=1,2,3", "b=0.1..0.5:5"], Some("4")).unwrap()
}

/// The table of the whole study, run without disturbance.
fn undisturbed(folder: &Folder) -> String {
    let path = folder.0.join("undisturbed.csv");
    let plan = small_plan();
    let mut ledger = Ledger::open(&path, &plan, &RESULTS, false).unwrap();
    let summary = run(&plan, &mut ledger, 3, &Interrupt::never(), work, |_| ()).unwrap();
    assert_eq!(summary, Summary { finished: 60, failed: 20, skipped: 0, left: 0 });
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_table_is_tidy_and_in_order() {
    let folder = Folder::new("sweep-table");
    let table = undisturbed(&folder);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "case,a,b,seed,product,note,error");
    assert_eq!(lines.len(), 61);
    let plan = small_plan();
    for (line, case) in lines[1..].iter().zip(plan.cases()) {
        assert!(line.starts_with(&format!("{},{},", case.id, case.settings[0].1)), "{line}");
    }
    assert!(lines[1].ends_with(",1,0.1,1,0.1,\"a, b\","), "{}", lines[1]);
    assert!(lines[60].ends_with(",3,0.5,4,,,\"three, \"\"0.5\"\" is too many\""), "{}", lines[60]);
}

#[test]
fn a_study_cut_off_at_any_byte_goes_on() {
    let folder = Folder::new("sweep-cut");
    let table = undisturbed(&folder);
    let path = folder.0.join("cut/ledger.csv");
    let plan = small_plan();
    fs::create_dir(folder.0.join("cut")).unwrap();
    for end in (0..table.len()).step_by(149).chain([1, 5, 32, 33, table.len() - 1, table.len()]) {
        fs::write(&path, &table.as_bytes()[..end]).unwrap();
        let mut ledger = Ledger::open(&path, &plan, &RESULTS, false).unwrap();
        let whole = table[..end].matches('\n').count().saturating_sub(1);
        assert_eq!(ledger.finished().count(), whole, "cut at {end}");
        let runs = AtomicUsize::new(0);
        let counted = |case: &Case| {
            runs.fetch_add(1, Ordering::Relaxed);
            work(case)
        };
        let summary = run(&plan, &mut ledger, 2, &Interrupt::never(), counted, |_| ()).unwrap();
        assert_eq!((summary.skipped, summary.finished, summary.left), (whole, 60 - whole, 0));
        assert_eq!(runs.load(Ordering::Relaxed), 60 - whole);
        assert_eq!(fs::read_to_string(&path).unwrap(), table, "cut at {end}");
    }
}

#[test]
fn an_interrupted_study_goes_on() {
    let folder = Folder::new("sweep-interrupt");
    let table = undisturbed(&folder);
    let path = folder.0.join("ledger.csv");
    let plan = small_plan();
    let mut runs = 0;
    for round in 1.. {
        let interrupt = Interrupt::never();
        let mut ledger = Ledger::open(&path, &plan, &RESULTS, false).unwrap();
        let mut reported = 0;
        let summary = run(&plan, &mut ledger, 2, &interrupt, work, |finished| {
            reported += 1;
            assert!(finished.done <= finished.total && finished.total == 60);
            if reported == 7 {
                interrupt.request();
            }
        });
        let summary = summary.unwrap();
        assert_eq!(summary.finished, reported);
        runs += summary.finished;
        assert_eq!(summary.skipped + summary.finished + summary.left, 60);
        if summary.left == 0 {
            assert!(round > 3, "it was never interrupted");
            break;
        }
    }
    assert_eq!(runs, 60, "each case is run once");
    assert_eq!(fs::read_to_string(&path).unwrap(), table);
}

#[test]
fn failures_after_an_interrupt_are_not_recorded() {
    let folder = Folder::new("sweep-unrecorded");
    let plan = plan("s", &["a=1,2"], None).unwrap();
    let mut ledger = Ledger::open(folder.0.join("ledger.csv"), &plan, &["x"], false).unwrap();
    let interrupt = Interrupt::never();
    let interrupted = |_: &Case| {
        interrupt.request();
        Err("stopped in the middle".to_owned())
    };
    let summary = run(&plan, &mut ledger, 1, &interrupt, interrupted, |_| ()).unwrap();
    assert_eq!(summary, Summary { finished: 0, failed: 0, skipped: 0, left: 2 });
}

#[test]
fn failures_are_tried_again_if_wanted() {
    let folder = Folder::new("sweep-retry");
    let table = undisturbed(&folder);
    let path = folder.0.join("undisturbed.csv");
    let plan = small_plan();
    let mut ledger = Ledger::open(&path, &plan, &RESULTS, false).unwrap();
    assert_eq!((ledger.finished().count(), ledger.failed()), (60, 20));
    drop(ledger);
    ledger = Ledger::open(&path, &plan, &RESULTS, true).unwrap();
    assert_eq!((ledger.finished().count(), ledger.failed()), (40, 0));
    let summary = run(&plan, &mut ledger, 4, &Interrupt::never(), work, |_| ()).unwrap();
    assert_eq!((summary.finished, summary.failed), (20, 20));
    assert_eq!(fs::read_to_string(&path).unwrap(), table);
}

#[test]
fn a_case_that_panics_has_failed() {
    let folder = Folder::new("sweep-panic");
    let path = folder.0.join("ledger.csv");
    let plan = plan("s", &["a=1,2,3"], None).unwrap();
    let mut ledger = Ledger::open(&path, &plan, &["x"], false).unwrap();
    let panics = |case: &Case| {
        assert_ne!(case.index, 1, "one is bad luck");
        Ok(vec![Cell::Count(7); if case.index == 2 { 2 } else { 1 }])
    };
    let summary = run(&plan, &mut ledger, 2, &Interrupt::never(), panics, |_| ()).unwrap();
    assert_eq!((summary.finished, summary.left), (3, 0));
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].ends_with(",1,7,"), "{text}");
    assert!(lines[2].contains("panicked: ") && lines[2].contains("one is bad luck"), "{text}");
    assert!(lines[3].ends_with(",3,,2 results for 1 columns"), "{text}");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new("sweep-others");
    let path = folder.0.join("ledger.csv");
    let plan = plan("s", &["a=1,2"], None).unwrap();
    for (text, expected) in [
        ("time,energy\n0,1\n", "belongs to another study"),
        ("notes without a line end", "belongs to another study"),
        ("case,a,x,error\nid,1,7,\nid,1\nid,2,7,\n", "line 3: not a row"),
        ("case,a,x,error\nid,1,\"7,\nid,2,7,\n", "line 2: not a row"),
    ] {
        fs::write(&path, text).unwrap();
        let error = Ledger::open(&path, &plan, &["x"], false).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, [0xff, 0xfe, b'\n']).unwrap();
    assert!(matches!(Ledger::open(&path, &plan, &["x"], false), Err(LedgerError::File { .. })));
    fs::remove_file(&path).unwrap();
    let first = Ledger::open(&path, &plan, &["x"], false).unwrap();
    let second = Ledger::open(&path, &plan, &["x"], false);
    assert!(matches!(second, Err(LedgerError::InUse { .. })), "{second:?}");
    drop(first);
    assert!(Ledger::open(&path, &plan, &["x"], false).is_ok());
}

#[test]
fn results_of_a_smaller_study_are_kept() {
    let folder = Folder::new("sweep-grow");
    let path = folder.0.join("ledger.csv");
    let small = plan("s", &["a=1,2"], Some("2")).unwrap();
    let product = |case: &Case| Ok(vec![Cell::Count(case.seed.unwrap())]);
    let mut ledger = Ledger::open(&path, &small, &["x"], false).unwrap();
    run(&small, &mut ledger, 1, &Interrupt::never(), product, |_| ()).unwrap();
    drop(ledger);
    let large = plan("s", &["a=0,2"], Some("3")).unwrap();
    let mut ledger = Ledger::open(&path, &large, &["x"], false).unwrap();
    let summary = run(&large, &mut ledger, 1, &Interrupt::never(), product, |_| ()).unwrap();
    assert_eq!((summary.skipped, summary.finished), (2, 4));
    // The rows of the plan in its order, then those that only the smaller one had.
    let text = fs::read_to_string(&path).unwrap();
    let a: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(a, ["0", "0", "0", "2", "2", "2", "1", "1"]);
}
