"""Bodies move as mechanics says, whatever the scheme, the number of bodies and threads, and the way the torque is given."""

import signal
import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tumble
from tumble import rotation

Array = npt.NDArray[np.float64]
INERTIA = np.array([1.0, 2.0, 3.0])
NAMES = [scheme.name for scheme in rotation.schemes()]


def bodies(count: int) -> tuple[Array, Array]:
    random = np.random.default_rng(7)
    q = random.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True), random.normal(size=(count, 3))


@pytest.mark.parametrize("scheme", NAMES)
def test_a_symmetric_body_precesses_as_in_closed_form(scheme: str) -> None:
    """Free, with moments (A, B, B): ω across the axis turns at the rate (B − A)/B ω_x against the body."""
    a, b, t = 1.0, 2.0, 2.0
    omega = np.array([1.5, 0.4, 0.0])
    path = rotation.integrate(scheme, [a, b, b], [1, 0, 0, 0], omega, None, 1e-3, 2000, every=500)
    assert path.t == pytest.approx([0, 0.5, 1, 1.5, 2])
    phase = (b - a) / b * omega[0] * t
    expected = [omega[0], omega[1] * np.cos(phase), -omega[1] * np.sin(phase)]
    # First-order schemes are off by about ω² t Δt.
    np.testing.assert_allclose(path.final.omega, expected, atol=5e-3)
    # The angular momentum in the lab stays what it is.
    momentum = rotation.to_lab(path.q, [a, b, b] * path.omega)
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (5, 1)), atol=2e-2)


@pytest.mark.parametrize("scheme", NAMES)
def test_samples_are_of_one_instant(scheme: str) -> None:
    """About a fixed axis under a constant torque all is a polynomial, and a lag of half a step would be 5e-3."""
    path = rotation.integrate(scheme, [2, 2, 2], [1, 0, 0, 0], [0, 0, 1], [0, 0, 2], 1e-2, 100, every=10)
    np.testing.assert_allclose(path.omega[:, 2], 1 + path.t, atol=1e-9)
    angle = 2 * np.arctan2(path.q[:, 3], path.q[:, 0])
    first_order = min(dict((s.name, s.order_body_torque) for s in rotation.schemes())[scheme]) < 2
    np.testing.assert_allclose(angle, path.t + path.t**2 / 2, atol=6e-3 if first_order else 1e-4)


@pytest.mark.parametrize("torque", [None, [0.1, 0.2, 0.3], "heavy-top", "exponential"])
@pytest.mark.parametrize("scheme", NAMES)
def test_a_body_alone_and_among_others_has_the_same_bits(scheme: str, torque: Any) -> None:
    """A body alone is computed without a batch."""
    q, omega = bodies(40)
    if torque == "exponential":
        torque = rotation.torque(torque, A=0.1)
    together = rotation.Batch(scheme, INERTIA, q, omega, 1e-2, torque, time=0.3)
    path = together.record(20, every=7)
    assert path.q.shape == (4, 40, 4) and path.omega.shape == (4, 40, 3)
    for body in (0, 31, 39):
        alone = rotation.Batch(scheme, INERTIA, q[body], omega[body], 1e-2, torque, time=0.3)
        samples = alone.record(20, every=7)
        assert samples.q.shape == (4, 4) and samples.omega.shape == (4, 3)
        np.testing.assert_array_equal(samples.q, path.q[:, body])
        np.testing.assert_array_equal(samples.omega, path.omega[:, body])
        np.testing.assert_array_equal(alone.native().omega, together.native().omega[body])


@pytest.mark.parametrize("torque", [None, [0.1, 0.2, 0.3], "drag"])
def test_any_number_of_threads_gives_the_same_bits(torque: Any) -> None:
    q, omega = bodies(1001)
    one, *others = (
        rotation.integrate("runge-kutta-4", INERTIA, q, omega, torque, 1e-2, 20, every=20, threads=threads).final
        for threads in (1, 2, 3, 10**9)
    )
    for other in others:
        np.testing.assert_array_equal(one.q, other.q)
        np.testing.assert_array_equal(one.omega, other.omega)


