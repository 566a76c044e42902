//! Writes HTML so that text of others cannot become markup: what is written as it is must be known when the program is
//! compiled, and everything else is escaped.

use crate::markup::push_escaped;
use crate::number::readable;

/// HTML being written.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup of ours.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, or what stands in the quotes of an attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        push_escaped(&mut self.0, text);
        self
    }

    /// Text with code between backticks.
    pub(super) fn prose(&mut self, text: &str) -> &mut Self {
        let mut pieces = text.split('`').peekable();
        let mut is_code = false;
        while let Some(piece) = pieces.next() {
            // One that is never closed is a backtick.
            let closed = pieces.peek().is_some();
            match (is_code, closed) {
                (true, true) => self.raw("<code>").text(piece).raw("</code>"),
                (true, false) => self.text("`").text(piece),
                (false, _) => self.text(piece),
            };
            is_code = !is_code;
        }
        self
    }

    /// Four digits, with the power of ten raised.
    pub(super) fn number(&mut self, number: f64) -> &mut Self {
        let text = readable(number).replace('-', "−");
        match text.split_once('e') {
            Some((front, power)) => self.text(front).raw("×10<sup>").text(power).raw("</sup>"),
            None => self.text(&text),
        }
    }

    /// A drawing that this crate has made, whose texts are escaped already.
    pub(super) fn drawing(&mut self, svg: &str) -> &mut Self {
        self.0.push_str(svg);
        self
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        write(&mut html);
        html.finish()
    }

    #[test]
    fn backticks_mark_code_if_they_are_closed() {
        assert_eq!(written(|html| _ = html.prose("a `<b>` c")), "a <code>&lt;b&gt;</code> c");
        assert_eq!(written(|html| _ = html.prose("5` of arc")), "5` of arc");
    }

    #[test]
    fn numbers_are_set_as_in_print() {
        assert_eq!(written(|html| _ = html.number(-3.0438e-3)), "−3.044×10<sup>−3</sup>");
        assert_eq!(written(|html| _ = html.number(44.110)), "44.11");
    }
}
