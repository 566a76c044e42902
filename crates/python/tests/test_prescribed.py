"""Forces and motions of walls that are functions of Python act as their formulas say, and fail without harm."""

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tumble

Floats = npt.NDArray[np.float64]


def ball(**keys: Any) -> tumble.Simulation:
    scene = {
        "version": 1,
        "run": {"dt": 5e-5, "steps": 1000, "threads": 1},
        "materials": {"soft": {"density": 1000, "young": "1 MPa", "poisson": 0.25}},
        "pair": {"restitution": 0.9, "friction": 0.0},
        "templates": {"ball": {"shape": "sphere", "radius": "1 cm"}},
        "bodies": [{"template": "ball", "at": [0, 0, 0], "velocity": [1, 0, 0]}],
        **keys,
    }
    return tumble.Simulation.from_scene(scene)


FLOOR: dict[str, Any] = {
    "walls": [{"name": "floor", "plane": {"point": [0, 0, -0.0101], "normal": [0, 0, 1]}}],
    "gravity": [0, 0, -9.81],
}


def test_a_spring_makes_a_harmonic_oscillator() -> None:
    sim = ball()
    mass = sim.masses[0]
    stiffness = mass * (2 * math.pi) ** 2 * 25

    @sim.add_force
    def spring(t: float, positions: Floats, quaternions: Floats, velocities: Floats, spins: Floats) -> Any:
        return -stiffness * positions

    sim.run(duration=0.05)
    # A quarter of a turn takes 1/20 s.
    assert sim.positions[0, 0] == pytest.approx(1 / (10 * math.pi), rel=1e-3)
    assert abs(sim.velocities[0, 0]) < 2e-3
    energy = sim.energy()
    assert energy["field_work"] == pytest.approx(-0.5 * mass, rel=1e-3)
    assert energy["balance"] == pytest.approx(0.5 * mass, rel=1e-3)


def test_a_torque_turns_and_a_time_is_told() -> None:
    sim = ball()
    moment = sim.moments[0, 0]
    times: list[float] = []

    def torque(t: float, positions: Floats, quaternions: Floats, velocities: Floats, spins: Floats) -> Any:
        times.append(t)
        return None, [0, 0, moment * 2.0]

    sim.add_force(torque)
    sim.run(steps=500)
    assert times == pytest.approx([step * sim.dt for step in range(501)])
    spin = 2.0 * 500 * sim.dt
    assert sim.spins[0, 2] == pytest.approx(spin, rel=1e-12)
    sim.clear_forces()
    sim.run(steps=10)
    assert sim.spins[0, 2] == pytest.approx(spin, rel=1e-12) and len(times) == 501


def test_the_order_is_that_of_ids_also_after_bodies_have_gone() -> None:
    sim = tumble.Simulation.from_scene("chess", threads=1, set={"run.dt": 1e-6})
    sim.remove_bodies([0, 5])
    wanted = np.zeros((30, 3))
    wanted[:, 0] = sim.ids
    sim.add_force(lambda t, positions, quaternions, velocities, spins: wanted)
    np.testing.assert_allclose(sim.forces[:, 0], sim.ids)
    sim.run(steps=1)
    np.testing.assert_allclose(sim.forces[:, 0], sim.ids)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros((2, 3)), r"forces: expected an array of shape \(1, 3\) or \(3,\), found \(2, 3\)"),
        ([0, math.nan, 0], "forces: all numbers must be finite"),
        ((None, [[0, 0]]), "torques: expected an array of shape"),
        ([0, 0, 1j], "forces: expected real numbers"),
    ],
)
def test_what_is_no_force_is_refused(given: Any, message: str) -> None:
    sim = ball()
    with pytest.raises((tumble.InputError, TypeError), match=message):
        sim.add_force(lambda *state: given)
    dt = sim.dt
    sim.add_force(lambda t, *state: [0, 0, 0] if t < 5.5 * dt else given)
    with pytest.raises((tumble.InputError, TypeError), match=message):
        sim.run(steps=10)
    assert sim.step_count == 0
    sim.clear_forces()
    sim.run(steps=10)
    assert sim.step_count == 10


def test_what_a_force_raises_arrives() -> None:
    sim = ball()
    dt = sim.dt

    def broken(t: float, positions: Floats, *state: object) -> list[float]:
        if t > 3.5 * dt or len(positions) > 1:
            raise LookupError("mine")
        return [0, 0, 0]

    sim.add_force(broken)
    with pytest.raises(LookupError, match="mine"):
        sim.run(steps=10)
    # A change that it cannot be told for is not made.
    with pytest.raises(LookupError, match="mine"):
        sim.add_bodies("ball", [1, 0, 0])
    assert len(sim) == 1
    sim.clear_forces()

    def curious(*state: object) -> Floats:
        return sim.positions

    with pytest.raises(tumble.RunError, match="gets all it needs as arguments"):
        sim.add_force(curious)
    sim.run(steps=10)


