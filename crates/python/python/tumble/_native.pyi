"""The part of the package that is written in Rust. Private: use the modules of `tumble`."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["__version__", "schemes", "to_body", "to_lab"]

__version__: Final[str]

# rotation

def schemes() -> list[dict[str, Any]]: ...
def to_body(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
def to_lab(q: npt.NDArray[np.float64], vectors: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
