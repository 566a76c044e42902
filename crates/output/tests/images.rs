//! Guarantee: files of numbers on a grid hold every number where VTK looks for it, and a series that is resumed ends with the same bytes.

#![allow(clippy::float_cmp, reason = "numbers that were only copied")]

use std::fs;
use tumble_output::vtk::{Image, ImageArray, ImageHead, ImageWriter, image_names, images};

/// Numbers of cells come back from their file, and a series that is resumed has no later ones.
#[test]
fn images_hold_their_numbers_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let image = |scale: f64| Image {
        origin: [0.1, -0.2, 3.0],
        spacing: [0.5, 0.25, 2.0],
        cells: [2, 1, 3],
        arrays: vec![
            ImageArray {
                name: "density".into(),
                components: vec![String::new()],
                values: [1.0, 2.0, 3.0, 4.0, 5.0, f64::NAN].map(|value| value * scale).to_vec(),
            },
            ImageArray {
                name: "velocity".into(),
                components: ["X", "Y", "Z"].map(str::to_owned).to_vec(),
                values: (0..18).map(|value| f64::from(value) * scale).collect(),
            },
        ],
    };
    let mut writer = ImageWriter::create(folder.path(), "cut").unwrap();
    for step in [10_u32, 20, 30] {
        writer.write(1e-3 * f64::from(step), step.into(), &image(step.into())).unwrap();
    }
    writer.sync().unwrap();
    let marks = writer.marks();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let file = bytes("cut_000001.vti");
    let text = String::from_utf8_lossy(&file).into_owned();
    assert!(
        text.contains("WholeExtent=\"0 2 0 1 0 3\" Origin=\"0.1 -0.2 3.0\" Spacing=\"0.5 0.25 2.0\""),
        "{text}"
    );
    assert!(text.contains("Name=\"velocity\" NumberOfComponents=\"3\" ComponentName0=\"X\""), "{text}");
    let data = file.windows(2).position(|two| two == b"\n_").unwrap() + 2;
    let number = |place: usize| <[u8; 8]>::try_from(&file[data + 8 * place..data + 8 * place + 8]).unwrap();
    assert_eq!(u64::from_le_bytes(number(0)), 48);
    assert_eq!(f64::from_le_bytes(number(5)), 100.0);
    assert!(f64::from_le_bytes(number(6)).is_nan());
    assert_eq!((u64::from_le_bytes(number(7)), f64::from_le_bytes(number(9))), (144, 20.0));

    let listed = images(folder.path(), "cut").unwrap();
    assert_eq!(image_names(folder.path()), ["cut"]);
    assert_eq!(listed.iter().map(|image| image.step).collect::<Vec<_>>(), [10, 20, 30]);
    assert!(listed.iter().all(|image| image.time == 1e-3 * image.step as f64));
    let path = &listed[1].path;
    let head = ImageHead::read(path).unwrap();
    assert_eq!((head.origin, head.spacing, head.cells), ([0.1, -0.2, 3.0], [0.5, 0.25, 2.0], [2, 1, 3]));
    let components: Vec<&[String]> = head.arrays.iter().map(|array| &array.components[..]).collect();
    assert_eq!(components, [&[String::new()][..], &["X", "Y", "Z"].map(str::to_owned)]);
    let density = head.values(path, "density").unwrap().unwrap();
    assert_eq!(density[..5], [20.0, 40.0, 60.0, 80.0, 100.0]);
    assert!(density[5].is_nan() && density.len() == 6);
    let velocity: Vec<f32> = (0..18_u8).map(|value| 20.0 * f32::from(value)).collect();
    assert_eq!(head.values(path, "velocity").unwrap(), Some(velocity));
    assert_eq!(head.values(path, "pressure").unwrap(), None);

    let (whole, last) = (bytes("cut.pvd"), bytes("cut_000002.vti"));
    let mut writer = ImageWriter::resume(folder.path(), "cut", 20).unwrap();
    assert!(!folder.path().join("cut_000002.vti").exists());
    writer.write(1e-3 * 30.0, 30, &image(30.0)).unwrap();
    writer.sync().unwrap();
    assert_eq!((bytes("cut.pvd"), bytes("cut_000002.vti")), (whole, last));
    assert_eq!(writer.marks(), marks);
}

/// A file that was cut off, or is another one, is told from one that is whole, and costs no memory.
#[test]
fn damaged_images_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let values = vec![1.0; 24];
    let arrays = vec![ImageArray { name: "density".into(), components: vec![String::new()], values }];
    let image = Image { origin: [0.0; 3], spacing: [1.0; 3], cells: [20, 1, 10], arrays };
    ImageWriter::create(folder.path(), "cut").unwrap().write(0.0, 0, &image).unwrap();
    let path = folder.path().join("cut_000000.vti");
    let head = ImageHead::read(&path).unwrap();
    assert_eq!(head.cells, [20, 1, 10]);
    let message = head.values(&path, "density").unwrap_err().to_string();
    assert!(message.contains("its numbers of density are not all there"), "{message}");
    let bytes = fs::read(&path).unwrap();
    for length in [0, 1, 100, bytes.len() / 2] {
        fs::write(&path, &bytes[..length]).unwrap();
        let told = ImageHead::read(&path).map(|head| head.values(&path, "density"));
        assert!(!matches!(told, Ok(Ok(_))), "{length} bytes");
    }
    let huge =
        String::from_utf8_lossy(&bytes).replace("0 20 0 1 0 10", "0 4294967295 0 4294967295 0 4294967295");
    fs::write(&path, huge).unwrap();
    assert!(!matches!(ImageHead::read(&path).map(|head| head.values(&path, "density")), Ok(Ok(_))));
    assert!(images(folder.path(), "other").unwrap().is_empty());
}
