//! From an engine to a card.

use super::tables::Tables;
use super::{BATCH, Card, RECORD, usize_of};
use crate::device::{Device, DeviceError, Program};
use crate::table::to_columns;
use crate::world::{KIND_NUMBERS, World};
use std::collections::HashMap;
use std::sync::Arc;
use tumble_dem::plain::{Bodies, ContactName, Contacts, Kind, Plan, Role, Surface, SurfaceKind};
use tumble_dem::wall::{Region, Side};
use tumble_dem::{Engine, LabVec, Precision, domain::Axis};

/// As in `kernels/walls.cu`.
const WALL_NUMBERS: usize = 16;

impl Card {
    /// Takes the present state of an engine.
    pub(crate) fn load(
        engine: &Engine,
        plan: Plan,
        walls: Vec<Surface>,
        (device, program): (Arc<dyn Device>, Arc<dyn Program>),
    ) -> Result<Self, DeviceError> {
        let bodies = engine.plain_bodies();
        let mut card = Self {
            world: World::default(),
            tables: Tables::new(plan.precision),
            step: engine.steps(),
            moved: false,
            outdated: true,
            contacts: 0,
            built_at: 0,
            wall_travelled: 0.0,
            region: Region { centre: LabVec::zero(), radius: 0.0 },
            longest: 0.0,
            builds: 0,
            prescribed: Vec::new(),
            device,
            program,
            plan,
            walls,
        };
        card.load_rules()?;
        card.load_features()?;
        card.load_meshes()?;
        card.load_walls()?;
        card.load_bodies(&bodies)?;
        card.load_contacts(&bodies, &engine.plain_contacts())?;
        card.launch("place", card.rows())?;
        Ok(card)
    }

    fn load_rules(&mut self) -> Result<(), DeviceError> {
        let (device, plan, tables, world) = (&*self.device, &self.plan, &mut self.tables, &mut self.world);
        world.dt = plan.dt;
        world.corrected = plan.corrected;
        world.gravity = plan.gravity;
        world.max_overlap = plan.max_overlap;
        world.max_turn = plan.max_turn;
        world.slack = plan.slack;
        world.materials = plan.materials as u64;
        world.periodic = plan.domain.is_periodic().into();
        for (axis, kind) in plan.domain.axes.into_iter().enumerate() {
            let (low, high) = match kind {
                Axis::Periodic { low, high } => (low, high),
                Axis::Open => (f64::NEG_INFINITY, f64::INFINITY),
            };
            world.low[axis] = low;
            world.high[axis] = high;
            world.half[axis] = 0.5 * (high - low);
            world.length[axis] = if kind == Axis::Open { 0.0 } else { high - low };
        }
        tables.constants.set(device, &plan.pairs)?;
        for (own, constant) in world.one_pair.iter_mut().zip(&plan.pairs) {
            *own = *constant;
        }
        world.constants = tables.constants.address();
        let matter: Vec<u32> = plan.masses_matter.iter().map(|matter| u32::from(*matter)).collect();
        tables.masses_matter.set(device, &matter)?;
        world.one_matters = matter.first().copied().unwrap_or(0).into();
        world.masses_matter = tables.masses_matter.address();
        tables.model_of.set(device, &plan.model_of)?;
        world.model_of = tables.model_of.address();
        let numbers: Vec<f64> =
            plan.kinds.iter().flat_map(|kind| kind_numbers(kind, plan.precision)).collect();
        tables.kind_numbers.set(device, &numbers)?;
        if let Some(one) = numbers.first_chunk() {
            world.one_kind = *one;
        }
        world.kind_numbers = tables.kind_numbers.address();
        let of_kinds =
            |of: fn(&Kind) -> u16| plan.kinds.iter().map(|kind| of(kind).into()).collect::<Vec<u32>>();
        tables.kind_template.set(device, &of_kinds(|kind| kind.template))?;
        world.kind_template = tables.kind_template.address();
        tables.kind_material.set(device, &of_kinds(|kind| kind.material))?;
        world.kind_material = tables.kind_material.address();
        tables.template_first.set(device, &beginnings(plan.templates.iter().map(Vec::len)))?;
        world.template_first = tables.template_first.address();
        tables.template_sphere.set(device, &plan.templates.concat().concat())?;
        world.template_sphere = tables.template_sphere.address();
        tables.halt.set(device, &[u64::MAX])?;
        tables.longest.set(device, &[0])?;
        tables.why.set(device, &[0])?;
        tables.taken.reserve(device, usize_of(BATCH))?;
        world.halt = tables.halt.address();
        world.why = tables.why.address();
        world.longest = tables.longest.address();
        Ok(())
    }

