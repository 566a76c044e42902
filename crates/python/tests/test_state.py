"""Items of the state of bodies can be set like those of any array, and nothing that is written is lost."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tumble
from scenes import BALL
from tumble import rotation

Floats = npt.NDArray[np.float64]


@pytest.fixture
def sim() -> tumble.Simulation:
    made = tumble.Simulation.from_scene("chess", threads=1)
    made.run(steps=50)
    return made


def item(velocities: Floats) -> None:
    velocities[3] = [1, 2, 3]


def column(velocities: Floats) -> None:
    velocities[:, 2] += 1


def chosen(velocities: Floats) -> None:
    velocities[velocities[:, 0] > 0] *= -1


def part_of_a_part(velocities: Floats) -> None:
    velocities[4:9][1:, 0] = 7


def named_part(velocities: Floats) -> None:
    part = velocities[::5]
    part -= 2


def into(velocities: Floats) -> None:
    np.multiply(velocities, 2, out=velocities)


def at(velocities: Floats) -> None:
    np.add.at(velocities, [1, 1, 2], 0.5)


def everything(velocities: Floats) -> None:
    velocities[...] = velocities[::-1]


WAYS: list[Callable[[Floats], None]] = [item, column, chosen, part_of_a_part, named_part, into, at, everything]


@pytest.mark.parametrize("way", WAYS)
def test_bodies_change_as_an_array_would(sim: tumble.Simulation, way: Callable[[Floats], None]) -> None:
    expected = np.array(sim.velocities)
    way(expected)
    live = sim.velocities
    way(live)
    np.testing.assert_allclose(sim.velocities, expected, atol=1e-13)
    np.testing.assert_allclose(live, expected, atol=1e-13)
    sim.run(steps=20)


@pytest.mark.parametrize("name", ["positions", "quaternions", "velocities", "spins", "body_spins"])
def test_every_state_can_be_written_to(sim: tumble.Simulation, name: str) -> None:
    others = {other: np.array(getattr(sim, other)) for other in ("positions", "quaternions", "velocities", "body_spins")}
    expected = np.array(getattr(sim, name))
    if name == "positions":
        expected[5] += 1e-7
    else:
        expected[5] = expected[6]
    getattr(sim, name)[5] = expected[5]
    np.testing.assert_allclose(getattr(sim, name), expected, atol=1e-12)
    for other, values in others.items():
        if other != name and (other, name) != ("body_spins", "spins"):
            np.testing.assert_allclose(getattr(sim, other), values, atol=1e-12, err_msg=other)


def test_only_bodies_that_change_are_touched(sim: tumble.Simulation) -> None:
    again = tumble.Simulation.from_scene("chess", threads=1)
    again.run(steps=50)
    sim.velocities[7] = sim.velocities[7]
    sim.velocities += 0
    assert sim.energy()["exchanged"] == 0
    sim.run(steps=100)
    again.run(steps=100)
    assert np.array_equal(sim.positions, again.positions)


def test_assignment_in_place_to_all(sim: tumble.Simulation) -> None:
    expected = 0.5 * sim.velocities
    sim.velocities *= 0.5
    np.testing.assert_allclose(sim.velocities, expected, atol=1e-13)


def test_what_is_computed_is_an_ordinary_array(sim: tumble.Simulation) -> None:
    for made in (sim.positions + 1, np.sqrt(abs(sim.spins)), sim.positions.mean(axis=0), sim.positions[[1, 2]]):
        assert type(made) is np.ndarray and made.flags.writeable
    for made in (sim.positions.copy(), copy.deepcopy(sim.positions), pickle.loads(pickle.dumps(sim.positions))):
        before = np.array(sim.positions)
        made[0] = 9
        assert made[0, 0] == 9 and np.array_equal(sim.positions, before)
    assert np.linalg.norm(sim.velocities, axis=1).shape == (32,)
    assert isinstance(sim.positions[0, 0], float)
    rotation.to_lab(sim.quaternions, sim.spins)
    assert "array" in repr(sim.positions) or "StateArray" in repr(sim.positions)


@pytest.mark.parametrize("value", [np.nan, np.inf, "x", [1, 2]])
def test_what_cannot_be_changes_nothing(sim: tumble.Simulation, value: Any) -> None:
    live = sim.velocities
    before = np.array(live)
    with pytest.raises(ValueError):
        live[2] = value
    assert np.array_equal(live, before) and np.array_equal(sim.velocities, before)


def test_a_state_of_the_past_is_not_written(sim: tumble.Simulation) -> None:
    positions = sim.positions
    sim.run(steps=10)
    with pytest.raises(tumble.InputError, match="take sim.positions again"):
        positions[0] = 0
    fewer = sim.velocities
    sim.remove_bodies([31])
    with pytest.raises(tumble.InputError, match="take sim.velocities again"):
        fewer[0] = 0
    # Two states of the same instant do not get into each other's way.
    positions, spins = sim.positions, sim.body_spins
    positions[3, 2] += 1e-7
    spins[3] = [0, 0, 1]
    np.testing.assert_allclose(sim.body_spins[3], [0, 0, 1], atol=1e-12)


@pytest.mark.parametrize("lost", [lambda a: a.fill(0), lambda a: a.sort(), lambda a: np.copyto(a, 0), lambda a: a.T.fill(0)])
def test_what_would_be_lost_is_refused(sim: tumble.Simulation, lost: Callable[[Floats], None]) -> None:
    with pytest.raises(ValueError, match="read-only"):
        lost(sim.velocities)


def test_triangles_of_a_mesh_bear_what_rests_on_them() -> None:
    scene = BALL | {
        "run": {"dt": 1e-5, "steps": 20000},
        "bodies": [{"template": "ball", "at": [0.003, 0.001, 0.0101]}],
        "walls": [
            {"name": "floor", "mesh": {"triangles": [[-1, -1, 0, 1, -1, 0, 0, 1, 0]], "scale": 0.1}},
            {"name": "far", "plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}},
        ],
        "output": {"vtk": {"every": {"steps": 1000}, "surfaces": True}},
    }
    sim = tumble.Simulation.from_scene(scene, threads=1)
    sim.run()
    floor = sim.surface("floor")
    np.testing.assert_allclose(floor["area"], [0.02])
    np.testing.assert_allclose((floor["pressure"] * floor["area"]).sum(), 10 * sim.masses.sum(), rtol=1e-3)
    assert floor["traction"].shape == (1, 3) and floor["friction_work"].shape == floor["sliding_load"].shape == (1,)
    with pytest.raises(tumble.InputError, match="has to be a mesh"):
        sim.surface("far")
    with pytest.raises(tumble.InputError, match="wall"):
        sim.surface("nowhere")
