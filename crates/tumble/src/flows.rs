//! What comes in and goes out while bodies move.

use crate::Error;
use tumble_dem::Solver;
use tumble_dem::placement::{Outlet, Stream, StreamState, Taken};
use tumble_output::{Direction, Flow};
use tumble_scene::Built;

/// Streams that bring bodies in, and outlets that take them out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flows {
    /// What comes in.
    pub streams: Vec<Stream>,
    /// Where bodies go out.
    pub outlets: Vec<Outlet>,
    /// How many bodies of each stream found no room when it was looked after last.
    waiting: Vec<u64>,
}

impl From<Vec<Stream>> for Flows {
    fn from(streams: Vec<Stream>) -> Self {
        Self { waiting: vec![0; streams.len()], streams, outlets: Vec::new() }
    }
}

impl From<&Built> for Flows {
    fn from(built: &Built) -> Self {
        Self { outlets: built.outlets.clone(), ..built.streams.clone().into() }
    }
}

impl Flows {
    /// Whether nothing ever comes in or goes out.
    pub fn is_empty(&self) -> bool {
        self.streams.is_empty() && self.outlets.is_empty()
    }

    /// What went through each so far.
    pub fn report(&self) -> Vec<Flow> {
        let streams = self.streams.iter().enumerate().map(|(number, stream)| Flow {
            name: format!("streams.{number}"),
            direction: Direction::In,
            bodies: stream.inserted(),
            mass_kg: stream.inserted_mass(),
            waiting: self.waiting.get(number).copied().unwrap_or_default(),
        });
        let outlets = self.outlets.iter().map(|outlet| Flow {
            name: outlet.name().to_owned(),
            direction: Direction::Out,
            bodies: outlet.taken().bodies,
            mass_kg: outlet.taken().mass,
            waiting: 0,
        });
        streams.chain(outlets).collect()
    }

    /// How many bodies of each stream found no room when it was looked after last.
    pub fn waiting(&self) -> &[u64] {
        &self.waiting
    }

    /// Takes out what is to go, then puts in what is due: there may be room where something was. `time` gives how long a stream
    /// has had to pour, s, if it pours now.
    pub(crate) fn flow(
        &mut self,
        engine: &mut dyn Solver,
        time: &dyn Fn(usize) -> Option<f64>,
    ) -> Result<(), Error> {
        for outlet in &mut self.outlets {
            let before = outlet.taken();
            let due = outlet.due(engine);
            if !due.is_empty()
                && let Err(error) = engine.remove_bodies(&due)
            {
                outlet.restore(before);
                return Err(error.into());
            }
        }
        for ((number, stream), waiting) in self.streams.iter_mut().enumerate().zip(&mut self.waiting) {
            let Some(time) = time(number) else { continue };
            let due = stream.due(time, engine);
            if !due.is_empty() {
                engine.add_bodies(&due)?;
            }
            *waiting = stream.waiting(time);
        }
        Ok(())
    }

    /// All that changes with time: states of the streams, how many wait of each, then what the outlets counted.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let streams = self.streams.iter().flat_map(|stream| stream.state().to_bytes());
        let waiting = self.waiting.iter().flat_map(|waiting| waiting.to_le_bytes());
        let outlets = self.outlets.iter().flat_map(|outlet| outlet.taken().to_bytes());
        streams.chain(waiting).chain(outlets).collect()
    }

    /// Goes on from such bytes.
    pub(crate) fn restore<'b>(&mut self, bytes: &'b [u8]) -> Result<(), Error> {
        let wrong = |what: &str| Error::Mismatch { what: what.into() };
        let count = self.streams.len();
        let split = |bytes: &'b [u8], of: usize| {
            bytes.split_at_checked(of * count).ok_or_else(|| wrong("it has another number of streams"))
        };
        let (streams, rest) = split(bytes, StreamState::BYTES)?;
        let (waiting, outlets) = split(rest, size_of::<u64>())?;
        let (outlets, rest) = outlets.as_chunks::<{ Taken::BYTES }>();
        if outlets.len() != self.outlets.len() || !rest.is_empty() {
            return Err(wrong("it has another number of streams or outlets"));
        }
        let (states, _) = streams.as_chunks::<{ StreamState::BYTES }>();
        for (stream, bytes) in self.streams.iter_mut().zip(states) {
            let state = StreamState::from_bytes(bytes);
            stream.restore(state.map_err(|error| Error::Mismatch { what: error.to_string() })?);
        }
        let (numbers, _) = waiting.as_chunks();
        self.waiting = numbers.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
        for (outlet, bytes) in self.outlets.iter_mut().zip(outlets) {
            outlet
                .restore(Taken::from_bytes(bytes).ok_or_else(|| wrong("what an outlet counted is damaged"))?);
        }
        Ok(())
    }
}
