"""Many runs of one kind: ensembles of independent replicas, and sweeps over a grid of parameters."""
from __future__ import annotations

from .replicas import Average, Ensemble, ensemble

__all__ = ["Average", "Ensemble", "ensemble"]


def __dir__() -> list[str]:
    return sorted(__all__)
