//! `tumble clump`: from a triangle mesh to a clump of spheres with a certificate.

mod page;
mod picture;

use crate::failure::Failure;
use crate::number::readable;
use crate::output::{self, Format, dim, heading};
use crate::progress::{Progress, Standing};
use crate::signals::Interrupt;
use crate::values;
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tumble::scene::tolerance;
use tumble_report::{Cell, Table};
use tumble_shape::{Bodies, Fitted, MassFrom, Solid, Stage, Tolerance, Wanted};

const AFTER_HELP: &str = "\
Examples:
  tumble clump rock.stl                              surfaces at most 5 % of the size apart
  tumble clump rock.stl --surface 2%                 closer, with more spheres
  tumble clump rock.obj --surface \"0.1 mm\" --scale \"1 mm\"   a mesh drawn in millimetres
  tumble clump rock.stl --surface 0 --spheres-max 40 the best that 40 spheres can do
  tumble clump rock.stl --equal --spheres-max 300    equal spheres that only touch, for bonds

Writes the clump file (rock.csv) and a page with pictures, errors and the certificate (rock.html)
into this folder, and prints what a scene says to use them. The volume, centre and inertia of the
union of the spheres are those of the mesh; the surface error is proved, not sampled. Ctrl-C keeps
the best so far.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Options {
    /// A closed triangle mesh: STL or PLY (text or binary), or OBJ
    #[arg(value_name = "MESH")]
    mesh: PathBuf,

    /// Largest distance between the two surfaces: a part of the size such as 2%, or a length such as "0.1 mm"; 0 for
    /// as many spheres as there may be
    #[arg(long, value_name = "ERROR", default_value = "5%", value_parser = surface)]
    surface: Tolerance,

    /// How many spheres there may be
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count)]
    spheres_max: usize,

    /// Largest difference of the volumes, such as 1%, where they cannot be made equal
    #[arg(long, value_name = "PART", value_parser = part)]
    volume: Option<f64>,

    /// Largest difference of the tensors of inertia, such as 2%, where they cannot be made equal
    #[arg(long, value_name = "PART", value_parser = part)]
    inertia: Option<f64>,

    /// No sphere is smaller: a part of the size such as 3%, or a length; small ones shorten the time step
    #[arg(long, value_name = "RADIUS", value_parser = surface)]
    smallest_radius: Option<Tolerance>,

    /// Equal spheres that touch and do not overlap, inside the mesh; their radius is --smallest-radius, or what gives
    /// --spheres-max of them
    #[arg(long, conflicts_with_all = ["surface", "volume", "inertia"])]
    equal: bool,

    /// Another number gives another solution of much the same quality
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How long a unit of length of the mesh is, in metres or with a unit such as "1 mm"
    #[arg(long, value_name = "METRES", default_value = "1", allow_hyphen_values = true, value_parser = values::length)]
    scale: f64,

    /// Of several separate bodies, take the largest
    #[arg(long)]
    largest_body: bool,

    /// The clump file; the page stands beside it [default: the name of the mesh with .csv, in this folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace files of these names
    #[arg(long)]
    force: bool,

    /// How the ladder is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,

    /// Print nothing but errors and warnings
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let [file, page] = files(options)?;
    let bodies = if options.largest_body { Bodies::Largest } else { Bodies::One };
    let solid = Solid::read(&options.mesh, options.scale, bodies).map_err(|error| {
        let several = error.to_string().contains("separate bodies");
        Failure::BadInput(if several { format!("{error} (--largest-body)") } else { error.to_string() })
    })?;
    for text in solid.mended().repairs() {
        output::note(&format!("{}: {text}", options.mesh.display()));
    }
    for text in solid.mended().warnings() {
        let hint = if solid.mended().odd_size.is_some() { " (--scale \"1 mm\")" } else { "" };
        output::warn(&format!("{}: {text}{hint}", options.mesh.display()));
    }
    let fitted = if options.equal { equal(&solid, options)? } else { fit(&solid, options)? };
    let name = stem(&options.mesh);
    save(&file, &tumble_shape::clump_text(&name, &fitted, &solid))?;
    save(&page, &page::page(&name, &command_line(options), &fitted, &solid).to_html())?;
    if !options.quiet {
        tell(options, &fitted, &solid, &file, &page)?;
    }
    let percent = |length: f64| short(100.0 * length / solid.size());
    if fitted.interrupted {
        return Err(Failure::Interrupted(format!("the best so far is in {}", file.display())));
    }
    if !fitted.reached {
        output::warn(&format!(
            "{} spheres keep {} % of the size, not what was asked for (--spheres-max N for more)",
            fitted.spheres.len(),
            percent(fitted.certificate.surface.upper)
        ));
    }
    Ok(())
}

