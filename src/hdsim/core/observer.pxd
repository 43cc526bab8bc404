# cython: language_level=3, wraparound=False, cdivision=True
"""The sums of an observer over the free flights and contacts of a run, and their values at equally spaced times.

Knows discs in free flight from one clock to another, and contacts; no queue, no cells, no engine. Reads the discs and never
writes to them, so that observing a run does not change a bit of it. Time averages of functions of the velocity are sums over
flights, exact and not sampled. All sums are doubles: counts are exact up to 2^53.

Each observer has sums from its beginning on (`total`), their values at the edges of equal spans of time (`block`; when
there are too many, every second one is dropped and the spans are twice as long), a histogram, values of each disc, and
records of contacts. The comments of ObserverKind tell what the sums of each kind are.
"""
from libc.math cimport INFINITY, fabs, floor, sqrt
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from hdsim.core.axes cimport AXES, dot, square
from hdsim.core.disc cimport Disc, flown_along, speed_of
from hdsim.core.box cimport Box
from hdsim.core.boundary cimport SIDES
from hdsim.core.cluster cimport Contact
from hdsim.core.counters cimport CounterArray, counter_value
from hdsim.core.law cimport energy_lost
from hdsim.core.fall cimport Fall, fallen
from hdsim.core.flight cimport Arc, add_arc, arc_of_flight, energy_along, mean_along, square_along, turns_back
from hdsim.core.profile cimport BIN, TENSOR, Slabs, add_contact, add_flight
from hdsim.core.thermal cimport Emission


cdef enum:
    BLOCKS_MAX = 512            # a power of two
    FIRST_CONTACTS = 64         # the first span of time has this number of contacts, or one per disc if these are more
    POINTS = 16                 # lags on the finest level of a correlation; each further level adds half as many
    SLICE_DISCS = 100000        # discs that are read in one time slice, after which a run checks whether it must stop
    NO_GROUP = -1               # group of a disc that is not observed
    RECORD = AXES + 4           # numbers of a record: time, disc, disc or wall, the normal, impulse
    CARRIED = TENSOR + AXES     # numbers of what is carried: momentum, a tensor, and energy, a vector
    FROM_SURFACE = AXES + 4     # numbers of each surface


cdef enum ObserverKind:         # and the content of `total`, for S groups of discs. Up to VELOCITY: integrals over flights
    PRESSURE = 0                # for each axis, sum of J dx^2/|dr|; impulses on SIDES walls; if `integral`, integral of m v^2 / 2
    ENERGY = 1                  # S integrals of m v^2 / 2
    SPEED = 2                   # S integrals of v, S of v^2; histograms, weighted by time
    VELOCITY = 3                # for each axis, S integrals of v; then of v^2; histograms of v, axis by axis
    COUNTS = 4                  # (S, S) contacts of pairs, the lower group first; (S, SIDES) contacts with walls
    FREE_TIME = 5               # (S, 4): number of flights, sums of the first three powers of their times; histograms
    FREE_PATH = 6               # likewise, of their lengths
    FLOW = 7                    # S crossings forwards, S backwards
    RECORDS = 8                 # no sums, only records
    STRESS = 9                  # the tensor of the momentum that flights and contacts have carried
    SURFACES = 10               # (SIDES + `most` obstacles, FROM_SURFACE): contacts, impulse on discs, work, energy taken, heat
    PROFILE = 11                # (bins, BIN), see profile.pxd
    DISPLACEMENT = 12           # the first kind that samples. For L lags: number of time origins; (S, L) sums of dr^2
    CORRELATION = 13            # likewise, sums of v . v
    REGIONS = 14                # number of samples, then (S, regions) sums of discs inside
    TRANSPORT = 15              # for L lags, number of time origins; squared deviators; traces, and their squares; energies


cdef struct BlockAveraging:     # the state of an observer, apart from its sums
    double begin, begin_low     # clock of the beginning
    double width                # time between two edges; 0: not known yet
    double next                 # clock of the next edge
    long long edges             # passed so far
    long long stride            # edges from one block to the next
    long long blocks
    long long contacts          # counted as long as `width` is not known
    long long records, missed   # contacts that were recorded, and that could not be


cdef struct Series:             # an array of doubles
    double* at
    Py_ssize_t size


