"""`Sphere`: one hard sphere, with the methods that `Particle` has for a disc."""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..model.box import Box, BoxLike, as_box
from ..model.numbers import real, shown, whole
from .engines import core_of

if TYPE_CHECKING:
    Vector = tuple[float, float, float]

IMAGES_FAR = 8      # box lengths within which `time_to_hit` looks for images on periodic axes


def _vector(name: str, values: Any) -> Vector:
    """Three finite numbers as a tuple. TypeError or ValueError, with `name`, for others."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or len(values) != 3:
        raise ValueError(f"{name} is {shown(values)}; it must be three numbers")
    found = tuple(real(name, value) for value in values)
    if not all(map(math.isfinite, found)):
        raise ValueError(f"{name} is {shown(found)}; it must be finite")
    return found        # type: ignore[return-value]


class Sphere:
    """One hard sphere: what `Particle` is in the plane.

    position: (x, y, z), length units. velocity: (vx, vy, vz), length / time. radius >= 0. mass > 0, or infinite for a sphere that
    is fixed or driven at its velocity. color: (red, green, blue), 0 ... 255. box: its box; the unit cube with six walls by
    default. count: contacts so far, walls included. TypeError or ValueError if a value is not allowed.

    A Sphere read from a system is a copy: changing it does not change the system.

    >>> import hdsim
    >>> one, other = hdsim.Sphere((.2, .5, .5), (1, 0, 0), .1, 1), hdsim.Sphere((.8, .5, .5), (0, 0, 0), .1, 1)
    >>> one.time_to_hit(other)
    0.4
    """

    def __init__(self, position: Sequence[float], velocity: Sequence[float], radius: float, mass: float,
                 color: Sequence[int] = (0, 0, 0), *, box: BoxLike | None = None, count: int = 0) -> None:
        self.position, self.velocity = _vector("position", position), _vector("velocity", velocity)
        self.radius, self.mass = real("radius", radius), real("mass", mass)
        if not 0 <= self.radius < math.inf:
            raise ValueError(f"radius is {shown(radius)}; it must be >= 0 and finite")
        if not self.mass > 0:
            raise ValueError(f"mass is {shown(mass)}; it must be > 0, or infinite for a fixed sphere")
        self.color = tuple(whole("color", part) for part in color)
        if len(self.color) != 3 or not all(0 <= part <= 255 for part in self.color):
            raise ValueError(f"color is {shown(color)}; it must be three integers 0 ... 255")
        self.box = as_box(box, Box(depth=1.0))
        if self.box.dimension != 3:
            raise ValueError(f"box is {shown(box)}; a sphere is in a box with a depth")
        self.count = whole("count", count)

    def __repr__(self) -> str:
        return (f"Sphere(position={self.position!r}, velocity={self.velocity!r}, radius={self.radius!r}, mass={self.mass!r}, "
                f"color={self.color!r})")

    def move(self, dt: float) -> None:
        """Move by the velocity times dt, straight through walls and other spheres. ValueError for a dt that is not finite."""
        time = real("dt", dt)
        if not math.isfinite(time):
            raise ValueError(f"dt is {shown(dt)}; it must be finite")
        self.position = _vector("position", [x + v * time for x, v in zip(self.position, self.velocity)])

    def time_to_hit(self, that: Sphere) -> float:
        """Time until this sphere touches `that`, if both go straight on; inf if never, 0 if they touch and approach. On periodic
        axes `that` stands for all of its images within eight box lengths."""
        if self is that or self.mass == that.mass == math.inf:
            return math.inf
        nearest, dv = self._apart(that), [v - u for u, v in zip(self.velocity, that.velocity)]
        turns = [range(-IMAGES_FAR, IMAGES_FAR + 1) if periodic else (0,) for periodic in self.box.periodic]
        images = ([d + k * length for d, k, length in zip(nearest, image, self.box.lengths)]
                  for image in itertools.product(*turns))
        found: float = min(core_of(3).time_until_contact(d, dv, self.radius + that.radius) for d in images)
        return found

    def time_to_hit_wall(self, axis: int) -> float:
        """Time until this sphere touches a wall across an axis: 0 for left and right, 1 for bottom and top, 2 for back and front;
        inf if never. IndexError for another axis."""
        x, v, far = self.position[axis], self.velocity[axis], self.box.lengths[axis] - self.radius
        found: float = math.inf if self.box.periodic[axis] else core_of(3).time_until_wall(x, v, self.radius, far)
        return found

    def bounce_off(self, that: Sphere) -> None:
        """Collide elastically with `that`, which must touch this sphere; both velocities change. If the spheres do not approach,
        they stay the same. The contact is counted in any case. ValueError for the sphere itself, and for two spheres of infinite
        mass."""
        if self is that:
            raise ValueError("a sphere cannot collide with itself")
        if self.mass == that.mass == math.inf:
            raise ValueError("two spheres of infinite mass cannot collide")
        self.velocity, that.velocity, _ = core_of(3).velocities_after(self._apart(that), self.velocity, self.mass,
                                                                      that.velocity, that.mass)
        self.count += 1
        that.count += 1

    def bounce_off_wall(self, axis: int) -> None:
        """Reflect at a wall across an axis, 0, 1 or 2. IndexError for another one."""
        after = list(self.velocity)
        after[axis] = -after[axis]
        self.velocity = _vector("velocity", after)
        self.count += 1

    def kinetic_energy(self) -> float:
        """m v^2 / 2; 0 for infinite mass, because such a sphere takes no part in the exchange of energy."""
        return 0.0 if self.mass == math.inf else 0.5 * self.mass * math.fsum(v * v for v in self.velocity)

    def _apart(self, that: Sphere) -> list[float]:
        """The vector to the centre of `that`, in its nearest image on periodic axes."""
        between = [y - x for x, y in zip(self.position, that.position)]
        return [d - length * math.floor(d / length + 0.5) if periodic else d
                for d, length, periodic in zip(between, self.box.lengths, self.box.periodic)]
