"""Figures of tables with Matplotlib: the same colours and words as in reports. Private."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["axes_or_new", "curves", "legend_beside", "panels", "style", "words"]

# Okabe & Ito's colours, less the yellow that is lost on white paper.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_DASHES: tuple[Any, ...] = ("-", (0, (7, 3)), (0, (2, 2.5)), (0, (8, 3, 2, 3)))

_WORDS = {
    "translational_J": "kinetic, of the centres of mass",
    "rotational_J": "kinetic, of rotation",
    "gravitational_J": "potential, in gravity",
    "elastic_normal_J": "elastic, of normal springs",
    "elastic_tangential_J": "elastic, of tangential springs",
    "elastic_rolling_J": "elastic, of rolling and twisting springs",
    "normal_damping_J": "lost to normal damping",
    "tangential_damping_J": "lost to tangential damping",
    "sliding_J": "lost to sliding",
    "rolling_J": "lost to rolling and twisting",
    "separation_J": "lost with springs of contacts that ended",
    "drag_J": "lost to drag",
    "wall_work_J": "put in by walls",
    "field_work_J": "put in by fields",
    "hand_work_J": "put in by hands",
    "exchanged_J": "brought in by changes and streams",
    "mechanical_J": "mechanical, all of it",
    "balance_J": "balance",
    "relative_balance_error": "relative error of the balance",
}

_UNITS = {"J": "J", "N": "N", "Nm": "N m", "W": "W", "s": "s"}


def words(column: str) -> str:
    """What a column is, in words; its unit belongs to the axis."""
    name, _, unit = column.rpartition("_")
    return _WORDS.get(column) or (name if unit in _UNITS and name else column).replace("_", " ")


def unit(columns: Iterable[str]) -> str | None:
    """The unit that all columns have, if they have one."""
    units = {_UNITS.get(column.rpartition("_")[2]) for column in columns}
    return units.pop() if len(units) == 1 else None


def style(number: int) -> dict[str, Any]:
    """Colour and dashes of a curve; the first 28 all differ."""
    return {"color": _COLOURS[number % len(_COLOURS)], "linestyle": _DASHES[number // len(_COLOURS) % len(_DASHES)]}


def axes_or_new(ax: Any) -> Any:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(8.0, 4.2), layout="constrained")[1]


def curves(ax: Any, time: npt.NDArray[Any], columns: Sequence[tuple[str, npt.NDArray[Any]]]) -> None:
    """Draws curves over time, each with its own style."""
    for number, (label, values) in enumerate(columns):
        ax.plot(time, values, label=label, **style(number))
    ax.set_xlabel("time (s)")
    ax.grid(alpha=0.25)
    ax.margins(x=0)


def legend_beside(ax: Any) -> None:
    """A legend to the right of the axes, where it hides nothing."""
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small")


def panels(quantities: Sequence[str]) -> tuple[Any, list[Any]]:
    """A figure with a panel below the other for each quantity, on one axis of time."""
    import matplotlib.pyplot as plt

    height = 1.0 + 1.7 * len(quantities)
    figure, axes = plt.subplots(
        len(quantities), 1, sharex=True, squeeze=False, figsize=(8.0, height), layout="constrained"
    )
    return figure, list(np.ravel(axes))
