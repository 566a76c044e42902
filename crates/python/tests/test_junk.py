"""Whatever is given to whatever function, at worst an exception comes back that `except Exception` catches: no panic crosses.

Each entry is a call that works; then some of its arguments are replaced by junk, over and over. `TUMBLE_JUNK=10000` tries more.
"""

import os
import random
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tumble
from tumble import Clump, Scene, Simulation, _native, clump, results, rotation, tables

TRIES = int(os.environ.get("TUMBLE_JUNK", "60"))


def broken(*arguments: object) -> object:
    raise LookupError("mine")


def junk(chance: random.Random) -> Any:
    """Something that is hardly ever what was meant. Numbers of steps among it are small or impossible."""
    numbers = [0, 1, 3, -1, 2**64, 2**70, -(2**70), 0.0, -0.0, 1.5, -2.5, 1e308, 5e-324, np.nan, np.inf, -np.inf, True]
    texts = ["", "x", "\0", "\ud800", "é" * 300, "rod", "lab", "heavy-top", "spiral-leapfrog", "chess", "1 mm", "1e999", "[run]\n"]
    shape = tuple(chance.choice([0, 1, 2, 3, 4, 7]) for _ in range(chance.randrange(4)))
    array = np.array(chance.choices([0.0, 1.0, -1.0, 0.5, np.nan, np.inf, 1e300, 5e-324], k=int(np.prod(shape)))).reshape(shape)
    arrays = [
        array,
        np.nan_to_num(array),
        np.flip(array),
        array.T,
        array.astype(">f8"),
        array.astype("f4"),
        np.nan_to_num(array, posinf=1e9).astype("i8"),
        array.astype(complex),
        array.astype(object),
        array.astype(str),
        array.tolist(),
        np.zeros(3, dtype=[("x", "f8"), ("y", "i4")]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.ma.masked_array([1.0, 2.0, 3.0], mask=[False, True, False]),
        np.frombuffer(bytes(33), dtype=np.uint8)[1:].view("f8"),
    ]
    things = [None, b"bytes", (), (1,), [[]], [[1], [2, 3]], {}, {"a": 1}, {1: 2}, object(), int, range(3), Path("."), Path("/no/such")]
    functions: list[Any] = [broken, lambda *a: None, lambda *a: "text", lambda *a: a[-1], lambda *a: array, lambda *a: (array, array), len]
    return chance.choice([chance.choice(kind) for kind in (numbers, texts, arrays, arrays, things, functions)])


@pytest.fixture(scope="module")
def sim() -> Simulation:
    return Simulation.from_scene("chess", threads=1, set={"run.dt": 1e-6, "run.steps": 1000})


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tumble.Result:
    small = Simulation.from_scene("dzhanibekov", threads=1)
    return small.run(steps=20, out=tmp_path_factory.mktemp("junk") / "out")


def batch(torque: Any = None) -> rotation.Batch:
    return rotation.Batch("spiral-leapfrog", [1, 2, 3], np.eye(4)[:2], np.ones((2, 3)), 0.01, torque)


BODIES: dict[str, Any] = {"inertia": [1, 2, 3], "q": [[1, 0, 0, 0]] * 2, "omega": np.ones((2, 3)), "torque": [1, 0, 0], "dt": 0.01}
SOURCE = {"file": None, "name": "n", "text": "version = 1\n", "folder": None, "by_path": True, "set": [("run.steps", "1")]}
KEYS: dict[str, Any] = {
    "version": 1,
    "gravity": [0, 0, -9.81],
    "run": {"steps": 1, "dt": 1e-6},
    "materials": {"glass": {"density": 2500, "young": "60 MPa", "poisson": 0.25}},
    "pair": {"restitution": 0.9, "friction": 0.3},
    "templates": {"rod": {"shape": "rod"}},
    "bodies": [{"template": "rod", "at": [0, 0, 1]}],
    "walls": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
}


def set_to(thing: Any, name: str, value: Any) -> None:
    setattr(thing, name, value)


def with_force(sim: Simulation, function: Any, steps: int = 1) -> None:
    try:
        sim.add_force(function)
        sim.run(steps=steps)
    finally:
        sim.clear_forces()


def driven(function: Any, pivot: Any) -> None:
    moved = Simulation.from_scene(KEYS, threads=1)
    moved.drive_wall("floor", function, pivot=pivot)
    moved.run(steps=3)


def scene_with(path: list[Any], value: Any) -> None:
    scene = Scene(KEYS)
    table: Any = scene
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = value
    scene.check()


def entries(sim: Simulation, result: tumble.Result) -> list[tuple[str, Callable[..., object], dict[str, Any]]]:
    """Name, function, and arguments that it accepts."""
    one = rotation.Batch("magnus-leapfrog", [1, 2, 3], [1, 0, 0, 0], [1, 1, 1], 0.01)
    two = batch()
    native: Any = sim._native
    spheres = [[0, 0, 0, 1], [0, 0, 1, 1]]
    keys: list[list[Any]] = [["gravity"], ["run", "dt"], ["materials", "glass"], ["templates", "rod", "shape"], ["bodies", 0, "at"], ["walls", 0], ["pair"]]
    return [
        ("integrate", rotation.integrate, {"scheme": "spiral-leapfrog", **BODIES, "steps": 3, "every": 1, "torque_frame": "lab", "time": 0.0}),
        ("solve", rotation.solve, {"torque": None, "t_span": (0, 1), "y0": [1, 0, 0, 0, 1, 1, 1], "inertia": [1, 2, 3], "method": "buss", "max_step": 0.1, "t_eval": [0.55]}),
        ("equations", lambda torque, inertia, t, y: rotation.equations(torque, inertia)(t, y), {"torque": None, "inertia": [1, 2, 3], "t": 0.0, "y": np.ones(7)}),
        ("to_lab", rotation.to_lab, {"q": np.eye(4), "vectors": [1, 0, 0]}),
        ("to_body", rotation.to_body, {"q": np.eye(4), "vectors": [1, 0, 0]}),
        ("to_scipy", rotation.to_scipy, {"q": [1, 0, 0, 0]}),
        ("from_scipy", rotation.from_scipy, {"rotation": rotation.to_scipy([1, 0, 0, 0])}),
        ("torque", lambda name, force, t, q, omega: rotation.torque(name, force=force)(t, q, omega), {"name": "heavy-top", "force": [0, 0, 1], "t": 0.0, "q": [1, 0, 0, 0], "omega": [0, 0, 1]}),
        ("Batch.step", lambda torque, threads: batch(torque).step(threads and 2), {"torque": None, "threads": 1}),
        ("Batch.record", two.record, {"steps": 2, "every": 1}),
        ("Batch.q", partial(set_to, one), {"name": "q", "value": [1, 0, 0, 0]}),
        ("Batch.omega", partial(set_to, two), {"name": "omega", "value": [1, 0, 0]}),
        ("Clump", Clump.from_spheres, {"spheres": spheres, "radii": None, "mass": "sum", "name": "n"}),
        ("Clump with radii", Clump.from_spheres, {"spheres": [[0, 0, 0]], "radii": [1], "mass": "union"}),
        ("GivenMass", lambda **mass: Clump.from_spheres(spheres, mass=clump.GivenMass(**mass)), {"volume": 1.0, "inertia": (1, 1, 1, 0, 0, 0), "centre": (0, 0, 0)}),
        ("Clump.from_file", Clump.from_file, {"path": "a.txt", "scale": 1.0}),
        ("Clump.from_shape", Clump.from_shape, {"shape": "rod", "count": 3, "radius": 0.1, "scale": 1.0}),
        ("Clump.mass", Clump.from_shape("rod").mass, {"density": 1.0}),
        ("Clump.inertia", Clump.from_shape("rod").inertia, {"density": 1.0}),
        ("Scene", lambda keys, name: Scene(keys, name=name).check(), {"keys": KEYS, "name": "n"}),
        ("Scene.from_text", Scene.from_text, {"text": "[run]\nsteps = 1", "name": "n", "set": {"run.steps": 2}}),
        ("Scene.from_file", Scene.from_file, {"path": "none.toml", "set": None}),
        ("Scene.example", Scene.example, {"name": "chess", "set": {"run.dt": 1}}),
        ("Scene.to_toml", lambda **keys: Scene(keys).to_toml(), {"a": 1, "b": {"c": [1]}}),
        *((f"scene: {path}", partial(scene_with, path), {"value": 1}) for path in keys),
        ("from_scene", Simulation.from_scene, {"scene": KEYS, "set": {"run.dt": 1e-6}, "threads": 1, "device": "cpu"}),
        ("load", Simulation.load, {"path": result.path, "threads": 1, "device": "cpu"}),
        ("save", sim.save, {"path": "saved"}),
        ("run", sim.run, {"steps": 1, "every": 1, "callback": None, "until": None, "progress": False, "out": None, "force": False}),
        ("run for a duration", partial(sim.run, until=lambda sim: True), {"duration": 1e-6}),
        ("force", partial(with_force, sim), {"function": lambda *a: a[1]}),
        ("drive_wall", driven, {"function": lambda t: [0, 0, 0], "pivot": [0, 0, 0]}),
        ("set_state", sim.set_state, {"ids": [1, 2], "positions": None, "quaternions": [1, 0, 0, 0], "velocities": [0, 0, 0], "spins": [0, 0, 1], "frame": "body"}),
        *((name, partial(set_to, sim, name), {"value": getattr(sim, name)}) for name in ("velocities", "spins", "body_spins", "quaternions")),
        ("hold", sim.hold, {"ids": [1], "held": True}),
        ("add_bodies", sim.add_bodies, {"template": "pawn", "positions": [[9, 9, 9]], "quaternions": [1, 0, 0, 0], "spins": [0, 0, 1], "frame": "body", "material": None, "scale": 1.0, "held": False}),
        ("remove_bodies", sim.remove_bodies, {"ids": []}),
        ("Result", tumble.Result, {"path": "."}),
        ("Result.view", result.view, {"every": 5}),
        ("Result.to_vtk", result.to_vtk, {"folder": "vtk", "every": 10}),
        ("Frames", results.Frames, {"path": result.path / "trajectory.tumble"}),
        ("Frames[]", result.frames.__getitem__, {"number": 0}),
        ("View", lambda page, path: results.View(page).save(path), {"page": "x", "path": "page.html"}),
        ("Table", tables.Table.read, {"path": result.path / "energy.csv"}),
        # What is private can be reached as well.
        ("_native.Batch", _native.Batch, {"scheme": "buss", "inertia": np.ones((1, 3)), "q": np.ones((1, 4)), "omega": np.ones((1, 3)), "dt": 0.1, "torque": None, "torque_in_body": False, "one": True, "start": 0.0, "threads": 1}),
        ("_native.torque_at", _native.torque_at, {"name": "heavy-top", "numbers": [0.0] * 6, "t": 0.0, "q": np.ones((1, 4)), "omega": np.ones((1, 3))}),
        ("_native.mass_properties", _native.mass_properties, {"spheres": np.ones((1, 4)), "capsules": np.ones((0, 7)), "ellipsoids": np.ones((0, 10)), "boxes": np.ones((0, 11)), "hulls": [], "union": True, "given": None}),
        ("_native.hull_faces", _native.hull_faces, {"corners": np.vstack([np.zeros(3), np.eye(3)]), "rounding": 0.1}),
        ("_native.rounded_surface", _native.rounded_surface, {"corners": np.vstack([np.zeros(3), np.eye(3)]), "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}),
        ("_native.clump_svg", _native.clump_svg, {"spheres": np.ones((2, 4)), "capsules": np.ones((1, 7)), "ellipsoids": np.ones((1, 10)), "boxes": [[0, 0, 0, 3, 2, 1, 0.1, 1, 0, 0, 0]], "hulls": [], "caption": "c"}),
        ("_native.shape_spheres", _native.shape_spheres, {"name": "rod", "keys": "shape = 'rod'"}),
        ("_native.read_clump", _native.read_clump, {"path": "x"}),
        ("_native.check_scene", lambda **source: _native.check_scene(source), SOURCE),
        ("_native.scene_keys", lambda **source: _native.scene_keys(source), SOURCE),
        ("_native.column", _native.column, {"simulation": native, "name": "ids"}),
        ("_native.columns", _native.columns, {"simulation": native, "names": ["ids", "spins"]}),
        ("_native.change_bodies", _native.change_bodies, {"simulation": native, "ids": np.array([1], dtype=np.uint32), "positions": None, "quaternions": np.ones((1, 4)), "velocities": np.ones((1, 3)), "spins": np.ones((1, 3)), "held": None}),
        ("_native.add_bodies", _native.add_bodies, {"simulation": native, "template": 0, "material": 0, "scale": 1.0, "held": False, "positions": np.full((1, 3), 9.0), "quaternions": np.eye(4)[:1], "velocities": np.ones((1, 3)), "spins": np.ones((1, 3))}),
        ("_native.remove_bodies", _native.remove_bodies, {"simulation": native, "ids": np.array([], dtype=np.uint32)}),
        ("_native.drive_wall", native.drive_wall, {"wall": 7, "pivot": (0.0, 0.0, 0.0), "function": broken}),
        ("_native.record", native.record, {"folder": "\0", "force": False, "last_step": 0}),
        ("_native.end_recording", native.end_recording, {}),
        ("_native.film", _native.film, {"results": os.fspath(result.path), "to": "film.html", "every": 1, "force": True}),
        ("_native.Trajectory", _native.Trajectory, {"path": "x"}),
        ("_native.Trajectory.frame", _native.Trajectory(os.fspath(result.path / "trajectory.tumble")).frame, {"number": 0}),
    ]


def test_junk_is_refused_or_used_but_nothing_panics(
    sim: Simulation,
    result: tumble.Result,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, function, arguments in entries(sim, result):
        chance = random.Random(name)
        for _ in range(TRIES):
            chosen = chance.sample(sorted(arguments), k=min(len(arguments), chance.choice([1, 1, 1, 2, 3])))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                spoilt = arguments | {argument: junk(chance) for argument in chosen}
                try:
                    function(**spoilt)
                except Exception:
                    pass
                except BaseException as error:
                    pytest.fail(f"{name}({spoilt}) raised {type(error)}: {error}")
        assert "panicked" not in capfd.readouterr().err, name
    # The simulation outlives it.
    assert np.isfinite(sim.positions).all()


def test_a_call_is_not_refused_for_the_sake_of_the_test(
    sim: Simulation, result: tumble.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The arguments that are spoilt above are accepted as they are, but where files are missing on purpose."""
    monkeypatch.chdir(tmp_path)
    refused = {"Clump.from_file", "Scene.from_file", "Result", "_native.read_clump", "_native.Trajectory"}
    refused |= {"_native.check_scene", "_native.drive_wall", "_native.record"}
    fresh = Simulation.from_scene("chess", threads=1, set={"run.dt": 1e-6, "run.steps": 1000})
    for name, function, arguments in entries(fresh, result):
        if name in refused or name.startswith("scene: "):
            continue
        function(**arguments)
