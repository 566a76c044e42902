//! What a run writes, and at which steps.

use crate::Error;
use crate::own::{Output, Own};
use crate::place::Place;
use crate::plan::Plan;
use crate::simulation::{Simulation, next_multiple};
use std::path::Path;
use tumble_dem::Solver;
use tumble_measure::Row;
use tumble_output::csv::{EnergyCsv, FlowsCsv, MeasuresCsv, WallsCsv};
use tumble_output::trajectory::TrajectoryWriter;
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Background, FrameSink, Mark, Part, Receivers, ResultFolder};
use tumble_scene::VtkPlan;

/// The writers of a run, each with the number of steps between two rows or frames.
pub(crate) struct Outputs {
    energy: Option<(u64, EnergyCsv)>,
    walls: Option<(u64, WallsCsv)>,
    flows: Option<(u64, FlowsCsv)>,
    measures: Option<MeasuresCsv>,
    /// Intervals of the sinks of the background, in their order.
    frames: Vec<u64>,
    /// Their folders in that of the results, if they have one.
    folders: Vec<Option<&'static str>>,
    background: Background,
    own: Own,
    /// Whether any frame shows contacts.
    contacts: bool,
    last_step: u64,
    energy_error: f64,
    place: Option<Place>,
    left: usize,
}

impl Outputs {
    /// Opens what the plan asks for, for a run of this simulation: new, or going on from its present step.
    pub(crate) fn open(
        plan: &Plan,
        folder: &ResultFolder,
        simulation: &Simulation,
        resumed: bool,
    ) -> Result<Self, Error> {
        let ledger = &simulation.engine().ledger();
        let resumed = resumed.then(|| simulation.engine().steps());
        let Plan { output: plan, model, wall_names, last_step, place, flows, .. } = plan;
        let energy = folder.part(Part::Energy);
        let energy = plan.energy.map(|every| {
            let csv = match resumed {
                None => EnergyCsv::create(&energy, ledger),
                Some(step) => EnergyCsv::resume(&energy, ledger, step),
            };
            csv.map(|csv| (every, csv))
        });
        let walls = folder.part(Part::Walls);
        let walls = plan.walls.filter(|_| !wall_names.is_empty()).map(|every| {
            let names = wall_names.clone();
            let csv = match resumed {
                None => WallsCsv::create(&walls, names),
                Some(step) => WallsCsv::resume(&walls, names, step),
            };
            csv.map(|csv| (every, csv))
        });
        let path = folder.part(Part::Flows);
        let flows = plan.flows.filter(|_| *flows).map(|every| {
            let csv = match resumed {
                None => FlowsCsv::create(&path),
                Some(step) => FlowsCsv::resume(&path, step),
            };
            csv.map(|csv| (every, csv))
        });
        let path = folder.part(Part::Measures);
        let columns = simulation.measures().headers();
        let measures = (!columns.is_empty()).then(|| match resumed {
            None => MeasuresCsv::create(&path, &columns),
            Some(step) => MeasuresCsv::resume(&path, &columns, step),
        });
        let (mut frames, mut folders) = (Vec::new(), Vec::new());
        let mut sinks: Vec<Box<dyn FrameSink>> = Vec::new();
        if let Some(vtk) = plan.vtk {
            let (path, pieces) = (folder.part(Part::Vtk), pieces(vtk));
            let writer = match resumed {
                None => VtkWriter::create(path, model.clone(), &pieces),
                Some(step) => VtkWriter::resume(path, model.clone(), &pieces, step),
            };
            frames.push(vtk.every);
            folders.push(Some(Part::Vtk.name()));
            sinks.push(Box::new(writer?));
        }
        if let Some(every) = plan.trajectory {
            let path = folder.part(Part::Trajectory);
            let writer = match resumed {
                None => TrajectoryWriter::create(&path, model.clone(), true),
                Some(step) => TrajectoryWriter::resume(&path, model.clone(), true, step),
            };
            frames.push(every);
            folders.push(None);
            sinks.push(Box::new(writer?));
        }
        Ok(Self {
            energy: energy.transpose()?,
            walls: walls.transpose()?,
            flows: flows.transpose()?,
            measures: measures.transpose()?,
            contacts: plan.trajectory.is_some() || plan.vtk.is_some_and(|vtk| vtk.contacts || vtk.chains),
            frames,
            folders,
            background: Background::start(sinks)?,
            own: Own::default(),
            last_step: *last_step,
            energy_error: f64::NAN,
            place: *place,
            left: 0,
        })
    }

    /// Adds an output of one's own: new, or, given a step, going on from there.
    pub(crate) fn add(
        &mut self,
        output: Box<dyn Output>,
        folder: &Path,
        resumed: Option<u64>,
        now: &dyn Solver,
    ) -> Result<(), Error> {
        self.own.add(output, folder, resumed, now)
    }

