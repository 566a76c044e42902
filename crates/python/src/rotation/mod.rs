//! Rotation schemes.
//!
//! | where | what |
//! | --- | --- |
//! | `table` | what is known about schemes, and about torques that have a name |
//! | `frames` | vectors between the frames of bodies and the lab |
//! | `batch` | bodies that are integrated together |
//! | `alone` | one body, for which a batch is slow |
//! | `torque` | what drives them: numbers, a torque with a name, a Python function |

mod alone;
mod batch;
mod frames;
mod table;
mod torque;

pub(crate) use batch::Batch;
pub(crate) use frames::{to_body, to_lab};
pub(crate) use table::{schemes, torque_kinds};
pub(crate) use torque::torque_at;
