"""Chess pieces in a box: 32 clumps that bounce without loss, as in the SPIRAL paper (del Valle et al. 2024, fig. 7).

The energy is a constant, and whatever it does is the error of the integration: compare rotation schemes.
"""

# %% A scene that comes with Tumble, with another rotation scheme than its own
import sys
import tempfile
from pathlib import Path

import numpy as np

import tumble

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 20_000
folder = Path(tempfile.mkdtemp(prefix="chess-"))

# %% Run it with two schemes; results are the files that `tumble run` writes
results = {}
for scheme in ("spiral-leapfrog", "direct-euler"):
    sim = tumble.Simulation.from_scene("chess", set={"run.rotation": scheme})
    results[scheme] = sim.run(steps=STEPS, out=folder / scheme)
print(sim)

# %% How far the energy went
for scheme, result in results.items():
    error = np.abs(result.energy["relative_balance_error"]).max()
    print(f"{scheme:16} the energy is off by up to {error:.1e}")

# %% Who is fastest now
fastest = int(np.argmax(np.linalg.norm(sim.velocities, axis=1)))
speed = np.linalg.norm(sim.velocities[fastest])
print(f"the fastest piece is a {sim.template_names[sim.templates[fastest]]}, at {speed:.2f} m/s")

# %% In a notebook, the motion; in a program, a page to open
view = results["spiral-leapfrog"].view()
view.save(folder / "chess.html")
view
