"""Columns of arrays that pandas can take over. Private."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tumble.errors import TumbleError

__all__ = ["Columns", "data_frame"]

_AXES = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}


class Columns(dict[str, npt.NDArray[Any]]):
    """Arrays by name, with a row each for the same things. They cannot be written to."""

    def to_frame(self) -> Any:
        """The columns as a `pandas.DataFrame`; vectors are columns for each of their parts, such as `force_x`."""
        flat: dict[str, npt.NDArray[Any]] = {}
        for name, values in self.items():
            if values.ndim == 1:
                flat[name] = values
            else:
                flat |= {f"{name}_{axis}": values[:, part] for part, axis in enumerate(_AXES[values.shape[1]])}
        return data_frame(flat)

    def __repr__(self) -> str:
        rows = len(next(iter(self.values()), ()))
        return f"<{rows} rows of {', '.join(self)}; .to_frame() makes a table of pandas>"

    def _repr_html_(self) -> str | None:
        try:
            return str(self.to_frame()._repr_html_())
        except TumbleError:
            return None


def data_frame(columns: dict[str, npt.NDArray[Any]]) -> Any:
    """A `pandas.DataFrame`, if pandas is there."""
    try:
        import pandas
    except ImportError as error:
        raise TumbleError("tables of pandas need the package pandas: pip install pandas") from error
    return pandas.DataFrame({name: np.array(values) for name, values in columns.items()})
