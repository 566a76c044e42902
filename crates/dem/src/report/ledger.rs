//! The books of energy: what there is, what was lost to what, what was put in.

use crate::bodies::{BOOKS, Book, Sums};
use crate::contact::wall_power;
use crate::engine::Engine;
use crate::integrate;
use tumble_math::{BodyVec, ExactSum, LabVec, Quat};

/// Energies at the present instant and everything that changed them since the start, in joules.
///
/// [`balance`](Self::balance) would stay constant in exact arithmetic and with an infinitely short step; what
/// it deviates by is the error of the integration, of second order in the time step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Ledger {
    /// Kinetic energy of the centres of mass.
    pub translational: f64,
    /// Kinetic energy of rotation.
    pub rotational: f64,
    /// Potential energy in the field of gravity, from the origin. It jumps when a body crosses a periodic end
    /// along gravity.
    pub gravitational: f64,
    /// Elastic energy of the normal springs of all contacts.
    pub elastic_normal: f64,
    /// Elastic energy of the tangential springs.
    pub elastic_tangential: f64,
    /// Elastic energy of the rolling and twisting springs.
    pub elastic_rolling: f64,
    /// Lost to damping along the normal.
    pub normal_damping: f64,
    /// Lost to damping along the tangent.
    pub tangential_damping: f64,
    /// Lost to friction.
    pub sliding: f64,
    /// Lost to rolling and twisting resistance.
    pub rolling: f64,
    /// Left in the tangential, rolling and twisting springs of contacts when these ended.
    pub separation: f64,
    /// Lost to drag; negative where the fluid drives the bodies.
    pub drag: f64,
    /// Put in by moving walls.
    pub wall_work: f64,
    /// Put in by prescribed fields.
    pub field_work: f64,
    /// Put in by moving bodies by hand.
    pub hand_work: f64,
    /// Brought in by what was changed by hand: bodies that were added, moved or given another velocity, less what
    /// removed ones took along.
    pub exchanged: f64,
}

impl Ledger {
    /// Kinetic, gravitational and elastic energy.
    pub fn mechanical(&self) -> f64 {
        self.translational
            + self.rotational
            + self.gravitational
            + self.elastic_normal
            + self.elastic_tangential
            + self.elastic_rolling
    }

    /// Kinetic energy.
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }

    /// All losses.
    pub fn lost(&self) -> f64 {
        self.normal_damping
            + self.tangential_damping
            + self.sliding
            + self.rolling
            + self.separation
            + self.drag
    }

    /// All that was put in.
    pub fn work(&self) -> f64 {
        self.wall_work + self.field_work + self.hand_work + self.exchanged
    }

    /// What should not change: mechanical energy, with the losses, without the work.
    pub fn balance(&self) -> f64 {
        self.mechanical() + self.lost() - self.work()
    }

    /// Names and values, in the order of the fields.
    pub fn entries(&self) -> [(&'static str, f64); 16] {
        [
            ("translational", self.translational),
            ("rotational", self.rotational),
            ("gravitational", self.gravitational),
            ("elastic_normal", self.elastic_normal),
            ("elastic_tangential", self.elastic_tangential),
            ("elastic_rolling", self.elastic_rolling),
            ("normal_damping", self.normal_damping),
            ("tangential_damping", self.tangential_damping),
            ("sliding", self.sliding),
            ("rolling", self.rolling),
            ("separation", self.separation),
            ("drag", self.drag),
            ("wall_work", self.wall_work),
            ("field_work", self.field_work),
            ("hand_work", self.hand_work),
            ("exchanged", self.exchanged),
        ]
    }
}

/// Books that no body carries: those of removed bodies, and what bodies brought along.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Exchange {
    /// In whatever order bodies were taken out.
    pub(crate) removed: [ExactSum; BOOKS],
    pub(crate) brought: f64,
}

