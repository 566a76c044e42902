//! The ladder from one sphere to as many as it takes.

use super::moments::{Target, with_moments};
use super::optimise::{Distances, Limits, optimise};
use super::place;
use crate::certificate::Skin;
use crate::sample::{Sample, core, samples};
use crate::{Certificate, Solid};
use tumble_dem::clump::{ClumpSphere, MassModel};

/// What is asked of the spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// The largest distance between the surfaces, m. With 0 as many spheres are taken as there may be.
    pub surface: f64,
    /// How many spheres there may be.
    pub spheres_max: usize,
    /// The largest difference of the volumes, over that of the mesh, where they cannot be made equal.
    pub volume: f64,
    /// The largest difference of the tensors of inertia, over the largest entry, where they cannot be made equal.
    pub inertia: f64,
    /// No sphere is smaller, m.
    pub smallest_radius: f64,
    /// Another one gives another solution of much the same quality.
    pub seed: u64,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            surface: 0.0,
            spheres_max: 200,
            volume: f64::INFINITY,
            inertia: f64::INFINITY,
            smallest_radius: 0.0,
            seed: 1,
        }
    }
}

/// Where the mass properties of a clump come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassFrom {
    /// The union of its spheres, whose volume, centre and inertia are those of the mesh.
    Union,
    /// The mesh itself: those of the union differ.
    Mesh,
}

/// One number of spheres and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The spheres, in the frame of the mesh, m.
    pub spheres: Vec<ClumpSphere>,
    /// How well they stand for it.
    pub certificate: Certificate,
    /// Whether the union has the mass properties of the mesh.
    pub mass: MassFrom,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The chosen spheres, the largest first.
    pub spheres: Vec<ClumpSphere>,
    /// How well they stand for the mesh.
    pub certificate: Certificate,
    /// Where the mass properties come from.
    pub mass: MassFrom,
    /// Whether all that was wanted is kept.
    pub reached: bool,
    /// Whether it was told to end before it was done.
    pub interrupted: bool,
    /// All numbers of spheres that were tried, ascending.
    pub ladder: Vec<Rung>,
}

/// Where the work stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// How many spheres are being fitted.
    pub spheres: usize,
    /// The least surface error so far, m.
    pub surface: f64,
    /// About which part of the work is done, 0 to 1.
    pub done: f64,
}

impl Fitted {
    /// The mass model of a template of these spheres.
    pub fn mass_model(&self, solid: &Solid) -> MassModel {
        let own = solid.mass();
        match self.mass {
            MassFrom::Union => MassModel::Union,
            MassFrom::Mesh => {
                MassModel::Given { volume: own.volume, centre: own.centre, inertia: own.inertia }
            }
        }
    }
}

/// Fits spheres to a solid. `watch` is told where the work stands, and ends it early by answering `false`: then the best so far is what
/// comes out.
pub fn fit(solid: &Solid, wanted: &Wanted, watch: impl FnMut(&Stage) -> bool) -> Fitted {
    let mut climber = Climber::new(solid, wanted, watch);
    climber.climb();
    climber.finish()
}

struct Climber<'a, W> {
    solid: &'a Solid,
    wanted: &'a Wanted,
    watch: W,
    target: Target,
    limits: Limits,
    /// Points of the surface, and after them points of the core for the error that is expected.
    samples: Vec<Sample>,
    on_surface: usize,
    /// Without regard to moments; the next rung starts from here.
    spheres: Vec<ClumpSphere>,
    ladder: Vec<Rung>,
    interrupted: bool,
}

impl<'a, W: FnMut(&Stage) -> bool> Climber<'a, W> {
    fn new(solid: &'a Solid, wanted: &'a Wanted, watch: W) -> Self {
        let [low, high] = solid.bounds();
        let largest_radius = (high - low).norm();
        let smallest_radius = wanted.smallest_radius.clamp(1e-4 * solid.size(), largest_radius);
        Self {
            solid,
            wanted,
            watch,
            target: Target::of(solid),
            limits: Limits { smallest_radius, largest_radius },
            samples: Vec::new(),
            on_surface: 0,
            spheres: Vec::new(),
            ladder: Vec::new(),
            interrupted: false,
        }
    }

