"""Observing: observers that a window attaches to the system it shows, and finds again. They never change a run; but while one is
attached, discs cannot be edited, so that a window detaches them before an edit and attaches new ones after it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...observers import Observer


class OwnObservers:
    """A set of observers on one system at a time, with a label of their own. A copy of that system (a restart, a step back in
    time) has twins of them under this label: they are taken over, with the sums that they had at that time."""

    def __init__(self, label: str) -> None:
        self.label = f"hdsim viewer: {label}"
        self.observers: list[Any] = []

    def attach(self, system: Any, make: Callable[[], Sequence[Observer]]) -> bool:
        """Observe `system`: with its twins of these observers, if they are of the same types as those that `make` returns, else
        with these new ones. True if the sums go on from an earlier time."""
        fresh, found = list(make()), self._labelled(system)
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
        """Remove all observers with this label from `system`, twins included, and from the system before."""
        self._drop([*self.observers, *self._labelled(system)])
        self.observers = []

    @staticmethod
    def _drop(observers: Sequence[Observer]) -> None:
        for observer in observers:
            observer.detach()

    def _labelled(self, system: Any) -> list[Observer]:
        return [observer for observer in system.observers if observer.label == self.label]
