"""`solve` agrees with SciPy, converges at the order of its scheme, and reports at the instants asked for."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import tumble
from tumble import rotation

INERTIA = [1.0, 2.0, 3.0]
TOP = rotation.torque("heavy-top")
START = [1, 0, 0, 0, 1, 2, -1.5]


def exact(torque: Any, t_eval: Any, frame: Any = "lab") -> Any:
    fun = rotation.equations(torque, INERTIA, torque_frame=frame)
    return solve_ivp(fun, (0, 3), START, method="DOP853", rtol=1e-12, atol=1e-12, t_eval=t_eval)


@pytest.mark.parametrize(
    ("method", "order"),
    [("spiral-leapfrog", 2), ("magnus-leapfrog", 2), ("no-squish", 2), ("runge-kutta-4", 4)],
)
def test_a_heavy_top_moves_as_with_scipy(method: str, order: int) -> None:
    """Instants that are no multiples of the step, and half the step divides the error by 2 to the order."""
    instants = np.array([0.0, 0.5001, 1.23456, 2.0, 3.0])
    reference = exact(TOP, instants)
    errors = []
    for max_step in (0.02, 0.01):
        ours = rotation.solve(TOP, (0, 3), START, INERTIA, method=method, max_step=max_step, t_eval=instants)
        np.testing.assert_array_equal(ours.t, reference.t)
        assert ours.y.shape == (7, 5) and ours.success and ours.status == 0
        errors.append(abs(ours.y - reference.y).max(axis=0)[1:])
    assert np.all(errors[0] < 2e-3)
    assert np.log2(errors[0] / errors[1])[-2:] == pytest.approx(order, abs=0.3)


def test_a_function_and_a_frame() -> None:
    def drag(t: float, q: Any, omega: Any) -> Any:
        assert q.shape == (4,) and omega.shape == (3,)
        return -0.2 * omega

    reference = exact(drag, [3.0], "body")
    ours = rotation.solve(drag, (0, 3), START, INERTIA, method="magnus-leapfrog", max_step=0.005, torque_frame="body")
    np.testing.assert_allclose(ours.y[:, -1], reference.y[:, -1], atol=1e-4)
    assert ours.t[-1] == 3.0 and len(ours.t) == 601 and ours.dt == pytest.approx(0.005)
    assert ours.nfev >= 600
    np.testing.assert_array_equal(ours.q[-1], ours.y[:4, -1])
    np.testing.assert_array_equal(ours.omega[-1], ours.y[4:, -1])


def test_the_step_divides_the_interval() -> None:
    ours = rotation.solve(None, (1, 2), START, INERTIA, max_step=0.3)
    np.testing.assert_allclose(ours.t, [1, 1.25, 1.5, 1.75, 2])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"t_span": (1, 0)}, "t_span: expected two instants, the first before the last, found (1.0, 0.0)"),
        ({"t_span": (0, np.nan)}, "t_span: expected two instants"),
        ({"y0": START[:6]}, "y0: expected seven numbers, q as w, x, y, z and then the angular velocity, found shape (6,)"),
        ({"inertia": [INERTIA] * 2}, "inertia: expected three moments of one body, found shape (2, 3)"),
        ({"max_step": 0}, "max_step: the time step must be positive and finite, but is 0"),
        ({"max_step": np.inf}, "max_step: the time step must be positive and finite, but is inf"),
        ({"t_eval": [0, 2]}, "t_eval: all instants must be within t_span, from 0.0 to 1.0"),
        ({"t_eval": [0.5, 0.5]}, "t_eval: the instants must ascend"),
        ({"t_eval": [[0.5]]}, "t_eval: expected an array of shape (points,), found (1, 1)"),
        ({"method": "RK45"}, "there is no scheme `RK45`"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], text: str) -> None:
    good: dict[str, Any] = {"torque": None, "t_span": (0, 1), "y0": START, "inertia": INERTIA, "max_step": 0.1}
    with pytest.raises(tumble.InputError) as raised:
        rotation.solve(**good | given)
    assert text in str(raised.value)


def test_quaternions_of_scipy_turn_vectors_as_ours_do() -> None:
    random = np.random.default_rng(3)
    q = random.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    vectors = random.normal(size=(50, 3))
    np.testing.assert_allclose(rotation.to_scipy(q).apply(vectors), rotation.to_lab(q, vectors), atol=1e-14)
    theirs = Rotation.from_rotvec(random.normal(size=(50, 3)))
    np.testing.assert_allclose(rotation.to_lab(rotation.from_scipy(theirs), vectors), theirs.apply(vectors), atol=1e-14)
    assert rotation.from_scipy(theirs).flags.c_contiguous
    assert rotation.from_scipy(theirs[0]).shape == (4,)
    np.testing.assert_allclose(rotation.to_scipy(q[0]).apply(vectors[0]), rotation.to_lab(q[:1], vectors[:1])[0], atol=1e-14)


def test_components_are_in_the_order_that_is_told() -> None:
    np.testing.assert_allclose(rotation.to_scipy([0.5, 0.1, 0.3, -0.8]).as_quat() * np.sqrt(0.99), [0.1, 0.3, -0.8, 0.5])
    np.testing.assert_allclose(rotation.from_scipy(Rotation.from_quat([0.1, 0.3, -0.8, 0.5])) * np.sqrt(0.99), [0.5, 0.1, 0.3, -0.8])


@pytest.mark.parametrize("q", [[0, 0, 0, 0], [1, 0, 0], [[[1, 0, 0, 0]]], [1, np.nan, 0, 0], [[1, 0, 0, 0], [0, 0, 0, 0]]])
def test_what_is_no_quaternion_is_refused(q: Any) -> None:
    with pytest.raises(tumble.InputError, match="q: "):
        rotation.to_scipy(q)
