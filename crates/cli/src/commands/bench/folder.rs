//! Scenes from a folder: `scene.json` with box, material and templates, `clumps.csv` with the bodies. Other
//! codes can be given the same files.

use super::scenes::{Scene, close, gas_or_grains};
use serde_json::Value;
use std::error::Error;
use std::path::Path;
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::{Body, BodyVec, LabVec, Quat, TemplateId, World};

pub(super) fn read(folder: &Path) -> Result<Scene, Box<dyn Error>> {
    let text = |file: &str| {
        std::fs::read_to_string(folder.join(file)).map_err(|error| format!("{file} cannot be read: {error}"))
    };
    let json: Value =
        serde_json::from_str(&text("scene.json")?).map_err(|error| format!("scene.json: {error}"))?;
    let number = |key: &str| json[key].as_f64().ok_or(format!("scene.json has no number '{key}'"));
    let vector = |key: &str| -> Result<LabVec<f64>, Box<dyn Error>> {
        let values: Vec<f64> = json[key].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        Ok(LabVec::from_array(values.try_into().map_err(|_| format!("scene.json: '{key}' is no vector"))?))
    };
    let mut world = World::default();
    let contact =
        gas_or_grains(&mut world, number("rho")?, number("E")?, number("nu")?, number("e")?, number("mu")?);
    close(&mut world, vector("lo")?, vector("hi")?)?;
    world.gravity = vector("gravity")?;
    let mut frames = Vec::new();
    for template in json["templates"].as_array().ok_or("scene.json has no templates")? {
        let template = clump(template)?;
        // The bodies of the file are given in the frame of the file's spheres.
        frames.push(Frame { centre: template.centre(), turn: template.orientation() });
        world.add_template(template)?;
    }
    for (line, row) in text("clumps.csv")?.lines().enumerate().skip(1) {
        let body = body(row, &frames).map_err(|error| format!("clumps.csv, line {}: {error}", line + 1))?;
        world.add_body(body);
    }
    Ok(Scene::new(world, number("dt")?, contact))
}

/// How a template stands in the frame of its file.
struct Frame {
    centre: LabVec<f64>,
    turn: Quat<f64>,
}

fn clump(template: &Value) -> Result<ClumpTemplate, Box<dyn Error>> {
    let sphere = |sphere: &Value| {
        let [x, y, z, r] = [0, 1, 2, 3].map(|k| sphere[k].as_f64().unwrap_or(f64::NAN));
        ClumpSphere::new([x, y, z], r)
    };
    let spheres: Vec<ClumpSphere> =
        template["spheres"].as_array().into_iter().flatten().map(sphere).collect();
    let name = template["name"].as_str().unwrap_or("clump");
    Ok(ClumpTemplate::new(name, &spheres, MassModel::Union).map_err(|error| format!("{name}: {error}"))?)
}

/// The body of a line: template, place, orientation, velocity, spin.
fn body(row: &str, frames: &[Frame]) -> Result<Body, String> {
    let (template, numbers) = row.split_once(',').unwrap_or((row, ""));
    let template: u16 =
        template.trim().parse().map_err(|_| format!("'{template}' is no number of a template"))?;
    let frame = frames.get(usize::from(template)).ok_or(format!("there is no template {template}"))?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("'{text}' is not a number"));
    let numbers: Vec<f64> = numbers.split(',').map(number).collect::<Result<_, _>>()?;
    let [x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = numbers[..] else {
        return Err(format!("expected 14 columns, found {}", numbers.len() + 1));
    };
    let given = Quat::new(qw, qx, qy, qz).normalised();
    let offset = given.to_lab(BodyVec::from_array(frame.centre.to_array()));
    Ok(Body::at(TemplateId(template), LabVec::new(x, y, z) + offset)
        .turned(given.then(frame.turn).normalised())
        .moving(LabVec::new(vx, vy, vz))
        .spinning(LabVec::new(wx, wy, wz)))
}
