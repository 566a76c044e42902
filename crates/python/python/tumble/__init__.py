"""Tumble: rigid bodies that turn, and rotation schemes to turn them with.

==============  ==========================================================
module          what
==============  ==========================================================
`rotation`      rotation schemes, on arrays of bodies
`clump`         shapes made of spheres; `Clump` is here as well
`errors`        the exceptions, which are here as well
==============  ==========================================================

All quantities are in SI units. Arrays have one row for each body. Quaternions are unit quaternions in the order
(w, x, y, z), and take vectors from the frame of the body's principal axes to the lab.
"""

from tumble import clump, errors, rotation
from tumble._native import __version__
from tumble.clump import Clump
from tumble.errors import InputError, ResultsError, RunError, SceneError, TumbleError

__all__ = [
    "Clump",
    "InputError",
    "ResultsError",
    "RunError",
    "SceneError",
    "TumbleError",
    "__version__",
    "clump",
    "errors",
    "rotation",
]
