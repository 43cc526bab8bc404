"""The stage of a window, without a window: what is shared by the parts, and in which order they hear of changes."""
from types import SimpleNamespace

import numpy as np
import pytest
from test_viewer import gas_of_60

import hdsim
from hdsim.viewer import Look
from hdsim.viewer.draw.area import Area
from hdsim.viewer.playback.playback import Playback
from hdsim.viewer.stage.stage import LINE, MARGIN, Stage


class Surface:
    """A window of 400 x 300 units, with `ratio` pixels to a unit."""

    def __init__(self, ratio=1):
        self.ratio, self.fullscreen, self.caption = ratio, False, ""

    def get_size(self):
        return 400, 300

    def get_framebuffer_size(self):
        return 400 * self.ratio, 300 * self.ratio

    def set_fullscreen(self, fullscreen):
        self.fullscreen = fullscreen

    def set_caption(self, caption):
        self.caption = caption


def listener(name, heard):
    return SimpleNamespace(system_changing=lambda: heard.append(f"{name} changing"),
                           system_changed=lambda: heard.append(f"{name} changed"))


def connected(system=None, ratio=1, look=None):
    """A stage with two listeners, what these have heard, and a picture that leaves 100 units at the right to panels."""
    heard = []
    stage = Stage(Surface(ratio), Playback(system or gas_of_60(), paused=True), look or Look(), "gas")
    picture = Area(0, 0, 300 * ratio, 300 * ratio)
    arrangement = SimpleNamespace(picture_area=lambda: picture, make_room=lambda: heard.append("room"))
    stage.connect([listener("first", heard), listener("second", heard)], arrangement)
    return stage, heard


def test_listeners_hear_of_every_change_in_their_order():
    """Before and after each edit, once for each system that is shown, and not again while nothing changes."""
    stage, heard = connected()
    stage.notify()
    stage.notify()
    assert heard == ["first changed", "second changed"]
    heard.clear()
    stage.playback.change(lambda system: system.remove(0))
    assert heard == ["first changing", "second changing", "first changed", "second changed"] and stage.stale
    heard.clear()
    stage.playback.restart()
    stage.notify()
    assert heard == ["first changed", "second changed"]


def test_an_edit_that_fails_leaves_the_listeners_notified():
    stage, heard = connected()
    stage.notify()
    heard.clear()
    with pytest.raises(ZeroDivisionError), stage.changing():
        raise ZeroDivisionError
    assert heard == ["first changing", "second changing", "first changed", "second changed"]


def test_the_selected_disc_is_followed_by_its_number():
    """Whatever is added and removed; there is none where it is gone, and none of an index that does not exist."""
    stage, _ = connected()
    stage.selected = 20
    place = stage.playback.system.positions[20]
    stage.playback.change(lambda system: system.remove(3))
    assert stage.selected == 19 and np.array_equal(stage.playback.system.positions[19], place)
    stage.playback.change(lambda system: system.remove(19))
    assert stage.selected is None
    for index in (-1, len(stage.playback.system), None):
        stage.selected = 1
        stage.selected = index
        assert stage.selected is None


def test_another_system_begins_afresh():
    """At its own pace, as a whole, with nothing selected and no trails; theme and colours stay, and the title says what it is."""
    stage, heard = connected(look=Look("dark", "speed", trails=(3,)))
    stage.selected, before = 3, stage.playback
    stage.camera.zoom_at(2.0, 10.0, 10.0, stage.box_view)
    other = hdsim.load("p10")
    stage.show_system(other, "p10")
    assert stage.playback.system is other and stage.playback is not before and stage.playback.paused
    assert (stage.selected, stage.name, stage._surface.caption) == (None, "p10", "hdsim: p10")
    assert stage.look == Look("dark", "speed") and stage.camera.zoom == 1.0
    heard.clear()
    stage.playback.change(lambda system: system.remove(0))
    assert heard[0] == "first changing"        # the new playback, too, says what it does


def test_what_is_no_system_changes_nothing():
    stage, heard = connected()
    before = stage.playback
    with pytest.raises(TypeError, match="expected a system with all members of hdsim.model.roles.Playable, got list without "
                                        "box, "):
        stage.show_system([], "nothing")
    assert stage.playback is before and stage.name == "gas" and heard == []


def test_looks_are_checked():
    stage, _ = connected()
    stage.stale = False
    with pytest.raises(ValueError, match="trails names disc 60"):
        stage.look = Look(trails=(60,))
    assert stage.look == Look() and not stage.stale
    stage.look = Look("projector")
    assert stage.theme.name == "projector" and stage.stale


@pytest.mark.parametrize("ratio", [1, 2])
def test_lengths_are_pixels(ratio):
    """On a screen with two pixels to a unit all is twice as large; the box stands where the arrangement puts the picture."""
    stage, _ = connected(ratio=ratio)
    assert stage.size == (400 * ratio, 300 * ratio) and stage.unit == ratio and stage.pixel(3, 4) == (3 * ratio, 4 * ratio)
    left, bottom = stage.box_view.to_pixel(0, 0)
    right, top = stage.box_view.to_pixel(1, 1)
    assert left >= MARGIN * ratio and right <= (300 - MARGIN) * ratio + 1 and bottom >= LINE * ratio
    assert right - left == pytest.approx(top - bottom) == pytest.approx((300 - 2 * MARGIN) * ratio)
    stage.look = Look("projector")
    assert stage.unit == 1.5 * ratio and stage.pixel(3, 4) == (3 * ratio, 4 * ratio)


def test_notes_room_and_full_screen():
    stage, heard = connected()
    stage.stale = False
    stage.note("written")
    assert stage.noted == "written" and stage.noted_at > 0 and stage.stale
    stage.stale = False
    stage.make_room()
    assert heard == ["room"] and stage.stale
    stage.toggle_fullscreen()
    assert stage._surface.fullscreen
    stage.toggle_fullscreen()
    assert not stage._surface.fullscreen


def test_the_stage_loads_no_pyglet(elsewhere):
    """Nor does what stands below it and draws nothing: it can be used and tested without OpenGL."""
    modules = "stage.stage", "stage.part", "stage.picking", "reading.algorithm", "parts.inspector", "reading.paths", "film.film"
    code = "".join(f"import hdsim.viewer.{module}; " for module in modules)
    assert elsewhere("-c", f"import sys; {code}print('pyglet' in sys.modules)") == "False\n"
