//! Rules that are others from now on: gravity, the time step, what laws read of materials and pairs.
//!
//! | what changes | contacts | books |
//! | --- | --- | --- |
//! | gravity | stay | the energy of all heights is another one: [`exchanged`](crate::Ledger::exchanged) |
//! | a property that a law reads | overlaps stay, and press by the new numbers; tangential springs keep what they exert, and slide at once down to what the new friction holds | what springs hold more or less: `exchanged`; what slides: `sliding`, `rolling` |
//! | the time step | stay | nothing is brought in |
//!
//! A step of another length begins at the present instant: every body is brought to tₙ by the old step and started from there with
//! the new one, so that vₙ₋½ is that of the new half step, and the method keeps its second order.

use super::renew::Concerns;
use crate::check;
use crate::contact::Groups;
use crate::engine::{Alterable, Engine, Settings, Since};
use crate::error::Error;
use crate::law::ContactModel;
use crate::material::{Material, MaterialError, MaterialId};
use crate::property::Property;
use tumble_math::LabVec;

/// A rule as it is to be from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Acceleration of gravity, m/s².
    Gravity(LabVec<f64>),
    /// The time step, s.
    TimeStep(f64),
    /// Something that contact laws read.
    Property {
        /// Whose.
        of: PropertyOf,
        /// Which.
        property: &'static Property,
        /// In SI units.
        value: f64,
    },
}

/// Whose property is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyOf {
    /// Of one material.
    Material(MaterialId),
    /// Of two materials in contact, whichever is first.
    Pair(MaterialId, MaterialId),
    /// Of every two materials in contact.
    EveryPair,
}

impl Engine {
    /// Changes rules from the present instant on: all of them or, if something is wrong, none. Densities, and with them
    /// masses, stay; so do the models of contacts.
    ///
    /// ```
    /// use tumble_dem::clump::ClumpTemplate;
    /// use tumble_dem::material::{Material, Materials, PairProperties};
    /// use tumble_dem::property::FRICTION;
    /// use tumble_dem::{Body, Engine, LabVec, PropertyOf, Rule, Settings, World};
    ///
    /// let materials = Materials::of(Material::new("glass", 2500.0, 48e9, 0.2), PairProperties::new(0.9, 0.3));
    /// let mut world = World { materials, ..World::default() };
    /// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.01)?)?;
    /// world.add_body(Body::at(ball, LabVec::zero()));
    /// let mut engine = Engine::new(world, Settings::new(1e-3))?;
    /// engine.advance(100)?;
    /// engine.change_rules(&[
    ///     Rule::Gravity(LabVec::new(0.0, 0.0, -10.0)),
    ///     Rule::TimeStep(1e-4),
    ///     Rule::Property { of: PropertyOf::EveryPair, property: &FRICTION, value: 0.1 },
    /// ])?;
    /// engine.advance(1000)?; // another 0.1 s, in which it falls ½gt²
    /// assert!((engine.time() - 0.2).abs() < 1e-12);
    /// assert!((engine.bodies()[0].position.z + 0.05).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change_rules(&mut self, rules: &[Rule]) -> Result<(), Error> {
        let old = self.rules.alterable();
        let mut new = old.clone();
        for rule in rules {
            self.apply(rule, &mut new)?;
        }
        if new == old {
            return Ok(());
        }
        let (other_step, other_laws) = (new.dt.to_bits() != old.dt.to_bits(), new.materials != old.materials);
        let groups = if other_laws { Some(self.groups_with(&new)?) } else { None };
        let rows: Vec<usize> = if other_step { (0..self.space.bodies.len()).collect() } else { Vec::new() };
        let concerns = Concerns {
            rows: &rows,
            all_contacts: other_laws || other_step,
            gravity: (new.gravity != old.gravity).then_some(new.gravity),
            ..Concerns::default()
        };
        self.change(concerns, |engine| {
            if other_step {
                engine.progress.since = Since { step: engine.progress.steps, time: engine.time() };
            }
            engine.rules.set(new);
            if let Some(groups) = groups {
                engine.rules.groups = groups;
            }
        })
    }

    fn apply(&self, rule: &Rule, rules: &mut Alterable) -> Result<(), Error> {
        match *rule {
            Rule::Gravity(gravity) => {
                check::finite("the world", "gravity", &gravity.to_array())?;
                if self.rules.gravity_table.is_some() {
                    return Err(Error::Invalid {
                        of: "the world".into(),
                        what: "gravity",
                        value: format!("{:?} m/s²", gravity.to_array()),
                        expected: "nothing else than what its table of gravity says",
                    });
                }
                rules.gravity = gravity;
            }
            Rule::TimeStep(dt) => {
                check::positive("the settings", "time step", dt)?;
                rules.dt = dt;
            }
            Rule::Property { of, property, value } => {
                let materials = &mut rules.materials;
                match of {
                    PropertyOf::Material(id) => {
                        materials.set_property(id, property, value)?;
                        let others =
                            (0..u16::MAX).zip(materials.as_slice()).map(|(other, _)| MaterialId(other));
                        self.check_read(others.map(|other| (id, other)), property, || {
                            format!("material {}", self.name(id))
                        })?;
                    }
                    PropertyOf::Pair(a, b) => {
                        materials.set_pair_property(a, b, property, value)?;
                        self.check_read([(a, b)].into_iter(), property, || {
                            format!("pair {}–{}", self.name(a), self.name(b))
                        })?;
                    }
                    PropertyOf::EveryPair => {
                        for (a, b) in materials.pairs() {
                            materials.set_pair_property(a, b, property, value)?;
                        }
                        self.check_read(materials.pairs().into_iter(), property, || "every pair".into())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn name(&self, id: MaterialId) -> &str {
        self.rules.materials.as_slice().get(id.index()).map_or("", |material| &material.name)
    }

    /// Whether a contact of some of these pairs reads a property.
    fn check_read(
        &self,
        pairs: impl Iterator<Item = (MaterialId, MaterialId)>,
        property: &'static Property,
        of: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let mut models: Vec<ContactModel> = Vec::new();
        for (a, b) in pairs {
            let model = self.rules.groups.of(a.0, b.0).model;
            if !models.contains(&model) {
                models.push(model);
            }
        }
        if models.iter().any(|model| model.reads(property)) {
            return Ok(());
        }
        let name = |model: &ContactModel| {
            let [law, rolling, twisting] = model.parts().map(|([_, name], _)| name);
            format!("the contact law {law} with rolling {rolling} and twisting {twisting}")
        };
        let models = models.iter().map(name).collect::<Vec<_>>().join(", and ");
        Err(Error::Unread { of: of(), key: property.key, models })
    }

    /// What contacts are evaluated by, with other rules.
    fn groups_with(&self, rules: &Alterable) -> Result<Groups, Error> {
        let materials = rules.materials.as_slice().iter().map(Material::check);
        materials.collect::<Result<(), MaterialError>>()?;
        let settings = Settings { dt: rules.dt, ..self.rules.settings.clone() };
        let of_bodies = self.space.bodies.material.iter().copied();
        let groups = Groups::new(&rules.materials, &settings, of_bodies, &self.space.walls)?;
        let largest = self.space.bodies.largest;
        let largest = largest + 0.5 * groups.range(largest);
        check::domain(&self.space.domain, largest, self.rules.settings.skin)?;
        Ok(groups)
    }
}
