//! How long bodies stay: since they were first seen in the region, or at all.

use super::{Info, Measure, is_meant, ratio};
use crate::bytes::{Input, put_count, put_number};
use crate::citations::DANCKWERTS_1953;
use crate::{Column, Key, Region, View};

pub(super) const INFO: Info = Info {
    name: "residence",
    summary: "how long bodies have been in a region, or in the simulation, and how long those that left had stayed",
    citation: Some(DANCKWERTS_1953),
    needs: &[],
    takes: &[Key::Region],
    columns: &[
        Column::mean("age", "s", "mean age of the bodies inside: since the sample that first saw them there"),
        Column::largest("oldest", "s", "the largest age"),
        Column::last("left", "", "bodies that have left since the start"),
        Column::last("stay", "s", "how long they had stayed, on average"),
    ],
    make: |options| {
        let region = options.region.clone();
        Box::new(Residence { region, inside: Vec::new(), left: 0, stayed: 0.0 })
    },
};

#[derive(Debug)]
struct Residence {
    region: Option<Region>,
    /// Bodies inside, by number, and when each was first seen there.
    inside: Vec<(u32, f64)>,
    left: u64,
    /// The sum of the times that those who left had stayed, s.
    stayed: f64,
}

impl Measure for Residence {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let time = now.time();
        let mut inside = Vec::with_capacity(self.inside.len());
        let mut earlier = self.inside.iter().copied().peekable();
        let mut gone = |since: f64| {
            self.left += 1;
            self.stayed += time - since;
        };
        for body in now.bodies().iter().filter(|body| is_meant(self.region.as_ref(), body)) {
            while let Some((_, since)) = earlier.next_if(|(id, _)| *id < body.id.0) {
                gone(since);
            }
            let known = earlier.next_if(|(id, _)| *id == body.id.0);
            inside.push((body.id.0, known.map_or(time, |(_, since)| since)));
        }
        earlier.for_each(|(_, since)| gone(since));
        let ages = || inside.iter().map(|(_, since)| time - since);
        values.push(ratio(ages().sum(), inside.len()));
        values.push(ages().reduce(f64::max).unwrap_or(f64::NAN));
        values.push(self.left as f64);
        values.push(if self.left == 0 { f64::NAN } else { self.stayed / self.left as f64 });
        self.inside = inside;
    }

    fn remember(&self, out: &mut Vec<u8>) {
        put_count(self.left, out);
        put_number(self.stayed, out);
        put_count(self.inside.len() as u64, out);
        for (id, since) in &self.inside {
            put_count(u64::from(*id), out);
            put_number(*since, out);
        }
    }

    fn recall(&mut self, input: &mut Input<'_>) -> Option<()> {
        self.left = input.count()?;
        self.stayed = input.number()?;
        self.inside.clear();
        for _ in 0..input.length(16)? {
            let id = u32::try_from(input.count()?).ok()?;
            self.inside.push((id, input.number()?));
        }
        Some(())
    }
}
