//! The exact motion of a problem: a closed form where there is one, else extrapolation to round-off.

use crate::{Problem, Torque};
use tumble_rotation::math::LabVec;
use tumble_rotation::reference::axial_torque::Sampler;
use tumble_rotation::reference::converged::TIGHT;
use tumble_rotation::reference::{AxialTorque, Converged, ExponentialTorque, FreeBody, NotConverged};
use tumble_rotation::{Error, Inertia as _, Spin};

/// Gives the exact state at any time; cheapest when times are asked for in order.
pub struct Exact {
    motion: Box<dyn Motion>,
    source: &'static str,
}

impl Exact {
    pub(crate) fn new(problem: &Problem) -> Result<Self, Error> {
        let Problem { inertia, start, torque, .. } = *problem;
        let [x, y, z] = inertia.moments().to_array();
        let symmetric_about_x = y.total_cmp(&z).is_eq();
        let spherical = symmetric_about_x && x.total_cmp(&y).is_eq();
        let (motion, source): (Box<dyn Motion>, _) = match torque {
            Torque::None => (Box::new(FreeBody::new(inertia, start)?), "closed form, elliptic functions"),
            Torque::Body(m) if symmetric_about_x && m.y == 0.0 && m.z == 0.0 => {
                (Box::new(AxialTorque::new(x, y, m.x, start)?.sampler()), "closed form, Taylor series for q")
            }
            Torque::Exponential { amplitude, growth } if spherical && start.omega.norm_squared() == 0.0 => {
                let torque = LabVec::new(0.0, amplitude, 0.0);
                (Box::new(ExponentialTorque::new(x, torque, growth, start.q)?), "closed form")
            }
            torque => {
                let of_state = move |spin, t| torque.at(spin, t);
                let motion = Converged::new(inertia, start, 0.0, of_state, TIGHT)?;
                (Box::new(motion), "extrapolated to round-off")
            }
        };
        Ok(Self { motion, source })
    }

    /// The state at time `t`.
    pub fn at(&mut self, t: f64) -> Result<Spin<f64>, NotConverged> {
        self.motion.at(t)
    }

    /// Where it comes from.
    pub fn source(&self) -> &'static str {
        self.source
    }
}

impl Clone for Exact {
    fn clone(&self) -> Self {
        Self { motion: self.motion.duplicate(), source: self.source }
    }
}

impl std::fmt::Debug for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exact").field("source", &self.source).finish_non_exhaustive()
    }
}

/// Any of the reference motions.
trait Motion: Send + Sync {
    fn at(&mut self, t: f64) -> Result<Spin<f64>, NotConverged>;
    fn duplicate(&self) -> Box<dyn Motion>;
}

macro_rules! closed_form {
    ($($type:ty),+) => {
        $(impl Motion for $type {
            fn at(&mut self, t: f64) -> Result<Spin<f64>, NotConverged> {
                Ok(<$type>::at(self, t))
            }
            fn duplicate(&self) -> Box<dyn Motion> {
                Box::new(*self)
            }
        })+
    };
}
closed_form!(FreeBody, Sampler, ExponentialTorque);

impl<T: Fn(Spin<f64>, f64) -> LabVec<f64> + Clone + Send + Sync + 'static> Motion for Converged<T> {
    fn at(&mut self, t: f64) -> Result<Spin<f64>, NotConverged> {
        Self::at(self, t)
    }
    fn duplicate(&self) -> Box<dyn Motion> {
        Box::new(self.clone())
    }
}