impl Exchange {
    /// Rates are summed by the trapezoid rule, so the first instant counts half.
    pub(crate) fn forget_half_of(sums: &mut Sums) {
        for value in sums.books.iter_mut().flatten() {
            *value *= 0.5;
        }
    }
}

impl Engine {
    /// The books of energy at the present instant: exact sums over bodies and contacts, each rounded once.
    pub fn ledger(&self) -> Ledger {
        let bodies = &self.space.bodies;
        let [mut translational, mut rotational, mut gravitational] = [ExactSum::ZERO; 3];
        for (row, now) in integrate::synchronised(bodies, &self.sums, &self.mover()).into_iter().enumerate() {
            if bodies.held[row] {
                continue;
            }
            let kind = bodies.kind(row);
            let mass = kind.mass;
            let velocity = LabVec::from_array(now.velocity);
            let omega = Quat::from_array(now.q).to_body(LabVec::from_array(now.omega));
            let moments = BodyVec::from_array(kind.moments);
            translational += 0.5 * mass * velocity.norm_squared();
            rotational += 0.5 * omega.dot(moments.times(omega));
            gravitational += -(mass * self.rules.gravity.dot(LabVec::from_array(now.position)));
        }
        let mut books = self.exchange.removed;
        for own in &self.sums.books {
            for (sum, value) in books.iter_mut().zip(own) {
                *sum += *value;
            }
        }
        // By the trapezoid rule, half of what the present rates put into the books belongs to the step to come.
        let mut elastic = [ExactSum::ZERO; 3];
        self.each_rate(
            |stored| elastic.iter_mut().zip(stored).for_each(|(sum, energy)| *sum += energy),
            |_, book, value| books[book as usize] += -0.5 * value,
        );
        let [mut rolling, damped] = [Book::Rolling, Book::RollingDamping].map(|book| books[book as usize]);
        rolling.merge(&damped);
        let book = |which: Book| books[which as usize].value();
        let [elastic_normal, elastic_tangential, elastic_rolling] = elastic.map(|sum| sum.value());
        Ledger {
            translational: translational.value(),
            rotational: rotational.value(),
            gravitational: gravitational.value(),
            elastic_normal,
            elastic_tangential,
            elastic_rolling,
            normal_damping: book(Book::NormalDamping),
            tangential_damping: book(Book::TangentialDamping),
            sliding: book(Book::Sliding),
            rolling: rolling.value(),
            separation: book(Book::Separation),
            drag: book(Book::Drag),
            wall_work: book(Book::WallWork),
            field_work: book(Book::FieldWork),
            hand_work: book(Book::HandWork),
            exchanged: self.exchange.brought,
        }
    }

    /// Goes through the elastic energies of all contacts, and through what the present rates put into the books of
    /// which row.
    pub(crate) fn each_rate(&self, mut stored: impl FnMut([f64; 3]), mut add: impl FnMut(usize, Book, f64)) {
        let dt = self.rules.settings.dt;
        for (kept, with_walls, _) in self.with_outcomes() {
            for (index, key) in kept.keys().iter().enumerate() {
                let (row, outcome) = (key.a as usize, kept.outcome(index));
                stored(outcome.stored.to_array());
                add(row, Book::NormalDamping, outcome.lost.normal_damping);
                add(row, Book::TangentialDamping, outcome.lost.tangential_damping);
                add(row, Book::RollingDamping, outcome.lost.rolling_damping);
                if with_walls {
                    let power = wall_power(&self.space, key.b, &outcome, kept.couple(index));
                    add(row, Book::WallWork, power * dt);
                }
            }
        }
        let fields = self.fields();
        for row in 0..self.space.bodies.len() {
            let (load, drag, field) = fields.load(row);
            add(row, Book::Drag, drag * dt);
            add(row, Book::FieldWork, field * dt);
            if self.space.bodies.held[row] {
                add(row, Book::HandWork, fields.hand_power(row, &self.sums.acting[row], &load) * dt);
            }
        }
    }
}
