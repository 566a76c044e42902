# %% [markdown]
# # Segregation in a drum
# Large and small grains, well mixed at first, turn in a drum. The small ones fall through the gaps of the layer that flows down, and gather in a core.
# Lacey's index says how mixed they are: 1 where they are mixed at random, 0 where they are apart.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tumble

scene = tumble.Scene.example("drum")
scene["contact"] = {"law": "hertz-mindlin"}
scene["materials"]["grain"]["young"] = "0.5 MPa"
scene["templates"] = {
    "large": {"shape": "sphere", "radius": "4 mm"},
    "small": {"shape": "sphere", "radius": "2 mm"},
}
scene["pair"] = {"restitution": 0.5, "friction": 0.4}
scene["pairs"] = [
    {"between": ["grain", "shell"], "friction": 0.9},
    {"between": ["grain", "glass"], "friction": 0.0},
]
scene["bodies"] = [
    {
        "templates": ["large", "small"],
        "material": "grain",
        "cloud": {"low": [-0.04, -0.0078, -0.045], "high": [0.04, 0.0078, 0.042], "counts": [60, 350]},
    }
]
for wall, y in (("front", -0.008), ("back", 0.008)):
    next(of for of in scene["walls"] if of["name"] == wall)["plane"]["point"] = [0, y, 0]
scene["measures"] = [
    {
        "name": "small",
        "kind": "mixing",
        "of": {"template": "small"},
        "region": {"box": {"low": [-0.06, -0.008, -0.06], "high": [0.06, 0.008, 0.06]}},
        "cells": [8, 1, 8],
        "every": "20 ms",
    }
]
scene["run"]["duration"] = "3 s"

# %% [markdown]
# How far bodies of each sort are from the middle of the bed, at the beginning and at the end.

# %%
sim = tumble.Simulation.from_scene(scene, threads=1)
small = sim.templates == sim.template_names.index("small")
times, index, path = [], [], []


def note(sim):
    times.append(sim.time)
    index.append(sim.measures()["small.lacey"])


sim.run("0.4 s", every=1000, callback=note, progress=False)
first = sim.positions
sim.run(every=1000, callback=note, progress=False)
last = sim.positions


def spread(positions, sort):
    """Root mean square distance from the middle of all bodies, across the axis of the drum, mm."""
    across = (positions - positions.mean(axis=0))[:, [0, 2]]
    return 1e3 * np.sqrt((across[sort] ** 2).sum(axis=1).mean())


print("                 at 0.4 s   at the end")
for name, sort in (("small", small), ("large", ~small)):
    print(f"{name} ones (mm)   {spread(first, sort):8.1f}   {spread(last, sort):10.1f}")
early, late = np.mean(index[2:6]), np.mean(index[-8:])
print(f"Lacey's index    {early:8.2f}   {late:10.2f}")

# %%
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for ax, positions, title in ((axes[0], first, "at 0.4 s"), (axes[1], last, "at the end")):
    for sort, radius, colour in ((~small, 4, "#d55e00"), (small, 2, "#0072b2")):
        for x, _, z in 1e3 * positions[sort]:
            ax.add_patch(plt.Circle((x, z), radius, color=colour, alpha=0.6, linewidth=0))
    ax.add_patch(plt.Circle((0, 0), 60, fill=False))
    ax.set(title=title, xlim=(-62, 62), ylim=(-62, 62), aspect="equal", xlabel="x (mm)", ylabel="z (mm)")
axes[2].plot(times, index)
axes[2].set(xlabel="t (s)", ylabel="Lacey's index", ylim=0)
plt.show()
