//! `[liquid]`: films on bodies, which liquid bridges take their volume from.

use crate::form::{Positive, table};
use crate::units::Ratio;
use tumble_dem::liquid::Liquid;

table! {
    /// Liquid on bodies: every body has a film, `film` in the table that puts it in. The law `film-bridge` takes bridges from films and gives them back; without this table there are none.
    Liquids {
        /// What part of its film a body gives to a bridge that forms, at most 1; and no more than half of `largest_bridge`.
        share: f64 => Positive<Ratio>, default Liquid::SHARE, "0.2";
    }
}
