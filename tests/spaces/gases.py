"""Places, velocities and walls of gases in several spaces."""
import numpy as np

from hdsim import spaces


def lattice(n, d, jitter, rng):
    """(n, d) positions near a simple cubic lattice in the unit cube. jitter: in lattice constants."""
    per_side = int(np.ceil(n ** (1 / d) - 1e-9))
    places = np.stack(np.meshgrid(*[np.arange(per_side)] * d, indexing="ij"), -1).reshape(-1, d)[:n]
    return (places + 0.5 + rng.uniform(-jitter, jitter, (n, d))) / per_side


def on_sphere(n, radius=1.0):
    """(n, 3) points spread evenly over a sphere."""
    k = np.arange(n) + 0.5
    z, turn = 1 - 2 * k / n, np.pi * (1 + 5**0.5) * k
    s = np.sqrt(1 - z * z)
    return radius * np.column_stack([s * np.cos(turn), s * np.sin(turn), z])


def tangent(x, v):
    """(n, 3) velocities made tangent to the sphere about the origin."""
    return v - (np.sum(x * v, axis=1) / np.sum(x * x, axis=1))[:, None] * x


def in_plane(x, q):
    """(n, 3) tangent vectors of the hyperboloid of the lengths of q, (n, 2): q moved from (1, 0, 0) to x."""
    along = np.sum(x[:, 1:] * q, axis=1)
    return np.column_stack([along, q + x[:, 1:] * (along / (1 + x[:, 0]))[:, None]])


def octagon():
    """The walls of the regular geodesic octagon with angles of 45 degrees."""
    height = np.arccosh(np.cos(np.pi / 8) / np.sin(np.pi / 8))
    return [spaces.Hyperplane((np.sinh(height), np.cosh(height) * np.cos(a), np.cosh(height) * np.sin(a)))
            for a in np.arange(8) * np.pi / 4]


def box(d=2, length=1.0):
    """The walls of the cube [0, length]^d."""
    return [spaces.Hyperplane(axis, offset) for axis in np.eye(d) for offset in (0.0, length)]


def scattered(n, least, rng, reach=0.85):
    """(n, 3) points of the hyperbolic plane, at least `least` apart, and that far from the walls of the octagon."""
    space, points = spaces.Hyperbolic(), []
    normals = np.array([wall.core(0, space, "hyperbolic")[:3] for wall in octagon()])
    while len(points) < n:
        z = rng.uniform(-reach, reach, 2)
        if z @ z < reach * reach:
            p = space.point(*z)
            if (normals @ p < -np.sinh(least)).all() and all(space.distance(p, q) > least for q in points):
                points.append(p)
    return np.array(points)
