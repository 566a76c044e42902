//! `tumble bench`: how fast the engine steps on this machine, and where the time goes.

mod borders;
mod calibrate;
mod counts;
mod folder;
mod measure;
mod memory;
mod model;
mod ranks;
mod scenes;
mod sheet;
mod smooth;
mod thresholds;
mod vessels;

use crate::failure::Failure;
use crate::output::{self, Format, heading};
use crate::signals::Interrupt;
use crate::values;
use clap::{Args, ValueEnum};
use measure::{Clock, Measured, On, Prepared};
use scenes::{FAMILIES, Source, USUAL};
use std::fmt::Write as _;
use tumble::gpu::{self, Choice as Device};
use tumble_dem::{Precision, SchemeKind};
use tumble_report::{Cell, Table};

/// A number of threads that a machine may have.
fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    let number = text.trim().parse().ok().filter(|number| *number <= MOST);
    number.ok_or_else(|| format!("expected a whole number from 0 to {MOST}"))
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a positive number, such as 500".to_owned())
}

#[allow(clippy::struct_excessive_bools, reason = "flags of a command, each given or not")]
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct Options {
    /// Scenes: built-in ones, or folders with scene.json and clumps.csv [default: see below]
    #[arg(value_name = "SCENE", value_parser = scenes::source)]
    named: Vec<Source>,

    /// Numbers of threads, a line for each; 0 for as many as the machine has
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "1", value_parser = threads)]
    threads: Vec<usize>,

    /// Devices, a line for each of them; the processor has one for each number of threads
    #[arg(
        long,
        value_name = "DEVICE,...",
        value_delimiter = ',',
        default_value = "cpu",
        value_parser = values::named(values::device, values::device_names),
        hide_possible_values = true
    )]
    device: Vec<Device>,

    /// Numbers of ranks, a line for each with each number of threads: how fast they are together, and what it costs to be several
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u16).range(1..=1024),
        conflicts_with_all = ["device", "limit", "calibrate", "memory"]
    )]
    ranks: Vec<u16>,

    /// Count what it costs to be several ranks, and time nothing: the same table whenever and wherever it is made
    #[arg(
        long,
        conflicts_with_all = ["device", "limit", "calibrate", "memory", "threads", "warm", "repeat", "model"]
    )]
    counts: bool,

    /// Tell how fast up to 10 000 ranks would be, from what is counted on a few and published of a network
    #[arg(long, conflicts_with_all = ["device", "limit", "calibrate", "memory", "threads"])]
    model: bool,

    /// What a body costs in a step on one processor, with --model [default: measured]
    #[arg(long, value_name = "NS", requires = "model", value_parser = positive)]
    ns_per_body: Option<f64>,

    /// Also run as many copies of the scene at once as there are threads, on one thread each: what the machine can give
    #[arg(long, conflicts_with = "calibrate")]
    limit: bool,

    /// Steps before the clock starts
    #[arg(long, value_name = "STEPS", default_value_t = 200)]
    warm: u64,

    /// Steps on the clock [default: about a second's worth]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// Measure so many times and keep the fastest
    #[arg(long, value_name = "TIMES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Rotation scheme
    #[arg(
        long,
        value_name = "NAME",
        default_value = "spiral-leapfrog",
        value_parser = values::named(values::scheme, values::scheme_names),
        hide_possible_values = true
    )]
    scheme: SchemeKind,

    /// How finely bodies and contacts are computed: double or single
    #[arg(
        long,
        value_name = "NAME",
        default_value = "double",
        value_parser = values::named(values::precision, values::precision_names),
        hide_possible_values = true,
        conflicts_with_all = ["calibrate", "memory"]
    )]
    precision: Precision,

    /// Measure constants in place of the speed: of the neighbour lists, or thresholds in scenes of their own
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "lists",
        conflicts_with_all = ["threads", "device"]
    )]
    calibrate: Option<Calibrate>,

    /// Measure memory in place of the speed: bytes per sphere at the start, in a run, and while its state is saved
    #[arg(long, conflicts_with_all = ["calibrate", "device", "limit", "warm", "repeat"])]
    memory: bool,

    /// How the table is printed; as text, each line as soon as it is measured
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Which constants are measured.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Calibrate {
    /// How wide the lists are, and how long they last
    Lists,
    /// Where one of two ways to the same bits becomes the faster one
    Thresholds,
}

