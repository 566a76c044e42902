//! Quantities with units, such as `5 mm`, `60 GPa` or `2500 kg/m^3`.
//!
//! The two lists below are all there is: units, and the dimensions that keys have. A unit is a power of ten
//! times a factor, and the power goes into the number before it is rounded: `4.85 us` is exactly the number
//! that `4.85e-6` is. Degrees Celsius count from another zero, so they are a unit of temperatures alone: of no differences, and of no
//! product.

use core::f64::consts::PI;
use core::fmt;
use tumble_dem::property::{self, Quantity};

/// Powers of metre, kilogram, second, radian and kelvin.
type Powers = [i32; 5];

/// What a key measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dimension {
    /// What messages call it.
    pub(crate) name: &'static str,
    /// The SI unit, which plain numbers have.
    pub(crate) unit: &'static str,
    /// Units that people use for it.
    pub(crate) usual: &'static [&'static str],
    powers: Powers,
}

impl Dimension {
    /// What a property measures; none if its unit is not known here.
    pub(crate) fn of(quantity: &Quantity) -> Option<Self> {
        let &Quantity { name, unit, usual } = quantity;
        let powers = compound(unit).ok()?.powers;
        Some(Self { name, unit, usual, powers })
    }
}

/// A dimension as a type, for the forms of numbers.
pub(crate) trait Measure {
    const DIMENSION: Option<Dimension>;
}

/// A ratio, without unit.
pub(crate) struct Ratio;

impl Measure for Ratio {
    const DIMENSION: Option<Dimension> = None;
}

macro_rules! dimensions {
    ($($type:ident: $name:literal, $unit:literal, $powers:expr, $usual:expr;)+) => {
        $(
        #[doc = concat!("A ", $name, ", in ", $unit, ".")]
        pub(crate) struct $type;

        impl Measure for $type {
            const DIMENSION: Option<Dimension> =
                Some(Dimension { name: $name, unit: $unit, usual: &$usual, powers: $powers });
        }
    )+

        /// Every dimension.
        const DIMENSIONS: &[Option<Dimension>] = &[$($type::DIMENSION),+];
    };
}

dimensions! {
    Length: "length", "m", [1, 0, 0, 0, 0], ["m", "cm", "mm", "um"];
    Time: "time", "s", [0, 0, 1, 0, 0], ["s", "ms", "us", "ns", "min", "h"];
    Speed: "speed", "m/s", [1, 0, -1, 0, 0], ["m/s", "mm/s", "cm/s"];
    Acceleration: "acceleration", "m/s^2", [1, 0, -2, 0, 0], ["m/s^2", "mm/s^2"];
    Angle: "angle", "rad", [0, 0, 0, 1, 0], ["rad", "deg", "turn"];
    AngularSpeed: "angular speed", "rad/s", [0, 0, -1, 1, 0], ["rad/s", "deg/s", "rpm"];
    Frequency: "frequency", "Hz", [0, 0, -1, 0, 0], ["Hz", "kHz", "1/s", "1/min"];
    Pull: "rate squared", "1/s^2", [0, 0, -2, 0, 0], ["1/s^2", "1/ms^2"];
    Pressure: "pressure", "Pa", [-1, 1, -2, 0, 0], ["Pa", "kPa", "MPa", "GPa"];
    Mass: "mass", "kg", [0, 1, 0, 0, 0], ["kg", "g", "t"];
    MassRate: "mass rate", "kg/s", [0, 1, -1, 0, 0], ["kg/s", "g/s", "t/h"];
    Density: "density", "kg/m^3", [-3, 1, 0, 0, 0], ["kg/m^3", "g/cm^3"];
    Viscosity: "viscosity", "Pa s", [-1, 1, -1, 0, 0], ["Pa s", "mPa s"];
    Volume: "volume", "m^3", [3, 0, 0, 0, 0], ["m^3", "cm^3", "mm^3"];
    Area: "area", "m^2", [2, 0, 0, 0, 0], ["m^2", "cm^2", "mm^2"];
    Force: "force", "N", [1, 1, -2, 0, 0], ["N", "kN", "mN"];
    Torque: "torque", "N m", [2, 1, -2, 0, 0], ["N m", "kN m", "mN m"];
    Inertia: "moment of inertia", "kg m^2", [2, 1, 0, 0, 0], ["kg m^2", "g cm^2"];
    Damping: "force per speed", "N s/m", [0, 1, -1, 0, 0], ["N s/m", "kg/s"];
    TurningDamping: "torque per angular speed", "N m s", [2, 1, -1, 0, 0], ["N m s", "J s"];
    Energy: "energy", "J", [2, 1, -2, 0, 0], ["J", "mJ", "uJ", "nJ"];
    Temperature: "temperature", "K", [0, 0, 0, 0, 1], ["K", "°C", "degC"];
    HeatTransfer: "heat transfer coefficient", "W/m^2/K", [0, 1, -3, 0, -1], ["W/m^2/K", "kW/m^2/K"];
    FifthPower: "inertia per density", "m^5", [5, 0, 0, 0, 0], ["m^5", "cm^5", "mm^5"];
}

