"""Simulations: bodies that move, seen and changed as NumPy arrays."""

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble._prescribed import Force, WallMotion, force_function, wall_function
from tumble._progress import Progress
from tumble.errors import InputError, SceneWarning, Stop, TumbleError
from tumble.results import Result, View
from tumble.scene import Scene, source

__all__ = ["Simulation"]

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
PathLike: TypeAlias = str | os.PathLike[str]

_EVERY = 100
"""Steps between two calls of a callback, where nothing else is said."""


class Simulation:
    """Rigid bodies made of spheres, and the walls and fields around them.

    Made by `from_scene` or `load`. States are NumPy arrays in SI units, with a row for each body in the order of `ids`:
    **fresh copies that cannot be written to**, since the engine keeps bodies in an order and a layout of its own. To change
    something, assign a whole array, or call `set_state`:

    >>> import tumble
    >>> sim = tumble.Simulation.from_scene("chess", threads=1, set={"run.steps": 300})
    >>> sim.positions.shape, sim.quaternions.shape
    ((32, 3), (32, 4))
    >>> sim.velocities = 2 * sim.velocities
    >>> sim.run()
    >>> sim.step_count
    300

    Functions that it calls while it computes, such as forces, cannot look at it: they get what they need as arguments.
    Another thread that asks while it computes is told so by a `RunError`.
    """

    def __init__(self, native: "_native.Simulation") -> None:
        self._native = native

    @classmethod
    def from_scene(
        cls,
        scene: "Scene | Mapping[str, Any] | PathLike",
        *,
        set: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> "Simulation":
        """The simulation of a scene, at its start.

        Args:
            scene: a `Scene` or a dictionary of its keys; the path of a scene file; the name of one of the `examples`; or
                the text of a scene file, if it has several lines.
            set: keys to set, such as `{"run.dt": "2 us"}`: paths, or their last parts where only one key can be meant.
            threads: in the place of what the scene says; 0 for all cores. Changes no result.

        Raises:
            SceneError: with everything that is wrong with the scene.

        Warns:
            SceneWarning: something likely is not what was meant.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("drum", set={"pair.friction": 0.1})
        >>> sim
        <Simulation 'Rotating drum': 260 bodies, step 0 of ..., t = 0 s>
        """
        native = _native.Simulation.build(source(scene, set), _threads(threads))
        if native.warnings:
            warnings.warn(native.warnings, SceneWarning, stacklevel=2)
        return cls(native)

    @classmethod
    def load(cls, path: PathLike, *, threads: int | None = None) -> "Simulation":
        """The simulation that `save` wrote to a file, or the newest checkpoint of a folder of results.

        It goes on with the same bits. Forces and motions of walls that are functions of Python are not in the file: add
        them again.

        Raises:
            ResultsError: the file or folder cannot be read or trusted.
        """
        return cls(_native.Simulation.load(os.fspath(path), _threads(threads)))

    def save(self, path: PathLike) -> None:
        """Writes all that is needed to go on to a file, in the place of any other of that name.

        >>> import pathlib, tempfile, tumble
        >>> sim = tumble.Simulation.from_scene("dzhanibekov", threads=1)
        >>> sim.run(steps=100)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sim.save(pathlib.Path(folder, "middle.tumble"))
        ...     again = tumble.Simulation.load(pathlib.Path(folder, "middle.tumble"))
        >>> again.step_count, bool((again.positions == sim.positions).all())
        (100, True)
        """
        self._native.save(os.fspath(path))

    # To run.

    @overload
    def run(
        self,
        duration: float | None = None,
        *,
        steps: int | None = None,
        until: "Callable[[Simulation], bool] | None" = None,
        callback: "Callable[[Simulation], object] | None" = None,
        every: int = _EVERY,
        progress: bool | None = None,
        out: PathLike,
        force: bool = False,
    ) -> Result: ...

    @overload
    def run(
        self,
        duration: float | None = None,
        *,
        steps: int | None = None,
        until: "Callable[[Simulation], bool] | None" = None,
        callback: "Callable[[Simulation], object] | None" = None,
        every: int = _EVERY,
        progress: bool | None = None,
        out: None = None,
        force: bool = False,
    ) -> None: ...

    def run(
        self,
        duration: float | None = None,
        *,
        steps: int | None = None,
        until: "Callable[[Simulation], bool] | None" = None,
        callback: "Callable[[Simulation], object] | None" = None,
        every: int = _EVERY,
        progress: bool | None = None,
        out: PathLike | None = None,
        force: bool = False,
    ) -> Result | None:
        """Moves on: for a duration, for a number of steps, or else to the end that the scene says.

        Args:
            duration: s, from now on.
            steps: in the place of a duration.
            until: `until(sim)` ends the run when it is true. Asked before the first step and every so many.
            callback: `callback(sim)` is called every so many steps and after the last. It may look at everything and
                change it. If it returns True, or raises `Stop`, the run ends.
            every: steps between two calls of `callback` and `until`.
            progress: whether a bar is shown; by default in a terminal and in a notebook.
            out: a folder for results, the same files with the same bytes as `tumble run` writes.
            force: whether results that are in the folder already are replaced.

        Returns:
            The results, if they were written.

        Raises:
            RunError: bodies overlap too much, have escaped, or are nowhere. The simulation is back at a state from before.
            ResultsError: results cannot be written.
            KeyboardInterrupt: Ctrl-C. The simulation is whole, and can go on.

        Other threads of Python run meanwhile.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("settling", threads=1)
        >>> heights = []
        >>> sim.run(steps=500, every=100, callback=lambda sim: heights.append(sim.positions[:, 2].mean()))
        >>> len(heights), bool(heights[0] > heights[-1])
        (5, True)
        """
        last = self._last_step(duration, steps)
        if every < 1:
            raise InputError(f"every: expected 1 or more steps, found {every}")
        if out is not None:
            self._native.record(os.fspath(out), force, last)
        try:
            with Progress(progress, self.title, self.step_count, last, self.dt) as shown:
                self._go(last, until, callback, every, shown.tick if shown.wanted else None)
        except BaseException:
            if out is not None:
                # What went wrong first is what tells.
                try:
                    self._native.end_recording()
                except TumbleError:
                    pass
            raise
        if out is None:
            return None
        self._native.end_recording()
        return Result(out)

    def _go(
        self,
        last: int,
        until: "Callable[[Simulation], bool] | None",
        callback: "Callable[[Simulation], object] | None",
        every: int,
        tick: Callable[[int], None] | None,
    ) -> None:
        native = self._native
        try:
            if until is None and callback is None:
                native.go_to(last, tick)
                return
            now = native.step_count
            while now < last and not (until is not None and until(self)):
                now = min(now + every, last)
                native.go_to(now, tick)
                if callback is not None and callback(self) is True:
                    return
        except Stop:
            return

    def _last_step(self, duration: float | None, steps: int | None) -> int:
        now = self.step_count
        if duration is not None and steps is not None:
            raise InputError("duration, steps: give one of them, not both")
        if steps is not None:
            if steps < 0:
                raise InputError(f"steps: expected a number that is not negative, found {steps}")
            return now + steps
        if duration is not None:
            if not 0 <= duration < float("inf"):
                raise InputError(f"duration: expected seconds that are not negative, found {duration}")
            # As scenes count: a duration of exactly n steps is n steps, whatever the rounding.
            return now + int(np.ceil(duration / self.dt * (1 - 1e-12)))
        end = self._native.last_step
        if now >= end:
            raise InputError(f"the scene ends at step {end}, which is reached: say for how long by duration= or steps=")
        return end

    # What it is.

    @property
    def title(self) -> str:
        """What the run is called."""
        return self._native.title

    @property
    def scene(self) -> Scene:
        """The scene as it is run, with everything filled in."""
        return Scene.from_text(self._native.scene)

    @property
    def time(self) -> float:
        """s"""
        return self._native.time

    @property
    def step_count(self) -> int:
        """Steps since the start."""
        return self._native.step_count

    @property
    def dt(self) -> float:
        """The time step, s."""
        return self._native.dt

    @property
    def threads(self) -> int:
        """Threads that were asked for; 0 for all cores."""
        return self._native.threads

    @property
    def template_names(self) -> list[str]:
        """The names of shapes, by their numbers."""
        return self._native.template_names

    @property
    def material_names(self) -> list[str]:
        """The names of materials, by their numbers."""
        return self._native.material_names

    @property
    def wall_names(self) -> list[str]:
        """The names of walls, by their numbers."""
        return self._native.wall_names

    def __len__(self) -> int:
        """The number of bodies."""
        return self._native.body_count

    def __repr__(self) -> str:
        native = self._native
        return (
            f"<Simulation {self.title!r}: {native.body_count} bodies, step {native.step_count} of {native.last_step}, "
            f"t = {native.time:g} s>"
        )

    # The state.

    @property
    def ids(self) -> Integers:
        """The numbers of bodies, which they keep for life, in growing order. (n,)"""
        return self._column("ids")

    @property
    def positions(self) -> Floats:
        """Centres of mass, m. (n, 3); can be set"""
        return self._column("positions")

    @positions.setter
    def positions(self, values: npt.ArrayLike) -> None:
        self.set_state(positions=values)

    @property
    def quaternions(self) -> Floats:
        """Orientations (w, x, y, z), which take vectors along principal axes to the lab. (n, 4); can be set

        A body that is turned so keeps its angular velocity in its own frame.
        """
        return self._column("quaternions")

    @quaternions.setter
    def quaternions(self, values: npt.ArrayLike) -> None:
        self.set_state(quaternions=values)

    @property
    def velocities(self) -> Floats:
        """Of the centres of mass, m/s. (n, 3); can be set"""
        return self._column("velocities")

    @velocities.setter
    def velocities(self, values: npt.ArrayLike) -> None:
        self.set_state(velocities=values)

    @property
    def spins(self) -> Floats:
        """Angular velocities in the lab frame, rad/s. (n, 3); can be set"""
        return self._column("spins")

    @spins.setter
    def spins(self, values: npt.ArrayLike) -> None:
        self.set_state(spins=values)

    @property
    def forces(self) -> Floats:
        """Forces on bodies, with their weights, N. (n, 3)"""
        return self._column("forces")

    @property
    def torques(self) -> Floats:
        """Torques about the centres of mass in the lab frame, N m. (n, 3)"""
        return self._column("torques")

    @property
    def masses(self) -> Floats:
        """kg (n,)"""
        return self._column("masses")

    @property
    def moments(self) -> Floats:
        """Principal moments of inertia, kg m². (n, 3)"""
        return self._column("moments")

    @property
    def scales(self) -> Floats:
        """Sizes relative to the templates. (n,)"""
        return self._column("scales")

    @property
    def templates(self) -> Integers:
        """Which of `template_names` each body is. (n,)"""
        return self._column("templates")

    @property
    def materials(self) -> Integers:
        """Which of `material_names` each body is made of. (n,)"""
        return self._column("materials")

    @property
    def held(self) -> npt.NDArray[np.bool_]:
        """Whether bodies are fixed or moved by hand: `hold`. (n,)"""
        return self._column("held")

    @property
    def spheres(self) -> dict[str, npt.NDArray[Any]]:
        """The spheres of all bodies: `body` (ids), `centre` (m) and `radius` (m)."""
        return _read_only(_native.spheres(self._native))

    @property
    def contacts(self) -> dict[str, npt.NDArray[Any]]:
        """All contacts, an array for each column.

        ==================================  ======================================================================
        `body`, `sphere`                    id of a body, and which of its spheres
        `other_body`, `other_sphere`        the same of the other one; -1 for a wall
        `wall`                              number of the wall; -1 for a body
        `point`, `force`                    where, m; force on `body`, N
        `elastic_energy`                    J
        ==================================  ======================================================================
        """
        return _read_only(_native.contacts(self._native))

    @property
    def wall_loads(self) -> dict[str, npt.NDArray[Any]]:
        """What walls feel: `force` (N), `torque` (N m) about the point `about` (m), and the `power` (W) they spend."""
        return _read_only(_native.wall_loads(self._native))

    def energy(self) -> dict[str, float]:
        """The books of energy, J: what there is, what was lost to what, what was put in.

        `balance` would not change if the time step were infinitely short: mechanical energy with the losses, without the
        work.

        >>> import tumble
        >>> energy = tumble.Simulation.from_scene("chess", threads=1).energy()
        >>> energy["mechanical"] == energy["balance"], energy["sliding"]
        (True, 0.0)
        """
        return dict(self._native.energy())

    # Changes.

    def set_state(
        self,
        ids: npt.ArrayLike | None = None,
        *,
        positions: npt.ArrayLike | None = None,
        quaternions: npt.ArrayLike | None = None,
        velocities: npt.ArrayLike | None = None,
        spins: npt.ArrayLike | None = None,
    ) -> None:
        """Changes bodies, all at once or, if something is wrong, none. What is not given stays.

        Args:
            ids: which bodies; all if absent. The rows of arrays are in this order.
            positions: (n, 3), m; or one for all, here and below.
            quaternions: (n, 4), of any length but zero.
            velocities: (n, 3), m/s
            spins: in the lab frame, (n, 3), rad/s

        The energy that it brings in is in the books as `exchanged`.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> sim.set_state([3, 5], velocities=[0, 0, 1], spins=[[0, 0, 0], [1, 0, 0]])
        >>> sim.velocities[[3, 5], 2]
        array([1., 1.])
        """
        chosen = self._ids(ids)
        n = len(chosen)
        _native.change_bodies(
            self._native,
            chosen,
            _rows("positions", positions, n, 3),
            _rows("quaternions", quaternions, n, 4),
            _rows("velocities", velocities, n, 3),
            _rows("spins", spins, n, 3),
            None,
        )

    def hold(self, ids: npt.ArrayLike, held: bool = True) -> None:
        """Holds bodies, so that they keep their velocities whatever pushes them, or lets go of them."""
        _native.change_bodies(self._native, self._ids(ids), None, None, None, None, held)

    def add_bodies(
        self,
        template: str,
        positions: npt.ArrayLike,
        *,
        quaternions: npt.ArrayLike = (1, 0, 0, 0),
        velocities: npt.ArrayLike = (0, 0, 0),
        spins: npt.ArrayLike = (0, 0, 0),
        material: str | None = None,
        scale: float = 1.0,
        held: bool = False,
    ) -> Integers:
        """Puts bodies in, and gives their ids. If they touch something, contact forces begin with the next step.

        Args:
            template: a shape of the scene, by name.
            positions: (n, 3), m; or one.
            quaternions, velocities, spins: as in `set_state`.
            material: by name; may be left out if the scene has one only.
            scale: size relative to the template.
            held: whether they are held.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> ids = sim.add_bodies("king", [[1, 0, 0], [2, 0, 0]], velocities=[0, 0, 1])
        >>> ids, len(sim)
        (array([32, 33], dtype=uint32), 34)
        >>> sim.remove_bodies(ids)
        """
        places = np.atleast_2d(np.asarray(positions))
        n = len(places)
        return _native.add_bodies(
            self._native,
            _number("template", template, self.template_names),
            _number("material", material, self.material_names),
            scale,
            held,
            places,
            _rows("quaternions", quaternions, n, 4),
            _rows("velocities", velocities, n, 3),
            _rows("spins", spins, n, 3),
        )

    def remove_bodies(self, ids: npt.ArrayLike) -> None:
        """Takes bodies out. Their ids are not used again."""
        _native.remove_bodies(self._native, self._ids(ids))

    # What Python prescribes.

    def add_force(self, function: Force) -> Force:
        """Adds a force and a torque on all bodies, from the next step on; can be used as a decorator.

        Args:
            function: `function(t, positions, quaternions, velocities, spins)` gives forces of shape (n, 3), or a pair of
                forces and torques (about the centres of mass, in the lab frame), or one for all of shape (3,). It is
                called once per step with the state of that instant, in the order of `ids`, and must depend on its
                arguments alone.

        Its work is in the books as `field_work`. What it raises ends the run, with the simulation back at a state of up
        to a thousand steps before.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> masses = sim.masses[:, None]
        >>> @sim.add_force
        ... def wind(t, positions, quaternions, velocities, spins):
        ...     return -0.5 * masses * velocities
        >>> before = sim.energy()["translational"]
        >>> sim.run(steps=200)
        >>> bool(sim.energy()["field_work"] < 0)
        True
        """
        self._native.add_force(force_function(function))
        return function

    def clear_forces(self) -> None:
        """Takes all forces away that were added, from the next step on."""
        self._native.clear_forces()

    def drive_wall(self, wall: str, function: WallMotion, *, pivot: npt.ArrayLike = (0, 0, 0)) -> None:
        """Lets a wall move as a function of time, in the place of what the scene says.

        Args:
            wall: its name.
            function: `function(t)` gives the displacement from where it was drawn, m; or the pair of displacement and
                velocity, m/s; or these two, the rotation about the pivot as a quaternion (w, x, y, z), and the angular
                velocity, rad/s. A velocity that is not given is the difference quotient over a time step.
            pivot: the point about which it turns, m.

        Trajectories show the wall as the scene moves it.

        >>> import math, tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> sim.drive_wall("box", lambda t: [0, 0, 1e-3 * math.sin(200 * t)])
        >>> sim.run(steps=100)
        """
        centre = np.asarray(pivot, dtype=float)
        if centre.shape != (3,) or not np.isfinite(centre).all():
            raise InputError(f"pivot: expected three numbers, found {pivot!r}")
        number = _number("wall", wall, self.wall_names)
        self._native.drive_wall(number, tuple(centre.tolist()), wall_function(function, self.dt))

    # To look at.

    def view(self, *, open_browser: bool = False) -> View:
        """The present state in the viewer: in a notebook, or with `open_browser` in a window of the browser."""
        with tempfile.TemporaryDirectory(prefix="tumble-") as folder:
            now = Path(folder, "now")
            self._native.record(os.fspath(now), False, self.step_count)
            self._native.end_recording()
            return Result(now).view(open_browser=open_browser)

    def _column(self, name: str) -> npt.NDArray[Any]:
        array = _native.column(self._native, name)
        array.flags.writeable = False
        return array

    def _ids(self, ids: npt.ArrayLike | None) -> npt.NDArray[np.uint32]:
        if ids is None:
            return _native.column(self._native, "ids")
        array = np.atleast_1d(np.asarray(ids))
        if array.size == 0:
            return np.zeros(0, dtype=np.uint32)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise InputError(f"ids: expected whole numbers, in one dimension; found {array.dtype} of shape {array.shape}")
        if array.min() < 0 or array.max() > np.iinfo(np.uint32).max:
            raise InputError(f"ids: expected numbers of bodies, found {array.min()} to {array.max()}")
        if len(np.unique(array)) != len(array):
            raise InputError("ids: each body may be named once")
        return np.ascontiguousarray(array, dtype=np.uint32)


def _rows(name: str, given: npt.ArrayLike | None, n: int, width: int) -> Any:
    """A row for each body, where one was given for all."""
    if given is None:
        return None
    array = np.asarray(given)
    if array.shape == (width,):
        array = np.broadcast_to(array, (n, width))
    if array.shape != (n, width):
        raise InputError(f"{name}: expected an array of shape ({n}, {width}) or ({width},), found {array.shape}")
    return array


def _number(what: str, name: str | None, names: list[str]) -> int:
    if name is None and len(names) == 1:
        return 0
    if name not in names:
        raise InputError(f"{what}: expected one of {', '.join(names) or 'none at all'}; found {name!r}")
    return names.index(name)


def _read_only(table: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    for column in table.values():
        column.flags.writeable = False
    return table


def _threads(threads: int | None) -> int | None:
    if threads is not None and not 0 <= threads <= 1024:
        raise InputError(f"threads: expected 0 to 1024, found {threads}")
    return threads
