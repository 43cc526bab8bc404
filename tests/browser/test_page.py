"""The page of `--browser` in a real browser: what it draws, its keys, buttons and panels, and two pages of one run.

Without Chromium all of this is skipped: what the server does is tested in test_server.py, what a page is sent in test_show.py.
"""
import re
import time
from urllib.request import urlopen

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, gas, mixture

import hdsim

READY = "served.screen.state.drawn > 0"
HEADER = "served.screen.state.header"


@pytest.fixture
def page(browser, served):
    """page(*arguments): a new page of a new server. It must not have thrown an error when the test ends."""
    pages = []

    def opened(*arguments, address=None, size=(900, 640)):
        pages.append(browser.open(address or served(*arguments), size))
        pages[-1].wait(READY)
        return pages[-1]

    browser.events()
    yield opened
    errors = pages[0].errors() if pages else []
    for one in pages:
        one.close()
    assert errors == []


def positions(page):
    """What the page draws, (n, 2) float32."""
    return np.array(page.eval("Array.from(served.screen.picture.positions)"), np.float32).reshape(2, -1).T


def time_of(page):
    return page.eval(f"{HEADER}.time")


def speed_of(page):
    """Simulated time per second of the server's clock, over about a second."""
    before = page.eval(f"[{HEADER}.time, {HEADER}.clock]")
    time.sleep(1)
    after = page.eval(f"[{HEADER}.time, {HEADER}.clock]")
    return (after[0] - before[0]) / (after[1] - before[1])


def place_of(page, text):
    """The middle of a text in the picture, CSS pixels."""
    found = page.wait(f"""(() => {{
        const {{ header, pieces }} = served.screen.state;
        for (const number of header.pieces) for (const [text, x, y, size, , , , anchor, width] of pieces[number].t || []) {{
            if (text === {text!r}) return [x + width * (1 - anchor) / 2, header.size[1] - y - size / 3];
        }}
    }})()""")
    return tuple(found)


def mouse(page, kind, x, y, button="left", **more):
    page.call("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, button=button, clickCount=1, **more)


def click(page, x, y, button="left"):
    mouse(page, "Moved", x, y, "none")
    mouse(page, "Pressed", x, y, button)
    mouse(page, "Released", x, y, button)


def touch(page, kind, *places):
    page.call("Input.dispatchTouchEvent", type="touch" + kind, touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in
                                                                            enumerate(places)])


def disc_at(page, i):
    """Where disc i is in the picture, CSS pixels."""
    return tuple(page.eval(f"""(() => {{
        const picture = served.screen.picture, view = picture.view(), n = picture.radii.length, place = picture.positions;
        return [(view.left + view.scale * place[{i}]) / view.sharp, (view.bottom - view.scale * place[n + {i}]) / view.sharp];
    }})()"""))


def state(page):
    return page.eval(HEADER)


def test_the_page_draws_the_system(page):
    """Positions equal those of the system to float32, and a disc is where the picture shows its colour."""
    one = page("billiards5", "--paused", "--colors", "file")
    system = hdsim.load("billiards5")
    assert np.array_equal(positions(one), system.positions.astype(np.float32))
    pixels = one.eval("""(() => {
        const picture = served.screen.picture, view = picture.view(), gl = picture.painter.gl, found = [];
        picture.draw();
        for (let i = 0; i < picture.radii.length; i++) {
            const pixel = new Uint8Array(4), n = picture.radii.length;
            const x = view.left + view.scale * picture.positions[i];
            const y = view.height - view.bottom + view.scale * picture.positions[n + i];
            gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            found.push(Array.from(pixel).slice(0, 3));
        }
        return found;
    })()""")
    assert pixels == system.colors.tolist()


def test_play_pause_step_and_back(page):
    """By keys as by buttons: paused it stands still, a step is one event, and back is the state before."""
    one, alone = page("p10", "--paused"), hdsim.load("p10")
    events = [alone.next_event() for _ in range(3)]
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        one.press(key)
    one.wait(f"{HEADER}.time === {events[2].time!r}")
    assert np.array_equal(positions(one), alone.positions.astype(np.float32))
    one.press("ArrowLeft")
    one.wait(f"{HEADER}.time === {events[1].time!r}")
    one.press(" ", "Space")
    one.wait(f"!{HEADER}.paused && {HEADER}.time > {events[1].time!r}")
    one.click('button[aria-label^="pause, go on"]')
    one.wait(f"{HEADER}.paused")
    held = time_of(one)
    time.sleep(.3)
    assert time_of(one) == held
    one.click('button[aria-label^="begin again"]')
    one.wait(f"{HEADER}.time === 0")


