//! Who owns which body: by its centre, in boxes that recursive bisection cuts so that all ranks have as much to do
//! (M. J. Berger, S. H. Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors", IEEE Trans. Comput. C-36, 1987).
//!
//! What bodies cost is measured, and may be different each time, or it is counted: no result depends on it.

use crate::rows_by_id::index32;

/// How bodies are given to ranks.
#[derive(Clone, Debug)]
pub(super) enum Ownership {
    /// By where they are, in boxes that are balanced by this weight.
    Boxes(Weight, Cuts),
    /// At random whenever lists are built, for tests.
    Random(u64),
}

/// What bodies cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// The time that they took.
    Time,
    /// What is counted of them.
    Count,
}

impl Ownership {
    /// Of no bodies yet.
    pub(super) fn none() -> Self {
        Self::Boxes(Weight::Time, Cuts::default())
    }

    /// As numbers, which [`of_numbers`](Self::of_numbers) reads.
    pub(super) fn to_numbers(&self) -> Vec<f64> {
        match self {
            Self::Boxes(Weight::Time, cuts) => [vec![0.0], cuts.to_numbers()].concat(),
            Self::Boxes(Weight::Count, cuts) => [vec![1.0], cuts.to_numbers()].concat(),
            Self::Random(seed) => vec![2.0, f64::from_bits(*seed)],
        }
    }

    pub(super) fn of_numbers(numbers: &[f64]) -> Self {
        match numbers {
            [kind, seed] if *kind > 1.0 => Self::Random(seed.to_bits()),
            [kind, cuts @ ..] if *kind > 0.0 => Self::Boxes(Weight::Count, Cuts::of_numbers(cuts)),
            [_, cuts @ ..] => Self::Boxes(Weight::Time, Cuts::of_numbers(cuts)),
            [] => Self::none(),
        }
    }

    /// The rank of a body.
    pub(super) fn owner(&self, position: [f64; 3], id: u32, builds: u64, ranks: usize) -> usize {
        match self {
            Self::Boxes(_, cuts) => cuts.owner(position, ranks),
            Self::Random(seed) => {
                let stirred = (seed ^ builds.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(id))
                    .wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let stirred = (stirred ^ stirred >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
                usize::try_from((stirred ^ stirred >> 32) % ranks as u64).unwrap_or(0)
            }
        }
    }
}

/// A body, as far as it matters who gets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) position: [f64; 3],
    /// What it costs, in any unit.
    pub(super) cost: f64,
}

/// Planes that cut space into a box for each rank. The first one cuts all of it; then come those of its lower side, then those of
/// its upper one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cuts(pub(super) Vec<(u32, f64)>);

impl Cuts {
    /// Boxes that cost the same.
    pub(super) fn new(samples: &mut [Sample], ranks: usize) -> Self {
        let mut cuts = Self(Vec::with_capacity(ranks.saturating_sub(1)));
        cuts.divide(samples, ranks);
        cuts
    }

    /// Axis and place of each, one after the other.
    pub(super) fn to_numbers(&self) -> Vec<f64> {
        self.0.iter().flat_map(|(axis, at)| [f64::from(*axis), *at]).collect()
    }

    pub(super) fn of_numbers(numbers: &[f64]) -> Self {
        let axis = |number: f64| (0..3).find(|axis| f64::from(*axis) >= number).unwrap_or(0);
        Self(numbers.as_chunks().0.iter().map(|[number, at]| (axis(*number), *at)).collect())
    }

    fn divide(&mut self, samples: &mut [Sample], ranks: usize) {
        if ranks < 2 {
            return;
        }
        let length = |axis: usize| {
            let along = || samples.iter().map(|sample| sample.position[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let axis = (0..3).max_by(|a, b| length(*a).total_cmp(&length(*b))).unwrap_or(0);
        samples.sort_unstable_by(|a, b| a.position[axis].total_cmp(&b.position[axis]));
        let lower = lower(ranks);
        let wanted = samples.iter().map(|sample| sample.cost).sum::<f64>() * lower as f64 / ranks as f64;
        let mut so_far = 0.0;
        let enough = |sample: &Sample| {
            so_far += sample.cost;
            so_far > wanted
        };
        let below = samples.iter().position(enough).unwrap_or(samples.len());
        let at = |place: usize| samples.get(place).map(|sample| sample.position[axis]);
        let here = at(below).or_else(|| at(samples.len().saturating_sub(1))).unwrap_or(0.0);
        let before = below.checked_sub(1).and_then(at).unwrap_or(here);
        self.0.push((index32(axis), 0.5 * before + 0.5 * here));
        let (left, right) = samples.split_at_mut(below);
        self.divide(left, lower);
        self.divide(right, ranks - lower);
    }

    /// The rank in whose box a position is.
    fn owner(&self, position: [f64; 3], mut ranks: usize) -> usize {
        let (mut first, mut cut) = (0, 0);
        while ranks > 1 {
            let Some((axis, at)) = self.0.get(cut) else { return first };
            let lower = lower(ranks);
            if position[*axis as usize] < *at {
                (ranks, cut) = (lower, cut + 1);
            } else {
                (first, ranks, cut) = (first + lower, ranks - lower, cut + lower);
            }
        }
        first
    }
}

/// How many ranks are below a cut.
fn lower(ranks: usize) -> usize {
    ranks / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn every_rank_gets_as_much_to_do() {
        let mut random = Random::new(5);
        let mut samples: Vec<Sample> = (0..6000)
            .map(|_| {
                let position = [3.0, 1.0, 0.2].map(|size| size * random.uniform());
                // One corner is worth more than the rest.
                Sample { position, cost: if position[0] < 0.3 { 20.0 } else { 1.0 } }
            })
            .collect();
        let total: f64 = samples.iter().map(|sample| sample.cost).sum();
        for ranks in [1, 2, 3, 5, 8, 27] {
            let cuts = Cuts::new(&mut samples, ranks);
            let mut costs = vec![0.0; ranks];
            for sample in &samples {
                costs[cuts.owner(sample.position, ranks)] += sample.cost;
            }
            let mean = total / ranks as f64;
            assert!(costs.iter().all(|cost| (cost / mean - 1.0).abs() < 0.15), "{ranks} ranks: {costs:?}");
        }
    }

    #[test]
    fn owners_are_told_as_numbers() {
        let cuts = Cuts(vec![(2, 0.25), (0, -3.5)]);
        assert_eq!(Cuts::of_numbers(&cuts.to_numbers()), cuts);
        let told = Ownership::of_numbers(&Ownership::Random(11).to_numbers());
        assert!(matches!(told, Ownership::Random(11)));
        for weight in [Weight::Time, Weight::Count] {
            let told = Ownership::of_numbers(&Ownership::Boxes(weight, cuts.clone()).to_numbers());
            assert!(matches!(told, Ownership::Boxes(same, all) if same == weight && all == cuts));
        }
    }

    #[test]
    fn fewer_bodies_than_ranks_leave_some_without() {
        let mut samples = vec![Sample { position: [0.0; 3], cost: 1.0 }; 2];
        let cuts = Cuts::new(&mut samples, 8);
        assert!(cuts.owner([0.0; 3], 8) < 8 && cuts.owner([-9.0, 5.0, 1.0], 8) < 8);
        assert!(Cuts::new(&mut [], 3).owner([1.0; 3], 3) < 3);
    }
}
