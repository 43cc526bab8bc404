# cython: language_level=3, wraparound=False, cdivision=True
"""Impulses that act at the same instant: Moreau's law of impact, as a projection. Knows neither discs nor spaces.

Contact c has a differential n_c, so that n_c . v is the rate at which its gap opens for the velocities v of all bodies, and a
kick K_c, the change of v by its unit impulse. Both have one part for each of the two bodies of the contact. With
<K_c, v> = n_c . v this is the scalar product in the metric of the masses, without square roots. A body of infinite mass has
kick 0: it keeps its velocity.

Of all r = v + sum p_c K_c with p >= 0, the projection is the one that is nearest to those with n_c . r >= 0 for all contacts:
it has n_c . r = 0 for contacts with an impulse, the *active* ones. The velocities after the impact are v' = v + (1 + e) (r -
v), so that active contacts open at e times the speed at which they closed. Elastic contacts (e = 1) so reflect v, and keep
energy. Where contacts differ in e, that of the largest is taken, and the others ask for n_c . r + h_c n_c . v >= 0, with 1 +
h_c = (1 + e_c) / (1 + e): that is n_c . v' = -e_c n_c . v for active ones. To both sides of this is added what the motion of
a wall does: (1 + h_c) w_c, if it opens the gap at the rate w_c. Active contacts are found as by Lawson and Hanson (Solving
Least Squares Problems, 1974, chapter 23). Their kicks have a basis that is orthogonal in the metric, by the method of Gram
and Schmidt, repeated until it is orthogonal to rounding. With it, r and p are corrected together until they fit to some 100
bits (Bjoerck, BIT 7, 257, 1967: errors shrink in each step by the condition of the kicks, not by its square). So each
velocity is rounded once, however nearly opposite the contacts are. Units are powers of two, in which all numbers are near 1.
"""
from libc.math cimport INFINITY, fabs, frexp, ldexp
from libc.stdlib cimport calloc, free, qsort

from hdsim.core.exact cimport Pair, exact_product, exact_sum, pair_of, pair_scaled, pair_sum, product, quotient


cdef enum:
    NO_MEMBER = -1          # of the bodies of a cluster: the partner is a wall or an obstacle
    TOGETHER_MAX = 512      # contacts solved together, at most (the basis has their square); more are resolved one by one
    IMPULSES_PER_CONTACT = 64   # of contacts resolved one after another, at most: beyond, they are solved together
    TOGETHER_WORK = 1000000000  # limit of multiplications with the basis, some tenths of a second. Only overlapping discs need
                                # more: then there are many more contacts than the velocities can determine impulses
    CORRECTIONS_MAX = 24    # of r and p for one set of active contacts
    PASSES_MAX = 4          # of the method of Gram and Schmidt for one contact


cdef extern from *:
    """
    #define HDSIM_TIGHT 9.094947017729282e-13               /* 2^-40 */
    #define HDSIM_NORMAL_NOISE 1.4210854715202004e-14       /* 2^-46 */
    #define HDSIM_ENERGY_NOISE 1.1368683772161603e-13       /* 2^-43 */
    #define HDSIM_PAIR_NOISE 8.271806125530277e-25          /* 2^-80 */
    """
    const double TIGHT "HDSIM_TIGHT"    # sine, or part of a velocity: of contacts that are meant to be alike
    const double NORMAL_NOISE "HDSIM_NORMAL_NOISE"  # sine of the angle that rounding may give to one and the same direction
    const double ENERGY_NOISE "HDSIM_ENERGY_NOISE"  # of the energy, by rounding of velocities
    const double PAIR_NOISE "HDSIM_PAIR_NOISE"      # r and p have smaller errors than this part of the largest ones


cdef extern from "<assert.h>":
    void check "assert"(bint) noexcept nogil    # in checked builds the process ends if it is not so


ctypedef unsigned char flag


