"""Worker: one show in a Web Worker of a page, where Python runs in the browser itself (docs/try). JavaScript calls these methods.

The page runs a program of its user; the system that the program calls `system`, or gives to `show`, is what the page shows."""
from __future__ import annotations

import base64
import io
import json
import traceback
import zlib
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from ..formats import io as files
from ..language import use
from ..model.errors import HdsimError
from ..starts.sources import from_reading
from . import page
from .messages import dumps, have_of
from .show import CommandError, Show

LINK_MOST = 8000            # letters of a system in an address
PROGRAM = "<program>"       # its name in tracebacks
SETTINGS = {"k_B": float, "collisions": str}        # of a system in an address, beside its text


class Workplace:
    """The program of a page and what it shows. `show`: the `Show`, or None before there is a system."""

    def __init__(self, language: str = "en") -> None:
        """language: of the texts, "en" or "zh"; English for any other."""
        use(language if language == "zh" else "en")
        self.show: Show | None = None

    def scripts(self) -> str:
        """The scripts of the page, which are those of this version of hdsim."""
        return page.scripts()

    def choices(self) -> str:
        """Texts and lists of the page, as JSON."""
        return dumps(page.choices()).decode()

    def run(self, program: str) -> str:
        """Run a program; returns what it has printed, with the traceback of its error. It plays the system that it leaves."""
        said = io.StringIO()
        shown: list[Any] = []
        names: dict[str, Any] = {"__name__": "__main__", "show": shown.append}
        with redirect_stdout(said), redirect_stderr(said):
            try:
                exec(compile(program, PROGRAM, "exec"), names)
                system = shown[-1] if shown else names.get("system")
                if system is not None:
                    self._play(system)
                else:
                    print("There is nothing to show: call a system `system`, or show(...) it.")
            except BaseException as error:
                print("".join(_traceback(error)), end="")
        return said.getvalue()

    def _play(self, system: Any) -> None:
        if self.show is None:
            self.show = Show(system)
        else:       # in the same picture, with its panels
            self.show.stage.show_system(system, "")
        self.show.do({"do": "play"})

    def do(self, command: str) -> str:
        """Execute a command in JSON; returns the reason why not, or ""."""
        try:
            if self.show is not None:
                self.show.do(json.loads(command))
        except CommandError as error:
            return str(error)
        return ""

    def tick(self, seconds: float) -> None:
        """Advance by so much wall-clock time."""
        if self.show is not None:
            self.show.tick(seconds)

    def picture(self, have: str) -> list[Any] | None:
        """What the page, which has this (JSON), needs: a header in JSON, and bytes; None if there is nothing new."""
        if self.show is None:
            return None
        known = have_of(json.loads(have))
        snapshot = self.show.snapshot()
        if snapshot.serial == known.serial:
            return None
        message = snapshot.message(known)
        return [dumps(message.header).decode(), *message.buffers]

    def link(self, program: str) -> str:
        """The program and, if it is small, the present state of the system, as letters for an address. ValueError if even the
        program is too long."""
        values = {"program": program}
        if self.show is not None:
            try:
                system = self.show.playback.system
                values["system"] = files.format_text(system.configuration())
                values |= {name: str(getattr(system, name)) for name in SETTINGS if hasattr(system, name)}
            except (AttributeError, HdsimError, ValueError):
                pass            # what the book's format cannot hold
        text = packed(values)
        if len(text) > LINK_MOST:
            text = packed({"program": program})
        if len(text) > LINK_MOST:
            raise ValueError(f"the program is too long for an address: {len(text)} letters, at most {LINK_MOST}")
        return text

    def open_link(self, text: str) -> str:
        """Show the system of an address; returns its program, which is not run: its reader decides. ValueError for an address
        that is damaged."""
        values = unpacked(text)
        if "system" in values:
            settings: Any = {name: kind(values[name]) for name, kind in SETTINGS.items() if name in values}
            self._play(from_reading(files.read_text(io.StringIO(values["system"]), name="the address"), **settings))
            assert self.show is not None
            self.show.do({"do": "pause"})
        return values["program"]


def packed(values: dict[str, str]) -> str:
    """Texts as letters for an address."""
    data = zlib.compress(json.dumps(values, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked(text: str) -> dict[str, str]:
    """The texts in the letters of an address. ValueError for others."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, 1 << 20)
        if unpacker.unconsumed_tail:
            raise ValueError("more than a megabyte")
        values = json.loads(plain)
        if not isinstance(values, dict) or not isinstance(values.get("program"), str):
            raise ValueError("no program")
        return {name: text for name, text in values.items() if isinstance(text, str)}
    except (ValueError, zlib.error, RecursionError) as error:
        raise ValueError(f"this address holds no program of hdsim: {error}") from None


def _traceback(error: BaseException) -> list[str]:
    """The traceback of an error of the program, from its own line on."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != PROGRAM:
        frames = frames.tb_next
    return traceback.format_exception(type(error), error, frames)
