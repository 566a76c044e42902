//! Bodies that come in during a run: at a rate, through a box, never where something is.
//!
//! A [`Stream`] is asked now and then which bodies are [`due`](Stream::due); what it gives is put into the
//! engine. Bodies that find no room wait and come later, in their order. What a body is like depends on the
//! seed and its number alone; all else that a stream remembers is its [`StreamState`], which a checkpoint has
//! to keep for a run to go on with the same bits.

mod state;

pub use state::{StreamState, StreamStateError};

use super::choice::Choice;
use super::error::{PlacementError, inside, not_negative, positive};
use super::room::{Bounds, Outline, Room};
use crate::clump::ClumpTemplate;
use crate::random::Random;
use crate::report::BodyState;
use crate::solver::{Scenery, Solver};
use crate::world::Body;
use tumble_math::LabVec;

/// What comes in, where, when.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlet {
    /// What the bodies are like.
    pub choice: Choice,
    /// The corner of the box with the smallest coordinates, m. Bodies start in the box with all their
    /// spheres, except along a periodic axis of the world that the box covers: there they may stick out of
    /// it.
    pub low: LabVec<f64>,
    /// The corner with the largest coordinates, m.
    pub high: LabVec<f64>,
    /// The least distance from anything else, as a part of the radii.
    pub gap: f64,
    /// Bodies per second.
    pub rate: f64,
    /// When the first comes, s.
    pub start: f64,
    /// From when on none becomes due any more, s; infinite for never.
    pub stop: f64,
    /// How many come at most.
    pub count: Option<u64>,
}

/// An inlet in use.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::material::{Material, PairProperties};
/// use tumble_dem::placement::{Choice, Inlet, Stream};
/// use tumble_dem::{Engine, LabVec, Settings, World};
/// let mut world = World::default();
/// world.materials.add(Material::new("glass", 2500.0, 1e7, 0.2))?;
/// world.materials.set_default(PairProperties::default());
/// world.gravity = LabVec::new(0.0, 0.0, -9.81);
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.005)?)?;
/// let (low, high) = (LabVec::zero(), LabVec::new(0.1, 0.1, 0.02));
/// let inlet = Inlet { rate: 500.0, ..Inlet::new(Choice::of(ball), low, high) };
/// let mut stream = Stream::new(inlet, &world.templates, 1)?;
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
}

/// Tries to place a body before it and all after it have to wait.
const ATTEMPTS: u32 = 300;
/// Bodies tried in the empty box to see whether it is large enough.
const SAMPLES: u64 = 1000;
/// However many wait, cells are made for no more than this.
const MOST_EXPECTED: usize = 100_000;
/// What times and rates may be off by, relative, through rounding: no body is lost to a sum of 0.99999….
const ROUNDING: f64 = 1e-12;

impl Inlet {
    /// One body a second from the start, without end.
    pub fn new(choice: Choice, low: LabVec<f64>, high: LabVec<f64>) -> Self {
        Self { choice, low, high, gap: 1e-3, rate: 1.0, start: 0.0, stop: f64::INFINITY, count: None }
    }

