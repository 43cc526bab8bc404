# cython: language_level=3, wraparound=False, cdivision=True
"""Impulses that the velocities after an impact do not determine, because contacts depend on each other, as in a lattice of
touching discs: the least ones.
"""
from libc.math cimport fabs, sqrt

from hdsim.core.exact cimport pair_of
from hdsim.core.impact cimport NORMAL_NOISE, TIGHT, Impulses, add_along, along, basis_add, opening_of, settle, speed_at


cdef enum:
    SHARINGS_MAX = 20       # steps of Newton's method


cdef inline bint may_share(Impulses* s, int c) noexcept nogil:
    """Could contact c, which is not active, have an impulse, because it depends on the active ones and neither opens nor
    closes? Its coefficients are in the last column of u then."""
    if fabs(opening_of(s, c).high) > TIGHT * speed_at(s, c):
        return False
    if basis_add(s, c, TIGHT):
        s.rank -= 1
        s.is_active[c] = False
        return False
    return True


cdef inline int find_sharing(Impulses* s) noexcept nogil:
    """Set `share` for all contacts that may have an impulse, which become those not barred. Returns how many are not active."""
    cdef int c, i, row
    cdef int more = 0
    for c in range(s.m):
        s.is_barred[c] = not s.is_active[c]
        if not s.is_active[c] and may_share(s, c):
            s.is_barred[c] = False
            more += 1
            for i in range(s.rank):
                s.share[<size_t>i * s.m + c] = s.u[<size_t>i * s.room + s.rank]
    for row in range(s.rank):
        for i in range(s.rank):
            s.share[<size_t>i * s.m + s.active[row]] = s.u[<size_t>i * s.room + row] if i <= row else 0.0
    for c in range(s.m):
        s.before[c] = sqrt(along(s.n + 2 * c * s.axes, s.n + 2 * c * s.axes, s.axes))
        for i in range(s.rank):
            s.share[<size_t>i * s.m + c] = 0.0 if s.is_barred[c] else s.share[<size_t>i * s.m + c] / s.before[c]
    return more


cdef inline bint make_orthogonal(Impulses* s) noexcept nogil:
    """Set `shared` to `share` of the active contacts, with rows made orthogonal: share = mix^T shared. False if
    the rows depend on each other."""
    cdef double* row
    cdef double along_it, norm
    cdef int i, k, c, step
    for i in range(s.rank):
        row = s.shared + <size_t>i * s.m
        for c in range(s.m):
            row[c] = s.share[<size_t>i * s.m + c] if s.is_active[c] else 0.0
        norm = along(row, row, s.m)
        for k in range(i):
            s.mix[<size_t>k * s.room + i] = 0.0
        for step in range(2):
            for k in range(i):
                along_it = along(s.shared + <size_t>k * s.m, row, s.m) / s.mix_norm[k]
                s.mix[<size_t>k * s.room + i] += along_it
                add_along(row, -along_it, s.shared + <size_t>k * s.m, s.m)
        s.mix_norm[i] = along(row, row, s.m)
        if not s.mix_norm[i] > NORMAL_NOISE * NORMAL_NOISE * norm:
            return False
    return True


cdef inline void find_shares(Impulses* s) noexcept nogil:
    """The least impulses of the active contacts, by length of n, in `square`; f: what they add up to along the basis. Of other
    contacts that may share, their multipliers, which are positive if they should."""
    cdef int i, k, c
    for i in range(s.rank):
        s.y[i] = s.f[i]
    for i in range(s.rank):
        for k in range(i + 1, s.rank):
            s.y[k] -= s.mix[<size_t>i * s.room + k] * s.y[i]
        s.y[i] /= s.mix_norm[i]
    for i in range(s.rank - 1, -1, -1):
        s.t[i] = s.y[i] - along(s.mix + <size_t>i * s.room + i + 1, s.t + i + 1, s.rank - 1 - i)
    for c in range(s.m):
        s.square[c] = 0.0
    for i in range(s.rank):
        for c in range(s.m):
            s.square[c] += (s.y[i] * s.shared[<size_t>i * s.m + c] if s.is_active[c] else
                            s.t[i] * s.share[<size_t>i * s.m + c])


cdef inline bint shares_are_right(Impulses* s) noexcept nogil:
    """Is no share negative, and no multiplier positive, but for rounding? If one is, the contact changes its side."""
    cdef double most = 0.0
    cdef bint right = True
    cdef int c
    for c in range(s.m):
        most = max(most, fabs(s.square[c]) if s.is_active[c] else 0.0)
    for c in range(s.m):
        if not s.is_barred[c] and (s.square[c] < -TIGHT * most if s.is_active[c] else s.square[c] > TIGHT * most):
            s.is_active[c] = not s.is_active[c]
            right = False
    return right


cdef inline void take_shares(Impulses* s) noexcept nogil:
    """Set the impulses to their shares, and correct them, so that each body takes the momentum that it took before, also where
    others take much more."""
    cdef int c
    for c in range(s.m):
        s.p[c] = pair_of(s.square[c] / s.before[c] if s.is_active[c] and s.square[c] > 0.0 else 0.0)
    settle(s)
    for c in range(s.m):
        if not (s.is_active[c] and s.p[c].high > 0.0):
            s.p[c] = pair_of(0.0)


cdef inline void impulses_share(Impulses* s) noexcept nogil:
    """Where contacts depend on each other, the velocities leave their impulses undetermined: take those of the least sum of
    squares, so that contacts that are alike have the same. These are p = max(0, n . z) by the squared length of n, for some z;
    active are those for which n . z is positive (Newton's method for z). Where that does not end, p stays as it is."""
    cdef int c, i, k, step
    if s.rank == 0 or find_sharing(s) == 0:
        return
    for i in range(s.rank):
        s.f[i] = 0.0
        for k in range(i, s.rank):
            s.f[i] += s.u[<size_t>i * s.room + k] * s.p[s.active[k]].high
    for c in range(s.m):
        s.is_active[c] = not s.is_barred[c]
    for step in range(SHARINGS_MAX):
        if not make_orthogonal(s):
            return
        find_shares(s)
        if shares_are_right(s):
            take_shares(s)
            return
