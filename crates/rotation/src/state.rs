//! What a scheme acts on: [`Spin`], [`Inertia`], [`Drive`].

use crate::error::finite;
use crate::{Error, Number};
use tumble_math::{BodyVec, LabVec, Quat, Real};

/// The rotational state of a body: its orientation and its angular velocity in the body frame.
///
/// Which instants `q` and `omega` belong to is the scheme's [`TimeLevel`](crate::TimeLevel).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin<R> {
    /// Orientation: takes body vectors to the lab.
    pub q: Quat<R>,
    /// Angular velocity along the principal axes, rad/s.
    pub omega: BodyVec<R>,
}

impl<R: Number> Spin<R> {
    /// This spin if it is finite, with its quaternion scaled to unit length.
    pub fn checked(self) -> Result<Self, Error> {
        for component in self.q.to_array() {
            finite("initial orientation", component)?;
        }
        for component in self.omega.to_array() {
            finite("initial angular velocity", component)?;
        }
        let larger = |a: R, b: R| if a < b { b } else { a };
        let largest = self.q.to_array().map(R::abs).into_iter().fold(R::lit(0.0), larger);
        if largest.into() == 0.0 {
            return Err(Error::ZeroQuaternion);
        }
        // Scaled twice, since the square of a large or small number is out of range.
        let q = Quat::from_array(self.q.to_array().map(|component| component / largest)).normalised();
        Ok(Self { q, omega: self.omega })
    }
}

/// Principal moments of inertia: three different ones, or one for a spherical body.
///
/// Schemes are generic over this, so that a sphere takes the short way (no Euler coupling, no torque to
/// turn into the body frame twice) by its type, without a branch.
pub trait Inertia<R: Real>: Copy {
    /// Whether the three moments are equal, which makes the gyroscopic term vanish.
    const SPHERICAL: bool;

    /// The principal moments I, kg m².
    fn moments(self) -> BodyVec<R>;
    /// 1/I of each moment.
    fn inverse(self) -> BodyVec<R>;

    /// The angular momentum I ω.
    #[inline(always)]
    fn momentum(self, omega: BodyVec<R>) -> BodyVec<R> {
        self.moments().times(omega)
    }

    /// The angular velocity of an angular momentum.
    #[inline(always)]
    fn velocity(self, momentum: BodyVec<R>) -> BodyVec<R> {
        self.inverse().times(momentum)
    }

    /// The angular velocity of an angular momentum near that of `omega`.
    ///
    /// I⁻¹(I ω) is not quite ω in floating point, and off to the same side in every step. Taking the
    /// difference first leaves ω alone where the momentum does not change, so that nothing adds up.
    #[inline(always)]
    fn velocity_near(self, omega: BodyVec<R>, momentum: BodyVec<R>) -> BodyVec<R> {
        omega + self.velocity(momentum - self.momentum(omega))
    }

    /// ω̇ by Euler's equations, I ω̇ = M + (I ω) × ω, for a torque M in the body frame.
    #[inline(always)]
    fn acceleration(self, omega: BodyVec<R>, torque: BodyVec<R>) -> BodyVec<R> {
        if Self::SPHERICAL {
            self.inverse().times(torque)
        } else {
            self.inverse().times(torque + self.momentum(omega).cross(omega))
        }
    }

    /// The kinetic energy of rotation, ½ ω·Iω.
    #[inline(always)]
    fn energy(self, omega: BodyVec<R>) -> R {
        R::lit(0.5) * omega.dot(self.momentum(omega))
    }
}

/// Three principal moments of inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalInertia<R> {
    moments: BodyVec<R>,
    inverse: BodyVec<R>,
}

impl<R: Real> PrincipalInertia<R> {
    /// From moments known to be possible; [`PrincipalInertia::new`] checks them.
    #[inline(always)]
    pub fn from_moments(moments: BodyVec<R>) -> Self {
        let one = R::lit(1.0);
        Self { moments, inverse: BodyVec::new(one / moments.x, one / moments.y, one / moments.z) }
    }

