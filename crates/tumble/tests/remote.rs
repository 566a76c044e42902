//! Guarantee: whatever does what the trait asks for can take the place of the engine. Here an engine lives on a thread of
//! its own, behind a channel, and is known by the trait alone: files, checkpoints, reports, changes and errors are the
//! same to the last byte.

use crate::common::{assert_same_results, on, results, start, stop_at};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;
use tumble::dem::Error;
use tumble::dem::clump::ClumpTemplate;
use tumble::dem::domain::Domain;
use tumble::dem::field::{BatchField, BodyView, Drag, ForceField, Load};
use tumble::dem::material::Materials;
use tumble::dem::wall::{Motion, Wall};
use tumble::dem::{
    BodyId, BodyState, Change, ContactState, Counts, Edit, Engine, LabVec, Ledger, Rule, Scenery, Settings,
    Solver, StageTimes, SurfaceState, WallId, WallReport, World,
};
use tumble::{End, Mode, Run};

type Job = Box<dyn FnOnce(&mut dyn Solver) + Send>;

/// An engine that is somewhere else.
struct Remote {
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    thread: Option<JoinHandle<()>>,
    settings: Settings,
    domain: Domain,
    templates: Vec<Arc<ClumpTemplate>>,
    walls: Vec<Wall>,
    materials: Materials,
    gravity: LabVec<f64>,
    drag: Option<Drag>,
    fields: Vec<Arc<dyn ForceField>>,
    calls: Arc<AtomicUsize>,
}

impl Remote {
    fn new(mut solver: Box<dyn Solver>, calls: Arc<AtomicUsize>) -> Self {
        let settings = solver.settings().clone();
        let Scenery { domain, templates, walls, materials, gravity, drag, fields, .. } = solver.scenery();
        let (templates, walls, materials) = (templates.to_vec(), walls.to_vec(), materials.clone());
        let fields = fields.to_vec();
        let (jobs, inbox) = mpsc::channel::<Job>();
        let thread = thread::spawn(move || inbox.iter().for_each(|job| job(&mut *solver)));
        let (jobs, thread) = (Mutex::new(Some(jobs)), Some(thread));
        Self { jobs, thread, settings, domain, templates, walls, materials, gravity, drag, fields, calls }
    }

    /// Has something done over there, and waits for what comes of it.
    fn ask<T: Send + 'static>(&self, job: impl FnOnce(&mut dyn Solver) -> T + Send + 'static) -> T {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = mpsc::channel();
        let job: Job = Box::new(move |solver| reply.send(job(solver)).unwrap());
        self.jobs.lock().unwrap().as_ref().unwrap().send(job).unwrap();
        answer.recv().unwrap()
    }

    /// Asks for the rules, which have become others over there.
    fn ask_for_rules(&mut self) {
        let rules = |solver: &mut dyn Solver| {
            let Scenery { materials, gravity, .. } = solver.scenery();
            (solver.settings().clone(), materials.clone(), gravity)
        };
        (self.settings, self.materials, self.gravity) = self.ask(rules);
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.jobs.lock().unwrap().take();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl core::fmt::Debug for Remote {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("an engine on another thread")
    }
}

impl Solver for Remote {
    fn advance(&mut self, steps: u64) -> Result<(), Error> {
        self.ask(move |solver| solver.advance(steps))
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn time(&self) -> f64 {
        self.ask(|solver| solver.time())
    }

    fn counts(&self) -> Counts {
        self.ask(|solver| solver.counts())
    }

    fn scenery(&self) -> Scenery<'_> {
        let poses = self.ask(|solver| solver.scenery().poses);
        Scenery {
            domain: self.domain,
            templates: &self.templates,
            walls: &self.walls,
            poses,
            materials: &self.materials,
            gravity: self.gravity,
            drag: self.drag,
            fields: &self.fields,
        }
    }

    fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState])) {
        visit(&self.ask(|solver| solver.bodies()));
    }

    fn visit_contacts(&self, visit: &mut dyn FnMut(&[ContactState])) {
        visit(&self.ask(|solver| solver.contacts()));
    }

    fn walls(&self) -> Vec<WallReport> {
        self.ask(|solver| solver.walls())
    }

    fn surfaces(&self) -> Vec<SurfaceState> {
        self.ask(|solver| solver.surfaces())
    }

    fn ledger(&self) -> Ledger {
        self.ask(|solver| solver.ledger())
    }

    fn take_stage_times(&mut self) -> StageTimes {
        self.ask(|solver| solver.take_stage_times())
    }

    fn edit(&mut self, edit: Edit<'_>) -> Result<Vec<BodyId>, Error> {
        match edit {
            Edit::AddBodies(bodies) => {
                let bodies = bodies.to_vec();
                self.ask(move |solver| solver.edit(Edit::AddBodies(&bodies)))
            }
            Edit::RemoveBodies(ids) => {
                let ids = ids.to_vec();
                self.ask(move |solver| solver.edit(Edit::RemoveBodies(&ids)))
            }
            Edit::ChangeBodies(changes) => {
                let changes = changes.to_vec();
                self.ask(move |solver| solver.edit(Edit::ChangeBodies(&changes)))
            }
            Edit::WallMotion(wall, motion) => {
                let there = motion.clone();
                let done = self.ask(move |solver| solver.edit(Edit::WallMotion(wall, there)))?;
                self.walls[wall.index()].motion = motion;
                Ok(done)
            }
            Edit::Drag(drag) => {
                let done = self.ask(move |solver| solver.edit(Edit::Drag(drag)))?;
                self.drag = drag;
                Ok(done)
            }
            Edit::Fields(fields) => {
                let there = fields.clone();
                let done = self.ask(move |solver| solver.edit(Edit::Fields(there)))?;
                self.fields = fields;
                Ok(done)
            }
            Edit::AddField(field) => self.ask(move |solver| solver.edit(Edit::AddField(field))),
            Edit::ClearFields => self.ask(|solver| solver.edit(Edit::ClearFields)),
            Edit::ChangeRules(rules) => {
                let rules = rules.to_vec();
                let done = self.ask(move |solver| solver.edit(Edit::ChangeRules(&rules)))?;
                self.ask_for_rules();
                Ok(done)
            }
        }
    }

    fn save_bytes(&self) -> Vec<u8> {
        self.ask(|solver| solver.save_bytes())
    }

    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let bytes = bytes.to_vec();
        self.ask(move |solver| solver.restore_bytes(&bytes))?;
        self.ask_for_rules();
        Ok(())
    }
}

/// A remote engine, and how often it was asked.
fn maker(calls: &Arc<AtomicUsize>) -> impl Fn(World, Settings) -> Result<Box<dyn Solver>, Error> + use<> {
    let calls = calls.clone();
    move |world, settings| Ok(Box::new(Remote::new(Box::new(Engine::new(world, settings)?), calls.clone())))
}

fn remote(folder: &std::path::Path, mode: Mode) -> (Run, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let run = Run::start_with(on(1), folder, mode, &maker(&calls)).unwrap_or_else(|error| panic!("{error}"));
    (run, calls)
}

#[test]
fn a_run_with_an_engine_behind_a_channel_writes_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
    let mut run = start(on(1), &here, Mode::New);
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    let (mut other, calls) = remote(&there, Mode::New);
    assert_eq!(other.go(&mut ()).unwrap(), End::Finished);
    assert!(calls.load(Ordering::Relaxed) > 500, "it was asked for everything");
    assert_same_results(&here, &there);
    assert_eq!(
        run.simulation().checkpoint("a").section("engine"),
        other.simulation().checkpoint("a").section("engine")
    );
    let pages = [&run, &other].map(|run| std::fs::read_to_string(run.write_report().unwrap()).unwrap());
    assert!(pages.iter().all(|page| page.contains("last state")), "reports look at the engine as well");
}

