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

READY = "served.controls.state.drawn > 0"
HEADER = "served.controls.state.header"


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
    return np.array(page.eval("Array.from(served.controls.picture.positions)"), np.float32).reshape(2, -1).T


def time_of(page):
    return page.eval(f"{HEADER}.time")


def speed_of(page):
    """Simulated time per second of the server's clock, over about a second."""
    before = page.eval(f"[{HEADER}.time, {HEADER}.clock]")
    time.sleep(1)
    after = page.eval(f"[{HEADER}.time, {HEADER}.clock]")
    return (after[0] - before[0]) / (after[1] - before[1])


def state(page):
    return page.eval(HEADER)


def test_the_page_draws_the_system(page):
    """Positions equal those of the system to float32, and a disc is where the picture shows its colour."""
    one = page("billiards5", "--paused")
    system = hdsim.load("billiards5")
    assert np.array_equal(positions(one), system.positions.astype(np.float32))
    pixels = one.eval("""(() => {
        const picture = served.controls.picture, view = picture.view(), gl = picture.painter.gl, found = [];
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
    one.click('button[title="play, pause"]')
    one.wait(f"{HEADER}.paused")
    held = time_of(one)
    time.sleep(.3)
    assert time_of(one) == held
    one.click('button[title="begin again"]')
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
    one.press("c")
    one.wait(f"{HEADER}.colors === 'speed' && {HEADER}.legend.title === 'speed'")
    one.eval("""(() => {     // a click on disc 15
        const picture = served.controls.picture, view = picture.view(), n = picture.radii.length, place = picture.positions;
        const rect = picture.host.getBoundingClientRect();
        window.where = [rect.x + (view.left + view.scale * place[15]) / view.sharp,
                        rect.y + (view.bottom - view.scale * place[n + 15]) / view.sharp];
    })()""")
    x, y = one.eval("where")
    for kind in ("mousePressed", "mouseReleased"):
        one.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    one.wait(f"{HEADER}.trails.length === 1 && {HEADER}.trails[0] === 15")
    for _ in range(3):
        one.press("ArrowRight")
    one.wait("served.controls.state.trails[0].length > 0")
    one.press("]")
    one.wait(f"{HEADER}.name !== 'billiards5' && {HEADER}.trails.length === 0 && {HEADER}.time === 0")
    assert one.eval("served.controls.picture.radii.length") == len(hdsim.load(state(one)["name"]))


def test_panels_and_sliders(page):
    """Plots, queue and gas beside the picture; a slider changes the gas, and an illegal one is refused in the status line."""
    one = page("p100-2K", size=(1500, 700))
    for key in "pqg":
        one.press(key)
    one.wait("Object.keys(served.controls.state.panels).length === 3")
    one.wait("document.querySelectorAll('.hd-card').length === 63")
    assert one.eval("document.querySelector('.hd-tables').textContent").count("cell crossings") == 1
    one.wait("served.controls.state.panels.plots.courses[1].times.length > 1")

    def enter(label, value):
        one.eval(f"""(() => {{
            const number = document.querySelector('input[type=text][aria-label="{label}"]');
            number.value = "{value}";
            number.onchange();
        }})()""")
    enter("mass ratio", 4)
    one.wait("Math.abs(served.controls.state.panels.gas.values.mass_ratio - 4) < 1e-9")
    enter("radius", .4)
    one.wait("/wall|overlap/.test(document.querySelector('.hd-status').textContent)")
    enter("number of discs", 50)
    one.wait(f"{HEADER}.n === 50 && served.controls.picture.radii.length === 50")


def test_the_button_of_the_partition(page):
    """It puts the partition in and pulls it out, and says which; an engine without obstacles has none."""
    one = page("p100-2K")
    one.press("g")
    one.wait("document.querySelector('.hd-gas button').textContent == 'put a partition in'")
    one.click(".hd-gas button")
    one.wait("document.querySelector('.hd-gas button').textContent == 'pull the partition out'")
    one.click(".hd-gas button")
    one.wait("document.querySelector('.hd-gas button').textContent == 'put a partition in'")


@pytest.mark.slow
def test_the_time_bar_goes_back(page):
    one = page("p10", "--speed", "20")
    one.wait(f"{HEADER}.time > 5")
    one.press(" ", "Space")
    one.wait(f"{HEADER}.paused")
    one.eval("""(() => {
        const slider = document.querySelector('.hd-time input');
        slider.value = .5;
        slider.onchange();
    })()""")
    end = state(one)["end"]
    one.wait(f"Math.abs({HEADER}.time - {end / 2}) < 1e-3 * {end}")
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
    one.wait("document.querySelector('.hd-status').textContent.includes('connection lost')")
    one.errors()


@pytest.mark.slow
def test_the_page_is_chinese_where_the_language_is(page):
    one = page("p10", "--lang", "zh", "--paused")
    assert one.eval("document.documentElement.lang") == "zh"
    titles = one.eval("[...document.querySelectorAll('.hd-bar button')].map(button => button.title)")
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
    """While the page draws them as fast as it can, on two cores, without a graphics card."""
    one = browser.open(served(n), (900, 640))
    one.wait(READY, 60)
    time.sleep(2)
    rates = []
    for _ in range(3):
        before = one.eval("[served.line.arrived, served.controls.state.header.clock]")
        time.sleep(3)
        after = one.eval("[served.line.arrived, served.controls.state.header.clock]")
        rates.append((after[0] - before[0]) / (after[1] - before[1]))
    one.close()
    assert max(rates) >= 50, rates


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 10_000, 100_000])
def test_a_thin_line_shows_a_recent_picture(slow_line, browser, served, n):
    """At 1 MB/s a picture is at most half a second old when it arrives."""
    one = browser.open(slow_line(served(n)), (900, 640))
    one.wait(READY, 60)
    time.sleep(6)
    ages = one.eval("served.line.ages.slice(-20)")
    one.close()
    assert len(ages) > 5 and np.median(ages) < .5, ages
