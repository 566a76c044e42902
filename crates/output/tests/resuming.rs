//! Guarantee: a run that was killed at any moment, even in the middle of writing a row or a frame, and
//! resumed from its newest checkpoint, ends with the same bytes in every file as one that was never
//! interrupted.

use crate::common::{advance, engine, files, wall_names, world};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use tumble_dem::{Body, BodyId, Engine, SavedState, TemplateId, World};
use tumble_output::checkpoint::ENGINE;
use tumble_output::csv::{EnergyCsv, WallsCsv};
use tumble_output::trajectory::TrajectoryWriter;
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{
    Background, Checkpoint, Checkpoints, FrameSink, Mode, Model, Part, Receivers, ResultFolder,
};

const END: u64 = 600;

/// A run with all of its outputs, as a program would have it.
struct Run {
    _folder: ResultFolder,
    engine: Engine,
    energy: EnergyCsv,
    walls: WallsCsv,
    frames: Background,
    checkpoints: Checkpoints,
}

impl Run {
    fn start(path: &Path, world: &World) -> Self {
        let folder = ResultFolder::create(path, Mode::New).unwrap();
        let model = Model::of(world, "test");
        let vtk = VtkWriter::create(folder.part(Part::Vtk), model.clone(), &Piece::ALL).unwrap();
        let trajectory = TrajectoryWriter::create(&folder.part(Part::Trajectory), model, true).unwrap();
        let engine = engine(world);
        let mut run = Self {
            energy: EnergyCsv::create(&folder.part(Part::Energy), &engine.ledger()).unwrap(),
            engine,
            walls: WallsCsv::create(&folder.part(Part::Walls), wall_names(world), false).unwrap(),
            frames: background(vtk, trajectory),
            checkpoints: Checkpoints::new(folder.part(Part::Checkpoints), 2).unwrap(),
            _folder: folder,
        };
        run.write_outputs();
        run
    }

    fn resume(path: &Path, world: &World) -> Self {
        let folder = ResultFolder::create(path, Mode::Resume).unwrap();
        let checkpoints = Checkpoints::new(folder.part(Part::Checkpoints), 2).unwrap();
        let (newest, _) = checkpoints.newest().unwrap();
        let checkpoint = newest.expect("a checkpoint");
        let mut engine = engine(world);
        engine.restore(&SavedState::from_bytes(checkpoint.section(ENGINE).unwrap(), world).unwrap()).unwrap();
        let (model, step) = (Model::of(world, "test"), checkpoint.step);
        let vtk = VtkWriter::resume(folder.part(Part::Vtk), model.clone(), &Piece::ALL, step).unwrap();
        let trajectory = TrajectoryWriter::resume(&folder.part(Part::Trajectory), model, true, step).unwrap();
        Self {
            energy: EnergyCsv::resume(&folder.part(Part::Energy), &engine.ledger(), step).unwrap(),
            engine,
            walls: WallsCsv::resume(&folder.part(Part::Walls), wall_names(world), false, step).unwrap(),
            frames: background(vtk, trajectory),
            checkpoints,
            _folder: folder,
        }
    }

    /// Goes on to a step; writes tables every 10, files for ParaView every 50, a trajectory every 25 steps.
    fn advance_to(&mut self, end: u64) {
        while self.engine.steps() < end {
            advance(&mut self.engine, 5);
            self.change_bodies();
            self.write_outputs();
            if self.engine.steps().is_multiple_of(70) {
                self.frames.flush().unwrap();
                self.energy.sync().unwrap();
                self.walls.sync().unwrap();
                self.checkpoints.write(&Checkpoint::of(&self.engine, "scene")).unwrap();
            }
        }
    }

    fn change_bodies(&mut self) {
        match self.engine.steps() {
            100 => self.engine.remove_bodies(&[BodyId(3), BodyId(11)]).unwrap(),
            260 => drop(
                self.engine
                    .add_bodies(&[Body::at(TemplateId(0), crate::common::v(0.05, 0.05, 0.09)).scaled(0.3)]),
            ),
            _ => {}
        }
    }

    fn write_outputs(&mut self) {
        let step = self.engine.steps();
        if step.is_multiple_of(10) {
            self.energy.append(&self.engine).unwrap();
            self.walls.append(&self.engine).unwrap();
        }
        let mut to = Receivers::NONE;
        for (sink, every) in [(0, 50), (1, 25)] {
            to = if step.is_multiple_of(every) { to.and(sink) } else { to };
        }
        if !to.is_empty() {
            let mut frame = self.frames.spare_frame();
            frame.take(&self.engine, true);
            self.frames.submit(frame, to).unwrap();
        }
    }

    fn finish(self) {
        self.frames.finish().unwrap();
    }
}

fn background(vtk: VtkWriter, trajectory: TrajectoryWriter) -> Background {
    let sinks: Vec<Box<dyn FrameSink>> = vec![Box::new(vtk), Box::new(trajectory)];
    Background::start(sinks).unwrap()
}

/// What a kill in the middle of writing leaves.
fn tear(folder: &Path) {
    for (part, torn) in [
        (Part::Energy, &b"0.00123,1"[..]),
        (Part::Walls, b"0.00123,1000000,\"box, clo"),
        (Part::Trajectory, b"FRAM\x01\x02\x03\x04\xff\x00"),
    ] {
        let mut file = OpenOptions::new().append(true).open(folder.join(part.name())).unwrap();
        file.write_all(torn).unwrap();
    }
    fs::write(folder.join("checkpoints/checkpoint_000000000999.tumble.part"), b"TUMBLECP").unwrap();
    fs::write(folder.join("vtk/spheres_000040.vtp.part"), b"<?xml").unwrap();
}

#[test]
fn an_interrupted_run_leaves_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let world = world();
    let whole = folder.path().join("whole");
    let mut run = Run::start(&whole, &world);
    run.advance_to(END);
    assert!(run.engine.contact_count() > 20, "{} contacts", run.engine.contact_count());
    run.finish();

    let broken = folder.path().join("broken");
    let mut run = Run::start(&broken, &world);
    for kill_at in [75, 140, 155, 285, 420, 595] {
        run.advance_to(kill_at);
        drop(run);
        tear(&broken);
        run = Run::resume(&broken, &world);
        assert!(run.engine.steps() <= kill_at && run.engine.steps() + 70 >= kill_at);
    }
    run.advance_to(END);
    run.finish();

    let (expected, found) = (files(&whole), files(&broken));
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
    assert!(expected.len() > 40, "{:?}", expected.keys());
}

/// The newest checkpoint is damaged: the one before is used, and the files are cut back to it.
#[test]
fn a_damaged_checkpoint_costs_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let world = world();
    let whole = folder.path().join("whole");
    let mut run = Run::start(&whole, &world);
    run.advance_to(300);
    run.finish();
    let broken = folder.path().join("broken");
    let mut run = Run::start(&broken, &world);
    run.advance_to(230);
    drop(run);
    let newest = broken.join("checkpoints/checkpoint_000000000210.tumble");
    let mut bytes = fs::read(&newest).unwrap();
    bytes[5000] ^= 4;
    fs::write(&newest, bytes).unwrap();
    let mut run = Run::resume(&broken, &world);
    assert_eq!(run.engine.steps(), 140);
    run.advance_to(300);
    run.finish();
    assert_eq!(files(&whole), files(&broken));
}
