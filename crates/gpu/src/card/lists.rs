//! New lists, in the midst of a step: bodies have moved, and contacts of the step before look for their places.

use super::{CONTACT_TILE, Card, SCAN_THREADS, Tables, usize_of};
use crate::device::DeviceError;
use crate::source::any_masses;
use crate::table::Table;
use crate::world::Address;
use tumble_dem::wall::Region;
use tumble_dem::{LabVec, domain::Axis};

/// Numbers that a block sums up: as in `kernels/scan.cu`.
const SCAN_TILE: usize = 1024;

/// The skin, as parts of the mean radius: at first, at least, and at most.
const FIRST_SKIN: f64 = 0.2;
const SKIN_RANGE: [f64; 2] = [0.05, 0.8];

/// Steps that lists should last: a build takes about as long as a few steps, and each candidate costs in every step.
const LASTING: [u64; 2] = [25, 80];

/// By how much the skin is changed when they do not.
const CHANGE: f64 = 1.25;

impl Card {
    /// Builds the lists for the present positions. Contacts are those of the step before this one.
    pub(super) fn build_lists(&mut self, step: u64) -> Result<(), DeviceError> {
        self.choose_skin(step);
        self.tables.halt.set(&*self.device, &[u64::MAX])?;
        self.tables.why.set(&*self.device, &[0])?;
        self.tables.travelled.clear(&*self.device, self.rows())?;
        self.make_cells()?;
        self.find_pairs()?;
        self.find_links()?;
        self.carry(step)?;
        self.find_slots(step)?;
        self.built_at = step;
        self.builds += 1;
        Ok(())
    }

    fn choose_skin(&mut self, step: u64) {
        let radius = self.plan.mean_radius;
        let lasted = step.saturating_sub(self.built_at);
        let mut skin = self.world.skin;
        if self.builds == 0 {
            skin = FIRST_SKIN * radius;
        } else if lasted < LASTING[0] {
            skin *= CHANGE;
        } else if lasted > LASTING[1] {
            skin /= CHANGE;
        }
        let [least, most] = SKIN_RANGE.map(|part| part * radius);
        // A contact that ends in this step still has to be in the lists, so that it can be seen to end.
        let ending = 2.0 * self.longest * (1.0 + 1e-9);
        let chosen = skin.clamp(least, most).max(ending).min(self.plan.largest_skin);
        self.world.skin =
            self.plan.skin.map_or(chosen, |given| given.max(ending).min(self.plan.largest_skin));
        self.world.reach = self.world.skin + self.range();
    }

    /// Contacts of the step before are told which spheres they are of.
    pub(super) fn note_carried(&mut self, step: u64) -> Result<(), DeviceError> {
        if self.builds == 0 {
            return Ok(()); // They came from the host, which told them.
        }
        let (before, device) = (Self::side(step - 1), self.device.clone());
        self.tables.carried_a.reserve(&*device, self.contacts)?;
        self.tables.carried_b.reserve(&*device, self.contacts)?;
        self.world.carried = self.contacts as u64;
        self.world.carried_a = self.tables.carried_a.address();
        self.world.carried_b = self.tables.carried_b.address();
        self.world.odd = 1 - before as u64;
        self.world.carried_over = (step == self.built_at).into();
        self.launch("note_carried", usize_of(self.world.candidates))?;
        let slots = usize_of(self.world.slots);
        let tables = &mut self.tables;
        tables.carried_sphere.copy(&*device, &tables.slot_sphere, slots)?;
        tables.carried_wall.copy(&*device, &tables.slot_wall, slots)?;
        tables.carried_feature.copy(&*device, &tables.slot_touching[before], slots)?;
        tables.carried_memory.copy(&*device, &tables.slot_memory[before], slots * self.plan.memory)?;
        self.world.carried_slots = self.world.slots;
        Ok(())
    }

