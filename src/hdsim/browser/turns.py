"""Turns: when the messages of a notebook's views are handled: between cells, in the thread that executes cells.

A kernel may hand a message over while a cell is running, in another thread or, where the cell awaits, in the same one. Here it
waits until no cell is running. It leaves no trace in the kernel: no callback of the user is called for it (a plot that a cell is
drawing would be shown with the message), and what other threads print or display goes on belonging to the latest cell."""
from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from typing import Any


class Turns:
    """Made in the cell that shows the view. handle: called with each message of the views, one after another.

    Outside a kernel and without a running event loop, `take` handles messages at once."""

    def __init__(self, handle: Callable[[Any], object]) -> None:
        self._handle = handle
        self._waiting: deque[Any] = deque()
        self._context = copy_context()      # pictures belong to the cell of the view, not to the message that asked for them
        self._shell = _shell()
        self._home = _loop_of(self._shell)
        self._turn = threading.RLock()      # held while messages are handled, so that no cell of another thread begins then
        self._cells: set[int] = set()       # the threads in which a cell is running
        self._cell: Any = None              # the message that has begun the latest cell ...
        self._output = threading.Lock()     # ... held while what is printed is made to belong to it
        if self._shell is not None:
            self._shell.events.register("pre_run_cell", self._cell_begins)
            self._shell.events.register("post_run_cell", self._cell_ends)
            parent = self._parent()
            if isinstance(parent, dict) and parent.get("header", {}).get("msg_type") == "execute_request" and self._at_home():
                self._cells.add(threading.get_ident())
                self._cell = parent

    def take(self, message: Any) -> None:
        """Handle a message as soon as no cell is running. The kernel calls it, in any thread."""
        self._give_back()
        if self._home is None:
            self._handle(message)
            return
        self._waiting.append(message)
        if self._at_home():
            self._context.copy().run(self._next)
        else:
            self._wake()

    def later(self, message: Any, seconds: float) -> bool:
        """Take a message after so many seconds; whether there is a loop that does it. Called in the thread of the cells."""
        if self._home is None:
            return False
        self._home.call_later(seconds, self.take, message)
        return True

    def close(self) -> None:
        """Handle nothing any more."""
        self._waiting.clear()
        self._handle = lambda message: None
        if self._shell is not None:
            for event, callback in (("pre_run_cell", self._cell_begins), ("post_run_cell", self._cell_ends)):
                try:
                    self._shell.events.unregister(event, callback)
                except ValueError:      # closed before
                    pass

    def _next(self) -> None:
        """Handle the message that has waited longest, unless a cell is running; cells may begin before the one after it."""
        with self._turn:
            if self._cells or not self._waiting:
                return
            try:
                self._handle(self._waiting.popleft())
            finally:
                if self._waiting:
                    self._wake()

    def _wake(self) -> None:
        """Call `_next` soon, in the thread of the cells."""
        if self._home is not None and not self._cells:
            try:
                self._home.call_soon_threadsafe(self._next, context=self._context.copy())
            except RuntimeError:        # the loop is closed: the kernel ends
                self._waiting.clear()

    def _at_home(self) -> bool:
        """Whether this is the thread of the cells."""
        try:
            return asyncio.get_running_loop() is self._home
        except RuntimeError:
            return False

    # the kernel

    def _cell_begins(self, info: object = None) -> None:
        with self._turn:
            self._cells.add(threading.get_ident())
        self._give_back(self._parent())

    def _cell_ends(self, result: object = None) -> None:
        self._cells.discard(threading.get_ident())
        if self._waiting:
            self._wake()

    def _give_back(self, cell: Any = None) -> None:
        """Let what threads print belong to the latest cell again, not to a message of a view, for which the kernel does the same
        as for a cell. cell: the message that has begun another one."""
        with self._output:
            self._cell = cell or self._cell
            if self._cell:
                self._shell.set_parent(self._cell)

    def _parent(self) -> Any:
        """The message to which what is printed now belongs; None if the shell belongs to no kernel."""
        shell = self._shell
        return shell.get_parent() if hasattr(shell, "get_parent") and hasattr(shell, "set_parent") else None


def _shell() -> Any:
    """The shell of IPython, which executes cells; None outside IPython."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def _loop_of(shell: Any) -> asyncio.AbstractEventLoop | None:
    """The event loop between whose callbacks cells are executed: that of the kernel, or the one that is running here."""
    loop = getattr(getattr(getattr(shell, "kernel", None), "io_loop", None), "asyncio_loop", None)
    if loop is not None:
        return loop
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