cdef struct Impulses:
    int m                   # contacts
    int axes                # components of a part of a differential
    int size                # bodies * axes
    int* body               # [2 * contact + side], or NO_MEMBER
    double* n               # [(2 * contact + side) * axes + axis] differentials
    double* kick            # ... and kicks, of bodies of mass 1
    double* mass            # [place] of the body there; a place is body * axes + axis
    double* v               # [place] velocities before the impact
    Pair* push              # kicks by mass, as `kick`
    Pair* r                 # [place]
    Pair* p                 # [contact]
    double* before          # [contact] p of the last set of active contacts
    double* square          # [contact] n . K
    double factor           # 1 + e of contacts, the largest one
    double* excess          # [contact] h, which is 0 for that e
    double* drive           # [contact] w, the rate at which the motion of a surface opens the gap
    Pair* lag               # [contact] h n . v + (1 + h) w
    int* exponent           # [contact] of the unit of n
    int speed, weight       # exponents of the units of velocity and mass
    double energy           # sum of mass * v^2 of bodies that can move: the scale of errors
    int rank
    int* active             # [row] contacts, `rank` of them
    flag* is_active         # [contact]
    flag* is_barred         # [contact] it depends on the active contacts, so that only rounding asks for its impulse
    int room                # rows, at most. Of active contacts K = U^T Q, n = U^T P; P_i . Q_k = 0 for i != k, U_ii = 1
    double* q               # [row * size + place]
    double* dual            # [row * size + place] P
    double* u               # [row * room + column]
    double* norm            # [row] P . Q
    double* mix             # [row * room + column] of impact_shares.pxd, as u ...
    double* mix_norm        # [row] ... and as norm
    Pair* total             # [place] scratch of `find_missing`
    double* after           # [place] velocities after the impact
    double* f               # [place] what is missing in r, then the correction of r
    double* t               # [row] the correction, along the basis
    double* y               # [row]
    double* share           # [row * m + contact] n by its length, along the basis: of contacts that may share impulses
    double* shared          # [row * m + contact] the same, orthogonal
    bint is_rough           # the active contacts are still being found
    double work             # multiplications with the basis so far


cdef inline int compare_numbers(const void* a, const void* b) noexcept nogil:
    cdef int one = (<const int*>a)[0]
    cdef int other = (<const int*>b)[0]
    return (one > other) - (one < other)


cdef inline void order_members(void* member, int members, size_t size) noexcept nogil:
    """Put the bodies of a cluster in ascending order. They are found in the order of cells, and sums over them are rounded.
    member: structs of this size that begin with the number of a body."""
    if members > 1:     # so that the pointer is not NULL
        qsort(member, members, size, compare_numbers)


cdef inline int place_of(const void* member, int members, size_t size, int number) noexcept nogil:
    """Where a body stands in the ascending list of members, which has it; NO_MEMBER for a negative number."""
    cdef int low = 0
    cdef int high = members - 1
    cdef int middle
    if number < 0:
        return NO_MEMBER
    while low < high:
        middle = (low + high) >> 1
        if (<const int*>(<const char*>member + middle * size))[0] < number:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline void lay_out(Impulses* s, Pair* block, size_t parts, size_t size, size_t rows) noexcept nogil:
    """Set where the arrays are in a block of memory."""
    cdef size_t m = s.m
    cdef size_t shares = m * rows
    s.push = block
    s.r = s.push + parts
    s.total = s.r + size
    s.p = s.total + size
    s.lag = s.p + m
    s.n = <double*>(s.lag + m)
    s.kick = s.n + parts
    s.mass = s.kick + parts
    s.v = s.mass + size
    s.after = s.v + size
    s.f = s.after + size
    s.before = s.f + size
    s.square = s.before + m
    s.excess = s.square + m
    s.drive = s.excess + m
    s.q = s.drive + m
    s.dual = s.q + rows * size
    s.u = s.dual + rows * size
    s.mix = s.u + rows * rows
    s.norm = s.mix + rows * rows
    s.mix_norm = s.norm + rows
    s.t = s.mix_norm + rows
    s.y = s.t + rows
    s.share = s.y + rows
    s.shared = s.share + shares
    s.body = <int*>(s.shared + shares)
    s.exponent = s.body + 2 * m
    s.active = s.exponent + m
    s.is_active = <flag*>(s.active + rows)
    s.is_barred = s.is_active + m


