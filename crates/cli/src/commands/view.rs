//! `tumble view`: results in the browser, from a server for this machine alone, or as a film in one file.

use crate::failure::Failure;
use crate::output;
use crate::scene_file::{typed, typed_path};
use crate::signals::Interrupt;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tumble::output::{Part, ResultFolder};
use tumble_viewer::{ExportOptions, Film, Server, Source};

const EXAMPLES: &str = "\
Examples:
  tumble view                                        the newest results below results/
  tumble view results/chess                          also while the run is going on
  tumble view results/chess --no-open --port 8000    for a browser that you open yourself
  tumble view results/chess --export chess.html      one file to send to a colleague
  tumble view results/chess --export small.html --every 5

The page is served to this machine only, and nothing can be changed through it. To look at results
on another machine: ssh -L 8000:127.0.0.1:8000 MACHINE tumble view --no-open --port 8000 RESULT";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A folder of results, or a trajectory [default: the newest folder below results/]
    #[arg(value_name = "RESULT")]
    result: Option<PathBuf>,

    /// Port of the page on this machine; 0 takes any that is free
    #[arg(long, value_name = "N", default_value = "0", conflicts_with = "export")]
    port: u16,

    /// Only say where the page is; open no browser
    #[arg(long, conflicts_with = "export")]
    no_open: bool,

    /// Write one file with everything in it, which any browser shows without a network
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,

    /// Export every K-th frame only, and the last one
    #[arg(long, value_name = "K", default_value = "1", requires = "export")]
    every: NonZeroUsize,

    /// Replace an exported file of that name
    #[arg(long, requires = "export")]
    force: bool,
}

/// Where results are looked for, from the working directory: where runs put them.
const RESULTS: &str = "results";

/// Files that are larger than this are no pleasure to send or open.
const LARGE: u64 = 50_000_000;

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let path = match &options.result {
        Some(path) => path.clone(),
        None => newest()?,
    };
    let source = Source::at(&path)?;
    match &options.export {
        Some(to) => export(&source, to, options),
        None => serve(source, options),
    }
}

fn serve(source: Source, options: &Options) -> Result<(), Failure> {
    let title = source.check()?;
    let interrupt = Interrupt::catch()?;
    let server = Server::start(source, tumble_viewer::Options { port: options.port })?;
    let url = server.url();
    output::print(&format!("Viewing {} at {url} (Ctrl-C ends it)\n", in_a_line(&title)))?;
    if !options.no_open {
        open(&url);
    }
    server.run_until(|| interrupt.requested());
    Ok(())
}

fn export(source: &Source, to: &Path, options: &Options) -> Result<(), Failure> {
    let live = source.is_live();
    let film =
        tumble_viewer::export(source, to, ExportOptions { every: options.every, force: options.force })?;
    if live {
        output::warn("the run is still going on; the film ends where it was just now");
    }
    if film.lost > 0 {
        output::warn(&format!("{} damaged frames of the trajectory were left out", film.lost));
    }
    for problem in &film.fields.problems {
        output::warn(&format!("coarse-grained fields were left out: {problem}"));
    }
    if film.fields.left_out > 0 {
        let all = film.fields.frames + film.fields.left_out;
        output::warn(&format!(
            "{} of {all} frames of coarse-grained fields were left out, so that the file opens quickly",
            film.fields.left_out
        ));
    }
    if let Some(every) = better(&film, options.every) {
        let again = [
            "tumble",
            "view",
            &source.path().to_string_lossy(),
            "--export",
            &to.to_string_lossy(),
            "--every",
            &every.to_string(),
            "--force",
        ];
        output::warn(&format!(
            "a file of {} is slow to open and hard to send; with fewer frames it is smaller:\n  {}",
            megabytes(film.bytes),
            typed(again)
        ));
    }
    let shown = to.display();
    let frames = if film.frames == 1 { "1 frame".into() } else { format!("{} frames", film.frames) };
    output::print(&format!(
        "{shown} written: {}, {frames}, {}\nIt opens in any browser, without a network.\n",
        in_a_line(&film.title),
        megabytes(film.bytes)
    ))
}

