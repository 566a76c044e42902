//! Guarantee: scenes with stages do what their first lines say.

use super::Watched;

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
