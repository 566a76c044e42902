//! Which time step is possible.
