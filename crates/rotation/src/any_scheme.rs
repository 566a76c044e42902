//! A scheme behind one pointer: how batches and engines run schemes of the list and schemes from outside alike.
//!
//! They ask a scheme for whole blocks of bodies, so that there is one indirect call for each of them, into a loop that was
//! compiled for the scheme.

#[cfg(feature = "batch")]
use crate::batch::Run;
#[cfg(feature = "trace")]
use crate::trace::Evaluate;
use crate::{Memory, RotationScheme, SchemeInfo, SchemeKind, SchemeVisitor};
use core::any::TypeId;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
#[cfg(feature = "trace")]
use tumble_math::trace::Traced;

/// Any scheme, chosen at run time: one of the list, or one of another crate.
///
/// Whatever takes one takes a [`SchemeKind`] as well. Two are equal if they are the same type.
///
/// ```
/// use tumble_rotation::schemes::{NoSquish, Richardson};
/// use tumble_rotation::{AnyScheme, SchemeKind};
/// assert_eq!(AnyScheme::of::<NoSquish>(), SchemeKind::NoSquish.into());
/// assert_eq!(AnyScheme::of::<Richardson>().kind(), Some(SchemeKind::Richardson));
/// ```
#[derive(Clone, Copy)]
pub struct AnyScheme(&'static dyn ErasedScheme);

/// All that is asked of a scheme whose type is not known.
pub(crate) trait ErasedScheme: Send + Sync {
    fn scheme(&self) -> TypeId;
    fn info(&self) -> &'static SchemeInfo;
    fn memory_width(&self) -> usize;
    #[cfg(feature = "batch")]
    fn run_single(&self, work: Run<'_, f32>);
    #[cfg(feature = "batch")]
    fn run_double(&self, work: Run<'_, f64>);
    #[cfg(feature = "trace")]
    fn record(&self, work: Evaluate<'_, Traced>) -> Vec<Traced>;
}

/// A scheme's type, which other threads may know whatever it is.
struct Erased<S>(PhantomData<fn() -> S>);

impl<S: RotationScheme> ErasedScheme for Erased<S> {
    fn scheme(&self) -> TypeId {
        TypeId::of::<S>()
    }

    fn info(&self) -> &'static SchemeInfo {
        &S::INFO
    }

    fn memory_width(&self) -> usize {
        <S::Memory<f64> as Memory<f64>>::WIDTH
    }

    #[cfg(feature = "batch")]
    fn run_single(&self, work: Run<'_, f32>) {
        work.run::<S>();
    }

    #[cfg(feature = "batch")]
    fn run_double(&self, work: Run<'_, f64>) {
        work.run::<S>();
    }

    #[cfg(feature = "trace")]
    fn record(&self, work: Evaluate<'_, Traced>) -> Vec<Traced> {
        work.visit(S::default())
    }
}

impl AnyScheme {
    /// A scheme by its type, which may be of another crate.
    ///
    /// It runs as fast as those of the list: its loops are compiled where this is called.
    pub fn of<S: RotationScheme>() -> Self {
        let scheme = Self(&Erased::<S>(PhantomData));
        scheme.kind().map_or(scheme, Self::from)
    }

    /// Which one of the list it is; none if it is from outside.
    pub fn kind(self) -> Option<SchemeKind> {
        SchemeKind::ALL.iter().copied().find(|&kind| Self::from(kind) == self)
    }

    /// The facts of the scheme.
    pub fn info(self) -> &'static SchemeInfo {
        self.0.info()
    }

    /// The scheme's name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// How many numbers the scheme remembers beside q and ω.
    pub fn memory_width(self) -> usize {
        self.0.memory_width()
    }

    #[cfg(any(feature = "batch", feature = "trace"))]
    pub(crate) fn erased(self) -> &'static dyn ErasedScheme {
        self.0
    }
}

impl From<SchemeKind> for AnyScheme {
    fn from(kind: SchemeKind) -> Self {
        struct Erase;
        impl SchemeVisitor for Erase {
            type Output = AnyScheme;
            fn visit<S: RotationScheme>(self, _: S) -> AnyScheme {
                AnyScheme(&Erased::<S>(PhantomData))
            }
        }
        kind.visit(Erase)
    }
}

impl fmt::Debug for AnyScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for AnyScheme {
    fn eq(&self, other: &Self) -> bool {
        self.0.scheme() == other.0.scheme()
    }
}

impl Eq for AnyScheme {}

impl Hash for AnyScheme {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.scheme().hash(state);
    }
}
