//! Scenes from a folder: `scene.json` with box, material and templates, `clumps.csv` with the bodies. Other
//! codes can be given the same files.

use super::scenes::{Scene, close, gas_or_grains};
use serde_json::Value;
use std::error::Error;
use std::path::Path;
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::{Body, LabVec, Quat, TemplateId, World};

pub(super) fn read(folder: &Path) -> Result<Scene, Box<dyn Error>> {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("scene.json"))?)?;
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
        let spheres: Vec<ClumpSphere> = template["spheres"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|sphere| {
                let [x, y, z, r] = [0, 1, 2, 3].map(|k| sphere[k].as_f64().unwrap_or(f64::NAN));
                ClumpSphere::new([x, y, z], r)
            })
            .collect();
        let name = template["name"].as_str().unwrap_or("clump");
        let template = ClumpTemplate::new(name, &spheres, MassModel::Union)?;
        // The bodies of the file are given in the frame of the file's spheres.
        frames.push((template.centre(), template.orientation()));
        world.add_template(template);
    }
    let text = std::fs::read_to_string(folder.join("clumps.csv"))?;
    for (line, row) in text.lines().enumerate().skip(1) {
        let row: Vec<f64> = row.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let [template, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = row[..] else {
            return Err(format!("clumps.csv:{}: expected 14 columns", line + 1).into());
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
        let template = template as u16;
        let &(centre, frame) = frames.get(usize::from(template)).ok_or("unknown template")?;
        let given = Quat::new(qw, qx, qy, qz).normalised();
        let offset = given.to_lab(LabVec::to_array(centre).into_body());
        let body = Body::at(TemplateId(template), LabVec::new(x, y, z) + offset)
            .turned(given.then(frame).normalised())
            .moving(LabVec::new(vx, vy, vz))
            .spinning(LabVec::new(wx, wy, wz));
        world.add_body(body);
    }
    let dt = number("dt")?;
    Ok(Scene { world, dt, contact, preparation: 0 })
}

/// The numbers of a point of the template's file as those of a vector that turns with the body.
trait IntoBody {
    fn into_body(self) -> tumble_dem::BodyVec<f64>;
}

impl IntoBody for [f64; 3] {
    fn into_body(self) -> tumble_dem::BodyVec<f64> {
        tumble_dem::BodyVec::from_array(self)
    }
}
