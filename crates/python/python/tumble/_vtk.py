"""Frames of a trajectory as files for ParaView. Private."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble.errors import InputError

if TYPE_CHECKING:
    from tumble.results import Frame, Frames

# Of each template the normals at its points, and its triangles.
Shapes = Sequence[tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]]

_TYPES = {"f4": "Float32", "u4": "UInt32", "i4": "Int32"}


def write(frames: "Frames", folder: Path, every: int) -> Path:
    """Writes `spheres_000000.vtp` and so on, and their times in `spheres.pvd`, whose path it gives; the same of capsules, ellipsoids and
    polyhedra, if there are any."""
    if every < 1:
        raise InputError(f"every: expected 1 or more, found {every}")
    folder.mkdir(parents=True, exist_ok=True)
    ends = [spheres[capsules.ravel()] for spheres, capsules in zip(frames.template_spheres, frames.template_capsules, strict=True)]
    if any(map(len, ends)):
        _series(frames, folder, "capsules", ends, every)
    if any(map(len, frames.template_ellipsoids)):
        points = [spheres[points.ravel()] for spheres, points in zip(frames.template_spheres, frames.template_ellipsoids, strict=True)]
        _series(frames, folder, "ellipsoids", points, every)
    if any(map(len, frames.template_polyhedra)):
        _surfaces(frames, folder, every)
    shown = []
    for spheres, ellipsoids, polyhedra in zip(frames.template_spheres, frames.template_ellipsoids, frames.template_polyhedra, strict=True):
        corners = [corner for faces in polyhedra for face in faces for corner in face]
        shown.append(np.delete(spheres, np.array([*ellipsoids.ravel(), *corners], dtype=np.int64), axis=0))
    return _series(frames, folder, "spheres", shown, every)


def _series(frames: "Frames", folder: Path, what: str, templates: list[npt.NDArray[np.float64]], every: int, shapes: Shapes = ()) -> Path:
    """Files of all frames, each point of a template with its radius."""
    entries = []
    for number, at in enumerate(range(0, len(frames), every)):
        frame = frames[at]
        name = f"{what}_{number:06}.vtp"
        (folder / name).write_text(_points(frame, templates, what, shapes), encoding="ascii")
        entries.append(f'<DataSet timestep="{frame.time!r}" file="{name}"/>')
    index = folder / f"{what}.pvd"
    index.write_text(_file("Collection", "0.1", f"<Collection>{''.join(entries)}</Collection>"), encoding="ascii")
    return index


def _surfaces(frames: "Frames", folder: Path, every: int) -> None:
    """Polyhedra of all frames as triangles: of a template the place of each point, and its normal."""
    templates, shapes = [], []
    for spheres, polyhedra in zip(frames.template_spheres, frames.template_polyhedra, strict=True):
        points, normals, triangles = [np.zeros((0, 4))], [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int32)]
        for faces in polyhedra:
            corners, outward, numbers = _native.rounded_surface(np.ascontiguousarray(spheres[:, :3]), faces)
            at = sum(map(len, points))
            radii = spheres[corners, 3:]
            points.append(np.hstack([spheres[corners, :3] + radii * outward, radii]))
            normals.append(outward)
            triangles.append(numbers.astype(np.int32) + np.int32(at))
        templates.append(np.concatenate(points))
        shapes.append((np.concatenate(normals), np.concatenate(triangles)))
    _series(frames, folder, "polyhedra", templates, every, shapes)


def _points(frame: "Frame", templates: list[npt.NDArray[np.float64]], what: str, surfaces: Shapes) -> str:
    """Points with radius, speed and spin of their body, and what it is; or lines between each two of them; or of each four, an ellipsoid, the first; or
    triangles between them."""
    counts = [len(templates[template]) for template in frame.templates]
    owners = np.repeat(np.arange(len(frame.ids)), counts)
    own = [templates[template] for template in frame.templates]
    spheres = (np.concatenate(own) if own else np.zeros((0, 4))) * frame.scales[owners, None]
    arms = np.ascontiguousarray(spheres[:, :3])
    centres = frame.positions[owners] + _native.to_lab(np.ascontiguousarray(frame.quaternions[owners]), arms)
    if what == "ellipsoids":
        axes = centres.reshape(-1, 4, 3)[:, 1:] - centres[::4, None]
        lengths = np.linalg.norm(axes, axis=2)
        shapes = np.einsum("nki,nkj,nk->nij", axes, axes, 1 / lengths).reshape(-1, 9)
        owners, spheres, centres = owners[::4], spheres[::4], centres[::4]
    count = len(owners)
    data = {
        "radius": spheres[:, 3].astype("f4"),
        "speed": frame.speeds[owners].astype("f4"),
        "spin": frame.spins[owners].astype("f4"),
        "body": frame.ids[owners].astype("u4"),
        "template": frame.templates[owners].astype("u4"),
        "material": frame.materials[owners].astype("u4"),
    }
    if what == "ellipsoids":
        data["shape"] = shapes.astype("f4")
    if surfaces:
        outward = np.concatenate([np.zeros((0, 3)), *(surfaces[template][0] for template in frame.templates)])
        data["Normals"] = _native.to_lab(np.ascontiguousarray(frame.quaternions[owners]), np.ascontiguousarray(outward)).astype("f4")
    arrays = "".join(_array(name, column) for name, column in data.items())
    size, cells = {"capsules": (2, "Lines"), "polyhedra": (3, "Polys")}.get(what, (1, "Verts"))
    connected = np.arange(count, dtype=np.int32)
    if surfaces:
        firsts = np.cumsum([0, *counts])
        own_triangles = [surfaces[template][1] + first for template, first in zip(frame.templates, firsts[:-1], strict=True)]
        connected = np.concatenate([np.zeros((0, 3)), *own_triangles]).astype(np.int32).ravel()
    numbers = {"Verts": 0, "Lines": 0, "Strips": 0, "Polys": 0} | {cells: len(connected) // size}
    sizes = " ".join(f'NumberOf{kind}="{number}"' for kind, number in numbers.items())
    corners = _array("connectivity", connected) + _array("offsets", np.arange(size, len(connected) + 1, size, dtype="i4"))
    use = ' Normals="Normals"' if surfaces else ""
    piece = (
        f'<Piece NumberOfPoints="{count}" {sizes}>'
        f"<PointData{use}>{arrays}</PointData><Points>{_array('Points', centres.astype('f4'))}</Points>"
        f"<{cells}>{corners}</{cells}></Piece>"
    )
    return _file("PolyData", "1.0", f"<PolyData>{piece}</PolyData>")


def _array(name: str, values: npt.NDArray[Any]) -> str:
    kind = _TYPES[values.dtype.str[1:]]
    little = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()
    text = base64.b64encode(np.array(len(little), dtype="<u8").tobytes() + little).decode("ascii")
    components = values.shape[1] if values.ndim == 2 else 1
    return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="binary">{text}</DataArray>'


def _file(kind: str, version: str, content: str) -> str:
    return (
        f'<?xml version="1.0"?>\n<VTKFile type="{kind}" version="{version}" byte_order="LittleEndian" header_type="UInt64">'
        f"{content}</VTKFile>\n"
    )
