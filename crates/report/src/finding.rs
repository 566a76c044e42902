//! [`Finding`]: one number of ours beside a published one, and the verdict.

use crate::number::full;
use core::fmt;

/// Where our number has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Band {
    /// |ours/published − 1| at most this.
    Relative(f64),
    /// Between these two.
    Between(f64, f64),
    /// No less than this.
    AtLeast(f64),
    /// No more than this.
    AtMost(f64),
    /// Anywhere: nothing is claimed, such as for clock times or where a set-up is underspecified.
    Any,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ours is inside the band, as published.
    Reproduced,
    /// The paper has it otherwise; ours is where the reason says it must be.
    Explained,
    /// Ours is outside the band.
    Differs,
    /// Told without a claim.
    Reported,
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was compared.
    pub what: String,
    /// The published number, where there is one.
    pub published: Option<f64>,
    /// Our number.
    pub ours: f64,
    /// Where ours has to be.
    pub band: Band,
    /// Whether it is.
    pub verdict: Verdict,
    /// Why this band, or why the two differ.
    pub reason: String,
}

impl Finding {
    /// Compares a number with a published one.
    pub fn new(what: impl Into<String>, published: f64, ours: f64, band: Band, reason: &str) -> Self {
        Self::judge(what.into(), Some(published), ours, band, reason)
    }

    /// Holds a number against a band, where only words or a curve were published.
    pub fn alone(what: impl Into<String>, ours: f64, band: Band, reason: &str) -> Self {
        Self::judge(what.into(), None, ours, band, reason)
    }

    /// Holds a number against what we know where the publication says something else.
    pub fn explained(
        what: impl Into<String>,
        published: Option<f64>,
        ours: f64,
        band: Band,
        reason: &str,
    ) -> Self {
        let mut finding = Self::judge(what.into(), published, ours, band, reason);
        if finding.verdict == Verdict::Reproduced {
            finding.verdict = Verdict::Explained;
        }
        finding
    }

    fn judge(what: String, published: Option<f64>, ours: f64, band: Band, reason: &str) -> Self {
        let inside = match band {
            Band::Relative(tolerance) => published.is_some_and(|p| (ours / p - 1.0).abs() <= tolerance),
            Band::Between(low, high) => (low..=high).contains(&ours),
            Band::AtLeast(low) => ours >= low,
            Band::AtMost(high) => ours <= high,
            Band::Any => true,
        };
        let verdict = match (band, inside) {
            (Band::Any, _) => Verdict::Reported,
            (_, true) => Verdict::Reproduced,
            (_, false) => Verdict::Differs,
        };
        Self { what, published, ours, band, verdict, reason: reason.to_owned() }
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Rounded, since a tenth of a per cent is no whole number of binary fractions.
            Self::Relative(tolerance) => write!(f, "±{} %", (tolerance * 1e6).round() / 1e4),
            Self::Between(low, high) => write!(f, "{} to {}", full(*low), full(*high)),
            Self::AtLeast(low) => write!(f, "≥ {}", full(*low)),
            Self::AtMost(high) => write!(f, "≤ {}", full(*high)),
            Self::Any => write!(f, "any"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reproduced => "reproduced",
            Self::Explained => "explained",
            Self::Differs => "differs",
            Self::Reported => "reported",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ours {:.5e}", self.what, self.ours)?;
        if let Some(published) = self.published {
            write!(f, ", published {published:.5e}")?;
        }
        write!(f, ", band {}: {}", self.band, self.verdict)?;
        if self.reason.is_empty() { Ok(()) } else { write!(f, " ({})", self.reason) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_print_as_people_write_them() {
        assert_eq!(Band::Relative(0.05).to_string(), "±5 %");
        assert_eq!(Band::Relative(2e-5).to_string(), "±0.002 %");
        assert_eq!(Band::Between(0.9, 1.1).to_string(), "0.9 to 1.1");
        assert_eq!(Band::AtMost(1e-12).to_string(), "≤ 1e-12");
    }

    #[test]
    fn every_band_can_fail() {
        let verdict = |ours, band| Finding::new("x", 2.0, ours, band, "").verdict;
        for (good, bad, band) in [
            (2.1, 2.2, Band::Relative(0.06)),
            (2.1, 1.8, Band::Between(2.0, 3.0)),
            (2.1, 1.8, Band::AtLeast(2.0)),
            (1.8, 2.1, Band::AtMost(2.0)),
        ] {
            assert_eq!(verdict(good, band), Verdict::Reproduced);
            assert_eq!(verdict(bad, band), Verdict::Differs);
            assert_eq!(verdict(f64::NAN, band), Verdict::Differs);
        }
        assert_eq!(verdict(f64::NAN, Band::Any), Verdict::Reported);
        let explained = |ours| Finding::explained("x", Some(1.0), ours, Band::AtLeast(2.0), "").verdict;
        assert_eq!((explained(2.5), explained(1.0)), (Verdict::Explained, Verdict::Differs));
    }
}