    fn climb(&mut self) {
        let most = self.wanted.spheres_max.max(1);
        let mut count = 1;
        loop {
            if !self.tell(count) {
                return;
            }
            let error = self.expected_error(count);
            self.sample_for(count, error);
            let mut grown = self.spheres.clone();
            self.add(&mut grown, count, error);
            let mut spheres = self.improved(grown);
            if count > 3 {
                // Too many, made fewer again: that often ends in a better place, as those that are worth least go.
                let mut many = spheres.clone();
                self.add(&mut many, count + count.div_ceil(3), 0.7 * self.largest(&spheres));
                let many = self.improved(many);
                let fewer = self.fewer(many, count);
                if self.farthest(&fewer) < self.farthest(&spheres) {
                    spheres = fewer;
                }
            }
            self.spheres = spheres;
            let rung = self.rung(&self.spheres);
            let enough = self.keeps(&rung);
            self.ladder.push(rung);
            if enough {
                break;
            }
            if count >= most {
                return;
            }
            count = most.min((count + 1).max(count * 4 / 3));
        }
        self.descend();
    }

    /// Between the last number that is too small and the first that will do, the least.
    fn descend(&mut self) {
        let mut enough = self.spheres.clone();
        // Made from more, a number may do that did not when it was made from fewer.
        let mut few =
            if self.ladder.len() > 1 { self.ladder[self.ladder.len() - 2].spheres.len() * 3 / 4 } else { 0 };
        while enough.len() > few + 1 {
            let count = usize::midpoint(few, enough.len());
            if !self.tell(count) {
                return;
            }
            self.sample_for(count, self.wanted.surface);
            let spheres = self.fewer(enough.clone(), count);
            let rung = self.rung(&spheres);
            if self.keeps(&rung) {
                enough = spheres;
            } else {
                few = count;
            }
            self.ladder.push(rung);
        }
    }

    fn tell(&mut self, count: usize) -> bool {
        let surface = self.ladder.iter().map(|r| r.certificate.surface.upper).fold(f64::INFINITY, f64::min);
        // Most of the work is at the end, where there are many spheres.
        let part = |left: f64| left.clamp(0.0, 1.0);
        let by_count = count as f64 / self.wanted.spheres_max.max(1) as f64;
        let by_error = if surface.is_finite() { self.wanted.surface / surface } else { 0.0 };
        let stage = Stage { spheres: count, surface, done: part(by_count.max(by_error * by_error)) };
        let go_on = (self.watch)(&stage);
        self.interrupted = !go_on;
        // At least one rung, so that there is something to keep.
        go_on || self.ladder.is_empty()
    }

    fn add(&self, spheres: &mut Vec<ClumpSphere>, count: usize, error: f64) {
        place::add(self.solid, spheres, &self.samples, self.limits, count, error);
    }

    /// The largest error at points of the surface.
    fn largest(&self, spheres: &[ClumpSphere]) -> f64 {
        Distances::new(spheres, &self.samples[..self.on_surface]).largest()
    }

    /// The same, or how deep the surface of the spheres lies in crevices and voids.
    fn farthest(&self, spheres: &[ClumpSphere]) -> f64 {
        let depths = Skin::new(spheres).crevices().into_iter().map(|point| self.solid.depth(point));
        depths.fold(self.largest(spheres), f64::max)
    }

    /// About the error that so many spheres will have.
    fn expected_error(&self, count: usize) -> f64 {
        match self.spheres.len() {
            0 => 0.1 * self.solid.size(),
            now => self.largest(&self.spheres) * now as f64 / count as f64,
        }
    }

    /// Enough points for this number of spheres, and a core for this error.
    fn sample_for(&mut self, count: usize, error: f64) {
        let needed = (2000 + 100 * count).min(30_000);
        self.samples.truncate(self.on_surface);
        if self.samples.len() < needed {
            self.samples = samples(self.solid, needed + needed / 4, self.wanted.seed);
            self.on_surface = self.samples.len();
        }
        let core = core(self.solid, &self.samples, error);
        self.samples.extend(core);
    }

