//! Bodies that come in during a run: at a rate, through a region, never where something is.
//!
//! A [`Stream`] is asked now and then which bodies are [`due`](Stream::due); what it gives is put into the
//! engine. Bodies that find no room wait and come later, in their order. What a body is like depends on the
//! seed and its number alone; all else that a stream remembers is its [`StreamState`], which a checkpoint has
//! to keep for a run to go on with the same bits.

mod inlet;
mod state;

pub use inlet::{Inlet, Rate};
pub use state::{StreamState, StreamStateError};

use super::error::PlacementError;
use super::region::Region;
use super::room::{Bounds, Outline, Room, largest_covering};
use crate::clump::ClumpTemplate;
use crate::id::TemplateId;
use crate::random::Random;
use crate::report::BodyState;
use crate::solver::{Scenery, Solver};
use crate::world::{Body, World};

/// An inlet in use.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::material::{Material, PairProperties};
/// use tumble_dem::placement::{Choice, Inlet, Rate, Stream};
/// use tumble_dem::{Engine, LabVec, Settings, World};
/// let mut world = World::default();
/// world.materials.add(Material::new("glass", 2500.0, 1e7, 0.2))?;
/// world.materials.set_default(PairProperties::default());
/// world.gravity = LabVec::new(0.0, 0.0, -9.81);
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.005)?)?;
/// let (low, high) = (LabVec::zero(), LabVec::new(0.1, 0.1, 0.02));
/// let inlet = Inlet { rate: Rate::Bodies(500.0), ..Inlet::new(Choice::of(ball), low, high) };
/// let mut stream = Stream::new(inlet, &world, 1)?;
/// let mut engine = Engine::new(world, Settings::new(1e-5))?;
/// for _ in 0..10 {
///     let due = stream.due(engine.time(), &engine);
///     engine.add_bodies(&due)?;
///     engine.advance(100)?;
/// }
/// assert_eq!(engine.body_count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    inlet: Inlet,
    seed: u64,
    state: StreamState,
    /// The mass of a body of each template in full size, and of a body of the stream on average, kg.
    masses: Vec<f64>,
    mean_mass: f64,
}

/// Tries to place a body before it and all after it have to wait.
const ATTEMPTS: u32 = 300;
/// However many wait, cells are made for no more than this.
const MOST_EXPECTED: usize = 100_000;
/// Beyond so many, bodies that wait are not counted one by one where that depends on their masses.
const MOST_COUNTED: u64 = 1000;

impl Stream {
    /// A stream at its start, for a world with its templates and materials; the seed belongs to this stream alone.
    pub fn new(inlet: Inlet, world: &World, seed: u64) -> Result<Self, PlacementError> {
        inlet.check(&world.templates, seed)?;
        let density = world.materials.as_slice().get(inlet.choice.material.index());
        let density = density.map_or(f64::NAN, |material| material.density);
        if !density.is_finite() && inlet.goes_by_mass() {
            return Err(PlacementError::Invalid {
                what: "density of the bodies of a stream by mass",
                value: "unknown".into(),
                expected: "a material of the world",
            });
        }
        let shapes: Vec<&ClumpTemplate> = world.templates.iter().map(AsRef::as_ref).collect();
        let masses = shapes.iter().map(|shape| shape.mass(density, 1.0)).collect();
        let mean_mass = density * inlet.choice.mean_volume(&shapes);
        let state = StreamState { inserted: 0, mass: 0.0, random: Random::numbered(seed, u64::MAX).state() };
        Ok(Self { inlet, seed, state, masses, mean_mass })
    }

    /// The same stream, so much later, s.
    #[must_use]
    pub fn later(mut self, by: f64) -> Self {
        self.inlet.start += by;
        self.inlet.stop += by;
        self
    }

    /// What comes in, where, when.
    pub fn inlet(&self) -> &Inlet {
        &self.inlet
    }

    /// All that changes with time.
    pub fn state(&self) -> StreamState {
        self.state
    }

    /// Goes on from a state that a stream of the same inlet and seed had.
    pub fn restore(&mut self, state: StreamState) {
        self.state = state;
    }

    /// How many bodies came in so far.
    pub fn inserted(&self) -> u64 {
        self.state.inserted
    }

    /// Their mass, kg.
    pub fn inserted_mass(&self) -> f64 {
        self.state.mass
    }

    /// The mass of a body on average, kg.
    pub fn mean_mass(&self) -> f64 {
        self.mean_mass
    }

    /// How many bodies will have come at a time (s) if all find room: of a stream by mass, on average.
    pub fn expected(&self, time: f64) -> f64 {
        let by_rate = match self.inlet.rate {
            Rate::Bodies(_) => self.inlet.due_until(time) as f64,
            Rate::Mass(_) => {
                let count = self.inlet.count.map_or(f64::INFINITY, |count| count as f64);
                (self.inlet.mass_until(time) / self.mean_mass).min(count)
            }
        };
        self.inlet.mass.map_or(by_rate, |mass| by_rate.min(mass / self.mean_mass))
    }

