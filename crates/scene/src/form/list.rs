//! Vectors, lists, and tables by name.

use super::word::unseen;
use super::{Context, Form, Kind, Table};
use crate::diagnostic::Problem;
use crate::tree::{Node, Value};
use crate::written::Written;
use core::marker::PhantomData;

/// `N` numbers of a form.
pub(crate) struct Numbers<F, const N: usize>(PhantomData<F>);

/// x, y and z.
pub(crate) type Vector<F> = Numbers<F, 3>;

impl<F: Form, const N: usize> Form for Numbers<F, N> {
    type Value = [F::Value; N];

    fn kind() -> Kind {
        Kind::List { of: Box::new(F::kind()), fewest: N, most: N }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Self::Value> {
        let Value::List(items) = &node.value else {
            return context.expected(node, &Self::kind());
        };
        if items.len() != N {
            let names = if N == 3 { ": x, y and z" } else { "" };
            let message = format!("`{}` must be a list of {N} numbers{names}", context.path());
            let label = format!("this has {}", items.len());
            context.report(Problem::error(node.place, message).label(label));
            return None;
        }
        let read: Vec<Option<F::Value>> = items.iter().map(|item| F::read(item, context)).collect();
        read.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
    }

    fn write(value: &Self::Value) -> Written {
        Written::List(value.iter().map(F::write).collect())
    }
}

/// Two values of different forms, as a row of a table.
pub(crate) struct Row<A, B>(PhantomData<(A, B)>);

impl<A: Form, B: Form> Form for Row<A, B> {
    type Value = (A::Value, B::Value);

    fn kind() -> Kind {
        Kind::List { of: Box::new(Kind::AnyOf(vec![A::kind(), B::kind()])), fewest: 2, most: 2 }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Self::Value> {
        let words = || format!("a list of two: {}, then {}", A::kind().describe(), B::kind().describe());
        let Value::List(items) = &node.value else { return context.refuse(node, &words()) };
        let [first, second] = &items[..] else { return context.refuse(node, &words()) };
        let first = A::read(first, context);
        let second = B::read(second, context);
        first.zip(second)
    }

    fn write((first, second): &Self::Value) -> Written {
        Written::List(vec![A::write(first), B::write(second)])
    }
}

/// A list of at least `FEWEST` items.
pub(crate) struct ListOf<F, const FEWEST: usize = 0>(PhantomData<F>);

impl<F: Form, const FEWEST: usize> Form for ListOf<F, FEWEST> {
    type Value = Vec<F::Value>;

    fn kind() -> Kind {
        Kind::List { of: Box::new(F::kind()), fewest: FEWEST, most: usize::MAX }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Self::Value> {
        let Value::List(items) = &node.value else {
            return context.expected(node, &Self::kind()).or_else(|| add_brackets(node, context, &F::kind()));
        };
        if items.len() < FEWEST {
            return context.refuse(node, &format!("a list of at least {FEWEST}"));
        }
        let read = |(index, item)| context.within(&format!("{index}"), |context| F::read(item, context));
        let read: Vec<Option<F::Value>> = items.iter().enumerate().map(read).collect();
        // What could be read goes on, so that its own mistakes are found as well.
        Some(read.into_iter().flatten().collect())
    }

    fn write(value: &Self::Value) -> Written {
        let items = value.iter().map(F::write).collect();
        match F::kind() {
            Kind::Table(_) => Written::Tables(items),
            _ => Written::List(items),
        }
    }
}

/// `[walls]` instead of `[[walls]]` is a common slip.
fn add_brackets<T>(node: &Node, context: &mut Context<'_>, item: &Kind) -> Option<T> {
    if let (Value::Table(_), Kind::Table(_)) = (&node.value, item) {
        // In TOML the tables of a list go without their numbers: what follows belongs to the last one.
        let path = context.path();
        let names: Vec<&str> = path.split('.').filter(|name| name.parse::<usize>().is_err()).collect();
        let path = names.join(".");
        if let Some(problem) = context.problems.last_mut() {
            problem.help.push(format!("there can be several: write [[{path}]] with two brackets"));
        }
    }
    None
}

/// Tables by name, in the order of the file.
pub(crate) struct Named<T>(PhantomData<T>);

impl<T: Table> Form for Named<T> {
    type Value = Vec<(String, T)>;

    fn kind() -> Kind {
        Kind::Named(T::info())
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Self::Value> {
        let Value::Table(entries) = &node.value else {
            return context.expected(node, &Self::kind());
        };
        let mut tables = Vec::new();
        for entry in entries {
            let path = context.path();
            let read = |context: &mut Context<'_>| {
                if entry.key.trim().is_empty() {
                    context.report(Problem::error(entry.key_place, format!("a name in `{path}` is blank")));
                }
                if let Some(letter) = unseen(&entry.key) {
                    let message =
                        format!("a name in `{path}` must be text that can be seen, and has {letter}");
                    context.report(Problem::error(entry.key_place, message));
                    return None;
                }
                if matches!(entry.node.value, Value::Table(_)) {
                    return T::read(&entry.node, context);
                }
                let message = format!("`{path}.{}` must be a table", entry.key);
                let help = format!("each of the {path} has a name and a table of its own: [{path}.NAME]");
                let label = format!("this is {}", entry.node.kind());
                context.report(Problem::error(entry.node.place, message).label(label).help(help));
                None
            };
            if let Some(table) = context.within(&entry.key, read) {
                tables.push((entry.key.clone(), table));
            }
        }
        Some(tables)
    }

    fn write(value: &Self::Value) -> Written {
        let tables = value.iter().map(|(name, table)| (name.clone(), T::write(table))).collect();
        Written::Named(tables)
    }
}
