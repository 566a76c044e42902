//! Writes one of every kind of file, and what they should hold, for `tests/vtk_check.py`:
//!
//! `cargo run -p tumble-output --features vtkhdf --example write_samples -- FOLDER`

#[path = "../tests/common/mod.rs"]
mod common;

use common::{advance, engine, wall_names, world};
use serde_json::{Value, json};
use std::error::Error;
use std::path::PathBuf;
use tumble_dem::{BodyId, BodyState, Engine, Touching, World};
use tumble_output::csv::{EnergyCsv, WallsCsv};
use tumble_output::trajectory::TrajectoryWriter;
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{
    Background, Ending, FrameSink, Mode, Model, Part, Receivers, ResultFolder, Summary, Timing,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    let folder = ResultFolder::create(&path, Mode::Force)?;
    let world = world();
    let mut engine = engine(&world);
    let model = Model::of(&world, "Samples");
    let sinks: Vec<Box<dyn FrameSink>> = vec![
        Box::new(VtkWriter::create(folder.part(Part::Vtk), model.clone(), &Piece::ALL)?),
        Box::new(TrajectoryWriter::create(&folder.part(Part::Trajectory), model, true)?),
    ];
    let mut frames = Background::start(sinks)?;
    let mut energy = EnergyCsv::create(&folder.part(Part::Energy), &engine.ledger())?;
    let mut walls = WallsCsv::create(&folder.part(Part::Walls), wall_names(&world), false)?;
    let begin = std::time::Instant::now();
    let mut expected = Vec::new();
    for instant in 0..4 {
        if instant == 2 {
            engine.remove_bodies(&[BodyId(1), BodyId(50)])?;
        }
        let mut frame = frames.spare_frame();
        frame.take(&engine, true);
        frames.submit(frame, Receivers::ALL)?;
        energy.append(&engine)?;
        walls.append(&engine)?;
        expected.push(describe(&engine, &world));
        advance(&mut engine, 200);
    }
    frames.finish()?;
    let timing = Timing::of(&engine.stage_times(), begin.elapsed().as_secs_f64());
    Summary::of(&engine, "Samples", "none", timing, Ending::Finished).write(&folder.part(Part::Summary))?;
    #[cfg(feature = "vtkhdf")]
    write_vtkhdf(&path)?;
    let templates: Vec<Value> = world
        .templates
        .iter()
        .map(|template| {
            template.spheres().iter().map(|s| json!([s.centre.x, s.centre.y, s.centre.z, s.radius])).collect()
        })
        .collect();
    let text = serde_json::to_string(&json!({
        "templates": templates, "frames": expected, "walls": wall_names(&world),
        "vtkhdf": cfg!(feature = "vtkhdf"),
    }))?;
    std::fs::write(path.join("expected.json"), text)?;
    Ok(())
}

/// The trajectory as files for ParaView.
#[cfg(feature = "vtkhdf")]
fn write_vtkhdf(folder: &std::path::Path) -> Result<(), tumble_output::Error> {
    // A trajectory does not tell which bodies touch, and these have no capsules, ellipsoids or polyhedra.
    let left_out = [Piece::Chains, Piece::Capsules, Piece::Ellipsoids, Piece::Polyhedra];
    for piece in Piece::ALL.into_iter().filter(|piece| !left_out.contains(piece)) {
        let file = folder.join(format!("{}.vtkhdf", piece.name()));
        let go_on = |_, _| std::ops::ControlFlow::Continue(());
        tumble_output::vtkhdf::convert(&folder.join(Part::Trajectory.name()), piece, &file, go_on)?;
    }
    Ok(())
}

/// An instant as the engine tells it.
fn describe(engine: &Engine, world: &World) -> Value {
    let body = |body: &BodyState| {
        json!({
            "id": body.id.0, "template": body.template.0, "material": body.material.0, "scale": body.scale,
            "held": body.held, "mass": body.mass, "position": body.position.to_array(),
            "velocity": body.velocity.to_array(), "orientation": body.orientation.to_array(),
            "spin": body.angular_velocity.to_array(), "force": body.force.to_array(),
            "torque": body.torque.to_array(),
        })
    };
    let contacts = engine.contacts();
    let contacts = contacts.iter().map(|contact| {
        let (other, wall) = match contact.with {
            Touching::Body(id, _) => (i64::from(id.0), -1),
            Touching::Wall(wall) => (-1, i64::from(wall.0)),
        };
        json!({
            "body": contact.body.0.0, "other_body": other, "wall": wall,
            "point": contact.point.to_array(), "force": contact.force.to_array(),
        })
    });
    let poses = world.walls.iter().map(|wall| {
        let pose = wall.motion.at(engine.time());
        let (pivot, origin) = (pose.pivot.to_array(), pose.origin.to_array());
        json!({ "pivot": pivot, "origin": origin, "orientation": pose.orientation.to_array() })
    });
    json!({
        "time": engine.time(), "step": engine.steps(),
        "bodies": engine.bodies().iter().map(body).collect::<Vec<_>>(),
        "contacts": contacts.collect::<Vec<_>>(), "poses": poses.collect::<Vec<_>>(),
    })
}
