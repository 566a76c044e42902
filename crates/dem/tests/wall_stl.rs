//! Guarantee: STL files of both forms are read and written without loss, told apart by more than their first
//! word, and refused with a place and a reason.

use crate::sampling::Random;
use crate::solids::{Placed, Triangles, ball, cube, sheet, v};
use tumble_dem::wall::stl::{StlFault, StlForm, write_ascii, write_binary};
use tumble_dem::wall::{MeshOptions, Stl};
use tumble_math::LabVec;

fn ascii(triangles: &Triangles) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_ascii(&mut bytes, "a\nname", triangles.iter().copied()).unwrap();
    bytes
}

fn binary(triangles: &Triangles) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_binary(&mut bytes, "solid with a misleading header", triangles).unwrap();
    bytes
}

fn fault(bytes: &[u8]) -> StlFault {
    Stl::parse(bytes, "part.stl").unwrap_err().fault
}

#[test]
fn text_is_written_and_read_to_the_last_bit() {
    let mut random = Random(1);
    let triangles: Triangles = (0..500)
        .map(|_| {
            std::array::from_fn(|_| {
                LabVec::from_array(random.vector(1.0)) * 10.0_f64.powf(random.between(-30.0, 30.0))
            })
        })
        .collect();
    let stl = Stl::parse(&ascii(&triangles), "part.stl").unwrap();
    assert_eq!((stl.name.as_str(), stl.form), ("a name", StlForm::Ascii));
    assert_eq!(stl.triangles, triangles);
}

#[test]
fn binary_is_written_and_read_to_single_precision() {
    let triangles = Placed::random(&mut Random(2)).all(&ball(8));
    let bytes = binary(&triangles);
    assert_eq!(bytes.len(), 84 + 50 * triangles.len());
    let stl = Stl::parse(&bytes, "part.stl").unwrap();
    assert_eq!((stl.name.as_str(), stl.form), ("solid with a misleading header", StlForm::Binary));
    for (read, written) in stl.triangles.iter().flatten().zip(triangles.iter().flatten()) {
        assert!((*read - *written).norm() < 1.5e-7);
    }
    assert_eq!(Stl::parse(&binary(&stl.triangles), "part.stl").unwrap(), stl);
    let too_large = vec![[v(1e39, 0.0, 0.0), v(0.0, 1.0, 0.0), v(0.0, 0.0, 1.0)]];
    assert!(write_binary(Vec::new(), "", &too_large).is_err());
}

#[test]
fn files_are_read_from_disk_and_scaled() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wall");
    let stl = Stl::read(format!("{data}/two_solids.stl")).unwrap();
    assert_eq!((stl.name.as_str(), stl.triangles.len()), ("first part", 2));
    let metres = stl.scaled(1e-3).unwrap();
    assert_eq!(metres.triangles[1][2], v(0.0, 1e-2, -2.5e-3));
    assert!(metres.scaled(0.0).is_err());
    let missing = Stl::read(format!("{data}/no_such_file.stl")).unwrap_err().to_string();
    assert!(missing.contains("no_such_file.stl: cannot be read"), "{missing}");
}

#[test]
fn slanted_faces_of_single_precision_files_are_flat() {
    let mut random = Random(3);
    for _ in 0..20 {
        let placed = Placed::random(&mut random);
        let plate = placed.all(&sheet(30, 2.0, 0.4, &mut random, |_| 0.0));
        let stl = Stl::parse(&binary(&plate), "part.stl").unwrap();
        assert_eq!(stl.mesh(MeshOptions::default()).unwrap().report().faces, 1);
        let stl = Stl::parse(&binary(&placed.all(&cube(9))), "part.stl").unwrap();
        let mesh = stl.mesh(MeshOptions::default()).unwrap();
        assert_eq!(mesh.report().faces, 6);
        for _ in 0..300 {
            // Outside the cube: one touch, whatever the rounding did to its faces.
            let p = LabVec::from_array(random.vector(1.0)) * random.between(1.2, 2.5);
            let off = LabVec::from_array(p.to_array().map(|x| x - x.clamp(-1.0, 1.0)));
            if off.norm() > 0.1 {
                let found = crate::solids::touches(&mesh, placed.point(p), off.norm() + 0.05);
                assert_eq!(found.len(), 1, "{p:?} {found:?}");
                assert!((found[0].overlap - 0.05).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn errors_name_the_file_the_place_and_the_reason() {
    let text = ascii(&vec![[v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.0, 1.0, 0.0)]]);
    let text = String::from_utf8(text).unwrap();
    let says = |text: &str, expected: &str| {
        let error = Stl::parse(text.as_bytes(), "part.stl").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    says(&text.replace("2e0", "1e999"), "part.stl, line 5: expected a finite coordinate, found `1e999`");
    says(&text.replace("2e0", "nan"), "line 5: expected a finite coordinate, found `nan`");
    says(&text.replace("2e0", "one"), "line 5: expected a finite coordinate, found `one`");
    says(
        &text.replace("endloop", "vertex"),
        "line 7: expected `endloop` after three vertices, found `vertex`",
    );
    says(&text.replace("endsolid", "end"), "line 9: expected `facet` or `endsolid`, found `end`");
    says(&text[..text.len() / 2], "was it cut off?");
    says("solid", "line 1: the file ends where");
    says("", "length of 0 bytes");
    says(&text.replace("outer", &"x".repeat(10_000)), "x…`");
    // Normals may be NaN, keywords in capitals, names in any encoding.
    let odd = text.replace("normal 0e0 0e0 1e0", "normal nan NaN -inf").to_uppercase();
    assert_eq!(Stl::parse(odd.as_bytes(), "part.stl").unwrap().triangles.len(), 1);
    let mut latin = text.clone().into_bytes();
    latin[7] = 0xE9;
    assert_eq!(Stl::parse(&latin, "part.stl").unwrap().triangles.len(), 1);

    let good = binary(&cube(2));
    let mut bytes = good.clone();
    bytes.truncate(1000);
    assert_eq!(fault(&bytes), StlFault::WrongLength { triangles: 48, length: 1000 });
    bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(fault(&bytes), StlFault::WrongLength { triangles: u32::MAX, length: 1000 });
    assert!(
        Stl::parse(&bytes, "part.stl")
            .unwrap_err()
            .to_string()
            .contains("4294967295 triangles, which take 214748364834")
    );
    assert_eq!(fault(&good[..83]), StlFault::NotStl { length: 83 });
    let mut bytes = good.clone();
    bytes[84 + 50 * 3 + 12 + 4..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(fault(&bytes), StlFault::BadNumber { byte: 84 + 150 + 16, triangle: 3 });
}
