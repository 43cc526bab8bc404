"""Five tasks of a new user on a page, with fingers on a phone, with the mouse and with keys alone: everything is found by what
the page shows."""
import time

import numpy as np
import pytest
from test_page import HEADER, click, disc_at, mouse, page, place_of, positions, touch  # noqa: F401

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

    def do(self, words):
        """Press the button whose label has these words, or choose them in the menu behind the last button."""
        places, before = self.places(), None
        while places != before:     # where they were in the last picture, they are no more in the next one
            time.sleep(.1)
            places, before = self.places(), places
        for label, x, y in places:
            if words in label:
                return self.press(x, y)
        self.press(self.SIZE[0] - 18, places[0][2])
        self.choose(words, "includes")

    def places(self):
        """The label and the middle of each button."""
        return self.page.eval("""[...document.querySelectorAll('.hd button')].map(button => {
            const box = button.getBoundingClientRect();
            return [button.getAttribute('aria-label'), box.x + box.width / 2, box.y + box.height / 2];
        })""")

    def choose(self, words, way="startsWith"):
        """Choose the line of the menu that begins with these words, or has them."""
        x, y = text_at(self.page, words, way)
        self.press(x + 5, y - 4)

    def select(self, disc):
        self.press(*disc_at(self.page, disc))

    def remove(self, disc):
        self.menu(*disc_at(self.page, disc))
        self.choose("remove it")

    def heat(self):
        """Drag the handle of the temperature to the right."""
        x, y = text_at(self.page, "temperature", "startsWith")
        wide = self.page.eval(f"{HEADER}.size[0]") - x - 20
        self.drag(x + wide / 2, y + 16, x + .8 * wide, y + 16)

    def ignite(self):
        """Drag the flame to the left side."""
        self.do("things for the box")
        x, y = text_at(self.page, "flame: ", "startsWith")
        self.drag(x + 10, y - 4, *box_at(self.page, .05, .5))

    def fall(self):
        """Pull the arrow of gravity down, to the edge of its dial."""
        self.do("sliders")
        x, y = place_of(self.page, "gravity 0")
        self.drag(x, y - 53, x, y - 14)

    def draw(self, x, y, to_x, to_y):
        """Draw from point to point."""
        self.drag(x, y, to_x, to_y)

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


def box_at(one, x, y):
    """Where a place of the unit box is, CSS pixels."""
    return one.eval(f"""(() => {{
        const view = served.screen.picture.view();
        return [(view.left + view.scale * {x}) / view.sharp, (view.bottom - view.scale * {y}) / view.sharp];
    }})()""")


def text_at(one, words, way="includes"):
    """The beginning of a text that has these words, CSS pixels, when it is there. way: or "startsWith"."""
    return one.wait(f"""(() => {{
        const {{ header, pieces }} = served.screen.state;
        for (const number of header.pieces) for (const [text, x, y] of pieces[number].t || []) {{
            if (text.{way}({words!r})) return [x, header.size[1] - y];
        }}
    }})()""")


class Keys(Fingers):
    """The keys that the list of keys has for what is to be done."""

    SIZE = 1000, 700

    wanted = {}

    def strike(self, keys):
        *held, key = keys.split("+")
        code = {"Right": "ArrowRight", "Left": "ArrowLeft", "Down": "ArrowDown", "Up": "ArrowUp", "Del": "Delete", "Space": " "}
        self.page.press(code.get(key, key if "Shift" in held or len(key) > 1 else key.lower()),
                        modifiers=sum({"Ctrl": 2, "Shift": 8}[name] for name in held))

    def do(self, words):
        if not any(words in text for text in self.wanted):
            self.strike("H")
            self.wanted = listed(self.page)
            self.strike("H")
        self.strike(next(keys for text, keys in self.wanted.items() if words in text))

    def choose(self, words):
        """Go down the menu to the line that begins with these words, which is then the only one that is lit."""
        text_at(self.page, words, "startsWith")
        for _ in range(self.above(words)):
            self.strike("Down")
        self.strike("Enter")

    def above(self, words):
        """How many lines of the menu can be chosen down to this one: those with as much to their left."""
        x, y = text_at(self.page, words, "startsWith")
        return self.page.eval(f"""(() => {{
            const {{ header, pieces }} = served.screen.state, rows = new Set();
            for (const number of header.pieces) for (const [, left, up] of pieces[number].t || []) {{
                if (Math.abs(left - {x}) < .2 && header.size[1] - up <= {y} + .2) rows.add(up);
            }}
            return rows.size;
        }})()""")

    def select(self, disc):
        while self.page.eval(f"{HEADER}.selected") != disc:
            before = self.page.eval(f"{HEADER}.selected")
            self.do("select the next disc")
            self.page.wait(f"{HEADER}.selected !== {'null' if before is None else before}")

    def remove(self, disc):
        self.select(disc)
        self.do("remove it")

    def heat(self):
        while not self.page.eval("served.screen.state.header.pieces.some(number => (served.screen.state.pieces[number].t || [])"
                                 ".some(text => text[0] === 'temperature' && text[6]))"):
            self.do("the next slider")
            time.sleep(.2)
        for _ in range(12):
            self.strike("K")

    def ignite(self):
        self.do("choose one of them")
        self.choose("flame: ")
        self.choose("the left wall")

    def fall(self):
        self.do("turn gravity")

    def draw(self, x, y, to_x, to_y):
        """In the middle, as Enter does."""
        self.strike("Enter")


