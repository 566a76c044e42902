# %% [markdown]
# # Chess pieces in a box
# 32 clumps that bounce without loss, as in the SPIRAL paper (del Valle et al. 2024, fig. 7). The energy is a constant, and whatever it
# does is the error of the integration. Here it is for two rotation schemes.

# %%
import tempfile
from pathlib import Path

import numpy as np

import tumble

folder = Path(tempfile.mkdtemp(prefix="chess-"))
results = {}
for scheme in ("spiral-leapfrog", "direct-euler"):
    sim = tumble.Simulation.from_scene("chess", set={"run.rotation": scheme})
    results[scheme] = sim.run(steps=150_000, out=folder / scheme)

# %% [markdown]
# Results are the files that `tumble run` writes; the books of energy are a table.

# %%
for scheme, result in results.items():
    error = np.abs(result.energy["relative_balance_error"]).max()
    print(f"{scheme:16} the energy is off by up to {error:.1e}")

# %% [markdown]
# The state of all bodies is in arrays.

# %%
speeds = np.linalg.norm(sim.velocities, axis=1)
fastest = int(np.argmax(speeds))
print(f"the fastest piece is a {sim.template_names[sim.templates[fastest]]}, at {speeds[fastest]:.2f} m/s")

# %% [markdown]
# In a notebook, this shows the motion; a program can save the page.

# %%
view = results["spiral-leapfrog"].view()
view.save(folder / "chess.html")
view
