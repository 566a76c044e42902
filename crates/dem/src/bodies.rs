//! The bodies of a running simulation: one row per rigid body, one column per component.
//!
//! Rows may be reordered for the cache; a body's id stays. Everything that has a direction in a pair of
//! bodies (which one is first, the sign of a spring) goes by ids, so that reordering changes no physics.

mod books;
mod features;
mod pieces;
mod shapes;

pub(crate) use books::{Book, BookRows, BookTable, OWN_BOOKS};
pub(crate) use features::Feature;
pub(crate) use pieces::{NO_PIECE, Points, TIP};
pub(crate) use shapes::Shapes;

use crate::clump::Role;
use crate::columns::{Columns, table};
use crate::error::Error;
use crate::kind::{Kind, Kinds, Recipe};
use crate::parallel::Threads;
use crate::rows_by_id::{MOST, RowsById, index32};
use crate::step::Warmth;
use crate::world::{Body, BodyId};
use core::ops::Range;
use tumble_math::{BodyVec, ExactSum, LabVec, Quat};

/// A force, and a torque about the centre of mass, in the lab frame. A line of the cache each: contacts add to them here and
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[repr(align(64))]
pub(crate) struct Wrench {
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
}

/// A body with everything at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)]
pub(crate) struct AtInstant {
    pub(crate) position: [f64; 3],
    pub(crate) velocity: [f64; 3],
    /// In the lab frame.
    pub(crate) omega: [f64; 3],
    pub(crate) q: [f64; 4],
}

impl AtInstant {
    /// Its numbers, one after the other.
    pub(crate) fn to_numbers(self) -> [f64; 13] {
        let ([x, y, z], [u, v, w], [a, b, c], [d, e, f, g]) =
            (self.position, self.velocity, self.omega, self.q);
        [x, y, z, u, v, w, a, b, c, d, e, f, g]
    }

    /// The inverse.
    pub(crate) fn from_numbers([x, y, z, u, v, w, a, b, c, d, e, f, g]: [f64; 13]) -> Self {
        Self { position: [x, y, z], velocity: [u, v, w], omega: [a, b, c], q: [d, e, f, g] }
    }
}

/// Where a body was when the neighbour lists were built.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Built {
    pub(crate) position: [f64; 3],
    pub(crate) q: [f64; 4],
}

/// Where bodies are, while they are shown elsewhere.
pub(crate) struct Poses {
    position: Columns<3>,
    q: Columns<4>,
    q_at_force: Vec<[f64; 4]>,
}

/// The place on the curve of a body that has none yet: after all others.
pub(crate) const NEWCOMER: u64 = u64::MAX;

table! {
    struct Bodies {
        state {
            id: Vec<u32>,
            /// The place on a curve through space at the last reordering, [`NEWCOMER`] for bodies that came since. With the
            /// id it tells which of two bodies comes first in all sums.
            curve: Vec<u64>,
            /// Rows whose state is that of the present instant, not that of the scheme's time level before the
            /// torque: all at the start, later those just added or moved by hand.
            fresh: Vec<bool>,
            // At the instants of the scheme's time level.
            position: Columns<3>,
            velocity: Columns<3>,
            q: Columns<4>,
            omega: Columns<3>,
        }
        /// What contacts and fields add to, for the rows of [`Bodies`].
        sums Sums {
            /// What acts on them now.
            acting: Vec<Wrench>,
            /// What they lost and gained since the start; see [`Book`].
            books: BookTable,
        }
        shown {
            /// What contact laws and fields see: bodies at the instant of the force. Filled at each evaluation.
            at_force: Vec<AtInstant>,
        }
        noted {
            /// Where they were when the neighbour lists were built.
            built: Vec<Built>,
        }
        made {
            /// Which kind each row is.
            kind: Vec<u32>,
            template: Vec<u16>,
            material: Vec<u16>,
            scale: Vec<f64>,
            held: Vec<bool>,
            /// Whether it is another rank's, and here only for its neighbours to touch.
            ghost: Vec<bool>,
            /// Radius of the ball about the centre of mass that holds the body.
            bounding: Vec<f64>,
        }
        optional {
            /// What the rotation scheme remembers.
            memory: Columns<14>,
            /// What forces on all bodies at once last gave; nothing for bodies that came since.
            prescribed: Vec<Wrench>,
            /// Temperatures, in a world with heat.
            warmth: Vec<Warmth>,
            /// Liquid on bodies, m³, in a world with films.
            film: Vec<f64>,
        }
        rest {
            shapes: Shapes,
            kinds: Kinds,
            by_id: RowsById,
            /// Where the spheres of each row begin; one more than there are rows.
            first_sphere: Vec<u32>,
            /// Placed spheres: centre in the lab, radius. Only those in the neighbour lists are up to date.
            spheres: Vec<[f64; 4]>,
            /// The row of the body that each sphere belongs to.
            owner: Vec<u32>,
            /// The last of the points of the piece that begins with each sphere, or the sphere itself if it is one; [`NO_PIECE`] at second
            /// ends of capsules, [`TIP`] at the ends of semi-axes. Empty if all pieces are spheres.
            last_point: Vec<u32>,
            /// What touches, by the placed spheres that it is known by. Empty if there are no polyhedra.
            features: Vec<Feature>,
            /// Mean radius of all spheres.
            mean_radius: f64,
            /// Radius of the smallest one; infinite if there is none.
            smallest_radius: f64,
            /// The largest bounding radius.
            largest: f64,
        }
    }
}

