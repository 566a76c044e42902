"""Bodies that turn: many at once, over many steps or step by step."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble.errors import InputError
from tumble.rotation.torque import Torque, handed_over, is_in_body

__all__ = ["Batch", "Native", "State", "Trajectory", "integrate"]


class State(NamedTuple):
    """Bodies at one instant."""

    t: float
    """The time, s."""
    q: npt.NDArray[np.float64]
    """Orientations, (n, 4), or (4,) of one body."""
    omega: npt.NDArray[np.float64]
    """Angular velocities in the body frame, rad/s, (n, 3), or (3,) of one body."""


class Native(NamedTuple):
    """Bodies as a scheme holds them between two steps, each quantity at its own instant."""

    t_q: float
    """The instant of the orientations, s."""
    q: npt.NDArray[np.float64]
    """Orientations."""
    t_omega: float
    """The instant of the angular velocities, s: half a step earlier for a leapfrog."""
    omega: npt.NDArray[np.float64]
    """Angular velocities in the body frame, rad/s."""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Bodies at several instants, each with q and ω of that instant, whatever the time levels of the scheme."""

    t: npt.NDArray[np.float64]
    """The instants, (samples,), s."""
    q: npt.NDArray[np.float64]
    """Orientations, (samples, n, 4), or (samples, 4) of one body."""
    omega: npt.NDArray[np.float64]
    """Angular velocities in the body frame, rad/s, (samples, n, 3), or (samples, 3) of one body."""

    def __len__(self) -> int:
        """The number of instants."""
        return len(self.t)

    def __repr__(self) -> str:
        bodies = "one body" if self.q.ndim == 2 else f"{self.q.shape[1]} bodies"
        return f"<Trajectory of {bodies}: {len(self)} samples from {self.t[0]:g} s to {self.t[-1]:g} s>"

    @property
    def final(self) -> State:
        """The last instant."""
        return State(float(self.t[-1]), self.q[-1], self.omega[-1])


