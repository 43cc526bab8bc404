# cython: language_level=3, wraparound=False, cdivision=True
"""Time-driven dynamics: one step of time for discs in a box with walls, by each time-stepping scheme.

All discs have the same time. A step moves them by dt and compares all N (N - 1) / 2 pairs; the scheme tells what is done about
those that overlap. Only the positions at the end of a step are compared, so a disc that passes through another in between is
missed. The contacts of the step are left in `contact`, in the order in which they were resolved. Knows no queue, no cells, no
clock.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, sqrt
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from hdsim.core.pair cimport bounce_discs, time_to_disc, time_to_wall
from hdsim.core.boundary cimport BOTTOM, LEFT, RIGHT, TOP
from hdsim.core.box cimport no_image
from hdsim.core.cluster cimport NO_MEMBER, Contact, contact_without_vector, grow
from hdsim.core.law cimport rebound


cdef enum Scheme:
    MOVE = 0                # free flight
    WALLS = 1               # a disc that would leave the box is reflected before the step: the book's bouncing balls
    OVERLAP = 2             # also, discs that overlap and approach after the step exchange velocities where they are
    ROLLBACK = 3            # discs are taken back to the instant of contact, with walls first, then pair after pair
    ORDERED = 4             # the earliest contact is resolved first; then all pairs are compared again

cdef enum:
    COLUMNS = 6             # numbers of a disc: x, y, vx, vy, radius, mass
    CHANGING = 4            # the first four of them change in a step
    SLICE_PAIRS = 4194304   # pairs compared between two checks for Ctrl-C
    REFLECTIONS_MAX = 1000  # reflections of a disc at the walls of one axis in one step, at most
    ZERO_TIME_CONTACTS_MAX = 1000  # contacts in zero time, beyond the number of discs, at most


cdef struct TimeStepping:
    int n
    int scheme
    double width, height, dt
    double* x               # n of each, one after another, in one block
    double* y
    double* vx
    double* vy
    double* radius
    double* mass
    double* before          # x, y, vx and vy when the step began
    double* end_x           # where discs would be at the end of the step
    double* end_y
    Contact* contact        # of the last step
    int contacts, room
    long long checks        # pairs compared in the last step
    double deepest          # deepest overlap that the last step has left, in contact distances
    int jammed              # a disc because of which the step did not end


cdef inline int stepping_create(TimeStepping* l, int n, int scheme, double width, double height, double dt) except -1 nogil:
    """Create a system of n discs, without their data. `l` must be all zero. Raises MemoryError."""
    cdef double* block = <double*>calloc(<size_t>n + 1, (COLUMNS + CHANGING + 2) * sizeof(double))
    if block == NULL:
        with gil:
            raise MemoryError(f"no memory for {n} discs")
    l.n, l.scheme, l.width, l.height, l.dt = n, scheme, width, height, dt
    l.x, l.y, l.vx = block, block + n, block + 2 * <size_t>n
    l.vy, l.radius, l.mass = block + 3 * <size_t>n, block + 4 * <size_t>n, block + 5 * <size_t>n
    l.before = block + COLUMNS * <size_t>n
    l.end_x, l.end_y = l.before + CHANGING * <size_t>n, l.before + (CHANGING + 1) * <size_t>n
    return 0


cdef inline void stepping_free(TimeStepping* l) noexcept nogil:
    free(l.x)
    free(l.contact)
    memset(l, 0, sizeof(TimeStepping))


cdef inline void stepping_undo(TimeStepping* l) noexcept nogil:
    """Take back a step that was not finished: the discs are as when it began."""
    memcpy(l.x, l.before, CHANGING * <size_t>l.n * sizeof(double))
    l.contacts = 0
    l.checks = 0


cdef inline int stepping_step(TimeStepping* l) except -1 nogil:
    """Make one step of time. Returns 1 if it does not end, because of disc `jammed`. After that, and after an exception
    (Ctrl-C, no memory), the caller must call stepping_undo."""
    memcpy(l.before, l.x, CHANGING * <size_t>l.n * sizeof(double))
    l.contacts = 0
    l.checks = 0
    l.deepest = 0.0
    if l.scheme == ORDERED:
        return step_ordered(l)
    if l.scheme == WALLS or l.scheme == OVERLAP:
        reflect_before(l)
    move_all(l, l.dt)
    if l.scheme == ROLLBACK and reflect_after(l) == 1:
        return 1
    if l.scheme == OVERLAP or l.scheme == ROLLBACK:
        sweep(l)
    return 0


cdef inline void move_all(TimeStepping* l, double t) noexcept nogil:
    """Move all discs by their velocities times t: Euler's step, which is exact for free flight."""
    cdef int i
    for i in range(l.n):
        l.x[i] += l.vx[i] * t
        l.y[i] += l.vy[i] * t


