"""Spheres on a page, in a real browser: the picture of WebGL, that of a 2D canvas, mouse, keys and fingers. As test_page.py."""
import time

import numpy as np
import pytest
from test_page import HEADER, click, mouse, page, state, touch      # noqa: F401  `page` is a fixture

import hdsim
from hdsim import viewer
from hdsim.viewer.draw.frame import Frame

PICTURE = "served.screen.picture"


def pose(one):
    return one.eval(f"JSON.stringify({HEADER}.space.faces)")


def test_the_page_draws_spheres_as_a_window_does(page, tmp_path):    # noqa: F811
    """By WebGL and on a 2D canvas, from the same numbers as a picture of OpenGL; edges before the spheres, too."""
    Image = pytest.importorskip("PIL.Image")
    one = page("melting", "--paused", "--colors", "file")
    assert one.eval(f"{PICTURE}.spheres.length === 4 * {HEADER}.n && {PICTURE}.inks.length === 3 * {HEADER}.n")
    assert one.eval(f"{PICTURE}.painter.spheres.works")
    one.screenshot(tmp_path / "gl.png")
    one.eval(f"{PICTURE}.painter.canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(), 1")
    time.sleep(.5)
    one.eval(f"{PICTURE}.draw(), 1")
    one.screenshot(tmp_path / "flat.png")
    gl, flat = (np.asarray(Image.open(tmp_path / name).convert("RGB"), int) for name in ("gl.png", "flat.png"))
    assert gl.std() > 20 and np.abs(gl - flat).mean() < 12 and not np.array_equal(gl, flat)
    system, shown = hdsim.load("melting"), one.eval(f"{HEADER}.space")
    view = viewer.Orbit().view(Frame.of(system), (900, 640), (0, 0, 0, 0))
    bodies = view.bodies(Frame.of(system).positions, Frame.of(system).radii)
    seen = np.array(one.eval(f"Array.from({PICTURE}.spheres)"), np.float32).reshape(4, -1)
    assert np.array_equal(seen[:3].T, bodies.eye) and np.array_equal(seen[3], bodies.radii)
    assert shown["nearness"] == pytest.approx(view.nearness) and len(shown["faces"]) == 3


def test_small_spheres_are_points_and_the_same_picture(page, tmp_path):       # noqa: F811
    """As in a window; with one sphere beyond the edge all are rectangles."""
    Image = pytest.importorskip("PIL.Image")
    one = page("gas3", "--paused")
    painter = f"{PICTURE}.painter.spheres"
    one.eval(f"{PICTURE}.draw(), 1")
    assert one.eval(f"{painter}.points && {painter}.works")
    one.screenshot(tmp_path / "points.png")
    one.eval(f"{painter}.mayBePoints = () => false, {PICTURE}.draw(), 1")
    assert not one.eval(f"{painter}.points")
    one.screenshot(tmp_path / "rectangles.png")
    points, rectangles = (np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB"), int)
                          for name in ("points", "rectangles"))
    off = np.abs(points - rectangles).max(axis=2)
    assert points.std() > 20 and off.max() < 40 and (off > 8).mean() < .002     # corners are rounded to parts of a pixel
    one.eval(f"""(() => {{
        const {{ gl }} = {painter}, draw = gl.drawArrays.bind(gl);
        window.calls = 0;
        gl.drawArrays = (...values) => {{ calls += 1; draw(...values); }};
        {painter}.screened = 999, {PICTURE}.draw();
    }})()""")
    one.screenshot(tmp_path / "alone.png")      # very many would be one call, and the same picture
    assert one.eval("calls") == 1 and np.array_equal(np.asarray(Image.open(tmp_path / "alone.png").convert("RGB")), rectangles)
    one.eval(f"{painter}.screened = 1000, delete {painter}.mayBePoints, {PICTURE}.draw(), 1")
    assert one.eval("calls") == 3
    for _ in range(12):
        one.press("+")
    one.wait(f"!{painter}.points && {HEADER}.view[2] > 1500")


@pytest.mark.more
def test_a_lost_context_comes_back(page):       # noqa: F811
    """Where the browser takes the graphics away, a 2D canvas draws on; when it is given back, WebGL does."""
    one = page("gas3", "--paused")
    lost = f"{PICTURE}.painter.gl.isContextLost()"
    one.eval(f"window.taken = {PICTURE}.painter.gl.getExtension('WEBGL_lose_context'), taken.loseContext(), 1")
    one.wait(lost)
    one.eval(f"{PICTURE}.draw(), 1")
    one.eval("taken.restoreContext(), 1")
    one.wait(f"!{lost} && {PICTURE}.painter.spheres.works")
    one.eval(f"{PICTURE}.draw(), 1")
    drawn = one.eval(f"""(() => {{
        const {{ gl, canvas }} = {PICTURE}.painter, pixel = new Uint8Array(4);
        {PICTURE}.draw();
        gl.readPixels(Math.round({HEADER}.space.middle[0] * {PICTURE}.view().unit), Math.round(canvas.height / 2), 1, 1, gl.RGBA,
                      gl.UNSIGNED_BYTE, pixel);
        return Array.from(pixel);
    }})()""")
    assert drawn[3] == 255


def test_mouse_and_keys_turn_spheres(page):     # noqa: F811
    """A drag turns, a click selects, the wheel and keys do what they do in a window; another system has discs again."""
    one = page("gas3", "--paused")
    before = pose(one)
    mouse(one, "Pressed", 300, 300)
    for k in range(1, 6):
        mouse(one, "Moved", 300 + 10 * k, 300, buttons=1)
    mouse(one, "Released", 350, 300)
    one.wait(f"JSON.stringify({HEADER}.space.faces) !== {before!r}")
    scale = state(one)["space"]["scale"]
    one.press("+")
    one.wait(f"{HEADER}.space.scale > {1.1 * scale}")
    one.press("3")
    one.wait(f"{HEADER}.space.faces.length === 5")       # all but the one through which one looks
    one.press("5")
    one.wait(f"{HEADER}.space.nearness === 0 && {HEADER}.space.faces.length === 1")
    one.press("6")
    one.wait(f"{HEADER}.space.planes[0] < 1")
    x, y = state(one)["space"]["middle"]
    click(one, x, 640 - y)
    one.wait(f"{HEADER}.selected !== null")
    one.eval("""fetch("do", { method: "POST", headers: { "Content-Type": "application/json" },
                             body: JSON.stringify({ do: "open", source: "p10" }) }).then(() => 1)""")
    one.wait(f"!{HEADER}.space && {PICTURE}.positions.length === 20")


@pytest.mark.more
def test_two_fingers_zoom_and_twist(page):      # noqa: F811
    one = page("gas3", "--paused")
    scale, before = state(one)["space"]["scale"], pose(one)
    touch(one, "Start", (250, 300), (350, 300))
    for k in range(1, 9):
        touch(one, "Move", (250 - 10 * k, 300), (350 + 10 * k, 300))
    touch(one, "End")
    one.wait(f"{HEADER}.space.scale > {1.5 * scale}")
    time.sleep(.5)
    scale, before = state(one)["space"]["scale"], pose(one)
    touch(one, "Start", (250, 300), (350, 300))
    for k in range(1, 9):
        touch(one, "Move", (250, 300 + 6 * k), (350, 300 - 6 * k))
    touch(one, "End")
    one.wait(f"JSON.stringify({HEADER}.space.faces) !== {before!r}")
    assert state(one)["space"]["scale"] == pytest.approx(scale, rel=.35)