impl Bodies {
    pub(crate) fn new(shapes: Shapes) -> Self {
        let mut bodies = Self { shapes, ..Self::default() };
        bodies.lay_out_spheres();
        bodies
    }

    pub(crate) fn len(&self) -> usize {
        self.id.len()
    }

    /// A copy to go back to. Spheres are laid out and placed anew then; there are many, so they are left out from the start.
    pub(crate) fn to_save(&self) -> Self {
        let (shapes, kinds, by_id) = (self.shapes.clone(), self.kinds.clone(), self.by_id.clone());
        Self { shapes, kinds, by_id, ..self.copied() }
    }

    /// Whether there are numbers for these bodies and their spheres. Everything that counts rows or spheres relies on it.
    pub(crate) fn check_room(&self, bodies: &[Body]) -> Result<(), Error> {
        self.by_id.check_room(bodies.len())?;
        let new = bodies.iter().map(|body| self.shapes.of(body.template.0).len()).sum::<usize>();
        if self.owner.len() + new <= MOST {
            Ok(())
        } else {
            Err(Error::TooMany { what: "spheres", most: MOST })
        }
    }

    /// Appends bodies that have been checked, and for which there is room. Positions, velocities and spins are those of
    /// one instant.
    pub(crate) fn append(&mut self, sums: &mut Sums, bodies: &[Body], densities: impl Fn(u16) -> f64) {
        let old = self.len();
        for column in self.columns(sums) {
            column.resize(old + bodies.len());
        }
        for (row, body) in (old..).zip(bodies) {
            let recipe = Recipe {
                template: body.template.0,
                material: body.material.0,
                scale: body.scale,
                held: body.held,
            };
            let template = &self.shapes.templates[usize::from(body.template.0)];
            let kind = self.kinds.number(recipe, || Kind::new(recipe, template, densities(body.material.0)));
            self.position.set_row(row, body.position.to_array());
            self.velocity.set_row(row, body.velocity.to_array());
            self.q.set_row(row, body.orientation.to_array());
            self.omega.set_row(row, body.orientation.to_body(body.angular_velocity).to_array());
            self.kind[row] = kind;
            self.id[row] = self.by_id.give(index32(row));
            self.template[row] = body.template.0;
            self.material[row] = body.material.0;
            self.scale[row] = body.scale;
            self.held[row] = body.held;
            self.bounding[row] = self.kinds.kind(kind).bounding;
            self.curve[row] = NEWCOMER;
            self.fresh[row] = true;
        }
        self.lay_out_spheres();
    }

    /// Keeps the rows of `order`, in that order.
    pub(crate) fn permute(&mut self, sums: &mut Sums, order: &[u32], threads: &Threads) {
        for column in self.columns(sums) {
            column.permute(order, threads);
        }
        self.by_id.assign(&self.id, threads);
        self.kinds.forget_others(&mut self.kind);
        self.lay_out_spheres();
    }

    /// What the order of bodies goes by. Rows are only where they lie.
    #[inline(always)]
    pub(crate) fn order(&self, row: usize) -> (u64, u32) {
        (self.curve[row], self.id[row])
    }

    /// Whether rows lie in the order of the bodies.
    pub(crate) fn is_in_order(&self, threads: &Threads) -> bool {
        let follows = |row: usize| self.order(row - 1) < self.order(row);
        let pieces = threads.split_range(self.len(), |mut rows| {
            rows.start = rows.start.max(1);
            rows.into_iter().all(follows)
        });
        pieces.into_iter().all(|in_order| in_order)
    }

