//! A recorded contact model replays to the bits of the function it was recorded from, and its cost is known.

use tumble_dem::law::trace::{INPUTS, evaluate, record};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_math::Real;

/// Numbers in [low, high), the same in every run.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// The inputs of a recording: now and then without overlap, motion, history or friction.
    fn inputs(&mut self) -> Vec<f64> {
        let mut n = vec![self.between(1e7, 1e10), self.between(1e7, 1e10)];
        n.extend((0..2).map(|_| self.between(1e4, 1e7)));
        n.extend((0..6).map(|_| self.between(-0.3, 1.0).max(0.0)));
        // No law of the lists looks at its range.
        n.push(self.between(0.0, 1e-6));
        n.extend([self.between(-1e-6, 1e-5), self.between(0.5, 1.0)]);
        let (z, turn) = (self.between(-1.0, 1.0), self.between(0.0, 6.3));
        let flat = (1.0 - z * z).sqrt();
        n.extend([flat * turn.cos(), flat * turn.sin(), z]);
        for scale in [1.0, 100.0, 1e-6, 1e-4] {
            let scale = if self.between(0.0, 1.0) < 0.1 { 0.0 } else { scale };
            n.extend((0..3).map(|_| scale * self.between(-1.0, 1.0)));
        }
        n.extend([self.between(1e-4, 1e-2), self.between(1e-7, 1e-3), self.between(1e-10, 1e-8)]);
        let past = if self.between(0.0, 1.0) < 0.1 { 0.0 } else { 1.0 };
        n.extend((0..3).map(|_| past * self.between(-1.0, 1.0)));
        n.extend((0..4).map(|_| 1e-5 * past * self.between(-1.0, 1.0)));
        n.extend([past * self.between(0.0, 1e-5), self.between(1e-8, 1e-6)]);
        assert_eq!(n.len(), INPUTS);
        n
    }
}

#[test]
fn a_recording_replays_to_the_same_bits() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for model in ContactModel::all() {
        let tape = record(model);
        for _ in 0..2000 {
            let numbers = random.inputs();
            let direct = evaluate(model, &numbers).unwrap();
            assert!(direct.iter().all(|x| x.is_finite()), "{model:?}: {numbers:?} {direct:?}");
            let bits = |x: Vec<f64>| x.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(tape.replay(&numbers)), bits(direct), "{model:?}");

            let single: Vec<f32> = numbers.into_iter().map(f32::lit).collect();
            let bits = |x: Vec<f32>| x.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(tape.replay(&single)), bits(evaluate(model, &single).unwrap()), "{model:?}");
        }
    }
}

/// A change of cost shows here, so that it is made knowingly.
#[test]
fn the_cost_is_known() {
    let cost = |law| record(ContactModel { law, ..ContactModel::default() }).flops();
    assert_eq!([LawKind::Hertz, LawKind::HertzMindlin, LawKind::Linear].map(cost), [20, 224, 209]);
}
