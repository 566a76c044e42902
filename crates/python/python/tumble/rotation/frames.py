"""Vectors between the frames of bodies and the lab, and quaternions between Tumble and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble.errors import InputError

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

__all__ = ["from_scipy", "to_body", "to_lab", "to_scipy"]


def to_lab(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Vectors in the frames of bodies, seen from the lab.

    Args:
        q: orientations, of shape (n, 4), or one for all vectors, of shape (4,), in the order (w, x, y, z). They are read where they are.
        vectors: one for each body, of shape (n, 3), or one for all, of shape (3,).

    Returns:
        A new array of shape (n, 3), or (3,) of one orientation and one vector.

    Raises:
        InputError: a shape or a number is not possible.
        TypeError: `q` is not an array of float64, or `vectors` are not real numbers.

    A third of a turn about (1, 1, 1) takes x to y:

    >>> import numpy, tumble
    >>> q = numpy.array([[1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]])
    >>> tumble.rotation.to_lab(q, [1, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.]])
    >>> tumble.rotation.to_lab(q[1], [1, 0, 0])
    array([0., 1., 0.])
    """
    return _turned(_native.to_lab, q, vectors)


def to_body(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Vectors in the lab, seen from bodies: the inverse of `to_lab`, with the same arguments.

    >>> import numpy, tumble
    >>> q = numpy.array([[0.5, 0.5, 0.5, 0.5]])
    >>> tumble.rotation.to_body(q, [0, 0, -9.81])
    array([[ 0.  , -9.81,  0.  ]])
    """
    return _turned(_native.to_body, q, vectors)


def _turned(
    turn: Callable[[npt.NDArray[np.float64], npt.ArrayLike], npt.NDArray[np.float64]],
    q: npt.NDArray[np.float64],
    vectors: npt.ArrayLike,
) -> npt.NDArray[np.float64]:
    """One row of either is for all of the other; of one orientation and one vector, without an axis, comes one vector."""
    given = np.atleast_2d(vectors)
    if not isinstance(q, np.ndarray) or q.ndim != 1:
        return turn(q, given)
    rows = turn(q[np.newaxis], given)
    return rows[0] if np.ndim(vectors) == 1 else rows


def to_scipy(q: npt.ArrayLike) -> Rotation:
    """Orientations as a `scipy.spatial.transform.Rotation`. Needs SciPy.

    Here a quaternion is written (w, x, y, z), the scalar first; SciPy writes (x, y, z, w). Both take body vectors to the lab:
    `to_scipy(q).apply(v)` is `to_lab(q, v)`.

    Args:
        q: orientations, of shape (n, 4) or (4,), in the order (w, x, y, z). They need not be of unit length.

    Raises:
        InputError: the shape is another, or a quaternion is zero or not finite.

    A quarter of a turn about z:

    >>> import tumble
    >>> tumble.rotation.to_scipy([1, 0, 0, 1]).apply([1, 0, 0]).round(12)
    array([0., 1., 0.])
    """
    from scipy.spatial.transform import Rotation

    quaternions = np.asarray(q, dtype=np.float64)
    if quaternions.ndim not in (1, 2) or quaternions.shape[-1] != 4:
        raise InputError(f"q: expected an array of shape (n, 4) or (4,), found {quaternions.shape}")
    if not np.all(np.isfinite(quaternions)):
        raise InputError("q: all numbers must be finite")
    if not np.all(np.any(quaternions, axis=-1)):
        raise InputError("q: the orientation must not be the zero quaternion; use (1, 0, 0, 0) for no rotation")
    return Rotation.from_quat(np.roll(quaternions, -1, axis=-1))


def from_scipy(rotation: Rotation) -> npt.NDArray[np.float64]:
    """The quaternions of a `scipy.spatial.transform.Rotation`, in the order (w, x, y, z) of this package.

    Returns:
        An array of shape (n, 4), or (4,) for a single rotation.

    >>> import tumble
    >>> from scipy.spatial.transform import Rotation
    >>> tumble.rotation.from_scipy(Rotation.from_rotvec([0, 0, 90], degrees=True)).round(4)
    array([0.7071, 0.    , 0.    , 0.7071])
    """
    return np.ascontiguousarray(np.roll(rotation.as_quat(), 1, axis=-1), dtype=np.float64)
