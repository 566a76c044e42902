"""Arrays are read where they are, and one that cannot be is refused with its name, what was found and what to do.

`to_lab` stands for all functions: its `q` must be in order, its `vectors` are converted.
"""

from typing import Any

import numpy as np
import pytest

import tumble
from tumble.rotation import to_lab

UNIT = np.array([[1.0, 0.0, 0.0, 0.0]] * 4)
VECTORS = np.arange(12.0).reshape(4, 3)


def unaligned() -> Any:
    buffer = np.zeros(UNIT.nbytes + 1, dtype=np.uint8)
    view = buffer[1:].view(np.float64).reshape(UNIT.shape)
    view[:] = UNIT
    return view


@pytest.mark.parametrize(
    ("q", "exception", "text"),
    [
        ([[1, 0, 0, 0]], TypeError, "q: expected a NumPy array, found <class 'list'>; numpy.array(q, dtype=float)"),
        (None, TypeError, "q: expected a NumPy array, found <class 'NoneType'>"),
        (UNIT.astype(np.float32), TypeError, "q: expected an array of float64, found float32; q.astype(float)"),
        (UNIT.astype(int), TypeError, "q: expected an array of float64, found int64"),
        (UNIT.astype(">f8"), TypeError, "q: expected an array of float64, found >f8"),
        (UNIT.astype(object), TypeError, "q: expected an array of float64, found object"),
        (UNIT[0, :3].copy(), ValueError, "q: expected an array of shape (n, 4), found (1, 3)"),
        (np.repeat(UNIT[0], 2)[::2], ValueError, "q: the rows must lie one after the other in memory"),
        (UNIT[:, :3].copy(), ValueError, "q: expected an array of shape (n, 4), found (4, 3)"),
        (UNIT[None], ValueError, "q: expected an array of shape (n, 4), found (1, 4, 4)"),
        (np.array(1.0), ValueError, "q: expected an array of shape (n, 4), found ()"),
        (UNIT[::2], ValueError, "q: the rows must lie one after the other in memory, but the array has strides of (64, 8)"),
        (UNIT[::-1], ValueError, "strides of (-32, 8) bytes; numpy.ascontiguousarray(q) makes a copy that is in order"),
        (np.asfortranarray(UNIT), ValueError, "q: the rows must lie one after the other in memory"),
        (unaligned(), ValueError, "q: the rows must lie one after the other in memory"),
        (np.where(VECTORS[:, :1] == 6, np.nan, UNIT), ValueError, "q: all numbers must be finite, but row 2 is [NaN, "),
        (UNIT - np.inf, ValueError, "q: all numbers must be finite, but row 0 is [-inf, "),
    ],
)
def test_an_array_that_cannot_be_read_in_place_is_refused(q: Any, exception: type[Exception], text: str) -> None:
    with pytest.raises(exception) as raised:
        to_lab(q, VECTORS)
    assert text in str(raised.value)
    assert isinstance(raised.value, tumble.TumbleError) == (exception is ValueError)


@pytest.mark.parametrize(
    "vectors",
    [
        VECTORS,
        VECTORS.tolist(),
        VECTORS.astype(np.float32),
        VECTORS.astype(np.int16),
        VECTORS.astype(">f8"),
        np.asfortranarray(VECTORS),
        np.repeat(VECTORS, 2, axis=0)[::2],
    ],
)
def test_what_numpy_makes_numbers_of_is_converted(vectors: Any) -> None:
    np.testing.assert_array_equal(to_lab(UNIT, vectors), VECTORS)


@pytest.mark.parametrize(
    ("vectors", "exception", "text"),
    [
        ("up", TypeError, "vectors: expected real numbers, found <U2"),
        (VECTORS * 1j, TypeError, "vectors: expected real numbers, found complex128"),
        (VECTORS.astype(object), TypeError, "vectors: expected real numbers, found object"),
        ([1, 2], ValueError, "vectors: expected an array of shape (n, 3), found (1, 2)"),
        ([1, 2, np.nan], ValueError, "vectors: all numbers must be finite, but row 0 is [1.0, 2.0, NaN]"),
        (VECTORS[:2], ValueError, "vectors: expected as many rows as q has, 4, or one; found 2"),
    ],
)
def test_what_are_no_such_numbers_is_refused(vectors: Any, exception: type[Exception], text: str) -> None:
    with pytest.raises(exception) as raised:
        to_lab(UNIT, vectors)
    assert text in str(raised.value)


def test_read_only_arrays_can_be_read() -> None:
    q = UNIT.copy()
    q.flags.writeable = False
    np.testing.assert_array_equal(to_lab(q, VECTORS), VECTORS)


def test_no_bodies_are_no_error() -> None:
    assert to_lab(np.zeros((0, 4)), np.zeros((0, 3))).shape == (0, 3)
    assert to_lab(np.zeros((0, 4)), [0, 0, 1]).shape == (0, 3)
    assert to_lab(UNIT[0], np.zeros((0, 3))).shape == (0, 3)


def test_a_new_array_is_in_order_and_belongs_to_the_caller() -> None:
    result = to_lab(UNIT, VECTORS)
    assert result.dtype == np.float64
    assert result.flags.c_contiguous and result.flags.writeable
    result[:] = 0.0
    np.testing.assert_array_equal(to_lab(UNIT, VECTORS), VECTORS)