    fn load_walls(&mut self) -> Result<(), DeviceError> {
        let (device, walls, tables, world) = (&*self.device, &self.walls, &mut self.tables, &mut self.world);
        let each = |of: fn(&Surface) -> u32| walls.iter().map(of).collect::<Vec<u32>>();
        let numbers = walls.iter().flat_map(|wall| {
            let mut numbers = [0.0; WALL_NUMBERS];
            numbers[..wall.numbers.len()].copy_from_slice(&wall.numbers);
            numbers
        });
        tables.wall_numbers.set(device, &numbers.collect::<Vec<f64>>())?;
        tables.wall_kind.set(device, &each(|wall| kind_number(wall.kind)))?;
        tables.wall_fixed.set(device, &each(|wall| wall.fixed.into()))?;
        tables.wall_solid.set(device, &each(|wall| wall.solid.into()))?;
        tables.wall_material.set(device, &each(|wall| wall.material.into()))?;
        world.walls = walls.len() as u64;
        world.wall_numbers = tables.wall_numbers.address();
        world.wall_kind = tables.wall_kind.address();
        world.wall_fixed = tables.wall_fixed.address();
        world.wall_solid = tables.wall_solid.address();
        world.wall_material = tables.wall_material.address();
        Ok(())
    }

    fn load_bodies(&mut self, bodies: &Bodies) -> Result<(), DeviceError> {
        let (device, plan, tables, world) = (&*self.device, &self.plan, &mut self.tables, &mut self.world);
        let rows = bodies.id.len();
        world.rows = rows as u64;
        tables.ids.set(device, &bodies.id)?;
        tables.kind.set(device, &bodies.kind)?;
        let fresh: Vec<u32> = bodies.fresh.iter().map(|fresh| u32::from(*fresh)).collect();
        tables.fresh.set(device, &fresh)?;
        tables.position.set_columns(device, &bodies.position)?;
        tables.velocity.set_columns(device, &bodies.velocity)?;
        tables.q.set_columns(device, &bodies.q)?;
        tables.omega.set_columns(device, &bodies.omega)?;
        tables.acting.set_columns(device, &bodies.acting)?;
        tables
            .scheme_memory
            .set(device, &to_columns(&bodies.memory, plan.rotation.scheme.memory_width(), rows))?;
        tables.books.set(device, &to_columns(&bodies.books, plan.books, rows))?;
        let records = bodies.at_force.iter().zip(&bodies.kind).flat_map(record_numbers);
        let records: Vec<f64> = records.collect();
        tables.record.set(device, &records)?;
        tables.travelled.reserve(device, rows)?;
        for table in
            [&mut tables.row_cell, &mut tables.row_slot, &mut tables.cell_rows, &mut tables.near_count]
        {
            table.reserve(device, rows)?;
        }
        for table in [
            &mut tables.near_first,
            &mut tables.link_first,
            &mut tables.slot_first,
            &mut tables.row_candidate,
            &mut tables.triangle_first,
        ] {
            table.reserve(device, rows + 1)?;
        }
        for table in [&mut tables.link_count, &mut tables.slot_count, &mut tables.triangle_count] {
            table.reserve(device, rows)?;
        }
        world.id = tables.ids.address();
        world.kind = tables.kind.address();
        world.fresh = tables.fresh.address();
        world.position = tables.position.address();
        world.velocity = tables.velocity.address();
        world.q = tables.q.address();
        world.omega = tables.omega.address();
        world.acting = tables.acting.address();
        world.scheme_memory = tables.scheme_memory.address();
        world.books = tables.books.address();
        world.record = tables.record.address();
        world.travelled = tables.travelled.address();
        world.row_cell = tables.row_cell.address();
        world.row_slot = tables.row_slot.address();
        world.cell_rows = tables.cell_rows.address();
        world.near_count = tables.near_count.address();
        world.near_first = tables.near_first.address();
        world.row_candidate = tables.row_candidate.address();
        world.any_fresh = bodies.fresh.contains(&true).into();
        world.link_first = tables.link_first.address();
        world.link_count = tables.link_count.address();
        world.slot_first = tables.slot_first.address();
        world.slot_count = tables.slot_count.address();
        world.triangle_first = tables.triangle_first.address();
        world.triangle_count = tables.triangle_count.address();
        tables.id.clone_from(&bodies.id);
        tables.curve.clone_from(&bodies.curve);
        tables.kind_of_row.clone_from(&bodies.kind);
        self.lay_out_spheres()
    }

    /// Numbers spheres by rows.
    pub(super) fn lay_out_spheres(&mut self) -> Result<(), DeviceError> {
        let (device, plan, tables, world) = (&*self.device, &self.plan, &mut self.tables, &mut self.world);
        let spheres = |kind: &u32| plan.templates[usize::from(plan.kinds[*kind as usize].template)].len();
        let first = beginnings(tables.kind_of_row.iter().map(spheres));
        let rows = (0..).zip(&tables.kind_of_row);
        let owner: Vec<u32> = rows.flat_map(|(row, kind)| core::iter::repeat_n(row, spheres(kind))).collect();
        tables.first_sphere.set(device, &first)?;
        tables.owner.set(device, &owner)?;
        tables.placed.reserve(device, 4 * owner.len())?;
        world.first_sphere = tables.first_sphere.address();
        world.owner = tables.owner.address();
        world.placed = tables.placed.address();
        if !plan.roles.is_empty() {
            let roles = |kind: &u32| &plan.roles[usize::from(plan.kinds[*kind as usize].template)];
            let numbers = tables.kind_of_row.iter().flat_map(roles).map(|role| role_number(*role));
            tables.role.set(device, &numbers.collect::<Vec<u32>>())?;
            world.role = tables.role.address();
        }
        Ok(())
    }

