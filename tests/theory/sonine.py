"""Transport coefficients of a dilute gas of hard spheres from Sonine's series, by quadrature of the bracket integrals.

Independent of `hdsim.theory`: Boltzmann's collision integral with explicit collisions of two spheres, over Gaussian nodes for the
velocity of the centre of mass, the relative speed and the direction of the normal. All integrands are polynomials but for the
relative speed, so that the numbers of nodes below are exact.
"""
import itertools
import math

import numpy as np


def _collisions(order):
    """Velocities before and after of both spheres, (4, k, 3), and weights (k,), of collisions with the relative velocity along z
    and the normal in the plane y = 0, to which the rest is equal by symmetry; kT = m = 1."""
    number = 2 * order + 1
    x, w = np.polynomial.hermite_e.hermegauss(number)
    centre = np.array(list(itertools.product(x, repeat=3))) / math.sqrt(2)
    centre_weight = np.array([math.prod(c) for c in itertools.product(w, repeat=3)]) / (2 * math.pi) ** 1.5
    y, u = np.polynomial.legendre.leggauss(60)
    speed, speed_weight = 8 * (y + 1), 8 * u      # from 0 to 16
    speed_weight = speed_weight * speed**2 * np.exp(-speed**2 / 4) / (2 * math.sqrt(math.pi)) * speed       # times g: the rate
    cosine, cosine_weight = np.polynomial.legendre.leggauss(number)
    cosine, cosine_weight = (cosine + 1) / 2, cosine_weight / 2
    c, s, k = (node.ravel() for node in np.meshgrid(np.arange(len(centre)), np.arange(60), np.arange(number), indexing="ij"))
    normal = np.stack([np.sqrt(1 - cosine**2), np.zeros(number), cosine], axis=1)[k]
    g = speed[s][:, None] * np.array([0., 0., 1.])
    after = g - 2 * (g * normal).sum(1)[:, None] * normal
    weights = centre_weight[c] * speed_weight[s] * 2 * math.pi * (cosine * cosine_weight)[k]
    return np.stack([centre[c] + g / 2, centre[c] - g / 2, centre[c] + after / 2, centre[c] - after / 2]), weights


def _sonine(order, half, x):
    """(order, ...) polynomials S_half^(q)(x), q = 0 ... order - 1, by their recurrence."""
    found = [np.ones_like(x), 1 + half - x]
    for q in range(1, order):
        found.append(((2 * q + 1 + half - x) * found[q] - (q + half) * found[q - 1]) / (q + 1))
    return np.stack(found[:order])


def _functions(kind, order, v):
    """(order, components, ...) the trial functions of diffusion, viscosity or conductivity at velocities v (..., 3)."""
    square = (v**2).sum(-1) / 2
    if kind == "viscosity":
        tensors = [v[..., i] * v[..., j] - (i == j) * 2 / 3 * square for i in range(3) for j in range(3)]
        return _sonine(order, 2.5, square)[:, None] * np.stack(tensors)
    vectors = np.moveaxis(v, -1, 0)
    polynomials = _sonine(order + 1, 1.5, square)
    return (polynomials[:order] if kind == "diffusion" else polynomials[1:])[:, None] * vectors


def sonine_factor(kind, order):
    """The coefficient in this order of Sonine's series divided by that of the first order."""
    velocities, weights = _collisions(order)
    f = [_functions(kind, order, v) for v in velocities]
    if kind == "diffusion":                     # of one marked sphere
        change = f[0] - f[2]
    else:
        change = f[0] + f[1] - f[2] - f[3]
    matrix = np.einsum("pak,qak,k->pq", change, change, weights)
    unit = np.eye(order)[0]                     # only the first function has a flux
    return np.linalg.solve(matrix, unit)[0] * matrix[0, 0]
