"""The bodies of a simulation, seen and changed as NumPy arrays: the part of `Simulation` that is about them."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble import _native
from tumble._looks import Looks, number_of
from tumble._state import Source, StateArray
from tumble.errors import InputError
from tumble.rotation.torque import is_in_body

__all__ = ["Bodies"]

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]


class Bodies(Looks):
    """The bodies of a `Simulation`, a row for each in the order of `ids`.

    What can be set can also be set in part:

    >>> import tumble
    >>> sim = tumble.Simulation.from_scene("chess", threads=1)
    >>> sim.velocities[3] = [0, 0, 1]
    >>> sim.velocities[3:5, 2] += 1
    >>> sim.velocities[3]
    StateArray([0., 0., 2.])
    """

    # The state.

    @property
    def ids(self) -> Integers:
        """The numbers of bodies, which they keep for life, in growing order. (n,)"""
        return self._column("ids")

    @property
    def positions(self) -> Floats:
        """Centres of mass, m. (n, 3); can be set"""
        return self._state("positions")

    @positions.setter
    def positions(self, values: npt.ArrayLike) -> None:
        self._assign("positions", values)

    @property
    def quaternions(self) -> Floats:
        """Orientations (w, x, y, z), which take vectors along principal axes to the lab. (n, 4); can be set

        A body that is turned so keeps its angular velocity in its own frame.
        """
        return self._state("quaternions")

    @quaternions.setter
    def quaternions(self, values: npt.ArrayLike) -> None:
        self._assign("quaternions", values)

    @property
    def velocities(self) -> Floats:
        """Of the centres of mass, m/s. (n, 3); can be set"""
        return self._state("velocities")

    @velocities.setter
    def velocities(self, values: npt.ArrayLike) -> None:
        self._assign("velocities", values)

    @property
    def spins(self) -> Floats:
        """Angular velocities in the lab frame, rad/s. (n, 3); can be set. `body_spins` has them along the principal axes."""
        return self._state("spins")

    @spins.setter
    def spins(self, values: npt.ArrayLike) -> None:
        self._assign("spins", values)

    @property
    def body_spins(self) -> Floats:
        """Angular velocities in the frames of the bodies, along their principal axes, rad/s. (n, 3); can be set

        >>> import numpy, tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> sim.body_spins = [0, 0, 5]
        >>> axes = tumble.rotation.to_lab(sim.quaternions, [0, 0, 1])
        >>> bool(numpy.allclose(sim.spins, 5 * axes))
        True
        """
        return self._state("body_spins")

    @body_spins.setter
    def body_spins(self, values: npt.ArrayLike) -> None:
        self._assign("body_spins", values)

    @property
    def forces(self) -> Floats:
        """Forces on bodies, with their weights, N. (n, 3)"""
        return self._column("forces")

    @property
    def torques(self) -> Floats:
        """Torques about the centres of mass in the lab frame, N m. (n, 3)"""
        return self._column("torques")

    @property
    def masses(self) -> Floats:
        """kg (n,)"""
        return self._column("masses")

    @property
    def temperatures(self) -> Floats:
        """K, in a scene with a table `[heat]`; an error without. (n,)

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("roaster", threads=1)
        >>> sorted(set(sim.temperatures.round(2).tolist()))
        [293.15, 473.15]
        """
        return self._column("temperatures")

    @property
    def films(self) -> Floats:
        """Liquid on each body, m³, in a scene with a table `[liquid]`; an error without. (n,)

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("moist", threads=1)
        >>> sorted(set((1e9 * sim.films).round(4).tolist()))
        [0.0, 0.02]
        """
        return self._column("films")

    @property
    def moments(self) -> Floats:
        """Principal moments of inertia, kg m². (n, 3)"""
        return self._column("moments")

    @property
    def scales(self) -> Floats:
        """Sizes relative to the templates. (n,)"""
        return self._column("scales")

    @property
    def radii(self) -> Floats:
        """Radii of the balls about the centres of mass that hold the bodies, m; of a sphere, its own. (n,)"""
        return self._column("radii")

    @property
    def templates(self) -> Integers:
        """Which of `template_names` each body is. (n,)"""
        return self._column("templates")

    @property
    def materials(self) -> Integers:
        """Which of `material_names` each body is made of. (n,)"""
        return self._column("materials")

    @property
    def held(self) -> npt.NDArray[np.bool_]:
        """Whether bodies are fixed or moved by hand: `hold`. (n,)"""
        return self._column("held")

    # Changes.

    def set_state(
        self,
        ids: npt.ArrayLike | None = None,
        *,
        positions: npt.ArrayLike | None = None,
        quaternions: npt.ArrayLike | None = None,
        velocities: npt.ArrayLike | None = None,
        spins: npt.ArrayLike | None = None,
        frame: Literal["lab", "body"] = "lab",
    ) -> None:
        """Changes bodies, all at once or, if something is wrong, none. What is not given stays.

        Args:
            ids: which bodies; all if absent. The rows of arrays are in this order.
            positions: (n, 3), m; or one for all, here and below.
            quaternions: (n, 4), of any length but zero.
            velocities: (n, 3), m/s
            spins: (n, 3), rad/s
            frame: that of the spins: "lab", or "body" for spins along the principal axes.

        Forces are those of the new state at once; whether bodies overlap too much is asked when it runs. The energy that
        a change brings in is in the books as `exchanged`.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> sim.set_state([3, 5], velocities=[0, 0, 1], spins=[[0, 0, 0], [1, 0, 0]])
        >>> sim.velocities[[3, 5], 2]
        array([1., 1.])
        """
        chosen = _native.column(self._native, "ids") if ids is None else self._ids(ids)
        n = len(chosen)
        turned, spinning = _rows("quaternions", quaternions, n, 4), _rows("spins", spins, n, 3)
        if is_in_body("frame", frame) and spinning is not None:
            spinning = _seen_from_lab(self._quaternions_of(chosen) if turned is None else turned, spinning)
        _native.change_bodies(
            self._native,
            chosen,
            _rows("positions", positions, n, 3),
            turned,
            _rows("velocities", velocities, n, 3),
            spinning,
            None,
        )

    def hold(self, ids: npt.ArrayLike, held: bool = True) -> None:
        """Holds bodies, so that they keep their velocities whatever pushes them, or lets go of them."""
        _native.change_bodies(self._native, self._ids(ids), None, None, None, None, held)

    def add_bodies(
        self,
        template: str,
        positions: npt.ArrayLike,
        *,
        quaternions: npt.ArrayLike = (1, 0, 0, 0),
        velocities: npt.ArrayLike = (0, 0, 0),
        spins: npt.ArrayLike = (0, 0, 0),
        frame: Literal["lab", "body"] = "lab",
        material: str | None = None,
        scale: float = 1.0,
        held: bool = False,
    ) -> Integers:
        """Puts bodies in, and gives their ids. If they touch something, contact forces begin at once.

        Args:
            template: a shape of the scene, by name.
            positions: (n, 3), m; or one.
            quaternions, velocities, spins, frame: as in `set_state`.
            material: by name; may be left out if the scene has one only.
            scale: size relative to the template.
            held: whether they are held.

        >>> import tumble
        >>> sim = tumble.Simulation.from_scene("chess", threads=1)
        >>> ids = sim.add_bodies("king", [[1, 0, 0], [2, 0, 0]], velocities=[0, 0, 1])
        >>> ids, len(sim)
        (array([32, 33], dtype=uint32), 34)
        >>> sim.remove_bodies(ids)
        """
        places = np.atleast_2d(np.asarray(positions))
        n = len(places)
        turned, spinning = _rows("quaternions", quaternions, n, 4), _rows("spins", spins, n, 3)
        return _native.add_bodies(
            self._native,
            number_of("template", template, self.template_names),
            number_of("material", material, self.material_names),
            scale,
            held,
            places,
            turned,
            _rows("velocities", velocities, n, 3),
            _seen_from_lab(turned, spinning) if is_in_body("frame", frame) else spinning,
        )

    def remove_bodies(self, ids: npt.ArrayLike) -> None:
        """Takes bodies out. Their ids are not used again."""
        _native.remove_bodies(self._native, self._ids(ids))

    def _state(self, name: str) -> StateArray:
        def read() -> tuple[npt.NDArray[np.uint32], Floats]:
            if name == "body_spins":
                ids, q, spins = _native.columns(self._native, ["ids", "quaternions", "spins"])
                return ids, _native.to_body(q, spins)
            ids, values = _native.columns(self._native, ["ids", name])
            return ids, values

        def write(ids: npt.NDArray[np.uint32], values: Floats) -> None:
            self._set(name, ids, values)

        source = Source(name, read, write)
        return StateArray.of(source, source.values)

    def _assign(self, name: str, values: npt.ArrayLike) -> None:
        # In `sim.velocities += 1` the bodies have changed when the array comes back to be assigned.
        done = isinstance(values, StateArray) and values.is_live and np.array_equal(values, self._state(name))
        if not done:
            self._set(name, None, values)

    def _set(self, name: str, ids: npt.ArrayLike | None, values: npt.ArrayLike) -> None:
        if name == "body_spins":
            self.set_state(ids, spins=values, frame="body")
        else:
            given: dict[str, Any] = {name: values}
            self.set_state(ids, **given)

    def _column(self, name: str) -> npt.NDArray[Any]:
        array = _native.column(self._native, name)
        array.flags.writeable = False
        return array

    def _quaternions_of(self, ids: npt.NDArray[np.uint32]) -> Floats:
        """Orientations of bodies; of those that are not there, any: they are refused later."""
        everybody, quaternions = _native.columns(self._native, ["ids", "quaternions"])
        if len(everybody) == 0:
            return np.tile([1.0, 0, 0, 0], (len(ids), 1))
        found: Floats = quaternions[np.minimum(np.searchsorted(everybody, ids), len(everybody) - 1)]
        return found

    def _ids(self, ids: npt.ArrayLike) -> npt.NDArray[np.uint32]:
        array = np.atleast_1d(np.asarray(ids))
        if array.size == 0:
            return np.zeros(0, dtype=np.uint32)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise InputError(f"ids: expected whole numbers, in one dimension; found {array.dtype} of shape {array.shape}")
        if array.min() < 0 or array.max() > np.iinfo(np.uint32).max:
            raise InputError(f"ids: expected numbers of bodies, found {array.min()} to {array.max()}")
        if len(np.unique(array)) != len(array):
            raise InputError("ids: each body may be named once")
        return np.ascontiguousarray(array, dtype=np.uint32)


def _rows(name: str, given: npt.ArrayLike | None, n: int, width: int) -> Any:
    """A row for each body, where one was given for all."""
    if given is None:
        return None
    array = np.asarray(given)
    if array.shape == (width,):
        array = np.broadcast_to(array, (n, width))
    if array.shape != (n, width):
        raise InputError(f"{name}: expected an array of shape ({n}, {width}) or ({width},), found {array.shape}")
    return array


def _seen_from_lab(quaternions: Any, spins: Any) -> Any:
    """Body vectors in the lab. Quaternions need not be of unit length; those that are none are refused later."""
    if quaternions.dtype.kind not in "iuf" or not np.isfinite(quaternions).all():
        return spins
    turning = np.array(quaternions, dtype=np.float64, order="C")
    # First by the largest part, whose square may be beyond all numbers.
    largest = np.abs(turning).max(axis=1, keepdims=True, initial=0)
    turning /= np.where(largest > 0, largest, 1)
    lengths = np.linalg.norm(turning, axis=1, keepdims=True)
    return _native.to_lab(turning / np.where(lengths > 0, lengths, 1), spins)
