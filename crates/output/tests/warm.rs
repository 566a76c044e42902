//! Guarantee: temperatures are in trajectories and in the table of walls of a run with heat, films of liquid in trajectories of a run with
//! liquid, and neither in any other's.

use crate::common::{settings, v};
use crate::vtp::Vtp;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat, WallTemperature};
use tumble_dem::liquid::Liquid;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, Engine, MaterialId, World};
use tumble_output::csv::WallsCsv;
use tumble_output::trajectory::{TrajectoryReader, TrajectoryWriter};
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Frame, FrameSink, Model};

/// Two balls on a plate, of which one is warm.
fn world() -> World {
    let mut world = World::default();
    let glass = Material::new("glass", 2500.0, 1e7, 0.25);
    world.materials.add(glass.with(&HEAT_CAPACITY, 800.0).with(&CONDUCTIVITY, 1.5)).unwrap();
    world.materials.set_default(PairProperties::new(0.8, 0.3));
    let ball = world.add_template(ClumpTemplate::sphere("ball", 0.01).unwrap()).unwrap();
    let plate = Plane::new(v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0)).unwrap();
    let plate = Wall::new("plate", plate, MaterialId(0), Motion::fixed()).unwrap();
    world.walls.push(plate.at_temperature(WallTemperature::fixed(500.0).unwrap()));
    for (x, temperature) in [(0.0, 310.5), (0.1, 400.25)] {
        world.add_body(Body::at(ball, v(x, 0.0, 0.0099)).at_temperature(temperature));
    }
    world.heat = Some(Heat::default());
    world
}

#[test]
fn temperatures_come_back_where_there_is_heat() {
    for heat in [Some(Heat::default()), None] {
        let world = World { heat, ..world() };
        let folder = tempfile::tempdir().unwrap();
        let mut engine = Engine::new(world.clone(), settings()).unwrap();
        let mut frame = Frame::default();
        frame.take(&engine, false);
        let path = folder.path().join("trajectory.bin");
        let mut writer = TrajectoryWriter::create(&path, Model::of(&world, "warm"), false).unwrap();
        writer.write(&frame).unwrap();
        let mut reader = TrajectoryReader::open(&path).unwrap();
        let known = reader.header().arrays.iter().any(|array| array.name == "temperatures");
        assert_eq!(known, heat.is_some());
        let told = reader.frame(0).unwrap().temperatures;
        assert_eq!(told, if heat.is_some() { vec![310.5, 400.25] } else { Vec::new() });

        let model = Model::of(&world, "warm");
        let mut writer = VtkWriter::create(folder.path(), model, &[Piece::Spheres, Piece::Bodies]).unwrap();
        writer.write(&frame).unwrap();
        for file in ["spheres_000000.vtp", "bodies_000000.vtp"] {
            let file = Vtp::read(&folder.path().join(file));
            assert_eq!(file.names("PointData").contains(&"temperature"), heat.is_some());
            if heat.is_some() {
                let rows: Vec<f64> =
                    file.array("PointData", "temperature").rows().map(|row| row[0]).collect();
                assert_eq!(rows, [310.5, 400.25]);
            }
        }

        let path = folder.path().join("walls.csv");
        let mut table = WallsCsv::create(&path, vec!["plate".into()], heat.is_some()).unwrap();
        engine.advance(1).unwrap();
        table.append(&engine).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert!(
            rows[0].len() == rows[1].len() && rows[0].contains(&"heat_flow_W") == heat.is_some(),
            "{text}"
        );
        if heat.is_some() {
            // What the plate gives, by what a ball among others was then.
            let [flow, given] = engine.walls()[0].heat.unwrap();
            let [.., told_flow, told_given] = rows[1][..] else { panic!("{text}") };
            assert_eq!(
                [told_flow, told_given].map(|t| t.parse::<f64>().unwrap().to_bits()),
                [flow, given].map(f64::to_bits)
            );
            assert!(flow > 0.0 && given > 0.0);
        }
    }
}

/// Films are those of the bodies, in the order of their numbers.
#[test]
fn films_come_back_where_there_is_liquid() {
    for liquid in [Some(Liquid::default()), None] {
        let folder = tempfile::tempdir().unwrap();
        let world = world();
        let mut frame = Frame::default();
        frame.take(&Engine::new(world.clone(), settings()).unwrap(), false);
        for (body, film) in frame.bodies.iter_mut().zip([2e-11, 0.0]) {
            body.film = liquid.map(|_| film);
        }
        let path = folder.path().join("trajectory.tumble");
        let model = Model::of(&World { liquid, ..world }, "wet");
        TrajectoryWriter::create(&path, model, false).unwrap().write(&frame).unwrap();
        let mut reader = TrajectoryReader::open(&path).unwrap();
        let known = reader.header().arrays.iter().any(|array| array.name == "films");
        assert_eq!(known, liquid.is_some());
        let told = reader.frame(0).unwrap();
        assert_eq!(told.films, if liquid.is_some() { vec![2e-11, 0.0] } else { Vec::new() });
        assert_eq!(told.temperatures, [310.5, 400.25], "and what else there is stays beside them");
    }
}
