"""A simulation from Python is the one of the engine: same bits however it is run, states that can be seen and set."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tumble


def chess(**keys: object) -> tumble.Simulation:
    return tumble.Simulation.from_scene("chess", threads=1, set={"run.dt": 1e-6, "run.steps": 600, **keys})


def test_callbacks_change_no_bit() -> None:
    plain, watched = chess(), chess()
    plain.run()
    seen: list[int] = []
    watched.run(callback=lambda sim: seen.append(sim.step_count), every=70, progress=True)
    assert seen == [*range(70, 600, 70), 600]
    for column in ("positions", "quaternions", "velocities", "spins", "forces", "torques"):
        assert np.array_equal(getattr(plain, column), getattr(watched, column)), column
    assert plain.energy() == watched.energy()


def test_a_run_is_as_long_as_it_was_asked_to_be() -> None:
    sim = chess()
    sim.run(duration=10 * sim.dt)
    assert sim.step_count == 10 and sim.time == 10 * sim.dt
    sim.run(steps=5)
    assert sim.step_count == 15
    sim.run()
    assert sim.step_count == 600
    with pytest.raises(tumble.InputError, match="ends at step 600"):
        sim.run()
    wrong: dict[str, Any]
    for wrong in ({"steps": -1}, {"duration": -1.0}, {"duration": float("nan")}, {"steps": 1, "duration": 1.0}):
        with pytest.raises(tumble.InputError):
            sim.run(**wrong)
    with pytest.raises(tumble.InputError, match="every"):
        sim.run(steps=1, every=0)


def test_a_run_ends_when_it_is_told_to() -> None:
    sim = chess()
    sim.run(until=lambda sim: sim.step_count >= 200, every=50)
    assert sim.step_count == 200
    sim.run(callback=lambda sim: True, every=50)
    assert sim.step_count == 250

    def enough(sim: tumble.Simulation) -> None:
        raise tumble.Stop

    sim.run(callback=enough, every=50)
    assert sim.step_count == 300

    def broken(sim: tumble.Simulation) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        sim.run(callback=broken, every=50)
    sim.run(steps=1)
    assert sim.step_count == 351


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_leaves_a_simulation_that_goes_on(tmp_path: Path) -> None:
    def interrupt() -> None:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    sim = chess(**{"run.steps": 100_000_000})
    # A program that runs in the background of a shell inherits that Ctrl-C is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        out: Any
        for out in (None, tmp_path / "out"):
            thread = threading.Thread(target=interrupt)
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                sim.run(out=out)
            thread.join()
            now = sim.step_count
            sim.run(steps=10)
            assert sim.step_count == now + 10
    finally:
        signal.signal(signal.SIGINT, before)
    summary = tumble.open(tmp_path / "out").summary
    assert "interrupted" in str(summary).lower()


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
@pytest.mark.parametrize("how", ["lattice", "csv", "cloud"])
def test_ctrl_c_while_bodies_are_placed(tmp_path: Path, how: str) -> None:
    side = 60
    kinds: dict[str, dict[str, Any]] = {
        "lattice": {"lattice": {"low": [0, 0, 0], "high": [1, 1, 1], "counts": [side] * 3}},
        "csv": {"csv": str(tmp_path / "bodies.csv")},
        "cloud": {"cloud": {"low": [0, 0, 0], "high": [1, 1, 1], "count": side**3}},
    }
    places = kinds[how]
    rows = (f"ball,{x / side},{y / side},{z / side}" for x in range(side) for y in range(side) for z in range(side))
    if how == "csv":
        (tmp_path / "bodies.csv").write_text("template,x,y,z\n" + "\n".join(rows) + "\n")
    scene = {
        "version": 1,
        "run": {"dt": 1e-6, "steps": 10},
        "materials": {"glass": {"density": 2500, "young": "60 MPa", "poisson": 0.25}},
        "pair": {"restitution": 0.9, "friction": 0.3},
        "templates": {"ball": {"shape": "sphere", "radius": 0.3 / side}},
        "bodies": [places if how == "csv" else {"template": "ball", **places}],
    }
    files = sorted(tmp_path.rglob("*"))

    def interrupt() -> None:
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        thread = threading.Thread(target=interrupt)
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            # Again and again, however fast bodies are placed.
            while True:
                tumble.Simulation.from_scene(scene, threads=1)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(tmp_path.rglob("*")) == files, "nothing is left behind"
    # The next one is not concerned.
    assert len(tumble.Simulation.from_scene(scene, threads=1)) == side**3


def test_other_threads_run_meanwhile() -> None:
    sim = chess(**{"run.steps": 100_000_000})
    seen: list[str] = []
    begun = threading.Event()

    def look() -> None:
        begun.wait()
        # The simulation computes, so it says so; and this thread had its turn.
        while not seen:
            try:
                sim.positions
            except tumble.RunError as error:
                seen.append(str(error))

    thread = threading.Thread(target=look)
    thread.start()
    begun.set()
    for _ in range(1000):
        sim.run(steps=200)
        if seen:
            break
    thread.join()
    assert "computing now" in seen[0]


def test_states_are_of_the_instant_they_were_taken() -> None:
    sim = chess()
    positions = sim.positions
    before = positions.copy()
    sim.run(steps=100)
    assert np.array_equal(positions, before)
    assert not np.array_equal(sim.positions, before)
    for table in (sim.contacts, sim.spheres, sim.wall_loads):
        assert all(not column.flags.writeable for column in table.values())
    with pytest.raises(ValueError, match="read-only"):
        sim.forces[0] = 0


def test_states_can_be_set() -> None:
    sim = chess()
    sim.run(steps=50)
    velocities = np.random.default_rng(1).normal(size=(32, 3))
    sim.velocities = velocities
    np.testing.assert_allclose(sim.velocities, velocities, atol=1e-12)
    sim.spins = [1, 2, 3]
    np.testing.assert_allclose(sim.spins, np.tile([1.0, 2.0, 3.0], (32, 1)), atol=1e-12)
    turned = sim.quaternions[::-1]
    sim.quaternions = 2 * turned
    np.testing.assert_allclose(sim.quaternions, turned, atol=1e-12)
    places = sim.positions
    sim.positions = places[::-1]
    np.testing.assert_allclose(sim.positions, places[::-1], atol=1e-12)
    sim.set_state([7, 2], positions=[[9, 9, 9], [8, 8, 8]])
    assert sim.positions[7, 0] == 9 and sim.positions[2, 0] == 8
    energy = sim.energy()
    kinetic = 0.5 * (sim.masses[:, None] * sim.velocities**2).sum()
    assert energy["translational"] == pytest.approx(kinetic, rel=1e-12)
    assert energy["exchanged"] != 0


def test_invalid_states_are_refused_as_a_whole() -> None:
    sim = chess()
    before = sim.velocities
    bad = before.copy()
    bad[5, 1] = np.nan
    with pytest.raises(tumble.InputError, match="velocities: all numbers must be finite, but row 5"):
        sim.velocities = bad
    with pytest.raises(tumble.InputError, match=r"velocities: expected an array of shape \(32, 3\) or \(3,\), found \(31, 3\)"):
        sim.velocities = before[1:]
    with pytest.raises(tumble.InputError, match="length of the orientation"):
        sim.quaternions = np.zeros((32, 4))
    with pytest.raises(TypeError, match="expected real numbers"):
        sim.velocities = before.astype(complex)
    with pytest.raises(tumble.InputError, match="there is no body 99"):
        sim.set_state([0, 99], velocities=[1, 1, 1])
    for ids in ([-1], [0.5], [[1]], [1, 1], [2**40]):
        with pytest.raises(tumble.InputError, match="ids"):
            sim.set_state(ids, velocities=[1, 1, 1])
    assert np.array_equal(sim.velocities, before)


def test_forces_are_those_of_the_state_at_once() -> None:
    """A ball that was moved out of a collision has no force, and stays where it was put, exactly."""
    scene = {
        "version": 1,
        "run": {"dt": 1e-5, "steps": 1000, "threads": 1},
        "materials": {"soft": {"density": 1000, "young": "1 MPa", "poisson": 0.25}},
        "pair": {"restitution": 0.9, "friction": 0.5},
        "templates": {"ball": {"shape": "sphere", "radius": "1 cm"}},
        "bodies": [{"template": "ball", "at": [0, 0, 0]}, {"template": "ball", "at": [0.0199, 0, 0], "velocity": [-1, 0, 0]}],
    }
    sim = tumble.Simulation.from_scene(scene)
    sim.run(steps=20)
    assert abs(sim.forces[0, 0]) > 0.01
    sim.positions[0] = [1, 2, 3]
    sim.velocities[0] = [0, 0, 0]
    sim.spins[0] = [0, 0, 0]
    np.testing.assert_array_equal(sim.forces, np.zeros((2, 3)))
    speed = sim.velocities[1].copy()
    sim.run(steps=100)
    np.testing.assert_array_equal(sim.positions[0], [1, 2, 3])
    np.testing.assert_allclose(sim.velocities[1], speed, rtol=1e-14)

    # Beside each other again: the forces are those of a simulation that begins so.
    sim.set_state([0, 1], positions=np.array([[0, 0, 0], [0.0198, 0, 0]]), velocities=[0, 0, 0], spins=[0, 0, 0])
    scene["bodies"] = [{"template": "ball", "at": [0, 0, 0]}, {"template": "ball", "at": [0.0198, 0, 0]}]
    np.testing.assert_allclose(sim.forces, tumble.Simulation.from_scene(scene).forces, rtol=1e-12)
    assert len(sim.contacts["body"]) == 1
    # One is taken away, and the other one is left without a force.
    balance = sim.energy()["balance"]
    sim.remove_bodies([0])
    np.testing.assert_array_equal(sim.forces, np.zeros((1, 3)))
    sim.run(steps=10)
    np.testing.assert_array_equal(sim.velocities, np.zeros((1, 3)))
    assert sim.energy()["balance"] == pytest.approx(balance, rel=1e-12)


def test_no_run_begins_from_a_state_that_overlaps_too_much() -> None:
    sim = tumble.Simulation.from_scene("chess", threads=1)
    before, energy = sim.positions.copy(), sim.energy()
    sim.positions[0] = before[1]
    with pytest.raises(tumble.RunError, match="body 0 .* overlaps body 1"):
        sim.run(steps=1)
    np.testing.assert_array_equal(sim.positions[0], before[1])
    sim.positions[0] = before[0]
    assert sim.energy()["balance"] == pytest.approx(energy["balance"], rel=1e-12)
    sim.run(steps=10)


def test_bodies_come_and_go() -> None:
    sim = chess()
    ids = sim.add_bodies("pawn", [[0.8, 0, 0], [0.9, 0, 0]], spins=[0, 0, 1], scale=0.5)
    assert ids.tolist() == [32, 33] and len(sim) == 34
    assert sim.masses[33] == pytest.approx(sim.masses[sim.templates == sim.template_names.index("pawn")][0] / 8)
    sim.remove_bodies([0, 33])
    assert sim.ids.tolist() == [*range(1, 33)]
    sim.hold([1])
    assert sim.held.sum() == 1
    with pytest.raises(tumble.InputError, match="template: expected one of king, queen"):
        sim.add_bodies("kink", [0, 0, 0])
    with pytest.raises(tumble.InputError, match="no body 0"):
        sim.remove_bodies([0])
    sim.remove_bodies([])


def test_contacts_hold_weights() -> None:
    sim = tumble.Simulation.from_scene("settling", threads=1)
    sim.run(steps=3000)
    contacts = sim.contacts
    on_walls = contacts["wall"] >= 0
    assert (contacts["other_body"][on_walls] == -1).all() and (contacts["other_body"][~on_walls] >= 0).all()
    pushed = np.zeros((len(sim), 3))
    np.add.at(pushed, np.searchsorted(sim.ids, contacts["body"]), contacts["force"])
    np.subtract.at(pushed, np.searchsorted(sim.ids, contacts["other_body"][~on_walls]), contacts["force"][~on_walls])
    gravity = sim.scene["gravity"]
    np.testing.assert_allclose(sim.forces, pushed + sim.masses[:, None] * gravity, atol=1e-9 * np.abs(sim.forces).max())


def test_contacts_tell_how_far_bodies_overlap() -> None:
    """Against the distances of the spheres that they name, and of their centres from the faces of the box."""
    sim = tumble.Simulation.from_scene("settling", threads=1)
    sim.run(steps=20_000)
    contacts, spheres = sim.contacts, sim.spheres
    place = {named: row for row, named in enumerate(zip(spheres["body"], spheres["sphere"], strict=True))}
    on_bodies = contacts["wall"] < 0
    assert on_bodies.any() and not on_bodies.all()
    first = [place[named] for named in zip(contacts["body"], contacts["sphere"], strict=True)]
    radii, centres = spheres["radius"][first], spheres["centre"][first]
    others = zip(contacts["other_body"][on_bodies], contacts["other_sphere"][on_bodies], strict=True)
    second = [place[named] for named in others]
    apart = np.linalg.norm(centres[on_bodies] - spheres["centre"][second], axis=1)
    np.testing.assert_allclose(contacts["overlap"][on_bodies], radii[on_bodies] + spheres["radius"][second] - apart, atol=1e-15)
    assert (contacts["overlap"] > 0).all()
    box = sim.scene["walls"][0]["box"]
    into_faces = radii[:, None] - np.column_stack([centres - box["low"], box["high"] - centres])
    off = np.abs(into_faces[~on_bodies] - contacts["overlap"][~on_bodies, None]).min(axis=1)
    np.testing.assert_allclose(off, 0, atol=1e-15)


def test_spins_are_seen_and_set_in_either_frame() -> None:
    from tumble import rotation

    sim = chess()
    sim.run(steps=50)
    np.testing.assert_allclose(rotation.to_lab(sim.quaternions, sim.body_spins), sim.spins, atol=1e-12)
    about = np.random.default_rng(2).normal(size=(32, 3))
    sim.body_spins = about
    np.testing.assert_allclose(sim.body_spins, about, atol=1e-12)
    sim.set_state([4, 9], spins=[1, 2, 3], quaternions=3 * np.array([[0.5, 0.5, 0.5, 0.5], [0, 1, 0, 0]]), frame="body")
    np.testing.assert_allclose(sim.spins[[4, 9]], [[3, 1, 2], [1, -2, -3]], atol=1e-12)
    ids = sim.add_bodies("pawn", [2e-3, 2e-3, 2e-3], quaternions=[0.5] * 4, spins=[1, 2, 3], frame="body", scale=0.01)
    np.testing.assert_allclose(sim.spins[ids], [[3, 1, 2]], atol=1e-12)
    wrong: dict[str, Any]
    for wrong in ({"frame": "sky"}, {"ids": [99], "frame": "body"}, {"quaternions": [0, 0, 0, 0], "frame": "body"}):
        with pytest.raises(tumble.InputError):
            sim.set_state(**wrong, spins=[0, 0, 1])


def test_a_run_that_goes_wrong_says_so_and_can_be_mended() -> None:
    sim = chess()
    sim.set_state([0], positions=sim.positions[1])
    with pytest.raises(tumble.RunError, match="overlaps body"):
        sim.run(steps=10)
    sim.remove_bodies([0])
    sim.run(steps=10)


def test_a_saved_simulation_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    whole, half = chess(), chess()
    whole.run()
    half.run(steps=333)
    half.save(tmp_path / "half.tumble")
    again = tumble.Simulation.load(tmp_path / "half.tumble")
    assert again.title == half.title and again.step_count == 333
    again.run()
    assert np.array_equal(again.positions, whole.positions)
    assert again.energy() == whole.energy()
    with pytest.raises(tumble.ResultsError):
        tumble.Simulation.load(tmp_path / "missing")
    (tmp_path / "other").write_bytes(b"nothing")
    with pytest.raises(tumble.ResultsError, match="no checkpoint"):
        tumble.Simulation.load(tmp_path / "other")
