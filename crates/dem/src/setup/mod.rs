//! What is set up before a run: a world as plain data, and whether it makes sense.
//!
//! | where | what |
//! | --- | --- |
//! | [`world`] | bodies, walls, space, gravity, fields: all there is |
//! | [`cell`] | a periodic cell that deforms |
//! | [`gravity`] | gravity that changes |
//! | [`clump`] | shapes made of spheres, their exact mass properties, files, built-in shapes |
//! | [`material`], [`property`] | materials and pairs of them; the properties that contact laws read |
//! | [`membrane`] | nets of bodies that a pressure pushes |
//! | [`bond`] | bonds between bodies: beams, their stiffness and strength |
//! | [`placement`] | where bodies start, and streams that come in later |
//! | [`check`] | what an engine refuses to start with |
//! | [`advice`] | which time step |
//! | [`scenes`] | the many-body experiments of the papers |

pub mod advice;
pub mod bond;
pub(crate) mod cell;
pub(crate) mod check;
pub mod clump;
pub(crate) mod gravity;
pub mod heat;
pub mod liquid;
pub mod material;
pub mod membrane;
pub mod placement;
pub mod property;
pub mod scenes;
pub(crate) mod world;
