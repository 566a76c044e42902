//! Every integration test of the crate, in one program: it links once.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

mod adhesion;
mod advice;
mod advice_turning;
mod at_rest;
mod bad_worlds;
mod bonds;
mod bonds_kept;
mod capsules;
mod cell;
mod cell_shear;
mod clump_read;
mod clump_slices;
mod clump_template;
mod clump_union;
mod common;
mod contact_states;
mod crowds;
mod edited_forces;
mod editing;
mod ellipsoids;
mod field_calls;
mod fields;
mod films;
mod first_kick;
mod frames;
mod free_walls;
mod going_on;
mod groups;
mod guards;
mod heat;
mod held;
mod hollows;
mod impacts;
mod landings;
mod law;
mod law_from_outside;
mod leaps;
mod ledger;
mod membranes;
mod mesh_loads;
mod momentum;
mod mutated_files;
mod neighbours;
mod order;
mod papers;
mod parallel_bonds;
mod periodic;
mod placement;
mod polyhedra;
#[cfg(feature = "trace")]
mod printing;
mod range;
mod ranks;
mod rules;
mod same_bits;
#[path = "../../math/tests/common/sampling.rs"]
mod sampling;
mod saved_bytes;
mod scheme_from_outside;
mod sharing;
mod sheets;
mod shuffled_rows;
mod single_precision;
mod sliding;
#[path = "data/wall/solids.rs"]
mod solids;
mod take_over;
mod timed;
mod together;
mod wall_from_outside;
mod wall_mesh;
mod wall_mesh_energy;
mod wall_motion;
mod wall_primitives;
mod wall_stl;
mod walls_in_motion;
#[cfg(feature = "trace")]
mod whole_contact;
#[cfg(feature = "trace")]
mod whole_pieces;
#[cfg(feature = "trace")]
mod whole_touch;
