"""Tables of results: columns of numbers, which pandas and Matplotlib can take over."""

import csv
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tumble import _plots
from tumble._columns import data_frame
from tumble.errors import InputError, ResultsError

__all__ = ["EnergyTable", "Table", "WallsTable"]


class Table(Mapping[str, npt.NDArray[Any]]):
    """Columns of a CSV file by name. The unit of a column is the end of its name: `time_s`, `force_x_N`.

    It is a mapping, of which `pandas.DataFrame(table)` makes a table; `dataframe` does the same.
    """

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self._columns = dict(columns)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Table":
        """Reads a CSV file with a line of names. Columns are numbers, or texts where one is no number.

        Raises:
            ResultsError: the file is not there, or not of that kind.
        """
        try:
            with Path(path).open(newline="", encoding="utf-8") as file:
                names = next(csv.reader(file), [])
                # A run that is under way may have written half a line.
                rows = [row for row in csv.reader(file) if len(row) == len(names)]
        except (OSError, UnicodeDecodeError) as error:
            raise ResultsError(f"{os.fspath(path)}: {error}") from error
        columns = zip(*rows, strict=True) if rows else ((),) * len(names)
        return cls({name: _column(name, texts) for name, texts in zip(names, columns, strict=True)})

    def dataframe(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        return data_frame(self._columns)

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Draws columns over time with Matplotlib, and gives the axes.

        If no columns are named: all numbers but the time and the step.
        """
        chosen = columns or tuple(name for name in self if name not in ("time_s", "step") and self[name].dtype.kind == "f")
        for name in chosen:
            if name not in self:
                raise KeyError(f"{name}: the columns are {', '.join(self)}")
        ax = _plots.axes_or_new(ax)
        _plots.curves(ax, self["time_s"], [(_plots.words(name), self[name]) for name in chosen])
        unit = _plots.unit(chosen)
        if unit is not None:
            ax.set_ylabel(unit)
        _plots.legend_beside(ax)
        return ax

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.rows} rows of {', '.join(self)}>"

    def _repr_html_(self) -> str | None:
        try:
            return str(self.dataframe()._repr_html_())
        except ImportError:
            return None


def _column(name: str, texts: tuple[str, ...]) -> npt.NDArray[Any]:
    try:
        # A field is empty where a row has no number.
        return np.array(texts, dtype=np.int64) if name == "step" else np.array([text or "nan" for text in texts], dtype=float)
    except ValueError:
        return np.array(texts, dtype=str)


class EnergyTable(Table):
    """The books of energy over time, in J."""

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Draws energies over time with Matplotlib, and gives the axes.

        If no columns are named: all energies and losses that are not zero throughout.
        """
        energies = [name for name in self if name.endswith("_J") and name != "balance_J"]
        chosen = columns or tuple(name for name in energies if np.any(self[name] != 0))
        axes = super().plot(*chosen, ax=ax)
        if _plots.unit(chosen) == "J":
            axes.set_ylabel("energy (J)")
        return axes


class WallsTable(Table):
    """What walls felt over time: a row for each instant and wall."""

    @property
    def names(self) -> list[str]:
        """The names of the walls."""
        return list(dict.fromkeys(self["wall"].tolist()))

    def of(self, wall: str) -> Table:
        """The rows of one wall, by its name.

        Raises:
            InputError: there is no such wall.
        """
        if wall not in self.names:
            raise InputError(f"wall: expected one of {', '.join(self.names) or 'none at all'}; found {wall!r}")
        rows = self["wall"] == wall
        return Table({name: values[rows] for name, values in self.items() if name != "wall"})

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Draws a curve for each wall in a panel for each quantity, and gives the axes: one, or a list.

        If no columns are named: all quantities that are not zero throughout. With `ax`, only one can be drawn.
        """
        known = [name for name in self if name not in ("time_s", "step", "wall")]
        for name in columns:
            if name not in known:
                raise KeyError(f"{name}: the columns are {', '.join(known)}")
        felt = tuple(name for name in known if np.any(self[name] != 0))
        chosen = columns or felt or tuple(known[:1])
        if ax is not None and len(chosen) != 1:
            raise InputError(f"ax: expected one column for one panel, found {', '.join(chosen)}")
        axes = [ax] if ax is not None else _plots.panels(chosen)[1]
        walls = [(wall, self.of(wall)) for wall in self.names]
        for panel, name in zip(axes, chosen, strict=True):
            for number, (wall, rows) in enumerate(walls):
                panel.plot(rows["time_s"], rows[name], label=wall, **_plots.style(number))
            unit = _plots.unit([name])
            panel.set_ylabel(_plots.words(name) + (f" ({unit})" if unit else ""))
            panel.grid(alpha=0.25)
            panel.margins(x=0)
        axes[-1].set_xlabel("time (s)")
        _plots.legend_beside(axes[0])
        return axes[0] if len(axes) == 1 else axes