/// Which frames to keep for a film that is not too large, if this one is.
fn better(film: &Film, every: NonZeroUsize) -> Option<u64> {
    (film.bytes > LARGE).then(|| every.get() as u64 * film.bytes.div_ceil(LARGE))
}

fn megabytes(bytes: u64) -> String {
    let megabytes = bytes as f64 / 1e6;
    if megabytes < 10.0 { format!("{megabytes:.1} MB") } else { format!("{megabytes:.0} MB") }
}

/// A title may have anything in it, also what a terminal would obey.
fn in_a_line(title: &str) -> String {
    let line: String = title.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if line.trim().is_empty() { "results without a title".into() } else { line }
}

/// The folder of results below `results` in which a run wrote last; says which.
fn newest() -> Result<PathBuf, Failure> {
    let mut found = Vec::new();
    find(Path::new(RESULTS), 4, &mut found);
    let newest = found.into_iter().max().map(|(_, path)| path);
    let newest = newest.ok_or_else(|| {
        Failure::BadInput(format!(
            "there are no results below {RESULTS}/ in this folder: name a folder that `tumble run` wrote, as in \
             `tumble view results/chess`"
        ))
    })?;
    output::note(&format!("the newest results are those in {}", typed_path(&newest)));
    Ok(newest)
}

/// All folders of results, with the time of the last change. Folders of results have none inside.
fn find(folder: &Path, depth: usize, found: &mut Vec<(SystemTime, PathBuf)>) {
    if ResultFolder::is_one(folder) {
        let changed = |part: Part| folder.join(part.name()).metadata().and_then(|it| it.modified()).ok();
        let newest = Part::ALL.into_iter().filter_map(changed).max();
        found.extend(newest.map(|time| (time, folder.to_owned())));
        return;
    }
    // A folder that cannot be read has nothing to offer.
    for entry in folder.read_dir().into_iter().flatten().filter_map(Result::ok) {
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find(&entry.path(), depth - 1, found);
        }
    }
}

/// Opens the browser of the desktop, if there is one. It does not end with this program.
fn open(url: &str) {
    let Some(mut command) = browser(url) else { return };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // The address has been printed: whoever has no browser here knows what to do.
    if let Ok(mut child) = command.spawn() {
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}

/// The command that opens a page.
fn browser(url: &str) -> Option<Command> {
    if cfg!(target_os = "macos") {
        let mut command = Command::new("open");
        command.arg(url);
        return Some(command);
    }
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", "", url]);
        return Some(command);
    }
    // Without a desktop it would be a browser in this terminal.
    let desktop = ["WAYLAND_DISPLAY", "DISPLAY"]
        .into_iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    let mut command = Command::new("xdg-open");
    command.arg(url);
    desktop.then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_viewer::FilmFields;

    #[test]
    fn titles_cannot_command_the_terminal() {
        assert_eq!(in_a_line("Rods\n\u{1b}[2Jhidden"), "Rods  [2Jhidden");
        assert_eq!(in_a_line(" "), "results without a title");
    }

    #[test]
    fn large_films_are_advised_to_lose_frames() {
        let film =
            |bytes| Film { title: String::new(), frames: 100, lost: 0, fields: FilmFields::default(), bytes };
        let every = |number| NonZeroUsize::new(number).unwrap();
        assert_eq!(better(&film(LARGE), every(1)), None);
        assert_eq!(better(&film(LARGE + 1), every(1)), Some(2));
        assert_eq!(better(&film(170_000_000), every(3)), Some(12));
        assert_eq!((megabytes(170_400_000), megabytes(2_340_000)), ("170 MB".into(), "2.3 MB".into()));
    }
}
