# cython: language_level=3, wraparound=False, cdivision=True
"""The linear complementarity problem of contacts that push at once: matrices only.

Knows neither discs nor contacts.
"""
from libc.math cimport sqrt


cdef enum:
    TOGETHER_WORK = 1000000000  # unknowns to the third power that are tried, a tenth of a second: more are needed only where
                                # discs overlap, for many more touch then than can be told apart by their impulses


cdef inline bint cholesky(double* u, int n) noexcept nogil:
    """In place, the upper triangle; False if the matrix is not positive definite. Row by row of what is left, since
    compilers make vectors of that, but not of the sums that each element is."""
    cdef int i, j, k
    cdef double* top
    cdef double* row
    cdef double factor
    for k in range(n):
        top = u + <size_t>k * n
        if not top[k] > 0.0:
            return False
        top[k] = sqrt(top[k])
        for j in range(k + 1, n):
            top[j] /= top[k]
        for i in range(k + 1, n):
            row = u + <size_t>i * n
            factor = top[i]
            for j in range(i, n):
                row[j] -= factor * top[j]
    return True


cdef inline void cholesky_solve(const double* u, int n, double* x) noexcept nogil:
    cdef int i, k
    for k in range(n):
        x[k] /= u[k * n + k]
        for i in range(k + 1, n):
            x[i] -= u[k * n + i] * x[k]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= u[i * n + k] * x[k]
        x[i] /= u[i * n + i]


cdef struct Impulses:       # the problem  a p >= target,  p >= 0,  p (a p - target) = 0,  m unknowns
    int m
    double* a               # symmetric, not negative
    double* target
    double* p
    double* factor          # Cholesky factor of the rows and columns that are free
    double ridge            # added to the diagonal there
    int* free               # which impulses may differ from zero
    int* wrong              # which are on the wrong side of their condition


cdef inline bint impulses_try(Impulses* s, int n) noexcept nogil:
    """Solve with equality for the n free impulses, all others zero; one step of refinement takes out
    what the ridge brought in."""
    cdef int i, j, row, column, step
    cdef double* x = s.factor + <size_t>s.m * s.m     # packed unknowns
    row = 0
    for i in range(s.m):
        if s.free[i]:
            column = 0
            for j in range(i + 1):
                if s.free[j]:
                    s.factor[column * n + row] = s.a[i * s.m + j]
                    column += 1
            s.factor[row * n + row] += s.ridge
            row += 1
        s.p[i] = 0.0
    if not cholesky(s.factor, n):
        return False
    for step in range(2):
        row = 0
        for i in range(s.m):
            if s.free[i]:
                x[row] = impulses_lack(s, i)
                row += 1
        cholesky_solve(s.factor, n, x)
        row = 0
        for i in range(s.m):
            if s.free[i]:
                s.p[i] += x[row]
                row += 1
    return True


cdef inline double impulses_lack(const Impulses* s, int i) noexcept nogil:
    """How much contact i lacks to its target speed."""
    cdef double lack = s.target[i]
    cdef int j
    for j in range(s.m):
        lack -= s.a[i * s.m + j] * s.p[j]
    return lack


cdef inline bint impulses_solve(Impulses* s) noexcept nogil:
    """Block principal pivoting, falling back on single pivots, which end unless the matrix is singular (Judice and Pires,
    Comput. Oper. Res. 21, 587, 1994). True if solved; discs that do not overlap take a handful of sweeps."""
    cdef int i, sweep, wrongs, last, unknowns
    cdef double work = 0.0
    cdef int fewest = s.m + 1
    cdef int sweeps_left = 4
    for i in range(s.m):
        s.free[i] = True
    for sweep in range(20 * s.m + 100):
        unknowns = 0
        for i in range(s.m):
            unknowns += s.free[i]
        work += <double>unknowns * unknowns * unknowns
        if work > TOGETHER_WORK or not impulses_try(s, unknowns):
            return False
        wrongs = 0
        last = 0
        for i in range(s.m):
            s.wrong[i] = s.p[i] < 0.0 if s.free[i] else impulses_lack(s, i) > 1e-12 * s.target[i]
            if s.wrong[i]:
                wrongs += 1
                last = i
        if wrongs == 0:
            return True
        if wrongs < fewest:
            fewest = wrongs
            sweeps_left = 4
        elif sweeps_left > 0:
            sweeps_left -= 1
        for i in range(s.m):
            if s.wrong[i] and (sweeps_left > 0 or i == last):
                s.free[i] = not s.free[i]
    return False
