//! Where the liquid of a run is, in its summary.

use serde::{Deserialize, Serialize};
use tumble_dem::{LiquidReport, Solver};

/// Where the liquid of films and bridges is, m³.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiquidSummary {
    /// On bodies.
    pub films_m3: f64,
    /// In bridges.
    pub bridges_m3: f64,
    /// How many bridges there are.
    pub bridges: usize,
    /// Put in with bodies, since the start.
    pub put_in_m3: f64,
    /// Taken out with bodies.
    pub taken_out_m3: f64,
}

impl LiquidSummary {
    /// Of an engine; none if it has no films.
    pub fn of(engine: &dyn Solver) -> Option<Self> {
        let LiquidReport { films, bridges, count, put_in, taken_out } = engine.liquid()?;
        let [films_m3, bridges_m3, put_in_m3, taken_out_m3] = [films, bridges, put_in, taken_out];
        Some(Self { films_m3, bridges_m3, bridges: count, put_in_m3, taken_out_m3 })
    }

    /// All of it in words, in cubic millimetres.
    pub fn sentence(&self) -> String {
        let Self { films_m3, bridges_m3, bridges, put_in_m3, taken_out_m3 } = *self;
        let [films, held, put_in, taken_out] =
            [films_m3, bridges_m3, put_in_m3, taken_out_m3].map(|v| 1e9 * v);
        format!(
            "{films:.4} mm³ in films and {held:.4} mm³ in {bridges} bridges, of {put_in:.4} mm³ put in and {taken_out:.4} mm³ taken out"
        )
    }
}
