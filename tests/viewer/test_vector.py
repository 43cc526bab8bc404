"""Vector pictures: SVG, read back as XML, and PDF, against the state of the system and against pictures of pixels."""
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest

import hdsim
from hdsim import viewer
from hdsim.viewer import Look, save_vector
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film.image import picture_view

SVG = "{http://www.w3.org/2000/svg}"


def mixed(**options):
    """Discs of many radii and colours."""
    system = hdsim.random(40, radius=.02, temperature=1.0, seed=4, **options)
    with system.edit() as draft:
        draft.radii[:] *= np.linspace(.01, 1, len(system))
        draft.colors[:] = np.random.default_rng(0).integers(60, 200, (len(system), 3))
    return system


def circles(root):
    """(k, 3): centre and radius of each filled circle, y upwards, and (k,) their colours."""
    height = float(root.get("height"))
    found = [(float(c.get("cx")), height - float(c.get("cy")), float(c.get("r")), group.get("fill"))
             for group in root.iter(f"{SVG}g") for c in group.findall(f"{SVG}circle") if group.get("fill") != "none"]
    return np.array([row[:3] for row in found]).reshape(-1, 3), [row[3] for row in found]


def test_every_disc_is_a_circle_of_its_true_place_radius_and_colour(tmp_path):
    """To a thousandth of a pixel, however small it is."""
    system = mixed()
    save_vector(tmp_path / "a.svg", system, 900, 900, Look(colors="file"))
    found, colors = circles(ET.parse(tmp_path / "a.svg").getroot())
    view = picture_view(Frame.of(system), 900, 900)
    expected = np.column_stack([system.positions * view.scale + view.origin, system.radii * view.scale])
    order = [int(np.argmin(np.hypot(*(found[:, :2] - row[:2]).T))) for row in expected]
    assert sorted(order) == list(range(len(system)))
    assert np.abs(found[order] - expected).max() < 2e-3
    assert [colors[k] for k in order] == ["#{:02x}{:02x}{:02x}".format(*color) for color in system.colors.tolist()]


def test_images_across_periodic_edges_are_there_and_cut_off(tmp_path):
    """A disc on the edge is drawn on both sides, within a clip at the periodic edges only."""
    system = hdsim.CollisionSystem.from_arrays([(.02, .5), (1.0, .1)], [(0, 0), (0, 0)], .1, box=hdsim.Box(2, 1, (True, False)))
    save_vector(tmp_path / "a.svg", system, 400, 200)
    root = ET.parse(tmp_path / "a.svg").getroot()
    view = picture_view(Frame.of(system), 400, 200)
    found, _ = circles(root)
    assert sorted(found[:, 0]) == pytest.approx(sorted(view.to_pixel(x, 0)[0] for x in (.02, 1.0, 2.02)), abs=1e-2)
    clip = root.find(f"{SVG}clipPath/{SVG}rect")
    assert float(clip.get("x")) == pytest.approx(view.to_pixel(0, 0)[0]) and float(clip.get("height")) > 400
    assert float(clip.get("width")) == pytest.approx(2 * view.scale)


def test_obstacles_legends_and_words_are_drawn(tmp_path):
    """Areas, lines and arcs of obstacles; the legend and arrows of a look; XML stays XML whatever letters there are."""
    shapes = [hdsim.Circle((.5, .5), .1), hdsim.Segment((.1, .1), (.3, .2)), hdsim.Segment((.7, .1), (.9, .2), from_time=5.0)]
    system = hdsim.random(30, radius=.02, temperature=1.0, seed=4, obstacles=shapes)
    save_vector(tmp_path / "a.svg", system, 500, 500, Look(colors="speed", arrows=True, theme="dark"))
    root = ET.parse(tmp_path / "a.svg").getroot()
    paths = list(root.iter(f"{SVG}path"))
    solid = "#{:02x}{:02x}{:02x}".format(*viewer.draw.theme.THEMES["dark"].solid)
    assert sum("A" in path.get("d") and path.get("fill") == solid for path in paths) == 1
    assert sum(path.get("stroke-dasharray") is not None and path.get("opacity") == "0.5" for path in paths) == 1
    assert {"speed", "0"} <= {text.text for text in root.iter(f"{SVG}text")}
    canvas = viewer.film.svg.SvgCanvas(10, 10, (0, 0, 0))
    canvas.write("a < b & c", 1, 1, (0, 0, 0), 9, "start", False)
    assert ET.fromstring(canvas.text()).find(f"{SVG}text").text == "a < b & c"


def content(path):
    """The drawing commands of the page of a PDF."""
    data = path.read_bytes()
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S)
    texts = []
    for stream in streams:
        try:
            texts.append(zlib.decompress(stream))
        except zlib.error:
            texts.append(stream)
    return b"\n".join(texts)


@pytest.mark.more
def test_a_pdf_has_curves_and_no_pixels(tmp_path):
    """Every disc is made of curves in its colour; nothing in it is a picture of pixels, and two of them are the same bytes."""
    pytest.importorskip("matplotlib")
    system = mixed(obstacles=[hdsim.Circle((.5, .5), .1)])
    for name in "ab":
        save_vector(tmp_path / f"{name}.pdf", system, 900, 900, Look(arrows=True))
    found = content(tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert b"/Subtype /Image" not in (tmp_path / "a.pdf").read_bytes() and found.count(b" c\n") >= 8
    red, green, blue = (f"{part / 255:.6f}"[:5] for part in system.colors[-1].tolist())
    assert re.search(rf"{red}\d* {green}\d* {blue}\d* rg".encode(), found)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_a_browser_draws_the_svg_as_the_window_would(tmp_path, opengl, pillow):
    """The same picture as the one of pixels: few pixels differ, and only at edges."""
    system = hdsim.random(60, radius=.03, temperature=1.0, seed=3, box=hdsim.Box(1.5, 1, (True, False)),
                          obstacles=[hdsim.Circle((.4, .5), .12), hdsim.Segment((.8, .2), (1.1, .8))])
    save_vector(tmp_path / "a.svg", system, 600, 400)
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=600,400",
                    f"--screenshot={tmp_path / 'a.png'}", f"file://{tmp_path / 'a.svg'}"], check=True, capture_output=True,
                   timeout=60)
    seen = np.asarray(pillow.open(tmp_path / "a.png").convert("RGB"), int)
    drawn = viewer.snapshot(system, 600, 400).astype(int)
    assert seen.shape == drawn.shape
    assert (np.abs(seen - drawn).max(axis=2) > 60).mean() < 0.01


def test_what_is_no_vector_picture_is_refused(tmp_path, monkeypatch):
    system = mixed()
    with pytest.raises(ValueError, match=r"a\.png: expected a file that ends in \.svg or \.pdf"):
        save_vector("a.png", system)
    with pytest.raises(ValueError, match="at least 1 pixel"):
        save_vector("a.svg", system, 0, 10)
    with pytest.raises(ValueError, match="trails are drawn in windows only"):
        save_vector("a.svg", system, look=Look(trails=(0,)))
    with pytest.raises(OSError):
        save_vector(tmp_path / "none" / "a.svg", system)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"hdsim\[plot\]"):
        save_vector(tmp_path / "a.pdf", system)
