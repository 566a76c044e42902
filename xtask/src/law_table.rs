//! What is known about contact laws, rolling and twisting resistances, from their own declarations.

use tumble_dem::citations::Citation;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind, flops};
use tumble_study::{Cell, Table};

/// Three tables. The operations of a resistance are those it adds to the default law.
pub(crate) fn markdown() -> String {
    let default = ContactModel::default();
    let added = |model: ContactModel| flops(model) - flops(default);

    let mut laws = table("contact law");
    for &law in LawKind::ALL {
        let info = law.info();
        let operations = flops(ContactModel { law, ..default });
        laws.rows.push(row(info.name, info.summary, info.needs, Some(info.citation), operations));
    }
    let mut rolling = table("rolling resistance");
    for &kind in RollingKind::ALL {
        let info = kind.info();
        let operations = added(ContactModel { rolling: kind, ..default });
        rolling.rows.push(row(info.name, info.summary, info.needs, info.citation, operations));
    }
    let mut twisting = table("twisting resistance");
    for &kind in TwistingKind::ALL {
        let info = kind.info();
        let operations = added(ContactModel { twisting: kind, ..default });
        twisting.rows.push(row(info.name, info.summary, info.needs, info.citation, operations));
    }
    [laws, rolling, twisting].map(|table| table.to_markdown()).join("\n")
}

fn table(what: &str) -> Table {
    Table::new(what, &[what, "what it is", "needs", "source", "flops/contact"])
}

fn row(
    name: &str,
    summary: &str,
    needs: &[&str],
    citation: Option<Citation>,
    operations: usize,
) -> Vec<Cell> {
    let needs: Vec<String> = needs.iter().map(|key| format!("`{key}`")).collect();
    vec![
        name.into(),
        summary.into(),
        if needs.is_empty() { Cell::Empty } else { needs.join(", ").into() },
        citation.map_or(Cell::Empty, |citation| citation.short.into()),
        Cell::Count(operations as u64),
    ]
}
