//! Schema and reference page, made from the same declarations as the reader, know every key.

use serde_json::Value;
use tumble_scene::{Scene, SceneText, reference_markdown, schema};

/// A schema with its reference followed.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema["$ref"].as_str() {
        Some(reference) => &root["$defs"][reference.trim_start_matches("#/$defs/")],
        None => schema,
    }
}

/// Whether a value fits a schema: types, keys, items, ends of ranges, and the exclusive groups of keys.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let schema = resolved(root, schema);
    let all = |key: &str| schema[key].as_array().into_iter().flatten();
    let of_type = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.as_f64().is_some_and(|x| x.fract() == 0.0),
        _ => true,
    };
    let number = value.as_f64().unwrap_or(f64::NAN);
    let in_range = !schema["minimum"].as_f64().is_some_and(|low| number < low)
        && !schema["exclusiveMinimum"].as_f64().is_some_and(|low| number <= low)
        && !schema["maximum"].as_f64().is_some_and(|high| number > high);
    let constant = schema["const"].is_null() || schema["const"] == *value;
    let any = schema["anyOf"].is_null() || all("anyOf").any(|schema| fits(root, schema, value));
    let one =
        schema["oneOf"].is_null() || all("oneOf").filter(|schema| fits(root, schema, value)).count() == 1;
    let every = all("allOf").all(|schema| fits(root, schema, value))
        && (schema["not"].is_null() || !fits(root, &schema["not"], value));
    let required = all("required").all(|key| key.as_str().is_some_and(|key| value.get(key).is_some()));
    let entries = value.as_object().into_iter().flatten().all(|(key, value)| {
        let own = &schema["properties"][key];
        match &schema["additionalProperties"] {
            _ if !own.is_null() => fits(root, own, value),
            Value::Bool(false) => false,
            Value::Null => true,
            other => fits(root, other, value),
        }
    });
    let items = value
        .as_array()
        .into_iter()
        .flatten()
        .all(|item| schema["items"].is_null() || fits(root, &schema["items"], item));
    let length = value.as_array().map_or(0, Vec::len) as u64;
    let counted = !value.is_array()
        || (schema["minItems"].as_u64().is_none_or(|n| length >= n)
            && schema["maxItems"].as_u64().is_none_or(|n| length <= n));
    of_type && in_range && constant && any && one && every && required && entries && items && counted
}

fn as_json(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text.clone()),
        toml::Value::Integer(integer) => Value::from(*integer),
        toml::Value::Float(float) => Value::from(*float),
        toml::Value::Boolean(flag) => Value::from(*flag),
        toml::Value::Datetime(_) => Value::Null,
        toml::Value::Array(items) => items.iter().map(as_json).collect(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), as_json(value))).collect(),
    }
}

#[test]
fn good_scenes_fit_the_schema_and_wrong_keys_do_not() {
    let schema = schema();
    for path in crate::common::scenes("good") {
        for text in [std::fs::read_to_string(&path).unwrap(), Scene::read(&path).unwrap().effective()] {
            let mut scene = as_json(&text.parse::<toml::Table>().map(toml::Value::Table).unwrap());
            assert!(fits(&schema, &schema, &scene), "{path:?}");
            scene["run"]["stepps"] = Value::from(5);
            assert!(!fits(&schema, &schema, &scene), "{path:?}");
        }
    }
    for name in
        ["unknown_key", "unknown_table", "missing_key", "wrong_kind", "both_of_one", "shape", "vector_length"]
    {
        let path = crate::common::scenes("bad")
            .into_iter()
            .find(|path| path.file_stem().is_some_and(|s| s == name))
            .unwrap();
        let table: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        assert!(!fits(&schema, &schema, &as_json(&toml::Value::Table(table))), "{name}");
    }
}

