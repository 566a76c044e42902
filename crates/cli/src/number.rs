//! Numbers for people.

/// Six significant digits without idle zeros: `0.0125`, `4.18879e-6`.
pub(crate) fn readable(x: f64) -> String {
    let scientific = format!("{x:.5e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    match usize::try_from(5 - exponent) {
        Ok(decimals) if (-3..6).contains(&exponent) => trimmed(&format!("{x:.decimals$}")).to_owned(),
        _ => format!("{}e{exponent}", trimmed(digits)),
    }
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn six_digits() {
        let cases = [
            (0.0, "0"),
            (0.0125, "0.0125"),
            (4.188_790_204e-6, "4.18879e-6"),
            (123_456.0, "123456"),
            (-0.001, "-0.001"),
            (999_999.7, "1e6"),
            (1e-4, "1e-4"),
            (f64::NAN, "NaN"),
        ];
        for (x, text) in cases {
            assert_eq!(readable(x), text);
        }
    }
}
