//! Guarantee: scenes with stages do what their first lines say.

use super::{Watched, built};
use tumble::dem::Clock;
use tumble::{GoingOn, Predecessor, Simulation};

#[test]
fn the_gate_opens_when_the_grains_lie_still_and_lets_them_out() {
    let mut gate = Watched::new("gate");
    let above = |gate: &Watched| {
        gate.simulation.engine().bodies().iter().filter(|body| body.position.z > -0.002).count()
    };
    while gate.simulation.stages().len() < 3 {
        gate.simulation.advance(100).unwrap();
    }
    let bodies = gate.simulation.engine().body_count();
    assert!(bodies >= 300);
    assert_eq!(above(&gate), bodies, "nobody is out before the gate opens");
    let carried = gate.simulation.engine().walls()[2].force.z;
    assert!(carried < 0.0, "the gate bears a load");
    gate.simulation.advance(u64::MAX).unwrap();
    let stages = gate.simulation.stages();
    assert!(
        stages.iter().all(|stage| stage.ended.as_ref().unwrap().why.starts_with("it came about")),
        "{stages:?}"
    );
    assert!(above(&gate) < bodies / 20, "{}", above(&gate));
    assert!(gate.error() < 0.01, "{}", gate.error());
}

#[test]
fn the_heap_stands_at_an_angle_when_the_cylinder_is_lifted() {
    let mut heap = Watched::new("heap");
    heap.simulation.advance(u64::MAX).unwrap();
    assert_eq!(heap.simulation.stages().len(), 3);
    let bodies = heap.simulation.engine().bodies();
    let (mut highest, mut widest) = (0.0_f64, 0.0_f64);
    for body in &bodies {
        let radius = body.position.x.hypot(body.position.y);
        highest = highest.max(body.position.z);
        // Some grains roll off on their own; the foot of the heap is where there are many.
        if bodies.iter().filter(|other| (other.position - body.position).norm() < 0.015).count() > 5 {
            widest = widest.max(radius);
        }
    }
    let angle = (highest / widest).atan().to_degrees();
    assert!((15.0..45.0).contains(&angle), "{angle}°: {highest} m high, {widest} m wide");
    assert!(heap.error() < 0.01, "{}", heap.error());
}

/// The pair `settling` and `shaking`, as the comment of the second says.
#[test]
fn what_has_settled_is_shaken_and_lies_closer() {
    let settling = built("settling", &[]);
    let mut settled = Watched::new("settling");
    settled.until(0.8);
    let height = |simulation: &Simulation| {
        let bodies = simulation.engine().bodies();
        let mass: f64 = bodies.iter().map(|body| body.mass).sum();
        bodies.iter().map(|body| body.mass * body.position.z).sum::<f64>() / mass
    };
    let before = height(&settled.simulation);
    let from = Predecessor::of(&settled.simulation, &settling);
    let shaking = built("shaking", &[]).scene;
    for clock in [Clock::GoesOn, Clock::Restarts] {
        let going_on = GoingOn::new(&shaking, Some(1), &from, clock).unwrap();
        let told = going_on.told().join("\n");
        for words in [
            "goes on with 200 bodies",
            "the stages of the scene begin now, with the first",
            "the bodies that the scene itself would place are not placed",
        ] {
            assert!(told.contains(words), "{words} is not in:\n{told}");
        }
        // Nothing has another form, so that no contact forgets its springs.
        let taken = going_on.transfer();
        assert!(taken.left.is_empty() && taken.forgotten.is_empty() && taken.contacts > 300, "{told}");
        let mut simulation = going_on.start().unwrap();
        assert_eq!(simulation.engine().time() > 0.0, clock == Clock::GoesOn);
        if clock == Clock::Restarts {
            continue;
        }
        let balance = simulation.engine().ledger().balance();
        simulation.advance(u64::MAX).unwrap();
        let stages = simulation.stages();
        assert!(stages[1].ended.as_ref().unwrap().why.starts_with("it came about"), "{stages:?}");
        let after = height(&simulation);
        assert!(after < 0.99 * before, "from {before} m to {after} m");
        let ledger = simulation.engine().ledger();
        assert!(ledger.wall_work > 0.0, "the shaking box works");
        assert!(
            (ledger.balance() - balance).abs() < 0.01 * ledger.wall_work,
            "{}",
            ledger.balance() - balance
        );
    }
}
