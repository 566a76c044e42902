//! Head-on collisions: the Hertzian ones of Chung & Ooi 2011 (Granul. Matter 13, 643), and restitution.

use crate::law::bench::{assert_close, collide, largest, pair, sphere_mass};
use tumble_dem::law::{ContactLaw, Hertz, HertzMindlin, Linear};
use tumble_dem::material::{Material, PairProperties};

#[test]
fn two_glass_spheres_collide_as_hertz_says() {
    let glass = Material::new("glass", 2800.0, 48e9, 0.2);
    let pair = pair::<Hertz>(glass.clone(), glass, PairProperties::default());
    let (radius, mass) = (0.5 * 0.01, 0.5 * sphere_mass(2800.0, 0.01));
    let c = collide::<Hertz>(&pair, (radius, mass), 20.0, 1e-9, 0.3);
    assert_close("overlap", c.deepest, 2.741_127_02e-4, 1e-7);
    assert_close("force", c.strongest, 10_696.889, 1e-7);
    assert_close("duration", c.duration, 40.339_455_7e-6, 1e-7);
    assert_close("rebound", c.rebound, 20.0, 1e-7);
    assert_close("contact time", Hertz::contact_time(&pair, radius, mass, 20.0), 40.339_455_7e-6, 1e-8);
}

#[test]
fn an_aluminium_sphere_meets_a_rigid_plane_as_hertz_says() {
    let aluminium = Material::new("aluminium", 2699.0, 70e9, 0.3);
    let rigid = Material::new("rigid", 1.0, f64::INFINITY, 0.3);
    let pair = pair::<Hertz>(aluminium, rigid, PairProperties::default());
    let (radius, mass) = (0.1, sphere_mass(2699.0, 0.1));
    let c = collide::<Hertz>(&pair, (radius, mass), 0.2, 2e-8, 0.7);
    assert_close("overlap", c.deepest, 4.971_717_52e-5, 1e-7);
    assert_close("force", c.strongest, 11_369.858, 1e-7);
    assert_close("duration", c.duration, 731.656_641e-6, 1e-7);
    assert_close("contact time", Hertz::contact_time(&pair, radius, mass, 0.2), 731.656_641e-6, 1e-8);
}

/// The largest error of the rebound, over several phases between the grid of time and the contact.
fn worst_restitution<L: ContactLaw>(restitutions: &[f64], steps: f64) -> f64 {
    let material = Material::new("m", 2500.0, 1e9, 0.25).with_stiffness(1e6);
    let (radius, mass) = (2e-3, sphere_mass(2500.0, 2e-3));
    largest(restitutions.iter().flat_map(|&restitution| {
        let properties = PairProperties::new(restitution, 0.0);
        let pair = pair::<L>(material.clone(), material.clone(), properties);
        let dt = L::contact_time(&pair, radius, mass, 3.0) / steps;
        [0.0, 0.25, 0.5, 0.75].map(|phase| {
            (collide::<L>(&pair, (radius, mass), 3.0, dt, phase).rebound / 3.0 - restitution).abs()
        })
    }))
}

#[test]
fn the_rebound_is_the_restitution_asked_for() {
    let sweep = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0];
    for (steps, hertz, linear) in [(100.0, 1.5e-3, 5e-3), (200.0, 6e-4, 2.5e-3)] {
        let errors =
            [worst_restitution::<HertzMindlin>(&sweep, steps), worst_restitution::<Linear>(&sweep, steps)];
        assert!(errors[0] < hertz && errors[1] < linear, "{steps} steps per contact: {errors:?}");
    }
    // As Δt → 0 nothing is left. The linear law converges slowest: its force jumps where the contact begins.
    let few = [0.01, 0.3, 0.9];
    let errors = [worst_restitution::<HertzMindlin>(&few, 1e5), worst_restitution::<Linear>(&few, 5e5)];
    assert!(largest(errors) < 1e-6, "{errors:?}");
}

/// What the dashpot is said to lose is the kinetic energy that is gone.
#[test]
fn the_loss_of_a_collision_is_its_kinetic_energy() {
    fn error<L: ContactLaw>(steps: f64) -> f64 {
        let material = Material::new("m", 2500.0, 1e9, 0.25).with_stiffness(1e6);
        let (radius, mass) = (2e-3, sphere_mass(2500.0, 2e-3));
        let properties = PairProperties::new(0.5, 0.0);
        let pair = pair::<L>(material.clone(), material, properties);
        let dt = L::contact_time(&pair, radius, mass, 3.0) / steps;
        let c = collide::<L>(&pair, (radius, mass), 3.0, dt, 0.4);
        let gone = 0.5 * mass * (9.0 - c.rebound * c.rebound);
        (c.lost / gone - 1.0).abs()
    }
    for (steps, bound) in [(100.0, 3e-3), (1000.0, 3e-5)] {
        let errors = [error::<HertzMindlin>(steps), error::<Linear>(steps)];
        assert!(largest(errors) < bound, "{steps} steps per contact: {errors:?}");
    }
}
