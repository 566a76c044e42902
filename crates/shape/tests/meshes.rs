//! A mesh is taken for what it encloses: exact mass properties and distances; what is wrong with it is named, and only what is told is mended.

use tumble_shape::{Bodies, MeshError, Point, Solid, bodies};

fn solid(triangles: &[[Point; 3]]) -> Solid {
    Solid::new(triangles, Bodies::One).unwrap()
}

fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1e-300), "{a} {b}");
}

#[test]
fn mass_properties_are_the_closed_forms() {
    let brick = solid(&bodies::cuboid([1.0, 2.0, 3.0]));
    near(brick.mass().volume, 6.0, 1e-14);
    near(brick.mass().inertia.diagonal.x, 6.0 * (4.0 + 9.0) / 12.0, 1e-14);
    // Polyhedra in a circle or a ball come near it with the square of their number of sides.
    let (radius, height) = (0.5, 1.5);
    let rod = solid(&bodies::cylinder(radius, height, 720));
    let volume = std::f64::consts::PI * radius * radius * height;
    near(rod.mass().volume, volume, 1e-4);
    near(rod.mass().inertia.diagonal.z, 0.5 * volume * radius * radius, 1e-4);
    let egg = solid(&bodies::ellipsoid([1.0, 0.7, 0.5], 40));
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.35;
    near(egg.mass().volume, volume, 2e-3);
    near(egg.mass().inertia.diagonal.x, volume * (0.49 + 0.25) / 5.0, 4e-3);
    let ring = solid(&bodies::torus(1.0, 0.35, [200, 100]));
    near(ring.mass().volume, 2.0 * std::f64::consts::PI.powi(2) * 0.35 * 0.35, 2e-3);
}

#[test]
fn depths_are_those_of_a_cuboid() {
    let brick = solid(&bodies::cuboid([2.0, 2.0, 4.0]));
    let mut random = tumble_dem::random::Random::new(5);
    for _ in 0..2000 {
        let at = Point::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0), random.between(-3.0, 3.0));
        let beyond = [at.x.abs() - 1.0, at.y.abs() - 1.0, at.z.abs() - 2.0];
        let inside = beyond.iter().all(|b| *b <= 0.0);
        let exact = if inside {
            -beyond.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b))
        } else {
            -beyond.iter().map(|b| b.max(0.0).powi(2)).sum::<f64>().sqrt()
        };
        assert!((brick.depth(at) - exact).abs() < 1e-14, "{at:?}");
    }
}

#[test]
fn a_torus_is_hollow_in_the_middle() {
    let ring = solid(&bodies::torus(1.0, 0.35, [128, 64]));
    assert!((ring.depth(Point::zero()) + 0.65).abs() < 2e-3);
    assert!((ring.depth(Point::new(0.0, 1.0, 0.0)) - 0.35).abs() < 2e-3);
}

#[test]
fn what_is_mended_is_told() {
    let mut cube = bodies::cuboid([1.0, 1.0, 1.0]);
    cube[3].swap(0, 1);
    cube.push(cube[0]);
    let [a, b, _] = cube[0];
    cube.push([a, b, b]);
    let mended = solid(&cube);
    assert_eq!((mended.mended().flipped, mended.mended().duplicate, mended.mended().degenerate), (1, 1, 1));
    assert_eq!(mended.mended().repairs().len(), 3);
    near(mended.mass().volume, 1.0, 1e-14);

    let inside_out: Vec<_> = bodies::cuboid([1.0; 3]).into_iter().map(|[a, b, c]| [a, c, b]).collect();
    let turned = solid(&inside_out);
    assert_eq!(turned.mended().inside_out, 1);
    near(turned.mass().volume, 1.0, 1e-14);

    // Corners that were rounded apart.
    let mut random = tumble_dem::random::Random::new(1);
    let rough: Vec<_> =
        bodies::ball(4).into_iter().map(|t| t.map(|corner| corner + random.direction() * 1e-8)).collect();
    assert!(solid(&rough).mended().joined.is_some());
    assert!(solid(&bodies::ball(4)).mended().repairs().is_empty());
}

#[test]
fn what_cannot_be_mended_is_refused_with_its_place() {
    let cube = bodies::cuboid([1.0; 3]);
    let refused = |triangles: &[[Point; 3]]| Solid::new(triangles, Bodies::One).unwrap_err();
    assert!(matches!(refused(&cube[2..]), MeshError::Open { edges: 4, .. }));
    assert!(matches!(refused(&[]), MeshError::Nothing { given: 0 }));
    let shifted =
        |by: f64| cube.iter().map(|t| t.map(|c| c * 0.5 + Point::new(by, 0.0, 0.0))).collect::<Vec<_>>();
    let two = [cube.clone(), shifted(3.0)].concat();
    assert_eq!(refused(&two), MeshError::Several { volumes: vec![1.0, 0.125] });
    let largest = Solid::new(&two, Bodies::Largest).unwrap();
    near(largest.mass().volume, 1.0, 1e-14);
    assert_eq!(largest.mended().left_out.map(|(count, _)| count), Some(1));
    // A smaller cube inside is a cavity, whichever way it is wound.
    let hollow = solid(&[cube.clone(), shifted(0.0)].concat());
    near(hollow.mass().volume, 0.875, 1e-14);
    assert_eq!(hollow.mended().cavities, 1);
    assert!(hollow.depth(Point::zero()) < 0.0);
    // Two cubes that share an edge.
    let beside = cube.iter().map(|t| t.map(|c| c + Point::new(1.0, 1.0, 0.0))).collect::<Vec<_>>();
    assert!(matches!(refused(&[cube.clone(), beside].concat()), MeshError::Branching { edges: 1, .. }));
}