    /// Spheres moved to where they are worth most.
    fn improved(&mut self, mut spheres: Vec<ClumpSphere>) -> Vec<ClumpSphere> {
        let count = spheres.len();
        let mut distances = optimise(&mut spheres, &self.samples, self.limits, [2, 16], 12);
        for _ in 0..4 {
            let (mut trial, moved) = self.without_least(&spheres, &distances);
            if moved == 0 {
                break;
            }
            self.add(&mut trial, count, 0.7 * distances.largest());
            let found = optimise(&mut trial, &self.samples, self.limits, [4, 16], 12);
            if found.largest() >= distances.largest() {
                break;
            }
            (spheres, distances) = (trial, found);
        }
        // The core of the error that has come out, with a point in every crevice that is deeper.
        let error = self.largest(&spheres);
        self.sample_for(count, error);
        for _ in 0..3 {
            let more = self.crevices(&spheres, error);
            self.samples.extend(more);
            optimise(&mut spheres, &self.samples, self.limits, [16, 32], 8);
        }
        spheres
    }

    /// Points of the core in crevices: where three spheres meet too deep inside the mesh, and above that as deep as the error.
    fn crevices(&self, spheres: &[ClumpSphere], error: f64) -> Vec<Sample> {
        let mut samples = Vec::new();
        for corner in Skin::new(spheres).crevices() {
            let (nearest, depth) = self.solid.nearest(corner);
            if depth > 0.95 * error {
                let inwards = (corner - nearest).unit();
                samples.push(Sample {
                    at: nearest + inwards * error,
                    normal: -inwards,
                    area: 0.0,
                    core: error,
                });
            }
        }
        samples
    }

    /// Only so many of the spheres, improved.
    fn fewer(&mut self, mut spheres: Vec<ClumpSphere>, count: usize) -> Vec<ClumpSphere> {
        let mut distances = Distances::new(&spheres, &self.samples);
        while spheres.len() > count {
            self.remove_least(&mut spheres, &mut distances);
        }
        self.improved(spheres)
    }

    fn remove_least(&self, spheres: &mut Vec<ClumpSphere>, distances: &mut Distances) {
        let (least, _) = distances.least(spheres.len());
        spheres.remove(least);
        #[allow(clippy::cast_possible_truncation, reason = "clumps have at most a few thousand spheres")]
        distances.without(least as u32, spheres, &self.samples);
    }

    /// Without those that are worth so little that they had better be elsewhere, an eighth of all at most.
    fn without_least(&self, spheres: &[ClumpSphere], distances: &Distances) -> (Vec<ClumpSphere>, usize) {
        let mut left = spheres.to_vec();
        let mut now = distances.clone();
        while left.len() > 1 && spheres.len() - left.len() < spheres.len().div_ceil(8) {
            if now.least(left.len()).1 > 0.9 * distances.largest() {
                break;
            }
            self.remove_least(&mut left, &mut now);
        }
        let moved = spheres.len() - left.len();
        (left, moved)
    }

    fn rung(&self, spheres: &[ClumpSphere]) -> Rung {
        let matched = with_moments(spheres, &self.samples, &self.target, self.limits);
        let mass = if matched.is_some() { MassFrom::Union } else { MassFrom::Mesh };
        let spheres = matched.unwrap_or_else(|| spheres.to_vec());
        let certificate = Certificate::of(self.solid, &spheres);
        Rung { spheres, certificate, mass }
    }

    fn keeps(&self, rung: &Rung) -> bool {
        let certificate = &rung.certificate;
        certificate.surface.upper <= self.wanted.surface
            && certificate.volume_error <= self.wanted.volume
            && certificate.inertia_error <= self.wanted.inertia
            && certificate.parts == 1
    }

    fn finish(mut self) -> Fitted {
        let surface = |rung: &Rung| rung.certificate.surface.upper;
        self.ladder
            .sort_by(|a, b| a.spheres.len().cmp(&b.spheres.len()).then(surface(a).total_cmp(&surface(b))));
        // Of several tries with as many spheres, the best.
        self.ladder.dedup_by_key(|rung| rung.spheres.len());
        let fits = self.ladder.iter().position(|rung| self.keeps(rung));
        let best = |best: usize, next: usize| {
            let surface = |i: usize| self.ladder[i].certificate.surface.upper;
            if surface(next) < surface(best) { next } else { best }
        };
        let chosen = fits.unwrap_or_else(|| (0..self.ladder.len()).reduce(best).unwrap_or(0));
        let Rung { mut spheres, certificate, mass } = self.ladder[chosen].clone();
        spheres.sort_by(|a, b| b.radius.total_cmp(&a.radius));
        Fitted {
            spheres,
            certificate,
            mass,
            reached: fits.is_some(),
            interrupted: self.interrupted,
            ladder: self.ladder,
        }
    }
}
