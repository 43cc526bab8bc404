# cython: language_level=3, wraparound=False, cdivision=True
"""How many times fewer, or more, cells are halved than the positions of the discs suggest: learned from the cost of contacts.

A few discs may have most of the contacts, or many discs none, so positions alone do not tell which cells are fast. The work done
so far tells in which direction better cells may be, but not whether they are better: a few discs in one spot share a cell until
cells are as small as the spot, and cost as much as before until then. So a trial changes the cells in one direction as long as
the work suggests it, and ends with the cells that cost least. After a trial that gained nothing, the next one begins later. Only
hashed cells in which hardly any disc is compared with one that crosses them are made wider without a trial.

Called only by engine/refinement.pxi, which explains why the engine works without it: cells determine which discs are compared,
never which contacts are found.
"""

from hdsim.core.axes cimport AXES


cdef enum:
    WORK_LEAST = 256            # contacts, or crossings: fewer are too few to judge the cells by
    PREDICTIONS_FEW = 48        # predictions per contact; a uniform system has 15 to 40, and on several levels up to 160
    CROSSING_COST = 12          # in predictions, besides those that it makes; measured: 12 to 20, more with more discs
    CROSSINGS_FEW = 2           # crossings per contact; a uniform system has .1 to 1.5, and a very dilute one 4
    CROSSING_PREDICTIONS = 8    # with fewer predictions per crossing, wider cells need no trial
    REFINEMENTS_AT_ONCE = 2     # halvings in one step of a trial, at most
    COARSENING_MOST = 14        # halvings, fewer or more: cells are never halved more often
    REST_LEAST = 16             # contacts per disc from the end of a trial to the next one ...
    REST_MOST = 64              # ... after many trials that gained nothing


cdef struct Work:               # done with the present cells
    long long contacts
    long long crossings
    long long predictions       # candidates with which discs were compared


cdef struct Coarsening:
    int refinements             # how many halvings fewer than the positions suggest; negative: more
    int direction               # of the trial: 1 to wider cells, -1 to narrower ones, 0 if there is none
    int first                   # `refinements` when the trial began ...
    int best                    # ... when contacts cost least in it ...
    double cost                 # ... and that cost, in predictions per contact
    long long rest              # contacts per disc from a trial to the next one
    long long until             # no trial begins before this number of contacts in all, unless the cost doubles


cdef inline double cost_of(Work w) noexcept nogil:
    """Cost of a contact, in predictions."""
    return (<double>w.predictions + <double>CROSSING_COST * w.crossings) / max(w.contacts, 1)


cdef inline double predictions_too_many(Work w, int levels) noexcept nogil:
    """Predictions beyond those of a uniform system; negative if there are fewer."""
    return <double>w.predictions - <double>w.contacts * (PREDICTIONS_FEW if levels == 1 else 4 * PREDICTIONS_FEW) * per_plane()


cdef inline int per_plane() noexcept nogil:
    """Candidates of a disc for each one that it would have in a plane: 27 cells around it, not 9."""
    return 1 if AXES == 2 else 3


cdef inline int step_towards_less(Work w, int levels, bint hashed) noexcept nogil:
    """By how many halvings fewer (> 0) or more (< 0) the work may be less. A halving leaves, at best, a quarter of the
    predictions that are too many (in three axes an eighth), and doubles the crossings. hashed: the cells are halved already."""
    cdef double excess = predictions_too_many(w, levels)
    cdef double crossing = <double>CROSSING_COST * w.crossings
    cdef int step = 0
    while excess > 3.0 * crossing and step > -REFINEMENTS_AT_ONCE:
        excess *= 0.25 if AXES == 2 else 0.125
        crossing *= 2.0
        step -= 1
    if step == 0 and hashed and 3.0 * crossing > w.predictions and w.crossings > CROSSINGS_FEW * w.contacts:
        return 1
    return step


cdef inline void coarsening_stop(Coarsening* r) noexcept nogil:
    """End a trial, if there is one, with the cells that cost least in it. Alone, this is for a trial that is no longer valid
    because the positions of the discs now suggest other cells."""
    if r.direction != 0:
        r.refinements = r.best
        r.direction = 0


cdef inline void coarsening_end(Coarsening* r, long long contacts, int n) noexcept nogil:
    """End a trial, if there is one, that has shown what it can: keep the cells that cost least, and delay the next trial."""
    if r.direction == 0:
        return
    r.rest = REST_LEAST if r.best != r.first else min(2 * r.rest, <long long>REST_MOST)
    r.until = contacts + r.rest * n
    coarsening_stop(r)


cdef inline bint coarsening_learn(Coarsening* r, Work w, int levels, bint hashed, long long contacts, int n) noexcept nogil:
    """Learn from the work w of n discs, and change `refinements` if other cells may be better. contacts: their number in all.
    False if the work is too little to judge the cells by."""
    cdef int step
    cdef int before = r.refinements
    if w.contacts >= WORK_LEAST and r.direction != 0 and cost_of(w) < (0.9 if r.direction < 0 else 1.0) * r.cost:
        r.best = r.refinements
        r.cost = cost_of(w)
    if w.crossings >= WORK_LEAST and hashed and CROSSING_PREDICTIONS * per_plane() * w.crossings > w.predictions:
        # For example, a dense region is at rest or has dispersed, and other discs cross its cells. There may be so few contacts
        # by now that their cost cannot be compared.
        coarsening_end(r, contacts, n)
        if r.refinements <= before:
            r.refinements = min(before + 1, <int>COARSENING_MOST)
        return True
    if w.contacts < WORK_LEAST:
        return False
    step = step_towards_less(w, levels, hashed)
    if r.direction == 0 and step != 0 and (contacts >= r.until or cost_of(w) > 2.0 * r.cost):   # or the system has changed
        r.direction = 1 if step > 0 else -1
        r.first = r.best = r.refinements
        r.cost = cost_of(w)
    if step * r.direction > 0 and -COARSENING_MOST <= r.refinements + step <= COARSENING_MOST:
        r.refinements += step
    else:
        coarsening_end(r, contacts, n)
    return True
