//! What the templates of all bodies look like.

use crate::clump::{ClumpTemplate, Role};
use crate::rows_by_id::index32;
use std::sync::Arc;
use tumble_math::LabVec;
use tumble_math::elementary::cbrt;

/// The core of a polyhedron.
#[derive(Clone, Debug)]
pub(crate) struct HullCore {
    /// A box has a closed form, and needs no triangles.
    pub(crate) is_box: bool,
    /// In parts of the vectors of the core.
    pub(crate) triangles: Vec<[LabVec<f64>; 3]>,
    /// The outward normals of its faces, and how far those are from its centre along them, in such parts.
    pub(crate) planes: Vec<(LabVec<f64>, f64)>,
}

/// Spheres of all templates, one after the other: centre in the body frame, radius.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    pub(crate) templates: Vec<Arc<ClumpTemplate>>,
    pub(crate) spheres: Vec<[f64; 4]>,
    /// What each of them is. Empty if all pieces are spheres.
    pub(super) roles: Vec<Role>,
    /// Whether any template has capsules.
    pub(crate) has_capsules: bool,
    /// Whether any has ellipsoids.
    pub(crate) has_ellipsoids: bool,
    /// The cores of polyhedra of all templates, one after the other, and where those of each template begin.
    pub(super) hulls: Vec<HullCore>,
    first_hull: Vec<u32>,
    /// Where the spheres of each template begin; one more than there are templates.
    pub(crate) first: Vec<u32>,
    /// Radius of the sphere of each template's volume.
    pub(crate) equivalent_radii: Vec<f64>,
    /// The sum of the radii of each template's spheres, and the smallest of them.
    pub(super) radii: Vec<[f64; 2]>,
}

impl Shapes {
    pub(crate) fn new(templates: &[Arc<ClumpTemplate>]) -> Self {
        let radius = |volume: f64| cbrt(volume * 3.0 / (4.0 * core::f64::consts::PI));
        let mut shapes = Self {
            templates: templates.to_vec(),
            spheres: Vec::new(),
            roles: Vec::new(),
            has_capsules: templates.iter().any(|template| template.capsules().len() > 0),
            has_ellipsoids: templates.iter().any(|template| template.ellipsoids().len() > 0),
            hulls: Vec::new(),
            first_hull: Vec::with_capacity(templates.len()),
            first: vec![0],
            radii: Vec::with_capacity(templates.len()),
            equivalent_radii: templates.iter().map(|template| radius(template.volume())).collect(),
        };
        for template in templates {
            shapes.spheres.extend(template.spheres().iter().map(|sphere| {
                let [x, y, z] = sphere.centre.to_array();
                [x, y, z, sphere.radius]
            }));
            let radii = || template.spheres().iter().map(|sphere| sphere.radius);
            shapes.radii.push([radii().sum(), radii().fold(f64::INFINITY, f64::min)]);
            shapes.first.push(index32(shapes.spheres.len()));
            shapes.first_hull.push(index32(shapes.hulls.len()));
            shapes.hulls.extend(template.hulls().iter().map(|hull| {
                let triangles = hull.triangles_in_parts(template.spheres());
                let plane = |[a, b, c]: &[LabVec<f64>; 3]| {
                    let normal = (*b - *a).cross(*c - *a);
                    let normal = normal * (1.0 / normal.norm());
                    (normal, normal.dot(*a))
                };
                HullCore { is_box: hull.is_box(), planes: triangles.iter().map(plane).collect(), triangles }
            }));
        }
        if shapes.has_capsules || shapes.has_ellipsoids || shapes.has_hulls() {
            shapes.roles = templates.iter().flat_map(|template| template.roles()).collect();
        }
        shapes
    }

    /// Whether any template has rounded polyhedra.
    #[inline(always)]
    pub(crate) fn has_hulls(&self) -> bool {
        !self.hulls.is_empty()
    }

    /// The number, among those of all templates, of the first polyhedron of a template.
    pub(super) fn first_hull(&self, template: u16) -> u32 {
        self.first_hull[usize::from(template)]
    }

    /// How many spheres the template with the most of them has.
    pub(crate) fn most_spheres(&self) -> usize {
        self.first.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0)
    }

    pub(crate) fn of(&self, template: u16) -> &[[f64; 4]] {
        let template = usize::from(template);
        &self.spheres[self.first[template] as usize..self.first[template + 1] as usize]
    }

    /// What each sphere of a template is; nothing if all pieces are spheres.
    pub(super) fn roles_of(&self, template: u16) -> &[Role] {
        let template = usize::from(template);
        self.roles.get(self.first[template] as usize..self.first[template + 1] as usize).unwrap_or_default()
    }

    /// What the spheres of each template are.
    pub(crate) fn each_role(&self) -> Vec<Vec<Role>> {
        self.templates.iter().map(|template| template.roles().collect()).collect()
    }

    /// The spheres of each template.
    pub(crate) fn each(&self) -> impl Iterator<Item = &[[f64; 4]]> {
        self.first.windows(2).map(|ends| &self.spheres[ends[0] as usize..ends[1] as usize])
    }
}
