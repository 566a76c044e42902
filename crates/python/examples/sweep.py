"""A parameter sweep: how steep the surface in a rotating drum gets, by the friction between grains.

Every simulation is a scene with one key changed; a callback looks at it while it runs.
"""

# %% What is varied
import sys

import numpy as np

import tumble

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 40_000
FRICTIONS = (0.0, 0.2, 0.5)


def slope(sim: tumble.Simulation) -> float:
    """The angle of the line from the middle of the drum to the centre of all mass, degrees from straight down."""
    x, _, z = np.average(sim.positions, axis=0, weights=sim.masses)
    return float(np.degrees(np.arctan2(abs(x), -z)))


# %% A simulation for each value, and the mean over its second half
table = []
for friction in FRICTIONS:
    sim = tumble.Simulation.from_scene("drum", set={"pair.friction": friction})
    angles: list[float] = []
    sim.run(steps=STEPS, every=max(STEPS // 100, 1), callback=lambda sim: angles.append(slope(sim)))
    energy = sim.energy()
    table.append((friction, np.mean(angles[len(angles) // 2 :]), energy["wall_work"], energy["sliding"]))

# %% The outcome
print("friction  slope (deg)  work of the drum (J)  lost to friction (J)")
for friction, angle, work, sliding in table:
    print(f"{friction:8.1f}  {angle:11.1f}  {work:20.2e}  {sliding:20.2e}")
