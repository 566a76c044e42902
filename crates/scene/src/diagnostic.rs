//! What is wrong with a scene, in the manner of a compiler: where, what, what was expected, how to mend it.

use crate::place::Place;
use crate::text::SceneText;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use core::fmt::{self, Write};
use core::ops::Range;
use std::sync::Arc;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot be run.
    Error,
    /// It can, but likely is not what was meant.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where.
    pub place: Place,
    /// Under the place: what was expected.
    pub label: String,
    /// Other places that matter, and what they say.
    pub related: Vec<(Place, String)>,
    /// How to mend it.
    pub help: Vec<String>,
}

/// All that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    pub(crate) text: Arc<SceneText>,
    problems: Vec<Problem>,
}

/// Problems that are shown; more help nobody.
pub(crate) const MOST_SHOWN: usize = 60;

impl Problem {
    /// An error.
    pub fn error(place: Place, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            place,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(place: Place, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(place, message) }
    }

    /// With what was expected, under the place.
    pub fn label(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// With a way to mend it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// With a way to mend it, if there is one.
    pub fn maybe_help(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// With another place that matters.
    pub fn related(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }
}

impl Diagnostics {
    pub(crate) fn of(text: Arc<SceneText>, mut problems: Vec<Problem>) -> Self {
        // In the order of the file, whatever order they were found in; what is set from outside comes last.
        problems.sort_by_key(|problem| problem.place);
        Self { text, problems }
    }

    /// The problems, in the order of the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether any problem is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// How many problems are this bad.
    pub fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }

    /// All problems as text to read, with a line at the end that counts them; coloured for a terminal if asked.
    ///
    /// Colours are the only codes for a terminal in it: what else there is in names, keys and files is shown and not obeyed.
    pub fn render(&self, color: bool) -> String {
        if self.commands() {
            return self.harmless().render(color);
        }
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        for problem in self.problems.iter().take(MOST_SHOWN) {
            text += &renderer.render(&[self.report(problem)]);
            text += "\n\n";
        }
        if self.problems.len() > MOST_SHOWN {
            // Writing to a string cannot fail.
            let _ = write!(text, "… and {} problems more\n\n", self.problems.len() - MOST_SHOWN);
        }
        text += &self.summary();
        text.push('\n');
        text
    }

    /// Whether there is anything in it that a terminal would obey.
    fn commands(&self) -> bool {
        let texts = self.problems.iter().flat_map(|problem| {
            let labels = problem.related.iter().map(|(_, label)| label);
            [&problem.message, &problem.label].into_iter().chain(labels).chain(&problem.help)
        });
        let sources = self.text.overrides.iter().map(|each| &each.shown);
        [&self.text.name, &self.text.text]
            .into_iter()
            .chain(sources)
            .chain(texts)
            .any(|text| text.contains(is_command))
    }

    /// The same without. Places stay where they are: in sources a letter of as many bytes is in the place of each.
    fn harmless(&self) -> Self {
        let told = |text: &String| -> String {
            let shown = |letter: char| {
                if is_command(letter) { letter.escape_unicode().to_string() } else { letter.into() }
            };
            text.chars().map(shown).collect()
        };
        let seen = |text: &String| -> String {
            let shown = |letter: char| match (is_command(letter), letter.len_utf8()) {
                (false, _) => letter,
                (true, 1) => '?',
                (true, _) => '¿',
            };
            text.chars().map(shown).collect()
        };
        let mut text = (*self.text).clone();
        (text.name, text.text) = (told(&text.name), seen(&text.text));
        for each in &mut text.overrides {
            each.shown = seen(&each.shown);
        }
        let problem = |problem: &Problem| Problem {
            message: told(&problem.message),
            label: told(&problem.label),
            related: problem.related.iter().map(|(place, label)| (*place, told(label))).collect(),
            help: problem.help.iter().map(told).collect(),
            ..problem.clone()
        };
        Self { text: Arc::new(text), problems: self.problems.iter().map(problem).collect() }
    }

    /// One line: how many errors and warnings, and in which file.
    pub fn summary(&self) -> String {
        let counted = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            n => Some(format!("{n} {what}s")),
        };
        let errors = counted(self.count(Severity::Error), "error");
        let warnings = counted(self.count(Severity::Warning), "warning");
        let found: Vec<String> = errors.into_iter().chain(warnings).collect();
        let found = if found.is_empty() { "no problems".to_owned() } else { found.join(" and ") };
        format!("{}: {found}", self.text.name)
    }

