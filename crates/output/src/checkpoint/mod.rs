//! Checkpoints: everything that a run needs to go on bit for bit, in one file.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `TUMBLECP` |
//! | 4 | version of this layout |
//! | 8 | length of the whole file |
//! | | version of Tumble, hash of the scene: texts, each after its length (8 bytes) |
//! | 8, 8 | step, time in s |
//! | 4 | number of sections; then each: name, bytes, each after its length (8 bytes) |
//! | 8 | XXH3 of all that comes before |
//!
//! All numbers are little-endian. What a section holds is the affair of whoever put it in.

mod store;

pub(crate) use store::is_checkpoint;
pub use store::{Checkpoints, Rejected};

use crate::Error;
use crate::bytes::{Element, Input, put_text};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use tumble_dem::Solver;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

const MAGIC: &[u8; 8] = b"TUMBLECP";
const VERSION: u32 = 1;

/// The section that holds [`SavedState::to_bytes`](tumble_dem::SavedState::to_bytes).
pub const ENGINE: &str = "engine";
/// The section for what inserts bodies during a run.
pub const STREAMS: &str = "streams";
/// The section for the [stages](crate::StageRecord) that the run has gone through.
pub const STAGES: &str = "stages";
/// The section for what measures remember.
pub const MEASURES: &str = "measures";
/// The section for what coarse-grained fields remember.
pub const FIELDS: &str = "fields";
/// The section for the scene, in a checkpoint that lies outside a folder of results.
pub const SCENE: &str = "scene";
/// The section for how far the outputs were: [marks](crate::Mark).
pub const OUTPUTS: &str = "outputs";

/// One instant of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The version of Tumble that wrote it.
    pub tumble_version: String,
    /// Which scene it belongs to; see [`scene_hash`].
    pub scene_hash: String,
    /// Steps since the start.
    pub step: u64,
    /// s
    pub time: f64,
    sections: BTreeMap<String, Vec<u8>>,
}

/// What tells scenes apart: 32 hexadecimal digits that depend on every byte of a description.
pub fn scene_hash(description: impl AsRef<[u8]>) -> String {
    format!("{:032x}", xxh3_128(description.as_ref()))
}

impl Checkpoint {
    /// A checkpoint of the present instant, with the state of the engine as its first section.
    pub fn of(engine: &dyn Solver, scene_hash: &str) -> Self {
        Self::new(scene_hash, engine.steps(), engine.time()).with(ENGINE, engine.save_bytes())
    }

    /// A checkpoint without sections. The time is in s.
    pub fn new(scene_hash: &str, step: u64, time: f64) -> Self {
        Self {
            tumble_version: env!("CARGO_PKG_VERSION").to_owned(),
            scene_hash: scene_hash.to_owned(),
            step,
            time,
            sections: BTreeMap::new(),
        }
    }

    /// With this section, in the place of any other of the same name.
    pub fn with(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.sections.insert(name.to_owned(), bytes);
        self
    }

    /// What a section holds.
    pub fn section(&self, name: &str) -> Option<&[u8]> {
        self.sections.get(name).map(Vec::as_slice)
    }

