//! Something that can be switched off, switched on as it comes, or described.

use super::{Context, Form, Kind, Table};
use crate::tree::{Node, Value};
use crate::written::Written;
use core::marker::PhantomData;

/// What a [`Switch`] reads: nothing if it is off.
pub(crate) type Switched<T> = Option<T>;

/// `false`, `true` for a table of defaults, or a table.
pub(crate) struct Switch<T>(PhantomData<T>);

impl<T: Table> Form for Switch<T> {
    type Value = Switched<T>;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Kind::Flag, Kind::Table(T::info())])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Switched<T>> {
        match node.value {
            Value::Flag(false) => Some(None),
            Value::Flag(true) => T::read(&Node::empty_table(node.place), context).map(Some),
            Value::Table(_) => T::read(node, context).map(Some),
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &Switched<T>) -> Written {
        value.as_ref().map_or(Written::Flag(false), T::write)
    }
}
