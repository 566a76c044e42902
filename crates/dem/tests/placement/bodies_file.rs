//! Files of bodies: what is read, what is written, what is said about a file that is wrong.

use super::{BALL, PAWN, ROD, bits, cube, v, world};
use std::io::{BufRead, BufReader, Read};
use tumble_dem::placement::{
    BodiesFile, BodiesFileError, Choice, Cloud, Column, MAX_LINE_BYTES, Names, Orientation, RowProblem,
    Scale, Velocity, write_bodies,
};
use tumble_dem::random::Random;
use tumble_dem::{Body, BodyState, Engine, LabVec, MaterialId, Quat, SchemeKind, Settings, TemplateId};

fn names() -> Names {
    Names::of(&world())
}

fn read(text: &str) -> Result<Vec<Body>, BodiesFileError> {
    BodiesFile::new(text.as_bytes(), "bodies.csv", &names())?.collect()
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    let message = match read(text) {
        Ok(bodies) => panic!("{text:?} is read as {bodies:?}"),
        Err(error) => error.to_string(),
    };
    assert!(message.starts_with("bodies.csv, line "), "{message}");
    assert!(message.contains(expected), "{message:?} lacks {expected:?}");
}

const HEADER: &str = "template,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";

#[test]
fn all_columns_arrive_where_they_belong() {
    let text = format!("{HEADER}1,0.1,0.2,0.3,0,0.6,0,0.8,1,2,3,4,5,6\n");
    let expected = Body::at(ROD, v(0.1, 0.2, 0.3))
        .turned(Quat::new(0.0, 0.6, 0.0, 0.8))
        .moving(v(1.0, 2.0, 3.0))
        .spinning(v(4.0, 5.0, 6.0));
    assert_eq!(read(&text).unwrap(), [expected]);
    // In any order and case, with others, with quotes, blanks, comments, empty lines and Windows' line ends.
    let text = "\u{feff}# made by hand\r\n\r\n held , scale,Z,X,material,\"y\",template\r\n\
                1, 2.5 ,0.3,0.1,steel,0.2,\"rod\"\r\n  # the last one\r\n0,1,3e-1,+.1,1,0.2,1";
    let placed = Body::at(ROD, v(0.1, 0.2, 0.3)).made_of(MaterialId(1));
    assert_eq!(read(text).unwrap(), [placed.scaled(2.5).held(), placed]);
}

#[test]
fn what_a_file_does_not_say_has_a_default() {
    let text = "x,y,z,template\n1,2,3,pawn\n";
    assert_eq!(read(text).unwrap(), [Body::at(PAWN, v(1.0, 2.0, 3.0))]);
    let names = names();
    let file =
        BodiesFile::new(text.as_bytes(), "bodies.csv", &names).unwrap().made_of(MaterialId(1)).held(true);
    assert_eq!(file.columns(), [Column::X, Column::Y, Column::Z, Column::Template]);
    let bodies = file.collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(bodies, [Body::at(PAWN, v(1.0, 2.0, 3.0)).made_of(MaterialId(1)).held()]);
    assert!(read(HEADER).unwrap().is_empty());
}

#[test]
fn quaternions_are_made_unit_or_refused() {
    let orientation =
        |q: &str| read(&format!("template,x,y,z,qw,qx,qy,qz\n0,0,0,0,{q}\n")).map(|b| b[0].orientation);
    let q = orientation("0.6000003,0,0.8000004,0").unwrap();
    assert!((q.norm() - 1.0).abs() < 1e-15 && (q - Quat::new(0.6, 0.0, 0.8, 0.0)).norm() < 1e-12);
    let message = orientation("0.60001,0,0.8,0").unwrap_err().to_string();
    assert!(message.starts_with("bodies.csv, line 2, column 9: the orientation"), "{message}");
    assert!(message.contains("has the length 1.000006") && message.contains("unit quaternion"), "{message}");
    assert!(orientation("0,0,0,0").is_err());
    assert!(orientation("1e300,0,0,0").is_err());
}

