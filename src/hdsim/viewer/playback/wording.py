"""Sentences on events, discs, walls and obstacles, for the status line, cards and labels."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...language import tr
from ...model.errors import CollapseError, JammedError, NoRoomError
from ...model.gates import is_there
from ...model.obstacles import Obstacle

DISCS_MOST = 8          # discs of an event that are named


class Refusal(NamedTuple):
    """A change that was refused, in the words of a user, and what is in its way: indices of discs, and of an obstacle."""

    text: str
    discs: tuple[int, ...] = ()
    obstacle: int | None = None


def refusal_of(error: Exception, frame: Any) -> Refusal:
    """An error of an edit as a refusal. frame: the present one of the system."""
    if isinstance(error, RuntimeError):     # what stands behind tells a program what to call
        return Refusal(str(error).partition(". ")[0].partition("; ")[0])
    if not isinstance(error, NoRoomError):
        return Refusal(str(error))
    d = len(frame.lengths)
    others, there = error.others, error.obstacle if error.disc is not None else None
    if len(others) > 1:
        return Refusal(tr("no room: discs {i} and {j} would overlap", of=d, i=others[0], j=others[1]), others)
    what = body_name(others[0], d) if others else surface_name(error.wall, there, None, frame.obstacles)
    return Refusal(tr("no room: {what} is in the way", what=what), others, there)


def jam_of(error: JammedError, frame: Any) -> str:
    """Why a run cannot go on, in the words of a user. frame: the present one of the system."""
    if isinstance(error, CollapseError):
        named = ", ".join(map(str, error.particles[:DISCS_MOST])) + (", ..." if len(error.particles) > DISCS_MOST else "")
        return tr("collapse: discs {discs} lose energy in infinitely many contacts; a contact time ends that",
                  of=len(frame.lengths), discs=named)
    return str(error).partition("; ")[0]    # what stands behind is for programs


def edit_name(what: str, frame: Any) -> str:
    """What an edit is called that is remembered by its English name."""
    return tr(what, of=len(frame.lengths))


def body_name(i: int, dimension: int) -> str:
    """What a disc or a sphere is called."""
    return tr("disc {i}", of=dimension, i=i)


def counted(n: int, dimension: int) -> str:
    """So many discs or spheres."""
    return tr("{n:,} disc(s)", of=dimension, n=n)


def describe(event: Any, obstacles: Sequence[Obstacle] = ()) -> str:
    """An event in a sentence, with its time; None: nothing will ever happen. obstacles: those of the system."""
    if event is None:
        return tr("nothing will ever happen")
    discs = event.particles
    d = 3 if any(len(contact.normal) > 2 for contact in getattr(event, "contacts", ())) else 2      # not all engines tell it
    if event.kind == "device":
        name = obstacle_name(obstacles, event.obstacle)
        comes = event.obstacle < len(obstacles) and is_there(obstacles[event.obstacle], event.time)
        said = tr("{what} comes" if comes else "{what} goes", what=name)
    elif event.kind == "pass":
        said = tr("disc {i} passes {what}", i=discs[0], what=obstacle_name(obstacles, event.contacts[0].obstacle))
    elif event.kind == "wall" and len(discs) == 1:
        what = surface_name(event.wall, event.obstacle, event.feature, obstacles)
        said = tr("disc {i} hits {what}", of=d, i=discs[0], what=what)
    elif event.kind == "pair" and len(discs) == 2:
        said = tr("discs {i} and {j} collide", of=d, i=discs[0], j=discs[1])
    else:
        named = ", ".join(map(str, discs[:DISCS_MOST])) + (", ..." if len(discs) > DISCS_MOST else "")
        said = tr("several contacts at once, of discs {discs}", of=d, discs=named)
    return tr("{event} at t = {time:.10g}", event=said, time=event.time)


def surface_name(wall: str | None, obstacle: int | None, feature: str | None, obstacles: Sequence[Obstacle]) -> str:
    """What a disc hits: "the top wall" or "'pipe', face 3"."""
    if obstacle is None:
        return tr("the {wall} wall", wall=tr(str(wall)))
    name = obstacle_name(obstacles, obstacle)
    return f"{name}, {feature_name(feature)}" if feature else name


def obstacle_name(obstacles: Sequence[Obstacle], index: int | None) -> str:
    """The name of an obstacle in quotes, or its shape and its index in the list of obstacles."""
    if index is None or not index < len(obstacles):
        return tr("an obstacle")
    obstacle = obstacles[index]
    return f"'{obstacle.name}'" if obstacle.name else f"{tr(type(obstacle).__name__.lower())} {index}"


def feature_name(feature: str) -> str:
    """The name of a feature, such as "face 3", in the language in use."""
    word, _, number = feature.partition(" ")
    return f"{tr(word)} {number}".rstrip()
