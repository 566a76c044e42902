//! The bodies of a running simulation: one row per rigid body, one column per component.
//!
//! Rows may be reordered for the cache; a body's id stays. Everything that has a direction in a pair of
//! bodies (which one is first, the sign of a spring) goes by ids, so that reordering changes no physics.

use crate::clump::ClumpTemplate;
use crate::columns::Columns;
use crate::kind::{Kind, Kinds, Recipe};
use crate::world::{Body, BodyId};
use std::sync::Arc;
use tumble_math::elementary::cbrt;
use tumble_math::{BodyVec, LabVec, Quat};

/// What the books of a body have room for; see [`Book`].
pub(crate) const BOOKS: usize = 10;

/// The columns of `Bodies::books`: energy lost or gained since the start, J.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Book {
    NormalDamping,
    TangentialDamping,
    Sliding,
    Rolling,
    RollingDamping,
    Separation,
    Drag,
    WallWork,
    FieldWork,
    HandWork,
}

/// Force and torque about the centre of mass, in the lab frame.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Load {
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
}

/// A body as contact laws and fields see it, at the instant of the force evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)]
pub(crate) struct Seen {
    pub(crate) position: [f64; 3],
    pub(crate) velocity: [f64; 3],
    /// In the lab frame.
    pub(crate) omega: [f64; 3],
    pub(crate) q: [f64; 4],
}

/// Spheres of all templates, one after the other: centre in the body frame, radius.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    pub(crate) templates: Vec<Arc<ClumpTemplate>>,
    pub(crate) spheres: Vec<[f64; 4]>,
    /// Where the spheres of each template begin; one more than there are templates.
    pub(crate) first: Vec<u32>,
    /// Radius of the sphere of each template's volume.
    pub(crate) equivalent_radii: Vec<f64>,
}

impl Shapes {
    pub(crate) fn new(templates: &[Arc<ClumpTemplate>]) -> Self {
        let radius = |volume: f64| cbrt(volume * 3.0 / (4.0 * core::f64::consts::PI));
        let mut shapes = Self {
            templates: templates.to_vec(),
            spheres: Vec::new(),
            first: vec![0],
            equivalent_radii: templates.iter().map(|template| radius(template.volume())).collect(),
        };
        for template in templates {
            shapes.spheres.extend(template.spheres().iter().map(|sphere| {
                let [x, y, z] = sphere.centre.to_array();
                [x, y, z, sphere.radius]
            }));
            shapes.first.push(u32::try_from(shapes.spheres.len()).unwrap_or(u32::MAX));
        }
        shapes
    }

    pub(crate) fn of(&self, template: u16) -> &[[f64; 4]] {
        let template = usize::from(template);
        &self.spheres[self.first[template] as usize..self.first[template + 1] as usize]
    }
}

fn reorder<T: Copy>(values: &mut Vec<T>, order: &[u32]) {
    *values = order.iter().map(|&row| values[row as usize]).collect();
}

#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub(crate) shapes: Shapes,
    // The state, at the instants of the scheme's time level.
    pub(crate) position: Columns<3>,
    pub(crate) velocity: Columns<3>,
    pub(crate) q: Columns<4>,
    pub(crate) omega: Columns<3>,
    /// What the rotation scheme remembers; no rows if it remembers nothing.
    pub(crate) memory: Columns<14>,
    /// What acts on them now.
    pub(crate) acting: Vec<Load>,
    // What they are.
    pub(crate) kinds: Kinds,
    /// Which kind each row is.
    pub(crate) kind: Vec<u32>,
    /// What they lost and gained since the start; see [`Book`].
    pub(crate) books: Vec<[f64; BOOKS]>,
    pub(crate) id: Vec<u32>,
    pub(crate) template: Vec<u16>,
    pub(crate) material: Vec<u16>,
    pub(crate) scale: Vec<f64>,
    pub(crate) held: Vec<bool>,
    /// Radius of the ball about the centre of mass that holds the body.
    pub(crate) bounding: Vec<f64>,
    /// Rows whose state is that of the present instant, not that of the scheme's time level before the
    /// torque: all at the start, later those just added or moved by hand.
    pub(crate) fresh: Vec<bool>,
    /// Filled at each force evaluation.
    pub(crate) seen: Vec<Seen>,
    /// Position and orientation when the neighbour lists were built.
    pub(crate) built: Vec<[f64; 7]>,
    /// Where the spheres of each row begin; one more than there are rows.
    pub(crate) first_sphere: Vec<u32>,
    /// Placed spheres: centre in the lab, radius. Only those in the neighbour lists are up to date.
    pub(crate) spheres: Vec<[f64; 4]>,
    /// The row of the body that each sphere belongs to.
    pub(crate) owner: Vec<u32>,
    /// Mean radius of all spheres.
    pub(crate) mean_radius: f64,
    /// Radius of the smallest one; infinite if there is none.
    pub(crate) smallest_radius: f64,
    /// The row of each id, or `u32::MAX` if the body was removed.
    pub(crate) row_of: Vec<u32>,
}

