"""What is known about rotation schemes, and about torques that have a name."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from tumble import _native

__all__ = ["Order", "Parameter", "Scheme", "TorqueKind", "schemes", "torques"]


class Order(NamedTuple):
    """Orders of the global error, which shrinks as Δt to this power."""

    q: int
    """Of the orientation."""
    omega: int
    """Of the angular velocity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """What is known about a rotation scheme. All of it is checked by the tests of Tumble."""

    name: str
    """The name in scenes, in tables, and as an argument."""
    title: str
    """What it is, in one line."""
    time_level: str
    """Which instants q and ω belong to between steps: synchronous, leapfrog, kick–drift–kick or staggered."""
    torque_times: tuple[float, ...]
    """When in a step the torque is evaluated, in steps after its beginning."""
    order_free: Order
    """Without a torque."""
    order_body_torque: Order
    """With a torque that is constant in the body."""
    order_orientation_torque: Order
    """With a torque that depends on the orientation, such as gravity on a top."""
    order_velocity_torque: Order
    """With a torque that depends on the angular velocity, such as drag."""
    conserves_energy: bool
    """Whether a free body keeps its kinetic energy to round-off."""
    conserves_momentum: bool
    """Whether a free body keeps its angular momentum to round-off."""
    reversible: bool
    """Whether the same steps lead back to the start when ω is reversed."""
    normalises: bool
    """Whether each step ends by scaling q to unit length."""
    flops: int
    """Floating-point operations of one step, without those of the torque."""
    memory: int
    """How many numbers it remembers beside q and ω."""
    source: str
    """Where it was published: author and year."""
    citation: str
    """The full reference."""
    doi: str | None
    """The digital object identifier of the publication, where there is one."""


def schemes() -> list[Scheme]:
    """All rotation schemes, in the order of the tables of the book.

    >>> from tumble import rotation
    >>> spiral = next(scheme for scheme in rotation.schemes() if scheme.name == "spiral-leapfrog")
    >>> spiral.time_level, spiral.order_velocity_torque, spiral.source
    ('leapfrog', Order(q=2, omega=2), 'del Valle et al. 2024')

    They are data classes, of which pandas makes a table:

    >>> import pandas
    >>> table = pandas.DataFrame(rotation.schemes()).set_index("name")
    >>> table.loc["runge-kutta-4", "torque_times"]
    (0.0, 0.5, 0.5, 1.0)
    """
    return [_scheme(facts) for facts in _native.schemes()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What a torque depends on."""

    name: str
    """The name, as an argument of `torque`."""
    unit: str
    """Its unit."""
    default: tuple[float, ...]
    """Its components where none are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TorqueKind:
    """A torque that has a name."""

    name: str
    """The name, as an argument."""
    title: str
    """What it is, in one line."""
    parameters: tuple[Parameter, ...]
    """What it depends on."""


def torques() -> list[TorqueKind]:
    """The torques that have a name: those that the program's studies know. `torque` makes one of them.

    >>> from tumble import rotation
    >>> for kind in rotation.torques():
    ...     print(f"{kind.name:12} {', '.join(parameter.name for parameter in kind.parameters)}")
    none
    body         torque
    lab          torque
    exponential  A, C
    seelen
    heavy-top    force, point
    drag         c
    """
    return [_torque(facts) for facts in _native.torque_kinds()]


def _scheme(facts: dict[str, Any]) -> Scheme:
    orders = {name: Order(*value) for name, value in facts.items() if name.startswith("order_")}
    return Scheme(**facts | orders | {"torque_times": tuple(facts["torque_times"])})


def _torque(facts: dict[str, Any]) -> TorqueKind:
    parameters = [Parameter(**given | {"default": tuple(given["default"])}) for given in facts["parameters"]]
    return TorqueKind(**facts | {"parameters": tuple(parameters)})
