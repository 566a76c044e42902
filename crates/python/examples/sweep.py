# %% [markdown]
# # A parameter sweep
# How steep the surface in a rotating drum gets, by the friction between grains. Grains that are few, large and soft make it quick.
# Every simulation is that scene with one key changed; a callback looks at it while it runs.

# %%
from concurrent.futures import ThreadPoolExecutor

import matplotlib.pyplot as plt
import numpy as np

import tumble

scene = tumble.Scene.example("drum")
scene["materials"]["grain"]["young"] = "2 MPa"
scene["bodies"][0]["scale"] = 1.7
scene["bodies"][0]["cloud"]["count"] = 50


def slope(sim):
    """The angle of the line from the middle of the drum to the centre of all mass, degrees from straight down."""
    x, _, z = np.average(sim.positions, axis=0, weights=sim.masses)
    return np.degrees(np.arctan2(abs(x), -z))


def turn(friction):
    sim = tumble.Simulation.from_scene(scene, set={"pair.friction": friction}, threads=1)
    path = []
    sim.run(0.8, every=500, callback=lambda sim: path.append((sim.time, slope(sim))), progress=False)
    return np.transpose(path), sim.energy()


# %% [markdown]
# Python is free while a simulation computes, so that several run side by side.

# %%
frictions = [0.0, 0.1, 0.5]
with ThreadPoolExecutor() as threads:
    results = list(threads.map(turn, frictions))

# %% [markdown]
# Means over the second half:

# %%
print("friction  slope (deg)  work of the drum (J)  lost to friction (J)")
for friction, ((times, slopes), energy) in zip(frictions, results):
    mean = slopes[times > 0.4].mean()
    print(f"{friction:8.1f}  {mean:11.1f}  {energy['wall_work']:20.2e}  {energy['sliding']:20.2e}")

# %% [markdown]
# The grains go up with the drum until their slope is too steep, and then slide down.

# %%
figure, axes = plt.subplots(layout="constrained")
for friction, ((times, slopes), _) in zip(frictions, results):
    axes.plot(times, slopes, label=f"{friction:g}")
axes.set(xlabel="t (s)", ylabel="slope (degrees)", title="Grains in a rotating drum", ylim=0)
axes.legend(title="friction")
plt.show()
