//! Guarantee: what is served is what is in the files, whole or in parts, to many at once, in little memory.

use crate::common::{bytes, connect, get, get_range, long_trajectory, request, results, send, serve};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;
use tumble_output::Part;
use tumble_viewer::{Options, Server, Source};

#[test]
fn the_page_may_run_what_is_in_it_and_nothing_else() {
    let folder = results();
    let server = serve(folder.path());
    assert_eq!(server.url(), format!("http://127.0.0.1:{}/", server.port()));
    let page = get(&server, "/");
    assert_eq!((page.code, page.header("Content-Type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.text().starts_with("<!doctype html>") || page.text().starts_with("<!DOCTYPE html>"));
    let policy = page.header("Content-Security-Policy").unwrap();
    for rule in ["default-src 'none'; script-src 'unsafe-inline'; ", "connect-src 'self'", "worker-src blob:"]
    {
        assert!(policy.contains(rule), "{policy}");
    }
    assert_eq!(get(&server, "/favicon.ico").code, 204);
    for target in ["/", "/data/trajectory", "/data/status", "/data/nothing"] {
        let reply = get(&server, target);
        assert_eq!(reply.header("Cache-Control"), Some("no-store"), "{target}");
        assert_eq!(reply.header("X-Content-Type-Options"), Some("nosniff"), "{target}");
        assert_eq!(reply.header("Connection"), Some("close"), "{target}");
        assert_eq!(reply.header("Access-Control-Allow-Origin"), None, "{target}");
        assert_eq!(reply.header("Content-Length"), Some(&*reply.body.len().to_string()), "{target}");
    }
}

#[test]
fn files_come_as_they_are() {
    let folder = results();
    let server = serve(folder.path());
    for (target, part, kind) in [
        ("/data/trajectory", Part::Trajectory, "application/octet-stream"),
        ("/data/energy.csv", Part::Energy, "text/csv; charset=utf-8"),
        ("/data/summary.json", Part::Summary, "application/json"),
        ("/data/scene.toml", Part::Scene, "application/toml; charset=utf-8"),
        ("/data/energy.csv?again=1", Part::Energy, "text/csv; charset=utf-8"),
    ] {
        let reply = get(&server, target);
        assert_eq!((reply.code, reply.header("Content-Type")), (200, Some(kind)), "{target}");
        assert_eq!(reply.header("Accept-Ranges"), Some("bytes"), "{target}");
        assert!(reply.body == bytes(folder.path(), part), "{target}");
        let head = send(&server, &request(&server, "HEAD", target, "")).unwrap();
        assert_eq!((head.code, head.body.len()), (200, 0), "{target}");
        assert_eq!(head.header("Content-Length"), reply.header("Content-Length"), "{target}");
    }
    let missing = get(&server, "/data/walls.csv");
    assert_eq!((missing.code, missing.header("Content-Type")), (404, Some("application/json")));
    let message = missing.error();
    assert!(message.contains("walls.csv") && message.contains("output.walls = true"), "{message}");
    // The file is looked for each time.
    std::fs::write(folder.path().join("walls.csv"), "time_s,step\n").unwrap();
    assert_eq!(get(&server, "/data/walls.csv").text(), "time_s,step\n");
    std::fs::remove_file(folder.path().join("walls.csv")).unwrap();
    std::fs::create_dir(folder.path().join("walls.csv")).unwrap();
    assert!(get(&server, "/data/walls.csv").error().contains("expected a plain file, found a folder"));
}

#[test]
fn parts_of_files() {
    let folder = results();
    let server = serve(folder.path());
    let whole = bytes(folder.path(), Part::Trajectory);
    let length = whole.len();
    for (range, expected) in [
        ("bytes=0-".to_owned(), 0..length),
        (format!("bytes={}-", length - 1), length - 1..length),
        ("bytes=24-99".to_owned(), 24..100),
        (format!("bytes=100-{}", length + 1000), 100..length),
        ("bytes=-64".to_owned(), length - 64..length),
    ] {
        let reply = get_range(&server, "/data/trajectory", &range);
        assert_eq!(reply.code, 206, "{range}");
        let told = format!("bytes {}-{}/{length}", expected.start, expected.end - 1);
        assert_eq!(reply.header("Content-Range"), Some(&*told));
        assert!(reply.body == whole[expected], "{range}");
    }
    for range in [format!("bytes={length}-"), format!("bytes={}-{}", length + 5, length + 9)] {
        let reply = get_range(&server, "/data/trajectory", &range);
        assert_eq!((reply.code, reply.header("Content-Range")), (416, Some(&*format!("bytes */{length}"))));
        assert!(reply.error().contains(&length.to_string()));
    }
    // What is not one range is not understood, and the whole file is a right answer to that.
    for range in ["bytes=0-1,5-6", "bytes=9-5", "lines=0-4", "bytes=a-b"] {
        let reply = get_range(&server, "/data/trajectory", range);
        assert_eq!((reply.code, reply.body.len()), (200, length), "{range}");
    }
}

#[test]
fn many_at_once() {
    let folder = results();
    let server = serve(folder.path());
    let whole = bytes(folder.path(), Part::Trajectory);
    // All of them connect before the first one asks.
    let streams: Vec<TcpStream> = (0..20).map(|_| connect(&server)).collect();
    std::thread::scope(|scope| {
        for mut stream in streams.into_iter().rev() {
            let (server, whole) = (&server, &whole);
            scope.spawn(move || {
                stream.write_all(&request(server, "GET", "/data/trajectory", "")).unwrap();
                let mut reply = Vec::new();
                stream.read_to_end(&mut reply).unwrap();
                assert!(reply.ends_with(whole));
            });
        }
    });
}

#[test]
fn a_browser_that_leaves_is_forgotten() {
    let folder = results();
    let path = long_trajectory(folder.path(), 1 << 30);
    let server = serve(&path);
    // More than may be there at once.
    for _ in 0..80 {
        let mut stream = connect(&server);
        stream.write_all(&request(&server, "GET", "/data/trajectory", "")).unwrap();
        stream.read_exact(&mut [0; 4096]).unwrap();
    }
    assert_eq!(get(&server, "/").code, 200);
}

#[test]
fn a_long_file_does_not_enter_the_memory() {
    const LENGTH: u64 = 3 << 30;
    let folder = results();
    let server = serve(&long_trajectory(folder.path(), LENGTH));
    let far = get_range(&server, "/data/trajectory", "bytes=3221225000-");
    assert_eq!((far.code, far.body.len() as u64), (206, LENGTH - 3_221_225_000));
    let before = memory();
    let mut stream = connect(&server);
    stream.write_all(&request(&server, "GET", "/data/trajectory", "Range: bytes=0-499999999\r\n")).unwrap();
    let (mut piece, mut received) = (vec![0; 1 << 20], 0_u64);
    loop {
        let count = stream.read(&mut piece).unwrap();
        if count == 0 {
            break;
        }
        received += count as u64;
    }
    assert!((500_000_000..500_010_000).contains(&received), "{received}");
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after < before + 200_000, "from {before} kB to {after} kB");
    }
}

/// The most memory that this program ever had, kB; where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[test]
fn nobody_else_can_connect_and_nothing_is_left_at_the_end() {
    let folder = results();
    let server = serve(folder.path());
    let port = server.port();
    // Any other address of the loopback network would do for a server that listens everywhere.
    let other = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), port));
    assert!(TcpStream::connect_timeout(&other, Duration::from_secs(5)).is_err());
    let taken = Server::start(Source::at(folder.path()).unwrap(), Options { port }).unwrap_err();
    assert!(taken.to_string().contains(&format!("port {port} cannot be used")), "{taken}");
    let mut asked = 0;
    server.run_until(|| {
        asked += 1;
        asked > 2
    });
    let own = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    assert!(TcpStream::connect_timeout(&own, Duration::from_secs(5)).is_err());
}