impl Bodies {
    pub(crate) fn new(shapes: Shapes) -> Self {
        Self {
            shapes,
            position: Columns::new(),
            velocity: Columns::new(),
            q: Columns::new(),
            omega: Columns::new(),
            memory: Columns::new(),
            acting: Vec::new(),
            kinds: Kinds::new(),
            kind: Vec::new(),
            books: Vec::new(),
            id: Vec::new(),
            template: Vec::new(),
            material: Vec::new(),
            scale: Vec::new(),
            held: Vec::new(),
            bounding: Vec::new(),
            fresh: Vec::new(),
            seen: Vec::new(),
            built: Vec::new(),
            first_sphere: vec![0],
            spheres: Vec::new(),
            owner: Vec::new(),
            mean_radius: 0.0,
            smallest_radius: f64::INFINITY,
            row_of: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.id.len()
    }

    /// Appends bodies that have been checked. Positions, velocities and spins are those of one instant.
    pub(crate) fn append(&mut self, bodies: &[Body], densities: impl Fn(u16) -> f64) {
        let old = self.len();
        let rows = old + bodies.len();
        for columns in self.vectors() {
            columns.resize(rows);
        }
        self.q.resize(rows);
        if self.memory.rows() > 0 {
            self.memory.resize(rows);
        }
        for (row, body) in (old..).zip(bodies) {
            let recipe = Recipe {
                template: body.template.0,
                material: body.material,
                scale: body.scale,
                held: body.held,
            };
            let template = &self.shapes.templates[usize::from(body.template.0)];
            let kind = self.kinds.number(recipe, || Kind::new(recipe, template, densities(body.material)));
            self.position.set_row(row, body.position.to_array());
            self.velocity.set_row(row, body.velocity.to_array());
            self.q.set_row(row, body.orientation.to_array());
            self.omega.set_row(row, body.orientation.to_body(body.angular_velocity).to_array());
            self.kind.push(kind);
            self.id.push(u32::try_from(self.row_of.len()).unwrap_or(u32::MAX));
            self.row_of.push(u32::try_from(row).unwrap_or(u32::MAX));
            self.template.push(body.template.0);
            self.material.push(body.material);
            self.scale.push(body.scale);
            self.held.push(body.held);
            self.bounding.push(self.kinds.kind(kind).bounding);
            self.fresh.push(true);
            self.acting.push(Load::default());
            self.books.push([0.0; BOOKS]);
            self.seen.push(Seen::default());
            self.built.push([0.0; 7]);
        }
        self.lay_out_spheres();
    }

    /// All tables of three columns.
    fn vectors(&mut self) -> [&mut Columns<3>; 3] {
        [&mut self.position, &mut self.velocity, &mut self.omega]
    }

    /// Keeps the rows of `order`, in that order.
    pub(crate) fn permute(&mut self, order: &[u32]) {
        for columns in self.vectors() {
            columns.permute(order);
        }
        self.q.permute(order);
        if self.memory.rows() > 0 {
            self.memory.permute(order);
        }
        reorder(&mut self.id, order);
        reorder(&mut self.kind, order);
        reorder(&mut self.template, order);
        reorder(&mut self.material, order);
        reorder(&mut self.scale, order);
        reorder(&mut self.held, order);
        reorder(&mut self.bounding, order);
        reorder(&mut self.fresh, order);
        reorder(&mut self.acting, order);
        reorder(&mut self.books, order);
        reorder(&mut self.seen, order);
        reorder(&mut self.built, order);
        self.row_of.fill(u32::MAX);
        for (row, &id) in (0..).zip(&self.id) {
            self.row_of[id as usize] = row;
        }
        self.lay_out_spheres();
    }

    pub(crate) fn row(&self, id: BodyId) -> Option<usize> {
        self.row_of.get(id.0 as usize).filter(|&&row| row != u32::MAX).map(|&row| row as usize)
    }

    pub(crate) fn sphere_range(&self, row: usize) -> core::ops::Range<usize> {
        self.first_sphere[row] as usize..self.first_sphere[row + 1] as usize
    }

    /// What a body has in common with its like.
    #[inline(always)]
    pub(crate) fn kind(&self, row: usize) -> &Kind {
        self.kinds.kind(self.kind[row])
    }

    /// Remembers where bodies are now that the lists are built.
    pub(crate) fn note_built(&mut self, staggered: bool) {
        for row in 0..self.len() {
            let (position, q) = self.shown_pose(row, staggered);
            let ([x, y, z], [a, b, c, d]) = (position.to_array(), q.to_array());
            self.built[row] = [x, y, z, a, b, c, d];
        }
    }

    /// Puts bodies where they were then. Everything else stays.
    pub(crate) fn show_as_built(&mut self) {
        for row in 0..self.len() {
            let [x, y, z, a, b, c, d] = self.built[row];
            self.position.set_row(row, [x, y, z]);
            self.q.set_row(row, [a, b, c, d]);
            self.seen[row].q = [a, b, c, d];
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
    pub(crate) fn glimpse(&self, row: usize) -> Seen {
        let (position, q) = self.pose(row);
        Seen {
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
        (position, if staggered { Quat::from_array(self.seen[row].q) } else { q })
    }

    /// Radius of the sphere of the body's volume.
    pub(crate) fn equivalent_radius(&self, row: usize) -> f64 {
        self.shapes.equivalent_radii[usize::from(self.template[row])] * self.scale[row]
    }

    pub(crate) fn lay_out_spheres(&mut self) {
        self.first_sphere.clear();
        self.first_sphere.push(0);
        self.owner.clear();
        for (row, &template) in (0..).zip(&self.template) {
            let spheres = self.shapes.of(template).len();
            self.owner.extend(core::iter::repeat_n(row, spheres));
            self.first_sphere.push(u32::try_from(self.owner.len()).unwrap_or(u32::MAX));
        }
        self.spheres.clear();
        self.spheres.resize(self.owner.len(), [0.0; 4]);
        let radii = self.template.iter().zip(&self.scale).flat_map(|(&template, scale)| {
            self.shapes.of(template).iter().map(move |sphere| sphere[3] * scale)
        });
        let (sum, smallest) =
            radii.fold((0.0, f64::INFINITY), |(sum, least), radius: f64| (sum + radius, least.min(radius)));
        self.mean_radius = sum / self.owner.len().max(1) as f64;
        self.smallest_radius = smallest;
    }
}
