"""Every exception is one of Tumble and one that Python has a name for, and survives a trip to another process."""

import pickle

import numpy as np
import pytest

import tumble


@pytest.mark.parametrize(
    ("exception", "python"),
    [
        (tumble.InputError, ValueError),
        (tumble.SceneError, ValueError),
        (tumble.RunError, RuntimeError),
        (tumble.ResultsError, OSError),
    ],
)
def test_exceptions_have_two_names(exception: type[Exception], python: type[Exception]) -> None:
    assert issubclass(exception, tumble.TumbleError)
    assert issubclass(exception, python)
    assert str(exception("what is wrong")) == "what is wrong"


def test_an_exception_of_rust_can_be_pickled() -> None:
    with pytest.raises(tumble.InputError) as raised:
        tumble.rotation.to_lab(np.zeros((1, 3)), [0, 0, 1])
    copy = pickle.loads(pickle.dumps(raised.value))
    assert type(copy) is tumble.InputError
    assert str(copy) == str(raised.value)
