# %% [markdown]
# # The torque of a mixer
# What a drive needs depends on friction and on how much is in the vessel. A study with error bars: every combination is run with several seeds,
# which place the grains differently.

# %%
import matplotlib.pyplot as plt

import tumble

scene = tumble.Scene.example("mixer")
scene["materials"]["grain"]["young"] = "2 MPa"
scene["run"]["duration"] = "0.3 s"
del scene["bodies"][1], scene["materials"]["tracer"]  # no tracers, and nothing to be told of their mixing
scene["measures"] = [measure for measure in scene["measures"] if measure["name"] == "rod"]

# %%
study = tumble.sweep(
    scene,
    {"bodies.0.cloud.count": [200, 300], "pair.friction": [0.1, 0.5]},
    seeds=3,
    mean_from="0.15 s",
)

# %% [markdown]
# The bodies hold the rod back, so their torque is negative; the drive gives as much.

# %%
torque, error = study.means["mean rod.torque_Nm"], study.means["± mean rod.torque_Nm"]
print("grains  friction  torque of the drive (mN m)")
for count, friction, mean, own in zip(study.means["bodies.0.cloud.count"], study.means["pair.friction"], torque, error):
    print(f"{count:6}  {friction:8.1f}  {-1e3 * mean:8.2f} ± {1e3 * own:.2f}")

# %%
axes = study.plot("mean rod.torque_Nm", against="pair.friction")
axes.set(xlabel="friction", ylabel="torque on the rod (N m)")
plt.show()
