"""Modules turtle and tkinter that draw nothing, for programs that import them where there may be no screen.

Only the standard library is used, because `runner` runs beside a student's program.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

DRAWING = ("turtle", "tkinter", "tkinter.ttk", "tkinter.messagebox", "tkinter.font", "tkinter.colorchooser", "tkinter.filedialog",
           "tkinter.simpledialog", "tkinter.constants")
# What "from turtle import *" and "from tkinter import *" give, as far as programs use it.
STARS = {
    "turtle": "Turtle Screen Pen RawTurtle Vec2D TurtleScreen Shape setup tracer update bgcolor title ontimer onkey "
        "onkeypress listen mainloop done bye exitonclick hideturtle showturtle speed penup pendown up down color "
        "pencolor fillcolor shape shapesize goto setpos setposition setx sety forward back left right dot circle "
        "stamp clear reset write begin_fill end_fill colormode delay screensize setworldcoordinates pensize width "
        "ht st pu pd fd bk lt rt seth setheading clearscreen onclick",
    "tkinter": "Tk Toplevel Frame Canvas Label Button Entry Scale Text Menu Listbox Scrollbar Checkbutton Radiobutton "
        "StringVar IntVar DoubleVar BooleanVar PhotoImage Event TclError mainloop ALL END LEFT RIGHT TOP BOTTOM "
        "BOTH X Y YES NO N S E W CENTER HORIZONTAL VERTICAL NORMAL DISABLED",
}
METHODS = set(" ".join(STARS.values()).split()) | set(
    "addshape after after_cancel after_idle attributes bgpic bind bind_all clearstamp clearstamps config "
    "configure coords create_line create_oval create_rectangle create_text delete destroy focus_set geometry "
    "get getcanvas grid insert isvisible itemconfig itemconfigure move_to ondrag onrelease onscreenclick pack "
    "place protocol quit register_shape resizable set setundobuffer tag_bind undo update_idletasks "
    "window_height window_width winfo_exists winfo_height winfo_width".split())


class Nothing:
    """Stands for anything that draws: it can be called, and be the base of a class; its methods do nothing."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *arguments, **named: Nothing()
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __call__(self, *arguments: Any, **named: Any) -> Nothing:
        return Nothing()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __getitem__(self, key: Any) -> Nothing:
        return Nothing()

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __float__(self) -> float:
        return 0.0

    def __int__(self) -> int:
        return 0


class Drawing(ModuleType):
    """A module whose names all stand for `Nothing`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "TclError":
            return Exception
        return type(name, (Nothing,), {}) if name[:1].isupper() else Nothing()


def draw_nothing(folder: str) -> None:
    """Put modules that draw nothing in place of turtle and tkinter, if no file of that name lies in the folder of the program."""
    for name in DRAWING:
        top, _, _ = name.partition(".")
        if not any(os.path.exists(os.path.join(folder, top + end)) for end in (".py", "")):
            module = sys.modules[name] = Drawing(name)
            module.__dict__.update(__all__=STARS.get(name, "").split(), __path__=[])
            if top != name:
                setattr(sys.modules[top], name.partition(".")[2], module)
