//! Contact models as plain data.

use crate::engine::Engine;
use crate::law::{self, ContactModel, EnergyPower};
use crate::step::sliding_of;

/// What happens in the contacts of some pairs of materials, and which numbers these have.
#[derive(Clone, Debug)]
pub struct Model {
    /// Which.
    pub model: ContactModel,
    /// How the energy of its normal springs grows with the overlap.
    pub power: EnergyPower,
    /// Numbers of the constants of a pair of materials.
    pub constants: usize,
    /// Numbers that a contact remembers.
    pub memory: usize,
    /// Numbers that tell what a contact does: see [`physics::trace`](crate::physics::trace).
    pub outcome: usize,
    /// Whether the last three of them are a couple.
    pub turns: bool,
    /// The column in the books of the first body for what was left in springs at separation.
    pub separation: usize,
    /// How far beyond touch its contacts can act at most, m; that of each is told by
    /// [`record_range`](crate::physics::trace::record_range).
    pub range: f64,
    /// Whether contacts that act beyond touch have to have touched.
    pub lasting: bool,
    /// Which number of the outcome is what friction took, if there is one.
    pub sliding: Option<usize>,
    /// From a number of the outcome to a column in the books of the first body.
    pub lost: Vec<[usize; 2]>,
    /// The number of its group.
    pub(super) group: usize,
}

impl Engine {
    /// The groups in which anything can meet; the first if nothing can.
    pub(super) fn plain_groups(&self) -> Vec<usize> {
        let groups = &self.rules.groups;
        let met: Vec<usize> = (0..groups.len()).filter(|group| groups.get(*group).is_met).collect();
        if met.is_empty() { vec![0] } else { met }
    }

    /// The models of what can meet, in the order of all sums, and which of them each pair of materials has. Pairs that cannot
    /// meet have the first.
    pub(super) fn plain_models(&self) -> (Vec<Model>, Vec<u32>) {
        let groups = self.plain_groups();
        let model = |&group: &usize| {
            let physics = self.rules.physics(group, &self.progress);
            let layout = physics.layout;
            Model {
                model: self.rules.groups.get(group).model,
                power: physics.power,
                constants: layout.constants,
                memory: layout.memory,
                outcome: layout.outcome(),
                turns: layout.turns,
                separation: physics.pairs.postings.ended,
                range: physics.pairs.ranges(self.space.bodies.largest).fold(0.0, f64::max),
                lasting: physics.model.range() == law::Range::Lasting,
                sliding: sliding_of(&layout),
                lost: physics.pairs.postings.lost.iter().map(|posting| [posting.from, posting.to]).collect(),
                group,
            }
        };
        let number = |group: &u16| {
            let found = (0..).zip(&groups).find(|(_, known)| **known == usize::from(*group));
            found.map_or(0, |(number, _)| number)
        };
        (groups.iter().map(model).collect(), self.rules.groups.table().iter().map(number).collect())
    }

    /// The constants of each pair of materials, with room for so many, and whether anything asks for the mass behind its contacts.
    pub(super) fn plain_pairs(
        &self,
        models: &[Model],
        model_of: &[u32],
        width: usize,
    ) -> (Vec<f64>, Vec<bool>) {
        let (mut constants, mut matter) = (Vec::new(), Vec::new());
        for (pair, model) in model_of.iter().enumerate() {
            let model = &models[*model as usize];
            let physics = self.rules.physics(model.group, &self.progress);
            let own = physics.pairs.row(pair);
            let meet = own.iter().all(|constant| !constant.is_nan());
            matter.push(meet && (physics.model.dissipation(own).damping > 0.0 || model.turns));
            constants.extend(own);
            constants.resize((pair + 1) * width, 0.0);
        }
        (constants, matter)
    }
}