fn fit(solid: &Solid, options: &Options) -> Result<Fitted, Failure> {
    let surface = options.surface.metres(solid);
    let wanted = Wanted {
        surface,
        spheres_max: options.spheres_max,
        volume: options.volume.unwrap_or(f64::INFINITY),
        inertia: options.inertia.unwrap_or(f64::INFINITY),
        smallest_radius: options.smallest_radius.map_or(0.0, |radius| radius.metres(solid)),
        seed: options.seed,
    };
    let interrupt = Interrupt::catch()?;
    let mut progress = Progress::on_stderr(options.quiet, true);
    let mut last = None;
    let mut fitted = tumble_shape::fit(solid, &wanted, |stage| {
        let shown = Shown { stage: *stage, size: solid.size() };
        progress.update(&shown);
        last = Some(shown);
        !interrupt.requested()
    });
    if let Some(shown) = last {
        progress.finish(&Shown { stage: Stage { done: 1.0, ..shown.stage }, ..shown });
    }
    // With no error to keep, as many spheres as there may be are what was asked for.
    fitted.reached |= surface <= 0.0 && options.volume.is_none() && options.inertia.is_none();
    Ok(fitted)
}

fn equal(solid: &Solid, options: &Options) -> Result<Fitted, Failure> {
    let radius = options.smallest_radius.map(|radius| radius.metres(solid));
    let fitted = tumble_shape::fit_equal(solid, radius, options.spheres_max, options.seed);
    fitted.ok_or_else(|| {
        Failure::BadInput("no sphere of this radius fits into the mesh (--smallest-radius)".into())
    })
}

