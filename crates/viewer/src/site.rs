//! What can be asked for: one fixed list of names. No part of a request ever becomes a part of a path.

use crate::fields;
use crate::http::{Body, Request, Response};
use crate::page::{PAGE, POLICY};
use crate::status::Watcher;
use serde_json::json;
use std::borrow::Cow;
use std::fs::File;
use std::path::Path;
use tumble_output::Part;

const JSON: &str = "application/json";
const CSV: &str = "text/csv; charset=utf-8";
const BYTES: &str = "application/octet-stream";

/// Tables have this before their names, which are those of their files.
const DATA: &str = "/data/";

/// Numbers of fields have this before what they are of: `NAME/FRAME/QUANTITY`.
const FIELDS: &str = "/data/fields/";

/// A file of the results.
struct DataFile {
    part: Part,
    kind: &'static str,
    /// What makes runs write it.
    written: Cow<'static, str>,
}

enum Thing {
    Page,
    /// Browsers ask for it unasked; there is none, and that is no error.
    Icon,
    Status,
    /// Which coarse-grained fields there are.
    Fields,
    File(DataFile),
}

const THINGS: [(&str, Thing); 7] = [
    ("/", Thing::Page),
    ("/favicon.ico", Thing::Icon),
    ("/data/status", Thing::Status),
    ("/data/fields", Thing::Fields),
    (
        "/data/trajectory",
        Thing::File(DataFile {
            part: Part::Trajectory,
            kind: BYTES,
            written: Cow::Borrowed(
                "if the scene says output.trajectory = true, which it does unless it says false",
            ),
        }),
    ),
    (
        "/data/summary.json",
        Thing::File(DataFile { part: Part::Summary, kind: JSON, written: Cow::Borrowed("when they end") }),
    ),
    (
        "/data/scene.toml",
        Thing::File(DataFile {
            part: Part::Scene,
            kind: "application/toml; charset=utf-8",
            written: Cow::Borrowed("when they start"),
        }),
    ),
];

/// The tables that runs write, by address.
fn tables() -> impl Iterator<Item = (String, DataFile)> {
    Part::ALL.into_iter().filter(|part| part.is_table()).map(|part| {
        let name = part.name();
        let key = name.trim_end_matches(".csv");
        let written = match part {
            Part::Bonds | Part::Measures => format!("if the scene has [[{key}]]"),
            _ => format!("if the scene says output.{key} = true, and there is something to write"),
        };
        let file = DataFile { part, kind: CSV, written: written.into() };
        (format!("{DATA}{name}"), file)
    })
}

/// What is said to a request that is in order.
pub(crate) fn answer(request: &Request, watcher: &Watcher) -> Response {
    if let Some((_, table)) = tables().find(|(name, _)| *name == request.path) {
        return data(&table, request, watcher);
    }
    if let Some(wanted) = request.path.strip_prefix(FIELDS) {
        return field(wanted, request, watcher);
    }
    let Some((_, thing)) = THINGS.iter().find(|(name, _)| *name == request.path) else {
        let names = THINGS.iter().map(|(name, _)| (*name).to_owned());
        let names: Vec<String> = names.chain(tables().map(|(name, _)| name)).collect();
        return error(404, &format!("there is nothing of this name; there are {}", names.join(", ")));
    };
    match thing {
        Thing::Page => Response::new(200, "text/html; charset=utf-8", Body::Text(PAGE.into()))
            .with("Content-Security-Policy", POLICY),
        Thing::Icon => Response::new(204, "", Body::Nothing),
        Thing::Status => match serde_json::to_string(&watcher.status()) {
            Ok(text) => Response::new(200, JSON, Body::Text(text.into())),
            Err(why) => error(500, &why.to_string()),
        },
        Thing::Fields => {
            let (fields, problems) = fields::all(watcher.source());
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let told = json!({ "fields": fields, "problems": problems });
            Response::new(200, JSON, Body::Text(told.to_string().into()))
        }
        Thing::File(file) => data(file, request, watcher),
    }
}

/// The table of fields along a line, or the numbers of a quantity in a frame.
fn field(wanted: &str, request: &Request, watcher: &Watcher) -> Response {
    let source = watcher.source();
    let address = |name: &str| format!("{DATA}{name}");
    if let Some((_, path)) =
        fields::tables(source).into_iter().find(|(name, _)| address(name) == request.path)
    {
        return file(&path, CSV, request);
    }
    match fields::values(source, wanted) {
        Ok(Some(values)) => Response::new(200, BYTES, Body::Bytes(values)),
        Ok(None) => error(
            404,
            "there are no fields of this name, frame and quantity; /data/fields tells which there are, and \
             runs write them if the scene has [[coarse_fields]]",
        ),
        Err(why) => error(404, &why.to_string()),
    }
}

/// A message as the page expects it.
pub(crate) fn error(code: u16, message: &str) -> Response {
    Response::new(code, JSON, Body::Text(json!({ "error": message }).to_string().into()))
}

fn data(wanted: &DataFile, request: &Request, watcher: &Watcher) -> Response {
    let source = watcher.source();
    let name = wanted.part.name();
    let Some(path) = source.part(wanted.part) else {
        let seen = source.path().display();
        return error(404, &format!("there is no {name}: {seen} is looked at alone, not with its folder"));
    };
    // A pipe could keep us waiting, and a link lead to what was not meant to be shown.
    match source.look(&path) {
        Ok(()) => {}
        Err(None) => {
            let (folder, written) = (source.path().display(), &wanted.written);
            return error(404, &format!("there is no {name} in {folder}; runs write it {written}"));
        }
        Err(Some(why)) => return error(404, &why.to_string()),
    }
    file(&path, wanted.kind, request)
}

/// A file, or the part of it that is asked for.
fn file(path: &Path, kind: &'static str, request: &Request) -> Response {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    let (length, file) = match opened {
        Ok(opened) => opened,
        Err(why) => return error(404, &format!("{} cannot be read: {why}", path.display())),
    };
    let response = |code: u16, body: Body| Response::new(code, kind, body).with("Accept-Ranges", "bytes");
    let Some(range) = &request.range else {
        return response(200, Body::File { file, start: 0, length });
    };
    match range.within(length) {
        Some((start, wanted)) => {
            let last = start + wanted - 1;
            response(206, Body::File { file, start, length: wanted })
                .with("Content-Range", format!("bytes {start}-{last}/{length}"))
        }
        None => error(416, &format!("the file has {length} bytes, and what was asked for begins later"))
            .with("Content-Range", format!("bytes */{length}")),
    }
}
