//! The page of the viewer: types, unit tests, whether the committed bundle is that of the sources, and the page in a real
//! browser, served by the real program.
//!
//! Node, npm, a network for the first time and a browser are more than a clone can count on, so without them the step
//! says what is missing and is left out. Where `TUMBLE_REQUIRE_BROWSER` is set it fails instead. On a build service
//! (`CI`) that lets us, a browser is installed.

use crate::python::{succeed, target};
use crate::{Failure, cargo, features, optional, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that makes what is missing an error.
const REQUIRE: &str = "TUMBLE_REQUIRE_BROWSER";

/// The oldest Node that runs the build and the tests.
const NODE: u32 = 20;

/// Browsers that the tests can drive, by the names of their programs.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How npm says that nobody answers.
const NO_NETWORK: [&str; 8] = [
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "ETIMEDOUT",
    "ERR_SOCKET_TIMEOUT",
];

/// What keeps a step from being done.
enum Obstacle {
    /// Something that a machine need not have.
    Missing(String),
    /// Something that must not be.
    Wrong(Failure),
}

impl<T: Into<Failure>> From<T> for Obstacle {
    fn from(failure: T) -> Self {
        Self::Wrong(failure.into())
    }
}

pub(crate) fn check() -> Result<(), Failure> {
    match check_all() {
        Ok(()) => Ok(()),
        Err(Obstacle::Missing(what)) => optional::leave_out(what.into(), REQUIRE),
        Err(Obstacle::Wrong(failure)) => Err(failure),
    }
}

fn check_all() -> Result<(), Obstacle> {
    let folder = root().join("viewer");
    check_node()?;
    install(&folder)?;
    succeed(npm(&folder).args(["run", "--silent", "check"]))?;
    println!("types, unit tests and bundle of the page: good");
    let browser = browser()?;
    let program = program()?;
    let tests = ["run", "--silent", "test:browser"];
    let in_browser = || succeed(npm(&folder).args(tests).env("TUMBLE", &program).env("CHROMIUM", &browser));
    // A browser that draws without a graphics card on a busy machine may miss its moment once, but not twice.
    if let Err(first) = in_browser() {
        println!("once more, after:\n{first}");
        in_browser()?;
    }
    println!("the page in {}: good", browser.display());
    Ok(())
}

/// Whether there are Node, new enough, and npm.
fn check_node() -> Result<(), Obstacle> {
    let remedy =
        format!("the page of the viewer is built with Node {NODE} or later and npm: https://nodejs.org");
    let version = |command: &mut Command| {
        let output = succeed(command.arg("--version")).ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let missing = |program: &str| Obstacle::Missing(format!("`{program}` does not run; {remedy}"));
    let node = version(&mut Command::new("node")).ok_or_else(|| missing("node"))?;
    let major = node.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) {
        return Err(Obstacle::Missing(format!("this is Node {node}; {remedy}")));
    }
    version(&mut npm(root())).ok_or_else(|| missing("npm"))?;
    Ok(())
}

/// Installs what the lock file says, unless that has been done.
fn install(folder: &Path) -> Result<(), Obstacle> {
    let wanted = std::fs::read_to_string(folder.join("package-lock.json"))?;
    // Written last: an installation that was not finished is made again.
    let stamp = folder.join("node_modules/.tumble-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    let options = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"];
    if let Err(failure) = succeed(npm(folder).args(options)) {
        let said = failure.to_string();
        let no_network = NO_NETWORK.iter().any(|code| said.contains(code));
        return Err(if no_network {
            Obstacle::Missing(format!(
                "npm cannot install the packages of the page; is there a network?\n{said}"
            ))
        } else {
            Obstacle::Wrong(failure)
        });
    }
    if stamp.parent().is_some_and(Path::is_dir) {
        std::fs::write(&stamp, wanted)?;
    }
    Ok(())
}

/// The program, as the tests were built: this takes no time after them.
fn program() -> Result<PathBuf, Failure> {
    let build = ["build", "--quiet", "--bin", "tumble"];
    succeed(cargo(&build).args(features::of_this_machine()?))?;
    Ok(target().join(format!("debug/tumble{}", std::env::consts::EXE_SUFFIX)))
}

/// A browser: the one that `CHROMIUM` names, one that is installed, or one that is installed now.
fn browser() -> Result<PathBuf, Obstacle> {
    if let Some(named) = std::env::var_os("CHROMIUM").filter(|name| !name.is_empty()) {
        return Ok(named.into());
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    if may_install() {
        println!("installing chromium");
        let quiet = |command: &mut Command| succeed(command.env("DEBIAN_FRONTEND", "noninteractive"));
        // The list of packages may be too old to install anything from it; if it cannot be had, the next line says so.
        let _ = quiet(Command::new("apt-get").args(["update", "-q"]));
        let install = ["install", "-y", "-q", "--no-install-recommends", "chromium"];
        if let Err(failure) = quiet(Command::new("apt-get").args(install)) {
            return Err(Obstacle::Missing(format!("no browser can be installed\n{failure}")));
        }
    }
    installed().ok_or_else(|| {
        let known = BROWSERS.join(", ");
        Obstacle::Missing(format!(
            "there is no browser to test the page with ({known}); on Debian: apt-get install chromium, or name one \
             by CHROMIUM=PATH"
        ))
    })
}

fn installed() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    BROWSERS.iter().find_map(|name| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
    })
}

/// On a machine that is there for this alone, as root, with the packages of Debian.
fn may_install() -> bool {
    let is_root =
        || succeed(Command::new("id").arg("-u")).is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let has_packages = || succeed(Command::new("apt-get").arg("--version")).is_ok();
    std::env::var_os("CI").is_some_and(|value| !value.is_empty()) && is_root() && has_packages()
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}
