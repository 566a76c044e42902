//! A part of a file, as `Range: bytes=…` asks for it.

/// One range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// From here on.
    From(u64),
    /// From the first to the second, both included.
    Between(u64, u64),
    /// So many at the end.
    Last(u64),
}

impl Range {
    /// Of the value of the header. What is not one range of bytes is ignored, as the standard allows.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let (unit, range) = value.trim().split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            // What is larger than any file is as good as the largest number.
            digits.then(|| text.parse().unwrap_or(u64::MAX))
        };
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        match (first.trim(), last.trim()) {
            ("", last) => number(last).map(Self::Last),
            (first, "") => number(first).map(Self::From),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Self::Between(first, last))
            }
        }
    }

    /// Start and number of bytes in a file of this length; none if nothing of it is there.
    pub(crate) fn within(self, length: u64) -> Option<(u64, u64)> {
        let (start, end) = match self {
            Self::From(first) => (first, length),
            Self::Between(first, last) => (first, last.saturating_add(1).min(length)),
            Self::Last(count) => (length.saturating_sub(count), length),
        };
        (start < end).then(|| (start, end - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, expected) in [
            ("bytes=0-", Some(Range::From(0))),
            ("bytes=5-9", Some(Range::Between(5, 9))),
            ("Bytes = 5 - 5 ", Some(Range::Between(5, 5))),
            ("bytes=-7", Some(Range::Last(7))),
            ("bytes=99999999999999999999999-", Some(Range::From(u64::MAX))),
            ("bytes=9-5", None),
            ("bytes=0-1,3-4", None),
            ("bytes=-", None),
            ("bytes=+1-", None),
            ("bytes=1-x", None),
            ("items=0-1", None),
            ("0-1", None),
            ("", None),
        ] {
            assert_eq!(Range::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn ranges_end_with_the_file() {
        for (range, length, expected) in [
            (Range::From(0), 10, Some((0, 10))),
            (Range::From(9), 10, Some((9, 1))),
            (Range::From(10), 10, None),
            (Range::From(0), 0, None),
            (Range::Between(2, 4), 10, Some((2, 3))),
            (Range::Between(2, u64::MAX), 10, Some((2, 8))),
            (Range::Between(10, 12), 10, None),
            (Range::Last(3), 10, Some((7, 3))),
            (Range::Last(30), 10, Some((0, 10))),
            (Range::Last(0), 10, None),
        ] {
            assert_eq!(range.within(length), expected, "{range:?} of {length}");
        }
    }
}