cdef struct Observer:
    int kind
    long long number            # chosen by the caller; no two observers of an engine have the same
    int n, groups
    int* group                  # [disc]
    int bins                    # of a histogram, besides one for values below and one for values above
    bint with_walls             # free flights end at walls too
    bint integral               # it integrates over flights
    bint one_group              # all discs are in the first group
    int axis                    # of a flow or profile
    int levels                  # of a correlation
    long long most              # records, at most; of surfaces: obstacles
    double low, inverse         # histogram: where it begins, and bins per unit; flow: position of the line
    Series total, block, histogram, value, record
    Series region               # edges of regions; of what is carried, the velocity of the centre of mass
    const Fall* fall            # gravity, when it is one of an engine
    BlockAveraging averaging


cdef struct Observers:          # the observers of one engine, and what they read
    Observer** observer
    int count
    Observer** flight_observer  # the observers to which flights are reported ...
    int flight_observers
    Observer** contact_observer  # ... and those to which contacts are reported
    int contact_observers
    double next                 # clock of the earliest edge of all
    const Disc* disc
    const CounterArray* images  # [AXES * disc + axis] box lengths between the stored and the unwrapped position
    int n
    const Box* box
    const Fall* fall            # gravity


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
    return 0 if o.one_group else o.group[i]     # most often this saves a memory access


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
    """A new observer with the settings and groups of another one, and no arrays yet. Raises MemoryError."""
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
    """A copy with all sums. Raises MemoryError."""
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
    """Number of lags of a correlation with this number of levels."""
    return POINTS + POINTS // 2 * (levels - 1)