@pytest.mark.slow
def test_the_speed_changes_by_the_factor_asked(page):
    """Within a tenth."""
    one = page("p10", "--speed", "10")
    slow = speed_of(one)
    one.press("ArrowUp")
    one.wait(f"{HEADER}.speed === 20")
    assert slow == pytest.approx(10, rel=.1) and speed_of(one) == pytest.approx(20, rel=.1)


@pytest.mark.slow
def test_two_pages_show_the_same_instant(page, served):
    """What one page does the other shows, and together they are as fast as one."""
    address = served("p10", "--speed", "20")
    one, other = page(address=address), page(address=address)
    assert speed_of(one) < 22 and speed_of(other) < 22
    one.press(" ", "Space")
    other.wait(f"{HEADER}.paused")
    one.wait(f"{HEADER}.paused")
    other.wait(f"{HEADER}.serial === {one.eval(HEADER + '.serial')}")
    assert time_of(one) == time_of(other) and np.array_equal(positions(one), positions(other))


@pytest.mark.slow
def test_closing_all_pages_pauses(page, served, browser):
    """And a page that is opened then shows where the run stands."""
    address = served("p10", "--speed", "5")
    one = browser.open(address)
    one.wait(f"{READY} && {HEADER}.time > .5")
    last = time_of(one)
    one.close()
    time.sleep(2.5)
    back = page(address=address)
    back.wait(f"{HEADER}.paused")
    assert time_of(back) < last + 5 * 2.2


@pytest.mark.slow
def test_colours_trails_and_data_sets(page):
    one = page("billiards5", "--paused")
    for colors in ("file", "speed"):
        one.press("c")
        one.wait(f"{HEADER}.colors === '{colors}'")
    one.wait("served.screen.state.header.n === 16")
    place_of(one, "speed")
    click(one, *disc_at(one, 15))
    one.wait(f"{HEADER}.selected === 15")
    one.press("l")
    one.press("l")
    one.wait(f"{HEADER}.trails.length === 1 && {HEADER}.trails[0] === 15")
    for _ in range(3):
        one.press("ArrowRight")
    one.press("]")
    one.wait(f"{HEADER}.name !== 'billiards5' && !{HEADER}.trails.includes(15) && {HEADER}.time === 0")
    assert one.eval("served.screen.picture.radii.length") == len(hdsim.load(state(one)["name"]))


def test_panels_and_sliders(page):
    """Plots, queue and gas beside the picture; a slider that is dragged changes the gas, and the button puts a partition in."""
    one = page("p100-2K", "--paused", size=(1600, 900))
    for key in "pqg":
        one.press(key)
    for text in ("Measured in the gas", "Queue: calendar", "The gas", "mean free path"):
        place_of(one, text)
    x, y = place_of(one, "radius")
    y -= 23         # the slider of the number of discs is above
    mouse(one, "Moved", x + 60, y, "none")
    mouse(one, "Pressed", x + 60, y)
    mouse(one, "Moved", x + 20, y, buttons=1)
    mouse(one, "Released", x + 20, y)
    one.wait(f"{HEADER}.n < 60 && served.screen.picture.radii.length === {HEADER}.n")
    number, before = one.eval(f"{HEADER}.n"), None
    while number != before:         # in each tick some discs go, until as many are left as the slider says
        time.sleep(.5)
        number, before = one.eval(f"{HEADER}.n"), number
    one.press("z", "KeyZ", 2)
    one.wait(f"{HEADER}.n === 100")
    click(one, *place_of(one, "put a partition in"))
    click(one, *place_of(one, "pull the partition out"))
    place_of(one, "put a partition in")


