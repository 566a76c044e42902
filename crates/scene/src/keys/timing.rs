//! When motions of walls and fields act: keys that all of them share.

use crate::diagnostic::Problem;
use crate::form::Context;
use crate::place::Places;
use tumble_dem::wall::{Timing, USUAL_RAMP};

/// When something acts, as it was written.
#[derive(Clone, Copy, Debug)]
pub struct When<'a> {
    /// s
    pub start: Option<f64>,
    /// s
    pub stop: Option<f64>,
    /// s
    pub ramp: Option<f64>,
    /// Times, s, and parts of the full speed or strength.
    pub table: Option<&'a [(f64, f64)]>,
    /// Where it stands.
    pub places: &'a Places,
}

/// A table with the keys of [`timed!`].
pub(crate) trait Timed {
    fn when(&self) -> When<'_>;
}

/// Declares a table with keys of its own, and those that say when it acts.
macro_rules! timed {
    ($(#[doc = $doc:literal])+ $name:ident { one_of [$($($one:literal),+)?], $($own:tt)* }) => {
        table! {
            $(#[doc = $doc])+
            $name {
                $(one_of [$($one),+];)?
                check $crate::keys::timing::check;

                $($own)*
                /// When it starts, smoothly within `ramp`; without, it is in full swing from the beginning on, in a stage from its beginning on within `ramp`.
                start: f64 => $crate::form::ZeroOrMore<$crate::units::Time>, optional, "\"1 s\"";
                /// When it begins to come to rest, within `ramp`. From `start` to `stop` it does as much as without ramps.
                stop: f64 => $crate::form::Positive<$crate::units::Time>, optional, "\"3 s\"";
                /// How long it takes to start and to come to rest; 50 ms if absent, 0 for a jump.
                ramp: f64 => $crate::form::ZeroOrMore<$crate::units::Time>, optional, "\"0.2 s\"";
                /// Instead: rows of a time and a part of the full speed or strength, linear between two rows.
                table: Vec<(f64, f64)> => $crate::form::ListOf<$crate::form::Row<$crate::form::Number<$crate::units::Time, $crate::form::Any>, $crate::form::Number<$crate::units::Ratio, $crate::form::Any>>, 1>, optional, "[[0, 0], [\"1 s\", 1], [\"3 s\", 0.5]]";
            }
        }

        impl $crate::keys::timing::Timed for $name {
            fn when(&self) -> $crate::keys::timing::When<'_> {
                $crate::keys::timing::When {
                    start: self.start,
                    stop: self.stop,
                    ramp: self.ramp,
                    table: self.table.as_deref(),
                    places: &self.places,
                }
            }
        }
    };
}
pub(crate) use timed;

pub(crate) fn check(timed: &impl Timed, context: &mut Context<'_>) {
    let When { start, stop, ramp, table, places } = timed.when();
    let path = context.path();
    if let Some(rows) = table {
        for (key, given) in [("start", start), ("stop", stop), ("ramp", ramp)] {
            if given.is_some() {
                let message = format!("`{path}.{key}` has no meaning beside `table`");
                context.report(Problem::error(places.key(key), message).label("the table says that"));
            }
        }
        if let Some([(before, _), (after, _)]) = rows
            .windows(2)
            .find_map(|pair| <[(f64, f64); 2]>::try_from(pair).ok().filter(|[a, b]| b.0 <= a.0))
        {
            let message = format!("the times of `{path}.table` must ascend");
            let label = format!("{after} s does not come after {before} s");
            context.report(Problem::error(places.of("table"), message).label(label));
        }
    } else if let Some(stop) = stop.filter(|&stop| stop <= start.unwrap_or(0.0)) {
        let message = format!("`{path}.stop` must be after its start");
        let label = format!("{stop} s is not after {} s", start.unwrap_or(0.0));
        context.report(Problem::error(places.of("stop"), message).label(label));
    }
}

impl When<'_> {
    /// The clock of it; one that has no keys at all runs always.
    pub(crate) fn timing(&self) -> Result<Timing, tumble_dem::wall::Error> {
        if let Some(rows) = self.table {
            let rows: Vec<[f64; 2]> = rows.iter().map(|&(time, part)| [time, part]).collect();
            return Timing::table(&rows);
        }
        match (self.start, self.stop, self.ramp) {
            (None, None, None) => Ok(Timing::Always),
            // A ramp alone is a soft start.
            (None, stop, Some(ramp)) => Timing::window(Some(0.0), stop, ramp),
            (start, stop, ramp) => Timing::window(start, stop, ramp.unwrap_or(USUAL_RAMP)),
        }
    }

    /// The same in a stage, with its ramp, where nothing is in full swing from the beginning on.
    pub(crate) fn timing_in_stage(&self, ramp: f64) -> Result<Timing, tumble_dem::wall::Error> {
        match self.table {
            Some(_) => self.timing(),
            None => Timing::window(Some(self.start.unwrap_or(0.0)), self.stop, self.ramp.unwrap_or(ramp)),
        }
    }
}
