//! The contact law that `CONTRIBUTING.md` takes as its example is the file beside this one: it compiles outside the
//! engine, and does what it says. So does the example of the README, which is that of the book.

#[allow(unreachable_pub, reason = "as in a crate of its own")]
pub(crate) mod scaled_linear;

use super::bench::{assert_close, collide, pair};
use scaled_linear::ScaledLinear;
use tumble_dem::law::ContactLaw;
use tumble_dem::material::{Material, PairProperties};

const CONTRIBUTING: &str = include_str!("../../../../CONTRIBUTING.md");
const README: &str = include_str!("../../../../README.md");
const BOOK: &str = include_str!("../../../../docs/book/src/dem.md");

#[test]
fn the_document_shows_the_file_that_compiles() {
    let file = include_str!("recipe/scaled_linear.rs");
    assert!(
        CONTRIBUTING.contains(&format!("```rust,ignore\n{file}```\n")),
        "copy the file into the document"
    );
}

/// Half a period of the spring E*R*, and the restitution that was asked for.
#[test]
fn the_law_of_the_document_does_what_it_says() {
    let (radius, mass, speed) = (2e-3, 1e-4_f64, 0.3);
    let gel = Material::new("gel", 1100.0, 2e6, 0.4);
    let modulus = 2e6 / (2.0 * (1.0 - 0.16));
    let expected = std::f64::consts::PI * (mass / (modulus * radius)).sqrt();
    for restitution in [1.0, 0.7, 0.2] {
        let pair = pair::<ScaledLinear>(gel.clone(), gel.clone(), PairProperties::new(restitution, 0.3));
        let dt = expected / 20_000.0;
        let collision = collide::<ScaledLinear>(&pair, (radius, mass), speed, dt, 0.4);
        assert_close("rebound", collision.rebound / speed, restitution, 1e-3);
        assert_close("time", ScaledLinear::contact_time(&pair, radius, mass, speed), expected, 1e-14);
        if restitution >= 1.0 {
            assert_close("duration", collision.duration, expected, 1e-4);
            let deepest = speed * (mass / (modulus * radius)).sqrt();
            assert_close("depth", collision.deepest, deepest, 1e-6);
        }
    }
}

/// The lines of the README are those of the book, whose example is run.
#[test]
fn the_readme_has_the_lines_of_the_book() {
    let start = README.find("```rust,ignore\n").expect("an example");
    let block = README[start..].split("```").nth(1).expect("its end");
    let mut book = BOOK.lines().map(str::trim);
    for line in block.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()) {
        let code = line.split(" // ").next().unwrap_or_default().trim();
        let found = book.any(|other| other.split(" // ").next().unwrap_or_default().trim() == code);
        assert!(found, "the book does not have, in this order: {line}");
    }
}
