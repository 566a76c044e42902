//! The example scenes: the files of the folder `scenes` of the repository.

/// An example scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is called: the name of its file without the ending.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal),+ $(,)?) => {
        &[$(Example { name: $name, text: include_str!(concat!("../../../scenes/", $name, ".toml")) }),+]
    };
}

/// Every example, in the order of lists.
pub const EXAMPLES: &[Example] = examples![
    "chess",
    "rods",
    "fibre",
    "nine-fibres",
    "fibres",
    "sweets",
    "dice",
    "bricks",
    "settling",
    "shaking",
    "shear",
    "triaxial",
    "triaxial-rigid",
    "membrane",
    "direct-shear",
    "drum",
    "roaster",
    "foam",
    "gum",
    "wet",
    "moist",
    "agglomerate",
    "hopper",
    "gate",
    "piston",
    "heap",
    "chute",
    "packing",
    "cell",
    "mixer",
    "liner",
    "domino",
    "dzhanibekov",
];

impl Example {
    /// The example of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        EXAMPLES.iter().find(|example| example.name == name)
    }

    /// The first line of the file, a comment.
    pub fn description(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}