    fn report<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = level.primary_title(&problem.message).elements(None::<Snippet<'a, Annotation<'a>>>);
        let mut marks = vec![(problem.place, AnnotationKind::Primary, problem.label.as_str())];
        marks.extend(
            problem.related.iter().map(|(place, label)| (*place, AnnotationKind::Context, label.as_str())),
        );
        // Marks that are near each other share an excerpt.
        while let Some((first, ..)) = marks.first().copied() {
            let (together, apart) = marks.into_iter().partition(|&(place, ..)| are_near(first, place));
            group = group.elements(self.excerpt(together));
            marks = apart;
        }
        for help in &problem.help {
            group = group.element(Level::HELP.message(help));
        }
        group
    }

    /// The lines of some places with the places underlined; nothing for places in nothing.
    fn excerpt<'a>(&'a self, marks: Vec<Mark<'a>>) -> Option<Snippet<'a, Annotation<'a>>> {
        let number = marks.first()?.0.source;
        let source = self.source(number)?;
        let lines: Vec<Range<usize>> = marks.iter().map(|(place, ..)| line_at(source, place.start)).collect();
        let first = lines.iter().map(|line| line.start).min()?;
        let last = lines.iter().map(|line| line.end).max()?;
        let mut snippet = Snippet::source(source[first..last].trim_end_matches('\r'));
        for ((place, kind, label), line) in marks.into_iter().zip(lines) {
            let span = within(source, line, place.start..place.end);
            let label = (!label.is_empty()).then_some(label);
            snippet = snippet.annotation(kind.span(span.start - first..span.end - first).label(label));
        }
        Some(if number == 0 {
            let number = 1 + source[..first].bytes().filter(|&byte| byte == b'\n').count();
            snippet.path(&self.text.name).line_start(number)
        } else {
            snippet.line_numbering(false)
        })
    }

    /// The text that places of this number are in, if there is any.
    fn source(&self, number: u32) -> Option<&str> {
        let source = match number.checked_sub(1) {
            None => self.text.text.as_str(),
            Some(number) => self.text.overrides.get(number as usize)?.shown.as_str(),
        };
        (!source.trim().is_empty()).then_some(source)
    }
}

/// Whether a letter begins a code that a terminal obeys: ESC, or one of the 32 that are of one letter.
fn is_command(letter: char) -> bool {
    matches!(letter, '\u{1b}' | '\u{80}'..='\u{9f}')
}

/// Whether two places fit into one excerpt.
fn are_near(a: Place, b: Place) -> bool {
    const BYTES: usize = 20_000;
    a.source == b.source && a.start.abs_diff(b.start) < BYTES
}

/// A place, how it is underlined, and what is written beside it.
type Mark<'a> = (Place, AnnotationKind, &'a str);

/// The line that a byte is on, without its end. What is past the end is on the last line that has something.
fn line_at(source: &str, byte: usize) -> Range<usize> {
    let source = source.trim_end();
    let mut byte = byte.min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    let first = source[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[byte..].find('\n').map_or(source.len(), |newline| byte + newline);
    first..first + source[first..end].trim_end_matches('\r').len()
}

/// The part of a range that is on a line, on borders of characters and not empty where possible.
fn within(source: &str, line: Range<usize>, range: Range<usize>) -> Range<usize> {
    let inside = |byte: usize| {
        let mut byte = byte.clamp(line.start, line.end);
        while !source.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    };
    let (start, end) = (inside(range.start), inside(range.end));
    if end > start {
        return start..end;
    }
    let next = source[start..line.end].chars().next().map_or(start, |next| start + next.len_utf8());
    start..next
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}