struct Unit {
    name: &'static str,
    powers: Powers,
    ten_to: i32,
    factor: f64,
}

const fn unit(name: &'static str, powers: Powers, ten_to: i32) -> Unit {
    Unit { name, powers, ten_to, factor: 1.0 }
}

const fn odd(name: &'static str, powers: Powers, factor: f64) -> Unit {
    Unit { name, powers, ten_to: 0, factor }
}

const METRE: Powers = [1, 0, 0, 0, 0];
const KILOGRAM: Powers = [0, 1, 0, 0, 0];
const SECOND: Powers = [0, 0, 1, 0, 0];
const RADIAN: Powers = [0, 0, 0, 1, 0];
const KELVIN: Powers = [0, 0, 0, 0, 1];
const HERTZ: Powers = [0, 0, -1, 0, 0];
const NEWTON: Powers = [1, 1, -2, 0, 0];
const PASCAL: Powers = [-1, 1, -2, 0, 0];
const JOULE: Powers = [2, 1, -2, 0, 0];
const WATT: Powers = [2, 1, -3, 0, 0];

/// Every unit.
const UNITS: &[Unit] = &[
    unit("km", METRE, 3),
    unit("m", METRE, 0),
    unit("cm", METRE, -2),
    unit("mm", METRE, -3),
    unit("um", METRE, -6),
    unit("µm", METRE, -6),
    unit("nm", METRE, -9),
    unit("t", KILOGRAM, 3),
    unit("kg", KILOGRAM, 0),
    unit("g", KILOGRAM, -3),
    unit("mg", KILOGRAM, -6),
    odd("h", SECOND, 3600.0),
    odd("min", SECOND, 60.0),
    unit("s", SECOND, 0),
    unit("ms", SECOND, -3),
    unit("us", SECOND, -6),
    unit("µs", SECOND, -6),
    unit("ns", SECOND, -9),
    unit("rad", RADIAN, 0),
    unit("mrad", RADIAN, -3),
    odd("deg", RADIAN, PI / 180.0),
    odd("°", RADIAN, PI / 180.0),
    odd("turn", RADIAN, 2.0 * PI),
    odd("rpm", [0, 0, -1, 1, 0], PI / 30.0),
    unit("Hz", HERTZ, 0),
    unit("kHz", HERTZ, 3),
    unit("MHz", HERTZ, 6),
    unit("mN", NEWTON, -3),
    unit("N", NEWTON, 0),
    unit("kN", NEWTON, 3),
    unit("MN", NEWTON, 6),
    unit("uJ", JOULE, -6),
    unit("nJ", JOULE, -9),
    unit("uJ", JOULE, -6),
    unit("µJ", JOULE, -6),
    unit("mJ", JOULE, -3),
    unit("J", JOULE, 0),
    unit("kJ", JOULE, 3),
    unit("mW", WATT, -3),
    unit("W", WATT, 0),
    unit("kW", WATT, 3),
    unit("MW", WATT, 6),
    unit("K", KELVIN, 0),
    unit("mK", KELVIN, -3),
    unit("mPa", PASCAL, -3),
    unit("Pa", PASCAL, 0),
    unit("kPa", PASCAL, 3),
    unit("MPa", PASCAL, 6),
    unit("GPa", PASCAL, 9),
    unit("bar", PASCAL, 5),
];

