//! Exact and tightly converged motions of rigid bodies, to measure schemes against.
