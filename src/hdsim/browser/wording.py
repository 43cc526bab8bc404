"""Wording: the texts of a page in the language in use. The scripts have the English ones as keys."""
from __future__ import annotations

from ..language import current, tr
from ..starts import datasets
from ..viewer.draw.look import COLORS
from ..viewer.draw.theme import THEMES


def texts() -> dict[str, str]:
    """Each text of the scripts, in English, and what it is in the language in use."""
    return {
        "play, pause": tr("play, pause"), "one event back": tr("one event back"), "one event forward": tr("one event forward"),
        "begin again": tr("begin again"), "reverse all velocities": tr("reverse all velocities"), "faster": tr("faster"),
        "slower": tr("slower"), "speed": tr("speed"), "time": tr("time"), "colours": tr("colours"),
        "automatic": tr("automatic"), "file": tr("file"), "collisions": tr("collisions"), "energy": tr("energy"),
        "local order": tr("local order"), "theme": tr("theme"), "light": tr("light"),
        "dark": tr("dark"), "projector": tr("projector"), "data set": tr("data set"), "plots": tr("plots"),
        "queue": tr("queue"), "gas": tr("gas"), "Measured in the gas": tr("Measured in the gas"), "Queue": tr("Queue"),
        "The gas": tr("The gas"), "next contacts": tr("next contacts"), "in": tr("in"), "counters": tr("counters"),
        "all": tr("all"), "per event": tr("per event"), "last": tr("last"), "today": tr("today"), "later": tr("later"),
        "number of discs": tr("number of discs"), "radius": tr("radius"), "temperature": tr("temperature"),
        "mass ratio": tr("mass ratio"), "width of the box": tr("width of the box"),
        "put a partition in": tr("put a partition in"), "pull the partition out": tr("pull the partition out"),
        "connection lost; trying again": tr("connection lost; trying again"),
        "the discs of this system cannot be changed": tr("the discs of this system cannot be changed"),
        "click on a disc: its trail": tr("click on a disc: its trail"),
        "hue: direction, strength: modulus": tr("hue: direction, strength: modulus"),
    }


def choices() -> dict[str, object]:
    """What a page offers besides commands: data sets with their descriptions, colours, themes; and the language."""
    return {"datasets": [[name, datasets.describe(name)] for name in datasets.names()], "colors": list(COLORS),
            "themes": list(THEMES), "language": current(), "texts": texts()}
