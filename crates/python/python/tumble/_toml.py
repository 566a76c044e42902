"""Python values as TOML, the form of scene files. Private."""

import json
import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tumble.errors import SceneError

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def document(keys: Mapping[str, Any]) -> str:
    """A whole file: plain keys first, then tables and lists of tables under their heads. A key that is None is absent."""
    parts: list[str] = [""]
    for key, given in keys.items():
        name = _key(key, "")
        if isinstance(given, Mapping):
            parts.append(f"[{name}]\n{_lines(given, key)}")
        elif isinstance(given, (list, tuple)) and given and all(isinstance(each, Mapping) for each in given):
            parts += [f"[[{name}]]\n{_lines(table, f'{key}[{number}]')}" for number, table in enumerate(given)]
        elif given is not None:
            parts[0] += f"{name} = {value(given, key)}\n"
    return "\n".join(part for part in parts if part)


def value(given: Any, path: str) -> str:
    """One value, on one line. Errors name the path."""
    if isinstance(given, np.generic):
        given = given.item()
    elif isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, (int, float)):
        return repr(given)
    if isinstance(given, (str, os.PathLike)):
        # TOML has the escapes of JSON, but no halves of characters, and DEL is one more to escape.
        return json.dumps(os.fspath(given), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(given, Mapping):
        pairs = (f"{_key(key, path)} = {value(each, _below(path, key))}" for key, each in given.items() if each is not None)
        return f"{{ {', '.join(pairs)} }}" if given else "{}"
    if isinstance(given, (list, tuple)):
        return f"[{', '.join(value(each, f'{path}[{number}]') for number, each in enumerate(given))}]"
    raise SceneError(f"{path}: a scene holds numbers, texts, lists and dictionaries, found {type(given)}")


def _lines(table: Mapping[str, Any], path: str) -> str:
    given = ((key, each) for key, each in table.items() if each is not None)
    return "".join(f"{_key(key, path)} = {value(each, _below(path, key))}\n" for key, each in given)


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise SceneError(f"{path or 'scene'}: keys are texts, found {key!r}")
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")


def _below(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)
