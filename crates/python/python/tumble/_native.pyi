"""The part of the package that is written in Rust. Private: use the modules of `tumble`."""

import os
from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Batch",
    "__version__",
    "clump_svg",
    "mass_properties",
    "read_clump",
    "schemes",
    "shape_list",
    "shape_spheres",
    "to_body",
    "to_lab",
    "torque_at",
    "torque_kinds",
]

__version__: Final[str]

# clump

def clump_svg(spheres: npt.ArrayLike, caption: str) -> str: ...
def mass_properties(
    spheres: npt.ArrayLike, *, union: bool, given: tuple[float, Sequence[float], Sequence[float]] | None
) -> dict[str, Any]: ...
def read_clump(path: str | os.PathLike[str]) -> npt.NDArray[np.float64]: ...
def shape_list() -> list[dict[str, str]]: ...
def shape_spheres(name: str) -> npt.NDArray[np.float64]: ...

# rotation

@final
class Batch:
    def __new__(
        cls,
        scheme: str,
        inertia: npt.ArrayLike,
        q: npt.ArrayLike,
        omega: npt.ArrayLike,
        dt: float,
        torque: Any,
        *,
        torque_in_body: bool,
        one: bool,
        start: float,
        threads: int,
    ) -> Batch: ...
    def __len__(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def lags(self) -> tuple[float, float]: ...
    def step(self, steps: int) -> None: ...
    def state(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def native(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def record(
        self, steps: int, every: int
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...

def schemes() -> list[dict[str, Any]]: ...
def to_body(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
def to_lab(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
def torque_at(
    name: str, numbers: Sequence[float], t: float, q: npt.ArrayLike, omega: npt.ArrayLike
) -> npt.NDArray[np.float64]: ...
def torque_kinds() -> list[dict[str, Any]]: ...
