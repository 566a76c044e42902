//! What only some worlds have: fields, held bodies, laws beyond touch, meshes and what bears on them.

use super::Card;
use crate::device::DeviceError;
use std::sync::Arc;
use tumble_dem::Engine;
use tumble_dem::law::EnergyPower;
use tumble_dem::plain::{
    FieldPlan, FormKind, Model, SURFACE_SUMS, SurfaceKind, TriangleLimbs, formula_numbers,
};
use tumble_dem::wall::{MeshTables, TriangleMesh};
use tumble_math::LIMBS;

/// Numbers of a formula, of a load that the host tells.
const FORMULA: usize = 6;
const LOAD: usize = 8;

/// Limbs of all sums of a triangle.
const OF_TRIANGLE: usize = SURFACE_SUMS * LIMBS;

impl Card {
    /// The numbers of models that physics does not take, of kinds and of fields.
    pub(super) fn load_features(&mut self) -> Result<(), DeviceError> {
        let (device, plan, tables, world) = (&*self.device, &self.plan, &mut self.tables, &mut self.world);
        let models = |of: fn(&Model) -> u32| plan.models.iter().map(of).collect::<Vec<u32>>();
        tables.model_lasting.set(device, &models(|model| model.lasting.into()))?;
        tables.model_remembers.set(device, &models(|model| (model.memory > 0).into()))?;
        tables.model_power.set(device, &models(|model| (model.power == EnergyPower::FiveHalves).into()))?;
        // Forces come first, so that none is at zero.
        tables.model_sliding.set(device, &models(|model| number_or_zero(model.sliding)))?;
        tables.model_range.set(device, &plan.models.iter().map(|model| model.range).collect::<Vec<f64>>())?;
        let kinds = plan.kinds.iter();
        tables.kind_held.set(device, &kinds.clone().map(|kind| kind.held.into()).collect::<Vec<u32>>())?;
        tables.kind_radius.set(device, &kinds.map(|kind| kind.equivalent_radius).collect::<Vec<f64>>())?;
        tables.fluid.set(device, &plan.drag.unwrap_or_default())?;
        let forms: &[FormKind] = match &plan.fields {
            FieldPlan::Formulas(forms) => forms,
            FieldPlan::Host => &[],
        };
        let kind = |form: &FormKind| u32::from(*form == FormKind::Attraction);
        tables.field_kind.set(device, &forms.iter().map(kind).collect::<Vec<u32>>())?;
        world.fields = forms.len() as u64;
        world.model_lasting = tables.model_lasting.address();
        world.model_remembers = tables.model_remembers.address();
        world.model_power = tables.model_power.address();
        world.model_sliding = tables.model_sliding.address();
        world.model_range = tables.model_range.address();
        world.kind_held = tables.kind_held.address();
        world.kind_radius = tables.kind_radius.address();
        world.fluid = tables.fluid.address();
        world.field_kind = tables.field_kind.address();
        Ok(())
    }

    /// The formulas of fields in some steps. False if one has none any more.
    pub(super) fn place_fields(
        &mut self,
        engine: &Engine,
        first: u64,
        end: u64,
    ) -> Result<bool, DeviceError> {
        let FieldPlan::Formulas(forms) = &self.plan.fields else { return Ok(true) };
        if forms.is_empty() {
            return Ok(true);
        }
        let mut numbers = Vec::with_capacity(FORMULA * forms.len());
        for step in first..=end {
            let Some(formulas) = engine.formulas_at(step) else { return Ok(false) };
            numbers.extend(formulas.iter().flat_map(formula_numbers));
        }
        self.tables.field_numbers.set(&*self.device, &numbers)?;
        self.world.field_numbers = self.tables.field_numbers.address();
        Ok(true)
    }

    /// Has the engine tell what acts beside contacts on bodies that have moved to a step. False if it cannot, or if kernels have halted.
    pub(super) fn ask_host(&mut self, engine: &Engine, step: u64) -> Result<bool, DeviceError> {
        if self.halted()?.is_some() {
            return Ok(false);
        }
        let Ok(loads) = engine.loads_at(step, &self.tables.id, &self.at_force()?) else {
            return Ok(false);
        };
        debug_assert_eq!(loads.all.len(), self.rows());
        self.tables.host_load.set_columns::<LOAD>(&*self.device, &loads.all)?;
        self.world.host_load = self.tables.host_load.address();
        self.prescribed = loads.prescribed;
        Ok(true)
    }

    /// The tables of all meshes one after the other; walls know where theirs begin.
    pub(super) fn load_meshes(&mut self) -> Result<(), DeviceError> {
        let mut all = MeshTables::default();
        let mut known: Vec<(Arc<TriangleMesh>, [f64; 8])> = Vec::new();
        let mut triangles = 0;
        for wall in self.walls.iter_mut().filter(|wall| wall.kind == SurfaceKind::Mesh) {
            let Some(mesh) = &wall.mesh else { continue };
            let place = known.iter().find(|(other, _)| Arc::ptr_eq(other, mesh)).map(|(_, place)| *place);
            let place = place.unwrap_or_else(|| append(&mut all, &mesh.tables()));
            known.push((mesh.clone(), place));
            wall.numbers = place.to_vec();
            wall.numbers.push(triangles as f64);
            triangles += mesh.len();
        }
        if known.is_empty() {
            return Ok(());
        }
        let (device, tables, world) = (&*self.device, &mut self.tables, &mut self.world);
        tables.facets.set(device, &all.facets)?;
        tables.facet_indices.set(device, &all.facet_indices)?;
        tables.edges.set(device, &all.edges)?;
        tables.edge_indices.set(device, &all.edge_indices)?;
        tables.vertices.set(device, &all.vertices)?;
        tables.vertex_indices.set(device, &all.vertex_indices)?;
        tables.boxes.set(device, &all.boxes)?;
        tables.box_indices.set(device, &all.box_indices)?;
        tables.mesh_order.set(device, &all.order)?;
        world.facets = tables.facets.address();
        world.facet_indices = tables.facet_indices.address();
        world.edges = tables.edges.address();
        world.edge_indices = tables.edge_indices.address();
        world.vertices = tables.vertices.address();
        world.vertex_indices = tables.vertex_indices.address();
        world.boxes = tables.boxes.address();
        world.box_indices = tables.box_indices.address();
        world.mesh_order = tables.mesh_order.address();
        if self.plan.surface_interval.is_some() {
            tables.surface_touched.reserve(device, triangles)?;
            tables.surface_limbs.reserve(device, triangles * OF_TRIANGLE)?;
            world.surface_touched = tables.surface_touched.address();
            world.surface_limbs = tables.surface_limbs.address();
        }
        Ok(())
    }

