//! Guarantee: `cargo xtask test` does in every clone what the machine lets it do. Steps that need something which need not be
//! there are left out with a word about what is missing, fail where a variable asks for them, and never ask cargo for
//! a feature whose library is not there.
//!
//! The program is the real one; cargo and everything optional are scripts that note how they are called.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program, and what it does.
type Script = (&'static str, &'static str);

const HDF5: Script = ("pkg-config", "exit 0");
/// What features that need HDF5 end with.
const WITH_HDF5: &str = "/vtkhdf";
const MPI: [Script; 2] = [("mpicc", "exit 0"), ("mpirun", "exit 0")];
/// What features that need MPI end with.
const WITH_MPI: &str = "/mpi";
const NODE: [Script; 2] = [("node", "echo v22.1.0"), ("npm", "exit 0")];
const OLD_NODE: Script = ("node", "echo v18.0.0");
const BROWSER: Script = ("chromium", "exit 0");
/// Makes environments that have everything.
const PYTHON: Script = (
    "python3",
    r#"for last; do :; done
if [ "$2" = venv ]; then /bin/mkdir -p "$last/bin"; /bin/cp "$0" "$last/bin/python"; fi
exit 0"#,
);
/// Makes environments in which nothing can be installed.
const PYTHON_WITHOUT_NETWORK: Script = (
    "python3",
    r#"for last; do :; done
if [ "$2" = venv ]; then /bin/mkdir -p "$last/bin"; /bin/cp "$0" "$last/bin/python"; fi
if [ "$2" = pip ]; then echo nobody answers >&2; exit 1; fi
exit 0"#,
);

/// Notes how it is called; tells of the workspace what the real one tells; makes what it is asked to build.
const CARGO: &str = r#"echo "$@" >> "$NOTES"
examples="$CARGO_TARGET_DIR/debug/examples"
case "$*" in
metadata*) exec "$REAL_CARGO" "$@" ;;
*write_samples*) /bin/mkdir -p "$examples"; /bin/cp /bin/true "$examples/write_samples" ;;
esac
exit 0"#;

/// A machine on which nothing but these programs is installed.
struct Machine {
    folder: PathBuf,
    variables: Vec<&'static str>,
}