class Batch:
    """Bodies that are stepped together; they stay in the memory of the engine, in its own layout.

    Args:
        scheme: the name of a scheme of the table `schemes`.
        inertia: principal moments of inertia, kg m², of shape (n, 3), or (3,) for all bodies.
        q: orientations at the start, (n, 4) or (4,), in the order (w, x, y, z); they are scaled to unit length.
        omega: angular velocities at the start in the body frame, rad/s, (n, 3) or (3,).
        dt: the time step, s.
        torque: what turns the bodies, N m:

            - None, for free bodies;
            - the name of a torque of the table `torques`, or what `torque` makes;
            - an array, (n, 3) or (3,), of constant torques;
            - a function `f(t, q, omega)` that returns an array (n, 3), or (3,) for all. It sees all bodies at one instant,
              in arrays of the shapes in which they were given: (n, 4) and (n, 3), or (4,) and (3,) of one body.

        torque_frame: "lab", or "body" for an array or a function that gives torques along the principal axes.
        time: the time at the start, s.
        threads: how many threads compute, at most as many as can run at once. With a function it is one. The results are the
            same, bit for bit.

    Raises:
        InputError: a name, a shape or a number is not possible; the text says of which body.
        TypeError: something has a wrong type.

    The interpreter is released while bodies are stepped, and Ctrl-C ends it after a full step.

    >>> from tumble import rotation
    >>> spinning = [[0.01, 1, 0.01], [1, 0, 0]]
    >>> bodies = rotation.Batch("magnus-leapfrog", [1, 2, 3], [1, 0, 0, 0], spinning, dt=0.01)
    >>> bodies.step(1955)
    >>> bodies
    <Batch of 2 bodies with magnus-leapfrog at t = 19.55 s>
    >>> bodies.omega.round(2)                               # the first has turned over
    array([[-0.01, -1.  ,  0.01],
           [ 1.  ,  0.  ,  0.  ]])
    """

    __slots__ = ("_dt", "_inertia", "_native", "_one", "_scheme", "_threads", "_torque", "_torque_frame")

    def __init__(
        self,
        scheme: str,
        inertia: npt.ArrayLike,
        q: npt.ArrayLike,
        omega: npt.ArrayLike,
        dt: float,
        torque: Torque = None,
        *,
        torque_frame: Literal["lab", "body"] = "lab",
        time: float = 0.0,
        threads: int = 1,
    ) -> None:
        self._scheme = scheme
        self._inertia = np.array(inertia, ndmin=2)
        self._dt = dt
        self._torque = torque
        self._torque_frame = torque_frame
        self._threads = at_least("threads", threads, 1)
        self._one = np.ndim(inertia) == np.ndim(q) == np.ndim(omega) == 1
        self._start(q, omega, time)

    def _start(self, q: npt.ArrayLike, omega: npt.ArrayLike, time: float) -> None:
        self._native = _native.Batch(
            self._scheme,
            self._inertia,
            np.atleast_2d(q),
            np.atleast_2d(omega),
            self._dt,
            handed_over(self._torque),
            torque_in_body=is_in_body("torque_frame", self._torque_frame),
            one=self._one,
            start=time,
            threads=self._threads,
        )

    def __len__(self) -> int:
        """The number of bodies."""
        return len(self._native)

    def __repr__(self) -> str:
        bodies = "one body" if len(self) == 1 else f"{len(self)} bodies"
        return f"<Batch of {bodies} with {self._scheme} at t = {self.time:g} s>"

    @property
    def scheme(self) -> str:
        """The name of the scheme."""
        return self._scheme

    @property
    def dt(self) -> float:
        """The time step, s."""
        return self._dt

    @property
    def time(self) -> float:
        """The present time, s."""
        return self._native.time

    @property
    def evaluations(self) -> int:
        """How often the torque on a body was evaluated, those for reports included."""
        return self._native.evaluations

    def step(self, steps: int = 1) -> None:
        """Advances all bodies by a number of steps.

        If the torque function raises an exception, it comes through, and the bodies are where they were before the call.
        """
        self._native.step(at_least("steps", steps, 0))

    def state(self) -> State:
        """All bodies at the present time, as new arrays. A leapfrog evaluates the torque for it.

        Raises:
            RunError: a body turns more than once in a step, or its motion is no longer finite.
        """
        q, omega = self._native.state()
        return State(self.time, *self._shaped(q, omega))

    def native(self) -> Native:
        """All bodies as the scheme holds them, at the instants of its time level: for measuring schemes."""
        lag_q, lag_omega = self._native.lags
        q, omega = self._shaped(*self._native.native())
        return Native(self.time - lag_q, q, self.time - lag_omega, omega)

    @property
    def q(self) -> npt.NDArray[np.float64]:
        """Orientations at the present time: a copy. When they are set, the scheme starts anew from there."""
        q = self._native.q()
        return q[0] if self._one else q

    @q.setter
    def q(self, q: npt.ArrayLike) -> None:
        self._start(q, self.omega, self.time)

    @property
    def omega(self) -> npt.NDArray[np.float64]:
        """Body angular velocities at the present time: a copy. When they are set, the scheme starts anew from there."""
        omega = self._native.omega()
        return omega[0] if self._one else omega

    @omega.setter
    def omega(self, omega: npt.ArrayLike) -> None:
        self._start(self.q, omega, self.time)

    def record(self, steps: int, *, every: int = 1) -> Trajectory:
        """Advances all bodies and looks at them now, after every `every` steps, and at the end.

        Raises:
            RunError: a body turns more than once in a step, or its motion is no longer finite.
            MemoryError: there is no room for so many samples.
        """
        t, q, omega = self._native.record(at_least("steps", steps, 0), at_least("every", every, 1))
        shape = (len(t),) if self._one else (len(t), len(self))
        return Trajectory(t, q.reshape(*shape, 4), omega.reshape(*shape, 3))

    def _shaped(
        self, q: npt.NDArray[np.float64], omega: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return (q[0], omega[0]) if self._one else (q, omega)


def integrate(
    scheme: str,
    inertia: npt.ArrayLike,
    q: npt.ArrayLike,
    omega: npt.ArrayLike,
    torque: Torque,
    dt: float,
    steps: int,
    *,
    every: int = 1,
    torque_frame: Literal["lab", "body"] = "lab",
    time: float = 0.0,
    threads: int = 1,
) -> Trajectory:
    """Integrates the rotation of any number of bodies over a number of steps.

    Args:
        scheme, inertia, q, omega, torque, dt, torque_frame, time, threads: as of `Batch`.
        steps: how many steps.
        every: a sample is taken every so many steps, at the start and at the end.

    Returns:
        Samples of all bodies; those of one body, given as (4,) and (3,), without the axis of bodies.

    Raises:
        InputError: a name, a shape or a number is not possible; the text says of which body.
        RunError: at a sample, a body turns more than once in a step, or its motion is no longer finite.

    A top whose axis is at right angles to gravity goes round instead of falling:

    >>> import numpy as np
    >>> from tumble import rotation
    >>> top = rotation.torque("heavy-top", force=[0, 0, -9.81], point=[0.1, 0, 0])
    >>> path = rotation.integrate("magnus-leapfrog", [0.01, 0.02, 0.02], [1, 0, 0, 0], [300, 0, 0], top, 1e-4, 10_000)
    >>> path
    <Trajectory of one body: 10001 samples from 0 s to 1 s>
    >>> axis = rotation.to_lab(path.q, [1, 0, 0])
    >>> bool(np.all(abs(axis[:, 2]) < 0.01))                # it stays level
    True
    >>> angle = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    >>> float(angle[-1].round(2))                           # about M g l / (I ω) = 0.33 rad/s
    0.33

    A function sees all bodies at once:

    >>> def drag(t, q, omega):
    ...     return -0.2 * omega
    >>> ends = rotation.integrate(
    ...     "kick-rotate-kick", [1, 2, 3], np.eye(4)[:3], [[1, 0, 0]] * 3, drag, 0.01, 100, torque_frame="body"
    ... ).final
    >>> ends.omega[:, 0].round(3)                           # e to the power of −0.2
    array([0.819, 0.819, 0.819])
    """
    batch = Batch(
        scheme, inertia, q, omega, dt, torque, torque_frame=torque_frame, time=time, threads=threads
    )
    return batch.record(steps, every=every)


def at_least(name: str, number: int, least: int) -> int:
    """A whole number that is not too small."""
    whole = operator.index(number)
    if whole < least:
        raise InputError(f"{name}: must be at least {least}, but is {whole}")
    return whole
