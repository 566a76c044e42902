"""What functions of users give, in the one form that the library takes. Private."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble.errors import InputError

Floats: TypeAlias = npt.NDArray[np.float64]
Force: TypeAlias = Callable[[float, Floats, Floats, Floats, Floats], Any]
"""t, positions, quaternions, velocities, spins: forces, or forces and torques."""
WallMotion: TypeAlias = Callable[[float], Any]
"""t: displacement, and what else is known."""

_STILL = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def force_function(function: Force) -> Callable[..., tuple[Floats, Floats]]:
    """Takes ids as well, and always gives forces and torques of shape (n, 3)."""

    def loads(
        t: float, ids: npt.NDArray[np.uint32], positions: Floats, quaternions: Floats, velocities: Floats, spins: Floats
    ) -> tuple[Floats, Floats]:
        given = function(t, positions, quaternions, velocities, spins)
        forces, torques = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
        return _vectors("forces", forces, len(ids)), _vectors("torques", torques, len(ids))

    return loads


def wall_function(function: WallMotion, dt: float) -> Callable[[float], tuple[Any, Any, Any, Any]]:
    """Always gives displacement, velocity, rotation and angular velocity."""

    def place(t: float) -> tuple[Any, Any, Any, Any]:
        given = function(t)
        if isinstance(given, tuple) and len(given) == 4:
            displacement, velocity, rotation, spin = given
            return (
                _numbers("displacement", displacement, 3),
                _numbers("velocity", velocity, 3),
                _numbers("rotation", rotation, 4),
                _numbers("angular velocity", spin, 3),
            )
        if isinstance(given, tuple) and len(given) == 2:
            return _numbers("displacement", given[0], 3), _numbers("velocity", given[1], 3), *_STILL
        displacement = _numbers("displacement", given, 3)
        before, after = (np.array(_numbers("displacement", function(t + shift), 3)) for shift in (-dt / 2, dt / 2))
        return displacement, tuple(((after - before) / dt).tolist()), *_STILL

    return place


def _vectors(name: str, given: Any, n: int) -> Floats:
    if given is None:
        return np.zeros((n, 3))
    array = np.asarray(given)
    if array.shape not in ((n, 3), (3,)):
        raise InputError(f"{name}: expected an array of shape ({n}, 3) or (3,), found {array.shape}")
    return np.ascontiguousarray(np.broadcast_to(array, (n, 3)))


def _numbers(name: str, given: Any, count: int) -> tuple[float, ...]:
    array = np.asarray(given)
    if array.shape != (count,) or array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise InputError(f"{name}: expected {count} finite numbers, found {given!r}")
    return tuple(array.astype(float).tolist())
