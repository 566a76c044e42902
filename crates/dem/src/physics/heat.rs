//! Heat that one body or one contact gets in a step.
//!
//! Every body has one temperature T: heat spreads within it much faster than it goes through contacts, H ≪ 2kR. What goes through a
//! contact of radius a is H (T_b − T_a), with one of two conductances:
//!
//! | | H | |
//! | --- | --- | --- |
//! | through the constriction | 2ka, 1/k = ½(1/k_a + 1/k_b) | G. K. Batchelor & R. W. O'Brien, Proc. R. Soc. Lond. A 355 (1977) 313, for equal k; W. L. Vargas & J. J. McCarthy, AIChE J. 47 (2001) 1052 |
//! | through the area | h πa² | h of the two surfaces |
//!
//! What a contact loses becomes heat of the two bodies by halves. Of that of a wall whose temperature is known a part e/(e + e_w) stays with
//! the body, e = √(kρc): so does heat that is made where two half-spaces touch, if both are to be as warm there (H. S. Carslaw & J. C.
//! Jaeger, *Conduction of Heat in Solids*, 2nd ed., Oxford 1959).

use core::f64::consts::PI;
use tumble_math::Real;

/// a = √(δR*), m: of spheres as Hertz has it. Nothing goes through surfaces that do not overlap.
#[inline(always)]
pub fn contact_radius<R: Real>(radius: R, overlap: R) -> R {
    let pressed = R::select(R::lit(0.0).lt(overlap), overlap, R::lit(0.0));
    (pressed * radius).sqrt()
}

/// H of a constriction between two materials, W/K, from the harmonic mean of their conductivities.
#[inline(always)]
pub fn through_constriction<R: Real>(conductivity: R, contact_radius: R) -> R {
    R::lit(2.0) * conductivity * contact_radius
}

/// H of an area that conducts so much per square metre and kelvin, W/K.
#[inline(always)]
pub fn through_area<R: Real>(per_area: R, contact_radius: R) -> R {
    per_area * (R::lit(PI) * contact_radius * contact_radius)
}

/// The harmonic mean of two conductivities.
#[inline(always)]
pub fn harmonic_mean<R: Real>(a: R, b: R) -> R {
    R::lit(2.0) / (R::lit(1.0) / a + R::lit(1.0) / b)
}

/// What flows to something at `here` from something at `there`, W.
#[inline(always)]
pub fn flow<R: Real>(conductance: R, here: R, there: R) -> R {
    conductance * (there - here)
}

/// What is lost in a contact, as heat of its two sides: `part` of it of the first.
#[inline(always)]
pub fn divided<R: Real>(lost: R, part: R) -> [R; 2] {
    let first = lost * part;
    [first, lost - first]
}

/// √(kρc), which tells how much heat a surface takes that becomes warmer.
#[inline(always)]
pub fn effusivity<R: Real>(conductivity: R, density: R, heat_capacity: R) -> R {
    (conductivity * density * heat_capacity).sqrt()
}

/// The conductance between the surface of a body and what surrounds it, W/K: that of a sphere of its volume.
#[inline(always)]
pub fn through_surface<R: Real>(coefficient: R, equivalent_radius: R) -> R {
    coefficient * (R::lit(4.0 * PI) * equivalent_radius * equivalent_radius)
}

/// The temperature of a body that began with one and has gained so much heat since, K.
#[inline(always)]
pub fn temperature<R: Real>(begun: R, gained: R, capacity: R) -> R {
    begun + gained / capacity
}