    /// Room for the triangles near spheres, and for what slots of meshes know.
    pub(super) fn find_triangles(&mut self, slots: usize) -> Result<(), DeviceError> {
        if !self.has_meshes() {
            return Ok(());
        }
        let device = self.device.clone();
        let rows = self.rows();
        let listed = self.scan(self.world.triangle_count, |tables| &tables.triangle_first, rows)?;
        let (tables, world) = (&mut self.tables, &mut self.world);
        tables.slot_triangles.reserve(&*device, listed)?;
        for table in [
            &mut tables.slot_room,
            &mut tables.slot_triangle_first,
            &mut tables.slot_triangle_count,
            &mut tables.slot_from,
        ] {
            table.reserve(&*device, slots)?;
        }
        world.slot_triangles = tables.slot_triangles.address();
        world.slot_room = tables.slot_room.address();
        world.slot_triangle_first = tables.slot_triangle_first.address();
        world.slot_triangle_count = tables.slot_triangle_count.address();
        world.slot_from = tables.slot_from.address();
        Ok(())
    }

    pub(super) fn has_meshes(&self) -> bool {
        self.walls.iter().any(|wall| wall.kind == SurfaceKind::Mesh)
    }

    /// What was added up on triangles since it was last taken.
    pub(super) fn take_surfaces(&self) -> Result<Vec<TriangleLimbs>, DeviceError> {
        let mut found = Vec::new();
        if self.plan.surface_interval.is_none() {
            return Ok(found);
        }
        let (device, tables) = (&*self.device, &self.tables);
        let mut before = 0;
        for (number, wall) in (0..).zip(&self.walls) {
            let Some(mesh) = &wall.mesh else { continue };
            let touched = tables.surface_touched.read(device, before, mesh.len())?;
            let mut touched =
                (0..).zip(touched).filter(|(_, touched)| *touched != 0).map(|(triangle, _)| triangle);
            let Some(first) = touched.next() else {
                before += mesh.len();
                continue;
            };
            let triangles: Vec<u32> = core::iter::once(first).chain(touched).collect();
            let last = triangles.last().copied().unwrap_or(first);
            let (begin, count) = (before + first as usize, (last - first) as usize + 1);
            let limbs = tables.surface_limbs.read(device, begin * OF_TRIANGLE, count * OF_TRIANGLE)?;
            for triangle in triangles {
                let own = &limbs[(triangle - first) as usize * OF_TRIANGLE..][..OF_TRIANGLE];
                let sums = core::array::from_fn(|sum| {
                    core::array::from_fn(|limb| own[sum * LIMBS + limb].cast_signed())
                });
                found.push(TriangleLimbs { wall: number, triangle, sums });
            }
            before += mesh.len();
        }
        tables.surface_touched.clear(device, before)?;
        tables.surface_limbs.clear(device, before * OF_TRIANGLE)?;
        Ok(found)
    }

    /// How far beyond the skin lists have to reach, m.
    pub(super) fn range(&self) -> f64 {
        self.plan.models.iter().fold(0.0, |most: f64, model| most.max(model.range))
    }
}

fn number_or_zero(place: Option<usize>) -> u32 {
    place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0)
}

/// Adds the tables of a mesh, and tells where they are: first triangle, edge, corner and box, how many triangles and edges, roughness
/// and longest edge; as in `kernels/meshes.cu`.
fn append(all: &mut MeshTables, own: &MeshTables) -> [f64; 8] {
    let place = |numbers: usize, each: usize| (numbers / each) as f64;
    let facet = place(all.facet_indices.len(), tumble_dem::wall::FACET_INDICES);
    let edge = place(all.edge_indices.len(), tumble_dem::wall::EDGE_INDICES);
    let vertex = place(all.vertices.len(), 3);
    let first_box = place(all.boxes.len(), 6);
    all.facets.extend(&own.facets);
    all.facet_indices.extend(&own.facet_indices);
    all.edges.extend(&own.edges);
    all.edge_indices.extend(&own.edge_indices);
    all.vertices.extend(&own.vertices);
    all.vertex_indices.extend(&own.vertex_indices);
    all.boxes.extend(&own.boxes);
    all.box_indices.extend(&own.box_indices);
    all.order.extend(&own.order);
    let facets = place(own.facet_indices.len(), tumble_dem::wall::FACET_INDICES);
    let edges = place(own.edge_indices.len(), tumble_dem::wall::EDGE_INDICES);
    [facet, edge, vertex, first_box, facets, edges, own.roughness, own.longest_edge]
}
