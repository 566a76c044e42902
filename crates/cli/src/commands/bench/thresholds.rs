//! `tumble bench --calibrate=thresholds`: where one of two ways to the same bits becomes the faster one.
//!
//! Both ways are taken on both sides of every threshold, in turn on the same engine, and the point at which they cost the
//! same is printed beside the one in use. The scenes are chosen for that; they are none of those on the command line.

use super::measure::{a_second_of_steps, advance};
use super::scenes::{self, Scene};
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::signals::Interrupt;
use std::time::{Duration, Instant};
use tumble_dem::calibration::Thresholds;
use tumble_dem::{Engine, SavedState, SchemeKind, Settings, StageTimes};
use tumble_report::{Cell, Table};

const COLUMNS: [&str; 7] =
    ["threshold", "used", "scene", "at", "ns_per_body_below", "ns_per_body_above", "equal_at"];

/// How long is measured, and how it is printed.
pub(super) struct Calibration<'a> {
    pub(super) steps: Option<u64>,
    pub(super) repeat: u32,
    pub(super) scheme: SchemeKind,
    pub(super) format: Format,
    pub(super) interrupt: &'a Interrupt,
}

/// Both ways at one point.
struct Point {
    scene: String,
    /// What the threshold is about, here.
    at: f64,
    /// What is done below the threshold costs this, ns per body and step.
    below: f64,
    /// What is done above it; nothing if there is one way, of which the best is looked for.
    above: Option<f64>,
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

impl Calibration<'_> {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let used = Thresholds::USED;
        let packing = self.packing();
        let packing = packing.map_err(|error| Failure::Failed(format!("the packing: {error}")))?;
        let mut table = Table::new("", &COLUMNS);
        let mut add = |name: &str, used: usize, points: Outcome<Vec<Point>>| {
            let points = points.map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
            let equal = equal_at(&points).map_or(Cell::Empty, |at| Cell::Number(round(at)));
            for Point { scene, at, below, above } in points {
                table.rows.push(vec![
                    name.into(),
                    Cell::Count(used as u64),
                    scene.into(),
                    Cell::Number(round(at)),
                    Cell::Number(round(below)),
                    above.map_or(Cell::Empty, |above| Cell::Number(round(above))),
                    equal.clone(),
                ]);
            }
            Ok::<(), Failure>(())
        };
        add("pairs_per_contact", used.pairs_per_contact, self.pairs_per_contact(&packing))?;
        add("pairs_per_segment", used.pairs_per_segment, self.pairs_per_segment(&packing))?;
        add("contacts_to_share", used.contacts_to_share, self.contacts_to_share())?;
        add("spheres_to_place", used.spheres_to_place, self.spheres_to_place())?;
        add("rows_in_cache", used.rows_in_cache, self.rows_in_cache())?;
        let heap = self.heap();
        let heap = heap.map_err(|error| Failure::Failed(format!("the heap: {error}")))?;
        add("rows_between", used.rows_between, self.rows_between(&heap))?;
        add("parts_per_list", used.parts_per_list, self.parts_per_list(&heap))?;
        add("pieces_per_thread", used.pieces_per_thread, self.pieces_per_thread())?;
        add("bodies_per_piece", used.bodies_per_piece, self.bodies_per_piece())?;
        add("sphere_pairs", used.sphere_pairs, self.sphere_pairs())?;
        if self.interrupt.requested() {
            return Err(Failure::Interrupted("nothing was printed".into()));
        }
        output::print(&output::table(&table, self.format))
    }

    /// In a packing, whose lists last whatever they hold, the skin decides how many of the listed pairs touch.
    fn pairs_per_contact(&self, packing: &Packing) -> Outcome<Vec<Point>> {
        let ways =
            [usize::MAX, 0].map(|pairs_per_contact| Thresholds { pairs_per_contact, ..Thresholds::USED });
        let point = |radii: f64| {
            let mut engine = packing.engine(self, 1, Some(radii * scenes::SETTLING_RADIUS))?;
            self.until_lists_are_new(&mut engine)?;
            let at = engine.listed_pairs() as f64 / engine.contact_count().max(1) as f64;
            self.point(&packing.name, at, &mut engine, ways, |times, _| times.find_contacts)
        };
        [0.02, 0.1, 0.3, 0.8, 1.5].into_iter().map(point).collect()
    }

    /// How long segments are is told when contacts get their places.
    fn pairs_per_segment(&self, packing: &Packing) -> Outcome<Vec<Point>> {
        let point = |pairs_per_segment: usize| {
            let mut engine = packing.engine(self, 1, None)?;
            engine.set_thresholds(Thresholds { pairs_per_segment, ..Thresholds::USED });
            engine.restore(&packing.state)?;
            self.size(&packing.name, pairs_per_segment, &mut engine, |_, whole| whole)
        };
        [128, 512, 2048, 8192, 32768].into_iter().map(point).collect()
    }

    /// Rods that have begun to lie on each other, on all threads.
    fn contacts_to_share(&self) -> Outcome<Vec<Point>> {
        let ways =
            [usize::MAX, 0].map(|contacts_to_share| Thresholds { contacts_to_share, ..Thresholds::USED });
        let point = |count: usize| {
            let mut engine = self.engine(scenes::settling(count)?, 0, None)?;
            advance(&mut engine, 4000, self.interrupt)?;
            let at = engine.contacts_added_last() as f64;
            self.point(&format!("settle-{count}"), at, &mut engine, ways, |_, whole| whole)
        };
        [100, 300, 1000, 3000].into_iter().map(point).collect()
    }

    fn spheres_to_place(&self) -> Outcome<Vec<Point>> {
        let ways =
            [usize::MAX, 0].map(|spheres_to_place| Thresholds { spheres_to_place, ..Thresholds::USED });
        let point = |spheres: u32| {
            // Few enough for long ones to find room.
            let mut engine = self.engine(scenes::rods_of(1000, spheres, 0.02)?, 1, None)?;
            let name = format!("rods-1000 of {spheres} spheres");
            self.point(&name, f64::from(spheres), &mut engine, ways, |times, _| times.move_bodies)
        };
        [2, 4, 8, 16].into_iter().map(point).collect()
    }

    fn rows_in_cache(&self) -> Outcome<Vec<Point>> {
        let ways = [usize::MAX, 0].map(|rows_in_cache| Thresholds { rows_in_cache, ..Thresholds::USED });
        let point = |count: usize| {
            let mut engine = self.engine(scenes::rods_of(count, 3, 0.15)?, 1, None)?;
            let name = format!("rods-{count}");
            self.point(&name, count as f64, &mut engine, ways, |times, _| times.move_bodies)
        };
        [1000, 4000, 16_000, 64_000].into_iter().map(point).collect()
    }

    /// On one thread, asked for ahead of time however few bodies there are.
    fn rows_between(&self, heap: &Packing) -> Outcome<Vec<Point>> {
        let mut engine = heap.engine(self, 1, None)?;
        let point = |rows_between: usize| {
            engine.set_thresholds(Thresholds { rows_between, rows_in_cache: 0, ..Thresholds::USED });
            self.size(&heap.name, rows_between, &mut engine, |times, _| times.apply_laws)
        };
        [8, 64, 512, 4096].into_iter().map(point).collect()
    }

    /// On all threads.
    fn parts_per_list(&self, heap: &Packing) -> Outcome<Vec<Point>> {
        let mut engine = heap.engine(self, 0, None)?;
        let point = |parts_per_list: usize| {
            engine.set_thresholds(Thresholds { parts_per_list, ..Thresholds::USED });
            self.size(&heap.name, parts_per_list, &mut engine, |_, whole| whole)
        };
        [1, 2, 4, 8, 16].into_iter().map(point).collect()
    }

    /// On all threads, with new lists in every step.
    fn pieces_per_thread(&self) -> Outcome<Vec<Point>> {
        let mut engine = self.engine(scenes::rods_of(10_000, 3, 0.15)?, 0, Some(NO_SKIN))?;
        let point = |pieces_per_thread: usize| {
            engine.set_thresholds(Thresholds { pieces_per_thread, ..Thresholds::USED });
            self.size("rods-10000", pieces_per_thread, &mut engine, |times, _| times.update_neighbours)
        };
        [1, 2, 4, 8, 16].into_iter().map(point).collect()
    }

    /// On one thread, with new lists in every step.
    fn bodies_per_piece(&self) -> Outcome<Vec<Point>> {
        let mut engine = self.engine(scenes::rods_of(1 << 17, 3, 0.15)?, 1, Some(NO_SKIN))?;
        let point = |bodies_per_piece: usize| {
            engine.set_thresholds(Thresholds { bodies_per_piece, ..Thresholds::USED });
            self.size("rods-131072", bodies_per_piece, &mut engine, |times, _| times.update_neighbours)
        };
        [1 << 12, 1 << 14, 1 << 16, 1 << 17].into_iter().map(point).collect()
    }

    /// Rods of more and more spheres, with new lists in every step.
    fn sphere_pairs(&self) -> Outcome<Vec<Point>> {
        let ways = [usize::MAX, 0].map(|sphere_pairs| Thresholds { sphere_pairs, ..Thresholds::USED });
        let point = |spheres: u32| {
            let mut engine = self.engine(scenes::rods_of(1000, spheres, 0.02)?, 1, Some(NO_SKIN))?;
            let name = format!("rods-1000 of {spheres} spheres");
            let at = f64::from(spheres * spheres);
            self.point(&name, at, &mut engine, ways, |times, _| times.update_neighbours)
        };
        [2, 4, 6, 9, 16].into_iter().map(point).collect()
    }

    /// What one way costs with pieces of a size.
    fn size(
        &self,
        scene: &str,
        at: usize,
        engine: &mut Engine,
        cost: fn(&StageTimes, Duration) -> Duration,
    ) -> Outcome<Point> {
        let steps = self.steps(engine)?;
        let mut fastest = f64::INFINITY;
        for _ in 0..self.repeat {
            fastest = fastest.min(self.time(engine, steps, cost)?);
        }
        Ok(Point { scene: scene.into(), at: at as f64, below: fastest, above: None })
    }

    /// What both ways cost, taken in turn on one engine.
    fn point(
        &self,
        scene: &str,
        at: f64,
        engine: &mut Engine,
        ways: [Thresholds; 2],
        cost: fn(&StageTimes, Duration) -> Duration,
    ) -> Outcome<Point> {
        let steps = self.steps(engine)?;
        let mut costs = [f64::INFINITY; 2];
        for _ in 0..self.repeat {
            for (way, fastest) in ways.into_iter().zip(&mut costs) {
                engine.set_thresholds(way);
                *fastest = fastest.min(self.time(engine, steps, cost)?);
            }
        }
        let [below, above] = costs;
        Ok(Point { scene: scene.into(), at, below, above: Some(above) })
    }

    /// ns per body and step.
    fn time(
        &self,
        engine: &mut Engine,
        steps: u64,
        cost: fn(&StageTimes, Duration) -> Duration,
    ) -> Result<f64, tumble_dem::Error> {
        engine.reset_stage_times();
        let begin = Instant::now();
        advance(engine, steps, self.interrupt)?;
        let spent = cost(&engine.stage_times(), begin.elapsed());
        Ok(1e9 * spent.as_secs_f64() / (steps as f64 * engine.body_count() as f64))
    }

    /// As many as were asked for, or those of a fifth of a second.
    fn steps(&self, engine: &mut Engine) -> Result<u64, tumble_dem::Error> {
        match self.steps {
            Some(steps) => Ok(steps),
            None => Ok((a_second_of_steps(engine, self.interrupt)? / 5).max(20)),
        }
    }

    fn engine(&self, scene: Scene, threads: usize, skin: Option<f64>) -> Result<Engine, tumble_dem::Error> {
        let Scene { world, dt, contact, .. } = scene;
        Engine::new(
            world,
            Settings { contact, skin, threads, rotation: self.scheme.into(), ..Settings::new(dt) },
        )
    }

    /// Steps until lists have been built.
    fn until_lists_are_new(&self, engine: &mut Engine) -> Result<(), tumble_dem::Error> {
        engine.reset_stage_times();
        while engine.stage_times().builds == 0 && !self.interrupt.requested() {
            advance(engine, 50, self.interrupt)?;
        }
        Ok(())
    }

    /// Rods at rest.
    fn packing(&self) -> Outcome<Packing> {
        self.settled("packed", 600, scenes::STEPS_TO_REST)
    }

    /// Many more that have begun to lie on each other.
    fn heap(&self) -> Outcome<Packing> {
        self.settled("settle", 3000, 4000)
    }

    fn settled(&self, name: &str, bodies: usize, steps: u64) -> Outcome<Packing> {
        let mut engine = self.engine(scenes::settling(bodies)?, 0, None)?;
        advance(&mut engine, steps, self.interrupt)?;
        Ok(Packing { name: format!("{name}-{bodies}"), bodies, state: engine.save() })
    }
}

