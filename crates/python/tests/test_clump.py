"""Clumps have the mass properties of geometry, wherever their spheres come from."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tumble
from tumble import Clump, clump, rotation
from tumble.errors import InputError


def test_a_sphere() -> None:
    ball = Clump.from_spheres([[1, 2, 3, 0.5]])
    volume = 4 / 3 * np.pi * 0.5**3
    assert ball.volume == pytest.approx(volume, rel=1e-12)
    np.testing.assert_allclose(ball.centre, [1, 2, 3], rtol=1e-12)
    np.testing.assert_allclose(ball.moments(1000), [0.4 * 1000 * volume * 0.25] * 3, rtol=1e-9)
    assert ball.mass(1000) == pytest.approx(1000 * volume)
    assert ball.bounding_radius == pytest.approx(0.5)


def test_two_overlapping_spheres_are_counted_once() -> None:
    """The lens of two unit spheres at distance d has the volume π(4 + d)(2 − d)²/12."""
    d = 0.8
    spheres = np.array([[0, 0, 0, 1], [0, d, 0, 1]])
    lens = np.pi * (4 + d) * (2 - d) ** 2 / 12
    pair = Clump.from_spheres(spheres)
    assert pair.volume == pytest.approx(8 / 3 * np.pi - lens, rel=1e-12)
    both = Clump.from_spheres(spheres, mass="sum")
    assert both.volume == pytest.approx(8 / 3 * np.pi, rel=1e-12)
    # Each sphere 2/5 r², and d/2 off the centre.
    own = 4 / 3 * np.pi
    np.testing.assert_allclose(both.moments_per_density, [0.8 * own, *[own * (0.8 + d * d / 2)] * 2], rtol=1e-12)


def test_the_tensor_and_its_principal_axes_belong_together() -> None:
    """Against the sum over spheres, Σ m (2/5 r² + |x|² − x xᵀ), written out."""
    random = np.random.default_rng(5)
    spheres = np.column_stack([random.normal(size=(6, 3)), random.uniform(0.2, 0.6, 6)])
    body = Clump.from_spheres(spheres, mass="sum")
    masses = 4 / 3 * np.pi * spheres[:, 3] ** 3
    centre = masses @ spheres[:, :3] / masses.sum()
    tensor = sum(
        m * ((0.4 * r**2 + x @ x) * np.eye(3) - np.outer(x, x))
        for m, x, r in zip(masses, spheres[:, :3] - centre, spheres[:, 3], strict=True)
    )
    np.testing.assert_allclose(body.centre, centre, atol=1e-12)
    np.testing.assert_allclose(body.inertia(1.0), tensor, atol=1e-10)
    np.testing.assert_allclose(body.moments_per_density, np.linalg.eigvalsh(np.asarray(tensor)), rtol=1e-10)
    q = body.orientation[np.newaxis].repeat(6, 0)
    np.testing.assert_allclose(rotation.to_lab(q, body.body_spheres[:, :3]) + centre, spheres[:, :3], atol=1e-12)


def test_given_mass() -> None:
    given = clump.GivenMass(volume=2.0, centre=(0, 0, 1), inertia=(3, 2, 4, 0, 0, 0))
    body = Clump.from_spheres([[0, 0, 0, 1]], mass=given)
    assert body.volume == 2.0
    assert body.centre.tolist() == [0, 0, 1]
    assert body.moments_per_density.tolist() == [2, 3, 4]
    np.testing.assert_allclose(body.inertia(1.0), np.diag([3, 2, 4]), atol=1e-15)


def test_centres_and_radii() -> None:
    centres = [[0, 0, 0], [1, 0, 0]]
    assert Clump.from_spheres(centres, 0.5).spheres.tolist() == [[0, 0, 0, 0.5], [1, 0, 0, 0.5]]
    assert Clump.from_spheres(centres, [0.5, 1]).spheres.tolist() == [[0, 0, 0, 0.5], [1, 0, 0, 1]]


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "pair.txt"
    file.write_text("# in millimetres\n0 0 0 5\n0 0 8 5\n")
    pair = Clump.from_file(file, scale=0.001)
    np.testing.assert_allclose(pair.spheres, [[0, 0, 0, 0.005], [0, 0, 0.008, 0.005]])
    assert pair.name == "pair" and len(pair) == 2
    assert Clump.from_file(str(file), name="other").name == "other"
    file.write_text("0 0 0 1\n0 0 1.5 -0.5\n")
    with pytest.raises(tumble.InputError, match=r"pair.txt, line 2, column 9: the radius must be positive"):
        Clump.from_file(file)
    with pytest.raises(tumble.InputError, match="nothing.txt"):
        Clump.from_file(tmp_path / "nothing.txt")


def test_built_in_shapes() -> None:
    assert all(shape.title for shape in clump.shapes())
    for shape in clump.shapes():
        usual, double = Clump.from_shape(shape.name), Clump.from_shape(shape.name, scale=2)
        assert double.volume == pytest.approx(8 * usual.volume)
        np.testing.assert_allclose(double.moments_per_density, 32 * usual.moments_per_density, rtol=1e-9)
    with pytest.raises(tumble.InputError, match=r"there is no built-in shape `bat`(.|\n)*sphere, fibre, "):
        Clump.from_shape("bat")


@pytest.mark.parametrize("shape", clump.shapes(), ids=lambda shape: shape.name)
def test_parameters_of_shapes_are_those_of_scenes(shape: clump.Shape) -> None:
    """The template of a scene with the same keys has the same spheres, and refuses the same in the same words."""
    assert shape.parameters
    whole = ("count", "arm")
    keys: dict[str, Any] = {
        name: usual + 1 if name in whole else f"{1100 * usual!r} mm" for name, usual in shape.parameters.items()
    }
    template = {"shape": shape.name, **keys}
    pieces = tumble.Simulation.from_scene(scene_of(template)).spheres
    ours = Clump.from_shape(shape.name, **keys)
    theirs, own = (np.linalg.norm(centres, axis=1) for centres in (pieces["centre"], ours.body_spheres[:, :3]))
    np.testing.assert_allclose(theirs, own, atol=1e-12)
    np.testing.assert_allclose(pieces["radius"], ours.spheres[:, 3], rtol=1e-12)
    usual: dict[str, Any] = dict(shape.parameters)
    assert np.array_equal(Clump.from_shape(shape.name, **usual).spheres, Clump.from_shape(shape.name).spheres)
    first = next(iter(shape.parameters))
    impossible: list[dict[str, Any]] = [{first: value} for value in (-1, "1 kg", float("nan"), "1 mn")]
    for wrong in (*impossible, {"lenght": 1}, {"file": "a"}, {"format": "table"}):
        with pytest.raises(tumble.InputError) as ours_refused:
            Clump.from_shape(shape.name, **wrong)
        with pytest.raises(tumble.SceneError) as scene_refused:
            tumble.Scene(scene_of({"shape": shape.name, **wrong})).check()
        # The path before the message starts at the template, and the one in it with the name of the shape.
        expected = str(scene_refused.value).replace("`templates.piece", f"`{shape.name}").replace("templates.piece.", "")
        assert str(ours_refused.value) == expected


def scene_of(template: dict[str, Any]) -> dict[str, Any]:
    """One body of a template at the origin, with its principal axes along those of the lab."""
    return {
        "version": 1,
        "run": {"steps": 1, "dt": 1e-6, "threads": 1},
        "materials": {"glass": {"density": 2500, "young": "60 MPa", "poisson": 0.25}},
        "pair": {"restitution": 0.9, "friction": 0.3},
        "templates": {"piece": template},
        "bodies": [{"template": "piece", "at": [0, 0, 0]}],
    }


def test_spheres_that_nobody_can_integrate_are_refused_at_once() -> None:
    with pytest.raises(tumble.InputError, match="too many of the spheres overlap"):
        Clump.from_shape("rod", count=10_000, spacing=1e-9)
    assert len(Clump.from_shape("rod", count=10_000, spacing=1e-9, mass="sum")) == 10_000


def test_spheres_cannot_be_changed_under_the_mass() -> None:
    given = np.array([[0.0, 0, 0, 1]])
    ball = Clump.from_spheres(given)
    given[:] = 7
    assert ball.spheres.tolist() == [[0, 0, 0, 1]]
    with pytest.raises(ValueError, match="read-only"):
        ball.spheres[0, 0] = 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"spheres": np.zeros((0, 4))}, "a clump needs at least one sphere"),
        ({"spheres": [[0, 0, 0, -1]]}, "sphere 0 of the clump (counted from 0) has the radius -1"),
        ({"spheres": [[0, 0, 0]]}, "spheres: expected an array of shape (n, 4), found (1, 3)"),
        ({"spheres": [[0, 0, np.nan, 1]]}, "spheres: all numbers must be finite, but row 0 is"),
        ({"spheres": [[0, 0, 0, 1]], "radii": 1}, "spheres: with radii, expected centres of shape (n, 3), found (1, 4)"),
        ({"spheres": [[0, 0, 0]], "radii": [1, 2]}, "radii: expected one number or as many as centres, 1; found shape (2,)"),
        ({"spheres": [[0, 0, 0, 1]], "mass": "all"}, "mass: expected 'union', 'sum' or a GivenMass, found 'all'"),
        (
            {"spheres": [[0, 0, 0, 1]], "mass": clump.GivenMass(volume=-1, inertia=(1, 1, 1, 0, 0, 0))},
            "the given volume of the clump must be positive and finite, but is -1",
        ),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(tumble.InputError) as raised:
        Clump.from_spheres(**arguments)
    assert text in str(raised.value)
    with pytest.raises(tumble.InputError, match="density: must be positive and finite, but is 0"):
        Clump.from_shape("rod").mass(0)


def test_pictures() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    knight = Clump.from_shape("knight")
    svg = knight._repr_svg_()
    # Those that others hide are left out.
    assert svg.startswith("<svg") and len(knight) / 2 < svg.count("<circle") <= len(knight)
    axes = knight.plot()
    # The spheres, and three axes.
    assert len(axes.collections) == len(knight) and len(axes.lines) == 3
    assert knight.plot(axes, axes=False) is axes
    pyplot.close("all")


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="plot needs Matplotlib: pip install"):
        Clump.from_shape("rod").plot()


# A brick of 2 × 1 × 1, from its corner at the origin.
BRICK = """v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


