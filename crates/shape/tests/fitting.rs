//! A fit keeps what was asked, has the mass properties of the mesh, comes out the same every time, and can be ended early.

use std::fmt::Write as _;
use tumble_dem::clump::{MassModel, MassProperties, parse_clump};
use tumble_shape::{
    Bodies, Certificate, Fitted, MassFrom, MeshClump, Solid, Tolerance, Wanted, bodies, clump_text,
    equal_spheres, fit,
};

fn rock() -> Solid {
    Solid::new(&bodies::rock(0.02, 3, 8), Bodies::One).unwrap()
}

fn fitted(solid: &Solid, part: f64) -> Fitted {
    fit(solid, &Wanted { surface: part * solid.size(), spheres_max: 60, ..Wanted::default() }, |_| true)
}

#[test]
fn a_rock_keeps_its_surface_and_its_mass() {
    let solid = rock();
    let rock = fitted(&solid, 0.06);
    assert!(rock.reached && !rock.interrupted);
    // The certificate is that of the spheres that came out, computed again.
    let again = Certificate::of(&solid, &rock.spheres);
    assert!(again.surface.upper <= 0.06 * solid.size());
    assert_eq!(again.parts, 1);
    assert_eq!(rock.mass, MassFrom::Union);
    let union = MassProperties::new(&rock.spheres, MassModel::Union).unwrap();
    let own = solid.mass();
    assert!((union.volume / own.volume - 1.0).abs() < 1e-9);
    assert!((union.centre - own.centre).norm() < 1e-9 * solid.size());
    let apart = union.inertia - own.inertia;
    assert!(apart.diagonal.norm() + apart.off_diagonal.norm() < 1e-9 * own.inertia.trace());
    // More spheres are on the ladder than were needed, and the ladder ascends.
    assert!(rock.ladder.windows(2).all(|pair| pair[0].spheres.len() <= pair[1].spheres.len()));
    // Bit by bit the same.
    assert_eq!(fitted(&solid, 0.06).spheres, rock.spheres);
    // A clump file has every digit.
    assert_eq!(parse_clump(&clump_text("rock", &rock, &solid), "rock.csv").unwrap(), rock.spheres);
}

#[test]
fn limits_are_kept_and_what_is_not_reached_is_said() {
    let solid = rock();
    let wanted = Wanted {
        surface: 0.001 * solid.size(),
        spheres_max: 9,
        smallest_radius: 0.2 * solid.size(),
        ..Wanted::default()
    };
    let few = fit(&solid, &wanted, |_| true);
    assert!(!few.reached && few.spheres.len() <= 9);
    assert!(few.spheres.iter().all(|s| s.radius >= 0.2 * solid.size()));
    // Two spheres have too few unknowns for ten equalities.
    let two = fit(&solid, &Wanted { spheres_max: 2, ..wanted }, |_| true);
    assert_eq!(two.mass, MassFrom::Mesh);
    assert!(matches!(two.mass_model(&solid), MassModel::Given { .. }));
}

#[test]
fn the_best_so_far_is_kept() {
    let solid = rock();
    let mut left = 6;
    let ended = fit(&solid, &Wanted { spheres_max: 60, ..Wanted::default() }, |_| {
        left -= 1;
        left > 0
    });
    assert!(ended.interrupted && ended.ladder.len() == 5);
    let least = ended.ladder.iter().map(|rung| rung.certificate.surface.upper).fold(f64::INFINITY, f64::min);
    assert_eq!(ended.certificate.surface.upper.to_bits(), least.to_bits());
    // Even if it is told to end at once, there is something.
    assert!(!fit(&solid, &Wanted::default(), |_| false).spheres.is_empty());
}

#[test]
fn equal_spheres_touch_and_do_not_overlap() {
    let solid = rock();
    let spheres = equal_spheres(&solid, None, 120, 0.0, 1);
    assert!((80..=120).contains(&spheres.len()), "{}", spheres.len());
    let mut touching = 0;
    for (i, a) in spheres.iter().enumerate() {
        assert!(solid.depth(a.centre) >= a.radius * (1.0 - 1e-12));
        for b in &spheres[i + 1..] {
            let gap = (a.centre - b.centre).norm() / (2.0 * a.radius) - 1.0;
            assert!(gap > -1e-12);
            touching += usize::from(gap < 1e-12);
        }
    }
    // In a close packing each has twelve neighbours, fewer at the surface.
    assert!(touching > 3 * spheres.len(), "{touching}");
}

#[test]
fn a_clump_is_made_once_and_kept() {
    let folder = std::env::temp_dir().join(format!("tumble-shape-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mesh = folder.join("brick.obj");
    let mut text = String::new();
    for corner in bodies::cuboid([0.03, 0.02, 0.01]).iter().flatten() {
        writeln!(text, "v {:e} {:e} {:e}", corner.x, corner.y, corner.z).unwrap();
    }
    for t in 0..12 {
        writeln!(text, "f {} {} {}", 3 * t + 1, 3 * t + 2, 3 * t + 3).unwrap();
    }
    std::fs::write(&mesh, text).unwrap();
    let wish =
        MeshClump { unit: 1.0, surface: Tolerance::Percent(12.0), spheres_max: 50, smallest_radius: None };
    let first = wish.make(&mesh).unwrap();
    let second = wish.make(&mesh).unwrap();
    assert!(first.fitted.is_some() && second.fitted.is_none());
    assert_eq!((first.spheres, first.mass, &first.file), (second.spheres, second.mass, &second.file));
    // Another wish is another clump.
    let other = MeshClump { surface: Tolerance::Percent(20.0), ..wish }.make(&mesh).unwrap();
    assert!(other.fitted.is_some() && other.file != second.file);
    std::fs::remove_dir_all(&folder).unwrap();
}
