//! One section of a report: what came out first, then how, then where to go.

use super::write::Html;
use super::{Against, Section, links, tables, verdicts};
use crate::{Figure, Mark, Panel};

/// More entries than this stand in columns.
const MANY: usize = 7;

/// What a section has to know of the others.
pub(super) struct Context<'a> {
    pub(super) sections: &'a [Section],
    /// Addresses in the page, one for each section.
    pub(super) anchors: &'a [String],
    pub(super) against: Against,
    /// Whether sections are entries of a summary, to be gone through; else they are parts of one thing.
    pub(super) has_summary: bool,
}

/// Writes the section of this number.
pub(super) fn push(html: &mut Html, number: usize, context: &Context<'_>) {
    let (section, anchor) = (&context.sections[number], &context.anchors[number]);
    html.raw("<section class=\"entry\" id=\"").text(anchor).raw("\" aria-labelledby=\"").text(anchor);
    html.raw("-title\">\n");
    push_head(html, section, anchor, context.against);
    if !section.shortened.is_empty() {
        html.raw("<aside class=\"shortened\"><p>This run was shortened:</p><ul>");
        for sentence in &section.shortened {
            html.raw("<li>").prose(sentence).raw("</li>");
        }
        html.raw("</ul></aside>\n");
    }
    if let Some(snapshot) = &section.snapshot {
        let (drawing, remark) = snapshot.piece(&format!("b{number}-"));
        html.raw("<figure class=\"picture\">").drawing(&drawing).raw("<figcaption>").prose(&snapshot.caption);
        if let Some(remark) = remark {
            html.raw(" ").text(&remark);
        }
        html.raw("</figcaption></figure>\n");
    }
    push_pictures(html, section);
    for (place, (_, figure)) in section.outcome.figures.iter().enumerate() {
        push_figure(html, figure, &format!("f{number}-{place}-"));
    }
    tables::push_findings(html, &section.outcome.findings, context.against);
    for (_, table) in &section.outcome.tables {
        tables::push_table(html, table);
    }
    push_setup(html, section);
    push_notes(html, section);
    push_links(html, section, context);
    if context.has_summary {
        push_neighbours(html, number, context);
    }
    html.raw("</section>\n");
}

fn push_head(html: &mut Html, section: &Section, anchor: &str, against: Against) {
    html.raw("<header><p class=\"id\">");
    if !section.id.is_empty() {
        html.raw("<a href=\"#").text(anchor).raw("\">").text(&section.id).raw("</a> ");
    }
    verdicts::push_counts(html, &section.outcome, against);
    html.raw("</p><h2 id=\"").text(anchor).raw("-title\">").prose(&section.title).raw("</h2>");
    if !section.sources.is_empty() {
        html.raw("<ul class=\"sources\">");
        for source in &section.sources {
            html.raw("<li>").text(&source.text);
            if let Some((doi, address)) = source.doi.as_ref().and_then(|doi| Some((doi, links::doi(doi)?))) {
                html.raw(" <a href=\"").text(&address).raw("\">doi:").text(doi).raw("</a>");
            }
            html.raw("</li>");
        }
        html.raw("</ul>");
    }
    html.raw("</header>\n");
}

fn push_pictures(html: &mut Html, section: &Section) {
    if section.pictures.is_empty() {
        return;
    }
    html.raw("<div class=\"pictures\">");
    for picture in &section.pictures {
        let size = |points: usize| (points / picture.density.max(1)).to_string();
        html.raw("<figure><img width=\"")
            .text(&size(picture.width))
            .raw("\" height=\"")
            .text(&size(picture.height()));
        html.raw("\" alt=\"")
            .text(&picture.caption)
            .raw("\" src=\"")
            .text(&picture.address())
            .raw("\"><figcaption>");
        html.prose(&picture.caption).raw("</figcaption></figure>\n");
    }
    html.raw("</div>\n");
}