cdef inline int check_signals() except -1 nogil:
    with gil:
        PyErr_CheckSignals()
    return 0


# walls

cdef inline int reflect(TimeStepping* l, int i, int wall) except -1 nogil:
    """Reflect disc i at a wall, and note the contact."""
    cdef bint vertical = wall == LEFT or wall == RIGHT
    cdef double* v = &l.vx[i] if vertical else &l.vy[i]
    cdef double side = 1.0 if wall == RIGHT or wall == TOP else -1.0
    cdef double impulse = 2.0 * l.mass[i] * (side * v[0]) if l.mass[i] < INFINITY else 0.0
    v[0] = -v[0]
    return note(l, i, wall, side if vertical else 0.0, 0.0 if vertical else side, impulse)


cdef inline int wall_beyond(double x, double v, double radius, double length, int near, int far) noexcept nogil:
    """The wall, near or far, that a disc at x reaches through and moves towards; 0 if there is none. A disc outside that is on
    its way back does not count: to reflect it again would keep it outside for ever."""
    if v < 0.0 and x < radius:
        return near
    if v > 0.0 and x > length - radius:
        return far
    return 0


cdef inline int reflect_before(TimeStepping* l) except -1 nogil:
    """Reflect, before the step, the discs that would reach through a wall after it, as in the book."""
    cdef int i, wall
    for i in range(l.n):
        wall = wall_beyond(l.x[i] + l.vx[i] * l.dt, l.vx[i], l.radius[i], l.width, LEFT, RIGHT)
        if wall != 0:
            reflect(l, i, wall)
        wall = wall_beyond(l.y[i] + l.vy[i] * l.dt, l.vy[i], l.radius[i], l.height, BOTTOM, TOP)
        if wall != 0:
            reflect(l, i, wall)
    return 0


cdef inline int reflect_after(TimeStepping* l) except -1 nogil:
    """Reflect, after the step, the discs that reach through a wall: positions and velocities become those after a reflection
    at the instant of contact. Returns 1 if that does not end, because of disc `jammed`."""
    cdef int i
    for i in range(l.n):
        if (reflect_along(l, i, &l.x[i], &l.vx[i], l.width, LEFT, RIGHT) == 1
                or reflect_along(l, i, &l.y[i], &l.vy[i], l.height, BOTTOM, TOP) == 1):
            l.jammed = i
            return 1
    return 0


cdef inline int reflect_along(TimeStepping* l, int i, double* x, const double* v, double length, int near,
                              int far) except -1 nogil:
    """Reflect disc i, which is at x, along one axis, until it reaches through no wall. Returns 1 if that does not end."""
    cdef int wall, reflections
    for reflections in range(REFLECTIONS_MAX):
        wall = wall_beyond(x[0], v[0], l.radius[i], length, near, far)
        if wall == 0:
            return 0
        reflect(l, i, wall)
        x[0] = 2.0 * (l.radius[i] if wall == near else length - l.radius[i]) - x[0]
    return 1


# pairs

cdef inline bint has_effect(const TimeStepping* l, int i, int j) noexcept nogil:
    """Do two discs exchange momentum? Two discs of infinite mass pass through each other."""
    return l.mass[i] < INFINITY or l.mass[j] < INFINITY