@pytest.mark.parametrize("scheme", NAMES)
def test_a_function_does_what_a_named_torque_does(scheme: str) -> None:
    q, omega = bodies(5)
    top = rotation.torque("heavy-top", force=[0, 0, -1], point=[0.1, 0.2, 0.3])

    def function(t: float, q: Array, omega: Array) -> Array:
        return np.cross(rotation.to_lab(q, [0.1, 0.2, 0.3]), [0, 0, -1])

    named, called = (rotation.integrate(scheme, INERTIA, q, omega, torque, 1e-2, 20) for torque in (top, function))
    np.testing.assert_allclose(called.q, named.q, rtol=0, atol=1e-13)
    np.testing.assert_allclose(called.omega, named.omega, rtol=0, atol=1e-13)


def test_frames_of_torques() -> None:
    q, omega = bodies(4)
    constant = np.array([[0.1, 0.2, 0.3]] * 4)
    body = rotation.integrate("kick-rotate-kick", INERTIA, q, omega, constant, 1e-2, 30, torque_frame="body")
    turned = rotation.integrate(
        "kick-rotate-kick", INERTIA, q, omega, lambda t, q, omega: rotation.to_lab(q, constant), 1e-2, 30
    )
    same = rotation.integrate(
        "kick-rotate-kick", INERTIA, q, omega, lambda t, q, omega: constant[0], 1e-2, 30, torque_frame="body"
    )
    np.testing.assert_allclose(body.omega, turned.omega, rtol=0, atol=1e-13)
    np.testing.assert_allclose(body.omega, same.omega, rtol=0, atol=1e-13)
    lab = rotation.integrate("kick-rotate-kick", INERTIA, q, omega, constant, 1e-2, 30)
    assert abs(lab.omega - body.omega).max() > 1e-3


def test_functions_see_the_shapes_and_times_that_were_given() -> None:
    seen: list[tuple[float, tuple[int, ...], tuple[int, ...]]] = []

    def torque(t: float, q: Array, omega: Array) -> list[float]:
        seen.append((t, q.shape, omega.shape))
        return [0, 0, 0]

    one = rotation.Batch("direct-euler", INERTIA, [1, 0, 0, 0], [1, 0, 0], 0.5, torque, time=2.0)
    one.step(2)
    assert seen == [(2.0, (4,), (3,)), (2.0, (4,), (3,)), (2.5, (4,), (3,))]
    seen.clear()
    two = rotation.Batch("runge-kutta-4", INERTIA, np.eye(4)[:2], [1, 0, 0], 0.5, torque)
    two.step()
    assert [entry[0] for entry in seen] == [0.0, 0.0, 0.25, 0.25, 0.5]
    assert {entry[1:] for entry in seen} == {((2, 4), (2, 3))}
    assert two.evaluations == 5


def test_an_exception_in_a_function_comes_through_and_nothing_has_moved() -> None:
    def torque(t: float, q: Array, omega: Array) -> Array:
        if t > 0.35:
            raise KeyError("no more")
        return np.zeros(3)

    batch = rotation.Batch("spiral-leapfrog", INERTIA, [1, 0, 0, 0], [1, 2, 3], 0.1, torque)
    batch.step(2)
    before = batch.native()
    with pytest.raises(KeyError, match="no more"):
        batch.step(10)
    assert batch.time == pytest.approx(0.2)
    np.testing.assert_array_equal(batch.native().q, before.q)
    np.testing.assert_array_equal(batch.native().omega, before.omega)


@pytest.mark.parametrize(
    ("returned", "exception", "text"),
    [
        (np.zeros((3, 3)), ValueError, "the torque function returns: expected one row for each body, 2, or one for all; found 3"),
        (np.zeros((2, 4)), ValueError, "the torque function returns: expected an array of shape (n, 3), found (2, 4)"),
        ([[0, 0, np.nan], [0, 0, 0]], ValueError, "the torque function returns: all numbers must be finite, but row 0 is"),
        (None, TypeError, "the torque function returns: expected real numbers, found object"),
        ("up", TypeError, "the torque function returns: expected real numbers, found <U2"),
    ],
)
def test_what_a_function_must_not_return(returned: Any, exception: type[Exception], text: str) -> None:
    with pytest.raises(exception) as raised:
        rotation.integrate("spiral-leapfrog", INERTIA, np.eye(4)[:2], [0, 0, 1], lambda t, q, omega: returned, 0.1, 1)
    assert text in str(raised.value)


