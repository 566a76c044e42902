//! What is seen of a specimen between two platens until it has failed, as rows of numbers.

use super::specimen::{AXES, FRICTION, LOOK, Packed, cement, engine, slowing, wall, world};
use crate::papers::kept::Rows;
use crate::papers::{Bench, Error};
use tumble_dem::bond::BreakMode;
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{Engine, LabVec};

/// The columns of a run: rows of the first kind are instants, of the second kind broken bonds, and the third is what was tested.
pub(super) const COLUMNS: &str =
    "kind,time_or_x,force_or_y,strain_or_z,lateral_or_sheared,platens,broken,unbooked";
const INSTANT: f64 = 0.0;
const CRACK: f64 = 1.0;
const TESTED: f64 = 2.0;

/// How a specimen is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loading {
    /// How far apart cemented grains are at most, by their mean diameter.
    pub(super) gap: f64,
    /// How fast both platens come together, m/s.
    pub(super) speed: f64,
    /// How fast free motion of a grain fades, 1/s, as if in a fluid.
    pub(super) fading: f64,
    /// T of the dashpots of the cement, s.
    pub(super) damping: f64,
    /// It is over when the force has fallen to this part of its peak, and this part of all bonds is broken.
    pub(super) fallen: f64,
    pub(super) broken: f64,
}

/// What a specimen looked like at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instant {
    /// Of both platens, the mean, N.
    pub(super) force: f64,
    /// Shortening of its middle along z.
    pub(super) strain: f64,
    /// Widening of its middle, mean of x and y.
    pub(super) lateral: f64,
    /// How far the platens have come together, m.
    pub(super) platens: f64,
    /// Broken bonds.
    pub(super) broken: f64,
    /// What is missing in the books of energy, J.
    pub(super) unbooked: f64,
}

/// A bond that broke.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crack {
    /// m
    pub(super) place: [f64; 3],
    pub(super) sheared: bool,
}

/// A run, read from its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub(super) instants: Vec<Instant>,
    pub(super) cracks: Vec<Crack>,
    /// Of the specimen, m.
    pub(super) sides: [f64; 3],
    pub(super) grains: f64,
    pub(super) bonds: f64,
    /// What all put in, J, to compare what is missing with.
    pub(super) work: f64,
}

/// Loads a specimen along z until it fails; its grains lie between these heights, and `sides` says how large it is.
pub(super) fn load(
    bench: &Bench<'_>,
    packed: &Packed,
    [low, high]: [f64; 2],
    diameter: f64,
    seed: u64,
    loading: &Loading,
) -> Result<Rows, Error> {
    let mut world = world(&packed.places, &packed.radii, diameter, FRICTION)?;
    cement(&mut world, loading.gap * diameter, loading.damping, seed);
    world.drag = Some(slowing(diameter, loading.fading));
    for (name, height, side) in [("bottom", low, 1.0), ("top", high, -1.0)] {
        let velocity = AXES[2] * (0.5 * loading.speed * side);
        let motion = Motion::new(vec![Movement::Drift { velocity }])?;
        wall(&mut world, name, AXES[2] * height, AXES[2] * side, motion)?;
    }
    let mut engine = engine(world)?;
    let begun: Vec<LabVec<f64>> = engine.bodies().iter().map(|body| body.position).collect();
    let gauge = Gauge::new(&begun, [low, high]);
    let balance = engine.ledger().balance();
    let mut rows = Rows::new();
    let mut peak: f64 = 0.0;
    loop {
        if !bench.goes_on() {
            return Err(Error::Interrupted);
        }
        engine.advance(LOOK)?;
        let forces = engine.walls();
        let force = 0.5 * (forces[1].force.z - forces[0].force.z);
        peak = peak.max(force);
        let [x, y, z] = gauge.strains(&engine);
        let platens = loading.speed * engine.time();
        let broken = engine.bond_counts().broken as f64;
        let unbooked = engine.ledger().balance() - balance;
        rows.push(vec![INSTANT, engine.time(), force, -z, 0.5 * (x + y), platens, broken, unbooked]);
        // Not before something broke: the first touch of the platens is a peak of its own, and so is each grain that they chip off.
        let failed =
            broken >= loading.broken * engine.bond_counts().made as f64 && force < loading.fallen * peak;
        if failed || platens > 0.02 * (high - low) {
            break;
        }
    }
    for event in engine.breakages() {
        let LabVec { x, y, z, .. } = event.place;
        let sheared = f64::from(event.mode == BreakMode::Shear);
        rows.push(vec![CRACK, x, y, z, sheared, event.time, 0.0, 0.0]);
    }
    let ledger = engine.ledger();
    let [a, b, c] = packed.sides;
    rows.push(vec![
        TESTED,
        a,
        b,
        c,
        begun.len() as f64,
        engine.bond_counts().made as f64,
        ledger.work(),
        0.0,
    ]);
    Ok(rows)
}

