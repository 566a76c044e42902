"""The part of the package that is written in Rust. Private: use the modules of `tumble`."""

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

__all__ = ["Batch", "__version__", "schemes", "to_body", "to_lab", "torque_at", "torque_kinds"]

__version__: Final[str]

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
