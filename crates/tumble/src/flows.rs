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
}

impl From<Vec<Stream>> for Flows {
    fn from(streams: Vec<Stream>) -> Self {
        Self { streams, outlets: Vec::new() }
    }
}

impl From<&Built> for Flows {
    fn from(built: &Built) -> Self {
        Self { streams: built.streams.clone(), outlets: built.outlets.clone() }
    }
}

impl Flows {
    /// Whether nothing ever comes in or goes out.
    pub fn is_empty(&self) -> bool {
        self.streams.is_empty() && self.outlets.is_empty()
    }

    /// What went through each so far. `time` gives how long a stream has had to pour, s.
    pub(crate) fn report(&self, time: &dyn Fn(usize) -> f64) -> Vec<Flow> {
        let streams = self.streams.iter().enumerate().map(|(number, stream)| Flow {
            name: format!("streams.{number}"),
            direction: Direction::In,
            bodies: stream.inserted(),
            mass_kg: stream.inserted_mass(),
            waiting: stream.waiting(time(number)),
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

    /// How many bodies of all streams wait for room. `time` gives how long a stream has had to pour, s.
    pub(crate) fn waiting(&self, time: &dyn Fn(usize) -> f64) -> u64 {
        let waiting = self.streams.iter().enumerate().map(|(number, stream)| stream.waiting(time(number)));
        waiting.fold(0, u64::saturating_add)
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
        for (number, stream) in self.streams.iter_mut().enumerate() {
            let Some(time) = time(number) else { continue };
            let due = stream.due(time, engine);
            if !due.is_empty() {
                engine.add_bodies(&due)?;
            }
        }
        Ok(())
    }

    /// All that changes with time: states of the streams, then what the outlets counted.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let streams = self.streams.iter().flat_map(|stream| stream.state().to_bytes());
        let outlets = self.outlets.iter().flat_map(|outlet| outlet.taken().to_bytes());
        streams.chain(outlets).collect()
    }

    /// Goes on from such bytes.
    pub(crate) fn restore(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let wrong = |what: &str| Error::Mismatch { what: what.into() };
        let split = self.streams.len() * StreamState::BYTES;
        let parts = bytes.split_at_checked(split).ok_or_else(|| wrong("it has another number of streams"));
        let (streams, outlets) = parts?;
        let (outlets, rest) = outlets.as_chunks::<{ Taken::BYTES }>();
        if outlets.len() != self.outlets.len() || !rest.is_empty() {
            return Err(wrong("it has another number of streams or outlets"));
        }
        let (states, _) = streams.as_chunks::<{ StreamState::BYTES }>();
        for (stream, bytes) in self.streams.iter_mut().zip(states) {
            let state = StreamState::from_bytes(bytes);
            stream.restore(state.map_err(|error| Error::Mismatch { what: error.to_string() })?);
        }
        for (outlet, bytes) in self.outlets.iter_mut().zip(outlets) {
            outlet
                .restore(Taken::from_bytes(bytes).ok_or_else(|| wrong("what an outlet counted is damaged"))?);
        }
        Ok(())
    }
}
