# %% [markdown]
# # Table 2 of the SPIRAL paper
# With which time step does a scheme reach a given error? A cylinder under a torque about its axis for a second, as in [del Valle et
# al. 2024](https://doi.org/10.1016/j.cpc.2023.109077); as there, ω is compared at the scheme's own instant.

# %%
import numpy as np

from tumble.rotation import Batch, solve

ERRORS, TIME_STEPS = np.geomspace(1e-5, 1e-2, 4), np.geomspace(0.1, 1e-7, 20)[:17]  # no scheme needs the last three
INERTIA, TORQUE = [0.0114128170618692, 0.0228256341237383, 0.0228256341237383], [0.5, 0, 0]
START = [1, 0, 0, 0, 0.3, -0.9, 0.6]  # q, then ω


def mean_error(scheme, dt):
    body = Batch(scheme, INERTIA, START[:4], START[4:], dt, TORQUE, torque_frame="body")
    body.step(int(1 / dt))
    t_q, q, t_omega, omega = body.native()
    accurate = {"method": "runge-kutta-4", "max_step": 5e-4, "t_eval": sorted({t_omega, t_q}), "torque_frame": "body"}
    exact = solve(TORQUE, (0, 1), START, INERTIA, **accurate)
    same_side = np.sign(q @ exact.q[-1]) * q  # q and −q are the same orientation
    return np.mean([abs(a - b).sum() / abs(b).sum() for a, b in ((same_side, exact.q[-1]), (omega, exact.omega[0]))])


print("scheme          ", *(f"{error:9.0e}" for error in ERRORS))
for scheme in ("spiral-leapfrog", "omelyan", "buss", "velocity-verlet", "fincham", "direct-euler", "johnson"):
    errors = np.minimum.accumulate([mean_error(scheme, dt) for dt in TIME_STEPS])
    time_steps = np.exp(np.interp(np.log(ERRORS), np.log(errors[::-1]), np.log(TIME_STEPS[::-1])))
    print(f"{scheme:16}", *(f"{dt:9.3e}" for dt in time_steps))
