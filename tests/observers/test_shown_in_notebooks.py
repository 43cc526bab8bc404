"""What notebooks show of results: a table with errors behind their values and, where matplotlib is, a figure."""
import base64
import re
import sys

import numpy as np
import pytest
from test_observers_by_name import ARGUMENTS, fluid

import hdsim
from hdsim.lab import Check, Result
from hdsim.observers import OBSERVERS, notebook_html
from hdsim.observers.text_tables import ROWS_SHOWN


def cells(page):
    """The rows of the first table of a page, as lists of texts."""
    table = page[:page.index("</table>")]
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", table)]


def figures(page):
    """The figures of a page, as the bytes of PNG files."""
    found = [base64.b64decode(text) for text in re.findall('src="data:image/png;base64,([^"]+)"', page)]
    assert all(picture.startswith(b"\x89PNG") for picture in found)
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize("cls", OBSERVERS, ids=lambda cls: cls.__name__)
def test_every_observer_shows_a_table_and_a_figure(cls):
    """With the text of the observer as its title; before it has a value, that alone. pyplot knows nothing of the figure."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="the extra `plot` is not installed")
    system, known = hdsim.random(50, seed=1) if cls is hdsim.Surfaces else fluid(), pyplot.get_fignums()
    observer = cls(**ARGUMENTS.get(cls.__name__, {}))
    assert observer._repr_html_() == f"<p><b>{cls.__name__}(no value yet)</b></p>"
    system.observe(observer)
    system.simulate(until=3.)
    page = observer._repr_html_()
    assert page.startswith(f"<p><b>{observer!r}</b></p>") and len(figures(page)) == 1 and pyplot.get_fignums() == known
    assert len(cells(page)) >= 2 and len({len(row) for row in cells(page)}) == 1


def test_errors_stand_behind_their_values(monkeypatch):
    """As in the text of the observer; no column is left for them. Without matplotlib there is no figure."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    system = fluid()
    pressure = system.observe("pressure")
    system.simulate(until=20.)
    head, first, *_ = cells(pressure._repr_html_())
    assert head == ["", "value", "theory"] and first[0] == "pressure" and figures(pressure._repr_html_()) == []
    assert repr(pressure) == f"Pressure({first[1]}, theory {first[2]})" and " +- " in first[1]


def test_long_tables_are_cut_and_text_is_no_markup():
    page = notebook_html("a < b", ("name", "x", "x_error"), [("<i>", 1.5, .25), *[("n", 2, None)] * (ROWS_SHOWN + 4)])
    assert page.startswith("<p><b>a &lt; b</b></p>") and page.endswith("<p>... and 5 more rows</p>")
    assert cells(page)[:3] == [["name", "x"], ["&lt;i&gt;", "1.50 +- 0.25"], ["n", "2"]] and len(cells(page)) == ROWS_SHOWN + 1


def test_results_of_the_laboratory_show_their_rows_and_panels():
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    result = Result("pressure", (Check("P", 280.8, 2.5, 281.6),), "a law", {"t": np.arange(3)},
                    (lambda result, ax: ax.plot(result["t"]),) * 2)
    page = result._repr_html_()
    texts = [row[1] for row in cells(page)]
    assert texts[1:3] == ["P = 280.8 +- 2.5", "281.6 (a law)"] and len(texts) == len(result.rows())
    wide, high = (int.from_bytes(figures(page)[0][k:k + 4], "big") for k in (16, 20))
    assert wide > 2 * high and "Result of pressure: agrees" in page


def make(seed, count=40):
    return hdsim.random(count, radius=.02, temperature=1., mass=1., seed=seed)


def test_ensembles_and_sweeps_show_themselves():
    """Averages with their figures; a sweep the row of each replica, errors behind the values."""
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    runs = hdsim.ensemble(make, 3, ["pressure", "speed"], until=2.)
    page = runs._repr_html_()
    assert "Pressure: value, mean of 3 replicas" in page and len(figures(page)) == 2
    assert " +- " in cells(page)[1][1] and cells(page)[0] == ["", "value", "propagated", "theory"]
    table = hdsim.sweep(make, {"count": [30, 40]}, 2, "pressure", until=20.)
    head, *rows = cells(table._repr_html_())
    assert len(rows) == 4 and not any(name.endswith("_error") for name in head) and any(" +- " in cell for cell in rows[0])
