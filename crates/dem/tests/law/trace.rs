//! A recorded contact model replays to the bits of the function it was recorded from, and its cost is known.

use crate::law::bench::random_constants;
use tumble_dem::law::trace::{evaluate, inputs, record};
use tumble_dem::law::{ContactLaw, ContactModel, ContactVisitor, LawKind, RollingModel, TwistingModel};
use tumble_dem::record::Record;
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
    fn inputs(&mut self, model: ContactModel) -> Vec<f64> {
        let numbers = model.visit(Inputs(self)).unwrap();
        assert_eq!(numbers.len(), inputs(model));
        numbers
    }

    /// One contact.
    fn contact(&mut self, past: f64) -> Vec<f64> {
        let before = past * self.between(0.0, 1e-5);
        let mut n = vec![self.between(-1e-6, 1e-5), before, self.between(0.5, 1.0)];
        let (z, turn) = (self.between(-1.0, 1.0), self.between(0.0, 6.3));
        let flat = (1.0 - z * z).sqrt();
        n.extend([flat * turn.cos(), flat * turn.sin(), z]);
        for scale in [1.0, 100.0, 1e-6, 1e-4] {
            let scale = if self.between(0.0, 1.0) < 0.1 { 0.0 } else { scale };
            n.extend((0..3).map(|_| scale * self.between(-1.0, 1.0)));
        }
        n.extend([self.between(1e-4, 1e-2), self.between(1e-7, 1e-3), self.between(1e-10, 1e-8)]);
        n.push(self.between(0.5, 2.0));
        n
    }
}

struct Inputs<'a>(&'a mut Random);

impl ContactVisitor for Inputs<'_> {
    type Output = Vec<f64>;
    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> Vec<f64> {
        let random = self.0;
        let mut n = random_constants::<L, Ro, Tw>(1e9, |low, high| random.between(low, high));
        let past = if random.between(0.0, 1.0) < 0.1 { 0.0 } else { 1.0 };
        n.extend(random.contact(past));
        let resistances = Ro::Memory::<f64>::SIZE + Tw::Memory::<f64>::SIZE;
        n.extend((0..L::Memory::<f64>::SIZE).map(|_| past * random.between(-1.0, 1.0)));
        n.extend((0..resistances).map(|_| 1e-5 * past * random.between(-1.0, 1.0)));
        n.push(random.between(1e-8, 1e-6));
        n
    }
}

#[test]
fn a_recording_replays_to_the_same_bits() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for model in ContactModel::all() {
        let tape = record(model);
        for _ in 0..2000 {
            let numbers = random.inputs(model);
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
    assert_eq!([LawKind::Hertz, LawKind::HertzMindlin, LawKind::Linear].map(cost), [20, 233, 216]);
}
