//! All combinations of what is varied.

use super::{Parameter, Seeds};
use std::fmt;

/// The cases of a study, in a fixed order: the first parameter changes slowest, the seed fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    keys: Vec<String>,
    seeded: bool,
    cases: Vec<Case>,
}

/// One run of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its place in the plan, from 0.
    pub index: usize,
    /// Sixteen hexadecimal digits, made from the study and the settings of this case; not from its place, so
    /// that a larger plan finds the results of a smaller one.
    pub id: String,
    /// Keys and values, in the order of the parameters.
    pub settings: Vec<(String, String)>,
    /// The seed, if seeds are varied.
    pub seed: Option<u64>,
}

/// A plan that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// This key is varied by two parameters.
    Repeated(String),
    /// There would be more than a million cases.
    TooMany,
}

/// More cases than this are a typing error.
const MOST_CASES: usize = 1_000_000;

impl Plan {
    /// Every combination. `study` is whatever else the results depend on, such as the text of the scene: the
    /// results of another study are not taken for those of this one.
    ///
    /// ```
    /// use tumble_cli::sweep::{Plan, Seeds};
    /// let plan = Plan::new("scene", &["rotation=omelyan,fincham".parse()?], Some(&Seeds(vec![1, 2])))?;
    /// let cases: Vec<String> = plan.cases().iter().map(ToString::to_string).collect();
    /// assert_eq!(cases[1], "rotation=omelyan seed=2");
    /// assert_eq!(cases.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(study: &str, parameters: &[Parameter], seeds: Option<&Seeds>) -> Result<Self, PlanError> {
        let keys: Vec<String> = parameters.iter().map(|parameter| parameter.key.clone()).collect();
        for (place, key) in keys.iter().enumerate() {
            if keys[..place].contains(key) || (key == "seed" && seeds.is_some()) {
                return Err(PlanError::Repeated(key.clone()));
            }
        }
        let seeds: Vec<Option<u64>> = match seeds {
            Some(seeds) => seeds.0.iter().copied().map(Some).collect(),
            None => vec![None],
        };
        let counts = || parameters.iter().map(|parameter| parameter.values.len());
        let count = counts().try_fold(seeds.len(), usize::checked_mul).filter(|count| *count <= MOST_CASES);
        let count = count.ok_or(PlanError::TooMany)?;

        let case = |index: usize| {
            let seed = seeds[index % seeds.len()];
            let mut rest = index / seeds.len();
            let mut settings = Vec::with_capacity(parameters.len());
            for Parameter { key, values } in parameters.iter().rev() {
                settings.push((key.clone(), values[rest % values.len()].clone()));
                rest /= values.len();
            }
            settings.reverse();
            Case { index, id: id(study, &settings, seed), settings, seed }
        };
        let seeded = seeds.first().is_some_and(Option::is_some);
        Ok(Self { keys, seeded, cases: (0..count).map(case).collect() })
    }

    /// The same with ids that depend on what each case reads as well: `content` gives something that tells it from
    /// whatever else the same settings may have meant.
    #[must_use]
    pub fn identified_by(mut self, mut content: impl FnMut(&Case) -> String) -> Self {
        for case in &mut self.cases {
            case.id = case.id_with(&content(case));
        }
        self
    }

    /// The cases, in their order.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Columns that tell cases apart: `case`, the keys, and `seed` if seeds are varied.
    pub fn columns(&self) -> Vec<&str> {
        let keys = self.keys.iter().map(String::as_str);
        ["case"].into_iter().chain(keys).chain(self.seeded.then_some("seed")).collect()
    }
}

impl Case {
    /// Its id, given what it reads.
    pub fn id_with(&self, content: &str) -> String {
        id(content, &self.settings, self.seed)
    }

    /// The case of a row that begins with these fields of [`Plan::columns`].
    pub(super) fn of_fields(plan: &Plan, fields: &[String]) -> Option<Self> {
        let (id, rest) = fields.split_first()?;
        let (values, rest) = rest.split_at_checked(plan.keys.len())?;
        let settings = plan.keys.iter().cloned().zip(values.iter().cloned()).collect();
        let seed = if plan.seeded { Some(rest.first()?.parse().ok()?) } else { None };
        Some(Self { index: 0, id: id.clone(), settings, seed })
    }

    /// The fields of [`Plan::columns`].
    pub(super) fn fields(&self) -> Vec<String> {
        let values = self.settings.iter().map(|(_, value)| value.clone());
        [self.id.clone()].into_iter().chain(values).chain(self.seed.map(|seed| seed.to_string())).collect()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.settings.iter().map(|(key, value)| format!("{key}={value}"));
        let seed = self.seed.map(|seed| format!("seed={seed}"));
        f.write_str(&settings.chain(seed).collect::<Vec<_>>().join(" "))
    }
}

/// FNV-1a of the study and the settings, which are sorted: the order in which options were typed has no part
/// in it.
fn id(study: &str, settings: &[(String, String)], seed: Option<u64>) -> String {
    let mut sorted: Vec<&(String, String)> = settings.iter().collect();
    sorted.sort_unstable();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        // A byte that no text has separates the pieces.
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(study);
    for (key, value) in sorted {
        add(key);
        add(value);
    }
    if let Some(seed) = seed {
        add(&seed.to_string());
    }
    format!("{hash:016x}")
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated(key) if key == "seed" => {
                write!(f, "`seed` is varied twice: by --set and by --seeds; leave one of them out")
            }
            Self::Repeated(key) => {
                write!(f, "`{key}` is varied twice; give all its values at once: {key}=VALUE,VALUE,…")
            }
            Self::TooMany => write!(f, "more than {MOST_CASES} cases; vary less at a time"),
        }
    }
}

impl std::error::Error for PlanError {}
