# Where discs are at a clock, and in which image of a periodic box.
# uses: state, observing
from libc.math cimport floor

from hdsim.core.candidates cimport Disc
from hdsim.core.counters cimport CounterArray, counter_add


cdef inline double wrapped(double x, double length, long long* turns) noexcept nogil:
    """x taken back into [0, length); `turns` lengths were subtracted. What rounds to `length` is 0."""
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
    """Move the stored state of disc i to clock t. Only for discs that take part in an event at t."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = t - d.t
    d.x += d.vx * dt
    d.y += d.vy * dt
    d.t = t
    wrap_disc(e, i)
    if e.observers.count > 0:
        report_flight(e, i, dt)


cdef inline void wrap_disc(EngineC* e, int i) noexcept nogil:
    """Take the stored position of disc i back into the box on periodic axes. Most often it is in it."""
    cdef Disc* d = &e.disc[i]
    if e.box.periodic_x and not 0.0 <= d.x < e.box.width:
        wrap_along(&d.x, e.box.width, &d.wrap_x, &e.counters.images, 2 * <Py_ssize_t>i)
    if e.box.periodic_y and not 0.0 <= d.y < e.box.height:
        wrap_along(&d.y, e.box.height, &d.wrap_y, &e.counters.images, 2 * <Py_ssize_t>i + 1)


cdef void wrap_along(double* x, double length, int* wrap, CounterArray* images, Py_ssize_t k) noexcept nogil:
    """The part along one axis."""
    cdef long long turns
    x[0] = wrapped(x[0], length, &turns)
    wrap[0] -= <int>turns
    counter_add(images, k, turns)


cdef fused Real:
    float
    double


cdef void fill_positions(const EngineC* e, int first, int last, double clock, double low, Real* out, Py_ssize_t row,
                         Py_ssize_t column) noexcept nogil:
    """Where discs first ... last - 1 are at a clock, wrapped into the box on periodic axes. row, column: strides of `out`, in
    numbers."""
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
        # What is below a length as a double may round to it as a float.
        out[(i - first) * row] = <Real>0.0 if e.box.periodic_x and x >= e.box.width else x
        out[(i - first) * row + column] = <Real>0.0 if e.box.periodic_y and y >= e.box.height else y


cdef inline void find_place(EngineC* e, int i, double clock, double low, double* x, double* y) noexcept nogil:
    """Where in the box disc i is, at this clock; its cell is to be in this image."""
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
    """For `refinements_for_places`: where disc i is at the clock of the system."""
    cdef EngineC* e = <EngineC*>engine
    find_place(e, <int>i, e.clock.now, e.clock.now_low, x, y)
