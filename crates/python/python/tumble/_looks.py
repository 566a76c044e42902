"""What a simulation tells of itself, as columns of arrays: the part of `Simulation` that only looks."""

from typing import Any

import numpy as np

from tumble import _native
from tumble._columns import Columns
from tumble.errors import InputError

__all__ = ["Looks", "number_of"]


class Looks:
    """Tables of a `Simulation`, of the instant at which they are asked for."""

    def __init__(self, native: "_native.Simulation") -> None:
        self._native = native

    def __len__(self) -> int:
        """The number of bodies."""
        return self._native.body_count

    @property
    def template_names(self) -> list[str]:
        """The names of shapes, by their numbers."""
        return self._native.template_names

    @property
    def material_names(self) -> list[str]:
        """The names of materials, by their numbers."""
        return self._native.material_names

    @property
    def wall_names(self) -> list[str]:
        """The names of walls, by their numbers."""
        return self._native.wall_names

    @property
    def bodies(self) -> Columns:
        """All that bodies have, an array for each column, of one instant; `bodies.to_frame()` is a table of pandas.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> table = sim.bodies.to_frame()
        >>> len(table), bool((table["mass"] == sim.masses).all())
        (32, True)
        """
        names = {
            "ids": "id", "templates": "template", "materials": "material", "scales": "scale", "masses": "mass",
            "positions": "position", "quaternions": "quaternion", "velocities": "velocity", "spins": "spin",
            "forces": "force", "torques": "torque", "held": "held",
        }  # fmt: skip
        table = Columns(zip(names.values(), _native.columns(self._native, list(names)), strict=True))
        for what, known in (("template", self.template_names), ("material", self.material_names)):
            table[what] = np.array(known)[table[what]]
        return _read_only(table)

    @property
    def spheres(self) -> Columns:
        """The spheres of all bodies, an array for each column: `body` (id), `sphere` (which of the body's), `centre` (m) and `radius` (m).
        Those at the two ends of capsules are among them; ellipsoids and the corners of polyhedra are not.

        >>> import numpy, tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> of_king = sim.spheres["body"] == 0
        >>> reach = numpy.linalg.norm(sim.spheres["centre"] - sim.positions[0], axis=1) + sim.spheres["radius"]
        >>> bool(numpy.isclose(reach[of_king].max(), sim.radii[0]))
        True
        """
        return _read_only(Columns(_native.spheres(self._native)))

    @property
    def capsules(self) -> Columns:
        """The capsules of all bodies, an array for each column: `body` (id), `sphere` (the number of the sphere at the first end, by
        which contacts know the capsule), the centres of the two ends `from` and `to` (m), and `radius` (m).

        >>> import numpy, tumble
        >>> sim = tumble.Simulation.from_scene("fibres", threads=1)
        >>> length = numpy.linalg.norm(sim.capsules["to"] - sim.capsules["from"], axis=1)
        >>> len(length) == len(sim) and bool((length > 10 * sim.capsules["radius"]).all())
        True
        """
        return _read_only(Columns(_native.capsules(self._native)))

    @property
    def ellipsoids(self) -> Columns:
        """The ellipsoids of all bodies, an array for each column: `body` (id), `sphere` (the number by which contacts know the ellipsoid), `centre` (m),
        and the semi-axes `a`, `b` and `c` as vectors (m).

        >>> import numpy, tumble
        >>> sim = tumble.Simulation.from_scene("sweets", threads=1)
        >>> a, b, c = (numpy.linalg.norm(sim.ellipsoids[axis], axis=1) for axis in "abc")
        >>> len(a) == len(sim) and bool((a > 1.4 * c).all())
        True
        """
        return _read_only(Columns(_native.ellipsoids(self._native)))

    @property
    def corners(self) -> Columns:
        """The corners of the rounded polyhedra of all bodies, an array for each column: `body` (id), `core` (the number by which contacts know all of the
        polyhedron), `sphere` (that by which they know the corner), and of the sphere there the `centre` (m) and the `radius` (m).

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("dice", threads=1)
        >>> ids = list(sim.corners["body"])
        >>> {ids.count(body) for body in sim.ids} == {4, 8} and bool((sim.corners["radius"] > 0.001).all())
        True
        """
        return _read_only(Columns(_native.corners(self._native)))

    @property
    def contacts(self) -> Columns:
        """All contacts, an array for each column; `contacts.to_frame()` is a table of pandas.

        ==================================  ======================================================================
        `body`, `sphere`                    id of a body, and which of its spheres
        `other_body`, `other_sphere`        the same of the other one; -1 for a wall
        `wall`, `wall_name`                 number of the wall and its name; -1 and nothing for a body
        `normal`                            unit vector from the point of contact to the centre of the sphere of `body`, or to the core
                                            of its capsule, or to that of the sphere behind the point of its ellipsoid or of the edge or
                                            face of its polyhedron
        `normal_force`                      part of `force` along `normal`, N: positive where it pushes
        `tangential_force`                  the rest of it, N, a vector
        `mass`, `other_mass`                of the two bodies, kg; infinite for a wall
        `point`, `force`                    where, m; force on `body`, N
        `couple`                            on `body` by resistances to rolling and twisting, N m
        `overlap`                           how far the two reach into each other, m
        `elastic_energy`                    J
        ==================================  ======================================================================
        """
        table = Columns(_native.contacts(self._native))
        ids, masses = _native.columns(self._native, ["ids", "masses"])
        arm = table.pop("centre") - table["point"]
        table["normal"] = arm / np.linalg.norm(arm, axis=1, keepdims=True)
        table["normal_force"] = np.einsum("ij,ij->i", table["force"], table["normal"])
        table["tangential_force"] = table["force"] - table["normal_force"][:, None] * table["normal"]
        table["mass"] = masses[np.searchsorted(ids, table["body"])]
        with_wall = table["wall"] >= 0
        other = np.searchsorted(ids, np.where(with_wall, table["body"], table["other_body"]))
        table["other_mass"] = np.where(with_wall, np.inf, masses[other])
        table["wall_name"] = np.array([*self.wall_names, ""], dtype=str)[table["wall"]]
        return _read_only(table)

    @property
    def wall_loads(self) -> Columns:
        """What walls feel, a row for each: `wall` (name), `force` (N), `torque` (N m, in the lab frame) about the point `about` (m), the `power` (W)
        they spend, and how far those that move by themselves have `moved` along their ways, at which `speed` (m and m/s, or rad and rad/s). `wall_load` has those of one."""
        return _read_only(Columns({"wall": np.array(self.wall_names, dtype=str)} | _native.wall_loads(self._native)))

    def wall_load(self, wall: str) -> dict[str, Any]:
        """What one wall feels, by its name: `force`, `torque`, `about`, `power`, `moved` and `speed`, as in `wall_loads`.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> sim.wall_load("box")["force"]
        array([0., 0., 0.])
        """
        number = number_of("wall", wall, self.wall_names)
        return {name: values[number] for name, values in self.wall_loads.items() if name != "wall"}

    def surface(self, wall: str) -> Columns:
        """What bears on each triangle of a wall that is a mesh, by its name, a row for each triangle of its file: `area` (m²), mean
        `pressure` (Pa) and `traction` (Pa, the tangential force on the wall) since the last multiple of `output.vtk.every`, and since the
        start `friction_work` (J/m²) and `sliding_load` (N/m, normal force times sliding distance over area). The scene has to ask for it
        by `output.vtk.surfaces`.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("liner", threads=1)
        >>> sim.run(steps=200)
        >>> liner = sim.surface("liner")
        >>> len(liner["area"]) == len(liner["pressure"]), liner["traction"].shape[1]
        (True, 3)
        """
        number = number_of("wall", wall, self.wall_names)
        table = _native.surface(self._native, number)
        if table is None:
            raise InputError(f"wall: nothing is known of triangles of {wall!r}: it has to be a mesh, and output.vtk.surfaces = true")
        return _read_only(Columns(table))

    @property
    def flows(self) -> dict[str, dict[str, Any]]:
        """What went through each stream and outlet so far, by name: `direction`, `bodies`, `mass` (kg), and how many are
        `waiting` for room.

        >>> import tumble
        >>> chute = tumble.Simulation.from_scene("chute", threads=1)
        >>> _ = chute.run(0.02)
        >>> chute.flows["streams.0"]["direction"], chute.flows["end of the chute"]["bodies"]
        ('in', 0)
        """
        keys = ("direction", "bodies", "mass", "waiting")
        return {name: dict(zip(keys, numbers, strict=True)) for name, *numbers in _native.flows(self._native)}

    def energy(self) -> dict[str, float]:
        """The books of energy, J: what there is, what was lost to what, what was put in.

        `balance` would not change if the time step were infinitely short: mechanical energy with the losses, without the
        work.

        >>> import tumble
        >>> energy = tumble.Simulation.from_scene("chess", threads=1).energy()
        >>> energy["mechanical"] == energy["balance"], energy["sliding"]
        (True, 0.0)
        """
        return dict(self._native.energy())

    def measures(self) -> dict[str, float]:
        """The newest value of each column of the scene's `measures`, by name with its unit; NaN where there is none yet.

        >>> import tumble
        >>> scene = tumble.Scene.example("dzhanibekov")
        >>> scene["measures"] = [{"name": "all", "kind": "centre-of-mass", "every": {"steps": 50}}]
        >>> tumble.Simulation.from_scene(scene, threads=1).measures()["all.x_m"]
        0.0
        """
        return dict(self._native.measures())


def number_of(what: str, name: str | None, names: list[str]) -> int:
    """The number of a name among others; of the only one, if none is given."""
    if name is None and len(names) == 1:
        return 0
    if name not in names:
        raise InputError(f"{what}: expected one of {', '.join(names) or 'none at all'}; found {name!r}")
    return names.index(name)


def _read_only(table: Columns) -> Columns:
    for column in table.values():
        column.flags.writeable = False
    return table