    /// How many are due at a time (s) but have not found room yet; more than a thousand of a stream by mass are told
    /// by what bodies weigh on average.
    pub fn waiting(&self, time: f64) -> u64 {
        if !self.inlet.goes_by_mass() {
            return self.inlet.due_until(time).saturating_sub(self.state.inserted);
        }
        let (mut state, mut count) = (self.state, 0);
        while count < MOST_COUNTED {
            let mass = self.mass(&self.body(state.inserted));
            if !self.is_due(&state, mass, time) {
                return count;
            }
            (state.inserted, state.mass, count) = (state.inserted + 1, state.mass + mass, count + 1);
        }
        let rest = self.expected(time) - self.state.inserted as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        count.max(rest.max(0.0) as u64)
    }

    /// Whether no more will come after this time (s).
    pub fn is_over(&self, time: f64) -> bool {
        let mass = self.mass(&self.body(self.state.inserted));
        let never = !self.is_due(&self.state, mass, f64::MAX);
        never || (time >= self.inlet.stop && self.waiting(time) == 0)
    }

    /// The bodies that come in at a time (s): the present one of an engine, into which they have to be put
    /// before it moves on.
    ///
    /// None overlaps a body or wall of the engine, or another of them. A body that finds no room after some
    /// tries waits for the next call, and so do all after it. Of several streams, put in what is due of one
    /// before the next is asked.
    pub fn due(&mut self, time: f64, engine: &dyn Solver) -> Vec<Body> {
        let waiting = self.waiting(time);
        if waiting == 0 {
            return Vec::new();
        }
        let scenery = engine.scenery();
        let mut room = self.room(engine, &scenery, waiting);
        let mut random = Random::from_state(self.state.random);
        let (mut bodies, mut outline) = (Vec::new(), Outline::new());
        'bodies: loop {
            let mut body = self.body(self.state.inserted);
            let mass = self.mass(&body);
            if !self.is_due(&self.state, mass, time) {
                break;
            }
            for _ in 0..ATTEMPTS {
                room.outline(&body, &mut outline);
                let place = room.draw_place(&outline, &mut random);
                if let Some(position) = place.filter(|&place| room.is_free(place, &outline)) {
                    room.settle(position, &outline, u32::MAX);
                    bodies.push(Body { position: scenery.domain.wrap(position), ..body });
                    self.state.inserted += 1;
                    self.state.mass += mass;
                    continue 'bodies;
                }
                body.orientation = self.inlet.choice.orientation.draw(&mut random);
            }
            break;
        }
        self.state.random = random.state();
        bodies
    }

    /// What the body of a number is like, counted from zero; it is at the origin.
    pub fn body(&self, number: u64) -> Body {
        self.inlet.choice.draw(&mut Random::numbered(self.seed, number))
    }

    /// kg; of a body of unknown material, nothing.
    fn mass(&self, body: &Body) -> f64 {
        let TemplateId(number) = body.template;
        let full = self.masses.get(usize::from(number)).copied().unwrap_or_default();
        let mass = full * (body.scale * body.scale * body.scale);
        if mass.is_finite() { mass } else { 0.0 }
    }

    /// Whether the next body, of this mass, is due at a time, after what came so far.
    fn is_due(&self, state: &StreamState, mass: f64, time: f64) -> bool {
        // The last one brings the total as near as can be to what was asked for.
        if self.inlet.mass.is_some_and(|total| state.mass + 0.5 * mass > total) {
            return false;
        }
        match self.inlet.rate {
            Rate::Bodies(_) => state.inserted < self.inlet.due_until(time),
            Rate::Mass(_) => {
                self.inlet.count.is_none_or(|count| state.inserted < count)
                    && self.inlet.is_mass_due(state.mass, time)
            }
        }
    }

    /// The region of the inlet, with the walls and bodies of an engine in and around it.
    fn room<'e>(&self, engine: &dyn Solver, scenery: &'e Scenery<'_>, waiting: u64) -> Room<'e> {
        let Inlet { ref region, gap, ref choice, .. } = self.inlet;
        let shapes: Vec<&ClumpTemplate> = scenery.templates.iter().map(AsRef::as_ref).collect();
        let walls = scenery.walls.iter().zip(scenery.poses.iter().copied()).collect();
        let largest = choice.largest(&shapes, largest_covering);
        let out = match region {
            Region::Box { .. } | Region::Cylinder { .. } => 0.0,
            Region::Disc { .. } | Region::Surface(_) => {
                choice.largest(&shapes, ClumpTemplate::bounding_radius) * (1.0 + gap)
            }
        };
        // Those to come, and those that fill the region if it is full.
        let waiting = usize::try_from(waiting).map_or(MOST_EXPECTED, |waiting| waiting.min(MOST_EXPECTED));
        let (bounds, domain) = (Bounds { region: region.clone(), out, gap }, scenery.domain);
        let mut room = Room::new(shapes, bounds, domain, walls, largest, waiting + engine.body_count());
        let mut outline = Outline::new();
        engine.visit_bodies(&mut |some| {
            for BodyState { id, template, position, orientation, scale, .. } in some {
                let bounding = scenery.templates[usize::from(*template)].bounding_radius() * scale;
                if room.reaches(*position, bounding) {
                    let body =
                        Body { scale: *scale, orientation: *orientation, ..Body::at(*template, *position) };
                    room.outline(&body, &mut outline);
                    room.settle(body.position, &outline, id.0);
                }
            }
        });
        room
    }
}
