"""A simulation goes on with the bodies of another one: with the same scene bit for bit, with another one as far as things are there."""

from pathlib import Path

import numpy as np
import pytest

import tumble


def settling(**keys: object) -> tumble.Scene:
    return tumble.Scene.example("settling", set={"run.steps": 300, **keys})


def test_the_same_scene_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    whole = tumble.Simulation.from_scene(settling(), threads=1)
    first = tumble.Simulation.from_scene(settling(), threads=1)
    first.run(steps=200, out=tmp_path / "first")
    first.save(tmp_path / "state")
    whole.run(steps=300)
    for after in (first, tmp_path / "first", tmp_path / "state"):
        sim = tumble.Simulation.from_scene(settling(), threads=2, after=after)
        assert (sim.step_count, sim.time) == (200, first.time)
        assert "the bits are those of a run that was not interrupted" in sim.notes[1]
        sim.run(steps=100)
        for column in ("positions", "quaternions", "velocities", "spins", "forces"):
            assert np.array_equal(getattr(sim, column), getattr(whole, column)), (after, column)
    # It ends as far from where it began as the scene is long.
    sim.run()
    assert sim.step_count == 500
    sim.save(tmp_path / "later")
    assert tumble.Simulation.load(tmp_path / "later").step_count == 500


def test_another_scene_takes_what_is_there(tmp_path: Path) -> None:
    first = tumble.Simulation.from_scene(settling(), threads=1)
    first.run(steps=200)
    smooth = tumble.Simulation.from_scene(settling(**{"pair.friction": 0}), threads=1, after=first)
    assert np.array_equal(smooth.ids, first.ids) and np.array_equal(smooth.positions, first.positions)
    assert any("the clock goes on" in note for note in smooth.notes)
    result = smooth.run(steps=50, out=tmp_path / "smooth")
    assert result.energy["step"][0] == 200
    again = result.load(threads=1)
    assert again.step_count == 250 and np.array_equal(again.positions, smooth.positions)
    again.run(steps=10)
    zero = tumble.Simulation.from_scene(settling(), threads=1, after=first, restart_clock=True)
    assert (zero.time, zero.step_count, len(zero)) == (0, 0, len(first))


def test_what_cannot_be_gone_on_with() -> None:
    with pytest.raises(tumble.ResultsError, match="nowhere: there is nothing to go on with"):
        tumble.Simulation.from_scene(settling(), after="nowhere")
    with pytest.raises(tumble.InputError, match="restart_clock"):
        tumble.Simulation.from_scene(settling(), restart_clock=True)
    assert tumble.Simulation.from_scene(settling(), threads=1).notes == []