def test_spheres_for_a_mesh_have_its_mass(tmp_path: Path) -> None:
    path = tmp_path / "brick.obj"
    path.write_text(BRICK)
    brick = Clump.from_mesh(path, surface="12%", scale=0.01)
    certificate = brick.certificate
    assert certificate is not None and certificate.reached and certificate.repairs == ()
    assert certificate.size == pytest.approx(0.01 * (6 * 2 / np.pi) ** (1 / 3))
    assert certificate.seen <= certificate.surface <= 0.12 * certificate.size
    assert brick.volume == pytest.approx(2e-6, rel=1e-9)
    assert brick.centre == pytest.approx([0.01, 0.005, 0.005], rel=1e-9)
    # Of a brick: V (b² + c²) / 12.
    assert brick.moments_per_density == pytest.approx([2e-6 * 2e-4 / 12, 2e-6 * 5e-4 / 12, 2e-6 * 5e-4 / 12], rel=1e-9)
    assert brick.name == "brick" and Clump.from_shape("rod").certificate is None
    again = Clump.from_mesh(path, surface=0.12 * certificate.size, scale=0.01, name="again")
    assert again.spheres.tolist() == brick.spheres.tolist()


def test_equal_spheres_for_a_mesh_touch(tmp_path: Path) -> None:
    path = tmp_path / "brick.obj"
    path.write_text(BRICK)
    brick = Clump.from_mesh(path, equal=True, spheres_max=40)
    assert 20 < len(brick) <= 40 and np.ptp(brick.spheres[:, 3]) == 0
    centres, diameter = brick.spheres[:, :3], 2 * brick.spheres[0, 3]
    apart = np.linalg.norm(centres[:, np.newaxis] - centres, axis=2)[np.triu_indices(len(brick), 1)]
    assert apart.min() == pytest.approx(diameter, rel=1e-9)
    assert brick.volume == pytest.approx(2)


