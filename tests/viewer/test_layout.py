"""The layout of a window as arithmetic: nothing overlaps, everything is in the window, and panels have the room that they need,
at all sizes and for boxes of all shapes."""
from itertools import combinations

import pytest

from hdsim.viewer.draw.area import Area
from hdsim.viewer.stage.layout import (BAR, CAPTION, LEAST_PICTURE, LEAST_SIDE, LOWEST, MARGIN, NARROWEST, STATUS, TIMELINE,
                                       TITLE, Wish, arrange)

CARD = Wish(240, 170, 200, 90)
LEGEND = Wish(220, 60, 160, 50, titled=False, minor=True)
QUEUE = Wish(560, 440, 320, 220, 1.5)
PLOTS = Wish(370, 520, 260, 200, 1.0)
GAS = Wish(260, 260, 200, 120, 0.3)
SETS = {"none": [], "card": [CARD], "card and legend": [CARD, LEGEND], "queue": [QUEUE], "plots and card": [PLOTS, CARD],
        "all": [QUEUE, PLOTS, GAS, CARD, LEGEND]}
SIZES = [(320, 240), (480, 640), (640, 480), (1024, 768), (1366, 768), (1920, 1080), (768, 1366), (3840, 2160), (5120, 1440)]
ASPECTS = [0.1, 0.25, 1.0, 2.0, 4.0, 10.0]


def cases():
    for size in SIZES:
        for unit in (1.0, 1.5):
            for aspect in ASPECTS:
                for name in SETS:
                    yield size, unit, aspect, name


def overlap(a, b):
    return min(a.right, b.right) - max(a.left, b.left) > 0 and min(a.top, b.top) - max(a.bottom, b.bottom) > 0


def test_nothing_overlaps_and_all_is_in_the_window():
    """Picture, captions, panels, tabs and rows: at every size, also in a theme of large letters and at high density."""
    for size, unit, aspect, name in cases():
        layout = arrange(size, unit, aspect, SETS[name], active=1, captions=2)
        areas = [layout.picture, layout.captions, layout.bar, layout.timeline, layout.status,
                 *(place.area for place in layout.panels), *(tab.area for tab in layout.tabs)]
        for area in areas:
            assert 0 <= area.left <= area.right <= size[0] and 0 <= area.bottom <= area.top <= size[1], (size, unit, aspect, name)
        assert not [(a, b) for a, b in combinations(areas, 2) if overlap(a, b)], (size, unit, aspect, name)


def test_all_panels_are_seen_or_have_a_tab():
    """Each is visible with its least size, or is one of the tabs, of which the active one is visible. A minor one may be left
    out."""
    left_out = 0
    for size, unit, aspect, name in cases():
        wishes = SETS[name]
        for active in range(len(wishes)):
            layout = arrange(size, unit, aspect, wishes, active)
            major = [k for k, wish in enumerate(wishes) if not wish.minor]
            if not layout.tabs:
                shown = [place.panel for place in layout.panels]
                assert shown in (list(range(len(wishes))), major)
                left_out += shown != list(range(len(wishes)))
            else:
                assert [tab.panel for tab in layout.tabs] == major
                assert [place.panel for place in layout.panels] == [active if active in major else major[0]]
            for place in layout.panels if layout.picture.width else ():
                wish = wishes[place.panel]
                small = size[0] < 700 * unit or size[1] < 600 * unit
                assert place.area.width >= min(wish.least_width, NARROWEST if small else size[0]) * unit - 1
                assert place.area.height >= ((LOWEST if small else wish.least_height) + TITLE * wish.titled) * unit - 1
    assert left_out > 0


@pytest.mark.parametrize("size", [(390, 844), (640, 480), (768, 1024), (1366, 768), (1920, 1080), (3840, 2160)])
@pytest.mark.parametrize("unit", [1.0, 1.4])
@pytest.mark.parametrize("name", SETS)
def test_the_picture_is_never_below_half_of_the_shorter_side(size, unit, name):
    """From a phone to a large screen, also with the large letters of the projector."""
    for aspect in (0.5, 1.0, 2.0):
        for active in range(max(len(SETS[name]), 1)):
            picture = arrange(size, unit, aspect, SETS[name], active).picture
            high = min((picture.width - 2 * MARGIN * unit) / aspect, picture.height - 2 * MARGIN * unit)
            assert max(aspect, 1) * high + 2 * MARGIN * unit >= 0.5 * min(size) - 1, (aspect, active)


