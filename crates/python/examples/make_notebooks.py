"""Makes the notebooks of the examples from their scripts, which are the source: `python examples/make_notebooks.py`.

A line `# %%` begins a cell of code, `# %% [markdown]` one of text, whose lines are comments.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def scripts() -> list[Path]:
    """All examples."""
    return sorted(path for path in FOLDER.glob("*.py") if path.name != Path(__file__).name)


def notebook(script: str) -> str:
    """The notebook of a script, without outputs."""
    pieces = [piece.partition("\n") for piece in ("\n" + script).split("\n# %%")[1:]]
    contents = {
        "cells": [_cell(number, header, body.strip("\n")) for number, (header, _, body) in enumerate(pieces)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(contents, indent=1, ensure_ascii=False) + "\n"


def _cell(number: int, header: str, body: str) -> dict[str, Any]:
    text = "[markdown]" in header
    lines = [line.removeprefix("# ") for line in body.split("\n")] if text else body.split("\n")
    source = [line + "\n" for line in lines[:-1]] + lines[-1:]
    cell: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}, "source": source}
    return cell | ({"cell_type": "markdown"} if text else {"cell_type": "code", "execution_count": None, "outputs": []})


if __name__ == "__main__":
    for path in scripts():
        path.with_suffix(".ipynb").write_text(notebook(path.read_text(encoding="utf-8")), encoding="utf-8")
