"""`Sampled`: base class of observers that read the state of the system at equally spaced times."""
from __future__ import annotations

from typing import Any

from .observer import Observer, _positive


class Sampled(Observer):
    """An observer that takes samples at its beginning and after every further `every` time units. ValueError for an `every` that
    is not positive and finite."""

    def __init__(self, every: float, species: Any = None, **options: Any) -> None:
        super().__init__(species, every=_positive("every", every), **options)
