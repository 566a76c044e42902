"""How far a run is, in a terminal or a notebook. Private."""

import sys
import time
from types import TracebackType
from typing import Any


class Progress:
    """A bar of tqdm if that is installed, else a line that is written over.

    `shown` of None shows it where somebody can look on: in a terminal or a notebook.
    """

    def __init__(self, shown: bool | None, title: str, first: int, last: int, dt: float) -> None:
        self._first, self._last, self._title, self._dt = first, last, title, dt
        self._bar: Any = None
        self._line = False
        self._next = 0.0
        if shown or (shown is None and (_is_notebook() or sys.stderr.isatty())):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._line = True
            else:
                self._bar = tqdm(total=last - first, desc=title, unit=" steps", unit_scale=True, leave=False)

    def tick(self, step: int) -> None:
        """Shows that a step has been reached."""
        if self._bar is not None:
            self._bar.update(step - self._first - self._bar.n)
        elif self._line and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            part = (step - self._first) / max(self._last - self._first, 1)
            sys.stderr.write(f"\r{self._title}: {part:4.0%}, t = {step * self._dt:.4g} s")
            sys.stderr.flush()

    @property
    def wanted(self) -> bool:
        """Whether there is anything to show."""
        return self._bar is not None or self._line

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._line:
            sys.stderr.write("\n")


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})
