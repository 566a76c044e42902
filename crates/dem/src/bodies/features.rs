//! What touches what where there are rounded polyhedra: their corners, edges and cores are features, each known by a placed sphere, and so are the pieces
//! of other kinds. A pair of the lists is two features, which have at most one contact.

use super::Bodies;
use crate::clump::Role;
use crate::physics::edge::{Edge, touch_soon};
use crate::physics::geometry::Sphere;
use crate::physics::piece::{Core, Piece, nearest, nearest_spheres};
use crate::physics::polytope::{CoreFrame, nearest_of_triangles};
use tumble_math::LabVec;

/// What is known by a placed sphere, with the numbers of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// A piece.
    Sphere,
    /// A capsule, with its second end.
    Capsule(u32),
    /// The second end of a capsule, as a point that touches polyhedra.
    SecondEnd,
    /// A corner of a polyhedron.
    Corner,
    /// An edge, with the corners at its ends.
    Edge([u32; 2]),
    /// All of a polyhedron, whose core this is, with its number among those of all templates.
    Core(u32),
    /// Nothing that touches.
    Mark,
}

/// Two features that touch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meeting {
    /// Their cores are points or segments.
    Round(Piece<f64>, Piece<f64>),
    /// Both taper.
    Edges(Edge<f64>, Edge<f64>),
    /// A point and a polyhedron: the two spheres where they are nearest, in their order.
    OnCore([Sphere<f64>; 2]),
}

impl Feature {
    /// Whether it is a point that touches polyhedra.
    fn is_point(self) -> bool {
        matches!(self, Self::Sphere | Self::Capsule(_) | Self::SecondEnd | Self::Corner)
    }

    /// Whether it touches edges as one of them.
    fn is_edge(self) -> bool {
        matches!(self, Self::Edge(_) | Self::Capsule(_))
    }

    /// Whether it is a piece whose core is a point or a segment.
    fn is_round(self) -> bool {
        matches!(self, Self::Sphere | Self::Capsule(_))
    }

    /// Whether two features of different bodies have contacts at all. Every overlap of two pieces counts once: a point with all of a polyhedron, whatever
    /// face or edge is nearest, a corner with a capsule, an edge with an edge.
    pub(crate) fn meets(self, other: Self) -> bool {
        let corner_and_rod = |a: Self, b: Self| a == Self::Corner && matches!(b, Self::Capsule(_));
        match (self, other) {
            (Self::Core(_), point) | (point, Self::Core(_)) => point.is_point(),
            (Self::Edge(_), edge) | (edge, Self::Edge(_)) => edge.is_edge(),
            (a, b) => a.is_round() && b.is_round() || corner_and_rod(a, b) || corner_and_rod(b, a),
        }
    }
}

impl Bodies {
    /// Whether any template has rounded polyhedra.
    #[inline(always)]
    pub(crate) fn has_hulls(&self) -> bool {
        self.shapes.has_hulls()
    }

    /// What is known by a placed sphere. Only where there are polyhedra.
    #[inline(always)]
    pub(crate) fn feature(&self, sphere: u32) -> Feature {
        self.features[sphere as usize]
    }

    /// Whether a placed sphere touches walls as such: not if it only tells where a piece is.
    #[inline(always)]
    pub(crate) fn touches_walls(&self, sphere: u32) -> bool {
        if self.has_hulls() { self.feature(sphere).is_point() } else { !self.is_tip(sphere) }
    }

    /// The feature of a sphere with a role, in a body whose spheres begin at `first` and whose polyhedra at `first_hull`.
    pub(super) fn feature_of(role: Role, sphere: u32, [first, first_hull]: [u32; 2]) -> Feature {
        match role {
            Role::Sphere => Feature::Sphere,
            Role::FirstEnd => Feature::Capsule(sphere + 1),
            Role::SecondEnd => Feature::SecondEnd,
            Role::Corner => Feature::Corner,
            Role::Edge(ends) => Feature::Edge(ends.map(|end| first + end)),
            Role::Core(hull) => Feature::Core(first_hull + hull),
            Role::Ellipsoid | Role::Tip => Feature::Mark,
        }
    }

    /// The spheres by which a feature is placed.
    pub(crate) fn marks_of(&self, sphere: u32) -> impl Iterator<Item = u32> + use<> {
        let (first, count, ends) = match self.feature(sphere) {
            Feature::Core(_) => (sphere, 4, None),
            Feature::Edge(ends) => (sphere, 0, Some(ends)),
            Feature::Capsule(_) => (sphere, 2, None),
            _ => (sphere, 1, None),
        };
        (first..first + count).chain(ends.into_iter().flatten())
    }

    #[inline(always)]
    fn place(&self, sphere: u32) -> LabVec<f64> {
        let [x, y, z, _] = self.spheres[sphere as usize];
        LabVec::new(x, y, z)
    }

    #[inline(always)]
    fn radius(&self, sphere: u32) -> f64 {
        self.spheres[sphere as usize][3]
    }