/// Degrees Celsius.
const CELSIUS: [&str; 2] = ["°C", "degC"];

/// 0 °C, K.
const ICE_POINT: f64 = 273.15;

/// Why a text is not a quantity of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotAQuantity {
    /// It does not begin with a number.
    NoNumber,
    /// It is only a number.
    NoUnit,
    /// There is no such unit.
    UnknownUnit(String),
    /// The unit measures something else.
    WrongDimension(String),
}

impl fmt::Display for NotAQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber => write!(f, "this text does not begin with a number"),
            Self::NoUnit => write!(f, "the unit is missing; a number without unit has no quotes"),
            Self::UnknownUnit(unit) => write!(f, "`{unit}` is no unit known here"),
            Self::WrongDimension(unit) => match compound(unit).ok().and_then(|unit| measured(unit.powers)) {
                Some(other) => write!(f, "`{unit}` is a unit of {other}"),
                None => write!(f, "`{unit}` is a unit of something else"),
            },
        }
    }
}

/// The number, in SI units, that a text such as `5 mm` stands for.
pub(crate) fn quantity(text: &str, dimension: &Dimension) -> Result<f64, NotAQuantity> {
    let text = text.trim();
    let (digits, exponent, rest) = split_number(text).ok_or(NotAQuantity::NoNumber)?;
    let name = rest.trim();
    if name.is_empty() {
        return Err(NotAQuantity::NoUnit);
    }
    if CELSIUS.contains(&name) && dimension.powers == KELVIN {
        let degrees: f64 = format!("{digits}e{exponent}").parse().map_err(|_| NotAQuantity::NoNumber)?;
        return Ok(degrees + ICE_POINT);
    }
    let unit = compound(name)?;
    if unit.powers != dimension.powers {
        return Err(NotAQuantity::WrongDimension(name.to_owned()));
    }
    let number: f64 =
        format!("{digits}e{}", exponent + unit.ten_to).parse().map_err(|_| NotAQuantity::NoNumber)?;
    Ok(number * unit.factor)
}

/// The number, in an SI unit, that a text such as `5 mm` stands for; else why it is none, and what would be.
///
/// ```
/// use tumble_scene::quantity_in;
/// assert_eq!(quantity_in("s", "50 ms"), Ok(0.05));
/// let problem = quantity_in("s", "5 mm").unwrap_err();
/// assert_eq!(problem, "`mm` is a unit of length; expected a time with a unit (s, ms, us, ns, min, h), found `5 mm`");
/// ```
pub fn quantity_in(unit: &str, text: &str) -> Result<f64, String> {
    let powers = compound(unit).map_err(|problem| problem.to_string())?.powers;
    let dimension = dimension(powers).ok_or_else(|| format!("nothing is measured in `{unit}`"))?;
    quantity(text, &dimension).map_err(|problem| {
        let (name, usual) = (dimension.name, dimension.usual.join(", "));
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{problem}; expected {article} {name} with a unit ({usual}), found `{text}`")
    })
}

/// What units with these powers measure.
fn measured(powers: Powers) -> Option<&'static str> {
    dimension(powers).map(|dimension| dimension.name)
}

fn dimension(powers: Powers) -> Option<Dimension> {
    let of_keys = DIMENSIONS.iter().copied().flatten();
    let quantities = property::known().iter().filter_map(|property| property.quantity);
    let of_properties = quantities.filter_map(|quantity| Dimension::of(&quantity));
    of_keys.chain(of_properties).find(|dimension| dimension.powers == powers)
}

