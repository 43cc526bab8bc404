"""Watching: observers that a window attaches to the system it shows, and finds again. They never change a run; but while one is
attached, discs cannot be edited, so that a window lets go before an edit and begins anew after it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...observers import Observer


class Watch:
    """A set of observers on one system at a time, known by a label. A copy of that system (a restart, a step back in time)
    has twins of them under this label: they are taken over, with the sums that they had at that time."""

    def __init__(self, label: str) -> None:
        self.label = f"hdsim viewer: {label}"
        self.observers: list[Any] = []

    def attach(self, system: Any, make: Callable[[], Sequence[Observer]]) -> bool:
        """Observe `system`: with the twins it has of ours, if they are as many as `make` gives, else with new ones; True if
        these go on from what was seen before."""
        fresh, found = list(make()), self._ours(system)
        if [type(observer) for observer in found] == [type(observer) for observer in fresh]:
            self._drop([observer for observer in self.observers if all(observer is not own for own in found)])
            self.observers = found
            return True
        self.detach(system)
        for observer in fresh:
            observer.label = self.label
            system.observe(observer)
        self.observers = fresh
        return False

    def detach(self, system: Any) -> None:
        """Leave nothing of ours on `system`, whoever brought it there, nor on the system before."""
        self._drop([*self.observers, *self._ours(system)])
        self.observers = []

    @staticmethod
    def _drop(observers: Sequence[Observer]) -> None:
        for observer in observers:
            observer.detach()

    def _ours(self, system: Any) -> list[Observer]:
        return [observer for observer in system.observers if observer.label == self.label]
