"""What a simulation costs from Python with a callback every 100 steps, as a multiple of what it costs with the program.

    python benches/simulation.py [--profile PROFILE] [--rounds N] [SCENE ...]

compares the package that is installed with the program, which it builds with the same profile of cargo: `release` unless another is given. Both
read the same example scene, run it on one thread and write the same results, which are compared. They take turns, and what counts is
the time of processors, not of clocks; that of starting Python and importing NumPy is left out.
"""

import argparse
import filecmp
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import tumble

STEPS = {"chess": 1_200_000, "settling": 100_000, "drum": 12_000}
"""Scenes, from a few bodies that rarely touch to a dense crowd, and steps for about two seconds, of which starting up is a small part."""

FROM_PYTHON = """
import sys, time
import numpy, tumble
scene, out = sys.argv[1:]
start = time.process_time()
seen = []
sim = tumble.Simulation.from_scene(scene, threads=1)
sim.run(out=out, force=True, every=100, callback=lambda sim: seen.append(sim.time))
print(time.process_time() - start, len(seen))
"""


def program(profile: str) -> str:
    """The path of the program, after it was built."""
    command = ["cargo", "build", "--profile", profile, "--package", "tumble-cli", "--bin", "tumble", "--message-format", "json"]
    said = subprocess.run(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, check=True, text=True)
    built = [json.loads(line).get("executable") for line in said.stdout.splitlines()]
    return next(path for path in built if path)


def with_program(path: str, scene: Path, out: Path) -> float:
    """Seconds of processors for a run with the program."""
    arguments = [path, "run", os.fspath(scene), "--quiet", "--threads", "1", "--force", "--out", os.fspath(out)]
    _, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, path, arguments), 0)
    if status != 0:
        raise SystemExit(f"{arguments} failed: {status}")
    return usage.ru_utime + usage.ru_stime


def with_python(scene: Path, out: Path, calls: int) -> float:
    """Seconds of processors for a run from Python."""
    said = subprocess.run([sys.executable, "-c", FROM_PYTHON, scene, out], stdout=subprocess.PIPE, check=True, text=True)
    seconds, called = said.stdout.split()
    assert int(called) == calls
    return float(seconds)


def compare(name: str, rust: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="tumble-bench-") as folder:
        scene = Path(folder, f"{name}.toml")
        scene.write_text(tumble.Scene.example(name, set={"run.steps": STEPS[name]}).to_toml(), encoding="utf-8")
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(with_program(rust, scene, Path(folder, "program")))
            ours.append(with_python(scene, Path(folder, "python"), STEPS[name] // 100))
        for file in ("energy.csv", "trajectory.tumble"):
            assert filecmp.cmp(Path(folder, "program", file), Path(folder, "python", file), shallow=False), file
    best, middle = min(ours) / min(theirs), statistics.median(ours) / statistics.median(theirs)
    print(
        f"{name:9} {STEPS[name]:7} steps: {min(ours):.3f} s from Python, {min(theirs):.3f} s with the program; "
        f"ratio of the best {best:.3f}, of the medians {middle:.3f}"
    )


def main() -> None:
    words = argparse.ArgumentParser(description="a simulation from Python, compared with the program")
    words.add_argument("--profile", default="release")
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("scenes", nargs="*", default=list(STEPS), metavar="SCENE", help=f"of {', '.join(STEPS)}")
    given = words.parse_args()
    rust = program(given.profile)
    for name in given.scenes:
        compare(name, rust, given.rounds)


if __name__ == "__main__":
    main()
