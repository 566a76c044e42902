# %% [markdown]
# # A parameter sweep
# How steep the surface in a rotating drum gets, by the friction between grains. Every simulation is a scene with one key changed; a
# callback looks at it while it runs.

# %%
import numpy as np

import tumble

STEPS = 40_000


def slope(sim: tumble.Simulation) -> float:
    """The angle of the line from the middle of the drum to the centre of all mass, degrees from straight down."""
    x, _, z = np.average(sim.positions, axis=0, weights=sim.masses)
    return float(np.degrees(np.arctan2(abs(x), -z)))


table = []
for friction in (0.0, 0.2, 0.5):
    sim = tumble.Simulation.from_scene("drum", set={"pair.friction": friction})
    angles: list[float] = []
    sim.run(steps=STEPS, every=STEPS // 100, callback=lambda sim: angles.append(slope(sim)))
    energy = sim.energy()
    table.append((friction, np.mean(angles[len(angles) // 2 :]), energy["wall_work"], energy["sliding"]))

# %% [markdown]
# Means over the second half:

# %%
print("friction  slope (deg)  work of the drum (J)  lost to friction (J)")
for friction, angle, work, sliding in table:
    print(f"{friction:8.1f}  {angle:11.1f}  {work:20.2e}  {sliding:20.2e}")