fn push_figure(html: &mut Html, figure: &Figure, prefix: &str) {
    let pieces = figure.pieces(prefix);
    html.raw("<figure class=\"chart\"><div class=\"panels\">\n");
    for panel in &pieces.panels {
        html.drawing(panel);
    }
    html.raw("</div>");
    // Alone in its panel a curve is what title and axis say.
    let is_told =
        |panel: &Panel| panel.series.iter().filter(|series| series.mark != Mark::Guide).count() <= 1;
    if !figure.panels.iter().all(is_told) {
        let many = pieces.legend.len() > MANY;
        html.raw(if many { "<ul class=\"legend many\">" } else { "<ul class=\"legend\">" });
        for (key, label, sample) in &pieces.legend {
            html.raw("<li><button type=\"button\" aria-pressed=\"false\" data-key=\"").text(&key.to_string());
            html.raw("\">").drawing(sample).text(label).raw("</button></li>\n");
        }
        if pieces.open_points {
            html.raw("<li><span>open points: published</span></li>");
        }
        html.raw("</ul>");
    }
    if !figure.title.is_empty() {
        html.raw("<figcaption>").prose(&figure.title).raw("</figcaption>");
    }
    html.raw("</figure>\n");
}

fn push_setup(html: &mut Html, section: &Section) {
    let is_there = !(section.setup.is_empty() && section.facts.is_empty() && section.command.is_empty());
    let is_all = section.outcome.findings.is_empty() && section.outcome.tables.is_empty();
    if is_there && !is_all {
        html.raw("<h3>Set-up</h3>\n");
    }
    for paragraph in &section.setup {
        html.raw("<p>").prose(paragraph).raw("</p>\n");
    }
    if !section.facts.is_empty() {
        html.raw("<dl class=\"facts\">");
        for (name, value) in &section.facts {
            html.raw("<dt>").prose(name).raw("</dt><dd>").prose(value).raw("</dd>\n");
        }
        html.raw("</dl>\n");
    }
    if !section.command.is_empty() {
        html.raw("<div class=\"command\"><pre><code>").text(&section.command).raw("</code></pre>");
        html.raw("<button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n");
    }
    if let Some(scene) = &section.scene {
        html.raw("<details><summary>The scene as it was run</summary><pre><code>").text(scene);
        html.raw("</code></pre></details>\n");
    }
}

fn push_notes(html: &mut Html, section: &Section) {
    if section.notes.is_empty() {
        return;
    }
    html.raw("<aside class=\"notes\" aria-label=\"Notes\">");
    for note in &section.notes {
        html.raw("<p>").prose(note).raw("</p>\n");
    }
    html.raw("</aside>\n");
}

fn push_links(html: &mut Html, section: &Section, context: &Context<'_>) {
    if section.data.is_empty() && section.see.is_empty() && section.seconds.is_none() {
        return;
    }
    html.raw("<dl class=\"links\">");
    if !section.data.is_empty() {
        html.raw("<dt>Data</dt><dd>");
        for path in &section.data {
            match links::beside(path) {
                Some(address) => {
                    html.raw("<a href=\"").text(&address).raw("\">").text(path).raw("</a> ");
                }
                None => {
                    html.text(path).raw(" ");
                }
            }
        }
        html.raw("</dd>");
    }
    if !section.see.is_empty() {
        html.raw("<dt>See also</dt><dd>");
        for id in &section.see {
            let found = context.sections.iter().position(|section| section.id == *id);
            match found {
                Some(place) => {
                    html.raw("<a href=\"#").text(&context.anchors[place]).raw("\">").text(id).raw("</a> ");
                }
                None => {
                    html.raw("<span class=\"none\">").text(id).raw("</span> ");
                }
            }
        }
        html.raw("</dd>");
    }
    if let Some(seconds) = section.seconds {
        html.raw("<dt>Took</dt><dd>").text(&duration(seconds)).raw("</dd>");
    }
    html.raw("</dl>\n");
}

fn push_neighbours(html: &mut Html, number: usize, context: &Context<'_>) {
    if context.sections.len() < 2 {
        return;
    }
    html.raw(
        "<nav class=\"neighbours\" aria-label=\"Neighbouring sections\"><a href=\"#content\">↑ all</a> ",
    );
    let neighbours = [(number.checked_sub(1), "← "), (Some(number + 1), "→ ")];
    for (place, arrow) in neighbours {
        let found = place.and_then(|place| context.sections.get(place).zip(context.anchors.get(place)));
        if let Some((section, anchor)) = found {
            html.raw("<a href=\"#").text(anchor).raw("\">").raw(arrow).text(name(section)).raw("</a> ");
        }
    }
    html.raw("</nav>\n");
}

/// What a section is called in links.
pub(super) fn name(section: &Section) -> &str {
    if section.id.is_empty() { &section.title } else { &section.id }
}

/// Seconds, minutes or hours, to two or three digits.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.01 => "< 0.01 s".to_owned(),
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
