"""One body as with `scipy.integrate.solve_ivp`: the same arguments and results, so that the two can be compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tumble.errors import InputError
from tumble.rotation.frames import to_body
from tumble.rotation.motion import Batch
from tumble.rotation.torque import NamedTorque, Torque, handed_over, is_in_body
from tumble.rotation.torque import torque as named

__all__ = ["Solution", "equations", "solve"]


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What `solve` found, under the names that SciPy uses."""

    t: npt.NDArray[np.float64]
    """The instants, (points,), s."""
    y: npt.NDArray[np.float64]
    """q and the body angular velocity at them: rows w, x, y, z, ωx, ωy, ωz, a column for each instant."""
    nfev: int
    """How often the torque was evaluated."""
    method: str
    """The scheme."""
    dt: float
    """The time step that was taken, s."""
    success: bool = True
    """Whether the end was reached; where it was not, `solve` has raised an exception."""
    status: int = 0
    """0: the end was reached."""
    message: str = "The solver successfully reached the end of the integration interval."
    """The same in words."""

    @property
    def q(self) -> npt.NDArray[np.float64]:
        """Orientations, (points, 4)."""
        return np.ascontiguousarray(self.y[:4].T)

    @property
    def omega(self) -> npt.NDArray[np.float64]:
        """Body angular velocities, rad/s, (points, 3)."""
        return np.ascontiguousarray(self.y[4:].T)


def solve(
    torque: Torque,
    t_span: tuple[float, float],
    y0: npt.ArrayLike,
    inertia: npt.ArrayLike,
    *,
    method: str = "magnus-leapfrog",
    max_step: float,
    t_eval: npt.ArrayLike | None = None,
    torque_frame: Literal["lab", "body"] = "lab",
) -> Solution:
    """Integrates the rotation of one body, with arguments and results like those of `scipy.integrate.solve_ivp`.

    Args:
        torque: what turns the body, as of `Batch`; a function sees q of shape (4,) and omega of shape (3,).
        t_span: the first and the last instant, s.
        y0: the state at the first: q as w, x, y, z, then the body angular velocity, rad/s.
        inertia: principal moments of inertia, kg m².
        method: the name of a scheme of the table `schemes`.
        max_step: the largest time step, s. Schemes have one step; it is the interval divided by a whole number.
        t_eval: the instants to report, ascending; all steps if there are none. Those between two steps are reached by a shorter
            step from the last one, which does not disturb the others.
        torque_frame: "lab", or "body" for an array or a function that gives torques along the principal axes.

    Raises:
        InputError: something that was given cannot be.
        RunError: the body turns more than once in a step, or its motion is no longer finite.

    SciPy is not needed, but can solve the same problem:

    >>> from scipy.integrate import solve_ivp
    >>> from tumble import rotation
    >>> top, y0, inertia = rotation.torque("heavy-top"), [1, 0, 0, 0, 1, 2, -1.5], [1, 2, 3]
    >>> ours = rotation.solve(top, (0, 2), y0, inertia, method="magnus-leapfrog", max_step=1e-3)
    >>> theirs = solve_ivp(rotation.equations(top, inertia), (0, 2), y0, method="DOP853", rtol=1e-10, atol=1e-10)
    >>> bool(abs(ours.y[:, -1] - theirs.y[:, -1]).max() < 1e-5)
    True
    """
    first, last = (float(instant) for instant in t_span)
    if not (math.isfinite(first) and math.isfinite(last) and first < last):
        raise InputError(f"t_span: expected two instants, the first before the last, found ({first}, {last})")
    if not max_step > 0 or math.isinf(max_step):
        raise InputError(f"max_step: the time step must be positive and finite, but is {max_step}")
    start = _state(y0)
    instants = None if t_eval is None else _instants(t_eval, first, last)
    # A hair more than a whole number of steps, by rounding, is that number.
    steps = max(1, math.ceil((last - first) / max_step * (1 - 1e-12)))
    dt = (last - first) / steps

    def begin(q: npt.NDArray[np.float64], omega: npt.NDArray[np.float64], time: float, dt: float) -> Batch:
        return Batch(method, _moments(inertia), q, omega, dt, torque, torque_frame=torque_frame, time=time)

    body = begin(start[:4], start[4:], first, dt)
    if instants is None:
        path = body.record(steps)
        t = path.t
        t[-1] = last
        return Solution(t, np.hstack([path.q, path.omega]).T, body.evaluations, method, dt)
    evaluations, done = 0, 0
    y = np.empty((7, len(instants)))
    for column, instant in enumerate(instants):
        step = min(steps, math.floor((instant - first) / dt + 1e-9))
        body.step(step - done)
        done = step
        _, q, omega = body.state()
        rest = instant - body.time
        if rest > 1e-9 * dt:
            between = begin(q, omega, body.time, rest)
            between.step()
            _, q, omega = between.state()
            evaluations += between.evaluations
        y[:, column] = *q, *omega
    return Solution(instants, y, evaluations + body.evaluations, method, dt)


