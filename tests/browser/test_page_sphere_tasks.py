"""Five tasks of a new user with spheres on a page, with fingers on a phone, with the mouse and with keys alone, as
test_page_tasks.py."""
import time

import pytest
from test_page import HEADER, page        # noqa: F401
from test_page_tasks import Fingers, Keys, Mouse, arrived, text_at

FACES = f"JSON.stringify({HEADER}.space.faces)"


def nearest(one):
    """Where the sphere nearest to the eye is in the picture, CSS pixels."""
    return one.eval(f"""(() => {{
        const {{ space }} = {HEADER}, {{ spheres }} = served.screen.picture, n = spheres.length / 4, i = n - 1;
        const growth = space.scale / (1 - spheres[2 * n + i] * space.nearness);
        return [space.middle[0] + spheres[i] * growth, space.high - space.middle[1] - spheres[n + i] * growth];
    }})()""")


def value_of(one, label):
    """The number beside a label of the card."""
    x, y = text_at(one, label, "startsWith")
    return one.eval(f"""(() => {{
        const {{ header, pieces }} = served.screen.state;
        for (const number of header.pieces) for (const [text, left, up] of pieces[number].t || []) {{
            if (Math.abs(header.size[1] - up - {y}) < 2 && left > {x}) return parseFloat(text);
        }}
    }})()""")


class Space:
    """What a hand does with spheres."""

    def turn(self):
        self.drag(100, 120, 180, 150)

    def slab(self):
        self.do("where it is seen from")
        self.choose("a slab, or a thinner one")

    def closer(self):
        self.do("where it is seen from")
        self.choose("the slab farther")

    def around(self):
        self.do("where it is seen from")
        self.choose("turn by itself")

    def take(self):
        self.press(*nearest(self.page))

    def throw(self):
        """Drag the sphere aside while the run goes on, and let it go."""
        self.do("pause, go on")
        x, y = nearest(self.page)
        self.drag(x, y, x + 40, y - 60)
        self.do("pause, go on")


class SpaceFingers(Space, Fingers):
    pass


class SpaceMouse(Space, Mouse):
    pass


class SpaceKeys(Space, Keys):
    def turn(self):
        self.do("turn (or drag)")

    def slab(self):
        self.do("a slab, thinner each time")

    def closer(self):
        self.do("the slab nearer")

    def around(self):
        self.do("turn by itself")

    def take(self):
        self.do("select the next disc")

    def throw(self):
        for _ in range(6):
            self.do("faster; Shift+Down")
        self.do("turn left; Shift+Right")


@pytest.fixture(params=[SpaceFingers, SpaceMouse, SpaceKeys], ids=["touch", "mouse", "keys"])
def hand(request, page):  # noqa: F811
    one = page("gas3", "--paused", "--speed", ".02", size=request.param.SIZE)
    if request.param is SpaceFingers:
        one.call("Emulation.setTouchEmulationEnabled", enabled=True)
    one.wait(f"{HEADER}.size[0] === {request.param.SIZE[0]}")
    return request.param(one)


@pytest.mark.sample(1)
def test_the_box_is_turned_and_looked_into(hand):
    """The slab leaves fewer spheres, and moves."""
    one = hand.page
    faces, count = one.eval(FACES), one.eval("served.screen.picture.spheres.length")
    hand.turn()
    one.wait(f"{FACES} !== {faces!r}")
    hand.slab()
    one.wait(f"{HEADER}.space.sliced")
    hand.slab()
    one.wait(f"served.screen.picture.spheres.length < {.8 * count}")
    before = one.eval(f"{HEADER}.space.planes[0]")
    hand.closer()
    one.wait(f"{HEADER}.space.planes[0] !== {before}")


@pytest.mark.sample(1)
def test_a_sphere_tells_its_next_contact_and_is_thrown(hand):
    """Its card says which, and when; then it is much faster than before."""
    one = hand.page
    hand.take()
    one.wait(f"{HEADER}.selected !== null")
    text_at(one, "at t = ")
    before = value_of(one, "speed")
    hand.throw()
    one.wait(f"{HEADER}.paused")
    time.sleep(.3)
    assert value_of(one, "speed") > 1.5 * before


@pytest.mark.sample(1)
def test_a_film_turns(hand, tmp_path):
    one = hand.page
    one.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    hand.around()
    faces = one.eval(FACES)
    hand.do("a film of the window")
    one.wait("served.screen.state.film")
    time.sleep(1)
    hand.do("a film of the window")
    assert one.eval(FACES) != faces and arrived(tmp_path, ".webm").read_bytes()[:4] == b"\x1aE\xdf\xa3"
