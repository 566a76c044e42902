"""Rigid shapes made of spheres: from files, from arrays, from the built-in list, with exact mass properties."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble._toml import document
from tumble.errors import InputError

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d.axes3d import Axes3D

__all__ = ["Clump", "GivenMass", "Mass", "Shape", "shapes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenMass:
    """The mass of the body that spheres stand for, in the frame they are given in."""

    volume: float
    """Volume, m³."""
    inertia: tuple[float, float, float, float, float, float]
    """Tensor of inertia about the centre of mass divided by the density, m⁵: xx, yy, zz, yz, xz, xy."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre of mass, m."""


Mass: TypeAlias = Literal["union", "sum"] | GivenMass
"""How mass follows from spheres: of their union, overlaps counted once; of each, overlaps counted twice; or given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A shape of the built-in list."""

    name: str
    """The name, as an argument of `Clump.from_shape` and in scenes."""
    title: str
    """What it is, in one line."""
    parameters: Mapping[str, float]
    """What it depends on, as arguments of `Clump.from_shape`, and what they are where nothing is said: numbers, or lengths in m."""


def shapes() -> list[Shape]:
    """The built-in shapes.

    >>> from tumble import clump
    >>> [shape.name for shape in clump.shapes()][:4]
    ['sphere', 'fibre', 'rod', 't-handle']
    >>> dict(clump.shapes()[2].parameters)
    {'count': 3.0, 'radius': 0.005, 'spacing': 0.01}
    """
    return [Shape(**facts | {"parameters": MappingProxyType(dict(facts["parameters"]))}) for facts in _native.shape_list()]