    /// Rows by cells as large as the largest two bodies that may be near.
    fn make_cells(&mut self) -> Result<(), DeviceError> {
        let (rows, device) = (self.rows(), self.device.clone());
        let device = &*device;
        let none = [u64::MAX, u64::MAX, u64::MAX, 0, 0, 0];
        self.tables.extent.set(device, &none)?;
        self.world.extent = self.tables.extent.address();
        self.launch_blocks("find_extent", rows.div_ceil(256).min(1024), 256)?;
        let ends = self.tables.extent.read(device, 0, 6)?;
        let smallest = 2.0 * self.plan.largest + self.world.reach;
        let most = (4 * rows).max(64);
        let mut size = smallest;
        let ends: [[f64; 2]; 3] = core::array::from_fn(|axis| match self.plan.domain.axes[axis] {
            Axis::Periodic { low, high } => [low, high],
            Axis::Open => [number(ends[axis]), number(ends[3 + axis])],
        });
        let cells = loop {
            let along = ends.map(|[low, high]| ((high - low) / size).floor().clamp(1.0, 1e6));
            if along[0] * along[1] * along[2] <= most as f64 {
                break along;
            }
            size *= 1.25;
        };
        for (axis, [low, high]) in ends.into_iter().enumerate() {
            self.world.cell_low[axis] = low;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to a million")]
            let along = cells[axis] as u64;
            self.world.cells_along[axis] = along;
            self.world.cell_size[axis] = ((high - low) / cells[axis]).max(smallest);
        }
        self.region = self.region_of(ends);
        let count = usize_of(self.world.cells_along.iter().product());
        let tables = &mut self.tables;
        tables.cell_count.reserve(device, count)?;
        tables.cell_count.clear(device, count)?;
        tables.cell_first.reserve(device, count + 1)?;
        self.world.cell_count = tables.cell_count.address();
        self.world.cell_first = tables.cell_first.address();
        self.launch("bin_rows", rows)?;
        self.scan(self.world.cell_count, |tables| &tables.cell_first, count)?;
        self.launch("fill_cells", rows)
    }

    /// A ball that holds all bodies until the next build.
    fn region_of(&self, ends: [[f64; 2]; 3]) -> Region {
        let [centre, half]: [[f64; 3]; 2] =
            [ends.map(|[low, high]| 0.5 * low + 0.5 * high), ends.map(|[low, high]| 0.5 * (high - low))];
        let radius = LabVec::<f64>::from_array(half).norm() + 2.0 * self.plan.largest + self.world.reach;
        Region { centre: LabVec::from_array(centre), radius }
    }

    /// Near bodies by their later row, and the near spheres of those.
    fn find_pairs(&mut self) -> Result<(), DeviceError> {
        let (rows, device) = (self.rows(), self.device.clone());
        let device = &*device;
        self.launch("count_near", rows)?;
        let pairs = self.scan(self.world.near_count, |tables| &tables.near_first, rows)?;
        let (tables, world) = (&mut self.tables, &mut self.world);
        for table in
            [&mut tables.near_key, &mut tables.pair_key, &mut tables.pair_later, &mut tables.pair_count]
        {
            table.reserve(device, pairs)?;
        }
        tables.pair_first.reserve(device, pairs + 1)?;
        world.pairs = pairs as u64;
        world.near_key = tables.near_key.address();
        world.pair_key = tables.pair_key.address();
        world.pair_later = tables.pair_later.address();
        world.pair_count = tables.pair_count.address();
        world.pair_first = tables.pair_first.address();
        self.launch("find_near", rows)?;
        self.launch("sort_near", pairs)?;
        self.launch("count_pairs", pairs)?;
        let candidates = self.scan(self.world.pair_count, |tables| &tables.pair_first, pairs)?;
        let (tables, world) = (&mut self.tables, &mut self.world);
        tables.candidate.reserve(device, 4 * candidates)?;
        tables.candidate_span.reserve(device, candidates)?;
        let words = candidates.div_ceil(32);
        tables.later_first.reserve(device, words)?;
        tables.later_first.clear(device, words)?;
        if self.plan.models.len() > 1 {
            tables.model_bits.reserve(device, self.plan.models.len() * words)?;
            tables.model_bits.clear(device, self.plan.models.len() * words)?;
            world.model_bits = tables.model_bits.address();
        }
        world.candidates = candidates as u64;
        world.candidate = tables.candidate.address();
        world.candidate_span = tables.candidate_span.address();
        world.later_first = tables.later_first.address();
        if any_masses(&self.plan) {
            tables.several.reserve(device, pairs)?;
            tables.several_found.set(device, &[0])?;
            world.several = tables.several.address();
            world.several_found = tables.several_found.address();
        }
        self.launch("find_pairs", pairs)?;
        if any_masses(&self.plan) {
            self.world.several_count = self.tables.several_found.get(device, 0)?.into();
        }
        self.launch("begin_rows", rows + 1)
    }

    /// The same pairs of bodies by their earlier row.
    fn find_links(&mut self) -> Result<(), DeviceError> {
        let (rows, pairs, device) = (self.rows(), usize_of(self.world.pairs), self.device.clone());
        self.tables.link_count.clear(&*device, rows)?;
        self.launch("count_links", pairs)?;
        let links = self.scan(self.world.link_count, |tables| &tables.link_first, rows)?;
        let (tables, world) = (&mut self.tables, &mut self.world);
        tables.link_unsorted.reserve(&*device, links)?;
        tables.link.reserve(&*device, 2 * links)?;
        world.links = links as u64;
        world.link_unsorted = tables.link_unsorted.address();
        world.link = tables.link.address();
        self.launch("find_links", pairs)?;
        self.launch("sort_links", links)
    }

