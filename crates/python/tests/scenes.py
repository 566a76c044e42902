"""Scenes that several tests run."""

from typing import Any

# Rods of gel that fly about in a box, to which more can be added.
RODS = """
version = 1
title = "Rods"
gravity = [0, 0, -9.81]
run = { dt = 5e-6, steps = 8000, max_overlap = 5 }
materials.gel = { density = 1200, young = 5e6, poisson = 0.3 }
pair = { restitution = 0.6, friction = 0.5 }
templates.rod = { shape = "rod", count = 3, radius = 3e-3, spacing = 4e-3 }
[[bodies]]
template = "rod"
cloud = { low = [0, 0, 0], high = [0.05, 0.05, 0.04], count = 60 }
velocity = { speed = 1 }
[[walls]]
name = "box"
box = { low = [0, 0, 0], high = [0.05, 0.05, 0.05] }
"""

# A ball in free fall, under 10 m/s².
BALL: dict[str, Any] = {
    "version": 1,
    "gravity": [0, 0, -10],
    "materials": {"stone": {"density": 2500, "young": "100 kPa", "poisson": 0.3}},
    "pair": {"restitution": 0.5, "friction": 0.3},
    "templates": {"ball": {"shape": "sphere", "radius": "1 cm"}},
}
