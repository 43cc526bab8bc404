# Where discs are at a clock, and in which image of a periodic box.
# uses: state, sides, gates, observing
from hdsim.core.axes cimport AXES
from hdsim.core.box cimport no_image, wrapped
from hdsim.core.disc cimport Disc, flown_along, stream
from hdsim.core.fall cimport fallen
from hdsim.core.counters cimport CounterArray, counter_add
from hdsim.core.queue cimport unlikely


cdef inline void stream_to(EngineC* e, int i, double t) noexcept nogil:
    """Move the stored state of disc i to clock t (streaming). Only for discs in a contact event at t: any other call would change
    the rounding of its later contacts."""
    cdef double dt = t - e.disc[i].t
    if unlikely((e.gates.permissions > 0) | e.obstacles.delicate):
        stream_among_obstacles(e, i, dt, t, t)
    else:
        stream(&e.disc[i], dt, t)
    wrap_disc(e, i)
    if e.observers.count > 0:
        report_flight(e, i, dt)


cdef void stream_among_obstacles(EngineC* e, int i, double dt, double at, double clock) noexcept nogil:
    """Move the stored state of disc i by dt to the clock `at`, which becomes `clock`. A disc in the doorway of a gate may have
    left it, and rounding may have put a very small disc across a face."""
    cdef Flown flown
    flown.before = e.disc[i]
    flown.t = at
    if e.gates.permissions > 0:
        end_permissions(e, i, at)
    stream(&e.disc[i], dt, clock)
    if e.obstacles.delicate:
        wrap_disc(e, i)             # which may round it across
        keep_sides(e, i, &flown)


cdef inline void wrap_disc(EngineC* e, int i) noexcept nogil:
    """Wrap the stored position of disc i into the box on periodic axes. Most often it is inside already."""
    cdef Disc* d = &e.disc[i]
    cdef int k
    for k in range(AXES):
        if e.box.periodic[k] and not 0.0 <= d.r[k] < e.box.length[k]:
            wrap_along(&d.r[k], e.box.length[k], &d.wrap.at[k], &e.counters.images, AXES * <Py_ssize_t>i + k)


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
    cdef int i, k
    cdef double dt, at
    cdef long long turns
    cdef Real x
    for i in range(first, last):
        dt = (clock - e.disc[i].t) + low
        for k in range(AXES):
            at = flown_along(&e.disc[i], k, dt)
            if e.law.fall.falls:
                at += fallen(&e.law.fall, k, clock + low)
            x = <Real>(wrapped(at, e.box.length[k], &turns) if e.box.periodic[k] else at)
            # A coordinate below the box length as a double may round to that length as a float.
            out[(i - first) * row + k * column] = <Real>0.0 if e.box.periodic[k] and x >= e.box.length[k] else x


cdef inline void find_place(EngineC* e, int i, double clock, double low, double* r) noexcept nogil:
    """The position of disc i at clock + low, wrapped into the box; with gravity, in the falling frame. Sets the image of its
    cell, because the caller puts it into the cell at this position."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = (clock - d.t) + low
    cdef long long turns
    cdef int k
    d.wrap = no_image()
    for k in range(AXES):
        r[k] = flown_along(d, k, dt)
        if e.box.periodic[k]:
            r[k] = wrapped(r[k], e.box.length[k], &turns)
            d.wrap.at[k] = <int>turns


cdef struct Moment:             # an engine, and the clock at which the positions of its discs are wanted
    EngineC* engine
    double clock, low


cdef void place_at(const void* moment, Py_ssize_t i, double* r) noexcept nogil:
    """A PositionOf for `refinements_for_positions`: the position of disc i at the clock of `moment`, a Moment."""
    cdef const Moment* m = <const Moment*>moment
    find_place(m.engine, <int>i, m.clock, m.low, r)
