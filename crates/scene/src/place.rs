//! Where things stand in a scene file, or in an override of it, so that any later message can point there.

/// A stretch of the scene file, or of an override.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// 0 for the file, n for the n-th override.
    pub(crate) source: u32,
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
}

impl Place {
    /// A range of bytes in a source.
    pub(crate) fn new(source: u32, bytes: core::ops::Range<usize>) -> Self {
        Self { source, start: bytes.start, end: bytes.end }
    }
}

/// Where a table and its keys stand.
///
/// Two tables that say the same in different places are equal, so all `Places` are.
#[derive(Clone, Debug, Default)]
pub struct Places {
    table: Place,
    /// Key and value of each key given.
    keys: Vec<(&'static str, [Place; 2])>,
    has_problems: bool,
}

impl Places {
    pub(crate) fn new(table: Place) -> Self {
        Self { table, keys: Vec::new(), has_problems: false }
    }

    pub(crate) fn push(&mut self, name: &'static str, key: Place, value: Place) {
        self.keys.push((name, [key, value]));
    }

    pub(crate) fn mark_problem(&mut self) {
        self.has_problems = true;
    }

    /// The value of a key; where it is not given, the head of the table.
    pub fn of(&self, key: &str) -> Place {
        self.find(key).map_or(self.table, |[_, value]| value)
    }

    /// The name of a key; where it is not given, the head of the table.
    pub fn key(&self, key: &str) -> Place {
        self.find(key).map_or(self.table, |[key, _]| key)
    }

    /// The head of the table.
    pub fn table(&self) -> Place {
        self.table
    }

    /// Whether the key is given.
    pub fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Whether everything in the table could be read, so that it is worth a closer look.
    pub(crate) fn is_sound(&self) -> bool {
        !self.has_problems
    }

    fn find(&self, key: &str) -> Option<[Place; 2]> {
        self.keys.iter().find(|(name, _)| *name == key).map(|&(_, places)| places)
    }
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
