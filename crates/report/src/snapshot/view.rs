//! From the lab to the picture: a parallel projection, scaled to fit.

use super::edges::{dot, edges};
use super::stone::Seen;
use super::{Ball, Oval, Rod, Snapshot, Stone, Up};

/// To the right, for z upwards: at 37° to the x-axis, by the triangle 3-4-5.
const RIGHT: [f64; 3] = [0.8, 0.6, 0.0];
/// Upwards on the picture, and away from the eye: 23° from above, by the triangle 5-12-13.
const UP: [f64; 3] = [-0.6 * 5.0 / 13.0, 0.8 * 5.0 / 13.0, 12.0 / 13.0];
const AWAY: [f64; 3] = [-0.6 * 12.0 / 13.0, 0.8 * 12.0 / 13.0, -5.0 / 13.0];

/// The largest picture, px.
const MOST: (f64, f64) = (720.0, 540.0);
const MARGIN: f64 = 12.0;

/// A part of a rod is at most so many of its radii long.
const PART: f64 = 4.0;
/// A rod has at most so many.
const MOST_PARTS: f64 = 100.0;

/// Where things appear.
pub(super) struct View {
    /// To the right, upwards, and away from the eye.
    axes: [[f64; 3]; 3],
    scale: f64,
    /// Where the lower left of everything is on the picture's own axes, m.
    low: [f64; 2],
    /// px
    pub(super) size: (f64, f64),
    /// The mean of the nearest and the farthest depth of all balls, m.
    middle: f64,
    /// Edges of walls, m.
    pub(super) edges: Vec<[[f64; 3]; 2]>,
}

/// A ball on the picture, or a part of a rod: what a disc covers on its way from one end to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// The middle, px from the left and from the top.
    pub(super) x: f64,
    pub(super) y: f64,
    /// From the middle to one end: to the right, down, and away from the eye, px.
    pub(super) half: [f64; 3],
    /// px
    pub(super) radius: f64,
    /// Away from the eye, px.
    pub(super) depth: f64,
    pub(super) group: usize,
    pub(super) body: usize,
    /// Of an ellipsoid.
    pub(super) oval: Option<Outline>,
    /// Of a polyhedron: which of those that can be drawn.
    pub(super) stone: Option<usize>,
}

/// What an ellipsoid looks like. Its outline is an ellipse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    /// The symmetric matrix xx, xy, yy that makes it of the disc of radius one, px.
    pub(super) stretch: [f64; 3],
    /// That by which a point is on it if twice its product with the point is one, 1/px².
    pub(super) inverse: [f64; 3],
    /// How fast the middle of what is above and below a point goes away from the eye, to the right and down.
    pub(super) tilt: [f64; 2],
    /// Half of what is above and below the centre, px.
    pub(super) half_depth: f64,
}

impl View {
    /// The view that shows all balls and walls; none if there is nothing to see.
    pub(super) fn of(snapshot: &Snapshot) -> Option<Self> {
        let axes = [RIGHT, UP, AWAY].map(|axis| turned(axis, snapshot.up));
        let walls = snapshot.walls.iter().flat_map(|wall| edges(wall, axes[2]));
        let edges: Vec<[[f64; 3]; 2]> = walls.filter(|edge| edge.iter().all(is_finite)).collect();
        let of_rod = |rod: &Rod| rod.ends.map(|centre| Ball { centre, ..ball_of(rod) });
        let ends = snapshot.rods.iter().flat_map(of_rod);
        let ovals = snapshot.ovals.iter().map(ball_around);
        let corners = snapshot.stones.iter().filter(|stone| stone.is_drawable()).flat_map(corner_balls);
        let balls = snapshot.balls.iter().copied().chain(ends).chain(ovals).chain(corners);
        let balls: Vec<Ball> = balls.filter(is_drawable).collect();
        let points = edges.iter().flatten().map(|&point| (point, 0.0));
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (point, radius) in balls.iter().map(|ball| (ball.centre, ball.radius)).chain(points) {
            for axis in 0..2 {
                let at = dot(point, axes[axis]);
                low[axis] = low[axis].min(at - radius);
                high[axis] = high[axis].max(at + radius);
            }
        }
        let (mut near, mut far) = (f64::INFINITY, f64::NEG_INFINITY);
        for depth in balls.iter().map(|ball| dot(ball.centre, axes[2])) {
            (near, far) = (near.min(depth), far.max(depth));
        }
        let extent = [high[0] - low[0], high[1] - low[1]];
        let room = (MOST.0 - 2.0 * MARGIN, MOST.1 - 2.0 * MARGIN);
        let scale = (room.0 / extent[0]).min(room.1 / extent[1]);
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        let size = (extent[0] * scale + 2.0 * MARGIN, extent[1] * scale + 2.0 * MARGIN);
        Some(Self { axes, scale, low, size, middle: 0.5 * (near + far), edges })
    }

