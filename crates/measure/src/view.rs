//! An instant of a run, as measures see it.

use core::cell::OnceCell;
use tumble_dem::clump::TemplateSphere;
use tumble_dem::heat::HEAT_CAPACITY;
use tumble_dem::membrane::MembraneReport;
use tumble_dem::{
    BodyId, BodyState, CellReport, ContactState, LabVec, LiquidReport, Scenery, Solver, Touching, WallReport,
};
use tumble_math::elementary::cbrt;

/// An instant of a run. What is large is fetched from the engine when the first measure looks at it.
#[derive(Debug)]
pub struct View<'a> {
    solver: &'a dyn Solver,
    scenery: OnceCell<Scenery<'a>>,
    bodies: OnceCell<Vec<BodyState>>,
    contacts: OnceCell<Vec<ContactState>>,
    walls: OnceCell<Vec<WallReport>>,
}

/// A contact as one of its bodies feels it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side<'v> {
    /// The body.
    pub body: &'v BodyState,
    /// What it touches.
    pub with: Touching,
    /// From its centre of mass to the point of contact, m.
    pub arm: LabVec<f64>,
    /// Force on it, N.
    pub force: LabVec<f64>,
    /// Couple on it beside the torque of the force, N m.
    pub couple: LabVec<f64>,
    /// The unit vector from what it touches to it, along which a compressed contact pushes.
    pub normal: LabVec<f64>,
}

/// A ball that stands for a part of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// m
    pub centre: LabVec<f64>,
    /// m
    pub radius: f64,
    /// Volumes of the ball that it stands for.
    pub weight: f64,
}

/// The balls of a row stand so many radii apart, at most.
const SPACING: f64 = 0.5;
/// More of them show no more.
const MOST_IN_ROW: f64 = 1000.0;

/// Balls about points of a segment, from end to end, with the volume of the capsule between them: that of the cylinder in equal parts, by
/// halves at the ends as in the trapezoid rule, and there half a ball each as well. So the volume along the axis is right between the
/// ends and at them. A segment without length is one ball.
fn row_of_balls([first, second]: [LabVec<f64>; 2], radius: f64) -> impl Iterator<Item = Ball> {
    let between = second - first;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and small")]
    let parts = (between.norm() / (SPACING * radius)).ceil().min(MOST_IN_ROW) as u32;
    let part = 1.0 / f64::from(parts.max(1));
    // In volumes of the ball: πr²L / (4/3 πr³).
    let of_cylinder = 0.75 * between.norm() / radius * part;
    (0..=parts).map(move |number| {
        // One that is both ends is a whole ball.
        let ends = 0.5 * f64::from(u8::from(number == 0) + u8::from(number == parts));
        let weight = of_cylinder * (1.0 - ends) + ends;
        Ball { centre: first + between * (f64::from(number) * part), radius, weight }
    })
}

/// Points on each semi-axis of the grid of balls that stand for an ellipsoid.
const ON_AXIS: [f64; 7] = [-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9];

/// Balls on a grid in an ellipsoid, which have its volume in equal parts. They stick out of it by less than they are apart.
fn cloud_of_balls(centre: LabVec<f64>, axes: [LabVec<f64>; 3]) -> impl Iterator<Item = Ball> {
    let lengths = axes.map(LabVec::norm);
    let shortest = lengths.into_iter().fold(f64::INFINITY, f64::min);
    let radius = 0.15 * shortest;
    let grid =
        ON_AXIS.into_iter().flat_map(|x| ON_AXIS.into_iter().flat_map(move |y| ON_AXIS.map(|z| [x, y, z])));
    let within: Vec<[f64; 3]> = grid.filter(|[x, y, z]| x * x + y * y + z * z < 1.0).collect();
    let weight = lengths[0] * lengths[1] * lengths[2] / (radius * radius * radius) / within.len() as f64;
    within.into_iter().map(move |[x, y, z]| {
        let centre = centre + axes[0] * x + axes[1] * y + axes[2] * z;
        Ball { centre, radius, weight }
    })
}

impl<'a> View<'a> {
    /// The present instant of an engine.
    pub fn of(solver: &'a dyn Solver) -> Self {
        Self {
            solver,
            scenery: OnceCell::new(),
            bodies: OnceCell::new(),
            contacts: OnceCell::new(),
            walls: OnceCell::new(),
        }
    }

    /// Steps since the start.
    pub fn step(&self) -> u64 {
        self.solver.steps()
    }

    /// s
    pub fn time(&self) -> f64 {
        self.solver.time()
    }

    /// The time step, s.
    pub fn dt(&self) -> f64 {
        self.solver.settings().dt
    }

