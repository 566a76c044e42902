//! `tumble laws`: contact laws, rolling and twisting resistances, from their own declarations.

use crate::failure::Failure;
use crate::output::{self, Format, heading};
use crate::values::{self, plain, unknown};
use clap::Args;
use std::fmt::Write as _;
use tumble_dem::citations::Citation;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::physics::trace::{WallKernel, flops, masses};
use tumble_dem::property::{Owner, Property};
use tumble_report::{Cell, Table};

const EXAMPLES: &str = "\
Examples:
  tumble laws                                        all of them, and what a touch costs
  tumble laws hertz-mindlin                          what it needs to know, and where it comes from
  tumble laws elastic-plastic                        every model of that name
  tumble laws --format csv > laws.csv";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The law or resistance to tell everything about
    #[arg(value_name = "NAME", value_parser = values::named(name, names), hide_possible_values = true)]
    name: Option<&'static str>,

    /// How the tables are printed; as CSV they are one
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if let Some(wanted) = options.name {
        let models = models().into_iter().filter(|model| model.name == wanted);
        return output::print(&models.map(|model| facts(&model)).collect::<Vec<_>>().join("\n"));
    }
    let text = match options.format {
        Format::Csv => one_table().to_csv(),
        Format::Markdown => tables().map(|table| table.to_markdown()).join("\n"),
        Format::Text => text(),
    };
    output::print(&text)
}

/// What fits into a terminal.
fn text() -> String {
    let without_needs = |part| {
        let mut table = table(part, "");
        table.columns.remove(NEEDS);
        for row in &mut table.rows {
            row.remove(NEEDS);
        }
        output::table(&table, Format::Text)
    };
    let closing = "What one of them needs to know, and where it comes from: tumble laws NAME\n";
    let tables = [PARTS.map(without_needs).join("\n"), output::table(&touches(), Format::Text)];
    tables.join("\n") + "\n" + closing
}

/// The tables of contact laws, rolling and twisting resistances, for Markdown. The operations of a resistance
/// are those that it adds to the default law. The last one has those of what comes before the law.
pub fn tables() -> [Table; 4] {
    let [laws, rolling, twisting] = PARTS.map(|part| table(part, "`"));
    [laws, rolling, twisting, touches()]
}

/// What is computed before the law: where walls are touched, and the masses behind contacts that act together.
fn touches() -> Table {
    let mut table = Table::new("Before the law", &["what is computed", "flops"]);
    let mut row = |what: String, flops: usize| {
        table.rows.push(vec![what.into(), Cell::Count(flops as u64)]);
    };
    for kernel in WallKernel::ALL {
        row(kernel.summary().into(), kernel.record().flops());
    }
    let default = ContactModel::default();
    for contacts in [2, 3, 4] {
        let what =
            format!("the masses behind {contacts} contacts of the same two bodies, {}", default.law.name());
        row(what, masses::flops(default, contacts));
    }
    table
}

/// One of the three parts of a contact model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// What one of its models is called.
    what: &'static str,
    title: &'static str,
    /// Its key in the table `contact` of a scene.
    key: &'static str,
}

const LAW: Part = Part { what: "contact law", title: "Contact laws", key: "law" };
const ROLLING: Part = Part { what: "rolling resistance", title: "Rolling resistance", key: "rolling" };
const TWISTING: Part = Part { what: "twisting resistance", title: "Twisting resistance", key: "twisting" };
const PARTS: [Part; 3] = [LAW, ROLLING, TWISTING];

/// The place of the properties in a row.
const NEEDS: usize = 2;

/// What is known about a law or resistance.
struct Model {
    part: Part,
    name: &'static str,
    summary: &'static str,
    needs: &'static [&'static Property],
    citation: Option<Citation>,
    uses_velocity: bool,
    has_history: bool,
    operations: usize,
}

