//! Curves in a terminal: the [`Panel`] of a figure as text.
//!
//! Braille letters have eight dots each, so that curves are fine; they are told apart by colour. Without
//! colours each curve is drawn in a letter of its own, and without Unicode in ASCII.

mod canvas;
mod scale;

use anstyle::{AnsiColor, Style};
use canvas::Canvas;
use scale::Scale;
use std::io::IsTerminal as _;
use tumble_report::{Mark, Panel, Series};

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Width of the whole plot in letters.
    pub columns: usize,
    /// Height of the frame in lines.
    pub rows: usize,
    /// Which letters may be used.
    pub letters: Letters,
    /// Whether curves have colours.
    pub colour: bool,
}

/// Which letters a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// All.
    Unicode,
    /// The first 128.
    Ascii,
}

impl Letters {
    /// What the environment of this process asks for.
    pub fn from_environment() -> Self {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// What these environment variables ask for: ASCII if `NO_UNICODE` is set to anything, otherwise what
    /// the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set says. Where none is, Unix means ASCII.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        if set("NO_UNICODE").is_some() {
            return Self::Ascii;
        }
        let can_unicode = |locale: String| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        if locale.map_or(cfg!(windows), can_unicode) { Self::Unicode } else { Self::Ascii }
    }
}

impl Look {
    /// What suits standard output: colours on a terminal only.
    pub fn of_stdout() -> Self {
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        let colour = match choice {
            anstream::ColorChoice::Never => false,
            anstream::ColorChoice::Auto => std::io::stdout().is_terminal(),
            anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => true,
        };
        Self { columns: 78, rows: 14, letters: Letters::from_environment(), colour }
    }
}

/// Colours of the curves, in turn; yellow and white are hard to see on one background or the other.
const COLOURS: [AnsiColor; 5] =
    [AnsiColor::Cyan, AnsiColor::Magenta, AnsiColor::Green, AnsiColor::Red, AnsiColor::Blue];

/// The panel as text: title, frame with labelled axes, legend. Points that cannot be drawn (NaN, or not
/// positive on a logarithmic axis) are left out; so are colours that are not wanted.
pub fn draw(panel: &Panel, look: Look) -> String {
    let points = || panel.series.iter().flat_map(|series| series.points.iter());
    let drawable = |&&(x, y): &&(f64, f64)| {
        scale::position(panel.x.log, x).is_some() && scale::position(panel.y.log, y).is_some()
    };
    let rows = look.rows.max(3);
    let y = Scale::new(&panel.y, points().filter(drawable).map(|point| point.1), rows / 3).rounded_outwards();
    let margin = y.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0);
    // The frame has a line on its left.
    let columns = look.columns.saturating_sub(margin + 2).max(10);
    let x = Scale::new(&panel.x, points().filter(drawable).map(|point| point.0), columns / 12);

    let letters = Alphabet::new(look, panel.series.len());
    let mut canvas = Canvas::new(columns, rows, letters.dots);
    for (number, series) in panel.series.iter().enumerate() {
        let place = |&(px, py): &(f64, f64)| Some((x.fraction(px)?, y.fraction(py)?));
        let places: Vec<Option<(f64, f64)>> = series.points.iter().map(place).collect();
        for run in places.split(Option::is_none) {
            let run: Vec<(f64, f64)> = run.iter().flatten().copied().collect();
            canvas.draw(number, &run, series.mark != Mark::Published);
        }
    }

    let mut lines = Vec::new();
    if !panel.title.is_empty() {
        lines.push(format!("{:margin$}  {}", "", panel.title));
    }
    lines.push(format!("{:margin$}  {}", "", panel.y.label));
    for row in 0..rows {
        let here = |tick: &&scale::Tick| y.fraction(tick.value).and_then(|at| canvas.row(at)) == Some(row);
        let tick = y.ticks.iter().find(here);
        let (label, line) = tick.map_or(("", letters.side), |tick| (tick.label.as_str(), letters.side_tick));
        let cells = (0..columns).map(|column| canvas.cell(column, row));
        lines.push(format!("{label:>margin$} {line}{}", letters.row(cells)));
    }
    let (bottom, labels) = x_axis(&x, &canvas, columns, &letters);
    lines.push(format!("{:margin$} {}{bottom}", "", letters.corner));
    lines.push(format!("{:margin$}  {labels}", ""));
    let room = columns.saturating_sub(panel.x.label.chars().count());
    lines.push(format!("{:margin$}  {:room$}{}", "", "", panel.x.label));
    if panel.series.len() > 1 {
        lines.push(format!("{:margin$}  {}", "", legend(&panel.series, &letters)));
    }
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    trimmed.join("\n") + "\n"
}