/// The clump file and the page, if they may be written.
fn files(options: &Options) -> Result<[PathBuf; 2], Failure> {
    let file = options.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.csv", stem(&options.mesh))));
    let page = file.with_extension("html");
    for path in [&file, &page] {
        if path.is_dir() || path.file_name().is_none() {
            return Err(Failure::BadInput(format!(
                "{}: expected the name of a file (--out FILE)",
                path.display()
            )));
        }
        if path.exists() && !options.force {
            return Err(Failure::BadInput(format!(
                "{} exists; choose another name with --out, or add --force to replace it",
                path.display()
            )));
        }
    }
    if page == file {
        return Err(Failure::BadInput(
            "--out: the page would have the name of the clump file; end it in .csv".into(),
        ));
    }
    Ok([file, page])
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    tumble_report::save(path.parent().unwrap_or(Path::new("")), &name, text)?;
    Ok(())
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "clump".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn tell(options: &Options, fitted: &Fitted, solid: &Solid, file: &Path, page: &Path) -> Result<(), Failure> {
    let mut text = output::table(&ladder(fitted, solid), options.format);
    if options.format != Format::Text {
        return output::print(&text);
    }
    text.push('\n');
    for sentence in certificate(fitted, solid) {
        text.push_str(&sentence);
        text.push('\n');
    }
    let shown = file.display().to_string();
    let template = tumble_shape::template_text(&template_name(&stem(file)), &shown, fitted, solid);
    let _ = write!(text, "\n{}  {}\n\n{template}", heading(&shown), dim(&page.display().to_string()));
    output::print(&text)
}

/// A name that TOML takes as it is.
fn template_name(stem: &str) -> String {
    let plain: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    if plain.is_empty() { "clump".into() } else { plain }
}

/// Numbers of spheres against errors.
fn ladder(fitted: &Fitted, solid: &Solid) -> Table {
    let columns =
        ["spheres", "surface, %", "mean, %", "smallest radius, %", "volume, %", "inertia, %", "mass of"];
    let mut table = Table::new("", &columns);
    let percent = |part: f64| Cell::from(short(100.0 * part));
    for rung in &fitted.ladder {
        let smallest = rung.spheres.iter().map(|s| s.radius).fold(f64::INFINITY, f64::min);
        let c = &rung.certificate;
        table.rows.push(vec![
            Cell::Count(rung.spheres.len() as u64),
            percent(c.surface.upper / solid.size()),
            percent(c.mean / solid.size()),
            percent(smallest / solid.size()),
            percent(c.volume_error),
            percent(c.inertia_error),
            Cell::from(if rung.mass == MassFrom::Union { "union" } else { "mesh" }),
        ]);
    }
    table
}

/// What is certified, a sentence each.
fn certificate(fitted: &Fitted, solid: &Solid) -> Vec<String> {
    let c = &fitted.certificate;
    let percent = |length: f64| short(100.0 * length / solid.size());
    let mut sentences = vec![
        format!(
            "{} spheres: the surfaces are nowhere farther apart than {} m, {} % of the size ({} m, that of a ball of the same \
             volume). Proved; at one point they are {} % apart. On average {} %.",
            fitted.spheres.len(),
            short(c.surface.upper),
            percent(c.surface.upper),
            short(solid.size()),
            percent(c.surface.lower),
            percent(c.mean),
        ),
        match fitted.mass {
            MassFrom::Union => format!(
                "Volume, centre and inertia of the union are those of the mesh: they differ by {}, {} and {} of them.",
                short(c.volume_error),
                short(c.centre_error),
                short(c.inertia_error),
            ),
            MassFrom::Mesh => format!(
                "The clump keeps the mesh's own volume, centre and inertia: those of the union of the spheres differ by {} %, {} % and {} %.",
                short(100.0 * c.volume_error),
                short(100.0 * c.centre_error),
                short(100.0 * c.inertia_error),
            ),
        },
    ];
    if c.parts > 1 {
        sentences.push(format!("The spheres are {} parts that do not touch.", c.parts));
    }
    sentences
}

/// The command that makes the same again.
fn command_line(options: &Options) -> String {
    let tolerance = |tolerance: Tolerance| match tolerance {
        Tolerance::Percent(percent) => format!("{}%", readable(percent)),
        Tolerance::Metres(length) => readable(length),
    };
    let percent = |part: f64| format!("{}%", readable(100.0 * part));
    let mut words = vec!["tumble clump".to_owned(), crate::scene_file::typed_path(&options.mesh)];
    words.push(if options.equal {
        "--equal".to_owned()
    } else {
        format!("--surface {}", tolerance(options.surface))
    });
    words.push(format!("--spheres-max {}", options.spheres_max));
    words.extend(options.volume.map(|part| format!("--volume {}", percent(part))));
    words.extend(options.inertia.map(|part| format!("--inertia {}", percent(part))));
    words.extend(options.smallest_radius.map(|radius| format!("--smallest-radius {}", tolerance(radius))));
    words.extend(options.largest_body.then(|| "--largest-body".to_owned()));
    words.push(format!("--scale {} --seed {}", readable(options.scale), options.seed));
    words.join(" ")
}

/// Four digits.
fn short(value: f64) -> String {
    readable(format!("{value:.3e}").parse().unwrap_or(value))
}

/// Where the fit stands.
struct Shown {
    stage: Stage,
    size: f64,
}

impl Standing for Shown {
    fn fraction(&self) -> f64 {
        self.stage.done
    }

    fn beside_bar(&self) -> String {
        let best = if self.stage.surface.is_finite() {
            format!("  surface error {} % so far", short(100.0 * self.stage.surface / self.size))
        } else {
            String::new()
        };
        format!("{} spheres{best}", self.stage.spheres)
    }

    fn line(&self) -> String {
        self.beside_bar()
    }
}

fn surface(text: &str) -> Result<Tolerance, String> {
    if text.trim() == "0" { Ok(Tolerance::Metres(0.0)) } else { tolerance(text) }
}

fn part(text: &str) -> Result<f64, String> {
    match tolerance(text)? {
        Tolerance::Percent(percent) => Ok(percent / 100.0),
        Tolerance::Metres(part) => Ok(part),
    }
}

fn count(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(count @ 1..=5000) => Ok(count),
        _ => Err(format!("expected a whole number from 1 to 5000, found `{text}`")),
    }
}
