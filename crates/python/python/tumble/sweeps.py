"""Studies: a scene with some of its keys varied, and what was measured in each run."""

import itertools
import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tumble import _native, _plots
from tumble._progress import Progress
from tumble._rules import Quantity
from tumble.errors import InputError
from tumble.rotation.motion import at_least
from tumble.scene import Scene
from tumble.simulation import Simulation
from tumble.tables import Table

__all__ = ["Study", "sweep"]

# Nobody reads what the runs of a study would write, but for what they measure.
_QUIET = {"output.energy": False, "output.walls": False, "output.trajectory": False, "output.vtk": False}


class Study:
    """What came of the runs of a study.

    ==============  ===================================================================================================
    `cases`         a row for each run: the values of the keys, the seed, and each result
    `means`         a row for each combination of values: the number of `runs`, and of each result the mean over seeds
                    and, as `± NAME`, its standard error √(Σ(x − x̄)²/(n(n − 1))); NaN for a single seed
    ==============  ===================================================================================================

    The results are `mean NAME`, the mean over time, and `last NAME` for each column NAME of the scene's measures.
    """

    def __init__(self, keys: Sequence[str], cases: Table, means: Table) -> None:
        self.keys = tuple(keys)
        self.cases = cases
        self.means = means

    @property
    def results(self) -> list[str]:
        """The names of all results."""
        return [name for name in self.means if name not in (*self.keys, "runs") and not name.startswith("± ")]

    def plot(self, result: str, *, against: str | None = None, ax: Any = None) -> Any:
        """Draws the means of a result with their standard errors, and gives the axes.

        Args:
            result: its name, one of `results`.
            against: the key along the axis; the last one if absent. There is a curve for each combination of the others.
            ax: where to draw, in the place of a new figure.
        """
        if result not in self.results:
            raise InputError(f"result: expected one of {', '.join(self.results)}; found {result!r}")
        along = self.keys[-1] if against is None else against
        if along not in self.keys:
            raise InputError(f"against: expected one of {', '.join(self.keys)}; found {along!r}")
        others = [key for key in self.keys if key != along]
        ax = _plots.axes_or_new(ax)
        combinations = list(zip(*(self.means[key] for key in others), strict=True)) or [()] * self.means.rows
        for number, combination in enumerate(dict.fromkeys(combinations)):
            own = np.array([there == combination for there in combinations])
            errors = np.nan_to_num(self.means[f"± {result}"][own])
            label = ", ".join(f"{key} = {value}" for key, value in zip(others, combination, strict=True))
            looks = _plots.style(number) | {"marker": "o", "capsize": 3, "label": label or None}
            ax.errorbar(self.means[along][own], self.means[result][own], yerr=errors, **looks)
        ax.set(xlabel=along, ylabel=result)
        ax.grid(alpha=0.25)
        if others:
            _plots.legend_beside(ax)
        return ax

    def __repr__(self) -> str:
        return f"<Study of {', '.join(self.keys)}: {self.cases.rows} runs, {len(self.results)} results>"

    def _repr_html_(self) -> str | None:
        return self.means._repr_html_()