/// The line under the frame, and the labels under that; labels that would touch are left out.
fn x_axis(scale: &Scale, canvas: &Canvas, columns: usize, letters: &Alphabet) -> (String, String) {
    let mut bottom: Vec<char> = vec![letters.bottom; columns];
    let mut labels = vec![' '; columns];
    let mut free = 0;
    for tick in &scale.ticks {
        let Some(place) = scale.fraction(tick.value).and_then(|at| canvas.column(at)) else { continue };
        bottom[place] = letters.bottom_tick;
        let width = tick.label.chars().count();
        let start = place.saturating_sub(width / 2).min(columns.saturating_sub(width));
        if start >= free && start + width <= columns {
            for (cell, letter) in labels[start..].iter_mut().zip(tick.label.chars()) {
                *cell = letter;
            }
            free = start + width + 1;
        }
    }
    (bottom.into_iter().collect(), labels.into_iter().collect())
}

fn legend(series: &[Series], letters: &Alphabet) -> String {
    let entry = |(number, series): (usize, &Series)| {
        let sample = letters.sample(number).to_string().repeat(2);
        format!("{} {}", letters.coloured(number, &sample), series.label)
    };
    series.iter().enumerate().map(entry).collect::<Vec<_>>().join("   ")
}

/// The letters of a plot.
struct Alphabet {
    /// Dots of a cell, across and up.
    dots: (usize, usize),
    /// One for each curve; empty if cells are Braille.
    marks: &'static [char],
    side: char,
    side_tick: char,
    corner: char,
    bottom: char,
    bottom_tick: char,
    colour: bool,
}

impl Alphabet {
    fn new(look: Look, curves: usize) -> Self {
        let colour = look.colour;
        let braille = look.letters == Letters::Unicode && (colour || curves <= 1);
        let dots = if braille { (2, 4) } else { (1, 1) };
        match look.letters {
            Letters::Ascii => Self {
                dots,
                marks: &['*', '+', 'o', 'x', '#', '@'],
                side: '|',
                side_tick: '+',
                corner: '+',
                bottom: '-',
                bottom_tick: '+',
                colour,
            },
            Letters::Unicode => Self {
                dots,
                marks: if braille { &[] } else { &['●', '×', '○', '+', '■', '△'] },
                side: '│',
                side_tick: '┤',
                corner: '└',
                bottom: '─',
                bottom_tick: '┬',
                colour,
            },
        }
    }

    /// A row of cells; neighbours of the same curve share their colour.
    fn row(&self, cells: impl Iterator<Item = Option<(usize, u8)>>) -> String {
        let mut text = String::new();
        let mut run: Option<(usize, String)> = None;
        for cell in cells.chain([None]) {
            let curve = cell.map(|(curve, _)| curve);
            if let Some((number, letters)) = run.take_if(|run| Some(run.0) != curve) {
                text.push_str(&self.coloured(number, &letters));
            }
            match cell {
                None => text.push(' '),
                Some((curve, dots)) => {
                    let letter =
                        if self.marks.is_empty() { canvas::braille(dots) } else { self.sample(curve) };
                    run.get_or_insert_with(|| (curve, String::new())).1.push(letter);
                }
            }
        }
        text
    }

    /// What a curve looks like in the legend.
    fn sample(&self, number: usize) -> char {
        let line = canvas::braille(0b0000_1100);
        self.marks.get(number % self.marks.len().max(1)).copied().unwrap_or(line)
    }

    fn coloured(&self, curve: usize, letters: &str) -> String {
        if !self.colour {
            return letters.to_owned();
        }
        let style: Style = COLOURS[curve % COLOURS.len()].on_default();
        format!("{style}{letters}{style:#}")
    }
}
