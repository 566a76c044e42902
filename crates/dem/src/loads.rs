//! What is not a contact: loads of walls, drag, prescribed fields, the work of hands.
//!
//! Each field is asked once per step and body. Threads share the rows out; what a row gets depends on that row alone.

use crate::bodies::{BOOKS, Book, Load};
use crate::contact::load_walls;
use crate::engine::Engine;
use crate::error::{Stop, StopCause};
use crate::field::{self, BodyView};
use std::time::Instant;

/// Rows from the first on: what acts on them, and their books.
type Rows<'a> = (usize, &'a mut [Load], &'a mut [[f64; BOOKS]]);

impl Engine {
    /// Has the forces on all bodies evaluated, for the present instant.
    pub(crate) fn ask_batch_fields(&mut self) -> Result<(), Stop> {
        self.bodies.prescribed.clear();
        if self.batch_fields.is_empty() {
            return Ok(());
        }
        let begin = Instant::now();
        let views: Vec<BodyView> = self.bodies.ids.rows().map(|row| self.view(row)).collect();
        let mut loads = vec![field::Load::ZERO; views.len()];
        for field in &self.batch_fields {
            if let Err(reason) = field.add_loads(&views, self.time(), &mut loads) {
                return Err(self.stop(0, StopCause::Prescribed { reason }));
            }
        }
        let bodies = &mut self.bodies;
        bodies.prescribed.resize(bodies.len(), Load::default());
        for (row, load) in bodies.ids.rows().zip(loads) {
            bodies.prescribed[row] = load.into();
        }
        self.times.add_fields += begin.elapsed();
        Ok(())
    }

    /// Adds what is not a contact to the forces of the present instant, and to the books.
    pub(crate) fn add_fields(&mut self) {
        let begin = Instant::now();
        // For whoever may look.
        if self.observed {
            let mut loads = core::mem::take(&mut self.loads);
            load_walls(&self.contacts, self.scene(), &mut loads);
            self.loads = loads;
        }
        if self.has_fields() || self.bodies.held.contains(&true) {
            // Taken out, so that the rest of the engine can be looked at while they change.
            let mut acting = core::mem::take(&mut self.bodies.acting);
            let mut books = core::mem::take(&mut self.bodies.books);
            self.threads.install(|| {
                self.threads.split_rows(
                    (0, &mut acting[..], &mut books[..]),
                    |rows: &Rows<'_>| rows.1.len(),
                    |(first, acting, books): Rows<'_>, middle| {
                        let (acting, more) = acting.split_at_mut(middle);
                        let (books, more_books) = books.split_at_mut(middle);
                        ((first, acting, books), (first + middle, more, more_books))
                    },
                    |rows| self.add_to_rows(rows),
                )
            });
            self.bodies.acting = acting;
            self.bodies.books = books;
        }
        self.times.add_fields += begin.elapsed();
    }

    fn add_to_rows(&self, (first, acting, books): Rows<'_>) {
        let dt = self.settings.dt;
        for (row, (acting, books)) in (first..).zip(acting.iter_mut().zip(books)) {
            let (load, drag_power, field_power) = self.field_load(row);
            if self.has_fields() {
                let (force, torque) = (load.force.to_array(), load.torque.to_array());
                for axis in 0..3 {
                    acting.force[axis] += force[axis];
                    acting.torque[axis] += torque[axis];
                }
                books[Book::Drag as usize] += drag_power * dt;
                books[Book::FieldWork as usize] += field_power * dt;
            }
            if self.bodies.held[row] {
                books[Book::HandWork as usize] += self.hand_power(row, acting, &load) * dt;
            }
        }
    }

    /// Whether anything acts on bodies beside contacts and weights.
    pub(crate) fn has_fields(&self) -> bool {
        self.drag.is_some() || !self.fields.is_empty() || !self.bodies.prescribed.is_empty()
    }
}
