//! What a run writes, and at which steps.

use crate::Error;
use crate::fields::FieldFiles;
use crate::own::{Output, Own};
use crate::place::Place;
use crate::plan::Plan;
use crate::simulation::{Simulation, next_multiple};
use std::path::Path;
use tumble_dem::Solver;
use tumble_measure::Row;
use tumble_measure::coarse::CoarseFields;
use tumble_output::csv::{BondsCsv, EnergyCsv, FlowsCsv, MeasuresCsv, WallsCsv};
use tumble_output::trajectory::TrajectoryWriter;
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Background, FrameSink, Mark, Model, Part, Receivers, ResultFolder};
use tumble_scene::{Series, VtkPlan};

/// The steps at which something is written.
#[derive(Clone, Copy, Debug)]
struct Rhythm {
    /// From one row or frame to the next; none where nothing is written for now.
    every: Option<u64>,
    /// Where they begin.
    from: u64,
}

impl Rhythm {
    fn of_scene(every: u64) -> Self {
        Self { every: Some(every), from: 0 }
    }

    fn is_due(self, step: u64) -> bool {
        self.every.is_some_and(|every| step >= self.from && (step - self.from).is_multiple_of(every))
    }

    /// The first of them after a step.
    fn next(self, step: u64) -> u64 {
        let Some(every) = self.every else { return u64::MAX };
        next_multiple(step.saturating_sub(self.from), every).saturating_add(self.from)
    }
}

