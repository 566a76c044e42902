"""Rotation schemes for rigid bodies.

=============================  ==============================================================
`schemes`, `torques`           tables: which schemes there are, which torques have a name
`integrate`                    bodies over time with any scheme: arrays in, a trajectory out
`Batch`                        the same step by step
`solve`, `equations`           one body as with `scipy.integrate.solve_ivp`, and for it
`to_lab`, `to_body`            vectors between the frames of bodies and the lab
`to_scipy`, `from_scipy`       orientations to and from `scipy.spatial.transform.Rotation`
=============================  ==============================================================

Quaternions are (w, x, y, z) and take body vectors to the lab. Angular velocities are in the body frame, along the
principal axes. Torques are in the lab frame unless `torque_frame="body"`.
"""

from tumble.rotation.frames import from_scipy, to_body, to_lab, to_scipy
from tumble.rotation.ivp import Solution, equations, solve
from tumble.rotation.motion import Batch, Native, State, Trajectory, integrate
from tumble.rotation.table import Order, Parameter, Scheme, TorqueKind, schemes, torques
from tumble.rotation.torque import Frame, NamedTorque, Torque, torque

__all__ = [
    "Batch",
    "Frame",
    "NamedTorque",
    "Native",
    "Order",
    "Parameter",
    "Scheme",
    "Solution",
    "State",
    "Torque",
    "TorqueKind",
    "Trajectory",
    "equations",
    "from_scipy",
    "integrate",
    "schemes",
    "solve",
    "to_body",
    "to_lab",
    "to_scipy",
    "torque",
    "torques",
]