GOOD: dict[str, Any] = {
    "scheme": "spiral-leapfrog",
    "inertia": INERTIA,
    "q": np.eye(4)[:2],
    "omega": np.zeros((2, 3)),
    "torque": None,
    "dt": 0.1,
    "steps": 1,
}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"scheme": "spiral"}, "there is no scheme `spiral`; there are "),
        ({"inertia": [1, 2]}, "inertia: expected an array of shape (n, 3), found (1, 2)"),
        ({"inertia": [1, -2, 3]}, "body 0: the moment of inertia about y must be positive, but is -2"),
        ({"inertia": [INERTIA, [1, 1, 5]]}, "body 1: no rigid body has the principal moments of inertia (1, 1, 5)"),
        ({"q": np.zeros((2, 4))}, "body 0: the orientation must not be the zero quaternion"),
        ({"q": [[1, 0, 0, 0], [1, np.nan, 0, 0]]}, "q: all numbers must be finite, but row 1 is [1.0, NaN, 0.0, 0.0]"),
        ({"q": np.eye(4)[:3]}, "omega: expected one row for each body, 3, or one for all; found 2"),
        ({"q": [1, 0, 0]}, "q: expected an array of shape (n, 4), found (1, 3)"),
        ({"q": np.zeros((1, 2, 4))}, "q: expected an array of shape (n, 4), found (1, 2, 4)"),
        ({"omega": [[0, 0, np.inf]] * 2}, "omega: all numbers must be finite, but row 0 is"),
        ({"torque": np.zeros((3, 3))}, "torque: expected one row for each body, 2, or one for all; found 3"),
        ({"torque": [0, 0, np.nan]}, "torque: all numbers must be finite"),
        ({"torque": "gravity"}, "there is no torque `gravity`; there are none, body, lab, exponential"),
        ({"torque_frame": "world"}, "torque_frame: expected 'lab' or 'body', found 'world'"),
        ({"dt": 0.0}, "the time step must be positive, but is 0"),
        ({"dt": np.nan}, "the time step must be a finite number, but is NaN"),
        ({"time": np.inf}, "the start time must be a finite number, but is inf"),
        ({"steps": -1}, "steps: must be at least 0, but is -1"),
        ({"every": 0}, "every: must be at least 1, but is 0"),
        ({"threads": 0}, "threads: must be at least 1, but is 0"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], text: str) -> None:
    with pytest.raises(tumble.InputError) as raised:
        rotation.integrate(**GOOD | given)
    assert text in str(raised.value)