#[test]
fn errors_name_line_column_and_what_was_expected() {
    fails("", "line 1, column 1: the file is empty; expected the header template,x,y,z,qw");
    fails("\n# nothing\n", "the file is empty");
    fails(
        "template,x,y,Zed\n",
        "line 1, column 14: there is no column \"Zed\"; columns are separated by commas",
    );
    fails("template,x,y,z,scael\n", "line 1, column 16: there is no column \"scael\"; did you mean scale?");
    fails("tmplate,x,y,z\n", "line 1, column 1: there is no column \"tmplate\"; did you mean template?");
    fails("template;x;y;z\n", "columns are separated by commas");
    fails("template,x,y,z,x\n", "line 1, column 16: the header names the column x twice");
    fails("template,x,z\n", "line 1, column 1: the header lacks the column y (centre of mass, m)");
    fails("x,y,z\n", "lacks the column template");
    fails(
        "template,x,y,z,vx,vz\n",
        "lacks the column vy (velocity of the centre of mass, m/s), but has others",
    );
    let row = |row: &str| format!("template,x,y,z,scale,material,held\n0,0,0,0,1,0,0\n\n{row}\n");
    fails(
        &row("0,0,zero,0,1,0,0"),
        "line 4, column 5: \"zero\" is not a number; expected y: centre of mass, m",
    );
    fails(&row("0,0,0, nan,1,0,0"), "line 4, column 8: \"nan\" is not a finite number; expected z");
    fails(&row("0,1e999,0,0,1,0,0"), "column 3: \"1e999\" is not a finite number");
    fails(&row("0,0,0,0,1,0"), "line 4, column 12: the value of held is missing; expected whether");
    fails(&row("0,,0,0,1,0,0"), "column 3: the value of x is missing");
    fails(&row("0,0,0,0,1,0,0,7"), "column 15: more values than columns; expected the 7");
    fails(&row("0,0,0,0,-1,0,0"), "column 9: the scale is -1; expected a positive number");
    fails(&row("rood,0,0,0,1,0,0"), "column 1: there is no template \"rood\"; did you mean \"rod\"?");
    fails(
        &row("3,0,0,0,1,0,0"),
        "there is no template \"3\"; expected the name of one of the 3, or its number",
    );
    fails(&row("0,0,0,0,1,steal,0"), "column 11: there is no material \"steal\"; did you mean \"steel\"?");
    fails(&row("0,0,0,0,1,0,maybe"), "column 13: \"maybe\" is no value of held; expected 0 or 1");
    // Columns count characters, not bytes.
    fails(&row("rôd,x,0,0,1,0,0"), "column 1: there is no template \"rôd\"; did you mean \"rod\"?");
}

/// All bad rows can be told at once; after one that has no end, nothing can.
#[test]
fn a_bad_row_is_not_the_end() {
    let names = names();
    let text = "template,x,y,z\n0,0,0,0\n0,0,0\n0,0,0,0\nnobody,0,0,0\n";
    let file = BodiesFile::new(text.as_bytes(), "bodies.csv", &names).unwrap();
    assert_eq!(file.map(|row| row.is_ok()).collect::<Vec<_>>(), [true, false, true, false]);
    let text = format!("template,x,y,z\n0,0,0,0{}\n0,0,0,0\n", " ".repeat(1 << 20));
    let mut file = BodiesFile::new(text.as_bytes(), "bodies.csv", &names).unwrap();
    assert!(matches!(file.next(), Some(Err(_))));
    assert!(file.next().is_none() && file.next().is_none());
}

/// A source of bytes without end, which counts what is taken.
#[derive(Debug)]
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0 += buffer.len();
        assert!(self.0 < 1 << 20, "a line is limited");
        buffer.fill(b'0');
        Ok(buffer.len())
    }
}

