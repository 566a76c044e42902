//! The scene: what a scene file says, checked as far as it can be without computing anything.

use crate::diagnostic::{Diagnostics, Problem, Severity};
use crate::form::{Context, Form, Names};
use crate::keys::SceneKeys;
use crate::text::SceneText;
use crate::written::Written;
use crate::{set, tree};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scene as it was written, with defaults and overrides filled in.
///
/// ```
/// use tumble_scene::{Scene, SceneText};
/// let text = r#"
///     version = 1
///     gravity = [0, 0, -9.81]
///     run = { duration = "0.1 s" }
///     materials.glass = { density = 2500, young = "60 GPa", poisson = 0.25 }
///     pair = { restitution = 0.9, friction = 0.3 }
///     templates.rod = { shape = "rod" }
///     bodies = [{ template = "rod", at = [0, 0, "2 cm"] }]
///     walls = [{ name = "floor", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]
/// "#;
/// let scene = Scene::parse(SceneText::new("drop", text))?;
/// let built = scene.build(Some(1))?;
/// assert_eq!(built.world.bodies.len(), 1);
///
/// let wrong = SceneText::new("drop", text.replace("density", "densty"));
/// assert!(Scene::parse(wrong).unwrap_err().to_string().contains("did you mean `density`?"));
/// # Ok::<(), tumble_scene::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it says.
    pub keys: SceneKeys,
    pub(crate) text: Arc<SceneText>,
    pub(crate) warnings: Vec<Problem>,
}

impl PartialEq for Scene {
    /// Whether two scenes say the same, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.keys == other.keys
    }
}

impl Scene {
    /// Reads a scene file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Diagnostics> {
        Self::parse(SceneText::read(path)?)
    }

    /// The scene that a text describes, or everything that is wrong with it.
    pub fn parse(text: SceneText) -> Result<Self, Diagnostics> {
        let text = Arc::new(text);
        let (mut root, mut problems) = tree::parse(&text);
        if !problems.is_empty() {
            // What is missing or unknown can well be due to the syntax.
            return Err(Diagnostics::of(text, problems));
        }
        set::apply(&text, &mut root, &mut problems);
        let names_in = |table: &str| {
            let entries = root.child(table).and_then(tree::Node::entries).unwrap_or_default();
            entries.iter().map(|entry| entry.key.clone()).collect()
        };
        let names = Names { materials: names_in("materials"), templates: names_in("templates") };
        let read = SceneKeys::read(&root, &mut Context::new(&names, &mut problems));
        let Some(mut keys) = read else {
            return Err(Diagnostics::of(text, problems));
        };
        crate::fill::fill(&mut keys, &text, &mut problems);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            // Files, materials and walls do not wait for the rest to be mended.
            crate::build::Parts::new(&keys, &text, &mut problems);
            return Err(Diagnostics::of(text, problems));
        }
        Ok(Self { keys, text, warnings: problems })
    }

    /// The name of the scene: that of its file, without the ending.
    pub fn name(&self) -> String {
        self.text.stem()
    }

    /// The columns of `measures.csv`, with their units and how samples become one number.
    pub fn measure_columns(&self) -> Vec<(String, tumble_measure::Over)> {
        let spec = |measure: &crate::keys::Measure| tumble_measure::Spec {
            name: measure.name.clone(),
            kind: measure.kind,
            every: 1,
            window: None,
            options: tumble_measure::Options { bins: measure.bins, ..tumble_measure::Options::default() },
        };
        let specs: Vec<_> = self.keys.measures.iter().map(spec).collect();
        tumble_measure::Measures::new(&specs).columns()
    }

    /// The text that the scene was read from.
    pub fn text(&self) -> &SceneText {
        &self.text
    }

    /// The scene as TOML, with everything filled in that has a default. It reads back to the same scene.
    pub fn effective(&self) -> String {
        self.document(&SceneKeys::write(&self.keys))
    }

    /// The same for a file in another folder: paths of files that the scene reads are absolute.
    pub fn effective_elsewhere(&self) -> String {
        let folder =
            std::path::absolute(self.text.folder.join(".")).unwrap_or_else(|_| self.text.folder.clone());
        let folder: PathBuf = folder.components().collect();
        let written = match SceneKeys::write(&self.keys) {
            Written::Table(entries) => {
                // The output folder starts from the working directory, not from the scene.
                let moved = |(key, value): (String, Written)| {
                    let value = if key == "output" { value } else { value.with_paths_from(&folder) };
                    (key, value)
                };
                Written::Table(entries.into_iter().map(moved).collect())
            }
            other => other,
        };
        self.document(&written)
    }

    /// The files that the scene reads, from the working directory.
    pub fn files(&self) -> Vec<PathBuf> {
        let Written::Table(entries) = SceneKeys::write(&self.keys) else { return Vec::new() };
        let read = entries.iter().filter(|(key, _)| key != "output");
        read.flat_map(|(_, value)| value.paths()).map(|path| self.text.folder.join(path)).collect()
    }

    fn document(&self, written: &Written) -> String {
        format!(
            "# The scene {} as it is run: with everything filled in.\n{}",
            self.name(),
            written.document()
        )
    }
}