@pytest.mark.parametrize(
    "given", [{"q": "up"}, {"omega": 1j * np.zeros((2, 3))}, {"steps": 1.5}, {"dt": "1"}, {"torque": object()}]
)
def test_wrong_types_are_type_errors(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        rotation.integrate(**GOOD | given)


LAYOUTS: list[Any] = [
    np.asfortranarray,
    lambda array: np.repeat(array, 2, axis=0)[::2],
    lambda array: array.astype(np.float32),
    lambda array: array.tolist(),
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_of_arrays_is_taken(layout: Any) -> None:
    q, omega = np.array([[0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]]), np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    expected = rotation.integrate("spiral-leapfrog", INERTIA, q, omega, None, 0.1, 3)
    found = rotation.integrate("spiral-leapfrog", INERTIA, layout(q), layout(omega), None, 0.1, 3)
    np.testing.assert_array_equal(found.q, expected.q)
    np.testing.assert_array_equal(found.omega, expected.omega)


def test_a_body_that_turns_too_fast_is_named() -> None:
    with pytest.raises(tumble.RunError, match="body 1: at t = 0 the body turns by 10.000 rad in one step"):
        rotation.integrate("spiral-leapfrog", INERTIA, [1, 0, 0, 0], [[0, 0, 1], [0, 0, 100]], None, 0.1, 1)


def test_samples_include_the_end() -> None:
    path = rotation.integrate("spiral-leapfrog", INERTIA, [1, 0, 0, 0], [0, 0, 1], None, 0.5, 5, every=2, time=1.0)
    assert path.t.tolist() == [1.0, 2.0, 3.0, 3.5]
    assert path.final.t == 3.5 and path.final.q.shape == (4,)
    assert len(rotation.integrate("spiral-leapfrog", INERTIA, [1, 0, 0, 0], [0, 0, 1], None, 0.5, 0)) == 1


def test_no_bodies_are_no_error() -> None:
    path = rotation.integrate("spiral-leapfrog", INERTIA, np.zeros((0, 4)), np.zeros((0, 3)), None, 0.1, 2)
    assert path.q.shape == (3, 0, 4) and path.omega.shape == (3, 0, 3)


def test_setting_a_quantity_starts_anew_and_keeps_the_other() -> None:
    batch = rotation.Batch("spiral-leapfrog", INERTIA, np.eye(4)[:2], [1, 2, 3], 0.01, "drag")
    batch.step(7)
    omega, t = batch.omega, batch.time
    batch.q = [[0, 0, 0, 2], [1, 0, 0, 0]]
    np.testing.assert_allclose(batch.q, [[0, 0, 0, 1], [1, 0, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(batch.omega, omega, rtol=0, atol=1e-3)
    batch.omega = [[0, 0, 0], [5, 0, 0]]
    np.testing.assert_allclose(batch.omega, [[0, 0, 0], [5, 0, 0]], atol=1e-3)
    assert batch.time == t
    assert (batch.scheme, batch.dt, len(batch)) == ("spiral-leapfrog", 0.01, 2)


def test_native_states_have_their_own_instants() -> None:
    batch = rotation.Batch("spiral-leapfrog", [2, 2, 2], [1, 0, 0, 0], [0, 0, 1], 0.1, [0, 0, 2])
    batch.step(10)
    native = batch.native()
    assert (native.t_q, native.t_omega) == pytest.approx((1.0, 0.95))
    assert native.omega[2] == pytest.approx(1.95)
    assert batch.omega[2] == pytest.approx(2.0)


def test_named_torques_are_functions_as_well() -> None:
    q, omega = bodies(3)
    drag = rotation.torque("drag", c=0.5)
    np.testing.assert_allclose(drag(0.0, q, omega), -0.5 * rotation.to_lab(q, omega), atol=1e-15)
    assert drag(0.0, q[0], omega[0]).shape == (3,)
    exponential = rotation.torque("exponential", A=2.0, C=0.5)
    np.testing.assert_allclose(exponential(3.0, q, omega), [[0, 2 * np.exp(1.5), 0]] * 3)
    for kind in rotation.torques():
        assert rotation.torque(kind.name)(0.1, q, omega).shape == (3, 3)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"c": [1, 2]}, "c: the torque `drag` takes 1 numbers, found shape (2,)"),
        ({"c": np.nan}, "c: all numbers must be finite"),
        ({"d": 1}, "the torque `drag` has no parameter `d`; it has c"),
    ],
)
def test_parameters_of_torques_are_checked(parameters: dict[str, Any], text: str) -> None:
    with pytest.raises(tumble.InputError) as raised:
        rotation.torque("drag", **parameters)
    assert text in str(raised.value)


def test_other_threads_run_while_bodies_are_stepped() -> None:
    """A batch that is being stepped refuses to be looked at; whoever finds that out has run meanwhile."""
    batch = rotation.Batch("spiral-leapfrog", INERTIA, [1, 0, 0, 0], [0, 0, 1], 1e-3)
    worker = threading.Thread(target=batch.step, args=(300_000,))
    refused = 0
    worker.start()
    while worker.is_alive():
        try:
            assert batch.time >= 0
        except RuntimeError:
            refused += 1
    assert refused > 0
    assert batch.time == pytest.approx(300)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_a_signal_ends_a_long_run_after_a_full_step() -> None:
    batch = rotation.Batch("spiral-leapfrog", INERTIA, np.eye(4), [0, 0, 1], 1e-3)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            batch.step(10**15)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    steps = round(batch.time / batch.dt)
    again = rotation.Batch("spiral-leapfrog", INERTIA, np.eye(4), [0, 0, 1], 1e-3)
    again.step(steps)
    assert steps > 0
    np.testing.assert_array_equal(batch.q, again.q)


def test_too_many_samples_are_a_memory_error() -> None:
    with pytest.raises(MemoryError, match="take fewer, with every="):
        rotation.integrate("spiral-leapfrog", INERTIA, [1, 0, 0, 0], [0, 0, 1], None, 1e-3, 10**16)
