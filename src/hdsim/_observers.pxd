# cython: language_level=3, wraparound=False, cdivision=True
"""Sums over a run: what observers keep of free flights and contacts, and their values at equally spaced times.

Knows discs that go straight from one clock to another, and contacts; no queue, no cells, no engine. Reads the discs and
never writes to them, so that looking cannot move a bit. Time averages of functions of the velocity are sums over flights,
exact and not sampled. All sums are doubles: what is counted stays exact up to 2^53.

Each observer has sums from its beginning on (`total`), their values at the edges of equal spans of time (`block`; when
there are too many, every second one is dropped and the spans are twice as long), a histogram, values of each disc, and
records of contacts. What a sum means is said at its kind.
"""
from libc.math cimport INFINITY, floor, sqrt
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from hdsim._exact cimport exact_sum
from hdsim._rivals cimport Disc
from hdsim._simultaneous cimport LEFT, Contact
from hdsim._tallies cimport Tallies, tally


cdef enum:
    BLOCKS_MAX = 512            # a power of two
    FIRST_CONTACTS = 64         # the first span takes as many, or as many as there are discs ...
    POINTS = 16                 # lags on the finest level of a correlation; on the others, half as many are new
    BREATH = 100000             # discs that are looked at before a run looks whether it is to stop
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


cdef struct Course:             # what changes, but for the sums
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
    Course course


cdef struct Watch:              # the observers of one engine, and what they look at
    Observer** observer
    int observers
    Observer** flying           # those of them that look at flights ...
    int flyings
    Observer** meeting          # ... and those that look at contacts
    int meetings
    double next                 # the first of all edges
    const Disc* disc
    const Tallies* images       # [2 * disc + axis] box lengths between the stored and the unwrapped position
    int n
    double length[2]            # of the box
    bint periodic[2]


# ---------------------------------------------------------------------------------------------------
# Memory

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


# ---------------------------------------------------------------------------------------------------
# Flights and contacts

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


cdef inline double side_of(const Observer* o, const Watch* w, int i, double dt) noexcept nogil:
    """How many images of the line disc i has to its left (or below it) after so much time; unwrapped, so that the sum of
    differences is a difference."""
    cdef const Disc* d = &w.disc[i]
    cdef double x = d.x + d.vx * dt if o.axis == 0 else d.y + d.vy * dt
    cdef double turns
    if not w.periodic[o.axis]:
        return x >= o.low
    turns = floor(x / w.length[o.axis])
    x -= turns * w.length[o.axis]
    return (turns + tally(w.images, 2 * <Py_ssize_t>i + o.axis)) + (x >= o.low)


cdef inline void count_crossings(const Observer* o, int g, double crossings, double* total) noexcept nogil:
    if crossings > 0.0:
        total[g] += crossings
    else:
        total[o.groups + g] -= crossings


cdef inline void observer_flight(Observer* o, const Watch* w, int i, double dt) noexcept nogil:
    """Disc i has flown for a time dt, and is there."""
    cdef const Disc* d = &w.disc[i]
    cdef int g = group_of(o, i)
    cdef double side
    if g == NO_GROUP:
        return
    if o.integral:
        integrate(o, g, d, dt, o.total.at, o.histogram.at)
    elif o.kind == FREE_PATH:
        o.value.at[i] += sqrt(d.vx * d.vx + d.vy * d.vy) * dt
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
    if o.course.records < o.most and (o.course.records + 1) * RECORD > room:
        room = RECORD * min(<Py_ssize_t>o.most, 2 * <Py_ssize_t>o.course.records + 1024)
        row = <double*>realloc(o.record.at, room * sizeof(double))
        if row != NULL:
            o.record.at = row
            o.record.size = room
    if o.course.records == o.most or (o.course.records + 1) * RECORD > o.record.size:
        o.course.missed += 1
        return
    row = &o.record.at[RECORD * o.course.records]
    row[0] = time
    row[1] = c.i
    row[2] = c.j
    row[3] = c.dx / size
    row[4] = c.dy / size
    row[5] = c.impulse * size
    o.course.records += 1


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


# ---------------------------------------------------------------------------------------------------
# Spans of time

cdef inline bint samples(const Observer* o) noexcept nogil:
    return o.kind >= DISPLACEMENT


cdef inline void set_next(Observer* o) noexcept nogil:
    """The next edge: of a sample, or of a block."""
    cdef Course* c = &o.course
    c.next = c.begin + ((c.edges + (1 if samples(o) else c.stride)) * c.width + c.begin_low)
    if c.width == 0.0 or o.kind == RECORDS:
        c.next = INFINITY


cdef inline void find_width(Observer* o, double t) noexcept nogil:
    """At one of the first contacts: let them say how long a span of time is."""
    o.course.contacts += 1
    if o.course.contacts >= max(FIRST_CONTACTS, o.n) and t > o.course.begin:
        o.course.width = t - o.course.begin
        set_next(o)