#[test]
fn each_engine_goes_on_where_the_other_stopped() {
    let folder = TempDir::new().unwrap();
    let [whole, mixed] = ["whole", "mixed"].map(|name| folder.path().join(name));
    start(on(1), &whole, Mode::New).go(&mut ()).unwrap();
    let (mut run, _) = remote(&mixed, Mode::New);
    assert_eq!(run.go(&mut stop_at(101)).unwrap(), End::Interrupted);
    drop(run);
    let mut run = start(on(1), &mixed, Mode::Resume);
    assert!(run.simulation().engine().steps() >= 101);
    assert_eq!(run.go(&mut stop_at(251)).unwrap(), End::Interrupted);
    drop(run);
    let (mut run, _) = remote(&mixed, Mode::Resume);
    assert!(run.simulation().engine().steps() >= 251);
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    assert_same_results(&whole, &mixed);
    assert!(results(&mixed).contains_key("energy.csv"));
}

/// A wind that grows with the height.
#[derive(Debug)]
struct Wind;

impl BatchField for Wind {
    fn add_loads(&self, bodies: &[BodyView], _: f64, loads: &mut [Load]) -> Result<(), String> {
        for (body, load) in bodies.iter().zip(loads) {
            load.force = load.force + LabVec::new(body.mass * body.position.z * 100.0, 0.0, 0.0);
        }
        Ok(())
    }
}

#[test]
fn changes_and_errors_are_the_same_on_either_side() {
    let built = on(1);
    let here = Box::new(Engine::new(built.world.clone(), built.settings.clone()).unwrap());
    let there = maker(&Arc::default())(built.world.clone(), built.settings).unwrap();
    let mut told = Vec::new();
    for mut solver in [here as Box<dyn Solver>, there] {
        solver.advance(50).unwrap();
        let saved = solver.save_bytes();
        solver.remove_bodies(&[BodyId(3), BodyId(17)]).unwrap();
        let again = tumble::dem::Body::at(built.world.bodies[3].template, LabVec::new(0.025, 0.025, 0.06));
        let added = solver.add_bodies(&[again]).unwrap();
        assert_eq!(added.len(), 1);
        let velocity = Some(LabVec::new(1.0, 2.0, -3.0));
        solver.change_bodies(&[Change { velocity, ..Change::of(BodyId(5)) }]).unwrap();
        solver.set_wall_motion(WallId(1), Motion::fixed()).unwrap();
        assert!(solver.scenery().walls[1].motion.is_static());
        solver.add_batch_field(Arc::new(Wind)).unwrap();
        solver.advance(100).unwrap();
        let blown = solver.ledger();
        assert!(blown.field_work > 0.0);
        solver.clear_batch_fields().unwrap();
        let (dt, now) = (solver.settings().dt, solver.time());
        solver.change_rules(&[Rule::TimeStep(0.5 * dt), Rule::Gravity(LabVec::zero())]).unwrap();
        solver.advance(10).unwrap();
        assert_eq!((solver.settings().dt, solver.scenery().gravity), (0.5 * dt, LabVec::zero()));
        assert_eq!(solver.time().to_bits(), (now + 10.0 * (0.5 * dt)).to_bits());
        let unknown = solver.remove_bodies(&[BodyId(3)]).unwrap_err().to_string();
        let high = Some(LabVec::new(0.0, 0.0, f64::NAN));
        let senseless = solver.change_bodies(&[Change { position: high, ..Change::of(BodyId(5)) }]);
        let outside = Some(LabVec::new(0.0, 0.0, 9.0));
        let state = format!(
            "{:?} {:?} {:?} {:?}",
            solver.bodies(),
            solver.contacts(),
            solver.walls(),
            solver.ledger()
        );
        solver.change_bodies(&[Change { position: outside, ..Change::of(BodyId(5)) }]).unwrap();
        let escaped = solver.advance(1).unwrap_err().to_string();
        solver.restore_bytes(&saved).unwrap();
        assert_eq!((solver.steps(), solver.save_bytes() == saved), (50, true));
        assert_eq!(solver.settings().dt.to_bits(), dt.to_bits());
        let broken = solver.restore_bytes(&saved[..saved.len() - 1]).unwrap_err().to_string();
        told.push([state, unknown, senseless.unwrap_err().to_string(), escaped, broken]);
    }
    assert_eq!(told[0], told[1]);
}