    /// A point on the picture, px.
    pub(super) fn point(&self, point: [f64; 3]) -> (f64, f64) {
        let (x, y) = (dot(point, self.axes[0]) - self.low[0], dot(point, self.axes[1]) - self.low[1]);
        (MARGIN + self.scale * x, self.size.1 - MARGIN - self.scale * y)
    }

    /// Whether a point lies nearer to the eye than the middle of the balls.
    pub(super) fn is_near(&self, point: [f64; 3]) -> bool {
        dot(point, self.axes[2]) < self.middle
    }

    /// A vector to the right, down, and away from the eye, as long as it is.
    pub(super) fn turned(&self, vector: [f64; 3]) -> [f64; 3] {
        let [right, up, away] = self.axes.map(|axis| dot(vector, axis));
        [right, -up, away]
    }

    /// A length on the picture, px.
    pub(super) fn length(&self, length: f64) -> f64 {
        self.scale * length
    }

    /// The polyhedra that can be drawn.
    pub(super) fn stones(&self, snapshot: &Snapshot) -> Vec<Seen> {
        snapshot.stones.iter().filter(|stone| stone.is_drawable()).map(|stone| stone.seen(self)).collect()
    }

    /// All balls, rods, ellipsoids and polyhedra that can be drawn.
    pub(super) fn discs(&self, snapshot: &Snapshot) -> Vec<Disc> {
        let balls = snapshot.balls.iter().filter(|ball| is_drawable(ball)).map(|ball| self.disc(ball));
        let rods = snapshot.rods.iter().filter(|rod| {
            rod.ends.iter().all(|centre| is_drawable(&Ball { centre: *centre, ..ball_of(rod) }))
        });
        let ovals = snapshot.ovals.iter().filter(|oval| is_drawable(&ball_around(oval)));
        let ovals = ovals.map(|oval| self.oval(oval));
        let stones = snapshot.stones.iter().filter(|stone| stone.is_drawable()).enumerate();
        let stones = stones.map(|(number, stone)| {
            let (centre, radius) = stone.ball();
            let ball = Ball { centre, radius, group: stone.group, body: stone.body };
            Disc { stone: Some(number), ..self.disc(&ball) }
        });
        balls.chain(rods.flat_map(|rod| self.parts(rod))).chain(ovals).chain(stones).collect()
    }

    /// With v the semi-axes on the picture and w along the line of sight, the outline is that of Σvvᵀ.
    fn oval(&self, oval: &Oval) -> Disc {
        let seen = oval.semi_axes.map(|axis| {
            let [right, up, away] = self.axes.map(|own| self.scale * dot(axis, own));
            [right, -up, away]
        });
        let sum = |a: usize, b: usize| seen.iter().map(|axis| axis[a] * axis[b]).sum::<f64>();
        let (xx, xy, yy) = (sum(0, 0), sum(0, 1), sum(1, 1));
        let determinant = xx * yy - xy * xy;
        let root = determinant.sqrt();
        // The square root of a symmetric matrix of two rows.
        let per = 1.0 / (xx + yy + 2.0 * root).sqrt();
        let inverse = [yy, -xy, xx].map(|entry| entry / determinant);
        let (xz, yz) = (sum(0, 2), sum(1, 2));
        let tilt = [inverse[0] * xz + inverse[1] * yz, inverse[1] * xz + inverse[2] * yz];
        let left = sum(2, 2) - tilt[0] * xz - tilt[1] * yz;
        let outline = Outline {
            stretch: [(xx + root) * per, xy * per, (yy + root) * per],
            inverse,
            tilt,
            half_depth: left.max(0.0).sqrt(),
        };
        Disc { oval: Some(outline), ..self.disc(&ball_around(oval)) }
    }

    fn disc(&self, ball: &Ball) -> Disc {
        let (x, y) = self.point(ball.centre);
        let (radius, depth) = (self.scale * ball.radius, self.scale * dot(ball.centre, self.axes[2]));
        Disc {
            x,
            y,
            half: [0.0; 3],
            radius,
            depth,
            group: ball.group,
            body: ball.body,
            oval: None,
            stone: None,
        }
    }

