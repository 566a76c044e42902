//! `_native.Batch`: bodies that are integrated together, in the columns of the engine.
//!
//! With several threads the bodies are cut into as many parts, each a batch of its own: bodies do not know each other,
//! so the parts need not wait for each other, and the bits are the same. A Python function sees all bodies at
//! once, so there is one part then.
//!
//! If a function raises, the bodies are where they were before the call. After Ctrl-C they are at the last full step.

use super::alone::Alone;
use super::torque::{Function, Torque, for_bodies, spin};
use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArrayDyn;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::cell::RefCell;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::{Drive, Error, PrincipalInertia, SchemeKind, Spin, batch};

#[pyclass(module = "tumble._native")]
pub(crate) struct Batch {
    scheme: SchemeKind,
    torque: Torque,
    dt: f64,
    start: f64,
    steps: u64,
    /// Torque evaluations so far, of each body.
    evaluations: u64,
    /// Where the bodies are, unless there is one alone.
    parts: Vec<Part>,
    alone: Option<Alone>,
}

/// Consecutive bodies.
#[derive(Clone)]
struct Part {
    first: usize,
    bodies: batch::Batch<f64>,
}

type Rows<'py> = Bound<'py, PyArrayDyn<f64>>;

/// Steps of all bodies together between two looks at Ctrl-C: a fraction of a second.
const BODY_STEPS: usize = 4_000_000;

/// How many bodies are as much work as what is done once in a step.
const STEP_OVERHEAD: usize = 100;

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (scheme, inertia, q, omega, dt, torque, *, torque_in_body, one, start, threads))]
    #[expect(clippy::too_many_arguments, reason = "what a user gives")]
    fn new(
        scheme: &str,
        inertia: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        omega: &Bound<'_, PyAny>,
        dt: f64,
        torque: &Bound<'_, PyAny>,
        torque_in_body: bool,
        one: bool,
        start: f64,
        threads: usize,
    ) -> Result<Self, Exception> {
        let scheme = SchemeKind::from_name(scheme).ok_or_else(|| {
            let names: Vec<_> = SchemeKind::ALL.iter().map(|kind| kind.name()).collect();
            Exception::input(format_args!("there is no scheme `{scheme}`; there are {}", names.join(", ")))
        })?;
        if !start.is_finite() {
            return Err(Error::NotFinite { what: "start time", value: start }.into());
        }
        let q = Array::<[f64; 4]>::convert("q", q)?.finite()?;
        let omega = Array::<[f64; 3]>::convert("omega", omega)?.finite()?;
        let inertia = Array::<[f64; 3]>::convert("inertia", inertia)?.finite()?;
        let bodies = bodies(&q, &omega, &inertia)?;
        let torque = Torque::new(torque, torque_in_body, bodies.len(), one)?;
        let parts = parts(scheme, dt, start, &bodies, &torque, threads)?;
        let alone = match (&bodies[..], &torque) {
            (_, Torque::Function(_)) => None,
            (&[(spin, inertia)], torque) => {
                Some(Alone::new(scheme, spin, Drive { torque: torque.at(0, spin, start), inertia, dt }))
            }
            _ => None,
        };
        Ok(Self { scheme, torque, dt, start, steps: 0, evaluations: 1, parts, alone })
    }

    fn __len__(&self) -> usize {
        self.parts.iter().map(|part| part.bodies.len()).sum()
    }

    #[getter]
    fn time(&self) -> f64 {
        self.start + self.steps as f64 * self.dt
    }

    #[getter]
    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Advances all bodies by a number of steps.
    fn step(&mut self, py: Python<'_>, steps: u64) -> Result<(), Exception> {
        let Self { torque, start, parts, .. } = self;
        if let (Torque::Function(function), [part]) = (&*torque, &mut parts[..]) {
            let before = part.clone();
            py.detach(|| step_with(function, part, *start, steps)).inspect_err(|_| *part = before)?;
            self.count(steps);
            return Ok(());
        }
        let chunk = (BODY_STEPS / (self.__len__() + STEP_OVERHEAD)).max(1) as u64;
        let mut left = steps;
        while left > 0 {
            let now = left.min(chunk);
            py.detach(|| self.step_parts(now));
            self.count(now);
            left -= now;
            py.check_signals()?;
        }
        Ok(())
    }

    /// q and ω of all bodies, at the present time.
    fn state<'py>(&mut self, py: Python<'py>) -> Result<(Rows<'py>, Rows<'py>), Exception> {
        let (mut q, mut omega) = (Vec::with_capacity(self.__len__()), Vec::with_capacity(self.__len__()));
        self.look(py, |spin| {
            q.push(spin.q.to_array());
            omega.push(spin.omega.to_array());
        })?;
        Ok((new_array::<[f64; 4]>(py, q)?, new_array::<[f64; 3]>(py, omega)?))
    }

    /// q of all bodies, at the present time.
    fn q<'py>(&mut self, py: Python<'py>) -> Result<Rows<'py>, Exception> {
        let mut q = Vec::with_capacity(self.__len__());
        self.look(py, |spin| q.push(spin.q.to_array()))?;
        Ok(new_array::<[f64; 4]>(py, q)?)
    }

    /// ω of all bodies, at the present time.
    fn omega<'py>(&mut self, py: Python<'py>) -> Result<Rows<'py>, Exception> {
        let mut omega = Vec::with_capacity(self.__len__());
        self.look(py, |spin| omega.push(spin.omega.to_array()))?;
        Ok(new_array::<[f64; 3]>(py, omega)?)
    }

    /// q and ω as the scheme holds them, at the instants of its time level.
    fn native<'py>(&self, py: Python<'py>) -> Result<(Rows<'py>, Rows<'py>), Exception> {
        if let Some(body) = &self.alone {
            let spin = body.native();
            return Ok((
                new_array(py, vec![spin.q.to_array()])?,
                new_array(py, vec![spin.omega.to_array()])?,
            ));
        }
        let spins = self.parts.iter().flat_map(|Part { bodies, .. }| {
            (0..bodies.len())
                .map(|body| bodies.native(body))
                .map(|spin| (spin.q.to_array(), spin.omega.to_array()))
        });
        let (q, omega) = spins.unzip();
        Ok((new_array::<[f64; 4]>(py, q)?, new_array::<[f64; 3]>(py, omega)?))
    }

    /// How far q and ω as the scheme holds them are behind the present time, s.
    #[getter]
    fn lags(&self) -> (f64, f64) {
        let level = self.scheme.info().time_level;
        (level.q_lag() * self.dt, level.omega_lag() * self.dt)
    }

    /// Times, and q and ω of all bodies sample by sample: now, after every `every` steps, and at the end.
    fn record<'py>(
        &mut self,
        py: Python<'py>,
        steps: u64,
        every: u64,
    ) -> Result<(Rows<'py>, Rows<'py>, Rows<'py>), Exception> {
        // More than there are numbers for are more than there is room for.
        let later = usize::try_from(steps.div_ceil(every.max(1))).unwrap_or(usize::MAX);
        let samples = later.saturating_add(1);
        let rows = samples.saturating_mul(self.__len__());
        let (mut times, mut q, mut omega) =
            (room::<f64>(samples)?, room::<[f64; 4]>(rows)?, room::<[f64; 3]>(rows)?);
        let mut left = steps;
        loop {
            times.push(self.time());
            self.look(py, |spin| {
                q.push(spin.q.to_array());
                omega.push(spin.omega.to_array());
            })?;
            if left == 0 {
                return Ok((new_array(py, times)?, new_array(py, q)?, new_array(py, omega)?));
            }
            let now = left.min(every.max(1));
            self.step(py, now)?;
            left -= now;
        }
    }
}

