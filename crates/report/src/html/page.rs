//! The page around the sections: head, what made it, and the summary of verdicts.

use super::section::{self, Context, duration, name};
use super::write::Html;
use super::{Report, Section, links, verdicts};
use crate::Verdict;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The whole file.
pub(super) fn page(report: &Report) -> String {
    let anchors = links::anchors(report.sections.iter().map(name));
    let has_summary = report.sections.iter().any(|section| !section.outcome.findings.is_empty());
    let context =
        Context { sections: &report.sections, anchors: &anchors, against: report.against, has_summary };
    let mut html = Html::default();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // Nothing is ever loaded, whatever a report holds.
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; ");
    html.raw("script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n");
    html.raw("<meta name=\"generator\" content=\"Tumble\">\n<title>")
        .text(&report.title)
        .raw("</title>\n<style>\n");
    html.raw(STYLE).raw("</style>\n</head>\n");
    html.raw(if has_summary { "<body class=\"dossier\">\n" } else { "<body>\n" });
    html.raw("<a class=\"skip\" href=\"#content\">Skip to the content</a>\n");
    push_head(&mut html, report);
    html.raw("<main id=\"content\">\n");
    if has_summary {
        push_summary(&mut html, report, &context);
    } else {
        push_contents(&mut html, &context);
    }
    for number in 0..report.sections.len() {
        section::push(&mut html, number, &context);
    }
    html.raw("</main>\n<script>\n").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
    html.finish()
}

fn push_head(html: &mut Html, report: &Report) {
    html.raw("<header class=\"page-head\"><div><h1>").prose(&report.title).raw("</h1>");
    if !report.subtitle.is_empty() {
        html.raw("<p class=\"subtitle\">").prose(&report.subtitle).raw("</p>");
    }
    html.raw("</div><button type=\"button\" class=\"theme\" hidden>Dark</button>\n");
    if !report.made_by.is_empty() {
        html.raw("<dl class=\"made-by\">");
        for (name, value) in &report.made_by {
            html.raw("<div><dt>").text(name).raw("</dt><dd>").text(value).raw("</dd></div>\n");
        }
        html.raw("</dl>");
    }
    html.raw("</header>\n");
}

/// Links to all sections, where there are no verdicts to sum up.
fn push_contents(html: &mut Html, context: &Context<'_>) {
    if context.sections.len() < 2 {
        return;
    }
    html.raw("<nav class=\"contents\" aria-label=\"Sections\"><ul>");
    for (section, anchor) in context.sections.iter().zip(context.anchors) {
        html.raw("<li><a href=\"#").text(anchor).raw("\">").prose(&section.title).raw("</a></li>\n");
    }
    html.raw("</ul></nav>\n");
}

/// How many verdicts there are of each kind, and all sections with theirs.
fn push_summary(html: &mut Html, report: &Report, context: &Context<'_>) {
    let count = |verdict| report.sections.iter().map(|section| section.outcome.count(verdict)).sum::<usize>();
    let counts = verdicts::ALL.map(|verdict| (verdict, count(verdict)));
    html.raw("<section id=\"summary\" aria-label=\"Summary\">\n<ul class=\"counts\">");
    for (verdict, count) in
        counts.into_iter().filter(|(verdict, count)| *count > 0 || *verdict == Verdict::Differs)
    {
        let (class, sign, word) = verdicts::shown(verdict, report.against);
        // None of these is good news.
        let class = if count == 0 { "reported" } else { class };
        html.raw("<li class=\"").raw(class).raw("\"><b>").text(&count.to_string());
        html.raw("</b> <span aria-hidden=\"true\">").raw(sign).raw("</span> ").raw(word).raw("</li>\n");
    }
    html.raw("</ul>\n<div class=\"proportions\" aria-hidden=\"true\">");
    for (verdict, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        html.raw("<span class=\"")
            .raw(verdicts::shown(verdict, report.against).0)
            .raw("\" style=\"flex-grow:");
        html.text(&count.to_string()).raw("\"></span>");
    }
    html.raw("</div>\n");
    let claims: usize = counts.iter().filter(|(v, _)| *v != Verdict::Reported).map(|(_, count)| count).sum();
    let outside = count(Verdict::Differs);
    html.raw("<p>");
    if outside == 0 {
        html.text(&format!("All {claims} numbers of which something is claimed lie inside their bands."));
    } else {
        html.text(&format!(
            "{outside} of {claims} numbers of which something is claimed lie outside their bands: "
        ));
        push_outside(html, context);
    }
    html.raw("</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All sections\">");
    html.raw("<table class=\"summary\"><thead><tr><th scope=\"col\">entry</th><th scope=\"col\">what</th>");
    html.raw(
        "<th scope=\"col\">verdicts</th><th scope=\"col\" class=\"number seconds\">took</th></tr></thead>\n",
    );
    let mut first = 0;
    for group in report.sections.chunk_by(|a, b| a.group == b.group) {
        push_group(html, group, &context.anchors[first..first + group.len()], context);
        first += group.len();
    }
    html.raw("</table></div></section>\n");
}

fn push_outside(html: &mut Html, context: &Context<'_>) {
    let outside = |section: &Section| section.outcome.count(Verdict::Differs) > 0;
    let mut comma = "";
    for (section, anchor) in
        context.sections.iter().zip(context.anchors).filter(|(section, _)| outside(section))
    {
        html.raw(comma).raw("<a href=\"#").text(anchor).raw("\">").text(name(section)).raw("</a>");
        comma = ", ";
    }
    html.raw(".");
}

fn push_group(html: &mut Html, group: &[Section], anchors: &[String], context: &Context<'_>) {
    html.raw("<tbody>");
    if let Some(title) = group.first().map(|section| &section.group).filter(|title| !title.is_empty()) {
        html.raw("<tr><th scope=\"rowgroup\" colspan=\"4\">").prose(title).raw("</th></tr>\n");
    }
    for (section, anchor) in group.iter().zip(anchors) {
        html.raw("<tr><th scope=\"row\"><a href=\"#")
            .text(anchor)
            .raw("\">")
            .text(name(section))
            .raw("</a></th><td>");
        html.prose(&section.title).raw("</td><td>");
        verdicts::push_counts(html, &section.outcome, context.against);
        html.raw("</td><td class=\"number seconds\">");
        if let Some(seconds) = section.seconds {
            html.text(&duration(seconds));
        }
        html.raw("</td></tr>\n");
    }
    html.raw("</tbody>\n");
}
