# Where discs are at a clock, and in which image of a periodic box.
# uses: state, observing
from libc.math cimport floor

from hdsim.core.candidates cimport Disc
from hdsim.core.counters cimport CounterArray, counter_add


cdef inline double wrapped(double x, double length, long long* turns) noexcept nogil:
    """x wrapped into [0, length); `turns` gets how many times `length` was subtracted. If the result would round to `length`, it
    is 0, and one more is subtracted."""
    cdef double k
    turns[0] = 0
    if 0.0 <= x < length:
        return x
    k = floor(x / length)
    x -= k * length
    if x < 0.0:
        x += length
        k -= 1.0
    if x >= length:
        x -= length
        k += 1.0
    turns[0] = <long long>k
    return x


cdef inline void stream_to(EngineC* e, int i, double t) noexcept nogil:
    """Move the stored state of disc i to clock t (streaming). Only for discs in a contact event at t: any other call would change
    the rounding of its later contacts."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = t - d.t
    d.x += d.vx * dt
    d.y += d.vy * dt
    d.t = t
    wrap_disc(e, i)
    if e.observers.count > 0:
        report_flight(e, i, dt)


cdef inline void wrap_disc(EngineC* e, int i) noexcept nogil:
    """Wrap the stored position of disc i into the box on periodic axes. Most often it is inside already."""
    cdef Disc* d = &e.disc[i]
    if e.box.periodic_x and not 0.0 <= d.x < e.box.width:
        wrap_along(&d.x, e.box.width, &d.wrap_x, &e.counters.images, 2 * <Py_ssize_t>i)
    if e.box.periodic_y and not 0.0 <= d.y < e.box.height:
        wrap_along(&d.y, e.box.height, &d.wrap_y, &e.counters.images, 2 * <Py_ssize_t>i + 1)


cdef void wrap_along(double* x, double length, int* wrap, CounterArray* images, Py_ssize_t k) noexcept nogil:
    """Wrap a coordinate of a stored position that is outside the box, with the image of its disc. wrap: of the disc, along this
    axis. k: index of the disc and axis in `images`."""
    cdef long long turns
    x[0] = wrapped(x[0], length, &turns)
    wrap[0] -= <int>turns
    counter_add(images, k, turns)


cdef fused Real:
    float
    double


cdef void fill_positions(const EngineC* e, int first, int last, double clock, double low, Real* out, Py_ssize_t row,
                         Py_ssize_t column) noexcept nogil:
    """Write the positions of discs first ... last - 1 at clock + low to `out`, wrapped into the box on periodic axes. row,
    column: strides of `out`, in numbers."""
    cdef int i
    cdef double dt
    cdef long long turns
    cdef Real x, y
    for i in range(first, last):
        dt = (clock - e.disc[i].t) + low
        x = <Real>(e.disc[i].x + e.disc[i].vx * dt) if not e.box.periodic_x else <Real>wrapped(
            e.disc[i].x + e.disc[i].vx * dt, e.box.width, &turns)
        y = <Real>(e.disc[i].y + e.disc[i].vy * dt) if not e.box.periodic_y else <Real>wrapped(
            e.disc[i].y + e.disc[i].vy * dt, e.box.height, &turns)
        # A coordinate below the box length as a double may round to that length as a float.
        out[(i - first) * row] = <Real>0.0 if e.box.periodic_x and x >= e.box.width else x
        out[(i - first) * row + column] = <Real>0.0 if e.box.periodic_y and y >= e.box.height else y


cdef inline void find_place(EngineC* e, int i, double clock, double low, double* x, double* y) noexcept nogil:
    """The position of disc i at this clock, wrapped into the box. Sets wrap_x and wrap_y of the disc, because the caller puts it
    into the cell at this position."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = (clock - d.t) + low
    cdef long long turns
    x[0] = d.x + d.vx * dt
    y[0] = d.y + d.vy * dt
    d.wrap_x = d.wrap_y = 0
    if e.box.periodic_x:
        x[0] = wrapped(x[0], e.box.width, &turns)
        d.wrap_x = <int>turns
    if e.box.periodic_y:
        y[0] = wrapped(y[0], e.box.height, &turns)
        d.wrap_y = <int>turns


cdef void place_now(const void* engine, Py_ssize_t i, double* x, double* y) noexcept nogil:
    """A PlaceOf for `refinements_for_places`: the position of disc i at the clock of the system."""
    cdef EngineC* e = <EngineC*>engine
    find_place(e, <int>i, e.clock.now, e.clock.now_low, x, y)