    /// All sections, by name.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.sections.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Reads a file and checks that it is whole.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = crate::plain::read(path)?;
        Self::from_bytes(&bytes).map_err(|what| Error::damaged(path, what))
    }

    /// Writes it to a file, which is there as a whole or not at all, in the place of any other of that name.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        crate::atomic::replace_with(path, crate::atomic::Survives::PowerCut, |file| self.write_to(file))
    }

    /// Whether a file begins like a checkpoint.
    pub fn looks_like(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Its bytes, piece by piece: what a section holds may be long, and is not copied.
    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let mut head = MAGIC.to_vec();
        VERSION.put(&mut head);
        let length_at = head.len();
        0_u64.put(&mut head);
        put_text(&self.tumble_version, &mut head);
        put_text(&self.scene_hash, &mut head);
        self.step.put(&mut head);
        self.time.put(&mut head);
        self.sections.values().map(|_| 1_u32).sum::<u32>().put(&mut head);
        let mut pieces = Vec::new();
        for (name, bytes) in &self.sections {
            put_text(name, &mut head);
            (bytes.len() as u64).put(&mut head);
            pieces.push((core::mem::take(&mut head), bytes.as_slice()));
        }
        pieces.push((head, &[]));
        let length = pieces.iter().map(|(head, bytes)| head.len() + bytes.len()).sum::<usize>() + u64::SIZE;
        pieces[0].0[length_at..length_at + u64::SIZE].copy_from_slice(&(length as u64).to_le_bytes());
        let mut checksum = Xxh3::new();
        for bytes in pieces.iter().flat_map(|(head, bytes)| [head.as_slice(), bytes]) {
            checksum.update(bytes);
            out.write_all(bytes)?;
        }
        out.write_all(&checksum.digest().to_le_bytes())
    }

    /// The error says what is wrong, for a message that names the file.
    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        if !Self::looks_like(bytes) {
            return Err("this is no checkpoint of Tumble, or its beginning is damaged".into());
        }
        let mut input = Input(&bytes[MAGIC.len()..]);
        let (version, length) = (input.take::<u32>(), input.take::<u64>());
        let (Some(version), Some(length)) = (version, length) else {
            return Err("it was cut off near its beginning".into());
        };
        if length != bytes.len() as u64 {
            return Err(format!("it has {} bytes but should have {length}: it was cut off", bytes.len()));
        }
        let Some((parts, checksum)) = input.0.split_last_chunk() else {
            return Err("it was cut off near its beginning".into());
        };
        if u64::from_le_bytes(*checksum) != xxh3_64(&bytes[..bytes.len() - u64::SIZE]) {
            return Err("its checksum is wrong: some of its bytes were changed".into());
        }
        if version != VERSION {
            return Err(format!(
                "it is a checkpoint of version {version}, and this program reads version {VERSION}: resume with \
                 the version of Tumble that wrote it"
            ));
        }
        Self::take(Input(parts)).ok_or_else(|| "its parts do not fit together".into())
    }

    fn take(mut input: Input<'_>) -> Option<Self> {
        let mut checkpoint = Self {
            tumble_version: input.text()?.to_owned(),
            scene_hash: input.text()?.to_owned(),
            step: input.take()?,
            time: input.take()?,
            sections: BTreeMap::new(),
        };
        for _ in 0..input.take::<u32>()? {
            let name = input.text()?.to_owned();
            checkpoint.sections.insert(name, input.blob()?.to_vec());
        }
        input.0.is_empty().then_some(checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(checkpoint: &Checkpoint) -> Vec<u8> {
        let mut bytes = Vec::new();
        checkpoint.write_to(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let checkpoint =
            Checkpoint::new(&scene_hash("scene"), 12, 0.5).with(ENGINE, vec![1, 2, 3]).with("x", vec![]);
        let bytes = bytes_of(&checkpoint);
        assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), checkpoint);
        for length in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "cut to {length}");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Checkpoint::from_bytes(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_file_with_a_right_checksum_may_still_be_wrong() {
        let good = bytes_of(&Checkpoint::new("hash", 1, 0.1).with(ENGINE, vec![7; 40]));
        let mut outcomes = [0; 2];
        for at in 12..good.len() - 8 {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = good.clone();
                bytes[at] = value;
                let content = bytes.len() - 8;
                let checksum = xxh3_64(&bytes[..content]).to_le_bytes();
                bytes[content..].copy_from_slice(&checksum);
                outcomes[usize::from(Checkpoint::from_bytes(&bytes).is_ok())] += 1;
            }
        }
        assert!(outcomes.iter().all(|&count| count > 20), "{outcomes:?}");
    }
}
