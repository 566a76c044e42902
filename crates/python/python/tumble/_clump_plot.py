"""Clumps drawn by Matplotlib. Private."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tumble import _native

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d.axes3d import Axes3D

    from tumble.clump import Clump

Floats = npt.NDArray[np.float64]


def plot(clump: Clump, ax: Axes3D | None, axes: bool) -> Axes3D:
    """Draws a clump in the frame of its spheres; see `Clump.plot`."""
    try:
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator
    except ImportError as error:
        raise ImportError("plot needs Matplotlib: pip install matplotlib") from error

    if ax is None:
        ax = pyplot.figure().add_subplot(projection="3d")
    surfaces = [_capsule(np.concatenate([sphere[:3], sphere])) for sphere in clump.spheres]
    surfaces += [_capsule(capsule) for capsule in clump.capsules]
    surfaces += [_ellipsoid(ellipsoid) for ellipsoid in clump.ellipsoids]
    for x, y, z in surfaces:
        ax.plot_surface(x, y, z, color="#83bfe3", alpha=0.35 if axes else 1.0, linewidth=0)
    spots = [np.zeros((0, 4))]
    for corners, rounding in clump.polyhedra:
        numbers, normals, triangles = _native.rounded_surface(corners, _native.hull_faces(corners, rounding))
        ax.plot_trisurf(*(corners[numbers] + rounding * normals).T, triangles=triangles, color="#83bfe3", alpha=0.35 if axes else 1.0)
        spots.append(np.column_stack([corners, np.full(len(corners), rounding)]))
    around = np.column_stack([clump.ellipsoids[:, :3], clump.ellipsoids[:, 3:6].max(1, initial=0)])
    ends = np.concatenate([clump.spheres, clump.capsules[:, [0, 1, 2, 6]], clump.capsules[:, 3:], around, *spots])
    low, high = (ends[:, :3] - ends[:, 3:]).min(0), (ends[:, :3] + ends[:, 3:]).max(0)
    if axes:
        directions = _native.to_lab(clump.orientation[np.newaxis].repeat(3, 0), np.eye(3))
        for direction, colour, label in zip(directions, ("C3", "C2", "C0"), "xyz", strict=True):
            end = clump.centre + clump.bounding_radius * direction
            low, high = np.minimum(low, end), np.maximum(high, end)
            ax.plot(*np.transpose([clump.centre, end]), color=colour, label=label)
            ax.text(*end, label, color=colour)
    ax.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)", title=clump.name)
    ax.set_box_aspect(high - low)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    # More labels than this run into each other, as do those of two axes at a corner.
    for axis, first, last in zip((ax.xaxis, ax.yaxis, ax.zaxis), low, high, strict=True):
        room = max(3, round(5 * (last - first) / max(high - low)))
        ticks = MaxNLocator(room, steps=[1, 2, 5, 10]).tick_values(first, last)
        axis.set_ticks(ticks[(ticks > 0.9 * first + 0.1 * last) & (ticks < 0.1 * first + 0.9 * last)])
    return ax


def _capsule(row: Floats) -> Floats:
    """The surface of a capsule, or of a sphere where both ends are the same: half spheres, and what lies between. (3, along, around)"""
    first, second, radius = row[:3], row[3:6], row[6]
    length = float(np.linalg.norm(second - first))
    up = (second - first) / length if length > 0 else np.array([0.0, 0.0, 1.0])
    across = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
    across /= np.linalg.norm(across)
    around, along = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13))
    sides = np.multiply.outer(across, np.cos(around)) + np.multiply.outer(np.cross(up, across), np.sin(around))
    ball = np.sin(along) * sides + np.multiply.outer(up, np.cos(along))
    # The upper half about the second end, the lower one about the first; the equator belongs to both.
    middle = len(along) // 2
    upper, lower = ball[:, : middle + 1], ball[:, middle:]
    surface: Floats = np.concatenate([second[:, None, None] + radius * upper, first[:, None, None] + radius * lower], axis=1)
    return surface


def _ellipsoid(row: Floats) -> Floats:
    """The surface of an ellipsoid: that of a ball about the origin, stretched, turned and moved. (3, along, around)"""
    ball = _capsule(np.array([0.0, 0, 0, 0, 0, 0, 1]))
    points = ball.reshape(3, -1).T * row[3:6]
    q = row[6:] / np.linalg.norm(row[6:])
    turned = _native.to_lab(q[np.newaxis].repeat(len(points), 0), np.ascontiguousarray(points)) + row[:3]
    return np.ascontiguousarray(turned.T).reshape(ball.shape)