    /// Everything is written at this step, and nothing after it.
    pub(crate) fn end_with(&mut self, step: u64) {
        self.last_step = step;
    }

    /// The next step at which something is written; the last one at the latest.
    pub(crate) fn next(&self, step: u64) -> u64 {
        let tables = [
            self.energy.as_ref().map(|(every, _)| *every),
            self.walls.as_ref().map(|(every, _)| *every),
            self.flows.as_ref().map(|(every, _)| *every),
        ];
        let frames = self.frames.iter().copied();
        let intervals = tables.into_iter().flatten().chain(frames).chain(self.own.intervals());
        intervals.map(|every| next_multiple(step, every)).fold(self.last_step, u64::min)
    }

    /// Writes what is due at the present step; everything at the last one.
    pub(crate) fn write(&mut self, engine: &dyn Solver) -> Result<(), Error> {
        self.write_due(engine, engine.steps() == self.last_step)
    }

    /// Writes everything.
    pub(crate) fn write_all(&mut self, engine: &dyn Solver) -> Result<(), Error> {
        self.write_due(engine, true)
    }

    fn write_due(&mut self, engine: &dyn Solver, all: bool) -> Result<(), Error> {
        let step = engine.steps();
        let due = |every: u64| all || step.is_multiple_of(every);
        if let Some((_, csv)) = self.energy.as_mut().filter(|(every, _)| due(*every)) {
            self.energy_error = csv.append(engine)?;
            self.left = self.place.map_or(0, |place| place.count_left(engine));
        }
        if let Some((_, csv)) = self.walls.as_mut().filter(|(every, _)| due(*every)) {
            csv.append(engine)?;
        }
        let sinks = self.frames.iter().enumerate().filter(|(_, every)| due(**every));
        let receivers = sinks.fold(Receivers::NONE, |receivers, (sink, _)| receivers.and(sink));
        if !receivers.is_empty() {
            let mut frame = self.background.spare_frame();
            frame.take(engine, self.contacts);
            self.background.submit(frame, receivers)?;
        }
        self.own.write(engine, due)
    }

    /// Writes what came in and went out, if that is due at the present step.
    pub(crate) fn write_flows(&mut self, simulation: &Simulation) -> Result<(), Error> {
        let (engine, last) = (simulation.engine(), self.last_step);
        let (step, time) = (engine.steps(), engine.time());
        let due = |every: u64| step.is_multiple_of(every) || step == last;
        if let Some((_, csv)) = self.flows.as_mut().filter(|(every, _)| due(*every)) {
            csv.append(time, step, &simulation.flows().report())?;
        }
        Ok(())
    }

    /// Writes what was measured.
    pub(crate) fn write_measures<'r>(&mut self, rows: impl Iterator<Item = &'r Row>) -> Result<(), Error> {
        if let Some(csv) = &mut self.measures {
            for row in rows {
                csv.append(row.time, row.step, &row.values)?;
            }
        }
        Ok(())
    }

    /// Makes everything written so far safe: before a checkpoint, which must not be ahead of it.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.background.flush()?;
        if let Some((_, csv)) = &mut self.energy {
            csv.sync()?;
        }
        if let Some((_, csv)) = &mut self.walls {
            csv.sync()?;
        }
        if let Some((_, csv)) = &mut self.flows {
            csv.sync()?;
        }
        if let Some(csv) = &mut self.measures {
            csv.sync()?;
        }
        self.own.sync()
    }

    /// What is written so far, after [`sync`](Self::sync).
    pub(crate) fn marks(&self) -> Vec<Mark> {
        let tables = [
            self.energy.as_ref().map(|(_, csv)| csv.mark()),
            self.walls.as_ref().map(|(_, csv)| csv.mark()),
            self.flows.as_ref().map(|(_, csv)| csv.mark()),
            self.measures.as_ref().map(MeasuresCsv::mark),
        ];
        let frames = self.background.marks().iter().zip(&self.folders).flat_map(|(marks, folder)| {
            marks
                .iter()
                .map(move |mark| folder.map_or_else(|| mark.clone(), |folder| mark.clone().within(folder)))
        });
        tables.into_iter().flatten().chain(frames).chain(self.own.marks().iter().cloned()).collect()
    }

    /// The error of the books at the last row of the table of energies; NaN before the first.
    pub(crate) fn energy_error(&self) -> f64 {
        self.energy_error
    }
}

impl Outputs {
    /// Bodies that had left the scene at that row.
    pub(crate) fn left(&self) -> usize {
        self.left
    }
}

fn pieces(plan: VtkPlan) -> Vec<Piece> {
    let wanted = [
        (Piece::Spheres, plan.spheres),
        (Piece::Bodies, plan.bodies),
        (Piece::Contacts, plan.contacts),
        (Piece::Walls, plan.meshes),
        (Piece::Chains, plan.chains),
    ];
    wanted.into_iter().filter_map(|(piece, wanted)| wanted.then_some(piece)).collect()
}
