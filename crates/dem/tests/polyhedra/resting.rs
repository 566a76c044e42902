//! Guarantee: rounded polyhedra rest on their faces.
