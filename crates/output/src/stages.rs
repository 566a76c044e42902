//! The stages that a run went through: when each began, and why it ended.

use crate::bytes::{Element, Input, put_text};
use serde::{Deserialize, Serialize};

/// A stage that has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// Its name.
    pub name: String,
    /// The step with which it began.
    pub step: u64,
    /// When that was, s.
    pub time_s: f64,
    /// How it ended, if it did.
    pub ended: Option<StageEnded>,
    /// What it changed, in words; the scene tells it, so that it is not among the bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What was seen at the last looks at a measure that has to become steady, the newest last.
    #[serde(skip)]
    pub seen: Vec<f64>,
}

/// The end of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageEnded {
    /// The step with which it ended.
    pub step: u64,
    /// When that was, s.
    pub time_s: f64,
    /// Why.
    pub why: String,
}

/// Stages as a section of a [checkpoint](crate::checkpoint::STAGES).
pub fn stages_to_bytes(stages: &[StageRecord]) -> Vec<u8> {
    let mut out = Vec::new();
    (stages.len() as u64).put(&mut out);
    for stage in stages {
        put_text(&stage.name, &mut out);
        stage.step.put(&mut out);
        stage.time_s.put(&mut out);
        u8::from(stage.ended.is_some()).put(&mut out);
        if let Some(ended) = &stage.ended {
            ended.step.put(&mut out);
            ended.time_s.put(&mut out);
            put_text(&ended.why, &mut out);
        }
        (stage.seen.len() as u64).put(&mut out);
        stage.seen.iter().for_each(|value| value.put(&mut out));
    }
    out
}

/// The stages of such a section; none if it is not one.
pub fn stages_from_bytes(bytes: &[u8]) -> Option<Vec<StageRecord>> {
    let mut input = Input(bytes);
    let mut stages: Vec<StageRecord> = Vec::new();
    for _ in 0..input.take::<u64>()? {
        let (name, step, time_s) = (input.text()?.to_owned(), input.take()?, input.take()?);
        let ended = match input.take::<u8>()? {
            0 => None,
            1 => {
                Some(StageEnded { step: input.take()?, time_s: input.take()?, why: input.text()?.to_owned() })
            }
            _ => return None,
        };
        let mut seen = Vec::new();
        for _ in 0..input.take::<u64>()? {
            seen.push(input.take()?);
        }
        stages.push(StageRecord { name, step, time_s, ended, changes: Vec::new(), seen });
    }
    // Each begins when the one before it has ended.
    let follows = |pair: &[StageRecord]| match pair {
        [first, second] => first.ended.as_ref().is_some_and(|ended| ended.step == second.step),
        _ => true,
    };
    let sound = |stage: &StageRecord| {
        stage.time_s.is_finite()
            && stage.ended.as_ref().is_none_or(|ended| ended.step >= stage.step && ended.time_s.is_finite())
    };
    (input.0.is_empty() && stages.windows(2).all(follows) && stages.iter().all(sound)).then_some(stages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_come_back_from_bytes_and_from_nothing_else() {
        let ended = StageEnded { step: 7, time_s: 0.1 + 0.2, why: "its time was over".into() };
        let stages = vec![
            StageRecord {
                name: "fill".into(),
                step: 0,
                time_s: 0.0,
                ended: Some(ended),
                changes: vec![],
                seen: vec![],
            },
            StageRecord {
                name: "open".into(),
                step: 7,
                time_s: 0.1 + 0.2,
                ended: None,
                changes: vec![],
                seen: vec![0.1, 2.0],
            },
        ];
        let bytes = stages_to_bytes(&stages);
        assert_eq!(stages_from_bytes(&bytes), Some(stages.clone()));
        for length in 0..bytes.len() {
            assert_eq!(stages_from_bytes(&bytes[..length]), None);
        }
        let apart = [stages[0].clone(), StageRecord { step: 8, ..stages[1].clone() }];
        assert_eq!(stages_from_bytes(&stages_to_bytes(&apart)), None);
    }
}
