"""Films as pages for a browser: they hold the exact states, and draw them."""
import base64
import json
import shutil
import subprocess
import zlib

import numpy as np
import pytest
from films import film_of
from scenes import CHANNEL, TORUS, gas, mixture

import hdsim
from hdsim.model.roles import on_paper
from hdsim.starts import sources
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.look import Look
from hdsim.viewer.draw.orbit import Orbit
from hdsim.viewer.draw.theme import LIGHT
from hdsim.viewer.draw.wire import uniforms, wire
from hdsim.viewer.film import page


def places_of(segment):
    """The places of the discs as page.html is to find them, (frames, n, 2), unpacked number by number."""
    n, frames = segment["n"], segment["frames"]
    data = zlib.decompress(base64.b64decode(segment["places"]))
    numbers = [low | high << 8 for low, high in zip(data[:len(data) // 2], data[len(data) // 2:])]
    numbers = [number // 2 if number % 2 == 0 else -(number + 1) // 2 for number in numbers]
    for _ in range(2):
        for i in range(2 * n, len(numbers)):
            numbers[i] += numbers[i - 2 * n]
    return np.array(numbers).reshape(frames, n, 2) % 65536


def colors_of(segment):
    """(frames, n, 3)"""
    data = np.frombuffer(zlib.decompress(base64.b64decode(segment["colors"])), np.uint8)
    return np.cumsum(data.reshape(segment["frames"], segment["n"], 3), axis=0) % 256


def trajectories(system, times):
    """Positions, radii and colours of an undisturbed copy at these times."""
    system, found = system.copy(), []
    for at in times:
        system.simulate(until=at)
        found.append((system.positions, system.radii, system.colors))
    return found


def matching(places, radii, colors, state, box):
    """The largest distance along an axis, in 1/65536 of the box, between discs here and the same discs there."""
    where, sizes, inks = state
    ours = np.lexsort((radii, *colors.T))
    theirs = np.lexsort((sizes.astype(np.float32), *inks.T))
    assert np.array_equal(radii[ours], sizes.astype(np.float32)[theirs]) and np.array_equal(colors[ours], inks[theirs])
    off = np.abs(places[ours] - where[theirs] / [box.width, box.height] * 65536)
    return np.where(box.periodic, np.minimum(off, 65536 - off), off).max()


@pytest.mark.parametrize("box", [hdsim.Box(), TORUS, CHANNEL])
def test_a_page_holds_the_exact_states(box):
    """To the next of 65536 places along each axis, also across periodic edges; colours and radii are right."""
    system = gas(60, box=box)
    with system.edit() as draft:
        draft.colors[:] = np.arange(180).reshape(60, 3)
    states = trajectories(system, [k / 30 for k in range(31)])
    data = film_of(hdsim.player(system, until=1, speed=1, colors="file").page)
    scene, = data["scenes"]
    assert scene["box"] == [box.width, box.height] and scene["periodic"] == list(box.periodic)
    assert data["times"] == [k / 30 for k in range(31)] and len(data["segments"]) == 1
    segment = data["segments"][0]
    radii = np.frombuffer(base64.b64decode(segment["radii"]), "<f4")
    colors = colors_of(segment)
    for k, places in enumerate(places_of(segment)):
        assert matching(places, radii, colors[k], states[k], box) <= 1.01      # 0.5, and discs that touch an end


def test_a_page_of_discs_that_come_and_go():
    """Segments of a film are frames of the same discs; a change of colour needs none."""
    system = gas(20)

    def change(event):
        if event.time == 1:
            system.remove(0)
        if event.time == 2:
            with system.edit() as draft:
                draft.colors[0] = 9, 99, 199
    system.on_timer(change, every=1)
    data = film_of(hdsim.player(system, until=3, fps=5, speed=1).page)
    assert [(segment["n"], segment["frames"]) for segment in data["segments"]] == [(20, 5), (19, 11)]
    colors = colors_of(data["segments"][1])
    assert [(frame == (9, 99, 199)).all(axis=1).sum() for frame in colors] == [0] * 5 + [1] * 6


def test_a_page_is_small_and_whole_in_itself():
    """A thousand discs for ten seconds: less than a third of 8 bytes for each disc and frame. Nothing is loaded."""
    page = hdsim.player(hdsim.load("brownian"), speed=20).page
    assert len(page) < 301 * 1000 * 8 / 3
    assert "http" not in page and "src=" not in page and "import" not in page and "/*FILM*/" not in page


def test_pages_refuse_what_no_browser_holds(monkeypatch):
    monkeypatch.setattr(page, "MOST", 100)
    with pytest.raises(ValueError, match="more than 100, which is too much for a browser"):
        hdsim.player(gas(40), until=1)
    with pytest.raises(ValueError, match="one frame at least"):
        page.Tape(30, (8, 8)).player()


# What a browser would have to have, in as little as the page needs: it writes down what is drawn.
BROWSER = """
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const script = page.split("<script>")[1].split("</script>")[0];
const drawn = [];
let path;
const acts = { rect: (x, y, w) => w < 100 && acts.arc(x + w / 2, y + w / 2, w / Math.sqrt(Math.PI)),
               arc: (x, y, r) => path.push([x, y, r]), beginPath: () => { path = []; },
               fill: () => drawn.push(...path.map(disc => [...disc, pen.fillStyle])) };
const pen = new Proxy({ fillStyle: "" }, { get: (pen, name) => acts[name] || (name in pen ? pen[name] : () => {}),
                                           set: (pen, name, value) => { pen[name] = value; return true; } });
const element = () => ({ style: { setProperty() {} }, querySelector: () => ({ setAttribute() {} }) });
const canvas = { ...element(), getContext: kind => kind === "2d" ? pen : null };
const surface = { ...element(), clientWidth: 516, clientHeight: 316, appendChild() {},
                  ownerDocument: { createElement: () => canvas } };
const elements = { "#picture": surface };
for (const name of ["#play", "input", "#time", "#pace", "#loop", "#full", "#help", "#keys"]) elements[name] = element();
const document = { querySelector: name => elements[name], body: element() };
let next = null, now = 0;
const window = { devicePixelRatio: 2, matchMedia: () => ({ matches: false }) };
const run = new Function("document", "window", "requestAnimationFrame", "performance", script + `
  return ready.then(() => ({ show, picture, frame: () => frame, playing: () => playing, press: key => document.onkeydown({
    key, target: { tagName: "BODY" }, preventDefault() {} }) }));`);
(async () => {
  const player = await run(document, window, f => { next = f; }, { now: () => now });
  const shots = [], played = [];
  for (const time of [0, 40, 140, 110]) { now += time; if (next) next(now); played.push(player.frame()); }
  player.press(" "); played.push(player.playing());
  player.press("ArrowRight"); played.push(player.frame());
  player.press("End"); played.push(player.frame(), elements["#time"].textContent);
  player.press(" "); now += 1e9; next(now); played.push(player.frame(), player.playing());
  player.press("l"); player.press(" "); now += 1e9; next(now); played.push(player.frame(), player.playing());
  player.press(" "); player.press("l");
  player.show(0); drawn.length = 0; player.press("+"); const zoomed = [player.picture.zoom, ...drawn];
  surface.onpointerdown({ clientX: 10, clientY: 10, pointerId: 1 });
  surface.onpointermove({ clientX: 40, clientY: 30, pointerId: 1 }); surface.onpointerup({ pointerId: 1 });
  const shift = [...player.picture.shift];
  player.press("0"); shift.push(player.picture.zoom, ...player.picture.shift);
  for (const k of [0, 7, 20]) { drawn.length = 0; player.show(k); shots.push([...drawn]); }
  console.log(JSON.stringify({ shots, played, zoomed, shift, width: canvas.width, height: canvas.height }));
})();
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_page_draws_the_discs_where_they_are(tmp_path):
    """Its own JavaScript, run without a browser: every disc and every periodic image that can be seen is drawn within a
    fiftieth of a pixel, in its colour, at twice the sharpness where the screen has that. Keys and clock do what they say."""
    system = mixture()
    with system.edit() as draft:
        draft.colors[:] = np.arange(3 * len(system)).reshape(-1, 3)
    states = trajectories(system, [k / 20 for k in range(21)])
    hdsim.record(system, tmp_path / "a.html", until=1, fps=20, speed=1, colors="file")
    (tmp_path / "browser.js").write_text(BROWSER)
    answer = subprocess.run(["node", tmp_path / "browser.js", tmp_path / "a.html"], capture_output=True, text=True,
                            timeout=60)
    result = json.loads(answer.stdout or answer.stderr)
    assert (result["width"], result["height"]) == (1032, 632)
    # 0, 40 and 180 ms at 20 frames a second; 290 ms; paused; a step; the end; played through from the beginning
    # ...; and with L again from the beginning, without an end
    assert result["played"] == [0, 0, 3, 5, False, 6, 20, "t = 1.000", 20, False, 0, True]
    scale = 500.       # of a box of 2 x 1 on 1000 x 600 pixels within the margins
    left, bottom = 16, (632 + scale) / 2
    for k, drawn in zip((0, 7, 20), result["shots"]):
        expected = []
        for (x, y), radius, color in zip(*states[k]):
            around = [x, *([x + 2] if x < radius else [x - 2] if x > 2 - radius else [])]
            expected += [(left + scale * place, bottom - scale * y, max(scale * radius, 1), "#%02x%02x%02x" % tuple(color))
                         for place in around]
        assert len(drawn) == len(expected)
        for seen, right in zip(*(sorted(discs, key=lambda disc: (disc[3], disc[0])) for discs in (drawn, expected))):
            assert seen[3] == right[3] and np.abs(np.subtract(seen[:3], right[:3])).max() < .02
    # + enlarges about the middle of the picture, a drag moves it by as many pixels, 0 shows the whole box again
    zoom, *zoomed = result["zoomed"]
    assert zoom == 1.25 and result["shift"] == [30, 20, 1, 0, 0]
    for seen, before in zip(*(sorted(discs, key=lambda disc: (disc[3], disc[0])) for discs in (zoomed, result["shots"][0]))):
        middle = 516, 316
        assert np.abs(np.subtract(seen[:2], middle) - 1.25 * np.subtract(before[:2], middle)).max() < 1
        assert seen[2] == pytest.approx(1.25 * before[2], abs=.01) or before[2] == 1     # the least radius


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_page_draws_a_line_around_what_is_like_paper(tmp_path):
    """A white disc is drawn in grey, and over that, smaller, in white; a black one once."""
    discs = [hdsim.Particle(.5 + x, .5, .01, 0, .1, 1., color) for x, color in ((0, (250, 250, 250)), (1, (0, 0, 0)))]
    hdsim.record(hdsim.CollisionSystem(discs, box=hdsim.Box(2, 1)), tmp_path / "a.html", until=20, fps=1, speed=1, colors="file")
    (tmp_path / "browser.js").write_text(BROWSER)
    answer = subprocess.run(["node", tmp_path / "browser.js", tmp_path / "a.html"], capture_output=True, text=True, timeout=60)
    drawn = [(round(r, 3), color) for x, y, r, color in json.loads(answer.stdout or answer.stderr)["shots"][0]]
    assert drawn == [(50, "#000000"), (50, "#80807c"), (47, "#fafafa")]


OUTLINED = """
const fs = require("fs");
const script = fs.readFileSync(process.argv[2], "utf8").split("<script>")[1].split("</script>")[0]
  .replace("const ready = begin();", "");
const surface = { style: {}, appendChild() {}, ownerDocument: { createElement: () => ({ style: {}, getContext: () => null }) } };
new Function("document", "window", script + `
  unpacked(film.segments.at(-1)).then(segment => {
    const { n, places, scene } = segment, at = segment.frames - 1, positions = new Float32Array(2 * n);
    for (let i = 0; i < n; i++) for (const k of [0, 1])
      positions[k * n + i] = places[2 * n * at + 2 * i + k] * scene.box[k] / STEPS;
    const [bodies, inks] = outlined(segment, at, positions, segment.colors.subarray(3 * n * at, 3 * n * (at + 1)));
    console.log(JSON.stringify([bodies, Array.from(inks), film.scenes[0].shapes.length]));
  });`)({ querySelector: () => surface }, {});
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", ["sphere", "linf"])
def test_a_page_has_the_outlines_of_bodies_in_other_spaces(name, tmp_path):
    """Its own JavaScript makes them of few numbers: within a thousandth of the box as in the frame, from back to front, in their
    colours, with the edge of the globe."""
    system = on_paper(sources.load(name))
    hdsim.record(system, tmp_path / "a.html", until=.1, fps=20, speed=1, colors="file")
    (tmp_path / "outlined.js").write_text(OUTLINED)
    answer = subprocess.run(["node", tmp_path / "outlined.js", tmp_path / "a.html"], capture_output=True, text=True, timeout=60)
    bodies, inks, shapes = json.loads(answer.stdout or answer.stderr)
    frame = Frame.of(system)
    drawing, n = frame.drawing, len(frame)
    right = drawing.outlines(frame.positions, frame.radii)
    found, colors = np.reshape(bodies, right.shape), np.reshape(inks, (n, 3))
    places = found.mean(axis=1)
    which = np.array([np.hypot(*(right.mean(axis=1) - place).T).argmin() for place in places])
    assert sorted(which) == list(range(n)) and np.abs(found - right[which]).max() < 1e-3 * frame.width
    if drawing.order is not None:
        ranks = np.argsort(drawing.order)[which]
        assert (np.diff(ranks) > -n / 64 - 1).all()         # as far as a byte tells
    assert colors.shape == (n, 3) and shapes == 4 + bool(drawing.lines)


SPHERES = """
const fs = require("fs");
const script = fs.readFileSync(process.argv[2], "utf8").split("<script>")[1].split("</script>")[0]
  .replace("const ready = begin();", "");
const surface = { style: {}, appendChild() {}, ownerDocument: { createElement: () => ({ style: {}, getContext: () => null }) } };
new Function("document", "window", script + `
  unpacked(film.segments.at(-1)).then(segment => {
    const { n, places, scene, radii } = segment, at = segment.frames - 1, positions = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++)
      positions[k * n + i] = places[3 * n * at + 3 * i + k] * scene.lengths[k] / STEPS;
    const orbit = new hdsimOrbit.Orbit(film.orbit, scene);
    orbit.look(at, 500, 400, 12);
    const moves = ${process.argv[3]};
    for (const [name, ...values] of moves) { orbit[name](...values); orbit.look(at, 500, 400, 12); }
    const [spheres, drawn] = orbit.spheres(positions, radii);
    console.log(JSON.stringify([Array.from(spheres), Array.from(drawn), Array.from(segment.colors.slice(3 * n * at)),
                                orbit.space(film.theme, 2)]));
  });`)({ querySelector: () => surface }, {});
"""
ORBITS = {
    "as it comes": ({}, 0, [], lambda orbit, view: orbit),
    "turned": ({"perspective": False}, 0, [("dragged", (200, 200), (310, 170))],
               lambda orbit, view: orbit.dragged((200, 200), (310, 170), view)),
    "by itself": ({}, 90, [], lambda orbit, view: orbit.spun(90 * 2 / 3, view)),
    "closer": ({"slab": (.2, .7), "fog": .8}, 0, [("zoomAt", 2.5, 330, 240)],
               lambda orbit, view: orbit.zoomed(2.5, 330, 240, view)),
    "rolled": ({}, 0, [("rolled", .4)], lambda orbit, view: orbit.rolled(.4, view)),
    "moved": ({"centre": (.6, .4, .5), "zoom": 1.3}, 0, [("panned", 30, -20)], lambda orbit, view: orbit.panned(30, -20, view)),
}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", ORBITS)
@pytest.mark.parametrize("axes", [(False, False, False), (True, False, True)])
def test_a_page_of_spheres_shows_them_as_a_window_does(name, axes, tmp_path):
    """Its own JavaScript has the view, the spheres from back to front, the faces and edges of the box of a window."""
    given, turn, moves, moved = ORBITS[name]
    walls = {} if axes[0] else {"left": hdsim.Thermal(1.), "right": hdsim.Thermal(2.)}
    system = hdsim.random(60, radius=.04, temperature=1., seed=3, box=hdsim.Box.of((1., .8, 1.2), axes), walls=walls)
    orbit = Orbit(**given)
    hdsim.record(system, tmp_path / "a.html", until=.1, fps=20, speed=1, turn=turn, look=Look(colors="file", orbit=orbit))
    (tmp_path / "a.js").write_text(SPHERES)
    answer = subprocess.run(["node", tmp_path / "a.js", tmp_path / "a.html", json.dumps(moves)], capture_output=True, text=True,
                            timeout=60)
    spheres, drawn, colors, space = json.loads(answer.stdout or answer.stderr)
    frame, size, margins = Frame.of(system), (500, 400), (12,) * 4
    orbit = orbit.steady(frame, size, margins) if turn else orbit
    view = moved(orbit, orbit.view(frame, size, margins)).view(frame, size, margins)
    box, bodies = wire(view, frame.periodic, LIGHT, 2., frame.walls), view.bodies(frame.positions, frame.radii)
    eye = np.reshape(spheres, (4, -1)).T
    assert len(eye) == len(bodies.which)
    assert (np.abs(eye[:, :3] - bodies.eye).max(axis=1) < 1e-4).mean() > .9        # places of 16 bits may change an order
    assert np.array_equal(np.reshape(colors, (-1, 3))[drawn][:5], frame.colors[bodies.which][:5])
    for key, value in uniforms(view, LIGHT, 2.).items():
        if key not in ("target", "paper", "faint"):
            assert space[key] == pytest.approx(value, rel=1e-6, abs=1e-9), key
    assert np.array(space["behind"]).reshape(-1, 4) == pytest.approx(box.behind, abs=.01)
    assert [color for color, _ in space["faces"]] == [list(face.color) for face in box.faces]
    for (_, corners), face in zip(space["faces"], box.faces):
        assert np.reshape(corners, (4, 2)) == pytest.approx(face.corners, abs=.01)
    before = np.array([line[:4] for line in space["before"]])
    edges = [*box.before, *(ends for outline, _ in box.thermal for ends in outline)]
    assert before == pytest.approx(np.array(edges), abs=.01)