impl Machine {
    fn with(name: &str, programs: &[Script]) -> Self {
        let folder = std::env::temp_dir().join(format!("tumble-xtask-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("bin")).unwrap();
        let machine = Self { folder, variables: Vec::new() };
        for (name, script) in programs.iter().copied().chain([("cc", "exit 0"), ("cargo", CARGO)]) {
            machine.install(name, script);
        }
        machine
    }

    fn install(&self, name: &str, script: &str) {
        let path = self.folder.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The same where a variable is set, as one that asks for a step.
    fn setting(mut self, variable: &'static str) -> Self {
        self.variables.push(variable);
        self
    }

    fn test(&self, words: &[&str]) -> (Fate, String) {
        const GONE: [&str; 8] = [
            "CI",
            "CHROMIUM",
            "HDF5_DIR",
            "LIBCLANG_PATH",
            "TUMBLE_REQUIRE_VTK",
            "TUMBLE_REQUIRE_MPI",
            "TUMBLE_REQUIRE_PYTHON",
            "TUMBLE_REQUIRE_BROWSER",
        ];
        let bin = self.folder.join("bin");
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        for name in GONE {
            command.env_remove(name);
        }
        command
            .arg("test")
            .args(words)
            .env("PATH", &bin)
            .env("CARGO", bin.join("cargo"))
            .env("REAL_CARGO", std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .env("NOTES", self.folder.join("notes"))
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .envs(self.variables.iter().map(|variable| (variable, "1")));
        Fate::of(&command.output().unwrap())
    }

    /// How cargo was called.
    fn notes(&self) -> String {
        fs::read_to_string(self.folder.join("notes")).unwrap_or_default()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Done,
    Skipped,
    Failed,
}

impl Fate {
    fn of(output: &Output) -> (Self, String) {
        let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let text = said.join("\n");
        let fate = match (output.status.success(), text.contains("SKIPPED:")) {
            (true, false) => Self::Done,
            (true, true) => Self::Skipped,
            (false, _) => Self::Failed,
        };
        (fate, text)
    }
}

fn check(machine: &Machine, step: &str, expected: Fate, says: &str) {
    let (found, text) = machine.test(&[step]);
    assert_eq!(found, expected, "{step}: {text}");
    assert!(text.contains(says), "{step}: expected {says:?} in {text}");
}

/// The step of a feature is left out without its library, fails without it where a variable asks for it, and with it
/// checks lints, pages and tests with that feature, and with no other that needs a library.
fn check_library(
    step: &str,
    missing: &str,
    require: &'static str,
    with: &Machine,
    feature: &str,
    other: &str,
) {
    let without = Machine::with(&format!("without{}", feature.replace('/', "-")), &[]);
    check(&without, step, Fate::Skipped, missing);
    assert!(!without.notes().contains(feature), "{}", without.notes());
    check(&without.setting(require), step, Fate::Failed, missing);
    check(with, step, Fate::Done, "1 of");
    let notes = with.notes();
    for command in ["clippy", "doc", "test"] {
        let call = notes.lines().find(|line| line.starts_with(&format!("{command} --workspace")));
        let call = call.unwrap_or_else(|| panic!("{command} was not called: {notes}"));
        assert!(call.contains(feature) && !call.contains(other), "{call}");
    }
}

#[test]
fn vtkhdf_needs_its_library() {
    let with = Machine::with("hdf5", &[HDF5]);
    let missing = "the HDF5 library is not installed";
    check_library("VTKHDF", missing, "TUMBLE_REQUIRE_VTK", &with, WITH_HDF5, WITH_MPI);
}

#[test]
fn mpi_needs_its_library() {
    let with = Machine::with("mpi", &MPI).setting("LIBCLANG_PATH");
    let missing = "MPI, or libclang, which its binding is made with, is not installed";
    check_library("MPI", missing, "TUMBLE_REQUIRE_MPI", &with, WITH_MPI, WITH_HDF5);
}

#[test]
fn files_for_paraview_need_python_and_once_a_network() {
    const STEP: &str = "files for ParaView";
    check(&Machine::with("no-python", &[]), STEP, Fate::Skipped, "`python3` does not run");
    let required = Machine::with("no-python-required", &[]).setting("TUMBLE_REQUIRE_VTK");
    check(&required, STEP, Fate::Failed, "`python3` does not run");
    check(
        &Machine::with("no-network", &[PYTHON_WITHOUT_NETWORK]),
        STEP,
        Fate::Skipped,
        "is there a network?",
    );
    for (name, programs, hdf5) in [("python", &[PYTHON][..], false), ("python-hdf5", &[PYTHON, HDF5], true)] {
        let with = Machine::with(name, programs);
        check(&with, STEP, Fate::Done, "1 of");
        assert_eq!(with.notes().contains(WITH_HDF5), hdf5, "{}", with.notes());
    }
}

#[test]
fn the_python_package_needs_python() {
    const STEP: &str = "the Python package";
    check(&Machine::with("package", &[]), STEP, Fate::Skipped, "`python3` does not run");
    let offline = Machine::with("package-offline", &[PYTHON_WITHOUT_NETWORK]);
    check(&offline, STEP, Fate::Skipped, "is there a network?");
    let required = Machine::with("package-required", &[]).setting("TUMBLE_REQUIRE_PYTHON");
    check(&required, STEP, Fate::Failed, "`python3` does not run");
    // Other variables ask for other steps.
    let other = Machine::with("package-other", &[]).setting("TUMBLE_REQUIRE_VTK");
    check(&other, STEP, Fate::Skipped, "`python3` does not run");
}

/// With a browser and without HDF5 the program is built without the feature that needs it, and the other way round.
#[test]
fn the_page_of_the_viewer_needs_node_and_a_browser() {
    const STEP: &str = "the page of the viewer";
    check(&Machine::with("no-node", &[]), STEP, Fate::Skipped, "`node` does not run");
    let required = Machine::with("no-node-required", &[]).setting("TUMBLE_REQUIRE_BROWSER");
    check(&required, STEP, Fate::Failed, "`node` does not run");
    check(&Machine::with("old-node", &[OLD_NODE, NODE[1]]), STEP, Fate::Skipped, "this is Node v18");
    if !is_page_settled() {
        return;
    }
    check(&Machine::with("no-browser", &NODE), STEP, Fate::Skipped, "there is no browser");
    let required = Machine::with("no-browser-required", &NODE).setting("TUMBLE_REQUIRE_BROWSER");
    check(&required, STEP, Fate::Failed, "there is no browser");
    for (name, hdf5) in [("browser", false), ("browser-hdf5", true)] {
        let mut programs = vec![NODE[0], NODE[1], BROWSER];
        programs.extend(hdf5.then_some(HDF5));
        let with = Machine::with(name, &programs);
        check(&with, STEP, Fate::Done, "1 of");
        let notes = with.notes();
        let build = notes.lines().find(|line| line.contains("--bin tumble")).unwrap_or_default();
        assert!(!build.is_empty(), "{notes}");
        assert_eq!(build.contains(WITH_HDF5), hdf5, "{notes}");
    }
}

/// Whether the packages of the page are all there, or none: else the step would note that it has installed them.
fn is_page_settled() -> bool {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("viewer");
    let read = |name: &str| fs::read_to_string(viewer.join(name)).ok();
    !viewer.join("node_modules").exists() || read("package-lock.json") == read("node_modules/.tumble-lock")
}

#[test]
fn without_a_compiler_nothing_begins() {
    let machine = Machine::with("no-cc", &[]);
    fs::remove_file(machine.folder.join("bin/cc")).unwrap();
    let (found, text) = machine.test(&[]);
    assert_eq!(found, Fate::Failed);
    assert!(text.contains("`cc --version` does not run") && machine.notes().is_empty(), "{text}");
}

/// Lints, documents and the rest see the features that every clone can build; a step that fails ends it.
#[test]
fn steps_of_every_clone_ask_for_no_library() {
    let machine = Machine::with("every", &[]);
    for step in ["format", "lints", "documentation", "without std"] {
        check(&machine, step, Fate::Done, " checks passed");
    }
    let notes = machine.notes();
    let of_workspace: Vec<&str> = notes.lines().filter(|line| line.contains("--workspace")).collect();
    assert_eq!(of_workspace.len(), 2, "{notes}");
    for line in of_workspace {
        assert!(line.contains("tumble-math/trace"), "{line}");
        assert!([WITH_HDF5, WITH_MPI, "--all-features"].iter().all(|needy| !line.contains(needy)), "{line}");
    }
    machine.install(
        "cargo",
        &CARGO.replace("case \"$*\" in", "case \"$*\" in\nclippy\\ --workspace*) exit 1 ;;"),
    );
    let (found, text) = machine.test(&["lints", "documentation"]);
    assert_eq!(found, Fate::Failed, "{text}");
    assert!(text.contains("error: lints: ") && !text.contains("── documentation"), "{text}");
}

#[test]
fn a_step_that_does_not_exist_is_told() {
    let (found, text) = Machine::with("unknown", &[]).test(&["no such step"]);
    assert_eq!(found, Fate::Failed);
    assert!(text.contains("no step is called like no such step") && text.contains("vectorisation"), "{text}");
}