impl Batch {
    fn count(&mut self, steps: u64) {
        self.steps += steps;
        self.evaluations += steps * self.scheme.info().torque_times.len() as u64;
    }

    /// Steps under a torque that is no Python function, a thread for each part.
    fn step_parts(&mut self, steps: u64) {
        let Self { torque, start, parts, alone, .. } = self;
        let (torque, start) = (&*torque, *start);
        if let Some(body) = alone {
            return body.run(torque, start, steps);
        }
        let advance = |part: &mut Part| {
            let first = part.first;
            for _ in 0..steps {
                match torque {
                    Torque::Lab(_) => part.bodies.step_with_held_torques(),
                    _ => part
                        .bodies
                        .step(|body, q, omega, time| torque.at(first + body, spin(q, omega), start + time)),
                }
            }
        };
        if let Some((mine, others)) = parts.split_first_mut() {
            std::thread::scope(|scope| {
                for part in others {
                    scope.spawn(move || advance(part));
                }
                advance(mine);
            });
        }
    }

    /// Hands over all bodies at the present time, if they can still be followed.
    fn look(&mut self, py: Python<'_>, mut take: impl FnMut(Spin<f64>) + Send) -> Result<(), Exception> {
        let (dt, time) = (self.dt, self.time());
        let lagging = self.scheme.info().time_level.omega_lag() > 0.0;
        let (mut body, mut lost) = (0, None);
        let mut each = |spin: Spin<f64>| {
            if lost.is_none() {
                lost = is_lost(&spin, dt).map(|why| (body, why));
            }
            body += 1;
            take(spin);
        };
        match &self.torque {
            torque if self.alone.is_some() => {
                self.alone.iter().for_each(|body| each(body.state(torque, time)));
            }
            // Where nothing lags behind, the torque is not asked for.
            Torque::Function(function) if lagging => {
                self.evaluations += 1;
                py.detach(|| synchronised(function, &self.parts, time, &mut each))?;
            }
            torque => py.detach(|| {
                for Part { first, bodies } in &self.parts {
                    bodies.look(|body, q, omega, _| torque.at(first + body, spin(q, omega), time), &mut each);
                }
            }),
        }
        match lost {
            None => Ok(()),
            Some((body, Lost::NotFinite)) => Err(Exception::run(format_args!(
                "body {body}: its motion is no longer finite at t = {time}: choose a smaller time step"
            ))),
            Some((body, Lost::TooFast(angle))) => {
                Err(Exception::run(format_args!("body {body}: {}", Error::StepTooLarge { angle, time })))
            }
        }
    }
}

