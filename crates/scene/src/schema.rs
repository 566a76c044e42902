//! The JSON schema of scene files (draft 2020-12), for editors.

use crate::form::{AtLeast, Key, Kind, Presence, Table, TableInfo};
use crate::keys::SceneKeys;
use serde_json::{Map, Value, json};

/// The schema of scene files, with which editors complete and check them.
///
/// ```
/// let schema = tumble_scene::schema();
/// assert_eq!(schema["properties"]["seed"]["default"], 1);
/// ```
pub fn schema() -> Value {
    let info = SceneKeys::info();
    let mut definitions = Map::new();
    let mut schema = table(info, &mut definitions);
    let head = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tumble scene",
        "description": info.doc.join(" ").trim(),
    });
    if let (Value::Object(schema), Value::Object(head)) = (&mut schema, head) {
        schema.extend(head);
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

fn table(info: &'static TableInfo, definitions: &mut Map<String, Value>) -> Value {
    let property = |key: &'static Key, definitions: &mut Map<String, Value>| {
        let mut schema = kind(&key.kind(), definitions);
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".to_owned(), Value::String(key.doc.clone()));
            if let Some(default) = key.default().and_then(|default| toml_to_json(&default.inline())) {
                schema.insert("default".to_owned(), default);
            }
            if let Some(example) = toml_to_json(key.example) {
                schema.insert("examples".to_owned(), json!([example]));
            }
        }
        schema
    };
    let properties: Map<String, Value> =
        info.keys.iter().map(|key| (key.name.to_owned(), property(key, definitions))).collect();
    let required: Vec<&str> =
        info.keys.iter().filter(|key| key.presence == Presence::Required).map(|key| key.name).collect();
    let mut schema = json!({
        "type": "object",
        "description": info.doc.join(" ").trim(),
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let required =
        |group: &&[&str]| -> Vec<Value> { group.iter().map(|key| json!({ "required": [key] })).collect() };
    let mut choices: Vec<Value> =
        info.one_of.iter().map(|group| json!({ "oneOf": required(group) })).collect();
    choices.extend(info.some_of.iter().map(|group| json!({ "anyOf": required(group) })));
    for group in info.at_most_one_of {
        for (place, key) in group.iter().enumerate() {
            choices.extend(group[..place].iter().map(|other| json!({ "not": { "required": [other, key] } })));
        }
    }
    if !choices.is_empty() {
        schema["allOf"] = json!(choices);
    }
    schema
}

/// A number and a unit. Which units fit, the reader checks.
const QUANTITY: &str = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*\S+";

/// A table by reference, so that it is described once.
fn reference(info: &'static TableInfo, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(info.name) {
        // Before its parts are looked at, so that no table is described within itself.
        definitions.insert(info.name.to_owned(), Value::Null);
        let described = table(info, definitions);
        definitions.insert(info.name.to_owned(), described);
    }
    json!({ "$ref": format!("#/$defs/{}", info.name) })
}

fn kind(of: &Kind, definitions: &mut Map<String, Value>) -> Value {
    match of {
        Kind::Number { dimension, at_least } => {
            let mut number = json!({ "type": "number" });
            match at_least {
                AtLeast::Anything => {}
                AtLeast::Zero => number["minimum"] = json!(0),
                AtLeast::AboveZero => number["exclusiveMinimum"] = json!(0),
            }
            if dimension.is_none() {
                return number;
            }
            let text = json!({ "type": "string", "pattern": QUANTITY });
            json!({ "anyOf": [number, text] })
        }
        Kind::Whole { low, high } => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Text { .. } => json!({ "type": "string" }),
        Kind::Numbered(prefix) => json!({ "type": "string", "pattern": format!("^{prefix}[0-9]+$") }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Word(word) => json!({ "const": word }),
        Kind::Choice { options, .. } => {
            let options: Vec<Value> = options
                .iter()
                .map(|(name, summary)| json!({ "const": name, "description": summary }))
                .collect();
            json!({ "oneOf": options })
        }
        Kind::List { of, fewest, most } => {
            let mut list = json!({ "type": "array", "items": kind(of, definitions), "minItems": fewest });
            if *most < usize::MAX {
                list["maxItems"] = json!(most);
            }
            list
        }
        Kind::Table(info) => reference(info, definitions),
        Kind::Named(info) => {
            json!({ "type": "object", "additionalProperties": reference(info, definitions) })
        }
        Kind::AnyOf(kinds) => {
            let kinds: Vec<Value> = kinds.iter().map(|of| kind(of, definitions)).collect();
            json!({ "anyOf": kinds })
        }
    }
}

/// A TOML value as JSON; none for what JSON cannot say, such as infinity.
fn toml_to_json(text: &str) -> Option<Value> {
    fn convert(node: &crate::tree::Node) -> Option<Value> {
        use crate::tree::Value as Toml;
        Some(match &node.value {
            Toml::Text(text) => json!(text),
            Toml::Integer(integer) => json!(integer),
            Toml::Float(float) => float.is_finite().then(|| json!(float))?,
            Toml::Flag(flag) => json!(flag),
            Toml::Date => return None,
            Toml::List(items) => Value::Array(items.iter().map(convert).collect::<Option<_>>()?),
            Toml::Table(entries) => {
                let entry = |entry: &crate::tree::Entry| Some((entry.key.clone(), convert(&entry.node)?));
                Value::Object(entries.iter().map(entry).collect::<Option<_>>()?)
            }
        })
    }
    convert(&crate::tree::parse_value(text, 0, 0))
}
