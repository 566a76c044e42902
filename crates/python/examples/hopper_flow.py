# %% [markdown]
# # Flow out of a hopper, and Beverloo's law
# Grains run out of a hole in the bottom of a silo at a steady rate, however much is above it. Beverloo's law (Beverloo, Leniger and van
# de Velde, 1961) says how the rate grows with the hole:
#
# $$ W = C \rho_b \sqrt{g}\, (D - k d)^{5/2} $$
#
# So $W^{2/5}$ is a straight line over the diameter $D$ of the hole, which meets zero at $k d$: some way beyond a grain's diameter $d$, since the rim
# is in the way. Published values of $k$ are between 1 and 3, of $C$ about 0.6.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tumble

D_GRAIN, DENSITY = 6e-3, 1500.0


def silo(hole):
    """A flat-bottomed silo with a hole, shut by a plug at first; what runs out is measured and taken away."""
    return {
        "version": 1,
        "gravity": [0, 0, -9.81],
        "run": {"dt": "auto"},
        "materials": {"grain": {"density": DENSITY, "young": "0.5 MPa", "poisson": 0.3}},
        "pair": {"restitution": 0.3, "friction": 0.4},
        "templates": {"ball": {"shape": "sphere", "radius": D_GRAIN / 2}},
        "bodies": [
            {
                "template": "ball",
                "scale": {"uniform": [0.9, 1.1]},
                "cloud": {"cylinder": {"from": [0, 0, 0], "to": [0, 0, 0.15], "radius": 0.035}, "count": 800},
            }
        ],
        "walls": [
            {"name": "silo", "cylinder": {"point": [0, 0, 0], "axis": [0, 0, 1], "radius": 0.035, "length": 0.25}},
            # A ring: the side of a very flat cone from the rim of the hole to the wall.
            {"name": "bottom", "cone": {"from": [0, 0, -1e-4], "to": [0, 0, 0], "radii": [hole / 2, 0.0355]}},
            {"name": "plug", "plane": {"point": [0, 0, -1e-4], "normal": [0, 0, 1]}},
        ],
        "outlets": [{"name": "below", "half_space": {"point": [0, 0, -0.03], "normal": [0, 0, 1]}}],
        "measures": [
            {
                "name": "out",
                "kind": "flow",
                "through": {"plane": {"point": [0, 0, -0.005], "normal": [0, 0, -1]}},
                "every": "2 ms",
            },
        ],
        "stages": [
            {"name": "settle", "until": {"speed_below": "5 cm/s", "shortest": "0.1 s", "longest": "0.2 s"}},
            {"name": "discharge", "duration": "0.2 s", "walls": {"plug": {"present": False}}},
        ],
    }


# %% [markdown]
# The rate is taken once the flow is steady, and before the silo is nearly empty.

# %%
holes = np.array([30e-3, 36e-3, 42e-3])
rates, curves = [], []
for hole in holes:
    sim = tumble.Simulation.from_scene(silo(hole), threads=1)
    times, flow = [], []

    def note(sim, times=times, flow=flow):
        times.append(sim.time)
        flow.append(sim.measures()["out.mass_kg"])

    sim.run(every=500, callback=note, progress=False)
    opened = sim.stages[1].start
    times, flow = np.array(times) - opened, np.array(flow)
    steady = (times > 0.06) & (times < 0.2)
    rates.append(np.polyfit(times[steady], flow[steady], 1)[0])
    curves.append((times, flow))

# %%
slope, intercept = np.polyfit(holes, np.array(rates) ** 0.4, 1)
k = -intercept / slope / D_GRAIN
bulk = 0.58 * DENSITY  # of a loose bed
C = slope**2.5 / (bulk * np.sqrt(9.81))
print("hole (mm)  rate (g/s)  Beverloo's line (g/s)")
for hole, rate in zip(holes, rates):
    print(f"{1e3 * hole:9.0f}  {1e3 * rate:10.1f}  {1e3 * (slope * hole + intercept) ** 2.5:21.1f}")
print(f"k = {k:.2f}, C = {C:.2f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for hole, (times, flow) in zip(holes, curves):
    left.plot(times, 1e3 * flow, label=f"{1e3 * hole:.0f} mm")
left.set(xlabel="time since the hole is open (s)", ylabel="mass that ran out (g)", xlim=0, ylim=0)
left.legend(title="hole")
line = np.linspace(k * D_GRAIN, holes[-1], 2)
right.plot(1e3 * holes, np.array(rates) ** 0.4, "o")
right.plot(1e3 * line, slope * line + intercept)
right.set(xlabel="diameter of the hole D (mm)", ylabel=r"$W^{2/5}$ ((kg/s)$^{2/5}$)", ylim=0)
plt.show()
