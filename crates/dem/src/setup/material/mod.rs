//! Materials, the properties of their pairs, and what can be wrong with them.
//!
//! Densities and moduli belong to one material; restitution and friction to a pair. Which properties there are,
//! [`property`](crate::property) tells. A wall has a material like any body, and a rigid one is a material of
//! infinite Young's modulus (or stiffness, for the linear law). Nothing is checked on entry: [`law::constants`](crate::law::constants)
//! checks all that a pair depends on and names what is wrong.

mod error;
mod values;

pub use crate::id::MaterialId;
pub use error::{Holder, MaterialError};
pub use values::Values;

use crate::law::ContactModel;
use crate::property::{
    FRICTION, Owner, POISSON, Property, RESTITUTION, ROLLING_DAMPING, ROLLING_FRICTION, STIFFNESS,
    TWISTING_FRICTION, YOUNG,
};
use std::collections::BTreeMap;

/// One material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What messages call it.
    pub name: String,
    /// kg/m³.
    pub density: f64,
    /// What laws read.
    pub properties: Values,
}

impl Material {
    /// An elastic material: kg/m³, Young's modulus in Pa (infinite if rigid), Poisson's ratio.
    pub fn new(name: impl Into<String>, density: f64, young: f64, poisson: f64) -> Self {
        Self::of_density(name, density).with(&YOUNG, young).with(&POISSON, poisson)
    }

    /// A material of which only the density is known, kg/m³.
    pub fn of_density(name: impl Into<String>, density: f64) -> Self {
        Self { name: name.into(), density, properties: Values::default() }
    }

    /// The material with this property.
    #[must_use]
    pub fn with(mut self, property: &'static Property, value: f64) -> Self {
        self.properties.set(property, value);
        self
    }

    /// The material with this stiffness for the linear law, N/m; infinite if rigid.
    #[must_use]
    pub fn with_stiffness(self, stiffness: f64) -> Self {
        self.with(&STIFFNESS, stiffness)
    }

    /// A property: what was given, or else its default.
    pub fn get(&self, property: &Property) -> Option<f64> {
        self.properties.get(property)
    }

    /// Whether every property is one that a material can have.
    pub fn check(&self) -> Result<(), MaterialError> {
        self.problems().next().map_or(Ok(()), Err)
    }

    /// Every property that no material can have.
    pub fn problems(&self) -> impl Iterator<Item = MaterialError> {
        let holder = || Holder::Material(self.name.clone());
        let density =
            (!(self.density > 0.0 && self.density.is_finite())).then(|| MaterialError::Impossible {
                of: holder(),
                key: "density",
                value: self.density,
                expected: "a positive number, in kg/m³",
            });
        density.into_iter().chain(self.properties.problems(Owner::Material, holder))
    }
}

/// The properties of two materials in contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairProperties {
    /// What laws read; elastic and without friction where nothing is given.
    pub properties: Values,
    /// What happens in their contacts, if not what [`Settings::contact`](crate::Settings::contact) says.
    pub model: Option<ContactModel>,
}

impl PairProperties {
    /// The coefficient of restitution of a head-on collision, and that of friction, static and dynamic.
    pub fn new(restitution: f64, friction: f64) -> Self {
        Self::default().with(&RESTITUTION, restitution).with(&FRICTION, friction)
    }

    /// With this property.
    #[must_use]
    pub fn with(mut self, property: &'static Property, value: f64) -> Self {
        self.properties.set(property, value);
        self
    }

