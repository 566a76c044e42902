"""Arrays of the state of bodies, whose items can be set."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tumble.errors import InputError

__all__ = ["Source", "StateArray"]

Floats: TypeAlias = npt.NDArray[np.float64]
Ids: TypeAlias = npt.NDArray[np.uint32]


class Source:
    """Where the rows of an array come from, and how the bodies are given others.

    The engine keeps bodies in an order and a layout of its own, so that no array can be a window on them. What was read is
    kept, and what is written to it is handed on to the bodies whose rows changed.
    """

    def __init__(self, name: str, read: Callable[[], tuple[Ids, Floats]], write: Callable[[Ids, Floats], None]) -> None:
        self.name = name
        self._read = read
        self._write = write
        self._ids, self.values = read()

    def change(self, act: Callable[[], Any]) -> None:
        """Hands on what `act` does to the values. If that cannot be, they are what they were."""
        before = self.values.copy()
        try:
            act()
            # NaN differs from itself, and is refused.
            rows = np.flatnonzero((self.values != before).any(axis=1))
            if len(rows) > 0:
                self._refuse_if_late(before, rows)
                self._write(self._ids[rows], self.values[rows])
                self.values[rows] = self._read()[1][rows]
        except BaseException:
            self.values[...] = before
            raise

    def _refuse_if_late(self, before: Floats, rows: npt.NDArray[np.intp]) -> None:
        ids, now = self._read()
        # Whatever is done to a body rounds its state anew.
        rounding = 1e-12 * np.abs(before).max()
        if not np.array_equal(ids, self._ids) or not np.allclose(now[rows], before[rows], rtol=1e-9, atol=rounding):
            raise InputError(
                f"{self.name}: bodies have moved or changed since this array was taken; take sim.{self.name} again, or copy it "
                f"to compute with"
            )


class StateArray(np.ndarray[Any, np.dtype[np.float64]]):
    """The state of bodies, a row for each. Setting items, or computing in place, changes the bodies.

    Parts of it that NumPy would give as views do so too. What is computed from it is an ordinary array.
    """

    _source: Source | None
    _own: Floats
    """The values of the source that are seen here; without a source, none."""

    @staticmethod
    def of(source: Source, own: Floats) -> "StateArray":
        """An array of values of the source."""
        array = own.view(StateArray)
        # What is written to it by other ways than those below would be lost.
        array.flags.writeable = False
        array._source, array._own = source, own
        return array

    @property
    def is_live(self) -> bool:
        """Whether what is written to it changes bodies."""
        return self._source is not None

    def __array_finalize__(self, made_from: object) -> None:
        self._source = None

    def __getitem__(self, key: Any) -> Any:
        if self._source is None:
            return super().__getitem__(key)
        part = self._own[key]
        is_view = isinstance(part, np.ndarray) and np.may_share_memory(part, self._own)
        return StateArray.of(self._source, part) if is_view else part

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._source is None:
            super().__setitem__(key, value)
        else:
            self._source.change(lambda: self._own.__setitem__(key, value))

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, out: Any = (), **options: Any) -> Any:
        call = getattr(ufunc, method)
        # `at` writes to what it is given first.
        written = [inputs[0]] if method == "at" else list(out)
        sources = [array._source for array in written if isinstance(array, StateArray) and array._source is not None]
        plain = [_plain(value, value is inputs[0] and method == "at") for value in inputs]
        if out:
            options["out"] = tuple(_plain(array, True) for array in out)
        if not sources:
            return call(*plain, **options)
        [source] = sources
        source.change(lambda: call(*plain, **options))
        return written[0] if out else None


def _plain(value: Any, to_be_written: bool) -> Any:
    """An ordinary array of the same memory."""
    if not isinstance(value, StateArray):
        return value
    if to_be_written and value._source is not None:
        return value._own
    return value.view(np.ndarray)
