//! The first Ctrl-C or SIGTERM ends a run in good order, the second at once. Real signals, to real children.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use tumble_cli::signals::Interrupt;

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn the_program_ends_in_good_order() {
    for signal in ["-TERM", "-INT"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
            .args(["bench", "rods-20", "--steps", "1000000000000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The header is printed when signals are caught already.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.next().unwrap().starts_with("scene"));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("interrupted: what was measured"), "{message}");
    }
}

/// Tells the test below that it is the child.
const CHILD: &str = "TUMBLE_STUBBORN_CHILD";

/// Not a test of its own: the child of the one below, which notices signals but does not end.
#[test]
#[ignore = "waits for signals"]
fn stubborn() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let interrupt = Interrupt::catch().unwrap();
    let mut out = std::io::stdout();
    writeln!(out, "\nready").and_then(|()| out.flush()).unwrap();
    while !interrupt.requested() {
        std::thread::yield_now();
    }
    writeln!(out, "noticed").and_then(|()| out.flush()).unwrap();
    loop {
        std::thread::park();
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    for (first, second, code) in [("-TERM", "-TERM", 143), ("-INT", "-INT", 130), ("-INT", "-TERM", 143)] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "signals::stubborn", "--nocapture"])
            .env(CHILD, "1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line == "ready"));
        send(first, &child);
        assert!(lines.any(|line| line == "noticed"));
        send(second, &child);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{first} {second}");
    }
}
