"""The gallery on pages: what is found in it, and its small pictures."""
import json
from dataclasses import replace

import numpy as np
import pytest
from scenes import gas

import hdsim
from hdsim.browser import Show
from hdsim.model.roles import on_paper
from hdsim.viewer.draw.area import Area
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.record import Pictures, RecordPen
from hdsim.viewer.draw.shapes import still_key, still_of
from hdsim.viewer.draw.theme import DARK, LIGHT
from hdsim.viewer.draw.thumbnail import Thumbnail
from hdsim.viewer.draw.visible import rimmed

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


def test_nothing_of_the_run_is_seen_through_the_gallery():
    """Its background is one box: where two of them meet between the pixels of a screen, what is below would be seen."""
    show = Show(gas(10))
    show.parts.gallery.show()
    show.do({"do": "size", "width": 845, "height": 391, "page": "a"})
    found = [json.loads(data) for _, data in show.snapshot().pieces]
    whole = [run for piece in found if "c" not in piece for run in piece.get("s", ()) if run[0] == 2 and run[1:3] == [0, 0]]
    assert [845 * 4, round(391 * 8 / 2)] in [[run[5][2], run[5][3]] for run in whole] and whole[0][4] == 255
    show.close()


def test_what_is_far_away_has_no_rim():
    """Pale discs at the edge of Poincare's disc are seen as in the window, on pages, in the gallery and in files."""
    dark = Frame.of(on_paper(hdsim.load("hyperbolic")))
    dark = replace(dark, colors=np.full((len(dark), 3), DARK.paper, np.uint8))
    near = Frame.of(hdsim.load("p10"))
    near = replace(near, colors=np.full((len(near), 3), DARK.paper, np.uint8))
    assert not rimmed(dark, DARK.paper).any() and rimmed(near, DARK.paper).all()
    assert still_of(dark, DARK)["rims"] is False and "rims" not in still_of(near, DARK)
    assert still_key(dark) != still_key(replace(dark, drawing=dark.drawing._replace(pale=None)))
    for frame, rims in ((dark, 0), (near, 10)):
        pen, area = RecordPen(iter(range(1, 99))), Area(0, 0, 220, 220)
        pen.begin((220, 220), 1.0)
        Pictures(pen).draw([Thumbnail(0, frame, area)], pen.size, area, DARK, 1.0)
        faint = DARK.faint[0] << 16 | DARK.faint[1] << 8 | DARK.faint[2]
        runs = [run for _, data in pen.end() for run in json.loads(data).get("s", ()) if run[0] == 1 and run[3] == faint]
        assert sum(len(run[5]) // 4 for run in runs) == rims


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
