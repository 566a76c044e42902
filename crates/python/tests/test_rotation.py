"""The table of schemes is complete and typed; frames are turned as the conventions say."""

import dataclasses
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

from tumble import rotation


def test_every_fact_has_the_type_it_declares() -> None:
    hints = get_type_hints(rotation.Scheme)
    for scheme in rotation.schemes():
        for name, value in dataclasses.asdict(scheme).items():
            hint = hints[name]
            if hint == tuple[float, ...]:
                assert isinstance(value, tuple) and all(type(number) is float for number in value)
            else:
                assert type(value) in (get_args(hint) or (hint,)), f"{scheme.name}: {name} is {value!r}"


def test_schemes_are_values() -> None:
    assert rotation.schemes() == rotation.schemes()
    names = [scheme.name for scheme in rotation.schemes()]
    assert len(set(rotation.schemes())) == len(set(names)) == len(names)


def test_published_facts() -> None:
    table = {scheme.name: scheme for scheme in rotation.schemes()}
    assert len(table["runge-kutta-4"].torque_times) == 4
    assert table["runge-kutta-4"].order_free == (4, 4)
    assert table["spiral-leapfrog"].doi == "10.1016/j.cpc.2023.109077"
    assert table["no-squish"].reversible
    assert table["runge-kutta-4"].flops > table["spiral-leapfrog"].flops > 0


def matrix(q: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The rotation matrix of a unit quaternion, written out."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_vectors_turn_as_with_matrices() -> None:
    random = np.random.default_rng(1)
    q = random.normal(size=(1000, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    vectors = random.normal(size=(1000, 3))
    expected = np.array([matrix(row) @ vector for row, vector in zip(q, vectors, strict=True)])
    np.testing.assert_allclose(rotation.to_lab(q, vectors), expected, rtol=0, atol=1e-14)
    np.testing.assert_allclose(rotation.to_body(q, expected), vectors, rtol=0, atol=1e-14)


def test_one_vector_is_for_all_bodies() -> None:
    q = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    np.testing.assert_array_equal(rotation.to_lab(q, [1, 2, 3]), [[1, 2, 3], [1, -2, -3]])


@pytest.mark.parametrize("turn", [rotation.to_lab, rotation.to_body])
def test_shapes_are_those_numpy_would_broadcast_to(turn: Callable[..., np.ndarray[Any, np.dtype[np.float64]]]) -> None:
    q = np.array([[0.5, 0.5, 0.5, 0.5], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    vectors = np.arange(9.0).reshape(3, 3)
    for q_shape, vector_shape in [((4,), (3,)), ((4,), (3, 3)), ((4,), (1, 3)), ((1, 4), (3,)), ((1, 4), (3, 3)), ((3, 4), (1, 3))]:
        some_q, some_vectors = q.flat[: np.prod(q_shape)].reshape(q_shape), vectors.flat[: np.prod(vector_shape)].reshape(vector_shape)
        shape = np.broadcast_shapes(q_shape[:-1], vector_shape[:-1])
        pairs = zip(np.broadcast_to(some_q, (*shape, 4)).reshape(-1, 4), np.broadcast_to(some_vectors, (*shape, 3)).reshape(-1, 3))
        expected = np.array([turn(a[np.newaxis].copy(), b[np.newaxis])[0] for a, b in pairs]).reshape(*shape, 3)
        np.testing.assert_array_equal(turn(some_q, some_vectors), expected)
        assert turn(some_q, some_vectors).shape == expected.shape


def test_the_state_of_one_body_can_be_turned() -> None:
    batch = rotation.Batch("magnus-leapfrog", [1, 2, 3], [1, 0, 0, 0], [0.01, 1, 0.01], 0.01)
    batch.step(100)
    state = batch.state()
    momentum = rotation.to_lab(state.q, [1, 2, 3] * state.omega)
    np.testing.assert_allclose(momentum, [0.01, 2, 0.03], atol=1e-9)
