//! Pictures of a mesh and of the spheres that stand for it: the same parallel projection, errors as colours.
//!
//! Every point of a picture shows the nearest thing behind it: triangles and spheres are drawn one after the other, and the nearest stays.

use tumble_dem::clump::ClumpSphere;
use tumble_report::Picture;
use tumble_shape::{Point, Solid};

/// To the right, upwards, and towards the eye: the view of the pictures of runs.
const AXES: [Point; 3] = [
    Point::new(0.8, 0.6, 0.0),
    Point::new(-0.6 * 5.0 / 13.0, 0.8 * 5.0 / 13.0, 12.0 / 13.0),
    Point::new(0.6 * 12.0 / 13.0, -0.8 * 12.0 / 13.0, 5.0 / 13.0),
];
/// Points from side to side, at two to a pixel of the page.
const WIDTH: usize = 720;
const DENSITY: usize = 2;
/// Shades from dark to light, and colours from one sign of the error to the other; with white, they fit into a palette.
const SHADES: usize = 15;
const COLOURS: usize = 17;

struct Canvas {
    /// Where the middle of the picture is, and points per metre.
    middle: Point,
    scale: f64,
    height: usize,
    /// Towards the eye, m.
    nearest: Vec<f64>,
    at: Vec<Point>,
    normal: Vec<Point>,
}

/// The mesh, each point coloured by how far it is from the union, and the union, by how far it is from the mesh; errors up to `error` (m).
pub(super) fn pictures(solid: &Solid, spheres: &[ClumpSphere], error: f64) -> Vec<Picture> {
    let mut mesh = Canvas::new(solid, spheres);
    for triangle in 0..solid.triangles().len() {
        mesh.triangle(solid.corners(triangle), solid.normal(triangle));
    }
    let mut union = Canvas::new(solid, spheres);
    for sphere in spheres {
        union.sphere(sphere);
    }
    // Positive where the spheres stick out, on both.
    let covered = |point: Point| {
        let away = spheres.iter().map(|s| (point - s.centre).norm() - s.radius).fold(f64::INFINITY, f64::min);
        -away
    };
    let sticking_out = |point: Point| -solid.depth(point);
    vec![mesh.finish("The mesh.", error, covered), union.finish("The spheres.", error, sticking_out)]
}

impl Canvas {
    fn new(solid: &Solid, spheres: &[ClumpSphere]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let balls = spheres.iter().map(|s| (s.centre, s.radius));
        for (point, radius) in solid.points().iter().map(|&point| (point, 0.0)).chain(balls) {
            for axis in 0..2 {
                let at = point.dot(AXES[axis]);
                low[axis] = low[axis].min(at - radius);
                high[axis] = high[axis].max(at + radius);
            }
        }
        let scale = 0.94 * WIDTH as f64 / (high[0] - low[0]).max(high[1] - low[1]);
        let middle = AXES[0] * (0.5 * (low[0] + high[0])) + AXES[1] * (0.5 * (low[1] + high[1]));
        let rows = (scale * (high[1] - low[1]) / 0.94).max(8.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the width")]
        let height = rows as usize;
        let points = WIDTH * height;
        Self {
            middle,
            scale,
            height,
            nearest: vec![f64::NEG_INFINITY; points],
            at: vec![Point::zero(); points],
            normal: vec![Point::zero(); points],
        }
    }

    /// Where a point is on the picture, counted from the upper left.
    fn place(&self, point: Point) -> (f64, f64) {
        let offset = point - self.middle;
        let (x, y) = (offset.dot(AXES[0]) * self.scale, offset.dot(AXES[1]) * self.scale);
        (0.5 * WIDTH as f64 + x, 0.5 * self.height as f64 - y)
    }

    /// The point of the plane through the middle of the picture that is shown at a place.
    fn unplace(&self, column: usize, row: usize) -> Point {
        let (x, y) = (column as f64 + 0.5 - 0.5 * WIDTH as f64, 0.5 * self.height as f64 - row as f64 - 0.5);
        self.middle + AXES[0] * (x / self.scale) + AXES[1] * (y / self.scale)
    }

    /// Columns and rows within these bounds.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the picture")]
    fn within(&self, low: (f64, f64), high: (f64, f64)) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let clamp = |x: f64, most: usize| x.clamp(0.0, most as f64) as usize;
        (
            clamp(low.0.floor(), WIDTH)..clamp(high.0.ceil() + 1.0, WIDTH),
            clamp(low.1.floor(), self.height)..clamp(high.1.ceil() + 1.0, self.height),
        )
    }