/// The names of all units.
pub(crate) fn unit_names() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|unit| unit.name).chain(CELSIUS)
}

/// The part of a number before its exponent, the exponent, and what follows.
fn split_number(text: &str) -> Option<(&str, i32, &str)> {
    let bytes = text.as_bytes();
    let digits_from = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits_from(sign);
    let mut end = sign + whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits_from(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    let mantissa = &text[..end];
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let count = digits_from((end + 1 + sign).min(bytes.len()));
        if count > 0 {
            let exponent_end = end + 1 + sign + count;
            // Beyond this any number is zero or infinite, however many digits it has.
            let exponent: i32 = text[end + 1..exponent_end].parse().ok()?;
            let exponent = exponent.clamp(-100_000, 100_000);
            return Some((mantissa, exponent, &text[exponent_end..]));
        }
    }
    Some((mantissa, 0, &text[end..]))
}

/// Signs between units; a blank is one too.
const OPERATORS: [char; 3] = ['*', '·', '/'];

/// Products and quotients of units with powers: `kg/m^3`, `Pa s`, `1/s²`. A slash divides by the next unit.
fn compound(text: &str) -> Result<Unit, NotAQuantity> {
    let unknown = || NotAQuantity::UnknownUnit(text.to_owned());
    let mut total = unit("", [0; 5], 0);
    let mut divides = false;
    let mut rest = text;
    loop {
        let end = rest.find(|sign| sign == ' ' || OPERATORS.contains(&sign)).unwrap_or(rest.len());
        let (factor, after) = rest.split_at(end);
        let (name, power) = base_and_power(factor).ok_or_else(unknown)?;
        let power = if divides { -power } else { power };
        if name != "1" {
            let unit = find(name).ok_or_else(|| NotAQuantity::UnknownUnit(name.to_owned()))?;
            for (total, own) in total.powers.iter_mut().zip(unit.powers) {
                *total += own * power;
            }
            total.ten_to += unit.ten_to * power;
            total.factor *= tumble_math::elementary::power(unit.factor, power);
        }
        let next = after.trim_start_matches(' ');
        if next.is_empty() {
            return Ok(total);
        }
        let operators = next.chars().take_while(|sign| OPERATORS.contains(sign)).count();
        if operators > 1 {
            return Err(unknown());
        }
        divides = next.starts_with('/');
        rest = next.trim_start_matches(OPERATORS).trim_start_matches(' ');
    }
}

fn base_and_power(factor: &str) -> Option<(&str, i32)> {
    let superscripts = [('²', 2), ('³', 3)];
    if let Some((base, power)) = factor.split_once('^') {
        let power: i32 = power.parse().ok()?;
        return (!base.is_empty() && power.abs() <= 9).then_some((base, power));
    }
    let raised = superscripts.iter().find_map(|&(mark, power)| Some((factor.strip_suffix(mark)?, power)));
    let (base, power) = raised.unwrap_or((factor, 1));
    (!base.is_empty()).then_some((base, power))
}

