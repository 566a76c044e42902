//! [`Picture`]: coloured points in rows, which a page holds as a PNG file.
//!
//! PNG: ISO/IEC 15948, with a palette and rows that are not compressed (blocks of type 0 of RFC 1951); base 64: RFC 4648.

/// A picture of coloured points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// What it shows.
    pub caption: String,
    /// Points in a row; those that are missing in the last row have the first colour.
    pub width: usize,
    /// Red, green and blue of at most 256 colours, of which the first is clear.
    pub palette: Vec<[u8; 3]>,
    /// The number of the colour of each point, row by row from the top.
    pub points: Vec<u8>,
    /// How many points there are to a length of 1/96 inch, by which sharp screens are served.
    pub density: usize,
}

impl Picture {
    /// Rows.
    pub fn height(&self) -> usize {
        self.points.len().div_ceil(self.width.max(1))
    }

    /// The picture as a PNG file; empty if it has no points.
    pub fn to_png(&self) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let (width, height) = (self.width.max(1), self.height());
        let mut head = Vec::new();
        for size in [width, height] {
            head.extend(u32::try_from(size).unwrap_or(u32::MAX).to_be_bytes());
        }
        // 8 bits, a palette, and the only kinds of compression, filter and order there are.
        head.extend([8, 3, 0, 0, 0]);
        push_chunk(&mut file, *b"IHDR", &head);
        push_chunk(
            &mut file,
            *b"PLTE",
            self.palette.iter().take(256).flatten().copied().collect::<Vec<_>>().as_slice(),
        );
        // The first colour lets the page be seen, light or dark.
        push_chunk(&mut file, *b"tRNS", &[0]);
        let mut rows = Vec::with_capacity((width + 1) * height);
        for row in self.points.chunks(width) {
            rows.push(0);
            rows.extend(row);
            rows.resize(rows.len() + width - row.len(), 0);
        }
        push_chunk(&mut file, *b"IDAT", &stored(&rows));
        push_chunk(&mut file, *b"IEND", &[]);
        file
    }

    /// The address that stands for the file itself.
    pub(crate) fn address(&self) -> String {
        format!("data:image/png;base64,{}", base64(&self.to_png()))
    }
}

fn push_chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    file.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let check = crc(&file[start..]);
    file.extend(check.to_be_bytes());
}

/// CRC-32 as PNG has it.
fn crc(data: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 },
        )
    };
    !data.iter().fold(u32::MAX, step)
}

/// A zlib stream that holds the data as they are: RFC 1950, with blocks of at most 65535 bytes.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = data.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        stream.push(u8::from(blocks.peek().is_none()));
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    stream.extend(((b << 16) | a).to_be_bytes());
    stream
}

fn base64(data: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(data.len().div_ceil(3) * 4);
    for three in data.chunks(3) {
        let bits =
            three.iter().enumerate().fold(0u32, |bits, (i, &byte)| bits | u32::from(byte) << (16 - 8 * i));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_and_letters_are_those_of_the_standards() {
        // The check value of CRC-32, an empty IEND chunk, and the examples of RFC 4648.
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        assert_eq!(
            ["f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
        // Adler-32 of “Wikipedia”, as that encyclopedia works it out.
        assert!(stored(b"Wikipedia").ends_with(&0x11e6_0398_u32.to_be_bytes()));
    }
}
