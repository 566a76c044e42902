//! Where a scene is, to tell bodies that have left it: those that fall for ever, and those that fly away.

use tumble_dem::domain::Axis;
use tumble_dem::placement::Stream;
use tumble_dem::wall::{Movement, Shape};
use tumble_dem::{LabVec, Solver, World};
use tumble_output::Model;

/// A box around the bodies of a scene at its start, the regions of its streams and its walls, and which way is down.
///
/// With gravity a body has left when it is below the box by more than the length of the box; it never does where an endless
/// plane is beneath. Without gravity it has left when it is farther from the box than ten times its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    low: [f64; 3],
    high: [f64; 3],
    size: f64,
    /// The unit vector along gravity; none without.
    down: Option<LabVec<f64>>,
    open: [bool; 3],
}

/// How far from the box bodies go that have left, without gravity; in lengths of the box.
const FAR: f64 = 10.0;

impl Place {
    /// Of a world at its start; none where nothing can leave, or walls move along with what they carry.
    pub(crate) fn of(world: &World, model: &Model, streams: &[Stream]) -> Option<Self> {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut add = |point: LabVec<f64>, room: f64| {
            for (axis, x) in point.to_array().into_iter().enumerate() {
                (low[axis], high[axis]) = (low[axis].min(x - room), high[axis].max(x + room));
            }
        };
        for body in &world.bodies {
            let template = world.templates.get(usize::from(body.template.0))?;
            add(body.position, template.bounding_radius() * body.scale);
        }
        for stream in streams {
            stream.inlet().region.bounds().into_iter().for_each(|corner| add(corner, 0.0));
        }
        let down = (world.gravity.norm() > 0.0).then(|| world.gravity * (1.0 / world.gravity.norm()));
        for (wall, surface) in world.walls.iter().zip(&model.walls) {
            let motion = &wall.motion;
            let drifts = motion.parts().iter().any(|(part, _)| matches!(part, Movement::Drift { .. }));
            if drifts || (motion.parts().is_empty() && !motion.is_static()) {
                return None;
            }
            match &wall.shape {
                Shape::Plane(plane) if down.is_some_and(|down| plane.normal().dot(down) < -1e-9) => {
                    return None;
                }
                // Drawn as large as others need.
                Shape::Plane(_) => {}
                _ => surface.points.iter().for_each(|&point| add(point, 0.0)),
            }
        }
        let size = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        let open = world.domain.axes.map(|axis| matches!(axis, Axis::Open));
        let falls = down.is_none_or(|down| {
            down.to_array().into_iter().zip(open).all(|(along, open)| open || along.abs() < 1e-9)
        });
        (size > 0.0 && size.is_finite() && falls).then_some(Self { low, high, size, down, open })
    }

    /// Whether a body there has left.
    pub(crate) fn is_left(&self, position: LabVec<f64>) -> bool {
        let position = position.to_array();
        if let Some(down) = self.down {
            let depth = |point: [f64; 3]| LabVec::from_array(point).dot(down);
            let corner = core::array::from_fn(|axis| {
                if down.to_array()[axis] > 0.0 { self.high[axis] } else { self.low[axis] }
            });
            return depth(position) > depth(corner) + self.size;
        }
        (0..3).any(|axis| {
            let x = position[axis];
            let beyond = (self.low[axis] - x).max(x - self.high[axis]);
            self.open[axis] && beyond > FAR * self.size
        })
    }

    /// How many bodies have left.
    pub(crate) fn count_left(&self, engine: &dyn Solver) -> usize {
        let mut count = 0;
        engine.visit_bodies(&mut |some| {
            count += some.iter().filter(|body| self.is_left(body.position)).count();
        });
        count
    }
}
