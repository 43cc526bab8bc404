# Particle: one disc, with the methods of the book's class.
# uses: nothing
from libc.math cimport INFINITY, fabs, floor, isfinite

from hdsim.core.law cimport rebound
from hdsim.core.pair cimport bounce_discs, time_to_disc, time_to_wall

from cpython.object cimport PyObject_GenericSetAttr

from hdsim.model.numbers import real, shown, whole


cdef double first_image(double dx, double dy, double dvx, double dvy, double contact, double period_x,
                        double period_y) noexcept nogil:
    """Time until a disc touches the first image of another one, at (dx, dy) from it, going through the images in order of x. A
    period of 0: no images along that axis."""
    cdef double best = INFINITY
    cdef double last = INFINITY     # no image touches later: without images along y, the discs have passed each other there
    cdef double enter, leave, low, high, x
    cdef long long step, b
    if period_y == 0.0 and dvy != 0.0:
        last = (1.0 + 1e-9) * ((-dy if dvy > 0.0 else dy) + contact) / fabs(dvy)
    elif period_y == 0.0 and fabs(dy) > contact:
        return INFINITY
    for step in range(-1, 100000 if period_x > 0.0 and dvx != 0.0 else 2):
        x = dx - (step if dvx > 0.0 else -step) * period_x
        enter = max(0.0, ((-x if dvx > 0.0 else x) - contact) / fabs(dvx)) if dvx != 0.0 else 0.0
        if enter > min(best, last):
            break
        if period_y == 0.0:
            best = min(best, time_to_disc(x, dy, dvx, dvy, contact))
            continue
        leave = max(0.0, ((-x if dvx > 0.0 else x) + contact) / fabs(dvx)) if dvx != 0.0 else 0.0
        low = dy + min(dvy * enter, dvy * leave)
        high = dy + max(dvy * enter, dvy * leave)
        for b in range(<long long>floor((-high - contact) / period_y),
                       <long long>floor((contact - low) / period_y) + 2):
            best = min(best, time_to_disc(x, dy + b * period_y, dvx, dvy, contact))
    return best


cdef inline double double_of(str name, object value) except? -1.0:
    """`value` as a double. Errors have `name`: TypeError for no number, ValueError for one beyond the range of a double."""
    return <double>value if type(value) is float else real(name, value)


cdef double finite_of(str name, object value) except? -1.0:
    """`value` as a finite double. Errors as for `double_of`; ValueError, with `name`, for others."""
    cdef double number = double_of(name, value)
    if not isfinite(number):
        raise ValueError(f"{name} is {number!r}; it must be finite")
    return number


cdef long long count_of(object value) except? -1:
    """`value` as a number of contacts. Errors have its name: TypeError for no whole number, ValueError for one that is too
    large."""
    cdef object number = whole("count", value)
    if not -(1 << 62) <= number <= 1 << 62:
        raise ValueError(f"count is {shown(number)}; it must be at most 2^62 in size")
    return number


def _color_of(value):
    """`value` as a colour. ValueError, with its name, for others."""
    color = ()
    try:
        color = tuple([whole("color", part) if not isinstance(part, float) else int(part) for part in value])
    except (TypeError, ValueError, OverflowError):
        pass
    if len(color) != 3 or not all([0 <= part <= 255 for part in color]):
        raise ValueError(f"color is {shown(value)}; it must be three integers 0 ... 255")
    return color