    /// With a contact model of its own, whatever that of the settings is.
    ///
    /// ```
    /// use tumble_dem::clump::ClumpTemplate;
    /// use tumble_dem::law::{ContactModel, LawKind};
    /// use tumble_dem::material::{Material, PairProperties};
    /// use tumble_dem::{Body, Engine, LabVec, Settings, World};
    ///
    /// let mut world = World::default();
    /// let glass = world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
    /// let gel = world.materials.add(Material::of_density("gel", 1100.0).with_stiffness(2e3))?;
    /// let springs = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    /// world.materials.set_default(PairProperties::new(0.9, 0.3)); // glass–glass: as the settings have it
    /// world.materials.set_pair(gel, gel, PairProperties::new(0.5, 0.1).with_model(springs));
    /// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.01)?)?;
    /// world.add_body(Body { material: gel, ..Body::at(ball, LabVec::zero()) });
    /// world.add_body(Body { material: gel, ..Body::at(ball, LabVec::new(0.0199, 0.0, 0.0)) });
    /// let engine = Engine::new(world, Settings::new(1e-6))?;
    /// let force = engine.contacts()[0].force.norm();
    /// assert!((force - 2e3 * 1e-4).abs() < 1e-9); // the spring of gel, pressed by 0.1 mm
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_model(self, model: ContactModel) -> Self {
        Self { model: Some(model), ..self }
    }

    /// With this resistance to rolling: the arm of its couple over the effective radius, and its dashpot over the
    /// critical one.
    #[must_use]
    pub fn with_rolling(self, friction: f64, damping: f64) -> Self {
        self.with(&ROLLING_FRICTION, friction).with(&ROLLING_DAMPING, damping)
    }

    /// With this coefficient of friction against twisting.
    #[must_use]
    pub fn with_twisting(self, friction: f64) -> Self {
        self.with(&TWISTING_FRICTION, friction)
    }

    /// A property: what was given, or else its default.
    pub fn get(&self, property: &Property) -> Option<f64> {
        self.properties.get(property)
    }

    /// Whether every property is one that the pair of these names can have.
    pub fn check(&self, pair: [&str; 2]) -> Result<(), MaterialError> {
        self.problems(pair).next().map_or(Ok(()), Err)
    }

    /// Every property that the pair of these names cannot have.
    pub fn problems(&self, pair: [&str; 2]) -> impl Iterator<Item = MaterialError> {
        self.properties.problems(Owner::Pair, move || Holder::Pair(pair.map(str::to_owned)))
    }
}

