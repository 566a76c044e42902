"""Tables and figures of a simulation: everything by name, with units, and nothing hidden."""

import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pytest

import tumble
from scenes import RODS


SCENE = f"""{RODS}
[[walls]]
name = "ceiling"
plane = {{ point = [0, 0, 0.06], normal = [0, 0, -1] }}
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tumble.Result:
    sim = tumble.Simulation.from_scene(SCENE, threads=1)
    return sim.run(steps=3000, out=tmp_path_factory.mktemp("rods") / "run")


def test_contacts_tell_who_pushes_whom(result: tumble.Result) -> None:
    sim = result.load(threads=1)
    contacts = sim.contacts
    assert len(contacts["body"]) > 5
    assert np.allclose(np.linalg.norm(contacts["normal"], axis=1), 1)
    assert (contacts["normal_force"] >= 0).all()
    whole = contacts["normal_force"][:, None] * contacts["normal"] + contacts["tangential_force"]
    assert np.allclose(whole, contacts["force"])
    across = np.einsum("ij,ij->i", contacts["normal"], contacts["tangential_force"])
    assert np.allclose(across, 0, atol=1e-12)
    # Coulomb's limit holds for the normal and the tangential part as they are told here.
    slide = np.linalg.norm(contacts["tangential_force"], axis=1)
    most = max(sim.get_property("friction", pair=(one, other)) for one in sim.material_names for other in sim.material_names)
    assert (slide <= most * contacts["normal_force"] * (1 + 1e-6) + 1e-15).all()
    with_wall = contacts["wall"] >= 0
    assert with_wall.any() and set(contacts["wall_name"][with_wall]) <= set(sim.wall_names)
    assert np.isinf(contacts["other_mass"][with_wall]).all() and np.isfinite(contacts["mass"]).all()
    table = contacts.to_frame()
    assert len(table) == len(with_wall) and {"normal_x", "tangential_force_z", "wall_name"} <= set(table)


def test_bodies_and_loads_are_tables(result: tumble.Result) -> None:
    sim = result.load(threads=1)
    table = sim.bodies.to_frame()
    assert len(table) == len(sim) and np.array_equal(table["position_z"], sim.positions[:, 2])
    assert set(table["template"]) <= set(sim.template_names)
    loads = sim.wall_loads
    assert loads["wall"].tolist() == sim.wall_names
    wall = sim.wall_names[0]
    assert np.array_equal(sim.wall_load(wall)["force"], loads["force"][0])
    with pytest.raises(tumble.InputError, match="expected one of"):
        sim.wall_load("nothing")
    with pytest.raises(ValueError, match="read-only"):
        loads["force"][0] = 0


def test_without_pandas_it_says_what_to_install(result: tumble.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    sim = result.load(threads=1)
    monkeypatch.setitem(sys.modules, "pandas", None)
    for make in (sim.bodies.to_frame, sim.contacts.to_frame, result.energy.dataframe):
        with pytest.raises(tumble.TumbleError, match="pip install pandas"):
            make()


def test_figures_name_every_curve_beside_the_axes(result: tumble.Result, tmp_path: Path) -> None:
    axes = result.energy.plot()
    labels = [line.get_label() for line in axes.lines]
    assert "kinetic, of rotation" in labels and not any("_" in str(label) for label in labels)
    looks = {(line.get_color(), str(line.get_linestyle()), str(line._dash_pattern)) for line in axes.lines}
    assert len(looks) == len(labels)
    assert axes.get_ylabel() == "energy (J)" and axes.get_xlabel() == "time (s)"
    axes.figure.savefig(tmp_path / "energy.png")
    legend, inner = axes.get_legend().get_window_extent(), axes.get_window_extent()
    assert legend.x0 >= inner.x1

    panels: Any = result.walls.plot()
    panels = panels if isinstance(panels, list) else [panels]
    assert len(panels) > 1
    for panel in panels:
        assert [line.get_label() for line in panel.lines] == result.walls.names
        assert panel.get_ylabel().endswith((" (N)", " (N m)", " (W)"))
    one = result.walls.plot("force_z_N")
    assert one.get_ylabel() == "force z (N)"
    with pytest.raises(KeyError, match="force_z_N"):
        result.walls.plot("force")
    rows = result.walls.of(result.walls.names[0])
    assert rows.rows == result.walls.rows // len(result.walls.names)


def test_what_is_printed_says_what_it_is(result: tumble.Result) -> None:
    sim = result.load(threads=1)
    text = repr(sim)
    assert text.startswith("<Simulation 'Rods': 60 bodies, ") and text.count("\n") == 2
    frames = result.frames
    assert repr(frames).startswith(f"<Frames: {len(frames)} from t = 0 s (step 0) to")
    assert "60 bodies" in repr(frames[-1]) and "step 3000" in repr(frames[-1])
    assert "to_frame" in repr(sim.contacts)