fn find(name: &str) -> Option<&'static Unit> {
    // Two signs look the same: the micro sign, and the Greek letter.
    let name = name.replace('μ', "µ");
    UNITS.iter().find(|unit| unit.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pressure;
    impl Measure for Pressure {
        const DIMENSION: Option<Dimension> =
            Some(Dimension { name: "pressure", unit: "Pa", usual: &["Pa"], powers: PASCAL });
    }

    struct Stiffness;
    impl Measure for Stiffness {
        const DIMENSION: Option<Dimension> =
            Some(Dimension { name: "stiffness", unit: "N/m", usual: &["N/m"], powers: [0, 1, -2, 0, 0] });
    }

    fn read<M: Measure>(text: &str) -> Result<f64, NotAQuantity> {
        quantity(text, &M::DIMENSION.expect("it has a dimension"))
    }

    #[test]
    fn decimal_units_round_once() {
        assert_eq!(read::<Time>("4.85 us"), Ok(4.85e-6));
        assert_eq!(read::<Time>("4.85e-3ms"), Ok(4.85e-6));
        assert_eq!(read::<Length>("-5 mm"), Ok(-5e-3));
        assert_eq!(read::<Length>(".3 µm"), Ok(0.3e-6));
        assert_eq!(read::<Length>(".3 μm"), Ok(0.3e-6));
        assert_eq!(read::<Pressure>("60 GPa"), Ok(60e9));
        assert_eq!(read::<Density>("2.5 g/cm^3"), Ok(2500.0));
        assert_eq!(read::<Volume>("3 mm³"), Ok(3e-9));
        assert_eq!(read::<Viscosity>("1 mPa s"), Ok(1e-3));
        assert_eq!(read::<Stiffness>("7 N/mm"), Ok(7e3));
        assert_eq!(read::<Pull>("4/s^2"), Err(NotAQuantity::UnknownUnit("/s^2".into())));
        assert_eq!(read::<Pull>("4 1/s^2"), Ok(4.0));
    }

    #[test]
    fn other_units() {
        assert_eq!(read::<Angle>("180 deg"), Ok(180.0 * (PI / 180.0)));
        assert_eq!(read::<AngularSpeed>("30 rpm"), Ok(30.0 * (PI / 30.0)));
        assert_eq!(read::<AngularSpeed>("1 turn/s"), Ok(2.0 * PI));
        assert_eq!(read::<Time>("2 min"), Ok(120.0));
        assert_eq!(read::<Frequency>("60 1/min"), Ok(1.0));
    }

    #[test]
    fn temperatures_and_what_is_by_kelvin() {
        assert_eq!(read::<Temperature>("20 °C"), Ok(293.15));
        assert_eq!(read::<Temperature>("-40 degC"), Ok(-40.0 + 273.15));
        assert_eq!(read::<Temperature>("300 K"), Ok(300.0));
        assert_eq!(read::<HeatTransfer>("0.2 kW/m^2/K"), Ok(200.0));
        assert_eq!(read::<HeatTransfer>("5 W/m^2/°C"), Err(NotAQuantity::UnknownUnit("°C".into())));
        assert_eq!(read::<Length>("5 °C"), Err(NotAQuantity::UnknownUnit("°C".into())));
    }

    #[test]
    fn what_does_not_fit() {
        assert_eq!(read::<Length>("5 s"), Err(NotAQuantity::WrongDimension("s".into())));
        assert_eq!(read::<AngularSpeed>("5 Hz"), Err(NotAQuantity::WrongDimension("Hz".into())));
        assert_eq!(read::<Length>("5 furlong"), Err(NotAQuantity::UnknownUnit("furlong".into())));
        assert_eq!(read::<Length>("5"), Err(NotAQuantity::NoUnit));
        assert_eq!(read::<Length>("mm"), Err(NotAQuantity::NoNumber));
        for text in ["5 m^", "5 m^x", "5 m^99", "5 //m", "5 m/", "5 *", "5 ^2", "5 m**m", "", "-", "5 m^-"] {
            assert!(read::<Length>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn usual_units_measure_their_dimension() {
        let measured = tumble_dem::property::known().iter().filter_map(|property| property.quantity);
        let of_properties: Vec<_> = measured.map(|quantity| Dimension::of(&quantity)).collect();
        assert!(of_properties.len() >= 2 && of_properties.iter().all(Option::is_some), "{of_properties:?}");
        for dimension in DIMENSIONS.iter().chain(&of_properties).flatten() {
            assert_eq!(quantity(&format!("1 {}", dimension.unit), dimension), Ok(1.0), "{}", dimension.name);
            for usual in dimension.usual {
                assert!(quantity(&format!("1 {usual}"), dimension).is_ok(), "{usual}");
            }
        }
    }
}
