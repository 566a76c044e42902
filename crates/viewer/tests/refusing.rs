//! Guarantee: nothing but the fixed list of names can be had, by nobody but pages of this server, and no request,
//! however strange, stops the server.

use crate::common::{connect, get, request, results, send, serve};
use std::io::{Read as _, Write as _};
use tumble_dem::random::Random;

#[test]
fn no_path_leads_out_of_the_list() {
    let folder = results();
    std::fs::write(folder.path().join("secret"), "hidden").unwrap();
    let server = serve(folder.path());
    let long = format!("/data/{}", "a/../".repeat(10_000));
    for target in [
        "/data/../../etc/passwd",
        "/data/../secret",
        "/../../../../etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/data//etc/passwd",
        "/data/%2e%2e/%2e%2e/etc/passwd",
        "/data/%2e%2e%2fsecret",
        "/data/..%2f..%2fetc%2fpasswd",
        "/data/..\\..\\etc\\passwd",
        "/data/%5c..%5csecret",
        "/data/%252e%252e/secret",
        "/data/secret",
        "/secret",
        "/.tumble",
        "/data/.tumble",
        "/trajectory.tumble",
        "/data/trajectory.tumble",
        "/data/energy.csv/",
        "/data/energy.csv%00.html",
        "/data/ENERGY.CSV",
        "/data/checkpoints",
        "/data/",
        "/data",
        "data/energy.csv",
        "",
        "*",
        "C:\\Windows\\win.ini",
        "file:///etc/passwd",
        "http://127.0.0.1/etc/passwd",
        &long,
    ] {
        let reply = send(&server, &request(&server, "GET", target, "")).unwrap();
        assert!([404, 400].contains(&reply.code), "{target}: {reply:?}");
        let message = reply.error();
        assert!(!message.contains("hidden") && !message.contains("root:"), "{target}: {message}");
    }
    for target in [&b"/data/energy.csv\0"[..], b"/data/\0", b"/\xff\xfe", b"/data/\xc0\xae\xc0\xae/secret"] {
        let mut bytes = b"GET ".to_vec();
        bytes.extend_from_slice(target);
        bytes.extend_from_slice(&request(&server, "", "", "")[2..]);
        let reply = send(&server, &bytes).unwrap();
        assert!([404, 400].contains(&reply.code), "{target:?}: {reply:?}");
    }
    // What all of these were changed from.
    assert_eq!(get(&server, "/data/energy.csv").code, 200);
}

#[test]
fn only_looking_is_possible() {
    let folder = results();
    let before = std::fs::read(folder.path().join("energy.csv")).unwrap();
    let server = serve(folder.path());
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "BREW"] {
        let body = format!("Content-Length: 100000\r\n\r\n{}", "x".repeat(100_000));
        let reply = send(&server, &request(&server, method, "/data/energy.csv", &body)).unwrap();
        if method == "get" {
            assert_eq!(reply.code, 400, "{reply:?}");
            continue;
        }
        assert_eq!((reply.code, reply.header("Allow")), (405, Some("GET, HEAD")), "{method}");
    }
    assert!(std::fs::read(folder.path().join("energy.csv")).unwrap() == before);
}

