//! A length as such, or as a part of the size of a mesh: `"0.1 mm"`, `"3%"`.

use super::{Context, Form, Kind};
use crate::tree::{Node, Value};
use crate::units::quantity_in;
use crate::written::Written;
use tumble_shape::Tolerance;

/// What a text such as `3%`, `0.1 mm` or `1e-4` (in m) says.
///
/// ```
/// use tumble_scene::tolerance;
/// use tumble_shape::Tolerance;
/// assert_eq!(tolerance("3%"), Ok(Tolerance::Percent(3.0)));
/// assert_eq!(tolerance("0.1 mm"), Ok(Tolerance::Metres(1e-4)));
/// assert!(tolerance("-3%").unwrap_err().contains("positive"));
/// ```
pub fn tolerance(text: &str) -> Result<Tolerance, String> {
    let positive = |value: f64| {
        if value > 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(format!("expected a positive part such as 3% or length such as 0.1 mm, but it is {text}"))
        }
    };
    if let Some(number) = text.trim().strip_suffix('%') {
        let percent: f64 =
            number.trim().parse().map_err(|_| format!("expected a number before %, found `{text}`"))?;
        return Ok(Tolerance::Percent(positive(percent)?));
    }
    let length = match text.trim().parse::<f64>() {
        Ok(number) => number,
        Err(_) => quantity_in("m", text)?,
    };
    Ok(Tolerance::Metres(positive(length)?))
}

pub(crate) struct ToleranceForm;

impl Form for ToleranceForm {
    type Value = Tolerance;

    fn kind() -> Kind {
        Kind::Text { what: "a part such as 3% or a length such as 0.1 mm" }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Tolerance> {
        let Value::Text(text) = &node.value else { return context.expected(node, &Self::kind()) };
        match tolerance(text) {
            Ok(tolerance) => Some(tolerance),
            Err(why) => context.refuse(node, &format!("{}: {why}", Self::kind().describe())),
        }
    }

    fn write(value: &Tolerance) -> Written {
        Written::Text(match value {
            Tolerance::Percent(percent) => format!("{percent}%"),
            Tolerance::Metres(length) => format!("{length:e} m"),
        })
    }
}
