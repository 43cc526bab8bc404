"""Powers of size: slopes in log-log plots."""
from __future__ import annotations

from typing import Any

import numpy as np


def log_slope(sizes: np.ndarray, values: Any, least: float = 0.0) -> np.ndarray:
    """The power of the size with which values grow: the slope of log(values) in log(sizes), by least squares.

    sizes: (n,). values: (m,), or (m, k) for k slopes, of the first m <= n sizes. least: smaller sizes do not count.
    """
    values = np.asarray(values, dtype=float)
    sizes = np.asarray(sizes)[:len(values)]
    fit = sizes >= least
    return np.polyfit(np.log(sizes[fit]), np.log(values[fit]), 1)[0]