cdef inline int impulses_prepare(Impulses* s, int m, int bodies, int axes, double** block, size_t* block_room) except -1 nogil:
    """Set up a problem of m contacts in a block of memory, which is replaced by a larger one if it has no room. The caller then
    sets body, n, kick, mass, v, factor, excess and drive."""
    cdef size_t size = <size_t>bodies * axes
    cdef size_t rows = min(<size_t>m, size) + 1     # one more, for a contact that depends on the others
    cdef size_t parts = 2 * <size_t>m * axes
    cdef size_t shares = <size_t>m * rows
    cdef size_t room = 4 * parts + 8 * size + 14 * <size_t>m + rows * (2 * size + 2 * rows + 5) + 2 * shares + 8
    if room > block_room[0]:
        free(block[0])
        block[0] = <double*>calloc(room, sizeof(double))
        block_room[0] = room if block[0] != NULL else 0
        if block[0] == NULL:
            with gil:
                raise MemoryError(f"no memory to solve {m} contacts together")
    s.m = m
    s.axes = axes
    s.size = <int>size
    s.room = <int>rows
    lay_out(s, <Pair*>block[0], parts, size, rows)
    return 0


cdef inline int exponent_of(const double* a, int n, int least) noexcept nogil:
    """The exponent of the largest of n numbers, INFINITY left out, if it is larger than `least`."""
    cdef int exponent, k
    for k in range(n):
        if a[k] != 0.0 and fabs(a[k]) < INFINITY:
            frexp(a[k], &exponent)
            least = max(least, exponent)
    return least


