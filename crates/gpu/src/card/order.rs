//! Another order of the rows, every so many steps: as the engine has it, and at the same steps.

use super::tables::Tables;
use super::{Card, RECORD, usize_of};
use crate::device::DeviceError;
use crate::table::Table;
use tumble_dem::Engine;

impl Card {
    /// Lays the rows out along the curve through space, in the midst of a step: bodies have moved, and contacts of the step before
    /// know their spheres. Lists have to be built after it.
    pub(super) fn reorder(&mut self, engine: &Engine) -> Result<(), DeviceError> {
        let (rows, device) = (self.rows(), self.device.clone());
        let device = &*device;
        let positions = self.tables.position.columns(device, rows)?;
        let (curve, order) = engine.new_order(&positions, &self.tables.id);
        let mut new_row = vec![0; rows];
        for (new, old) in (0..).zip(&order) {
            new_row[*old as usize] = new;
        }
        self.tables.order.set(device, &order)?;
        self.tables.new_row.set(device, &new_row)?;
        self.world.order = self.tables.order.address();
        self.world.new_row = self.tables.new_row.address();
        let of = |old: &u32| *old as usize;
        self.tables.curve = order.iter().map(|old| curve[of(old)]).collect();
        self.tables.id = order.iter().map(|old| self.tables.id[of(old)]).collect();
        self.tables.kind_of_row = order.iter().map(|old| self.tables.kind_of_row[of(old)]).collect();
        self.permute_tables()?;
        self.rename_spheres()
    }

    fn permute_tables(&mut self) -> Result<(), DeviceError> {
        let (books, width) = (self.plan.books as u64, self.plan.rotation.scheme.memory_width() as u64);
        self.permute("permute_columns", 3, |tables| &mut tables.position)?;
        self.permute("permute_columns", 3, |tables| &mut tables.velocity)?;
        self.permute("permute_columns", 4, |tables| &mut tables.q)?;
        self.permute("permute_columns", 3, |tables| &mut tables.omega)?;
        self.permute("permute_columns", width, |tables| &mut tables.scheme_memory)?;
        self.permute("permute_columns", books, |tables| &mut tables.books)?;
        self.permute("permute_rows", RECORD as u64, |tables| &mut tables.record)?;
        self.permute_numbers(|tables| &mut tables.ids)?;
        self.permute_numbers(|tables| &mut tables.kind)?;
        let (world, tables) = (&mut self.world, &self.tables);
        world.position = tables.position.address();
        world.velocity = tables.velocity.address();
        world.q = tables.q.address();
        world.omega = tables.omega.address();
        world.scheme_memory = tables.scheme_memory.address();
        world.books = tables.books.address();
        world.record = tables.record.address();
        world.id = tables.ids.address();
        world.kind = tables.kind.address();
        Ok(())
    }

    /// Has the rows of a table follow, by way of a spare one, which takes its place.
    fn permute(
        &mut self,
        kernel: &str,
        columns: u64,
        table: impl Fn(&mut Tables) -> &mut Table<f64>,
    ) -> Result<(), DeviceError> {
        let numbers = self.rows() * usize_of(columns);
        let mut spare = core::mem::take(&mut self.tables.spare);
        spare.reserve(&*self.device, numbers)?;
        self.world.permuted = columns;
        self.world.permute_from = table(&mut self.tables).address();
        self.world.permute_to = spare.address();
        self.launch(kernel, if kernel == "permute_rows" { numbers } else { self.rows() })?;
        core::mem::swap(table(&mut self.tables), &mut spare);
        self.tables.spare = spare;
        Ok(())
    }

    fn permute_numbers(&mut self, table: impl Fn(&mut Tables) -> &mut Table<u32>) -> Result<(), DeviceError> {
        let mut spare = core::mem::take(&mut self.tables.spare_numbers);
        spare.reserve(&*self.device, self.rows())?;
        self.world.permute_numbers_from = table(&mut self.tables).address();
        self.world.permute_numbers_to = spare.address();
        self.launch("permute_numbers", self.rows())?;
        core::mem::swap(table(&mut self.tables), &mut spare);
        self.tables.spare_numbers = spare;
        Ok(())
    }

    /// Spheres are numbered by rows: those of bodies, and those that contacts know.
    fn rename_spheres(&mut self) -> Result<(), DeviceError> {
        let [old_first, old_owner] =
            [&mut self.tables.first_sphere, &mut self.tables.owner].map(core::mem::take);
        self.world.old_first_sphere = old_first.address();
        self.world.old_owner = old_owner.address();
        self.lay_out_spheres()?;
        self.launch("rename_carried", usize_of(self.world.carried))?;
        self.launch("rename_carried_slots", usize_of(self.world.carried_slots))?;
        self.launch("place", self.rows())?;
        // What is launched still reads the old ones.
        self.device.finish()
    }
}
