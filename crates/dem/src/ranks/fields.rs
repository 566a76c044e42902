//! Forces that are asked for all bodies at once: rank 0 asks, with all of them in the order of their ids, as on one process.

use super::link::{Halt, of_bytes, to_bytes};
use super::part::Part;
use crate::bodies::Wrench;
use crate::field::{BodyView, Load};
use crate::id::BodyId;
use tumble_math::{LabVec, Quat};

/// Numbers of a body on its way, and of a load.
const VIEW: usize = 16;
const LOAD: usize = 6;

impl Part {
    /// Has the forces on all bodies evaluated, for the present instant.
    pub(super) fn ask_batch_fields(&mut self) -> Result<(), Halt> {
        self.engine.space.bodies.prescribed.clear();
        if self.engine.rules.batch_fields.is_empty() {
            return Ok(());
        }
        let own = (0..self.own).flat_map(|row| numbers_of(&self.engine.view(row)));
        let all = self.link.gather(to_bytes(own))?;
        let answers = if self.link.rank() == 0 { self.answer(&all) } else { Vec::new() };
        let messages = answers.into_iter().chain(core::iter::repeat(Vec::new())).take(self.link.count());
        let received = self.link.all_to_all(messages.collect())?;
        let loads: Vec<f64> = received.first().into_iter().flat_map(|bytes| of_bytes(bytes)).collect();
        let bodies = &mut self.engine.space.bodies;
        bodies.prescribed.resize(bodies.len(), Wrench::default());
        for (own, [fx, fy, fz, tx, ty, tz]) in bodies.prescribed.iter_mut().zip(loads.as_chunks::<LOAD>().0) {
            *own = Wrench { force: [*fx, *fy, *fz], torque: [*tx, *ty, *tz] };
        }
        // Without an answer, something is wrong with a field.
        self.trouble |= loads.len() != LOAD * self.own;
        Ok(())
    }

    /// The loads for the bodies of each rank, in the order in which it has them; nothing for anybody if a field fails.
    fn answer(&self, all: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut views: Vec<(usize, BodyView)> = Vec::new();
        for (rank, bytes) in all.iter().enumerate() {
            let numbers: Vec<f64> = of_bytes(bytes).collect();
            views.extend(numbers.as_chunks::<VIEW>().0.iter().map(|numbers| (rank, view_of(numbers))));
        }
        let mut order: Vec<usize> = (0..views.len()).collect();
        order.sort_unstable_by_key(|index| views[*index].1.id.0);
        let by_id: Vec<BodyView> = order.iter().map(|index| views[*index].1).collect();
        let mut loads = vec![Load::ZERO; by_id.len()];
        let time = self.engine.time();
        let mut fields = self.engine.rules.batch_fields.iter();
        if !fields.all(|field| field.add_loads(&by_id, time, &mut loads).is_ok()) {
            return Vec::new();
        }
        let mut of_views = vec![Load::ZERO; views.len()];
        for (index, load) in order.into_iter().zip(loads) {
            of_views[index] = load;
        }
        let mut answers = vec![Vec::new(); all.len()];
        for ((rank, _), Load { force, torque }) in views.iter().zip(of_views) {
            answers[*rank].extend(to_bytes(force.to_array().into_iter().chain(torque.to_array())));
        }
        answers
    }
}

fn numbers_of(view: &BodyView) -> [f64; VIEW] {
    let ([x, y, z], [u, v, w]) = (view.position.to_array(), view.velocity.to_array());
    let ([a, b, c, d], [e, f, g]) = (view.orientation.to_array(), view.angular_velocity.to_array());
    [
        f64::from_bits(view.id.0.into()),
        view.mass,
        view.equivalent_radius,
        x,
        y,
        z,
        u,
        v,
        w,
        a,
        b,
        c,
        d,
        e,
        f,
        g,
    ]
}

fn view_of([id, mass, equivalent_radius, x, y, z, u, v, w, a, b, c, d, e, f, g]: &[f64; VIEW]) -> BodyView {
    BodyView {
        id: BodyId(u32::try_from(id.to_bits()).unwrap_or(u32::MAX)),
        mass: *mass,
        equivalent_radius: *equivalent_radius,
        position: LabVec::new(*x, *y, *z),
        velocity: LabVec::new(*u, *v, *w),
        orientation: Quat::new(*a, *b, *c, *d),
        angular_velocity: LabVec::new(*e, *f, *g),
    }
}
