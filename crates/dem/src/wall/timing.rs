//! When something runs: at once and for ever, from a start to a stop with smooth ramps, or by a table.
//!
//! A timing is a *clock*: [`speed`](Timing::speed) tells how fast it runs, [`elapsed`](Timing::elapsed) what it shows.
//! The second is the exact integral of the first, so that a motion that goes by a clock is an exact function of time.
//!
//! ```text
//! speed 1 ┤        ╭──────────────╮
//!         │      ╭─╯              ╰─╮           p(t) = S((t − start)/ramp) − S((t − stop)/ramp)
//!       0 ┼──────╯                  ╰──────     S(x) = x² (3 − 2x) from 0 to 1
//!              start             stop
//! ```
//! Both ramps are alike, so what the clock shows in the end is `stop − start`, however long they are.

use super::{Error, checks};

/// How long ramps are where nothing is said, s: long compared with a collision, short compared with a process.
pub const USUAL_RAMP: f64 = 0.05;

/// When something runs, and how fast compared with what it does in full.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Timing {
    /// From the beginning on.
    #[default]
    Always,
    /// From a start on, perhaps to a stop; see [`window`](Self::window).
    #[non_exhaustive]
    Window {
        /// When it begins to run, s; it has always run without.
        start: Option<f64>,
        /// When it begins to come to rest, s; never without.
        stop: Option<f64>,
        /// How long it takes to reach its speed, and to come to rest, s.
        ramp: f64,
    },
    /// By a table; see [`table`](Self::table).
    #[non_exhaustive]
    Table(Vec<Row>),
}

/// A row of a table of speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// s
    time: f64,
    speed: f64,
    /// What the clock shows then, s.
    elapsed: f64,
}

impl Row {
    /// s
    pub fn time(&self) -> f64 {
        self.time
    }

    /// A part of the full speed.
    pub fn speed(&self) -> f64 {
        self.speed
    }
}

impl Timing {
    /// From `start` on, to `stop`, each if there is one, with ramps of this length; zero for jumps. All in s.
    ///
    /// ```
    /// use tumble_dem::wall::Timing;
    /// let clock = Timing::window(Some(1.0), Some(3.0), 0.25)?;
    /// assert_eq!([0.5, 1.125, 2.0, 5.0].map(|t| clock.speed(t)), [0.0, 0.5, 1.0, 0.0]);
    /// assert!((clock.elapsed(5.0) - 2.0).abs() < 1e-15);
    /// # Ok::<(), tumble_dem::wall::Error>(())
    /// ```
    pub fn window(start: Option<f64>, stop: Option<f64>, ramp: f64) -> Result<Self, Error> {
        let ramp = checks::not_negative("length of the ramps", ramp)?;
        for (what, time) in [("start", start), ("stop", stop)] {
            time.map_or(Ok(0.0), |time| checks::in_range(what, time))?;
        }
        if let (Some(start), Some(stop)) = (start, stop) {
            checks::positive("time from start to stop", stop - start)?;
        }
        Ok(Self::Window { start, stop, ramp })
    }

    /// By rows of a time, s, and a speed, as a part of the full one: linear between two rows, and as in the first
    /// or the last row beyond. Times ascend.
    pub fn table(rows: &[[f64; 2]]) -> Result<Self, Error> {
        let mut table: Vec<Row> = Vec::with_capacity(rows.len());
        for &[time, speed] in rows {
            checks::in_range("time in the table", time)?;
            checks::in_range("speed in the table", speed)?;
            let elapsed = match table.last() {
                None => speed * time,
                Some(before) => {
                    checks::positive("time from one row of the table to the next", time - before.time)?;
                    before.elapsed + 0.5 * (before.speed + speed) * (time - before.time)
                }
            };
            table.push(Row { time, speed, elapsed });
        }
        if table.is_empty() {
            return Err(Error::NotPositive { what: "number of rows of the table", value: 0.0 });
        }
        Ok(Self::Table(table))
    }

    /// In full until time zero, and at rest after a ramp, s.
    pub(super) fn run_down(ramp: f64) -> Self {
        Self::Window { start: None, stop: Some(0.0), ramp }
    }

    /// How fast the clock runs at a time.
    pub fn speed(&self, t: f64) -> f64 {
        match self {
            Self::Always => 1.0,
            Self::Window { start, stop, ramp } => {
                start.map_or(1.0, |start| risen(t - start, *ramp))
                    - stop.map_or(0.0, |stop| risen(t - stop, *ramp))
            }
            Self::Table(rows) => match between(rows, t) {
                Place::Before(row) | Place::After(row) => row.speed,
                Place::Between(a, b) => a.speed + slope(a, b) * (t - a.time),
            },
        }
    }

    /// What the clock shows at a time, s: the integral of its [`speed`](Self::speed) since time zero; in a window since
    /// its start, if it has one.
    pub fn elapsed(&self, t: f64) -> f64 {
        match self {
            Self::Always => t,
            Self::Window { start, stop, ramp } => {
                start.map_or(t, |start| area(t - start, *ramp))
                    - stop.map_or(0.0, |stop| area(t - stop, *ramp))
            }
            Self::Table(rows) => match between(rows, t) {
                Place::Before(row) | Place::After(row) => row.elapsed + row.speed * (t - row.time),
                Place::Between(a, b) => {
                    let since = t - a.time;
                    a.elapsed + since * (a.speed + 0.5 * slope(a, b) * since)
                }
            },
        }
    }
}

/// S(t/ramp).
fn risen(t: f64, ramp: f64) -> f64 {
    if t < 0.0 {
        0.0
    } else if t >= ramp {
        1.0
    } else {
        let x = t / ramp;
        x * x * (3.0 - 2.0 * x)
    }
}

/// The integral of [`risen`] from the beginning to t, s.
fn area(t: f64, ramp: f64) -> f64 {
    if t < 0.0 {
        0.0
    } else if t >= ramp {
        t - 0.5 * ramp
    } else {
        let x = t / ramp;
        ramp * (x * x * x * (1.0 - 0.5 * x))
    }
}

/// Where a time is in a table.
enum Place<'a> {
    Before(&'a Row),
    Between(&'a Row, &'a Row),
    After(&'a Row),
}

fn between(rows: &[Row], t: f64) -> Place<'_> {
    const NONE: Row = Row { time: 0.0, speed: 0.0, elapsed: 0.0 };
    let later = rows.partition_point(|row| row.time <= t);
    match (rows[..later].last(), rows.get(later)) {
        (Some(a), Some(b)) => Place::Between(a, b),
        (Some(last), None) => Place::After(last),
        (None, Some(first)) => Place::Before(first),
        // A table has a row.
        (None, None) => Place::After(&NONE),
    }
}

fn slope(a: &Row, b: &Row) -> f64 {
    (b.speed - a.speed) / (b.time - a.time)
}
