//! Capsules beside spheres: their geometry, their mass, and engines that have both.

mod geometry;
mod in_engines;
mod mass;
mod refused;