def test_the_picture_keeps_a_fair_share():
    """The box never becomes smaller than a third of what it would be alone, but where a panel takes the place of the picture."""
    def side(area, unit, aspect):
        return min((area.width - 2 * MARGIN * unit) / aspect, area.height - 2 * MARGIN * unit)
    replaced = 0
    for size, unit, aspect, name in cases():
        alone, layout = arrange(size, unit, aspect, []), arrange(size, unit, aspect, SETS[name])
        if layout.picture.width == 0 or min(layout.picture.width, layout.picture.height) < LEAST_SIDE * unit:
            replaced += 1
            assert size[0] < 700 * unit or size[1] < 600 * unit
        elif side(alone.picture, unit, aspect) > 150 * unit and min(size) > 600 * unit:
            least = LEAST_PICTURE * side(alone.picture, unit, aspect)
            assert side(layout.picture, unit, aspect) > least, (size, unit, aspect, name)
    assert replaced > 0


def test_a_landscape_window_loses_nothing_of_a_square_box_to_a_column():
    """On 1366 x 768 the queue, the plots and the card are beside the box, all of them visible, and the box is hardly smaller."""
    alone, layout = (arrange((1366, 768), 1.0, 1.0, wishes) for wishes in ([], [QUEUE, PLOTS, CARD]))
    assert layout.tabs == () and len(layout.panels) == 3
    assert min(layout.picture.width, layout.picture.height) >= 0.85 * alone.picture.height
    portrait = arrange((768, 1366), 1.0, 1.0, [PLOTS, CARD])
    assert portrait.picture.width == 768 and all(place.area.top <= portrait.picture.bottom for place in portrait.panels)


def test_rows_are_at_the_lower_edge():
    layout = arrange((800, 600), 2.0, 1.0, [], captions=1)
    assert layout.status == Area(0, 0, 800, 2 * STATUS) and layout.timeline.top == 2 * (STATUS + TIMELINE)
    assert layout.bar == Area(0, 2 * (STATUS + TIMELINE), 800, 2 * (STATUS + TIMELINE + BAR))
    assert layout.captions.top == 600 and layout.captions.height == 2 * CAPTION == 600 - layout.picture.top
    assert layout.picture.bottom == layout.bar.top and layout.picture.width == 800


def test_a_tiny_window_shows_one_thing_at_a_time():
    layout = arrange((320, 240), 1.0, 1.0, [QUEUE, PLOTS], active=1)
    assert layout.picture.width == 0 and [place.panel for place in layout.panels] == [1]
    assert [tab.panel for tab in layout.tabs] == [0, 1] and layout.tabs[0].area.bottom == layout.panels[0].area.top


def test_what_was_not_asked_for_does_not_take_the_place_of_the_picture():
    """It is left out, and comes back beside another panel, which takes that place, as a tab."""
    ledger = Wish(300, 230, 220, 205, 1.0, shy=True)
    layout = arrange((320, 240), 1.0, 1.0, [ledger, LEGEND])
    assert layout.picture.width == 320 and not layout.panels and not layout.tabs
    assert arrange((320, 240), 1.0, 1.0, [ledger._replace(shy=False), LEGEND]).picture.width == 0
    layout = arrange((320, 240), 1.0, 1.0, [ledger, QUEUE], active=1)
    assert layout.picture.width == 0 and [tab.panel for tab in layout.tabs] == [0, 1]


@pytest.mark.parametrize("size", [(3840, 2160), (1366, 768), (1920, 1080)])
def test_panels_that_have_what_they_want_in_one_column_have_no_second_one(size):
    """Also where lengths are rounded to whole pixels, as at one and a half pixels per unit."""
    for height in range(70, 90):
        card, note = Wish(250, height, 190, height, minor=True), Wish(250, 17, 170, 17, titled=False, minor=True)
        left, right = (place.area.left for place in arrange(size, 1.5, 1.0, [card, note]).panels)
        assert left == right


@pytest.mark.parametrize("size", [(1, 1), (0, 0), (5000, 1)])
def test_no_size_is_an_error(size):
    """While a window is minimised it may have no pixels."""
    for wishes in SETS.values():
        layout = arrange(size, 1.0, 1.0, wishes)
        assert layout.picture.width >= 0 and layout.picture.height >= 0
