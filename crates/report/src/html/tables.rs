//! Findings and tables as HTML tables.

use super::write::Html;
use super::{Against, verdicts};
use crate::{Cell, Finding, Table, Verdict};

/// Tables with more rows than this are folded.
const LONG: usize = 14;

/// All findings of a section, one row each.
pub(super) fn push_findings(html: &mut Html, findings: &[Finding], against: Against) {
    if findings.is_empty() {
        return;
    }
    let reference = match against {
        Against::Published => "published",
        Against::Exact => "exact",
    };
    html.raw(
        "<h3>Findings</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Findings\">",
    );
    html.raw("<table class=\"findings\"><thead><tr><th scope=\"col\">quantity</th>");
    for column in [reference, "ours", "ratio", "band"] {
        html.raw("<th scope=\"col\" class=\"number\">").raw(column).raw("</th>");
    }
    html.raw("<th scope=\"col\">verdict</th><th scope=\"col\">reason</th></tr></thead>\n<tbody>");
    for finding in findings {
        push_finding(html, finding, against, reference);
    }
    html.raw("</tbody></table></div>\n");
}

fn push_finding(html: &mut Html, finding: &Finding, against: Against, reference: &'static str) {
    let is_out = finding.verdict == Verdict::Differs;
    html.raw(if is_out { "<tr class=\"out\">" } else { "<tr>" });
    html.raw("<th scope=\"row\">").prose(&finding.what).raw("</th>");
    let ratio = finding.published.map(|published| finding.ours / published).filter(|ratio| ratio.is_finite());
    for (label, number) in [(reference, finding.published), ("ours", Some(finding.ours)), ("ratio", ratio)] {
        html.raw("<td class=\"number\" data-label=\"").raw(label).raw("\">");
        if let Some(number) = number {
            html.number(number);
        }
        html.raw("</td>");
    }
    html.raw("<td class=\"number\" data-label=\"band\">").text(&finding.band.to_string());
    let (class, sign, word) = verdicts::shown(finding.verdict, against);
    html.raw("</td><td><span class=\"verdict ").raw(class).raw("\"><span aria-hidden=\"true\">").raw(sign);
    html.raw("</span> ").raw(word).raw("</span></td><td class=\"reason\">");
    html.prose(&finding.reason).raw("</td></tr>\n");
}

/// A table, folded if it is long.
pub(super) fn push_table(html: &mut Html, table: &Table) {
    let is_long = table.rows.len() > LONG;
    if is_long {
        html.raw("<details><summary>").prose(title(table));
        html.raw(" (").text(&table.rows.len().to_string()).raw(" rows)</summary>\n");
    }
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"").text(title(table));
    html.raw("\"><table>");
    if !is_long {
        html.raw("<caption>").prose(title(table)).raw("</caption>");
    }
    html.raw("<thead><tr>");
    let numeric: Vec<bool> = (0..table.columns.len()).map(|column| table.is_numeric(column)).collect();
    let is_numeric = |column: usize| numeric.get(column).copied().unwrap_or(false);
    for (column, name) in table.columns.iter().enumerate() {
        html.raw(if is_numeric(column) {
            "<th scope=\"col\" class=\"number\">"
        } else {
            "<th scope=\"col\">"
        });
        html.text(&name.replace('_', " ")).raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>");
    for row in &table.rows {
        html.raw("<tr>");
        for (column, cell) in row.iter().enumerate() {
            // What a row is about stands first, unless that is a number.
            let is_head = column == 0 && !is_numeric(column);
            html.raw(match (is_head, is_numeric(column)) {
                (true, _) => "<th scope=\"row\">",
                (false, true) => "<td class=\"number\">",
                (false, false) => "<td>",
            });
            push_cell(html, cell);
            html.raw(if is_head { "</th>" } else { "</td>" });
        }
        html.raw("</tr>\n");
    }
    html.raw("</tbody></table></div>\n");
    if is_long {
        html.raw("</details>\n");
    }
}

fn title(table: &Table) -> &str {
    if table.title.is_empty() { "Table" } else { &table.title }
}

fn push_cell(html: &mut Html, cell: &Cell) {
    match cell {
        Cell::Text(text) => html.prose(text),
        Cell::Number(number) => html.number(*number),
        Cell::Count(count) => html.text(&count.to_string()),
        Cell::Empty => html.raw("–"),
    };
}