cdef inline int observer_size(Observer* o) except -1:
    """Create the arrays of an observer, all zero, by its settings; `region` must have its size already. Raises MemoryError, or
    ValueError for an unknown kind, and for a region of another size than its kind has."""
    cdef Py_ssize_t totals = 0, histograms = 0, values = 0
    cdef Py_ssize_t s = o.groups
    if (o.kind == STRESS or o.kind == TRANSPORT) and o.region.size != AXES:
        raise ValueError(f"the velocity of the centre of mass has {AXES} components, got {o.region.size}")
    if o.kind == PRESSURE:
        totals = AXES + SIDES + 1
    elif o.kind == ENERGY:
        totals = s
    elif o.kind == SPEED or o.kind == VELOCITY:
        histograms = s if o.kind == SPEED else AXES * s
        totals = 2 * histograms
    elif o.kind == COUNTS:
        totals = s * s + SIDES * s
    elif o.kind == FREE_TIME or o.kind == FREE_PATH:
        totals = 4 * s
        histograms = s
        values = 1
    elif o.kind == FLOW:
        totals = 2 * s
        values = 1
    elif o.kind == DISPLACEMENT or o.kind == CORRELATION:
        totals = (s + 1) * lags(o.levels)
        values = AXES * POINTS * o.levels
    elif o.kind == REGIONS:
        totals = 1 + s * (o.region.size // (2 * AXES))
    elif o.kind == STRESS:
        totals = TENSOR
    elif o.kind == TRANSPORT:
        totals = 5 * lags(o.levels)
    elif o.kind == SURFACES:
        totals = (SIDES + o.most) * FROM_SURFACE
    elif o.kind == PROFILE:
        totals = BIN * o.bins
    elif o.kind != RECORDS:
        raise ValueError(f"no observer of kind {o.kind}")
    series_create(&o.total, totals)
    series_create(&o.block, totals * BLOCKS_MAX)
    series_create(&o.histogram, histograms * (o.bins + 2))
    series_create(&o.value, values * o.n if o.kind != TRANSPORT else CARRIED * (1 + POINTS * o.levels))
    series_create(&o.record, 0)
    return 0


cdef inline void series_clear(Series* s) noexcept nogil:
    memset(s.at, 0, s.size * sizeof(double))


cdef inline void count_in(const Observer* o, double* histogram, double x, double weight) noexcept nogil:
    """Add `weight` to the bin of x; one more bin on each side takes the values outside."""
    cdef double bin = (x - o.low) * o.inverse
    histogram[0 if bin < 0.0 else o.bins + 1 if bin >= o.bins else 1 + <int>bin] += weight


cdef inline void carry_on(const Observer* o, const Disc* d, double dt, double* carried) noexcept nogil:
    """Add the momentum that a disc carries along in a flight for a time dt, for `TRANSPORT` also the energy, as seen from the
    centre of mass: m u u dt and m u^2 / 2 u dt."""
    cdef double u[AXES]
    cdef int a, b, k = 0
    for a in range(AXES):
        u[a] = d.v[a] - o.region.at[a]
    for a in range(AXES):
        for b in range(a, AXES):
            carried[k] += d.mass * u[a] * u[b] * dt
            k += 1
    if o.kind == TRANSPORT:
        for a in range(AXES):
            carried[TENSOR + a] += 0.5 * d.mass * square(u) * u[a] * dt


cdef inline void carry_across(const Observer* o, const Disc* disc, const Contact* c, double* carried) noexcept nogil:
    """Add the momentum that a contact carries along d from disc i to disc j, or along the radius to a wall; for `TRANSPORT` also
    the energy, J n . V, with V the velocity of the centre of mass of the two. Of contacts of one instant that share discs, V is
    that after all of them."""
    cdef double way = 1.0 if c.j >= 0 else disc[c.i].radius
    cdef double share, energy = 0.0
    cdef int a, b, k = 0
    for a in range(AXES):
        for b in range(a, AXES):
            carried[k] += c.impulse * c.d[a] * c.d[b] * way
            k += 1
    if o.kind == TRANSPORT and c.j >= 0:
        share = disc[c.i].mass / (disc[c.i].mass + disc[c.j].mass)
        for a in range(AXES):
            energy += c.impulse * c.d[a] * (share * disc[c.i].v[a] + (1.0 - share) * disc[c.j].v[a] - o.region.at[a])
        for a in range(AXES):
            carried[TENSOR + a] += energy * c.d[a]


cdef inline double* sums_of(Observer* o) noexcept nogil:
    """Where flights and contacts are summed up: what is carried, for `TRANSPORT`, whose `total` is that of samples."""
    return o.value.at if o.kind == TRANSPORT else o.total.at


cdef inline Slabs slabs_of(const Observer* o) noexcept nogil:
    """The slabs of a profile: `low` is 1 on a periodic axis, else 0."""
    return Slabs(o.axis, o.bins, o.inverse, o.low != 0.0)


cdef inline void fly(const Observer* o, const Disc* d, double begin, double end, double dt, double* total) noexcept nogil:
    """Add a flight of a disc between two coordinates to a profile."""
    cdef Slabs s = slabs_of(o)
    add_flight(&s, d, begin, end, dt, total)


cdef inline void integrate_falling(const Observer* o, int g, const Arc* arc, double* total, double* histogram) noexcept nogil:
    """`integrate` with gravity, of the kinds that have closed forms there."""
    cdef int s = o.groups
    cdef int k
    cdef Slabs slabs
    if o.kind == PROFILE:
        slabs = slabs_of(o)
        add_arc(&slabs, arc, total)
    elif o.kind == PRESSURE:
        total[AXES + SIDES] += energy_along(arc)
    elif o.kind == ENERGY:
        total[g] += energy_along(arc)
    else:
        for k in range(AXES):
            total[k * s + g] += mean_along(arc, k)
            total[(AXES + k) * s + g] += square_along(arc, k)
            if histogram != NULL:
                spread_in(o, histogram + (k * s + g) * (o.bins + 2), arc.v[k], arc.v[k] + arc.g[k] * arc.span,
                          arc.sign * arc.span)


cdef inline void spread_in(const Observer* o, double* histogram, double begin, double end, double weight) noexcept nogil:
    """Add `weight` to the bins between two numbers, to each by its part of the way."""
    cdef double low = min(max((min(begin, end) - o.low) * o.inverse, -1.0), o.bins)
    cdef double high = min(max((max(begin, end) - o.low) * o.inverse, -1.0), o.bins)
    cdef double per = 1.0 / (fabs(end - begin) * o.inverse) if end != begin else 0.0
    cdef double outside
    cdef int k
    if not per * fabs(weight) < INFINITY or per == 0.0 or high - low == 0.0:
        count_in(o, histogram, begin, weight)
        return
    for k in range(<int>max(floor(low), 0.0), <int>min(floor(high) + 1.0, o.bins)):
        histogram[1 + k] += weight * per * max(min(high, k + 1.0) - max(low, <double>k), 0.0)
    outside = -(min(begin, end) - o.low) * o.inverse
    histogram[0] += weight * min(per * max(outside, 0.0), 1.0)
    outside = (max(begin, end) - o.low) * o.inverse - o.bins
    histogram[o.bins + 1] += weight * min(per * max(outside, 0.0), 1.0)


cdef inline void carry_in_slabs(const Observer* o, const Disc* disc, const Contact* c, const double* momentum,
                                double* total) noexcept nogil:
    """Add to a profile the momentum that a contact takes from disc i: to disc j, or to where it touches a surface."""
    cdef Slabs s = slabs_of(o)
    cdef double part = 1.0 if c.j >= 0 else disc[c.i].radius / sqrt(square(c.d))
    cdef double way[AXES]
    cdef int k
    for k in range(AXES):
        way[k] = part * c.d[k]
    add_contact(&s, momentum, way, disc[c.i].r[o.axis] + fallen(o.fall, o.axis, disc[c.i].t), total)


cdef inline void integrate(const Observer* o, int g, const Disc* d, double dt, double* total,
                           double* histogram) noexcept nogil:
    """Add dt times functions of the velocity of a disc of group g to `total`, and dt to the histogram unless that is NULL."""
    cdef double vv = square(d.v)
    cdef double speed
    cdef int s = o.groups
    cdef int k
    cdef Arc arc
    if o.fall.falls:
        arc = arc_of_flight(o.fall, d, dt, True)
        integrate_falling(o, g, &arc, total, histogram)
    elif o.kind == STRESS or o.kind == TRANSPORT:
        carry_on(o, d, dt, total)
    elif o.kind == PROFILE:     # the disc is stored at the end
        fly(o, d, d.r[o.axis] - d.v[o.axis] * dt, d.r[o.axis], dt, total)
    elif o.kind == PRESSURE:
        total[AXES + SIDES] += 0.5 * d.mass * vv * dt
    elif o.kind == ENERGY:
        total[g] += 0.5 * d.mass * vv * dt
    elif o.kind == SPEED:
        speed = sqrt(vv)
        total[g] += speed * dt
        total[s + g] += vv * dt
        if histogram != NULL:
            count_in(o, histogram + g * (o.bins + 2), speed, dt)
    else:
        for k in range(AXES):
            total[k * s + g] += d.v[k] * dt
            total[(AXES + k) * s + g] += d.v[k] * d.v[k] * dt
            if histogram != NULL:
                count_in(o, histogram + (k * s + g) * (o.bins + 2), d.v[k], dt)


cdef inline double side_of(const Observer* o, const Observers* w, int i, double dt) noexcept nogil:
    """Number of images of the line to the left of disc i (or below it, or behind it) after a further time dt, in unwrapped
    coordinates: its change between two times is the number of crossings in between, forwards less backwards."""
    cdef double x = flown_along(&w.disc[i], o.axis, dt) + fallen(w.fall, o.axis, w.disc[i].t + dt)
    cdef double turns
    if not w.box.periodic[o.axis]:
        return x >= o.low
    turns = floor(x / w.box.length[o.axis])
    x -= turns * w.box.length[o.axis]
    return (turns + counter_value(w.images, AXES * <Py_ssize_t>i + o.axis)) + (x >= o.low)


cdef inline void count_crossings(const Observer* o, int g, double crossings, double* total) noexcept nogil:
    """Add crossings of the line by a disc of group g; negative ones are backwards."""
    if crossings > 0.0:
        total[g] += crossings
    else:
        total[o.groups + g] -= crossings


cdef inline void pass_line(const Observer* o, const Observers* w, int i, int g, double turn, double before, double after,
                           double* total) noexcept nogil:
    """Count the crossings of the line in a flight of disc i that turns back at a time after its stored state."""
    cdef double between = side_of(o, w, i, turn)
    count_crossings(o, g, between - before, total)
    count_crossings(o, g, after - between, total)


cdef inline void observer_flight(Observer* o, const Observers* w, int i, double dt) noexcept nogil:
    """Add a flight of disc i for a time dt. The stored state of the disc is that at the end of the flight."""
    cdef const Disc* d = &w.disc[i]
    cdef int g = group_of(o, i)
    cdef double side
    cdef Arc arc
    if g == NO_GROUP:
        return
    if o.integral:
        integrate(o, g, d, dt, sums_of(o), o.histogram.at)
    elif o.kind == FREE_PATH:
        o.value.at[i] += speed_of(d) * dt
    elif o.kind == FLOW:
        side = side_of(o, w, i, 0.0)
        if w.fall.falls:
            arc = arc_of_flight(w.fall, d, dt, True)
            pass_line(o, w, i, g, turns_back(&arc, o.axis) - dt, o.value.at[i], side, o.total.at)
            o.value.at[i] = side
        elif side != o.value.at[i]:
            count_crossings(o, g, side - o.value.at[i], o.total.at)
            o.value.at[i] = side


cdef inline void end_flight(Observer* o, int i, double t) noexcept nogil:
    """A contact of disc i at clock t ends its free flight: add the flight to the sums if its beginning was observed. `value`
    holds the clocks at which flights began, or the paths so far."""
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
    """Record a contact if one of its discs is observed. The contact is counted as missed if there are `most` records, or if
    there is no memory: no exception can be raised in the middle of an event."""
    cdef double size = sqrt(square(c.d))
    cdef double* row
    cdef Py_ssize_t room = o.record.size
    cdef int k
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
    for k in range(AXES):
        row[3 + k] = c.d[k] / size
    row[3 + AXES] = c.impulse * size
    o.averaging.records += 1


cdef inline double* surface_sums(Observer* o, int partner) noexcept nogil:
    """The sums of the surface with this number, as in hdsim.h."""
    return &o.total.at[FROM_SURFACE * (partner + SIDES if partner >= -SIDES else -1 - partner)]


cdef inline void add_at_surface(Observer* o, const Contact* c) noexcept nogil:
    """Add a contact of an observed disc with a side of the box or an obstacle."""
    cdef double* row = surface_sums(o, c.j)
    cdef int k
    if group_of(o, c.i) == NO_GROUP:
        return
    row[0] += 1.0
    for k in range(AXES):
        row[1 + k] -= c.impulse * c.d[k]
    row[1 + AXES] -= c.impulse * dot(c.d, c.u)
    row[2 + AXES] += energy_lost(c.rebound, c.impulse, c.closing)


cdef inline void observer_contact(Observer* o, const Observers* w, const Contact* c, double t, double time) noexcept nogil:
    """Add a contact that was executed at clock t, which is the time `time`. The stored states are those after the event."""
    cdef int a, b, k
    cdef double* total = o.total.at
    cdef double momentum[AXES]
    if o.kind == PRESSURE:
        if -SIDES <= c.j < 0:
            total[AXES + (c.j + SIDES)] += c.impulse
        for k in range(AXES if c.j >= 0 else 0):
            total[k] += c.impulse * c.d[k] * c.d[k]
    elif o.kind == COUNTS:
        a = group_of(o, c.i)
        b = group_of(o, c.j) if c.j >= 0 else a
        if a == NO_GROUP or b == NO_GROUP:
            pass
        elif -SIDES <= c.j < 0:
            total[o.groups * o.groups + SIDES * a + (c.j + SIDES)] += 1.0
        elif c.j >= 0:
            total[o.groups * min(a, b) + max(a, b)] += 1.0
    elif o.kind == FREE_TIME or o.kind == FREE_PATH:
        if c.j >= 0 or o.with_walls:
            end_flight(o, c.i, t)
        if c.j >= 0:
            end_flight(o, c.j, t)
    elif o.kind == SURFACES:
        if c.j < 0:
            add_at_surface(o, c)
    elif o.kind == RECORDS:
        keep_record(o, c, time)
    elif o.kind == STRESS or o.kind == TRANSPORT:
        carry_across(o, w.disc, c, sums_of(o))
    elif o.kind == PROFILE:
        for k in range(AXES):
            momentum[k] = c.impulse * c.d[k]
        carry_in_slabs(o, w.disc, c, momentum, total)


cdef inline void observer_emission(Observer* o, const Observers* w, const Contact* c, const Emission* m) noexcept nogil:
    """Add what contact c, with a thermal surface, has given to its disc besides the impulse across: `observer_contact` comes
    first. The momentum along a surface is carried there from the centre, over the radius."""
    cdef double* total
    cdef double momentum[AXES]
    cdef int a, b, k = 0
    if o.kind == PROFILE:
        for a in range(AXES):
            momentum[a] = -m.along[a]
        carry_in_slabs(o, w.disc, c, momentum, o.total.at)
    elif o.kind == SURFACES and group_of(o, c.i) != NO_GROUP:
        total = surface_sums(o, c.j)
        for a in range(AXES):
            total[1 + a] += m.along[a]
        total[1 + AXES] += m.work
        total[3 + AXES] += m.heat
    elif o.kind == STRESS or o.kind == TRANSPORT:
        total = sums_of(o)
        for a in range(AXES):
            for b in range(a, AXES):
                total[k] -= (m.along[a] * c.d[b] + m.along[b] * c.d[a] * (a != b)) * w.disc[c.i].radius
                k += 1