def test_what_is_wrong_with_a_mesh_is_told(tmp_path: Path) -> None:
    path = tmp_path / "brick.obj"
    path.write_text(BRICK.replace("f 4 1 5 8\n", ""))
    with pytest.raises(InputError, match="the mesh is not closed: 4 edges"):
        Clump.from_mesh(path)
    path.write_text(BRICK)
    with pytest.raises(InputError, match="surface: expected"):
        Clump.from_mesh(path, surface="-1%")
    with pytest.raises(InputError, match="spheres_max: expected a whole number"):
        Clump.from_mesh(path, spheres_max=0)
    with pytest.warns(UserWarning, match="spheres keep .* not what was asked for"):
        Clump.from_mesh(path, surface="1%", spheres_max=4)
    with pytest.raises(InputError, match="no sphere of this radius fits"):
        Clump.from_mesh(path, equal=True, smallest_radius=3.0)


def test_a_capsule_is_a_cylinder_and_a_ball() -> None:
    """V = πr²L + 4/3 πr³; about the axis J/ρ = πr⁴L/2 + 8/15 πr⁵; half spheres have their centres 3/8 r from their flat sides."""
    r, length = 0.3, 2.0
    fibre = Clump(capsules=[[1, 2, 3, 1, 2, 3 + length, r]], name="fibre")
    cylinder, ball = np.pi * r**2 * length, 4 / 3 * np.pi * r**3
    assert fibre.volume == pytest.approx(cylinder + ball, rel=1e-12)
    np.testing.assert_allclose(fibre.centre, [1, 2, 4], rtol=1e-12)
    half = length / 2
    across = cylinder * (r**2 / 4 + length**2 / 12) + ball * (0.4 * r**2 + half**2 + 2 * half * 3 / 8 * r)
    along = 0.5 * cylinder * r**2 + 0.4 * ball * r**2
    np.testing.assert_allclose(fibre.moments_per_density, [along, across, across], rtol=1e-12)
    assert fibre.bounding_radius == pytest.approx(half + r)
    assert (len(fibre), len(fibre.spheres), fibre.capsules.shape) == (1, 0, (1, 7))
    first, second = fibre.body_capsules[0, :3], fibre.body_capsules[0, 3:6]
    np.testing.assert_allclose(np.abs(second - first), [length, 0, 0], atol=1e-12)
    assert "of one capsule:" in repr(fibre)
    assert fibre._repr_svg_().count("<rect") > 1


