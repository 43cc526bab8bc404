"""An integral by quadrature, for tests of formulas."""
import numpy as np


def integral(f, low, high, n=20_000):
    """Midpoint rule: plain, and independent of what theory.py does."""
    x = low + (np.arange(n) + 0.5) * ((high - low) / n)
    return np.asarray(f(x)).sum(axis=-1) * ((high - low) / n)