/// A body as a batch takes it.
type Body = (Spin<f64>, PrincipalInertia<f64>);

/// Bodies from arrays of which each has a row for each body, or one for all.
fn bodies(
    q: &Array<'_, [f64; 4]>,
    omega: &Array<'_, [f64; 3]>,
    inertia: &Array<'_, [f64; 3]>,
) -> Result<Vec<Body>, Exception> {
    let (q, omega, inertia) = (q.rows()?, omega.rows()?, inertia.rows()?);
    // One row is for all, so no rows beside one are no bodies.
    let count = [q.len(), omega.len(), inertia.len()].into_iter().find(|&rows| rows != 1).unwrap_or(1);
    let rows = for_bodies("q", q, count)?
        .zip(for_bodies("omega", omega, count)?)
        .zip(for_bodies("inertia", inertia, count)?);
    let mut bodies = Vec::with_capacity(count);
    for (number, ((q, omega), moments)) in rows.enumerate() {
        let of_body = |error| Exception::input(format_args!("body {number}: {error}"));
        let spin = spin(Quat::from_array(q), BodyVec::from_array(omega)).checked().map_err(of_body)?;
        bodies.push((spin, PrincipalInertia::new(moments).map_err(of_body)?));
    }
    Ok(bodies)
}

fn parts(
    scheme: SchemeKind,
    dt: f64,
    start: f64,
    bodies: &[Body],
    torque: &Torque,
    threads: usize,
) -> Result<Vec<Part>, Exception> {
    let at_start = match torque {
        Torque::Function(function) => Some(function.call(bodies.iter().map(|body| body.0), start)?),
        _ => None,
    };
    let size = bodies.len().div_ceil(torque.threads(threads).max(1)).max(1);
    let part = |(number, bodies): (usize, &[Body])| {
        let first = number * size;
        let bodies =
            batch::Batch::new(scheme, dt, bodies.iter().copied(), |body, q, omega, _| match &at_start {
                Some(torques) => torques.get(body).copied().unwrap_or(LabVec::zero()),
                None => torque.at(first + body, spin(q, omega), start),
            })?;
        Ok(Part { first, bodies })
    };
    // No bodies are a batch as well.
    let pieces = if bodies.is_empty() { vec![bodies] } else { bodies.chunks(size).collect() };
    pieces.into_iter().enumerate().map(part).collect()
}

/// Steps under a Python function, up to its first exception.
fn step_with(function: &Function, part: &mut Part, start: f64, steps: u64) -> Result<(), Exception> {
    let mut raised = None;
    for _ in 0..steps {
        part.bodies.step_together(|seen, columns, time| {
            if raised.is_some() {
                return;
            }
            match function.of_columns(seen, start + time) {
                Ok(torques) => {
                    for (row, torque) in torques.into_iter().enumerate() {
                        for (column, value) in columns.iter_mut().zip(torque.to_array()) {
                            column[row] = value;
                        }
                    }
                }
                Err(exception) => raised = Some(exception),
            }
        });
        if let Some(exception) = raised {
            return Err(exception);
        }
    }
    Ok(())
}

/// Bodies under a Python function at the present time. A first look shows the function what it acts on, a second one
/// takes its torques into account.
fn synchronised(
    function: &Function,
    parts: &[Part],
    time: f64,
    mut each: impl FnMut(Spin<f64>),
) -> Result<(), Exception> {
    for Part { bodies, .. } in parts {
        let seen = RefCell::new(Vec::with_capacity(bodies.len()));
        bodies.look(
            |_, q, omega, _| {
                seen.borrow_mut().push(spin(q, omega));
                LabVec::zero()
            },
            drop,
        );
        let torques = function.call(seen.into_inner().into_iter(), time)?;
        bodies.look(|body, _, _, _| torques.get(body).copied().unwrap_or(LabVec::zero()), &mut each);
    }
    Ok(())
}

/// Why a body cannot be followed any longer.
enum Lost {
    NotFinite,
    /// It turns by so many radians in a time step.
    TooFast(f64),
}

fn is_lost(spin: &Spin<f64>, dt: f64) -> Option<Lost> {
    let angle = spin.omega.norm() * dt;
    if !angle.is_finite() || !spin.q.to_array().into_iter().all(f64::is_finite) {
        return Some(Lost::NotFinite);
    }
    (angle > std::f64::consts::TAU).then_some(Lost::TooFast(angle))
}

/// Room for so many rows, or `MemoryError`.
fn room<R>(rows: usize) -> Result<Vec<R>, Exception> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(rows).map_err(|_| {
        PyMemoryError::new_err(format!(
            "there is no memory for {rows} samples of bodies; take fewer, with every=…"
        ))
    })?;
    Ok(vector)
}
