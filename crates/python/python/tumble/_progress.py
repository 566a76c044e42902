"""How far a run is, in a terminal or a notebook. Private."""

import html
import sys
import time
from types import TracebackType
from typing import Any, Protocol

# Runs that are shorter show nothing in a notebook, s.
PATIENCE = 0.3


class Progress:
    """A bar in a notebook; in a terminal one of tqdm if that is installed, else a line that is written over.

    `shown` of None shows it where somebody can look on: in a terminal or a notebook. Steps that are not those of one
    simulation have no `dt`.
    """

    def __init__(self, shown: bool | None, title: str, first: int, last: int, dt: float | None = None) -> None:
        self._first, self._steps, self._dt = first, last - first, dt
        notebook = is_notebook()
        # Nothing in a title commands a terminal.
        title = "".join(letter if letter.isprintable() else "�" for letter in title)
        self._bar: _Bar | None = None
        if shown or (shown is None and (notebook or sys.stderr.isatty())):
            self._bar = _Page(title) if notebook else _terminal(title, self._steps, " runs" if dt is None else " steps")

    def tick(self, step: int) -> None:
        """Shows that a step has been reached."""
        if self._bar is not None:
            done = step - self._first
            simulated = "" if self._dt is None else f", t = {step * self._dt:.4g} s"
            self._bar.show(done, done / max(self._steps, 1), simulated)

    @property
    def wanted(self) -> bool:
        """Whether there is anything to show."""
        return self._bar is not None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()


class _Bar(Protocol):
    def show(self, steps: int, part: float, simulated: str) -> None: ...

    def close(self) -> None: ...


class _Page:
    """A bar of plain HTML, which is gone at the end.

    A widget needs a package in the place that shows the notebook, and leaves an error in it when it is opened again.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._start = time.monotonic()
        self._display: Any = None

    def show(self, steps: int, part: float, simulated: str) -> None:
        elapsed = time.monotonic() - self._start
        if elapsed < PATIENCE:
            return
        left = f", {elapsed / part - elapsed:.0f} s left" if part > 0 else ""
        says = f"{part:.0%}{simulated}{left}"
        title = html.escape(self._title)
        bar = f'<progress value="{part:.4f}" max="1" style="width:16em;vertical-align:middle;margin:0 0.8em"></progress>'
        self._put({"text/plain": f"{self._title}: {says}", "text/html": f"<div>{title}{bar}{says}</div>"})

    def close(self) -> None:
        if self._display is not None:
            self._put({"text/plain": ""})

    def _put(self, shown: dict[str, str]) -> None:
        if self._display is None:
            import IPython.display

            # It has no types.
            display: Any = IPython.display.display
            self._display = display(shown, raw=True, display_id=True)
        else:
            self._display.update(shown, raw=True)


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def show(self, steps: int, part: float, simulated: str) -> None:
        self._bar.update(steps - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class _Line:
    def __init__(self, title: str) -> None:
        self._title = title
        self._next = 0.0

    def show(self, steps: int, part: float, simulated: str) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            sys.stderr.write(f"\r{self._title}: {part:4.0%}{simulated}")
            sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\n")


def _terminal(title: str, steps: int, unit: str) -> _Bar:
    try:
        from tqdm import tqdm
    except ImportError:
        return _Line(title)
    return _Tqdm(tqdm(total=steps, desc=title, unit=unit, unit_scale=True, leave=False))


def is_notebook() -> bool:
    """Whether this runs for a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})
