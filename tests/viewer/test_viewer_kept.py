"""What a saved state keeps of its window: nothing that hinders an edit, and the pace and the look, which come back."""
import json
import os
import tempfile
import zipfile

import pytest
from test_viewer import child, press, watch

import hdsim
from hdsim.formats.notes import notes_of
from hdsim.viewer import Look, kept_in


def save_and_go_on():
    """Saved with plots and a trail, opened again by name: the look and the pace are those, there are no observers, and an edit
    goes with plots open, which then begin again and say so."""
    from pyglet.window import key
    os.chdir(tempfile.mkdtemp())

    def look(window):
        press(window, "P")
        window.stage.selected = 3
        press(window, "L")
        window.look = Look("dark", "energy", trails=window.look.trails)
        window.playback.set_speed(0.25)
        yield 10
        assert window.playback.system.observers
        window.dispatch_event("on_key_press", key.S, key.MOD_CTRL)
        (name,) = os.listdir()
        assert "wrote" in window.stage.noted and hdsim.load(name).observers == ()
        window.look = Look()
        window.parts.library.open(name)
        yield 5
        playback = window.playback
        assert (window.look, playback.speed) == (Look("dark", "energy", trails=(3,)), 0.25)
        window.parts.menus.open_list()
        assert [entry.text for entry in window.parts.menu.entries[:3]] == ["files in this folder", name, "data sets"]
        for letter in "ZQZ":
            press(window, letter)
        assert [entry.text for entry in window.parts.menu.entries] == ["nothing here has zqz"]
        for letter in ("BACKSPACE", "BACKSPACE", "BACKSPACE", *"STADI"):
            press(window, letter)
        assert [entry.text for entry in window.parts.menu.entries] == ["tables", "stadium"]
        press(window, "ENTER")
        yield 3
        assert window.stage.name == "stadium"
        window.parts.library.open(name)
        assert window.parts.plots.shown
        yield 20
        window.stage.selected = 0
        n = len(window.playback.system)
        press(window, "DELETE")
        yield 2
        assert len(window.playback.system) == n - 1 and window.stage.noted == "the plots begin again"
        assert window.playback.refusal is None
    watch(hdsim.random(30, radius=.02, temperature=1.0, seed=3), look)


def test_a_run_is_saved_and_goes_on(screen):
    child(save_and_go_on, DISPLAY=screen)


def refuse_where_a_program_measures():
    """Discs that the observer of a program measures are not offered for a change, and stay as they are."""
    def look(window):
        press(window, "DELETE")
        yield 2
        assert window.playback.status()[0] == "a program measures these discs: they stay as they are"
        assert "gas" not in [button.icon for button in window.parts.bar.buttons]
        press(window, "P")      # the window's own observers are no hindrance, and go away with it
        yield 5
    system = hdsim.random(30, radius=.02, temperature=1.0, seed=3)
    observer = system.observe(hdsim.Pressure())
    watch(system, look)
    assert system.observers == (observer,)


@pytest.mark.more
def test_observed_discs_are_not_offered_for_a_change(screen):
    child(refuse_where_a_program_measures, DISPLAY=screen)


def test_notes_of_a_file_that_do_not_fit_are_left_out(tmp_path):
    """Those of another version, of a damaged file and of no file; given values win."""
    system, path = hdsim.random(5), tmp_path / "a.npz"
    usual = kept_in(tmp_path / "none.npz", system)
    assert usual[1] is None and notes_of(__file__) == {}
    system.save(path, {"window": {"speed": "fast", "look": {"theme": "red", "colors": "energy", "trails": [7], "more": 1}}})
    look, speed = kept_in(path, system, theme="projector")
    assert speed is None and look == Look("projector", "energy", trails=usual[0].trails)
    assert hdsim.load(path).hash() == system.hash() and notes_of(path)["window"]["speed"] == "fast"
    for notes in ([], {"window": []}, {"window": {"look": None}}):
        with zipfile.ZipFile(tmp_path / "b.npz", "w") as archive:
            archive.writestr("hdsim.json", json.dumps({"notes": notes}))
        assert kept_in(tmp_path / "b.npz", system) == usual


def test_a_gas_keeps_notes_too(tmp_path):
    gas = hdsim.load("sphere")
    gas.save(tmp_path / "a.npz", {"window": {"speed": 2.0}})
    assert kept_in(tmp_path / "a.npz", gas.on_paper())[1] == 2.0


@pytest.mark.parametrize("change, others, wall, obstacle", [
    (lambda s: s.add(hdsim.Particle(.5, .5, 0, 0, .1, 1)), (0,), "", None),
    (lambda s: s.add(hdsim.Particle(.05, .1, 0, 0, .1, 1)), (), "left", None)])
def test_an_error_says_what_is_in_the_way(change, others, wall, obstacle):
    system = hdsim.CollisionSystem([hdsim.Particle(.5, .5, 0, 0, .1, 1)])
    with pytest.raises(hdsim.NoRoomError) as caught:
        change(system)
    error = caught.value
    assert (error.disc, error.others, error.wall, error.obstacle) == (1, others, wall, obstacle)
    again = error.__reduce__()
    assert again[0](*again[1]).others == others


def test_an_obstacle_and_a_disc_are_in_each_others_way():
    system = hdsim.CollisionSystem([hdsim.Particle(.5, .5, 0, 0, .1, 1)], obstacles=[hdsim.Circle((.2, .2), .1)])
    with pytest.raises(hdsim.NoRoomError) as caught, system.edit() as draft:
        draft.positions[0] = .25, .25
    assert (caught.value.disc, caught.value.others, caught.value.obstacle) == (0, (), 0)
    with pytest.raises(hdsim.NoRoomError) as caught, system.edit() as draft:
        draft.obstacles = [*draft.obstacles, hdsim.Circle((.5, .5), .05)]
    assert (caught.value.disc, caught.value.others, caught.value.obstacle) == (None, (0,), 1)
