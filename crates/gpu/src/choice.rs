//! Where an engine runs: what can be asked for, and what came of it.

use crate::device::{self, About, Device};
use crate::engine::plan;
use crate::{CardEngine, Declined, Refused};
use core::fmt;
use core::str::FromStr;
use std::path::Path;
use std::sync::Arc;
use tumble_dem::{Engine, Solver};

/// What an engine is asked to run on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The processor.
    #[default]
    Cpu,
    /// The card with this number, from zero.
    Cuda(usize),
    /// The first card if there is one and it can run the world, else the processor.
    Auto,
    /// The processor in the place of a card: slow, for tests of what runs there.
    Emulated,
}

impl Choice {
    /// Words that can be asked for, each with what it means. `N` stands for a number.
    pub const WORDS: [(&str, &str); 4] = [
        ("cpu", "the processor"),
        ("gpu", "the first graphics card"),
        ("cuda:N", "the graphics card with the number N, from zero"),
        ("auto", "the first graphics card if there is one and it can run the scene, else the processor"),
    ];

    /// All words of [`WORDS`](Self::WORDS) in a line.
    pub fn known() -> String {
        Self::WORDS.map(|(word, _)| word).join(", ")
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
            Self::Auto => f.write_str("auto"),
            Self::Emulated => f.write_str("emulated"),
        }
    }
}

impl FromStr for Choice {
    type Err = UnknownDevice;

    fn from_str(word: &str) -> Result<Self, UnknownDevice> {
        match word {
            "cpu" => Ok(Self::Cpu),
            "gpu" => Ok(Self::Cuda(0)),
            "auto" => Ok(Self::Auto),
            "emulated" => Ok(Self::Emulated),
            _ => {
                let card = word.strip_prefix("cuda:").and_then(number);
                card.map(Self::Cuda).ok_or_else(|| UnknownDevice { word: word.into(), meant: meant(word) })
            }
        }
    }
}

/// The number of a card.
fn number(digits: &str) -> Option<usize> {
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse::<u16>().ok()).flatten().map(usize::from)
}

/// What someone who wrote this may have meant.
fn meant(word: &str) -> Option<String> {
    let word = word.trim().to_lowercase();
    if let Some(rest) = word.strip_prefix("cuda").or_else(|| word.strip_prefix("gpu")) {
        let rest = rest.trim_start_matches([':', '-', '_', ' ']);
        if let Some(ordinal) = number(if rest.is_empty() { "0" } else { rest }) {
            return Some(format!("cuda:{ordinal}"));
        }
    }
    // Long words are no typos, and comparing them would take long.
    let known = ["cpu", "gpu", "auto"].into_iter().filter(|_| word.len() < 20);
    let distance = |known: &str| strsim::damerau_levenshtein(&word, known);
    known.min_by_key(|known| distance(known)).filter(|known| distance(known) <= 1).map(str::to_owned)
}

/// A word for a device that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDevice {
    /// The word.
    pub word: String,
    /// What may have been meant.
    pub meant: Option<String>,
}

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no device `{}`", self.word)?;
        if let Some(meant) = &self.meant {
            write!(f, "; did you mean `{meant}`?")?;
        }
        write!(f, " (known: {})", Choice::known())
    }
}

impl std::error::Error for UnknownDevice {}

/// Where an engine runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The device, as it can be asked for again; never [`Choice::Auto`].
    pub device: Choice,
    /// What the card is called; none for the processor.
    pub card: Option<String>,
    /// Which card it is, or why it is the processor where a card might have been, to follow "runs on"; none where the processor was
    /// asked for.
    pub told: Option<String>,
}

impl Place {
    /// The processor in the place of a card, and why.
    pub fn processor(reason: &impl fmt::Display) -> Self {
        Self { told: Some(format!("the processor: {reason}")), ..Self::default() }
    }

    fn card(choice: Choice, about: &About) -> Self {
        let name = match choice {
            Choice::Emulated => "emulated card".to_owned(),
            _ => about.name.clone(),
        };
        let mut facts = Vec::new();
        if let Some((major, minor)) = about.capability {
            facts.push(format!("compute capability {major}.{minor}"));
        }
        if let Some((major, minor)) = about.driver {
            facts.push(format!("driver for CUDA {major}.{minor}"));
        }
        if let (Some(all), Some(free)) = (about.memory, about.free) {
            facts.push(format!("{:.1} of {:.1} GiB of memory free", gibibytes(free), gibibytes(all)));
        }
        if let Some(rate) = about.double_rate.filter(|rate| *rate < SLOW_DOUBLES) {
            facts.push(format!("double precision {:.0} times slower than single", 1.0 / rate));
        }
        if choice == Choice::Emulated {
            facts.push("the processor does the work of a card, slowly".into());
        }
        let told = format!("{name} ({choice}): {}", facts.join(", "));
        Self { device: choice, card: Some(name), told: Some(told) }
    }
}

