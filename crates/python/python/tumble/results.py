"""Results of runs: what `tumble run` and `Simulation.run(out=...)` leave in a folder."""

import html
import json
import os
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from tumble import _native, _vtk
from tumble.errors import ResultsError
from tumble.scene import Scene
from tumble.tables import EnergyTable, Table, WallsTable

if TYPE_CHECKING:
    from tumble.simulation import Simulation

__all__ = ["Frame", "Frames", "Result", "Stage", "View", "open"]

Floats: TypeAlias = npt.NDArray[np.float64]
PathLike: TypeAlias = str | os.PathLike[str]

_NOT_TRUSTED = "The viewer is not shown, since this notebook is not trusted: run the cell again, or trust the notebook."

_THEME = resources.files("tumble").joinpath("_theme.js").read_text(encoding="utf-8")
"""Tells the page in a frame whether the notebook is light or dark."""


class Stage(NamedTuple):
    """A stage of a run that has begun."""

    name: str
    """Its name."""
    start: float
    """When it began, s."""
    end: float | None
    """When it ended, s; None if it has not."""
    why: str | None
    """Why it ended."""
    changes: tuple[str, ...] = ()
    """What it changed, in words."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Frame:
    """One instant of a trajectory. Trajectories are for pictures: positions are of single precision."""

    step: int
    time: float
    """s"""
    ids: npt.NDArray[np.uint32]
    templates: npt.NDArray[np.uint16]
    materials: npt.NDArray[np.uint16]
    scales: Floats
    positions: Floats
    """m (n, 3)"""
    quaternions: Floats
    """(w, x, y, z), to 16 bits. (n, 4)"""
    velocities: Floats | None
    """m/s, their directions to 10⁻⁴ rad; None in trajectories of versions that had only speeds. (n, 3)"""
    speeds: Floats
    """m/s (n,)"""
    spins: Floats
    """Rates of rotation, rad/s. (n,)"""
    contact_points: Floats
    """m (c, 3)"""
    contact_forces: Floats
    """On the first body, N. (c, 3)"""
    wall_positions: Floats
    """Where the pivots of the walls are, m, by their numbers in `Frames.wall_names`; NaN for walls that are not there. A point x of a wall
    that was drawn is at position + R (x − pivot), with the pivots of `Frames.wall_pivots`. (w, 3)"""
    wall_quaternions: Floats
    """Their rotations R, (w, x, y, z). (w, 4)"""

    def __repr__(self) -> str:
        return f"<Frame at t = {self.time:g} s, step {self.step}: {len(self.ids)} bodies, {len(self.contact_points)} contacts>"


class Frames(Sequence[Frame]):
    """The frames of a trajectory, each read when it is asked for."""

    def __init__(self, path: PathLike) -> None:
        self._reader = _native.Trajectory(os.fspath(path))
        self.steps: list[int] = self._reader.steps()
        """The steps of the frames."""
        self.template_names: list[str]
        """The names of shapes, by their numbers."""
        self.template_spheres: list[Floats]
        """Their spheres, x, y, z and radius, in the frame that quaternions turn, m. (spheres, 4) each"""
        self.template_capsules: list[npt.NDArray[np.int64]]
        """The numbers of the spheres at the two ends of each of their capsules. (capsules, 2) each"""
        self.template_ellipsoids: list[npt.NDArray[np.int64]]
        """The numbers of the spheres at the centre of each of their ellipsoids and at the ends of its semi-axes. (ellipsoids, 4) each"""
        self.template_polyhedra: list[list[list[list[int]]]]
        """Of each of their rounded polyhedra the faces: the numbers of the spheres at their corners, counter-clockwise seen from outside."""
        self.material_names: list[str]
        """The names of materials, by their numbers."""
        self.wall_names: list[str]
        """The names of walls, by their numbers."""
        self.wall_pivots: Floats
        """About which points they turn, where they were drawn, m. (w, 3)"""
        self.template_names, pieces, self.material_names, self.wall_names, pivots = self._reader.model()
        self.wall_pivots = np.array(pivots, dtype=float).reshape(-1, 3)
        self.template_spheres = [np.array(rows, dtype=float).reshape(-1, 4) for rows, _, _, _ in pieces]
        self.template_capsules = [np.array(ends, dtype=np.int64).reshape(-1, 2) for _, ends, _, _ in pieces]
        self.template_ellipsoids = [np.array(points, dtype=np.int64).reshape(-1, 4) for _, _, points, _ in pieces]
        self.template_polyhedra = [polyhedra for _, _, _, polyhedra in pieces]

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        if not self.steps:
            return "<Frames: none yet>"
        first, last = self[0], self[-1]
        return (
            f"<Frames: {len(self)} from t = {first.time:g} s (step {first.step}) to {last.time:g} s (step {last.step})\n"
            f" {len(last.ids)} bodies at the end; templates: {', '.join(self.template_names)}>"
        )

    @overload
    def __getitem__(self, number: int) -> Frame: ...

    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...

    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        at = number + len(self) if number < 0 else number
        if not 0 <= at < len(self):
            raise IndexError(f"there is no frame {number}; there are {len(self)}")
        arrays = self._reader.frame(at)
        quaternions = arrays["quaternions"]
        lengths = np.linalg.norm(quaternions, axis=1, keepdims=True)
        return Frame(**arrays | {"quaternions": quaternions / np.where(lengths == 0, 1, lengths)})


class View:
    """A film in the viewer: one page that needs neither a server nor a network. A notebook shows it."""

    def __init__(self, page: str, *, height: int = 560) -> None:
        self.page = page
        """HTML."""
        self.height = height
        """In a notebook, pixels."""

    def save(self, path: PathLike) -> None:
        """Writes the page to a file, in the place of any other of that name."""
        Path(path).write_text(self.page, encoding="utf-8")

    def open_browser(self) -> None:
        """Shows it in the browser. The file is left in the folder of temporary files."""
        with tempfile.NamedTemporaryFile("w", prefix="tumble-", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.page)
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        # Scripts of the page run in a frame of their own, and reach nothing of the notebook. A notebook that is not trusted has no
        # frames; of this one the text within stays, which browsers do not show otherwise.
        return (
            f'<iframe data-tumble-view sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" '
            f'allowfullscreen srcdoc="{html.escape(self.page)}">{_NOT_TRUSTED}</iframe>'
            f"<script>{_THEME}</script>"
        )

    def __repr__(self) -> str:
        return f"<View of {len(self.page) / 1e6:.1f} MB: a notebook shows it, .open_browser() too>"


class Result:
    """A folder of results.

    >>> import tempfile, tumble
    >>> sim = tumble.Simulation.from_scene("dzhanibekov", threads=1)
    >>> folder = tempfile.TemporaryDirectory()
    >>> result = sim.run(steps=200, out=folder.name + "/first")
    >>> result.energy["rotational_J"].shape, len(result.frames)
    ((201,), 201)
    >>> result.summary["state"]["steps"]
    200
    >>> folder.cleanup()
    """

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        """The folder."""
        if not (self.path / "summary.json").is_file() and not (self.path / "scene.toml").is_file():
            raise ResultsError(
                f"{self.path} holds no results of a run: check the path; `tumble run` and Simulation.run(out=...) make such "
                "folders"
            )

    @property
    def stages(self) -> list[Stage]:
        """The stages that the run went through, in their order; empty where the scene has none."""
        stages = []
        for stage in self.summary.get("stages", []):
            ended = stage["ended"] or {}
            changes = tuple(stage.get("changes", ()))
            stages.append(Stage(stage["name"], stage["time_s"], ended.get("time_s"), ended.get("why"), changes))
        return stages

    @property
    def summary(self) -> dict[str, Any]:
        """The run in numbers: how it ended, how long it took, the last state."""
        return dict(json.loads(self._text("summary.json")))

    @property
    def scene(self) -> Scene:
        """The scene as it was run."""
        return Scene.from_file(self.path / "scene.toml")

    @cached_property
    def energy(self) -> EnergyTable:
        """The books of energy over time."""
        return EnergyTable(Table.read(self.path / "energy.csv"))

    @cached_property
    def walls(self) -> WallsTable:
        """What walls felt over time."""
        return WallsTable(Table.read(self.path / "walls.csv"))

    @cached_property
    def flows(self) -> Table:
        """What streams brought in and outlets took out over time."""
        return Table.read(self.path / "flows.csv")

    @cached_property
    def bonds(self) -> Table:
        """The bonds that broke: when, between which bodies, where, how, and what was stored in them."""
        return Table.read(self.path / "bonds.csv")

    @cached_property
    def measures(self) -> Table:
        """What was measured over time; a number that a row does not have is NaN.

        >>> import tempfile, tumble
        >>> scene = tumble.Scene.example("dzhanibekov")
        >>> scene["measures"] = [{"name": "all", "kind": "centre-of-mass", "every": {"steps": 50}}]
        >>> folder = tempfile.TemporaryDirectory()
        >>> result = tumble.Simulation.from_scene(scene, threads=1).run(steps=200, out=folder.name + "/first")
        >>> result.measures["step"].tolist(), result.measures["all.x_m"].shape
        ([0, 50, 100, 150, 200], (5,))
        >>> folder.cleanup()
        """
        return Table.read(self.path / "measures.csv")

    @cached_property
    def frames(self) -> Frames:
        """The motion: positions, orientations, contacts."""
        return Frames(self.path / "trajectory.tumble")

    def load(self, *, threads: int | None = None, device: str | None = None) -> "Simulation":
        """The simulation at its newest checkpoint, with all digits, to be looked at or to go on."""
        from tumble.simulation import Simulation

        return Simulation.load(self.path, threads=threads, device=device)

    def to_vtk(self, folder: PathLike, *, every: int = 1) -> Path:
        """Writes the spheres of all frames for ParaView, and gives the file to open, `spheres.pvd`; capsules, if there are any, as lines
        beside it, `capsules.pvd`, and ellipsoids as points with a tensor `shape` for the filter *Tensor Glyph*, `ellipsoids.pvd`; polyhedra as
        surfaces, `polyhedra.pvd`.

        Args:
            folder: made if it does not exist.
            every: one frame out of so many.
        """
        return _vtk.write(self.frames, Path(folder), every)

    def view(self, *, every: int = 1, open_browser: bool = False) -> View:
        """The motion in the viewer: in a notebook, or with `open_browser` in a window of the browser.

        Args:
            every: one frame out of so many, and the last one.
            open_browser: whether a window is opened.
        """
        with tempfile.TemporaryDirectory(prefix="tumble-") as folder:
            film = Path(folder, "film.html")
            _native.film(os.fspath(self.path), os.fspath(film), every, False)
            view = View(film.read_text(encoding="utf-8"))
        if open_browser:
            view.open_browser()
        return view

    def __repr__(self) -> str:
        return f"Result({os.fspath(self.path)!r})"

    def _repr_html_(self) -> str:
        summary = self.summary
        state = summary.get("state", {})
        time = state.get("time_s")
        rows = {"results": self.path, "time": "?" if time is None else f"{time:.6g} s"}
        rows |= {name: state.get(name, "?") for name in ("steps", "bodies", "contacts")}
        cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(each))}</td></tr>" for name, each in rows.items())
        return f"<b>{html.escape(str(summary.get('title', '')))}</b><table>{cells}</table>"

    def _text(self, name: str) -> str:
        try:
            return (self.path / name).read_text(encoding="utf-8")
        except OSError as error:
            raise ResultsError(f"{self.path / name}: {error}") from error


def open(path: PathLike) -> Result:
    """The results in a folder, of a run from Python or from the command line.

    Raises:
        ResultsError: there are none.
    """
    return Result(path)
