# %% [markdown]
# # The angle of repose
# A cylinder full of grains stands on a table; it is lifted, and they run out into a heap. The run has three stages: the grains come to
# rest, the cylinder goes up, the heap comes to rest. `heights` measures the slope of the heap, in rings about its middle.

# %%
import matplotlib.pyplot as plt

import tumble

scene = tumble.Scene.example("heap")
scene["bodies"][0]["cloud"]["count"] = 100
scene["materials"]["grain"]["young"] = "0.3 MPa"
scene["measures"] = [
    {
        "name": "heap",
        "kind": "heights",
        "region": {"cylinder": {"from": [0, 0, 0], "to": [0, 0, 0.05], "radius": 0.05}},
        "bins": 8,
        "every": "10 ms",
    }
]

# %% [markdown]
# Friction holds a heap up, and so does resistance to rolling: both are varied.

# %%
study = tumble.sweep(scene, {"pair.rolling_friction": [0.0, 0.2], "pair.friction": [0.1, 0.8]})
print("rolling friction  friction  angle (deg)  height (mm)")
for rolling, friction, angle, height in zip(
    study.means["pair.rolling_friction"],
    study.means["pair.friction"],
    study.means["last heap.angle_deg"],
    study.means["last heap.highest_m"],
):
    print(f"{rolling:16.1f}  {friction:8.1f}  {angle:11.1f}  {1e3 * height:11.1f}")

# %%
axes = study.plot("last heap.angle_deg", against="pair.friction")
axes.set(xlabel="friction", ylabel="angle of repose (degrees)", ylim=0)
plt.show()

# %% [markdown]
# One of the heaps, seen from the side. Stages tell when they ended, and why.

# %%
sim = tumble.Simulation.from_scene(scene, set={"pair.friction": 0.8, "pair.rolling_friction": 0.2}, threads=1)
sim.run()
for stage in sim.stages:
    print(f"{stage.name:8} ended: {stage.why}")

# %%
spheres = sim.spheres
figure, axes = plt.subplots(layout="constrained")
for (x, _, z), radius in zip(1e3 * spheres["centre"], 1e3 * spheres["radius"]):
    axes.add_patch(plt.Circle((x, z), radius, alpha=0.3))
axes.set(xlabel="x (mm)", ylabel="z (mm)", aspect="equal", xlim=(-60, 60), ylim=(0, 30))
plt.show()
