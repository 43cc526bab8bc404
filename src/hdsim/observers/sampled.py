"""`Sampled`: observers that look at equal steps of time."""
from __future__ import annotations

from typing import Any

from .observer import Observer, _positive


class Sampled(Observer):
    """What is sampled: at its beginning and every `every` time units from there on."""

    def __init__(self, every: float, species: Any = None, **options: Any) -> None:
        super().__init__(species, every=_positive("every", every), **options)