def sweep(
    scene: "Scene | Mapping[str, Any] | os.PathLike[str] | str",
    over: Mapping[str, Sequence[Any]],
    *,
    seeds: int | Sequence[int] = 1,
    mean_from: Quantity = 0.0,
    workers: int | None = None,
    progress: bool | None = None,
) -> Study:
    """Runs a scene to its end for every combination of values and every seed, and collects what it measures.

    Runs go side by side, each on one thread.

    Args:
        scene: as for `Simulation.from_scene`. It needs `measures`.
        over: values for keys, such as `{"pair.friction": [0.1, 0.3]}`.
        seeds: how many, from 1 on, or which ones.
        mean_from: from when on means over time are taken: s, or a text with a unit.
        workers: how many runs at a time; as many as there are cores if absent.
        progress: whether a bar is shown; by default in a terminal and in a notebook.

    Raises:
        SceneError: with everything that is wrong with the scene, for the first combination of which it is true.
        RunError: a run went wrong; the others are stopped.
        KeyboardInterrupt: Ctrl-C. Runs end within a few steps.

    >>> import tumble
    >>> scene = tumble.Scene.example("dzhanibekov")
    >>> scene["measures"] = [{"name": "all", "kind": "centre-of-mass"}]
    >>> study = tumble.sweep(scene, {"run.steps": [100, 200]}, progress=False)
    >>> study
    <Study of run.steps: 2 runs, 14 results>
    >>> study.means["last all.velocity_x_m/s"].tolist()
    [0.0, 0.0]
    """
    keys = [str(key) for key in over]
    if not keys or any(isinstance(values, str) or not len(values) for values in over.values()):
        raise InputError('over: expected a list of values for one key or more, such as {"pair.friction": [0.1, 0.3]}')
    numbers = list(range(1, at_least("seeds", seeds, 1) + 1)) if isinstance(seeds, int) else list(seeds)
    if not numbers:
        raise InputError("seeds: expected at least one")
    begin = _native.quantity("mean_from", mean_from, "s")
    combinations = list(itertools.product(*over.values()))
    runs = [(combination, seed) for combination in combinations for seed in numbers]
    stop = threading.Event()

    def measured(combination: tuple[Any, ...], seed: int) -> dict[str, float]:
        settings = dict(zip(keys, combination, strict=True)) | {"seed": seed} | _QUIET
        sim = Simulation.from_scene(scene, set=settings, threads=1)
        if not sim.measures():
            raise InputError("scene: it measures nothing, so there is nothing to collect; add `measures`")
        with tempfile.TemporaryDirectory() as folder:
            result = sim.run(out=Path(folder, "run"), progress=False, until=lambda _: stop.is_set())
            return _results(result.measures, begin)

    title = f"{len(runs)} runs"
    with Progress(progress, title, 0, len(runs)) as shown, ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures: list[Future[dict[str, float]]] = [pool.submit(measured, *run) for run in runs]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                shown.tick(done)
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    results = [future.result() for future in futures]
    return Study(keys, _cases(keys, runs, results), _means(keys, combinations, results))


def _results(measures: Table, begin: float) -> dict[str, float]:
    """Means over time, and last values, of all columns; NaN where there is nothing."""
    results = {}
    late = measures["time_s"] >= begin
    for name in measures:
        if name in ("time_s", "step"):
            continue
        values = measures[name]
        known = ~np.isnan(values)
        for what, chosen in (("mean", values[known & late]), ("last", values[known][-1:])):
            results[f"{what} {name}"] = float(chosen.mean()) if len(chosen) else float("nan")
    return results


def _cases(keys: Sequence[str], runs: Sequence[tuple[tuple[Any, ...], int]], results: Sequence[dict[str, float]]) -> Table:
    columns: dict[str, npt.NDArray[Any]] = {
        key: np.array([combination[place] for combination, _ in runs]) for place, key in enumerate(keys)
    }
    columns["seed"] = np.array([seed for _, seed in runs])
    return Table(columns | {name: np.array([result[name] for result in results]) for name in results[0]})


def _means(keys: Sequence[str], combinations: Sequence[tuple[Any, ...]], results: Sequence[dict[str, float]]) -> Table:
    seeds = len(results) // len(combinations)
    columns: dict[str, npt.NDArray[Any]] = {
        key: np.array([combination[place] for combination in combinations]) for place, key in enumerate(keys)
    }
    columns["runs"] = np.full(len(combinations), seeds)
    for name in results[0]:
        values = np.array([result[name] for result in results]).reshape(len(combinations), seeds)
        columns[name] = values.mean(axis=1)
        spread = values.std(axis=1, ddof=1) if seeds > 1 else np.full(len(combinations), np.nan)
        columns[f"± {name}"] = spread / np.sqrt(seeds)
    return Table(columns)
