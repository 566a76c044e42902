//! `size`: how large bodies are, drawn from a distribution.

use crate::diagnostic::Problem;
use crate::form::{Choice, Choose, Context, ListOf, Number, Positive, ZeroOrMore, table};
use crate::units::{Length, Ratio};
use tumble_dem::placement::{By, SizeMeasure};

impl Choose for By {
    const WHAT: &'static str = "way of counting";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Number, "number", "parts of the number of bodies"),
            (Self::Mass, "mass", "parts of their mass"),
        ]
    }
}

impl Choose for SizeMeasure {
    const WHAT: &'static str = "measure of size";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Volume, "volume", "the diameter of the sphere of the same volume"),
            (Self::Longest, "longest", "the longest extent of the body"),
            (Self::Sieve, "sieve", "the side of the smallest square opening that the body passes"),
        ]
    }
}

table! {
    /// Sizes drawn from a distribution, cut off at a smallest and a largest size.
    Size {
        one_of ["sieves", "normal", "lognormal", "weibull", "rosin_rammler"];
        check check_size;

        /// A sieve curve.
        sieves: Sieves => Sieves, optional, "{ sizes = [\"1 mm\", \"2 mm\", \"4 mm\"], passing = [0, 0.6, 1] }";
        /// A normal distribution.
        normal: Normal => Normal, optional, "{ mean = \"3 mm\", deviation = \"0.4 mm\" }";
        /// A log-normal distribution: the logarithm of the size is normal.
        lognormal: LogNormal => LogNormal, optional, "{ median = \"3 mm\", sigma = 0.3 }";
        /// A Weibull distribution: the part above a size d is exp(−(d/scale)^shape).
        weibull: Weibull => Weibull, optional, "{ scale = \"3 mm\", shape = 4 }";
        /// Rosin and Rammler's distribution: the part of the mass above a size d is exp(−(d/d63)^exponent).
        rosin_rammler: RosinRammler => RosinRammler, optional, "{ d63 = \"3 mm\", exponent = 2.5 }";
        /// What the distribution is of: of the number of bodies, or of their mass. Sieve curves and Rosin and Rammler's are of mass.
        by: By => Choice<By>, optional, "\"mass\"";
        /// The smallest size; needed by all but sieve curves.
        min: f64 => Positive<Length>, optional, "\"1 mm\"";
        /// The largest size; needed by all but sieve curves.
        max: f64 => Positive<Length>, optional, "\"6 mm\"";
        /// Which length of a body its size is.
        of: SizeMeasure => Choice<SizeMeasure>, default SizeMeasure::Volume, "\"volume\"";
    }
}

table! {
    /// A sieve curve: between two sieves every size is as likely as any other.
    Sieves {
        check check_sieves;

        /// The sizes of the sieves, ascending.
        sizes: Vec<f64> => ListOf<Positive<Length>, 2>, required, "[\"1 mm\", \"2 mm\", \"4 mm\"]";
        /// The part that passes each: 0 for the first, 1 for the last.
        passing: Vec<f64> => ListOf<ZeroOrMore<Ratio>, 2>, required, "[0, 0.6, 1]";
    }
}

table! {
    /// A normal distribution of sizes.
    Normal {
        /// Mean.
        mean: f64 => Number<Length>, required, "\"3 mm\"";
        /// Standard deviation.
        deviation: f64 => Positive<Length>, required, "\"0.4 mm\"";
    }
}

table! {
    /// A log-normal distribution of sizes.
    LogNormal {
        /// Half is below this size.
        median: f64 => Positive<Length>, required, "\"3 mm\"";
        /// Standard deviation of the natural logarithm of the size.
        sigma: f64 => Positive<Ratio>, required, "0.3";
    }
}

table! {
    /// A Weibull distribution of sizes.
    Weibull {
        /// 63.2 % are below this size.
        scale: f64 => Positive<Length>, required, "\"3 mm\"";
        /// How narrow it is.
        shape: f64 => Positive<Ratio>, required, "4";
    }
}

table! {
    /// Rosin and Rammler's distribution of sizes.
    RosinRammler {
        /// 63.2 % of the mass are below this size.
        d63: f64 => Positive<Length>, required, "\"3 mm\"";
        /// How narrow it is.
        exponent: f64 => Positive<Ratio>, required, "2.5";
    }
}

fn check_sieves(sieves: &Sieves, context: &mut Context<'_>) {
    let (path, places) = (context.path(), &sieves.places);
    let Sieves { sizes, passing, .. } = sieves;
    let mut wrong = |key: &str, message: String, label: String| {
        context.report(Problem::error(places.of(key), message).label(label));
    };
    if sizes.len() != passing.len() {
        let label = format!("{} parts for {} sieves", passing.len(), sizes.len());
        return wrong("passing", format!("`{path}.passing` must have a part for each sieve"), label);
    }
    if let Some((a, b)) = sizes.iter().zip(sizes.iter().skip(1)).find(|(a, b)| a >= b) {
        wrong("sizes", format!("`{path}.sizes` must ascend"), format!("{b} m after {a} m"));
    }
    if let Some((a, b)) = passing.iter().zip(passing.iter().skip(1)).find(|(a, b)| a > b) {
        wrong("passing", format!("`{path}.passing` must not descend"), format!("{b} after {a}"));
    } else if passing.first() != Some(&0.0) || passing.last() != Some(&1.0) {
        let label = "parts, not percent; nothing passes the first sieve, and all the last".to_owned();
        wrong("passing", format!("`{path}.passing` must go from 0 to 1"), label);
    }
}

fn check_size(size: &Size, context: &mut Context<'_>) {
    let (path, places) = (context.path(), &size.places);
    let curve = size.sieves.is_some();
    if size.by.is_none() && !curve && size.rosin_rammler.is_none() {
        let message = format!("`{path}` needs the key `by`");
        let problem = Problem::error(places.table(), message).label("parts of what does it speak of?");
        context.report(problem.help(
            "by = \"number\" for parts of the number of bodies, by = \"mass\" for parts of their mass",
        ));
    }
    if size.rosin_rammler.is_some() && size.by == Some(By::Number) {
        let message = format!("`{path}.by` must be \"mass\" with `rosin_rammler`");
        let problem = Problem::error(places.of("by"), message).label("that distribution is of mass");
        context.report(problem.help("`weibull` is the same one, by mass or by number"));
    }
    for key in ["min", "max"] {
        if !curve && !places.has(key) {
            let message = format!("`{path}` needs the key `{key}`");
            let problem = Problem::error(places.table(), message).label("without it sizes have no end");
            context.report(problem.help("sizes below `min` and above `max` are not drawn"));
        }
    }
    if let (Some(min), Some(max)) = (size.min, size.max)
        && min >= max
    {
        let message = format!("`{path}.max` must be larger than `min`");
        context.report(
            Problem::error(places.of("max"), message).label(format!("{max} m is not larger than {min} m")),
        );
    }
}
