"""Scenes: what is simulated, with the keys of a scene file.

A `Scene` is a dictionary of dictionaries, lists, numbers and texts: what stands in a scene file, with the same names,
units and checks. The book lists all keys in its reference of scene files.
"""

import os
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from tumble import _native
from tumble._toml import document, value
from tumble.errors import InputError

__all__ = ["Scene", "examples"]


class Scene(MutableMapping[str, Any]):
    """A scene made by a program.

    Args:
        keys: the keys of a scene file, as dictionaries and lists. They are copied. NumPy arrays and numbers may be used.
        name: what results are called, and the title where there is none.
        folder: where paths in the scene start from; the working directory if absent.

    >>> import tumble
    >>> scene = tumble.Scene({
    ...     "version": 1,
    ...     "gravity": [0, 0, -9.81],
    ...     "run": {"duration": "10 ms", "threads": 1},
    ...     "materials": {"glass": {"density": 2500, "young": "60 MPa", "poisson": 0.25}},
    ...     "pair": {"restitution": 0.9, "friction": 0.3},
    ...     "templates": {"rod": {"shape": "rod"}},
    ...     "bodies": [{"template": "rod", "at": [0, 0, "2 cm"]}],
    ...     "walls": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
    ... })
    >>> scene["run"]["dt"] = 1e-6
    >>> tumble.Simulation.from_scene(scene).dt
    1e-06

    What is wrong is named by its path, all problems at once:

    >>> scene["walls"][0]["plane"]["normal"] = [0, 0, 0]
    >>> scene.check()
    Traceback (most recent call last):
        ...
    tumble.errors.SceneError: walls[0].plane: ...
    """

    def __init__(
        self, keys: Mapping[str, Any] | None = None, *, name: str = "scene", folder: str | os.PathLike[str] | None = None
    ) -> None:
        self._keys: dict[str, Any] = _copied(keys or {})
        self.name = name
        self.folder = None if folder is None else Path(folder)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, set: Mapping[str, Any] | None = None) -> "Scene":
        """The keys of a scene file, to be changed. Paths in it start from its folder.

        Args:
            path: the file.
            set: keys to set, as in `Simulation.from_scene`.

        Raises:
            SceneError: the file cannot be read, or is not TOML. Keys are checked later, by `check` and `from_scene`.
        """
        file = Path(path)
        keys = _native.scene_keys(source(file, set))
        return cls(keys, name=file.stem, folder=file.parent)

    @classmethod
    def from_text(cls, text: str, *, name: str = "scene", set: Mapping[str, Any] | None = None) -> "Scene":
        """The keys of a text as it stands in a scene file.

        >>> import tumble
        >>> tumble.Scene.from_text("[run]\\nsteps = 10", set={"run.steps": 20})["run"]
        {'steps': 20}
        """
        return cls(_native.scene_keys(_text(name, text, None, set)), name=name)

    @classmethod
    def example(cls, name: str, *, set: Mapping[str, Any] | None = None) -> "Scene":
        """An example scene; `examples` lists them.

        >>> import tumble
        >>> tumble.Scene.example("chess")["contact"]
        {'law': 'hertz'}
        """
        return cls.from_text(_example(name), name=name, set=set)

    def check(self) -> None:
        """Checks everything that is checked before a run, which takes as long as placing its bodies.

        Raises:
            SceneError: with all problems, each with the path of its key.
        """
        _native.check_scene(source(self, None))

    def filled(self) -> str:
        """The scene as TOML, with everything filled in that has a default."""
        return _native.check_scene(source(self, None))

    def to_toml(self) -> str:
        """The scene as the text of a scene file.

        >>> import tumble
        >>> print(tumble.Scene({"version": 1, "run": {"steps": 10}, "walls": [{"name": "floor"}]}).to_toml())
        version = 1
        <BLANKLINE>
        [run]
        steps = 10
        <BLANKLINE>
        [[walls]]
        name = "floor"
        <BLANKLINE>
        """
        return document(self._keys)

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = value

    def __delitem__(self, key: str) -> None:
        del self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"Scene({self._keys!r}, name={self.name!r})"


class ReadOnlyScene(Scene):
    """The scene of a simulation: how it was set up. Whatever would change it is refused, since nothing would follow."""

    @classmethod
    def of(cls, text: str) -> "ReadOnlyScene":
        """Of the text of a scene file."""
        scene = cls()
        scene._keys = _frozen(_native.scene_keys(_text("scene", text, None, None)))
        return scene

    def __setitem__(self, key: str, value: Any) -> None:
        raise InputError(_UNCHANGED)

    def __delitem__(self, key: str) -> None:
        raise InputError(_UNCHANGED)


_UNCHANGED = (
    "sim.scene tells how the simulation was set up, and to change it would do nothing; what can be changed while it goes on are "
    "sim.dt, sim.gravity and sim.set_property('friction', 0.1); tumble.Scene(sim.scene) is a copy for another simulation"
)


def _refuse(*_: Any, **__: Any) -> Any:
    raise InputError(_UNCHANGED)


class _FrozenDict(dict[str, Any]):
    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class _FrozenList(list[Any]):
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse

    def __reduce__(self) -> Any:
        return list, (list(self),)


def _frozen(keys: Any) -> Any:
    if isinstance(keys, dict):
        return _FrozenDict({key: _frozen(each) for key, each in keys.items()})
    if isinstance(keys, list):
        return _FrozenList(_frozen(each) for each in keys)
    return keys


def examples() -> dict[str, str]:
    """The example scenes: their names, and what they show.

    >>> import tumble
    >>> tumble.examples()["drum"]
    'Rotating drum: a drum nearly half full of clumps turns, and their surface takes on a slope and flows.'
    """
    return {name: description for name, description, _ in _native.examples()}


def source(scene: "Scene | Mapping[str, Any] | str | os.PathLike[str]", set: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the library reads: a file, a text, an example or keys. Private."""
    if isinstance(scene, Scene):
        return _text(scene.name, scene.to_toml(), scene.folder, set, by_path=True)
    if isinstance(scene, Mapping):
        return _text("scene", document(scene), None, set, by_path=True)
    if isinstance(scene, str):
        if "\n" in scene:
            return _text("scene", scene, None, set)
        if scene in examples():
            return _text(scene, _example(scene), None, set)
    if not isinstance(scene, (str, os.PathLike)):
        raise TypeError(f"scene: expected a Scene, a dictionary, a path or a text, found {type(scene)}")
    return _text("", "", None, set) | {"file": os.fspath(scene)}


def _text(
    name: str, text: str, folder: Path | None, set: Mapping[str, Any] | None, *, by_path: bool = False
) -> dict[str, Any]:
    # What is text in Python stays as it is typed: "2 us" and no-squish need no further quotes, as on a command line.
    given = (set or {}).items()
    keys = [(key, each if isinstance(each, str) else value(each, key)) for key, each in given]
    return {"file": None, "name": name, "text": text, "folder": folder, "by_path": by_path, "set": keys}


def _example(name: str) -> str:
    texts = {known: text for known, _, text in _native.examples()}
    if name not in texts:
        raise InputError(f"there is no example {name!r}; the examples are {', '.join(texts)}")
    return texts[name]


def _copied(keys: Any) -> Any:
    if isinstance(keys, Mapping):
        return {key: _copied(each) for key, each in keys.items()}
    if isinstance(keys, (list, tuple)):
        return [_copied(each) for each in keys]
    return keys
