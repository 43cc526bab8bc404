# cython: language_level=3, wraparound=False, cdivision=True
"""Time-driven schemes: what one quantum of time does to discs in a box with walls, scheme by scheme.

All discs stand at one time. A step moves them by dt and looks for overlaps among all N (N - 1) / 2 pairs; what it does about
them is the scheme. Sees only where discs are at the end of a step, so it misses who passes through another in between.
Contacts of the step are left in `contact`, in the order in which they were resolved. Knows no queue, no cells, no clock.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, sqrt
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from hdsim.core.pair cimport bounce_discs, time_to_disc, time_to_wall
from hdsim.core.cluster cimport BOTTOM, LEFT, NO_MEMBER, RIGHT, TOP, Contact, grow


cdef enum Scheme:
    MOVE = 0                # straight on
    WALLS = 1               # who would leave the box is turned round first: the book's bouncing balls
    OVERLAP = 2             # and who overlaps and approaches exchanges velocities, where they are
    ROLLBACK = 3            # at the instant of contact, pair after pair
    ORDERED = 4             # and the first contact first; then everybody is looked at again

cdef enum:
    COLUMNS = 6             # of a disc: x, y, vx, vy, radius, mass; the first four change
    CHANGING = 4
    SLICE_PAIRS = 4194304   # pairs that are looked at before somebody asks for Ctrl-C
    TURNS_MAX = 1000        # of a disc at the walls of one axis, in one step
    ZERO_TIME_CONTACTS_MAX = 1000  # contacts in no time, beyond the number of discs


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
    long long checks        # pairs looked at in the last step
    double deepest          # overlap that the last step has left, in contact distances
    int jammed              # a disc, if the step has come to no end


cdef inline int stepping_create(TimeStepping* l, int n, int scheme, double width, double height, double dt) except -1 nogil:
    """l: all zero."""
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
    """As if the step that was not finished had not begun."""
    memcpy(l.x, l.before, CHANGING * <size_t>l.n * sizeof(double))
    l.contacts = 0
    l.checks = 0


cdef inline int stepping_step(TimeStepping* l) except -1 nogil:
    """One quantum of time. Returns 1 if it comes to no end, because of disc `jammed`. After that, and after an exception
    (Ctrl-C, no memory), the caller undoes it."""
    memcpy(l.before, l.x, CHANGING * <size_t>l.n * sizeof(double))
    l.contacts = 0
    l.checks = 0
    l.deepest = 0.0
    if l.scheme == ORDERED:
        return step_ordered(l)
    if l.scheme == WALLS or l.scheme == OVERLAP:
        turn_early(l)
    move_all(l, l.dt)
    if l.scheme == ROLLBACK and turn_in_time(l) == 1:
        return 1
    if l.scheme == OVERLAP or l.scheme == ROLLBACK:
        sweep(l)
    return 0


cdef inline void move_all(TimeStepping* l, double t) noexcept nogil:
    """Euler's step, which is exact for straight lines."""
    cdef int i
    for i in range(l.n):
        l.x[i] += l.vx[i] * t
        l.y[i] += l.vy[i] * t


cdef inline int check_signals() except -1 nogil:
    with gil:
        PyErr_CheckSignals()
    return 0


# walls

cdef inline int turn(TimeStepping* l, int i, int wall) except -1 nogil:
    """Disc i bounces off a wall."""
    cdef bint vertical = wall == LEFT or wall == RIGHT
    cdef double* v = &l.vx[i] if vertical else &l.vy[i]
    cdef double side = 1.0 if wall == RIGHT or wall == TOP else -1.0
    cdef double impulse = 2.0 * l.mass[i] * (side * v[0]) if l.mass[i] < INFINITY else 0.0
    v[0] = -v[0]
    return note(l, i, wall, side if vertical else 0.0, 0.0 if vertical else side, impulse)


cdef inline int wall_beyond(double x, double v, double radius, double length, int near, int far) noexcept nogil:
    """The wall, near or far, that a disc at x reaches through and moves towards; 0 if there is none. Who is outside and comes
    back is left alone: to turn it round once more would keep it outside for ever."""
    if v < 0.0 and x < radius:
        return near
    if v > 0.0 and x > length - radius:
        return far
    return 0


cdef inline int turn_early(TimeStepping* l) except -1 nogil:
    """Who would be through a wall after this step is turned round before it, as in the book."""
    cdef int i, wall
    for i in range(l.n):
        wall = wall_beyond(l.x[i] + l.vx[i] * l.dt, l.vx[i], l.radius[i], l.width, LEFT, RIGHT)
        if wall != 0:
            turn(l, i, wall)
        wall = wall_beyond(l.y[i] + l.vy[i] * l.dt, l.vy[i], l.radius[i], l.height, BOTTOM, TOP)
        if wall != 0:
            turn(l, i, wall)
    return 0