/// Two materials that meet: what a law or resistance reads its constants from.
#[derive(Clone, Copy, Debug)]
pub struct Meeting<'a> {
    materials: [&'a Material; 2],
    properties: &'a PairProperties,
    /// The part of the model, and its name.
    reader: [&'static str; 2],
}

impl<'a> Meeting<'a> {
    /// The two materials, in an order that does not depend on who asks.
    pub fn materials(&self) -> [&'a Material; 2] {
        self.materials
    }

    /// A property of each of the two materials.
    pub fn both(&self, property: &'static Property) -> Result<[f64; 2], MaterialError> {
        let [a, b] = self.materials.map(|material| {
            let missing = || self.missing(Holder::Material(material.name.clone()), property);
            material.get(property).ok_or_else(missing)
        });
        Ok([a?, b?])
    }

    /// A property of the pair.
    pub fn of_pair(&self, property: &'static Property) -> Result<f64, MaterialError> {
        let missing = || self.missing(Holder::Pair(self.names()), property);
        self.properties.get(property).ok_or_else(missing)
    }

    /// The error of a property that is infinite in both.
    pub fn both_rigid(&self, property: &Property) -> MaterialError {
        MaterialError::BothRigid { pair: self.names(), key: property.key }
    }

    /// Whether everything that is declared to be read is there.
    fn check(&self, needs: &[&'static Property]) -> Result<(), MaterialError> {
        for property in needs {
            match property.of {
                Owner::Material => self.both(property).map(|_| ())?,
                Owner::Pair => self.of_pair(property).map(|_| ())?,
            }
        }
        Ok(())
    }

    fn names(&self) -> [String; 2] {
        self.materials.map(|material| material.name.clone())
    }

    fn missing(&self, of: Holder, property: &'static Property) -> MaterialError {
        let [part, name] = self.reader;
        let [a, b] = self.materials.map(|material| &material.name);
        let whose = self.properties.model.map_or(String::new(), |_| format!(" of the pair {a}–{b}"));
        MaterialError::Missing { of, property, reader: format!("the {part} {name}{whose}") }
    }
}

/// The materials of a simulation and the properties of their pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials {
    list: Vec<Material>,
    default: Option<PairProperties>,
    pairs: BTreeMap<(MaterialId, MaterialId), PairProperties>,
}

impl Materials {
    /// How many materials there can be.
    pub const MOST: usize = u16::MAX as usize;

    /// One material, and what happens between bodies of it; it has the number 0.
    pub fn of(material: Material, properties: PairProperties) -> Self {
        Self { list: vec![material], default: Some(properties), pairs: BTreeMap::new() }
    }

    /// Adds a material.
    ///
    /// # Errors
    /// If there are [`MOST`](Self::MOST) already.
    pub fn add(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        match u16::try_from(self.list.len()) {
            Ok(number) if self.list.len() < Self::MOST => {
                self.list.push(material);
                Ok(MaterialId(number))
            }
            _ => Err(MaterialError::TooMany { count: self.list.len() }),
        }
    }

    /// The properties of every pair that has none of its own.
    pub fn set_default(&mut self, properties: PairProperties) {
        self.default = Some(properties);
    }

    /// The properties of the pair a, b, which is the pair b, a.
    pub fn set_pair(&mut self, a: MaterialId, b: MaterialId, properties: PairProperties) {
        self.pairs.insert((a.min(b), a.max(b)), properties);
    }

    /// Gives a material another value of a property, if both can be.
    pub fn set_property(
        &mut self,
        id: MaterialId,
        property: &'static Property,
        value: f64,
    ) -> Result<(), MaterialError> {
        let changed = self.material(id)?.clone().with(property, value);
        changed.check()?;
        self.list[usize::from(id)] = changed;
        Ok(())
    }

    /// Gives a pair another value of a property, if both can be. Where it had those of every pair, it has its own from now
    /// on.
    pub fn set_pair_property(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        property: &'static Property,
        value: f64,
    ) -> Result<(), MaterialError> {
        let changed = self.properties(a, b)?.clone().with(property, value);
        changed.check([&self.material(a)?.name, &self.material(b)?.name])?;
        self.set_pair(a, b, changed);
        Ok(())
    }

    /// Every two materials that have properties of contacts, each pair once.
    pub fn pairs(&self) -> Vec<(MaterialId, MaterialId)> {
        let ids = || (0..u16::MAX).zip(&self.list).map(|(id, _)| MaterialId(id));
        let all = ids().flat_map(|a| ids().filter(move |b| a <= *b).map(move |b| (a, b)));
        all.filter(|(a, b)| self.properties(*a, *b).is_ok()).collect()
    }

    /// The material of this number.
    pub fn material(&self, id: MaterialId) -> Result<&Material, MaterialError> {
        let unknown = MaterialError::Unknown { id, count: self.list.len() };
        self.list.get(usize::from(id)).ok_or(unknown)
    }

    /// The materials, each at its number.
    pub fn as_slice(&self) -> &[Material] {
        &self.list
    }

    /// The properties of a pair: its own, or else the default.
    pub fn properties(&self, a: MaterialId, b: MaterialId) -> Result<&PairProperties, MaterialError> {
        let names = [self.material(a)?.name.clone(), self.material(b)?.name.clone()];
        let own = self.pairs.get(&(a.min(b), a.max(b)));
        own.or(self.default.as_ref()).ok_or(MaterialError::NoProperties { pair: names })
    }

    /// The contact model of a pair, if its properties have one.
    pub fn model(&self, a: MaterialId, b: MaterialId) -> Option<ContactModel> {
        self.pairs.get(&(a.min(b), a.max(b))).or(self.default.as_ref())?.model
    }

    /// Two materials as a part of a model reads them, if everything that it declares is there and possible.
    pub(crate) fn meeting(
        &self,
        a: MaterialId,
        b: MaterialId,
        reader: [&'static str; 2],
        needs: &[&'static Property],
    ) -> Result<Meeting<'_>, MaterialError> {
        let properties = self.properties(a, b)?;
        // In one order only, so that rounding cannot tell them apart.
        let materials = [self.material(a.min(b))?, self.material(a.max(b))?];
        for material in materials {
            material.check()?;
        }
        properties.check(materials.map(|material| material.name.as_str()))?;
        let meeting = Meeting { materials, properties, reader };
        meeting.check(needs)?;
        Ok(meeting)
    }
}
