//! What ranks cost is counted, not timed: the tables of the book are what is counted here and now. What follows from them for thousands of
//! ranks stays within what it can be.

use crate::common::{Folder, refused, stderr, stdout};
use std::fs;
use std::path::Path;

fn of_the_book(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src").join(file)).unwrap()
}

/// The cells of a Markdown table, the header first.
fn cells(markdown: &str) -> Vec<Vec<&str>> {
    let rows = markdown.lines().filter(|line| !line.starts_with("| ---"));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn the_book_tells_what_is_counted() {
    let (folder, book) = (Folder::new("counts"), of_the_book("generated/ranks.md"));
    for (scene, ranks) in [("rods-4000", "1,8,64"), ("drum-4000", "8")] {
        let bench = ["bench", scene, "--counts", "--ranks", ranks, "--format", "markdown"];
        let counted = stdout(&folder.run(&bench));
        assert_eq!(counted.lines().count(), 2 + ranks.split(',').count(), "{counted}");
        assert!(counted.lines().all(|line| book.contains(line)), "out of date:\n{counted}\n{book}");
    }
    // All of each kind, of which one rank has no borders, and more ranks have more of them.
    let rows = cells(&book);
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let number = |row: &[&str], name: &str| row[column(name)].parse::<f64>().unwrap();
    assert_eq!(rows.len(), 1 + 4 * 7, "{book}");
    for rows in rows[1..].chunks(7) {
        assert!(number(&rows[0], "ghosts_per_body") == 0.0 && number(&rows[0], "bytes_per_step") == 0.0);
        let ghosts: Vec<f64> = rows.iter().map(|row| number(row, "ghosts_per_body")).collect();
        assert!(ghosts.is_sorted_by(|fewer, more| fewer < more), "{ghosts:?}");
        // Counted work is what ranks are balanced by.
        assert!(rows.iter().all(|row| (1.0..1.6).contains(&number(row, "imbalance_of_work"))), "{rows:?}");
    }
}

#[test]
fn the_model_of_the_book_is_that_of_the_program() {
    let (folder, book) = (Folder::new("model"), of_the_book("generated/scaling.md"));
    let bench = ["bench", "rods-4000", "--model", "--ns-per-body", "500", "--format", "markdown"];
    let output = folder.run(&bench);
    let model = stdout(&output);
    assert!(model.lines().all(|line| book.contains(line)), "out of date:\n{model}\n{book}");
    let end = "rods-4000: 1e7 bodies keep half of the efficiency up to ";
    let said = stderr(&output);
    let said = said.lines().find_map(|line| Some(&line[line.find(end)?..])).unwrap();
    assert!(of_the_book("scaling.md").contains(said), "{said}");
    let rows = cells(&book);
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let number = |row: &[&str], name: &str| row[column(name)].parse::<f64>().unwrap();
    for rows in rows[1..].chunks(6) {
        for name in ["efficiency_best", "efficiency_worst"] {
            let all: Vec<f64> = rows.iter().map(|row| number(row, name)).collect();
            assert!((all[0] - 1.0).abs() < 1e-12 && all.is_sorted_by(|more, less| more >= less), "{all:?}");
        }
        for row in rows {
            assert!(number(row, "efficiency_worst") <= number(row, "efficiency_best"), "{row:?}");
            // What is needed at least: the part of one processor.
            let least = 500e-6 * number(row, "bodies_per_rank");
            assert!(number(row, "ms_per_step_best") >= 0.999 * least, "{row:?}");
        }
    }
}

#[test]
fn what_has_no_effect_is_refused() {
    assert!(refused(&["bench", "--counts", "--threads", "2"]).contains("--threads"));
    assert!(refused(&["bench", "--counts", "--repeat", "2"]).contains("--repeat"));
    assert!(refused(&["bench", "--ns-per-body", "300"]).contains("--model"));
    assert!(refused(&["bench", "--model", "--ns-per-body", "0"]).contains("expected a positive number"));
    let output =
        Folder::new("model-ranks").run(&["bench", "--model", "--ns-per-body", "300", "--ranks", "2"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty() && stderr(&output).contains("--ranks has to name 1 and some more"));
}