    /// All rows in the order of the bodies.
    pub(crate) fn rows_in_order(&self, threads: &Threads) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..index32(self.len())).collect();
        if !self.is_in_order(threads) {
            threads.sort_by_key(&mut rows, |&row| self.order(row as usize));
        }
        rows
    }

    /// Lays the rows out in the order of the bodies.
    pub(crate) fn sort_rows(&mut self, sums: &mut Sums, threads: &Threads) {
        self.permute(sums, &self.rows_in_order(threads), threads);
    }

    /// The first body, in their order, that something is true of.
    pub(crate) fn first(&self, threads: &Threads, is: impl Fn(usize) -> bool + Sync + Send) -> Option<usize> {
        let own = |row: &usize| !self.ghost[*row] && is(*row);
        let first = |rows: Range<usize>| rows.into_iter().filter(own).min_by_key(|&row| self.order(row));
        let firsts = threads.split_range(self.len(), first);
        firsts.into_iter().flatten().min_by_key(|&row| self.order(row))
    }

    pub(crate) fn row(&self, id: BodyId) -> Option<usize> {
        self.by_id.row(id.0)
    }

    pub(crate) fn sphere_range(&self, row: usize) -> Range<usize> {
        self.first_sphere[row] as usize..self.first_sphere[row + 1] as usize
    }

    /// What a body has in common with its like.
    #[inline(always)]
    pub(crate) fn kind(&self, row: usize) -> &Kind {
        self.kinds.kind(self.kind[row])
    }

    /// Remembers where bodies are now that the lists are built.
    pub(crate) fn note_built(&mut self, staggered: bool, threads: &Threads) {
        let mut built = core::mem::take(&mut self.built);
        threads.fill(&mut built, |row| {
            let (position, q) = self.shown_pose(row, staggered);
            Built { position: position.to_array(), q: q.to_array() }
        });
        self.built = built;
    }

    /// Puts bodies where they were then, and tells where they are. Everything else stays.
    pub(crate) fn show_as_built(&mut self) -> Poses {
        let poses = Poses {
            position: self.position.clone(),
            q: self.q.clone(),
            q_at_force: self.at_force.iter().map(|body| body.q).collect(),
        };
        for row in 0..self.len() {
            let Built { position, q } = self.built[row];
            self.position.set_row(row, position);
            self.q.set_row(row, q);
            self.at_force[row].q = q;
        }
        poses
    }

    /// Puts them back to where they are.
    pub(crate) fn show(&mut self, Poses { position, q, q_at_force }: Poses) {
        self.position = position;
        self.q = q;
        for (body, q) in self.at_force.iter_mut().zip(q_at_force) {
            body.q = q;
        }
    }

    /// Holds a body, or lets go of it.
    pub(crate) fn set_held(&mut self, row: usize, held: bool) {
        let recipe = Recipe {
            template: self.template[row],
            material: self.material[row],
            scale: self.scale[row],
            held,
        };
        let kind = *self.kind(row);
        self.held[row] = held;
        self.kind[row] = self.kinds.number(recipe, || kind.when_held(held));
    }

    /// A body with the velocities of its own time level, half a step back for a leapfrog: for laws that only ask
    /// how fast it is about to move.
    pub(crate) fn at_time_level(&self, row: usize) -> AtInstant {
        let (position, q) = self.pose(row);
        AtInstant {
            position: position.to_array(),
            velocity: self.velocity.row(row),
            omega: q.to_lab(BodyVec::from_array(self.omega.row(row))).to_array(),
            q: q.to_array(),
        }
    }

    pub(crate) fn pose(&self, row: usize) -> (LabVec<f64>, Quat<f64>) {
        (LabVec::from_array(self.position.row(row)), Quat::from_array(self.q.row(row)))
    }

    /// The pose at which the spheres of a row are placed. What a `staggered` scheme shows is not its own q.
    pub(crate) fn shown_pose(&self, row: usize, staggered: bool) -> (LabVec<f64>, Quat<f64>) {
        let (position, q) = self.pose(row);
        (position, if staggered { Quat::from_array(self.at_force[row].q) } else { q })
    }

    /// Radius of the sphere of the body's volume.
    pub(crate) fn equivalent_radius(&self, row: usize) -> f64 {
        self.shapes.equivalent_radii[usize::from(self.template[row])] * self.scale[row]
    }

    pub(crate) fn lay_out_spheres(&mut self) {
        self.first_sphere.clear();
        self.first_sphere.push(0);
        self.owner.clear();
        self.last_point.clear();
        self.features.clear();
        let has_hulls = self.shapes.has_hulls();
        for (row, &template) in (0..).zip(&self.template) {
            let spheres = self.shapes.of(template).len();
            let first = index32(self.owner.len());
            let roles = || (first..).zip(self.shapes.roles_of(template));
            if has_hulls {
                let firsts = [first, self.shapes.first_hull(template)];
                let feature = |(sphere, role): (u32, &Role)| Self::feature_of(*role, sphere, firsts);
                self.features.extend(roles().map(feature));
            }
            self.last_point.extend(roles().map(|(sphere, role)| match role {
                Role::Sphere | Role::Corner => sphere,
                Role::FirstEnd => sphere + 1,
                Role::SecondEnd => NO_PIECE,
                Role::Ellipsoid => sphere + 3,
                Role::Tip | Role::Edge(_) | Role::Core(_) => TIP,
            }));
            self.owner.extend(core::iter::repeat_n(row, spheres));
            self.first_sphere.push(index32(self.owner.len()));
        }
        self.spheres.clear();
        self.spheres.resize(self.owner.len(), [0.0; 4]);
        // Each body adds one number, and their sum does not depend on where they lie.
        let (mut sum, mut smallest) = (ExactSum::ZERO, f64::INFINITY);
        for (&template, scale) in self.template.iter().zip(&self.scale) {
            let [total, least] = self.shapes.radii[usize::from(template)];
            sum += total * scale;
            smallest = smallest.min(least * scale);
        }
        self.mean_radius = sum.value() / self.owner.len().max(1) as f64;
        self.smallest_radius = smallest;
        self.largest = self.bounding.iter().fold(0.0, |a: f64, &b| a.max(b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MaterialId;
    use crate::clump::{ClumpTemplate, MassModel, shapes};
    use crate::columns::Column;
    use crate::random::Random;
    use crate::world::TemplateId;
    use std::sync::Arc;

    /// Everything that a body has, as bytes.
    fn of_row(bodies: &Bodies, sums: &Sums, row: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        bodies.saved(sums).iter().for_each(|column| column.put_row(row, &mut bytes));
        let Wrench { force, torque } = bodies.prescribed[row];
        let numbers = bodies.memory.row(row).into_iter().chain(force).chain(torque).map(f64::to_bits);
        let kind = bodies.kind(row);
        let made = [kind.mass, kind.inverse_mass, kind.bounding, bodies.bounding[row], bodies.scale[row]];
        let numbers = numbers.chain(made.map(f64::to_bits));
        bytes.extend(numbers.flat_map(u64::to_le_bytes));
        bytes.extend(
            [bodies.template[row], bodies.material[row], bodies.held[row].into()].map(|n| n.to_le_bytes()[0]),
        );
        bytes
    }

    #[test]
    fn every_column_follows_when_bodies_come_go_and_lie_elsewhere() {
        let mut random = Random::new(9);
        let template = |name: &str, spheres: u32| {
            let rod = ClumpTemplate::new(name, &shapes::rod(spheres, 0.5, 1.0), MassModel::Union);
            Arc::new(rod.unwrap())
        };
        let mut bodies = Bodies::new(Shapes::new(&[template("short", 2), template("long", 5)]));
        let mut sums = Sums::default();
        let mut known: Vec<(u32, Vec<u8>)> = Vec::new();
        for round in 0..30_u32 {
            let new = |_| {
                let which = u16::from(random.uniform() < 0.5);
                let body = Body::at(TemplateId(which), random.direction()).moving(random.direction());
                Body {
                    held: random.uniform() < 0.2,
                    ..body.scaled(random.between(0.5, 2.0)).made_of(MaterialId(which))
                }
            };
            let new: Vec<Body> = (0..9).map(new).collect();
            bodies.check_room(&new).unwrap();
            bodies.append(&mut sums, &new, |material| 1000.0 + f64::from(material));
            if round == 0 {
                bodies.memory.resize(9);
                Column::resize(&mut bodies.prescribed, 9);
            }
            for row in bodies.len() - 9..bodies.len() {
                let mut number = || random.between(-1.0, 1.0);
                bodies.memory.set_row(row, core::array::from_fn(|_| number()));
                bodies.prescribed[row].torque[1] = number();
                sums.acting[row].force[2] = number();
                sums.books.row_mut(row)[3] = number();
                bodies.at_force[row].q[1] = number();
                bodies.built[row].position[0] = number();
                known.push((bodies.id[row], of_row(&bodies, &sums, row)));
            }
            let mut order: Vec<u32> = (0..index32(bodies.len())).collect();
            order.sort_by_cached_key(|_| random.bits());
            order.truncate(25);
            bodies.permute(&mut sums, &order, &Threads::ONE);
            assert!(bodies.columns(&mut sums).all(|column| column.rows() == order.len()));
            known.retain(|(id, _)| bodies.row(BodyId(*id)).is_some());
            assert_eq!(known.len(), order.len());
            for (id, before) in &known {
                let row = bodies.row(BodyId(*id)).unwrap();
                assert_eq!(of_row(&bodies, &sums, row), *before, "body {id}");
                let spheres = bodies.sphere_range(row);
                assert_eq!(spheres.len(), bodies.shapes.of(bodies.template[row]).len());
                assert!(spheres.into_iter().all(|sphere| bodies.owner[sphere] as usize == row));
            }
        }
    }
}
