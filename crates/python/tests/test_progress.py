"""Whoever looks on sees how far a run is, in a notebook and in a terminal, and nothing of it stays."""

import sys
from typing import Any

import IPython.display
import pytest

import tumble
from tumble import _progress


class Output:
    """What a notebook shows of one output."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(data)


def run(title: str = "Chess") -> None:
    sim = tumble.Simulation.from_scene("chess", threads=1, set={"run.dt": 1e-6, "title": title})
    sim.run(steps=200, every=50, callback=lambda sim: None)


def test_a_notebook_shows_a_bar_that_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs: list[Output] = []

    def display(data: dict[str, str], *, raw: bool, display_id: bool) -> Output:
        assert display_id
        outputs.append(Output())
        outputs[-1].update(data, raw=raw)
        return outputs[-1]

    monkeypatch.setattr(IPython.display, "display", display)
    monkeypatch.setattr(_progress, "is_notebook", lambda: True)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    with _progress.Progress(None, "<b>", 100, 300, 1e-3) as progress:
        for step in (100, 150, 300):
            progress.tick(step)
    [output] = outputs
    *during, last = output.shown
    assert [data["text/plain"].split(",")[0] for data in during] == ["<b>: 0%", "<b>: 25%", "<b>: 100%"]
    assert 'value="0.2500"' in during[1]["text/html"] and "t = 0.15 s" in during[1]["text/html"]
    assert "&lt;b&gt;" in during[0]["text/html"] and "<b>" not in during[0]["text/html"]
    assert last == {"text/plain": ""}

    # A run that fails leaves none either; a short one shows none.
    with pytest.raises(ZeroDivisionError), _progress.Progress(None, "", 0, 2, 1e-3) as progress:
        progress.tick(1)
        raise ZeroDivisionError
    assert outputs[1].shown[-1] == {"text/plain": ""}
    monkeypatch.setattr(_progress, "PATIENCE", 1e9)
    run()
    assert len(outputs) == 2


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_a_terminal_shows_a_bar_or_a_line(
    with_tqdm: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not with_tqdm:
        missing: Any = None
        monkeypatch.setitem(sys.modules, "tqdm", missing)
    with _progress.Progress(True, "Chess", 0, 10, 0.1) as progress:
        progress.tick(5)
    said = capsys.readouterr().err
    assert "Chess" in said
    assert with_tqdm or said == "\rChess:  50%, t = 0.5 s\n"


def test_nothing_is_shown_where_nobody_looks_on(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    assert capsys.readouterr() == ("", "")