    fn show(&mut self, place: usize, at: Point, normal: Point) {
        let near = at.dot(AXES[2]);
        if near > self.nearest[place] {
            (self.nearest[place], self.at[place], self.normal[place]) = (near, at, normal);
        }
    }

    fn triangle(&mut self, corners: [Point; 3], normal: Point) {
        let facing = normal.dot(AXES[2]);
        if facing <= 0.0 {
            return;
        }
        let places = corners.map(|corner| self.place(corner));
        let fold = |pick: fn(f64, f64) -> f64| {
            let all = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).reduce(pick).unwrap_or(0.0);
            (all(|p| p.0), all(|p| p.1))
        };
        let (columns, rows) = self.within(fold(f64::min), fold(f64::max));
        for row in rows {
            for column in columns.clone() {
                let flat = self.unplace(column, row);
                // Along the line of sight to the plane of the triangle.
                let at = flat + AXES[2] * ((corners[0] - flat).dot(normal) / facing);
                let inside = (0..3).all(|k| {
                    let (from, to) = (corners[k], corners[(k + 1) % 3]);
                    (to - from).cross(at - from).dot(normal) >= -1e-9 * (to - from).norm_squared()
                });
                if inside {
                    self.show(row * WIDTH + column, at, normal);
                }
            }
        }
    }

    fn sphere(&mut self, sphere: &ClumpSphere) {
        let (x, y) = self.place(sphere.centre);
        let reach = self.scale * sphere.radius;
        let (columns, rows) = self.within((x - reach, y - reach), (x + reach, y + reach));
        for row in rows {
            for column in columns.clone() {
                let flat = self.unplace(column, row);
                let offset = flat - sphere.centre;
                let along = AXES[2].dot(offset);
                let across = offset - AXES[2] * along;
                let square = sphere.radius * sphere.radius - across.norm_squared();
                if square >= 0.0 {
                    let at = sphere.centre + across + AXES[2] * square.sqrt();
                    self.show(row * WIDTH + column, at, (at - sphere.centre).unit());
                }
            }
        }
    }

    fn finish(&self, what: &str, error: f64, signed: impl Fn(Point) -> f64) -> Picture {
        let light = Point::new(0.25, -0.55, 0.8).unit();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the palette")]
        let step = |part: f64, steps: usize| (part.clamp(0.0, 1.0) * (steps - 1) as f64).round() as usize;
        let points = (0..self.nearest.len())
            .map(|place| {
                if self.nearest[place] == f64::NEG_INFINITY {
                    return 0;
                }
                let shade = step(0.5 + 0.5 * self.normal[place].dot(light), SHADES);
                let colour = step(0.5 + 0.5 * signed(self.at[place]) / error, COLOURS);
                u8::try_from(1 + shade * COLOURS + colour).unwrap_or(0)
            })
            .collect();
        Picture { caption: what.into(), width: WIDTH, palette: palette(), points, density: DENSITY }
    }
}

/// White, and colours from blue (the spheres are inside the mesh) by light grey to red (they stick out) in every shade.
fn palette() -> Vec<[u8; 3]> {
    const ENDS: [[f64; 3]; 3] = [[38.0, 92.0, 178.0], [222.0, 222.0, 216.0], [190.0, 48.0, 38.0]];
    let mut palette = vec![[255; 3]];
    for shade in 0..SHADES {
        let bright = 0.42 + 0.62 * shade as f64 / (SHADES - 1) as f64;
        for colour in 0..COLOURS {
            let part = 2.0 * colour as f64 / (COLOURS - 1) as f64;
            let (from, to, part) = if part < 1.0 { (0, 1, part) } else { (1, 2, part - 1.0) };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
            palette.push(std::array::from_fn(|k| {
                (bright * (ENDS[from][k] + part * (ENDS[to][k] - ENDS[from][k]))).clamp(0.0, 255.0) as u8
            }));
        }
    }
    palette
}
