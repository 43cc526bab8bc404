"""The arguments of formulas for mixtures: 1-D arrays with one entry for each species."""
from __future__ import annotations

import numpy as np

from .arguments import Values, _not_negative, _positive


def species_arrays(fractions: Values, *others: tuple[str, Values]) -> list[np.ndarray]:
    """The fractions, normalised to the sum 1, and the other arrays, all of shape (k,). ValueError for different shapes."""
    arrays = [_not_negative("fractions", fractions), *(_positive(name, values) for name, values in others)]
    shapes = [a.shape for a in arrays]
    if any(shape != shapes[0] or len(shape) != 1 for shape in shapes):
        raise ValueError(f"fractions, {', '.join(name for name, _ in others)} have the shapes {shapes}; "
                         "each must have one entry for each species")
    if not arrays[0].sum() > 0:
        raise ValueError("fractions are all 0; one at least must be positive")
    return [arrays[0] / arrays[0].sum(), *arrays[1:]]
