"""Species: whole numbers by which obstacles tell discs apart."""
from __future__ import annotations

import numpy as np

SPECIES_MAX = 2**31 - 1     # the largest number of a species in size: the core has 32 bits for it


def numbered_species(radii: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The species of discs for which none were given, (n,) int64: pairs of equal radius and mass are numbered 0, 1, ... in order
    of appearance."""
    if len(radii) == 0 or (radii == radii[0]).all() and (masses == masses[0]).all():
        return np.zeros(len(radii), dtype=np.int64)
    _, first, inverse = np.unique(np.stack((radii, masses)), axis=1, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.ravel()]