cdef class Particle:
    """Particle(rx, ry, vx, vy, radius, mass, color=(0, 0, 0), *, width=1.0, height=1.0, periodic=(False, False), count=0)
--

One disc, with the methods of the book's `Particle` (Sedgewick and Wayne, Algorithms, 4th ed., 6.1).

    rx, ry: centre. vx, vy: velocity. radius >= 0. mass > 0, or infinite for a disc that is fixed or driven at its velocity.
    Lengths are in the unit of width and height. color: (red, green, blue), 0 ... 255. count: contacts so far, walls
    included. width, height, periodic: its box; by default the unit box with four walls. ValueError if a value is not allowed.

    A Particle read from a system is a copy: changing it does not change the system.
    """
    cdef public double rx, ry, vx, vy
    cdef readonly double radius, mass, width, height
    cdef readonly tuple color
    cdef readonly tuple periodic
    cdef public long long count

    def __init__(self, rx, ry, vx, vy, radius, mass, color=(0, 0, 0), *, width=1.0, height=1.0, periodic=(False, False),
                 count=0):
        rx, ry = finite_of("rx", rx), finite_of("ry", ry)
        vx, vy, radius = finite_of("vx", vx), finite_of("vy", vy), finite_of("radius", radius)
        mass, width, height = double_of("mass", mass), double_of("width", width), double_of("height", height)
        if radius < 0.0:
            raise ValueError(f"radius is {shown(radius)}; it must be >= 0")
        if not mass > 0.0:
            raise ValueError(f"mass is {shown(mass)}; it must be > 0, or infinite for a fixed disc")
        if not (0.0 < width < INFINITY and 0.0 < height < INFINITY):
            raise ValueError(f"the box is {shown(width)} x {shown(height)}; both sides must be positive and finite")
        color, count = _color_of(color), count_of(count)
        if not isinstance(periodic, (tuple, list)) or len(periodic) != 2:
            raise ValueError(f"periodic is {shown(periodic)}; it must be a pair (x, y) of booleans")
        self.rx = rx
        self.ry = ry
        self.vx = vx
        self.vy = vy
        self.radius = radius
        self.mass = mass
        self.color = color
        self.width = width
        self.height = height
        self.periodic = (bool(periodic[0]), bool(periodic[1]))
        self.count = count

    def __setattr__(self, str name, value):
        if name in ("rx", "ry", "vx", "vy"):
            value = finite_of(name, value)
        elif name == "count":
            value = count_of(value)
        PyObject_GenericSetAttr(self, name, value)

    def __repr__(self):
        return (f"Particle(rx={self.rx!r}, ry={self.ry!r}, vx={self.vx!r}, vy={self.vy!r}, radius={self.radius!r}, "
                f"mass={self.mass!r}, color={self.color!r})")

    def __reduce__(self):
        return particle_again, (self.rx, self.ry, self.vx, self.vy, self.radius, self.mass, self.color,
                                self.width, self.height, self.periodic, self.count)

    def move(self, dt):
        """Move by the velocity times dt, straight through walls and other discs. ValueError for a dt that is not finite."""
        cdef double time = finite_of("dt", dt)
        self.rx += self.vx * time
        self.ry += self.vy * time

    def time_to_hit(self, Particle that not None):
        """Time until this disc touches `that`, if both go straight on; inf if never, 0 if they touch and approach. On periodic
        axes `that` stands for all of its images, up to 100000 box lengths away."""
        cdef double dvx = that.vx - self.vx
        cdef double dvy = that.vy - self.vy
        cdef double dx = self.offset(that.rx - self.rx, 0)
        cdef double dy = self.offset(that.ry - self.ry, 1)
        cdef double contact = self.radius + that.radius
        cdef double period_x = self.width if self.periodic[0] else 0.0
        cdef double period_y = self.height if self.periodic[1] else 0.0
        if self is that or (self.mass == INFINITY and that.mass == INFINITY):
            return INFINITY
        # Go through the images in order along the axis on which the relative motion passes them faster.
        if period_x == 0.0 or (period_y > 0.0 and fabs(dvy) * period_x > fabs(dvx) * period_y):
            return first_image(dy, dx, dvy, dvx, contact, period_y, period_x)
        return first_image(dx, dy, dvx, dvy, contact, period_x, period_y)

    cdef double offset(self, double d, int axis) except? -1.0:
        """The distance d along an axis, to the nearest image if the axis is periodic."""
        cdef double length = self.height if axis else self.width
        return d - length * floor(d / length + 0.5) if self.periodic[axis] else d

    def time_to_hit_vertical_wall(self):
        """Time until this disc touches the left or right wall; inf if never."""
        return INFINITY if self.periodic[0] else time_to_wall(self.rx, self.vx, self.radius, self.width - self.radius)

    def time_to_hit_horizontal_wall(self):
        """Time until this disc touches the bottom or top wall; inf if never."""
        return INFINITY if self.periodic[1] else time_to_wall(self.ry, self.vy, self.radius, self.height - self.radius)

    def bounce_off(self, Particle that not None):
        """Collide elastically with `that`, which must touch this disc; both velocities change. If the discs do not approach, they
        stay the same. The contact is counted in any case, as in the book. ValueError for the disc itself, and for two discs of
        infinite mass."""
        cdef double dx = self.offset(that.rx - self.rx, 0)
        cdef double dy = self.offset(that.ry - self.ry, 1)
        if self is that:
            raise ValueError("a disc cannot collide with itself")
        if self.mass == INFINITY and that.mass == INFINITY:
            raise ValueError("two discs of infinite mass cannot collide")
        if dx * (that.vx - self.vx) + dy * (that.vy - self.vy) < 0.0:
            bounce_discs(dx, dy, &self.vx, &self.vy, self.mass, &that.vx, &that.vy, that.mass, rebound())
        self.count += 1
        that.count += 1

    def bounce_off_vertical_wall(self):
        """Reflect at the left or right wall."""
        self.vx = -self.vx
        self.count += 1

    def bounce_off_horizontal_wall(self):
        """Reflect at the bottom or top wall."""
        self.vy = -self.vy
        self.count += 1

    def kinetic_energy(self):
        """m v^2 / 2; 0 for infinite mass, because such a disc takes no part in the exchange of energy."""
        return 0.0 if self.mass == INFINITY else 0.5 * self.mass * (self.vx * self.vx + self.vy * self.vy)


def particle_again(rx, ry, vx, vy, radius, mass, color, width, height, periodic, count):
    """A Particle from its pickled fields."""
    return Particle(rx, ry, vx, vy, radius, mass, color, width=width, height=height, periodic=periodic, count=count)
