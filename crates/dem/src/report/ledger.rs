//! The books of energy: what there is, what was lost to what, what was put in.

use crate::bodies::{Book, OWN_BOOKS, Sums};
use crate::contact::wall_power;
use crate::engine::Engine;
use crate::integrate;
use crate::law::{
    ELASTIC_NORMAL, ELASTIC_ROLLING, ELASTIC_TANGENTIAL, Entry, EntryKind, NORMAL_DAMPING, ROLLING, SLIDING,
    TANGENTIAL_DAMPING,
};
use crate::record::Numbers;
use crate::step::bond::{BOND_BREAKAGE, BOND_DAMPING, BONDS};
use crate::step::{CELL_DAMPING, CELL_MOTION, FREE_WALLS, WALL_DAMPING, WALL_STOPS};
use tumble_math::{BodyVec, ExactSum, LabVec, Quat};

/// Energies at the present instant and everything that changed them since the start, in joules.
///
/// [`balance`](Self::balance) would stay constant in exact arithmetic and with an infinitely short step; what
/// it deviates by is the error of the integration, of second order in the time step.
#[derive(Clone, Debug, PartialEq, Default)]
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
    /// Put in by walls that move as prescribed, and by drives and weights of those that move by themselves.
    pub wall_work: f64,
    /// Put in by prescribed fields, by pressures on membranes, and by gravity that changes.
    pub field_work: f64,
    /// Put in by a periodic cell that deforms, where there is one.
    pub cell_work: Option<f64>,
    /// Put in by moving bodies by hand.
    pub hand_work: f64,
    /// Brought in by what was changed by hand: bodies that were added, moved or given another velocity, less what
    /// removed ones took along; energy that is stored since gravity or springs became others; what contacts stored with walls
    /// that came, less what they had stored with walls that went.
    pub exchanged: f64,
    /// Heat, where there is some.
    pub heat: Option<HeatLedger>,
    /// Entries that only the contact laws of this world have, and those of bonds and of walls that move by themselves where there are any.
    pub own: Vec<(Entry, f64)>,
}

/// The books of heat, in joules. What bodies have gained is what was put in: [`error`](Self::error) is rounding alone.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct HeatLedger {
    /// What all bodies have gained since they began: Σ mc (T − T₀).
    pub thermal: f64,
    /// Put in out of what contacts lost. It is among the losses as well.
    pub of_contacts: f64,
    /// Put in by walls.
    pub of_walls: f64,
    /// Put in by sources.
    pub of_sources: f64,
    /// Put in by what is around the bodies; negative where it cools them.
    pub of_surroundings: f64,
}

impl HeatLedger {
    /// All that was put in.
    pub fn put_in(&self) -> f64 {
        self.of_contacts + self.of_walls + self.of_sources + self.of_surroundings
    }

    /// What bodies have gained beyond what was put in. Bodies that were taken out have taken theirs along.
    pub fn error(&self) -> f64 {
        self.thermal - self.put_in()
    }

    /// Names and values, in the order of the fields.
    pub fn entries(&self) -> [(&'static str, f64); 5] {
        [
            ("thermal", self.thermal),
            ("heat_of_contacts", self.of_contacts),
            ("heat_of_walls", self.of_walls),
            ("heat_of_sources", self.of_sources),
            ("heat_of_surroundings", self.of_surroundings),
        ]
    }
}

impl Ledger {
    /// Energies of entries that only contact laws of this world have: those that are stored, or those that were lost.
    fn own(&self, stored: bool) -> f64 {
        self.own.iter().filter(|(entry, _)| entry.kind.is_stored() == stored).map(|(_, energy)| energy).sum()
    }

    /// Kinetic, gravitational and elastic energy.
    pub fn mechanical(&self) -> f64 {
        self.translational
            + self.rotational
            + self.gravitational
            + self.elastic_normal
            + self.elastic_tangential
            + self.elastic_rolling
            + self.own(true)
    }

    /// Elastic energy.
    pub fn elastic(&self) -> f64 {
        let of_walls =
            self.own.iter().filter(|(entry, _)| [FREE_WALLS.key, CELL_MOTION.key].contains(&entry.key));
        let moving: f64 = of_walls.map(|(_, energy)| energy).sum();
        self.elastic_normal + self.elastic_tangential + self.elastic_rolling + self.own(true) - moving
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
            + self.own(false)
    }

    /// All that was put in.
    pub fn work(&self) -> f64 {
        self.wall_work + self.field_work + self.hand_work + self.exchanged + self.cell_work.unwrap_or(0.0)
    }

    /// What should not change: mechanical energy, with the losses, without the work; and heat, without what was put in of it.
    pub fn balance(&self) -> f64 {
        let mechanical = self.mechanical() + self.lost() - self.work();
        self.heat.map_or(mechanical, |heat| mechanical + heat.error())
    }

