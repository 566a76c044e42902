# %% [markdown]
# # Compass needles around a wire
# A torque can come from anywhere: here from the magnetic field of a current, at the places of a few hundred needles that swing in
# a liquid. The function gets the orientations and angular velocities of all needles at once, and returns all torques.

# %%
import matplotlib.pyplot as plt
import numpy as np

from tumble import Clump, rotation

needle = Clump.from_spheres(np.outer(np.arange(9), [0.0005, 0, 0]), radii=0.0005, name="needle")
inertia = needle.moments(density=7500)

side = np.linspace(-0.05, 0.05, 16)
places = np.array([[x, y, 0.0] for x in side for y in side])
distance = np.linalg.norm(places, axis=1, keepdims=True)
field = 2e-7 * 50 * np.cross([0, 0, 1], places) / distance**2  # 50 A along z, in T

moment, drag = 2e-3, 4e-10  # A m², along the needle; N m s


def torque(t, q, omega):
    along = rotation.to_lab(q, [1, 0, 0])
    return np.cross(moment * along, field) - drag * rotation.to_lab(q, omega)


# %% [markdown]
# All needles begin along x, and turned a little by chance, since one that points exactly the wrong way would stay.

# %%
random = np.random.default_rng(1)
q = np.array([1, 0, 0, 0]) + 0.1 * random.normal(size=(len(places), 4))
path = rotation.integrate("magnus-leapfrog", inertia, q, np.zeros((len(places), 3)), torque, dt=2e-4, steps=2500, every=10)

# %%
along = np.array([rotation.to_lab(sample, [1, 0, 0]) for sample in path.q])
aligned = (along * field / np.linalg.norm(field, axis=1, keepdims=True)).sum(axis=2)
print(f"mean cosine between needle and field: {aligned[0].mean():.3f} at first, {aligned[-1].mean():.3f} at the end")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
for sample, colour, label in ((0, "C1", "at first"), (-1, "C0", f"after {path.t[-1]:g} s")):
    left.quiver(*100 * places[:, :2].T, *along[sample, :, :2].T, pivot="mid", color=colour, label=label)
left.plot(0, 0, "ko")
left.set(xlabel="x (cm)", ylabel="y (cm)", title="needles around a wire", aspect="equal")
left.legend(loc="upper right")
right.plot(path.t, np.quantile(aligned, [0.1, 0.5, 0.9], axis=1).T, label=["10 % are below", "50 %", "90 %"])
right.set(xlabel="t (s)", ylabel="cosine between needle and field", title="they swing, and settle along the field")
right.legend()
plt.show()