cdef inline void add_pending(const Observer* o, const Watch* w, double clock, double low, double* total,
                             double* histogram) noexcept nogil:
    """What the flights that are under way add up to the time clock + low."""
    cdef int i
    cdef double dt
    if not o.integral and o.kind != FLOW:
        return
    for i in range(o.n):
        if o.group[i] == NO_GROUP:
            continue
        dt = (clock - w.disc[i].t) + low
        if o.kind == FLOW:
            count_crossings(o, o.group[i], side_of(o, w, i, dt) - o.value.at[i], total)
        else:
            integrate(o, o.group[i], &w.disc[i], dt, total, histogram)


cdef inline void push_block(Observer* o, const Watch* w) noexcept nogil:
    """Note the sums at this edge."""
    cdef Course* c = &o.course
    cdef Py_ssize_t k
    cdef Py_ssize_t size = o.total.size
    cdef double* block = o.block.at + c.blocks * size
    memcpy(block, o.total.at, size * sizeof(double))
    add_pending(o, w, c.next, 0.0, block, NULL)
    c.blocks += 1
    if c.blocks == BLOCKS_MAX:
        for k in range(BLOCKS_MAX // 2):
            memcpy(o.block.at + k * size, o.block.at + (2 * k + 1) * size, size * sizeof(double))
        c.blocks = BLOCKS_MAX // 2
        c.stride *= 2


cdef inline void state_at(const Observer* o, const Watch* w, int i, double clock, double* a) noexcept nogil:
    """What a correlation is made of: the unwrapped position, or the velocity."""
    cdef const Disc* d = &w.disc[i]
    cdef double dt = clock - d.t
    if o.kind == CORRELATION:
        a[0] = d.vx
        a[1] = d.vy
    else:
        a[0] = (d.x + d.vx * dt) + tally(w.images, 2 * <Py_ssize_t>i) * w.length[0]
        a[1] = (d.y + d.vy * dt) + tally(w.images, 2 * <Py_ssize_t>i + 1) * w.length[1]


cdef inline void correlate(Observer* o, const double* new, const double* old, int lag) noexcept nogil:
    """Add the products of two samples, disc by disc."""
    cdef int i
    cdef int l = lags(o.levels)
    cdef double* sums = o.total.at + l + lag
    cdef double x, y
    o.total.at[lag] += 1.0
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            if o.kind == CORRELATION:
                sums[o.group[i] * l] += new[2 * i] * old[2 * i] + new[2 * i + 1] * old[2 * i + 1]
            else:
                x = new[2 * i] - old[2 * i]
                y = new[2 * i + 1] - old[2 * i + 1]
                sums[o.group[i] * l] += x * x + y * y


cdef inline void take_lags(Observer* o, const Watch* w, double clock) noexcept nogil:
    """Correlate a new sample with earlier ones. Level k keeps every 2^k-th sample, the last POINTS of them; lags that the
    finer levels have are left to those."""
    cdef int level, lag, i
    cdef long long m = o.course.edges
    cdef Py_ssize_t row = 2 * <Py_ssize_t>o.n
    cdef double* ring = o.value.at
    cdef double* new
    for level in range(o.levels):
        new = ring + (m & (POINTS - 1)) * row
        for i in range(o.n):
            state_at(o, w, i, clock, new + 2 * i)
        for lag in range(POINTS // 2 if level > 0 else 0, POINTS):
            if lag <= m:
                correlate(o, new, ring + ((m - lag) & (POINTS - 1)) * row, lag + level * (POINTS // 2))
        if m & 1:
            return
        m >>= 1
        ring += POINTS * row


cdef inline double wrapped_into(const Watch* w, double x, int axis) noexcept nogil:
    return x - floor(x / w.length[axis]) * w.length[axis] if w.periodic[axis] else x


cdef inline void count_regions(Observer* o, const Watch* w, double clock) noexcept nogil:
    """Count the discs whose centres are inside each region."""
    cdef int i, k
    cdef int regions = <int>(o.region.size // 4)
    cdef const double* edge
    cdef double x, y, dt
    o.total.at[0] += 1.0
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            dt = clock - w.disc[i].t
            x = wrapped_into(w, w.disc[i].x + w.disc[i].vx * dt, 0)
            y = wrapped_into(w, w.disc[i].y + w.disc[i].vy * dt, 1)
            for k in range(regions):
                edge = o.region.at + 4 * k
                if edge[0] <= x < edge[2] and edge[1] <= y < edge[3]:
                    o.total.at[1 + o.group[i] * regions + k] += 1.0


cdef inline void take_sample(Observer* o, const Watch* w, double clock) noexcept nogil:
    if o.kind == REGIONS:
        count_regions(o, w, clock)
    else:
        take_lags(o, w, clock)


cdef inline void observer_edge(Observer* o, const Watch* w) noexcept nogil:
    """The clock passes the next edge."""
    cdef Course* c = &o.course
    if samples(o):
        c.edges += 1
        take_sample(o, w, c.next)
        if c.edges & (c.stride - 1) == 0:
            push_block(o, w)
    else:
        c.edges += c.stride
        push_block(o, w)
    set_next(o)


cdef inline void observer_begin(Observer* o, const Watch* w, double now, double low) noexcept nogil:
    """Forget everything, and begin now. What is under way is taken off beforehand."""
    cdef int i
    cdef double dt
    series_clear(&o.total)
    series_clear(&o.histogram)
    series_clear(&o.value)
    o.course = Course(now, low, o.course.width if samples(o) else 0.0, INFINITY, 0, 1, 0, 0, 0, 0)
    for i in range(o.n):
        dt = (now - w.disc[i].t) + low
        if o.group[i] == NO_GROUP:
            continue
        if o.integral:
            integrate(o, o.group[i], &w.disc[i], -dt, o.total.at, o.histogram.at)
        elif o.kind == FREE_PATH:
            o.value.at[i] = -INFINITY       # its beginning has not been seen
        elif o.kind == FREE_TIME:
            o.value.at[i] = INFINITY
        elif o.kind == FLOW:
            o.value.at[i] = side_of(o, w, i, dt)
    if samples(o):
        take_sample(o, w, now + low)
    set_next(o)


# ---------------------------------------------------------------------------------------------------
# All of them

cdef inline void watch_find_next(Watch* w) noexcept nogil:
    cdef int k
    w.next = INFINITY
    for k in range(w.observers):
        w.next = min(w.next, w.observer[k].course.next)


cdef inline bint watch_time(Watch* w, double clock, bint inclusive) noexcept nogil:
    """Pass the edges before `clock`, or up to it; nothing has happened since the last contact. False if there were too many
    for one breath, and some are left."""
    cdef int k
    cdef long long left = BREATH // (w.n + 1)
    while clock > w.next or (inclusive and clock == w.next):
        if left < 0:
            return False
        left -= 1
        for k in range(w.observers):
            if w.observer[k].course.next == w.next:
                observer_edge(w.observer[k], w)
        watch_find_next(w)
    return True


cdef inline void watch_flight(Watch* w, int i, double dt) noexcept nogil:
    """Disc i has flown for a time dt since its stored state was last moved, with the velocity that it has."""
    cdef int k
    for k in range(w.flyings):
        observer_flight(w.flying[k], w, i, dt)


cdef inline void watch_contact(Watch* w, const Contact* c, double t, double time) noexcept nogil:
    """A contact was executed at clock t."""
    cdef int k
    for k in range(w.meetings):
        observer_contact(w.meeting[k], c, t, time)
        if w.meeting[k].course.width == 0.0:
            find_width(w.meeting[k], t)
            w.next = min(w.next, w.meeting[k].course.next)


cdef inline void watch_origin(Watch* w, double clock, double low) noexcept nogil:
    """The origin of time moves to this clock."""
    cdef int k, i
    cdef Course* c
    for k in range(w.observers):
        if w.observer[k].kind == FREE_TIME:
            for i in range(w.n):
                w.observer[k].value.at[i] = (w.observer[k].value.at[i] - clock) - low
        c = &w.observer[k].course
        c.begin = exact_sum(c.begin - clock, c.begin_low - low, &c.begin_low)
        set_next(w.observer[k])
    watch_find_next(w)


cdef inline int watch_add(Watch* w, Observer* o) except -1:
    """Takes the observer over."""
    cdef Observer** longer = <Observer**>calloc(3 * (w.observers + 1), sizeof(Observer*))
    if longer == NULL:
        raise MemoryError("no memory for one more observer")
    if w.observers > 0:
        memcpy(longer, w.observer, w.observers * sizeof(Observer*))
    free(w.observer)
    w.observer = longer
    w.observer[w.observers] = o
    w.observers += 1
    watch_sort(w)
    return 0


cdef inline void watch_sort(Watch* w) noexcept nogil:
    """Who looks at what."""
    cdef int k
    cdef Observer* o
    w.flying = w.observer + w.observers
    w.meeting = w.flying + w.observers
    w.flyings = w.meetings = 0
    for k in range(w.observers):
        o = w.observer[k]
        if o.integral or o.kind == FREE_PATH or o.kind == FLOW:
            w.flying[w.flyings] = o
            w.flyings += 1
        if not samples(o):
            w.meeting[w.meetings] = o
            w.meetings += 1
    watch_find_next(w)


cdef inline void watch_remove(Watch* w, int k) noexcept:
    observer_free(w.observer[k])
    w.observers -= 1
    while k < w.observers:
        w.observer[k] = w.observer[k + 1]
        k += 1
    watch_sort(w)


cdef inline void watch_free(Watch* w) noexcept:
    while w.observers > 0:
        watch_remove(w, w.observers - 1)
    free(w.observer)
    w.observer = NULL
