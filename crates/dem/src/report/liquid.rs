//! Where the liquid is.

/// The liquid of a world with films, m³.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LiquidReport {
    /// On bodies.
    pub films: f64,
    /// In bridges.
    pub bridges: f64,
    /// How many bridges there are.
    pub count: usize,
    /// Put in since the start, with bodies.
    pub put_in: f64,
    /// Taken out since the start, with bodies and their halves of bridges.
    pub taken_out: f64,
}

impl LiquidReport {
    /// What is there less what came and has not gone: nothing but for rounding.
    pub fn error(&self) -> f64 {
        (self.films + self.bridges) - (self.put_in - self.taken_out)
    }
}