cdef inline int turn_in_time(TimeStepping* l) except -1 nogil:
    """Who is through a wall after this step goes back to the instant of contact, and on from there: a reflection."""
    cdef int i
    for i in range(l.n):
        if (turn_along(l, i, &l.x[i], &l.vx[i], l.width, LEFT, RIGHT) == 1
                or turn_along(l, i, &l.y[i], &l.vy[i], l.height, BOTTOM, TOP) == 1):
            l.jammed = i
            return 1
    return 0


cdef inline int turn_along(TimeStepping* l, int i, double* x, const double* v, double length, int near, int far) except -1 nogil:
    """The same for disc i along one axis, on which it is at x. Returns 1 if that comes to no end."""
    cdef int wall, turns
    for turns in range(TURNS_MAX):
        wall = wall_beyond(x[0], v[0], l.radius[i], length, near, far)
        if wall == 0:
            return 0
        turn(l, i, wall)
        x[0] = 2.0 * (l.radius[i] if wall == near else length - l.radius[i]) - x[0]
    return 1


# pairs

cdef inline bint has_effect(const TimeStepping* l, int i, int j) noexcept nogil:
    """Two discs of infinite mass go through each other."""
    return l.mass[i] < INFINITY or l.mass[j] < INFINITY


cdef inline void leave_overlap(TimeStepping* l, double squared, double contact) noexcept nogil:
    cdef double depth = 1.0 - sqrt(squared) / contact
    if depth > l.deepest:
        l.deepest = depth


cdef inline int bounce(TimeStepping* l, int i, int j, double dx, double dy) except -1 nogil:
    """Exchange along the line of centres, which are (dx, dy) apart."""
    cdef double impulse = bounce_discs(dx, dy, &l.vx[i], &l.vy[i], l.mass[i], &l.vx[j], &l.vy[j], l.mass[j])
    return note(l, i, j, dx, dy, impulse)


cdef inline int note(TimeStepping* l, int i, int j, double dx, double dy, double impulse) except -1 nogil:
    grow(<void**>&l.contact, &l.room, l.contacts + 1, sizeof(Contact))
    l.contact[l.contacts] = Contact(i, j, NO_MEMBER, NO_MEMBER, 0, 0, dx, dy, impulse)
    l.contacts += 1
    return 0


cdef inline bint is_free(const double* x, const double* y, const double* radius, int i, int n) noexcept nogil:
    """Whether no disc after disc i overlaps it. Nothing is decided inside this loop, so that compilers make vectors of it."""
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
    """Disc i has been compared with all after it; now and then, ask for Ctrl-C."""
    l.checks += l.n - 1 - i
    if l.checks - last_check[0] > SLICE_PAIRS:
        last_check[0] = l.checks
        check_signals()
    return 0


cdef inline int sweep(TimeStepping* l) except -1 nogil:
    """Look at each pair once, where the discs are now, and resolve what overlaps."""
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
    """Discs that overlap and still approach exchange velocities; who recedes has done so, or has not been seen in time."""
    leave_overlap(l, squared, contact)
    if dx * (l.vx[j] - l.vx[i]) + dy * (l.vy[j] - l.vy[i]) < 0.0 and has_effect(l, i, j):
        bounce(l, i, j, dx, dy)
    return 0


cdef inline int roll_back(TimeStepping* l, int i, int j, double dx, double dy, double contact, double squared) except -1 nogil:
    """Discs that overlap go back, as straight as they go now, to the contact that they had in this step, exchange, and go on
    from there. A pair that did overlap when the step began is resolved there."""
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


# the first contact first

cdef struct First:
    double t                # from now
    int i, j                # a disc, and a disc or a wall


cdef inline void consider(First* first, double t, int i, int j) noexcept nogil:
    """Of equal times the first one counts: the lower disc, then walls before discs."""
    if t < first.t:
        first.t, first.i, first.j = t, i, j


cdef inline int find_first(TimeStepping* l, double rest, First* first) except -1 nogil:
    """Of all contacts whose discs overlap, or are through a wall, when the rest of the step has passed: the earliest."""
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
            turn(l, first.i, first.j)
        else:
            bounce(l, first.i, first.j, l.x[first.j] - l.x[first.i], l.y[first.j] - l.y[first.i])
        zero_time_contacts = 0 if first.t > 0.0 else zero_time_contacts + 1
        if zero_time_contacts > ZERO_TIME_CONTACTS_MAX + l.n:
            l.jammed = first.i
            return 1
