"""A scene made in Python has the names, the checks and the messages of a scene file; problems are named by their paths."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tumble


def drop(**changes: Any) -> tumble.Scene:
    keys: dict[str, Any] = {
        "version": 1,
        "gravity": [0, 0, -9.81],
        "run": {"dt": 1e-6, "steps": 10, "threads": 1},
        "materials": {"glass": {"density": 2500, "young": "60 MPa", "poisson": 0.25}},
        "pair": {"restitution": 0.9, "friction": 0.3},
        "templates": {"rod": {"shape": "rod"}},
        "bodies": [{"template": "rod", "at": [0, 0, "2 cm"]}],
        "walls": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
    }
    return tumble.Scene(keys | changes)


@pytest.mark.parametrize("name", list(tumble.examples()))
def test_every_example_says_the_same_after_a_trip_through_python(name: str, tmp_path: Path) -> None:
    scene = tumble.Scene.example(name)
    file = tmp_path / "copy.toml"
    file.write_text(scene.to_toml(), encoding="utf-8")
    copy = tumble.Scene.from_file(file)
    assert dict(copy) == dict(scene)
    original = tumble.Scene.from_text(scene.to_toml(), name=name)
    assert original.filled() == scene.filled()


def test_numpy_and_paths_are_taken(tmp_path: Path) -> None:
    scene = drop(gravity=np.array([0, 0, -1.62]), title='a "quoted" – \\title')
    scene["run"]["steps"] = np.int64(20)
    scene["output"] = {"folder": tmp_path, "vtk": None}
    text = scene.filled()
    assert "-1.62" in text and "steps = 20" in text and tmp_path.name in text
    assert tumble.Simulation.from_scene(scene).title == 'a "quoted" – \\title'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"walls": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 0, 0]}}]}, "walls[0].plane: "),
        ({"pair": {"friction": -1}}, "pair.friction: "),
        ({"materials": {"glass": {"densty": 1}}}, "materials.glass.densty: "),
        ({"bodies": [{"template": "rod", "at": [0, 0, 1]}, {"template": "rot", "at": [0, 0, 2]}]}, "bodies[1].template: "),
        ({"gravty": 1}, "gravty: "),
        ({"title": "a title\n\x7f"}, "title: `title` must be text that can be seen"),
        ({"gravity": [0, 0, object()]}, "gravity[2]: "),
        ({"gravity": {1: 2}}, "gravity: keys are texts"),
    ],
)
def test_problems_have_the_path_of_their_key(change: dict[str, Any], message: str) -> None:
    with pytest.raises(tumble.SceneError) as raised:
        drop(**change).check()
    assert message in str(raised.value)
    assert "-->" not in str(raised.value)


def test_the_message_is_that_of_the_file(tmp_path: Path) -> None:
    scene = drop(materials={"glass": {"densty": 2500, "young": 1e7, "poisson": 0.25}})
    file = tmp_path / "bad.toml"
    file.write_text(scene.to_toml())
    with pytest.raises(tumble.SceneError, match="did you mean `density`") as by_path:
        tumble.Simulation.from_scene(scene)
    with pytest.raises(tumble.SceneError, match="did you mean `density`") as by_line:
        tumble.Simulation.from_scene(file)
    assert "bad.toml:" in str(by_line.value) and "bad.toml" not in str(by_path.value)


def test_all_problems_come_at_once() -> None:
    with pytest.raises(tumble.SceneError) as raised:
        drop(pair={"friction": -1, "restitution": 2}).check()
    assert "pair.friction" in str(raised.value) and "pair.restitution" in str(raised.value)


def test_keys_are_set_as_on_the_command_line() -> None:
    sim = tumble.Simulation.from_scene(drop(), set={"dt": "2 us", "pair.friction": 0.5, "gravity": [0, 0, -1]})
    assert sim.dt == 2e-6
    assert sim.scene["pair"]["friction"] == 0.5
    assert sim.scene["gravity"][2] == -1
    with pytest.raises(tumble.SceneError, match=r"run\.dtt"):
        tumble.Simulation.from_scene(drop(), set={"run.dtt": 1})


def test_a_scene_is_found_by_name_path_and_text(tmp_path: Path) -> None:
    text = drop().to_toml()
    file = tmp_path / "drop.toml"
    file.write_text(text)
    for scene in (text, file, str(file), drop(), dict(drop())):
        assert len(tumble.Simulation.from_scene(scene)) == 1
    with pytest.raises(tumble.SceneError, match="cannot read the scene"):
        tumble.Simulation.from_scene(tmp_path / "missing.toml")
    with pytest.raises(TypeError, match="expected a Scene"):
        tumble.Simulation.from_scene(3)  # type: ignore[arg-type]
    with pytest.raises(tumble.InputError, match="the examples are chess"):
        tumble.Scene.example("ches")


def test_files_are_found_from_the_folder_of_the_scene(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("x,y,z,radius\n0,0,0,0.01\n0.01,0,0,0.01\n")
    scene = drop(templates={"rod": {"file": "two.csv"}})
    with pytest.raises(tumble.SceneError, match=r"two\.csv"):
        scene.check()
        tumble.Simulation.from_scene(scene)
    scene.folder = tmp_path
    assert len(tumble.Simulation.from_scene(scene).spheres["radius"]) == 2


def test_warnings_are_those_of_python() -> None:
    with pytest.warns(tumble.SceneWarning):
        tumble.Simulation.from_scene(drop(run={"dt": 2e-4, "steps": 10}))
