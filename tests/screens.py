"""Virtual screens on which windows are tested."""
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator


def virtual_screen(size: str, missing: Callable[[str], None]) -> Iterator[str]:
    """A virtual screen of this size, "1280x640": yields the value of $DISPLAY, and ends the screen when it goes on."""
    if shutil.which("Xvfb") is None:
        missing("Xvfb is not installed (Debian: apt-get install xvfb)")
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24"], pass_fds=[writing],
                              stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()
