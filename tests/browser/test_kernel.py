"""The widget in a real kernel, beside cells: the view stands still while one is running, and takes nothing from it.

The front end is a client that asks for pictures as widget.js does, or more often. Since JupyterLab 4.4 and ipykernel 7 its
messages come on a thread of their own, that of a subshell; before, and in other notebooks, between cells."""
import queue
import time
from contextlib import suppress

import pytest
from scenes import environment

pytestmark = pytest.mark.xdist_group("kernel")

PATIENCE = 60.0         # seconds that a cell may take
OFTEN = 0.05            # seconds between two questions, whether or not there are answers
NOTHING = {"serial": -1, "scene": -1, "discs": -1, "colors": -1, "record": -1, "file": -1}
START = """
import asyncio, threading, time, hdsim
system = hdsim.random(100, temperature=.5, seed=1)
live = hdsim.live(system, speed=1.)
print(live.widget.comm.comm_id)
"""


class Notebook:
    """A client of a kernel with a view of the widget that START makes. subshell: the id of the view's, or None."""

    def __init__(self, client, subshell):
        self.client, self.subshell, self.comm = client, subshell, ""
        self.comm = self.run(START)["text"].strip()

    def say(self, kind, data):
        message = self.client.session.msg(kind, {"comm_id": self.comm, "data": data})
        if self.subshell:
            message["header"]["subshell_id"] = self.subshell
        self.client.shell_channel.send(message)

    def run(self, code):
        """What a cell has given: text, images and HTML that belong to it. The view asks all the time. AssertionError with the
        error of the cell."""
        number, given = self.client.execute(code), {"text": "", "images": 0, "html": ""}
        for said in self.hear(PATIENCE):
            if said["parent_header"].get("msg_id") != number:
                continue
            content, data = said["content"], said["content"].get("data", {})
            given["text"] += content.get("text", "")
            given["images"] += "image/png" in data
            given["html"] += data.get("text/html", "")
            assert said["msg_type"] != "error", "\n".join(content["traceback"])
            if content.get("execution_state") == "idle":
                return given
        raise TimeoutError(code)

    def look(self, seconds):
        """The times of the pictures that come in so many seconds between cells."""
        found = [said["content"]["data"].get("content", {}) for said in self.hear(seconds)
                 if said["msg_type"] == "comm_msg" and said["content"]["comm_id"] == self.comm]
        return [content["time"] for content in found if "time" in content]

    def hear(self, seconds):
        """What the kernel says in so many seconds, in which the view asks again and again."""
        asked, end = 0., time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            if self.comm and now - asked > OFTEN:
                self.say("comm_msg", {"method": "custom", "content": {"kind": "ask", "view": "a", "have": NOTHING}})
                asked = now
            with suppress(queue.Empty):
                yield self.client.get_iopub_msg(timeout=OFTEN)


