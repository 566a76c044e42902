"""Studies: every combination and seed is run, means and standard errors are those of the runs, and mistakes are told."""

from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pytest

import tumble
from scenes import BALL

# A ball that falls freely, and is measured ten times.
FALL: dict[str, Any] = BALL | {
    "run": {"dt": "1 ms", "steps": 100},
    "bodies": [{"template": "ball", "cloud": {"low": [0, 0, 0], "high": [1, 1, 1], "count": 1}}],
    "measures": [{"name": "ball", "kind": "centre-of-mass", "every": {"steps": 10}}],
}


def test_every_combination_is_run_and_measured() -> None:
    over = {"run.steps": [50, 100], "materials.stone.density": [1000, 2000, 4000]}
    study = tumble.sweep(FALL, over, progress=False)
    assert study.keys == tuple(over) and study.cases.rows == study.means.rows == 6
    assert study.means["run.steps"].tolist() == [50, 50, 50, 100, 100, 100]
    assert study.means["materials.stone.density"].tolist() == [1000, 2000, 4000] * 2
    # v = g t, whatever it weighs; the mean of samples from 0 on is half of it.
    speed = study.means["last ball.velocity_z_m/s"]
    assert np.allclose(speed, [-0.5] * 3 + [-1.0] * 3, rtol=1e-12)
    assert np.allclose(study.means["mean ball.velocity_z_m/s"], speed / 2, rtol=1e-12)
    late = tumble.sweep(FALL, {"run.steps": [100]}, mean_from="60 ms", progress=False)
    assert np.allclose(late.means["mean ball.velocity_z_m/s"], -0.8, rtol=1e-12)


def test_means_and_errors_are_those_of_the_seeds() -> None:
    study = tumble.sweep(FALL, {"run.steps": [10, 20]}, seeds=4, workers=2, progress=False)
    assert study.cases.rows == 8 and study.cases["seed"].tolist() == [1, 2, 3, 4] * 2
    for number in range(2):
        places = study.cases["last ball.x_m"][4 * number : 4 * number + 4]
        assert len(set(places)) == 4
        assert np.isclose(study.means["last ball.x_m"][number], places.mean())
        assert np.isclose(study.means["± last ball.x_m"][number], places.std(ddof=1) / 2)
    again = tumble.sweep(FALL, {"run.steps": [20]}, seeds=[3], progress=False)
    assert again.cases["last ball.x_m"][0] == study.cases["last ball.x_m"][6]
    assert np.isnan(again.means["± last ball.x_m"]).all()
    assert "8 runs" in repr(study) and "<table" in str(study._repr_html_())


def test_a_figure_has_a_curve_for_each_of_the_other_values() -> None:
    over = {"run.steps": [10, 20], "materials.stone.density": [1000, 2000, 3000]}
    study = tumble.sweep(FALL, over, seeds=2, progress=False)
    axes = study.plot("last ball.z_m")
    assert axes.get_xlabel() == "materials.stone.density" and len(axes.get_legend().get_texts()) == 2
    assert len(study.plot("last ball.z_m", against="run.steps").get_legend().get_texts()) == 3
    with pytest.raises(tumble.InputError, match="expected one of.*last ball.z_m"):
        study.plot("height")
    with pytest.raises(tumble.InputError, match="run.steps"):
        study.plot("last ball.z_m", against="friction")


def test_mistakes_are_told() -> None:
    nothing: list[dict[str, Any]] = [{}, {"run.steps": []}, {"run.steps": "10"}]
    for over in nothing:
        with pytest.raises(tumble.InputError, match="over: expected"):
            tumble.sweep(FALL, over)
    with pytest.raises(tumble.InputError, match="seeds"):
        tumble.sweep(FALL, {"run.steps": [1]}, seeds=[])
    with pytest.raises(tumble.SceneError, match="steep"):
        tumble.sweep(FALL, {"run.steep": [1]}, progress=False)
    blind = {key: value for key, value in FALL.items() if key != "measures"}
    with pytest.raises(tumble.InputError, match="measures nothing"):
        tumble.sweep(blind, {"run.steps": [10]}, progress=False)
    with pytest.raises(ValueError, match="mean_from"):
        tumble.sweep(FALL, {"run.steps": [10]}, mean_from="5 m")