def test_a_wall_is_drawn_and_a_disc_dragged(page):
    """As in a window: by the menu of the right button, by the mouse; and both are undone."""
    one = page("p10", "--paused")
    click(one, 300, 300, "right")
    click(one, *place_of(one, "draw a wall, a gate ..."))
    click(one, *place_of(one, "a wall"))
    mouse(one, "Pressed", 200, 200)
    mouse(one, "Moved", 250, 220, buttons=1)
    mouse(one, "Moved", 260, 230, buttons=1)
    mouse(one, "Released", 260, 230)
    one.wait("served.screen.state.scene.shapes.length === 5")
    one.press("z", "KeyZ", 2)
    one.wait("served.screen.state.scene.shapes.length === 4")
    before, (x, y) = positions(one), disc_at(one, 3)
    mouse(one, "Pressed", x, y)
    mouse(one, "Moved", x + 7, y, buttons=1)
    mouse(one, "Moved", x + 9, y + 3, buttons=1)
    mouse(one, "Released", x + 9, y + 3)
    one.wait(f"{HEADER}.selected === 3 && served.screen.picture.positions[3] > {float(before[3, 0])}")


@pytest.mark.more
def test_fingers_do_what_the_mouse_does(page):
    """A tap selects, a finger that rests opens the menu, one that moves drags, two magnify."""
    one = page("p10", "--paused")
    x, y = disc_at(one, 2)
    touch(one, "Start", (x, y))
    touch(one, "End")
    one.wait(f"{HEADER}.selected === 2")
    touch(one, "Start", (x, y))
    place_of(one, "its trail")
    touch(one, "End")
    one.press("Escape")
    scale = state(one)["view"][2]
    touch(one, "Start", (300, 300), (400, 300))
    for k in range(1, 9):
        touch(one, "Move", (300 - 10 * k, 300), (400 + 10 * k, 300))
    touch(one, "End")
    one.wait(f"{HEADER}.view[2] > {1.5 * scale}")
    time.sleep(.5)      # until all of it has arrived
    left = state(one)["view"][0]
    touch(one, "Start", (300, 300))
    for k in range(1, 9):
        touch(one, "Move", (300 + 10 * k, 300))
    touch(one, "End")
    one.wait(f"{HEADER}.view[0] > {left + 50}")


@pytest.mark.more
def test_files_come_and_go(page):
    """A picture, a vector picture and a checkpoint are saved by the page, and the checkpoint opens again as it was."""
    one = page("p10", "--paused")
    one.eval("""(() => {
        window.saved = [];
        HTMLAnchorElement.prototype.click = () => null;
        URL.revokeObjectURL = () => null;
        URL.createObjectURL = blob => {
            blob.arrayBuffer().then(data => saved.push([blob.type, new Uint8Array(data)]));
            return "#";
        };
    })()""")
    one.press("ArrowRight")
    one.wait(f"{HEADER}.time > 0")
    held = time_of(one)
    one.press("s")
    one.wait("saved.some(([type, data]) => type === 'image/png' && data.length > 5000)")
    one.press("S", "KeyS", 8)
    one.wait("saved.some(([, data]) => new TextDecoder().decode(data.slice(0, 200)).includes('<svg'))")
    one.press("s", "KeyS", 2)
    one.wait("saved.some(([, data]) => data[0] === 80 && data[1] === 75)")
    one.press("Home")
    one.wait(f"{HEADER}.time === 0")
    one.eval("""(() => {
        const [, data] = saved.find(([, data]) => data[0] === 80 && data[1] === 75), drop = new DataTransfer();
        drop.items.add(new File([data], "again.npz"));
        document.querySelector(".hd").dispatchEvent(new DragEvent("drop", { dataTransfer: drop }));
    })()""")
    one.wait(f"{HEADER}.name === 'again.npz' && {HEADER}.time === {held!r}")


@pytest.mark.slow
def test_the_gallery_opens_a_system(page):
    one = page("p10", "--paused")
    one.press("b")
    place_of(one, "Gallery")
    one.press("ArrowRight")     # the first one is p10
    one.press("ArrowRight")
    one.press("Enter")
    one.wait(f"{HEADER}.name !== 'p10' && !{HEADER}.paused && {HEADER}.time > 0")
    one.press("b")
    x, y = place_of(one, "Gallery")
    click(one, x + 30, y + 100)
    one.wait(f"{HEADER}.time > 0 && !{HEADER}.paused")


