//! Gravity that changes: a table of times and accelerations.
//!
//! The potential energy in such a field is no function of the state alone. Whoever turns gravity puts in
//! −m (dg/dt)·x for each body, which goes into the ledger as [`field_work`](crate::Ledger::field_work).

use crate::check;
use crate::error::Error;
use tumble_math::LabVec;

/// The acceleration of gravity over time: linear between two rows, and as in the first or the last row beyond.
#[derive(Clone, Debug, PartialEq)]
pub struct GravityTable {
    /// s and m/s², by time.
    rows: Vec<(f64, LabVec<f64>)>,
}

impl GravityTable {
    /// A table of a row or more; times ascend.
    ///
    /// ```
    /// use tumble_dem::{GravityTable, LabVec};
    /// let table = GravityTable::new(vec![(1.0, LabVec::zero()), (3.0, LabVec::new(0.0, 0.0, -10.0))])?;
    /// assert_eq!([0.0, 2.0, 9.0].map(|t| table.at(t).z), [0.0, -5.0, -10.0]);
    /// # Ok::<(), tumble_dem::Error>(())
    /// ```
    pub fn new(rows: Vec<(f64, LabVec<f64>)>) -> Result<Self, Error> {
        let of = "the table of gravity";
        for (time, value) in &rows {
            check::finite(of, "time", &[*time])?;
            check::finite(of, "acceleration", &value.to_array())?;
        }
        let invalid = |what, value: String, expected| Error::Invalid { of: of.into(), what, value, expected };
        if rows.is_empty() {
            return Err(invalid("number of rows", "0".into(), "at least 1"));
        }
        if let Some(pair) = rows.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            let value = format!("{} s after {} s", pair[1].0, pair[0].0);
            return Err(invalid("time of a row", value, "times that ascend"));
        }
        Ok(Self { rows })
    }

    /// Times, s, and accelerations, m/s².
    pub fn rows(&self) -> &[(f64, LabVec<f64>)] {
        &self.rows
    }

    /// The acceleration at a time.
    pub fn at(&self, t: f64) -> LabVec<f64> {
        let later = self.rows.partition_point(|(time, _)| *time <= t);
        match (self.rows[..later].last(), self.rows.get(later)) {
            (Some((a, from)), Some((b, to))) => *from + (*to - *from) * ((t - a) / (b - a)),
            (Some((_, value)), None) | (None, Some((_, value))) => *value,
            (None, None) => LabVec::zero(),
        }
    }
}
