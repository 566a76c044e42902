fn main() {
    std::fs::write("scenes/schema.json", format!("{:#}\n", tumble_scene::schema())).unwrap();
    std::fs::write("docs/book/src/generated/scene-keys.md", tumble_scene::reference_markdown()).unwrap();
}
