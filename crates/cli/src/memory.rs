//! Whether a scene fits into the memory that is free: asked before bodies are placed, since a program that gets no memory
//! ends without a word.

use crate::failure::Failure;
use std::fs;
use tumble::scene::Scene;
use tumble::scene::keys::Lattice;

/// What a body of one sphere takes at the least while it is placed and put into an engine, bytes.
const BODY: u64 = 1500;

/// An error if the bodies of a scene cannot fit.
pub(crate) fn check(scene: &Scene) -> Result<(), Failure> {
    match free() {
        Some(free) => fits(bodies(scene), free),
        None => Ok(()),
    }
}

fn fits(bodies: u64, free: u64) -> Result<(), Failure> {
    let needed = bodies.saturating_mul(BODY);
    if needed <= free {
        return Ok(());
    }
    let gigabytes = |bytes: u64| bytes as f64 / 1e9;
    Err(Failure::BadInput(format!(
        "{bodies} bodies need at least {:.1} GB of memory, and {:.1} GB are free: about {} would fit",
        gigabytes(needed),
        gigabytes(free),
        free / BODY
    )))
}

/// How many bodies the scene places at its start, as far as it says so itself.
fn bodies(scene: &Scene) -> u64 {
    let populations = scene.keys.bodies.iter().map(|population| {
        let lattice = population.lattice.as_ref().and_then(Lattice::counts);
        let cloud = population
            .cloud
            .as_ref()
            .map_or(0, |cloud| cloud.count.unwrap_or_else(|| cloud.counts.iter().flatten().sum()));
        let sleeve = population.sleeve.as_ref().map_or(0, |sleeve| sleeve.around * sleeve.rings);
        lattice.map_or(cloud + sleeve, |counts| counts.iter().product())
    });
    populations.sum()
}

/// Memory that programs can still have, bytes, where the system tells: of the machine, and of the group that this program is
/// in.
fn free() -> Option<u64> {
    let whole = fs::read_to_string("/proc/meminfo").ok()?;
    let line = whole.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let machine = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.saturating_mul(1024);
    let of_group =
        |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse::<u64>().ok();
    let group =
        of_group("memory.max").map(|most| most.saturating_sub(of_group("memory.current").unwrap_or(0)));
    Some(group.map_or(machine, |group| group.min(machine)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::scene::SceneText;

    #[test]
    fn what_would_have_fitted_is_told() {
        let text = r#"
            version = 1
            run = { steps = 1 }
            materials.glass = { density = 2500, young = "10 MPa", poisson = 0.2 }
            templates.ball = { spheres = [[0, 0, 0, 0.01]] }
            bodies = [
                { template = "ball", lattice = { low = [0, 0, 0], high = [1, 1, 1], counts = [100, 100, 100] } },
                { template = "ball", cloud = { low = [2, 0, 0], high = [3, 1, 1], count = 500 } },
                { templates = ["ball"], cloud = { low = [4, 0, 0], high = [5, 1, 1], counts = [20] } },
                { template = "ball", at = [9, 9, 9] },
            ]
        "#;
        let scene = Scene::parse(SceneText::new("many", text)).unwrap();
        assert_eq!(bodies(&scene), 1_000_520);
        assert!(fits(1_000_520, 2_000_000_000).is_ok());
        let message = fits(1_000_520, 1_000_000_000).unwrap_err().to_string();
        assert_eq!(
            message,
            "1000520 bodies need at least 1.5 GB of memory, and 1.0 GB are free: about 666666 would fit"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells_what_is_free() {
        assert!(free().is_some_and(|free| free > 1 << 20));
    }
}
