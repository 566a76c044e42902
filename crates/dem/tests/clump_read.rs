//! Clump files, good and bad.

use std::path::PathBuf;
use tumble_dem::clump::{
    ClumpFileError, ClumpFormat, ClumpSphere, LineProblem, MAX_LINE_BYTES, MAX_SPHERES, parse_clump,
    parse_clump_as, read_clump, read_clump_as,
};

fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data", "clump", name].iter().collect()
}

fn ball(x: f64, y: f64, z: f64, r: f64) -> ClumpSphere {
    ClumpSphere::new([x, y, z], r)
}

/// Line, column and problem of a text that must be refused.
fn refused(text: &str) -> (usize, usize, LineProblem) {
    match parse_clump(text, "test") {
        Err(ClumpFileError::Line { line, column, problem, .. }) => (line, column, problem),
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_of_each_format() {
    let fibre = read_clump(data("fibre.txt")).unwrap();
    assert_eq!(fibre.len(), 5);
    assert_eq!(fibre[1], ball(-0.005, 0.0, 0.0, 0.005));
    let stone = read_clump(data("stone.multisphere")).unwrap();
    assert_eq!(stone, read_clump_as(data("stone.multisphere"), ClumpFormat::Liggghts).unwrap());
    assert_eq!(stone[2], ball(7.0, 2.5, 11.125, 4.75));
    let dumbbell = read_clump(data("dumbbell.csv")).unwrap();
    assert_eq!(dumbbell, [ball(0.0, -0.4, 0.0, 1.0), ball(0.0, 0.4, 0.9, 0.8), ball(0.0, 0.4, -0.9, 0.8)]);
    assert_eq!(
        read_clump(data("windows.csv")).unwrap(),
        [ball(0.0, 0.0, 0.0, 0.5), ball(0.0, 0.0, 0.25, 0.5)]
    );
}

#[test]
fn formats_are_told_apart() {
    for (text, format) in [
        ("1 2 3 4\n", ClumpFormat::Table),
        ("1,2,3,4,\n", ClumpFormat::Table),
        ("% comment\n\n1 2 3 4 1\n", ClumpFormat::Liggghts),
        ("X, Y, Z, Radius\n1,2,3,4\n", ClumpFormat::DemEngine),
        ("", ClumpFormat::Table),
    ] {
        assert_eq!(ClumpFormat::detect(text), format, "{text}");
    }
}

#[test]
fn separators_comments_and_headers() {
    let expected = [ball(1.0, -2.0, 3e-3, 0.5)];
    for text in [
        "1 -2 3e-3 .5",
        "1,-2,3e-3,.5",
        "  1 ,\t-2 , 3E-3 , +0.5 ,  ",
        "1;-2;0.003;0.5\r\n",
        "1\t-2\t.003\t0.5 # comment",
        "#format x_y_z_r\n1 -2 .003 0.5 % comment",
        "\"x\",\"y\",\"z\",\"r\"\n1,-2,.003,0.5",
        "x y z radius\n1 -2 .003 0.5 // comment",
        "z,r,id,y,x\n.003,0.5,grain,-2,1\n",
        "1 -2 .003 0.5 7",
    ] {
        assert_eq!(parse_clump(text, "test").unwrap(), expected, "{text}");
    }
}

#[test]
fn bad_lines_are_located() {
    use LineProblem as P;
    assert_eq!(refused("0 0 0 1\n1 2 3\n"), (2, 6, P::Missing("radius")));
    assert_eq!(refused("0,0,0,1\n1,,3,1\n"), (2, 3, P::Missing("y")));
    assert_eq!(refused("0,0,0,1\n\n1, 2, µ, 1\n"), (3, 7, P::NotANumber("µ".into())));
    assert_eq!(refused("µ,0,0,1\n"), (1, 1, P::NotANumber("µ".into())));
    assert_eq!(refused("0 0 0 1\n1 2 3 inf\n"), (2, 7, P::NotFinite("inf".into())));
    assert_eq!(refused("0 0 0 1\n1 nan 3 1\n"), (2, 3, P::NotFinite("nan".into())));
    assert_eq!(refused("1 2 3 1e999\n"), (1, 7, P::NotFinite("1e999".into())));
    assert_eq!(refused("1 2 3 -0\n"), (1, 7, P::NonPositiveRadius(-0.0)));
    assert_eq!(refused("1 2 3 4\n1 2 3 4 5\n"), (2, 9, P::TooManyValues("5".into())));
    assert_eq!(refused("1,5;2;3;4\n"), (1, 1, P::NotANumber("1,5".into())));
    assert_eq!(refused("x,y,z\n1,2,3\n"), (1, 1, P::HeaderLacks("radius")));
    assert_eq!(refused("x,y,z,r,x\n1,2,3,4,5\n"), (1, 9, P::HeaderRepeats("x")));
    assert_eq!(refused(&format!("1 2 3 4{}", " ".repeat(MAX_LINE_BYTES))), (1, 1, P::TooLong));
    let error = parse_clump_as("1,2,3,4\n", "a.csv", ClumpFormat::DemEngine).unwrap_err();
    assert!(error.to_string().contains("a.csv, line 1, column 1: this format needs a header"), "{error}");
    let error = parse_clump("1,5;2;3;4\n", "a.csv").unwrap_err();
    assert!(error.to_string().contains("decimals need a point"), "{error}");
}

#[test]
fn bad_files_are_named() {
    let error = read_clump("does/not/exist.txt").unwrap_err();
    assert!(error.to_string().contains("exist.txt: no such file"), "{error}");
    assert!(matches!(read_clump(data("")), Err(ClumpFileError::Unreadable { .. })));
    for text in ["", "\n\n", "# nothing\n", "x,y,z,r\n"] {
        let error = parse_clump(text, "empty.txt").unwrap_err();
        assert_eq!(error, ClumpFileError::NoSpheres { source: "empty.txt".into() });
    }
    let binary = std::env::temp_dir().join(format!("tumble-clump-{}.bin", std::process::id()));
    std::fs::write(&binary, b"0 0 0 1\n\xff\xfe").unwrap();
    let error = read_clump(&binary).unwrap_err();
    std::fs::remove_file(&binary).unwrap();
    assert!(matches!(error, ClumpFileError::NotUtf8 { byte: 8, .. }), "{error}");
    let many = "0 0 0 1\n".repeat(MAX_SPHERES + 1);
    assert_eq!(parse_clump(&many[8..], "many").unwrap().len(), MAX_SPHERES);
    assert!(matches!(parse_clump(&many, "many"), Err(ClumpFileError::TooManySpheres { .. })));
}
