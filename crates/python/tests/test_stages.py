"""Stages from Python: what they change, when they end and why, alike in a simulation and in its results."""

from pathlib import Path
from typing import Any

import numpy as np

import tumble
from scenes import BALL

# A ball that falls, floats, and falls again until it is fast enough.
FALL: dict[str, Any] = BALL | {
    "run": {"dt": "1 ms"},
    "bodies": [{"template": "ball", "at": [0, 0, 1]}],
    "measures": [{"name": "ball", "kind": "centre-of-mass", "every": {"steps": 1}}],
    "stages": [
        {"name": "fall", "duration": "20 ms"},
        {"name": "float", "duration": "10 ms", "gravity": [0, 0, 0]},
        {
            "name": "fall again",
            "gravity": [0, 0, -20],
            "until": {"measure": "ball.velocity_z_m/s", "below": -0.5, "longest": "1 s", "every": 1},
        },
    ],
}


def test_stages_change_what_they_say_and_tell_when_they_ended(tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene(FALL, threads=1)
    assert [stage.name for stage in sim.stages] == ["fall"] and sim.stages[0].end is None
    result = sim.run(out=tmp_path / "fall", progress=False)
    assert [stage.name for stage in sim.stages] == ["fall", "float", "fall again"]
    starts = [stage.start for stage in sim.stages]
    assert np.allclose(starts, [0, 0.02, 0.03])
    # From −0.2 m/s with 20 m/s², below −0.5 m/s after 15 or 16 steps.
    last = sim.stages[-1].end
    assert last is not None and 0.0449 < last < 0.0471 and np.isclose(sim.time, last)
    assert "ball.velocity_z" in str(sim.stages[-1].why)
    assert result.stages == sim.stages
    times, speed = result.measures["time_s"], result.measures["ball.velocity_z_m/s"]
    floating = (times > 0.0205) & (times < 0.0295)
    assert floating.sum() == 9 and np.allclose(speed[floating], speed[floating][0], rtol=1e-12)
    assert np.isclose(speed[floating][0], -0.2, rtol=1e-9)


def test_a_saved_simulation_goes_on_in_its_stage(tmp_path: Path) -> None:
    whole = tumble.Simulation.from_scene(FALL, threads=1)
    whole.run(progress=False)
    part = tumble.Simulation.from_scene(FALL, threads=1)
    part.run(steps=25, progress=False)
    part.save(tmp_path / "floating.tumble")
    again = tumble.Simulation.load(tmp_path / "floating.tumble")
    assert [stage.name for stage in again.stages] == ["fall", "float"]
    again.run(progress=False)
    assert again.stages == whole.stages and np.array_equal(again.positions, whole.positions)