/// The writers of a run, each with the steps at which it writes rows or frames.
pub(crate) struct Outputs {
    energy: Option<(Rhythm, EnergyCsv)>,
    walls: Option<(Rhythm, WallsCsv)>,
    flows: Option<(Rhythm, FlowsCsv)>,
    bonds: Option<BondsCsv>,
    measures: Option<MeasuresCsv>,
    fields: Vec<FieldFiles>,
    /// The sinks of the background, in their order.
    frames: Vec<(Series, Rhythm)>,
    /// How many stages have been followed.
    stages: usize,
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
            csv.map(|csv| (Rhythm::of_scene(every), csv))
        });
        let walls = folder.part(Part::Walls);
        let walls = plan.walls.filter(|_| !wall_names.is_empty()).map(|every| {
            let names = wall_names.clone();
            let csv = match resumed {
                None => WallsCsv::create(&walls, names, model.heat),
                Some(step) => WallsCsv::resume(&walls, names, model.heat, step),
            };
            csv.map(|csv| (Rhythm::of_scene(every), csv))
        });
        let path = folder.part(Part::Flows);
        let flows = plan.flows.filter(|_| *flows).map(|every| {
            let csv = match resumed {
                None => FlowsCsv::create(&path),
                Some(step) => FlowsCsv::resume(&path, step),
            };
            csv.map(|csv| (Rhythm::of_scene(every), csv))
        });
        let (path, engine) = (folder.part(Part::Bonds), simulation.engine());
        let counts = engine.bond_counts();
        let bonds = (counts.made > 0 || counts.may_be_made).then(|| match resumed {
            None => BondsCsv::create(&path, engine),
            Some(step) => BondsCsv::resume(&path, engine, step),
        });
        let path = folder.part(Part::Measures);
        let columns = simulation.measures().headers();
        let measures = (!columns.is_empty()).then(|| match resumed {
            None => MeasuresCsv::create(&path, &columns),
            Some(step) => MeasuresCsv::resume(&path, &columns, step),
        });
        let path = folder.part(Part::Fields);
        let specs = simulation.coarse_fields().specs();
        let fields = specs.map(|spec| FieldFiles::open(&path, spec, resumed)).collect::<Result<_, _>>()?;
        let (mut frames, mut folders) = (Vec::new(), Vec::new());
        let mut sinks: Vec<Box<dyn FrameSink>> = Vec::new();
        if let Some(vtk) = plan.vtk {
            let (path, pieces) = (folder.part(Part::Vtk), pieces(vtk, model));
            let writer = match resumed {
                None => VtkWriter::create(path, model.clone(), &pieces),
                Some(step) => VtkWriter::resume(path, model.clone(), &pieces, step),
            };
            frames.push((Series::Vtk, Rhythm::of_scene(vtk.every)));
            folders.push(Some(Part::Vtk.name()));
            sinks.push(Box::new(writer?));
        }
        if let Some(every) = plan.trajectory {
            let path = folder.part(Part::Trajectory);
            let writer = match resumed {
                None => TrajectoryWriter::create(&path, model.clone(), true),
                Some(step) => TrajectoryWriter::resume(&path, model.clone(), true, step),
            };
            frames.push((Series::Trajectory, Rhythm::of_scene(every)));
            folders.push(None);
            sinks.push(Box::new(writer?));
        }
        let mut outputs = Self {
            energy: energy.transpose()?,
            walls: walls.transpose()?,
            flows: flows.transpose()?,
            bonds: bonds.transpose()?,
            measures: measures.transpose()?,
            fields,
            contacts: plan.trajectory.is_some() || plan.vtk.is_some_and(|vtk| vtk.contacts || vtk.chains),
            frames,
            stages: 0,
            folders,
            background: Background::start(sinks)?,
            own: Own::default(),
            last_step: *last_step,
            energy_error: f64::NAN,
            place: *place,
            left: 0,
        };
        outputs.follow_stages(simulation);
        Ok(outputs)
    }

    /// Takes up how often the stages that have begun have things written. Whether one that began just now says so.
    pub(crate) fn follow_stages(&mut self, simulation: &Simulation) -> bool {
        let mut now = false;
        while let Some((from, changes)) = simulation.output_of_stage(self.stages) {
            self.stages += 1;
            for &(series, every) in changes {
                let rhythm = Rhythm { every, from };
                match series {
                    Series::Energy => self.energy.iter_mut().for_each(|(old, _)| *old = rhythm),
                    Series::Walls => self.walls.iter_mut().for_each(|(old, _)| *old = rhythm),
                    Series::Flows => self.flows.iter_mut().for_each(|(old, _)| *old = rhythm),
                    Series::Trajectory | Series::Vtk => {
                        let frames = self.frames.iter_mut().filter(|(of, _)| *of == series);
                        frames.for_each(|(_, old)| *old = rhythm);
                    }
                }
                now |= from == simulation.engine().steps();
            }
        }
        now
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
            self.energy.as_ref().map(|(rhythm, _)| *rhythm),
            self.walls.as_ref().map(|(rhythm, _)| *rhythm),
            self.flows.as_ref().map(|(rhythm, _)| *rhythm),
        ];
        let frames = self.frames.iter().map(|(_, rhythm)| *rhythm);
        let own = self.own.intervals().map(Rhythm::of_scene);
        let all = tables.into_iter().flatten().chain(frames).chain(own);
        all.map(|rhythm| rhythm.next(step)).fold(self.last_step, u64::min)
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
        let due = |rhythm: Rhythm| all || rhythm.is_due(step);
        if let Some((_, csv)) = self.energy.as_mut().filter(|(rhythm, _)| due(*rhythm)) {
            self.energy_error = csv.append(engine)?;
            self.left = self.place.map_or(0, |place| place.count_left(engine));
        }
        if let Some((_, csv)) = self.walls.as_mut().filter(|(rhythm, _)| due(*rhythm)) {
            csv.append(engine)?;
        }
        let sinks = self.frames.iter().enumerate().filter(|(_, (_, rhythm))| due(*rhythm));
        let receivers = sinks.fold(Receivers::NONE, |receivers, (sink, _)| receivers.and(sink));
        if !receivers.is_empty() {
            let mut frame = self.background.spare_frame();
            frame.take(engine, self.contacts);
            self.background.submit(frame, receivers)?;
        }
        self.own.write(engine, |every| due(Rhythm::of_scene(every)))
    }

    /// Writes what came in and went out, if that is due at the present step.
    pub(crate) fn write_flows(&mut self, simulation: &Simulation) -> Result<(), Error> {
        let (engine, last) = (simulation.engine(), self.last_step);
        let (step, time) = (engine.steps(), engine.time());
        let due = |rhythm: Rhythm| rhythm.is_due(step) || step == last;
        if let Some((_, csv)) = self.flows.as_mut().filter(|(rhythm, _)| due(*rhythm)) {
            csv.append(time, step, &simulation.flows().report())?;
        }
        Ok(())
    }

    /// Writes which bonds broke since the last time.
    pub(crate) fn write_broken(&mut self, engine: &dyn Solver) -> Result<(), Error> {
        self.bonds.as_mut().map_or(Ok(()), |csv| Ok(csv.append(engine)?))
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

    /// Writes fields that are new, from a step on.
    pub(crate) fn write_fields(&mut self, fields: &mut CoarseFields, from: u64) -> Result<(), Error> {
        for (number, frame) in fields.take_frames().filter(|(_, frame)| frame.step >= from) {
            self.fields[number].write(frame)?;
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
        if let Some(csv) = &mut self.bonds {
            csv.sync()?;
        }
        if let Some(csv) = &mut self.measures {
            csv.sync()?;
        }
        for files in &mut self.fields {
            files.sync()?;
        }
        self.own.sync()
    }

    /// What is written so far, after [`sync`](Self::sync).
    pub(crate) fn marks(&self) -> Vec<Mark> {
        let tables = [
            self.energy.as_ref().map(|(_, csv)| csv.mark()),
            self.walls.as_ref().map(|(_, csv)| csv.mark()),
            self.flows.as_ref().map(|(_, csv)| csv.mark()),
            self.bonds.as_ref().map(BondsCsv::mark),
            self.measures.as_ref().map(MeasuresCsv::mark),
        ];
        let frames = self.background.marks().iter().zip(&self.folders).flat_map(|(marks, folder)| {
            marks
                .iter()
                .map(move |mark| folder.map_or_else(|| mark.clone(), |folder| mark.clone().within(folder)))
        });
        let fields = self.fields.iter().flat_map(FieldFiles::marks);
        tables
            .into_iter()
            .flatten()
            .chain(frames)
            .chain(fields)
            .chain(self.own.marks().iter().cloned())
            .collect()
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

fn pieces(plan: VtkPlan, model: &Model) -> Vec<Piece> {
    let wanted = [
        (Piece::Spheres, plan.spheres),
        (Piece::Capsules, plan.spheres && model.has_capsules()),
        (Piece::Ellipsoids, plan.spheres && model.has_ellipsoids()),
        (Piece::Polyhedra, plan.spheres && model.has_polyhedra()),
        (Piece::Bodies, plan.bodies),
        (Piece::Contacts, plan.contacts),
        (Piece::Walls, plan.meshes),
        (Piece::Chains, plan.chains),
    ];
    wanted.into_iter().filter_map(|(piece, wanted)| wanted.then_some(piece)).collect()
}