def listed(one):
    """The last key of each command, by its text, as the list of keys shows them; that is, in the same row to the left. The
    first one may belong to the browser, as Tab does."""
    text_at(one, "these keys")
    rows = one.eval("""(() => {
        const { header, pieces } = served.screen.state, found = [];
        for (const number of header.pieces) for (const [text, x, y, , , , bold] of pieces[number].t || []) {
            found.push([text, x, y, bold]);
        }
        return found;
    })()""")
    keys = [(x, y, text) for text, x, y, bold in rows if bold]
    found = {}
    for text, x, y, bold in rows:
        beside = [(left, key) for left, up, key in keys if up == y and left < x]
        if not bold and beside:
            found[text] = max(beside)[1].split(", ")[-1]
    return found


@pytest.fixture(params=[Fingers, Mouse, Keys], ids=["touch", "mouse", "keys"])
def hand(request, page):  # noqa: F811
    one = page("p100-2K", "--paused", size=request.param.SIZE)
    if request.param is Fingers:
        one.call("Emulation.setTouchEmulationEnabled", enabled=True)
    one.wait(f"{HEADER}.size[0] === {request.param.SIZE[0]}")
    one.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")      # buttons are in their places
    return request.param(one)


def played(hand, until):
    hand.do("pause, go on")
    hand.page.wait(f"{HEADER}.time > {until}")
    hand.do("pause, go on")
    hand.page.wait(f"{HEADER}.paused")


@pytest.mark.sample(1)
def test_time_is_reversed(hand):
    """After as long again, every disc is where it began."""
    start = positions(hand.page)
    played(hand, 20)
    assert np.abs(positions(hand.page) - start).max() > 0.01
    hand.do("reverse all velocities")
    text_at(hand.page, "velocities reversed")
    time_then = hand.page.eval(f"{HEADER}.time")
    hand.do("pause, go on")
    hand.page.wait(f"{HEADER}.time > {2 * time_then}")
    hand.do("pause, go on")
    hand.page.wait(f"{HEADER}.paused")


@pytest.mark.sample(1)
def test_the_queue_tells_why_a_prediction_changes(hand):
    one = hand.page
    hand.select(DISC)
    one.wait(f"{HEADER}.selected === {DISC}")
    hand.do("the queue")
    text_at(one, "Queue: ")
    before = one.eval(f"{HEADER}.time")
    hand.do("then one event at a time")
    one.wait(f"{HEADER}.time > {before}")
    text_at(one, f"disc {DISC}")


@pytest.mark.sample(1)
def test_the_gas_is_heated(hand):
    one = hand.page
    hand.do("sliders")
    text_at(one, "temperature", "startsWith")
    hand.heat()
    one.wait("!served.screen.state.header.pieces.some(number => (served.screen.state.pieces[number].t || [])"
             ".some((text, k, all) => text[0] === 'temperature' && all[k + 1][0] === '2'))")


@pytest.mark.sample(1)
def test_a_gate_is_built_and_its_ledger_read(hand):
    one = hand.page
    hand.do("draw a wall")
    hand.choose("a wall with a gate")
    text_at(one, "drag from point to point")
    left, top, scale = one.eval("(view => [view.left, view.top, view.scale].map(x => x / view.sharp))"
                                "(served.screen.picture.view())")
    free = next(x for x in np.linspace(.2, .8, 61) if not near(positions(one), x))
    hand.draw(left + scale * free, top + 2, left + scale * free, top + .4 * scale)
    one.wait("served.screen.state.scene.shapes.length > 4")
    time.sleep(.5)          # the bar has another button now
    hand.page.press("Escape")
    hand.do("ledger of the gates")
    played(hand, 30)
    text_at(one, "from the left")


def near(places, x):
    """Whether a disc is in the way of a wall at x in the upper half."""
    return (np.abs(places[:, 0] - x)[places[:, 1] > .55] < .025).any()


@pytest.mark.sample(1)
def test_a_system_is_saved_opened_edited_and_filmed(hand, tmp_path):
    one = hand.page
    one.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    played(hand, 5)
    hand.do("save the system")
    file = arrived(tmp_path, ".npz")
    system = hdsim.load(file)
    assert len(system) == 100
    one.call("Page.setInterceptFileChooserDialog", enabled=True)
    hand.do("open: files here")
    hand.choose("a file of this device")
    deadline = time.monotonic() + 30
    while not (asked := [event for event in one.browser.events() if event.get("method") == "Page.fileChooserOpened"]):
        assert time.monotonic() < deadline
        time.sleep(.05)
    one.call("DOM.setFileInputFiles", files=[str(file)], backendNodeId=asked[0]["params"]["backendNodeId"])
    one.wait(f"{HEADER}.name === {file.name!r}")
    assert one.eval(f"{HEADER}.time") == system.time
    hand.remove(DISC)
    one.wait(f"{HEADER}.n === 99")
    hand.do("a film of the window")
    one.wait("served.screen.state.film")
    hand.do("pause, go on")
    time.sleep(1)
    hand.do("a film of the window")
    assert arrived(tmp_path, ".webm").read_bytes()[:4] == b"\x1aE\xdf\xa3"


def arrived(folder, suffix):
    """The file of this suffix that the page has downloaded, when it is there."""
    deadline = time.monotonic() + 30
    while not (found := list(folder.glob(f"*{suffix}"))):
        assert time.monotonic() < deadline, list(folder.iterdir())
        time.sleep(.05)
    return found[0]


@pytest.mark.sample(1)
def test_a_side_is_heated(hand):
    """The left one, at twice the temperature of the gas, which warms up."""
    hand.ignite()
    text_at(hand.page, "box changed")
    played(hand, 20)
    assert hand.page.eval("served.screen.picture.scene.shapes.some(shape => shape.area && shape.area[0] > shape.area[2])")


@pytest.mark.sample(1)
def test_discs_fall(hand):
    before = positions(hand.page)[:, 1].mean()
    hand.fall()
    text_at(hand.page, "gas changed")
    played(hand, 200)
    assert positions(hand.page)[:, 1].mean() < before - .03
