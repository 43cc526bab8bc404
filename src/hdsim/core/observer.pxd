# cython: language_level=3, wraparound=False, cdivision=True
"""Sums over a run: what observers keep of free flights and contacts, and their values at equally spaced times.

Knows discs that go straight from one clock to another, and contacts; no queue, no cells, no engine. Reads the discs and
never writes to them, so that looking cannot move a bit. Time averages of functions of the velocity are sums over flights,
exact and not sampled. All sums are doubles: what is counted stays exact up to 2^53.

Each observer has sums from its beginning on (`total`), their values at the edges of equal spans of time (`block`; when
there are too many, every second one is dropped and the spans are twice as long), a histogram, values of each disc, and
records of contacts. What a sum means is said at its kind.
"""
from libc.math cimport floor, sqrt
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from hdsim.core.disc cimport Disc, flown_x, flown_y, speed_of
from hdsim.core.boundary cimport LEFT
from hdsim.core.cluster cimport Contact
from hdsim.core.counters cimport CounterArray, counter_value


cdef enum:
    BLOCKS_MAX = 512            # a power of two
    FIRST_CONTACTS = 64         # the first span takes as many, or as many as there are discs ...
    POINTS = 16                 # lags on the finest level of a correlation; on the others, half as many are new
    SLICE_DISCS = 100000        # discs that are looked at before a run looks whether it is to stop
    NO_GROUP = -1               # of a disc that is not looked at
    RECORD = 6                  # numbers: time, disc, disc or wall, normal x and y, impulse
    WALLS = 4


cdef enum ObserverKind:         # S: groups of discs. First those that integrate over flights
    PRESSURE = 0                # total: sum J dx^2/|dr|, the same with dy; impulses on 4 walls; if `integral`, of m v^2 / 2
    ENERGY = 1                  # S integrals of m v^2 / 2
    SPEED = 2                   # S integrals of v, S of v^2; histograms, in time
    VELOCITY = 3                # S integrals of vx, vy, vx^2 and vy^2; histograms of vx, then of vy
    COUNTS = 4                  # (S, S) pairs, the lower group first; (S, 4) contacts with walls
    FREE_TIME = 5               # (S, 4): flights, and sums of their first three powers; histograms
    FREE_PATH = 6
    FLOW = 7                    # S crossings forwards, S backwards
    RECORDS = 8                 # nothing but records
    DISPLACEMENT = 9            # first of those that sample. L lags: times of origin; (S, L) sums of dr^2
    CORRELATION = 10            # ... of v . v
    REGIONS = 11                # samples, then (S, regions) discs inside


cdef struct BlockAveraging:     # what changes, but for the sums
    double begin, begin_low     # clock
    double width                # time between two edges; 0: not known yet
    double next                 # clock of the next edge
    long long edges             # passed so far
    long long stride            # edges from one block to the next
    long long blocks
    long long contacts          # as long as `width` is not known
    long long records, missed


cdef struct Series:             # an array of doubles
    double* at
    Py_ssize_t size


cdef struct Observer:
    int kind
    long long number            # which the caller chose; no two in a Watch are equal
    int n, groups
    int* group                  # [disc]
    int bins                    # of a histogram, besides one below and one above
    bint with_walls             # free flights end at walls too
    bint integral               # it integrates over flights
    bint one_group              # all discs are in the first group
    int axis                    # of a flow
    int levels                  # of a correlation
    long long most              # records
    double low, inverse         # histogram: where it begins, and bins per unit; flow: where the line is
    Series total, block, histogram, value, record, region
    BlockAveraging averaging


cdef struct Observers:          # the observers of one engine, and what they look at
    Observer** observer
    int count
    Observer** flight_observer  # those of them that look at flights ...
    int flight_observers
    Observer** contact_observer  # ... and those that look at contacts
    int contact_observers
    double next                 # the first of all edges
    const Disc* disc
    const CounterArray* images  # [2 * disc + axis] box lengths between the stored and the unwrapped position
    int n
    double length[2]            # of the box
    bint periodic[2]


cdef inline int series_create(Series* s, Py_ssize_t size) except -1 nogil:
    s.at = <double*>calloc(size if size > 0 else 1, sizeof(double))
    s.size = size
    if s.at == NULL:
        with gil:
            raise MemoryError(f"no memory for {size} sums of an observer")
    return 0


cdef inline int series_copy(Series* s, const Series* source) except -1 nogil:
    series_create(s, source.size)
    memcpy(s.at, source.at, source.size * sizeof(double))
    return 0


cdef inline int group_of(const Observer* o, int i) noexcept nogil:
    return 0 if o.one_group else o.group[i]     # most often one look less into memory


