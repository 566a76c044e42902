//! Guarantee: frames are written in order by another thread; errors come back, each once, and nothing is lost
//! silently; a full queue makes the run wait instead of growing.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use tumble_dem::{BodyId, BodyState, BodyVec, LabVec, MaterialId, Quat, TemplateId};
use tumble_output::{Background, Error, Frame, FrameSink, Receivers};

/// Notes what it gets, fails at some steps, and waits for permission if told to.
struct Probe {
    seen: Arc<Mutex<Vec<u64>>>,
    fails_at: Vec<u64>,
    permission: Option<Receiver<()>>,
}

impl FrameSink for Probe {
    fn write(&mut self, frame: &Frame) -> Result<(), Error> {
        if let Some(permission) = &self.permission {
            permission.recv().unwrap();
        }
        assert!(frame.step != 666, "an unlucky step");
        self.seen.lock().unwrap().push(frame.step);
        if self.fails_at.contains(&frame.step) {
            let source = io::Error::from(io::ErrorKind::StorageFull);
            return Err(Error::File { doing: "write", path: format!("frame {}", frame.step).into(), source });
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.seen.lock().unwrap().push(u64::MAX);
        Ok(())
    }
}

fn probe(fails_at: &[u64]) -> (Box<Probe>, Arc<Mutex<Vec<u64>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    (Box::new(Probe { seen: seen.clone(), fails_at: fails_at.to_vec(), permission: None }), seen)
}

fn frame(step: u64) -> Frame {
    Frame { step, ..Frame::default() }
}

#[test]
fn frames_go_where_they_should_and_in_order() {
    let (first, seen_first) = probe(&[]);
    let (second, seen_second) = probe(&[]);
    let mut background = Background::start(vec![first, second]).unwrap();
    for step in 0..20 {
        let to = Receivers::NONE.and(0);
        background.submit(frame(step), if step % 5 == 0 { to.and(1) } else { to }).unwrap();
    }
    background.flush().unwrap();
    assert_eq!(*seen_second.lock().unwrap(), [0, 5, 10, 15, u64::MAX], "written and safe when flush returns");
    background.submit(frame(20), Receivers::ALL).unwrap();
    background.finish().unwrap();
    let expected: Vec<u64> = (0..20).chain([u64::MAX, 20, u64::MAX]).collect();
    assert_eq!(*seen_first.lock().unwrap(), expected);
}

#[test]
fn every_error_comes_back_once() {
    let (sink, seen) = probe(&[3, 4, 8]);
    let mut background = Background::start(vec![sink]).unwrap();
    let mut errors = Vec::new();
    for step in 0..9 {
        errors.extend(background.submit(frame(step), Receivers::ALL).err());
    }
    while let Err(error) = background.flush() {
        errors.push(error);
    }
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    for (text, step) in texts.iter().zip([3, 4, 8]) {
        assert!(text.contains(&format!("frame {step}:")) && text.contains("make room"), "{text}");
    }
    background.finish().unwrap();
    assert_eq!(seen.lock().unwrap().iter().filter(|step| **step < 9).count(), 9, "the others are written");
}

#[test]
fn finish_tells_what_nobody_asked_for() {
    let (sink, _) = probe(&[1]);
    let mut background = Background::start(vec![sink]).unwrap();
    background.submit(frame(0), Receivers::ALL).unwrap();
    let early = background.submit(frame(1), Receivers::ALL).err();
    let late = background.finish().err();
    assert_eq!(usize::from(early.is_some()) + usize::from(late.is_some()), 1);
}

#[test]
fn a_full_queue_waits_and_room_is_used_again() {
    let (permit, permission): (Sender<()>, _) = channel();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Probe { seen: seen.clone(), fails_at: Vec::new(), permission: Some(permission) };
    let mut background = Background::start(vec![Box::new(sink)]).unwrap();
    let (handed, count) = channel();
    let run = std::thread::spawn(move || {
        for step in 0..10 {
            let mut frame = background.spare_frame();
            frame.step = step;
            frame.bodies.reserve(100);
            background.submit(frame, Receivers::ALL).unwrap();
            handed.send(step).unwrap();
        }
        background
    });
    // One is being written, two wait; the fourth is not taken before the first is done.
    for _ in 0..3 {
        count.recv().unwrap();
    }
    assert!(count.recv_timeout(std::time::Duration::from_millis(100)).is_err());
    for _ in 0..10 {
        permit.send(()).unwrap();
    }
    let mut background = run.join().unwrap();
    background.flush().unwrap();
    assert!(background.spare_frame().bodies.capacity() >= 100);
    background.finish().unwrap();
    assert_eq!(seen.lock().unwrap().len(), 12);
}

/// Frames of millions of bodies take more memory than the engine has for them: there is one, and the run waits for it.
#[test]
fn the_next_large_frame_waits_for_the_last() {
    let (permit, permission): (Sender<()>, _) = channel();
    let sink = Probe { seen: Arc::default(), fails_at: Vec::new(), permission: Some(permission) };
    let mut background = Background::start(vec![Box::new(sink)]).unwrap();
    let mut large = background.spare_frame();
    large.bodies = vec![ball(); 250_001];
    background.submit(large, Receivers::ALL).unwrap();
    let (handed, got) = channel();
    let run = std::thread::spawn(move || {
        handed.send(background.spare_frame().bodies.capacity()).unwrap();
        background
    });
    assert!(got.recv_timeout(std::time::Duration::from_millis(100)).is_err());
    permit.send(()).unwrap();
    assert!(got.recv().unwrap() > 250_000, "its room is used again");
    run.join().unwrap().finish().unwrap();
}

fn ball() -> BodyState {
    BodyState {
        id: BodyId(0),
        template: TemplateId(0),
        material: MaterialId(0),
        scale: 1.0,
        position: LabVec::zero(),
        velocity: LabVec::zero(),
        orientation: Quat::identity(),
        angular_velocity: LabVec::zero(),
        force: LabVec::zero(),
        torque: LabVec::zero(),
        mass: 1.0,
        moments: BodyVec::zero(),
        held: false,
        temperature: None,
        film: None,
    }
}

#[test]
fn a_thread_that_panics_is_noticed() {
    let (sink, _) = probe(&[]);
    let mut background = Background::start(vec![sink]).unwrap();
    let mut outcome = background.submit(frame(666), Receivers::ALL);
    for step in 0..5 {
        outcome = outcome.and_then(|()| background.submit(frame(step), Receivers::ALL));
    }
    let error = outcome.and_then(|()| background.flush()).unwrap_err();
    assert!(matches!(error, Error::WriterEnded { .. }) && error.to_string().contains("unlucky"), "{error}");
    assert!(background.submit(frame(9), Receivers::ALL).is_err());
    assert!(background.finish().is_err());
}

#[test]
fn dropped_it_still_writes_what_it_was_given() {
    let (sink, seen) = probe(&[]);
    let mut background = Background::start(vec![sink]).unwrap();
    background.submit(frame(7), Receivers::ALL).unwrap();
    drop(background);
    assert_eq!(*seen.lock().unwrap(), [7]);
}
