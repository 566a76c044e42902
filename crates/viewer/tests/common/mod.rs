//! Results of a small run, and a browser of few words: raw sockets, so that nothing is made right on the way.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, BodyId, Engine, LabVec, Settings, TemplateId, World};
use tumble_output::csv::EnergyCsv;
use tumble_output::trajectory::TrajectoryWriter;
use tumble_output::{Ending, Frame, FrameSink as _, Mode, Model, Part, ResultFolder, Summary, Timing};
use tumble_viewer::{Options, Server, Source};

/// What would end the data of a page, if it were written as it is.
pub(crate) const TITLE: &str = "Rods </script><!-- & \"more\"";

/// As a run leaves it: with whole paths.
const SCENE: &str =
    "version = 1\ngravity = [0.0, 0.0, -9.81]\n\n[templates.rod]\nfile = \"/home/ann/rod.csv\"\n";

/// Frames of the run below.
pub(crate) const FRAMES: usize = 10;

/// A run that is under way: the folder is taken.
pub(crate) struct Running {
    pub(crate) folder: ResultFolder,
    engine: Engine,
    trajectory: TrajectoryWriter,
    energy: EnergyCsv,
    written: usize,
}

impl Running {
    pub(crate) fn start(path: &Path) -> Self {
        let folder = ResultFolder::create(path, Mode::New).unwrap();
        let world = world();
        let model = Model::of(&world, TITLE);
        let trajectory =
            TrajectoryWriter::create(&folder.part(Part::Trajectory), Arc::clone(&model), true).unwrap();
        let engine = Engine::new(world, Settings::new(1e-5)).unwrap();
        let energy = EnergyCsv::create(&folder.part(Part::Energy), &engine.ledger()).unwrap();
        fs::write(folder.part(Part::Scene), SCENE).unwrap();
        Self { folder, engine, trajectory, energy, written: 0 }
    }

    /// A frame and a row, 100 steps later; bodies come and go on the way.
    pub(crate) fn go_on(&mut self) {
        self.engine.advance(100).unwrap();
        if self.written == 3 {
            self.engine.remove_bodies(&[BodyId(1)]).unwrap();
        }
        if self.written == 6 {
            self.engine.add_bodies(&[Body::at(TemplateId(0), LabVec::new(0.5, 0.5, 0.5))]).unwrap();
        }
        self.written += 1;
        let mut frame = Frame::default();
        frame.take(&self.engine, true);
        self.trajectory.write(&frame).unwrap();
        self.energy.append(&self.engine).unwrap();
    }

    /// Ends, and lets go of the folder.
    pub(crate) fn end(self, ending: Ending) {
        let summary = Summary::of(&self.engine, TITLE, "hash", Timing::default(), ending);
        summary.write(&self.folder.part(Part::Summary)).unwrap();
    }
}

fn world() -> World {
    let mut world = World { gravity: LabVec::new(0.0, 0.0, -9.81), ..World::default() };
    let glass = world.materials.add(Material::new("glass", 2500.0, 1e7, 0.25)).unwrap();
    world.materials.set_default(PairProperties::new(0.6, 0.4));
    let rod = ClumpTemplate::new("rod", &shapes::rod(3, 5e-3, 6e-3), MassModel::Union).unwrap();
    let rod = world.add_template(rod).unwrap();
    world.bodies = (0..4).map(|n| Body::at(rod, LabVec::new(0.1 * f64::from(n), 0.0, 0.02))).collect();
    let floor = Plane::new(LabVec::zero(), LabVec::new(0.0, 0.0, 1.0)).unwrap();
    world.walls.push(Wall::new("floor", floor, glass, Motion::fixed()).unwrap());
    world
}

/// A folder with the results of a run that has finished.
pub(crate) fn results() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    finished(folder.path());
    folder
}

pub(crate) fn finished(path: &Path) {
    let mut run = Running::start(path);
    (0..FRAMES).for_each(|_| run.go_on());
    run.end(Ending::Finished);
}

/// The bytes of a part of results.
pub(crate) fn bytes(folder: &Path, part: Part) -> Vec<u8> {
    fs::read(folder.join(part.name())).unwrap()
}

pub(crate) fn serve(path: &Path) -> Server {
    Server::start(Source::at(path).unwrap(), Options::default()).unwrap()
}

/// A trajectory that is long, though there is next to nothing on the disk.
pub(crate) fn long_trajectory(folder: &Path, length: u64) -> PathBuf {
    let path = folder.join("long.tumble");
    fs::copy(folder.join(Part::Trajectory.name()), &path).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
    path
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) code: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        headers.find_map(|(own, value)| own.eq_ignore_ascii_case(name).then_some(value))
    }

    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The message of an error.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(("127.0.0.1", server.port())).unwrap()
}

/// Sends bytes as they are, and gives the reply if there is one.
pub(crate) fn send(server: &Server, request: &[u8]) -> Option<Reply> {
    let mut stream = connect(server);
    // The server may have refused what it saw already.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let code = head.strip_prefix("HTTP/1.1 ").unwrap().split(' ').next().unwrap().parse().unwrap();
    Some(Reply { code, head, body: bytes[end + 4..].to_vec() })
}

/// A request as browsers send it.
pub(crate) fn request(server: &Server, method: &str, target: &str, headers: &str) -> Vec<u8> {
    let port = server.port();
    format!("{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n").into_bytes()
}

pub(crate) fn get(server: &Server, target: &str) -> Reply {
    send(server, &request(server, "GET", target, "")).unwrap()
}

pub(crate) fn get_range(server: &Server, target: &str, range: &str) -> Reply {
    send(server, &request(server, "GET", target, &format!("Range: {range}\r\n"))).unwrap()
}