fn after_help() -> String {
    let mut text = "Scenes, N being any number of bodies:\n".to_owned();
    for family in FAMILIES {
        let _ = writeln!(text, "  {:18}{}", family.name, family.description);
    }
    let _ = writeln!(
        text,
        "\nWithout names: {};\nwith --counts and --model: {}.",
        USUAL.join(", "),
        counts::SCENES.join(", ")
    );
    text + "
Examples:
  tumble bench                                       the usual scenes on one thread
  tumble bench rods-100000 --threads 1,2,4,8 --limit
  tumble bench packing-1000000 --device cpu,gpu --threads 0
  tumble bench packing-1000000 --device gpu --precision single
  tumble bench packing-10000 --ranks 1,2,4,8         ghosts, bytes, doubled contacts, waiting
  tumble bench --counts                              the same for 1 to 64 ranks, and no clock
  tumble bench --model --ns-per-body 500             how fast up to 10 000 ranks would be
  tumble bench chess --scheme magnus-leapfrog --format csv > chess.csv
  tumble bench packing-1000000 --memory              bytes per sphere
  tumble bench --calibrate                           constants of the neighbour lists
  tumble bench --calibrate=thresholds                where one of two ways becomes the faster one"
}

/// Columns of the table, and their widths as text. A row is [`cells`].
const COLUMNS: [(&str, usize); 17] = [
    ("scene", 14),
    ("bodies", 7),
    ("spheres", 8),
    ("contacts", 9),
    ("threads", 8),
    ("body_steps_per_s", 17),
    ("ns_per_body", 12),
    ("times_one_thread", 17),
    ("limit", 7),
    ("ns_move", 8),
    ("ns_neighbours", 14),
    ("ns_find", 8),
    ("ns_laws", 8),
    ("ns_fields", 10),
    ("steps_per_build", 16),
    ("bytes_per_sphere", 17),
    ("peak_bytes_per_sphere", 22),
];

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let interrupt = Interrupt::catch()?;
    if cfg!(debug_assertions) {
        output::warn("this program was built without --release; it is slower than it could be");
    }
    match options.calibrate {
        Some(Calibrate::Lists) => return calibrate::run(options, &interrupt),
        Some(Calibrate::Thresholds) => {
            let calibration = thresholds::Calibration {
                steps: options.steps,
                repeat: options.repeat,
                scheme: options.scheme,
                format: options.format,
                interrupt: &interrupt,
            };
            return calibration.run();
        }
        None => {}
    }
    if options.counts {
        return counts::run(options, &interrupt);
    }
    if options.model {
        return model::run(options, &interrupt);
    }
    if !options.ranks.is_empty() {
        return ranks::run(options, &interrupt);
    }
    if options.memory {
        let stages = memory::Stages {
            steps: options.steps,
            threads: &options.threads,
            scheme: options.scheme,
            format: options.format,
            interrupt: &interrupt,
        };
        return stages.run(&options.scenes());
    }
    for &device in &options.device {
        gpu::look_for(device)
            .map_err(|refused| Failure::BadInput(format!("--device {device}: {refused}")))?;
    }
    let streamed = options.format == Format::Text;
    if streamed {
        let header = line(&COLUMNS.map(|(name, _)| name.to_owned()));
        output::print(&(heading(&header) + "\n"))?;
    }
    let mut table = Table::new("", &COLUMNS.map(|(name, _)| name));
    let mut interrupted = false;
    let clock = options.clock(&interrupt);
    'all: for scene in &options.scenes() {
        let mut scene = Prepared::new(scene, clock)?;
        for on in options.places() {
            let measured = match on {
                Place::Threads(threads) => scene.measure(threads)?,
                Place::Device(device) => scene.measure_on(device, |card, seconds| {
                    output::note(&format!(
                        "{card} takes {seconds:.2e} s to give its state back, which is not on the clock"
                    ));
                })?,
            };
            let Some(mut measured) = measured else {
                interrupted = true;
                break 'all;
            };
            if let (Place::Threads(threads), true) = (on, options.limit) {
                measured.limit = scene.limit(threads)?;
                interrupted = measured.limit.is_none();
            }
            measured.times_one_thread = scene.times_one_thread(&measured);
            if streamed {
                output::print(&(line(&texts(&measured)) + "\n"))?;
            } else {
                table.rows.push(cells(&measured));
            }
            if interrupted {
                break 'all;
            }
        }
    }
    if !streamed {
        output::print(&output::table(&table, options.format))?;
    }
    if interrupted {
        return Err(Failure::Interrupted("what was measured until then is above".into()));
    }
    Ok(())
}

