"""The package imports without its optional parts, quickly to read and typed to the last name."""

import importlib.metadata
import importlib.resources
import subprocess
import sys
from pathlib import Path

import tumble


def test_the_version_is_that_of_the_distribution() -> None:
    assert tumble.__version__ == importlib.metadata.version("tumble")


def test_types_are_part_of_the_package() -> None:
    files = {file.name for file in importlib.resources.files(tumble).iterdir()}
    assert {"py.typed", "_native.pyi"} <= files


def test_optional_packages_are_not_imported() -> None:
    program = "import sys, tumble; print(*sorted({'pandas', 'scipy', 'matplotlib', 'tqdm', 'IPython'} & set(sys.modules)))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split() == []


def test_both_licences_are_installed() -> None:
    installed = {file.name: file.read_text() for file in importlib.metadata.files("tumble") or () if file.parent.name == "licenses"}
    repository = Path(__file__).parents[3]
    assert installed == {name: (repository / name).read_text() for name in ("LICENSE-APACHE", "LICENSE-MIT")}
