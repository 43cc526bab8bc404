"""`Space`, the base class of all spaces: what a gas needs of a space, and the search for contacts in an own one."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _spaces
from ..model.numbers import shown

Array = Any         # of floats; the last axis holds the coordinates of a position

CONVEX = "convex"
STEPS_MAX = 1000    # of a search, after which contacts are known up to the time that it has reached
SLIDE = 1e-8        # part of the shortest time of a change by which touching bodies advance that neither approach nor recede
SHARE = 1 - 2.0**-50    # part of a certified step that is certified in spite of its rounding
State = tuple[list[float], list[float], float]     # position, velocity, clock


class Space:
    """A space in which balls move and collide. Subclass it for a space of your own; `Norm`, `Polytope`, `Sphere` and `Hyperbolic`
    are the spaces that the compiled engine knows.

    A space is a set of positions, arrays of `coordinates` numbers (at most 8), with a distance, free motions, and a kinetic
    energy that they conserve. An own space defines `coordinates`, `advance`, `distance`, `gradient` and `certificate`, and
    `kinetic` unless it is v.v / 2. A gas in it compares all pairs, in Python; everything else is as in the other spaces: order
    of events, elastic contacts (momenta change along the differential of the distance, kinetic energy is kept), simultaneous
    contacts, callbacks.

    >>> from hdsim import spaces
    >>> class Plane(spaces.Space):
    ...     coordinates = 2
    ...     def advance(self, position, velocity, dt):
    ...         return position + velocity * dt, velocity
    ...     def distance(self, a, b):
    ...         return np.hypot(*(b - a))
    ...     def gradient(self, a, b):
    ...         n = (b - a) / self.distance(a, b)
    ...         return -n, n
    ...     def certificate(self, a, velocity_a, b, velocity_b):
    ...         return "convex"
    >>> spaces.Gas(Plane(), [(0, 0), (3, 0)], [(1, 0), (0, 0)], radii=.5).next_event().time
    2.0
    """

    coordinates: int = 0        # numbers of a position

    @property
    def dimension(self) -> int:
        """Degrees of freedom of a body."""
        return self.coordinates

    # -- what an own space defines

    def advance(self, position: Array, velocity: Array, dt: float) -> tuple[Array, Array]:
        """Position and velocity after free motion for a time dt >= 0. The result for dt = 0 must be the arguments."""
        raise NotImplementedError(f"{type(self).__name__} must define advance(position, velocity, dt)")

    def distance(self, a: Array, b: Array) -> float:
        """The distance of two positions. Bodies touch where it is the sum of their radii."""
        raise NotImplementedError(f"{type(self).__name__} must define distance(a, b)")

    def gradient(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The differentials of the distance with respect to a and to b: arrays n such that n . v is its rate of change if that
        position moves with velocity v."""
        raise NotImplementedError(f"{type(self).__name__} must define gradient(a, b)")

    def certificate(self, a: Array, velocity_a: Array, b: Array, velocity_b: Array) -> str | float:
        """What makes sure that no contact of two bodies that move freely is missed: "convex" if their distance is a convex
        function of time; else a number M > 0 such that its second derivative is never below -M where the distance is at least
        the contact distance."""
        raise NotImplementedError(f"{type(self).__name__} must define certificate(a, velocity_a, b, velocity_b)")

    def kinetic(self, position: Array, velocity: Array) -> float:
        """Kinetic energy of a body of mass 1, a quadratic function of the velocity. Free motion must conserve it."""
        return 0.5 * np.sum(np.square(velocity), axis=-1)

    # -- for a gas

    def admit(self, positions: np.ndarray, velocities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities (n, coordinates) of a new gas, brought into the space if they are off it by rounding.
        ValueError, naming the body, for others."""
        return positions, velocities

    def core(self) -> dict[str, Any]:
        """The space for the compiled engine."""
        ones = [1.0] * self.coordinates
        return {"kind": "own", "axes": self.coordinates, "radius": 0.0, "norm": "euclidean", "p": 2.0, "scale": ones,
                "ease": ones, "extent": ones, "facets": []}

    def described(self) -> dict[str, Any]:
        """Class and arguments as plain data, for a checkpoint. ValueError for an own space: only pickle can save its class."""
        raise ValueError(f"{type(self).__name__} is a space of your own: a file cannot hold it. Use pickle")

    # -- what the engine calls, for an own space, with lists instead of arrays

    def moved(self, position: list[float], velocity: list[float], dt: float) -> tuple[list[float], list[float]]:
        """`advance`, for the engine."""
        x, v = self.advance(np.array(position), np.array(velocity), dt)
        return self._numbers("advance", x), self._numbers("advance", v)

    def gap(self, a: list[float], b: list[float]) -> float:
        """`distance`, for the engine."""
        return float(self.distance(np.array(a), np.array(b)))

    def contact(self, a: list[float], b: list[float]) -> tuple[list[float], ...]:
        """The two differentials of the distance, and the changes of velocity that they give, as momenta, to bodies of mass 1."""
        x, y = np.array(a), np.array(b)
        near, far = self.gradient(x, y)
        return (self._numbers("gradient", near), self._numbers("gradient", far), self._kick(x, np.asarray(near)),
                self._kick(y, np.asarray(far)))

    def _numbers(self, method: str, values: Any) -> list[float]:
        array = np.asarray(values, dtype=float)
        if array.shape != (self.coordinates,) or not np.isfinite(array).all():
            raise ValueError(f"{type(self).__name__}.{method} returned {shown(values)}; expected {self.coordinates} finite "
                             f"numbers")
        return [float(x) for x in array]

    def _kick(self, position: np.ndarray, n: np.ndarray) -> list[float]:
        """The velocity whose momentum, the differential of the kinetic energy, is n."""
        if type(self).kinetic is Space.kinetic:
            return [float(x) for x in n]
        unit = np.eye(self.coordinates)
        alone = [float(self.kinetic(position, e)) for e in unit]
        metric = np.array([[2 * alone[i] if i == k else float(self.kinetic(position, unit[i] + unit[k])) - alone[i] - alone[k]
                            for k in range(self.coordinates)] for i in range(self.coordinates)])
        twice = float(self.kinetic(position, 2 * n))
        if not math.isclose(twice, 2 * float(n @ metric @ n), rel_tol=1e-9):
            raise ValueError(f"{type(self).__name__}.kinetic is not a quadratic function of the velocity, as the law of contact "
                             "needs")
        return [float(x) for x in np.linalg.solve(metric, n)]

    def contact_time(self, a: State, b: State, contact: float, now: float, limit: float) -> tuple[float, float]:
        """(clock at which two bodies touch, clock up to which that is known). The first is infinity if there is no contact up to
        the second, or up to `limit`. It depends on the two stored states alone, not on `now`. contact: the sum of the radii."""
        t = max(a[2], b[2])
        at = [self.advance(np.array(x), np.array(v), t - clock) for x, v, clock in (a, b)]
        bound = self.certificate(at[0][0], at[0][1], at[1][0], at[1][1])
        if bound == CONVEX:
            return self._convex_time(a, b, t, contact, limit), math.inf
        if isinstance(bound, str) or not 0 < bound < math.inf:
            raise ValueError(f"{type(self).__name__}.certificate returned {shown(bound)}; expected \"convex\" or a positive "
                             f"number")
        return self._bounded_time(a, b, t, contact, float(bound), now, limit)

    def _approach(self, a: State, b: State, t: float, h: float, contact: float) -> tuple[float, float]:
        """The gap at the clock t + h, and its rate of change: the same sum, to the last bit, as when the contact is due, because
        a contact that is predicted for now and then found not to approach would be predicted for ever."""
        (x, v), (y, w) = (self.advance(np.array(x), np.array(v), (t - clock) + h) for x, v, clock in (a, b))
        near, far = self.gradient(x, y)
        rate = _spaces.rate_of_change(*(self._numbers(name, values) for name, values in (
            ("gradient", near), ("gradient", far), ("advance", v), ("advance", w))))
        return float(self.distance(x, y)) - contact, rate

    def _convex_time(self, a: State, b: State, t: float, contact: float, limit: float) -> float:
        """Newton's method from the left, which never passes the first zero of a convex function."""
        h = 0.0
        while t + h <= limit:
            gap, slope = self._approach(a, b, t, h, contact)
            if not slope < 0:
                return math.inf
            next = h + max(gap, 0.0) / -slope * SHARE
            if next == h:
                return t + h
            h = next
        return math.inf

    def _bounded_time(self, a: State, b: State, t: float, contact: float, bound: float, now: float, limit: float
                      ) -> tuple[float, float]:
        """Steps that certainly contain no contact: up to the zero of the parabola that the gap cannot be below. They begin anew
        at the multiples of a span that suits the pair, so that a contact is found by the same steps whenever it is searched."""
        span = math.sqrt(contact / bound)
        turn = math.floor(max(now - t, 0.0) / span)
        h = turn * span
        for _ in range(STEPS_MAX):
            if t + h > limit:
                return math.inf, math.inf
            gap, slope = self._approach(a, b, t, h, contact)
            if gap > 0:
                root = math.sqrt(slope * slope + 2 * bound * gap)
                step = 2 * gap / (root - slope) if slope < 0 else (slope + root) / bound
            else:
                step = 0.0 if slope < 0 else max(slope / bound, SLIDE * span)
            next = h + step * SHARE
            if next == h:
                if t + h > t or self._approach(a, b, t, 0.0, contact)[1] < 0:
                    return t + h, math.inf
                next = h + max(SLIDE * span, math.ulp(t))       # they slide: leave this clock
            if next >= (turn + 1) * span:
                turn += 1
                next = turn * span
            h = next
        return math.inf, t + h