/// DNS rebinding: a page from elsewhere, under a name that leads here.
#[test]
fn other_names_for_this_machine_are_refused() {
    let folder = results();
    let server = serve(folder.path());
    let port = server.port();
    let ask = |hosts: &str| {
        send(&server, format!("GET /data/energy.csv HTTP/1.1\r\n{hosts}\r\n").as_bytes()).unwrap().code
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(ask(&format!("Host: {host}\r\n")), 200, "{host}");
        assert_eq!(ask(&format!("hOST:{host}\r\nX: y\r\n")), 200, "{host}");
    }
    for host in [
        format!("evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.2:{port}"),
        format!("0.0.0.0:{port}"),
        format!("127.0.0.1:{}", port ^ 1),
        "127.0.0.1".to_owned(),
        "localhost".to_owned(),
        String::new(),
    ] {
        assert_eq!(ask(&format!("Host: {host}\r\n")), 403, "{host}");
    }
    assert_eq!(ask(""), 400);
    assert_eq!(ask(&format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n")), 400);
}

#[test]
fn strange_requests_get_an_answer_or_none_and_the_server_stays() {
    let folder = results();
    let server = serve(folder.path());
    let ok = String::from_utf8(request(&server, "GET", "/data/status", "")).unwrap();
    let code = |bytes: &[u8]| send(&server, bytes).map(|reply| reply.code);
    assert_eq!(code(ok.as_bytes()), Some(200));
    assert_eq!(code(ok.replace("HTTP/1.1", "HTTP/2.0").as_bytes()), Some(505));
    assert_eq!(code(ok.replace(" HTTP/1.1", "").as_bytes()), Some(400));
    assert_eq!(code(ok.replace("GET ", "GET  ").as_bytes()), Some(400));
    assert_eq!(code(ok.replace("Host: ", "Host ").replace(':', "").as_bytes()), Some(400));
    assert_eq!(code(b"\r\n\r\n"), Some(400));
    assert_eq!(code(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Some(505));
    // What a browser sends that was told https://.
    assert_eq!(code(&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), Some(400));
    let long = ok.replace("GET", &format!("GET /{}", "a".repeat(70_000)));
    assert_eq!(code(long.as_bytes()), Some(431));
    let many = request(&server, "GET", "/", &"X: y\r\n".repeat(20_000));
    assert_eq!(code(&many), Some(431));
    // Nothing, a part of a request, and the end of the connection.
    for bytes in [&b""[..], b"GET", b"GET / HTTP/1.1\r\nHost: 127"] {
        let mut stream = connect(&server);
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        assert!(reply.is_empty());
    }
    // Those who say nothing do not keep others waiting.
    let silent: Vec<_> = (0..30).map(|_| connect(&server)).collect();
    assert_eq!(code(ok.as_bytes()), Some(200));
    drop(silent);
}

/// However many begin a request and never end it, others are answered at once: those who wait longest give up their place,
/// long before their time is up, when they would be told so.
#[test]
fn half_sent_requests_make_room_for_others() {
    let folder = results();
    let server = serve(folder.path());
    let half = |_| {
        let mut stream = connect(&server);
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
        stream
    };
    let mut waiting: Vec<_> = (0..200).map(half).collect();
    assert_eq!(get(&server, "/data/status").code, 200);
    let mut reply = Vec::new();
    // It may be closed or reset.
    let _ = waiting[0].read_to_end(&mut reply);
    assert!(reply.is_empty(), "it waited until its time was up: {}", String::from_utf8_lossy(&reply));
}

/// A pipe would keep the server waiting, and a link could lead to what nobody meant to show.
#[test]
#[cfg(unix)]
fn only_plain_files_are_shown() {
    let folder = results();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "time_s,step\n0,0\nhidden,7\n").unwrap();
    let server = serve(folder.path());
    for (name, target) in [
        ("energy.csv", "/data/energy.csv"),
        ("summary.json", "/data/summary.json"),
        ("scene.toml", "/data/scene.toml"),
        ("trajectory.tumble", "/data/trajectory"),
    ] {
        let path = folder.path().join(name);
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&secret, &path).unwrap();
        let reply = get(&server, target);
        assert_eq!(reply.code, 404, "{name}");
        assert!(reply.error().contains("a link to elsewhere"), "{}", reply.error());
        assert_eq!(get(&server, "/data/status").code, 200, "{name}");
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reply = get(&server, target);
        assert!(reply.code == 404 && reply.error().contains("a pipe"), "{name}: {reply:?}");
        assert_eq!(get(&server, "/data/status").code, 200, "{name}");
    }
}

#[test]
fn damaged_requests_never_stop_the_server() {
    let folder = results();
    let server = serve(folder.path());
    let headers = "Range: bytes=0-99\r\nAccept: */*\r\n";
    let whole = request(&server, "GET", "/data/trajectory", headers);
    let mut random = Random::new(7);
    let mut codes = std::collections::BTreeMap::new();
    for _ in 0..600 {
        let mut bytes = whole.clone();
        for _ in 0..=random.bits() % 3 {
            let at = usize::try_from(random.bits() % bytes.len() as u64).unwrap();
            match random.bits() % 3 {
                0 => bytes[at] = random.bits().to_le_bytes()[0],
                1 => bytes[at] ^= 1 << (random.bits() % 8),
                _ => drop(bytes.remove(at)),
            }
        }
        // Whatever became of the empty line, this is the end.
        bytes.extend_from_slice(b"\r\n\r\n");
        let code = send(&server, &bytes).unwrap().code;
        *codes.entry(code).or_insert(0) += 1;
    }
    // Some harmless, and each kind of harm.
    assert!(
        [206, 400, 403, 404].iter().all(|code| codes.get(code).is_some_and(|count| *count > 5)),
        "{codes:?}"
    );
    assert_eq!(get(&server, "/data/trajectory").code, 200);
}
