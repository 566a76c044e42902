//! As few spheres as keep a surface error, with the mass properties of the mesh.
//!
//! Spheres are added where the error is largest, a few at a time, and moved so that the largest error becomes as small as it can (`optimise`); spheres
//! that are worth least go where they are worth more (`place`). At every rung of this ladder, the volume, centre and inertia of the union
//! are made those of the mesh (`moments`), and the result gets its certificate. When one keeps what is wanted, spheres are taken away
//! again until the least number is found.

mod ladder;
mod linear;
mod moments;
mod optimise;
mod place;

pub use ladder::{Fitted, MassFrom, Rung, Stage, Wanted, fit};
