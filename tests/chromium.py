"""Drives Debian's Chromium without a display, by the protocol of its developer tools over two pipes. No library is needed.

    with Chromium(folder) as browser:
        page = browser.open("http://127.0.0.1:8000/")
        page.eval("document.title")
"""
import base64
import json
import os
import shutil
import subprocess
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ("--headless=new --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run "
         "--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars "
         "--disable-features=BackForwardCache --remote-debugging-pipe").split()
PATIENCE = 60.0         # seconds that an answer may take


class Chromium:
    """One browser with an empty profile in `folder`."""

    def __init__(self, folder, size=(1100, 800), flags=()):
        away, self._in = os.pipe()
        self._out, back = os.pipe()
        self._number, self._read, self._events = 0, b"", []
        self._free = []     # windows whose pages are closed; a new one costs more than most tests

        def wire():         # Chromium reads from 3 and writes to 4; neither may be closed while the other is moved there
            ends = [os.dup(away), os.dup(back)]
            while min(ends) < 5:
                ends = [os.dup(end) for end in ends]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self._process = subprocess.Popen(
            [PROGRAM, *FLAGS, *flags, f"--user-data-dir={folder}", f"--window-size={size[0]},{size[1]}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(away)
        os.close(back)
        os.set_blocking(self._out, False)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.call("Browser.close")
            self._process.wait(timeout=10)      # its children write to the profile until it ends
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def open(self, address, size=None):
        """A new page at this address, when it is loaded. size: width and height of the page; None: as the first window."""
        if self._free:
            target = self._free.pop()
        else:           # a tab would be hidden
            target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.call("Network.enable")
        page.call("Log.enable")
        if size:
            page.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        page.call("Page.navigate", url=address)
        page.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
        return page

    def leave(self, page):
        """Close a page, and with its session all that was set for it."""
        page.call("Page.navigate", url="about:blank")
        page.wait("location.href === 'about:blank'")
        self.call("Target.detachFromTarget", sessionId=page.session)
        self._free.append(page.target)

    def call(self, method, session=None, **values):
        """What the method of the protocol answers. RuntimeError with its error."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": values} | ({"sessionId": session} if session else {})
        os.write(self._in, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            said = self._next(deadline)
            if said.get("id") == self._number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']['message']}")
                return said["result"]
            self._events.append(said)

    def events(self):
        """The events since the last call."""
        self._drain()
        while b"\0" in self._read:
            self._events.append(self._next(0))
        found, self._events = self._events, []
        return found

    def _next(self, deadline):
        while b"\0" not in self._read:
            if time.monotonic() > deadline:
                raise TimeoutError("Chromium does not answer")
            if not self._drain():
                time.sleep(.002)
        message, _, self._read = self._read.partition(b"\0")
        return json.loads(message)

    def _drain(self):
        found = False
        try:
            while part := os.read(self._out, 1 << 20):
                self._read += part
                found = True
        except BlockingIOError:
            pass
        return found


class Page:
    """One tab."""

    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def call(self, method, **values):
        return self.browser.call(method, self.session, **values)

    def eval(self, expression):
        """The value of a JavaScript expression; a promise is awaited. RuntimeError with what it throws."""
        said = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            details = said["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return said["result"].get("value")

    def wait(self, condition, seconds=30.0):
        """Wait until a JavaScript expression is true, and return its value. TimeoutError."""
        deadline = time.monotonic() + seconds
        while not (value := self.eval(condition)):
            if time.monotonic() > deadline:
                raise TimeoutError(condition)
            time.sleep(.02)
        return value

    def press(self, key, code=None, modifiers=0):
        """Press a key. modifiers: 2 for Ctrl, 8 for Shift."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers,
                      text=key if len(key) == 1 and not modifiers & 2 else "")

    def click(self, selector):
        """Click in the middle of an element, as a mouse does."""
        x, y = self.eval(f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
                         f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.leave(self)

    def errors(self):
        """Uncaught exceptions, and errors of the log, of all pages since the last call."""
        found = []
        for event in self.browser.events():
            if event.get("method") == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                entry = event["params"]["entry"]
                found.append(f"{entry['text']} {entry.get('url', '')}")
        return found