    /// Contacts wait for the first lists, with the spheres that they are of.
    fn load_contacts(&mut self, bodies: &Bodies, contacts: &[Contacts]) -> Result<(), DeviceError> {
        let width = self.plan.memory;
        let rows: HashMap<u32, usize> = bodies.id.iter().enumerate().map(|(row, id)| (*id, row)).collect();
        let first = self.tables.first_sphere.read(&*self.device, 0, bodies.id.len() + 1)?;
        let sphere = |[id, number]: [u32; 2]| rows.get(&id).map_or(0, |row| first[*row]) + number;
        // Those of all models together: each finds its own place.
        let (mut between, mut with_walls) = (Waiting::default(), Waiting::default());
        for (own, model) in contacts.iter().zip(&self.plan.models) {
            for (index, name) in own.names.iter().enumerate() {
                let waiting = if name.with_wall { &mut with_walls } else { &mut between };
                waiting.names.push(*name);
                waiting.memory.extend(&own.memory[index * model.memory..(index + 1) * model.memory]);
                waiting.memory.resize(waiting.names.len() * width, 0.0);
            }
        }
        let side = Self::side(self.step);
        let (device, tables, world) = (&*self.device, &mut self.tables, &mut self.world);
        self.contacts = between.names.len();
        world.carried = self.contacts as u64;
        tables.carried_a.set(device, &between.each(|name| sphere(name.a)))?;
        tables.carried_b.set(device, &between.each(|name| sphere(name.b)))?;
        world.carried_a = tables.carried_a.address();
        world.carried_b = tables.carried_b.address();
        tables.memory[side].set(device, &to_columns(&between.memory, width, self.contacts))?;
        tables.stride[side] = self.contacts;
        let slots = with_walls.names.len();
        world.carried_slots = slots as u64;
        tables.carried_sphere.set(device, &with_walls.each(|name| sphere(name.a)))?;
        tables.carried_wall.set(device, &with_walls.each(|name| name.b[0]))?;
        tables.carried_feature.set(device, &with_walls.each(|name| name.feature + 1))?;
        tables.carried_memory.set(device, &to_columns(&with_walls.memory, width, slots))
    }
}

/// Contacts of all models that have no place yet.
#[derive(Default)]
struct Waiting {
    names: Vec<ContactName>,
    memory: Vec<f64>,
}

impl Waiting {
    fn each(&self, of: impl Fn(&ContactName) -> u32) -> Vec<u32> {
        self.names.iter().map(of).collect()
    }
}

/// As in `kernels/common.cu`.
fn kind_numbers(kind: &Kind, precision: Precision) -> [f64; KIND_NUMBERS] {
    let unit = match precision {
        Precision::Double => 1.0,
        Precision::Single => kind.unit,
    };
    let [a, b, c] = kind.moments.map(|moment| moment * unit);
    let [d, e, f] = kind.inverse;
    let [g, h, i] = kind.inverse.map(|inverse| inverse / unit);
    let (arm, bounding, scale) = (kind.arm, kind.bounding, kind.scale);
    [kind.mass, a, b, c, kind.inverse_mass, d, e, f, arm, bounding, scale, unit, g, h, i, 0.0]
}

/// A body as laws see it, and the number of its kind.
fn record_numbers((at, kind): (&[f64; 13], &u32)) -> [f64; RECORD] {
    core::array::from_fn(|k| at.get(k).copied().unwrap_or(f64::from(*kind)))
}

/// As in `kernels/walls.cu`.
fn kind_number(kind: SurfaceKind) -> u32 {
    match kind {
        SurfaceKind::Plane => 0,
        SurfaceKind::Box => 1,
        SurfaceKind::Cylinder(Side::Inside) => 2,
        SurfaceKind::Cylinder(Side::Outside) => 3,
        SurfaceKind::Frustum(Side::Inside) => 4,
        SurfaceKind::Frustum(Side::Outside) => 5,
        SurfaceKind::Mesh => 6,
    }
}

/// As in `kernels/pieces.cu`.
const fn role_number(role: Role) -> u32 {
    match role {
        Role::Sphere => 0,
        Role::FirstEnd => 1,
        Role::Ellipsoid => 3,
        Role::SecondEnd => 4,
        // Polyhedra are not taken.
        Role::Tip | Role::Corner | Role::Edge(_) | Role::Core(_) => 5,
    }
}

/// Where things begin that have so many parts each, and where the last one ends.
fn beginnings(parts: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut first = vec![0];
    let mut end = 0;
    for count in parts {
        end += u32::try_from(count).unwrap_or(0);
        first.push(end);
    }
    first
}
