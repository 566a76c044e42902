//! Base64 (RFC 4648, with padding): how bytes travel in the text of a page.

use std::io::{self, Write};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes what it is given as letters. Pieces may be of any length; [`finish`](Self::finish) writes what is left.
pub(crate) struct Encoder<'a> {
    out: &'a mut dyn Write,
    /// Fewer than three bytes that wait for the next piece.
    rest: Vec<u8>,
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, rest: Vec::new() }
    }

    pub(crate) fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !self.rest.is_empty() && self.rest.len() < 3 {
            let Some((first, others)) = bytes.split_first() else { return Ok(()) };
            self.rest.push(*first);
            bytes = others;
        }
        let mut letters = Vec::with_capacity(bytes.len() / 3 * 4 + 4);
        let (triples, rest) = bytes.as_chunks::<3>();
        for triple in self.rest.as_chunks::<3>().0.iter().chain(triples) {
            letters.extend_from_slice(&four_letters(*triple));
        }
        self.rest.clear();
        self.rest.extend_from_slice(rest);
        self.out.write_all(&letters)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        let mut triple = [0; 3];
        for (byte, rest) in triple.iter_mut().zip(&self.rest) {
            *byte = *rest;
        }
        let letters = four_letters(triple);
        match self.rest.len() {
            0 => Ok(()),
            1 => self.out.write_all(&[letters[0], letters[1], b'=', b'=']),
            _ => self.out.write_all(&[letters[0], letters[1], letters[2], b'=']),
        }
    }
}

fn four_letters([a, b, c]: [u8; 3]) -> [u8; 4] {
    let bits = u32::from_be_bytes([0, a, b, c]);
    [18, 12, 6, 0].map(|shift| LETTERS[(bits >> shift & 63) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut encoder = Encoder::new(&mut out);
        for piece in pieces {
            encoder.put(piece).unwrap();
        }
        encoder.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The examples of RFC 4648, section 10.
    #[test]
    fn the_standard_examples() {
        for (plain, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encoded(&[plain.as_bytes()]), expected);
        }
        assert_eq!(encoded(&[&[0xfb, 0xff, 0xfe]]), "+//+");
    }

    #[test]
    fn how_it_is_cut_into_pieces_does_not_matter() {
        let bytes: Vec<u8> = (0..=255).collect();
        let whole = encoded(&[&bytes]);
        for size in 1..20 {
            assert_eq!(encoded(&bytes.chunks(size).collect::<Vec<_>>()), whole, "{size}");
        }
        assert_eq!(encoded(&[b"f", b"", b"o", b"obar"]), "Zm9vYmFy");
    }
}
