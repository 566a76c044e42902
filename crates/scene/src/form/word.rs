//! Text: free, names that the scene gives, and names from the registries of the engine.

use super::{Context, Form, Kind};
use crate::diagnostic::Problem;
use crate::suggest::{listed, nearest};
use crate::tree::{Node, Value};
use crate::written::Written;
use core::marker::PhantomData;
use std::path::PathBuf;

/// Any text.
pub(crate) struct Text;

impl Form for Text {
    type Value = String;

    fn kind() -> Kind {
        Kind::Text { what: "text" }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<String> {
        let text = text(node, context, &Self::kind())?;
        match unseen(text) {
            Some(letter) => context.refuse(node, &format!("text that can be seen, and has {letter}")),
            None => Some(text.to_owned()),
        }
    }

    fn write(value: &String) -> Written {
        Written::Text(value.clone())
    }
}

/// The first character of a name that commands a terminal or turns the order of letters round, as it is written in TOML:
/// names are shown in terminals, pages and other programs.
pub(super) fn unseen(text: &str) -> Option<String> {
    let is_unseen = |letter: &char| {
        let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        letter.is_control() || turns
    };
    text.chars().find(is_unseen).map(|letter| format!("\\u{:04X}", u32::from(letter)))
}

/// The path of a file or folder.
pub(crate) struct FilePath;

impl Form for FilePath {
    type Value = PathBuf;

    fn kind() -> Kind {
        Kind::Text { what: "a path" }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<PathBuf> {
        let path = text(node, context, &Self::kind())?;
        if path.trim().is_empty() || path.contains('\0') {
            return context.refuse(node, "a path, and this is none");
        }
        Some(PathBuf::from(path))
    }

    fn write(value: &PathBuf) -> Written {
        Written::Path(value.clone())
    }
}

/// The name of a material of the scene.
pub(crate) struct MaterialName;

impl Form for MaterialName {
    type Value = String;

    fn kind() -> Kind {
        Kind::Text { what: "the name of a material" }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<String> {
        let names = context.names;
        known_name(node, context, &Self::kind(), "material", "materials", &names.materials)
    }

    fn write(value: &String) -> Written {
        Written::Text(value.clone())
    }
}

/// The name of a template of the scene.
pub(crate) struct TemplateName;

impl Form for TemplateName {
    type Value = String;

    fn kind() -> Kind {
        Kind::Text { what: "the name of a template" }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<String> {
        let names = context.names;
        known_name(node, context, &Self::kind(), "template", "templates", &names.templates)
    }

    fn write(value: &String) -> Written {
        Written::Text(value.clone())
    }
}

/// Something that the engine offers under names.
pub(crate) trait Choose: Copy + PartialEq + 'static {
    /// What it is.
    const WHAT: &'static str;
    /// All there are, each with its name and one line on what it is.
    fn options() -> Vec<(Self, &'static str, &'static str)>;
    /// Why a word that is not among the options cannot be chosen, where there is more to say.
    fn refusal(_word: &str) -> Option<String> {
        None
    }
}

/// One of the options of `C`.
pub(crate) struct Choice<C>(PhantomData<C>);

impl<C: Choose> Form for Choice<C> {
    type Value = C;

    fn kind() -> Kind {
        let options = C::options().into_iter().map(|(_, name, summary)| (name, summary)).collect();
        Kind::Choice { what: C::WHAT, options }
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<C> {
        let word = text(node, context, &Self::kind())?;
        let options = C::options();
        if let Some((choice, ..)) = options.iter().find(|(_, name, _)| *name == word) {
            return Some(*choice);
        }
        let names = || options.iter().map(|(_, name, _)| *name);
        let message = format!("`{}`: there is no {} `{word}`", context.path(), C::WHAT);
        let refusal = C::refusal(word);
        let problem = match refusal {
            Some(why) => {
                Problem::error(node.place, format!("`{}` cannot be `{word}`", context.path())).label(why)
            }
            None => Problem::error(node.place, message)
                .label("unknown")
                .maybe_help(nearest(word, names()).map(|meant| format!("did you mean `{meant}`?"))),
        };
        context.report(problem.help(format!("known: {}", listed(names()))));
        None
    }

    fn write(value: &C) -> Written {
        let name = C::options().into_iter().find(|(option, ..)| option == value).map(|(_, name, _)| name);
        Written::Text(name.unwrap_or_default().to_owned())
    }
}

fn text<'n>(node: &'n Node, context: &mut Context<'_>, kind: &Kind) -> Option<&'n str> {
    match &node.value {
        Value::Text(text) => Some(text),
        _ => context.expected(node, kind),
    }
}

fn known_name(
    node: &Node,
    context: &mut Context<'_>,
    kind: &Kind,
    what: &str,
    table: &str,
    known: &[String],
) -> Option<String> {
    let name = text(node, context, kind)?;
    if known.iter().any(|known| known == name) {
        return Some(name.to_owned());
    }
    let names = || known.iter().map(String::as_str);
    let help = if known.is_empty() {
        format!("the scene has no {table} yet; add a table [{table}.{name}]")
    } else {
        format!("the {table} of this scene: {}", listed(names()))
    };
    context.report(
        Problem::error(node.place, format!("`{}`: there is no {what} `{name}`", context.path()))
            .label("unknown")
            .maybe_help(nearest(name, names()).map(|meant| format!("did you mean `{meant}`?")))
            .help(help),
    );
    None
}
