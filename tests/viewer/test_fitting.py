"""Text in little room: folded, or shortened by whole clauses and words; nothing that is said is cut off."""
import json

import numpy as np
import pytest
from scenes import gas

from hdsim.browser import Show
from hdsim.model.colors import SHADES
from hdsim.starts import sources
from hdsim.viewer.draw.paragraphs import Measures, wrapped_text


class Letters(Measures):
    """Each letter is 1 wide."""

    def text_width(self, text, size=10., *, bold=False):
        return len(text)


@pytest.mark.parametrize("text, room, fitting", [
    ("no theory: mixtures between walls", 40, "no theory: mixtures between walls"),
    ("no theory: mixtures between walls", 20, "no theory"),
    ("theory 281.6, off by 2 errors", 28, "theory 281.6"),
    ("a, b; c (d)", 9, "a, b; c"), ("time 3  ·  paused", 10, "time 3"), ("无理论值：质点", 5, "无理论值"),
    ("two small words", 12, "two small…"), ("1,234,567 items in all", 16, "1,234,567 items…"),
    ("halfway", 5, "half…"), ("x", 0, "")])
def test_a_text_is_shortened_by_clauses_then_by_words(text, room, fitting):
    assert Letters().fitting(text, room) == fitting


def test_lines_are_never_wider_than_their_room():
    """A word that is longer goes on in the next line."""
    assert wrapped_text(Letters(), "see a/very/long/name.npz there", 9, 10.) == ["see", "a/very/lo", "ng/name.n", "pz there"]
    assert wrapped_text(Letters(), "ab", 0, 10.) == ["a", "b"] and wrapped_text(Letters(), "", 9, 10.) == []


def test_between_the_colours_of_a_scale_the_panel_is_not_seen():
    """Also where edges are between the pixels of a screen: each colour reaches under the next one."""
    show = Show(sources.load("release"), "release")
    show.do({"do": "size", "width": 1001, "height": 701, "page": "a"})
    runs = [run for _, data in show.snapshot().pieces for run in json.loads(data).get("s", ()) if run[0] == 2]
    [places] = [np.reshape(run[5], (-1, 4)) for run in runs if isinstance(run[3], list) and len(run[3]) == SHADES // 2]
    left, right = places[:, 0] - places[:, 2], places[:, 0] + places[:, 2]
    assert (np.diff(left) > 0).all() and np.ptp(right) <= 1
    show.close()


def written(show):
    """The texts of the picture, each with its left and right end."""
    found = []
    for _, data in show.snapshot().pieces:
        for text, x, *_, anchor, width in json.loads(data).get("t", ()):
            found.append((text, x - anchor / 2 * width, x + (1 - anchor / 2) * width))
    return found


@pytest.fixture(params=["light", "projector"])
def phone(request):
    show = Show(sources.load("p100-2K"))
    show.do({"do": "size", "width": 390, "height": 844, "page": "a"})
    show.do({"do": "theme", "value": request.param})
    show.snapshot()
    yield show
    show.close()


def test_what_has_no_room_in_the_status_line_is_folded_above_it(phone):
    """A refusal and a note, both with all their words, beside the time."""
    refusal = "no room: disc 12 is in the way of a wall that would be longer than a phone is wide"
    phone.stage.refuse(refusal)
    phone.stage.note("vessels: two vessels with a pipe between them, and a hundred discs in each of the two")
    phone.tick(1 / 60)
    texts = written(phone)
    assert all(0 <= left and right <= 390 and not text.endswith("…") for text, left, right in texts)
    joined = " ".join(text for text, *_ in texts)
    assert refusal in joined and phone.stage.noted in joined and "time 0" in joined


def test_what_is_folded_covers_no_panel(phone):
    """It stands at the lower edge of the picture, above the sheet with the sliders."""
    phone.parts.gas.toggle()
    phone.stage.note("vessels: two vessels with a pipe between them, and a hundred discs in each of the two")
    lines = [(text, y) for _, data in phone.snapshot().pieces for text, _, y, *_ in json.loads(data).get("t", ())]
    assert min(y for text, y in lines if text in phone.stage.noted and len(text) > 9) > phone.stage.layout.picture.bottom
    assert any("temperature" in text and y < phone.stage.layout.picture.bottom for text, y in lines)


@pytest.mark.sample(1)
def test_the_list_of_systems_is_told_whole(phone):
    """A sentence that has no room beside its name stands below it, in lines; the keys go to each entry, which is then seen."""
    menu = phone.parts.menu
    phone.parts.menus.open_list()
    seen = set()
    for _ in menu.entries:
        texts = written(phone)
        assert all(right <= 390 and not text.endswith("…") for text, _, right in texts)
        seen.update(text for text, *_ in texts)
        menu.go(1)
        phone.snapshot()
        top = menu._area.top - 15 * phone.stage.unit - (menu._tops()[menu._here] - menu._scrolled) * 24 * phone.stage.unit
        assert menu._entry_at(100, top) == menu._here
    told = [entry for entry in menu.entries if entry.note]
    assert {entry.text for entry in told} <= seen and {word for entry in told for word in entry.note.split()} <= {
        word for text in seen for word in text.split()}


def test_letters_and_panels_grow_with_a_large_window():
    """On a screen of 3840 x 2160 units they are half as large again; up to 2560 x 1440 as they were."""
    show = Show(gas())
    for (width, height), scale in {(1920, 1080): 1, (2560, 1440): 1, (3840, 1440): 1, (3840, 2160): 1.5, (390, 844): 1}.items():
        show.do({"do": "size", "width": width, "height": height, "page": "a"})
        assert show.stage.unit == scale
    show.close()
