"""Tumble: rigid bodies that turn, and rotation schemes to turn them with.

==============  ==========================================================
module          what
==============  ==========================================================
`rotation`      rotation schemes, on arrays of bodies
`clump`         shapes made of spheres; `Clump` is here as well
`scene`         what is simulated: `Scene`, `examples`
`simulation`    bodies that move: `Simulation`
`results`       what a run leaves: `open`, `Result`
`tables`        tables of results
`sweeps`        studies: `sweep` varies keys of a scene
`errors`        the exceptions, which are here as well
==============  ==========================================================

All quantities are in SI units. Arrays have one row for each body. Quaternions are unit quaternions in the order
(w, x, y, z), and take vectors from the frame of the body's principal axes to the lab.
"""

from tumble import clump, errors, results, rotation, scene, simulation, sweeps, tables
from tumble._native import __version__
from tumble.clump import Clump
from tumble.errors import InputError, ResultsError, RunError, SceneError, SceneWarning, Stop, TumbleError
from tumble.results import Result, open
from tumble.scene import Scene, examples
from tumble.simulation import Simulation
from tumble.sweeps import Study, sweep

__all__ = [
    "Clump",
    "InputError",
    "Result",
    "ResultsError",
    "RunError",
    "Scene",
    "SceneError",
    "SceneWarning",
    "Simulation",
    "Stop",
    "Study",
    "TumbleError",
    "__version__",
    "clump",
    "errors",
    "examples",
    "open",
    "results",
    "rotation",
    "scene",
    "simulation",
    "sweep",
    "sweeps",
    "tables",
]
