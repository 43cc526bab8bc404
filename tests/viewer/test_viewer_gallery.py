"""The gallery: its page by arithmetic, and a real window, by the events that pyglet sends."""
import itertools
from time import perf_counter, process_time

import numpy as np
import pytest
from test_viewer import child, press, screenshot, watch

import hdsim
from hdsim.lab.showcase import exhibits
from hdsim.model.roles import on_paper
from hdsim.viewer.draw.theme import THEMES
from hdsim.viewer.stage.gallery_page import Page
from hdsim.viewer.playback.miniature import Miniature

COUNTS = 10, 38, 9, 7, 19


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1366, 768), (3840, 2160), (800, 3000)])
@pytest.mark.parametrize("unit, large", [(1.0, True), (1.5, True), (2.0, True), (1.0, False)])
def test_cards_have_places_of_their_own_and_all_can_be_reached(size, unit, large):
    page = Page.of(size, unit, COUNTS, large)
    areas = [page.area(card, 0.0) for card in range(sum(COUNTS))]
    for a, b in itertools.combinations(areas, 2):
        assert a.right <= b.left or b.right <= a.left or a.top <= b.bottom or b.top <= a.bottom
    assert all(0 <= area.left < area.right <= size[0] for area in areas)
    for card in range(sum(COUNTS)):
        scrolled = page.revealing(card, 0.5 * page.most)
        assert 0 <= scrolled <= page.most
        area = page.area(card, scrolled)
        assert card in page.visible(scrolled) and area.bottom >= -1e-9 or area.top <= page.clip.top
        if 0 <= area.bottom and area.top <= page.clip.top:
            assert page.at((area.left + area.right) / 2, (area.bottom + area.top) / 2, scrolled) == card
    for scrolled in (0.0, 0.3 * page.most, page.most):
        assert page.visible(scrolled) == [card for card in range(sum(COUNTS)) if page.area(card, scrolled).top > page.clip.bottom
                                          and page.area(card, scrolled).bottom < page.clip.top]
        mark = page.mark(scrolled)
        if mark is not None and page.most > 0:
            assert page.scrolled_to((mark.bottom + mark.top) / 2) == pytest.approx(scrolled, abs=1e-6 * page.height)


def test_the_first_group_is_larger_and_its_band_ends_where_the_others_begin():
    """The first ten are seen without scrolling in a window of a laptop."""
    page = Page.of((1366, 768), 1.0, COUNTS)
    areas = [page.area(card, 0.0) for card in range(11)]
    assert all(area.bottom >= 0 for area in areas[:10])
    first, others = (page.picture(card, 0.0) for card in (0, 10))
    assert first.height > 1.4 * others.height
    for scrolled in (0.0, 100.0, page.most):
        upper, lower = page.bands(scrolled)
        assert upper.bottom == lower.top and upper.top == page.clip.top and lower.bottom == 0
    assert page.bands(0.0)[0].bottom == page.clip.top - page.split and page.bands(page.most)[0].height == 0


def test_larger_letters_have_wider_cards():
    """So that the same sentences have room in three lines: with letters a fifth larger than the unit tells, in fewer columns."""
    for size in ((1366, 768), (1920, 1080), (3840, 2160)):
        usual, large = (Page.of(size, 1.5, COUNTS, True, letters) for letters in (1.0, 1.2))
        assert usual.cards[10][2] >= 236 * 1.5 and large.cards[10][2] >= 1.2 * 236 * 1.5
        assert usual.cards[:10] == large.cards[:10]


def test_cards_above_and_below_are_the_nearest_in_the_next_row():
    page = Page.of((1366, 768), 1.0, COUNTS)
    assert [page.beside(2, 1), page.beside(7, -1), page.beside(2, -1)] == [7, 2, 2]
    assert page.beside(sum(COUNTS) - 1, 1) == sum(COUNTS) - 1
    assert all(abs(page.cards[page.beside(k, 1)][0] - page.cards[k][0]) < 60 for k in range(9))


def test_far_sides_fade_towards_the_paper():
    """On white paper they are lighter than near ones, on dark paper darker."""
    miniature = Miniature(on_paper(next(each for each in exhibits() if each.title == "sphere").make()), "speed")
    pale = miniature.frame.drawing.pale
    light, dark = (miniature.on(THEMES[name].paper).colors.mean(axis=1) for name in ("light", "dark"))
    far, near = pale > .6, pale < .2
    assert light[far].mean() > light[near].mean() + 20 and dark[far].mean() < dark[near].mean() - 20
    assert (miniature.on(THEMES["dark"].paper) is miniature.frame) and miniature.tick(.1, .002) < 1