class Clump:
    """A rigid shape made of spheres. `from_spheres`, `from_file` and `from_shape` make one; it does not change.

    Its principal frame has its origin at the centre of mass and axes along which the tensor of inertia is diagonal, the moments
    ascending; so a long shape lies along x. `centre` and `orientation` say how this frame stands in that of the spheres.

    Two overlapping spheres weigh less than twice one:

    >>> from tumble import Clump
    >>> pair = Clump.from_spheres([[0, 0, 0, 1], [0, 0, 1, 1]])
    >>> pair
    <Clump of 2 spheres: volume 7.06858 m³, bounding radius 1.5 m>
    >>> round(float(pair.centre[2]), 12)
    0.5
    >>> Clump.from_spheres(pair.spheres, mass="sum").volume > pair.volume
    True

    A clump turns by `rotation`:

    >>> from tumble import rotation
    >>> knight = Clump.from_shape("knight")
    >>> inertia = knight.moments(density=700)
    >>> rotation.integrate("magnus-leapfrog", inertia, [1, 0, 0, 0], [0, 20, 0], None, 1e-3, 100).final.t
    0.1
    """

    __slots__ = ("_facts", "_name", "_spheres")

    def __init__(self, spheres: npt.ArrayLike, *, mass: Mass = "union", name: str = "") -> None:
        """A clump of spheres x, y, z, r; the same as `from_spheres`."""
        rows = np.array(spheres, dtype=np.float64, ndmin=2)
        self._name = name
        self._facts: dict[str, Any] = _native.mass_properties(rows, union=mass != "sum", given=_given(mass))
        self._spheres = _fixed(rows)

    @classmethod
    def from_spheres(
        cls,
        spheres: npt.ArrayLike,
        radii: npt.ArrayLike | None = None,
        *,
        mass: Mass = "union",
        name: str = "",
    ) -> Clump:
        """A clump of these spheres.

        Args:
            spheres: centre and radius of each sphere, m, of shape (n, 4): x, y, z, r. Or centres, (n, 3), with `radii`.
            radii: radii, (n,), or one for all, where `spheres` are centres.
            mass: "union", "sum" or a `GivenMass`.
            name: a name for pictures.

        Raises:
            InputError: a shape of an array, a radius or a mass is not possible.

        >>> from tumble import Clump
        >>> Clump.from_spheres([[0, 0, 0], [0, 0, 0.01]], radii=0.005, name="two").spheres.tolist()
        [[0.0, 0.0, 0.0, 0.005], [0.0, 0.0, 0.01, 0.005]]
        """
        if radii is None:
            return cls(spheres, mass=mass, name=name)
        centres = np.array(spheres, dtype=np.float64, ndmin=2)
        if centres.ndim != 2 or centres.shape[1] != 3:
            raise InputError(f"spheres: with radii, expected centres of shape (n, 3), found {centres.shape}")
        each = np.asarray(radii, dtype=np.float64)
        if each.shape not in ((), (1,), (len(centres),)):
            raise InputError(f"radii: expected one number or as many as centres, {len(centres)}; found shape {each.shape}")
        return cls(np.column_stack([centres, np.broadcast_to(each, len(centres))]), mass=mass, name=name)

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], *, scale: float = 1.0, mass: Mass = "union", name: str | None = None
    ) -> Clump:
        """A clump from a text file with a sphere on each line, in any format that scenes can read.

        Args:
            path: the file: x, y, z, r on each line, or columns named by a header, as CLUMP, Yade, LIGGGHTS and DEM-Engine
                write them.
            scale: metres in a unit of the file: 0.001 for a file in millimetres.
            mass: "union", "sum" or a `GivenMass`, which is not scaled.
            name: a name for pictures; that of the file if none is given.

        Raises:
            InputError: the file cannot be read; the text says where and why.
        """
        spheres = _native.read_clump(path) * _positive("scale", scale)
        return cls(spheres, mass=mass, name=os.path.splitext(os.path.basename(path))[0] if name is None else name)

    @classmethod
    def from_shape(cls, shape: str, *, scale: float = 1.0, mass: Mass = "union", **parameters: float | str) -> Clump:
        """A shape of the built-in list `shapes`.

        Args:
            shape: its name.
            scale: its size, relative to what the parameters say.
            mass: "union", "sum" or a `GivenMass`, which is not scaled.
            parameters: those of the shape, as in the templates of a scene: numbers, lengths in m, or texts with a unit.

        Raises:
            InputError: there is no such shape, or it has no such parameter.

        >>> from tumble import Clump
        >>> Clump.from_shape("rod", count=5, radius="2 mm", spacing=0.003)
        <Clump 'rod' of 5 spheres: volume 1.56032e-07 m³, bounding radius 0.008 m>
        >>> Clump.from_shape("rod", length=1)
        Traceback (most recent call last):
            ...
        tumble.errors.InputError: length: ...
        """
        if not isinstance(shape, str):
            raise TypeError(f"shape: expected the name of a shape, found {type(shape)}")
        spheres = _native.shape_spheres(shape, document({"shape": shape, **parameters}))
        return cls(spheres * _positive("scale", scale), mass=mass, name=shape)

    def __len__(self) -> int:
        """The number of spheres."""
        return len(self._spheres)

    def __repr__(self) -> str:
        spheres = "one sphere" if len(self) == 1 else f"{len(self)} spheres"
        name = f" {self._name!r}" if self._name else ""
        return f"<Clump{name} of {spheres}: volume {self.volume:g} m³, bounding radius {self.bounding_radius:g} m>"

    def _repr_svg_(self) -> str:
        return _native.clump_svg(self._spheres, self._name)

    @property
    def name(self) -> str:
        """The name, or nothing."""
        return self._name

    @property
    def spheres(self) -> npt.NDArray[np.float64]:
        """x, y, z, r of each sphere in the frame they were given in, m, (n, 4). Cannot be written to."""
        return self._spheres

    @property
    def body_spheres(self) -> npt.NDArray[np.float64]:
        """x, y, z, r of each sphere in the principal frame, m, (n, 4): a new array."""
        turned = _native.to_body(self.orientation[np.newaxis].repeat(len(self), 0), self._spheres[:, :3] - self.centre)
        return np.column_stack([turned, self._spheres[:, 3]])

    @property
    def volume(self) -> float:
        """The volume that carries mass, m³."""
        return float(self._facts["volume"])

    @property
    def centre(self) -> npt.NDArray[np.float64]:
        """The centre of mass in the frame of the spheres, m, (3,)."""
        return np.array(self._facts["centre"])

    @property
    def orientation(self) -> npt.NDArray[np.float64]:
        """The quaternion (w, x, y, z) that takes vectors of the principal frame to that of the spheres, (4,)."""
        return np.array(self._facts["orientation"])

    @property
    def moments_per_density(self) -> npt.NDArray[np.float64]:
        """Principal moments of inertia divided by the density, ascending, m⁵, (3,)."""
        return np.array(self._facts["moments_per_density"])

    @property
    def bounding_radius(self) -> float:
        """The radius of the sphere about the centre of mass that encloses all spheres, m."""
        return float(self._facts["bounding_radius"])

    def mass(self, density: float) -> float:
        """The mass at a density in kg/m³, kg."""
        return _positive("density", density) * self.volume

    def moments(self, density: float) -> npt.NDArray[np.float64]:
        """Principal moments of inertia at a density in kg/m³, ascending, kg m², (3,): `inertia` of `rotation`."""
        return _positive("density", density) * self.moments_per_density

    def inertia(self, density: float) -> npt.NDArray[np.float64]:
        """The tensor of inertia about the centre of mass at a density in kg/m³, kg m², (3, 3), in the frame of the spheres."""
        axes = _native.to_lab(self.orientation[np.newaxis].repeat(3, 0), np.eye(3))
        tensor: npt.NDArray[np.float64] = axes.T @ (self.moments(density)[:, np.newaxis] * axes)
        return tensor

    def plot(self, ax: Axes3D | None = None, *, axes: bool = True) -> Axes3D:
        """Draws the clump in the frame of its spheres. Needs Matplotlib.

        Args:
            ax: three-dimensional axes to draw into; new ones if there are none.
            axes: whether the principal axes are drawn, from the centre of mass: x red, y green, z blue.

        Returns:
            The axes.
        """
        try:
            from matplotlib import pyplot
            from matplotlib.ticker import MaxNLocator
        except ImportError as error:
            raise ImportError("plot needs Matplotlib: pip install matplotlib") from error

        if ax is None:
            ax = pyplot.figure().add_subplot(projection="3d")
        around, along = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13))
        ball = np.array([np.cos(around) * np.sin(along), np.sin(around) * np.sin(along), np.cos(along)])
        for *centre, radius in self._spheres:
            x, y, z = np.reshape(centre, (3, 1, 1)) + radius * ball
            ax.plot_surface(x, y, z, color="#83bfe3", alpha=0.35 if axes else 1.0, linewidth=0)
        low, high = (self._spheres[:, :3] - self._spheres[:, 3:]).min(0), (self._spheres[:, :3] + self._spheres[:, 3:]).max(0)
        if axes:
            directions = _native.to_lab(self.orientation[np.newaxis].repeat(3, 0), np.eye(3))
            for direction, colour, label in zip(directions, ("C3", "C2", "C0"), "xyz", strict=True):
                end = self.centre + self.bounding_radius * direction
                low, high = np.minimum(low, end), np.maximum(high, end)
                ax.plot(*np.transpose([self.centre, end]), color=colour, label=label)
                ax.text(*end, label, color=colour)
        ax.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)", title=self._name)
        ax.set_box_aspect(high - low)
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
        # More labels than this run into each other, as do those of two axes at a corner.
        for axis, first, last in zip((ax.xaxis, ax.yaxis, ax.zaxis), low, high, strict=True):
            room = max(3, round(5 * (last - first) / max(high - low)))
            ticks = MaxNLocator(room, steps=[1, 2, 5, 10]).tick_values(first, last)
            axis.set_ticks(ticks[(ticks > 0.9 * first + 0.1 * last) & (ticks < 0.1 * first + 0.9 * last)])
        return ax


def _given(mass: Mass) -> tuple[float, list[float], list[float]] | None:
    if isinstance(mass, GivenMass):
        return (mass.volume, list(mass.centre), list(mass.inertia))
    if mass not in ("union", "sum"):
        raise InputError(f"mass: expected 'union', 'sum' or a GivenMass, found {mass!r}")
    return None


def _positive(name: str, number: float) -> float:
    value = float(number)
    if not 0 < value < float("inf"):
        raise InputError(f"{name}: must be positive and finite, but is {value}")
    return value


def _fixed(array: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    array.flags.writeable = False
    return array
