//! Progress of a run: every few seconds in a log, a bar on a terminal, nothing when quiet. The clock and the
//! terminal are those of the test.

use indicatif::TermLike;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tumble::Progress as Tick;
use tumble_cli::progress::Progress;

/// Everything that was written, for both kinds of sinks.
#[derive(Clone, Debug, Default)]
struct Screen(Arc<Mutex<String>>);

impl Screen {
    fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    fn put(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

impl io::Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        120
    }
    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn write_line(&self, text: &str) -> io::Result<()> {
        self.put(&format!("{text}\n"));
        Ok(())
    }
    fn write_str(&self, text: &str) -> io::Result<()> {
        self.put(text);
        Ok(())
    }
    fn clear_line(&self) -> io::Result<()> {
        self.put("\r");
        Ok(())
    }
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A clock set by hand, in milliseconds.
fn clock() -> (Arc<AtomicU64>, impl Fn() -> Duration + Send + 'static) {
    let time = Arc::new(AtomicU64::new(0));
    let hand = Arc::clone(&time);
    (hand, move || Duration::from_millis(time.load(Ordering::Relaxed)))
}

/// A quarter of a run of 0.2 s with steps of 10 µs.
const QUARTER: Tick = Tick {
    stage: None,
    time: 0.05,
    end: 0.2,
    step: 5000,
    steps_per_second: 200.0,
    energy_error: -1.26e-6,
    left: 0,
    waiting: 0,
    ranks: None,
    contacts: 31,
    bodies: 32,
};

#[test]
fn a_log_gets_a_line_every_five_seconds() {
    let (screen, (hand, clock)) = (Screen::default(), clock());
    let mut progress = Progress::lines(Box::new(screen.clone()), clock);
    for milliseconds in (0..=12_000).step_by(10) {
        hand.store(milliseconds, Ordering::Relaxed);
        assert_eq!(progress.is_due(), milliseconds > 0 && milliseconds % 5000 == 0);
        progress.update(&QUARTER);
    }
    let line = "0.050000 of 0.2 s (25.0 %), step 5000, 200 steps/s, 1 min 15 s left, energy error -1.3e-6, \
                31 contacts, 32 bodies\n";
    assert_eq!(screen.text(), line.repeat(2));
    progress.say("checkpoint written");
    progress.finish(&Tick { time: 0.2, step: 20_000, stage: Some((1, 3)), ..QUARTER });
    let end = screen.text();
    assert!(
        end.contains("bodies\ncheckpoint written\n0.200000 of 0.2 s (100.0 %), stage 2 of 3, step 20000"),
        "{end}"
    );
    assert!(end.contains(", 0 s left"), "{end}");
}

#[test]
fn a_terminal_gets_a_bar() {
    let (screen, (hand, clock)) = (Screen::default(), clock());
    let mut progress = Progress::bar(Box::new(screen.clone()), false, clock);
    progress.update(&QUARTER);
    hand.store(99, Ordering::Relaxed);
    assert!(!progress.is_due());
    hand.store(100, Ordering::Relaxed);
    assert!(progress.is_due());
    progress.finish(&Tick { time: 0.2, step: 20_000, ..QUARTER });
    let shown = screen.text();
    assert!(shown.contains(" 25 % #####-"), "{shown}");
    assert!(shown.contains("0.0500 of 0.2000 s  1 min 15 s left  200 steps/s"), "{shown}");
    assert!(shown.contains("energy -1.3e-6  31 contacts"), "{shown}");
    assert!(shown.contains("100 % ####################"), "{shown}");
}

#[test]
fn quiet_is_quiet() {
    let mut progress = Progress::quiet();
    assert!(!progress.is_due());
    progress.update(&QUARTER);
    progress.say("nobody hears this");
    progress.finish(&QUARTER);
}

#[test]
fn odd_numbers_do_no_harm() {
    let (screen, (hand, clock)) = (Screen::default(), clock());
    let mut progress = Progress::lines(Box::new(screen.clone()), clock);
    let ticks = [
        // Nothing done yet: nothing can be said about the end.
        Tick { time: 0.0, step: 0, steps_per_second: 0.0, energy_error: f64::NAN, ..QUARTER },
        Tick { end: 0.0, ..QUARTER },
        Tick { steps_per_second: f64::INFINITY, energy_error: f64::INFINITY, ..QUARTER },
        Tick { steps_per_second: 1e-300, ..QUARTER },
    ];
    for (n, tick) in (0..).zip(&ticks) {
        hand.store((n + 1) * 5000, Ordering::Relaxed);
        progress.update(tick);
    }
    let text = screen.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[0].contains("(0.0 %)") && lines[0].contains("energy error ?"), "{text}");
    assert!(!lines[0].contains("left") && !lines[3].contains("left"), "{text}");
}
