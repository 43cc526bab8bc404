"""Observing: observers that a window attaches to its system. They never change a run; but discs cannot be edited while an
observer is attached, so a window detaches them before an edit and attaches new ones after it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...model.offering import OWN
from ...observers import Observer


class OwnObservers:
    """A set of observers on one system at a time, with a label. A copy of that system (after a restart or a step back in time)
    has copies of them with this label, which are used in their place, with the sums of that time."""

    def __init__(self, label: str) -> None:
        self.label = OWN + label
        self.observers: list[Any] = []

    def attach(self, system: Any, make: Callable[[], Sequence[Observer]]) -> bool:
        """Observe `system`, with its copies of these observers if they have the types of those that `make` returns, otherwise
        with new ones from `make`. Returns True if copies are used, whose sums continue."""
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
        """Remove all observers with this label from `system`, and from the system observed before."""
        self._drop([*self.observers, *self._labelled(system)])
        self.observers = []

    @staticmethod
    def _drop(observers: Sequence[Observer]) -> None:
        for observer in observers:
            observer.detach()

    def _labelled(self, system: Any) -> list[Observer]:
        return [observer for observer in system.observers if observer.label == self.label]
