//! Pieces of the lists, put one after the other.

use super::piece::Piece;
use super::{Neighbours, WallPair};
use crate::parallel::Threads;
use crate::rows_by_id::index32;

impl Neighbours {
    /// Puts what the pieces found one after the other, into the memory of the lists before.
    pub(super) fn join(&mut self, mut pieces: Vec<Piece>, threads: &Threads) {
        if let [piece] = &mut *pieces {
            // The only one, which may be long, is not copied.
            let Piece { pairs, pairs_up_to, wall_pairs, triangles, needed, .. } = core::mem::take(piece);
            self.first_pair.clear();
            self.first_pair.push(0);
            self.first_pair.extend(pairs_up_to);
            self.pairs = pairs;
            self.wall_pairs = wall_pairs;
            self.triangles = triangles;
            self.needed = needed;
            return;
        }
        threads.join(&all(&pieces, |piece| &piece.pairs.spheres), &mut self.pairs.spheres, |_, pair| pair);
        let ends = all_after_zero(&pieces, |piece| &piece.pairs_up_to);
        let before = counts_before(&pieces, |piece| piece.pairs.spheres.len());
        threads.join(&ends, &mut self.first_pair, |list, end| before[list] + end);

        threads.join(&all(&pieces, |piece| &piece.triangles), &mut self.triangles, |_, triangle| triangle);
        let before = counts_before(&pieces, |piece| piece.triangles.len());
        let walls = all(&pieces, |piece| &piece.wall_pairs);
        threads.join(&walls, &mut self.wall_pairs, |list, pair| WallPair {
            triangles: pair.triangles.map(|triangle| before[list + 1] + triangle),
            ..pair
        });

        threads.join(&all(&pieces, |piece| &piece.needed.spheres), &mut self.needed.spheres, |_, k| k);
        let ends = all_after_zero(&pieces, |piece| piece.needed.first.get(1..).unwrap_or_default());
        let before = counts_before(&pieces, |piece| piece.needed.spheres.len());
        threads.join(&ends, &mut self.needed.first, |list, end| before[list] + end);
    }
}

/// A list of each piece.
fn all<T>(pieces: &[Piece], of: fn(&Piece) -> &[T]) -> Vec<&[T]> {
    pieces.iter().map(of).collect()
}

/// The same, after a list of the number zero.
fn all_after_zero(pieces: &[Piece], of: fn(&Piece) -> &[u32]) -> Vec<&[u32]> {
    core::iter::once(&[0][..]).chain(pieces.iter().map(of)).collect()
}

/// How many there are before each piece, after the same for nothing: zero.
fn counts_before(pieces: &[Piece], of: fn(&Piece) -> usize) -> Vec<u32> {
    let mut sum = 0;
    let before = pieces.iter().map(|piece| {
        let before = sum;
        sum += of(piece);
        index32(before)
    });
    core::iter::once(0).chain(before).collect()
}