    /// Names and values, in the order of the fields.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let always = [
            ("translational", self.translational),
            ("rotational", self.rotational),
            ("gravitational", self.gravitational),
            (ELASTIC_NORMAL.key, self.elastic_normal),
            (ELASTIC_TANGENTIAL.key, self.elastic_tangential),
            (ELASTIC_ROLLING.key, self.elastic_rolling),
            (NORMAL_DAMPING.key, self.normal_damping),
            (TANGENTIAL_DAMPING.key, self.tangential_damping),
            (SLIDING.key, self.sliding),
            (ROLLING.key, self.rolling),
            ("separation", self.separation),
            ("drag", self.drag),
            ("wall_work", self.wall_work),
            ("field_work", self.field_work),
            ("hand_work", self.hand_work),
            ("exchanged", self.exchanged),
        ];
        let of_cell = self.cell_work.map(|work| ("cell_work", work));
        let of_heat = self.heat.into_iter().flat_map(|heat| heat.entries());
        always
            .into_iter()
            .chain(of_cell)
            .chain(of_heat)
            .chain(self.own.iter().map(|(entry, energy)| (entry.key, *energy)))
    }

    /// The field of an entry that contacts keep books of, or a new one.
    fn entry(&mut self, entry: Entry) -> &mut f64 {
        match entry.key {
            key if key == ELASTIC_NORMAL.key => &mut self.elastic_normal,
            key if key == ELASTIC_TANGENTIAL.key => &mut self.elastic_tangential,
            key if key == ELASTIC_ROLLING.key => &mut self.elastic_rolling,
            key if key == NORMAL_DAMPING.key => &mut self.normal_damping,
            key if key == TANGENTIAL_DAMPING.key => &mut self.tangential_damping,
            key if key == SLIDING.key => &mut self.sliding,
            key if key == ROLLING.key => &mut self.rolling,
            _ => {
                self.own.push((entry, 0.0));
                let last = self.own.len() - 1;
                &mut self.own[last].1
            }
        }
    }
}

/// Books that no body carries: those of removed bodies, and what bodies brought along.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Exchange {
    /// In whatever order bodies were taken out.
    pub(crate) removed: Vec<ExactSum>,
    pub(crate) brought: f64,
}

impl Exchange {
    /// Nobody has come or gone, with so many books.
    pub(crate) fn new(books: usize) -> Self {
        Self { removed: vec![ExactSum::ZERO; books], brought: 0.0 }
    }

    /// Rates are summed by the trapezoid rule, so the first instant counts half.
    pub(crate) fn forget_half_of(sums: &mut Sums) {
        for value in sums.books.numbers_mut() {
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
        let accounts = &self.rules.groups.accounts;
        let mut books = self.exchange.removed.clone();
        for own in self.sums.books.iter() {
            for (sum, value) in books.iter_mut().zip(own) {
                *sum += *value;
            }
        }
        // By the trapezoid rule, half of what the present rates put into the books belongs to the step to come.
        let mut elastic = vec![ExactSum::ZERO; accounts.stored.len()];
        self.each_rate(
            |which, energy| elastic[which] += energy,
            |_, book, value| books[book] += -0.5 * value,
        );
        let book = |which: Book| books[which as usize].value();
        let mut ledger = Ledger {
            translational: translational.value(),
            rotational: rotational.value(),
            gravitational: gravitational.value(),
            separation: book(Book::Separation),
            drag: book(Book::Drag),
            wall_work: book(Book::WallWork),
            field_work: book(Book::FieldWork),
            hand_work: book(Book::HandWork),
            exchanged: self.exchange.brought,
            ..Ledger::default()
        };
        for (entries, sums) in [(&accounts.stored, &elastic[..]), (&accounts.lost, &books[OWN_BOOKS..])] {
            for (number, entry) in entries.iter().enumerate() {
                // Entries of one name are one sum, told with the first of them.
                let same = |other: &Entry| other.key == entry.key;
                if !entries[..number].iter().any(same) {
                    let mut sum = ExactSum::ZERO;
                    let all = entries.iter().zip(sums).filter(|(other, _)| same(other));
                    all.for_each(|(_, part)| sum.merge(part));
                    *ledger.entry(*entry) = sum.value();
                }
            }
        }
        if self.bonds.any() {
            let entries = [BONDS, BOND_DAMPING, BOND_BREAKAGE];
            let energies = self.bonds.energies(self.rules.settings.dt);
            ledger.own.extend(entries.into_iter().zip(energies));
        }
        if let Some((work, energies)) = self.free_wall_energies() {
            ledger.wall_work += work;
            ledger.own.extend([FREE_WALLS, WALL_DAMPING, WALL_STOPS].into_iter().zip(energies));
        }
        ledger.heat = self.heat_entries();
        if let Some((work, energies)) = self.cell_energies() {
            ledger.cell_work = Some(work);
            ledger.own.extend([CELL_MOTION, CELL_DAMPING].into_iter().zip(energies));
        }
        ledger
    }

    /// Goes through the elastic energies of all contacts, by stored entry, and through what the present rates put into which
    /// book of which row.
    pub(crate) fn each_rate(
        &self,
        mut stored: impl FnMut(usize, f64),
        mut add: impl FnMut(usize, usize, f64),
    ) {
        let dt = self.rules.settings.dt;
        for (kept, with_walls, physics) in self.with_outcomes() {
            let (postings, layout) = (&physics.pairs.postings, &physics.layout);
            for (index, key) in kept.keys().iter().enumerate() {
                let (row, outcome) = (key.a as usize, kept.outcome(index));
                for posting in &postings.stored {
                    stored(posting.to, outcome.number(posting.from));
                }
                for posting in postings.lost.iter().filter(|posting| posting.kind == EntryKind::Damped) {
                    add(row, posting.to, outcome.number(posting.from));
                }
                if with_walls && self.space.walls[key.b as usize].motion.puts_work_in() {
                    let power = wall_power(&self.space, key.b, outcome, layout);
                    add(row, Book::WallWork as usize, power * dt);
                }
            }
        }
        let fields = self.fields();
        for row in 0..self.space.bodies.len() {
            let (load, drag, field) = fields.load(row);
            add(row, Book::Drag as usize, drag * dt);
            add(row, Book::FieldWork as usize, field * dt);
            if self.space.bodies.held[row] {
                let power = fields.hand_power(row, &self.sums.acting[row], &load);
                add(row, Book::HandWork as usize, power * dt);
            }
        }
    }
}
