//! Compiled kernels, kept in files.
//!
//! A file is known by a hash of all that it was made from, and ends with a hash of what it holds: one that was cut short or changed
//! is as good as none. Files get their names when they are complete, so that several processes can share a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// FNV-1a with 128 bits (Fowler, Noll & Vo).
fn hash(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(BASIS, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// The name of what is made from several texts.
pub(super) fn name(parts: &[&str]) -> String {
    let mut all = Vec::new();
    for part in parts {
        all.extend_from_slice(&part.len().to_le_bytes());
        all.extend_from_slice(part.as_bytes());
    }
    format!("{:032x}", hash(&all))
}

/// What was stored in a file, if it is there and whole.
pub(super) fn load(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).ok()?;
    let (content, sum) = bytes.split_last_chunk()?;
    if hash(content) != u128::from_le_bytes(*sum) {
        return None;
    }
    bytes.truncate(bytes.len() - size_of::<u128>());
    Some(bytes)
}

/// Stores something in a file.
pub(super) fn store(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut bytes = content.to_vec();
    bytes.extend_from_slice(&hash(content).to_le_bytes());
    let unfinished = path.with_file_name(unique("unfinished"));
    fs::write(&unfinished, bytes)
        .and_then(|()| fs::rename(&unfinished, path))
        .inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

/// A name that no other thread or process uses.
fn unique(what: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{what}-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A folder that is there as long as this value.
#[derive(Debug)]
pub(super) struct ShortLivedFolder(pub(super) PathBuf);

impl ShortLivedFolder {
    /// Makes one in another folder.
    pub(super) fn within(folder: &Path) -> io::Result<Self> {
        let path = folder.join(unique("build"));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for ShortLivedFolder {
    fn drop(&mut self) {
        // Where a library that is loaded cannot be deleted, it stays.
        drop(fs::remove_dir_all(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::{ShortLivedFolder, hash, load, name, store};

    #[test]
    fn hashes_are_the_published_ones() {
        assert_eq!(hash(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(hash(b"foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
        assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
    }

    #[test]
    fn damaged_files_are_none() -> std::io::Result<()> {
        let folder = ShortLivedFolder::within(&std::env::temp_dir())?;
        let path = folder.0.join("file");
        assert_eq!(load(&path), None);
        store(&path, b"kernels")?;
        assert_eq!(load(&path).as_deref(), Some(&b"kernels"[..]));
        let whole = std::fs::read(&path)?;
        for damaged in 0..whole.len() {
            std::fs::write(&path, &whole[..damaged])?;
            assert_eq!(load(&path), None);
            let mut changed = whole.clone();
            changed[damaged] ^= 0x10;
            std::fs::write(&path, changed)?;
            assert_eq!(load(&path), None);
        }
        Ok(())
    }
}
