"""Rotation schemes for rigid bodies, and vectors between the frames of bodies and the lab."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tumble import _native

__all__ = ["Order", "Scheme", "schemes", "to_body", "to_lab"]


class Order(NamedTuple):
    """Orders of the global error, which shrinks as Δt to this power."""

    q: int
    """Of the orientation."""
    omega: int
    """Of the angular velocity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """What is known about a rotation scheme. All of it is checked by the tests of Tumble."""

    name: str
    """The name in scenes, in tables, and as an argument."""
    title: str
    """What it is, in one line."""
    time_level: str
    """Which instants q and ω belong to between steps: synchronous, leapfrog, kick–drift–kick or staggered."""
    torque_times: tuple[float, ...]
    """When in a step the torque is evaluated, in steps after its beginning."""
    order_free: Order
    """Without a torque."""
    order_body_torque: Order
    """With a torque that is constant in the body."""
    order_orientation_torque: Order
    """With a torque that depends on the orientation, such as gravity on a top."""
    order_velocity_torque: Order
    """With a torque that depends on the angular velocity, such as drag."""
    conserves_energy: bool
    """Whether a free body keeps its kinetic energy to round-off."""
    conserves_momentum: bool
    """Whether a free body keeps its angular momentum to round-off."""
    reversible: bool
    """Whether the same steps lead back to the start when ω is reversed."""
    normalises: bool
    """Whether each step ends by scaling q to unit length."""
    flops: int
    """Floating-point operations of one step, without those of the torque."""
    memory: int
    """How many numbers it remembers beside q and ω."""
    source: str
    """Where it was published: author and year."""
    citation: str
    """The full reference."""
    doi: str | None
    """The digital object identifier of the publication, where there is one."""


def schemes() -> list[Scheme]:
    """All rotation schemes, in the order of the tables of the book.

    >>> from tumble import rotation
    >>> spiral = next(scheme for scheme in rotation.schemes() if scheme.name == "spiral-leapfrog")
    >>> spiral.time_level, spiral.order_velocity_torque, spiral.source
    ('leapfrog', Order(q=2, omega=2), 'del Valle et al. 2024')

    They are data classes, of which pandas makes a table:

    >>> import pandas
    >>> table = pandas.DataFrame(rotation.schemes()).set_index("name")
    >>> table.loc["runge-kutta-4", "torque_times"]
    (0.0, 0.5, 0.5, 1.0)
    """
    return [_scheme(facts) for facts in _native.schemes()]


def to_lab(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Vectors in the frames of bodies, seen from the lab.

    Args:
        q: orientations, of shape (n, 4), in the order (w, x, y, z). They are read where they are.
        vectors: one for each body, of shape (n, 3), or one for all, of shape (3,).

    Returns:
        A new array of shape (n, 3).

    Raises:
        InputError: a shape or a number is not possible.
        TypeError: `q` is not an array of float64, or `vectors` are not real numbers.

    A third of a turn about (1, 1, 1) takes x to y:

    >>> import numpy, tumble
    >>> q = numpy.array([[1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]])
    >>> tumble.rotation.to_lab(q, [1, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    return _native.to_lab(q, np.atleast_2d(vectors))


def to_body(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Vectors in the lab, seen from bodies: the inverse of `to_lab`, with the same arguments.

    >>> import numpy, tumble
    >>> q = numpy.array([[0.5, 0.5, 0.5, 0.5]])
    >>> tumble.rotation.to_body(q, [0, 0, -9.81])
    array([[ 0.  , -9.81,  0.  ]])
    """
    return _native.to_body(q, np.atleast_2d(vectors))


def _scheme(facts: dict[str, Any]) -> Scheme:
    orders = {name: Order(*value) for name, value in facts.items() if name.startswith("order_")}
    return Scheme(**facts | orders | {"torque_times": tuple(facts["torque_times"])})
