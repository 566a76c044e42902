//! Ghosts: copies of bodies that other ranks own, near enough to touch own ones before the next lists are built.
//!
//! A body goes to every rank whose own bodies it may come near, once, wherever its images are, and to those that have a body bonded to
//! it, however far away. Of these copies, those that occur in a pair or have such a bond are kept up to date: in every step their owners send where they are, how they move, how warm they are and whether they are wet, which is all that a contact asks.

use super::link::{Halt, of_bytes, to_bytes};
use super::part::Part;
use crate::bodies::AtInstant;
use crate::domain::{Axis, Domain, Image};
use crate::error::Error;
use crate::integrate;
use crate::rows_by_id::index32;
use crate::saved::{Luggage, Unpacked};

/// Lists are made with rounded numbers, and so are the boxes of ranks.
const SLACK: f64 = 1.0 + 1e-9;

/// Who has to tell whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Ghosts {
    /// The owner of each ghost, by row after the own ones.
    home: Vec<usize>,
    /// Own rows that others ask for.
    send: Vec<(usize, Vec<u32>)>,
    /// Ghosts that others tell of.
    receive: Vec<(usize, Vec<u32>)>,
}

impl Ghosts {
    /// How many are told of in every step.
    pub(super) fn count(&self) -> usize {
        self.receive.iter().map(|(_, rows)| rows.len()).sum()
    }
}

/// How many numbers tell where they are.
const OF_PLACE: usize = 7;

/// Where the own bodies of a rank are.
struct Place {
    low: [f64; 3],
    high: [f64; 3],
    /// The largest radius of a ball that holds one.
    largest: f64,
}

impl Place {
    fn of_numbers(numbers: &[f64]) -> Option<Self> {
        let [a, b, c, d, e, f, largest] = numbers.try_into().ok()?;
        Some(Self { low: [a, b, c], high: [d, e, f], largest })
    }

    /// Whether a point comes within some distance of it, here or through an image.
    fn is_within(&self, distance: f64, point: [f64; 3], domain: &Domain) -> bool {
        if domain.tilt().is_some() {
            // Images beyond one end are displaced along another axis.
            let shifted = |shift: [f64; 3]| core::array::from_fn(|axis| point[axis] + shift[axis]);
            let open = Domain::open();
            return Image::shifts(domain)
                .into_iter()
                .any(|shift| self.is_within(distance, shifted(shift), &open));
        }
        let apart = |axis: usize| {
            let gap = |x: f64| (self.low[axis] - x).max(x - self.high[axis]).max(0.0);
            let x = point[axis];
            match domain.axes[axis] {
                Axis::Open => gap(x),
                Axis::Periodic { low, high } => gap(x).min(gap(x + (high - low))).min(gap(x - (high - low))),
            }
        };
        let [x, y, z] = [0, 1, 2].map(apart);
        x * x + y * y + z * z <= distance * distance
    }
}

