//! Little-endian bytes: what checkpoints and trajectories are made of.

/// A value of fixed size in a file.
pub(crate) trait Element: Copy {
    /// The name of its numbers in headers.
    const TYPE: &'static str;
    /// How many numbers it has.
    const COMPONENTS: usize;
    const SIZE: usize;
    fn put(self, out: &mut Vec<u8>);
    /// Of exactly as many bytes as it takes.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ident),+) => {$(
        impl Element for $type {
            const TYPE: &'static str = stringify!($type);
            const COMPONENTS: usize = 1;
            const SIZE: usize = size_of::<$type>();
            #[inline]
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self::from_le_bytes)
            }
        }
    )+};
}
numbers!(u8, u16, i16, u32, i32, u64, i64, f32, f64);

impl<T: Element + Default, const N: usize> Element for [T; N] {
    const TYPE: &'static str = T::TYPE;
    const COMPONENTS: usize = N * T::COMPONENTS;
    const SIZE: usize = N * T::SIZE;
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        for value in self {
            value.put(out);
        }
    }
    #[inline]
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut values = [T::default(); N];
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(T::SIZE)) {
            *value = T::from_bytes(bytes)?;
        }
        (bytes.len() == Self::SIZE).then_some(values)
    }
}

/// Text with its length before it.
pub(crate) fn put_text(text: &str, out: &mut Vec<u8>) {
    (text.len() as u64).put(out);
    out.extend_from_slice(text.as_bytes());
}

/// Bytes that are being read. Nothing is believed of a length before the bytes are there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn bytes(&mut self, count: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(count).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn take<T: Element>(&mut self) -> Option<T> {
        T::from_bytes(self.bytes(T::SIZE as u64)?)
    }

    /// This many values, into a list whose room is used.
    pub(crate) fn take_all<T: Element>(&mut self, count: usize, values: &mut Vec<T>) -> Option<()> {
        let bytes = self.bytes((count as u64).checked_mul(T::SIZE as u64)?)?;
        values.clear();
        values.extend(bytes.chunks_exact(T::SIZE).filter_map(T::from_bytes));
        Some(())
    }

    pub(crate) fn blob(&mut self) -> Option<&'a [u8]> {
        let length = self.take()?;
        self.bytes(length)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        str::from_utf8(self.blob()?).ok()
    }
}
