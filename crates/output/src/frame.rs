//! What is drawn: a [`Model`] of what stays, and [`Frame`]s of what moves.

use crate::surface::Surface;
use std::sync::Arc;
use tumble_dem::clump::{ClumpTemplate, TemplateHull, TemplateSphere};
use tumble_dem::domain::Domain;
use tumble_dem::wall::Pose;
use tumble_dem::{BodyState, ContactState, LabVec, Solver, SurfaceState, World};

/// What does not change during a run. It depends on the scene alone, so that a resumed run draws the same.
#[derive(Clone, Debug)]
pub struct Model {
    /// What the run is called.
    pub title: String,
    /// Shapes of bodies, by the numbers of templates.
    pub templates: Vec<Arc<ClumpTemplate>>,
    /// Names of materials, by their numbers.
    pub materials: Vec<String>,
    /// Their densities, kg/m³.
    pub densities: Vec<f64>,
    /// Walls.
    pub walls: Vec<Surface>,
    /// The space at the start; which axes are periodic.
    pub domain: Domain,
    /// Whether there are temperatures.
    pub heat: bool,
    /// Whether bodies have films of liquid.
    pub liquid: bool,
}

impl Model {
    /// The model of a world as it is put into the engine.
    pub fn of(world: &World, title: &str) -> Arc<Self> {
        Arc::new(Self {
            title: title.to_owned(),
            templates: world.templates.clone(),
            materials: world.materials.as_slice().iter().map(|material| material.name.clone()).collect(),
            densities: world.materials.as_slice().iter().map(|material| material.density).collect(),
            walls: Surface::all(world),
            domain: world.domain,
            heat: world.heat.is_some(),
            liquid: world.liquid.is_some(),
        })
    }

    /// Where a wall is in a frame. One that the frame does not tell of is where the scene has it.
    pub(crate) fn pose(&self, wall: usize, frame: &Frame) -> Pose {
        frame.walls.get(wall).copied().unwrap_or_else(|| self.walls[wall].motion.at(frame.time))
    }

    /// Whether all walls are where they were drawn, and stay there unless somebody drives them.
    pub(crate) fn is_still(&self, frame: &Frame) -> bool {
        let still = |(number, wall): (usize, &Surface)| {
            wall.motion.is_static() && self.pose(number, frame) == Pose::reference()
        };
        self.walls.iter().enumerate().all(still)
    }

    /// Number of spheres of bodies.
    pub(crate) fn sphere_count(&self, bodies: &[BodyState]) -> usize {
        bodies.iter().map(|body| touching(&self.templates[usize::from(body.template)]).len()).sum()
    }

    /// The spheres of a body and the ends of its capsules, but not the points of ellipsoids and polyhedra: the arm from the body's centre to the sphere's, in the lab, and the radius, m.
    pub(crate) fn spheres(&self, body: &BodyState) -> impl Iterator<Item = (LabVec<f64>, f64)> {
        let (q, scale) = (body.orientation, body.scale);
        let template = &self.templates[usize::from(body.template)];
        touching(template).iter().map(move |sphere| (q.to_lab(sphere.centre * scale), sphere.radius * scale))
    }

    /// The ends of the capsules of a body, as arms from its centre in the lab, and their radii, m.
    pub(crate) fn capsules(&self, body: &BodyState) -> impl Iterator<Item = ([LabVec<f64>; 2], f64)> {
        let (q, scale) = (body.orientation, body.scale);
        let template = &self.templates[usize::from(body.template)];
        template.capsules().map(move |ends| {
            let [first, second] = ends.map(|end| template.spheres()[end]);
            let arms = [first, second].map(|sphere| q.to_lab(sphere.centre * scale));
            (arms, first.radius * scale)
        })
    }