/// What a scene is measured on.
#[derive(Clone, Copy)]
enum Place {
    Threads(usize),
    Device(Device),
}

impl Options {
    /// The scenes that were named, or the usual ones for what is asked.
    fn scenes(&self) -> Vec<Source> {
        let usual = if self.counts || self.model { counts::SCENES } else { USUAL };
        if self.named.is_empty() {
            usual.iter().filter_map(|name| scenes::source(name).ok()).collect()
        } else {
            self.named.clone()
        }
    }

    /// How scenes are measured.
    fn clock<'a>(&self, interrupt: &'a Interrupt) -> Clock<'a> {
        let &Self { warm, steps, repeat, scheme, precision, .. } = self;
        Clock { warm, steps, repeat, scheme, precision, interrupt }
    }

    /// All that each scene is measured on, in the order that was asked for.
    fn places(&self) -> Vec<Place> {
        let of = |device: &Device| match device {
            Device::Cpu => self.threads.iter().copied().map(Place::Threads).collect(),
            &device => vec![Place::Device(device)],
        };
        self.device.iter().flat_map(of).collect()
    }
}

fn cells(measured: &Measured) -> Vec<Cell> {
    let mut cells = vec![
        measured.scene.as_str().into(),
        Cell::Count(measured.bodies as u64),
        Cell::Count(measured.spheres as u64),
        Cell::Count(measured.contacts as u64),
        match &measured.on {
            On::Threads(threads) => Cell::Count(*threads as u64),
            On::Card(name) => name.as_str().into(),
        },
        Cell::Number(1e9 / measured.ns_per_body),
        Cell::Number(measured.ns_per_body),
        measured.times_one_thread.map_or(Cell::Empty, Cell::Number),
        measured.limit.map_or(Cell::Empty, Cell::Number),
    ];
    cells.extend(measured.stages.map_or([const { Cell::Empty }; 5], |stages| stages.map(Cell::Number)));
    cells.push(Cell::Number(measured.steps_per_build));
    for bytes in [measured.memory.resident, measured.memory.peak] {
        cells.push(bytes.map_or(Cell::Empty, |bytes| Cell::Number(bytes as f64 / measured.spheres as f64)));
    }
    cells
}

/// The cells as text, rounded to what can be measured.
fn texts(measured: &Measured) -> [String; COLUMNS.len()] {
    let mut cells = cells(measured).into_iter();
    COLUMNS.map(|(column, _)| match cells.next() {
        Some(Cell::Text(text)) => text,
        Some(Cell::Count(count)) => count.to_string(),
        Some(Cell::Number(number)) if column == "body_steps_per_s" => format!("{number:.4e}"),
        Some(Cell::Number(number)) if column.starts_with("ns_") => format!("{number:.1}"),
        Some(Cell::Number(number)) if matches!(column, "times_one_thread" | "limit") => {
            format!("{number:.2}")
        }
        Some(Cell::Number(number)) => format!("{number:.0}"),
        Some(Cell::Empty) | None => "–".into(),
    })
}

/// The first column to the left, the others to the right.
fn line(texts: &[String; COLUMNS.len()]) -> String {
    let column = |(place, (text, (_, width))): (usize, (&String, &(&str, usize)))| {
        // A space before those that are wider than they should be, such as names of cards.
        let text =
            if place > 0 && text.chars().count() >= *width { format!(" {text}") } else { text.clone() };
        if place == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    texts.iter().zip(&COLUMNS).enumerate().map(column).collect()
}
