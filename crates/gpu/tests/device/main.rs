//! Kernels do on the emulated device what CUDA promises, what is wrong with them is found, and a card gives the same bits.
//!
//! Where no C++ compiler can be run, and where there is no card, a test says so and passes.

mod kernels;
mod lanes;
mod mistakes;
mod tools;
