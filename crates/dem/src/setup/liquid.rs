//! Liquid on bodies: films, from which [bridges](crate::law::film_bridge) take their volume. A world without it has no films, and pays nothing.
//!
//! Every body has a film, a volume of liquid. Where two bodies touch whose law is `film-bridge`, each gives [`share`](Liquid::share) of what it had at the beginning of the
//! step to the bridge, but no more than half of the largest bridge of the pair; of several bridges that begin in one step all get as much, and together no more
//! than there is. A bridge that breaks gives half of its liquid to either body, and all of it back to a body that it held to a wall: walls are dry. So liquid moves from wet bodies to dry ones by
//! bridges that form and break, and none is lost or made but with bodies that come and go: [`LiquidReport`](crate::LiquidReport).

use crate::contact::Groups;
use crate::engine::Settings;
use crate::error::Error;
use crate::precision::Precision;
use crate::world::World;

/// How bodies share their liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Liquid {
    /// What part of its film a body gives to a bridge, above 0 and at most 1.
    pub share: f64,
}

impl Liquid {
    /// The part of a film that a bridge takes of which nothing is said.
    pub const SHARE: f64 = 0.1;
}

impl Default for Liquid {
    fn default() -> Self {
        Self { share: Self::SHARE }
    }
}

/// Checks what is said of liquid, and the films of bodies.
pub(crate) fn check(world: &World, settings: &Settings) -> Result<(), Error> {
    for (number, body) in world.bodies.iter().enumerate() {
        check_film(&format!("body {number}"), body.film, world.liquid.is_some())?;
    }
    let Some(Liquid { share }) = world.liquid else { return Ok(()) };
    if !(share > 0.0 && share <= 1.0) {
        return Err(Error::Invalid {
            of: "the liquid".into(),
            what: "share",
            value: share.to_string(),
            expected: "above 0 and at most 1",
        });
    }
    if settings.precision != Precision::Double {
        return Err(Error::Invalid {
            of: "the world, which has liquid".into(),
            what: "precision",
            value: settings.precision.name().into(),
            expected: "double",
        });
    }
    Ok(())
}

/// Checks that laws with films are in a world with liquid, and the other way round.
pub(crate) fn check_laws(groups: &Groups, liquid: bool) -> Result<(), Error> {
    let with_films = groups.iter().find(|group| group.erased.layout().liquid.is_some());
    match with_films {
        Some(group) if !liquid => Err(Error::Invalid {
            of: "the world".into(),
            what: "contact law",
            value: format!("'{}', in a world without liquid", group.model.law.name()),
            expected: "liquid, so that bodies have films; or willett, whose bridges all have one volume",
        }),
        None if liquid => Err(Error::Invalid {
            of: "the world, which has liquid".into(),
            what: "contact law",
            value: "none that has films".into(),
            expected: "film-bridge for a pair of materials at least: others do nothing with films",
        }),
        _ => Ok(()),
    }
}

/// Checks the film of a body, in a world with liquid or without.
pub(crate) fn check_film(of: &str, film: f64, liquid: bool) -> Result<(), Error> {
    let expected = match (liquid, film) {
        (_, 0.0) => return Ok(()),
        (true, film) if film > 0.0 && film.is_finite() => return Ok(()),
        (true, _) => "a volume in m³ that is not negative",
        (false, _) => "none in a world without liquid",
    };
    Err(Error::Invalid { of: of.into(), what: "film", value: film.to_string(), expected })
}