cdef inline void observer_free(Observer* o) noexcept nogil:
    if o == NULL:
        return
    free(o.group)
    free(o.total.at)
    free(o.block.at)
    free(o.histogram.at)
    free(o.value.at)
    free(o.record.at)
    free(o.region.at)
    free(o)


cdef inline Observer* observer_new(const Observer* source) except NULL:
    """An observer with the settings of another one and room for its groups and nothing else."""
    cdef Observer* o = <Observer*>calloc(1, sizeof(Observer))
    if o == NULL:
        raise MemoryError("no memory for an observer")
    o[0] = source[0]
    o.total.at = o.block.at = o.histogram.at = o.value.at = o.record.at = o.region.at = NULL
    o.group = <int*>calloc(o.n if o.n > 0 else 1, sizeof(int))
    if o.group == NULL:
        observer_free(o)
        raise MemoryError(f"no memory to observe {source.n} discs")
    if source.group != NULL:
        memcpy(o.group, source.group, o.n * sizeof(int))
    return o


cdef inline Observer* observer_copy(const Observer* source) except NULL:
    cdef Observer* o = observer_new(source)
    try:
        series_copy(&o.total, &source.total)
        series_copy(&o.block, &source.block)
        series_copy(&o.histogram, &source.histogram)
        series_copy(&o.value, &source.value)
        series_copy(&o.record, &source.record)
        series_copy(&o.region, &source.region)
    except BaseException:
        observer_free(o)
        raise
    return o


cdef inline int lags(int levels) noexcept nogil:
    return POINTS + POINTS // 2 * (levels - 1)