@pytest.fixture(scope="module")
def client(tmp_path_factory, missing):
    """A client of a kernel in a process of its own."""
    for name in ("anywidget", "ipykernel", "jupyter_client", "matplotlib"):
        try:
            __import__(name)
        except ImportError:
            missing(f"{name} is not installed")
    from jupyter_client.manager import start_new_kernel

    folder = tmp_path_factory.mktemp("kernel")
    variables = environment() | {"IPYTHONDIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder), "MPLCONFIGDIR": str(folder)}
    manager, client = start_new_kernel(startup_timeout=PATIENCE, env=variables, cwd=str(folder))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module", params=["subshell", "shell"])
def notebook(client, request):
    subshell = None
    if request.param == "subshell":
        info = client.kernel_info(reply=True, timeout=PATIENCE)["content"]
        if "kernel subshells" not in info.get("supported_features", ()):
            pytest.skip("this kernel has no subshells")
        client.control_channel.send(client.session.msg("create_subshell_request", {}))
        subshell = client.get_control_msg(timeout=PATIENCE)["content"]["subshell_id"]
    notebook = Notebook(client, subshell)
    assert notebook.look(.2)
    yield notebook
    notebook.run("live.close()")


@pytest.fixture(autouse=True)
def playing(notebook):
    """Each test leaves a view that plays between cells."""
    yield
    times = notebook.look(.3)
    assert times[-1] > times[0]


def test_one_question_has_several_pictures(notebook):
    """They come without another question, and wait for the end of a cell."""
    asked = {"kind": "ask", "view": "b", "have": NOTHING, "pictures": 6, "every": .02, "number": 3}
    notebook.say("comm_msg", {"method": "custom", "content": asked})
    notebook.client.execute("time.sleep(.3)\nended = time.time()")
    found = []
    for said in notebook.hear(PATIENCE):
        content = said["content"].get("data", {}).get("content", {}) if said["msg_type"] == "comm_msg" else {}
        if content.get("view") == "b":
            found.append((content["more"], content.get("clock")))     # none where the other view has just got a picture
            if not content["more"]:
                break
    assert [more for more, _ in found] == [5, 4, 3, 2, 1, 0]
    ended = float(notebook.run("print(ended)")["text"])
    times = [time for _, time in found if time]
    assert not any(ended - .25 < time < ended for time in times) and times[-1] > ended
    notebook.say("comm_msg", {"method": "custom", "content": {"kind": "gone", "view": "b"}})


@pytest.mark.sample(2)
@pytest.mark.parametrize("wait", ["time.sleep(.5)", "await asyncio.sleep(.5)"])
def test_it_stands_still_while_a_cell_is_running(notebook, wait):
    assert notebook.run(f"before = system.time\n{wait}\nprint(system.time - before)")["text"] == "0.0\n"


@pytest.mark.sample(1)
def test_cells_may_edit_what_is_shown(notebook):
    """2,000 times, none of them refused."""
    code = "for _ in range(2000):\n    with system.edit() as draft:\n        draft.velocities[0] *= -1\nprint('done')"
    assert notebook.run(code)["text"] == "done\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize("wait", ["time.sleep(.2)", "await asyncio.sleep(.2)"])
def test_plots_belong_to_their_cells(notebook, wait):
    """A message of the view that comes while a cell draws does not show its figure."""
    for k in range(3):
        given = notebook.run(f"import matplotlib.pyplot as plt\nplt.plot([1, {k}])\n{wait}\nprint({k})")
        assert given["images"] == 1 and given["text"] == f"{k}\n"


def test_callbacks_of_the_user_are_not_called_for_the_view(notebook):
    """`post_execute` is called once for each cell."""
    notebook.run("called = []\ndef call():\n    called.append(1)\nget_ipython().events.register('post_execute', call)")
    notebook.look(.2)
    assert notebook.run("print(len(called))\nget_ipython().events.unregister('post_execute', call)")["text"] == "1\n"


def test_what_threads_print_belongs_to_their_cell(notebook):
    """Before 7.4, ipykernel 7 gives the output of all threads to each message of a subshell until the widget is told of it."""
    import ipykernel

    if notebook.subshell and ipykernel.version_info[:2] < (7, 4):
        pytest.skip("a message that comes in the same fraction of a millisecond takes it")
    for k in range(3):
        code = (f"from IPython.display import HTML, display\ndef say():\n    time.sleep(.1)\n    print({k})\n"
                f"    display(HTML('<b>{k}</b>'))\nthread = threading.Thread(target=say)\nthread.start()\nthread.join()")
        assert notebook.run(code) == {"text": f"{k}\n", "images": 0, "html": f"<b>{k}</b>"}


def test_commands_of_the_view_wait_for_the_end_of_a_cell(notebook):
    """And are executed then."""
    def say(name):
        notebook.say("comm_msg", {"method": "custom", "content": {"kind": "do", "view": "a", "command": {"do": name}}})

    notebook.client.execute("time.sleep(.3)\nseen = live.playing")
    time.sleep(.1)
    say("pause")
    notebook.look(.5)
    assert notebook.run("print(seen, live.playing)")["text"] == "True False\n"
    say("play")


def test_a_page_that_is_loaded_again_gets_the_state(notebook):
    notebook.say("comm_msg", {"method": "request_state"})
    states = (said["content"]["data"]["state"] for said in notebook.hear(PATIENCE)
              if said["msg_type"] == "comm_msg" and said["content"]["data"]["method"] == "update")
    assert next(state["height"] for state in states if "height" in state) == 520