/// Every key of the schema, with the name of its table.
fn keys(schema: &Value) -> Vec<(String, String)> {
    let mut tables: Vec<(&str, &Value)> = vec![("", schema)];
    tables.extend(schema["$defs"].as_object().unwrap().iter().map(|(name, table)| (name.as_str(), table)));
    let of_table = |(name, table): &(&str, &Value)| -> Vec<(String, String)> {
        table["properties"].as_object().unwrap().keys().map(|key| (name.to_string(), key.clone())).collect()
    };
    tables.iter().flat_map(of_table).collect()
}

#[test]
fn schema_and_reference_contain_every_key() {
    let (schema, page) = (schema(), reference_markdown());
    let keys = keys(&schema);
    assert!(keys.len() > 120, "{}", keys.len());
    for (table, key) in &keys {
        assert!(page.contains(&format!("\n| `{key}` | ")), "{table}.{key}");
    }
    // What an effective scene writes are keys that the reader has; the schema must have them as well.
    let everything =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("everything.toml")).unwrap();
    let effective = Scene::read(everything).unwrap().effective();
    for line in effective.lines().filter(|line| line.contains(" = ")) {
        let key = line.split(" = ").next().unwrap();
        assert!(keys.iter().any(|(_, known)| known == key), "{key}");
    }
    // A row for every key of every table, and a heading for every table.
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    assert!(rows >= keys.len(), "{rows} rows for {} keys", keys.len());
    assert_eq!(
        page.lines().filter(|line| line.starts_with("## ")).count(),
        page.matches("| key | type |").count()
    );
}

#[test]
fn descriptions_units_and_defaults_are_there() {
    let schema = schema();
    let young = &schema["$defs"]["Material"]["properties"]["young"];
    assert!(young["description"].as_str().unwrap().starts_with("Young's modulus"));
    assert_eq!(young["examples"][0], "60 GPa");
    assert_eq!(schema["$defs"]["Run"]["properties"]["max_overlap"]["default"], 0.3);
    assert_eq!(schema["required"], serde_json::json!(["version"]));
    let page = reference_markdown();
    assert!(page.contains("| `young` | number | Pa |  | Young's modulus"));
    assert!(
        page.contains("## `[materials.NAME]`")
            && page.contains("## `[[bodies]]`")
            && page.contains("## `[run]`")
    );
    assert!(page.contains("- `\"spiral-leapfrog\"`: "));
}

/// The example of each key is read by the key it belongs to, without a problem of its own.
#[test]
fn examples_are_what_the_keys_take() {
    let schema = schema();
    let root = &schema;
    let mut tables: Vec<(&str, &Value)> = vec![("scene", root)];
    tables.extend(root["$defs"].as_object().unwrap().iter().map(|(name, table)| (name.as_str(), table)));
    for (name, table) in tables {
        for (key, property) in table["properties"].as_object().unwrap() {
            let example = &property["examples"][0];
            assert!(!example.is_null(), "{name}.{key} has no example");
            assert!(fits(root, property, example), "{name}.{key}: {example}");
        }
    }
    // And some of them by the reader itself.
    let text = r#"
        version = 1
        run = { dt = "auto", duration = "1.5 s" }
        contact = { law = "hertz-mindlin" }
        materials = { glass = { density = 2500, young = "60 GPa", poisson = 0.25 } }
        pair = { restitution = 0.9, friction = 0.3 }
        templates = { rod = { shape = "rod" } }
        bodies = [{ template = "rod", at = [0, 0, 0.1] }]
        streams = [{ template = "rod", rate = 100, region = { low = [0, 0, 0], high = [1, 1, 1] } }]
        walls = [{ name = "floor", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]
        domain = { low = [0, 0, 0], high = [1, 1, 1], periodic = ["x", "y"] }
        drag = { viscosity = 1.8e-5 }
        fields = [{ attraction = { rate = 10 } }]
        output = { vtk = { every = "1 ms" } }
        checkpoint = { every = { steps = 100000 } }
    "#;
    let built = Scene::parse(SceneText::new("examples", text)).and_then(|scene| scene.build(Some(1)));
    assert!(built.is_ok(), "{}", built.unwrap_err());
}