/// A card that is this much slower in double precision says so.
const SLOW_DOUBLES: f64 = 0.25;

fn gibibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// An engine where it runs.
#[derive(Debug)]
pub struct Started {
    /// The engine.
    pub solver: Box<dyn Solver>,
    /// Where it runs.
    pub place: Place,
}

impl From<Box<dyn Solver>> for Started {
    /// An engine that somebody else has put in its place.
    fn from(solver: Box<dyn Solver>) -> Self {
        Self { solver, place: Place::default() }
    }
}

/// Puts an engine where it was asked to run. Compiled kernels are kept in a folder, if one is given.
///
/// [`Choice::Auto`] takes the processor where there is no card, where the world has something that cards do not do, and where the card cannot
/// take it, such as for want of memory; what goes wrong with a card after that is told as for a card that was asked for.
pub fn start(engine: Engine, choice: Choice, kernels: Option<&Path>) -> Result<Started, Refused> {
    let on_processor = |engine: Engine, place: Place| Ok(Started { solver: Box::new(engine), place });
    if choice == Choice::Cpu {
        return on_processor(engine, Place::default());
    }
    match check(&engine).and_then(|()| Ok(open(choice, kernels)?)) {
        Ok(device) => {
            let asked = if choice == Choice::Auto { Choice::Cuda(0) } else { choice };
            let place = Place::card(asked, &device.about());
            match CardEngine::new(engine, device) {
                Ok(solver) => Ok(Started { solver: Box::new(solver), place }),
                Err(Declined { engine, reason }) if choice == Choice::Auto => {
                    on_processor(*engine, Place::processor(&reason))
                }
                Err(declined) => Err(declined.reason),
            }
        }
        Err(reason) if choice == Choice::Auto => on_processor(engine, Place::processor(&reason)),
        Err(reason) => Err(reason),
    }
}

/// Whether the device that was asked for is there.
pub fn look_for(choice: Choice) -> Result<(), Refused> {
    match choice {
        Choice::Cpu | Choice::Auto => Ok(()),
        _ => Ok(open(choice, None).map(drop)?),
    }
}

/// Whether a card could run an engine with all that is in it, as far as that depends on the world alone.
pub fn check(engine: &Engine) -> Result<(), Refused> {
    plan(engine).map(drop)
}

/// The device that was asked for: the first card, where none was. Compiled kernels are kept in a folder, if one is given.
pub fn open(choice: Choice, kernels: Option<&Path>) -> Result<Arc<dyn Device>, device::DeviceError> {
    match choice {
        Choice::Emulated => {
            // Of this process alone, since what is in it is loaded and run.
            let own = || std::env::temp_dir().join(format!("tumble-kernels-{}", std::process::id()));
            device::emulated(&kernels.map_or_else(own, Path::to_owned), 0)
        }
        Choice::Cuda(ordinal) => device::cuda(ordinal, kernels),
        Choice::Cpu | Choice::Auto => device::cuda(0, kernels),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for (word, choice) in [
            ("cpu", Choice::Cpu),
            ("cuda:0", Choice::Cuda(0)),
            ("cuda:12", Choice::Cuda(12)),
            ("auto", Choice::Auto),
            ("emulated", Choice::Emulated),
        ] {
            assert_eq!(word.parse(), Ok(choice));
            assert_eq!(choice.to_string(), word);
        }
        assert_eq!("gpu".parse(), Ok(Choice::Cuda(0)));
    }

    #[test]
    fn other_words_are_told_with_what_was_meant() {
        let meant = |word: &str| word.parse::<Choice>().unwrap_err().meant;
        assert_eq!(meant("gpuu").as_deref(), Some("gpu"));
        assert_eq!(meant("CPU").as_deref(), Some("cpu"));
        assert_eq!(meant("cuda").as_deref(), Some("cuda:0"));
        assert_eq!(meant("cuda3").as_deref(), Some("cuda:3"));
        assert_eq!(meant("gpu:1").as_deref(), Some("cuda:1"));
        assert_eq!(meant("cuda:99999999999"), None);
        assert_eq!(meant("opencl"), None);
        let told = "gup".parse::<Choice>().unwrap_err().to_string();
        assert_eq!(told, "there is no device `gup`; did you mean `gpu`? (known: cpu, gpu, cuda:N, auto)");
    }
}
