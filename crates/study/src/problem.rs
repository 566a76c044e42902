//! What is integrated: a body, how it starts, what drives it, for how long.

use crate::exact::Exact;
use crate::{StudyError, Torque};
use tumble_rotation::math::{BodyVec, Quat};
use tumble_rotation::reference::AxialTorque;
use tumble_rotation::{Error, Inertia, PrincipalInertia, Spin};

/// A motion to be integrated.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The name in titles.
    pub name: String,
    /// Principal moments of inertia, kg m².
    pub inertia: PrincipalInertia<f64>,
    /// Orientation and body angular velocity at t = 0.
    pub start: Spin<f64>,
    /// What drives it.
    pub torque: Torque,
    /// How long, s.
    pub duration: f64,
}

impl Problem {
    /// Whether the equations of motion can be solved. They do not ask for the triangle inequality of the
    /// moments, which one of the papers breaks.
    pub fn check(&self) -> Result<(), StudyError> {
        let moments = self.inertia.moments().to_array();
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(moments) {
            if value <= 0.0 {
                return Err(Error::NonPositiveInertia { axis, value }.into());
            }
        }
        let numbers = [
            ("moment of inertia", moments.to_vec()),
            ("orientation", self.start.q.to_array().to_vec()),
            ("angular velocity", self.start.omega.to_array().to_vec()),
            ("torque", self.torque.parameters()),
        ];
        for (what, values) in numbers {
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return Err(Error::NotFinite { what, value }.into());
            }
        }
        if self.start.q.norm_squared() == 0.0 {
            return Err(Error::ZeroQuaternion.into());
        }
        if !(self.duration > 0.0 && self.duration.is_finite()) {
            return Err(StudyError::Duration { duration: self.duration });
        }
        Ok(())
    }

    /// Kinetic and potential energy, J, where their sum is conserved.
    pub fn energy(&self, spin: Spin<f64>) -> Option<f64> {
        self.torque.potential(spin).map(|potential| self.inertia.energy(spin.omega) + potential)
    }

    /// The exact motion.
    pub fn exact(&self) -> Result<Exact, StudyError> {
        self.check()?;
        Ok(Exact::new(self)?)
    }
}

/// Moment of inertia of the sphere of Zhao & van Wachem, diameter 2 m, 1100 kg/m³.
pub(crate) const SPHERE_MOMENT: f64 = 0.4 * 1100.0 * 4.0 / 3.0 * core::f64::consts::PI;

/// Moments of the fibre of Seelen et al.: radius 5 mm, height 30 mm, 1100 kg/m³, the axis along x.
pub(crate) const FIBRE_MOMENTS: [f64; 3] = {
    let (radius, height, density) = (5e-3, 0.03, 1100.0);
    let mass = core::f64::consts::PI * radius * radius * height * density;
    let axial = 0.5 * mass * radius * radius;
    let across = mass * (3.0 * radius * radius + height * height) / 12.0;
    [axial, across, across]
};

/// A problem that is built in.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    moments: fn() -> [f64; 3],
    omega: [f64; 3],
    torque: Torque,
    duration: f64,
}

/// Every built-in problem; the first is the default. All start at the identity.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "spiral-cylinder",
        description: "steel cylinder under a constant torque about its axis (del Valle et al. 2024, sec. 3)",
        moments: || {
            let [axial, transverse] = AxialTorque::SPIRAL_MOMENTS;
            [axial, transverse, transverse]
        },
        omega: [0.3, -0.9, 0.6],
        torque: Torque::Body(BodyVec::new(0.5, 0.0, 0.0)),
        duration: 1.0,
    },
    Preset {
        name: "dzhanibekov",
        description: "wing nut in free flight: turns over every 19.55 s",
        moments: || [1.0, 2.0, 3.0],
        omega: [0.01, 1.0, 0.01],
        torque: Torque::None,
        duration: 40.0,
    },
    Preset {
        name: "symmetric-top",
        description: "free symmetric top (Seelen et al. 2016, 3.1, which lasts 10000 s)",
        // No body has these moments, but the paper does.
        moments: || [1100.0, 1100.0, 2600.0],
        omega: [1.2, 0.45, -0.6],
        torque: Torque::None,
        duration: 100.0,
    },
    Preset {
        name: "sphere-exponential",
        description: "sphere spun up from rest by a torque A exp(t) (Zhao & van Wachem 2013, test 3)",
        moments: || [SPHERE_MOMENT; 3],
        omega: [0.0; 3],
        torque: Torque::Exponential { amplitude: 1e5, growth: 1.0 },
        duration: 1.0,
    },
    Preset {
        name: "seelen-cylinder",
        description: "small cylinder from rest under a growing three-dimensional torque (Seelen et al. 2016, 3.3)",
        moments: || FIBRE_MOMENTS,
        omega: [0.0; 3],
        torque: Torque::Seelen,
        duration: 0.1,
    },
    Preset {
        name: "heavy-top",
        description: "asymmetric body on a pivot under a constant force: torque depends on orientation",
        moments: || [1.0, 2.0, 3.0],
        omega: [1.0, 2.0, -1.5],
        torque: Torque::HeavyTop {
            force: tumble_rotation::math::LabVec::new(0.0, 0.0, -2.0),
            point: BodyVec::new(0.3, 0.2, 0.5),
        },
        duration: 10.0,
    },
    Preset {
        name: "drag",
        description: "asymmetric body slowed by linear drag: torque depends on angular velocity",
        moments: || [1.0, 2.0, 3.0],
        omega: [1.0, 2.0, -1.5],
        torque: Torque::Drag { coefficient: 0.2 },
        duration: 10.0,
    },
];

impl Preset {
    /// The built-in problem of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The problem itself.
    pub fn problem(&self) -> Problem {
        Problem {
            name: self.name.into(),
            inertia: PrincipalInertia::from_moments(BodyVec::from_array((self.moments)())),
            start: Spin { q: Quat::identity(), omega: BodyVec::from_array(self.omega) },
            torque: self.torque,
            duration: self.duration,
        }
    }
}
