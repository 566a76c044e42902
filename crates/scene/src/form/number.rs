//! Numbers, with units and ranges, and flags.

use super::{AtLeast, Context, Form, Kind};
use crate::diagnostic::Problem;
use crate::suggest::{listed, nearest};
use crate::tree::{Node, Value};
use crate::units::{self, Dimension, Measure, NotAQuantity};
use crate::written::Written;
use core::marker::PhantomData;

/// Numbers beyond this are mistakes, and their powers would overflow.
const LARGEST: f64 = 1e40;

/// A number that measures `M`, in the range `R`.
pub(crate) struct Number<M, R = Any>(PhantomData<(M, R)>);

/// A positive number.
pub(crate) type Positive<M> = Number<M, AboveZero>;
/// Zero or a positive number.
pub(crate) type ZeroOrMore<M> = Number<M, NotBelowZero>;

/// A range of numbers.
pub(crate) trait Range {
    const AT_LEAST: AtLeast;
}

/// Every finite number.
pub(crate) struct Any;
pub(crate) struct NotBelowZero;
pub(crate) struct AboveZero;

impl Range for Any {
    const AT_LEAST: AtLeast = AtLeast::Anything;
}
impl Range for NotBelowZero {
    const AT_LEAST: AtLeast = AtLeast::Zero;
}
impl Range for AboveZero {
    const AT_LEAST: AtLeast = AtLeast::AboveZero;
}

impl<M: Measure, R: Range> Form for Number<M, R> {
    type Value = f64;

    fn kind() -> Kind {
        Kind::Number { dimension: M::DIMENSION, at_least: R::AT_LEAST }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<f64> {
        read(node, context, M::DIMENSION, R::AT_LEAST, false)
    }

    fn write(value: &f64) -> Written {
        Written::Number(*value)
    }
}

/// Reads a number of a dimension, or a text with a unit.
pub(super) fn read(
    node: &Node,
    context: &mut Context<'_>,
    dimension: Option<Dimension>,
    at_least: AtLeast,
    infinite: bool,
) -> Option<f64> {
    let number = match (&node.value, dimension) {
        #[allow(clippy::cast_precision_loss, reason = "as in any program")]
        (Value::Integer(integer), _) => *integer as f64,
        (Value::Float(float), _) => *float,
        (Value::Text(text), Some(dimension)) => match units::quantity(text, &dimension) {
            Ok(number) => number,
            Err(why) => return wrong_quantity(node, context, &dimension, &why),
        },
        _ => return context.expected(node, &Kind::Number { dimension, at_least }),
    };
    if number.is_nan() {
        return context.refuse(node, "a number, and `nan` is none");
    }
    if number.is_infinite() && !infinite {
        return context.refuse(node, "finite");
    }
    if number.abs() > LARGEST && number.is_finite() {
        return context.refuse(node, &format!("below {LARGEST:e} in magnitude; check the unit"));
    }
    match at_least {
        AtLeast::Zero if number < 0.0 => {
            context.refuse(node, &format!("zero or positive, but is {}", tumble_dem::readable(number)))
        }
        AtLeast::AboveZero if number <= 0.0 => {
            context.refuse(node, &format!("positive, but is {}", tumble_dem::readable(number)))
        }
        _ => Some(number),
    }
}

fn wrong_quantity(
    node: &Node,
    context: &mut Context<'_>,
    dimension: &Dimension,
    why: &NotAQuantity,
) -> Option<f64> {
    let name = dimension.name;
    let article = if name.starts_with(['a', 'i']) { "an" } else { "a" };
    let message = format!("`{}` must be {article} {name}", context.path());
    let meant = match why {
        NotAQuantity::UnknownUnit(unit) => nearest(unit, units::unit_names()),
        _ => None,
    };
    context.report(
        Problem::error(node.place, message)
            .label(why.to_string())
            .maybe_help(meant.map(|meant| format!("did you mean `{meant}`?")))
            .help(format!(
                "units of {article} {name}: {}; a plain number is in {}",
                listed(dimension.usual.iter().copied()),
                dimension.unit
            )),
    );
    None
}

/// A whole number between two ends. `1e5` is one, too.
pub(crate) struct Whole<const LOW: u64, const HIGH: u64>;

impl<const LOW: u64, const HIGH: u64> Form for Whole<LOW, HIGH> {
    type Value = u64;

    fn kind() -> Kind {
        Kind::Whole { low: LOW, high: HIGH }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<u64> {
        let number = match node.value {
            Value::Integer(integer) => integer,
            // Below 2⁵³ every whole number is a double.
            #[allow(clippy::cast_possible_truncation, reason = "whole, and small enough")]
            Value::Float(float) if float.fract() == 0.0 && float.abs() <= 9.0e15 => float as i64,
            Value::Float(_) => return context.refuse(node, &Self::kind().describe()),
            _ => return context.expected(node, &Self::kind()),
        };
        match u64::try_from(number) {
            Ok(number) if (LOW..=HIGH).contains(&number) => Some(number),
            _ => context.refuse(node, &format!("{}, but is {number}", Self::kind().describe())),
        }
    }

    fn write(value: &u64) -> Written {
        Written::Whole(*value)
    }
}

/// `true` or `false`.
pub(crate) struct Flag;

impl Form for Flag {
    type Value = bool;

    fn kind() -> Kind {
        Kind::Flag
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<bool> {
        match node.value {
            Value::Flag(flag) => Some(flag),
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &bool) -> Written {
        Written::Flag(*value)
    }
}
