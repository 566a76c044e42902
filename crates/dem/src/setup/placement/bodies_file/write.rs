//! Bodies to a CSV file.

use super::columns::Column;
use super::names::{Names, Numbers};
use crate::report::BodyState;
use core::fmt::Write as _;
use std::io::{self, BufWriter, Write};

/// Writes bodies in the format of [`BodiesFile`](super::BodiesFile), all columns, in the order given; temperatures and films only where there
/// are any.
///
/// Numbers have as many digits as they need to be read back to the same bits. A template or material whose
/// name would not be read back (with a comma in it, or not the only one of that name) is written as its
/// number. An error if that is not possible, or if something is not finite.
pub fn write_bodies(out: impl Write, names: &Names, bodies: &[BodyState]) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let warm = bodies.iter().any(|body| body.temperature.is_some());
    let wet = bodies.iter().any(|body| body.film.is_some());
    let told = |column: &Column| match column {
        Column::Temperature => warm,
        Column::Film => wet,
        _ => true,
    };
    let columns = Column::all().filter(told);
    let header: Vec<&str> = columns.map(Column::name).collect();
    writeln!(out, "{}", header.join(","))?;
    let (templates, materials) = (Numbers::new(&names.templates), Numbers::new(&names.materials));
    let mut line = String::new();
    for body in bodies {
        let invalid =
            |what: &str| io::Error::new(io::ErrorKind::InvalidInput, format!("body {}: {what}", body.id.0));
        let template = templates.text(body.template.0).ok_or_else(|| invalid("its template has no name"))?;
        let material = materials.text(body.material.0).ok_or_else(|| invalid("its material has no name"))?;
        let [x, y, z] = body.position.to_array();
        let [qw, qx, qy, qz] = body.orientation.to_array();
        let [vx, vy, vz] = body.velocity.to_array();
        let [wx, wy, wz] = body.angular_velocity.to_array();
        line.clear();
        line.push_str(&template);
        for number in [x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, body.scale] {
            if !number.is_finite() {
                return Err(invalid("a number of its state is not finite"));
            }
            // Debug has an exponent where that is shorter.
            write!(line, ",{number:?}").map_err(io::Error::other)?;
        }
        write!(out, "{line},{material},{}", u8::from(body.held))?;
        for (number, wrong) in
            [(body.temperature, "its temperature is not finite"), (body.film, "its film is not finite")]
        {
            match number {
                Some(number) if number.is_finite() => write!(out, ",{number:?}")?,
                Some(_) => return Err(invalid(wrong)),
                None => {}
            }
        }
        writeln!(out)?;
    }
    out.flush()
}