@pytest.mark.slow
def test_the_time_bar_goes_back(page):
    one = page("p10", "--speed", "20")
    one.wait(f"{HEADER}.time > 5")
    one.press(" ", "Space")
    one.wait(f"{HEADER}.paused")
    end = state(one)["end"]
    y = one.eval(f"{HEADER}.size[1]") - 35
    click(one, 14, y)        # the bar has room for a longer run
    one.wait(f"{HEADER}.time < {end} && !{HEADER}.seeking")
    alone = hdsim.load("p10")
    alone.simulate(until=time_of(one))
    assert np.array_equal(positions(one), alone.positions.astype(np.float32))


@pytest.mark.slow
def test_a_lost_server_is_told(page, served, browser):
    """The page goes on trying."""
    address = served("p10")
    one = page(address=address)
    with urlopen(address) as answer:
        assert answer.status == 200
    one.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    one.eval("served.worker.terminate()")
    one.eval("served.worker.onmessage({ data: { lost: true } })")
    one.wait("document.querySelector('.hd-told').textContent.includes('connection lost')")
    one.errors()


@pytest.mark.slow
def test_the_page_is_chinese_where_the_language_is(page):
    one = page("p10", "--lang", "zh", "--paused")
    assert one.eval("document.documentElement.lang") == "zh"
    one.wait("document.querySelectorAll('.hd button').length > 8")
    titles = one.eval("[...document.querySelectorAll('.hd button')].map(button => button.getAttribute('aria-label'))")
    assert len(titles) > 8 and all(re.search("[\u4e00-\u9fff]", title) for title in titles)


@pytest.mark.slow
@pytest.mark.parametrize("make", [mixture, lambda: gas(2000, radius=.005, box=CHANNEL), lambda: gas(500, radius=.001, box=TORUS)],
                         ids=["large", "small", "tiny"])
def test_both_ways_of_drawing_give_one_picture(make, browser, tmp_path):
    """WebGL and a 2D canvas: discs, their images across periodic edges, lines around pale ones, walls; but for soft edges."""
    Image = pytest.importorskip("PIL.Image")
    system = make()
    with system.edit() as draft:
        draft.colors[:] = np.random.default_rng(1).integers(0, 256, (len(system), 3))
        draft.colors[:8] = 250, 250, 245
    hdsim.record(system, tmp_path / "a.html", until=.2, fps=20, speed=1)
    one = browser.open((tmp_path / "a.html").as_uri(), (1000, 600))
    one.eval("ready.then(() => { setPlaying(false); show(2); })")
    assert one.eval("picture.painter.works")
    one.screenshot(tmp_path / "gl.png")
    one.eval("picture.painter.canvas.remove(), picture.painter = null, show(2), 1")
    one.screenshot(tmp_path / "2d.png")
    one.close()
    gl, flat = (np.asarray(Image.open(tmp_path / name).convert("RGB"), int) for name in ("gl.png", "2d.png"))
    off = np.abs(gl - flat).max(axis=2)
    assert gl.std() > 5 and off.max() < 110 and (off > 60).mean() < .001


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 10_000, 100_000])
def test_fifty_pictures_a_second_arrive(browser, served, n):
    """While the page draws them as fast as it can, on two cores, without a graphics card. In one of twelve times two seconds:
    what else runs on the machine makes it fewer."""
    one = browser.open(served(n), (900, 640))
    one.wait(READY, 60)
    rates = []
    while len(rates) < 12 and max(rates, default=0) < 50:
        before = one.eval("[served.line.arrived, served.screen.state.header.clock]")
        time.sleep(2)
        after = one.eval("[served.line.arrived, served.screen.state.header.clock]")
        rates.append((after[0] - before[0]) / (after[1] - before[1]))
    one.close()
    assert max(rates) >= 50, rates


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 10_000, 100_000])
def test_a_thin_line_shows_a_recent_picture(slow_line, browser, served, n):
    """At 1 MB/s a picture is at most half a second old when it arrives; in one of eight times three seconds."""
    one = browser.open(slow_line(served(n)), (900, 640))
    one.wait(READY, 60)
    middle = []
    while len(middle) < 8 and min(middle, default=1) >= .5:
        time.sleep(3)
        ages = one.eval("served.line.ages.slice(-20)")
        middle.append(np.median(ages) if len(ages) > 5 else np.inf)
    one.close()
    assert min(middle) < .5, middle
