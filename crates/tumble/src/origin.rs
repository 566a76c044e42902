//! Where a run went on with the bodies of another one, as its checkpoints tell.

use crate::{Error, Flows};
use tumble_dem::placement::Stream;
use tumble_dem::{Body, Engine, LabVec, TemplateId, World};
use tumble_output::Checkpoint;
use tumble_scene::{Built, StagePlan};

/// The section for where a run went on with the bodies of another one.
pub(crate) const ORIGIN: &str = "origin";

/// Where a run went on with the bodies of another one: what it takes to go on with it, without the other one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The step at which it began.
    pub step: u64,
    /// When it began, s.
    pub time: f64,
    /// Its time step, s.
    pub dt: f64,
    /// From when on the times of its streams count, s.
    pub streams_from: f64,
    /// The bodies that were farthest out: walls without end are drawn as large as they need.
    outermost: [Option<Corner>; 6],
}

/// What is known of a body that was among those farthest out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    template: u16,
    scale: f64,
    position: [f64; 3],
}

impl Corner {
    const WORDS: usize = 5;

    /// The bodies that reach farthest down and up each axis.
    fn outermost(world: &World) -> [Option<Self>; 6] {
        let reach = |body: &Body| {
            let template = world.templates.get(usize::from(body.template.0));
            template.map_or(0.0, |template| template.bounding_radius() * body.scale)
        };
        core::array::from_fn(|end| {
            let (axis, sign) = (end / 2, if end % 2 == 0 { -1.0 } else { 1.0 });
            let out = |body: &Body| sign * body.position.to_array()[axis] + reach(body);
            let farthest = world.bodies.iter().max_by(|a, b| out(a).total_cmp(&out(b)))?;
            let (template, scale) = (farthest.template.0, farthest.scale);
            Some(Self { template, scale, position: farthest.position.to_array() })
        })
    }

    fn to_words(self) -> [u64; Self::WORDS] {
        let [x, y, z] = self.position.map(f64::to_bits);
        [self.template.into(), self.scale.to_bits(), x, y, z]
    }

    fn of_words(words: &[u64]) -> Option<Self> {
        let &[template, scale, x, y, z] = words else { return None };
        let (scale, position) = (f64::from_bits(scale), [x, y, z].map(f64::from_bits));
        let possible = scale > 0.0 && scale.is_finite() && position.iter().all(|x| x.is_finite());
        let template = u16::try_from(template).ok().filter(|_| possible)?;
        Some(Self { template, scale, position })
    }

    fn body(self) -> Body {
        let position = LabVec::from_array(self.position);
        Body::at(TemplateId(self.template), position).scaled(self.scale)
    }
}

impl Origin {
    /// Where an engine is that has taken bodies over into a scene.
    pub(crate) fn new(engine: &Engine, built: &Built, streams_from: f64) -> Self {
        Self {
            step: engine.steps(),
            time: engine.time(),
            dt: built.settings.dt,
            streams_from,
            outermost: Corner::outermost(&built.world),
        }
    }

    /// Bodies where those were that were farthest out.
    pub(crate) fn outermost_in(&self, world: &World) -> Vec<Body> {
        let known = |corner: &Corner| usize::from(corner.template) < world.templates.len();
        self.outermost.into_iter().flatten().filter(known).map(Corner::body).collect()
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let numbers = [self.time, self.dt, self.streams_from].map(f64::to_bits);
        let outermost = self.outermost.into_iter().flatten().flat_map(Corner::to_words);
        let words = [self.step].into_iter().chain(numbers).chain(outermost);
        words.flat_map(u64::to_le_bytes).collect()
    }

    /// That of a checkpoint, if it has one.
    pub(crate) fn of(checkpoint: &Checkpoint) -> Result<Option<Self>, Error> {
        let Some(bytes) = checkpoint.section(ORIGIN) else { return Ok(None) };
        let broken = || Error::Mismatch { what: "where it began cannot be read".into() };
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let Some((&[step, time, dt, streams_from], corners)) = words.split_first_chunk() else {
            return Err(broken());
        };
        let [time, dt, streams_from] = [time, dt, streams_from].map(f64::from_bits);
        let possible = time >= 0.0 && time.is_finite() && dt > 0.0 && dt.is_finite();
        let possible = possible && streams_from >= 0.0 && streams_from.is_finite() && rest.is_empty();
        let mut outermost = [None; 6];
        let corners = corners.chunks(Corner::WORDS);
        if !possible || corners.len() > outermost.len() {
            return Err(broken());
        }
        for (place, words) in outermost.iter_mut().zip(corners) {
            *place = Some(Corner::of_words(words).ok_or_else(broken)?);
        }
        Ok(Some(Self { step, time, dt, streams_from, outermost }))
    }

    /// What comes in and goes out, at times that count from there. Streams that pour in some stages only have clocks of
    /// their own.
    pub(crate) fn flows(&self, flows: Flows, stages: &[StagePlan]) -> Flows {
        let always =
            |stream: usize| stages.iter().all(|stage| stage.pours.get(stream).copied().unwrap_or(true));
        let later = |(number, stream): (usize, Stream)| {
            if always(number) { stream.later(self.streams_from) } else { stream }
        };
        Flows { streams: flows.streams.into_iter().enumerate().map(later).collect(), ..flows }
    }
}
