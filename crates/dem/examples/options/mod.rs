//! What the examples have in common: options written as `name=value`.

use std::error::Error;
use tumble_dem::SchemeKind;

/// Calls `set` with each option, and gives the argument that is none: the file to write.
pub(crate) fn read(
    arguments: impl Iterator<Item = String>,
    mut set: impl FnMut(&str, &str) -> Result<bool, Box<dyn Error>>,
) -> Result<Option<String>, Box<dyn Error>> {
    let mut file = None;
    for argument in arguments {
        match argument.split_once('=') {
            None => file = Some(argument),
            Some((name, value)) => {
                if !set(name, value)? {
                    return Err(format!("there is no option '{name}'; see the top of the file").into());
                }
            }
        }
    }
    Ok(file)
}

/// Rotation schemes by name, with commas between them.
pub(crate) fn schemes(list: &str) -> Result<Vec<SchemeKind>, Box<dyn Error>> {
    let scheme = |name| {
        SchemeKind::from_name(name).ok_or_else(|| format!("there is no rotation scheme '{name}'").into())
    };
    list.split(',').map(scheme).collect()
}