    /// From moments and their inverses, as a batch stores them.
    #[inline(always)]
    pub fn from_parts(moments: BodyVec<R>, inverse: BodyVec<R>) -> Self {
        Self { moments, inverse }
    }
}

impl<R: Number> PrincipalInertia<R> {
    /// Principal moments of a possible body: positive, and none larger than the sum of the other two.
    ///
    /// ```
    /// use tumble_rotation::PrincipalInertia;
    /// assert!(PrincipalInertia::new([1.0, 2.0, 3.0]).is_ok());
    /// let error = PrincipalInertia::new([1.0, 2.0, 3.5]).unwrap_err();
    /// assert!(error.to_string().contains("no rigid body has"));
    /// ```
    pub fn new(moments: [R; 3]) -> Result<Self, Error> {
        let inertia = Self::from_moments(BodyVec::from_array(moments));
        check_inertia(inertia)?;
        let moments = moments.map(Into::into);
        let sum: f64 = moments.iter().sum();
        // Laminae reach equality; leave room for the rounding of their moments.
        if moments.iter().any(|&largest| 2.0 * largest > sum * (1.0 + 1e-6)) {
            return Err(Error::TriangleInequality { moments });
        }
        Ok(inertia)
    }
}

impl<R: Real> Inertia<R> for PrincipalInertia<R> {
    const SPHERICAL: bool = false;
    #[inline(always)]
    fn moments(self) -> BodyVec<R> {
        self.moments
    }
    #[inline(always)]
    fn inverse(self) -> BodyVec<R> {
        self.inverse
    }
}

/// One moment of inertia about every axis: a sphere, a cube, any body as round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphericalInertia<R> {
    moment: R,
    inverse: R,
}

impl<R: Real> SphericalInertia<R> {
    /// From a moment known to be positive; [`SphericalInertia::new`] checks it.
    #[inline(always)]
    pub fn from_moment(moment: R) -> Self {
        Self { moment, inverse: R::lit(1.0) / moment }
    }
}

impl<R: Number> SphericalInertia<R> {
    /// A positive moment of inertia.
    pub fn new(moment: R) -> Result<Self, Error> {
        let inertia = Self::from_moment(moment);
        check_inertia(inertia).map(|()| inertia)
    }
}

/// Moments must be positive, and they and their inverses finite.
pub(crate) fn check_inertia<R: Number, I: Inertia<R>>(inertia: I) -> Result<(), Error> {
    let moments: [f64; 3] = inertia.moments().to_array().map(Into::into);
    let inverse: [f64; 3] = inertia.inverse().to_array().map(Into::into);
    for (axis, (value, inverse)) in ['x', 'y', 'z'].into_iter().zip(moments.into_iter().zip(inverse)) {
        finite("moment of inertia", value)?;
        if value <= 0.0 {
            return Err(Error::NonPositiveInertia { axis, value });
        }
        finite("inverse of a moment of inertia", inverse)?;
    }
    Ok(())
}

impl<R: Real> Inertia<R> for SphericalInertia<R> {
    const SPHERICAL: bool = true;
    #[inline(always)]
    fn moments(self) -> BodyVec<R> {
        BodyVec::new(self.moment, self.moment, self.moment)
    }
    #[inline(always)]
    fn inverse(self) -> BodyVec<R> {
        BodyVec::new(self.inverse, self.inverse, self.inverse)
    }
}

/// What drives one step: the torque as it was evaluated, the body's inertia, the time step.
#[derive(Clone, Copy, Debug)]
pub struct Drive<R, I> {
    /// Torque about the centre of mass in the lab frame, N m.
    pub torque: LabVec<R>,
    /// Principal moments of inertia.
    pub inertia: I,
    /// Time step, s.
    pub dt: R,
}
