"""Results from Python are the files that the program writes, byte for byte, and can be read back."""

import base64
import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tumble

# How long things took.
TIMED = {"summary.json", "report.html"}

KEYS = {"run.dt": "1e-6", "run.steps": "400", "output.vtk": "true"}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tumble.Result:
    sim = tumble.Simulation.from_scene("chess", threads=1, set=KEYS)
    return sim.run(out=tmp_path_factory.mktemp("results") / "chess")


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name not in TIMED)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.skipif("TUMBLE_PROGRAM" not in os.environ, reason="TUMBLE_PROGRAM names the program to compare with")
def test_files_are_those_of_the_program(result: tumble.Result, tmp_path: Path) -> None:
    scene = tmp_path / "chess.toml"
    scene.write_text({name: text for name, _, text in tumble._native.examples()}["chess"])
    keys = [word for key, value in KEYS.items() for word in ("--set", f"{key}={value}")]
    program = [os.environ["TUMBLE_PROGRAM"], "run", str(scene), "--quiet", "--threads", "2", "--out", str(tmp_path / "out"), *keys]
    subprocess.run(program, check=True)
    ours, theirs = files(result.path), files(tmp_path / "out")
    # Which machine wrote it is the same; how many threads is told by the scene as run.
    assert ours.keys() == theirs.keys() and len(ours) > 5
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_callbacks_and_pauses_change_no_byte(result: tumble.Result, tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene("chess", threads=2, set=KEYS)
    again = sim.run(out=tmp_path / "again", every=33, callback=lambda sim: None, until=lambda sim: sim.time > 1)
    assert files(again.path) == files(result.path)


def test_measures_are_a_table_with_gaps(tmp_path: Path) -> None:
    scene = tumble.Scene.example("dzhanibekov")
    scene["measures"] = [
        {"name": "all", "kind": "centre-of-mass", "every": {"steps": 50}},
        {"name": "mean", "kind": "sizes", "every": {"steps": 20}, "window": {"steps": 100}},
    ]
    sim = tumble.Simulation.from_scene(scene, threads=1)
    assert np.isnan(sim.measures()["mean.d50_m"])
    measures = sim.run(steps=200, out=tmp_path / "out").measures
    assert measures["step"].tolist() == [0, 50, 100, 150, 200]
    assert np.isfinite(measures["mean.d50_m"]).tolist() == [False, False, True, False, True]
    assert np.isfinite(measures["all.x_m"]).all()
    assert measures.dataframe().shape == (5, len(measures))
    assert sim.measures()["mean.d50_m"] == measures["mean.d50_m"][-1]


def test_tables_and_summary(result: tumble.Result) -> None:
    energy = result.energy
    assert energy.rows == 401 and energy["step"].tolist() == list(range(401)) and energy["step"].dtype.kind == "i"
    np.testing.assert_allclose(energy["mechanical_J"], energy["mechanical_J"][0], rtol=1e-2)
    frame = energy.dataframe()
    assert frame.shape == (401, len(energy)) and frame["time_s"].iloc[-1] == energy["time_s"][-1]
    assert result.walls.rows == 401 and set(result.walls["wall"]) == {"box"}
    assert result.summary["state"]["bodies"] == 32
    assert result.scene["run"]["steps"] == 400
    assert "32" in result._repr_html_() and "<table" in (energy._repr_html_() or "")
    assert "401 rows" in repr(energy)


def test_energy_is_plotted(result: tumble.Result) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    axes = result.energy.plot()
    names = [line.get_label() for line in axes.lines]
    assert "kinetic, of the centres of mass" in names and "lost to sliding" not in names and "balance" not in names
    assert [line.get_label() for line in result.energy.plot("balance_J").lines] == ["balance"]
    with pytest.raises(KeyError, match="columns are"):
        result.energy.plot("nonsense")
    plt.close("all")


def test_frames_are_the_motion(result: tumble.Result) -> None:
    frames = result.frames
    sim = result.load(threads=1)
    last = frames[-1]
    assert last.step == sim.step_count == 400 and last.time == sim.time
    np.testing.assert_allclose(last.positions, sim.positions, rtol=1e-6)
    signs = np.sign((last.quaternions * sim.quaternions).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(signs * last.quaternions, sim.quaternions, atol=1e-4)
    np.testing.assert_allclose(last.speeds, np.linalg.norm(sim.velocities, axis=1), rtol=1e-6)
    np.testing.assert_allclose(last.spins, np.linalg.norm(sim.spins, axis=1), rtol=1e-6)
    assert last.velocities is not None
    np.testing.assert_allclose(last.velocities, sim.velocities, atol=2e-4 * last.speeds.max())
    assert frames.wall_names == sim.wall_names == ["box"]
    assert last.wall_positions.tolist() == frames.wall_pivots.tolist() and last.wall_quaternions.tolist() == [[1, 0, 0, 0]]
    assert len(last.contact_points) == len(sim.contacts["point"])
    assert frames.steps[0] == 0 and [frame.step for frame in frames[:2]] == frames.steps[:2]
    assert frames.template_names == sim.template_names
    with pytest.raises(IndexError, match="no frame"):
        frames[len(frames)]


def test_frames_have_the_places_of_walls(tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene("liner", threads=1)
    result = sim.run(steps=300, out=tmp_path / "out")
    frames = result.frames
    last = frames[-1]
    liner = frames.wall_names.index("liner")
    # It turns about y, once a second.
    half = np.pi * last.time
    np.testing.assert_allclose(np.abs(last.wall_quaternions[liner]), np.abs([np.cos(half), 0, np.sin(half), 0]), atol=1e-6)
    np.testing.assert_allclose(last.wall_positions, frames.wall_pivots, atol=1e-6)
    scene = tumble.Scene.example("chess")
    scene["walls"][0]["vanishes"] = "1 us"
    gone = tumble.Simulation.from_scene(scene, threads=1).run(steps=20, out=tmp_path / "gone").frames[-1]
    assert np.isnan(gone.wall_positions).all() and np.isnan(gone.wall_quaternions).all()


def test_spheres_for_paraview_are_where_the_engine_has_them(result: tumble.Result, tmp_path: Path) -> None:
    index = result.to_vtk(tmp_path / "vtk", every=len(result.frames) - 1)
    entries = [element.attrib for element in ElementTree.parse(index).iter("DataSet")]
    assert len(entries) == 2
    root = ElementTree.parse(index.parent / entries[-1]["file"])
    arrays = {element.attrib["Name"]: decoded(element) for element in root.iter("DataArray")}
    spheres = result.load().spheres
    assert np.array_equal(arrays["body"], spheres["body"])
    np.testing.assert_allclose(arrays["radius"], spheres["radius"], rtol=1e-6)
    np.testing.assert_allclose(arrays["Points"].reshape(-1, 3), spheres["centre"], atol=1e-5)
    with pytest.raises(tumble.InputError, match="every"):
        result.to_vtk(tmp_path, every=0)


READ_WITH_VTK = """
import json, sys
import vtk
from vtk.util.numpy_support import vtk_to_numpy
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
arrays = {data.GetPointData().GetArrayName(i): vtk_to_numpy(data.GetPointData().GetArray(i)).tolist()
          for i in range(data.GetPointData().GetNumberOfArrays())}
points = vtk_to_numpy(data.GetPoints().GetData()).tolist()
print(json.dumps({"points": points, "vertices": data.GetNumberOfVerts(), "error": reader.GetErrorCode(), "arrays": arrays}))
"""


@pytest.mark.skipif("TUMBLE_VTK" not in os.environ, reason="TUMBLE_VTK names a Python that has VTK")
def test_vtk_reads_the_spheres(result: tumble.Result, tmp_path: Path) -> None:
    index = result.to_vtk(tmp_path / "vtk", every=len(result.frames) - 1)
    last = [element.attrib["file"] for element in ElementTree.parse(index).iter("DataSet")][-1]
    program = [os.environ["TUMBLE_VTK"], "-c", READ_WITH_VTK, str(index.parent / last)]
    read = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    sim = result.load()
    spheres, owners = sim.spheres, np.searchsorted(sim.ids, sim.spheres["body"])
    assert read["error"] == 0 and read["vertices"] == len(owners)
    np.testing.assert_allclose(read["points"], spheres["centre"], atol=1e-5)
    expected = {
        "radius": spheres["radius"],
        "body": spheres["body"],
        "template": sim.templates[owners],
        "material": sim.materials[owners],
        "speed": np.linalg.norm(sim.velocities, axis=1)[owners],
        "spin": np.linalg.norm(sim.spins, axis=1)[owners],
    }
    assert read["arrays"].keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(read["arrays"][name], values, rtol=1e-6, err_msg=name)


def test_polyhedra_are_written_as_surfaces(tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene("dice", threads=1, set={"run.steps": 3000})
    result = sim.run(out=tmp_path / "dice")
    assert sorted(map(len, result.frames.template_polyhedra)) == [1, 1] and len(sim.spheres["body"]) == 0
    index = result.to_vtk(tmp_path / "vtk", every=len(result.frames) - 1)
    assert index.name == "spheres.pvd"
    last = [element.attrib["file"] for element in ElementTree.parse(index.with_name("polyhedra.pvd")).iter("DataSet")][-1]
    tree = ElementTree.parse(index.with_name(last))
    arrays = {element.attrib["Name"]: decoded(element) for element in tree.iter("DataArray")}
    points, normals = arrays["Points"].reshape(-1, 3), arrays["Normals"].reshape(-1, 3)
    triangles = arrays["connectivity"].reshape(-1, 3)
    assert len(triangles) == int(next(tree.iter("Piece")).attrib["NumberOfPolys"]) == len(arrays["offsets"])
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
    # All are as far from a corner of their body as that is round.
    corners = result.load().corners
    for body in (0, int(sim.ids[-1])):
        own, of_body = points[arrays["body"] == body], corners["body"] == body
        apart = np.linalg.norm(own[:, None] - corners["centre"][of_body], axis=2)
        np.testing.assert_allclose(apart.min(1), corners["radius"][of_body][0], atol=2e-6)
    # The volume within: that of all bodies, but for what arcs of 30 degrees cut off.
    a, b, c = (points[triangles[:, side]].astype(float) for side in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    exact = sum(sim.masses) / 1800
    assert 0.98 * exact < volume < exact


def decoded(element: ElementTree.Element) -> np.ndarray[Any, Any]:
    raw = base64.b64decode(element.text or "")
    kind = {"Float32": "<f4", "UInt32": "<u4", "Int32": "<i4"}[element.attrib["type"]]
    assert int.from_bytes(raw[:8], "little") == len(raw) - 8
    return np.frombuffer(raw[8:], dtype=kind)


def test_the_viewer_is_shown_in_a_notebook(result: tumble.Result, tmp_path: Path) -> None:
    view = result.view(every=50)
    assert "tumble-data" in view.page and view.page.lstrip().lower().startswith("<!doctype html")
    shown, script = view._repr_html_().split("<script>")
    assert shown.startswith("<iframe data-tumble-view ") and 'srcdoc="' in shown and shown.count('"') == 6
    # It tells the page whether the notebook is dark; the tests of the viewer run it in a browser.
    assert "tumbleTheme" in script and script.endswith("</script>") and script.count("<") == 2
    # What is left in a notebook that is not trusted, of which frames are taken out.
    assert shown.endswith("</iframe>") and "not trusted" in shown[shown.rindex('">') :]
    view.save(tmp_path / "film.html")
    assert (tmp_path / "film.html").read_text(encoding="utf-8") == view.page
    now = tumble.Simulation.from_scene("chess", threads=1).view()
    assert "tumble-data" in now.page


def test_results_are_not_replaced_unasked(tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene("dzhanibekov", threads=1)
    out = tmp_path / "out"
    sim.run(steps=10, out=out)
    with pytest.raises(tumble.ResultsError):
        sim.run(steps=10, out=out)
    # The simulation is there all the same.
    assert sim.step_count == 10
    again = sim.run(steps=10, out=out, force=True)
    assert again.energy["step"].tolist() == list(range(10, 21))
    assert tumble.open(out).load().step_count == 20


def test_a_run_that_fails_leaves_its_results(tmp_path: Path) -> None:
    sim = tumble.Simulation.from_scene("chess", threads=1, set=KEYS)

    def crash(sim: tumble.Simulation) -> None:
        sim.set_state([0], positions=sim.positions[1])

    with pytest.raises(tumble.RunError, match="overlaps body"):
        sim.run(out=tmp_path / "out", callback=crash)
    summary = tumble.open(tmp_path / "out").summary
    assert "overlaps body" in str(summary)
    sim.remove_bodies([0])
    sim.run(steps=10)


def test_what_is_no_folder_of_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tumble.ResultsError, match="holds no results"):
        tumble.open(tmp_path)
    with pytest.raises(tumble.ResultsError, match="holds no results"):
        tumble.Simulation.load(tmp_path)