    /// How many bodies have become due until a time (s), that instant included; body k is at start + k/rate.
    pub fn due_until(&self, time: f64) -> u64 {
        let until = |time: f64| (time - self.start) * self.rate;
        // Those from `stop` on are none: with 100 a second from 0 to 1 s there are 100.
        let before_stop = (until(self.stop) * (1.0 - ROUNDING)).ceil();
        let now = (until(time) * (1.0 + ROUNDING)).floor() + 1.0;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates; NaN gives none"
        )]
        let due = (if before_stop < now { before_stop } else { now }).max(0.0) as u64;
        due.min(self.count.unwrap_or(u64::MAX))
    }

    fn check(&self, templates: &[impl AsRef<ClumpTemplate>], seed: u64) -> Result<(), PlacementError> {
        inside(self.low, self.high)?;
        not_negative("gap of the stream", self.gap)?;
        positive("rate of the stream", self.rate)?;
        not_negative("start of the stream", self.start)?;
        if self.stop.is_nan() || self.stop <= self.start {
            let (value, expected) = (self.stop.to_string(), "a time after the start");
            return Err(PlacementError::Invalid { what: "stop of the stream", value, expected });
        }
        self.choice.check(templates.len())?;
        let shapes: Vec<&ClumpTemplate> = templates.iter().map(AsRef::as_ref).collect();
        let (low, high) = (self.low.to_array(), self.high.to_array());
        let fits = |number: u64| {
            let body = self.choice.draw(&mut Random::numbered(seed, number));
            let mut spheres = Outline::new();
            super::room::outline(shapes[usize::from(body.template.0)], &body, self.gap, &mut spheres);
            (0..3).all(|axis| {
                let ends = spheres.iter().map(|&(centre, radius)| (centre.to_array()[axis], radius));
                let [down, up] = ends.fold([0.0, 0.0], |[down, up], (x, radius)| {
                    [f64::min(down, x - radius), f64::max(up, x + radius)]
                });
                up - down <= high[axis] - low[axis]
            })
        };
        if (0..SAMPLES).any(fits) {
            return Ok(());
        }
        let largest = self.choice.shapes(&shapes).map(ClumpTemplate::bounding_radius).fold(0.0, f64::max);
        Err(PlacementError::RegionTooSmall {
            needed: 2.0 * largest * self.choice.scale.largest() * (1.0 + self.gap),
        })
    }
}

impl Stream {
    /// A stream at its start. The templates are those of the world, the seed belongs to this stream alone.
    pub fn new(
        inlet: Inlet,
        templates: &[impl AsRef<ClumpTemplate>],
        seed: u64,
    ) -> Result<Self, PlacementError> {
        inlet.check(templates, seed)?;
        let state = StreamState { inserted: 0, random: Random::numbered(seed, u64::MAX).state() };
        Ok(Self { inlet, seed, state })
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

    /// How many are due at a time (s) but have not found room yet.
    pub fn waiting(&self, time: f64) -> u64 {
        self.inlet.due_until(time).saturating_sub(self.state.inserted)
    }

    /// Whether no more will come after this time (s).
    pub fn is_over(&self, time: f64) -> bool {
        self.state.inserted >= self.inlet.due_until(f64::MAX)
            || (time >= self.inlet.stop && self.waiting(time) == 0)
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
        'bodies: for number in self.state.inserted..self.state.inserted + waiting {
            let mut own = Random::numbered(self.seed, number);
            let mut body = self.inlet.choice.draw(&mut own);
            for _ in 0..ATTEMPTS {
                room.outline(&body, &mut outline);
                let place = room.draw_place(&outline, &mut random);
                if let Some(position) = place.filter(|&place| room.is_free(place, &outline)) {
                    room.settle(position, &outline, u32::MAX);
                    bodies.push(Body { position: scenery.domain.wrap(position), ..body });
                    continue 'bodies;
                }
                body.orientation = self.inlet.choice.orientation.draw(&mut random);
            }
            break;
        }
        self.state =
            StreamState { inserted: self.state.inserted + bodies.len() as u64, random: random.state() };
        bodies
    }

    /// The box of the inlet, with the walls and bodies of an engine in and around it.
    fn room<'e>(&self, engine: &dyn Solver, scenery: &'e Scenery<'_>, waiting: u64) -> Room<'e> {
        let Inlet { low, high, gap, ref choice, .. } = self.inlet;
        let shapes: Vec<&ClumpTemplate> = scenery.templates.iter().map(AsRef::as_ref).collect();
        let walls = scenery.walls.iter().zip(scenery.poses.iter().copied()).collect();
        let largest = choice.shapes(&shapes).flat_map(ClumpTemplate::spheres).map(|sphere| sphere.radius);
        let largest = largest.fold(0.0, f64::max) * choice.scale.largest();
        // Those to come, and those that fill the box if it is full.
        let waiting = usize::try_from(waiting).map_or(MOST_EXPECTED, |waiting| waiting.min(MOST_EXPECTED));
        let (bounds, domain) = (Bounds { low, high, gap }, scenery.domain);
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