    /// Contacts between bodies find their candidates.
    fn carry(&mut self, step: u64) -> Result<(), DeviceError> {
        let (device, before) = (self.device.clone(), Self::side(step - 1));
        let (candidates, tables, world) =
            (usize_of(self.world.candidates), &mut self.tables, &mut self.world);
        let (words, tiles) = (candidates.div_ceil(32), candidates.div_ceil(CONTACT_TILE));
        tables.words.reserve(&*device, 4 * words.max(1))?;
        tables.words.clear(&*device, 4 * words)?;
        for table in [&mut tables.tile_count, &mut tables.tile_first] {
            table.reserve(&*device, tiles)?;
        }
        tables.was.reserve(&*device, candidates)?;
        world.words = tables.words.address();
        world.odd = 1 - before as u64;
        world.tile_count = tables.tile_count.address();
        world.tile_first = tables.tile_first.address();
        world.was = tables.was.address();
        self.launch("carry", usize_of(self.world.carried))
    }

    /// Spheres near walls; contacts with those find their slots.
    fn find_slots(&mut self, step: u64) -> Result<(), DeviceError> {
        if self.world.walls == 0 {
            return Ok(());
        }
        let (rows, device, before) = (self.rows(), self.device.clone(), Self::side(step - 1));
        let device = &*device;
        self.launch("count_slots", rows)?;
        let slots = self.scan(self.world.slot_count, |tables| &tables.slot_first, rows)?;
        self.find_triangles(slots)?;
        let (tables, world) = (&mut self.tables, &mut self.world);
        let (memory, outcome) = (self.plan.memory, self.plan.outcome);
        for table in
            [&mut tables.slot_sphere, &mut tables.slot_wall, &mut tables.slot_face, &mut tables.slot_ended]
        {
            table.reserve(device, slots)?;
        }
        tables.slot_touching.iter_mut().try_for_each(|table| table.reserve(device, slots))?;
        tables.slot_memory.iter_mut().try_for_each(|table| table.reserve(device, slots * memory))?;
        tables.slot_outcome.reserve(device, slots * outcome)?;
        tables.slot_geometry.reserve(device, slots * 9)?;
        tables.slot_touching[before].clear(device, slots)?;
        world.slots = slots as u64;
        world.slot_sphere = tables.slot_sphere.address();
        world.slot_wall = tables.slot_wall.address();
        world.slot_face = tables.slot_face.address();
        world.slot_ended = tables.slot_ended.address();
        world.slot_outcome = tables.slot_outcome.address();
        world.slot_geometry = tables.slot_geometry.address();
        world.slot_was = tables.slot_touching[before].address();
        world.slot_memory_old = tables.slot_memory[before].address();
        world.carried_sphere = tables.carried_sphere.address();
        world.carried_wall = tables.carried_wall.address();
        world.carried_feature = tables.carried_feature.address();
        world.carried_memory = tables.carried_memory.address();
        self.launch("find_slots", rows)?;
        self.launch("carry_slots", usize_of(self.world.carried_slots))
    }

    /// Sums of all numbers before each, and of all of them, which is told.
    pub(super) fn scan(
        &mut self,
        from: Address<u32>,
        to: fn(&Tables) -> &Table<u32>,
        count: usize,
    ) -> Result<usize, DeviceError> {
        let tiles = count.div_ceil(SCAN_TILE);
        self.tables.scan_sums.reserve(&*self.device, tiles + 1)?;
        self.world.scan_count = count as u64;
        self.world.scan_from = from;
        self.world.scan_to = to(&self.tables).address();
        self.world.scan_sums = self.tables.scan_sums.address();
        self.launch_blocks("scan_tiles", tiles, SCAN_THREADS)?;
        self.launch_blocks("scan_sums", 1, SCAN_THREADS)?;
        self.launch_blocks("scan_add", tiles, SCAN_THREADS)?;
        Ok(to(&self.tables).get(&*self.device, count)? as usize)
    }
}

/// The number that an ordered integer stands for: the inverse of `ordered` in `kernels/lists.cu`.
fn number(ordered: u64) -> f64 {
    let bits = if ordered >> 63 == 1 { ordered ^ (1 << 63) } else { !ordered };
    f64::from_bits(bits)
}