cdef inline void leave_overlap(TimeStepping* l, double squared, double contact) noexcept nogil:
    """Update `deepest` by an overlap that the step leaves. squared: the square of the distance."""
    cdef double depth = 1.0 - sqrt(squared) / contact
    if depth > l.deepest:
        l.deepest = depth


cdef inline int bounce(TimeStepping* l, int i, int j, double dx, double dy) except -1 nogil:
    """Resolve a contact of two discs whose centres are (dx, dy) apart, and note it."""
    cdef double impulse = bounce_discs(dx, dy, &l.vx[i], &l.vy[i], l.mass[i], &l.vx[j], &l.vy[j], l.mass[j], rebound())
    return note(l, i, j, dx, dy, impulse)


cdef inline int note(TimeStepping* l, int i, int j, double dx, double dy, double impulse) except -1 nogil:
    """Append a contact to those of the step."""
    cdef Contact* c
    grow(<void**>&l.contact, &l.room, l.contacts + 1, sizeof(Contact))
    c = &l.contact[l.contacts]
    c[0] = contact_without_vector(i, j, NO_MEMBER, no_image())
    c.d[0] = dx
    c.d[1] = dy
    c.impulse = impulse
    l.contacts += 1
    return 0


cdef inline bint is_free(const double* x, const double* y, const double* radius, int i, int n) noexcept nogil:
    """Do none of the discs after disc i overlap it? The loop is branch-free, so that compilers vectorise it."""
    cdef int j
    cdef double own_x = x[i], own_y = y[i], own = radius[i], dx, dy, contact
    cdef long long overlaps = 0
    for j in range(i + 1, n):
        dx = x[j] - own_x
        dy = y[j] - own_y
        contact = own + radius[j]
        overlaps += dx * dx + dy * dy < contact * contact
    return overlaps == 0


cdef inline int count_row(TimeStepping* l, int i, long long* last_check) except -1 nogil:
    """Count the comparisons of disc i with all discs after it. After each SLICE_PAIRS of them, check for Ctrl-C."""
    l.checks += l.n - 1 - i
    if l.checks - last_check[0] > SLICE_PAIRS:
        last_check[0] = l.checks
        check_signals()
    return 0


cdef inline int sweep(TimeStepping* l) except -1 nogil:
    """Compare each pair once, at the present positions, and resolve the pairs that overlap."""
    cdef int i, j
    cdef double x, y, radius, dx, dy, contact, squared
    cdef long long last_check = 0
    for i in range(l.n):
        count_row(l, i, &last_check)
        if is_free(l.x, l.y, l.radius, i, l.n):
            continue
        x, y, radius = l.x[i], l.y[i], l.radius[i]
        for j in range(i + 1, l.n):
            dx = l.x[j] - x
            dy = l.y[j] - y
            contact = radius + l.radius[j]
            squared = dx * dx + dy * dy
            if squared < contact * contact:
                if l.scheme == OVERLAP:
                    resolve_here(l, i, j, dx, dy, contact, squared)
                else:
                    roll_back(l, i, j, dx, dy, contact, squared)
                    x, y = l.x[i], l.y[i]
    return 0


cdef inline int resolve_here(TimeStepping* l, int i, int j, double dx, double dy, double contact, double squared
                             ) except -1 nogil:
    """Let two discs that overlap exchange velocities if they approach. If they recede, they have done so before, or their contact
    was missed."""
    leave_overlap(l, squared, contact)
    if dx * (l.vx[j] - l.vx[i]) + dy * (l.vy[j] - l.vy[i]) < 0.0 and has_effect(l, i, j):
        bounce(l, i, j, dx, dy)
    return 0


