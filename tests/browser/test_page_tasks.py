"""Five tasks of a new user on a page, with fingers on a phone and with the mouse: everything is found by what the page shows."""
import time

import numpy as np
import pytest
from test_page import HEADER, click, disc_at, mouse, page, positions, touch  # noqa: F401

import hdsim

DISC = 7
LONG = 0.8      # seconds for which a finger rests that opens the menu


class Fingers:
    SIZE = 390, 844

    def __init__(self, one):
        self.page = one

    def press(self, x, y):
        touch(self.page, "Start", (x, y))
        touch(self.page, "End")

    def menu(self, x, y):
        touch(self.page, "Start", (x, y))
        time.sleep(LONG)
        touch(self.page, "End")

    def drag(self, x, y, to_x, to_y, steps=8):
        touch(self.page, "Start", (x, y))
        for k in range(1, steps + 1):
            touch(self.page, "Move", (x + (to_x - x) * k / steps, y + (to_y - y) * k / steps))
        touch(self.page, "End")


class Mouse(Fingers):
    SIZE = 1000, 700

    def press(self, x, y):
        click(self.page, x, y)

    def menu(self, x, y):
        click(self.page, x, y, "right")

    def drag(self, x, y, to_x, to_y, steps=8):
        mouse(self.page, "Moved", x, y, "none")
        mouse(self.page, "Pressed", x, y)
        for k in range(1, steps + 1):
            mouse(self.page, "Moved", x + (to_x - x) * k / steps, y + (to_y - y) * k / steps, buttons=1)
        mouse(self.page, "Released", to_x, to_y)


def text_at(one, words, way="includes"):
    """The beginning of a text that has these words, CSS pixels, when it is there. way: or "startsWith"."""
    return one.wait(f"""(() => {{
        const {{ header, pieces }} = served.screen.state;
        for (const number of header.pieces) for (const [text, x, y] of pieces[number].t || []) {{
            if (text.{way}({words!r})) return [x, header.size[1] - y];
        }}
    }})()""")


def do(hand, words):
    """Press the button whose label has these words, or choose them in the menu behind the last button."""
    places = hand.page.eval("""[...document.querySelectorAll('.hd button')].map(button => {
        const box = button.getBoundingClientRect();
        return [button.getAttribute('aria-label'), box.x + box.width / 2, box.y + box.height / 2];
    })""")
    for label, x, y in places:
        if words in label:
            return hand.press(x, y)
    hand.press(hand.SIZE[0] - 18, places[0][2])
    x, y = text_at(hand.page, words)
    hand.press(x + 5, y - 4)


@pytest.fixture(params=[Fingers, Mouse], ids=["touch", "mouse"])
def hand(request, page):  # noqa: F811
    one = page("p100-2K", "--paused", size=request.param.SIZE)
    if request.param is Fingers:
        one.call("Emulation.setTouchEmulationEnabled", enabled=True)
    one.wait(f"{HEADER}.size[0] === {request.param.SIZE[0]}")
    return request.param(one)


def played(hand, until):
    do(hand, "pause, go on")
    hand.page.wait(f"{HEADER}.time > {until}")
    do(hand, "pause, go on")
    hand.page.wait(f"{HEADER}.paused")


def test_time_is_reversed(hand):
    """After as long again, every disc is where it began."""
    start = positions(hand.page)
    played(hand, 20)
    assert np.abs(positions(hand.page) - start).max() > 0.01
    do(hand, "reverse all velocities")
    text_at(hand.page, "velocities reversed")
    time_then = hand.page.eval(f"{HEADER}.time")
    do(hand, "pause, go on")
    hand.page.wait(f"{HEADER}.time > {2 * time_then}")
    do(hand, "pause, go on")
    hand.page.wait(f"{HEADER}.paused")


def test_the_queue_tells_why_a_prediction_changes(hand):
    one = hand.page
    hand.press(*disc_at(one, DISC))
    one.wait(f"{HEADER}.selected === {DISC}")
    do(hand, "the queue")
    text_at(one, "Queue: ")
    before = one.eval(f"{HEADER}.time")
    do(hand, "then one event at a time")
    one.wait(f"{HEADER}.time > {before}")
    text_at(one, f"disc {DISC}")


def test_the_gas_is_heated(hand):
    one = hand.page
    do(hand, "sliders")
    x, y = text_at(one, "temperature", "startsWith")
    wide = one.eval(f"{HEADER}.size[0]") - x - 20
    hand.drag(x + wide / 2, y + 16, x + .8 * wide, y + 16)
    one.wait("!served.screen.state.header.pieces.some(number => (served.screen.state.pieces[number].t || [])"
             ".some((text, k, all) => text[0] === 'temperature' && all[k + 1][0] === '2'))")


def test_a_gate_is_built_and_its_ledger_read(hand):
    one = hand.page
    do(hand, "draw a wall")
    x, y = text_at(one, "a wall with a gate")
    hand.press(x + 5, y - 4)
    text_at(one, "drag from point to point")
    left, top, scale = one.eval("(view => [view.left, view.top, view.scale].map(x => x / view.sharp))"
                                "(served.screen.picture.view())")
    free = next(x for x in np.linspace(.2, .8, 61) if not near(positions(one), x))
    hand.drag(left + scale * free, top + 2, left + scale * free, top + .4 * scale)
    one.wait("served.screen.state.scene.shapes.length > 4")
    time.sleep(.5)          # the bar has another button now
    hand.page.press("Escape")
    do(hand, "ledger of the gates")
    played(hand, 30)
    text_at(one, "from the left")


def near(places, x):
    """Whether a disc is in the way of a wall at x in the upper half."""
    return (np.abs(places[:, 0] - x)[places[:, 1] > .55] < .025).any()


def test_a_system_is_saved_opened_edited_and_filmed(hand, tmp_path):
    one = hand.page
    one.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    played(hand, 5)
    do(hand, "save the system")
    file = arrived(tmp_path, ".npz")
    system = hdsim.load(file)
    assert len(system) == 100
    one.call("Page.setInterceptFileChooserDialog", enabled=True)
    do(hand, "open: files here")
    x, y = text_at(one, "a file of this device")
    hand.press(x + 5, y - 4)
    deadline = time.monotonic() + 30
    while not (asked := [event for event in one.browser.events() if event.get("method") == "Page.fileChooserOpened"]):
        assert time.monotonic() < deadline
        time.sleep(.05)
    one.call("DOM.setFileInputFiles", files=[str(file)], backendNodeId=asked[0]["params"]["backendNodeId"])
    one.wait(f"{HEADER}.name === {file.name!r}")
    assert one.eval(f"{HEADER}.time") == system.time
    hand.menu(*disc_at(one, DISC))
    x, y = text_at(one, "remove it")
    hand.press(x + 5, y - 4)
    one.wait(f"{HEADER}.n === 99")
    do(hand, "a film of the window")
    one.wait("served.screen.state.film")
    do(hand, "pause, go on")
    time.sleep(1)
    do(hand, "a film of the window")
    assert arrived(tmp_path, ".webm").read_bytes()[:4] == b"\x1aE\xdf\xa3"


def arrived(folder, suffix):
    """The file of this suffix that the page has downloaded, when it is there."""
    deadline = time.monotonic() + 30
    while not (found := list(folder.glob(f"*{suffix}"))):
        assert time.monotonic() < deadline, list(folder.iterdir())
        time.sleep(.05)
    return found[0]
