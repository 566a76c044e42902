//! Help, completions and manual pages come from one definition and name every command.

use crate::common::{Folder, refused, stdout};
use std::fs;

const COMMANDS: &[&str] = &[
    "new",
    "clump",
    "check",
    "advise",
    "run",
    "view",
    "sweep",
    "info",
    "export",
    "verify",
    "report",
    "study",
    "reproduce",
    "bench",
    "schemes",
    "laws",
    "schema",
    "completions",
    "man",
];

#[test]
fn the_help_lists_commands_in_groups_and_the_exit_codes() {
    let folder = Folder::new("help");
    let help = stdout(&folder.run(&["--help"]));
    for heading in ["Simulate:", "Measure:", "Look up:", "Set up:", "Options:", "Examples:", "Exit codes:"] {
        assert_eq!(help.matches(heading).count(), 1, "{heading}\n{help}");
    }
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}\n{help}");
    }
    for code in 0..=4 {
        assert!(help.contains(&format!("\n  {code}  ")), "{code}\n{help}");
    }
    assert!(!help.contains('\u{1b}'), "no colours in a pipe");
    assert!(!help.contains("\n\n\n") && !help.contains(" \n"), "{help:?}");
    let short = stdout(&folder.run(&["-h"]));
    assert!(short.len() < help.len() && short.contains("Simulate:"), "{short}");
}

#[test]
fn colours_can_be_forced() {
    let folder = Folder::new("colour");
    let run = |variable: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"));
        let output = command.arg("--help").env(variable, "1").current_dir(&folder.0).output().unwrap();
        stdout(&output)
    };
    assert!(run("CLICOLOR_FORCE").contains('\u{1b}'));
    assert!(!run("NO_COLOR").contains('\u{1b}'));
}

#[test]
fn completions_know_commands_and_names() {
    let folder = Folder::new("completions");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&folder.run(&["completions", shell]));
        // The others are told about commands and options only.
        let has_values = ["bash", "zsh"].contains(&shell);
        let values = ["magnus-leapfrog", "hertz-mindlin", "settling"].into_iter().filter(|_| has_values);
        for word in COMMANDS.iter().copied().chain(["density"]).chain(values) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains('\u{1b}'), "{shell}");
    }
    assert!(refused(&["completions", "tcsh"]).contains("possible values"));
}

#[test]
fn bash_accepts_the_completions() {
    let folder = Folder::new("bash");
    let script = folder.0.join("tumble.bash");
    fs::write(&script, stdout(&folder.run(&["completions", "bash"]))).unwrap();
    // Where there is a bash, it must take the script and complete with it.
    let complete = "source tumble.bash; COMP_WORDS=(tumble la); COMP_CWORD=1; _tumble tumble la tumble; echo ${COMPREPLY[@]}";
    let bash = std::process::Command::new("bash").args(["-c", complete]).current_dir(&folder.0).output();
    if let Ok(output) = bash {
        assert_eq!(stdout(&output).trim(), "laws");
    }
}

#[test]
fn manual_pages_for_all_commands() {
    let folder = Folder::new("man");
    let page = stdout(&folder.run(&["man"]));
    assert!(page.contains(".TH tumble 1") && page.contains(".SH NOTES\n.nf"), "{page}");
    let told = stdout(&folder.run(&["man", "--out", "man1"]));
    assert!(told.contains(&format!("{} pages", COMMANDS.len() + 1)), "{told}");
    for command in COMMANDS {
        let page = fs::read_to_string(folder.0.join(format!("man1/tumble-{command}.1"))).unwrap();
        assert!(page.contains(&format!(".TH tumble-{command} 1")), "{page}");
        assert!(page.contains(&format!("\\fBtumble {command}\\fR")), "{page}");
        assert!(!page.contains('\u{1b}'), "{page}");
    }
    assert_eq!(fs::read_to_string(folder.0.join("man1/tumble.1")).unwrap(), page);
}
