"""Stages from Python: what they change, when they end and why, alike in a simulation and in its results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

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


def test_a_force_reads_the_step_being_taken() -> None:
    stages = [{"name": "coarse", "duration": "20 ms"}, {"name": "fine", "duration": "10 ms", "dt": "0.5 ms"}]
    sim = tumble.Simulation.from_scene(FALL | {"stages": stages}, threads=1)
    seen: list[tuple[float, float]] = []

    @sim.add_force
    def nothing(
        t: float, positions: np.ndarray, quaternions: np.ndarray, velocities: np.ndarray, spins: np.ndarray
    ) -> np.ndarray:
        seen.append((t, sim.dt))
        return np.zeros(3)

    sim.run(progress=False)
    coarse = [dt for t, dt in seen if t < 0.0199]
    fine = [dt for t, dt in seen if t > 0.0201]
    assert len(coarse) >= 20 and set(coarse) == {1e-3}
    assert len(fine) == 20 and set(fine) == {5e-4}
    assert sim.dt == 5e-4
    # All else is still refused.
    sim.clear_forces()
    with pytest.raises(tumble.RunError, match="computing now"):
        sim.add_force(lambda t, *state: np.zeros(3) * sim.time)


def test_stages_tell_what_they_change(tmp_path: Path) -> None:
    stages = [
        {"name": "fall", "duration": "20 ms"},
        {"name": "thick", "duration": "10 ms", "drag": {"viscosity": 0.5}, "output": {"energy": {"every": {"steps": 2}}}},
    ]
    sim = tumble.Simulation.from_scene(FALL | {"stages": stages}, threads=1)
    result = sim.run(out=tmp_path / "thick", progress=False)
    assert sim.stages[1].changes == ("drag of viscosity 0.5 Pa s", "energy every 2 steps")
    assert result.stages == sim.stages
    steps = result.energy["step"]
    assert steps[steps >= 20].tolist() == [20, 22, 24, 26, 28, 30]


def test_a_run_with_stages_lasts_as_long_as_the_scene_says() -> None:
    sim = tumble.Simulation.from_scene(FALL, set={"run.ends": "60 ms"}, threads=1)
    sim.run(progress=False)
    assert np.isclose(sim.time, 0.06) and sim.stages[-1].why == "the time of the whole run was over"


def test_a_stream_by_a_table_brings_its_integral() -> None:
    stream = {"template": "ball", "region": {"low": [-1, -1, 2], "high": [1, 1, 3]}, "rate": [[0, 0], [0.1, 400], [0.2, 0]]}
    scene = FALL | {"run": {"dt": "0.1 ms"}, "streams": [stream], "stages": [{"name": "pour", "duration": "0.3 s"}]}
    sim = tumble.Simulation.from_scene(scene, threads=1)
    before = len(sim)
    sim.run(steps=1000, progress=False)
    assert len(sim) - before == 20
    sim.run(progress=False)
    assert len(sim) - before == 40


def test_after_its_last_stage_a_simulation_goes_on_with_results(tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene(FALL, threads=1)
    sim.run(progress=False)
    last = sim.step_count
    result = sim.run(duration="10 ms", out=tmp_path / "on", progress=False)
    assert sim.step_count == last + 10 and result.energy["step"][-1] == last + 10