cdef inline int roll_back(TimeStepping* l, int i, int j, double dx, double dy, double contact, double squared) except -1 nogil:
    """Take two discs that overlap back, along their present velocities, to the contact that they had in this step, resolve it,
    and move them forward again. A pair that overlapped already when the step began is resolved there."""
    cdef double dvx = l.vx[j] - l.vx[i]
    cdef double dvy = l.vy[j] - l.vy[i]
    cdef double t = time_to_disc(dx - dvx * l.dt, dy - dvy * l.dt, dvx, dvy, contact)
    cdef double back
    if t == INFINITY or not has_effect(l, i, j):
        leave_overlap(l, squared, contact)
        return 0
    back = max(l.dt - t, 0.0)
    l.x[i] -= l.vx[i] * back
    l.y[i] -= l.vy[i] * back
    l.x[j] -= l.vx[j] * back
    l.y[j] -= l.vy[j] * back
    bounce(l, i, j, l.x[j] - l.x[i], l.y[j] - l.y[i])
    l.x[i] += l.vx[i] * back
    l.y[i] += l.vy[i] * back
    l.x[j] += l.vx[j] * back
    l.y[j] += l.vy[j] * back
    return 0


# contacts in order of time

cdef struct First:
    double t                # time from now until the contact
    int i, j                # a disc, and a disc or a wall


cdef inline void consider(First* first, double t, int i, int j) noexcept nogil:
    """Keep the earliest contact. Of equal times the one considered first is kept: the lower disc, then walls before discs."""
    if t < first.t:
        first.t, first.i, first.j = t, i, j


cdef inline int find_first(TimeStepping* l, double rest, First* first) except -1 nogil:
    """Find the earliest contact among the pairs that overlap, and the discs that reach through a wall, at the end of the step,
    which is a time `rest` ahead. first.t is INFINITY if there is none."""
    cdef int i, j, wall
    cdef double x, y, radius, dx, dy, contact, squared, t
    cdef long long last_check = l.checks
    first.t = INFINITY
    l.deepest = 0.0
    for i in range(l.n):
        l.end_x[i] = l.x[i] + l.vx[i] * rest
        l.end_y[i] = l.y[i] + l.vy[i] * rest
    for i in range(l.n):
        x, y, radius = l.end_x[i], l.end_y[i], l.radius[i]
        wall = wall_beyond(x, l.vx[i], radius, l.width, LEFT, RIGHT)
        if wall != 0:
            consider(first, time_to_wall(l.x[i], l.vx[i], radius, l.width - radius), i, wall)
        wall = wall_beyond(y, l.vy[i], radius, l.height, BOTTOM, TOP)
        if wall != 0:
            consider(first, time_to_wall(l.y[i], l.vy[i], radius, l.height - radius), i, wall)
        count_row(l, i, &last_check)
        if is_free(l.end_x, l.end_y, l.radius, i, l.n):
            continue
        for j in range(i + 1, l.n):
            dx = l.end_x[j] - x
            dy = l.end_y[j] - y
            contact = radius + l.radius[j]
            squared = dx * dx + dy * dy
            if squared < contact * contact:
                t = time_to_disc(l.x[j] - l.x[i], l.y[j] - l.y[i], l.vx[j] - l.vx[i], l.vy[j] - l.vy[i], contact)
                if t < INFINITY and has_effect(l, i, j):
                    consider(first, t, i, j)
                else:
                    leave_overlap(l, squared, contact)
    return 0


cdef inline int step_ordered(TimeStepping* l) except -1 nogil:
    """The step of the scheme ORDERED; returns as `stepping_step`."""
    cdef double rest = l.dt
    cdef int zero_time_contacts = 0
    cdef First first
    while True:
        find_first(l, rest, &first)
        if first.t == INFINITY:
            move_all(l, rest)
            return 0
        first.t = min(first.t, rest)
        move_all(l, first.t)
        rest -= first.t
        if first.j < 0:
            reflect(l, first.i, first.j)
        else:
            bounce(l, first.i, first.j, l.x[first.j] - l.x[first.i], l.y[first.j] - l.y[first.i])
        zero_time_contacts = 0 if first.t > 0.0 else zero_time_contacts + 1
        if zero_time_contacts > ZERO_TIME_CONTACTS_MAX + l.n:
            l.jammed = first.i
            return 1
