"""What turns bodies: nothing, constant torques, torques that have a name, and functions of Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble.errors import InputError
from tumble.rotation.table import torques

__all__ = ["Frame", "NamedTorque", "Torque", "torque"]

Frame: TypeAlias = Literal["lab", "body"]
"""Which frame vectors are given in."""


@dataclass(frozen=True, slots=True)
class NamedTorque:
    """A torque of the table `torques`, with numbers for its parameters. `torque` makes one.

    It can be called as any torque function, which gives the torque in the lab; so it can be a part of another one.
    """

    name: str
    """Its name in the table."""
    numbers: tuple[float, ...]
    """The components of its parameters, one after the other."""

    def __call__(
        self, t: float, q: npt.NDArray[np.float64], omega: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """The torque in the lab at time t on bodies q, (n, 4) or (4,), and omega, (n, 3) or (3,)."""
        result = _native.torque_at(self.name, self.numbers, t, np.atleast_2d(q), np.atleast_2d(omega))
        return result[0] if np.ndim(q) == 1 else result


Torque: TypeAlias = (
    None
    | str
    | NamedTorque
    | npt.ArrayLike
    | Callable[[float, npt.NDArray[np.float64], npt.NDArray[np.float64]], npt.ArrayLike]
)
"""None, the name of a torque, what `torque` makes, constant torques (n, 3) or (3,), or a function f(t, q, omega)."""


def torque(name: str, /, **parameters: npt.ArrayLike) -> NamedTorque:
    """A torque of the table `torques`, computed without calling Python.

    Args:
        name: its name.
        parameters: numbers for its parameters; those that are not given have their defaults.

    Raises:
        InputError: there is no such torque or parameter, or a parameter has another number of components.

    >>> from tumble import rotation
    >>> rotation.torque("heavy-top", point=[0, 0, 0.5])
    NamedTorque(name='heavy-top', numbers=(0.0, 0.0, -2.0, 0.0, 0.0, 0.5))
    """
    table = {kind.name: kind for kind in torques()}
    if name not in table:
        raise InputError(f"there is no torque `{name}`; there are {', '.join(table)}")
    known = {parameter.name: parameter for parameter in table[name].parameters}
    unknown = [given for given in parameters if given not in known]
    if unknown:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise InputError(f"the torque `{name}` has no parameter `{unknown[0]}`; {has}")
    numbers: list[float] = []
    for parameter in known.values():
        given = np.atleast_1d(np.asarray(parameters.get(parameter.name, parameter.default), dtype=np.float64))
        if given.shape != (len(parameter.default),):
            raise InputError(
                f"{parameter.name}: the torque `{name}` takes {len(parameter.default)} numbers, found shape {given.shape}"
            )
        if not np.all(np.isfinite(given)):
            raise InputError(f"{parameter.name}: all numbers must be finite, found {given}")
        numbers += given.tolist()
    return NamedTorque(name, tuple(numbers))


def handed_over(given: Torque) -> Any:
    """A torque as `_native` takes it."""
    if isinstance(given, str):
        given = torque(given)
    if isinstance(given, NamedTorque):
        return (given.name, list(given.numbers))
    return given if given is None or callable(given) else np.atleast_2d(given)


def is_in_body(name: str, frame: str) -> bool:
    """Whether a frame is that of the body; messages name the argument."""
    if frame not in ("lab", "body"):
        raise InputError(f"{name}: expected 'lab' or 'body', found {frame!r}")
    return frame == "body"
