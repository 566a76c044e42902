//! What a browser is told, and how it is sent.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How long a browser may take to accept the next piece.
const PATIENCE: Duration = Duration::from_mins(1);

/// Files are read and sent in pieces of this many bytes, however long they are.
const PIECE: usize = 256 * 1024;

/// Headers of every answer. Nothing is kept: the next run may have the same names.
const ALWAYS: [(&str, &str); 5] = [
    ("Connection", "close"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
];

/// What is sent after the head.
#[derive(Debug)]
pub(crate) enum Body {
    Nothing,
    Text(Cow<'static, str>),
    Bytes(Vec<u8>),
    /// A part of a file.
    File {
        file: File,
        start: u64,
        length: u64,
    },
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    code: u16,
    headers: Vec<(&'static str, String)>,
    body: Body,
}

impl Response {
    pub(crate) fn new(code: u16, kind: &'static str, body: Body) -> Self {
        let mut headers = Vec::new();
        if !kind.is_empty() {
            headers.push(("Content-Type", kind.to_owned()));
        }
        let length = match &body {
            Body::Nothing => None,
            Body::Text(text) => Some(text.len() as u64),
            Body::Bytes(bytes) => Some(bytes.len() as u64),
            Body::File { length, .. } => Some(*length),
        };
        headers.extend(length.map(|length| ("Content-Length", length.to_string())));
        Self { code, headers, body }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Sends it, and the connection ends. An error is nobody's but the browser's, which has gone.
    ///
    /// A file that is shorter by now than it was is noticed by the browser, which was told the length.
    pub(crate) fn send(
        self,
        stream: &mut TcpStream,
        head_only: bool,
        stop: impl Fn() -> bool,
    ) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(self.head().as_bytes())?;
        match self.body {
            _ if head_only => {}
            Body::Nothing => {}
            Body::Text(text) => stream.write_all(text.as_bytes())?,
            Body::Bytes(bytes) => stream.write_all(&bytes)?,
            Body::File { mut file, start, length } => {
                file.seek(SeekFrom::Start(start))?;
                let mut file = file.take(length);
                let mut piece = vec![0; PIECE.min(usize::try_from(length).unwrap_or(PIECE))];
                loop {
                    let count = file.read(&mut piece)?;
                    if count == 0 || stop() {
                        break;
                    }
                    stream.write_all(&piece[..count])?;
                }
            }
        }
        hang_up(stream)
    }

    fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.code, reason(self.code));
        let always = ALWAYS.iter().map(|(name, value)| (*name, *value));
        for (name, value) in self.headers.iter().map(|(name, value)| (*name, value.as_str())).chain(always) {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        head
    }
}

/// Says that this was all, and waits a little for the other side to agree. If a connection is closed on bytes that
/// nobody read, such as the body of a request that was refused, the answer may be lost with them.
fn hang_up(stream: &mut TcpStream) -> io::Result<()> {
    const LONGEST: Duration = Duration::from_millis(500);
    stream.shutdown(Shutdown::Write)?;
    let deadline = Instant::now() + LONGEST;
    let mut piece = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut piece)? == 0 {
            return Ok(());
        }
    }
}

fn reason(code: u16) -> &'static str {
    match code {
        200 => "OK",
        204 => "No Content",
        206 => "Partial Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        416 => "Range Not Satisfiable",
        431 => "Request Header Fields Too Large",
        505 => "HTTP Version Not Supported",
        _ => "Internal Server Error",
    }
}