impl Part {
    /// Makes these rows the only own ones, and fetches the ghosts around them; all for the present positions, or for those at which
    /// lists were last built.
    pub(super) fn arrange(&mut self, own: Vec<usize>, as_built: bool) -> Result<(), Halt> {
        let engine = &self.engine;
        let bodies = &engine.space.bodies;
        let position =
            |row: usize| if as_built { bodies.built[row].position } else { bodies.position.row(row) };
        let mut place = Place { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], largest: 0.0 };
        for &row in &own {
            for (axis, x) in position(row).into_iter().enumerate() {
                place.low[axis] = place.low[axis].min(x);
                place.high[axis] = place.high[axis].max(x);
            }
            place.largest = place.largest.max(bodies.bounding[row]);
        }
        let mut ids: Vec<u32> = own.iter().map(|row| bodies.id[*row]).collect();
        ids.sort_unstable();
        let partners = engine.bonds.partners(|id| ids.binary_search(&id).is_ok());
        let numbers = place.low.into_iter().chain(place.high).chain([place.largest]);
        let wishes = partners.into_iter().map(|id| f64::from_bits(id.into()));
        let places = self.link.tell_all(&to_bytes(numbers.chain(wishes)))?;
        let beyond = engine.space.neighbours.skin + engine.rules.groups.range(self.all.largest);
        let message = |(rank, numbers): (usize, &Vec<u8>)| {
            let numbers: Vec<f64> = of_bytes(numbers).collect();
            let (numbers, wishes) = numbers.split_at_checked(OF_PLACE).unwrap_or_default();
            let place = Place::of_numbers(numbers).filter(|_| rank != self.link.rank());
            let Some(place) = place.filter(|place| place.low[0] <= place.high[0]) else { return Vec::new() };
            let near = |row: &usize| {
                let distance = (bodies.bounding[*row] + place.largest + beyond) * SLACK;
                place.is_within(distance, position(*row), &engine.space.domain)
                    || wishes.binary_search_by_key(&u64::from(bodies.id[*row]), |id| id.to_bits()).is_ok()
            };
            let rows: Vec<usize> = own.iter().copied().filter(near).collect();
            if rows.is_empty() { Vec::new() } else { engine.pack(&rows, &Luggage::default()) }
        };
        let messages = places.iter().enumerate().map(message).collect();
        let received = self.link.all_to_all(messages)?;