    /// The ellipsoids of a body: the arm from the body's centre to theirs, in the lab, and the semi-axes, m.
    pub(crate) fn ellipsoids(
        &self,
        body: &BodyState,
    ) -> impl Iterator<Item = (LabVec<f64>, [LabVec<f64>; 3])> {
        let (q, scale) = (body.orientation, body.scale);
        let template = &self.templates[usize::from(body.template)];
        template.ellipsoids().map(move |points| {
            let [centre, a, b, c] = points.map(|point| q.to_lab(template.spheres()[point].centre * scale));
            (centre, [a - centre, b - centre, c - centre])
        })
    }

    /// The polyhedra of a body: where their corners are, as arms from its centre in the lab, and the rounding, m.
    pub(crate) fn polyhedra<'a>(
        &'a self,
        body: &BodyState,
    ) -> impl Iterator<Item = (&'a TemplateHull, impl Fn(u32) -> LabVec<f64> + 'a, f64)> {
        let (q, scale) = (body.orientation, body.scale);
        let template = &self.templates[usize::from(body.template)];
        template.hulls().iter().map(move |hull| {
            let place = move |corner: u32| q.to_lab(template.spheres()[corner as usize].centre * scale);
            (hull, place, template.spheres()[hull.core() as usize].radius * scale)
        })
    }

    /// Whether any body can have a polyhedron.
    pub fn has_polyhedra(&self) -> bool {
        self.templates.iter().any(|template| !template.hulls().is_empty())
    }

    /// Whether any body can have an ellipsoid.
    pub fn has_ellipsoids(&self) -> bool {
        self.templates.iter().any(|template| template.ellipsoids().len() > 0)
    }

    /// Whether any body can have a capsule.
    pub fn has_capsules(&self) -> bool {
        self.templates.iter().any(|template| template.capsules().len() > 0)
    }
}

/// The spheres of a template and the ends of its capsules, which come first.
fn touching(template: &ClumpTemplate) -> &[TemplateSphere] {
    &template.spheres()[..template.round_pieces() + 2 * template.capsules().len()]
}

/// One instant, as plain numbers that need the engine no more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Steps since the start.
    pub step: u64,
    /// s
    pub time: f64,
    /// All bodies, by number.
    pub bodies: Vec<BodyState>,
    /// All contacts; empty if they were not asked for.
    pub contacts: Vec<ContactState>,
    /// What bears on triangles of mesh walls; empty if nobody asked for it.
    pub surfaces: Vec<SurfaceState>,
    /// The space, which may deform.
    pub domain: Domain,
    /// Where the walls are, by number. A program may drive a wall elsewhere than the scene says.
    pub walls: Vec<Pose>,
}

impl Frame {
    /// Copies the present instant, into the room that the frame has already.
    pub fn take(&mut self, engine: &dyn Solver, contacts: bool) {
        self.step = engine.steps();
        self.time = engine.time();
        engine.bodies_into(&mut self.bodies);
        let scenery = engine.scenery();
        (self.domain, self.walls) = (scenery.domain, scenery.poses);
        self.surfaces = engine.surfaces();
        if contacts {
            engine.contacts_into(&mut self.contacts);
        } else {
            self.contacts.clear();
        }
    }

    /// The body of this number.
    pub(crate) fn body(&self, id: tumble_dem::BodyId) -> Option<&BodyState> {
        // Without removals each is at the place of its number.
        let at_place = self.bodies.get(id.0 as usize).filter(|body| body.id == id);
        at_place.or_else(|| {
            let found = self.bodies.binary_search_by_key(&id, |body| body.id);
            found.ok().map(|place| &self.bodies[place])
        })
    }
}

/// Something that frames are written to.
pub trait FrameSink: Send {
    /// Writes a frame; later than those before.
    fn write(&mut self, frame: &Frame) -> Result<(), crate::Error>;

    /// Makes everything written so far survive a power cut.
    fn sync(&mut self) -> Result<(), crate::Error>;

    /// What is written so far, by files: for a checkpoint, which is believed only while they are as they were.
    fn marks(&self) -> Vec<crate::Mark> {
        Vec::new()
    }
}
