//! `[run]`: time step, length, schemes, threads, device.

use super::Translation;
use crate::diagnostic::Problem;
use crate::form::{Choice, Context, Flag, Form, Kind, Number, Positive, Whole, table};
use crate::tree::{Node, Value};
use crate::units::{Angle, Length, Ratio, Time};
use crate::written::Written;
use tumble_dem::{Precision, SchemeKind, Settings};
use tumble_gpu::{Choice as Device, UnknownDevice};

table! {
    /// How the scene is run.
    Run {
        at_most_one_of ["duration", "steps", "ends"];

        /// Time step: `"auto"` takes what the adviser recommends, `{ fraction = 0.5 }` a part of that.
        dt: TimeStep => TimeStepForm, default TimeStep::Auto, "\"4.85 us\"";
        /// Whether a time step is taken that is a hundred times what the adviser recommends, or more; else it is an error.
        any_step: bool => Flag, default false, "true";
        /// Simulated time; either this or `steps`. A scene with stages needs neither: it ends with its last stage, or here if that is earlier.
        duration: f64 => Positive<Time>, optional, "\"1.5 s\"";
        /// Number of steps.
        steps: u64 => Whole<0, 1_000_000_000_000_000>, optional, "100000";
        /// Instead, where there are stages: when the run ends, whatever its last stage says, which lasts until then. `--duration` sets it.
        ends: f64 => Positive<Time>, optional, "\"5 s\"";
        /// Threads; 0 for all cores. Changes no result.
        threads: u64 => Whole<0, 1024>, default 0, "4";
        /// What the steps are done on. Changes no result; what a graphics card cannot do yet, it refuses.
        device: Device => DeviceForm, default Device::Cpu, "\"gpu\"";
        /// How finely bodies and contacts are computed.
        precision: Precision => Choice<Precision>, default Precision::Double, "\"single\"";
        /// How rotation is integrated.
        rotation: SchemeKind => Choice<SchemeKind>, default SchemeKind::default(), "\"spiral-leapfrog\"";
        /// How positions are integrated.
        translation: Translation => Choice<Translation>, default Translation::Leapfrog, "\"leapfrog\"";
        /// The run stops when spheres overlap by more than this part of the smaller radius.
        max_overlap: f64 => Positive<Ratio>, default Settings::new(1.0).max_overlap, "0.1";
        /// The run stops when a body that is not a single sphere turns by more than this angle in a step; up to a full turn, also when rolling and twisting dashpots are far too strong for the step.
        max_turn: f64 => Positive<Angle>, default Settings::new(1.0).max_turn, "\"30 deg\"";
        /// How far apart spheres may be to be in the neighbour lists; chosen from the speeds if absent. Changes the cost, not the results.
        skin: f64 => Positive<Length>, optional, "\"0.1 mm\"";
    }
}

/// How the time step is given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TimeStep {
    /// What the adviser recommends.
    #[default]
    Auto,
    /// This, s.
    Seconds(f64),
    /// This part of what the adviser recommends.
    Fraction(f64),
}

table! {
    /// A part of the time step that the adviser recommends.
    StepFraction {
        /// The part.
        fraction: f64 => Positive<Ratio>, required, "0.5";
    }
}

pub(crate) struct TimeStepForm;

impl Form for TimeStepForm {
    type Value = TimeStep;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Kind::Word("auto"), Number::<Time>::kind(), StepFraction::kind()])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<TimeStep> {
        match &node.value {
            Value::Text(text) if text == "auto" => Some(TimeStep::Auto),
            Value::Text(text) if !text.contains(|c: char| c.is_ascii_digit()) => {
                context.expected(node, &Self::kind())
            }
            Value::Table(_) => {
                StepFraction::read(node, context).map(|part| TimeStep::Fraction(part.fraction))
            }
            Value::Text(_) | Value::Integer(_) | Value::Float(_) => {
                Positive::<Time>::read(node, context).map(TimeStep::Seconds)
            }
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &TimeStep) -> Written {
        match value {
            TimeStep::Auto => Written::Text("auto".to_owned()),
            TimeStep::Seconds(seconds) => Written::Number(*seconds),
            TimeStep::Fraction(part) => Written::Table(vec![("fraction".to_owned(), Written::Number(*part))]),
        }
    }
}

pub(crate) struct DeviceForm;

impl Form for DeviceForm {
    type Value = Device;

    fn kind() -> Kind {
        let numbered = Device::WORDS.into_iter().filter_map(|(word, _)| word.strip_suffix('N'));
        let options = Device::WORDS.into_iter().filter(|(word, _)| !word.ends_with('N')).collect();
        let words = Kind::Choice { what: "device", options };
        Kind::AnyOf(core::iter::once(words).chain(numbered.map(Kind::Numbered)).collect())
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Device> {
        let Value::Text(word) = &node.value else { return context.expected(node, &Self::kind()) };
        match word.parse() {
            Ok(device) => Some(device),
            Err(UnknownDevice { meant, .. }) => {
                let message = format!("`{}`: there is no device `{word}`", context.path());
                context.report(
                    Problem::error(node.place, message)
                        .label("unknown")
                        .maybe_help(meant.map(|meant| format!("did you mean `{meant}`?")))
                        .help(format!("known: {}", Device::known())),
                );
                None
            }
        }
    }

    fn write(value: &Device) -> Written {
        Written::Text(value.to_string())
    }
}