/// A file on a disk that breaks.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn lines_are_limited_and_read_errors_told() {
    let names = names();
    let error = BodiesFile::new(BufReader::new(Endless(0)), "bodies.csv", &names).unwrap_err();
    assert!(matches!(error, BodiesFileError::Line { line: 1, column: 1, problem: RowProblem::TooLong, .. }));
    // The longest line that is allowed, and one byte more.
    for (extra, fits) in [(0, true), (1, false)] {
        let row = format!("0,0,0,{:0>1$}", 7, MAX_LINE_BYTES + extra - 6);
        let bodies = read(&format!("template,x,y,z\r\n{row}\r\n0,0,0,0\r\n"));
        assert_eq!(bodies.is_ok_and(|b| (b[0].position.z - 7.0).abs() < 1e-15), fits);
    }
    let half = BufReader::new("template,x,y,z\n0,0,0,0\n".as_bytes().chain(Broken));
    let mut file = BodiesFile::new(half, "bodies.csv", &names).unwrap();
    assert!(matches!(file.next(), Some(Ok(_))));
    let message = file.next().unwrap().unwrap_err().to_string();
    assert!(message.starts_with("bodies.csv, line 3, column 1: cannot be read"), "{message}");
    let error = BodiesFile::new(&b"template,x,y,z\n0,0,\xff,0\n"[..], "bodies.csv", &names).unwrap().next();
    assert!(error.unwrap().unwrap_err().to_string().contains("line 2, column 5: not UTF-8"));
}

/// The state of bodies as an engine tells it.
fn states(scheme: SchemeKind) -> Vec<BodyState> {
    let mut world = world();
    let choice = Choice {
        material: MaterialId(1),
        scale: Scale::Uniform { low: 0.5, high: 1.5 },
        orientation: Orientation::Random,
        velocity: Velocity::Maxwell { sigma: 0.3 },
        spin: Velocity::Maxwell { sigma: 300.0 },
        ..Choice::weighted(&[(BALL, 1.0), (ROD, 1.0), (PAWN, 1.0)]).unwrap()
    };
    let cloud = Cloud { low: LabVec::zero(), high: cube(20.0), count: 50, gap: 1e-3 };
    world.bodies = cloud.place(&choice, &world, &mut Random::new(1)).unwrap();
    world.bodies[7].held = true;
    let mut engine = Engine::new(world, Settings { rotation: scheme.into(), ..Settings::new(1e-5) }).unwrap();
    engine.advance(50).unwrap();
    engine.bodies()
}

fn body(state: &BodyState) -> Body {
    Body {
        template: state.template,
        material: state.material,
        scale: state.scale,
        position: state.position,
        velocity: state.velocity,
        orientation: state.orientation,
        angular_velocity: state.angular_velocity,
        held: state.held,
        temperature: state.temperature.unwrap_or(tumble_dem::heat::ROOM),
        film: state.film.unwrap_or(0.0),
    }
}

#[test]
fn what_is_written_is_read_back_to_the_same_bits() {
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::SpiralLeapfrog, SchemeKind::Buss] {
        let mut states = states(scheme);
        states[0].position = v(-0.0, f64::MIN_POSITIVE / 8.0, -1e300);
        states[0].velocity = v(0.1 + 0.2, 1.0 / 3.0, 5e-324);
        let mut bytes = Vec::new();
        write_bodies(&mut bytes, &names(), &states).unwrap();
        let names = names();
        let bodies = BodiesFile::new(bytes.as_slice(), "bodies.csv", &names).unwrap();
        let bodies = bodies.collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(bits(&bodies), bits(&states.iter().map(body).collect::<Vec<_>>()), "{scheme:?}");
    }
}

#[test]
fn awkward_names_are_written_as_numbers() {
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let names = Names {
        templates: list(&[
            "a,b",
            " blank ",
            "#hash",
            "same",
            "same",
            "",
            "\"quoted\"",
            "ünïcode",
            "0.5",
            "line\nend",
        ]),
        materials: list(&["1", "0"]),
    };
    let state = states(SchemeKind::MagnusLeapfrog)[0];
    let states: Vec<BodyState> = (0..10)
        .map(|template| BodyState {
            template: TemplateId(template),
            material: MaterialId(template % 2),
            ..state
        })
        .collect();
    let mut bytes = Vec::new();
    write_bodies(&mut bytes, &names, &states).unwrap();
    let bodies = BodiesFile::new(bytes.as_slice(), "bodies.csv", &names).unwrap();
    let bodies = bodies.collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(bodies, states.iter().map(body).collect::<Vec<_>>());
    // What cannot be read back is not written.
    let write =
        |names: &Names, state: BodyState| write_bodies(Vec::new(), names, &[state]).unwrap_err().to_string();
    assert!(
        write(&Names { templates: list(&["a,b", "0"]), ..names.clone() }, states[0]).contains("template")
    );
    assert!(write(&names, BodyState { material: MaterialId(2), ..state }).contains("material"));
    assert!(write(&names, BodyState { velocity: v(f64::NAN, 0.0, 0.0), ..state }).contains("not finite"));
}

