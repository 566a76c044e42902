"""Examples run, as scripts and as notebooks in a kernel, and say what they should; notebooks are those of the scripts."""

import csv
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PACKAGE = Path(__file__).parents[1]
specification = importlib.util.spec_from_file_location("make_notebooks", PACKAGE / "examples/make_notebooks.py")
assert specification is not None and specification.loader is not None
make_notebooks = importlib.util.module_from_spec(specification)
specification.loader.exec_module(make_notebooks)
NAMES: list[str] = [path.stem for path in make_notebooks.scripts()]

EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""

Notebook = Callable[[str], list[dict[str, Any]]]
Script = Callable[[str], str]


def run(folder: Path, *arguments: object, **environment: str) -> str:
    """What Python prints. It runs in a folder of its own, in which Jupyter keeps what it keeps."""
    own = {name: str(folder) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "TMPDIR")}
    inherited = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    quiet = {"PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"}
    said = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=inherited | own | quiet | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Script, Notebook]]:
    """What scripts print, and the outputs of notebooks. All run side by side, each once."""

    def script(name: str) -> str:
        return run(tmp_path_factory.mktemp(name), PACKAGE / f"examples/{name}.py", MPLBACKEND="agg")

    def notebook(name: str) -> list[dict[str, Any]]:
        folder = tmp_path_factory.mktemp(name)
        run(folder, "-c", EXECUTE, PACKAGE / f"examples/{name}.ipynb", folder / "executed.ipynb")
        cells = json.loads((folder / "executed.ipynb").read_text(encoding="utf-8"))["cells"]
        return [output for cell in cells for output in cell.get("outputs", [])]

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        notebooks = {name: threads.submit(notebook, name) for name in NAMES}
        scripts = {name: threads.submit(script, name) for name in NAMES}
        yield (lambda name: scripts[name].result()), (lambda name: notebooks[name].result())


def printed(outputs: list[dict[str, Any]]) -> str:
    return "".join("".join(output["text"]) for output in outputs if output.get("name") == "stdout")


@pytest.mark.parametrize("name", NAMES)
def test_the_notebook_is_that_of_the_script(name: str) -> None:
    expected = make_notebooks.notebook((PACKAGE / f"examples/{name}.py").read_text(encoding="utf-8"))
    message = "python examples/make_notebooks.py writes the notebooks again"
    assert (PACKAGE / f"examples/{name}.ipynb").read_text(encoding="utf-8") == expected, message


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_show_what_scripts_print_and_more(name: str, ran: tuple[Script, Notebook]) -> None:
    script, notebook = ran
    outputs = notebook(name)
    assert printed(outputs)
    assert printed(outputs) == script(name)
    shown = {kind for output in outputs for kind in output.get("data", {})}
    text = (PACKAGE / f"examples/{name}.py").read_text(encoding="utf-8")
    assert ("image/png" in shown) == ("plt.show()" in text)
    # No widgets, of which errors would be left in a notebook that is saved.
    assert shown <= {"image/png", "text/html", "text/plain"}
    pages = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
    assert ([page.startswith("<iframe") for page in pages] == [True]) == (".view()" in text)


def test_table_2_is_as_published(ran: tuple[Script, Notebook]) -> None:
    """The bands are those of the study of the paper: Buss was run by the authors with another coefficient."""
    assert len((PACKAGE / "examples/spiral_table2.py").read_text(encoding="utf-8").splitlines()) <= 30
    said = ran[0]("spiral_table2")
    ours = {name: [float(number) for number in numbers] for name, *numbers in map(str.split, said.splitlines()[1:])}
    with open(PACKAGE.parents[1] / "papers/spiral-2024/published/table2.csv", encoding="utf-8", newline="") as file:
        published = {name: [float(number) for number in numbers] for name, *numbers in list(csv.reader(file))[1:]}
    assert set(ours) == set(published) - {"pfc4"}
    for name, time_steps in ours.items():
        if name == "buss":
            assert time_steps[:3] == pytest.approx(published[name][:3], rel=0.05)
        else:
            assert time_steps == pytest.approx(published[name], rel=2e-3), name


def test_the_handle_turns_over_in_the_time_of_theory(ran: tuple[Script, Notebook]) -> None:
    words = ran[0]("dzhanibekov").splitlines()[-1].split()
    assert words[:3] == ["turns", "over", "every"]
    assert float(words[3]) == pytest.approx(float(words[7]), rel=1e-4)


def test_needles_follow_the_field(ran: tuple[Script, Notebook]) -> None:
    assert float(ran[0]("torque_field").split()[-4]) > 0.9


def test_the_symplectic_scheme_holds_the_energy_of_the_pieces(ran: tuple[Script, Notebook]) -> None:
    lines = ran[0]("chess_box").splitlines()
    errors = {line.split()[0]: float(line.split()[-1]) for line in lines if "the energy is off" in line}
    assert set(errors) == {"spiral-leapfrog", "direct-euler"}
    assert errors["spiral-leapfrog"] < 0.1 * errors["direct-euler"]


def test_friction_makes_the_surface_steeper(ran: tuple[Script, Notebook]) -> None:
    said = ran[0]("sweep")
    slopes = [float(line.split()[1]) for line in said.splitlines() if line.split()[0][0].isdigit()]
    assert len(slopes) == 3 and np.all(np.diff(slopes) > 2)
