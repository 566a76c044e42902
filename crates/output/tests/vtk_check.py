#!/usr/bin/env python3
"""Reads sample results with the real VTK package and compares them with what the engine said.

    cargo run -p tumble-output --features vtkhdf --example write_samples -- FOLDER
    python3 crates/output/tests/vtk_check.py FOLDER

Needs `pip install vtk`, which brings numpy; with pandas the tables are read too. Without the feature, which needs the
HDF5 library, there are no VTKHDF files to check.
Ends with exit code 0 and a summary, or with the first thing that is wrong.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

SINGLE = 2e-7  # relative error of a number in single precision, with some room
TURNED = 1e-4  # error of orientations in a trajectory, rad


def check(condition, what):
    if not condition:
        sys.exit(f"vtk_check: {what}")


def same(found, expected, what, tolerance=0.0, scale=None):
    """Whether two arrays agree, relative to the largest number expected or to `scale`. NaN agrees with nothing."""
    found, expected = numpy.asarray(found, dtype=float), numpy.asarray(expected, dtype=float)
    check(found.shape == expected.shape, f"{what}: shape {found.shape}, expected {expected.shape}")
    if found.size == 0:
        return
    limit = tolerance * (numpy.abs(expected).max() if scale is None else scale)
    worst = numpy.abs(found - expected).max()
    check(worst <= limit, f"{what}: off by {worst}, allowed {limit}")


def series(folder, name):
    """The times and files of a `.pvd` file."""
    root = ElementTree.parse(folder / f"{name}.pvd").getroot()
    check(root.get("type") == "Collection", f"{name}.pvd is no collection")
    sets = root.findall("./Collection/DataSet")
    return [(float(data.get("timestep")), folder / data.get("file")) for data in sets]


def read(path):
    problems = []
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: problems.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: problems.append("warning"))
    reader.SetFileName(str(path))
    reader.Update()
    check(not problems, f"VTK complains about {path}")
    return reader.GetOutput()


def points(data):
    found = data.GetPoints()
    count = data.GetNumberOfPoints()
    return vtk_to_numpy(found.GetData()) if count else numpy.zeros((0, 3))


def arrays(attributes, expected, where):
    """All arrays by name; their names, types and numbers of components must be the expected ones."""
    found = {attributes.GetArrayName(i): attributes.GetArray(i) for i in range(attributes.GetNumberOfArrays())}
    layout = {name: (array.GetDataTypeAsString(), array.GetNumberOfComponents()) for name, array in found.items()}
    check(layout == expected, f"arrays of {where}: {layout}, expected {expected}")
    return {name: vtk_to_numpy(array) for name, array in found.items()}


def check_time(data, frame, where):
    fields = data.GetFieldData()
    same(vtk_to_numpy(fields.GetArray("TimeValue")), [frame["time"]], f"TimeValue of {where}")
    same(vtk_to_numpy(fields.GetArray("step")), [frame["step"]], f"step of {where}")


def rotate(q, x):
    """Takes vectors by unit quaternions (w, x, y, z)."""
    w, u = q[..., :1], q[..., 1:]
    return x + 2 * w * numpy.cross(u, x) + 2 * numpy.cross(u, numpy.cross(u, x))


def column(rows, name, width=None):
    values = numpy.array([row[name] for row in rows], dtype=float)
    return values if width is None else values.reshape(-1, width)


def check_spheres(data, frame, templates):
    layout = {
        "radius": ("float", 1), "velocity": ("float", 3), "spin": ("float", 3),
        "body": ("unsigned int", 1), "material": ("unsigned short", 1), "template": ("unsigned short", 1),
    }
    found = arrays(data.GetPointData(), layout, "spheres")
    bodies = frame["bodies"]
    owners = [body for body in bodies for _ in templates[body["template"]]]
    local = numpy.array([sphere for body in bodies for sphere in templates[body["template"]]])
    scale = column(owners, "scale", 1)
    arm = rotate(column(owners, "orientation", 4), local[:, :3] * scale)
    same(points(data), column(owners, "position", 3) + arm, "centres of spheres", SINGLE)
    same(found["radius"], local[:, 3] * scale[:, 0], "radii", SINGLE)
    spin = column(owners, "spin", 3)
    same(found["velocity"], column(owners, "velocity", 3) + numpy.cross(spin, arm), "velocities of spheres", SINGLE)
    same(found["spin"], spin, "spins of spheres", SINGLE)
    for name in ("material", "template"):
        same(found[name], column(owners, name), f"{name} of spheres")
    same(found["body"], column(owners, "id"), "bodies of spheres")
    check(data.GetNumberOfVerts() == len(owners), "every sphere is a vertex")


def check_bodies(data, frame):
    vector, number = ("double", 3), ("double", 1)
    layout = {
        "velocity": vector, "spin": vector, "force": vector, "torque": vector, "orientation": ("double", 4),
        "mass": number, "scale": number, "body": ("unsigned int", 1), "held": ("unsigned char", 1),
        "material": ("unsigned short", 1), "template": ("unsigned short", 1),
    }
    found = arrays(data.GetPointData(), layout, "bodies")
    bodies = frame["bodies"]
    same(points(data), column(bodies, "position", 3), "positions of bodies")
    for name in ("velocity", "spin", "force", "torque", "orientation", "mass", "scale", "material", "template", "held"):
        same(found[name], column(bodies, name), f"{name} of bodies")
    same(found["body"], column(bodies, "id"), "numbers of bodies")
    names = [data.GetPointData().GetArray("orientation").GetComponentName(i) for i in range(4)]
    check(names == ["w", "x", "y", "z"], f"components of the orientation: {names}")


def check_contacts(data, frame):
    vector, number = ("float", 3), ("float", 1)
    layout = {
        "force": vector, "normal": vector, "normal_force": number, "tangential_force": number,
        "elastic_energy": number, "body": ("unsigned int", 1),
        "other_body": ("long long", 1), "wall": ("long long", 1),
    }
    attributes = data.GetPointData()
    for name in ("other_body", "wall"):
        # The same type has another name on other systems.
        check(attributes.GetArray(name).GetDataTypeSize() == 8, f"size of {name}")
        layout[name] = (attributes.GetArray(name).GetDataTypeAsString(), 1)
    found = arrays(attributes, layout, "contacts")
    contacts = frame["contacts"]
    force = column(contacts, "force", 3)
    same(points(data), column(contacts, "point", 3), "points of contacts", SINGLE)
    same(found["force"], force, "forces of contacts", SINGLE)
    for name in ("body", "other_body", "wall"):
        same(found[name], column(contacts, name), f"{name} of contacts")
    if contacts:
        size = numpy.hypot(found["normal_force"], found["tangential_force"])
        same(size, numpy.linalg.norm(force, axis=1), "sizes of forces", 4 * SINGLE)
        same(numpy.linalg.norm(found["normal"], axis=1), numpy.ones(len(contacts)), "lengths of normals", 4 * SINGLE)


def check_walls(data, start, frame, names):
    """Walls are those of the first frame, moved rigidly."""
    found = arrays(data.GetCellData(), {"wall": ("unsigned int", 1), "material": ("unsigned int", 1)}, "walls")
    check(sorted(set(found["wall"])) == list(range(len(names))), "every wall has triangles")
    check(data.GetNumberOfPolys() == data.GetNumberOfCells() > 0, "walls are triangles")
    triangles = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    wall_of = numpy.full(data.GetNumberOfPoints(), -1)
    wall_of[triangles] = found["wall"].reshape(-1, 1)
    check(wall_of.min() >= 0, "every corner belongs to a triangle")

    def in_reference(places, poses):
        pose = [poses[wall] for wall in wall_of]
        q = column(pose, "orientation", 4) * [1, -1, -1, -1]
        return column(pose, "pivot", 3) + rotate(q, places - column(pose, "origin", 3))

    then = in_reference(points(start[0]), start[1]["poses"])
    now = in_reference(points(data), frame["poses"])
    same(now, then, "corners of walls in their own frames", 4 * SINGLE)


OF_BODIES = {
    "speed": ("float", 1), "spin_rate": ("float", 1),
    "body": ("unsigned int", 1), "material": ("unsigned short", 1), "template": ("unsigned short", 1),
}
# Arrays of points and of cells in VTKHDF files.
VTKHDF = {
    "spheres": ({"radius": ("float", 1), **OF_BODIES}, {}),
    "bodies": ({"orientation": ("float", 4), "scale": ("float", 1), **OF_BODIES}, {}),
    "contacts": ({"force": ("float", 3)}, {}),
    "walls": ({}, {"wall": ("unsigned int", 1), "material": ("unsigned int", 1)}),
}


def check_vtkhdf(path, name, expected):
    """Every step of a VTKHDF file is the `.vtp` file of the same frame, as far as the trajectory knows."""
    problems = []
    reader = vtk.vtkHDFReader()
    reader.AddObserver("ErrorEvent", lambda *_: problems.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: problems.append("warning"))
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    frames = expected["frames"]
    same(times, [frame["time"] for frame in frames], f"times of {path}")
    listed = series(path.parent / "vtk", name)
    # Backwards, so that nothing depends on what was read before.
    for number in reversed(range(len(frames))):
        frame = frames[number]
        reader.UpdateTimeStep(frame["time"])
        check(not problems, f"VTK complains about {path}")
        found, vtp, where = reader.GetOutput(), read(listed[number][1]), f"{path.name}, frame {number}"
        same(vtk_to_numpy(found.GetFieldData().GetArray("step")), [frame["step"]], f"step of {where}")
        arms = [numpy.linalg.norm(sphere[:3]) for template in expected["templates"] for sphere in template]
        turned = TURNED * max(arms) if name == "spheres" else 0.0
        size = numpy.abs(points(vtp)).max(initial=0.0)
        same(points(found), points(vtp), f"points of {where}", 1.0, SINGLE * size + turned)
        for cells in ("GetVerts", "GetLines", "GetPolys", "GetStrips"):
            for part in ("GetOffsetsArray", "GetConnectivityArray"):
                of = lambda data: vtk_to_numpy(getattr(getattr(data, cells)(), part)())
                same(of(found), of(vtp), f"{cells}, {part} of {where}")
        for attributes, layout in zip(("GetPointData", "GetCellData"), VTKHDF[name]):
            check_same_arrays(getattr(found, attributes)(), getattr(vtp, attributes)(), layout, frame, where)
    return len(times)


def check_same_arrays(found, vtp, layout, frame, where):
    """Arrays of the same name are the same. Of velocities the trajectory knows only how large they are."""
    for name, values in arrays(found, layout, where).items():
        vector = {"speed": "velocity", "spin_rate": "spin"}.get(name)
        if vector:
            sizes = {body["id"]: numpy.linalg.norm(body[vector]) for body in frame["bodies"]}
            expected = [sizes[owner] for owner in vtk_to_numpy(vtp.GetArray("body"))]
        else:
            check(vtp.HasArray(name), f"{where} has {name}, and the .vtp file has not")
            expected = vtk_to_numpy(vtp.GetArray(name))
        same(values, expected, f"{name} of {where}", TURNED if name == "orientation" else SINGLE)


def check_tables(folder, frames, names):
    try:
        import pandas
    except ImportError:
        return "tables not read (no pandas)"
    energy, walls = pandas.read_csv(folder / "energy.csv"), pandas.read_csv(folder / "walls.csv")
    same(energy["time_s"], [frame["time"] for frame in frames], "times of energy.csv")
    same(energy["contacts"], [len(frame["contacts"]) for frame in frames], "contacts of energy.csv")
    check(not energy.isna().any().any() and not walls.isna().any().any(), "a table has holes")
    check(list(walls["wall"]) == names * len(frames), "walls of walls.csv")
    check((energy.dtypes != object).all(), "energy.csv has a column of text")
    return f"tables with {len(energy)} and {len(walls)} rows"


def main():
    folder = Path(sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__))
    expected = json.loads((folder / "expected.json").read_text())
    frames, names = expected["frames"], expected["walls"]
    start = None
    counts = dict.fromkeys(("spheres", "bodies", "contacts", "walls"), 0)
    for name in counts:
        listed = series(folder / "vtk", name)
        same([time for time, _ in listed], [frame["time"] for frame in frames], f"times of {name}.pvd")
        for (_, path), frame in zip(listed, frames):
            data = read(path)
            check_time(data, frame, path)
            if name == "spheres":
                check_spheres(data, frame, expected["templates"])
            elif name == "bodies":
                check_bodies(data, frame)
            elif name == "contacts":
                check_contacts(data, frame)
            else:
                start = start or (data, frame)
                check_walls(data, start, frame, names)
            counts[name] += data.GetNumberOfPolys() if name == "walls" else data.GetNumberOfPoints()
    check(min(counts.values()) > 0, f"nothing to see: {counts}")
    tables = check_tables(folder, frames, names)
    vtkhdf = "no VTKHDF"
    if expected["vtkhdf"]:
        steps = sum(check_vtkhdf(folder / f"{name}.vtkhdf", name, expected) for name in counts)
        vtkhdf = f"{steps} steps of {len(counts)} VTKHDF files"
    version = vtk.vtkVersion.GetVTKVersion()
    print(f"vtk_check: VTK {version} read {len(frames)} frames: {counts}; {tables}; {vtkhdf}")


if __name__ == "__main__":
    main()