#[test]
fn the_list_of_columns_is_whole() {
    assert_eq!(Column::all().count(), Column::COUNT);
    for (number, column) in Column::all().enumerate() {
        assert_eq!(column as usize, number);
    }
    let plain: Vec<&str> = Column::all().map(Column::name).take(14).collect();
    assert_eq!(plain.join(","), HEADER.trim());
}

#[test]
fn no_bytes_whatsoever_make_it_panic() {
    let mut good = Vec::new();
    write_bodies(&mut good, &names(), &states(SchemeKind::MagnusLeapfrog)[..4]).unwrap();
    let pieces: [&[u8]; 12] = [
        b",",
        b"\n",
        b"\"",
        b"#",
        b"e",
        b"-",
        b"nan",
        b"1e400",
        b"\xff\xfe",
        b"\r\n",
        b"\xef\xbb\xbf",
        b"template",
    ];
    let names = names();
    let mut random = Random::new(11);
    let mut at = |length: usize| usize::try_from(random.bits() % (length as u64 + 1)).unwrap();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        for _ in 0..=at(3) {
            let (from, to) = (at(bytes.len()), at(bytes.len()));
            let (from, to) = (from.min(to), from.max(to));
            match at(5) {
                0 if from < bytes.len() => bytes[from] ^= 1 << at(7),
                1 => drop(bytes.drain(from..(from + at(5)).min(bytes.len()))),
                2 => drop(bytes.splice(from..from, pieces[at(pieces.len() - 1)].iter().copied())),
                3 => bytes.truncate(to),
                4 => bytes[from..to].reverse(),
                _ => bytes.extend_from_within(from..to),
            }
        }
        match BodiesFile::new(bytes.as_slice(), "bodies.csv", &names)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        {
            Ok(bodies) => {
                read += 1;
                assert!(
                    bodies
                        .iter()
                        .all(|body| (body.orientation.norm() - 1.0).abs() < 1e-11 && body.scale > 0.0)
                );
            }
            Err(error) => {
                refused += 1;
                let BodiesFileError::Line { line, column, .. } = error else { continue };
                assert!(line >= 1 && column >= 1);
                let lines = bytes.split(|&byte| byte == b'\n').count();
                assert!(line <= lines, "line {line} of {lines}");
            }
        }
    }
    assert!(read > 1000 && refused > 5000, "{read} read, {refused} refused: nothing was tested");
}

/// The reader takes what a buffered reader gives, in pieces of any size.
#[test]
fn it_does_not_matter_how_the_bytes_come() {
    let mut bytes = Vec::new();
    write_bodies(&mut bytes, &names(), &states(SchemeKind::MagnusLeapfrog)).unwrap();
    let names = names();
    let read = |reader: &mut dyn BufRead| {
        let bodies = BodiesFile::new(reader, "bodies.csv", &names).unwrap();
        bits(&bodies.collect::<Result<Vec<_>, _>>().unwrap())
    };
    let whole = read(&mut bytes.as_slice());
    for capacity in [1, 7, 64] {
        assert_eq!(read(&mut BufReader::with_capacity(capacity, bytes.as_slice())), whole);
    }
}

/// A long table ends soon for whoever does not want to wait, and says how far it was read.
#[test]
fn a_table_can_be_given_up() {
    let text = "template,x,y,z\n".to_owned() + &"0,0,0,1\n".repeat(5000);
    let (bodies, asked) = super::lattice::given_up(3, || read(&text));
    assert_eq!(asked, 3);
    let error = bodies.unwrap_err();
    assert!(matches!(error, BodiesFileError::Interrupted { .. }));
    assert!(error.to_string().ends_with("column 1: reading the bodies was interrupted"), "{error}");
    assert_eq!(read(&text).unwrap().len(), 5000);
}
