"""Examples run, as scripts and as notebooks, and say what they should; notebooks are those of the scripts."""

import csv
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
specification = importlib.util.spec_from_file_location("make_notebooks", PACKAGE / "examples/make_notebooks.py")
assert specification is not None and specification.loader is not None
make_notebooks = importlib.util.module_from_spec(specification)
specification.loader.exec_module(make_notebooks)
SCRIPTS: list[Path] = make_notebooks.scripts()


def run(program: str, folder: Path) -> str:
    """What a program prints. It runs in a folder of its own, without a screen."""
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    environment = os.environ | {"MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"}
    said = subprocess.run(
        [sys.executable, file], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_notebook_is_that_of_the_script(script: Path) -> None:
    expected = make_notebooks.notebook(script.read_text(encoding="utf-8"))
    message = "python examples/make_notebooks.py writes the notebooks again"
    assert script.with_suffix(".ipynb").read_text(encoding="utf-8") == expected, message


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_notebooks_run(script: Path, tmp_path: Path) -> None:
    cells = json.loads(script.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert code
    run("\n\n".join(code), tmp_path)


def test_table_2_is_as_published(tmp_path: Path) -> None:
    """The bands are those of the study of the paper: Buss was run by the authors with another coefficient."""
    said = run((PACKAGE / "examples/spiral_table2.py").read_text(encoding="utf-8"), tmp_path)
    ours = {name: [float(number) for number in numbers] for name, *numbers in map(str.split, said.splitlines()[1:])}
    with open(PACKAGE.parents[1] / "papers/spiral-2024/published/table2.csv", encoding="utf-8", newline="") as file:
        published = {name: [float(number) for number in numbers] for name, *numbers in list(csv.reader(file))[1:]}
    assert set(ours) == set(published) - {"pfc4"}
    for name, time_steps in ours.items():
        if name == "buss":
            assert time_steps[:3] == pytest.approx(published[name][:3], rel=0.05)
        else:
            assert time_steps == pytest.approx(published[name], rel=2e-3), name


def test_the_handle_turns_over_in_the_time_of_theory(tmp_path: Path) -> None:
    said = run((PACKAGE / "examples/dzhanibekov.py").read_text(encoding="utf-8"), tmp_path)
    words = said.splitlines()[-1].split()
    assert words[:3] == ["turns", "over", "every"]
    assert float(words[3]) == pytest.approx(float(words[7]), rel=1e-4)


def test_needles_follow_the_field(tmp_path: Path) -> None:
    said = run((PACKAGE / "examples/torque_field.py").read_text(encoding="utf-8"), tmp_path)
    assert float(said.split()[-4]) > 0.9


def test_the_symplectic_scheme_holds_the_energy_of_the_pieces(tmp_path: Path) -> None:
    said = run((PACKAGE / "examples/chess_box.py").read_text(encoding="utf-8"), tmp_path)
    errors = {line.split()[0]: float(line.split()[-1]) for line in said.splitlines() if "the energy is off" in line}
    assert set(errors) == {"spiral-leapfrog", "direct-euler"}
    assert errors["spiral-leapfrog"] < 0.1 * errors["direct-euler"]


def test_friction_makes_the_surface_steeper(tmp_path: Path) -> None:
    said = run((PACKAGE / "examples/sweep.py").read_text(encoding="utf-8"), tmp_path)
    slopes = [float(line.split()[1]) for line in said.splitlines() if line.split()[0][0].isdigit()]
    assert len(slopes) == 3 and slopes == sorted(slopes)