def test_capsules_beside_spheres() -> None:
    pin = Clump([[0.022, 0, 0, 0.003]], capsules=[[0, 0, 0, 0.018, 0, 0, 0.001]])
    apart = Clump([[0.022, 0, 0, 0.003]]).volume + Clump(capsules=[[0, 0, 0, 0.018, 0, 0, 0.001]]).volume
    assert pin.volume == pytest.approx(apart, rel=1e-12)
    assert "of one sphere and one capsule:" in repr(pin)
    bent = [[0, 0, 0, 0.02, 0, 0, 0.001], [0.02, 0, 0, 0.02, 0.01, 0, 0.001]]
    with pytest.raises(InputError, match="capsule 0 overlaps capsule 1"):
        Clump(capsules=bent)
    given = clump.GivenMass(volume=9e-8, inertia=(2e-12, 5e-12, 6e-12, 0, 0, 0))
    assert Clump(capsules=bent, mass=given).volume == 9e-8
    with pytest.raises(InputError, match=r"capsules: .*7"):
        Clump(capsules=[[0, 0, 0, 1]])


def test_ellipsoids_alone_and_beside_others() -> None:
    lentil = Clump.ellipsoid(3e-3, 2e-3, 1e-3, name="lentil")
    volume = 4 / 3 * np.pi * 6e-9
    assert np.isclose(lentil.volume, volume, rtol=1e-14)
    assert np.allclose(lentil.moments_per_density, volume / 5 * np.array([5e-6, 10e-6, 13e-6]), rtol=1e-12)
    assert (len(lentil), len(lentil.spheres), lentil.ellipsoids.shape) == (1, 0, (1, 10))
    assert "of one ellipsoid:" in repr(lentil)
    assert "<circle r=" in lentil._repr_svg_()
    both = Clump([[0, 0, 0, 1e-3]], ellipsoids=[[5e-3, 0, 0, 3e-3, 1e-3, 1e-3, 1, 0, 0, 0]])
    assert "of one sphere and one ellipsoid:" in repr(both)
    with pytest.raises(InputError, match="ellipsoid 0 overlaps sphere 0"):
        Clump([[0, 0, 0, 3e-3]], ellipsoids=[[5e-3, 0, 0, 3e-3, 1e-3, 1e-3, 1, 0, 0, 0]])
    with pytest.raises(InputError, match="five times"):
        Clump.ellipsoid(6, 1, 1)
    with pytest.raises(InputError, match=r"ellipsoids: .*10"):
        Clump(ellipsoids=[[0, 0, 0, 1]])


