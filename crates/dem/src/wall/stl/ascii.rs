//! The text form: `solid name`, then for each triangle `facet normal …`, `outer loop`, three `vertex x y z`,
//! `endloop`, `endfacet`, and at the end `endsolid`. Keywords in any case; several solids may follow each
//! other.

use super::{Stl, StlFault, StlForm, normal};
use std::io::{self, BufWriter, Write};
use tumble_math::LabVec;

/// Of a word that is not understood, this much is shown.
const SHOWN: usize = 40;

/// Whether a file begins like the text form.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let Some((word, rest)) = text.split_at_checked(5) else { return false };
    // A cut-off binary file may begin so too, but its header is full of zeros.
    word.eq_ignore_ascii_case(b"solid")
        && rest.first().is_none_or(u8::is_ascii_whitespace)
        && !rest.iter().take(512).any(|&byte| byte == 0)
}

pub(super) fn parse(bytes: &[u8]) -> Result<Stl, StlFault> {
    let mut words = Words { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), line: 1 };
    words.keyword("solid", "`solid`")?;
    let name = words.rest_of_line();
    let mut triangles = Vec::new();
    loop {
        let word = words.required("`facet` or `endsolid`")?;
        if word.eq_ignore_ascii_case(b"facet") {
            triangles.push(facet(&mut words)?);
        } else if word.eq_ignore_ascii_case(b"endsolid") {
            words.rest_of_line();
            match words.next() {
                None => return Ok(Stl { name, form: StlForm::Ascii, triangles }),
                Some(word) if word.eq_ignore_ascii_case(b"solid") => {
                    words.rest_of_line();
                }
                Some(word) => return Err(words.unexpected("another `solid` or the end of the file", word)),
            }
        } else {
            return Err(words.unexpected("`facet` or `endsolid`", word));
        }
    }
}

/// What follows the word `facet`.
fn facet(words: &mut Words) -> Result<[LabVec<f64>; 3], StlFault> {
    words.keyword("normal", "`normal`")?;
    for _ in 0..3 {
        // Programs write NaN here for triangles without area.
        words.number("a component of the normal")?;
    }
    words.keyword("outer", "`outer loop`")?;
    words.keyword("loop", "`outer loop`")?;
    let mut corners = [LabVec::zero(); 3];
    for corner in &mut corners {
        words.keyword("vertex", "`vertex`, three times in a loop")?;
        let mut coordinates = [0.0; 3];
        for coordinate in &mut coordinates {
            *coordinate = words.finite()?;
        }
        *corner = LabVec::from_array(coordinates);
    }
    words.keyword("endloop", "`endloop` after three vertices")?;
    words.keyword("endfacet", "`endfacet`")?;
    Ok(corners)
}

/// The words of a text and the line that the last one stands on.
struct Words<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let blank = self.rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.line += self.rest[..blank].split(|&byte| byte == b'\n').count() - 1;
        let rest = &self.rest[blank..];
        let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let (word, rest) = rest.split_at(length);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn required(&mut self, expected: &'static str) -> Result<&'a [u8], StlFault> {
        self.next().ok_or(StlFault::Truncated { line: self.line, expected })
    }

    fn keyword(&mut self, keyword: &str, expected: &'static str) -> Result<(), StlFault> {
        let word = self.required(expected)?;
        if word.eq_ignore_ascii_case(keyword.as_bytes()) {
            Ok(())
        } else {
            Err(self.unexpected(expected, word))
        }
    }

    fn number(&mut self, expected: &'static str) -> Result<f64, StlFault> {
        let word = self.required(expected)?;
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.ok_or_else(|| self.unexpected(expected, word))
    }

    fn finite(&mut self) -> Result<f64, StlFault> {
        const EXPECTED: &str = "a finite coordinate";
        let before = self.rest;
        let number = self.number(EXPECTED)?;
        if number.is_finite() {
            Ok(number)
        } else {
            let word = &before[..before.len() - self.rest.len()];
            Err(self.unexpected(EXPECTED, word.trim_ascii()))
        }
    }

    fn rest_of_line(&mut self) -> String {
        let length = self.rest.iter().take_while(|&&byte| byte != b'\n').count();
        let (line, rest) = self.rest.split_at(length);
        self.rest = rest;
        String::from_utf8_lossy(line).trim().to_owned()
    }

    fn unexpected(&self, expected: &'static str, word: &[u8]) -> StlFault {
        let mut found: String = String::from_utf8_lossy(word).escape_debug().take(SHOWN).collect();
        if word.len() > SHOWN {
            found.push('…');
        }
        StlFault::Unexpected { line: self.line, expected, found }
    }
}

pub(super) fn write(
    out: impl Write,
    name: &str,
    triangles: impl IntoIterator<Item = [LabVec<f64>; 3]>,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    // A name over several lines would end the first.
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    writeln!(out, "solid {name}")?;
    for triangle in triangles {
        let LabVec { x, y, z, .. } = normal(triangle);
        writeln!(out, "facet normal {x:e} {y:e} {z:e}\n outer loop")?;
        for LabVec { x, y, z, .. } in triangle {
            writeln!(out, "  vertex {x:e} {y:e} {z:e}")?;
        }
        writeln!(out, " endloop\nendfacet")?;
    }
    writeln!(out, "endsolid {name}")?;
    out.flush()
}
