//! How bodies are put in: size, orientation, velocity and spin, fixed or drawn at random.

use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Choose, Context, Form, Kind, Number, Numbers, Positive, Vector, ZeroOrMore, table,
};
use crate::tree::{Node, Value};
use crate::units::{Angle, AngularSpeed, Ratio, Speed};
use crate::written::Written;
use core::f64::consts::TAU;
use core::marker::PhantomData;
use tumble_math::{Quat, elementary};

/// Size of bodies relative to their template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// The same for all.
    Fixed(f64),
    /// Drawn evenly between two ends.
    Uniform([f64; 2]),
}

table! {
    /// Sizes drawn at random.
    ScaleRange {
        check check_range;

        /// Drawn evenly between these two.
        uniform: [f64; 2] => Numbers<Positive<Ratio>, 2>, required, "[0.8, 1.2]";
    }
}

fn check_range(range: &ScaleRange, context: &mut Context<'_>) {
    let [low, high] = range.uniform;
    if low > high {
        let message = format!("`{}.uniform` must ascend", context.path());
        let label = format!("{low} is larger than {high}");
        context.report(Problem::error(range.places.of("uniform"), message).label(label));
    }
}

/// Sizes beyond these are mistakes, and masses would be out of range.
const SCALES: core::ops::RangeInclusive<f64> = 1e-6..=1e6;

pub(crate) struct ScaleForm;

impl Form for ScaleForm {
    type Value = Scale;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Positive::<Ratio>::kind(), ScaleRange::kind()])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Scale> {
        let scale = match &node.value {
            Value::Table(_) => Scale::Uniform(ScaleRange::read(node, context)?.uniform),
            Value::Integer(_) | Value::Float(_) => Scale::Fixed(Positive::<Ratio>::read(node, context)?),
            _ => return context.expected(node, &Self::kind()),
        };
        let (Scale::Fixed(low) | Scale::Uniform([low, _])) = scale;
        let (Scale::Fixed(high) | Scale::Uniform([_, high])) = scale;
        if low > 0.0 && !(SCALES.contains(&low) && SCALES.contains(&high)) {
            return context.refuse(node, "between 1e-6 and 1e6; give the template its true size instead");
        }
        Some(scale)
    }

    fn write(value: &Scale) -> Written {
        match value {
            Scale::Fixed(scale) => Written::Number(*scale),
            Scale::Uniform(ends) => {
                Written::Table(vec![("uniform".to_owned(), Numbers::<Number<Ratio>, 2>::write(ends))])
            }
        }
    }
}

/// Orientation of bodies: how the shape is turned from the way it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Any, evenly.
    Random,
    /// A unit quaternion w, x, y, z.
    Fixed([f64; 4]),
}

table! {
    /// A rotation about an axis.
    AxisAngle {
        check check_axis;

        /// Direction of the axis, of any length.
        axis: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 1, 0]";
        /// Angle, by the right-hand rule.
        angle: f64 => Number<Angle, Any>, required, "\"30 deg\"";
    }
}

fn check_axis(turn: &AxisAngle, context: &mut Context<'_>) {
    if turn.axis.iter().all(|&component| component == 0.0) {
        let message =
            format!("`{}.axis` must not be the zero vector, which has no direction", context.path());
        context.report(Problem::error(turn.places.of("axis"), message));
    }
}

/// An angle without its whole turns, of which no sine can be taken where they are too many.
pub(crate) fn without_turns(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round_ties_even()
}

pub(crate) struct OrientationForm;