/// All of them, in the order of the tables.
fn models() -> Vec<Model> {
    let default = ContactModel::default();
    let added = |model: ContactModel| flops(model) - flops(default);
    // The two kinds of declarations have the same fields.
    macro_rules! model {
        ($part:expr, $kind:expr, $citation:expr, $operations:expr) => {{
            let info = $kind.info();
            Model {
                part: $part,
                name: info.name,
                summary: info.summary,
                needs: info.needs,
                citation: $citation,
                uses_velocity: info.uses_velocity,
                has_history: $kind.has_history(),
                operations: $operations,
            }
        }};
    }
    let mut models = Vec::new();
    for &law in LawKind::ALL {
        let operations = flops(ContactModel { law, ..default });
        models.push(model!(LAW, law, Some(law.info().citation), operations));
    }
    for &rolling in RollingKind::ALL {
        let operations = added(ContactModel { rolling, ..default });
        models.push(model!(ROLLING, rolling, rolling.info().citation, operations));
    }
    for &twisting in TwistingKind::ALL {
        let operations = added(ContactModel { twisting, ..default });
        models.push(model!(TWISTING, twisting, twisting.info().citation, operations));
    }
    models
}

fn table(part: Part, quote: &str) -> Table {
    let mut table = Table::new(
        format!("{} (contact.{})", part.title, part.key),
        &[part.what, "what it is", "needs", "source", "flops/contact"],
    );
    table.rows = models().iter().filter(|model| model.part == part).map(|model| row(model, quote)).collect();
    table
}

fn one_table() -> Table {
    let mut table = Table::new("", &["part", "name", "what_it_is", "needs", "source", "flops_per_contact"]);
    for model in models() {
        table.rows.push([Cell::from(model.part.what)].into_iter().chain(row(&model, "")).collect());
    }
    table
}

fn row(model: &Model, quote: &str) -> Vec<Cell> {
    let needs: Vec<String> =
        model.needs.iter().map(|property| format!("{quote}{}{quote}", property.key)).collect();
    vec![
        model.name.into(),
        model.summary.into(),
        if needs.is_empty() { Cell::Empty } else { needs.join(", ").into() },
        model.citation.map_or(Cell::Empty, |citation| citation.short.into()),
        Cell::Count(model.operations as u64),
    ]
}

/// Everything about one model.
fn facts(model: &Model) -> String {
    let mut text = format!("{} ({})\n{}\n\n", heading(model.name), model.part.what, model.summary);
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:24}{value}");
    };
    fact("in a scene", &format!("[contact] {} = \"{}\"", model.part.key, model.name));
    fact("", "of one pair of materials: the same key in its entry of [[pairs]]");
    for (place, property) in model.needs.iter().enumerate() {
        fact(if place == 0 { "needs" } else { "" }, &format!("{:20}{}", property.key, meaning(property)));
    }
    if model.needs.is_empty() {
        fact("needs", "nothing");
    }
    let yes_or_no = |yes: bool| if yes { "yes" } else { "no" };
    fact("depends on velocity", yes_or_no(model.uses_velocity));
    fact("remembers a spring", yes_or_no(model.has_history));
    let beside = if model.part == LAW { "" } else { ", added to those of hertz-mindlin" };
    fact("operations", &format!("{} flops per contact and step{beside}", model.operations));
    if let Some(citation) = model.citation {
        let doi = citation.doi.map_or(String::new(), |doi| format!("\nhttps://doi.org/{doi}"));
        let _ = writeln!(text, "\n{}{doi}", citation.full);
    }
    text
}

/// What a property is, its unit, and what it is where nobody gives it.
fn meaning(property: &Property) -> String {
    let whose = match property.of {
        Owner::Material => "of a material",
        Owner::Pair => "of a pair",
    };
    let summary = plain_text(property.summary);
    let unit = property.unit().map_or(String::new(), |unit| format!(", {unit}"));
    let default = property.default.map_or(String::new(), |default| format!("; {default} if not given"));
    format!("{whose}: {summary}{unit}{default}")
}

/// Without the marks of code.
fn plain_text(text: &str) -> String {
    text.replace('`', "")
}

fn name(text: &str) -> Result<&'static str, String> {
    let wanted = plain(text);
    names().into_iter().find(|name| *name == wanted).ok_or_else(|| {
        let known = names().into_iter();
        unknown("contact law or resistance", text, known)
    })
}

/// Every name once.
fn names() -> Vec<&'static str> {
    let laws = LawKind::ALL.iter().map(|kind| kind.name());
    let rolling = RollingKind::ALL.iter().map(|kind| kind.name());
    let twisting = TwistingKind::ALL.iter().map(|kind| kind.name());
    let mut names: Vec<&str> = Vec::new();
    for name in laws.chain(rolling).chain(twisting) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
