"""What can be changed of a running simulation takes effect at once; what cannot is refused, and never silently ignored."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tumble
from scenes import RODS


def gel() -> tumble.Simulation:
    return tumble.Simulation.from_scene(RODS, threads=1)


def test_gravity_is_another_from_now_on() -> None:
    sim = gel()
    sim.run(steps=100)
    before = sim.energy()
    sim.gravity = [0, "1 m/s^2", -1.62]
    assert sim.gravity.tolist() == [0, 1, -1.62]
    free = np.setdiff1d(sim.ids, np.concatenate([sim.contacts["body"], sim.contacts["other_body"]]))
    rows = np.flatnonzero(np.isin(sim.ids, free))
    assert len(rows) > 0
    assert np.allclose(sim.forces[rows], sim.masses[rows, None] * sim.gravity, rtol=1e-12, atol=0)
    brought = -np.sum(sim.masses[:, None] * sim.positions * (sim.gravity - [0, 0, -9.81]))
    assert np.isclose(sim.energy()["exchanged"] - before["exchanged"], brought, rtol=1e-9)
    assert np.isclose(sim.energy()["balance"], before["balance"], rtol=1e-12)
    with pytest.raises(tumble.InputError, match="three numbers"):
        sim.gravity = [0, 0]
    with pytest.raises(tumble.InputError, match="gravity: `mm` is a unit of length"):
        sim.gravity = [0, 0, "9 mm"]
    with pytest.raises(ValueError, match="read-only"):
        sim.gravity[0] = 1


def test_the_time_step_is_another_from_now_on(tmp_path: Path) -> None:
    sim = gel()
    sim.run(steps=50)
    time, dt = sim.time, sim.dt
    sim.dt = dt / 2
    assert (sim.time, sim.dt) == (time, dt / 2)
    sim.run(duration=10 * dt)
    assert sim.step_count == 70
    assert np.isclose(sim.time, time + 10 * dt, rtol=1e-13)
    sim.dt = "1 us"
    assert sim.dt == 1e-6
    for wrong in (0, -1.0, float("nan"), "1 mm"):
        with pytest.raises(tumble.InputError):
            sim.dt = wrong

    def change(sim: tumble.Simulation) -> None:
        sim.dt = 2e-6

    with pytest.raises(tumble.RunError, match="while results are written"):
        sim.run(steps=20, out=tmp_path / "a", callback=change, every=10)
    # Afterwards results are those of the present step, and go on.
    result = sim.run(duration="200 us", out=tmp_path / "b")
    assert result.summary["method"]["dt_s"] == 1e-6
    again = tumble.Simulation.load(tmp_path / "b")
    assert (again.dt, again.time, again.step_count) == (sim.dt, sim.time, sim.step_count)
    for each in (sim, again):
        each.run(steps=30)
    assert np.array_equal(sim.positions, again.positions)


def test_properties_are_others_from_now_on(tmp_path: Path) -> None:
    sim = gel()
    sim.run(steps=200)
    assert sim.get_property("friction") == 0.5
    sim.set_property("friction", 0.1)
    assert sim.get_property("friction") == 0.1
    [name] = sim.material_names
    assert sim.get_property("friction", pair=(name, name)) == 0.1
    sim.set_property("restitution", 0.4, pair=(name, name))
    sim.set_property("young", "8 MPa", material=name)
    assert sim.get_property("young") == 8e6
    sim.save(tmp_path / "state")
    again = tumble.Simulation.load(tmp_path / "state")
    assert [again.get_property(key) for key in ("friction", "restitution", "young")] == [0.1, 0.4, 8e6]
    for each in (sim, again):
        each.run(steps=100)
    assert np.array_equal(sim.velocities, again.velocities)
    plain = gel()
    plain.run(steps=300)
    assert not np.array_equal(sim.velocities, plain.velocities)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda sim: sim.set_property("density", 1000), "masses follow from it"),
        (lambda sim: sim.set_property("frction", 0.1), "expected a property that laws read, one of .*friction"),
        (lambda sim: sim.set_property("friction", -1), "zero or a positive number, but is -1"),
        (lambda sim: sim.set_property("friction", "1 mm"), "expected a number without unit"),
        (lambda sim: sim.set_property("rolling_friction", 0.1), "nothing reads its rolling_friction"),
        (lambda sim: sim.set_property("friction", 0.1, pair=("gel", "cheese")), "expected one of"),
        (lambda sim: sim.set_property("friction", 0.1, pair="gel"), "the names of two materials"),
        (lambda sim: sim.set_property("young", "5 kg"), "expected a pressure with a unit"),
    ],
)
def test_what_cannot_be_changed_is_refused(call: Any, words: str) -> None:
    with pytest.raises(tumble.InputError, match=words):
        call(gel())


def test_the_scene_of_a_simulation_cannot_be_written_to() -> None:
    sim = gel()
    with pytest.raises(tumble.InputError, match="set_property"):
        sim.scene["pair"]["friction"] = 0.1
    with pytest.raises(tumble.InputError, match="sim.gravity"):
        sim.scene["gravity"] = [0, 0, 0]
    with pytest.raises(tumble.InputError, match="a copy"):
        sim.scene["walls"].append({})
    with pytest.raises(tumble.InputError):
        sim.scene["pair"].update(friction=0.1)
    with pytest.raises(tumble.InputError):
        del sim.scene["pair"]
    # A copy is an ordinary scene.
    mine = tumble.Scene(sim.scene)
    mine["pair"]["friction"] = 0.1
    assert tumble.Simulation.from_scene(mine, threads=1).get_property("friction") == 0.1
    assert json.loads(json.dumps(sim.scene["pair"])) == sim.scene["pair"]
    copied = copy.deepcopy(sim.scene["walls"])
    copied.append(1)
    assert pickle.loads(pickle.dumps(sim.scene["pair"])) == sim.scene["pair"]


def test_quantities_have_units_where_scenes_have_them() -> None:
    sim = gel()
    sim.run("10 us")
    assert np.isclose(sim.time, np.ceil(1e-5 / sim.dt * (1 - 1e-12)) * sim.dt)
    with pytest.raises(tumble.InputError, match="duration: `mm` is a unit of length; expected a time"):
        sim.run("5 mm")
    with pytest.raises(tumble.InputError, match="the unit is missing"):
        sim.run("5")


def test_what_cannot_be_called_is_refused_at_once() -> None:
    sim: Any = gel()
    with pytest.raises(tumble.InputError, match=r"expected something that can be called as function\(t, positions"):
        sim.add_force([0, 0, 1])
    with pytest.raises(tumble.InputError, match=r"called as function\(t\)"):
        sim.drive_wall(sim.wall_names[0], 3)