/// A distance that bodies are listed up to, m, so small that lists last for one step.
const NO_SKIN: f64 = 1e-9;

/// Rods that have settled.
struct Packing {
    name: String,
    bodies: usize,
    state: SavedState,
}

impl Packing {
    fn engine(&self, calibration: &Calibration<'_>, threads: usize, skin: Option<f64>) -> Outcome<Engine> {
        let mut engine = calibration.engine(scenes::settling(self.bodies)?, threads, skin)?;
        engine.restore(&self.state)?;
        Ok(engine)
    }
}

/// Where both ways cost the same: between the last point at which the way of below is the faster one, and the next. Where
/// one of them is always the faster one, there is no such point. Of a single way, where it costs least.
fn equal_at(points: &[Point]) -> Option<f64> {
    if points.iter().all(|point| point.above.is_none()) {
        let best = points.iter().min_by(|a, b| a.below.total_cmp(&b.below));
        return best.map(|point| point.at);
    }
    let gain = |point: &Point| point.above.map_or(0.0, |above| above / point.below - 1.0);
    points.windows(2).rev().find_map(|pair| {
        let [before, after] = [gain(&pair[0]), gain(&pair[1])];
        let part = before / (before - after);
        (before >= 0.0 && after < 0.0).then(|| pair[0].at + part * (pair[1].at - pair[0].at))
    })
}

/// To three digits: clocks tell no more.
fn round(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(at: f64, below: f64, above: Option<f64>) -> Point {
        Point { scene: String::new(), at, below, above }
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "halves and wholes")]
    fn ways_are_equal_where_their_costs_cross() {
        let rising = |at: f64| point(at, at, Some(4.0));
        assert_eq!(equal_at(&[rising(2.0), rising(8.0)]), Some(2.0 + 6.0 * 1.0 / 1.5));
        assert_eq!(equal_at(&[rising(2.0), rising(3.0)]), None);
        assert_eq!(equal_at(&[rising(5.0), rising(8.0)]), None);
        assert_eq!(
            equal_at(&[point(1.0, 9.0, None), point(2.0, 7.0, None), point(4.0, 8.0, None)]),
            Some(2.0)
        );
    }
}
