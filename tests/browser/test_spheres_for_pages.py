"""What pages get of spheres, without a browser: eye coordinates from back to front, the box, fingers, the gallery, the widget."""
import base64
import json

import numpy as np
import pytest

import hdsim
from hdsim.browser import page
from hdsim.browser.messages import Have
from hdsim.browser.show import CommandError, Show
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film.page import DRAWING


@pytest.fixture
def show():
    box = hdsim.Box(1, 1, depth=1, periodic=(True, False, False))
    shown = Show(hdsim.random(40, radius=.06, temperature=1., seed=2, box=box))
    yield shown
    shown.close()


def blocks(message):
    return {name: data for (name, _, _), data in zip(message.header["blocks"], message.buffers)}


def test_a_message_has_spheres_in_the_place_of_discs(show):
    """All that the shader needs, in the order of drawing; nothing is thinned; the same picture is not sent twice."""
    snapshot = show.snapshot()
    for thin in (False, True):
        message = snapshot.message(Have(thin=thin))
        sent, frame = blocks(message), Frame.of(show.playback.system)
        bodies = show.stage.box_view.bodies(frame.positions, frame.radii)
        rows = np.frombuffer(sent["spheres"], np.float32).reshape(4, -1)
        assert np.array_equal(rows[:3].T, bodies.eye) and np.array_equal(rows[3], bodies.radii)
        assert np.array_equal(np.frombuffer(sent["inks"], np.uint8).reshape(-1, 3), show.parts.looks.painted(show.playback.frame)
                              .colors[bodies.which])
        assert "positions" not in sent and "places" not in sent and len(sent["radii"]) == 0
    space = message.header["space"]
    assert len(space["faces"]) == 3 and len(space["behind"]) == 12 and space["high"] == 640
    later = snapshot.message(Have(snapshot.serial, *(message.header["versions"][name] for name in (
        "scene", "discs", "colors", "record", "file"))))
    assert later.buffers == []


def test_two_fingers_twist_spheres_and_not_discs(show):
    pose = np.array(show.stage.orbit.pose)
    show.do({"do": "twist", "x": 200, "y": 300, "angle": .5})
    assert np.array(show.stage.orbit.pose)[2] == pytest.approx(pose[2])      # about the line of sight
    assert np.arccos(np.array(show.stage.orbit.pose)[0] @ pose[0]) == pytest.approx(.5)
    with pytest.raises(CommandError, match="angle: expected a finite number"):
        show.do({"do": "twist", "x": 200, "y": 300, "angle": None})
    show.do({"do": "open", "source": "p10"})
    before = show.snapshot()
    show.do({"do": "twist", "x": 200, "y": 300, "angle": .5})
    assert "space" not in show.snapshot().shown and show.snapshot().shown["view"] == before.shown["view"]


def test_slabs_send_less(show):
    """What is cut off is not sent; keys do on a page what they do in a window."""
    whole = len(blocks(show.snapshot().message(Have()))["spheres"])
    for _ in range(3):
        show.do({"do": "key", "key": "6"})
    assert 0 < len(blocks(show.snapshot().message(Have()))["spheres"]) < whole / 2
    assert show.snapshot().shown["space"]["planes"][0] < 1


def test_the_gallery_of_a_page_draws_spheres(show):
    """Among its first ten are spheres: discs with a light side, two for each, and the faces of their box."""
    show.do({"do": "size", "width": 1400, "height": 900, "page": "one"})
    show.do({"do": "key", "key": "B"})
    for _ in range(40):
        show.tick(1 / 60)
    pieces = [json.loads(data) for _, data in show.snapshot().pieces]
    dots = [shape for piece in pieces for shape in piece.get("s", []) if shape[0] == 1 and len(shape[5]) == 4 * 2 * 600]
    assert len(dots) == 1 and sum("p" in piece for piece in pieces) >= 3


def test_the_scripts_have_the_shader_of_windows():
    """One text for both, as a string of the script: what stands in it between quotes is what OpenGL gets."""
    scripts = page.scripts()
    start = scripts.index("const SPHERE = ") + len("const SPHERE = ")
    text, _ = json.JSONDecoder().raw_decode(scripts[start:])
    assert text == DRAWING.joinpath("sphere.glsl").read_text() and "draw_sphere" in text


def test_a_notebook_shows_spheres():
    pytest.importorskip("anywidget")
    live = hdsim.live(hdsim.random(5, radius=.1, seed=1, box=hdsim.Box(1, 1, depth=1)))
    assert "space" in live._show.snapshot().shown
    live.close()


def test_a_file_of_spheres_says_that_they_are(show, tmp_path):
    show.playback.system.save(tmp_path / "a.npz")
    show.do({"do": "file", "name": "a.npz", "data": base64.b64encode((tmp_path / "a.npz").read_bytes()).decode()})
    assert show.stage.noted == "a.npz: 40 spheres"


def test_menus_of_a_phone_overlap_nothing(show):
    """With the large letters of a projector: where there is no room for text and key, there is no key."""
    show.do({"do": "size", "width": 390, "height": 844, "page": "one"})
    show.do({"do": "theme", "value": "projector"})
    show.snapshot()
    [more] = [area for what, area in show.parts.bar.places() if what == "more"]
    for kind in ("press", "release"):
        show.do({"do": kind, "x": more.left + 5, "y": more.bottom + 5, "button": 1, "held": 0})
    assert show.parts.menu.shown
    texts = [text for text in json.loads(show.snapshot().pieces[-2][1])["t"] if text[0]]
    rows = {y: sorted((x - width if anchor == 2 else x, width) for _, x, up, _, _, _, _, anchor, width in texts if up == y)
            for y in {text[2] for text in texts}}
    assert len(rows) > 15 and len(texts) > len(rows)
    for row in rows.values():
        ends = [left + width for left, width in row]
        assert ends[-1] <= 390 and (len(row) == 1 or ends[0] < row[1][0])
