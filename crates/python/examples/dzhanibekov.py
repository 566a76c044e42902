# %% [markdown]
# # A T-handle turns over
# A body that spins about its intermediate principal axis turns over again and again, as the cosmonaut Dzhanibekov saw of a wing nut.
# The first cell makes a T-handle of spheres; its moments of inertia are those of the union of the spheres.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ellipk

import tumble
from tumble import rotation

handle = tumble.Clump.from_shape("t-handle")
inertia = handle.moments(density=7800)
print(handle)
print("principal moments (kg m²):", inertia)

# %%
spin = [0.01, 10, 0.01]
path = rotation.integrate("magnus-leapfrog", inertia, [1, 0, 0, 0], spin, None, dt=1e-3, steps=8000)

# %% [markdown]
# Theory has Jacobi's elliptic functions: ω about the intermediate axis is zero every 2 K(m)/p. With E and L² of the motion,
# which of the other two axes the angular momentum goes round decides what is p and what is m.

# %%
(a, b, c), omega0 = inertia, np.array(spin)
energy, momentum = (inertia * omega0**2).sum(), ((inertia * omega0) ** 2).sum()  # 2E and L²
about_c, about_a = (c - b) * (momentum - a * energy), (b - a) * (c * energy - momentum)
large, small = max(about_c, about_a), min(about_c, about_a)
theory = 2 * ellipk(small / large) / np.sqrt(large / (a * b * c))

y = path.omega[:, 1]
before = np.flatnonzero(y[:-1] * y[1:] < 0)
flips = path.t[before] + 1e-3 * y[before] / (y[before] - y[before + 1])
print(f"turns over every {np.diff(flips).mean():.6f} s, by theory {theory:.6f} s")

# %%
energies = (inertia * path.omega**2).sum(axis=1) / 2
figure, (top, bottom) = plt.subplots(2, sharex=True, layout="constrained")
top.plot(path.t, path.omega, label=["x", "y", "z"])
top.set(ylabel="ω in the body (rad/s)", title="A T-handle turns over")
top.legend(title="axis", loc="lower left")
bottom.plot(path.t, energies / energies[0] - 1)
bottom.set(xlabel="t (s)", ylabel="relative change of energy")
plt.show()