        let mut ghosts = Vec::new();
        let mut parcels = received.iter().enumerate().filter(|(_, message)| !message.is_empty());
        let unpacked = parcels.try_for_each(|(rank, message)| {
            ghosts.extend(self.engine.unpack(message, &mut Unpacked::default())?.map(|row| (row, rank)));
            Ok(())
        });
        self.link.agree(unpacked)?;
        let (bodies, sums) = (&mut self.engine.space.bodies, &mut self.engine.sums);
        for &(row, _) in &ghosts {
            bodies.ghost[row] = true;
        }
        let mut order = own;
        order.sort_unstable_by_key(|row| bodies.order(*row));
        ghosts.sort_unstable_by_key(|(row, _)| bodies.order(*row));
        self.own = order.len();
        order.extend(ghosts.iter().map(|(row, _)| row));
        let order: Vec<u32> = order.into_iter().map(index32).collect();
        bodies.permute(sums, &order, &self.engine.threads);
        // Rules go by all bodies, not by those that happen to be here.
        bodies.mean_radius = self.all.mean_radius;
        bodies.smallest_radius = self.all.smallest_radius;
        bodies.largest = self.all.largest;
        self.ghosts.home = ghosts.into_iter().map(|(_, rank)| rank).collect();
        if !self.engine.rules.bonded {
            return Ok(());
        }
        let alone = || Error::Mismatch { what: "a bond has no body at its other end".into() };
        self.link.agree(self.engine.bonds.are_complete(bodies).then_some(()).ok_or_else(alone))
    }

    /// Asks the owners of all ghosts that occur in a pair, or are bonded to an own body, to tell of them in every step.
    pub(super) fn subscribe(&mut self) -> Result<(), Halt> {
        let bodies = &self.engine.space.bodies;
        let mut asked = vec![false; bodies.len()];
        for &[a, b] in &self.engine.space.neighbours.pairs.spheres {
            asked[bodies.owner[a as usize] as usize] = true;
            asked[bodies.owner[b as usize] as usize] = true;
        }
        self.engine.bonds.with_rows().flat_map(|(_, rows)| rows).for_each(|row| asked[row] = true);
        let mut rows = vec![Vec::new(); self.link.count()];
        for (row, &home) in (self.own..).zip(&self.ghosts.home).filter(|(row, _)| asked[*row]) {
            rows[home].push(index32(row));
        }
        let ids = |rows: &Vec<u32>| {
            rows.iter().flat_map(|row| bodies.id[*row as usize].to_le_bytes()).collect::<Vec<u8>>()
        };
        let wishes = self.link.all_to_all(rows.iter().map(ids).collect())?;
        let row_of = |id: &[u8; 4]| bodies.by_id.row(u32::from_le_bytes(*id)).map(index32);
        let asked = |wish: &Vec<u8>| wish.as_chunks().0.iter().filter_map(row_of).collect::<Vec<u32>>();
        let some = |(_, rows): &(usize, Vec<u32>)| !rows.is_empty();
        self.ghosts.send = wishes.iter().map(asked).enumerate().filter(some).collect();
        self.ghosts.receive = rows.into_iter().enumerate().filter(some).collect();
        Ok(())
    }

    /// Which numbers of a ghost contacts ask for: whether those at the instant of the force, and whether those of the time level.
    fn shown(&self) -> (bool, bool) {
        let shown = self.engine.mover().shows();
        let groups = 0..self.engine.rules.groups.len();
        let level = groups.map(|group| self.engine.physics(group)).any(|physics| !physics.remembers());
        (shown, level || !shown)
    }

    /// Tells others of own bodies, and is told of ghosts.
    pub(super) fn show_ghosts(&mut self) -> Result<(), Halt> {
        let ((shown, level), warm, wet) = (self.shown(), self.engine.has_heat(), self.engine.has_liquid());
        let bodies = &mut self.engine.space.bodies;
        let message = |(rank, rows): &(usize, Vec<u32>)| {
            let mut numbers = Vec::with_capacity(26 * rows.len());
            for row in rows.iter().map(|row| *row as usize) {
                numbers.extend(bodies.q.row(row));
                if warm {
                    numbers.push(bodies.warmth[row].gained);
                }
                if wet {
                    numbers.push(bodies.film[row]);
                }
                if shown {
                    numbers.extend(bodies.at_force[row].to_numbers());
                }
                if level {
                    numbers.extend(bodies.position.row(row));
                    numbers.extend(bodies.velocity.row(row));
                    numbers.extend(bodies.omega.row(row));
                }
            }
            (*rank, to_bytes(numbers))
        };
        let messages = self.ghosts.send.iter().map(message).collect();
        let from: Vec<usize> = self.ghosts.receive.iter().map(|(rank, _)| *rank).collect();
        let received = self.link.exchange(messages, &from)?;
        for ((_, rows), message) in self.ghosts.receive.iter().zip(&received) {
            let mut numbers = of_bytes(message);
            for row in rows.iter().map(|row| *row as usize) {
                bodies.q.set_row(row, some(&mut numbers));
                if warm {
                    [bodies.warmth[row].gained] = some(&mut numbers);
                }
                if wet {
                    [bodies.film[row]] = some(&mut numbers);
                }
                if shown {
                    let body = AtInstant::from_numbers(some(&mut numbers));
                    bodies.position.set_row(row, body.position);
                    bodies.at_force[row] = body;
                }
                if level {
                    bodies.position.set_row(row, some(&mut numbers));
                    bodies.velocity.set_row(row, some(&mut numbers));
                    bodies.omega.set_row(row, some(&mut numbers));
                }
            }
        }
        Ok(())
    }

    /// The rank that owns a ghost, counted from the first of them.
    pub(super) fn home_of_ghost(&self, ghost: usize) -> Option<usize> {
        self.ghosts.home.get(ghost).copied()
    }

    /// Places the spheres of ghosts where they are now.
    pub(super) fn place_ghosts(&mut self) {
        if self.ghosts.count() > 0 {
            let mover = self.engine.mover();
            let (space, sums) = (&mut self.engine.space, &mut self.engine.sums);
            integrate::place_from(&mut space.bodies, sums, self.own, &space.neighbours.needed, &mover);
        }
    }
}

/// The next so many numbers; NaN where there are none, which nobody goes on from.
fn some<const N: usize>(numbers: &mut impl Iterator<Item = f64>) -> [f64; N] {
    core::array::from_fn(|_| numbers.next().unwrap_or(f64::NAN))
}