#[test]
fn obj_files_are_read_and_wrong_lines_named() {
    let text = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4/4\nf 1 4 3\nf -3//1 -2//1 -1//1\n";
    let tetrahedron = Solid::parse(text.as_bytes(), "t.obj", 2.0, Bodies::One).unwrap();
    near(tetrahedron.mass().volume, 8.0 / 6.0, 1e-14);
    let quads = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    near(Solid::parse(quads.as_bytes(), "c.obj", 1.0, Bodies::One).unwrap().mass().volume, 1.0, 1e-14);
    for (text, message) in [
        ("v 0 0\nf 1 1 1\n", "t.obj, line 1: a corner has three coordinates, this one has 2"),
        ("v 0 0 x\n", "t.obj, line 1: expected a finite number, found `x`"),
        ("v 0 0 0\nf 1 2 3\n", "t.obj, line 2: there is no corner `2`: 1 were given before this line"),
        ("v 0 0 0\nf 1 1\n", "t.obj, line 2: a face has at least three corners, this one has 2"),
    ] {
        assert_eq!(
            Solid::parse(text.as_bytes(), "t.obj", 1.0, Bodies::One).unwrap_err().to_string(),
            message
        );
    }
}

/// The tetrahedron of [`obj_files_are_read_and_wrong_lines_named`] as PLY, with properties that mean nothing here.
const PLY: &str = "ply\nformat ascii 1.0\ncomment a tetrahedron\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n\
    element face 4\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0 255\n1 0 0 0\n0 1 0 0\n0 0 1 0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

#[test]
fn ply_files_are_read_as_text_and_binary_and_what_is_wrong_is_named() {
    let parse = |bytes: &[u8]| Solid::parse(bytes, "t.ply", 2.0, Bodies::One);
    near(parse(PLY.as_bytes()).unwrap().mass().volume, 8.0 / 6.0, 1e-14);

    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        element face 4\nproperty list uchar uint vertex_index\nend_header\n";
    let mut binary = header.as_bytes().to_vec();
    for corner in [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        binary.extend(corner.iter().flat_map(|x| x.to_le_bytes()));
    }
    for face in [[0_u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        binary.push(3);
        binary.extend(face.iter().flat_map(|place| place.to_le_bytes()));
    }
    near(parse(&binary).unwrap().mass().volume, 8.0 / 6.0, 1e-14);

    let message = |text: &str| parse(text.as_bytes()).unwrap_err().to_string();
    for (from, to, expected) in [
        ("3 1 2 3", "3 1 2 9", "t.ply: face 3 (from 0): there is no vertex 9 among 4 (from 0)"),
        ("3 1 2 3", "2 1 2", "t.ply: face 3 (from 0): a face has at least three corners, this one has 2"),
        (
            "property double y\n",
            "property double why\n",
            "t.ply: vertex 0 (from 0): expected the numbers `x`, `y` and `z`",
        ),
        ("element face", "element facet", "t.ply: it has no element `face`"),
    ] {
        assert_eq!(message(&PLY.replace(from, to)), expected);
    }
    // A file that ends too soon is told by its line.
    assert!(message(&PLY[..PLY.len() - 9]).starts_with("t.ply: "), "{}", message(&PLY[..PLY.len() - 9]));
    assert!(parse(&binary[..binary.len() - 5]).is_err());

    // Junk is an error or another mesh, never a panic and never a long wait.
    let mut random = tumble_dem::random::Random::new(3);
    for bytes in [PLY.as_bytes(), &binary] {
        for _ in 0..2000 {
            let mut spoilt = bytes.to_vec();
            for _ in 0..=random.bits() % 3 {
                let place = usize::try_from(random.bits() % spoilt.len() as u64).unwrap();
                spoilt[place] = random.bits().to_le_bytes()[0];
            }
            let _ = parse(&spoilt);
        }
    }
}

#[test]
fn turned_bodies_enclose_what_their_line_does() {
    // Two cones on each other: 2πr²h/3.
    let top = solid(&bodies::turned(&[[0.0, -1.0], [0.5, 0.0], [0.0, 1.0]], 400));
    near(top.mass().volume, std::f64::consts::PI * 0.25 * 2.0 / 3.0, 1e-4);
    let pawn = solid(&bodies::pawn(0.05, 32));
    assert!(pawn.mended().repairs().is_empty() && pawn.depth(Point::new(0.0, 0.0, 0.0405)) > 0.009);
    for seed in 1..4 {
        assert!(solid(&bodies::grain(0.002, seed, 8)).mended().repairs().is_empty());
    }
}

#[test]
fn a_size_that_suggests_another_unit_is_said() {
    let large = solid(&bodies::cuboid([20.0; 3]));
    assert!(large.mended().warnings()[0].contains("is one unit of it a metre?"));
    assert!(solid(&bodies::cuboid([0.02; 3])).mended().warnings().is_empty());
}