    /// What is around the bodies.
    pub fn scenery(&self) -> &Scenery<'a> {
        self.scenery.get_or_init(|| self.solver.scenery())
    }

    /// All bodies, by number.
    pub fn bodies(&self) -> &[BodyState] {
        self.bodies.get_or_init(|| self.solver.bodies())
    }

    /// All contacts.
    pub fn contacts(&self) -> &[ContactState] {
        self.contacts.get_or_init(|| self.solver.contacts())
    }

    /// What each wall feels.
    pub fn walls(&self) -> &[WallReport] {
        self.walls.get_or_init(|| self.solver.walls())
    }

    /// The periodic cell, if it deforms.
    pub fn cell(&self) -> Option<CellReport> {
        self.solver.cell()
    }

    /// Nets of bodies that a pressure pushes.
    pub fn membranes(&self) -> Vec<MembraneReport> {
        self.solver.membranes()
    }

    /// Where the liquid is, in a world with films.
    pub fn liquid(&self) -> Option<LiquidReport> {
        self.solver.liquid()
    }

    /// The place of a body in the list of all.
    pub fn place(&self, id: BodyId) -> Option<usize> {
        let bodies = self.bodies();
        // Without removals each is at the place of its number.
        if bodies.get(id.index()).is_some_and(|body| body.id == id) {
            return Some(id.index());
        }
        bodies.binary_search_by_key(&id, |body| body.id).ok()
    }

    /// The volume of a body, m³.
    pub fn volume(&self, body: &BodyState) -> f64 {
        let template = &self.scenery().templates[body.template.index()];
        body.scale * body.scale * body.scale * template.volume()
    }

    /// What a body takes up to be warmer by a kelvin, J/K; none if its material does not say.
    pub fn heat_capacity(&self, body: &BodyState) -> Option<f64> {
        let material = &self.scenery().materials.as_slice()[body.material.index()];
        Some(body.mass * material.get(&HEAT_CAPACITY)?)
    }

    /// The diameter of the sphere of the same volume, m.
    pub fn diameter(&self, body: &BodyState) -> f64 {
        cbrt(self.volume(body) * (6.0 / core::f64::consts::PI))
    }

    /// Balls in the place of the pieces of a body: centre and radius, m, and what each stands for, m³. Spheres are what they are; a capsule
    /// is a row of balls along its core that have its volume together, an ellipsoid a cloud of them; a polyhedron a cloud as well, and those at
    /// its corners, which stand for no volume.
    pub fn balls<'v>(&'v self, body: &'v BodyState) -> impl Iterator<Item = Ball> + 'v {
        let template = &self.scenery().templates[body.template.index()];
        let placed = move |number: usize| {
            let sphere = template.spheres()[number];
            let arm = body.orientation.to_lab(sphere.centre * body.scale);
            (body.position + arm, sphere.radius * body.scale)
        };
        let rows = template.pieces().flat_map(move |ends| {
            let [(first, radius), (second, _)] = ends.map(placed);
            row_of_balls([first, second], radius)
        });
        let clouds = template.ellipsoids().flat_map(move |points| {
            let [centre, a, b, c] = points.map(|point| placed(point).0);
            cloud_of_balls(centre, [a - centre, b - centre, c - centre])
        });
        let polyhedra = template.hulls().iter().flat_map(move |hull| {
            let ball = move |sphere: &TemplateSphere, weight: f64| {
                let arm = body.orientation.to_lab(sphere.centre * body.scale);
                Ball { centre: body.position + arm, radius: sphere.radius * body.scale, weight }
            };
            let part = hull.volume() / hull.cloud().len() as f64;
            let cloud = hull.cloud().iter().map(move |sphere| {
                let radius = sphere.radius;
                ball(sphere, part / (4.0 / 3.0 * core::f64::consts::PI * radius * radius * radius))
            });
            let corners = hull.corners().map(move |corner| ball(&template.spheres()[corner as usize], 0.0));
            cloud.chain(corners)
        });
        rows.chain(clouds).chain(polyhedra)
    }

    /// The centre of the sphere by which a body touches at a point.
    fn touching_centre(
        &self,
        body: &BodyState,
        sphere: u32,
        with: Touching,
        point: LabVec<f64>,
    ) -> LabVec<f64> {
        let Scenery { templates, domain, .. } = self.scenery();
        // Of the images of the point that by the body.
        let near = body.position + domain.nearest(body.position, point);
        let centre = body.touching_centre(&templates[body.template.index()], sphere, with, near);
        centre.unwrap_or(body.position)
    }

    /// A contact as its bodies feel it: one of them, or both.
    pub fn sides<'v>(&'v self, contact: &ContactState) -> impl Iterator<Item = Side<'v>> + 'v {
        let domain = self.scenery().domain;
        let body = self.place(contact.body.0).map(|place| &self.bodies()[place]);
        let other = match contact.with {
            Touching::Body(id, sphere) => self.place(id).map(|place| (&self.bodies()[place], sphere)),
            Touching::Wall(_) => None,
        };
        let contact = *contact;
        let normal = body.map_or_else(LabVec::zero, |body| {
            let centre = self.touching_centre(body, contact.body.1, contact.with, contact.point);
            // The point of contact lies on the line of the two centres, and below a sphere on a wall.
            let from = other.map_or(contact.point, |(other, sphere)| {
                self.touching_centre(other, sphere, contact.with, contact.point)
            });
            domain.nearest(from, centre).unit()
        });
        let side = move |body: &'v BodyState, with, sign: f64| Side {
            body,
            with,
            arm: domain.nearest(body.position, contact.point),
            force: contact.force * sign,
            couple: contact.couple * sign,
            normal: normal * sign,
        };
        let first = body.map(|body| side(body, contact.with, 1.0));
        let (id, sphere) = contact.body;
        let second = other.map(|(body, _)| side(body, Touching::Body(id, sphere), -1.0));
        first.into_iter().chain(second)
    }
}
