"""What a step of 10⁶ bodies costs from Python, as a multiple of what it costs in Rust in the same run.

    python benches/rotation.py [PROFILE]

compares the package that is installed with a program of Rust (`batch.rs`), which it builds with the same profile of cargo: `release` unless
another is given. Both are timed in turn, several times, so that a slow minute slows both.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from tumble import rotation

BODIES, ROUNDS, STEPS = 1_000_000, 5, 30


def program(profile: str) -> str:
    """The path of the program, after it was built."""
    command = ["cargo", "build", "--profile", profile, "--package", "tumble-python", "--bench", "batch"]
    said = subprocess.run(
        [*command, "--message-format", "json"], cwd=Path(__file__).parent, stdout=subprocess.PIPE, check=True, text=True
    )
    built = [json.loads(line).get("executable") for line in said.stdout.splitlines()]
    return next(path for path in built if path)


def main() -> None:
    rust = program(sys.argv[1] if len(sys.argv) > 1 else "release")
    omega = np.tile([0.3, -0.9, 0.6], (BODIES, 1))
    omega[:, 0] += np.arange(BODIES) / BODIES
    batch = rotation.Batch(
        "spiral-leapfrog", [0.0114, 0.02, 0.0228], [1, 0, 0, 0], omega, 1e-3, [0.05, 0.01, -0.02]
    )
    ours, theirs = float("inf"), float("inf")
    for _ in range(ROUNDS):
        for _ in range(STEPS):
            start = time.perf_counter()
            batch.step()
            ours = min(ours, 1e3 * (time.perf_counter() - start))
        theirs = min(theirs, float(subprocess.run([rust], capture_output=True, text=True, check=True).stdout))
    print(f"one SPIRAL step of {BODIES} bodies, one thread: {ours:.2f} ms from Python, {theirs:.2f} ms in Rust: {ours / theirs:.3f}")
    start = time.perf_counter()
    batch.state()
    print(f"a copy of q and omega at the present instant: {1e3 * (time.perf_counter() - start):.1f} ms")


if __name__ == "__main__":
    main()
