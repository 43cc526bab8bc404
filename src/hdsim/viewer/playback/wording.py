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


def refusal_of(error: Exception, obstacles: Sequence[Obstacle]) -> Refusal:
    """An error of an edit as a refusal. obstacles: those of the system."""
    if isinstance(error, RuntimeError):     # what stands behind tells a program what to call
        return Refusal(str(error).partition(". ")[0].partition("; ")[0])
    if not isinstance(error, NoRoomError):
        return Refusal(str(error))
    others, there = error.others, error.obstacle if error.disc is not None else None
    if len(others) > 1:
        return Refusal(tr("no room: discs {i} and {j} would overlap", i=others[0], j=others[1]), others)
    what = tr("disc {i}", i=others[0]) if others else surface_name(error.wall, there, None, obstacles)
    return Refusal(tr("no room: {what} is in the way", what=what), others, there)


def jam_of(error: JammedError) -> str:
    """Why a run cannot go on, in the words of a user."""
    if isinstance(error, CollapseError):
        named = ", ".join(map(str, error.particles[:DISCS_MOST])) + (", ..." if len(error.particles) > DISCS_MOST else "")
        return tr("collapse: discs {discs} lose energy in infinitely many contacts; a contact time ends that", discs=named)
    return str(error).partition("; ")[0]    # what stands behind is for programs


def body_name(i: int, dimension: int) -> str:
    """What a disc or a sphere is called."""
    return tr("disc {i}", i=i) if dimension == 2 else tr("sphere {i}", i=i)


def counted(n: int, dimension: int) -> str:
    """So many discs or spheres."""
    return tr("{n:,} discs", n=n) if dimension == 2 else tr("{n:,} spheres", n=n)


def describe(event: Any, obstacles: Sequence[Obstacle] = ()) -> str:
    """An event in a sentence, with its time; None: nothing will ever happen. obstacles: those of the system."""
    if event is None:
        return tr("nothing will ever happen")
    discs = event.particles
    ball = any(len(contact.normal) > 2 for contact in getattr(event, "contacts", ()))       # which not all engines tell
    if event.kind == "device":
        name = obstacle_name(obstacles, event.obstacle)
        comes = event.obstacle < len(obstacles) and is_there(obstacles[event.obstacle], event.time)
        said = tr("{what} comes" if comes else "{what} goes", what=name)
    elif event.kind == "pass":
        said = tr("disc {i} passes {what}", i=discs[0], what=obstacle_name(obstacles, event.contacts[0].obstacle))
    elif event.kind == "wall" and len(discs) == 1:
        what = surface_name(event.wall, event.obstacle, event.feature, obstacles)
        said = tr("sphere {i} hits {what}" if ball else "disc {i} hits {what}", i=discs[0], what=what)
    elif event.kind == "pair" and len(discs) == 2:
        said = tr("spheres {i} and {j} collide" if ball else "discs {i} and {j} collide", i=discs[0], j=discs[1])
    else:
        named = ", ".join(map(str, discs[:DISCS_MOST])) + (", ..." if len(discs) > DISCS_MOST else "")
        said = tr("several contacts at once, of spheres {discs}" if ball else "several contacts at once, of discs {discs}",
                  discs=named)
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