def test_a_driven_wall_is_the_wall_that_the_scene_moves() -> None:
    amplitude, frequency = 2e-4, 20.0
    walls = [{**FLOOR["walls"][0], "motion": [{"vibrate": {"amplitude": [0, 0, amplitude], "frequency": frequency}}]}]
    keys = FLOOR | {"bodies": [{"template": "ball", "at": [0, 0, 0]}]}
    by_scene, by_function, by_displacement = ball(**keys | {"walls": walls}), ball(**keys), ball(**keys)
    turn = 2 * math.pi * frequency

    def motion(t: float) -> tuple[list[float], list[float]]:
        return [0, 0, amplitude * math.sin(turn * t)], [0, 0, amplitude * turn * math.cos(turn * t)]

    by_function.drive_wall("floor", motion)
    by_displacement.drive_wall("floor", lambda t: motion(t)[0])
    for sim in (by_scene, by_function, by_displacement):
        sim.run(steps=800)
    height = by_scene.positions[0, 2]
    assert abs(height) > 1e-5
    assert by_function.positions[0, 2] == pytest.approx(height, abs=1e-9)
    assert by_displacement.positions[0, 2] == pytest.approx(height, abs=1e-6)
    assert by_function.energy()["wall_work"] == pytest.approx(by_scene.energy()["wall_work"], rel=1e-6)
    assert by_scene.energy()["wall_work"] != 0


def test_a_driven_wall_is_recorded_where_it_is(tmp_path: Path) -> None:
    sim = ball(**FLOOR)
    sim.drive_wall("floor", lambda t: [0, 0, -2 * t])
    sim.run(steps=400, out=tmp_path / "out")
    places = wall_places(tmp_path / "out" / "trajectory.tumble")
    assert len(places) > 3
    for time, place in places:
        # The wall's pivot, and no rotation.
        assert place[0].tolist() == pytest.approx([0, 0, -2 * time, 1, 0, 0, 0], abs=1e-7)
    assert places[-1][1][0, 2] == pytest.approx(-2 * 400 * sim.dt, rel=1e-6)


def wall_places(path: Path) -> list[tuple[float, npt.NDArray[np.float32]]]:
    """Times, and where the walls are, as the header of the file says how to read them."""
    data = path.read_bytes()
    length = struct.unpack_from("<Q", data, 16)[0]
    header = json.loads(data[24 : 24 + length])
    assert all(wall["moves"] for wall in header["walls"])
    at = 24 + length
    found: list[tuple[float, npt.NDArray[np.float32]]] = []
    while at < len(data):
        size, _, time, bodies, contacts, walls, listed = struct.unpack_from("<QQd4I", data, at + 8)
        counts = {"listed body": bodies * listed, "body": bodies, "contact": contacts, "moving wall": walls}
        begin = at + 48
        for array in header["arrays"]:
            count = counts[array["of"]] * array["components"]
            if array["name"] == "wall_places":
                found.append((time, np.frombuffer(data, "<f4", count, begin).reshape(-1, 7)))
            begin += count * int(array["type"][1:]) // 8
        at += 16 + size
    return found


def test_a_wall_that_turns_carries_along() -> None:
    sim = ball(**FLOOR | {"pair": {"restitution": 0.5, "friction": 0.5}, "bodies": [{"template": "ball", "at": [0, 0, 0]}]})

    def slide(t: float) -> Any:
        return [t, 0, 0], [1, 0, 0], [1, 0, 0, 0], [0, 0, 0]

    sim.drive_wall("floor", slide)
    sim.run(steps=2000)
    assert sim.velocities[0, 0] > 0.05


@pytest.mark.parametrize("given", [None, [0, 0], ([0, 0, 0], [0, 0]), [0, 0, math.inf], ([0] * 3, [0] * 3, [2, 0, 0, 0], [0] * 3)])
def test_what_is_no_motion_is_refused(given: Any) -> None:
    sim = ball(**FLOOR)
    with pytest.raises(tumble.TumbleError):
        sim.drive_wall("floor", lambda t: given)
    dt = sim.dt
    sim.drive_wall("floor", lambda t: [0, 0, 0] if t < 10.5 * dt else given)
    with pytest.raises(tumble.TumbleError):
        sim.run(steps=20)
    with pytest.raises(tumble.InputError, match="wall: expected one of floor"):
        sim.drive_wall("ceiling", lambda t: [0, 0, 0])
