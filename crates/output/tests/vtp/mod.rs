//! A tiny reader of `.vtp` files, written from VTK's description of the format and not from the writer.

use std::collections::BTreeMap;
use std::path::Path;

/// A file: attributes of its piece, and its arrays by section and name.
pub(crate) struct Vtp {
    piece: BTreeMap<String, String>,
    arrays: BTreeMap<(String, String), Array>,
    pub(crate) time: f64,
}

#[derive(Debug)]
pub(crate) struct Array {
    pub(crate) kind: String,
    pub(crate) components: usize,
    pub(crate) values: Vec<f64>,
}

impl Vtp {
    pub(crate) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let marker = b"<AppendedData encoding=\"raw\">";
        let marked = bytes.windows(marker.len()).position(|window| window == marker).expect("appended data");
        let text = std::str::from_utf8(&bytes[..marked]).expect("text");
        let underscore = marked + bytes[marked..].iter().position(|byte| *byte == b'_').unwrap();
        let data = &bytes[underscore + 1..];
        let mut file = Self { piece: BTreeMap::new(), arrays: BTreeMap::new(), time: f64::NAN };
        let mut section = String::new();
        for tag in text.split('<').skip(1) {
            let (tag, after) = tag.split_once('>').expect("closed tag");
            let name = tag.split([' ', '/']).next().unwrap();
            let attributes = attributes(tag);
            match name {
                "VTKFile" => {
                    assert_eq!(attributes["byte_order"], "LittleEndian");
                    assert_eq!(attributes["header_type"], "UInt64");
                    assert_eq!(attributes["type"], "PolyData");
                }
                "Piece" => file.piece = attributes,
                "DataArray" if attributes["format"] == "ascii" => {
                    if attributes["Name"] == "TimeValue" {
                        file.time = after.trim().parse().unwrap();
                    }
                }
                "DataArray" => {
                    let array = Array::read(&attributes, data);
                    file.arrays.insert((section.clone(), attributes["Name"].clone()), array);
                }
                _ => name.clone_into(&mut section),
            }
        }
        file
    }

    pub(crate) fn count(&self, what: &str) -> usize {
        self.piece[&format!("NumberOf{what}")].parse().unwrap()
    }

    pub(crate) fn array(&self, section: &str, name: &str) -> &Array {
        self.arrays
            .get(&(section.to_owned(), name.to_owned()))
            .unwrap_or_else(|| panic!("no {name} in {section}"))
    }

    pub(crate) fn names(&self, section: &str) -> Vec<&str> {
        self.arrays
            .keys()
            .filter(|(in_section, _)| in_section == section)
            .map(|(_, name)| name.as_str())
            .collect()
    }
}

impl Array {
    fn read(attributes: &BTreeMap<String, String>, data: &[u8]) -> Self {
        let offset: usize = attributes["offset"].parse().unwrap();
        let length =
            usize::try_from(u64::from_le_bytes(data[offset..offset + 8].try_into().unwrap())).unwrap();
        let bytes = &data[offset + 8..offset + 8 + length];
        let kind = attributes["type"].clone();
        #[allow(clippy::cast_precision_loss)]
        let values = match kind.as_str() {
            "Float32" => {
                bytes.chunks(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap()))).collect()
            }
            "Float64" => bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
            "Int32" => {
                bytes.chunks(4).map(|b| f64::from(i32::from_le_bytes(b.try_into().unwrap()))).collect()
            }
            "UInt32" => {
                bytes.chunks(4).map(|b| f64::from(u32::from_le_bytes(b.try_into().unwrap()))).collect()
            }
            "Int64" => bytes.chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()) as f64).collect(),
            "UInt16" => {
                bytes.chunks(2).map(|b| f64::from(u16::from_le_bytes(b.try_into().unwrap()))).collect()
            }
            "UInt8" => bytes.iter().map(|b| f64::from(*b)).collect(),
            other => panic!("unexpected type {other}"),
        };
        Self { kind, components: attributes["NumberOfComponents"].parse().unwrap(), values }
    }

    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        assert!(self.values.len().is_multiple_of(self.components));
        self.values.chunks(self.components)
    }
}

fn attributes(tag: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("closed quote");
        found.insert(before.rsplit([' ', '\n']).next().unwrap().to_owned(), value.to_owned());
        rest = after;
    }
    found
}
