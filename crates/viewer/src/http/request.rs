//! What a browser asks for. Nothing is believed of a request before it is whole and short enough.

use super::Range;
use std::io::{ErrorKind, Read as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// More than any browser sends, even with the cookies of other programs on this machine.
const LONGEST_HEAD: usize = 64 * 1024;

/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request that is in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Whether only the head of the answer is wanted.
    pub(crate) head_only: bool,
    /// What is asked for, without what follows a question mark.
    pub(crate) path: String,
    pub(crate) range: Option<Range>,
}

/// Why a request is not answered: the code, and what to say.
pub(crate) type Refusal = (u16, &'static str);

impl Request {
    /// Waits for a request to this port. None if there is nobody to answer.
    pub(crate) fn receive(stream: &mut TcpStream, port: u16) -> Option<Result<Self, Refusal>> {
        let deadline = Instant::now() + PATIENCE;
        let mut head = Vec::new();
        let mut piece = [0; 4096];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
                return (!head.is_empty()).then_some(Err((408, "the request took too long")));
            }
            let looked_at = match stream.read(&mut piece) {
                Ok(0) => return None,
                Ok(count) => {
                    // The end may have come in two pieces.
                    let looked_at = head.len().saturating_sub(3);
                    head.extend_from_slice(&piece[..count]);
                    looked_at
                }
                Err(error) if is_wait(error.kind()) => continue,
                Err(_) => return None,
            };
            if !head.first().is_some_and(u8::is_ascii_uppercase) {
                return Some(Err((400, "this is no request of HTTP; the address begins with http://")));
            }
            if let Some(end) = head[looked_at..].windows(4).position(|four| four == b"\r\n\r\n") {
                head.truncate(looked_at + end);
                return Some(Self::parse(&head, port));
            }
            if head.len() > LONGEST_HEAD {
                return Some(Err((431, "the request is too long")));
            }
        }
    }

    /// Reads everything before the empty line.
    fn parse(head: &[u8], port: u16) -> Result<Self, Refusal> {
        let mut lines =
            head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let line = lines.next().and_then(|line| str::from_utf8(line).ok()).unwrap_or_default();
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err((400, "the first line is not that of a request"));
        };
        if !["HTTP/1.1", "HTTP/1.0"].contains(&version) {
            return Err((505, "this server speaks HTTP/1.1"));
        }
        let (mut hosts, mut range) = (Vec::new(), None);
        for line in lines {
            let Some(colon) = line.iter().position(|byte| *byte == b':') else {
                return Err((400, "a header has no colon"));
            };
            let value = String::from_utf8_lossy(&line[colon + 1..]);
            match &line[..colon] {
                name if name.eq_ignore_ascii_case(b"host") => hosts.push(value.trim().to_owned()),
                name if name.eq_ignore_ascii_case(b"range") => range = Range::parse(&value),
                _ => {}
            }
        }
        match &hosts[..] {
            [host] if is_ours(host, port) => {}
            [_] => return Err((403, "this server is for 127.0.0.1 and localhost alone")),
            _ => return Err((400, "a request names one host")),
        }
        let head_only = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return Err((405, "there is nothing here but to look at: GET and HEAD")),
        };
        let path = target.split('?').next().unwrap_or_default().to_owned();
        Ok(Self { head_only, path, range })
    }
}

/// Whether an error says that nothing has come yet; how long that may be is decided elsewhere.
fn is_wait(kind: ErrorKind) -> bool {
    [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted].contains(&kind)
}

/// Whether a request is meant for us. A page of somebody else's can make a browser send requests here under a name
/// that it has bound to 127.0.0.1 (DNS rebinding), but then the browser tells that name.
fn is_ours(host: &str, port: u16) -> bool {
    let (name, number) = match host.rsplit_once(':') {
        Some((name, number)) if !number.ends_with(']') => (name, number.parse().ok()),
        _ => (host, Some(80)),
    };
    let ours = ["127.0.0.1", "localhost", "[::1]"].iter().any(|own| own.eq_ignore_ascii_case(name));
    ours && number == Some(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_with_the_right_port_are_ours() {
        for host in ["127.0.0.1:8000", "localhost:8000", "LocalHost:8000", "[::1]:8000"] {
            assert!(is_ours(host, 8000), "{host}");
        }
        for host in [
            "",
            ":8000",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:8001",
            "[::1]",
            "evil.example:8000",
            "localhost.evil.example:8000",
            "127.0.0.1.evil.example:8000",
            "127.0.0.1:8000:8000",
            "user@localhost:8000",
            "localhost:",
        ] {
            assert!(!is_ours(host, 8000), "{host}");
        }
        // Browsers leave the usual port out.
        assert!(is_ours("localhost", 80) && is_ours("[::1]", 80) && !is_ours("evil.example", 80));
    }
}
