//! How much of a box of bodies lies at borders, when ranks share it by recursive bisection.
//!
//! A rank is told of all bodies within some reach of its own box. With bodies everywhere alike, those are as many as fit what the box
//! gains when every side of it with a neighbour is moved out by the reach: corners and edges are counted, and a body that several ranks
//! are told of is counted for each of them. Sides are cut as `Cuts` of the engine cuts them, the longest first.

/// The boxes of all ranks.
pub(super) struct Borders {
    boxes: Vec<Share>,
    volume: f64,
}

/// The box of a rank: how long its sides are, and how many of the two faces across each have a neighbour.
#[derive(Clone, Copy)]
struct Share {
    sides: [f64; 3],
    faces: [[bool; 2]; 3],
}

impl Share {
    fn volume(&self, reach: f64) -> f64 {
        let side = |axis: usize| {
            let faces = self.faces[axis].iter().filter(|face| **face).count();
            self.sides[axis] + reach * faces as f64
        };
        side(0) * side(1) * side(2)
    }

    fn divide(self, ranks: usize, boxes: &mut Vec<Self>) {
        if ranks < 2 {
            boxes.push(self);
            return;
        }
        let longest = |a: &usize, b: &usize| self.sides[*a].total_cmp(&self.sides[*b]);
        let axis = (0..3).max_by(longest).unwrap_or(0);
        let lower = ranks / 2;
        let part = |number: usize, face: usize| {
            let mut part = self;
            part.sides[axis] *= number as f64 / ranks as f64;
            part.faces[axis][face] = true;
            part
        };
        part(lower, 1).divide(lower, boxes);
        part(ranks - lower, 0).divide(ranks - lower, boxes);
    }
}

impl Borders {
    /// Of a box with such sides, some of which may repeat themselves, for so many ranks.
    pub(super) fn new(sides: [(f64, bool); 3], ranks: usize) -> Self {
        let whole = Share { sides: sides.map(|(length, _)| length), faces: [[false; 2]; 3] };
        let mut boxes = Vec::with_capacity(ranks);
        whole.divide(ranks, &mut boxes);
        for share in &mut boxes {
            for (axis, (length, repeats)) in sides.into_iter().enumerate() {
                // What is beyond the end is at the other one; that is another rank's, unless this one has the whole length.
                if repeats && share.sides[axis] < length {
                    share.faces[axis] = [true; 2];
                }
            }
        }
        Self { boxes, volume: whole.volume(0.0) }
    }

    /// Of a cube of such a volume.
    pub(super) fn of_cube(volume: f64, ranks: usize) -> Self {
        Self::new([(tumble_rotation::math::elementary::cbrt(volume), false); 3], ranks)
    }

    /// How many ghosts there are for each body, where each rank looks so far.
    pub(super) fn ghosts_per_body(&self, reach: f64) -> f64 {
        self.boxes.iter().map(|share| share.volume(reach) - share.volume(0.0)).sum::<f64>() / self.volume
    }

    /// How far ranks look that have so many ghosts for each body; none without borders.
    pub(super) fn reach(&self, ghosts_per_body: f64) -> Option<f64> {
        if self.ghosts_per_body(1.0) <= 0.0 {
            return None;
        }
        let mut high = tumble_rotation::math::elementary::cbrt(self.volume);
        while self.ghosts_per_body(high) < ghosts_per_body {
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.ghosts_per_body(middle) < ghosts_per_body { low = middle } else { high = middle }
        }
        Some(high)
    }

    /// The area of all borders for each volume, m⁻¹.
    pub(super) fn area(&self) -> f64 {
        let of = |share: &Share| {
            let across = |axis: usize| {
                let faces = share.faces[axis].iter().filter(|face| **face).count();
                faces as f64 * share.volume(0.0) / share.sides[axis]
            };
            // Each is a face of two boxes.
            0.5 * (across(0) + across(1) + across(2))
        };
        self.boxes.iter().map(of).sum::<f64>() / self.volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_in_eight_has_the_borders_of_a_cube_in_eight() {
        // A cube of 10 in cubes of 5 with three neighbours' faces each: (5.5/5)³ − 1 with a reach of 0.5, three cuts of 10 × 10.
        let cube = [(10.0, false); 3];
        let open = Borders::new(cube, 8);
        assert!((open.ghosts_per_body(0.5) - 0.331).abs() < 1e-12);
        assert!((open.area() - 0.3).abs() < 1e-12);
        assert!((open.reach(0.331).unwrap() - 0.5).abs() < 1e-9);
        // Where it repeats itself, all six faces have neighbours: (6/5)³ − 1, and twice the area.
        let repeated = Borders::new(cube.map(|(length, _)| (length, true)), 8);
        assert!((repeated.ghosts_per_body(0.5) - 0.728).abs() < 1e-12);
        assert!((repeated.area() - 0.6).abs() < 1e-12);
        // One rank has none, also where it meets itself.
        assert!(Borders::new([(2.0, true); 3], 1).reach(0.0).is_none());
    }

    #[test]
    fn three_ranks_share_a_rod_in_thirds() {
        let rod = Borders::new([(9.0, false), (1.0, false), (1.0, false)], 3);
        // Four faces of area 1, each with what is within the reach behind it.
        assert!((rod.ghosts_per_body(0.25) - 4.0 * 0.25 / 9.0).abs() < 1e-12);
        assert!((rod.area() - 2.0 / 9.0).abs() < 1e-12);
    }
}
