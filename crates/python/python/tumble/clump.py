"""Rigid shapes made of spheres, capsules, ellipsoids and rounded polyhedra: from files, arrays, triangle meshes and the built-in list, with exact mass properties."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble import _clump_plot, _native
from tumble._toml import document
from tumble.errors import InputError

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d.axes3d import Axes3D

__all__ = ["Certificate", "Clump", "GivenMass", "Mass", "Shape", "shapes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenMass:
    """The mass of the body that the pieces stand for, in the frame they are given in."""

    volume: float
    """Volume, m³."""
    inertia: tuple[float, float, float, float, float, float]
    """Tensor of inertia about the centre of mass divided by the density, m⁵: xx, yy, zz, yz, xz, xy."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre of mass, m."""


Mass: TypeAlias = Literal["union", "sum"] | GivenMass
"""How mass follows from the pieces: of their union, overlaps counted once; of each, overlaps counted twice; or given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """How well the spheres of a clump stand for a mesh. Bounds of surfaces are proved by bisection, not sampled."""

    size: float
    """The size of the mesh, m: that of a ball of the same volume."""
    surface: float
    """The two surfaces are nowhere farther apart, m."""
    seen: float
    """At some point they are so far apart, m."""
    mean: float
    """On average they are so far apart, m."""
    volume_error: float
    """Difference of the volumes of the union and of the mesh, over that of the mesh."""
    inertia_error: float
    """Largest difference of the tensors of inertia, over the largest entry of that of the mesh."""
    reached: bool
    """Whether everything that was asked for is kept."""
    repairs: tuple[str, ...]
    """What was mended in the mesh, a sentence each."""


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
    """A rigid shape made of spheres, capsules, ellipsoids, boxes and hulls. `from_spheres`, `from_file`, `from_mesh` and `from_shape` make one of spheres; it
    does not change.

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

    A capsule is a sphere swept along a segment, a smooth rod:

    >>> Clump(capsules=[[0, 0, 0, 0.02, 0, 0, 0.001]], name="fibre")
    <Clump 'fibre' of one capsule: volume 6.70206e-08 m³, bounding radius 0.011 m>

    An ellipsoid is one piece as well, alone by `Clump.ellipsoid`, or beside others:

    >>> Clump.ellipsoid(0.003, 0.003, 0.001, name="lentil")
    <Clump 'lentil' of one ellipsoid: volume 3.76991e-08 m³, bounding radius 0.003 m>

    So is a rounded polyhedron: a box, alone by `Clump.box`, or all within a rounding of the hull of some corners, `Clump.hull`:

    >>> Clump.box(0.016, 0.016, 0.016, rounding=0.002, name="die")
    <Clump 'die' of one box: volume 3.9419e-06 m³, bounding radius 0.0123923 m>

    A clump turns by `rotation`:

    >>> from tumble import rotation
    >>> knight = Clump.from_shape("knight")
    >>> inertia = knight.moments(density=700)
    >>> rotation.integrate("magnus-leapfrog", inertia, [1, 0, 0, 0], [0, 20, 0], None, 1e-3, 100).final.t
    0.1
    """

    __slots__ = ("_boxes", "_capsules", "_certificate", "_ellipsoids", "_facts", "_hulls", "_name", "_spheres")

    def __init__(
        self,
        spheres: npt.ArrayLike = (),
        *,
        capsules: npt.ArrayLike = (),
        ellipsoids: npt.ArrayLike = (),
        boxes: npt.ArrayLike = (),
        hulls: Iterable[tuple[npt.ArrayLike, float]] = (),
        mass: Mass = "union",
        name: str = "",
    ) -> None:
        """A clump of spheres, capsules, ellipsoids, boxes and hulls. Ellipsoids and the last two do not go together.

        Args:
            spheres: centre and radius of each sphere, m, of shape (n, 4): x, y, z, r.
            capsules: both ends and the radius of each capsule, m, of shape (n, 7): x, y, z, x, y, z, r. The ends are the centres of
                the half spheres there.
            ellipsoids: centre and semi-axes of each ellipsoid, m, and the quaternion that turns the semi-axes from x, y and z, of
                shape (n, 10): x, y, z, a, b, c, w, x, y, z.
            boxes: centre, size and rounding of each box with round edges, m, the rounding being part of the size, and the quaternion that
                turns it, of shape (n, 11): x, y, z, a, b, c, r, w, x, y, z.
            hulls: of each rounded polyhedron its corners, m, of shape (n, 3), and the rounding, m: all within the rounding of the convex
                hull of the corners.
            mass: "union", "sum" or a `GivenMass`. The union is known in closed form if nothing but spheres overlaps.
            name: a name for pictures.

        Raises:
            InputError: a shape of an array, a radius or a mass is not possible, or a union is not known.
        """
        rows, rods, ovals = _rows(spheres, 4), _rows(capsules, 7), _rows(ellipsoids, 10)
        self._name = name
        blocks, solids = _rows(boxes, 11), [(_rows(corners, 3), float(rounding)) for corners, rounding in hulls]
        self._facts: dict[str, Any] = _native.mass_properties(
            rows, rods, ovals, blocks, solids, union=mass != "sum", given=_given(mass)
        )
        self._boxes, self._hulls = _fixed(blocks), tuple((_fixed(corners), rounding) for corners, rounding in solids)
        self._spheres, self._capsules, self._ellipsoids = _fixed(rows), _fixed(rods), _fixed(ovals)
        self._certificate: Certificate | None = None

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
    def ellipsoid(cls, a: float, b: float, c: float, *, mass: Mass = "union", name: str = "") -> Clump:
        """One ellipsoid about the origin.

        Args:
            a, b, c: semi-axes along x, y and z, m; none more than five times as long as another.
            mass: "union", "sum" or a `GivenMass`.
            name: a name for pictures.

        Raises:
            InputError: a semi-axis is not positive, or too long for another.

        >>> from tumble import Clump
        >>> round(Clump.ellipsoid(3, 2, 1).volume / Clump.from_spheres([[0, 0, 0, 1]]).volume, 12)
        6.0
        """
        return cls(ellipsoids=[[0, 0, 0, a, b, c, 1, 0, 0, 0]], mass=mass, name=name)

    @classmethod
    def box(cls, a: float, b: float, c: float, *, rounding: float, mass: Mass = "union", name: str = "") -> Clump:
        """One box with round edges and corners about the origin.

        Args:
            a, b, c: how long it is along x, y and z, the rounding included, m.
            rounding: the radius of edges and corners, m: less than half of the shortest side, and at least a two hundredth of the longest edge.
            mass: "union", "sum" or a `GivenMass`.
            name: a name for pictures.

        Raises:
            InputError: a length is not positive, or the rounding too small or too large.

        >>> from tumble import Clump
        >>> round(Clump.box(3, 2, 1, rounding=0.02).volume, 3)
        5.998
        """
        return cls(boxes=[[0, 0, 0, a, b, c, rounding, 1, 0, 0, 0]], mass=mass, name=name)

    @classmethod
    def hull(cls, corners: npt.ArrayLike, *, rounding: float, mass: Mass = "union", name: str = "") -> Clump:
        """All within a rounding of the convex hull of some corners.

        Args:
            corners: the centres of the spheres at the corners, m, of shape (n, 3), each of which sticks out: at least four, and no more than 128.
            rounding: their radius, m, at least a two hundredth of the longest edge.
            mass: "union", "sum" or a `GivenMass`.
            name: a name for pictures.

        Raises:
            InputError: corners lie in a plane or within the others, or the rounding is too small.

        >>> from tumble import Clump
        >>> Clump.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], rounding=0.1)
        Traceback (most recent call last):
            ...
        tumble.errors.InputError: polyhedron 0 of the clump ...
        """
        return cls(hulls=[(corners, rounding)], mass=mass, name=name)

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
    def from_mesh(
        cls,
        path: str | os.PathLike[str],
        *,
        surface: float | str = "5%",
        spheres_max: int = 200,
        volume: float | None = None,
        inertia: float | None = None,
        smallest_radius: float | str | None = None,
        equal: bool = False,
        seed: int = 1,
        scale: float = 1.0,
        largest_body: bool = False,
        name: str | None = None,
    ) -> Clump:
        """As few spheres as stand for a closed triangle mesh, as `tumble clump` makes them; `certificate` says how well.

        Volume, centre and inertia of the union of the spheres are those of the mesh. Where they cannot be, the clump has those of
        the mesh itself.

        Args:
            path: the mesh, STL or PLY (text or binary), or OBJ.
            surface: largest distance between the two surfaces: a part of the size such as "2%", or a length, in m or as "0.1 mm";
                0 for as many spheres as there may be.
            spheres_max: how many spheres there may be.
            volume: largest difference of the volumes, such as 0.01, where they cannot be made equal.
            inertia: the same of the tensors of inertia.
            smallest_radius: no sphere is smaller: a part of the size, or a length.
            equal: equal spheres that touch and do not overlap, inside the mesh, for bonds. Their radius is `smallest_radius`, or
                what gives `spheres_max` of them.
            seed: another number gives another solution of much the same quality.
            scale: metres in a unit of the mesh: 0.001 for a mesh in millimetres.
            largest_body: of several separate bodies, take the largest.
            name: a name for pictures; that of the file if none is given.

        Raises:
            InputError: the mesh cannot be read or is not closed, or something that was asked for cannot be; the text says why.

        Warns:
            UserWarning: the mesh looks odd, or `spheres_max` are too few for what was asked for.
        """
        asked = {
            "scale": _positive("scale", scale),
            "largest_body": bool(largest_body),
            "surface": _length(surface),
            "spheres_max": spheres_max,
            "volume": volume,
            "inertia": inertia,
            "smallest_radius": None if smallest_radius is None else _length(smallest_radius),
            "equal": bool(equal),
            "seed": seed,
        }
        if not isinstance(spheres_max, int) or spheres_max < 1:
            raise InputError(f"spheres_max: expected a whole number from 1 on, found {spheres_max!r}")
        facts = _native.mesh_clump(path, asked)
        spheres, given = facts.pop("spheres"), facts.pop("given")
        for text in facts.pop("warnings"):
            warnings.warn(f"{os.fspath(path)}: {text}", stacklevel=2)
        mass: Mass = "union"
        if given is not None:
            of_mesh, centre, tensor = given
            mass = GivenMass(volume=of_mesh, centre=tuple(centre), inertia=tuple(tensor))
        clump = cls(spheres, mass=mass, name=os.path.splitext(os.path.basename(path))[0] if name is None else name)
        clump._certificate = Certificate(**facts | {"repairs": tuple(facts["repairs"])})
        if not facts["reached"]:
            kept = 100 * facts["surface"] / facts["size"]
            warnings.warn(f"{len(clump)} spheres keep {kept:.3g} % of the size, not what was asked for: spheres_max", stacklevel=2)
        return clump

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
        """The number of pieces."""
        return len(self._spheres) + len(self._capsules) + len(self._ellipsoids) + len(self._boxes) + len(self._hulls)

    def __repr__(self) -> str:
        counts = {"sphere": len(self._spheres), "capsule": len(self._capsules), "ellipsoid": len(self._ellipsoids)}
        counts |= {"box": len(self._boxes), "hull": len(self._hulls)}
        many = {"box": "boxes"}
        pieces = " and ".join(f"one {what}" if count == 1 else f"{count} {many.get(what, what + 's')}" for what, count in counts.items() if count)
        name = f" {self._name!r}" if self._name else ""
        return f"<Clump{name} of {pieces}: volume {self.volume:g} m³, bounding radius {self.bounding_radius:g} m>"

    def _repr_svg_(self) -> str:
        return _native.clump_svg(self._spheres, self._capsules, self._ellipsoids, self._boxes, self._hulls, self._name)

    @property
    def name(self) -> str:
        """The name, or nothing."""
        return self._name

    @property
    def certificate(self) -> Certificate | None:
        """How well it stands for the mesh that it was made from; nothing for other clumps."""
        return self._certificate

    @property
    def spheres(self) -> npt.NDArray[np.float64]:
        """x, y, z, r of each sphere in the frame they were given in, m, (n, 4). Cannot be written to."""
        return self._spheres

    @property
    def capsules(self) -> npt.NDArray[np.float64]:
        """Both ends and the radius of each capsule, x, y, z, x, y, z, r, in the frame they were given in, m, (n, 7). Cannot be written to."""
        return self._capsules

    @property
    def ellipsoids(self) -> npt.NDArray[np.float64]:
        """Centre, semi-axes and quaternion of each ellipsoid, x, y, z, a, b, c, w, x, y, z, in the frame they were given in, (n, 10). Cannot be
        written to."""
        return self._ellipsoids

    @property
    def boxes(self) -> npt.NDArray[np.float64]:
        """Centre, size, rounding and quaternion of each box, x, y, z, a, b, c, r, w, x, y, z, in the frame they were given in, (n, 11). Cannot be
        written to."""
        return self._boxes

    @property
    def hulls(self) -> tuple[tuple[npt.NDArray[np.float64], float], ...]:
        """The corners of each hull, m, (n, 3), which cannot be written to, and its rounding, m, in the frame they were given in."""
        return self._hulls

    @property
    def polyhedra(self) -> list[tuple[npt.NDArray[np.float64], float]]:
        """Corners and rounding, m, of all boxes, then of all hulls, in the frame they were given in: new arrays for boxes."""
        signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        blocks = []
        for row in self._boxes:
            turn = np.ascontiguousarray(row[np.newaxis, 7:].repeat(8, 0) / np.linalg.norm(row[7:]))
            blocks.append((row[:3] + _native.to_lab(turn, np.ascontiguousarray(signs * (row[3:6] - 2 * row[6]))), float(row[6])))
        return blocks + list(self._hulls)

    @property
    def body_spheres(self) -> npt.NDArray[np.float64]:
        """x, y, z, r of each sphere in the principal frame, m, (n, 4): a new array."""
        return np.column_stack([self._to_body(self._spheres[:, :3]), self._spheres[:, 3]])

    @property
    def body_capsules(self) -> npt.NDArray[np.float64]:
        """Both ends and the radius of each capsule in the principal frame, m, (n, 7): a new array."""
        first, second = (self._to_body(self._capsules[:, at : at + 3]) for at in (0, 3))
        return np.column_stack([first, second, self._capsules[:, 6]])

    def _to_body(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Points in the principal frame."""
        return _native.to_body(self.orientation[np.newaxis].repeat(len(points), 0), np.ascontiguousarray(points - self.centre))

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
        """The radius of the sphere about the centre of mass that encloses everything, m."""
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
        return _clump_plot.plot(self, ax, axes)


def _given(mass: Mass) -> tuple[float, list[float], list[float]] | None:
    if isinstance(mass, GivenMass):
        return (mass.volume, list(mass.centre), list(mass.inertia))
    if mass not in ("union", "sum"):
        raise InputError(f"mass: expected 'union', 'sum' or a GivenMass, found {mass!r}")
    return None


def _rows(values: npt.ArrayLike, columns: int) -> npt.NDArray[np.float64]:
    rows = np.array(values, dtype=np.float64, ndmin=2)
    return rows.reshape(0, columns) if rows.size == 0 else rows


def _length(length: float | str) -> str:
    return length if isinstance(length, str) else f"{length:.17g}"


def _positive(name: str, number: float) -> float:
    value = float(number)
    if not 0 < value < float("inf"):
        raise InputError(f"{name}: must be positive and finite, but is {value}")
    return value


def _fixed(array: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    array.flags.writeable = False
    return array
