"""Frames of a trajectory as files for ParaView. Private."""

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble.errors import InputError

if TYPE_CHECKING:
    from tumble.results import Frame, Frames

_TYPES = {"f4": "Float32", "u4": "UInt32", "i4": "Int32"}


def write(frames: "Frames", folder: Path, every: int) -> Path:
    """Writes `spheres_000000.vtp` and so on, and their times in `spheres.pvd`, whose path it gives; the same of capsules and ellipsoids, if
    there are any."""
    if every < 1:
        raise InputError(f"every: expected 1 or more, found {every}")
    folder.mkdir(parents=True, exist_ok=True)
    ends = [spheres[capsules.ravel()] for spheres, capsules in zip(frames.template_spheres, frames.template_capsules, strict=True)]
    if any(map(len, ends)):
        _series(frames, folder, "capsules", ends, every)
    if any(map(len, frames.template_ellipsoids)):
        points = [spheres[points.ravel()] for spheres, points in zip(frames.template_spheres, frames.template_ellipsoids, strict=True)]
        _series(frames, folder, "ellipsoids", points, every)
    shown = [np.delete(spheres, points.ravel(), axis=0) for spheres, points in zip(frames.template_spheres, frames.template_ellipsoids, strict=True)]
    return _series(frames, folder, "spheres", shown, every)


def _series(frames: "Frames", folder: Path, what: str, templates: list[npt.NDArray[np.float64]], every: int) -> Path:
    """Files of all frames, each point of a template with its radius."""
    entries = []
    for number, at in enumerate(range(0, len(frames), every)):
        frame = frames[at]
        name = f"{what}_{number:06}.vtp"
        (folder / name).write_text(_points(frame, templates, what), encoding="ascii")
        entries.append(f'<DataSet timestep="{frame.time!r}" file="{name}"/>')
    index = folder / f"{what}.pvd"
    index.write_text(_file("Collection", "0.1", f"<Collection>{''.join(entries)}</Collection>"), encoding="ascii")
    return index


def _points(frame: "Frame", templates: list[npt.NDArray[np.float64]], what: str) -> str:
    """Points with radius, speed and spin of their body, and what it is; or lines between each two of them; or of each four, an ellipsoid, the first."""
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
    arrays = "".join(_array(name, column) for name, column in data.items())
    size, cells = (2, "Lines") if what == "capsules" else (1, "Verts")
    numbers = {"Verts": 0, "Lines": 0, "Strips": 0, "Polys": 0} | {cells: count // size}
    sizes = " ".join(f'NumberOf{kind}="{number}"' for kind, number in numbers.items())
    corners = _array("connectivity", np.arange(count, dtype="i4")) + _array("offsets", np.arange(size, count + 1, size, dtype="i4"))
    piece = (
        f'<Piece NumberOfPoints="{count}" {sizes}>'
        f"<PointData>{arrays}</PointData><Points>{_array('Points', centres.astype('f4'))}</Points>"
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
