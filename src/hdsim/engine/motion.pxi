# Where discs are at a clock, and in which image of a periodic box.
# uses: state, observing
from hdsim.core.box cimport wrapped
from hdsim.core.disc cimport Disc, flown_x, flown_y, stream
from hdsim.core.counters cimport CounterArray, counter_add


cdef inline void stream_to(EngineC* e, int i, double t) noexcept nogil:
    """Move the stored state of disc i to clock t. Only for discs that take part in an event at t."""
    cdef double dt = t - e.disc[i].t
    stream(&e.disc[i], dt, t)
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
    cdef double dt, at_x, at_y
    cdef long long turns
    cdef Real x, y
    for i in range(first, last):
        dt = (clock - e.disc[i].t) + low
        at_x = flown_x(&e.disc[i], dt)
        at_y = flown_y(&e.disc[i], dt)
        x = <Real>(wrapped(at_x, e.box.width, &turns) if e.box.periodic_x else at_x)
        y = <Real>(wrapped(at_y, e.box.height, &turns) if e.box.periodic_y else at_y)
        # What is below a length as a double may round to it as a float.
        out[(i - first) * row] = <Real>0.0 if e.box.periodic_x and x >= e.box.width else x
        out[(i - first) * row + column] = <Real>0.0 if e.box.periodic_y and y >= e.box.height else y


cdef inline void find_place(EngineC* e, int i, double clock, double low, double* x, double* y) noexcept nogil:
    """Where in the box disc i is, at this clock; its cell is to be in this image."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = (clock - d.t) + low
    cdef long long turns
    x[0] = flown_x(d, dt)
    y[0] = flown_y(d, dt)
    d.wrap_x = d.wrap_y = 0
    if e.box.periodic_x:
        x[0] = wrapped(x[0], e.box.width, &turns)
        d.wrap_x = <int>turns
    if e.box.periodic_y:
        y[0] = wrapped(y[0], e.box.height, &turns)
        d.wrap_y = <int>turns


cdef struct Moment:             # the clock at which an engine is looked at
    EngineC* engine
    double clock, low


cdef void place_at(const void* moment, Py_ssize_t i, double* x, double* y) noexcept nogil:
    """For `refinements_for_positions`: where disc i is at this moment."""
    cdef const Moment* m = <const Moment*>moment
    find_place(m.engine, <int>i, m.clock, m.low, x, y)
