//! The server: who may connect, and how many at once. What they get is in `site`.

use crate::http::{Refusal, Request};
use crate::site;
use crate::status::Watcher;
use crate::{Error, Source};
use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How a server is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The port; 0 takes any that is free.
    pub port: u16,
}

/// Serves results to browsers on this machine, from when it is started until it is dropped.
///
/// It listens on 127.0.0.1, answers only requests that name it so, and has no way to change anything. A file is open
/// only while it is sent.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

/// What the threads of a server have in common.
#[derive(Debug)]
struct Shared {
    watcher: Watcher,
    port: u16,
    stopping: AtomicBool,
    connections: AtomicUsize,
    accepted: AtomicU64,
    /// Connections whose request has not come yet, the oldest first.
    waiting: Mutex<BTreeMap<u64, TcpStream>>,
}

/// Connections at once. Browsers open six, some of them in advance.
const MOST: usize = 64;

impl Server {
    /// Begins to serve results.
    pub fn start(source: Source, options: Options) -> Result<Self, Error> {
        let failed = |source: io::Error| Error::Port { port: options.port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let shared = Arc::new(Shared {
            watcher: Watcher::new(source),
            port: address.port(),
            stopping: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
            accepted: AtomicU64::new(0),
            waiting: Mutex::default(),
        });
        let listen = {
            let shared = Arc::clone(&shared);
            move || shared.listen(&listener)
        };
        let thread = thread::Builder::new().name("tumble-viewer".into()).spawn(listen).map_err(failed)?;
        Ok(Self { address, shared, listening: Some(thread) })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Serves until something says that it is enough, which is asked twenty times a second.
    pub fn run_until(self, mut stop: impl FnMut() -> bool) {
        while !stop() {
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    /// Stops listening. What is being sent is cut off at its next piece.
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        // The thread waits for a connection, so it gets one.
        let woken = TcpStream::connect_timeout(&self.address, Duration::from_secs(1)).is_ok();
        if let Some(thread) = self.listening.take().filter(|_| woken) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    fn listen(self: &Arc<Self>, listener: &TcpListener) {
        while !self.is_stopping() {
            if self.connections.load(Ordering::SeqCst) >= MOST {
                // Whoever comes now waits in the queue of the system. Every connection ends in time, and one that only
                // keeps its place, such as a half-sent request, gives it up.
                self.drop_oldest_waiting();
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            match listener.accept() {
                Ok((stream, _)) if !self.is_stopping() => self.take(stream),
                Ok(_) => {}
                // Such as too many open files: it may be better in a moment.
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, TcpStream>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn drop_oldest_waiting(&self) {
        if let Some((_, stream)) = self.waiting().pop_first() {
            // Its thread finds that nothing more comes. It may be over already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// The request of a connection, which counts as waiting until it has come.
    fn receive(&self, stream: &mut TcpStream) -> Option<Result<Request, Refusal>> {
        let number = self.accepted.fetch_add(1, Ordering::SeqCst);
        if let Ok(stream) = stream.try_clone() {
            self.waiting().insert(number, stream);
        }
        let request = Request::receive(stream, self.port);
        self.waiting().remove(&number);
        request
    }

    /// Answers in a thread of its own, so that nobody has to wait for anybody.
    fn take(self: &Arc<Self>, mut stream: TcpStream) {
        let place = Place::new(self);
        let serve = move || {
            place.shared.serve(&mut stream);
            // Only now: the connection counts for as long as it is open.
            drop((stream, place));
        };
        // Without a thread there is no answer, and the browser tries again.
        let _ = thread::Builder::new().name("tumble-viewer".into()).spawn(serve);
    }

    fn serve(&self, stream: &mut TcpStream) {
        let (response, head_only) = match self.receive(stream) {
            None => return,
            Some(Ok(request)) => (site::answer(&request, &self.watcher), request.head_only),
            Some(Err((code, why))) => {
                let refusal = site::error(code, why);
                (if code == 405 { refusal.with("Allow", "GET, HEAD") } else { refusal }, false)
            }
        };
        // The browser may be gone; then there is nobody to tell.
        let _ = response.send(stream, head_only, || self.is_stopping());
    }
}

/// A connection that counts, until it is over in whatever way.
struct Place {
    shared: Arc<Shared>,
}

impl Place {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.connections.fetch_add(1, Ordering::SeqCst);
        Self { shared: Arc::clone(shared) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.shared.connections.fetch_sub(1, Ordering::SeqCst);
    }
}