    /// The two ends of a feature that is a point or a segment.
    #[inline(always)]
    fn ends(&self, sphere: u32) -> [LabVec<f64>; 2] {
        match self.feature(sphere) {
            Feature::Edge([first, second]) => [self.place(first), self.place(second)],
            Feature::Capsule(second) => [self.place(sphere), self.place(second)],
            _ => [self.place(sphere); 2],
        }
    }

    /// A ball that holds a feature, if it is one.
    pub(crate) fn ball_of(&self, sphere: u32) -> Option<(LabVec<f64>, f64)> {
        let radius = self.radius(sphere);
        match self.feature(sphere) {
            Feature::Mark => None,
            Feature::Sphere | Feature::SecondEnd | Feature::Corner => Some((self.place(sphere), radius)),
            Feature::Capsule(_) | Feature::Edge(_) => {
                let [first, second] = self.ends(sphere);
                Some(((first + second) * 0.5, (second - first).norm() * 0.5 + radius))
            }
            Feature::Core(hull) => {
                let (frame, core) = (self.core_frame(sphere), &self.shapes.hulls[hull as usize]);
                let CoreFrame { centre, first, second, third } = frame;
                // The vectors of a box are its half edges; those of other ones reach as far as its farthest corner.
                let square = if core.is_box { second.norm_squared() + third.norm_squared() } else { 0.0 };
                Some((centre, (first.norm_squared() + square).sqrt() + radius))
            }
        }
    }

    #[inline(always)]
    fn core_frame(&self, sphere: u32) -> CoreFrame<f64> {
        let [a, b, c, d] = [sphere, sphere + 1, sphere + 2, sphere + 3];
        // Written out: what goes through a closure would go through memory.
        CoreFrame::of_points([self.place(a), self.place(b), self.place(c), self.place(d)])
    }

    /// The point of a core that is nearest to a point, if it may be nearer than `reach`.
    #[inline(always)]
    fn near_on_core(&self, sphere: u32, hull: u32, point: LabVec<f64>, reach: f64) -> Option<LabVec<f64>> {
        let (frame, core) = (self.core_frame(sphere), &self.shapes.hulls[hull as usize]);
        let on_core = if core.is_box {
            frame.nearest_of_box(point)
        } else {
            // The three vectors are as long as each other.
            let (seen, reach) = (frame.parts_of(point), reach / frame.first.norm());
            if core.planes.iter().any(|(normal, height)| normal.dot(seen) - height > reach) {
                return None;
            }
            frame.point_at(nearest_of_triangles(core.triangles.iter().copied(), seen))
        };
        ((point - on_core).norm_squared() < reach * reach).then_some(on_core)
    }

    /// Two features that meet, the second shifted, if they may be nearer to each other than touch and `reach` more.
    #[inline(always)]
    pub(crate) fn meeting(&self, [a, b]: [u32; 2], shift: [f64; 3], reach: f64) -> Option<Meeting> {
        let shift = LabVec::from_array(shift);
        let near = self.radius(a) + self.radius(b) + reach;
        let spheres = |on_a: LabVec<f64>, on_b: LabVec<f64>| {
            let first = Sphere { centre: on_a, radius: self.radius(a) };
            Meeting::OnCore([first, Sphere { centre: on_b, radius: self.radius(b) }])
        };
        match (self.feature(a), self.feature(b)) {
            (Feature::Core(hull), _) => {
                let point = self.place(b) + shift;
                self.near_on_core(a, hull, point, near).map(|on| spheres(on, point))
            }
            (_, Feature::Core(hull)) => {
                let point = self.place(a);
                self.near_on_core(b, hull, point - shift, near).map(|on| spheres(point, on + shift))
            }
            (own, other) => {
                let (own_ends, [from, to]) = (self.ends(a), self.ends(b));
                let other_ends = [from + shift, to + shift];
                let (first, second) = (Core::between(own_ends), Core::between(other_ends));
                let [on_a, on_b] = nearest(&first, &second);
                if (on_a - on_b).norm_squared() >= near * near {
                    return None;
                }
                Some(if own.is_edge() && other.is_edge() && !(own.is_round() && other.is_round()) {
                    Meeting::Edges(
                        Edge::between(own_ends, self.radius(a)),
                        Edge::between(other_ends, self.radius(b)),
                    )
                } else {
                    let piece = |core: Core<f64>, sphere: u32| Piece { core, radius: self.radius(sphere) };
                    Meeting::Round(piece(first, a), piece(second, b))
                })
            }
        }
    }
}

impl Meeting {
    /// The spheres by which the two touch, and how far they overlap, m.
    #[inline(always)]
    pub(crate) fn touch(&self) -> ([Sphere<f64>; 2], f64) {
        let spheres = match self {
            Self::Edges(a, b) => return touch_soon(a, b),
            Self::Round(a, b) => nearest_spheres(a, b),
            Self::OnCore(spheres) => *spheres,
        };
        let [a, b] = spheres;
        (spheres, a.radius + b.radius - (a.centre - b.centre).norm())
    }
}
