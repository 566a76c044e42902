"""What does the steps changes no bit of a simulation, and what cannot be is said before anything begins."""

from pathlib import Path

import numpy as np
import pytest

import tumble
from scenes import RODS

# Those rods above a ball that touches the floor from the start.
SCENE = (
    RODS.replace("low = [0, 0, 0], high = [0.05, 0.05, 0.04]", "low = [0, 0, 0.008], high = [0.05, 0.05, 0.048]").replace(
        "templates.rod", "templates.ball = { spheres = [[0, 0, 0, 3e-3]] }\ntemplates.rod"
    )
    + """
[[bodies]]
template = "ball"
at = [0.025, 0.025, 2.999e-3]
"""
)


@pytest.fixture(autouse=True)
def kernels(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))


def emulated(**keys: object) -> tumble.Simulation:
    try:
        return tumble.Simulation.from_scene(SCENE, set=keys, threads=1, device="emulated")
    except tumble.InputError as error:
        if "no C++ compiler" in str(error):
            pytest.skip(str(error))
        raise


def test_a_device_has_the_bits_of_the_processor(tmp_path: Path) -> None:
    here, there = tumble.Simulation.from_scene(SCENE, threads=1), emulated()
    assert (here.device, here.device_note) == ("cpu", None)
    assert there.device == "emulated" and "emulated card" in (there.device_note or "")
    for sim in (here, there):
        sim.run(steps=150)
        sim.velocities[3] = [0, 0, 0.5]
        sim.run(steps=150)
    for column in ("positions", "quaternions", "velocities", "spins", "forces", "torques"):
        assert np.array_equal(getattr(here, column), getattr(there, column)), column
    assert here.energy() == there.energy()
    there.save(tmp_path / "middle.tumble")
    again = tumble.Simulation.load(tmp_path / "middle.tumble", threads=1, device="cpu")
    assert again.device == "cpu"
    for sim in (here, again):
        sim.run(steps=100)
    assert np.array_equal(here.positions, again.positions)


def test_forces_of_python_are_done_by_the_processor() -> None:
    here, there = tumble.Simulation.from_scene(SCENE, threads=1), emulated()
    for sim in (here, there):
        sim.add_force(lambda t, positions, quaternions, velocities, spins: -0.1 * velocities)
        sim.run(steps=50)
    assert np.array_equal(here.positions, there.positions)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(tumble.InputError, match="device: there is no device `gpuu`; did you mean `gpu`"):
        tumble.Simulation.from_scene(SCENE, device="gpuu")
    with pytest.raises(tumble.InputError, match="driver|card 1000"):
        tumble.Simulation.from_scene(SCENE, device="cuda:1000")
    with pytest.raises(tumble.InputError, match="cannot run this world yet: bonds between bodies"):
        tumble.Simulation.from_scene("agglomerate", device="gpu")
    with pytest.raises(tumble.SceneError, match="run.device"):
        tumble.Simulation.from_scene(SCENE, set={"run.device": "gpuu"})


def test_the_processor_takes_over_where_a_card_cannot() -> None:
    sim = tumble.Simulation.from_scene("agglomerate", set={"run.device": "auto"})
    assert sim.device == "cpu" and "bonds between bodies" in (sim.device_note or "")
