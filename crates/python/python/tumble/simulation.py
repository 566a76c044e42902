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
from tumble._bodies import Bodies
from tumble._looks import number_of
from tumble._prescribed import Force, WallMotion, force_function, wall_function
from tumble._progress import Progress
from tumble._rules import Quantity, Rules
from tumble.errors import InputError, SceneWarning, Stop, TumbleError
from tumble.results import Result, Stage, View
from tumble.rotation.motion import at_least
from tumble.scene import ReadOnlyScene, Scene, source

__all__ = ["Simulation"]

PathLike: TypeAlias = str | os.PathLike[str]

_EVERY = 100
"""Steps between two calls of a callback, where nothing else is said."""


class Simulation(Bodies, Rules):
    """Rigid bodies made of spheres, and the walls and fields around them.

    Made by `from_scene` or `load`. States are NumPy arrays in SI units, with a row for each body in the order of `ids`, of
    the instant at which they are asked for. To change something, write to them, or call `set_state`:

    >>> import tumble
    >>> sim = tumble.Simulation.from_scene("chess", threads=1, set={"run.steps": 300})
    >>> sim.positions.shape, sim.quaternions.shape
    ((32, 3), (32, 4))
    >>> sim.velocities[3] = [0, 0, 0.5]
    >>> sim.velocities *= 2
    >>> sim.run()
    >>> sim.step_count
    300

    Functions that it calls while it computes, such as forces, cannot look at it, but for `dt`: they get what they need as arguments.
    Another thread that asks while it computes is told so by a `RunError`.
    """

    @classmethod
    def from_scene(
        cls,
        scene: "Scene | Mapping[str, Any] | PathLike",
        *,
        set: Mapping[str, Any] | None = None,
        threads: int | None = None,
        device: str | None = None,
        after: "Simulation | PathLike | None" = None,
        restart_clock: bool = False,
    ) -> "Simulation":
        """The simulation of a scene, at its start or going on with the bodies of another run.

        Args:
            scene: a `Scene` or a dictionary of its keys; the path of a scene file; the name of one of the `examples`; or
                the text of a scene file, if it has several lines.
            set: keys to set, such as `{"run.dt": "2 us"}`: paths, or their last parts where only one key can be meant.
            threads: in the place of what the scene says; 0 for all cores. Changes no result.
            device: what does the steps, in the place of what the scene says: "cpu", "gpu", "cuda:N" for the graphics card with the
                number N, or "auto" for a card where there is one that can run the scene. Changes no result.
            after: a simulation, a folder of results or a file that `save` wrote, whose bodies, contacts and springs are taken over in
                the place of bodies that the scene would place. Templates, materials and walls are known by their names; `notes` tells
                what was kept and what was not. With the same scene, the bits are those of a run that was not interrupted.
            restart_clock: whether the time is zero again; else it goes on, and walls move by it.

        Raises:
            SceneError: with everything that is wrong with the scene.
            InputError: the device is not there, or cannot run the scene.
            ResultsError: there is nothing to go on with.

        Warns:
            SceneWarning: something likely is not what was meant.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("drum", set={"pair.friction": 0.1})
        >>> sim
        <Simulation 'Rotating drum': 260 bodies, 0 contacts
         t = 0 s, step 0 of ..., steps of ... s
         templates: ...; materials: ...; walls: ...>
        """
        given, means = source(scene, set), _means(threads, device)
        if after is None:
            if restart_clock:
                raise InputError("restart_clock: the clock begins at zero anyway, unless there is a run to go on with: after=")
            native = _native.Simulation.build(given, means)
        else:
            before = after._native if isinstance(after, Simulation) else os.fspath(after)
            native = _native.Simulation.build_after(given, means, before, restart_clock)
        if native.warnings:
            warnings.warn(native.warnings, SceneWarning, stacklevel=2)
        return cls(native)

    @classmethod
    def load(cls, path: PathLike, *, threads: int | None = None, device: str | None = None) -> "Simulation":
        """The simulation that `save` wrote to a file, or the newest checkpoint of a folder of results.

        It goes on with the same bits, on whatever device. Forces and motions of walls that are functions of Python are not in the file: add
        them again.

        Raises:
            ResultsError: the file or folder cannot be read or trusted.
        """
        return cls(_native.Simulation.load(os.fspath(path), _means(threads, device)))

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

    @overload
    def run(
        self,
        duration: Quantity | None = None,
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
        duration: Quantity | None = None,
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
        duration: Quantity | None = None,
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
            duration: s, from now on; or a text with a unit, such as "50 ms".
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
        every = at_least("every", every, 1)
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
        if out is not None:
            self._native.end_recording()
        return None if out is None else Result(out)

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
                over = native.stages_are_over
                now = min(now + every, last)
                native.go_to(now, tick)
                if native.stages_are_over and not over:
                    last = native.step_count
                if callback is not None and callback(self) is True:
                    return
        except Stop:
            return

    def _last_step(self, duration: Quantity | None, steps: int | None) -> int:
        now = self.step_count
        if duration is not None and steps is not None:
            raise InputError("duration, steps: give one of them, not both")
        if steps is not None:
            return now + _at_most("steps", at_least("steps", steps, 0))
        if duration is not None:
            seconds = _native.quantity("duration", duration, "s")
            if not 0 <= seconds < float("inf"):
                raise InputError(f"duration: expected seconds that are not negative, found {duration}")
            # As scenes count: a duration of exactly n steps is n steps, whatever the rounding.
            return now + _at_most("duration", int(np.ceil(seconds / self.dt * (1 - 1e-12))))
        end = self._native.last_step
        if now >= end:
            raise InputError(f"the scene ends at step {end}, which is reached: say for how long by duration= or steps=")
        return end

    @property
    def title(self) -> str:
        """What the run is called."""
        return self._native.title

    @property
    def scene(self) -> Scene:
        """The scene that the simulation was made of, with everything filled in. It cannot be changed.

        Use `dt`, `gravity` and `set_property` for what can be changed while it goes on, and `Scene(sim.scene)` for a copy.
        """
        return ReadOnlyScene.of(self._native.scene)

    @property
    def notes(self) -> list[str]:
        """What was kept of the run that it went on `after`, and what was not; else nothing.

        >>> import tumble
        >>> first = tumble.Simulation.from_scene("settling", threads=1)
        >>> first.run(steps=100)
        >>> smooth = tumble.Simulation.from_scene("settling", set={"pair.friction": 0}, after=first, threads=1)
        >>> smooth.time == first.time, len(smooth) == len(first)
        (True, True)
        >>> smooth.notes[-1]
        'the bodies that the scene itself would place are not placed'
        """
        return self._native.notes

    @property
    def time(self) -> float:
        """s"""
        return self._native.time

    @property
    def step_count(self) -> int:
        """Steps since the start."""
        return self._native.step_count

    @property
    def stages(self) -> list[Stage]:
        """The stages of the scene that have begun, the present one last; empty where it has none."""
        stages = self._native.stages
        return [Stage(name, start, end, why, tuple(changes)) for name, start, end, why, changes in stages]

    @property
    def threads(self) -> int:
        """Threads that were asked for; 0 for all cores."""
        return self._native.threads

    @property
    def device(self) -> str:
        """What does the steps: "cpu", or a graphics card such as "cuda:0".

        >>> import tumble
        >>> tumble.Simulation.from_scene("settling", device="cpu").device
        'cpu'
        """
        return self._native.device

    @property
    def device_note(self) -> str | None:
        """Which graphics card does the steps, or why it is the processor where a card might have been; else nothing.

        >>> import tumble
        >>> tumble.Simulation.from_scene("liner", device="auto").device_note is None
        False
        """
        return self._native.place

    def __repr__(self) -> str:
        native = self._native
        walls = ", ".join(self.wall_names) or "none"
        return (
            f"<Simulation {self.title!r}: {native.body_count} bodies, {native.contact_count} contacts\n"
            f" t = {native.time:g} s, step {native.step_count} of {native.last_step}, steps of {native.dt:g} s\n"
            f" templates: {', '.join(self.template_names)}; materials: {', '.join(self.material_names)}; walls: {walls}>"
        )

    def add_force(self, function: Force) -> Force:
        """Adds a force and a torque on all bodies; can be used as a decorator.

        Args:
            function: `function(t, positions, quaternions, velocities, spins)` gives forces of shape (n, 3), or a pair of
                forces and torques (about the centres of mass, in the lab frame), or one for all of shape (3,). It is
                called once per step with the state of that instant, in the order of `ids`, and must depend on its
                arguments alone. It is called at once, and whenever something is changed, for the forces of the present
                instant.

        Its work is in the books as `field_work`. What it raises ends the run, with the simulation back at a state of up
        to a thousand steps before; what it raises in a change undoes the change.

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
        _check_callable("function", function, "function(t, positions, quaternions, velocities, spins)")
        self._native.add_force(force_function(function))
        return function

    def clear_forces(self) -> None:
        """Takes all forces away that were added."""
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
        _check_callable("function", function, "function(t)")
        centre = np.asarray(pivot, dtype=float)
        if centre.shape != (3,) or not np.isfinite(centre).all():
            raise InputError(f"pivot: expected three numbers, found {pivot!r}")
        number = number_of("wall", wall, self.wall_names)
        self._native.drive_wall(number, tuple(centre.tolist()), wall_function(function, self.dt))

    # To look at.

    def view(self, *, open_browser: bool = False) -> View:
        """The present state in the viewer: in a notebook, or with `open_browser` in a window of the browser."""
        with tempfile.TemporaryDirectory(prefix="tumble-") as folder:
            now = Path(folder, "now")
            self._native.record(os.fspath(now), False, self.step_count)
            self._native.end_recording()
            return Result(now).view(open_browser=open_browser)


def _check_callable(name: str, function: object, form: str) -> None:
    if not callable(function):
        raise InputError(f"{name}: expected something that can be called as {form}, found {function!r}")


def _at_most(name: str, steps: int) -> int:
    """A number of steps that a computer can count."""
    if steps >= 2**62:
        raise InputError(f"{name}: a run of {steps} steps never ends")
    return steps


def _means(threads: int | None, device: str | None) -> tuple[int | None, str | None, str | None]:
    if threads is not None and not 0 <= threads <= 1024:
        raise InputError(f"threads: expected 0 to 1024, found {threads}")
    return threads, device, _kernels()


def _kernels() -> str | None:
    """Where compiled kernels are kept: as the program does it, in the folder for such files that the environment names."""
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):
        home = os.environ.get("HOME", "")
        if not os.path.isabs(home):
            return None
        caches = os.path.join(home, ".cache")
    return os.path.join(caches, "tumble")
