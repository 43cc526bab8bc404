# cython: language_level=3, wraparound=False, cdivision=True
"""The linear complementarity problem of impulses that act at the same instant, matrices only, and the limits of such clusters of
contacts. Knows neither discs nor contacts.
"""
from libc.math cimport sqrt
from libc.stdlib cimport calloc, free


cdef enum:
    NO_MEMBER = -1          # of the bodies of a cluster: the partner is a wall or an obstacle
    TOGETHER_MAX = 512      # contacts solved together, at most (the matrix has their square); more are resolved one by one
    IMPULSES_PER_CONTACT = 64   # of contacts resolved one after another, at most: beyond, they are solved together
    TOGETHER_WORK = 1000000000  # limit of the sum of unknowns^3 over all trials, a tenth of a second. Only overlapping discs need
                                # more: then there are many more contacts than the velocities can determine impulses


cdef inline bint cholesky(double* u, int n) noexcept nogil:
    """Cholesky factorisation of the n x n matrix u, in place, in the upper triangle. False if u is not positive definite. Each
    row is subtracted from all rows below it, because compilers vectorise that, but not the sum for each element."""
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
    """Solve for x in place, with the factor u that `cholesky` has left."""
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
    double* a               # m x m, symmetric, positive semidefinite
    double* target
    double* p
    double* factor          # Cholesky factor of the rows and columns of the free impulses, then room for m unknowns
    double ridge            # added to the diagonal before it is factorised
    int* free               # [i] -> whether impulse i may differ from zero
    int* wrong              # [i] -> whether the solution violates the condition of impulse i


cdef inline int impulses_prepare(Impulses* s, int m, double** block, size_t* block_room) except -1 nogil:
    """Set up a problem of m unknowns in a block of memory, which is replaced by a larger one if it has no room."""
    cdef size_t room = 2 * <size_t>m * m + 5 * m
    if room > block_room[0]:
        free(block[0])
        block[0] = <double*>calloc(room, sizeof(double))
        block_room[0] = room if block[0] != NULL else 0
        if block[0] == NULL:
            with gil:
                raise MemoryError(f"no memory to solve {m} contacts together")
    s.m = m
    s.a = block[0]
    s.factor = s.a + <size_t>m * m      # m * m, then m packed unknowns
    s.target = s.factor + <size_t>m * m + m
    s.p = s.target + m
    s.free = <int*>(s.p + m)
    s.wrong = <int*>(s.p + 2 * m)
    return 0


cdef inline bint impulses_try(Impulses* s, int n) noexcept nogil:
    """Solve the n free conditions as equations, with all other impulses zero. One step of iterative refinement removes the error
    that comes from the ridge. False if the matrix is not positive definite."""
    cdef int i, j, row, column, step
    cdef double* x = s.factor + <size_t>s.m * s.m     # the unknowns, packed
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
                x[row] = impulses_shortfall(s, i)
                row += 1
        cholesky_solve(s.factor, n, x)
        row = 0
        for i in range(s.m):
            if s.free[i]:
                s.p[i] += x[row]
                row += 1
    return True


cdef inline double impulses_shortfall(const Impulses* s, int i) noexcept nogil:
    """By how much row i of a p is below its target."""
    cdef double shortfall = s.target[i]
    cdef int j
    for j in range(s.m):
        shortfall -= s.a[i * s.m + j] * s.p[j]
    return shortfall


cdef inline bint impulses_solve(Impulses* s) noexcept nogil:
    """Block principal pivoting, with single pivots where that makes no progress; these end unless the matrix is singular (Judice
    and Pires, Comput. Oper. Res. 21, 587, 1994). True if solved, with the solution in `p`. A few sweeps are enough for discs that
    do not overlap."""
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
            s.wrong[i] = s.p[i] < 0.0 if s.free[i] else impulses_shortfall(s, i) > 1e-12 * s.target[i]
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
