//! Numbers as text: with the digits that matter, or all of them.

/// Four significant digits, for people: `0.1366`, `44.11`, `3.044e-3`.
pub fn readable(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    // Rounding comes first: 9.9996 is 10.00, not 10.000.
    let scientific = format!("{x:.3e}");
    let exponent: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    match usize::try_from(3 - exponent) {
        Ok(decimals) if (-2..=3).contains(&exponent) => format!("{x:.decimals$}"),
        _ if (4..=5).contains(&exponent) => format!("{x:.0}"),
        _ => scientific,
    }
}

/// The same as in print and without idle zeros, for sentences: `44.1`, `3.044×10⁻³`.
pub fn typeset(x: f64) -> String {
    let text = readable(x).replace('-', "−");
    let (digits, power) =
        text.split_once('e').map_or((text.as_str(), None), |(digits, power)| (digits, Some(power)));
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    let raised = |c: char| match c.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    power.map_or_else(
        || digits.to_owned(),
        |power| format!("{digits}×10{}", power.chars().map(raised).collect::<String>()),
    )
}

/// The shortest text that reads back as the same number, for files.
pub(crate) fn full(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || !size.is_finite() || (1e-4..1e15).contains(&size) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits() {
        let cases: [(f64, &str); 9] = [
            (0.0, "0"),
            (44.110_392_9, "44.11"),
            (0.136_566_57, "0.1366"),
            (3.0438e-3, "3.044e-3"),
            (9.999_96, "10.00"),
            (-2.5e-17, "-2.500e-17"),
            (123_456.7, "123457"),
            (1.5e9, "1.500e9"),
            (f64::NAN, "NaN"),
        ];
        for (x, text) in cases {
            assert_eq!(readable(x), text);
        }
    }

    #[test]
    fn as_in_print() {
        for (x, text) in
            [(0.0, "0"), (44.1, "44.1"), (-3.0438e-3, "−3.044×10⁻³"), (1.5e9, "1.5×10⁹"), (1200.0, "1200")]
        {
            assert_eq!(typeset(x), text);
        }
    }

    #[test]
    fn full_precision_reads_back() {
        for x in [0.1, 1.0 / 3.0, 1e-300, 6.02e23, -4.9e-324, f64::MAX, 0.0, 5e-7] {
            assert_eq!(full(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
            assert!(full(x).len() < 25);
        }
    }
}
