//! Dots in cells: which are set, and by which curve.

/// A grid of cells, each of which has dots.
pub(super) struct Canvas {
    columns: usize,
    /// Dots of a cell, across and up.
    dots: (usize, usize),
    /// From the top left: the curve that was drawn there last, and the dots of all.
    cells: Vec<Option<(usize, u8)>>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize, dots: (usize, usize)) -> Self {
        Self { columns, dots, cells: vec![None; columns * rows] }
    }

    /// The curve and the dots of a cell: bit `2 · row + column`, from the top left.
    pub(super) fn cell(&self, column: usize, row: usize) -> Option<(usize, u8)> {
        *self.cells.get(row * self.columns + column)?
    }

    /// Draws the points of a curve, as fractions of the canvas from the lower left, and the way from each to
    /// the next if `joined`. What lies outside is not drawn.
    pub(super) fn draw(&mut self, curve: usize, points: &[(f64, f64)], joined: bool) {
        let dots: Vec<(i64, i64)> = points.iter().map(|point| self.dot(*point)).collect();
        if let (false, _) | (true, [_]) = (joined, &dots[..]) {
            for &dot in &dots {
                self.set(curve, dot);
            }
            return;
        }
        for pair in dots.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
            for step in 0..=steps {
                let along = |a: i64, b: i64| a + ((b - a) * step * 2 + steps).div_euclid(2 * steps);
                self.set(curve, (along(from.0, to.0), along(from.1, to.1)));
            }
        }
    }

    /// The column of a fraction of the width; nothing outside.
    pub(super) fn column(&self, fraction: f64) -> Option<usize> {
        let across = self.columns * self.dots.0;
        usize::try_from(place(fraction, across)).ok().filter(|dot| *dot < across).map(|dot| dot / self.dots.0)
    }

    /// The row, from the top, of a fraction of the height; nothing outside.
    pub(super) fn row(&self, fraction: f64) -> Option<usize> {
        let down = self.dots_down();
        let dot = usize::try_from(place(fraction, down)).ok().filter(|dot| *dot < down)?;
        Some((down - 1 - dot) / self.dots.1)
    }

    fn dots_down(&self) -> usize {
        self.cells.len() / self.columns * self.dots.1
    }

    /// The dot of a point, across and down.
    fn dot(&self, (x, y): (f64, f64)) -> (i64, i64) {
        let down = self.dots_down();
        (place(x, self.columns * self.dots.0), place(1.0 - y, down))
    }

    fn set(&mut self, curve: usize, (across, down): (i64, i64)) {
        let (Ok(across), Ok(down)) = (usize::try_from(across), usize::try_from(down)) else { return };
        let (column, row) = (across / self.dots.0, down / self.dots.1);
        if column >= self.columns {
            return;
        }
        let bit = 1 << (2 * (down % self.dots.1) + across % self.dots.0);
        if let Some(cell) = self.cells.get_mut(row * self.columns + column) {
            let before = cell.map_or(0, |(_, dots)| dots);
            *cell = Some((curve, before | bit));
        }
    }
}

/// The nearest of so many dots, the first of which is at 0 and the last at 1.
#[expect(clippy::cast_possible_truncation, reason = "clamped: far outside is as good as farther outside")]
fn place(fraction: f64, dots: usize) -> i64 {
    (fraction.clamp(-2.0, 3.0) * dots.saturating_sub(1) as f64).round() as i64
}

/// The Braille letter of a cell of 2 × 4 dots.
pub(super) fn braille(dots: u8) -> char {
    // Unicode numbers the dots of the upper three rows by column, and those of the fourth row last.
    const ORDER: [u32; 8] = [0, 3, 1, 4, 2, 5, 6, 7];
    let code = (0..8).filter(|bit| dots & (1 << bit) != 0).map(|bit| 1 << ORDER[bit]).sum::<u32>();
    char::from_u32(0x2800 + code).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_of_braille() {
        assert_eq!(braille(0b0000_0001), '⠁');
        assert_eq!(braille(0b0000_0010), '⠈');
        assert_eq!(braille(0b0001_0000), '⠄');
        assert_eq!(braille(0b1000_0000), '⢀');
        assert_eq!(braille(0b1111_1111), '⣿');
        // A rising diagonal: lower left to upper right.
        let mut canvas = Canvas::new(2, 1, (2, 4));
        canvas.draw(0, &[(0.0, 0.0), (1.0, 1.0)], true);
        assert_eq!([0, 1].map(|column| braille(canvas.cell(column, 0).unwrap().1)), ['⡠', '⠊']);
    }

    #[test]
    fn outside_is_not_drawn() {
        let mut canvas = Canvas::new(3, 3, (1, 1));
        canvas.draw(0, &[(-9.0, 0.5), (9.0, 0.5)], true);
        canvas.draw(1, &[(0.5, 1e300), (f64::MAX, 0.5)], false);
        let drawn: Vec<bool> = (0..9).map(|i| canvas.cell(i % 3, i / 3).is_some()).collect();
        assert_eq!(drawn, [false, false, false, true, true, true, false, false, false]);
    }
}