def test_a_miniature_plays_within_its_budget_and_begins_again_when_jammed():
    """It takes a share of the wall clock, however many events there are; a jam is not the end."""
    miniature = Miniature(hdsim.random(3000, radius=.007, temperature=1.0, seed=1), "speed")
    first = miniature.frame.positions.copy()
    taken = [miniature.tick(0.1, 0.002) for _ in range(20)]
    assert np.median(taken) < 0.02 and (miniature.frame.positions != first).any()
    discs = [hdsim.Particle(.125 + .25 * k, .5, float(k == 0), 0, .125, 1) for k in range(4)]       # wedged between the walls
    jamming, places = Miniature(hdsim.CollisionSystem(discs, collisions="sequential")), set()
    for _ in range(3):
        jamming.tick(0.1, 1.0)
        places.add(jamming.frame.positions.tobytes())
    assert len(places) == 1 and jamming.frame.time == 0


def use_the_gallery():
    """It opens at once with discs in motion; a click opens what it says, Esc comes back, and Esc again closes the window."""
    began = process_time()

    def look(window):
        window.set_size(900, 600)
        yield 3
        assert process_time() - began < 4       # on a busy machine
        gallery, stage = window.parts.gallery, window.stage
        yield 5
        first = screenshot(window)
        yield 8
        assert gallery.shown and (screenshot(window) != first).any()
        number = next(k for k, exhibit in enumerate(exhibits()) if exhibit.title == "billiards5")
        press(window, "END")
        assert gallery._here == len(exhibits()) - 1 and gallery._scrolled > 0.98 * gallery.page.most
        yield 2
        press(window, "HOME")
        for _ in range(number):
            press(window, "RIGHT")
        area = gallery.page.area(number, gallery._scrolled)
        x, y = (area.left + area.right) / 2, (area.bottom + area.top) / 2
        window.dispatch_event("on_mouse_press", x, y, 1, 0)
        window.dispatch_event("on_mouse_release", x, y, 1, 0)
        yield 8
        assert not gallery.shown and stage.name == "billiards5" and len(stage.playback.system) == 16
        assert stage.playback.system.time > 0 and not stage.playback.paused
        press(window, "ESCAPE")
        yield 3
        assert gallery.shown and stage.playback.paused
        # a table and an experiment, by keys; the card tells what they are
        for title in ("stadium", "lab maxwell"):
            number = next(k for k, exhibit in enumerate(exhibits()) if exhibit.title == title)
            press(window, "HOME")
            for _ in range(number):
                press(window, "RIGHT")
            press(window, "ENTER")
            yield 3
            assert stage.name == title and window.parts.library.about(title) == exhibits()[number].sentence
            assert window.parts.plots.shown == (title == "lab maxwell")         # the figure of an experiment grows beside it
            press(window, "ESCAPE")
            yield 2
        # from the run and back, by the key and by the button: it goes on where it was
        press(window, "ENTER")
        yield 5
        time = stage.playback.system.time
        press(window, "B")
        yield 5
        assert gallery.shown and stage.playback.paused and stage.playback.system.time >= time
        window.dispatch_event("on_mouse_press", window.width - 15, 583, 1, 0)     # the cross
        yield 5
        assert not gallery.shown and not stage.playback.paused
        press(window, "ESCAPE")
        window.dispatch_event("on_mouse_scroll", 300, 300, 0, -4)
        assert gallery._scrolled > 0
        window.dispatch_event("on_mouse_press", window.width - 2, 10, 1, 0)
        window.dispatch_event("on_mouse_release", window.width - 2, 10, 1, 0)
        assert gallery._scrolled > 0.9 * gallery.page.most
        window.dispatch_event("on_mouse_press", window.width - 50, 583, 1, 0)     # the theme
        press(window, "F1")
        yield 3
        assert window.parts.help.shown and stage.theme.name == "dark"
        press(window, "F1")
        # what one types searches; Esc shows all again
        for letter in "MUSH":
            press(window, letter)
        yield 3
        assert gallery.sought == "mush" and [each.title for each in gallery.exhibits] == ["mushroom"]
        press(window, "BACKSPACE")
        assert gallery.sought == "mus"
        press(window, "LEFT")
        press(window, "X")
        yield 2
        assert gallery.exhibits == []
        press(window, "DOWN")
        press(window, "ENTER")
        assert gallery.shown
        press(window, "ESCAPE")
        assert gallery.shown and len(gallery.exhibits) == len(exhibits())
        press(window, "ESCAPE")
        yield 60
        raise AssertionError("still open")
    shown = watch(None, look)
    assert shown.hash() and len(shown) == 200


def test_the_gallery_opens_and_comes_back(screen):
    child(use_the_gallery, DISPLAY=screen)


def play_the_gallery():
    """What all thumbnails cost in a frame, drawing by the machine without a card excepted, is 5 ms at most."""
    def look(window):
        window.set_size(1200, 600)
        yield 40
        gallery, taken = window.parts.gallery, []
        for _ in range(30):
            began = perf_counter()
            gallery.ticked(1 / 60)
            taken.append(perf_counter() - began)
            yield 1
        assert np.median(taken) < 0.005
    watch(None, look)


@pytest.mark.more
def test_thumbnails_share_a_small_part_of_each_tick(screen):
    child(play_the_gallery, DISPLAY=screen)