def test_boxes_and_hulls_alone_and_beside_others() -> None:
    side, rounding = 12e-3, 2e-3
    die = Clump.box(16e-3, 16e-3, 16e-3, rounding=rounding, name="die")
    plates, wedges = 6 * side**2 * rounding, 3 * np.pi * rounding**2 * side
    assert np.isclose(die.volume, side**3 + plates + wedges + 4 / 3 * np.pi * rounding**3, rtol=1e-14)
    assert (len(die), len(die.spheres), die.boxes.shape, die.hulls) == (1, 0, (1, 11), ())
    assert "of one box:" in repr(die)
    assert die._repr_svg_().count('stroke-linejoin="round"') == 1
    # The same by its corners, moved and turned.
    placed = Clump(boxes=[[1e-2, 2e-2, 3e-2, 16e-3, 16e-3, 16e-3, rounding, 0.9, 0.1, -0.3, 0.2]])
    [(corners, radius)] = placed.polyhedra
    assert (corners.shape, radius) == ((8, 3), rounding)
    assert np.allclose(corners.mean(0), placed.centre, rtol=1e-12)
    hull = Clump.hull(corners, rounding=rounding)
    assert np.isclose(hull.volume, die.volume, rtol=1e-12)
    assert np.allclose(hull.moments_per_density, die.moments_per_density, rtol=1e-10)
    assert "of one hull:" in repr(hull) and not hull.hulls[0][0].flags.writeable
    hammer = Clump(capsules=[[0, 0, 0, 0, 0, 18e-3, 1e-3]], boxes=[[0, 0, 23e-3, 12e-3, 5e-3, 5e-3, 5e-4, 1, 0, 0, 0]])
    assert "of one capsule and one box:" in repr(hammer)
    with pytest.raises(InputError, match="polyhedron 1 overlaps polyhedron 0"):
        Clump(boxes=[[0, 0, 0, 3, 3, 3, 0.1, 1, 0, 0, 0], [1, 0, 0, 3, 3, 3, 0.1, 1, 0, 0, 0]])
    with pytest.raises(InputError, match="half of its shortest side"):
        Clump.box(3, 2, 1, rounding=0.5)
    with pytest.raises(InputError, match=r"boxes: .*11"):
        Clump(boxes=[[0, 0, 0, 1]])
    with pytest.raises(InputError, match="polyhedra and ellipsoids"):
        Clump(ellipsoids=[[9, 0, 0, 1, 1, 1, 1, 0, 0, 0]], boxes=[[0, 0, 0, 3, 3, 3, 0.1, 1, 0, 0, 0]])


def test_boxes_are_plotted(tmp_path: Path) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    ax = Clump.box(3, 2, 1, rounding=0.1).plot(axes=False)
    assert np.allclose([ax.get_xlim(), ax.get_ylim(), ax.get_zlim()], [[-1.5, 1.5], [-1.0, 1.0], [-0.5, 0.5]])
    assert len(ax.collections) == 1
    ax.figure.savefig(tmp_path / "box.png")
    pyplot.close(ax.figure)
