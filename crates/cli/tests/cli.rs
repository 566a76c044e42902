//! `study` and `schemes` as people use them: good input gives tables and files, bad input a message that helps and
//! exit code 2.

use crate::common::{Folder, refused, stdout};
use std::fs;

#[test]
fn a_small_study_prints_a_table_and_writes_files() {
    let folder = Folder::new("small");
    let output = folder.run(&["study", "--schemes", "SPIRAL leapfrog,omelyan", "--dt", "1e-3:1e-2:2"]);
    let text = stdout(&output);
    assert!(text.contains("spiral-leapfrog") && text.contains("omelyan"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a pipe: {text}");
    assert!(text.contains("results/study/work-precision.svg"), "{text}");
    let results = folder.0.join("results/study");
    for file in [
        "errors.csv",
        "summary.csv",
        "convergence.svg",
        "convergence.csv",
        "work-precision.svg",
        "work-precision.csv",
    ] {
        assert!(results.join(file).metadata().unwrap().len() > 100, "{file}");
    }
    let errors = fs::read_to_string(results.join("errors.csv")).unwrap();
    assert_eq!(errors.lines().count(), 1 + 2 * 3, "{errors}");
    // The default folder may be written again.
    stdout(&folder.run(&["study", "--schemes", "omelyan", "--dt", "1e-2", "--quiet"]));
}

#[test]
fn a_study_of_ones_own_problem() {
    let folder = Folder::new("own");
    let output = folder.run(&[
        "study",
        "--inertia",
        "1,2,2.5",
        "--omega",
        "-1,2,0.5",
        "--orientation",
        "0,-2,0,0",
        "--torque",
        "drag=0.3",
        "--duration",
        "2",
        "--schemes",
        "magnus-leapfrog",
        "--dt",
        "0.01,0.1",
        "--format",
        "csv",
        "--out",
        "mine",
    ]);
    let csv = stdout(&output);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 2, "{csv}");
    assert!(lines[0].starts_with("scheme,order_q,") && lines[1].starts_with("magnus-leapfrog,"), "{csv}");
    assert!(folder.0.join("mine/errors.csv").exists());
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new("quiet");
    let text = stdout(&folder.run(&["study", "--quiet", "--schemes", "omelyan", "--dt", "1e-2"]));
    assert!(text.is_empty(), "{text}");
    assert!(folder.0.join("results/study/summary.csv").exists());
}

#[test]
fn a_folder_with_something_in_it_needs_force() {
    let folder = Folder::new("force");
    let precious = folder.0.join("mine/errors.csv");
    fs::create_dir(folder.0.join("mine")).unwrap();
    fs::write(&precious, "precious").unwrap();
    let study = ["study", "--schemes", "omelyan", "--dt", "1e-2", "--out", "mine"];
    let output = folder.run(&study);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("--out mine") && message.contains("--force"), "{message}");
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    stdout(&folder.run(&[&study[..], &["--force"]].concat()));
    assert_ne!(fs::read_to_string(&precious).unwrap(), "precious");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("file");
    fs::write(folder.0.join("results"), "a file").unwrap();
    let output = folder.run(&["study", "--schemes", "omelyan", "--dt", "1e-2"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cannot write results/study"), "{message}");
}

#[test]
fn everything_chosen_by_name_is_listed() {
    let folder = Folder::new("list");
    let list = stdout(&folder.run(&["study", "--list"]));
    let help = stdout(&folder.run(&["study", "--help"]));
    for name in ["spiral-cylinder", "dzhanibekov", "heavy-top=0,0,-2,0.3,0.2,0.5", "drag=0.2", "pcdm-papers"]
    {
        assert!(list.contains(name) && help.contains(name), "{name}");
    }
    let help = stdout(&folder.run(&["--help"]));
    assert!(help.contains("Exit codes:") && help.contains("Examples:"), "{help}");
}

#[test]
fn every_scheme_is_listed_and_told_about() {
    let folder = Folder::new("schemes");
    let csv = stdout(&folder.run(&["schemes", "--format", "csv"]));
    let names: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(names.len() >= 23, "{csv}");
    assert!(stdout(&folder.run(&["schemes", "--format", "markdown"])).starts_with("| scheme | source |"));
    let text = stdout(&folder.run(&["schemes"]));
    for name in names {
        assert!(text.contains(name), "{name}");
        let facts = stdout(&folder.run(&["schemes", name]));
        assert!(facts.starts_with(name) && facts.contains("order, free"), "{facts}");
    }
    let facts = stdout(&folder.run(&["schemes", "spiral-leapfrog"]));
    assert!(facts.contains("https://doi.org/10.1016/j.cpc.2023.109077"), "{facts}");
}

#[test]
fn bad_bodies_are_refused() {
    assert!(refused(&["study", "--inertia", "1,2,3.5"]).contains("no rigid body has"));
    assert!(refused(&["study", "--inertia", "-1,2,2"]).contains("about x must be positive"));
    assert!(refused(&["study", "--inertia", "1,0,1"]).contains("about y must be positive"));
    assert!(refused(&["study", "--inertia", "nan,1,1"]).contains("finite"));
    let message = refused(&["study", "--inertia", "1,2"]);
    assert!(
        message.contains("--inertia") && message.contains("'1,2'") && message.contains("3 numbers"),
        "{message}"
    );
    assert!(refused(&["study", "--omega", "1,x,3"]).contains("\"x\" is not a number"));
    assert!(refused(&["study", "--omega", "1,inf,3"]).contains("finite"));
    assert!(refused(&["study", "--orientation", "0,0,0,0"]).contains("zero quaternion"));
    assert!(refused(&["study", "--duration", "-5"]).contains("positive"));
    assert!(refused(&["study", "--duration", "0"]).contains("positive"));
}

#[test]
fn bad_time_steps_are_refused() {
    assert!(refused(&["study", "--dt", "0"]).contains("time step must be positive"));
    assert!(refused(&["study", "--dt", "-1e-3"]).contains("time step must be positive"));
    assert!(refused(&["study", "--dt", "NaN"]).contains("finite"));
    assert!(refused(&["study", "--dt", "1e-3:1e-5"]).contains("below its start"));
    assert!(refused(&["study", "--dt", "1e-5:1e-3:0"]).contains("whole number"));
    assert!(refused(&["study", "--dt", "1:2:3:4"]).contains("expected a list"));
    assert!(refused(&["study", "--dt", "5"]).contains("longer than the whole duration"));
    assert!(refused(&["study", "--dt", "1e-13"]).contains("steps"));
    assert!(refused(&["study", "--target", "0"]).contains("positive"));
}

#[test]
fn bad_names_get_a_suggestion() {
    assert!(
        refused(&["study", "--schemes", "spiral"]).contains("did you mean `spiral-leapfrog` or `spiral-")
    );
    assert!(refused(&["schemes", "x"]).contains("known: direct-euler, "));
    assert!(refused(&["study", "--schemes", "omelian"]).contains("did you mean `omelyan`?"));
    assert!(refused(&["schemes", "no-sqish"]).contains("did you mean `no-squish`?"));
    assert!(refused(&["study", "--schemes", "zzz"]).contains("known: direct-euler, "));
    assert!(refused(&["study", "--problem", "heavytop"]).contains("did you mean `heavy-top`?"));
    assert!(refused(&["study", "--torque", "dragg=1"]).contains("did you mean `drag`?"));
    assert!(refused(&["study", "--torque", "drag=1,2"]).contains("at most 1 number"));
    assert!(refused(&["study", "--torque", "body=1,nan,0"]).contains("finite"));
    assert!(refused(&["reproduce", "spiral/fig22"]).contains("did you mean `spiral/fig2`?"));
    assert!(refused(&["reproduce", "spirl"]).contains("did you mean `spiral`?"));
    assert!(refused(&["reproduce", "--quick", "--full"]).contains("cannot be used with"));
    assert!(refused(&["stduy"]).contains("study"));
}

#[test]
fn a_scheme_prints_itself_as_cuda() {
    let folder = Folder::new("cuda");
    let source = stdout(&folder.run(&["schemes", "fincham", "--cuda", "float"]));
    for function in ["start", "before_torque", "at_torque", "after_torque"] {
        assert!(source.contains(&format!("__device__ void fincham_{function}(const float *in, float *out)")));
    }
    // q, ω and the three numbers that Fincham remembers.
    assert!(source.contains("out[9] = ") && !source.contains("out[10] = "));
    let stages = stdout(&folder.run(&["schemes", "runge-kutta-4", "--cuda", "double"]));
    assert!(stages.contains("runge_kutta_4_between_torques_2") && !stages.contains("between_torques_3"));
    assert!(refused(&["schemes", "--cuda", "double"]).contains("NAME"));
}
