"""Offering: what a system offers to hands, which decides what is offered to them; and the observers of windows."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..language import tr
from .box import lengths_of
from .gates import gates_among
from .motion import moves
from .roles import (Editable, Fixed, HasObstacles, HasThermalSides, KeepsLedgers, Observable, OfSpace, Saves, ShowsCells,
                    ShowsQueue, offers)

OWN = "hdsim viewer: "      # how the label of an observer begins that a window has attached


def unchangeable(system: Any) -> str:
    """Why the discs of this system cannot be changed by hand, in a few words; "" if they can."""
    if not offers(system, Editable) or offers(system, Fixed):
        return tr("the discs of this system cannot be changed", of=len(lengths_of(system.box)))
    if offers(system, Observable) and any(not _is_own(observer) for observer in system.observers):
        return tr("a program measures these discs: they stay as they are", of=len(lengths_of(system.box)))
    return ""


def irreversible(system: Any) -> str:
    """Why the velocities of this system cannot be reversed by hand, in a few words; "" if they can. Obstacles that move are
    changed, and then nothing may be measured."""
    reason = unchangeable(system)
    return reason if reason and offers(system, HasObstacles) and any(map(moves, system.obstacles)) else ""


def lacking(system: Any, need: str) -> str:
    """Why something that needs this, a key of NEEDS, cannot be done with the system now, in a few words; "" if it can."""
    return NEEDS[need](system) if need else ""


NEEDS: dict[str, Callable[[Any], str]] = {
    "changes": unchangeable,
    "reversal": irreversible,
    "obstacles": lambda system: unchangeable(system) or (
        tr("spheres have no obstacles") if _in_space(system) else
        "" if offers(system, HasObstacles) else tr("this engine has no obstacles")),
    "sides": lambda system: unchangeable(system) or (
        "" if offers(system, HasThermalSides) and not offers(system, OfSpace) else tr("nothing can be put on to this box")),
    "queue": lambda system: "" if offers(system, ShowsQueue) else tr("this system does not show its queue"),
    "cells": lambda system: "" if offers(system, ShowsCells) else tr("this system shows no cells"),
    "gates": lambda system: tr("spheres have no gates") if _in_space(system)
    else "" if offers(system, KeepsLedgers) and gates_among(system.obstacles)
    else tr("there is no gate: D draws one") if not unchangeable(system) else tr("there is no gate"),
    "box": lambda system: tr("the curve is for discs in a box") if offers(system, OfSpace) or _in_space(system) else "",
    "space": lambda system: "" if _in_space(system) else tr("discs are seen from above"),
    "saves": lambda system: "" if offers(system, Saves) else tr("this engine writes no files of its state"),
}


def _in_space(system: Any) -> bool:
    """Whether the box has three dimensions."""
    return len(lengths_of(system.box)) == 3


def without_own(system: Any) -> Any:
    """The system without the observers of windows, which version 0.1 saved with it."""
    for observer in system.observers if offers(system, Observable) else ():
        if _is_own(observer):
            observer.detach()
    return system


def _is_own(observer: Any) -> bool:
    return (observer.label or "").startswith(OWN)