def equations(
    torque: Torque, inertia: npt.ArrayLike, *, torque_frame: Literal["lab", "body"] = "lab"
) -> Callable[[float, npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    """The equations of motion of one body as `fun(t, y)` of `scipy.integrate.solve_ivp`: q̇ = ½ q ω and Euler's equations.

    Args:
        torque, inertia, torque_frame: as of `solve`.

    A free body that spins about a principal axis goes on so:

    >>> import numpy as np
    >>> from tumble import rotation
    >>> fun = rotation.equations(None, [1, 2, 3])
    >>> fun(0.0, np.array([1, 0, 0, 0, 0, 4, 0]))
    array([0., 0., 2., 0., 0., 0., 0.])
    """
    moments = _moments(inertia)
    in_body = is_in_body("torque_frame", torque_frame)
    given = named(torque) if isinstance(torque, str) else torque
    constant = None if given is None or callable(given) else np.asarray(handed_over(given), dtype=np.float64)
    if constant is not None and constant.shape != (1, 3):
        raise InputError(f"torque: expected an array of shape (3,), found {constant.shape}")
    if isinstance(given, NamedTorque):
        in_body = False

    def fun(t: float, y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        q, omega = y[:4], y[4:]
        if callable(given):
            acting = np.asarray(given(t, q, omega), dtype=np.float64)
        else:
            acting = np.zeros(3) if constant is None else constant[0]
        if not in_body:
            acting = to_body(q / np.linalg.norm(q), acting)
        (w, x, y_, z), (a, b, c) = q, omega
        turning = 0.5 * np.array(
            [-x * a - y_ * b - z * c, w * a + y_ * c - z * b, w * b + z * a - x * c, w * c + x * b - y_ * a]
        )
        return np.concatenate([turning, (acting + np.cross(moments * omega, omega)) / moments])

    return fun


def _state(y0: npt.ArrayLike) -> npt.NDArray[np.float64]:
    start = np.asarray(y0, dtype=np.float64)
    if start.shape != (7,):
        raise InputError(
            f"y0: expected seven numbers, q as w, x, y, z and then the angular velocity, found shape {start.shape}"
        )
    return start


def _moments(inertia: npt.ArrayLike) -> npt.NDArray[np.float64]:
    moments = np.asarray(inertia, dtype=np.float64)
    if moments.shape != (3,):
        raise InputError(f"inertia: expected three moments of one body, found shape {moments.shape}")
    return moments


def _instants(t_eval: npt.ArrayLike, first: float, last: float) -> npt.NDArray[np.float64]:
    instants = np.array(t_eval, dtype=np.float64)
    if instants.ndim != 1:
        raise InputError(f"t_eval: expected an array of shape (points,), found {instants.shape}")
    if not np.all((instants >= first) & (instants <= last)):
        raise InputError(f"t_eval: all instants must be within t_span, from {first} to {last}")
    if np.any(np.diff(instants) <= 0):
        raise InputError("t_eval: the instants must ascend")
    return instants