/// Strains of the middle of a specimen: how displacements grow with the place, by least squares over its grains.
struct Gauge {
    /// The grains, with where each is from the middle of all of them.
    grains: Vec<(usize, [f64; 3])>,
    /// Of these places along each axis.
    squares: [f64; 3],
    begun: Vec<LabVec<f64>>,
}

impl Gauge {
    /// Of the grains in the middle three fifths of the height.
    fn new(begun: &[LabVec<f64>], [low, high]: [f64; 2]) -> Self {
        let part = 0.2 * (high - low);
        let inside: Vec<usize> =
            (0..begun.len()).filter(|&grain| (low + part..high - part).contains(&begun[grain].z)).collect();
        let count = inside.len() as f64;
        let middle = inside.iter().fold(LabVec::zero(), |sum, &grain| sum + begun[grain]) * (1.0 / count);
        let grains: Vec<_> =
            inside.into_iter().map(|grain| (grain, (begun[grain] - middle).to_array())).collect();
        let squares = [0, 1, 2].map(|axis| grains.iter().map(|(_, from)| from[axis].powi(2)).sum());
        Self { grains, squares, begun: begun.to_vec() }
    }

    fn strains(&self, engine: &Engine) -> [f64; 3] {
        let bodies = engine.bodies();
        let mut products = [0.0; 3];
        for (grain, from) in &self.grains {
            let moved = (bodies[*grain].position - self.begun[*grain]).to_array();
            for axis in 0..3 {
                products[axis] += from[axis] * moved[axis];
            }
        }
        [0, 1, 2].map(|axis| products[axis] / self.squares[axis])
    }
}

impl History {
    pub(super) fn of(rows: &Rows) -> Self {
        let mut history = Self::default();
        for row in rows {
            let &[kind, a, b, c, d, e, f, g] = row.as_slice() else { continue };
            if kind < 0.5 * CRACK {
                let (strain, lateral, platens) = (c, d, e);
                history.instants.push(Instant { force: b, strain, lateral, platens, broken: f, unbooked: g });
            } else if kind < 0.5 * (CRACK + TESTED) {
                history.cracks.push(Crack { place: [a, b, c], sheared: d > 0.5 });
            } else {
                (history.sides, history.grains, history.bonds, history.work) = ([a, b, c], d, e, f);
            }
        }
        history
    }

    /// The instant of the largest force.
    pub(super) fn peak(&self) -> Instant {
        let zero =
            Instant { force: 0.0, strain: 0.0, lateral: 0.0, platens: 0.0, broken: 0.0, unbooked: 0.0 };
        self.instants.iter().fold(zero, |peak, &now| if now.force > peak.force { now } else { peak })
    }

    /// Slopes of force and widening over shortening between a tenth and half of the largest force, on the way there, by least squares.
    pub(super) fn slopes(&self) -> [f64; 2] {
        let peak = self.peak().force;
        let end = self.instants.iter().position(|now| now.force > 0.5 * peak).unwrap_or(0);
        let used: Vec<&Instant> = self.instants[..end].iter().filter(|now| now.force > 0.1 * peak).collect();
        let count = used.len() as f64;
        let mean = |of: fn(&Instant) -> f64| used.iter().map(|now| of(now)).sum::<f64>() / count;
        let (strain, force, lateral) = (mean(|n| n.strain), mean(|n| n.force), mean(|n| n.lateral));
        let squares: f64 = used.iter().map(|now| (now.strain - strain).powi(2)).sum();
        let forces: f64 = used.iter().map(|now| (now.strain - strain) * (now.force - force)).sum();
        let widths: f64 = used.iter().map(|now| (now.strain - strain) * (now.lateral - lateral)).sum();
        [forces / squares, widths / squares]
    }

    /// The part of bonds broken so far that broke by pull and bending.
    pub(super) fn tensile_part(&self) -> f64 {
        self.cracks.iter().filter(|crack| !crack.sheared).count() as f64 / self.cracks.len() as f64
    }

    /// The most that is ever missing in the books, as a part of the work.
    pub(super) fn worst_books(&self) -> f64 {
        self.instants.iter().fold(0.0, |worst: f64, now| worst.max(now.unbooked.abs())) / self.work
    }
}