impl Form for OrientationForm {
    type Value = Orientation;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Kind::Word("random"), Numbers::<Number<Ratio>, 4>::kind(), AxisAngle::kind()])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Orientation> {
        match &node.value {
            Value::Text(text) if text == "random" => Some(Orientation::Random),
            Value::Table(_) => {
                let AxisAngle { axis, angle, .. } = AxisAngle::read(node, context)?;
                let largest = axis.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
                let [x, y, z] = axis.map(|component| component / largest);
                let (sine, cosine) = elementary::sin_cos(0.5 * without_turns(angle));
                let sine = sine / (x * x + y * y + z * z).sqrt();
                let q = Quat::new(cosine, x * sine, y * sine, z * sine).normalised();
                Some(Orientation::Fixed(q.to_array()))
            }
            Value::List(_) => {
                let q = Numbers::<Number<Ratio>, 4>::read(node, context)?;
                let square = Quat::from_array(q).norm_squared();
                if (square - 1.0).abs() < 1e-12 {
                    Some(Orientation::Fixed(q))
                } else if (square - 1.0).abs() < 0.02 {
                    Some(Orientation::Fixed(Quat::from_array(q).normalised().to_array()))
                } else {
                    let what = format!(
                        "a quaternion w, x, y, z of length 1, but its length is {:.6}",
                        square.sqrt()
                    );
                    context.refuse(node, &format!("{what}; an axis and an angle are easier to write"))
                }
            }
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &Orientation) -> Written {
        match value {
            Orientation::Random => Written::Text("random".to_owned()),
            Orientation::Fixed(q) => Numbers::<Number<Ratio>, 4>::write(q),
        }
    }
}

/// Velocity of bodies, m/s, or spin in the lab frame, rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Velocity {
    /// The same for all.
    Fixed([f64; 3]),
    /// This fast, in any direction.
    RandomDirection {
        /// How fast.
        speed: f64,
    },
    /// Every component normally distributed.
    Maxwell {
        /// Standard deviation of a component.
        sigma: f64,
    },
}

/// Which way something random goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyDirection;

impl Choose for AnyDirection {
    const WHAT: &'static str = "direction";

    fn options() -> Vec<(Self, &'static str, &'static str)> {
        vec![(Self, "random", "any direction, evenly")]
    }

    fn refusal(_: &str) -> Option<String> {
        Some("a velocity in a given direction is a list of three numbers".to_owned())
    }
}

macro_rules! random_velocity {
    ($(#[doc = $doc:literal])+ $name:ident, $measure:ty, $speed:literal) => {
        table! {
            $(#[doc = $doc])+
            $name {
                one_of ["speed", "maxwell"];

                /// How fast, in a random direction.
                speed: f64 => ZeroOrMore<$measure>, optional, $speed;
                /// Standard deviation of every component, normally distributed.
                maxwell: f64 => ZeroOrMore<$measure>, optional, "0.3";
                /// `"random"`, for the reader's sake.
                direction: AnyDirection => Choice<AnyDirection>, default AnyDirection, "\"random\"";
            }
        }

        impl DrawnVelocity for $name {
            fn velocity(&self) -> Velocity {
                match (self.speed, self.maxwell) {
                    (Some(speed), _) => Velocity::RandomDirection { speed },
                    (None, sigma) => Velocity::Maxwell { sigma: sigma.unwrap_or(0.0) },
                }
            }
        }
    };
}

random_velocity! {
    /// A random velocity.
    RandomVelocity, Speed, "\"1 m/s\""
}

random_velocity! {
    /// A random spin.
    RandomSpin, AngularSpeed, "\"4 rad/s\""
}

/// What a table of random velocities says.
pub(crate) trait DrawnVelocity {
    fn velocity(&self) -> Velocity;
}

/// A velocity in units of `M`, its random forms in the table `T`.
pub(crate) struct VelocityForm<M, T>(PhantomData<(M, T)>);

impl<M, T> Form for VelocityForm<M, T>
where
    M: crate::units::Measure,
    T: crate::form::Table + DrawnVelocity,
{
    type Value = Velocity;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Vector::<Number<M>>::kind(), Kind::Table(T::info())])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Velocity> {
        match node.value {
            Value::List(_) => Vector::<Number<M>>::read(node, context).map(Velocity::Fixed),
            Value::Table(_) => T::read(node, context).map(|drawn| drawn.velocity()),
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &Velocity) -> Written {
        let table = |key: &str, number: f64| Written::Table(vec![(key.to_owned(), Written::Number(number))]);
        match value {
            Velocity::Fixed(velocity) => Vector::<Number<M>>::write(velocity),
            Velocity::RandomDirection { speed } => table("speed", *speed),
            Velocity::Maxwell { sigma } => table("maxwell", *sigma),
        }
    }
}
