# %% [markdown]
# # Table 2 of the SPIRAL paper
# With which time step does a scheme reach a given error? A steel cylinder under a constant torque about its axis, as in
# [del Valle et al. 2024](https://doi.org/10.1016/j.cpc.2023.109077). As there, errors after a second are measured at
# twenty time steps, ω at the scheme's own instant, and the answer is read off straight lines on logarithmic axes.

# %%
import numpy as np

from tumble import rotation

INERTIA = [0.0114128170618692, 0.0228256341237383, 0.0228256341237383]
START = [1, 0, 0, 0, 0.3, -0.9, 0.6]  # q, then ω
TORQUE = [0.5, 0, 0]
SCHEMES = ["spiral-leapfrog", "omelyan", "buss", "velocity-verlet", "fincham", "direct-euler", "johnson"]
TARGETS = np.array([1e-5, 1e-4, 1e-3, 1e-2])


def difference(ours, exact):
    return abs(ours - exact).sum() / abs(exact).sum()


def mean_error(scheme, dt):
    body = rotation.Batch(scheme, INERTIA, START[:4], START[4:], dt, TORQUE, torque_frame="body")
    body.step(int(1 / dt))
    t_q, q, t_omega, omega = body.native()
    at = {"t_eval": np.unique([t_omega, t_q]), "torque_frame": "body"}
    exact = rotation.solve(TORQUE, (0, 1), START, INERTIA, method="runge-kutta-4", max_step=5e-4, **at)
    same_side = np.sign(q @ exact.q[-1]) * q  # q and −q are the same orientation
    return (difference(same_side, exact.q[-1]) + difference(omega, exact.omega[0])) / 2


def time_steps(scheme):
    steps, errors = [], []
    while not errors or not errors[-1] <= TARGETS[0]:
        steps.append(0.1 * 1e-6 ** (len(steps) / 19))
        errors.append(mean_error(scheme, steps[-1]))
    for target in TARGETS:
        i = next(i for i, error in enumerate(errors) if error <= target)
        share = np.log(target / errors[i]) / np.log(errors[i - 1] / errors[i])
        yield steps[i] * (steps[i - 1] / steps[i]) ** share


print("scheme          ", *(f"{target:9.0e}" for target in TARGETS))
for scheme in SCHEMES:
    print(f"{scheme:16}", *(f"{dt:9.3e}" for dt in time_steps(scheme)))