cdef inline void impulses_scale(Impulses* s) noexcept nogil:
    """Go to units in which the largest mass and velocity, and the largest component of each differential, are about 1: so
    products stay far from the limits of doubles, and other units that are powers of two give the same bits."""
    cdef int parts = 2 * s.axes
    cdef int c, k, place
    s.weight = exponent_of(s.mass, s.size, -2000)
    s.speed = exponent_of(s.v, s.size, -2000)
    for c in range(s.m):        # a surface that hits bodies at rest
        s.speed = max(s.speed, exponent_of(&s.drive[c], 1, -2000) - exponent_of(s.n + c * parts, parts, -2000))
    s.energy = 0.0
    for k in range(s.size):
        s.v[k] = ldexp(s.v[k], -s.speed)
        s.mass[k] = ldexp(s.mass[k], -s.weight)
        s.energy += s.mass[k] * s.v[k] * s.v[k] if s.mass[k] < INFINITY else 0.0
        s.r[k] = pair_of(s.v[k])
    for c in range(s.m):
        s.exponent[c] = exponent_of(s.n + c * parts, parts, -2000)
        s.square[c] = 0.0
        for k in range(c * parts, (c + 1) * parts):
            place = s.body[k // s.axes] * s.axes
            if place < 0:
                s.n[k] = s.kick[k] = 0.0
            s.n[k] = ldexp(s.n[k], -s.exponent[c])
            s.kick[k] = ldexp(s.kick[k], -s.exponent[c])
            s.push[k] = pair_of(0.0) if place < 0 or s.mass[place] == INFINITY else quotient(s.kick[k], 0.0, s.mass[place], 0.0)
            s.square[c] += s.n[k] * s.push[k].high
        s.p[c] = s.lag[c] = pair_of(0.0)
        if s.excess[c] != 0.0:      # n . v, as r is v so far
            s.lag[c] = pair_scaled(s.excess[c], opening_of(s, c))
        if s.drive[c] != 0.0:
            s.drive[c] = ldexp(s.drive[c], -s.speed - s.exponent[c])
            s.lag[c] = pair_sum(s.lag[c], pair_scaled(1.0 + s.excess[c], pair_of(s.drive[c])))
            s.energy += s.mass[s.body[2 * c] * s.axes] * s.drive[c] * s.drive[c]
        s.is_active[c] = s.is_barred[c] = False
    s.rank = 0
    s.work = 0.0


cdef inline Pair opening_of(const Impulses* s, int c) noexcept nogil:
    """n_c . r + h_c n_c . v: negative while contact c asks for an impulse, or a larger one."""
    cdef Pair total = s.lag[c]
    cdef int side, k, place
    for side in range(2 * c, 2 * c + 2):
        place = s.body[side] * s.axes
        for k in range(s.axes if place >= 0 else 0):
            total = pair_sum(total, pair_scaled(s.n[side * s.axes + k], s.r[place + k]))
    return total


cdef inline double noise_of(const Impulses* s, int c) noexcept nogil:
    """The largest |n_c . r| that rounding of the direction of contact c explains, which acts on the relative velocity."""
    cdef double total = 0.0, relative
    cdef int k
    cdef int a = s.body[2 * c] * s.axes
    cdef int b = s.body[2 * c + 1] * s.axes
    for k in range(s.axes):
        relative = s.r[a + k].high if b < 0 else s.r[b + k].high - s.r[a + k].high
        total += fabs(relative)
    return NORMAL_NOISE * total


cdef inline double speed_at(const Impulses* s, int c) noexcept nogil:
    """A speed of the bodies of contact c: the sum of the components of v and r."""
    cdef double total = 0.0
    cdef int side, k, place
    for side in range(2 * c, 2 * c + 2):
        place = s.body[side] * s.axes
        for k in range(s.axes if place >= 0 else 0):
            total += fabs(s.v[place + k]) + fabs(s.r[place + k].high)
    return total


# The basis

cdef inline double along(const double* a, const double* b, int n) noexcept nogil:
    """a . b, in four sums side by side."""
    cdef double one = 0.0, two = 0.0, three = 0.0, four = 0.0
    cdef int k
    for k in range(0, n - 3, 4):
        one += a[k] * b[k]
        two += a[k + 1] * b[k + 1]
        three += a[k + 2] * b[k + 2]
        four += a[k + 3] * b[k + 3]
    for k in range(n - (n & 3), n):
        one += a[k] * b[k]
    return (one + two) + (three + four)


cdef inline void add_along(double* a, double factor, const double* b, int n) noexcept nogil:
    """a += factor * b"""
    cdef int k
    for k in range(n):
        a[k] += factor * b[k]


cdef inline bint basis_add(Impulses* s, int c, double noise) noexcept nogil:
    """Add contact c to the basis. False if the sine of its angle with those that are there is less than `noise`; its
    coefficients are in the last column of u then."""
    cdef int row = s.rank
    cdef double* q = s.q + <size_t>row * s.size
    cdef double* dual = s.dual + <size_t>row * s.size
    cdef double share, norm, last = s.square[c]
    cdef int i, k, side, step
    for k in range(s.size):
        q[k] = dual[k] = 0.0
    for side in range(2 * c, 2 * c + 2):
        for k in range(s.axes if s.body[side] != NO_MEMBER else 0):
            q[s.body[side] * s.axes + k] += s.push[side * s.axes + k].high
            dual[s.body[side] * s.axes + k] += s.n[side * s.axes + k]
    for i in range(row):
        s.u[<size_t>i * s.room + row] = 0.0
    norm = last
    for step in range(PASSES_MAX if row > 0 else 0):
        for i in range(row):
            s.y[i] = along(s.dual + <size_t>i * s.size, q, s.size) / s.norm[i]
        for i in range(row):
            share = s.y[i]
            if share == 0.0:        # mostly contacts that share no body
                continue
            s.u[<size_t>i * s.room + row] += share
            add_along(q, -share, s.q + <size_t>i * s.size, s.size)
            add_along(dual, -share, s.dual + <size_t>i * s.size, s.size)
        s.work += 3.0 * row * s.size
        norm = along(dual, q, s.size)
        if not norm > noise * noise * s.square[c] or row + 1 == s.room:
            return False
        if step > 0 and norm > 0.5 * last:
            break
        last = norm
    s.norm[row] = norm
    s.u[<size_t>row * s.room + row] = 1.0
    s.active[row] = c
    s.is_active[c] = True
    s.rank += 1
    return True


cdef inline void basis_remove(Impulses* s) noexcept nogil:
    """Remove the contacts that are not marked as active any more; those after the first of them are added again. One that then
    depends on the others is left without an impulse."""
    cdef int row = 0
    cdef int rank = s.rank
    cdef int k, c
    while row < rank and s.is_active[s.active[row]]:
        row += 1
    s.rank = row
    for k in range(row, rank):
        c = s.active[k]
        if s.is_active[c] and not basis_add(s, c, NORMAL_NOISE):
            s.is_active[c] = False
            s.p[c] = pair_of(0.0)


# r and p for given active contacts

cdef inline void find_missing(Impulses* s) noexcept nogil:
    """f = v + sum p K - r, and y = -n . r for the active contacts."""
    cdef int row, side, k, place
    for k in range(s.size):
        s.total[k] = pair_sum(pair_of(s.v[k]), pair_scaled(-1.0, s.r[k]))
    for side in range(2 * s.m):
        place = s.body[side] * s.axes
        for k in range(s.axes if place >= 0 and s.p[side >> 1].high != 0.0 else 0):
            s.total[place + k] = pair_sum(s.total[place + k], product(s.p[side >> 1], s.push[side * s.axes + k]))
    for row in range(s.rank):
        s.y[row] = -opening_of(s, s.active[row]).high
    for k in range(s.size):
        s.f[k] = s.total[k].high


cdef inline double correct(Impulses* s) noexcept nogil:
    """Correct r and p by what is missing. Returns the square of the correction of r, in the metric."""
    cdef const double* row
    cdef double square = 0.0
    cdef int i, k
    cdef int rank = s.rank
    for i in range(rank):
        row = s.u + <size_t>i * s.room
        for k in range(i + 1, rank):
            s.y[k] -= row[k] * s.y[i]
        s.t[i] = (s.y[i] - along(s.dual + <size_t>i * s.size, s.f, s.size)) / s.norm[i]
    for i in range(rank):
        add_along(s.f, s.t[i], s.q + <size_t>i * s.size, s.size)
    for i in range(rank - 1, -1, -1):
        row = s.u + <size_t>i * s.room
        s.t[i] -= along(row + i + 1, s.t + i + 1, rank - 1 - i)
        s.p[s.active[i]] = pair_sum(s.p[s.active[i]], pair_of(s.t[i]))
    for k in range(s.size):
        s.r[k] = pair_sum(s.r[k], pair_of(s.f[k]))
        square += s.mass[k] * s.f[k] * s.f[k] if s.mass[k] < INFINITY else 0.0
    s.work += 2.0 * rank * s.size + <double>rank * rank
    return square


cdef inline bint settle(Impulses* s) noexcept nogil:
    """Correct r and p until they belong to each other. False if the corrections do not shrink."""
    cdef int step
    cdef double change
    cdef double last = s.energy
    for step in range(CORRECTIONS_MAX):
        find_missing(s)
        change = correct(s)
        if change * change <= PAIR_NOISE * PAIR_NOISE * s.energy * last:      # the next one is smaller by as much
            return True
        if step > 1 and not change < 0.25 * last:
            return False
        last = change
    return False


# Which contacts are active

cdef inline void drop_all(Impulses* s) noexcept nogil:
    """Make all contacts inactive."""
    cdef int c, k
    for c in range(s.m):
        s.p[c] = pair_of(0.0)
        s.is_active[c] = False
    for k in range(s.size):
        s.r[k] = pair_of(s.v[k])
    s.rank = 0


cdef inline void begin_with_all(Impulses* s) noexcept nogil:
    """Make all contacts active, if then all impulses are positive, as in most racks. Otherwise make none active."""
    cdef int c
    for c in range(s.m):
        basis_add(s, c, NORMAL_NOISE)
    if not settle(s):
        drop_all(s)
    for c in range(s.m):
        if s.is_active[c] and not s.p[c].high > 0.0:
            drop_all(s)
            return


cdef inline int most_wanted(const Impulses* s) noexcept nogil:
    """The contact that closes fastest for the velocities r, in the metric; -1 if none closes but for rounding."""
    cdef int c
    cdef int most = -1
    cdef double opening, merit
    cdef double best = PAIR_NOISE * PAIR_NOISE * s.energy
    for c in range(s.m):
        if not (s.is_active[c] or s.is_barred[c]):
            opening = opening_of(s, c).high
            merit = opening * opening / s.square[c]
            if merit > best and opening < -noise_of(s, c):
                best = merit
                most = c
    return most


cdef inline bint none_pulls(Impulses* s) noexcept nogil:
    """Are all impulses positive? If not, go from those before towards the present ones as far as they are, and make those
    contacts inactive whose impulse is zero there."""
    cdef double share = 2.0
    cdef int row, c, last = -1
    for row in range(s.rank):
        c = s.active[row]
        if not s.p[c].high > 0.0 and s.before[c] < share * (s.before[c] - s.p[c].high):
            share = s.before[c] / (s.before[c] - s.p[c].high)
            last = c
    if last < 0:
        return True
    for row in range(s.rank):
        c = s.active[row]
        s.before[c] += share * (s.p[c].high - s.before[c])
        s.is_active[c] = c != last and s.before[c] > 0.0
        s.p[c] = pair_of(s.before[c] if s.is_active[c] else 0.0)
        s.before[c] = s.p[c].high
    basis_remove(s)
    return False


cdef inline bint adjust(Impulses* s) noexcept nogil:
    """Correct r and p for the active contacts, once as long as these are being found, and make those inactive that pull. False
    if that fails."""
    while True:
        if s.is_rough:
            find_missing(s)
            correct(s)
        elif not settle(s):
            return False
        if none_pulls(s):
            return True
        if s.work > TOGETHER_WORK:
            return False


cdef inline bint take_impulse(Impulses* s, int c) noexcept nogil:
    """Find the impulses with contact c among the active ones. False if that fails."""
    cdef int row, k
    for row in range(s.rank):
        s.before[s.active[row]] = s.p[s.active[row]].high
    if s.work > TOGETHER_WORK or not basis_add(s, c, NORMAL_NOISE):
        s.is_barred[c] = True
        return s.work <= TOGETHER_WORK
    s.before[c] = 0.0
    if not adjust(s):
        return False
    if not s.is_active[c]:          # by rounding only
        s.is_barred[c] = True
        return True
    for k in range(s.m):
        s.is_barred[k] = False
    return True


cdef inline bint find_active(Impulses* s) noexcept nogil:
    """Find the active contacts, first with r and p to rounding of doubles, then to that of pairs. False if that fails, as it must
    where bodies of infinite mass squeeze another one."""
    cdef int k, c
    s.is_rough = True
    for k in range(20 * s.m + 100):
        c = most_wanted(s)
        if c >= 0:
            if not take_impulse(s, c):
                return False
        elif s.is_rough:
            s.is_rough = False
            for c in range(s.m):
                s.is_barred[c] = False
                s.before[c] = s.p[c].high
            if not adjust(s):
                return False
        else:
            break
    else:
        return False
    for c in range(s.m):
        if s.is_barred[c] and opening_of(s, c).high < -TIGHT * speed_at(s, c):
            return False
    return True


cdef inline bint impulses_solve(Impulses* s) noexcept nogil:
    """Find the velocities v + factor (r - v). False if that takes too much work or rounding prevents it."""
    cdef int c, k
    cdef Pair change
    impulses_scale(s)
    begin_with_all(s)
    if not find_active(s):
        return False
    for k in range(s.size):
        change = pair_sum(s.r[k], pair_of(-s.v[k]))
        change = pair_sum(pair_of(s.v[k]), pair_scaled(s.factor, change))
        s.after[k] = change.high if s.mass[k] == INFINITY or (
            s.mass[k] * change.high * change.high > PAIR_NOISE * PAIR_NOISE * s.energy) else 0.0
    return True


cdef inline double impulses_velocity(const Impulses* s, int place) noexcept nogil:
    """The solution: a velocity after the impact."""
    return ldexp(s.after[place], s.speed)


cdef inline double impulses_impulse(const Impulses* s, int c) noexcept nogil:
    """The solution: the impulse of contact c, per differential."""
    return ldexp(s.factor * s.p[c].high, s.weight + s.speed - s.exponent[c])


cdef inline bint impulses_keep_energy(Impulses* s, const double* velocity, int stride) noexcept nogil:
    """Do these velocities after the impact, rounded and perhaps changed in their last bits, have the energy that they should
    have? With J_c the momentum that the bodies take in contact c, the sum of J_c . (v' + e_c v) is 0: for e = 1 the change of
    the energy, less the work on bodies of infinite mass. velocity: [body * stride + axis]"""
    cdef double balance = 0.0, scale = 0.0, after
    cdef int side, k, place, body
    for k in range(s.size):
        s.total[k] = pair_of(0.0)
    for side in range(2 * s.m):
        place = s.body[side] * s.axes
        for k in range(s.axes if place >= 0 else 0):
            s.total[place + k] = pair_sum(s.total[place + k], pair_scaled(s.n[side * s.axes + k], s.p[side >> 1]))
    for body in range(s.size // s.axes):
        for k in range(s.axes):
            place = body * s.axes + k
            after = ldexp(velocity[body * stride + k], -s.speed)
            balance += s.total[place].high * (after + (s.factor - 1.0) * s.v[place])
            scale += fabs(s.total[place].high) * (fabs(after) + fabs(s.v[place]))
    for k in range(s.m):
        balance += s.factor * s.lag[k].high * s.p[k].high
    check(fabs(balance) <= ENERGY_NOISE * scale)
    return fabs(balance) <= ENERGY_NOISE * scale
