//! One number for many samples.

use crate::bytes::{Input, put_count, put_number};

/// How the samples of a window become one number. Samples that are not there, such as the mean of no bodies, do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Their mean.
    Mean,
    /// The largest.
    Largest,
    /// The last: what is counted since the start.
    Last,
}

impl Over {
    /// In a word, for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Largest => "largest",
            Self::Last => "last",
        }
    }
}

/// The samples of a window so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    count: u64,
    value: f64,
}

impl Samples {
    pub(crate) fn add(&mut self, over: Over, sample: f64) {
        if sample.is_nan() {
            return;
        }
        self.value = match over {
            _ if self.count == 0 => sample,
            Over::Mean => self.value + sample,
            Over::Largest => self.value.max(sample),
            Over::Last => sample,
        };
        self.count += 1;
    }

    /// What they come to, and begins anew; NaN if there were none.
    pub(crate) fn take(&mut self, over: Over) -> f64 {
        let Self { count, value } = core::mem::take(self);
        match over {
            _ if count == 0 => f64::NAN,
            Over::Mean => value / count as f64,
            Over::Largest | Over::Last => value,
        }
    }

    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_count(self.count, out);
        put_number(self.value, out);
    }

    pub(crate) fn read(input: &mut Input<'_>) -> Option<Self> {
        Some(Self { count: input.count()?, value: input.number()? })
    }
}
