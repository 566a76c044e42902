//! A rank in a process of its own, which does what rank 0 says.

use super::order::{Beginning, Order};
use super::ownership::Ownership;
use super::part::Part;
use super::peers::{Lost, Peers};
use crate::engine::Engine;

/// A rank of an engine that is in another process.
///
/// ```
/// use tumble_dem::ranks::{Channels, RankedEngine, Worker};
/// use tumble_dem::{Engine, Settings, Solver, World, scenes};
///
/// let scene = scenes::bouncing_rods(1)?;
/// let settings = Settings { contact: scene.contact, ..Settings::new(scene.dt) };
/// let empty = World { bodies: Vec::new(), ..scene.world.clone() };
/// let mut one = Engine::new(scene.world.clone(), settings.clone())?;
/// one.advance(100)?;
///
/// // Threads in the place of processes.
/// let mut ranks = Channels::join(3).into_iter();
/// let first = ranks.next().unwrap();
/// std::thread::scope(|scope| -> Result<(), tumble_dem::Error> {
///     for peers in ranks {
///         let engine = Engine::new(empty.clone(), settings.clone())?;
///         scope.spawn(|| Worker::new(engine, Box::new(peers)).serve(&mut |_| Err("nothing was passed on".into())));
///     }
///     let mut several = RankedEngine::across(Engine::new(scene.world, settings.clone())?, Box::new(first));
///     several.advance(100)?;
///     assert_eq!(one.save().to_bytes(), several.save_bytes()); // every bit
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Worker {
    /// Has the rules of all, and no bodies.
    base: Engine,
    part: Part,
    /// What `base` was set up by.
    note: Vec<u8>,
}

impl Worker {
    /// A rank with an engine of the same world and settings as that of rank 0, but without bodies; it has the threads of this one.
    pub fn new(engine: Engine, peers: Box<dyn Peers>) -> Self {
        let part = Part::new(&engine, peers, &engine.threads, Ownership::none());
        Self { base: engine, part, note: Vec::new() }
    }

    /// Does steps with the others until there are no more to be done. `make` gives the engine again, set up by what was
    /// [passed on](crate::Solver::pass_on) in the meantime; if it cannot, rank 0 says why.
    pub fn serve(mut self, make: &mut dyn FnMut(&[u8]) -> Result<Engine, String>) -> Result<(), Lost> {
        while let Some(order) = Order::of_bytes(&self.part.link.broadcast(Vec::new())?) {
            let parcel = match &order.begin {
                None => None,
                Some(beginning) => {
                    let ready = self.set_up(beginning, make);
                    if self.part.link.all_ready(ready)?.is_err() {
                        continue;
                    }
                    self.part.reset(&self.base, beginning.all, beginning.ownership.clone());
                    Some(self.part.link.scatter(Vec::new())?)
                }
            };
            // What went wrong is found by rank 0, which says what is to be done next.
            let _ = self.part.go(parcel.as_deref(), order.last);
        }
        Ok(())
    }

    fn set_up(
        &mut self,
        Beginning { note, outline, .. }: &Beginning,
        make: &mut dyn FnMut(&[u8]) -> Result<Engine, String>,
    ) -> Result<(), String> {
        if self.note != *note {
            self.base = make(note)?;
            self.note.clone_from(note);
        }
        self.base.follow(outline).map_err(|error| error.to_string())
    }
}
