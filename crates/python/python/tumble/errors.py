"""The exceptions of Tumble.

Each is a `TumbleError`, and at the same time the exception that Python programs expect in its place:

>>> import numpy, tumble
>>> try:
...     tumble.rotation.to_lab(numpy.zeros((2, 3)), [1, 0, 0])
... except ValueError as error:
...     print(f"{type(error).__name__}: {error}")
InputError: q: expected an array of shape (n, 4), found (2, 3)

An argument of a wrong type, such as a list where an array must be, is a `TypeError` of Python.
"""

__all__ = ["InputError", "ResultsError", "RunError", "SceneError", "SceneWarning", "Stop", "TumbleError"]


class TumbleError(Exception):
    """What all exceptions of Tumble have in common."""


class InputError(TumbleError, ValueError):
    """Something that was given cannot be: a shape of an array, a negative mass, a name that does not exist."""


class SceneError(InputError):
    """A scene has problems. The text names all of them, each with its place."""


class RunError(TumbleError, RuntimeError):
    """A motion cannot go on: bodies overlap too much, have escaped, or turn too fast for the time step."""


class ResultsError(TumbleError, OSError):
    """Files or a folder of results cannot be written, read or trusted."""


class SceneWarning(UserWarning):
    """Something in a scene likely is not what was meant, though it can be run."""


class Stop(Exception):
    """Raised by a callback of `Simulation.run`, it ends the run without an error."""
