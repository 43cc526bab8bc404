"""The gallery on pages: what is found in it, and its small pictures."""
import json

import numpy as np
import pytest
from scenes import gas

from hdsim.browser import Show
from hdsim.viewer.draw.theme import LIGHT

TICK = 1 / 60


def test_what_is_typed_before_the_first_picture_of_the_gallery_is_found():
    """It filters as it does later, whether capital or small letters; what has no match shows nothing; all comes back after it."""
    show = Show(gas(10))
    gallery = show.parts.gallery
    gallery.show()
    gallery.search("Mush")
    assert [exhibit.title for exhibit in gallery.exhibits] == ["mushroom"]
    show.do({"do": "key", "key": "Enter"})
    assert show.name == "mushroom"
    show.close()
    show = Show(gas(10))
    show.parts.gallery.show()
    show.do({"do": "events", "events": [{"do": "key", "key": key} for key in "muxx"]})
    assert show.parts.gallery.exhibits == [] and show.snapshot().pieces
    show.do({"do": "key", "key": "Esc"})
    assert len(show.parts.gallery.exhibits) > 50
    show.close()


def test_small_pictures_of_the_gallery_have_the_outlines_of_bodies():
    """On a globe ellipses, the far ones at the back and pale; of squares four corners."""
    show = Show(gas(10))
    show.parts.gallery.show()
    show.do({"do": "size", "width": 1900, "height": 1000, "page": "a"})
    for name, corners in (("sphere", 16), ("linf", 4)):
        show.parts.gallery.search(name)
        for _ in range(9):
            show.tick(TICK)
        card = [exhibit.title for exhibit in show.parts.gallery.exhibits].index(name)
        area = show.parts.gallery.page.picture(card, show.parts.gallery._scrolled)
        frame = show.parts.gallery._playing[name].frame
        pieces = [json.loads(data).get("p", ()) for _, data in show.snapshot().pieces]
        drawn = [(color, np.reshape(places, (-1, 2)) / 8) for piece in pieces for color, places in piece]
        drawn = [(color, places) for color, places in drawn if area.holds(*places.mean(axis=0))]
        assert len(drawn) == len(frame) and all(len(places) == corners for _, places in drawn)
        order = np.arange(len(frame)) if frame.drawing.order is None else frame.drawing.order
        assert [color for color, _ in drawn] == (frame.colors[order].astype(int) @ (1 << 16, 1 << 8, 1)).tolist()
        middles = np.array([places.mean(axis=0) for _, places in drawn]) - [area.left, area.bottom]
        shift = middles - frame.positions[order] * np.ptp(middles[:, 0]) / np.ptp(frame.positions[:, 0])
        assert np.ptp(shift, axis=0) == pytest.approx([0, 0], abs=.5)
    show.close()


def test_small_pictures_of_the_gallery_are_filled_where_no_disc_can_be():
    """Blocks within, rooms around, as in the large picture; and a white ball has a rim on white paper."""
    show = Show(gas(10))
    show.do({"do": "size", "width": 1900, "height": 1000, "page": "a"})
    show.do({"do": "theme", "value": "light"})
    show.parts.gallery.show()
    show.snapshot()
    solid, faint, paper = (color[0] << 16 | color[1] << 8 | color[2] for color in (LIGHT.solid, LIGHT.faint, LIGHT.paper))
    for name, filled, around, rims in (("two-vessels", [solid] * 2, 0, 0), ("stadium", [paper], 1, 0), ("billiards10", [], 0, 1)):
        show.parts.gallery.search(name)
        for _ in range(9):
            show.tick(TICK)
        found = [json.loads(data) for _, data in show.snapshot().pieces]
        assert [color for piece in found for color, _ in piece.get("p", ())] == filled, name
        runs = [run for piece in found if "c" in piece for run in piece.get("s", ())]
        assert sum(run[0] == 1 and run[3] == faint for run in runs) == rims, name
        assert sum(run[0] == 2 and solid in np.ravel(run[3]) for run in runs) == around, name
    show.close()