    /// A rod in parts so short that each is as a whole before or behind what it crosses.
    fn parts(&self, rod: &Rod) -> impl Iterator<Item = Disc> {
        let [first, second] = rod.ends.map(|centre| self.disc(&Ball { centre, ..ball_of(rod) }));
        let between = [second.x - first.x, second.y - first.y, second.depth - first.depth];
        let parts = (dot(between, between).sqrt() / (PART * first.radius)).ceil().clamp(1.0, MOST_PARTS);
        let numbers = core::iter::successors(Some(0.5), |number: &f64| Some(number + 1.0));
        numbers.take_while(move |number| *number < parts).map(move |number| {
            let [x, y, depth] = between.map(|whole| whole * (number / parts));
            let (x, y, depth) = (first.x + x, first.y + y, first.depth + depth);
            Disc { x, y, depth, half: between.map(|whole| whole * (0.5 / parts)), ..first }
        })
    }
}

/// A direction of the picture with another axis upwards.
fn turned([x, y, z]: [f64; 3], up: Up) -> [f64; 3] {
    match up {
        Up::X => [z, x, y],
        Up::Y => [y, z, x],
        Up::Z => [x, y, z],
    }
}

/// What a rod has in common with a ball, which is somewhere.
fn ball_of(rod: &Rod) -> Ball {
    Ball { centre: [0.0; 3], radius: rod.radius, group: rod.group, body: rod.body }
}

/// The balls at the corners of a polyhedron.
fn corner_balls(stone: &Stone) -> impl Iterator<Item = Ball> {
    let &Stone { rounding: radius, group, body, .. } = stone;
    stone.corners.iter().map(move |&centre| Ball { centre, radius, group, body })
}

/// The ball that holds an ellipsoid.
fn ball_around(oval: &Oval) -> Ball {
    let longest = oval.semi_axes.iter().map(|&axis| dot(axis, axis)).fold(0.0, f64::max).sqrt();
    // With NaN in any of them it cannot be drawn.
    let sum: f64 = oval.semi_axes.iter().flatten().sum();
    Ball { centre: oval.centre, radius: longest + 0.0 * sum, group: oval.group, body: oval.body }
}

fn is_drawable(ball: &Ball) -> bool {
    is_finite(&ball.centre) && ball.radius.is_finite() && ball.radius > 0.0
}

fn is_finite(point: &[f64; 3]) -> bool {
    point.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_of_the_picture_are_at_right_angles() {
        for (a, b, product) in [
            (RIGHT, RIGHT, 1.0),
            (UP, UP, 1.0),
            (AWAY, AWAY, 1.0),
            (RIGHT, UP, 0.0),
            (RIGHT, AWAY, 0.0),
            (UP, AWAY, 0.0),
        ] {
            assert!((dot(a, b) - product).abs() < 1e-15);
        }
    }

    /// Equal semi-axes, however they are turned, look like a ball; and along the axes of the picture an ellipsoid is as wide as its semi-axes.
    #[test]
    fn an_ellipsoid_has_the_outline_of_its_semi_axes() {
        let oval = |semi_axes| Oval { centre: [0.0; 3], semi_axes, group: 0, body: 0 };
        let seen = |semi_axes: [[f64; 3]; 3]| {
            let corner = Ball { centre: [3.0; 3], radius: 1.0, group: 0, body: 1 };
            let snapshot =
                Snapshot { balls: vec![corner], ovals: vec![oval(semi_axes)], ..Snapshot::default() };
            let view = View::of(&snapshot).unwrap();
            (view.scale, view.discs(&snapshot)[1].oval.unwrap())
        };
        let (scale, ball) = seen([RIGHT, UP, AWAY]);
        let (_, turned) = seen([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [-0.8, 0.0, 0.6]]);
        for outline in [ball, turned] {
            let off = [outline.stretch[0] - scale, outline.stretch[1], outline.stretch[2] - scale];
            assert!(off.iter().chain(&outline.tilt).all(|off| off.abs() < 1e-10 * scale), "{outline:?}");
            assert!((outline.half_depth / scale - 1.0).abs() < 1e-12);
        }
        let long = [RIGHT.map(|x| 0.5 * x), UP.map(|x| 0.25 * x), AWAY.map(|x| 0.75 * x)];
        let (scale, long) = seen(long);
        let found = [long.stretch[0], long.stretch[2], long.half_depth].map(|length| length / scale);
        let off = [found[0] - 0.5, found[1] - 0.25, found[2] - 0.75];
        assert!(off.iter().all(|off| off.abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn any_axis_can_point_upwards() {
        for (up, axis) in [(Up::X, 0), (Up::Y, 1), (Up::Z, 2)] {
            let upwards = turned(UP, up);
            assert!((0..3).all(|other| other == axis || upwards[other] < upwards[axis]), "{up:?}");
            assert!(turned(AWAY, up)[axis] < 0.0, "seen from above");
        }
    }
}
