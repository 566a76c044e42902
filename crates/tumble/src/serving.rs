//! A rank of a run that is in another process: it has the scene as it is run there, without bodies.

use crate::Error;
use crate::stages::Stages;
use tumble_dem::Engine;
use tumble_dem::ranks::{Lost, Peers, Worker};
use tumble_output::checkpoint::scene_hash;
use tumble_scene::{Built, Scene, SceneText};

/// A process that serves as a rank of a run in another one.
#[derive(Debug)]
pub struct Serving {
    built: Built,
    engine: Engine,
}

impl Serving {
    /// What the first process tells the others of what it runs: the scene as it is run, and what the files hold that it reads.
    pub fn message(built: &Built) -> String {
        format!("{}\n{}", held(&built.scene).join(" "), built.scene.effective_elsewhere())
    }

    /// Reads the scene of a [`message`](Self::message), and the files that it names, which have to be those of the first process; on so
    /// many threads.
    pub fn new(message: &str, threads: usize) -> Result<Self, Error> {
        let (files, scene) = message.split_once('\n').unwrap_or_default();
        let scene = Scene::parse(SceneText::new("the scene of the run", scene))?;
        let mut built = scene.build_around(Some(threads), |_| Vec::new())?;
        let different = held(&scene).iter().zip(files.split(' ')).position(|(here, there)| here != there);
        if let Some(file) = different.and_then(|file| scene.files().into_iter().nth(file)) {
            return Err(Error::OtherFile { file });
        }
        built.world.bodies.clear();
        let engine = Engine::new(built.world.clone(), built.settings.clone())?;
        Ok(Self { built, engine })
    }

    /// Does steps with the others until the run is over.
    pub fn serve(self, peers: Box<dyn Peers>) -> Result<(), Lost> {
        let Self { built, engine } = self;
        Worker::new(engine, peers)
            .serve(&mut |note| in_stages(&built, note).map_err(|error| error.to_string()))
    }
}

/// What each file that a scene reads holds, in a few digits.
fn held(scene: &Scene) -> Vec<String> {
    let digits = |file| std::fs::read(file).map_or_else(|error| format!("{:?}", error.kind()), scene_hash);
    scene.files().into_iter().map(digits).collect()
}

/// An engine as it is in the stages that have begun.
fn in_stages(built: &Built, note: &[u8]) -> Result<Engine, Error> {
    let mut engine = Engine::new(built.world.clone(), built.settings.clone())?;
    let mut stages = Stages::new(built);
    stages.restore(note, u64::MAX)?;
    stages.set_up(&mut engine)?;
    Ok(engine)
}