cdef inline int observer_size(Observer* o) except -1:
    """Room for the sums of an observer whose settings, but for the regions, are there."""
    cdef Py_ssize_t totals = 0, histograms = 0, values = 0
    cdef Py_ssize_t s = o.groups
    if o.kind == PRESSURE:
        totals = 2 + WALLS + 1
    elif o.kind == ENERGY:
        totals = s
    elif o.kind == SPEED:
        totals = 2 * s
        histograms = s
    elif o.kind == VELOCITY:
        totals = 4 * s
        histograms = 2 * s
    elif o.kind == COUNTS:
        totals = s * s + WALLS * s
    elif o.kind == FREE_TIME or o.kind == FREE_PATH:
        totals = 4 * s
        histograms = s
        values = 1
    elif o.kind == FLOW:
        totals = 2 * s
        values = 1
    elif o.kind == DISPLACEMENT or o.kind == CORRELATION:
        totals = (s + 1) * lags(o.levels)
        values = 2 * POINTS * o.levels
    elif o.kind == REGIONS:
        totals = 1 + s * (o.region.size // 4)
    elif o.kind != RECORDS:
        raise ValueError(f"no observer of kind {o.kind}")
    series_create(&o.total, totals)
    series_create(&o.block, totals * BLOCKS_MAX)
    series_create(&o.histogram, histograms * (o.bins + 2))
    series_create(&o.value, values * o.n)
    series_create(&o.record, 0)
    return 0


cdef inline void series_clear(Series* s) noexcept nogil:
    memset(s.at, 0, s.size * sizeof(double))


cdef inline void count_in(const Observer* o, double* histogram, double x, double weight) noexcept nogil:
    """Add `weight` to the bin of x; one too many bins on either side take the rest."""
    cdef double bin = (x - o.low) * o.inverse
    histogram[0 if bin < 0.0 else o.bins + 1 if bin >= o.bins else 1 + <int>bin] += weight


cdef inline void integrate(const Observer* o, int g, const Disc* d, double dt, double* total,
                           double* histogram) noexcept nogil:
    """Add dt times functions of the velocity of a disc of group g; to the histogram too, unless it is NULL."""
    cdef double xx = d.vx * d.vx
    cdef double yy = d.vy * d.vy
    cdef double speed
    cdef int s = o.groups
    if o.kind == PRESSURE:
        total[2 + WALLS] += 0.5 * d.mass * (xx + yy) * dt
    elif o.kind == ENERGY:
        total[g] += 0.5 * d.mass * (xx + yy) * dt
    elif o.kind == SPEED:
        speed = sqrt(xx + yy)
        total[g] += speed * dt
        total[s + g] += (xx + yy) * dt
        if histogram != NULL:
            count_in(o, histogram + g * (o.bins + 2), speed, dt)
    else:
        total[g] += d.vx * dt
        total[s + g] += d.vy * dt
        total[2 * s + g] += xx * dt
        total[3 * s + g] += yy * dt
        if histogram != NULL:
            count_in(o, histogram + g * (o.bins + 2), d.vx, dt)
            count_in(o, histogram + (s + g) * (o.bins + 2), d.vy, dt)


cdef inline double side_of(const Observer* o, const Observers* w, int i, double dt) noexcept nogil:
    """How many images of the line disc i has to its left (or below it) after so much time; unwrapped, so that the sum of
    differences is a difference."""
    cdef const Disc* d = &w.disc[i]
    cdef double x = flown_x(d, dt) if o.axis == 0 else flown_y(d, dt)
    cdef double turns
    if not w.periodic[o.axis]:
        return x >= o.low
    turns = floor(x / w.length[o.axis])
    x -= turns * w.length[o.axis]
    return (turns + counter_value(w.images, 2 * <Py_ssize_t>i + o.axis)) + (x >= o.low)


cdef inline void count_crossings(const Observer* o, int g, double crossings, double* total) noexcept nogil:
    if crossings > 0.0:
        total[g] += crossings
    else:
        total[o.groups + g] -= crossings


cdef inline void observer_flight(Observer* o, const Observers* w, int i, double dt) noexcept nogil:
    """Disc i has flown for a time dt, and is there."""
    cdef const Disc* d = &w.disc[i]
    cdef int g = group_of(o, i)
    cdef double side
    if g == NO_GROUP:
        return
    if o.integral:
        integrate(o, g, d, dt, o.total.at, o.histogram.at)
    elif o.kind == FREE_PATH:
        o.value.at[i] += speed_of(d) * dt
    elif o.kind == FLOW:
        side = side_of(o, w, i, 0.0)
        if side != o.value.at[i]:
            count_crossings(o, g, side - o.value.at[i], o.total.at)
            o.value.at[i] = side


cdef inline void end_flight(Observer* o, int i, double t) noexcept nogil:
    """A contact of disc i: its flight is complete, if its beginning has been seen. The values are clocks at which flights
    began, or paths so far."""
    cdef int g = group_of(o, i)
    cdef double x
    cdef double* total
    if g == NO_GROUP:
        return
    if o.kind == FREE_TIME:
        x = t - o.value.at[i]
        o.value.at[i] = t
    else:
        x = o.value.at[i]
        o.value.at[i] = 0.0
    if x >= 0.0:
        total = &o.total.at[4 * g]
        total[0] += 1.0
        total[1] += x
        total[2] += x * x
        total[3] += x * x * x
        count_in(o, o.histogram.at + g * (o.bins + 2), x, 1.0)


cdef inline void keep_record(Observer* o, const Contact* c, double time) noexcept nogil:
    """Write a contact down, if somebody wants it; what there is no memory for is missed, in the midst of an event."""
    cdef double size = sqrt(c.dx * c.dx + c.dy * c.dy)
    cdef double* row
    cdef Py_ssize_t room = o.record.size
    if (group_of(o, c.i) == NO_GROUP and (c.j < 0 or group_of(o, c.j) == NO_GROUP)) or (c.j < 0 and not o.with_walls):
        return
    if o.averaging.records < o.most and (o.averaging.records + 1) * RECORD > room:
        room = RECORD * min(<Py_ssize_t>o.most, 2 * <Py_ssize_t>o.averaging.records + 1024)
        row = <double*>realloc(o.record.at, room * sizeof(double))
        if row != NULL:
            o.record.at = row
            o.record.size = room
    if o.averaging.records == o.most or (o.averaging.records + 1) * RECORD > o.record.size:
        o.averaging.missed += 1
        return
    row = &o.record.at[RECORD * o.averaging.records]
    row[0] = time
    row[1] = c.i
    row[2] = c.j
    row[3] = c.dx / size
    row[4] = c.dy / size
    row[5] = c.impulse * size
    o.averaging.records += 1


cdef inline void observer_contact(Observer* o, const Contact* c, double t, double time) noexcept nogil:
    """A contact was executed at clock t."""
    cdef int a, b
    cdef double* total = o.total.at
    if o.kind == PRESSURE:
        if c.j < 0:
            total[2 + (c.j - LEFT)] += c.impulse
        else:
            total[0] += c.impulse * c.dx * c.dx
            total[1] += c.impulse * c.dy * c.dy
    elif o.kind == COUNTS:
        a = group_of(o, c.i)
        b = group_of(o, c.j) if c.j >= 0 else a
        if a == NO_GROUP or b == NO_GROUP:
            pass
        elif c.j < 0:
            total[o.groups * o.groups + WALLS * a + (c.j - LEFT)] += 1.0
        else:
            total[o.groups * min(a, b) + max(a, b)] += 1.0
    elif o.kind == FREE_TIME or o.kind == FREE_PATH:
        if c.j >= 0 or o.with_walls:
            end_flight(o, c.i, t)
        if c.j >= 0:
            end_flight(o, c.j, t)
    elif o.kind == RECORDS:
        keep_record(o, c, time)
