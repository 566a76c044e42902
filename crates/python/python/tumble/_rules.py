"""Rules of a simulation that can be changed while it goes on: the part of `Simulation` that is about them."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble._looks import number_of
from tumble.errors import InputError

__all__ = ["Quantity", "Rules"]

Quantity: TypeAlias = float | str
"""A number in SI units, or a text with a unit as in scenes, such as "2 us"."""


class Rules:
    """What can be changed of the rules of a `Simulation`; each change takes effect at the present instant.

    >>> import tumble
    >>> sim = tumble.Simulation.from_scene("drum", threads=1)
    >>> sim.get_property("friction", pair=("grain", "shell"))
    0.9
    >>> sim.set_property("friction", 0.1)
    >>> sim.get_property("friction")
    0.1
    >>> sim.gravity = [0, 0, "-1.62 m/s^2"]
    >>> sim.dt = sim.dt / 2

    The energy that a change brings in is in the books as `exchanged`: potential energy where gravity changes, elastic energy where
    stiffness does. What slides because friction has become less is lost to `sliding`.
    """

    _native: "_native.Simulation"

    @property
    def material_names(self) -> list[str]:
        """The names of materials, by their numbers."""
        return self._native.material_names

    @property
    def gravity(self) -> npt.NDArray[np.float64]:
        """Acceleration of gravity, m/s². (3,); can be set, also with units as in scenes"""
        array = np.array(_native.gravity(self._native))
        array.flags.writeable = False
        return array

    @gravity.setter
    def gravity(self, value: Sequence[Quantity] | npt.NDArray[np.float64]) -> None:
        parts: list[Any] = np.asarray(value).tolist() if isinstance(value, np.ndarray) else list(value)
        if len(parts) != 3:
            raise InputError(f"gravity: expected three numbers or quantities such as '9.81 m/s^2', found {value!r}")
        _native.set_gravity(self._native, (parts[0], parts[1], parts[2]))

    @property
    def dt(self) -> float:
        """The time step, s; can be set, also as a text such as "2 us", unless results are being written.

        A force or a motion of a wall that is called while the simulation computes may read it: it is that of the step being taken,
        also where stages have steps of different lengths.
        """
        return self._native.dt

    @dt.setter
    def dt(self, value: Quantity) -> None:
        _native.set_dt(self._native, value)

    def set_property(
        self, key: str, value: Quantity, *, material: str | None = None, pair: tuple[str, str] | None = None
    ) -> None:
        """Gives a property that contact laws read another value from now on.

        Args:
            key: as in scenes: "friction", "restitution", "rolling_friction", "young" and so on. Not "density".
            value: a number in SI units, or a text with a unit as in scenes.
            material: by name, for a property of materials; may be left out if there is one only.
            pair: the names of two materials, for a property of pairs; every pair if absent.

        Raises:
            InputError: there is no such property, it cannot have this value, or nothing reads it.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("drum", threads=1)
        >>> sim.set_property("young", "20 MPa", material="grain")
        """
        _native.set_property(self._native, key, value, self._whose(key, material, pair))

    def get_property(self, key: str, *, material: str | None = None, pair: tuple[str, str] | None = None) -> float:
        """A property as it is now, in SI units; arguments are those of `set_property`.

        Raises:
            InputError: there is no such property, or pairs have different values and none was named.
        """
        values = set(_native.property_values(self._native, key, self._whose(key, material, pair)))
        if len(values) != 1:
            raise InputError(f"{key}: pairs have different values, from {min(values)} to {max(values)}; name one by pair=")
        return values.pop()

    def _whose(self, key: str, material: str | None, pair: tuple[str, str] | None) -> list[int]:
        names = self.material_names
        if pair is not None:
            if isinstance(pair, str) or len(pair) != 2:
                raise InputError(f"pair: expected the names of two materials, found {pair!r}")
            return [number_of("pair", name, names) for name in pair] + ([] if material is None else [0])
        if material is not None or not _native.is_of_pairs(key):
            return [number_of("material", material, names)]
        return []
