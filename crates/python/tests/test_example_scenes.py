"""The examples of simulations run as they are, with fewer steps."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(("name", "expected"), [("chess_box", "spiral-leapfrog  the energy is off by"), ("sweep", "friction  slope")])
def test_the_example_runs(name: str, expected: str, tmp_path: Path) -> None:
    program = [sys.executable, str(EXAMPLES / f"{name}.py"), "300"]
    environment = {"TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    said = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert expected in said.stdout and "Warning" not in said.stderr
